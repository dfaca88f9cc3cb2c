"""Keys of endpoints: where they stand in what a user gives, and how they are kept out of sight.

An endpoint may send back what it was sent, in another spelling; texts are searched for these too.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

HIDDEN = "***"
_LEAST = 16  # characters of a key that is hidden in replies too, where a short one may be a word
_PIECE = 10  # characters of a key that are not shown together, where an error cuts it
_BEGINNINGS = re.compile(
    r"(?:sk|pk|rk|gsk|hf|xai|ghp|gho|ghs|glpat|nvapi|pplx|csk|fw|r8)[-_][\w.=+-]{8,}"
    r"|AIza[\w-]{20,}|github_pat_\w{8,}|AKIA[A-Z0-9]{12,}|eyJ[\w-]{8,}\.[\w.-]{8,}"
)
_NAME = re.compile(
    r"(?:.*(?:apikey|accesskey|secretkey|privatekey|authkey|subscriptionkey|accesstoken|authtoken"
    r"|bearertoken|authorization|password|passwd|secret|credentials?))|key|token|auth|bearer"
)
_IN_PATH = re.compile(r"(?:key|token|secret)s?[=:](.+)", re.IGNORECASE)
_RUN = re.compile(r"(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{16,}")


def in_body(held: object, name: str = "") -> Iterator[str]:
    """Yield the texts of a JSON value that are keys, by their name or by how they begin."""
    if isinstance(held, Mapping):
        for key, value in held.items():
            yield from in_body(value, str(key))
    elif isinstance(held, list | tuple):
        for value in held:
            yield from in_body(value, name)
    elif isinstance(held, str):
        plain = held.removeprefix("Bearer ").strip()
        named = _NAME.fullmatch(re.sub("[^a-z]", "", name.lower()))
        if plain and (named or plain != held or _BEGINNINGS.fullmatch(plain)):
            yield plain


def in_path(path: str) -> Iterator[str]:
    """Yield the parts of a URL's path that are keys, by how they look."""
    for part in path.split("/"):
        if found := _IN_PATH.search(part):
            yield found.group(1)
        elif _BEGINNINGS.search(part) or _RUN.search(part):
            yield part


def hide(held: Any, secrets: Secrets) -> Any:
    """Return a JSON value whose texts do not show keys."""
    if isinstance(held, Mapping):
        return {key: hide(value, secrets) for key, value in held.items()}
    if isinstance(held, list | tuple):
        return [hide(value, secrets) for value in held]
    return secrets.hidden(held) if isinstance(held, str) else held


@dataclass(frozen=True)
class Secrets:
    """Keys that no text may show.

    Attributes:
        values: the keys; not in the ``repr``.
    """

    values: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, *values: str | None) -> Secrets:
        """Return the given keys, each once; None and empty ones are left out."""
        return cls(tuple(dict.fromkeys(value for value in values if value)))

    def __add__(self, others: Secrets) -> Secrets:
        return Secrets.of(*self.values, *others.values)

    def hidden(self, text: str) -> str:
        """Return a text with ``***`` for every key, whole and however it is spelled."""
        return self._spelled.sub(HIDDEN, text) if self.values else text

    def hidden_in_reply(self, text: str | None) -> str | None:
        """Return a model's text with ``***`` for the keys too long to be words of an answer."""
        long = self._long
        return long.hidden(text) if text and long.values else text

    def hidden_pieces(self, text: str) -> str:
        """Return a short text with ``***`` also for the pieces of keys that were cut."""
        text = self.hidden(text)
        for value in self.values:
            pieces = {value[at : at + _PIECE] for at in range(len(value) - _PIECE + 1)}
            if any(piece in text for piece in pieces):
                marked = bytearray(len(text))
                for at in range(len(text) - _PIECE + 1):
                    if text[at : at + _PIECE] in pieces:
                        marked[at : at + _PIECE] = b"\1" * _PIECE
                shown = [
                    "\0" if inside else mark for mark, inside in zip(text, marked, strict=True)
                ]
                text = re.sub("\0+", HIDDEN, "".join(shown))
        return text

    @cached_property
    def _long(self) -> Secrets:
        return Secrets(tuple(value for value in self.values if len(value) >= _LEAST))

    @cached_property
    def _spelled(self) -> re.Pattern[str]:
        return re.compile("|".join(_spellings(self.values)))


def _spellings(values: Iterable[str]) -> Iterator[str]:
    """Yield a pattern for each spelling of some keys."""
    for value in values:
        raw = value.encode()
        yield "".join(map(_spellings_of, value))
        if len(raw) >= _PIECE:
            yield f"(?i:{raw.hex()})"
            for shift in range(3):  # what stands before it decides how base64 spells it
                code = b64encode(b"\0" * shift + raw).decode().rstrip("=")
                inner = code[(0, 2, 3)[shift] : len(code) - ((shift + len(raw)) % 3 > 0)]
                yield "".join(_base64_mark(mark) for mark in inner)


def _spellings_of(mark: str) -> str:
    """Return a pattern for a character as it is, or as JSON, a URL or HTML may spell it."""
    code = "".join(f"%(?:25)*{byte:02x}" for byte in mark.encode())
    escaped = rf"\\+u{ord(mark):04x}|&#0*{ord(mark)};|&#x0*{ord(mark):x};"
    named = {"&": "|&amp;", "<": "|&lt;", ">": "|&gt;", '"': "|&quot;"}.get(mark, "")
    return rf"(?:\\*{re.escape(mark)}|(?i:{code}|{escaped}{named}))"


def _base64_mark(mark: str) -> str:
    """Return a pattern for a character of base64, also in its form for URLs."""
    return {"+": r"(?:\+|-|%2[bB])", "/": r"(?:\\?/|_|%2[fF])"}.get(mark, re.escape(mark))
