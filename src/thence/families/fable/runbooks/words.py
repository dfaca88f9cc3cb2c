"""The words of questions about written procedures: what stands under a step, and explanations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from typing import Any

from thence.core.procedure import Step
from thence.dataflow import Flow, Role, Verdict, conflicts, excludes, sentences
from thence.dataflow.questions import Witness
from thence.families.fable.shared.analyses import EVERY, INTERVALS, asked_steps, carried_out
from thence.families.fable.shared.plain import Verb, plain
from thence.families.fable.shared.sources_of_facts import with_sources

_WORDS = (
    ("Contamination ", "What is faulty "),
    ("contamination ", "what is faulty "),
    ("no step on the way sanitises it", "no step on the way is checked"),
    ("which sanitises it", "which is checked"),
    ("which sanitise it", "which are checked"),
    ("did not sanitise it", "were not checked"),
)
_EITHER_FIRST = r"(N|n)o order is required between (step \d+) and (step \d+)"
_VERBS = (
    (r"\buses\b", "needs"),
    (r"\bused\b", "needed"),
    (r"\buse\b", "need"),
    (r"\bkills\b", "ends"),
    (r"\bredefines\b", "provides"),
    (r"\bdefines\b", "provides"),
)


class Mistakes(Enum):
    """Kinds of mistakes in a list: none, steps in wrong places, or missing waits."""

    NONE = "none"
    STEPS = "steps"
    WAITS = "waits"


_FACTS = (
    "Under each step stands what it needs when it begins, what it ends (what then holds no longer) "
    "and what it provides (what then holds). Of each step, what it needs comes first, then what it "
    "ends, then what it provides."
)
_CHANGED = (
    "The list has mistakes: {mistakes}, so that a step may lack what it needs. Every step is "
    "carried out all the same, and does what stands under it."
)
_MISTAKES = {
    Mistakes.STEPS: (
        "some steps stand in the wrong place or several times, or have a condition that they "
        "should not have"
    ),
    Mistakes.WAITS: (
        "some steps are given to both people{under}, and it is not always said that one person has "
        "to wait for the other"
    ),
}
_ORDER = (
    "Two steps keep the order in which they are listed if one of them ends what the other needs or "
    "provides, or provides what the other needs{stated}. Otherwise either may come first, unless "
    "further steps put them in order. Every order that this leaves open is a permitted order."
)
_SHARED = (
    "Two people, A and B, share the work. Each carries out the steps that begin with that letter "
    "in the order in which they are listed. Of a step of A and a step of B either may come first, "
    "whatever they need, end and provide, unless one is said to come after the other, directly or "
    "through further steps of either person. Every order that this leaves open is a permitted "
    "order."
)
_CHOICES = (
    'A step that says "only if" is carried out where that is so, and left out otherwise; all '
    "others are always carried out."
)
_NEVER_BOTH = (
    "Two steps that are never both carried out are not put in order by what they need, end and "
    "provide, but further steps may put them in order. For the rest, work"
)
_ORDER_OF_CHOICES = (
    "{work} out the order with all steps in the list: it stays the same when steps are left out."
)


def notes(flow: Flow, mistakes: Mistakes = Mistakes.NONE, *, timed: bool) -> list[str]:
    """Return what stands under each step: what it needs, ends and provides, and its conditions.

    Args:
        flow: of the procedure.
        mistakes: those in its list.
        timed: whether it is told how long a step takes.
    """
    plain = flow.is_total and mistakes is not Mistakes.WAITS
    after = {} if plain else _stated(flow, mistakes)
    return [
        " ".join(_note(step, [f"Step {a + 1}" for a in after.get(k, ())], timed=timed))
        for k, step in enumerate(flow.steps)
    ]


def _note(step: Step, after: Sequence[str], *, timed: bool) -> Iterator[str]:
    for choice, option in step.when:
        yield f'Only if "{choice}" is "{option}".'
    for verb, facts in (("Needs", step.uses), ("Ends", step.kills), ("Provides", step.defines)):
        if facts:
            yield f"{verb} {_quoted(facts)}."
    if after:
        yield f"Comes after {_listed(after)}."
    if timed and step.seconds is not None:
        yield f"Takes {time(step.seconds)}."


def _stated(flow: Flow, mistakes: Mistakes) -> dict[int, list[int]]:
    """Return for each step those of which it must be said that it comes after them."""
    found: dict[int, list[int]] = {}
    for a, b in flow.procedure.order:
        if not _is_plain(flow.steps[a], flow.steps[b], mistakes):
            found.setdefault(b, []).append(a)
    return found


def _is_plain(one: Step, other: Step, mistakes: Mistakes) -> bool:
    """Return whether two steps keep the listed order for what they do, or who does them."""
    if mistakes is Mistakes.WAITS:
        return one.text[0] == other.text[0]
    return not excludes(one, other) and bool(conflicts(one, other))


def _quoted(facts: Sequence[str]) -> str:
    return ", ".join(f'"{fact}"' for fact in facts)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]


def time(seconds: tuple[float, float], *, in_seconds: bool | None = None) -> str:
    """Return a time such as ``5 to 8 minutes`` or ``1.5 minutes``.

    One that is no whole hundredth of a minute is told in seconds, so that nothing is rounded.
    """
    in_seconds = told_in_seconds(seconds) if in_seconds is None else in_seconds
    low, high = (f"{each if in_seconds else each / 60:.10g}" for each in seconds)
    unit = ("second" if in_seconds else "minute") + ("" if low == high == "1" else "s")
    return f"{low} {unit}" if low == high else f"{low} to {high} {unit}"


def told_in_seconds(seconds: tuple[float, float]) -> bool:
    """Return whether an end of a time is no whole hundredth of a minute."""
    hundredths = [each / 0.6 for each in seconds]
    return any(abs(each - round(each)) > 1e-6 for each in hundredths)


def target(seconds: tuple[float, float]) -> dict[str, Any]:
    """Return a time as the answer to a question; its numbers are minutes."""
    low, high = (round(each / 60, 6) for each in seconds)
    return {"text": time(seconds), "low": low, "high": high, "unit": "minutes"}


def _kept_order(flow: Flow, mistakes: Mistakes) -> str:
    """Return the sentences that tell which steps keep the listed order."""
    if flow.is_total:
        return "The steps are carried out in the order in which they are listed."
    said = "; so do two of which one is said to come after the other"
    return _ORDER.format(stated=said if _stated(flow, mistakes) else "")


def reading(flow: Flow, mistakes: Mistakes = Mistakes.NONE) -> list[str]:
    """Return the sentences that tell how a procedure is to be read.

    Args:
        flow: of the procedure.
        mistakes: those in its list.
    """
    shared = mistakes is Mistakes.WAITS
    order = _SHARED if shared else _kept_order(flow, mistakes)
    under = ", a few of these under one option only" * bool(flow.procedure.choices)
    told = _MISTAKES.get(mistakes, "").format(under=under)
    wrong = [_CHANGED.format(mistakes=told)] if told else []
    found = [_FACTS, order, *wrong] if shared else [_FACTS, *wrong, order]
    if flow.procedure.choices:
        options = [
            f'"{each.name}" is {" or ".join(_quoted([option]) for option in each.options)}'
            for each in flow.procedure.choices
        ]
        several = "; every combination of these options is possible" * (len(options) > 1)
        found.append(f"It turns out on the way whether {'; and whether '.join(options)}{several}.")
        found.append(_CHOICES)
        if not flow.is_total:
            found.append(_ORDER_OF_CHOICES.format(work="Work" if shared else _NEVER_BOTH))
    return found


def scope(name: str, flow: Flow, asked: Mapping[str, Any]) -> str:
    """Return in which orders and under which options something is asked, or nothing."""
    which = "every" if name in EVERY else "some"
    parts = []
    if not flow.is_total and name not in ("concurrency", INTERVALS):
        parts.append(f"in {which} permitted order")
    if flow.procedure.choices:
        steps = carried_out(name, asked)
        is_done = f"{_listed(steps)} {'is' if len(steps) == 1 else 'are'} carried out"
        under = {"every": "under all options", "some": "under some options"}[which]
        none = " (if there are none, the answer is No)" * _may_exclude(flow, name, asked)
        under = "over all options" if name == INTERVALS else under
        parts.append(f"{under} with which {is_done}{none}")
    return f", {' and '.join(parts)}," if parts else ""


def _may_exclude(flow: Flow, name: str, asked: Mapping[str, Any]) -> bool:
    """Return whether the steps that must be carried out depend on the same choice."""
    held = [{choice for choice, _ in flow.steps[k].when} for k in asked_steps(name, asked)]
    return len(held) > 1 and not held[0].isdisjoint(held[1])


def explained(
    flow: Flow, verdict: Verdict, asked: Mapping[str, Any], mistakes: Mistakes
) -> tuple[str, Witness]:
    """Return explanation and witness of an answer in the words of the prompt."""
    why, witness = verdict.why, verdict.witness
    order = witness.get("order")
    if isinstance(order, list) and " must come before " in why:
        i, j = order[0], order[-1]
        links = "; ".join(_link(flow, a, b, mistakes) for a, b in pairwise(order))
        kept = sentences.kept_apart(flow, order)
        why = f"Step {i + 1} must come before step {j + 1}: {links}.{kept}"
    why = with_sources(why, flow, asked, "faulty")
    held = {f"'{fact}'": f"'<{number}>'" for number, fact in enumerate(_names(flow))}
    for name, place in held.items():  # a name may hold any of the words
        why = why.replace(name, place)
    why = plain(why, Verb("end"), Verb("provide"))
    for one, other in _WORDS:
        why = why.replace(one, other)
    for pattern, verb in _VERBS:
        why = re.sub(pattern, verb, why)
    why = re.sub(_EITHER_FIRST, _either_first, why)
    for name, place in held.items():
        why = why.replace(place, f'"{name[1:-1]}"')
    return f"{why[0].upper()}{why[1:]}", witness


def _either_first(found: re.Match[str]) -> str:
    begin = "Either" if found[1] == "N" else "either"
    return f"{begin} of {found[2]} and {found[3]} may come first"


def _link(flow: Flow, a: int, b: int, mistakes: Mistakes) -> str:
    """Return why a step comes directly after another."""
    one, other = flow.steps[a], flow.steps[b]
    is_plain = _is_plain(one, other, mistakes)
    if is_plain and mistakes is Mistakes.WAITS:
        return f"step {b + 1} is listed after step {a + 1} for the same person"
    if is_plain:
        fact, first, second = conflicts(one, other)[0]
        if first is Role.DEFINE:
            return f"step {a + 1} {first.value} '{fact}', which step {b + 1} {second.value}"
        return f"step {a + 1} {first.value} '{fact}' before step {b + 1} {second.value} it"
    if flow.is_total:
        return f"step {b + 1} is listed after step {a + 1}"
    return f"step {b + 1} is said to come after step {a + 1}"


def _names(flow: Flow) -> list[str]:
    """Return the facts, choices and options, the longest first."""
    choices = flow.procedure.choices
    options = [option for each in choices for option in each.options]
    names = {*flow.known, *(each.name for each in choices), *options}
    return sorted(names, key=lambda name: (-len(name), name))
