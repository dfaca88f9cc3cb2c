"""Interval questions about recipes: duration, temperature, quantity and total time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from thence.core.amounts import Amount, canonical, quantities, temperatures, times
from thence.core.procedure import Step
from thence.domains.recipes.lowering import IN_ANY_FORM
from thence.families.fable.recipes.kitchen import Kitchen, thing
from thence.families.fable.recipes.question_base import plural
from thence.families.fable.shared.domain import Instance

_MOST_SUMMED = 4
_FEWEST_FOLLOWED = 2


def target(amount: Amount) -> dict[str, Any]:
    """Return an amount as the target of a question."""
    return {
        "text": amount.text,
        "low": round(amount.low, 6),
        "high": round(amount.high, 6),
        "unit": canonical(amount.unit),
    }


def total(texts: Sequence[str]) -> dict[str, Any] | None:
    """Return the summed time of some steps; None if a step does not state exactly one time."""
    found = [times(text) for text in texts]
    if {len(spans) for spans in found} != {1} or not all(map(is_whole, texts)):
        return None
    return _sum([each for step in found for each in step])


def is_whole(text: str) -> bool:
    """Return whether each time in a step is the duration of the full step.

    "3 minutes on each side" is half of it, and "every 5 minutes" or "for the last 10 minutes" is
    the time of another action within the step.
    """
    return not any(
        _SHARE.match(text, each.start + len(each.text)) or _MOMENT.search(text[: each.start])
        for each in times(text)
    )


_SHARE = re.compile(
    r",?\s*(?:each\b|per\b|apiece\b|a (?:side|batch|piece)\b"
    r"|(?:on|for|in) (?:each|either|both|every|one)\b)",
    re.IGNORECASE,
)
_MOMENT = re.compile(r"\b(?:every|last|first|final)\s+(?:about\s+)?$", re.IGNORECASE)


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _sum(spans: Sequence[Amount]) -> dict[str, Any]:
    return amount(sum(each.low for each in spans), sum(each.high for each in spans))


def amount(low: float, high: float) -> dict[str, Any]:
    """Return minutes as the target of a question."""
    low, high = round(low, 6), round(high, 6)
    text = minutes(low) if low == high else f"{low:g} to {minutes(high)}"
    return {"text": text, "low": low, "high": high, "unit": "minutes"}


def minutes(number: float) -> str:
    """Return a number of minutes in words, such as ``1 minute``."""
    return f"{number:g} minute{'' if number == 1 else 's'}"


def measured(text: str) -> Iterator[tuple[str, Amount]]:
    """Yield each measured object of a step with its amount; only objects measured once."""
    found = [
        (_measured(text, each), each)
        for each in quantities(text)
        if each.unit != "cm" and not text[: each.start].lower().endswith(_HALVES)
    ]
    names = [name for name, _ in found]
    for name, amount in found:
        if name and names.count(name) == 1:
            yield name, amount


def _measured(text: str, amount: Amount) -> str:
    """Return the words of a quantity's object, up to the next boundary."""
    rest = text[amount.start + len(amount.text) :].lstrip()
    rest = rest.removeprefix("of ")
    words: list[str] = []
    for word in rest.split()[:4]:
        if word in _STOP:
            break
        bare = word.rstrip(",.;:")
        words.append(bare)
        if bare != word:
            break
    return " ".join(words)


_HALVES = ("half of ", "half of the ")
_STOP = frozenset(
    [
        "and",
        "in",
        "into",
        "to",
        "with",
        "for",
        "until",
        "over",
        "on",
        "onto",
        "from",
        "then",
        "at",
        "or",
        "by",
        "roughly",
        "together",
        "as",
        "through",
        "well",
        "lightly",
        "finely",
        "thinly",
        "before",
        "off",
        "without",
        "while",
        "drain",
        "under",
        "very",
        "if",
        "the",
        "a",
        "them",
        "it",
    ]
)


