"""Filled-in sheets of ratings, one of each rater or of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from thence.core import sheets
from thence.errors import FileError
from thence.families.catbench.ratings import HIGHEST, LOWEST, Rated

REQUIRED = ("item", "model", "split", "correct", "rater", "rating")
_CORRECT = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_NAMED = 5  # items that a note names
_COPY = 5  # equal ratings in a row from which on a sheet may be a copy

type _Name = tuple[str, str]
type _About = tuple[str, bool, Hashable]


@dataclass
class FilledSheets:
    """Contents of filled-in sheets.

    Attributes:
        items: items with at least one rating.
        skipped: one line for each row that was left out.
        blank: number of rows without a rating.
        notes: one line for each thing that a person should know about the sheets.
    """

    items: Sequence[Rated] = ()
    skipped: list[str] = field(default_factory=list)
    blank: int = 0
    notes: list[str] = field(default_factory=list)


def read_sheets(paths: Sequence[Path]) -> FilledSheets:
    """Return the contents of sheets; unusable rows are left out with a note.

    Where there are several sheets, raters of different ones are different people, also with equal
    names: each may have filled in a copy of the same sheet.

    Raises:
        FileError: one is no sheet with the columns in `REQUIRED` or is given twice, or none holds
            a rating.
    """
    if not paths:
        raise FileError("no sheet is given; name at least one")
    held = FilledSheets()
    found: dict[_Name, dict[str, int]] = {}
    known: dict[_Name, _About] = {}
    for place, path in enumerate(paths):
        if path.resolve() in {other.resolve() for other in paths[:place]}:
            raise FileError(f"{path}: is given twice; name each sheet once")
        sheet = sheets.read(path, REQUIRED)
        held.notes += sheet.notes
        for where, row in sheet.rows:
            if not row["rating"].strip():
                held.blank += 1
                continue
            rater = row["rater"].strip() if len(paths) == 1 else f"{path}, {row['rater'].strip()}"
            try:
                name, about, rating = _rating(row, rater, known, found)
            except ValueError as error:
                held.skipped.append(f"{where}: {error}; left out")
                continue
            known[name] = about
            found.setdefault(name, {})[rater] = rating
    if not found:
        why = held.skipped[0] if held.skipped else f"{held.blank} rows, and none has a rating"
        raise FileError(f"{', '.join(map(str, paths))}: holds no rating: {why}")
    held.items = [
        Rated(name[0], *known[name], tuple(ratings.values()), tuple(ratings))
        for name, ratings in found.items()
    ]
    held.notes += [*_missing(found), *_copies(found)]
    return held


def _rating(
    row: Mapping[str, str],
    rater: str,
    known: Mapping[_Name, _About],
    found: Mapping[_Name, Mapping[str, int]],
) -> tuple[_Name, _About, int]:
    """Return the model and item of a row, the item's properties, and the rating.

    Raises:
        ValueError: the row is not valid; the message gives the reason.
    """
    text = row["rating"].strip()
    try:
        value = sheets.number(text)
    except ValueError as error:
        raise ValueError(f"rating '{text}': must be a number from 1 to 5") from error
    if not value.is_integer() or not LOWEST <= value <= HIGHEST:
        raise ValueError(f"rating {text}: must be a whole number from 1 to 5")
    correct = _CORRECT.get(row["correct"].strip().lower().removesuffix(".0").removesuffix(",0"))
    if correct is None:
        raise ValueError(f"correct '{row['correct']}': must be 1 or 0")
    if not row["item"].strip():
        raise ValueError("the item is missing")
    name = (row["model"].strip(), row["item"].strip())
    about = (row["split"].strip(), correct, row.get("recipe") or name)
    if known.get(name, about)[:2] != about[:2]:
        raise ValueError(f"item {row['item']}: split or correct is not what an earlier row says")
    if rater in found.get(name, ()):
        raise ValueError(f"rater {row['rater']} rated item {row['item']} before")
    return name, about, int(value)


def _missing(found: Mapping[_Name, Mapping[str, int]]) -> Iterator[str]:
    """Yield a line for each rater who left out items that others rated."""
    for rater in dict.fromkeys(rater for ratings in found.values() for rater in ratings):
        left = [item for (_, item), ratings in found.items() if rater not in ratings]
        if left:
            named = ", ".join(left[:_NAMED]) + (", ..." if len(left) > _NAMED else "")
            yield f"rater {rater}: {len(left)} of {len(found)} items are not rated: {named}"


def _copies(found: Mapping[_Name, Mapping[str, int]]) -> Iterator[str]:
    """Yield a line for each two raters of one name whose ratings are all equal."""
    common, equal = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for ratings in found.values():
        for one, other in combinations(ratings, 2):
            common[one, other] += 1
            equal[one, other] += ratings[one] == ratings[other]
    for (one, other), count in common.items():
        alike = one.rpartition(", ")[2] == other.rpartition(", ")[2]
        if alike and count >= _COPY and equal[one, other] == count:
            yield (
                f"rater {one} and rater {other}: all {count} ratings are equal; if one sheet is a "
                "copy of the other, leave it out"
            )
