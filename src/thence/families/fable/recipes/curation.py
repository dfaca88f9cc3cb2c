"""The paper's curation of a recipe file, with the number of items dropped by each filter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thence.domains.recipes.clauses import cut, tokens
from thence.domains.recipes.lexicon import KINDS, RAW, VERBS, Kind, kind_of, stem
from thence.families.fable.recipes.kitchen import Kitchen

FEWEST_STEPS = 3
WANTED = 100  # questions an analysis
_VESSELS = frozenset(
    [
        "bowl",
        "spoon",
        "fork",
        "knife",
        "plate",
        "dish",
        "pan",
        "tray",
        "sheet",
        "rack",
        "board",
        "foil",
        "paper",
        "towel",
        "lid",
        "cup",
        "jar",
        "glass",
        "whisk",
        "spatula",
        "container",
        "bag",
        "surface",
        "counter",
    ]
)
_GENERIC = frozenset(
    [
        "mixture",
        "mix",
        "ingredient",
        "ingredients",
        "amount",
        "rest",
        "remainder",
        "contents",
        "everything",
        "half",
        "piece",
        "pieces",
        "thing",
        "time",
        "side",
        "top",
        "bottom",
        "edge",
        "center",
        "middle",
        "way",
    ]
)
_UNITS = frozenset([Kind.MEASURE, Kind.TIME])
_FRACTIONS = frozenset("½¼¾⅓⅔⅛⅜⅝⅞")
_QUESTIONED = (
    "reaching_definitions", "available_expressions", "live_variables", "very_busy_expressions",
    "type_state", "taint", "concurrency", "intervals",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Curated:
    """Result of the curation of a file.

    Attributes:
        kept: places of the recipes whose entities are all in the vocabulary.
        vocabulary: the entities allowed in questions.
        counts: number of items dropped by each filter, in filter order.
    """

    kept: tuple[int, ...]
    vocabulary: frozenset[str]
    counts: Mapping[str, int]


def curate(
    steps: Sequence[Sequence[str]], askable: Sequence[Mapping[str, Sequence[str]]]
) -> Curated:
    """Apply the paper's filters.

    Args:
        steps: the steps of every recipe.
        askable: for every recipe, analysis -> candidate entities of its questions.
    """
    counts: Counter[str] = Counter()
    counts["recipes"] = len(steps)
    long = [place for place, each in enumerate(steps) if len(each) >= FEWEST_STEPS]
    counts["recipes under three steps"] = len(steps) - len(long)
    entities = {place: _entities(steps[place], counts) for place in long}
    ranked = Counter(name for names in entities.values() for name in names)
    order = [name for name, _ in sorted(ranked.items(), key=lambda item: (-item[1], item[0]))]
    size = _smallest(order, entities, askable)
    vocabulary = frozenset(order[:size])
    kept = tuple(place for place in long if entities[place] <= vocabulary)
    counts["entities in all"] = len(order)
    counts["entities in the vocabulary"] = size
    counts["recipes with other entities"] = len(long) - len(kept)
    counts["recipes kept"] = len(kept)
    return Curated(kept, vocabulary, dict(counts))


def _entities(steps: Sequence[str], counts: Counter[str]) -> frozenset[str]:
    found = set()
    for text in steps:
        words = tokens(text)
        _count_measures(words, counts)
        for clause in cut(words):
            for chunk in clause.chunks:
                counts["candidates"] += 1
                name = entity(chunk.words, chunk.kind, counts)
                if name:
                    found.add(name)
    return frozenset(found)


def _count_measures(words: Sequence[str], counts: Counter[str]) -> None:
    """Count units and numbers, which the clauses leave out already."""
    for word in words:
        if word[0].isdigit() or word[0] in _FRACTIONS:
            name = "dropped: numbers and dimensions"
        elif word[0].isalpha() and not _UNITS.isdisjoint((kind_of(word), kind_of(stem(word)))):
            name = "dropped: units"
        else:
            continue
        counts["candidates"] += 1
        counts[name] += 1


def entity(words: Sequence[str], kind: Kind, counts: Counter[str]) -> str:
    """Return the entity of a noun chunk; empty if a filter drops it, which is counted."""
    head = words[-1] if words else ""
    if not head:  # such as "everything": it names nothing
        counts["dropped: generic words"] += 1
    elif stem(head) in _VESSELS:
        counts["dropped: containers and tools"] += 1
    elif stem(head) in _GENERIC or kind in (Kind.PART, Kind.PRONOUN, Kind.WHOLE):
        counts["dropped: generic words"] += 1
    elif head in VERBS and KINDS.get(head) is Kind.VERB and stem(head) not in RAW:
        counts["dropped: verb-derived"] += 1
    elif kind is Kind.PRODUCT:
        if len(words) > 1:
            counts["linked to a base name"] += 1
        return stem(head)
    else:
        return stem(head)
    return ""


def _smallest(
    order: Sequence[str],
    entities: Mapping[int, frozenset[str]],
    askable: Sequence[Mapping[str, Sequence[str]]],
) -> int:
    """Return the size of the smallest vocabulary with enough questions, or with all of them."""
    rank = {name: place for place, name in enumerate(order)}
    needs = {
        place: max((rank[x] + 1 for x in names), default=0) for place, names in entities.items()
    }
    size = 0
    for analysis in _QUESTIONED:
        sizes = sorted(  # of the vocabulary from which on each question can be asked
            max(needs[place], min((rank.get(x, len(order)) + 1 for x in names), default=0))
            for place in entities
            if (names := _of(askable[place], analysis)) is not None
        )
        if sizes:
            size = max(size, sizes[min(WANTED, len(sizes)) - 1])
    return min(size, len(order))


def _of(held: Mapping[str, Sequence[str]], analysis: str) -> Sequence[str] | None:
    return held.get(analysis)


def questions(case: Kitchen) -> dict[str, list[str]]:
    """Return analysis -> candidate entities of a recipe; no key for an analysis without any."""
    from thence.families.fable.recipes.published_questions import candidates

    found: dict[str, list[str]] = {}
    for analysis in _QUESTIONED:
        held: list[dict[str, Any]] = candidates(analysis, case)
        if held:
            found[analysis] = sorted({stem(x["entity"].split()[-1]) for x in held if "entity" in x})
    return found
