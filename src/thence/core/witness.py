"""The witness of a truth in words that match the question: steps are counted from 1.

In the files of samples a witness is JSON, and its steps are counted from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from thence.core.digest import as_text


def in_words(witness: Any) -> str:
    """Return the evidence for a truth in words that fit the question.

    Args:
        witness: the ``witness`` of a sample's metadata; steps stand under the names of `_WORDS`,
            and what stands under another name is given as JSON.

    Returns:
        Such as ``Step 6 uses, kills 'clear(peg1)'``; empty without a witness.
    """
    if isinstance(witness, Mapping):
        left = dict(witness)
        parts = [_subject(left)]
        for name, said in _WORDS.items():
            if (value := left.pop(name, None)) is not None:
                parts.append(said(value))
        parts += [f"{name}: {as_text(value)}" for name, value in left.items() if value is not None]
        return "; ".join(filter(None, parts))
    if isinstance(witness, list):
        return ", ".join(map(as_text, witness))
    return "" if witness is None else as_text(witness)


def _subject(left: dict[str, Any]) -> str:
    """Return the step or the fact that the others are about, and take it out."""
    facts = [left.pop("fact", None), *(left.pop("facts", None) or ())]
    named = ", ".join(f"'{fact}'" for fact in facts if fact is not None)
    if not _is_step(left.get("step")):
        return named
    step = _step(left.pop("step"))
    does = left.pop("does", None)
    if does is None:
        return f"{step}: {named}" if named else step
    return f"{step} {does} {named}".rstrip()


def _step(place: Any) -> str:
    return f"Step {place + 1}" if _is_step(place) else as_text(place)


def _is_step(place: Any) -> bool:
    return isinstance(place, int) and not isinstance(place, bool)


def _steps(places: Any) -> str:
    """Return steps in a row, such as ``Steps 12, 13``."""
    if not isinstance(places, list):
        return _step(places)
    if len(places) == 1 or not all(map(_is_step, places)):
        return ", ".join(map(_step, places))
    return f"Steps {_numbers(places)}"


def _numbers(places: Any) -> str:
    return ", ".join(_step(place).removeprefix("Step ") for place in _listed(places))


def _chain(links: Any) -> str:
    """Return the steps of a chain, with the fact of each link where it has one."""
    if not isinstance(links, list) or not links:
        return as_text(links)
    if not all(isinstance(link, Mapping) for link in links):
        return ", then ".join(map(_step, links))
    return _step(links[0].get("from")) + "".join(
        f", by '{link.get('fact')}' to {_step(link.get('to'))}" for link in links
    )


_WORDS: Mapping[str, Callable[[Any], str]] = {
    "without": lambda place: f"without {_step(place)}",
    "from": lambda place: f"from {_step(place)}",
    "to": lambda place: f"to {_step(place)}",
    "after": lambda place: f"after {_step(place)}",
    "before": lambda place: f"before {_step(place)}",
    "steps": _steps,
    "path": _chain,
    "chain": _chain,
    "sanitizers": lambda places: f"{_steps(places)} between",
    "options": lambda options: f"where {_options(options)}",
    "choice": lambda choice: f"never both: they depend on different options of '{choice}'",
    "needs": lambda options: f"namely {' and '.join(map(repr, options))}",
    "order": lambda places: f"always {', then '.join(map(_step, _listed(places)))}",
    "execution": lambda places: f"such as in the order {_numbers(places)}",
}
"""What is said of the steps under each name."""


def _options(options: Any) -> str:
    if not isinstance(options, Mapping):
        return as_text(options)
    return " and ".join(f"'{choice}' is '{option}'" for choice, option in options.items())


def _listed(places: Any) -> Sequence[Any]:
    return places if isinstance(places, list) else [places]
