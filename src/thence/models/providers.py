"""Addresses of the known providers, and the environment variables of their keys."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from thence.errors import ParameterError, UsageError
from thence.models.secrets import Secrets, in_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Provider:
    """Address of a known provider and the variable of its key.

    Attributes:
        url: base URL of its OpenAI-compatible interface, without a trailing slash.
        variable: the environment variable of its key, or None if it needs no key.
        native: base URL of its own interface, where it has one.
    """

    url: str
    variable: str | None
    native: str | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Address of a model's server with its key; the ``repr`` shows no key.

    Attributes:
        url: http or https, without credentials, query or trailing slash; a key may be in its path.
        key: sent as a bearer token, or None; printable ASCII without blanks.
        shown: the address without keys, safe to record.
    """

    url: str = field(repr=False)
    key: str | None = field(default=None, repr=False)
    shown: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shown", self.secrets.hidden(self.url))

    @property
    def secrets(self) -> Secrets:
        """Its keys."""
        return Secrets.of(self.key, *in_path(urlsplit(self.url).path))


PROVIDERS: Mapping[str, Provider] = MappingProxyType(
    {
        "anthropic": Provider(
            "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1"
        ),
        "deepseek": Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
        "gemini": Provider(
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "GEMINI_API_KEY",
            "https://generativelanguage.googleapis.com/v1beta",
        ),
        "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
        "ollama": Provider("http://localhost:11434/v1", None),
        "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY"),
        "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
        "together": Provider("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
        "vllm": Provider("http://localhost:8000/v1", None),
    }
)
"""Providers that need no ``base_url``, by the name before the slash in MODEL."""


def endpoint(
    provider: str,
    base_url: str | None,
    environ: Mapping[str, str],
    *,
    wanting: bool = True,
    native: bool = False,
) -> Endpoint:
    """Return the address and the key of a provider.

    Args:
        provider: the part of MODEL before its first slash.
        base_url: address of the caller, or None for the provider's own address; with it any
            name of a provider will do.
        environ: environment variables; the key stands under the provider's variable or, where the
            table has none, under ``<PROVIDER>_API_KEY``. A blank value counts as none.
        wanting: whether a key that is needed has to be there.
        native: whether the provider's own interface is meant.

    Raises:
        UsageError: the provider is unknown and has no base URL, its own address needs a key that
            is not set though one is wanted, or the base URL or the key cannot be used. No message
            shows a key.
    """
    known = PROVIDERS.get(provider)
    variable = key_variable(provider)
    if base_url is not None:
        return Endpoint(checked_url(base_url), _key(variable, environ))
    if provider in CLOUDS:
        url = CLOUDS[provider](environ)
        key = _key(variable, environ)
        if wanting and key is None:
            raise UsageError(
                f"provider {provider!r} needs a key or a token and {variable} is not set: export "
                "it, or give auth_command=COMMAND, which prints a token"
            )
        return Endpoint(checked_url(url), key)
    if known is None:
        raise UsageError(_unknown(provider))
    key = _key(variable, environ)
    if wanting and known.variable is not None and key is None:
        message = (
            f"provider {provider!r} needs a key and {variable} is not set: "
            f"export {variable}, or give base_url=URL for a server of your own"
        )
        raise UsageError(message)
    return Endpoint(known.native if native and known.native else known.url, key)


def _azure(environ: Mapping[str, str]) -> str:
    """Return the address of a resource of Azure."""
    url = environ.get("AZURE_OPENAI_ENDPOINT", "").strip().rstrip("/")
    if not url:
        raise UsageError(
            "provider 'azure' needs the address of your resource and AZURE_OPENAI_ENDPOINT is not "
            "set: export it, such as https://NAME.openai.azure.com, or give base_url=URL"
        )
    return url if url.endswith("/v1") else f"{url}/openai/v1"


