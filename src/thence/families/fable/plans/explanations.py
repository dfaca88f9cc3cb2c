"""Explanations of answers about plans, in the words of their questions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from thence.core.procedure import Step
from thence.dataflow import Flow, Verdict, sentences
from thence.dataflow.analyses.taint import always_holds
from thence.dataflow.flow import Role
from thence.dataflow.graphs import conflicts
from thence.dataflow.questions import ChainLink, StepBounds, present
from thence.families.fable.plans.words import in_words
from thence.families.fable.shared.domain import Case
from thence.families.fable.shared.sources_of_facts import with_sources

_EXECUTION = re.compile(r"(?<=in the order )\d[\d, .]*\d")


def explained(name: str, case: Case, asked: Mapping[str, Any], verdict: Verdict) -> str:
    """Return why the answer to a question about a plan is so.

    Args:
        name: name of the analysis.
        case: the plan as it is shown.
        asked: ``i`` and, where they apply, ``j``, ``fact`` and ``sanitizers``.
        verdict: the answer with its witness.
    """
    witness, why = verdict.witness, verdict.why
    if name == "taint" and "chain" in witness:
        return in_words(case, _chain(Flow(case.procedure), witness["chain"]))
    if name == "concurrency":
        if "order" in witness:
            why = _order(case, witness["order"])
        elif verdict.answer:
            why = f"{_unordered(case, asked)} {why.partition('. ')[2]}"
    if isinstance(verdict.answer, tuple):
        why += _bounds(case, asked["i"], verdict.answer)
    why = with_sources(why, Flow(case.procedure), asked, "tainted")
    if "execution" in witness:  # the asked and the deciding steps are among those left out
        every = ", ".join(str(step + 1) for step in witness["execution"])
        why = _EXECUTION.sub(every, why)
    return in_words(case, why)


def _chain(flow: Flow, links: Sequence[ChainLink]) -> str:
    told = [
        f"step {present(link['from']) + 1} makes '{link['fact']}' true, "
        f"which step {link['to'] + 1} needs"
        for link in links
    ]
    told[0] = f"S{told[0][1:]}"
    passed = "; ".join(told)
    scope = sentences.Scope(flow, flow.all_steps)
    gets = sentences.can(scope, "gets", "get", sure=always_holds(scope, links))
    return f"{passed}. So what is tainted {gets} there, and no step that passes it on is checked."


def _order(case: Case, order: Sequence[int]) -> str:
    """Return the chain of queues and waits, or of facts, that puts two steps in order."""
    chain = "; ".join(_link(case, a, b) for a, b in pairwise(order))
    return f"Step {order[-1] + 1} must come after step {order[0] + 1}: {chain}."


def _unordered(case: Case, asked: Mapping[str, Any]) -> str:
    """Return that neither of the two steps has to come before the other."""
    chain = "queues and waits" if "queues" in case.source else "steps that keep their order"
    return (
        f"No chain of {chain} leads from step {asked['i'] + 1} to step {asked['j'] + 1}, or back, "
        "so that each of the two can come first."
    )


def _bounds(case: Case, i: int, bounds: StepBounds) -> str:
    """Return what binds a step to its bounds, as another sentence, or nothing."""
    after, before = bounds
    told = [_link(case, after, i)] if after is not None else []
    told += [_link(case, i, before)] if before is not None else []
    if not told:
        return ""
    whole = "; ".join(told)
    return f" {whole[0].upper()}{whole[1:]}."


def _link(case: Case, a: int, b: int) -> str:
    """Return why step b comes directly after step a in the order."""
    if "queues" not in case.source:
        return _conflict(case.procedure.steps, a, b)
    if [a, b] in case.source["waits"]:
        return f"step {b + 1} waits until step {a + 1} is done"
    number = next(k for k, queue in enumerate(case.source["queues"]) if a in queue)
    return f"step {b + 1} stands after step {a + 1} in Queue {'ABC'[number]}"


def _conflict(steps: Sequence[Step], a: int, b: int) -> str:
    """Return the fact for which two steps keep the order in which they are listed."""
    found = conflicts(steps[a], steps[b])
    made = (Role.DEFINE, Role.USE)
    fact, first, second = next((each for each in found if each[1:] == made), found[0])
    if (first, second) == made:
        return f"step {a + 1} defines '{fact}', which step {b + 1} uses"
    return f"step {a + 1} {first.value} '{fact}' before step {b + 1} {second.value} it"
