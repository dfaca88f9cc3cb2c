"""A recipe as a case for questions, from any source of facts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from thence.core.procedure import Procedure, Step, executable
from thence.dataflow import Flow
from thence.domains.recipes.form import Recipe
from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lexicon import stem
from thence.domains.recipes.lowering import IN_ANY_FORM, LoweredRecipe, raw
from thence.families.fable.shared.domain import Case

_WORD = re.compile(r"[a-z]+")
_HEAT = frozenset(
    [
        "bake",
        "boil",
        "braise",
        "brown",
        "cook",
        "fry",
        "grill",
        "heat",
        "melt",
        "preheat",
        "poach",
        "roast",
        "sear",
        "simmer",
        "steam",
        "toast",
        "warm",
        "scramble",
        "soften",
        "stir-fry",
        "sizzle",
        "char",
        "blanch",
        "reduce",
        "bring",
    ]
)
_FINISH = frozenset(
    [
        "serve",
        "top",
        "scatter",
        "sprinkle",
        "dust",
        "garnish",
        "finish",
        "cool",
        "rest",
        "ladle",
        "spoon",
        "divide",
        "slice",
        "let",
        "leave",
        "chill",
        "discard",
        "remove",
        "take",
    ]
)


@dataclass(frozen=True, slots=True)
class Kitchen(Case):
    """A case with all data for its questions.

    Attributes:
        plain: the procedure with facts about things alone, none about ingredients in any form.
        raw: for each step: thing -> its ingredients that are still unsafe raw.
        heats: steps in which heat makes something safe.
        brings: for each step the ingredients that come in.
        vocabulary: heads of the entities allowed in questions; None for all.
        recipe: the structured form; None if only the text is known.
    """

    plain: Procedure = field(default_factory=lambda: Procedure("", ()))
    raw: Sequence[Mapping[str, frozenset[str]]] = field(default_factory=tuple)
    heats: tuple[int, ...] = ()
    brings: tuple[tuple[str, ...], ...] = ()
    vocabulary: frozenset[str] | None = None
    recipe: Recipe | None = None

    def allows(self, name: str) -> bool:
        """Return whether an entity is allowed in questions."""
        words = name.removesuffix(IN_ANY_FORM).split()
        return self.vocabulary is None or (bool(words) and stem(words[-1]) in self.vocabulary)


def kitchen(lowered: LoweredRecipe, source: Mapping[str, Any]) -> Kitchen:
    """Return the case of a recipe with its facts."""
    procedure = lowered.procedure
    traces = lowered.traces
    return Kitchen(
        procedure=procedure,
        source=source,
        plain=bare(procedure),
        raw=raw(traces) if executable(traces) else tuple({} for _ in traces),
        heats=tuple(k for k, each in enumerate(traces) if each.heats),
        brings=tuple(tuple(each.brings) for each in traces),
        recipe=lowered.recipe if any(lowered.recipe.steps) else None,
    )


def bare(procedure: Procedure) -> Procedure:
    """Return a procedure without facts about ingredients in any form, in the same order."""
    return replace(procedure, steps=tuple(_bare(step) for step in procedure.steps))


def _bare(step: Step) -> Step:
    def kept(facts: Sequence[str]) -> tuple[str, ...]:
        return tuple(fact for fact in facts if not fact.endswith(IN_ANY_FORM))

    return replace(step, uses=kept(step.uses), defines=kept(step.defines), kills=kept(step.kills))


@lru_cache(maxsize=64)
def flow(procedure: Procedure) -> Flow:
    """Return the flow of a procedure, cached for several questions about it."""
    return Flow(procedure)


def thing(fact: str) -> str:
    """Return a fact in words: ``the eggs``, ``the oven``, or ``half of the dough`` as it is."""
    name = fact.removesuffix(IN_ANY_FORM)
    return name if name.startswith(("half of ", "more ")) else f"the {name}"


def words(text: str) -> frozenset[str]:
    """Return the words of a text in lower case, without a plural s."""
    return frozenset(word.removesuffix("s") for word in _WORD.findall(text.lower()))


def mentioned(fact: str, text: str) -> bool:
    """Return whether a text has the last word of a fact, the cue of a shortcut."""
    names = _WORD.findall(fact.removesuffix(IN_ANY_FORM).lower())
    return bool(names) and names[-1].removesuffix("s") in words(text)


def named(fact: str, text: str) -> bool:
    """Return whether a text has every word of a fact."""
    lower = text.lower()
    return all(word in lower for word in _words_of(fact))


@lru_cache(maxsize=4096)
def _words_of(fact: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fact.removesuffix(IN_ANY_FORM).lower()))


def opening(text: str) -> str:
    """Return the first word of a step, without "meanwhile"."""
    start = text.lower().removeprefix("meanwhile, ").removeprefix("in the meantime, ")
    first = _WORD.findall(start.split(maxsplit=1)[0] if start else "")
    return first[0] if first else ""


def manner(text: str) -> str:
    """Return the type of a step's opening: heat, the end of the work, or preparation."""
    word = opening(text)
    return "heat" if word in _HEAT else "finish" if word in _FINISH else "prepare"


def risky(kitchen: Kitchen, step: int) -> list[tuple[str, str]]:
    """Return the ingredients of a step that are unsafe raw, with their hazards."""
    return [(name, kind) for name in kitchen.brings[step] if (kind := hazard(name)) is not None]