def _vertex(environ: Mapping[str, str]) -> str:
    """Return the address of a project at Google's Vertex."""
    project = environ.get("GOOGLE_CLOUD_PROJECT", "").strip()
    place = environ.get("GOOGLE_CLOUD_LOCATION", "").strip() or "global"
    if not project:
        raise UsageError(
            "provider 'vertex' needs your project and GOOGLE_CLOUD_PROJECT is not set: export it, "
            "and GOOGLE_CLOUD_LOCATION for another location than global"
        )
    host = (
        "aiplatform.googleapis.com" if place == "global" else f"{place}-aiplatform.googleapis.com"
    )
    return f"https://{host}/v1/projects/{project}/locations/{place}"


CLOUDS: Mapping[str, Callable[[Mapping[str, str]], str]] = MappingProxyType(
    {"azure": _azure, "vertex": _vertex}
)
"""Providers whose address is the user's own; it stands in the environment."""


def key_variable(provider: str) -> str:
    """Return the environment variable in which a provider's key is looked for."""
    known = PROVIDERS.get(provider)
    own = _CLOUD_KEYS.get(provider)
    return (known and known.variable) or own or _variable_of(provider)


def is_own_host(provider: str, base_url: str) -> bool | None:
    """Return whether a URL names the host of a provider; None where its host is not known."""
    known = PROVIDERS.get(provider)
    if known is None:
        return None
    own, given = urlsplit(known.url), urlsplit(checked_url(base_url))
    return (own.scheme, own.hostname, own.port) == (given.scheme, given.hostname, given.port)


def _key(variable: str, environ: Mapping[str, str]) -> str | None:
    """Return the key in a variable, or None; raise a UsageError where no header can hold it."""
    key = environ.get(variable, "").strip()
    if not re.fullmatch("[!-~]*", key):
        message = f"{variable} is not a key: it holds blanks or characters outside ASCII"
        raise UsageError(message)
    return key or None


def _variable_of(provider: str) -> str:
    return re.sub("[^A-Z0-9]", "_", provider.upper()) + "_API_KEY"


_HERE = "gguf", "hf", "baseline"  # what answers on this machine


def _unknown(provider: str) -> str:
    # The comparison is quadratic in the length of the name, which is the user's.
    names = [*PROVIDERS, *CLOUDS, *_HERE]
    near = difflib.get_close_matches(provider[:40].lower(), names, n=1, cutoff=0.5)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return (
        f"unknown provider {provider!r}{hint}: "
        f"use one of {', '.join(names)}, or give its address as base_url=URL"
    )


def checked_url(base_url: str) -> str:
    """Return a base URL in the form of ``Endpoint.url``.

    Raises:
        ParameterError: it is no http or https URL with a host, or holds a password or a query.
    """
    url = base_url.strip().rstrip("/")
    url = url.removesuffix("/chat/completions").rstrip("/")  # as pages of examples show it
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        host.encode("idna")  # what a look-up of the name would do first
        parts.port  # noqa: B018 - a property that raises where the port is not one
        good = parts.scheme in ("http", "https") and host != "" and bool(_PLAIN.fullmatch(url))
        secret = "@" in (parts.netloc if good else url)
    except ValueError:
        good, secret = False, "@" in url
    if secret:  # before any message that would show the URL
        raise ParameterError("base_url", None, _WITH_PASSWORD)
    if not good:
        raise ParameterError(
            "base_url",
            base_url,
            "is not an http or https URL with a host; give one such as http://localhost:8000/v1",
        )
    if "?" in url or "#" in url:
        # The address is recorded with the run, and a query is a common place for a key.
        reason = f"that for {host} must end with its path: drop what follows '?' or '#'"
        raise ParameterError("base_url", None, reason)
    return url


_CLOUD_KEYS = {"azure": "AZURE_OPENAI_API_KEY"}
_PLAIN = re.compile(r"[^\s\x00-\x1f\x7f\\<>\"^`{|}]+")
_WITH_PASSWORD = (
    "must not carry a user name or password: "
    "set the provider's key in its environment variable instead"
)
