"""People in the browser: they rate explanations, judge answers, and answer questions themselves.

>>> from thence.api.ratings import rating_study, serve_questions, serve_ratings
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from thence.api.asked import Asked, source_of
from thence.api.given import path_of, text_of
from thence.api.runs import Run
from thence.core import sheets
from thence.core.bounds import check_whole
from thence.engine.person_run import People
from thence.engine.rating_items import ASKED, items_of, kind_of
from thence.engine.rating_study import FILE, RatingStudy, kinds_in
from thence.errors import ParameterError

if TYPE_CHECKING:
    from thence.reporting.rating_page import Judging

ITEMS = 480
"""Number of items of a study, where nobody says it: as many as the paper of CaT-Bench rated."""

_MOST = 1_000_000


def rating_study(
    folder: str | Path,
    *,
    what: str | None = None,
    items: int | None = None,
    seed: int | None = None,
) -> RatingStudy:
    """Return the study of a folder, which is begun where there is none yet.

    Its items are drawn once, and lie with all answers in ``ratings.sqlite`` in the folder.

    Args:
        folder: a run, a folder of runs, or one of procedures that ``extract`` wrote.
        what: ``explanations``, ``errors`` or ``procedures``; None for the study that is there, else
            for what the folder holds.
        items: the most items of a run, or of all procedures; None for 480.
        seed: of the draw and of the orders in which people see the items; None for 0.

    Raises:
        ParameterError: the folder holds nothing to judge, or a study of other settings.
    """
    place = path_of("dir", folder)
    if what is not None and text_of("what", what, "a kind of study") not in ASKED:
        raise ParameterError("what", what, f"must be {', '.join(ASKED)}")
    check_whole("items", 2 if items is None else items, 2, _MOST)
    check_whole("seed", 0 if seed is None else seed, 0, 2**53)
    there = kinds_in(place / FILE)
    if what is None and len(there) > 1:
        reason = f"holds studies of {' and '.join(there)}; name one by what=KIND"
        raise ParameterError("dir", place, reason)
    kind = what or (there[0] if there else kind_of(place))
    study = RatingStudy(place / FILE, ASKED[kind])
    given = {"items": items, "seed": seed}
    settings = {"items": items or ITEMS, "seed": seed or 0}
    held = study.begin(settings, lambda: items_of(place, kind, settings["items"], settings["seed"]))
    for name, value in given.items():
        if value is not None and held.get(name) != value:
            reason = f"the study in {place} was begun with {held.get(name)}; leave it out"
            raise ParameterError(name, value, reason)
    return study


def serve_ratings(study: RatingStudy, ready: Callable[[str], None], *, port: int = 0) -> None:
    """Serve a study to browsers on this machine until it is interrupted (Ctrl-C).

    Several people may judge at once. Each is known by a name, sees the items in an order of their
    own, and learns neither which model answered nor what the others said. Every answer is on the
    disk before the next item is shown.

    Args:
        study: from `rating_study`.
        ready: called with the address, which holds a token, once the page can be opened.
        port: of this machine; 0 for any that is free.

    Raises:
        ParameterError: the port is taken.
    """
    _serve(study, study.asked.title, study.asked.statement, ready, port)


def serve_questions(
    questions: Asked, ready: Callable[[str], None], *, out: str | Path | None = None, port: int = 0
) -> list[Run]:
    """Let people answer questions in the browser until it is interrupted (Ctrl-C).

    What each of them answers is a run of the model ``human/NAME``, read and graded as any other;
    the seconds that a question was on the screen are its latency.

    Args:
        questions: as `thence.run` takes them; they are asked in their own words.
        ready: called with the address, which holds a token, once the page can be opened.
        out: the folder that holds a run for each person; None for the default of any run.
        port: of this machine; 0 for any that is free.

    Returns:
        The runs of those who came.

    Raises:
        ParameterError: there are no questions, or the port is taken.
        FileError: a file that cannot be read, or a question of an unknown task.
    """
    source = source_of(questions)
    if not sum(1 for _ in source.samples()):  # all of them are checked before anybody comes
        raise ParameterError("questions", None, "there are none; give tasks, samples or a file")
    people = People(source, None if out is None else path_of("out", out))
    _serve(people, "Questions", "", ready, port)
    return [Run(held.directory) for held in people.runs.values()]


def export_ratings(study: RatingStudy, path: str | Path, *, overwrite: bool = False) -> int:
    """Write the answers of a study as a sheet that ``ratings score`` or ``errors`` reads.

    Args:
        study: from `rating_study`.
        path: ends in ``.csv`` or ``.xlsx``.
        overwrite: replace a file that is there.

    Returns:
        The number of answers.

    Raises:
        ParameterError: another ending, no such folder, a file that is there, or no answer yet.
    """
    file = path_of("path", path)
    sheets.check_output(file, overwrite=overwrite)
    if not study.progress():
        raise ParameterError("dir", study.path.parent, "nobody has judged anything yet")
    return sheets.write(file, study.columns(), study.rows()).rows


def _serve(
    judging: Judging, title: str, statement: str, ready: Callable[[str], None], port: int
) -> None:
    from thence.reporting.local_server import serve_here
    from thence.reporting.rating_page import handler_of

    check_whole("port", port, 0, 65_535)
    serve_here(handler_of(judging, title, statement), ready, port, ends=False)


__all__ = [
    "ITEMS", "RatingStudy", "export_ratings", "rating_study", "serve_questions", "serve_ratings",
]  # fmt: skip
