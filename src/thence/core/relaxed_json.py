"""JSON as people and models write it.

Beyond JSON it takes commas before a closing bracket, Python's and JavaScript's constants, tuples,
quotes of other kinds, keys and single words without quotes, comments, and spaces of other kinds. It
invents nothing: what is missing, doubled or left out with dots breaks the whole. A key that occurs
twice does so too. Work is linear, and bounded by `MOST_TOKENS`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import orjson

LONGEST_INTEGER = 4000  # digits; below Python's own limit on conversion, sys.int_info
LONGEST = 1_000_000  # characters at the end of a text that are searched
MOST_TOKENS = 20_000  # of a text; the longest honest answer has far fewer
_DEEPEST = 100


@dataclass(slots=True)
class Meter:
    """A count of the characters that reading a reply has looked at."""

    work: int = 0


class Broken:
    """The value of a group that cannot be read."""


BROKEN: Final = Broken()


class Bracket(NamedTuple):
    """A list or an object in a text.

    Attributes:
        start: index of its opening bracket.
        end: index after its closing bracket; where it is broken, of what broke it.
        value: its value, or `BROKEN`.
    """

    start: int
    end: int
    value: Any


_COMMENT = r"//[^\n]{0,200}+|\#[^\n]{0,200}+|/\*(?s:.{0,200}?)\*/"
_SPACE = rf"(?:[\s\u200b\u2060\ufeff]++|{_COMMENT}|\\(?=[\[\]{{}}()]))*+"
_STRING = (
    r'"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"'
    r"|'([^'\\\n]*+(?:\\.[^'\\\n]*+)*+)'"
    r'|[“”„]([^“”„"\n]*+)[”“"]'
    r"|[\u2018\u2019\u201a]([^\u2018\u2019\u201a'\n]*+)[\u2019\u2018']"
    r"|`([^`\n]*+)`"
    r'|\\"([^"\\\n]*+)\\"'
)
_STRINGS = 6
_ITEM = r"-?(?:0|[1-9]\d{0,17}+)(?![\w.])"
_BLANK = r"[ \t\r\n]*+"


def _flat(string: str) -> str:
    """Return a pattern for a list, or list of lists, that is JSON but for its quotes."""
    inner = _listed(rf"(?:{string}|{_ITEM})")
    return f"({_listed(rf'(?:{string}|{_ITEM}|{inner})')})"


def _listed(item: str) -> str:
    return rf"\[{_BLANK}(?:{item}(?:{_BLANK},{_BLANK}{item})*+)?+{_BLANK}\]"


_VALUE = re.compile(
    rf"{_SPACE}(?:{_STRING}"
    rf"|{_flat(r'"[^"\\\n]*+"')}"
    rf"|{_flat(r"'[^'\"\\\n]*+'")}"
    r"|([-\u2212]?\d++(?:\.\d++)?+(?:[eE][-+]?\d++)?+)(?![\w.])"
    r"|([^\W\d][\w-]*+)"
    r"|([\[({])"
    r"|([\])}]))"
)
_FLAT, _FLAT_SINGLE, _NUMBER, _WORD, _OPENING, _CLOSING = range(_STRINGS + 1, _STRINGS + 7)
_KEY = re.compile(
    rf"{_SPACE}(?:(?:{_STRING}|([^\W\d](?:[\w-]|[ ](?=\w)){{0,40}}+|\d{{1,6}}+)){_SPACE}:|(\}}))"
)
_KEY_WORD, _KEY_CLOSING = _STRINGS + 1, _STRINGS + 2
_NEXT = re.compile(rf"{_SPACE}([,\])}}])")
_THOUSANDS = re.compile(rf"((?:,\d{{3}})++)(?={_BLANK}[,}}])")
_OPEN = re.compile(r"[\[{]")
_CLOSERS = {"[": "]", "(": ")", "{": "}"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CONSTANTS: dict[str, Any] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "None", "NULL", "nil", "undefined", "NaN", "nan", "Infinity")),
}


class _Container:
    """A list or an object that is being read.

    Attributes:
        closer: its closing bracket.
        held: what it holds so far.
        key: the key whose value comes next, in an object.
        full: whether a value stands before the place, with no comma after it.
        comma: whether a comma stands before the place.
        start: where it begins.
        inside: how many complete groups lay in what is open when it began.
    """

    __slots__ = ("closer", "comma", "full", "held", "inside", "key", "start")

    def __init__(self, opening: str, start: int, inside: int) -> None:
        self.closer = _CLOSERS[opening]
        self.held: Any = {} if opening == "{" else []
        self.key: str | None = None
        self.full = self.comma = False
        self.start, self.inside = start, inside

    def put(self, value: Any) -> None:
        """Take a value."""
        if self.key is None:
            self.held.append(value)
        else:
            self.held[self.key] = value
            self.key = None
        self.full, self.comma = True, False

    def value(self) -> Any:
        """Return what it comes to: one value in round brackets without a comma is that value."""
        if self.closer == ")" and len(self.held) == 1 and not self.comma:
            return self.held[0]
        return self.held


class _Reader:
    """Reads the groups of a text one after the other, with one bound on the work for all."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.left = MOST_TOKENS
        self.found: list[Bracket] = []

    def group(self, start: int) -> int:
        """Read the group at an opening bracket; return where to go on."""
        self.left -= 2
        stack = [_Container(self.text[start], start, 0)]
        inner: list[Bracket] = []
        place = resume = start + 1
        while self.left > 0:
            self.left -= 1
            top, reached = stack[-1], place
            place, resume = self._token(stack, inner, place)
            if place < 0:
                return self._broken(start, max(reached, resume), resume, inner)
            if not stack:
                self.found.append(Bracket(start, place, top.value()))
                return place
        return self._broken(start, len(self.text), len(self.text), inner)

    def _broken(self, start: int, end: int, resume: int, inner: list[Bracket]) -> int:
        self.found.append(Bracket(start, end, BROKEN))
        self.found += inner
        last = inner[-1].end if inner else start + 1
        return max(resume, last)

    def _token(self, stack: list[_Container], inner: list[Bracket], place: int) -> tuple[int, int]:
        """Read one token; return the place after it, or -1, and where to go on after a fault."""
        if stack[-1].full:
            return self._separator(stack, inner, place)
        if stack[-1].closer == "}" and stack[-1].key is None:
            return self._key(stack, inner, place)
        return self._value(stack, inner, place)

    def _separator(
        self, stack: list[_Container], inner: list[Bracket], place: int
    ) -> tuple[int, int]:
        token, top = _NEXT.match(self.text, place), stack[-1]
        if token is None:
            return -1, self._inside_string(place)
        if token[1] != ",":
            return self._close(stack, inner, token[1], token.end()), place
        if thousands := self._thousands(top, token.start(1)):
            return thousands, thousands
        top.full, top.comma = False, True
        return token.end(), place

    def _key(self, stack: list[_Container], inner: list[Bracket], place: int) -> tuple[int, int]:
        token, top = _KEY.match(self.text, place), stack[-1]
        if token is None:
            return -1, place
        if token.lastindex == _KEY_CLOSING:
            return self._close(stack, inner, "}", token.end()), place
        key = token[_KEY_WORD] or _unescaped(token)
        if key is None or key in top.held:
            return -1, place
        top.key = key
        return token.end(), place

    def _value(self, stack: list[_Container], inner: list[Bracket], place: int) -> tuple[int, int]:
        token, top = _VALUE.match(self.text, place), stack[-1]
        if token is None:
            return -1, place
        kind = token.lastindex or 0
        if kind == _OPENING:
            return self._opened(stack, inner, token[kind], token.start(kind))
        if kind == _CLOSING:  # which no value after a colon may be
            keyed = top.closer == "}"
            return -1 if keyed else self._close(stack, inner, token[kind], token.end()), place
        said = _simple(token, kind)
        flat = kind in {_FLAT, _FLAT_SINGLE}
        if said is BROKEN:  # in a list perhaps half a character: its items one by one
            start = token.start(kind)
            return self._opened(stack, inner, "[", start) if flat else (-1, token.end())
        if flat:
            inner.append(Bracket(token.start(kind), token.end(), said))
        top.put(said)
        return token.end(), place

    def _opened(
        self, stack: list[_Container], inner: list[Bracket], opening: str, start: int
    ) -> tuple[int, int]:
        if len(stack) == _DEEPEST:
            return -1, start
        stack.append(_Container(opening, start, len(inner)))
        return start + 1, start

    def _close(self, stack: list[_Container], inner: list[Bracket], closer: str, end: int) -> int:
        """Close the innermost container; return the place after it, or -1 for another bracket."""
        top = stack[-1]
        if closer != top.closer or (top.comma and not top.held):
            return -1
        stack.pop()
        if stack:
            value = top.value()
            stack[-1].put(value)
            inner[top.inside :] = [Bracket(top.start, end, value)]
        return end

    def _thousands(self, top: _Container, comma: int) -> int:
        """Join the groups of digits of ``2,916`` in an object, where no key can be digits alone."""
        if top.closer != "}":
            return 0
        found = _THOUSANDS.match(self.text, comma)
        key = next(reversed(top.held))
        held = top.held[key]
        if found is None or type(held) is not int or not 0 < abs(held) < 1000:
            return 0
        if len(found[1]) > LONGEST_INTEGER:
            return 0
        top.held[key] = int(f"{held}{found[1].replace(',', '')}")
        return found.end()

    def _inside_string(self, place: int) -> int:
        """Return the place of a brace in the string before a place, which may begin a group."""
        text = self.text
        if text[place - 1 : place] not in ('"', "'", "`"):
            return place
        quote = text.rfind(text[place - 1], max(0, place - 10_000), place - 1)
        brace = text.find("{", quote, place) if quote >= 0 else -1
        return place if brace < 0 else brace