def intervals(case: Kitchen) -> Iterator[Instance]:
    """Yield questions about unambiguous times, temperatures, quantities and sums of a recipe."""
    texts = [step.text for step in case.procedure.steps]
    for k, text in enumerate(texts):
        spans = times(text)
        if len(spans) == 1:
            yield _instance("time", k, None, None, target(spans[0]), f"Step {k + 1} says it.")
        heats = temperatures(text)
        if len(heats) == 1:
            yield _instance(
                "temperature", k, None, None, target(heats[0]), f"Step {k + 1} says it."
            )
        for name, amount in measured(text):
            yield _instance("quantity", k, None, name, target(amount), f"Step {k + 1} says it.")
    if case.recipe is not None:
        yield from _followed(case, texts)
    for i in range(len(texts)):
        for j in range(i + 1, min(len(texts), i + _MOST_SUMMED)):
            summed = total(texts[i : j + 1])
            if summed is not None:
                parts = _listed([times(text)[0].text for text in texts[i : j + 1]])
                joined = "and" if j == i + 1 else "to"
                why = f"Steps {i + 1} {joined} {j + 1} take {parts}, which makes {summed['text']}."
                yield _instance("sum", i, j, None, summed, why)


def through(
    texts: Sequence[str], steps: Sequence[Step], i: int, fact: str
) -> tuple[list[int], dict[str, Any]] | None:
    """Return the total time of an ingredient in later steps, through all mixtures.

    Args:
        texts: the texts of all steps.
        steps: all steps.
        i: the step that brings it in.
        fact: the ingredient in any form.

    Returns:
        The later steps that use it and state a time, and the sum. None if a time is not clear or
        not that of the step, if fewer than two steps state one, or if all later steps that state
        one use the ingredient.
    """
    spans = {k: times(texts[k]) for k in range(i + 1, len(texts))}
    users = [k for k in spans if fact in steps[k].uses]
    timed = [k for k in users if spans[k]]
    others = any(spans[k] for k in spans if k not in users)
    clear = all(len(spans[k]) <= 1 and is_whole(texts[k]) for k in users)
    if len(timed) < _FEWEST_FOLLOWED or not others or not clear:
        return None
    return timed, _sum([spans[k][0] for k in timed])


def _followed(case: Kitchen, texts: Sequence[str]) -> Iterator[Instance]:
    """Yield questions about the time of an ingredient in later steps, through all mixtures."""
    steps = case.procedure.steps
    for i, step in enumerate(steps[:-1]):
        for fact in step.defines:
            found = through(texts, steps, i, fact) if fact.endswith(IN_ANY_FORM) else None
            if found is not None:
                timed, summed = found
                named, many = thing(fact), plural(fact)
                told = _listed([f"step {k + 1} ({times(texts[k])[0].text})" for k in timed])
                why = (
                    f"{named[:1].upper()}{named[1:]} {'are' if many else 'is'} in what these work "
                    f"with: {told}; in all {summed['text']}."
                )
                more = {"fact": fact, "thing": named, "many": many}
                yield _instance("through", i, None, None, summed, why, more)


def _instance(
    what: str,
    i: int,
    j: int | None,
    of: str | None,
    answer: Mapping[str, Any],
    why: str,
    more: Mapping[str, Any] | None = None,
) -> Instance:
    question = {"kind": "intervals", "i": i, "j": j, "fact": None, "rule": "sound", "what": what}
    if of is not None:
        question["of"] = of
    return Instance(question | dict(more or {}), answer, why)


def recompute(question: Mapping[str, Any], steps: Sequence[Step]) -> dict[str, Any]:
    """Recompute the target of a question from the steps alone.

    Raises:
        LookupError, ValueError: the steps do not allow this question.
    """
    i, what = question["i"], question["what"]
    texts = [step.text for step in steps]
    if what == "through":
        followed = through(texts, steps, i, question["fact"])
        if followed is None:
            raise ValueError("no such time is clear")
        return followed[1]
    if what == "sum":
        summed = total(texts[i : question["j"] + 1])
        if summed is None:
            raise ValueError("a step states no single time")
        return summed
    if what == "quantity":
        return target(dict(measured(texts[i]))[question["of"]])
    (found,) = times(texts[i]) if what == "time" else temperatures(texts[i])
    return target(found)
