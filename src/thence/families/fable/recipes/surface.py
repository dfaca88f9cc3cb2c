"""Shortcuts through questions about recipes: by the words alone, following nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thence.core.amounts import quantities, temperatures, times
from thence.families.fable.recipes.intervals import target
from thence.families.fable.recipes.kitchen import named, words
from thence.families.fable.recipes.published import mentions

_SMALL = words("the a an of and to into with for until in on it them minutes then add stir mix")


def surface_answer(analysis: str, metadata: Mapping[str, Any]) -> Any:
    """What the surface of a question suggests.

    What a step makes reaches, is there for, or is safe in a later step that says its words; it is
    needed where a later step says them; steps that share words depend on one another.
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
    """The first amount or temperature of the step, the last time of the last step asked about.

    Of something that is followed, it is the last time of the last step that names it.
    """
    i, what = question["i"], question.get("what")
    if what == "through":
        later = [text for text in texts[i + 1 :] if times(text)]
        naming = [text for text in later if named(question["fact"], text)]
        found = times((naming or later)[-1])[-1:]
    elif what == "quantity":
        found = [each for each in quantities(texts[i]) if each.unit != "cm"][:1]
    elif what == "temperature":
        found = temperatures(texts[i])[:1]
    else:
        found = times(texts[i if question.get("j") is None else question["j"]])[-1:]
    return target(found[0]) if found else None
