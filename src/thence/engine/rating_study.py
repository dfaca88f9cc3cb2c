"""A study: items that several people judge, with all that they said, in one SQLite file.

An answer is on the disk when `RatingStudy.judge` returns. Each person sees the items in an order of
their own, and nothing of what the others said or of who gave an answer.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from time import sleep
from typing import Any

from thence.core.seeds import random_of
from thence.errors import DiskError, FileError, UsageError

FILE = "ratings.sqlite"
LATER = ("rater", "seconds", "at", "note")
"""Columns of every export beside those of the items and the column with the answer."""

_WRITABLE = "it and its folder must be writable: change their permissions, or copy the folder"
_MENDS = {
    sqlite3.SQLITE_CANTOPEN: _WRITABLE,
    sqlite3.SQLITE_READONLY: _WRITABLE,
    sqlite3.SQLITE_BUSY: "another process holds it; end that one",
}
_FORM = 1  # of the tables
_LONGEST_NAME, _LONGEST_NOTE, _LONGEST_TIME = 40, 2_000, 86_400.0
_TRIES, _PAUSE = 50, 0.1  # times that a busy database is asked, and seconds between them
_TABLES = """
CREATE TABLE IF NOT EXISTS studies (kind TEXT PRIMARY KEY, settings TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS items (
    kind TEXT NOT NULL, item INTEGER NOT NULL, page TEXT NOT NULL, shown TEXT NOT NULL,
    record TEXT NOT NULL, PRIMARY KEY (kind, item)
);
CREATE TABLE IF NOT EXISTS answers (
    answer INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, item INTEGER NOT NULL,
    rater TEXT NOT NULL, value TEXT NOT NULL, note TEXT NOT NULL, seconds REAL, at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS answers_of ON answers (kind, rater, item, answer);
"""


@dataclass(frozen=True)
class AnswerChoice:
    """One of the answers that a person may give.

    Attributes:
        key: of the keyboard.
        value: as it is stored and exported.
        label: in a word or two.
        hint: what it means, where that does not say it.
    """

    key: str
    value: str
    label: str
    hint: str = ""


@dataclass(frozen=True)
class Questionnaire:
    """Questions that people answer about each item.

    Attributes:
        kind: of the study, such as ``explanations``.
        title: heading of the page.
        statement: what is asked.
        choices: the answers.
        column: of the export, which holds the answer.
    """

    kind: str
    title: str
    statement: str
    choices: Sequence[AnswerChoice]
    column: str


@dataclass(frozen=True)
class JudgedItem:
    """An item of a study.

    Attributes:
        page: items with the same page are shown one after the other.
        shown: what a person sees: parts with ``label`` and ``text``.
        record: the columns of the export; a person sees none of them.
    """

    page: str
    shown: Sequence[Mapping[str, Any]]
    record: Mapping[str, Any] = field(default_factory=dict)


def rater_name(given: object) -> str:
    """Return the name of a person as it is stored.

    Raises:
        UsageError: it is empty, too long or not printable.
    """
    name = " ".join(given.split()) if isinstance(given, str) else ""
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise UsageError(f"a name has from 1 to {_LONGEST_NAME} characters that can be printed")
    return name


def own_order[T](things: Sequence[T], *by: object) -> list[T]:
    """Return things in an order that depends on ``by`` alone, such as a seed and a name."""
    held = list(things)
    random_of("ratings/order", *by).shuffle(held)
    return held


class RatingStudy:
    """The study of one kind in a file; other kinds may be in it too.

    Attributes:
        path: the file.
        asked: what people are asked.
    """

    def __init__(self, path: Path, asked: Questionnaire) -> None:
        self.path = path
        self.asked = asked
        self._orders: dict[str, list[int]] = {}

    def begin(
        self, settings: Mapping[str, Any], items: Callable[[], Iterable[JudgedItem]]
    ) -> Mapping[str, Any]:
        """Write the items, unless the study was begun before; return its settings.

        Args:
            settings: of a new study; ``seed`` is among them.
            items: makes the items of a new study.

        Raises:
            FileError: the file is none of ratings.
            DiskError: it cannot be written.
        """
        held = self.settings
        if held is not None:
            return held
        kind, made = self.asked.kind, list(items())
        with _database(self.path) as base, base:
            base.execute("BEGIN IMMEDIATE")
            begun = self._settings(base)
            if begun is not None:  # by another process, while the items were made
                return begun
            base.execute("INSERT INTO studies VALUES (?, ?)", (kind, json.dumps(settings)))
            base.executemany(
                "INSERT INTO items VALUES (?, ?, ?, ?, ?)",
                [
                    (kind, number, each.page, json.dumps(each.shown), json.dumps(each.record))
                    for number, each in enumerate(made)
                ],
            )
        return settings

    @property
    def settings(self) -> Mapping[str, Any] | None:
        """The settings of the study; None where it was not begun."""
        if not self.path.is_file():
            return None
        with _database(self.path) as base:
            return self._settings(base)

    def _settings(self, base: sqlite3.Connection) -> Mapping[str, Any] | None:
        found = base.execute(
            "SELECT settings FROM studies WHERE kind = ?", (self.asked.kind,)
        ).fetchone()
        return json.loads(found[0]) if found else None

    def rater(self, given: object) -> str:
        """Return the name of a person, in the letters of the first time it was given.

        Raises:
            UsageError: it is empty, too long or not printable.
        """
        name = rater_name(given)
        with _database(self.path) as base:
            held = base.execute("SELECT DISTINCT rater FROM answers")
            return next((each for (each,) in held if each.casefold() == name.casefold()), name)

    def show(self, rater: str, place: int | None = None) -> dict[str, Any]:
        """Return an item as a person sees it, with that person's own answer and progress.

        Args:
            rater: the person.
            place: of the item in the person's order; None for the first one without an answer.

        Raises:
            LookupError: there is no such place.
        """
        with _database(self.path) as base:
            return self._shown(base, rater, place)

    def judge(
        self, rater: str, place: int, value: str, note: str = "", seconds: float | None = None
    ) -> dict[str, Any]:
        """Store an answer, and return the next item.

        Raises:
            UsageError: it is none of the choices.
            LookupError: there is no such place.
        """
        if value not in {each.value for each in self.asked.choices}:
            raise UsageError("that is none of the answers; choose one that is shown")
        at = datetime.now(UTC).isoformat(timespec="seconds")
        kind = self.asked.kind
        with _database(self.path) as base:
            item = self._order(base, rater)[_checked(place)]
            base.execute(
                "INSERT INTO answers (kind, item, rater, value, note, seconds, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (kind, item, rater, value, note[:_LONGEST_NOTE], measured(seconds), at),
            )
            last = place + 1 >= len(self._order(base, rater))
            return self._shown(base, rater, None if last else place + 1)

    def undo(self, rater: str) -> dict[str, Any]:
        """Take back the latest answer of a person, and return its item.

        Raises:
            UsageError: there is none.
        """
        kind = self.asked.kind
        with _database(self.path) as base, base:
            base.execute("BEGIN IMMEDIATE")
            found = base.execute(
                "SELECT answer, item FROM answers WHERE kind = ? AND rater = ?"
                " ORDER BY answer DESC LIMIT 1",
                (kind, rater),
            ).fetchone()
            if found is None:
                raise UsageError("there is no answer to take back")
            base.execute("DELETE FROM answers WHERE answer = ?", found[:1])
            return self._shown(base, rater, self._order(base, rater).index(found[1]))

    def progress(self) -> dict[str, tuple[int, int]]:
        """Return for each person how many items have an answer, and how many there are."""
        kind = self.asked.kind
        with _database(self.path) as base:
            (count,) = base.execute("SELECT count(*) FROM items WHERE kind = ?", (kind,)).fetchone()
            done = base.execute(
                "SELECT rater, count(DISTINCT item) FROM answers WHERE kind = ? GROUP BY rater"
                " ORDER BY min(answer)",
                (kind,),
            ).fetchall()
        return {rater: (answered, count) for rater, answered in done}

    def columns(self) -> list[str]:
        """Return the columns of the export."""
        with _database(self.path) as base:
            found = base.execute(
                "SELECT record FROM items WHERE kind = ? AND item = 0", (self.asked.kind,)
            ).fetchone()
        return [*(json.loads(found[0]) if found else ()), self.asked.column, *LATER]

    def rows(self) -> Iterator[list[Any]]:
        """Yield the answers that count, in the order of the items, by `columns`."""
        with _database(self.path) as base:
            held = base.execute(
                "SELECT record, value, rater, seconds, at, note FROM answers JOIN items"
                " USING (kind, item) WHERE kind = ? AND answer IN (SELECT max(answer) FROM answers"
                " GROUP BY kind, item, rater) ORDER BY item, rater",
                (self.asked.kind,),
            )
            for record, *rest in held:
                yield [*json.loads(record).values(), *rest]

    def _shown(self, base: sqlite3.Connection, rater: str, place: int | None) -> dict[str, Any]:
        order, kind = self._order(base, rater), self.asked.kind
        held = {
            item: (value, note)
            for item, value, note in base.execute(
                "SELECT item, value, note FROM answers WHERE kind = ? AND rater = ?"
                " ORDER BY answer",
                (kind, rater),
            )
        }
        if place is None:
            open_ = (number for number, item in enumerate(order) if item not in held)
            place = next(open_, len(order) - 1)
        item = order[_checked(place)]
        (shown,) = base.execute(
            "SELECT shown FROM items WHERE kind = ? AND item = ?", (kind, item)
        ).fetchone()
        value, note = held.get(item, (None, ""))
        return {
            "rater": rater,
            "place": place,
            "count": len(order),
            "done": len(held),
            "parts": json.loads(shown),
            "choices": [asdict(each) for each in self.asked.choices],
            "value": value,
            "note": note,
        }

    def _order(self, base: sqlite3.Connection, rater: str) -> list[int]:
        """Return the numbers of the items in a person's own order, page by page."""
        if rater not in self._orders:
            held = base.execute(
                "SELECT page, item FROM items WHERE kind = ? ORDER BY page, item",
                (self.asked.kind,),
            ).fetchall()
            pages = [[item for _, item in each] for _, each in groupby(held, lambda row: row[0])]
            seed = (self.settings or {}).get("seed", 0)
            self._orders[rater] = [
                item
                for page in own_order(pages, seed, self.asked.kind, rater)
                for item in own_order(page, seed, self.asked.kind, rater)
            ]
        return self._orders[rater]


def measured(seconds: object) -> float | None:
    """Return seconds that a page measured, within a day; None for anything else."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    return round(float(seconds), 3) if 0 <= seconds <= _LONGEST_TIME else None


def kinds_in(path: Path) -> list[str]:
    """Return the kinds of the studies in a file; none where there is no file."""
    if not path.is_file():
        return []
    with _database(path) as base:
        return [kind for (kind,) in base.execute("SELECT kind FROM studies ORDER BY kind")]


def _checked(place: int) -> int:
    if place < 0:
        raise IndexError(place)
    return place


def _log_ahead(base: sqlite3.Connection) -> None:
    """Switch a database to a write-ahead log, also while another process does the same.

    For this change SQLite waits for nobody, whatever the timeout.
    """
    for left in reversed(range(_TRIES)):
        try:
            base.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not left or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            sleep(_PAUSE)
        else:
            return


@contextmanager
def _database(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection to a file of ratings, whose answers outlive a power cut.

    Raises:
        FileError: the file is none of ratings.
        DiskError: the disk refuses it.
    """
    try:
        with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as base:
            _log_ahead(base)
            base.execute("PRAGMA synchronous = FULL")
            (form,) = base.execute("PRAGMA user_version").fetchone()
            if form == 0:
                base.executescript(_TABLES)
                base.execute(f"PRAGMA user_version = {_FORM}")
            elif form != _FORM:
                raise FileError(f"{path}: was written by another version of thence")
            yield base
    except sqlite3.OperationalError as error:
        mend = _MENDS.get(error.sqlite_errorcode & 0xFF)  # which holds the kind of error
        raise DiskError(f"{path}: {error}{f'; {mend}' if mend else ''}") from error
    except sqlite3.DatabaseError as error:
        raise FileError(f"{path}: holds no ratings ({error}); move it away") from error
