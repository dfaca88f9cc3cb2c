"""A plan as a case: its procedure, and the wording of its questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from thence.core.procedure import Procedure
from thence.domains.plans import english
from thence.domains.plans.generate import ENGLISH, SolvedPlan, shown
from thence.domains.plans.lowering import atom_text, effects, parse_action
from thence.domains.plans.pddl import Action, Atom, PddlDomain
from thence.families.fable.shared.domain import Case
from thence.families.fable.shared.plain import Verb, plain

_CHECKS = (
    ("Contamination ", "What is tainted "),
    ("contamination ", "what is tainted "),
    ("did not sanitise it", "were not checked"),
    ("sanitises it", "is checked"),
)


@dataclass(frozen=True, slots=True)
class PlanCase(Case):
    """A plan that the planner made, to ask about.

    Attributes:
        plan: the plan itself.
    """

    plan: SolvedPlan | None = None


def plan_case(plan: SolvedPlan, text: str) -> PlanCase:
    """Return the case of a plan, with steps in the wording ``text``."""
    source = {
        "kind": plan.domain.name,
        "text": text,
        "actions": [atom_text(action) for action in plan.actions],
        "rules": list(rules(plan.domain, tuple({a[0]: 0 for a in plan.actions}), text)),
    }
    return PlanCase(plan.procedure(text), source, plan)


def in_english(plan: SolvedPlan, case: Case) -> Case:
    """Return a plan in some order with its steps, goal and rules in English sentences."""
    actions = [parse_action(text) for text in case.source["actions"]]
    goal, lines = shown(plan.domain.name, plan.goal, actions, ENGLISH)
    names = tuple({action[0]: 0 for action in plan.actions})
    source = {**case.source, "text": ENGLISH, "rules": list(rules(plan.domain, names, ENGLISH))}
    texts = zip(case.procedure.steps, lines, strict=True)
    steps = tuple(replace(step, text=line) for step, line in texts)
    return Case(replace(case.procedure, goal=goal, steps=steps), source)


def fact_words(case: Case, fact: str) -> str:
    """Return a fact in the question's words, in quotation marks."""
    if case.source["text"] == ENGLISH:
        return f'"{english.fact(case.source["kind"], parse_action(fact))}"'
    return fact


def in_words(case: Case, sentence: str) -> str:
    """Return an explanation in the questions' words, with facts in quotation marks."""
    sentence = plain(sentence, Verb("make", "false"), Verb("make", "true"), "need")
    for one, other in _CHECKS:
        sentence = sentence.replace(one, other)
    if case.source["text"] != ENGLISH:
        return sentence
    for fact in dict.fromkeys(
        fact for step in case.procedure.steps for fact in (*step.uses, *step.defines, *step.kills)
    ):
        sentence = sentence.replace(f"'{fact}'", fact_words(case, fact))
    return sentence


def reordered(case: Case, rng: Random) -> Case:
    """Return the same steps in a random permitted order."""
    return listed(case, permitted(case, rng))


def permitted(case: Case, rng: Random, ranks: Sequence[float] = ()) -> list[int]:
    """Return a random permitted order of the steps.

    Args:
        case: the plan.
        rng: all chance.
        ranks: of each step; of those that can come next, the one with the least comes next. Without
            them any of these does.
    """
    count = len(case.procedure.steps)
    waiting = [0] * count
    after: list[list[int]] = [[] for _ in range(count)]
    for i, j in case.procedure.order:
        waiting[j] += 1
        after[i].append(j)
    ready = [step for step in range(count) if not waiting[step]]
    order: list[int] = []
    while ready:
        if ranks:
            ready.sort(key=ranks.__getitem__, reverse=True)
        step = ready.pop() if ranks else ready.pop(rng.randrange(len(ready)))
        order.append(step)
        for j in after[step]:
            waiting[j] -= 1
            if not waiting[j]:
                ready.append(j)
    return order


def listed(case: Case, order: Sequence[int]) -> Case:
    """Return the same steps, listed in one of the permitted orders."""
    procedure = case.procedure
    place = {step: number for number, step in enumerate(order)}
    pairs = sorted((place[i], place[j]) for i, j in procedure.order)
    steps = tuple(procedure.steps[step] for step in order)
    actions = [case.source["actions"][step] for step in order]
    source = {**case.source, "actions": actions}
    return Case(Procedure(procedure.goal, steps, tuple(pairs), procedure.start), source)


@lru_cache(1000)
def rules(domain: PddlDomain, names: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return the needs and effects of some actions, a line each, in the order of the domain."""
    say = _english_rule if text == ENGLISH else _grounded_rule
    return tuple(say(domain, action) for name, action in domain.actions.items() if name in names)


def _letters(action: Action) -> Atom:
    """Return the action with letters for its variables."""
    plain = {"from": "a", "to": "b"}
    names = [variable.lstrip("?") for variable, _ in action.parameters]
    return (action.name, *(plain.get(name, name) for name in names))


def _grounded_rule(domain: PddlDomain, action: Action) -> str:
    done = effects(domain, _letters(action))
    parts = [f"needs {_listed(list(map(atom_text, done.needs)))}"] if done.needs else []
    parts += [f"makes {_listed(list(map(atom_text, done.adds)))} true"] if done.adds else []
    parts += [f"makes {_listed(list(map(atom_text, done.deletes)))} false"] if done.deletes else []
    return f"{atom_text(_letters(action))}: {'; '.join(parts) or 'changes nothing'}."


def _english_rule(domain: PddlDomain, action: Action) -> str:
    name, *letters = _letters(action)
    atom = (name, *(letter.upper() for letter in letters))
    done = effects(domain, atom)

    def clauses(atoms: Sequence[Atom], joined: str) -> str:
        """Return atoms in words, joined by a conjunction."""
        return joined.join(english.fact(domain.name, each) for each in atoms)

    parts = [f"Before it: {clauses(done.needs, '; ')}."] if done.needs else []
    parts += [f"Made true: {clauses(done.adds, '; ')}."] if done.adds else []
    parts += [f"Made false: {clauses(done.deletes, '; ')}."] if done.deletes else []
    return f'"{english.action(domain.name, atom)}" {" ".join(parts) or "It changes nothing."}'


def _listed(words: Sequence[Any]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