def _simple(token: re.Match[str], kind: int) -> Any:
    """Return the value of a token that opens and closes nothing; `BROKEN` where it has none."""
    said = token[kind]
    if kind <= _STRINGS:
        plain = _unescaped(token)
        return BROKEN if plain is None else plain
    if kind == _NUMBER:
        return _number(said)
    if kind == _WORD:
        return _CONSTANTS.get(said, said)
    try:
        return orjson.loads(said if kind == _FLAT else said.replace("'", '"'))
    except ValueError:
        return BROKEN


def _number(digits: str) -> Any:
    """Return a number; digits that JSON does not allow, or too many of them, stay a text."""
    digits = digits.replace("\u2212", "-")
    if not digits.isascii():
        return digits
    whole = digits.removeprefix("-")
    if whole.isdigit():
        if len(whole) > LONGEST_INTEGER or (whole[0] == "0" and len(whole) > 1):
            return digits
        return int(digits)
    return digits if whole[0] == "0" and whole[1:2].isdigit() else float(digits)


def _unescaped(token: re.Match[str]) -> str | None:
    """Return the text of a string token; None where it has an escape that nothing knows."""
    kind = token.lastindex or 0
    said = token[kind]
    if "\\" not in said:
        return said
    try:
        if kind == 1:
            loaded: str = orjson.loads(f'"{said}"')
            return loaded
    except ValueError:
        pass
    unknown = False

    def one(found: re.Match[str]) -> str:
        nonlocal unknown
        code = found[1] or found[2]
        if code:
            return chr(int(code, 16))
        unknown = unknown or (found[3].isalnum() and found[3] not in _ESCAPED)
        return _ESCAPED.get(found[3], found[3])

    plain = _ESCAPE.sub(one, said)
    return None if unknown else plain


def groups(text: str, meter: Meter | None = None) -> list[Bracket]:
    """Return the outermost lists and objects of a text, in order.

    Of a broken one, the complete ones inside it follow. What stands around them does not matter.
    """
    reader = _Reader(text)
    place = begun = max(0, len(text) - LONGEST)
    while (opened := _OPEN.search(text, place)) is not None:
        if reader.left <= 0:
            reader.found.append(Bracket(opened.start(), len(text), BROKEN))
            break
        place = max(reader.group(opened.start()), opened.start() + 1)
    if meter is not None:
        meter.work += len(text) - begun + MOST_TOKENS - reader.left
    return reader.found


def decode(text: str) -> Any:
    """Return the value of a text that is one value, a list or an object or a single one.

    Raises:
        ValueError: the text is something else.
    """
    reader = _Reader(f"[{text}]")
    if len(text) <= LONGEST:
        end = reader.group(0)
        whole = reader.found[0].value
        if end == len(reader.text) and whole is not BROKEN and len(whole) == 1:
            return whole[0]
    raise ValueError("not a value")
