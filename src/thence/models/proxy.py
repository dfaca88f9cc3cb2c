"""HTTP proxy of an endpoint, as the environment names it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from urllib.parse import unquote, urlsplit

from thence.errors import UsageError


@dataclass(frozen=True, slots=True)
class Proxy:
    """Address of a proxy; its ``repr`` shows no password.

    Attributes:
        url: ``http://HOST:PORT``.
        authorization: value of ``Proxy-Authorization``, or None.
    """

    url: str
    authorization: str | None = field(default=None, repr=False)


def proxy_for(url: str, environ: Mapping[str, str]) -> Proxy | None:
    """Return the proxy for an address, or None.

    ``HTTPS_PROXY`` or ``HTTP_PROXY`` by the scheme of the address, else ``ALL_PROXY``; names in
    small letters come first, as in curl. Hosts in ``NO_PROXY`` (names, domains with all below
    them, networks such as ``10.0.0.0/8``, or ``*``) and this machine are reached directly.

    Raises:
        UsageError: the variable names no HTTP proxy. No message shows a password.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    _, exempt = _variable(environ, "no_proxy")
    if _is_loopback(host) or _is_exempt(host, port, exempt):
        return None
    for name in (f"{parts.scheme}_proxy", "all_proxy"):
        variable, text = _variable(environ, name)
        if text:
            return _parsed(variable, text, host)
    return None


def _variable(environ: Mapping[str, str], name: str) -> tuple[str, str]:
    """Return the name that is set, in small or capital letters, and its value."""
    for variable in (name, name.upper()):
        if text := environ.get(variable, "").strip():
            return variable, text
    return name, ""


def _parsed(variable: str, text: str, host: str) -> Proxy:
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        port = 80 if parts.port is None else parts.port
        good = parts.scheme == "http" and bool(parts.hostname)
    except ValueError:
        good = False
    if not good:
        raise UsageError(
            f"{variable} is not the address of an HTTP proxy such as http://proxy.example:3128: "
            f"mend it, or set NO_PROXY={host} to do without"
        )
    name = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    authorization = None
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        authorization = "Basic " + b64encode(pair.encode()).decode()
    return Proxy(f"http://{name}:{port}", authorization)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _is_exempt(host: str, port: int, listed: str) -> bool:
    """Tell whether the value of ``NO_PROXY`` lists a host."""
    for entry in listed.lower().replace(",", " ").split():
        name, colon, wanted = entry.rpartition(":")
        if not (colon and wanted.isdigit() and ":" not in name):
            name, wanted = entry, ""
        name = name.removeprefix("*").removeprefix(".").strip("[]")
        if wanted and int(wanted) != port:
            continue
        if entry == "*" or (name and (host == name or host.endswith("." + name))):
            return True
        if "/" in name and _is_in_network(host, name):
            return True
    return False


def _is_in_network(host: str, network: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False
