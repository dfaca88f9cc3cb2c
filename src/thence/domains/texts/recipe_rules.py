"""A recipe's text read by rules into the form of a procedure, without a model."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from thence.domains.recipes import plain_text
from thence.domains.recipes.coverage import parse_with_care
from thence.domains.recipes.lexicon import VERBS, head, stem
from thence.domains.recipes.nodes import Link
from thence.domains.recipes.parser import Parsed
from thence.domains.texts.open_words import open_words, strained
from thence.errors import FileError
from thence.procedures.quotations import QuotedText, Range

_PRONOUN = re.compile(r"\b(?:it|them|they|this|these|all|everything)\b", re.IGNORECASE)
_TIME = re.compile(r"(?:\d[\d\s./–-]*|\b(?:an?|half an)\s)(?:to \d+ )?[- ]?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?)\b", re.IGNORECASE)  # fmt: skip  # noqa: E501, RUF001
_WORD = re.compile(r"[^\W\d_]+")


def read_recipe(text: str, name: str) -> dict[str, Any]:
    """Return the mapping of the form for the recipe of a text.

    Args:
        text: as people write it, with a title and a list of ingredients or without.
        name: of the text, for errors and where it has no title.

    Raises:
        FileError: it holds no steps or several recipes, or too little of it is accounted for.
    """
    found = [
        each for each in plain_text.recipes(list(enumerate(text.split("\n"), 1))) if each.steps
    ]
    if not found:
        raise FileError(f"{name}: no steps were found in it; give a text that tells what to do")
    if len(found) > 1:
        raise FileError(
            f"{name}: holds {len(found)} recipes (the second begins on line {found[1].line}); give "
            "each a file of its own"
        )
    source, end = QuotedText(text), 0
    places: list[Range | None] = []
    texts = [plain_text.NUMBER.sub("", each, count=1).strip() for each in found[0].steps]
    for step in texts:
        place = source.find(step, end) or source.find(step.partition(": ")[2], end)
        places.append(place)
        end = place.end if place else end
    parsed, coverage = parse_with_care(found[0].title, texts, goods=found[0].goods)
    if not coverage.passes:
        raise FileError(
            f"{name}: not read well enough by the rules ({coverage.refusal}); mend the text, or "
            "have a model read it"
        )
    return {
        "goal": found[0].title or name,
        "unsure": [
            f"step {step + 1}: '{words}' refers to nothing before it"
            for step, words in parsed.unplaced
        ],
        **_facts(parsed, places, source, coverage.doubtful),
    }


def _facts(
    parsed: Parsed,
    places: Sequence[Range | None],
    source: QuotedText,
    doubtful: Collection[Link],
) -> dict[str, Any]:
    traces = parsed.lowered.traces
    made = {name for trace in traces for name in trace.defines}
    links = iter(parsed.links)
    start: dict[str, None] = {}
    steps = []
    for number, (trace, place) in enumerate(zip(traces, places, strict=True)):
        brought = {(f"{x} (ingredient)" if x in made else x): x for x in trace.brings}
        start |= dict.fromkeys(brought)
        taken = [(name, next(links)) for name in trace.uses]
        spans: dict[str, Any] = {}
        if place:
            spans["text"] = list(place)
            for name, link in taken:
                _point(spans, "uses", name, _named(source, place, name, link.rule))
            for fact, name in brought.items():
                _point(spans, "uses", fact, _named(source, place, name, ""))
            for name in trace.defines:
                _point(spans, "defines", name, _verb(source, place))
            for name in trace.kills:
                _point(spans, "kills", name, _verb(source, place))
        seconds = parsed.lowered.procedure.steps[number].seconds
        time = _TIME.search(source.text, *place) if place and seconds else None
        if time:
            spans["seconds"] = list(time.span())
        steps.append(
            {
                "text": trace.text,
                "uses": list(dict.fromkeys([*trace.uses, *brought])),
                "defines": list(trace.defines),
                "kills": list(trace.kills),
                "after": [str(before + 1) for before in trace.after],
                "seconds": list(seconds) if seconds else None,
                "spans": spans,
                "unsure": [
                    *(f"uses {name}" for name, link in taken if link in doubtful),
                    *_open(trace.text, brought, timed=bool(seconds)),
                ],
            }
        )
    return {"start": list(start), "steps": steps}


def _open(text: str, brought: dict[str, str], *, timed: bool) -> Iterator[str]:
    """Yield what the words of a step leave open.

    Args:
        text: of the step.
        brought: the facts for what it brings in, with its names.
        timed: whether a time was read in it.
    """
    yield from open_words(text, timed=timed)
    made = strained(text)
    yield from (f"uses {fact}" for fact, name in brought.items() if made and name == made)


def _point(spans: dict[str, Any], role: str, entry: str, place: Range) -> None:
    spans.setdefault(role, {})[entry] = list(place)


def _named(source: QuotedText, place: Range, name: str, rule: str) -> Range:
    """Return where a step names a thing; where it does not, its pronoun or verb."""
    if found := source.find(name, *place):
        return found
    wanted = head(name)
    for word in _WORD.finditer(source.text, *place):
        if stem(word[0].lower()) == wanted:
            return Range(*word.span())
    pronoun = _PRONOUN.search(source.text, *place) if rule in ("pronoun", "all", "whole") else None
    return Range(*pronoun.span()) if pronoun else _verb(source, place)


def _verb(source: QuotedText, place: Range) -> Range:
    """Return the first verb of a step; its first word where none is known."""
    words = list(_WORD.finditer(source.text, *place))
    for word in words:
        if word[0].lower() in VERBS:
            return Range(*word.span())
    return Range(*words[0].span()) if words else place
