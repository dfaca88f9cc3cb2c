"""Extraction scored against the flow graphs of recipes, which people annotated.

>>> from thence.api.extract_against import extract_against
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from thence.api.extract import RULES, opened_model, output_folder
from thence.api.given import folder_of, path_of
from thence.api.run_arguments import AnyModel
from thence.api.runs import Watch
from thence.core.bounds import check_count
from thence.core.graph import members
from thence.core.procedure import Pair
from thence.core.statistics import EMPTY, Estimate, pooled
from thence.domains.flow_graphs import FlowRecipe, read_corpus
from thence.domains.texts.recipe_rules import read_recipe
from thence.engine.run_config import Limits
from thence.engine.text_extraction import read_texts, text_sample
from thence.errors import FileError, ParameterError
from thence.models.base import Sampling
from thence.procedures import parse_document
from thence.procedures.yaml_writer import yaml_text
from thence.prompts import template_loader

_STRUCTURED = Sampling(structured=True)
_LIMITS = Limits()
FIGURES = ("precision", "recall", "f1", "direct_precision", "direct_recall", "steps")


@dataclass(frozen=True)
class RecipeAgreement:
    """Agreement of one extracted recipe with its flow graph.

    Attributes:
        name: of the recipe in the corpus.
        found: pairs (i, j) of sentences of which i must come first, as extracted.
        true: the same pairs, as annotated.
        direct: the pairs of which j works with what i left, as extracted.
        truly_direct: the same, as annotated.
        steps: how many of the sentences are steps of the procedure.
        sentences: how many there are.
        problem: why nothing was extracted, or nothing but its steps; empty where all was.
    """

    name: str
    found: frozenset[Pair]
    true: frozenset[Pair]
    direct: frozenset[Pair]
    truly_direct: frozenset[Pair]
    steps: int
    sentences: int
    problem: str = ""

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts from which the figures follow."""
        direct = self.direct & self.truly_direct
        return (
            len(self.found & self.true), len(self.found), len(self.true),
            len(direct), len(self.direct), len(self.truly_direct),
            self.steps, self.sentences,
        )  # fmt: skip


@dataclass(frozen=True)
class GraphAgreement:
    """Agreement of an extraction with the flow graphs of a corpus.

    Attributes:
        model: what extracted.
        recipes: the recipes that were asked for, one by one.
        skipped: what of the corpus was left out, a line each.
    """

    model: str
    recipes: Sequence[RecipeAgreement]
    skipped: Sequence[str] = ()

    @cached_property
    def figures(self) -> Mapping[str, Estimate]:
        """Precision, recall and F1 of dependencies, with intervals over recipes.

        Recipes that were not read, as rules refuse what they cannot account for, or of which only
        the steps were, are left out; `problems` names them.
        """
        read: dict[Hashable, Sequence[float]] = {
            each.name: each.counts for each in self.recipes if not each.problem
        }
        return pooled(read, _figures) or dict.fromkeys(FIGURES, EMPTY)

    @property
    def problems(self) -> list[str]:
        """Why some recipes were not read, or only their steps, a line each."""
        return [f"{each.name}: {each.problem}" for each in self.recipes if each.problem]

    def to_json(self) -> dict[str, Any]:
        """Return the figures ready for JSON."""
        return {
            "model": self.model,
            "recipes": len(self.recipes),
            "read": sum(not each.problem for each in self.recipes),
            "figures": {
                name: {"value": each.value, "interval": each.interval()}
                for name, each in self.figures.items()
            },
            "problems": self.problems,
            "skipped": list(self.skipped),
        }


