"""The types that states have: what fits, how the prompt shows them, their JSON schema."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import chain
from typing import Any

from thence.kernel.replies import LONGEST_INTEGER


class Shape(Enum):
    """The type of a state.

    Attributes:
        text: the type in words, as prompts name it.
        listed: whether a state is a list.
        exactly: the Python type of its items, or of the state itself where it is no list.
        is_text: whether that is a string.
        plain: the Python type of a state that is no list; else None.
    """

    TEXT = ("a string", False, str)
    TEXTS = ("a list of strings", True, str)
    NUMBER = ("an integer", False, int)
    NUMBERS = ("a list of integers", True, int)

    def __init__(self, text: str, listed: bool, kind: type) -> None:
        self.text = text
        self.listed = listed
        self.exactly = frozenset((kind,))
        self.is_text = kind is str
        self.plain = None if listed else kind

    def read(self, values: list[Any]) -> list[Any] | None:
        """Values read from a reply as states of this type; None where one of them cannot be.

        An integer and its decimal string are the same, either way round; nothing else is
        converted.
        """
        if self.listed:
            return self._read_lists(values) if set(map(type, values)) <= _LIST else None
        if self.all_fit(values):
            return values
        if not set(map(type, values)) <= _EITHER:
            return None
        if self.is_text:
            return list(map(str, values))
        return list(map(_number, values)) if all(map(is_integer, values)) else None

    def all_fit(self, items: Iterable[Any]) -> bool:
        """Whether states, or the items of lists, have this very type; the fastest way to tell."""
        if not self.is_text:
            return set(map(type, items)) <= self.exactly
        try:
            "".join(items)
        except TypeError:
            return False
        return True

    def _read_lists(self, values: list[Any]) -> list[Any] | None:
        if self.all_fit(chain.from_iterable(values)):
            return values
        item = Shape.TEXT if self.is_text else Shape.NUMBER
        read = list(map(item.read, values))
        return None if None in read else read

    def accepts(self, value: Any) -> bool:
        """Whether a true value has this type."""
        items = value if self.listed else [value]
        return isinstance(items, list) and set(map(type, items)) <= self.exactly

    def accepts_all(self, values: list[Any]) -> bool:
        """Whether true values all have this type."""
        if not self.listed:
            return self.all_fit(values)
        return set(map(type, values)) <= _LIST and self.all_fit(chain.from_iterable(values))

    def altered(self, value: Any) -> Any:
        """Another value of this type."""
        if self is Shape.TEXT:
            return ("b" if value[:1] == "a" else "a") + value[1:]
        if self is Shape.NUMBER:
            return value + 1
        item = Shape.TEXT if self.is_text else Shape.NUMBER
        return (
            [item.altered(value[0]), *value[1:]] if value else ["a"] if self is Shape.TEXTS else [0]
        )

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


_LIST = frozenset((list,))
_EITHER = frozenset((str, int))


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
