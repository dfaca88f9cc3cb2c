"""FABLE's recipes: from the cookbook, the generator, or a user's file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from thence.core.digest import digest
from thence.core.parameters import OneOf, Parameter, one_of
from thence.core.procedure import Procedure
from thence.errors import ParameterError
from thence.families.fable.recipes import published_questions as asked
from thence.families.fable.recipes.kitchen import Kitchen, kitchen
from thence.families.fable.shared.analyses import ANALYSES
from thence.families.fable.shared.answers import Form, QuantityFormat
from thence.families.fable.shared.domain import Case, Checked, Domain, Instance
from thence.families.fable.shared.task import tasks

if TYPE_CHECKING:
    from thence.core.shortcuts import Shortcut
    from thence.families.fable.recipes.recipe_cases import RecipeCase

SOURCES = ("both", "generator", "cookbook")
CURATIONS = ("none", "paper")
_PASSED = 0.1
_DEPTHS = {
    "available_expressions": (1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 6),
    "very_busy_expressions": (1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5, 5, 6),
    "live_variables": (1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5, 5, 6),
    "type_state": (1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6),
    "taint": (1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5, 5, 6),
    "concurrency": (1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5, 5, 6),
}
"""The depths of a block, where what decides seldom stands far, or a glance tells some depths."""
_RECIPES = {
    "taint": 290,
    "concurrency": 200,
    "very_busy_expressions": 220,
    "live_variables": 400,
    "type_state": 400,
}
"""The recipes of a block of some analyses: more where what decides is rare, or words would tell."""
_CASES = 140  # recipes of a block of another analysis
_WAYS, _MORE_WAYS = 6, 10  # in which cooks share each; more where recipes are looked for
_APART = 3  # of those in which steps far apart can be done at once, where they can
_EQUIPPED = {"concurrency": 1.0, "type_state": 0.9}
"""How often equipment is put away meanwhile, where most answers turn on it."""
_OWN = frozenset({"taint", *_EQUIPPED})  # analyses that have their own recipes
_KEPT = 4  # lists of recipes that are kept: those of all cells of a block


class _Source(OneOf):
    def __call__(self, text: str) -> str:
        try:
            return super().__call__(text)
        except ValueError as error:
            raise ValueError(f"{error}; fable/runbooks/* asks about files of your own") from error


class RecipesDomain(Domain):
    """Recipes: kitchen things as facts, followed through mixtures."""

    name = "recipes"
    has_depth = True
    served = 200
    kept = 220
    intervals: ClassVar[Form] = QuantityFormat()
    settable = (
        Parameter(
            "source",
            "both",
            "where recipes come from: both, generator or cookbook",
            _Source(SOURCES),
        ),
        Parameter("recipes", "", "a file of recipes to ask about: JSON lines or plain text", str),
        Parameter(
            "curate",
            "none",
            "which recipes of that file to keep: none (all that can be read) or paper",
            one_of(*CURATIONS),
        ),
        Parameter(
            "spacy",
            "",
            "a spaCy pipeline of yours that bounds the noun phrases of that file, "
            "such as en_core_web_sm",
            str,
        ),
        Parameter("review", "", "a file of questions that a person flagged, to be replaced", str),
    )

    def offered(self, values: Mapping[str, Any]) -> Mapping[str, str | None]:
        """Return all eight cells in both dialects."""
        return dict.fromkeys(ANALYSES)

    def is_few(self, parameters: Mapping[str, Any]) -> bool:
        """Return whether the recipes are a user's own."""
        return "recipes" in parameters

    def parameters(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the parameters with files as content hashes, independent of their paths."""
        pipeline = values.get("spacy", "")
        if not values["recipes"]:
            if pipeline:
                raise ParameterError("spacy", pipeline, "reads the file of recipes=FILE; give one")
            if values["curate"] != CURATIONS[0]:
                raise ParameterError(
                    "curate", values["curate"], "filters the file of recipes=FILE; give one"
                )
            return {"source": values["source"]}
        from thence.families.fable.recipes import files

        file = files.RecipeFile.at(values["recipes"])
        found = {"recipes": file.hash, "curate": values["curate"]}
        if pipeline:
            files.phrases(pipeline)  # refused now where it is missing
            found["spacy"] = pipeline
        return found

    def context(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the path of the recipes, and the ids of questions flagged by a review.

        Flagged questions are replaced, with no new seed.
        """
        found: dict[str, Any] = {"file": values["recipes"]} if values["recipes"] else {}
        if values["review"]:
            from thence.families.fable.recipes.files import flagged

            found["flagged"] = flagged(values["review"])
        return found

    def findings(self, values: Mapping[str, Any]) -> Any:
        """Return what was found in the user's file; None without one."""
        if not values["recipes"]:
            return None
        from thence.families.fable.recipes import files

        file = files.RecipeFile.at(values["recipes"])
        return files.findings(file, values["curate"], values.get("spacy", ""))

    def receive(self, findings: Any) -> None:
        """Take what another process found in the user's file."""
        from thence.families.fable.recipes import files

        files.receive(findings)

    def corpus(self, values: Mapping[str, Any]) -> Sequence[Case] | None:
        """Return the recipes of the user's file, or the cookbook if it is the only source.

        The cookbook stands in for a file of which a sample has no more than the hash.
        """
        if "file" in values:
            from thence.families.fable.recipes import files

            file = files.RecipeFile(values["recipes"], Path(values["file"]))
            return files.cases(file, values["curate"], values.get("spacy", ""))
        return _book() if values.get("source", "cookbook") == "cookbook" else None

    def case(self, values: Mapping[str, Any], rng: Random) -> Case:
        """Return a recipe of the cookbook or a new one."""
        from thence.domains.recipes import CHANCE_OF_BOOK
        from thence.domains.recipes.generator import generate

        if values["source"] == "both" and rng.random() < CHANCE_OF_BOOK:
            return rng.choice(_book())
        made = generate(rng)
        source = {"kind": "generator", "cuisine": made.recipe.cuisine, "course": made.recipe.course}
        return kitchen(made, source)

    def in_blocks(self, parameters: Mapping[str, Any]) -> bool:
        """Return whether questions are chosen in blocks: all but those about a file."""
        return "recipes" not in parameters

    def mixture(self, analysis: str) -> Sequence[int]:
        """Return the depths of a block; fewer are great where what decides seldom stands far."""
        return _DEPTHS.get(analysis) or super().mixture(analysis)

    def candidates(
        self, analysis: str, values: Mapping[str, Any], rng: Random
    ) -> Iterable[tuple[Case, Instance]]:
        """Yield the questions about the recipes of a block; see `recipes.sound`."""
        from thence.families.fable.recipes.sound import ask

        return ask(analysis, _cases(values["source"], values["block"], analysis), rng)

    def sound(self, analysis: str, case: Case, rng: Random) -> Sequence[Instance]:
        """Return the sound questions about a recipe of a file; see `recipes.from_text`."""
        from thence.families.fable.recipes.from_text import sound

        assert isinstance(case, Kitchen)
        if _is_passed(case, rng):
            return []
        return sound(analysis, case, rng)

    def published(self, analysis: str, case: Case, rng: Random) -> Instance | None:
        """Return a question by the published rules; see `recipes.published_questions`."""
        assert isinstance(case, Kitchen)
        return None if _is_passed(case, rng) else asked.published(analysis, case, rng)

    def audit(self, root: Path, dialect: str) -> Iterable[Checked]:
        """Return the checks of all published answers; see `recipes.audit`."""
        from thence.families.fable.recipes.audit import audit

        return audit(root, dialect)

    def surface_answer(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """Return the shortcut's answer; see `recipes.surface`."""
        from thence.families.fable.recipes.surface import surface_answer

        return surface_answer(analysis, metadata)

    def shortcuts(self, analysis: str) -> Sequence[Shortcut]:
        """Return the shortcuts of `recipes.shortcuts` with glances; for intervals with guesses."""
        from thence.families.fable.recipes.glances import glances
        from thence.families.fable.recipes.shortcuts import COOKS, SHORTCUTS, VALUES

        return [*SHORTCUTS, *COOKS, *(VALUES if analysis == "intervals" else glances(analysis))]

    def resolve(
        self, analysis: str, goal: str, steps: Sequence[str], question: str, dialect: str
    ) -> Checked | None:
        """Return the check of one published question; see `recipes.audit`."""
        from thence.families.fable.recipes.audit import resolve

        return resolve(analysis, goal, steps, question, dialect)

    def notes(self, analysis: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the numbers of read and dropped items of a file, and of flagged questions."""
        found: dict[str, Any] = {}
        if values["recipes"]:
            from thence.families.fable.recipes import files

            file = files.RecipeFile.at(values["recipes"])
            found |= files.notes(file, values["curate"], values.get("spacy", ""))
        if values["review"]:
            from thence.families.fable.recipes.files import flagged

            found["flagged questions"] = len(flagged(values["review"]))
        return found

    def truth(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """Return published answers from texts; sound ones from texts (intervals) or facts."""
        question = metadata["question"]
        texts = [str(step["text"]) for step in metadata["procedure"]["steps"]]
        if metadata["dialect"] == "published":
            return asked.compute(question, texts)
        procedure = Procedure.from_json(metadata["procedure"])
        if metadata["origin"]["kind"] == "file":
            from thence.families.fable.recipes.from_text import truth as of_text

            return of_text(analysis, procedure, question)
        from thence.families.fable.recipes.sound import truth

        return truth(analysis, procedure, question)


def _is_passed(case: Case, rng: Random) -> bool:
    """Return whether to skip a recipe of a fixed stock in this draw.

    A slot first tries its own recipe, whose questions may be used up already; with many draws it
    must reach another recipe.
    """
    return case.source.get("kind") != "generator" and rng.random() < _PASSED


_held: list[Kitchen] = []


def _book() -> Sequence[Kitchen]:
    """Return the cookbook's cases; they are built once."""
    if not _held:
        from thence.domains.recipes.book import cookbook

        for each in cookbook():
            source = {
                "kind": "cookbook",
                "cuisine": each.recipe.cuisine,
                "course": each.recipe.course,
            }
            _held.append(kitchen(each, source))
    return _held


_HELD: dict[str, tuple[list[list[RecipeCase]], Random]] = {}
"""The recipes of some blocks, as many as were needed so far, and what draws those that follow."""


def _cases(source: str, block: str, analysis: str) -> list[list[RecipeCase]]:
    """Return the extended recipes of a block, each with no cooks and as cooks share it.

    Some analyses have their own, with what their answers turn on; all others ask about the same
    recipes, some about more of them; see `_RECIPES`.
    """
    wanted, own = _RECIPES.get(analysis, _CASES), analysis if analysis in _OWN else ""
    key = digest("recipes", source, block, *filter(None, [own]))
    found, rng = _HELD.get(key) or ([], Random(int(key, 16)))
    if len(found) < wanted:
        rng = copy(rng)  # so that an interrupt leaves what is held as it was
        found = [*found, *islice(_drawn(source, own, rng), wanted - len(found))]
        if key not in _HELD and len(_HELD) >= _KEPT:
            _HELD.pop(next(iter(_HELD)))
        _HELD[key] = found, rng
    return found[:wanted]


def _drawn(source: str, analysis: str, rng: Random) -> Iterator[list[RecipeCase]]:
    """Yield new extended recipes, each with no cooks and as cooks share it, without end.

    Args:
        source: where they come from.
        analysis: the one that alone asks about them, if only one does.
        rng: all chance.
    """
    from thence.domains.recipes import CHANCE_OF_BOOK, additions
    from thence.domains.recipes.book import cookbook
    from thence.domains.recipes.generator import generate
    from thence.families.fable.recipes import cooks
    from thence.families.fable.recipes.recipe_cases import FITTING, RecipeCase

    fits = FITTING.get(analysis)
    ways = _MORE_WAYS if fits else _WAYS
    share = {"both": CHANCE_OF_BOOK, "generator": 0.0, "cookbook": 1.0}[source]
    while True:
        kind = "cookbook" if rng.random() < share else "generator"
        stored = kind == "cookbook"
        lowered = rng.choice(cookbook(anew=True)) if stored else generate(rng, anew=True)
        script = additions.extend(
            lowered,
            rng,
            soils=analysis == "taint",
            equipped=_EQUIPPED.get(analysis, additions.EQUIPPED),
        )
        if script is not None and (not fits or fits(script)):
            told = {
                "kind": kind,
                "cuisine": script.cuisine,
                "course": script.course,
                "added": [k for k, line in enumerate(script.lines) if line.added],
                "texts": script.texts,
            }
            alone = RecipeCase(script, told)
            shares = [cooks.share(len(script.lines), rng) for _ in range(ways)]
            if analysis == "concurrency":
                apart = (cooks.share_apart(alone.ways.order, rng) for _ in range(_APART))
                shares = [*filter(None, apart), *shares][:ways]
            yield [alone, *(RecipeCase(script, told, each, alone) for each in shares)]


TASKS = tasks(RecipesDomain())