def extract_against(
    flow_graphs: str | Path,
    model: AnyModel,
    *,
    out: str | Path | None = None,
    limit: int | None = None,
    sampling: Sampling = _STRUCTURED,
    limits: Limits = _LIMITS,
    base_url: str | None = None,
    templates: str | Path | None = None,
    overwrite: bool = False,
    progress: Watch | None = None,
) -> GraphAgreement:
    """Return how an extraction agrees with the flow graphs of recipes.

    Args:
        flow_graphs: the English Recipe Flow Graph Corpus: the folder with ``r-100`` and ``r-200``.
        model: as for `extract`.
        out: the folder of the model's responses; ``rules`` needs none.
        limit: at most so many recipes, spread evenly over the corpus.
        sampling: what shapes the replies.
        limits: how fast to ask.
        base_url: address of an endpoint in place of the provider's own.
        templates: your own templates, over the packaged ones.
        overwrite: ask anew for what was asked already.
        progress: called with the progress after every recipe.

    Raises:
        FileError: no such corpus.
        ParameterError: an argument that cannot be.
    """
    check_count("limit", limit, 1_000_000)
    corpus = read_corpus(path_of("flow_graphs", flow_graphs))
    whole = [each for each in corpus.recipes if not each.cyclic]
    skipped = [f"{each.name}: its graph is cyclic" for each in corpus.recipes if each.cyclic]
    count = min(limit or len(whole), len(whole))
    chosen = [whole[place * len(whole) // count] for place in range(count)]
    texts = [_Numbered(each) for each in chosen]
    if model == RULES:
        name, rows = RULES, [_by_rules(each) for each in texts]
    else:
        asked = opened_model(model, sampling, limits, base_url)
        if out is None:
            raise ParameterError("out", None, "is missing; name a folder for the responses")
        name, folder = asked.name, path_of("out", out)
        samples = [text_sample(each.recipe.name, each.text) for each in texts]
        prompts = template_loader.templates(folder_of(templates))
        watch = progress or (lambda _: None)
        with output_folder(folder):
            path = folder / "responses.jsonl"
            done = read_texts(
                asked, samples, path, prompts, sampling, limits, watch, anew=overwrite
            )
        rows = [(each.row, each.problem) for each in done]
    found = [text.agreement(*row) for text, row in zip(texts, rows, strict=True)]
    return GraphAgreement(name, found, [*corpus.skipped, *skipped])


class _Numbered:
    """A recipe of the corpus as a text of numbered lines, one for each sentence."""

    def __init__(self, recipe: FlowRecipe) -> None:
        self.recipe = recipe
        lines = [recipe.title or "Recipe", "", "Method:"]
        text = "\n".join(lines) + "\n"
        self.ends: list[int] = []
        for number, step in enumerate(recipe.steps, 1):
            text += f"{number}. {' '.join(step.split())}\n"
            self.ends.append(len(text))
        self.text = text

    def agreement(self, row: dict[str, Any] | None, problem: str) -> RecipeAgreement:
        """Return the agreement of an extracted procedure with the flow graph."""
        recipe = self.recipe
        true = frozenset(_reaching(recipe.graph.descendants))
        given = (recipe.name, true, frozenset(recipe.graph.edges), len(recipe.steps))
        if row is None or problem:
            return _agreement(*given, found=(), direct=(), steps=0, problem=problem)
        document = parse_document(yaml_text(row), Path(recipe.name))
        place = [
            self._sentence(step["spans"]["text"][0]) if "text" in step["spans"] else -1
            for step in row["steps"]
        ]
        flow = document.flow

        def moved(pairs: Iterator[Pair]) -> set[Pair]:
            ends = {(place[i], place[j]) for i, j in pairs}
            return {(i, j) for i, j in ends if i != j and -1 not in (i, j)}

        return _agreement(
            *given,
            found=moved(_reaching(flow.graph.descendants)),
            direct=moved(iter(flow.procedure.order)),
            steps=len(set(place) - {-1}),
        )

    def _sentence(self, character: int) -> int:
        return next(k for k, end in enumerate(self.ends) if character < end)


def _agreement(
    name: str,
    true: frozenset[Pair],
    truly_direct: frozenset[Pair],
    sentences: int,
    *,
    found: Any,
    direct: Any,
    steps: int,
    problem: str = "",
) -> RecipeAgreement:
    return RecipeAgreement(
        name, frozenset(found), true, frozenset(direct), truly_direct, steps, sentences, problem
    )


def _by_rules(text: _Numbered) -> tuple[dict[str, Any] | None, str]:
    try:
        return read_recipe(text.text, text.recipe.name), ""
    except FileError as error:
        return None, str(error).removeprefix(f"{text.recipe.name}: ")


def _reaching(descendants: Sequence[int]) -> Iterator[Pair]:
    for i, bits in enumerate(descendants):
        yield from ((i, j) for j in members(bits))


def _figures(counts: Sequence[Any]) -> dict[str, Any]:
    right, found, true, direct, directly, truly, steps, sentences = counts
    return {
        "precision": right / found,
        "recall": right / true,
        "f1": 2 * right / (found + true),
        "direct_precision": direct / directly,
        "direct_recall": direct / truly,
        "steps": steps / sentences,
    }
