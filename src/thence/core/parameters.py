"""Parameters of tasks and protocols: Python values in the library, text on the command line.

Every value is converted to its text and parsed (`Parameter.text`, then `Parameter.parse`), so that
values from Python, from a file and from the command line are checked by one rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from thence.core.sentence_parts import listed
from thence.errors import ParameterError

_BITS = 1_000  # of a number that Python still writes
_DIGITS = 20  # longest whole number; longer texts are refused before conversion


class Parse(Protocol):
    """Parser of a parameter's text; raises ValueError with the valid texts."""

    def __call__(self, text: str, /) -> Any:
        """Return the value of a text."""
        ...


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its name, its default and the values that it takes.

    Attributes:
        name: the keyword of `thence.generate`.
        default: the text of the default value.
        help: its meaning and its values, in a clause.
        parse: returns the value of a text; raises ValueError with the valid texts.
        separator: stands between the items of a list or tuple given in Python.
    """

    name: str
    default: str
    help: str
    parse: Parse
    separator: str = "-"

    def schema(self) -> Mapping[str, Any]:
        """Return the JSON schema of the values; of plain text where the parser has none."""
        own = getattr(self.parse, "schema", None)
        if own is not None:
            return {"default": self.value(None), **own()}
        default = self.value(None)
        kind = "integer" if isinstance(default, int) else "string"
        return {"default": default, "type": kind}

    def text(self, value: Any) -> str:
        """Return the text of a Python value: ``(2, 25)`` is ``2-25``, ``True`` is ``yes``.

        Raises:
            ParameterError: a number that is longer than any parameter takes.
        """
        if value is None:
            return self.default
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, (list, tuple)):
            return self.separator.join(map(self.text, value))
        if isinstance(value, int) and value.bit_length() > _BITS:
            raise ParameterError(self.name, value, "is too large a number")
        return f"{value:g}" if isinstance(value, float) else str(value)

    def value(self, given: Any) -> Any:
        """Return the checked value of a Python value or a text.

        Raises:
            ParameterError: the parameter does not take it.
        """
        text = self.text(given)
        try:
            return self.parse(text)
        except ValueError as error:
            raise ParameterError(self.name, text, str(error)) from error


def configure(parameters: Sequence[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of every parameter by name: the given one, else its default.

    Raises:
        ParameterError: a value that its parameter does not take.
    """
    return {each.name: each.value(given.get(each.name, each.default)) for each in parameters}


@dataclass(frozen=True, slots=True)
class OneOf:
    """Parser that takes one of several words."""

    known: tuple[str, ...]

    def __call__(self, text: str) -> str:
        """Return the word."""
        if text not in self.known:
            raise ValueError(f"must be {listed(self.known, 'or')}")
        return text

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the values."""
        return {"type": "string", "enum": list(self.known)}


@dataclass(frozen=True, slots=True)
class Whole:
    """Parser that takes a whole number within bounds."""

    low: int
    high: int

    def __call__(self, text: str) -> int:
        """Return the number."""
        number = _whole(text)
        if number is None or not self.low <= number <= self.high:
            raise ValueError(f"must be a whole number from {self.low} to {self.high}")
        return number

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the values."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class WholeRange:
    """Parser that takes ``N`` or ``LO-HI`` within bounds.

    Attributes:
        low: minimum of both ends.
        high: maximum of both ends.
        example: example of a range, for the error.
        form: type of the value, which holds both ends.
    """

    low: int
    high: int
    example: str
    form: type[tuple[int, ...] | list[int]] = tuple

    def __call__(self, text: str) -> Sequence[int]:
        """Return both ends, which are equal where one number is given."""
        first, dash, last = text.partition("-")
        low, high = _whole(first), _whole(last if dash else first)
        if low is None or high is None:
            raise ValueError(f"must be N or LO-HI, such as {self.example}")
        if not self.low <= low <= high <= self.high:
            raise ValueError(f"must lie within {self.low}-{self.high}, the lower end first")
        return self.form((low, high))

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the values: both ends."""
        end = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return {"type": "array", "items": end, "minItems": 2, "maxItems": 2}


def range_text(low: int, high: int) -> str:
    """Return both ends of a range as `WholeRange` takes them: ``2-4``, or ``3`` for 3 and 3."""
    return str(low) if low == high else f"{low}-{high}"


def one_of(*known: str) -> OneOf:
    """Return a parser that takes one of several words."""
    return OneOf(known)


def _whole(text: str) -> int | None:
    plain = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if plain else None
