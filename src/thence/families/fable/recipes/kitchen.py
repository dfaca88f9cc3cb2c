"""What is known of a recipe when questions are asked about it, wherever its facts come from."""

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
from thence.domains.recipes.lowering import IN_ANY_FORM, Lowered, raw
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
    """A case with everything that questions need.

    Attributes:
        plain: the procedure with facts about things alone, none about ingredients in any form.
        raw: for each step: thing -> ingredients in it that no heat has made safe.
        heats: steps in which heat makes something safe.
        brings: for each step the ingredients that come in.
        vocabulary: heads of the entities that may be asked about; None for all.
        recipe: in its structured form; None where only its text is known.
    """

    plain: Procedure = field(default_factory=lambda: Procedure("", ()))
    raw: Sequence[Mapping[str, frozenset[str]]] = field(default_factory=tuple)
    heats: tuple[int, ...] = ()
    brings: tuple[tuple[str, ...], ...] = ()
    vocabulary: frozenset[str] | None = None
    recipe: Recipe | None = None

    def allows(self, name: str) -> bool:
        """Whether something may be asked about."""
        words = name.removesuffix(IN_ANY_FORM).split()
        return self.vocabulary is None or (bool(words) and stem(words[-1]) in self.vocabulary)


def kitchen(lowered: Lowered, source: Mapping[str, Any]) -> Kitchen:
    """The case of a recipe with its facts."""
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
    """A procedure without its facts about ingredients in any form; the order stays."""
    return replace(procedure, steps=tuple(_bare(step) for step in procedure.steps))


def _bare(step: Step) -> Step:
    def kept(facts: Sequence[str]) -> tuple[str, ...]:
        return tuple(fact for fact in facts if not fact.endswith(IN_ANY_FORM))

    return replace(step, uses=kept(step.uses), defines=kept(step.defines), kills=kept(step.kills))


@lru_cache(maxsize=64)
def flow(procedure: Procedure) -> Flow:
    """The flow of a procedure, kept while several questions are asked about it."""
    return Flow(procedure)


def thing(fact: str) -> str:
    """A fact in words: ``the eggs`` or ``the oven``."""
    return f"the {fact.removesuffix(IN_ANY_FORM)}"


def words(text: str) -> frozenset[str]:
    """The words of a text in small letters, without a plural s."""
    return frozenset(word.removesuffix("s") for word in _WORD.findall(text.lower()))


def mentioned(fact: str, text: str) -> bool:
    """Whether a text names the last word of a fact, by which a shortcut would go."""
    names = _WORD.findall(fact.removesuffix(IN_ANY_FORM).lower())
    return bool(names) and names[-1].removesuffix("s") in words(text)


def named(fact: str, text: str) -> bool:
    """Whether a text holds every word of a fact."""
    lower = text.lower()
    return all(word in lower for word in _words_of(fact))


@lru_cache(maxsize=4096)
def _words_of(fact: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fact.removesuffix(IN_ANY_FORM).lower()))


def opening(text: str) -> str:
    """The word that a step begins with, "meanwhile" left out."""
    start = text.lower().removeprefix("meanwhile, ").removeprefix("in the meantime, ")
    first = _WORD.findall(start.split(maxsplit=1)[0] if start else "")
    return first[0] if first else ""


def manner(text: str) -> str:
    """What a step begins with: heat, the end of the work, or preparation."""
    word = opening(text)
    return "heat" if word in _HEAT else "finish" if word in _FINISH else "prepare"


def risky(kitchen: Kitchen, step: int) -> list[tuple[str, str]]:
    """Ingredients that come in at a step and are unsafe raw, with what they may carry."""
    return [(name, kind) for name in kitchen.brings[step] if (kind := hazard(name)) is not None]
