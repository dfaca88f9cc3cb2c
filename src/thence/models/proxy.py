"""The proxy through which an endpoint is reached, as the environment names it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import unquote

from yarl import URL

from thence.errors import UsageError


@dataclass(frozen=True, slots=True)
class Proxy:
    """Where a proxy listens; its ``repr`` shows no password.

    Attributes:
        host: name or address.
        port: of its plain HTTP.
        authorization: the value of ``Proxy-Authorization``, or None.
    """

    host: str
    port: int
    authorization: str | None = field(default=None, repr=False)


def proxy_for(url: URL, environ: Mapping[str, str]) -> Proxy | None:
    """The proxy for an address, or None.

    ``HTTPS_PROXY`` or ``HTTP_PROXY`` by the scheme of the address, else ``ALL_PROXY``; the names in
    small letters come first, as in curl. What ``NO_PROXY`` lists (hosts, domains with all below
    them, or ``*``), and the machine itself, is reached directly.

    Raises:
        UsageError: the variable names no HTTP proxy. No message shows a password.
    """
    host = url.host or ""
    if _is_here(host) or _is_exempt(host, url.port, _value(environ, "no_proxy")[1]):
        return None
    for name in (f"{url.scheme}_proxy", "all_proxy"):
        variable, text = _value(environ, name)
        if text:
            return _parsed(variable, text, host)
    return None


def _value(environ: Mapping[str, str], name: str) -> tuple[str, str]:
    for variable in (name, name.upper()):
        if text := environ.get(variable, "").strip():
            return variable, text
    return name, ""


def _parsed(variable: str, text: str, host: str) -> Proxy:
    try:
        url = URL(text if "://" in text else f"http://{text}")
        good = url.scheme == "http" and bool(url.raw_host) and url.port is not None
    except ValueError:
        good = False
    if not good:
        raise UsageError(
            f"{variable} is not the address of an HTTP proxy such as http://proxy.example:3128: "
            f"mend it, or set NO_PROXY={host} to do without"
        )
    said = None
    if url.raw_user is not None:
        pair = f"{unquote(url.raw_user)}:{unquote(url.raw_password or '')}"
        said = "Basic " + b64encode(pair.encode()).decode()
    return Proxy(url.raw_host or "", url.port or 80, said)


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _is_exempt(host: str, port: int | None, listed: str) -> bool:
    for entry in listed.lower().replace(",", " ").split():
        name, colon, wanted = entry.rpartition(":")
        if not (colon and wanted.isdigit() and name.count(":") == 0):
            name, wanted = entry, ""
        name = name.removeprefix("*").removeprefix(".").strip("[]")
        if wanted and int(wanted) != port:
            continue
        if entry == "*" or (name and (host == name or host.endswith("." + name))):
            return True
    return False
