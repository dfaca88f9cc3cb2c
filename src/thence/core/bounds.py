"""Checks of numbers that come from outside, by a lower and an upper bound."""

from __future__ import annotations

from thence.errors import ParameterError

MOST_SEED = 2**53 - 1  # exact in every JSON reader
MOST_SAMPLES = 1_000_000  # of a task in one set; more are asked for by further seeds
MOST_EPOCHS = 10_000
MOST_IN_ALL = 5_000_000  # of all tasks of a set: the places of all are held in memory
MOST_USD = 1e9  # USD


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raise unless a parameter is a whole number within bounds; True and 1.0 are not.

    Raises:
        ParameterError: naming the bound.
    """
    if type(value) is not int:
        reason = f"must be a whole number from {low} to {high:,}{_but(value)}"
        raise ParameterError(name, value, reason)
    if value < low:
        raise ParameterError(name, value, f"must be at least {low}")
    if value > high:
        raise ParameterError(name, value, f"must be at most {high:,}")


def check_count(name: str, value: object, most: int = MOST_SAMPLES) -> None:
    """Raise unless a parameter is None or a whole number from 1 on.

    Raises:
        ParameterError: naming the bound.
    """
    if value is not None:
        check_whole(name, value, 1, most)


def check_seed(seed: object) -> None:
    """Raise unless a seed is a whole number that every JSON reader keeps.

    Raises:
        ParameterError: naming the bound.
    """
    check_whole("seed", seed, 0, MOST_SEED)


def check_real(
    name: str, value: object, low: float, high: float, unit: str = "", *, over: bool = False
) -> None:
    """Raise unless a parameter is None or a number from ``low`` to ``high``; NaN is none.

    With ``over``, ``low`` itself is not taken.

    Raises:
        ParameterError: naming both bounds.
    """
    if value is None:
        return
    most = f"{high:,g}"
    bounds = f"over {low:g}{unit} and at most {most}" if over else f"from {low:g} to {most}{unit}"
    reason = f"must be {bounds}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ParameterError(name, value, reason + _but(value))
    if not low <= value <= high or (over and value == low):
        raise ParameterError(name, value, reason)


def _but(value: object) -> str:
    """Return ``, not text`` and the like for a value that prints as a valid number does."""
    if isinstance(value, float):
        return f", not {value!r}"
    return ", not text" if isinstance(value, str) else ", not None" if value is None else ""
