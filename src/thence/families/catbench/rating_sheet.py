"""The rating sheet: answers whose explanations people rate.

The protocol is the paper's (Lal et al. 2024, section 5): as many DEP as NONDEP questions, pages of
one recipe with six questions and answers in random order, three raters per explanation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from thence import families
from thence.core.ratings import RatingSheet
from thence.core.sample import Sample
from thence.core.score import Score
from thence.core.seeds import random_of
from thence.families.catbench.questions import DEP, NONDEP

PAGE = 6  # questions on a page, all about one recipe
STATEMENT = (
    "The answer contains all the relevant details to address what the question requires. "
    "1: strongly disagree, 5: strongly agree"
)
COLUMNS = (
    "page", "item", "model", "recipe", "split", "correct", "procedure", "question", "answer",
    "explanation", "statement", "rater", "rating",
)  # fmt: skip


class Item(NamedTuple):
    """An answer that may be rated.

    Attributes:
        id: id of the sample.
        model: the model that gave the answer.
        recipe: the sample's cluster.
        split: DEP or NONDEP.
        correct: whether the answer is right.
        procedure: goal and numbered steps.
        question: the question in words.
        answer: the answer that was read; empty where none was readable.
        explanation: the model's explanation.
    """

    id: str
    model: str
    recipe: str
    split: str
    correct: bool
    procedure: str
    question: str
    answer: str
    explanation: str


def draw(
    model: str, answers: Iterable[tuple[Sample, Score]], items: int, raters: int, seed: int
) -> RatingSheet:
    """Draw answers of a run for people to rate; none where the run holds no explanation.

    Args:
        model: the name of the model.
        answers: samples with the scores of their answers, of one epoch.
        items: number of answers, half of them DEP and half NONDEP.
        raters: number of raters per answer.
        seed: seed of the draw.
    """
    offered = list(_items(model, answers))
    drawn = pages(offered, items, seed) if any(item.explanation for item in offered) else []
    counts = Counter(item.split for page in drawn for item in page)
    of_each = {split: counts[split] for split in (DEP, NONDEP)}
    return RatingSheet(COLUMNS, sheet(drawn, raters), len(drawn), of_each)


def _items(model: str, answers: Iterable[tuple[Sample, Score]]) -> Iterator[Item]:
    """Yield the answers to DEP and NONDEP questions."""
    for sample, score in answers:
        if sample.family != "catbench" or sample.metadata["split"] not in (DEP, NONDEP):
            continue
        values = families.task(sample.task).generator.question_values(sample.metadata)
        yield Item(
            sample.id,
            model,
            sample.cluster,
            sample.metadata["split"],
            score.correct,
            f"Goal: {values['goal']}\n{values['procedure']}".removeprefix("Goal: \n"),
            f"Must Step {values['first']} happen {values['relation']} Step {values['second']}?",
            score.answer or "",
            score.explanation or "",
        )


def pages(items: Sequence[Item], wanted: int, seed: int) -> list[list[Item]]:
    """Return pages of one recipe each, with as many DEP as NONDEP questions in all.

    Pages hold three of each where a recipe has enough; the remaining questions are drawn from the
    rest. The same questions give the same pages for every model.

    Args:
        items: the items to draw from.
        wanted: number of items in all; fewer where a class has less than half of that.
        seed: seed of the draw.
    """
    rng = random_of("catbench/ratings", seed)
    by_recipe: dict[str, dict[str, list[Item]]] = {}
    for item in items:
        held = by_recipe.setdefault(item.recipe, {DEP: [], NONDEP: []})
        held[item.split].append(item)
    sizes = [sum(len(held[split]) for held in by_recipe.values()) for split in (DEP, NONDEP)]
    each = min(wanted // 2, *sizes) if sizes else 0
    half = PAGE // 2
    full: list[list[Item]] = []
    for held in by_recipe.values():
        for split in (DEP, NONDEP):
            rng.shuffle(held[split])
        full += [
            [held[split].pop() for split in (DEP, NONDEP) for _ in range(half)]
            for _ in range(min(len(held[DEP]), len(held[NONDEP])) // half)
        ]
    rng.shuffle(full)
    made = full[: each // half]
    missing = each - half * len(made)
    over = [item for page in full[len(made) :] for item in page]
    left = [
        *over,
        *(item for held in by_recipe.values() for each in held.values() for item in each),
    ]
    rest = [
        item
        for split in (DEP, NONDEP)
        for item in rng.sample([item for item in left if item.split == split], missing)
    ]
    made += _in_pages(rest)
    for page in made:
        rng.shuffle(page)
    return made


def _in_pages(items: Iterable[Item]) -> list[list[Item]]:
    """Return the items in pages of one recipe and at most six items."""
    by_recipe: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_recipe[item.recipe].append(item)
    return [
        held[start : start + PAGE]
        for held in by_recipe.values()
        for start in range(0, len(held), PAGE)
    ]


def sheet(drawn: Sequence[Sequence[Item]], raters: int) -> list[dict[str, Any]]:
    """Return the rows of the sheet, one per rating, by the names in `COLUMNS`."""
    return [
        {
            "page": number,
            "item": item.id,
            "model": item.model,
            "recipe": item.recipe,
            "split": item.split,
            "correct": int(item.correct),
            "procedure": item.procedure,
            "question": item.question,
            "answer": item.answer,
            "explanation": item.explanation,
            "statement": STATEMENT,
            "rater": rater,
            "rating": "",
        }
        for rater in range(1, raters + 1)
        for number, page in enumerate(drawn, 1)
        for item in page
    ]
