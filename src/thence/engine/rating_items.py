"""The items that people judge: explanations, wrong answers, and steps of extracted procedures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from operator import itemgetter
from pathlib import Path
from typing import Any

from thence import families
from thence.analysis.error_kinds import NO_ERROR
from thence.core.family import Family
from thence.core.ratings import Ratings
from thence.core.seeds import random_of
from thence.engine.directory import RUN, RunDirectory
from thence.engine.rating_study import AnswerChoice, JudgedItem, Questionnaire
from thence.engine.run_scores import scored_by
from thence.engine.wrong_answers import wrong_answers
from thence.errors import ParameterError
from thence.procedures.review import LISTS, Review

EXPLANATIONS, ERRORS, PROCEDURES = "explanations", "errors", "procedures"
_SCALE = ("strongly disagree", "disagree", "neither", "agree", "strongly agree")
_AGREE = tuple(AnswerChoice(str(n), str(n), word) for n, word in enumerate(_SCALE, 1))
_KINDS = (
    ("1", "multi-hop", "a link through a step between is missed"),
    ("2", "effect", "what a step brings about is missed or made up"),
    ("3", "precondition", "what a step needs is missed or made up"),
    ("4", "irrelevant", "the reason has nothing to do with the question"),
    ("5", "other", "another error; say in the note which"),
    ("0", NO_ERROR, "the reply is right: truth or reader are wrong"),
)
ASKED = {
    EXPLANATIONS: Questionnaire(
        EXPLANATIONS,
        "Explanations",
        "The answer contains all the relevant details to address what the question requires.",
        _AGREE,
        "rating",
    ),
    ERRORS: Questionnaire(
        ERRORS,
        "Disputed answers",
        "The reply was not counted as right. What went wrong first?",
        tuple(AnswerChoice(key, kind, kind, hint) for key, kind, hint in _KINDS),
        "error_type",
    ),
    PROCEDURES: Questionnaire(
        PROCEDURES,
        "Extracted procedures",
        "The entries say all that this step needs, makes and uses up, and nothing else.",
        _AGREE,
        "rating",
    ),
}
"""What people are asked, by the kind of the study."""


def kind_of(folder: Path) -> str:
    """Return what the contents of a folder are judged for, where nobody says it.

    Raises:
        ParameterError: it holds nothing to judge.
    """
    held = runs_in(folder)
    if any(_explains(each) for each in held):
        return EXPLANATIONS
    if held:
        return ERRORS
    _review(folder)
    return PROCEDURES


def runs_in(folder: Path) -> list[RunDirectory]:
    """Return the run that a folder is, or the runs in it, by name.

    Raises:
        ParameterError: there is no such folder, or it holds neither runs nor procedures.
    """
    if not folder.is_dir():
        raise ParameterError("dir", folder, "no such folder; name a run, or a folder of runs")
    places = [folder] if (folder / RUN).is_file() else sorted(folder.glob(f"*/{RUN}"))
    found = [RunDirectory(place if place.is_dir() else place.parent) for place in places]
    if not found and not any(folder.glob("*.y*ml")):
        reason = "holds no run and no procedure that thence extract wrote"
        raise ParameterError("dir", folder, reason)
    return found


def items_of(folder: Path, kind: str, count: int, seed: int) -> list[JudgedItem]:
    """Return the items of a new study.

    Args:
        folder: a run, a folder of runs, or one of extracted procedures.
        kind: of the study.
        count: the most items of each run, or of all procedures.
        seed: of the draw.

    Raises:
        ParameterError: the folder holds none of that kind, or two runs of one model.
    """
    if kind == PROCEDURES:
        return _drawn(_steps(_review(folder)), count, seed)
    runs = runs_in(folder)
    models: dict[str, Path] = {}
    found: list[JudgedItem] = []
    for run in runs:
        model = run.information().request.model
        if model in models:
            raise ParameterError("dir", folder, f"holds two runs of {model}; move one away")
        models[model] = run.path
        if kind == EXPLANATIONS:
            found += _explanations(run, model, count, seed)
        else:
            found += _drawn(_errors(run), count, seed)
    if not found:
        what = {EXPLANATIONS: "explanation of an answer", ERRORS: "answer that is not right"}[kind]
        raise ParameterError("dir", folder, f"holds no {what}")
    return found


def offered() -> tuple[Family, Ratings]:
    """Return the family that has explanations rated by people."""
    return next(
        (family, family.ratings) for family in families.families().values() if family.ratings
    )


def _review(folder: Path) -> Review:
    try:
        return Review.of(folder)
    except ParameterError as error:
        raise ParameterError("dir", folder, error.reason) from error


def _explains(run: RunDirectory) -> bool:
    return run.information().request.composed_protocol.explains


def _drawn(items: Iterable[JudgedItem], count: int, seed: int) -> list[JudgedItem]:
    """Return at most so many items, drawn by a seed, in the order in which they came.

    No more of them are in memory at once (reservoir sampling, Vitter's algorithm R).
    """
    rng = random_of("ratings/draw", seed)
    kept: dict[int, tuple[int, JudgedItem]] = {}
    for number, item in enumerate(items):
        place = number if number < count else rng.randrange(number + 1)
        if place < count:
            kept[place] = number, item
    return [item for _, item in sorted(kept.values(), key=itemgetter(0))]


def _parts(**texts: str) -> list[Mapping[str, Any]]:
    """Return the parts of an item that are not empty, labelled."""
    return [
        {"label": label.replace("_", " "), "text": text} for label, text in texts.items() if text
    ]


def _explanations(run: RunDirectory, model: str, count: int, seed: int) -> Iterator[JudgedItem]:
    rows = scored_by(run, "mean").final()
    answers = ((row.sample, row.score) for row in rows if not row.epoch)
    sheet = offered()[1].draw(model, answers, count, 1, seed)
    for row in sheet.rows:
        shown = ("procedure", "question", "answer", "explanation")
        record = {name: row[name] for name in sheet.columns if name not in ("rater", "rating")}
        yield JudgedItem(
            f"{model} {row['page']}", _parts(**{name: row[name] for name in shown}), record
        )


def _errors(run: RunDirectory) -> Iterator[JudgedItem]:
    for each in wrong_answers(run):
        record = asdict(each)
        del record["error_type"]
        yield JudgedItem(
            f"{each.model} {each.id} {each.epoch}",
            _parts(
                question=each.question,
                reply=each.reply or "(the reply is empty)",
                parsed_answer=each.answer or f"({each.outcome.replace('_', ' ')})",
                truth=each.truth,
                why_the_truth_is_so=each.witness,
            ),
            record,
        )


def _steps(held: Review) -> Iterator[JudgedItem]:
    for number, path in enumerate(held.paths):
        found = held.show(number)
        row, steps = found["procedure"], found["procedure"]["steps"]
        for place, step in enumerate(steps):
            span = step.get("spans", {}).get("text")
            text = {"label": "text", "text": found["text"], **({"span": span} if span else {})}
            entries = {role: _entries(role, step.get(role) or [], steps) for role in LISTS}
            yield JudgedItem(
                path.name,
                [
                    text,
                    *_parts(**{f"step_{place + 1}": step.get("text", ""), **entries}),
                ],
                {
                    "item": f"{path.name} step {place + 1}",
                    "model": row["extracted"]["model"],
                    "recipe": path.name,
                    "split": "",
                    "correct": 1,
                    "step": step.get("text", ""),
                },
            )


def _entries(role: str, held: Iterable[Any], steps: Sequence[Mapping[str, Any]]) -> str:
    """Return the entries of a step in words; steps before it by their number and text."""
    lines = []
    for each in [held] if isinstance(held, str) else held:
        number = str(each)
        known = role == "after" and number.isascii() and number.isdigit()
        place = int(number) - 1 if known else -1
        told = steps[place].get("text", "") if 0 <= place < len(steps) else ""
        lines.append(f"step {number}: {told}" if told else number)
    return "\n".join(lines) or "(nothing)"
