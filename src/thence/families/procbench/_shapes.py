"""The types that states have: what fits, how the prompt shows them, their JSON schema."""

from __future__ import annotations

from enum import Enum
from typing import Any


class Shape(Enum):
    """The type of a state.

    A read state holds digit strings where a reply wrote integers, so that integers of any size
    stay exact and equal their decimal strings.
    """

    TEXT = "a string"
    TEXTS = "a list of strings"
    NUMBER = "an integer"
    NUMBERS = "a list of integers"

    def fits(self, value: Any) -> bool:
        """Whether a read value has this type."""
        if self is Shape.TEXT:
            return isinstance(value, str)
        if self is Shape.NUMBER:
            return isinstance(value, str) and is_integer(value)
        if not isinstance(value, list):
            return False
        if self is Shape.TEXTS:
            return all(isinstance(item, str) for item in value)
        return all(isinstance(item, str) and is_integer(item) for item in value)

    def canonical(self, value: Any) -> Any:
        """A true state in the form in which states are read from replies."""
        if self is Shape.NUMBER:
            return str(value)
        if self is Shape.NUMBERS:
            return [str(item) for item in value]
        return value

    def accepts(self, value: Any) -> bool:
        """Whether a true value has this type."""
        if self in (Shape.TEXTS, Shape.NUMBERS):
            kind = str if self is Shape.TEXTS else int
            return isinstance(value, list) and all(isinstance(item, kind) for item in value)
        return isinstance(value, str if self is Shape.TEXT else int)

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


def is_integer(text: str) -> bool:
    """Whether a text is a decimal integer as JSON writes it; linear, at any length."""
    digits = text[1:] if text[:1] == "-" else text
    return digits.isascii() and digits.isdigit() and (digits[0] != "0" or digits == text == "0")
