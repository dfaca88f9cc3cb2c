"""Parameters of tasks and protocols: Python values in the library, text on the command line.

Every value goes through its text (`Parameter.text`, then `Parameter.parse`), so that a value from
Python, from a file and from the command line are checked by one rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thence.errors import ParameterError

_DIGITS = 20  # of a whole number; more are refused before they are converted


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its name, its default and the values that it takes.

    Attributes:
        name: as a keyword of `thence.generate`, and in ``--set NAME=VALUE``.
        default: the text of the default value.
        help: its meaning and its values, in a clause.
        parse: the value of a text; raises ValueError with the texts that it takes.
        joint: between the items where a list or tuple is given in Python.
    """

    name: str
    default: str
    help: str
    parse: Callable[[str], Any]
    joint: str = "-"

    def text(self, value: Any) -> str:
        """The text of a Python value: ``(2, 25)`` is ``2-25``, ``True`` is ``yes``."""
        if value is None:
            return self.default
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, (list, tuple)):
            return self.joint.join(map(str, value))
        return f"{value:g}" if isinstance(value, float) else str(value)

    def value(self, given: Any) -> Any:
        """The checked value of a Python value or a text.

        Raises:
            ParameterError: the parameter does not take it.
        """
        text = self.text(given)
        try:
            return self.parse(text)
        except ValueError as error:
            raise ParameterError(self.name, text, str(error)) from error


def configure(parameters: Sequence[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """The value of every parameter by name: the given one, else its default.

    Raises:
        ParameterError: a value that its parameter does not take.
    """
    return {each.name: each.value(given.get(each.name, each.default)) for each in parameters}


def one_of(*known: str) -> Callable[[str], str]:
    """A parser that takes one of several words."""

    def parse(text: str) -> str:
        if text not in known:
            raise ValueError(f"must be {_listed(known)}")
        return text

    return parse


def whole(low: int, high: int) -> Callable[[str], int]:
    """A parser that takes a whole number within bounds."""

    def parse(text: str) -> int:
        number = _whole(text)
        if number is None or not low <= number <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return number

    return parse


def whole_range(low: int, high: int, example: str) -> Callable[[str], tuple[int, int]]:
    """A parser that takes ``N`` or ``LO-HI`` within bounds; ``example`` shows both."""

    def parse(text: str) -> tuple[int, int]:
        first, dash, last = text.partition("-")
        ends = _whole(first), _whole(last if dash else first)
        if ends[0] is None or ends[1] is None:
            raise ValueError(f"must be N or LO-HI, such as {example}")
        if not low <= ends[0] <= ends[1] <= high:
            raise ValueError(f"must lie within {low}-{high}, the lower end first")
        return ends[0], ends[1]

    return parse


def _whole(text: str) -> int | None:
    plain = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if plain else None


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
