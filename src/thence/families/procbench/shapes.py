"""The types of states: their checks, their form in the prompt, their JSON schema."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from itertools import chain
from typing import Any

from thence.core.relaxed_json import LONGEST_INTEGER

_EITHER = frozenset((str, int))
_NUMERIC = frozenset((str, int, float))
_EXACT = 2**53  # from which on not every integer is a float
_WHOLE = re.compile(r"-?[0-9]++\.0++\Z|-?[0-9]{1,3}(?:,[0-9]{3})++(?:\.0++)?\Z")


class Shape(Enum):
    """The type of a state.

    Attributes:
        text: the type in words, as prompts name it.
        listed: whether a state is a list.
        exactly: the Python type of its items, or of the state itself where it is not a list.
        plain: the Python type of a state that is not a list; else None.
    """

    TEXT = ("a string", False, str)
    TEXTS = ("a list of strings", True, str)
    NUMBER = ("an integer", False, int)
    NUMBERS = ("a list of integers", True, int)

    def __init__(self, text: str, listed: bool, kind: type) -> None:
        self.text = text
        self.listed = listed
        self.exactly = frozenset((kind,))  # a bool is not an integer
        self.plain = None if listed else kind

    def accepts_all(self, values: list[Any]) -> bool:
        """Return whether all values have this type."""
        items: Iterable[Any] = values
        if self.listed:
            if not all(type(value) is list for value in values):
                return False
            items = chain.from_iterable(values)
        return self.exactly.issuperset(map(type, items))

    def accepts(self, value: Any) -> bool:
        """Return whether a value has this type."""
        return self.accepts_all([value])

    def read(self, values: list[Any]) -> list[Any] | None:
        """Return values from a reply as states of this type; None where one has another type.

        An integer and its decimal string are equivalent, in both directions; where an integer is
        due, ``7.0`` and ``2,916`` are one too. Nothing else is converted.
        """
        if self.accepts_all(values):
            return values
        types = set(map(type, values))
        if self.listed:
            read = list(map(self._item.read, values)) if types <= {list} else [None]
            return None if None in read else read
        if self is Shape.TEXT:
            return list(map(str, values)) if types <= _EITHER else None
        numbers = list(map(_number, values)) if types <= _NUMERIC else [None]
        return None if None in numbers else numbers

    @property
    def _item(self) -> Shape:
        """The type of the items of a list."""
        return Shape.TEXT if self is Shape.TEXTS else Shape.NUMBER

    def altered(self, value: Any) -> Any:
        """Return another value of this type."""
        if self is Shape.TEXT:
            return ("b" if value[:1] == "a" else "a") + value[1:]
        if self is Shape.NUMBER:
            return value + 1
        if value:
            return [self._item.altered(value[0]), *value[1:]]
        return ["a"] if self is Shape.TEXTS else [0]

    def example(self, name: str) -> str:
        """Return the placeholder of a state called ``name`` in the prompt's pattern."""
        return {
            Shape.TEXT: f'"{name}"',
            Shape.TEXTS: f'["{name}", ...]',
            Shape.NUMBER: name,
            Shape.NUMBERS: f"[{name}, ...]",
        }[self]

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of a state."""
        item = "string" if self in (Shape.TEXT, Shape.TEXTS) else "integer"
        if self in (Shape.TEXT, Shape.NUMBER):
            return {"type": item}
        return {"type": "array", "items": {"type": item}}


def is_integer(value: int | str) -> bool:
    """Return whether a value is an integer or the text of one, in time linear in its length."""
    if isinstance(value, int):
        return True
    digits = value.removeprefix("-")
    return digits.isdigit() and digits.isascii()


def _number(value: float | str) -> int | str | None:
    """Return the integer of a number or its text; a text such as ``007`` stays as it is."""
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _EXACT else None
    if not is_integer(value):
        if len(value) > LONGEST_INTEGER or not _WHOLE.match(value):
            return None
        value = value.partition(".")[0].replace(",", "")
    if len(value) > LONGEST_INTEGER:
        return value
    number = int(value)
    return number if str(number) == value else value
