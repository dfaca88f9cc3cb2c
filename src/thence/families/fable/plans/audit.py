"""Recomputation of the published plan answers, from the plan and the question's text alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thence.core.procedure import Procedure, Step
from thence.core.witness import in_words
from thence.dataflow import Flow, analysis, conflicts
from thence.domains.plans import published as rules
from thence.domains.plans.lowering import atom_text, built_in_domain_of, lowered, parse_action
from thence.errors import FileError
from thence.families.fable.plans.published import decided
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.domain import Checked
from thence.families.fable.shared.generator import SOUND

FOLDER = Path("raw_data") / "plans"

TITLES = {
    "Reaching Definitions": "reaching_definitions",
    "Very Busy Expressions": "very_busy_expressions",
    "Available Expressions": "available_expressions",
    "Live Variable Analysis": "live_variables",
    "Interval Analysis": INTERVALS,
    "Type-State Analysis": "type_state",
    "Taint Analysis": "taint",
    "Concurrency Analysis": "concurrency",
}
"""The published names of the analyses."""

NOTHING = "N/A"
UNBOUND = "No specific interval found based on immediate dependencies."

_DIGITS = 4  # of a step's number
_LARGEST = 16 << 20  # bytes of a file


@dataclass(frozen=True, slots=True)
class PublishedQuestion:
    """Parsed form of a published question.

    Attributes:
        steps: 0-based step numbers in sentence order; empty for a question about no step.
        fact: in the notation of our facts, or None.
    """

    steps: tuple[int, ...]
    fact: str | None


class UnreadablePlan(ValueError):
    """Error about a plan or question without the published form, as a clause."""


def audit(root: Path, dialect: str) -> Iterator[Checked]:
    """Yield the check of every plan question of a checkout.

    Raises:
        FileError: a file that is not as published.
    """
    for path in sorted((root / FOLDER).glob("*.json")):
        row = _load(path)
        lines = [str(line) for line in row["plan_steps"]]
        texts = [line.partition(":")[2].strip() for line in lines]
        for title, name in TITLES.items():
            asked = row["benchmarks"].get(title)
            if asked is None:
                continue
            if not isinstance(asked, dict) or not all(
                isinstance(asked.get(key), str) for key in ("question", "answer")
            ):
                raise FileError(f"{path}: '{title}' needs a question and an answer")
            computed, why, kind = _worked_out(name, texts, asked["question"], dialect)
            if computed is not None:
                computed = _printed(computed)
            if computed == asked["answer"]:
                why = kind = ""
            words = "\n".join([str(row["goal"]), *lines, asked["question"]])
            yield Checked(
                f"{path.stem}:{name}",
                f"fable/plans/{name}",
                asked["answer"],
                computed,
                why,
                kind,
                words,
            )


def resolve(name: str, steps: Sequence[str], question: str, dialect: str) -> Checked | None:
    """Return the check of one published question; see `Domain.resolve`."""
    texts = [_unnumbered(text) for text in steps]
    try:
        if built_in_domain_of([parse_action(text) for text in texts]) is None:
            return None
    except ValueError:
        return None
    computed, why, kind = _worked_out(name, texts, question, dialect)
    if computed == NOTHING:
        computed = None
    return Checked("", f"fable/plans/{name}", None, computed, why, kind)


def _load(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _LARGEST:
            raise FileError(f"{path}: too large for a published plan")
        row = json.loads(path.read_bytes())
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path}: not JSON: {error}") from error
    if not (
        isinstance(row, dict)
        and isinstance(row.get("plan_steps"), list)
        and isinstance(row.get("benchmarks"), dict)
        and "goal" in row
    ):
        raise FileError(f"{path}: not a published plan; it needs goal, plan_steps and benchmarks")
    return row


def _unnumbered(text: str) -> str:
    number, colon, rest = text.partition(":")
    return rest.strip() if colon and number.strip().isdigit() else text.strip()


def _printed(computed: Any) -> str:
    """Return an answer in the notation of the published files."""
    if not isinstance(computed, dict):
        return str(computed)
    after, before = computed["after"], computed["before"]
    if after is not None and before is not None:
        return f"Between Step {after} and Step {before}"
    if after is not None:
        return f"After Step {after}"
    return UNBOUND if before is None else f"Before Step {before}"


def _worked_out(
    name: str, texts: Sequence[str], sentence: str, dialect: str
) -> tuple[Any, str, str]:
    """Return the answer, its reason, and a short reason for a different published answer."""
    try:
        procedure = _procedure(texts)
        asked = parse_question(sentence, len(texts))
        if dialect == SOUND:
            return _sound(name, procedure, asked)
        return _published(name, procedure.steps, asked), "by the published rule", "rule"
    except ValueError as error:
        return None, str(error), "unreadable"


def _procedure(texts: Sequence[str]) -> Procedure:
    actions = [parse_action(text) for text in texts]
    domain = built_in_domain_of(actions)
    if domain is None:
        if texts:
            raise UnreadablePlan("the steps are not actions of one known planning domain")
        return Procedure("", ())
    return lowered(domain, "", actions)


# The question's text ----------------------------------------------------------------------------


def parse_question(sentence: str, number: int) -> PublishedQuestion:
    """Parse a published question.

    Args:
        sentence: the question.
        number: the number of steps of the plan.

    Raises:
        Unreadable: it names a step that the plan does not have.
    """
    steps = []
    for part in sentence.split("Step ")[1:]:
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits or len(digits) > _DIGITS or not 1 <= int(digits) <= number:
            raise UnreadablePlan(
                f"the question names 'Step {digits[:9]}', which is not in the plan"
            )
        steps.append(int(digits) - 1)
    _, found, rest = sentence.partition("'(")
    if not found:
        return PublishedQuestion(tuple(steps), None)
    words = [word.strip().strip("'") for word in rest.partition(")'")[0].split(",")]
    atom = tuple(word for word in words if word)
    return PublishedQuestion(tuple(steps), atom_text(atom) if atom else None)


def _arguments(name: str, asked: PublishedQuestion) -> tuple[int | None, int | None, str | None]:
    """Return steps i and j and the fact, the arguments of `decided` and of the analyses.

    Raises:
        Unreadable: the question lacks an argument of this analysis.
    """
    needs_fact = name in _OF_FACTS
    count = {INTERVALS: 1, "taint": 0}.get(name, 2)
    if len(asked.steps) != count or (needs_fact and asked.fact is None):
        raise UnreadablePlan("the question is not of the published form")
    if count < 2:
        return (asked.steps[0] if count else None), None, None
    i, j = asked.steps
    if name == "reaching_definitions":  # it names the use first
        i, j = j, i
    return i, j, asked.fact


_OF_FACTS = {
    "reaching_definitions",
    "available_expressions",
    "live_variables",
    "very_busy_expressions",
}

# Questions about no particular step, where the plan gives nothing to ask about.
_DEFAULTS = {"reaching_definitions": "No", "very_busy_expressions": "No"}


def _has_instance(name: str, steps: Sequence[Step]) -> bool:
    if name in ("reaching_definitions", "available_expressions", "live_variables"):
        return next(rules.triples(steps), None) is not None
    if name == "very_busy_expressions":
        return bool(rules.very_busy(steps))
    return len(steps) > 1


def _default(name: str, steps: Sequence[Step]) -> str:
    """Return the answer to a question about no particular step.

    Raises:
        Unreadable: the plan has a candidate for a question.
    """
    if _has_instance(name, steps):
        raise UnreadablePlan(
            "the question is about no step, although the plan has one to ask about"
        )
    if len(steps) < 2 and name == "very_busy_expressions":
        return NOTHING
    return _DEFAULTS.get(name, NOTHING)


# Answers ----------------------------------------------------------------------------------------


def _published(name: str, steps: Sequence[Step], asked: PublishedQuestion) -> Any:
    if len(steps) < 2 or (not asked.steps and name != "taint"):
        return _default(name, steps)
    i, j, fact = _arguments(name, asked)
    return decided(name, steps, i, j, fact)


def _sound(name: str, procedure: Procedure, asked: PublishedQuestion) -> tuple[Any, str, str]:
    steps = procedure.steps
    if len(steps) < 2 or (not asked.steps and name != "taint"):
        return _default(name, steps), "there is nothing to ask about", "nothing"
    i, j, fact = _arguments(name, asked)
    flow = Flow(procedure)
    if name == "taint":
        return _interference(steps)
    if name == "very_busy_expressions" and not rules.is_triple(steps, (i or 0, j or 0, fact or "")):
        return "No", f"step {(j or 0) + 1} does not use {fact} of step {(i or 0) + 1}", "no use"
    given: dict[str, Any] = {"i": i, "fact": fact if name in _OF_FACTS else None}
    if name not in (INTERVALS, "live_variables", "very_busy_expressions"):
        given["j"] = j
    verdict = analysis(name).decide(flow, **given)
    why = f"{verdict.why} Witness: {in_words(verdict.witness)}"
    if isinstance(verdict.answer, tuple):
        after, before = (None if each is None else each + 1 for each in verdict.answer)
        bounds = {"after": after, "before": before}
        return bounds, _binding(steps, i or 0, verdict.answer), "a conflict binds it more closely"
    answer = verdict.answer != (name == "type_state")  # asked there: would it become invalid
    kind = {"live_variables": "needed before it is deleted", "concurrency": _bound(steps, i, j)}
    return "Yes" if answer else "No", why, kind.get(name, "by the sound definition")


def _binding(steps: Sequence[Step], k: int, bounds: Sequence[int | None]) -> str:
    """Return the reason why a step is bounded by its two bounding steps."""
    told = []
    for other in bounds:
        if other is not None:
            low, high = min(k, other), max(k, other)
            found = conflicts(steps[low], steps[high])[0]
            told.append(
                f"step {low + 1} {found.first.value} '{found.fact}', which step {high + 1} "
                f"{found.second.value}"
            )
    return "; ".join(told) or f"step {k + 1} conflicts with no other step"


def _interference(steps: Sequence[Step]) -> tuple[str, str, str]:
    """Return whether a step deletes a need of the next step; here the published rule is sound."""
    i = rules.first_taint(steps)
    if i is None:
        return "No", "no step deletes what the very next one needs", "no interference"
    return "Yes", f"step {i + 1} deletes what step {i + 2} needs", "interference"


def _bound(steps: Sequence[Step], i: int | None, j: int | None) -> str:
    """Return the reason why two steps are ordered although neither deletes a need of the other."""
    if i is None or j is None:
        return ""
    if conflicts(steps[i], steps[j]):
        return "one makes what the other needs, or they conflict"
    return "other steps put them in order"
