"""Interval questions about recipes: how long, how hot, how much, and how long in all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from thence.domains.recipes.amounts import Amount, quantities, temperatures, times
from thence.families.fable._domain import Instance
from thence.families.fable._quantities import canonical
from thence.families.fable._recipes_kitchen import Kitchen

_MOST_SUMMED = 4


def target(amount: Amount) -> dict[str, Any]:
    """An amount as the target of a question."""
    return {
        "text": amount.text,
        "low": round(amount.low, 6),
        "high": round(amount.high, 6),
        "unit": canonical(amount.unit),
    }


def total(texts: Sequence[str]) -> dict[str, Any] | None:
    """The summed time of some steps, each of which states exactly one; None where one does not."""
    low = high = 0.0
    for text in texts:
        found = times(text)
        if len(found) != 1:
            return None
        low, high = low + found[0].low, high + found[0].high
    low, high = round(low, 6), round(high, 6)
    span = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    return {"text": f"{span} minutes", "low": low, "high": high, "unit": "minutes"}


def measured(text: str) -> Iterator[tuple[str, Amount]]:
    """What a step measures, with its amount; only what is measured once in it."""
    found = [(_measured(text, each), each) for each in quantities(text) if each.unit != "cm"]
    names = [name for name, _ in found]
    for name, amount in found:
        if name and names.count(name) == 1:
            yield name, amount


def _measured(text: str, amount: Amount) -> str:
    """The words that a quantity is of, up to the next boundary."""
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
    """Times, temperatures, quantities and sums that a recipe states without ambiguity."""
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
    for i in range(len(texts)):
        for j in range(i + 1, min(len(texts), i + _MOST_SUMMED)):
            summed = total(texts[i : j + 1])
            if summed is not None:
                parts = ", ".join(times(text)[0].text for text in texts[i : j + 1])
                why = f"Steps {i + 1} to {j + 1} take {parts}, which makes {summed['text']}."
                yield _instance("sum", i, j, None, summed, why)


def _instance(
    what: str, i: int, j: int | None, of: str | None, answer: Mapping[str, Any], why: str
) -> Instance:
    question = {"kind": "intervals", "i": i, "j": j, "fact": None, "rule": "sound", "what": what}
    if of is not None:
        question["of"] = of
    return Instance(question, answer, why)


def recompute(question: Mapping[str, Any], texts: Sequence[str]) -> dict[str, Any]:
    """The target of a question, from the texts of the steps alone.

    Raises:
        LookupError, ValueError: no such question was asked about these steps.
    """
    i, what = question["i"], question["what"]
    if what == "sum":
        summed = total(texts[i : question["j"] + 1])
        if summed is None:
            raise ValueError("a step states no single time")
        return summed
    if what == "quantity":
        return target(dict(measured(texts[i]))[question["of"]])
    (found,) = times(texts[i]) if what == "time" else temperatures(texts[i])
    return target(found)
