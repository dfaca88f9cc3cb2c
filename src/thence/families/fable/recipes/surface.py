"""Shortcut answers about recipes, from the words alone, without tracking of things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thence.core.amounts import quantities, temperatures, times
from thence.families.fable.recipes.durations import added, spans_of
from thence.families.fable.recipes.intervals import amount, target
from thence.families.fable.recipes.kitchen import named, words
from thence.families.fable.recipes.published import mentions

_SMALL = words("the a an of and to into with for until in on it them minutes then add stir mix")


def surface_answer(analysis: str, metadata: Mapping[str, Any]) -> Any:
    """Return the answer suggested by the surface of a question.

    A step's result reaches, is available in, or is safe in a later step that names it; it is needed
    if a later step names it; steps with common words depend on one another.
    """
    question = metadata["question"]
    texts = [str(step["text"]) for step in metadata["procedure"]["steps"]]
    i, j = question["i"], question.get("j")
    if analysis == "intervals":
        return _interval(question, texts)
    if analysis in ("type_state", "concurrency"):
        shared = (words(texts[i]) & words(texts[j])) - _SMALL
        return "No" if shared else "Yes"
    thing = question.get("ingredient") or question.get("entity") or question["fact"]
    if analysis == "very_busy_expressions" and question["rule"] == "published":
        return "Yes" if mentions(thing, texts[i + 1 :]) > 1 else "No"
    later = texts[i + 1 :] if j is None else texts[j : j + 1]
    return "Yes" if any(named(thing, text) for text in later) else "No"


def _interval(question: Mapping[str, Any], texts: list[str]) -> Any:
    """Return the first amount or temperature of the step, or the last time of the last step.

    For a followed ingredient, return the last time of the last step that names it.
    """
    i, what = question["i"], question.get("what")
    if what in ("until", "least", "most"):
        return listed_sum(texts[: i + 1])
    if what == "through":
        later = [text for text in texts[i + 1 :] if times(text)]
        naming = [text for text in later if named(question["fact"], text)]
        found = times((naming or later or texts)[-1])[-1:]
        if not found:
            return listed_sum(texts[i + 1 :])
    elif what == "quantity":
        found = [each for each in quantities(texts[i]) if each.unit != "cm"][:1]
    elif what == "temperature":
        found = temperatures(texts[i])[:1]
    else:
        found = times(texts[i if question.get("j") is None else question["j"]])[-1:]
    return target(found[0]) if found else None


def listed_sum(texts: Sequence[str]) -> Any:
    """Return all times that some steps state, added up as they are listed."""
    return amount(*added(spans_of(texts), range(len(texts))))
