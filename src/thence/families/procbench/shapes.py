"""The types that states have: what fits, how the prompt shows them, their JSON schema."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import orjson

from thence.core.reply_text import LONGEST_INTEGER

# Whether states have a type, told by the fastest functions there are: replies hold thousands.

_INTEGER = frozenset((int,))
_LIST = frozenset((list,))
_EITHER = frozenset((str, int))
_OF_INTEGERS = b"0123456789-,[]"  # the characters of JSON that holds nothing else, and no spaces


def _texts(states: list[Any]) -> bool:
    try:
        "".join(states)
    except TypeError:
        return False
    return True


def _numbers(states: list[Any]) -> bool:
    return _INTEGER.issuperset(map(type, states))  # exact: a bool is no number


def _lists_of_texts(states: list[Any]) -> bool:
    if not _LIST.issuperset(map(type, states)):
        return False
    try:
        "".join(map("".join, states))
    except TypeError:
        return False
    return True


def _lists_of_numbers(states: list[Any]) -> bool:
    """May say no of integers beyond 64 bits, which are then looked at one by one."""
    if not _LIST.issuperset(map(type, states)):
        return False
    try:
        written = orjson.dumps(states)
    except TypeError:
        return False
    return written.count(b"[") == 1 + len(states) and not written.translate(None, _OF_INTEGERS)


class Shape(Enum):
    """The type of a state.

    Attributes:
        text: the type in words, as prompts name it.
        listed: whether a state is a list.
        exactly: the Python type of its items, or of the state itself where it is no list.
        plain: the Python type of a state that is no list; else None.
        fits: whether some values are states of this type as they stand; it may say no of integers
            beyond 64 bits.
    """

    TEXT = ("a string", False, str, _texts)
    TEXTS = ("a list of strings", True, str, _lists_of_texts)
    NUMBER = ("an integer", False, int, _numbers)
    NUMBERS = ("a list of integers", True, int, _lists_of_numbers)

    def __init__(
        self, text: str, listed: bool, kind: type, fits: Callable[[list[Any]], bool]
    ) -> None:
        self.text = text
        self.listed = listed
        self.exactly = frozenset((kind,))
        self.plain = None if listed else kind
        self.fits = fits

    def read(self, values: list[Any]) -> list[Any] | None:
        """Values read from a reply as states of this type; None where one of them cannot be.

        An integer and its decimal string are the same, either way round; nothing else is
        converted.
        """
        if self.fits(values):
            return values
        types = set(map(type, values))
        if self.listed:
            read = list(map(self._item.read, values)) if types <= _LIST else [None]
            return None if None in read else read
        if not types <= _EITHER:
            return None
        if self is Shape.TEXT:
            return list(map(str, values))
        return list(map(_number, values)) if all(map(is_integer, values)) else None

    @property
    def _item(self) -> Shape:
        """The type of the items of a list."""
        return Shape.TEXT if self is Shape.TEXTS else Shape.NUMBER

    def accepts(self, value: Any) -> bool:
        """Whether a true value has this type."""
        items = value if self.listed else [value]
        return isinstance(items, list) and set(map(type, items)) <= self.exactly

    def accepts_all(self, values: list[Any]) -> bool:
        """Whether true values all have this type."""
        return self.fits(values) or all(map(self.accepts, values))

    def altered(self, value: Any) -> Any:
        """Another value of this type."""
        if self is Shape.TEXT:
            return ("b" if value[:1] == "a" else "a") + value[1:]
        if self is Shape.NUMBER:
            return value + 1
        if value:
            return [self._item.altered(value[0]), *value[1:]]
        return ["a"] if self is Shape.TEXTS else [0]

    def example(self, name: str) -> str:
        """How a state called ``name`` looks in the prompt's pattern."""
        return {
            Shape.TEXT: f'"{name}"',
            Shape.TEXTS: f'["{name}", ...]',
            Shape.NUMBER: name,
            Shape.NUMBERS: f"[{name}, ...]",
        }[self]

    def schema(self) -> dict[str, Any]:
        """The JSON schema of a state."""
        item = "string" if self in (Shape.TEXT, Shape.TEXTS) else "integer"
        if self in (Shape.TEXT, Shape.NUMBER):
            return {"type": item}
        return {"type": "array", "items": {"type": item}}


def is_integer(value: int | str) -> bool:
    """Whether a value is an integer or a text that writes one; linear, at any length."""
    if isinstance(value, int):
        return True
    digits = value.removeprefix("-")
    return digits.isdigit() and digits.isascii()


def _number(value: int | str) -> int | str:
    """The integer whose decimal string this is; ``007`` is nobody's, and stays what it is."""
    if isinstance(value, int) or len(value) > LONGEST_INTEGER:
        return value
    number = int(value)
    return number if str(number) == value else value
