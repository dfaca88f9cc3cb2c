"""Explanations of answers about plans, in the words of their questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from thence.dataflow import Flow, Verdict
from thence.dataflow.questions import FlowQuestion
from thence.dataflow.reasons import reason
from thence.dataflow.sentences import listed
from thence.families.fable.plans.words import in_words
from thence.families.fable.shared.domain import Case

_CLEAN: Mapping[str, str] = {
    "no_source": "step {i} makes nothing true",
    "overwritten": "a step that is not tainted makes it true anew on every way",
    "killed": "a step makes it false on every way",
    "too_early": "the steps that would pass it on come too early",
    "no_way": "no step that needs it comes later on a way to step {j}",
}


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
        return in_words(case, _chain(witness["chain"]))
    if name == "taint" and "sanitizers" not in witness:
        question = FlowQuestion(asked["i"], asked["j"], None, frozenset(asked["sanitizers"]))
        told = _CLEAN.get(reason(Flow(case.procedure), name, question).name)
        if told is not None:
            told = told.format(i=asked["i"] + 1, j=asked["j"] + 1)
            return f"Nothing tainted gets to step {asked['j'] + 1}: {told}."
    if name == "concurrency" and "order" in witness:
        return _order(witness["order"])
    if "execution" in witness:  # the asked and the deciding steps are among those left out
        every = ", ".join(str(step + 1) for step in witness["execution"])
        why = why.replace(listed(witness["execution"]), every)
    return in_words(case, why)


def _chain(links: Sequence[Mapping[str, Any]]) -> str:
    told = [
        f"step {link['from'] + 1} makes '{link['fact']}' true, which step {link['to'] + 1} needs"
        for link in links
    ]
    told[0] = f"S{told[0][1:]}"
    passed = "; ".join(told)
    return f"{passed}. So what is tainted gets there, and no step that passes it on is checked."


def _order(order: Sequence[int]) -> str:
    chain = ", ".join(f"step {b + 1} after step {a + 1}" for a, b in pairwise(order))
    return f"Step {order[-1] + 1} must come after step {order[0] + 1}: {chain}."
