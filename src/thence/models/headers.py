"""HTTP headers of the user's own, which go with every request to an endpoint.

A gateway may want its own key there, a vendor the name of a trial feature or of who pays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from thence.errors import ParameterError
from thence.models.secrets import Secrets, in_body

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}")  # RFC 9110, section 5.6.2: a token
_VALUE = re.compile(r"[!-~](?:[ \t!-~]{0,8190}[!-~])?")
_KEPT = frozenset(
    (
        "accept", "accept-encoding", "connection", "content-encoding", "content-length",
        "content-type", "expect", "host", "idempotency-key", "keep-alive", "proxy-authorization",
        "te", "trailer", "transfer-encoding", "upgrade",
    )
)  # fmt: skip
_LEAST = 8  # characters of a value that is hidden whatever its name; a shorter one may be a word


def check_headers(headers: object) -> None:
    """Refuse what cannot be sent as headers, or would break the requests.

    No error shows a value, as it may be a key.

    Raises:
        ParameterError: no mapping of names to values, a name or value that HTTP does not have, a
            header that the request itself decides, or one that is given twice.
    """
    if not isinstance(headers, Mapping):
        reason = 'must map names to values, such as {"X-Team": "a"}'
        raise ParameterError("headers", headers, reason)
    seen = set[str]()
    for name, value in headers.items():
        if not (isinstance(name, str) and _NAME.fullmatch(name)):
            raise ParameterError("headers", name, "is not the name of a header, such as X-Team")
        if name.lower() in _KEPT:
            raise ParameterError("headers", name, "is set by the request itself; leave it out")
        if name.lower() in seen:
            raise ParameterError("headers", name, "is given twice; headers do not tell A from a")
        if not (isinstance(value, str) and _VALUE.fullmatch(value)):
            reason = "must have a value of printable ASCII without blanks at its ends"
            raise ParameterError("headers", name, reason)
        seen.add(name.lower())


def overlaid(headers: Mapping[str, str], further: Mapping[str, str]) -> dict[str, str]:
    """Return headers with further ones, which take the place of those of the same name."""
    named = {name.lower() for name in further}
    return {name: each for name, each in headers.items() if name.lower() not in named} | {**further}


def signs(headers: Mapping[str, str]) -> bool:
    """Return whether a header holds a key, so that no other is needed."""
    return any(True for _ in in_body(headers))


def secrets_of(headers: Mapping[str, str]) -> Secrets:
    """Return the values that no file and no error shows."""
    long = (value for value in headers.values() if len(value) >= _LEAST)
    return Secrets.of(*in_body(headers), *long)
