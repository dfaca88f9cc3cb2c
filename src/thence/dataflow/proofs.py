"""Check of the proof of an answer, by the definition of each analysis alone.

A proof shows an answer where every claim in it holds and the claims are enough. No claim is
compared with our own witness: any proof that shows the answer is accepted, and none of a wrong one.
See docs/concepts/dataflow.md for the form of the proofs of each analysis and answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from thence.core.graph import members
from thence.dataflow import proof_rules
from thence.dataflow.flow import START, Flow, Role
from thence.dataflow.graphs import conflicts
from thence.dataflow.problems import REACHING
from thence.dataflow.proof_parts import (
    InvalidProof,
    Proof,
    check_chain,
    check_clash,
    check_prefix,
    executions_of,
    named,
    one_step,
    required,
    some_worlds,
)
from thence.dataflow.questions import FlowAnswer, FlowQuestion, StepBounds, pair, present
from thence.dataflow.solver import solve
from thence.dataflow.worlds import steps_ending, steps_having


def check(flow: Flow, analysis: str, asked: FlowQuestion, answer: FlowAnswer, proof: Proof) -> None:
    """Raise an error unless a proof shows an answer.

    Args:
        flow: of the procedure.
        analysis: its name.
        asked: a question that the analysis accepts.
        answer: True or False; of intervals the pair of steps (after, before), 0-based.
        proof: the evidence.

    Raises:
        InvalidProof: it does not; the text says which claim is wrong or missing.
        TooManyOptions: the choices have too many combinations of options.
    """
    if isinstance(answer, tuple):
        _intervals(flow, asked, proof, answer)
        return
    _RULES[analysis, answer](flow, asked, proof)


# Type-state -------------------------------------------------------------------------------------


def _type_state_yes(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    i, j = pair(asked)
    makers = required(proof.steps, "steps")
    needs = dict.fromkeys(flow.steps[j].uses)
    for m in makers:
        if m in {i, j} or not any(flow.does(m, Role.DEFINE, fact) for fact in needs):
            raise InvalidProof(f"{named(m)} makes nothing that {named(j)} then needs.")
        if not flow.precedes(m, j):
            raise InvalidProof(f"{named(m)} does not always come before {named(j)}.")
    for world in some_worlds(flow, None, j):
        for fact in needs:
            there = [m for m in makers if world.does(m, Role.DEFINE, fact)]
            if not there and fact not in flow.start:
                raise InvalidProof(f"The steps named do not make all that {named(j)} needs.")
            for k in steps_having(world, fact, Role.KILL):
                ending = k not in {i, j} and not world.does(k, Role.DEFINE, fact)
                mended = world.precedes(j, k) or any(world.precedes(k, m) for m in there)
                if ending and not mended:
                    raise InvalidProof(
                        f"{named(k)} can end what {named(j)} needs, and none of the steps named "
                        "makes it anew."
                    )


def _type_state_no(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    i, j = pair(asked)
    k = one_step(proof)
    if k in {i, j}:
        raise InvalidProof(f"{named(k or 0)} is not one of the other steps.")
    order = None if proof.order is None else tuple(s for s in proof.order if s != i)
    for each in executions_of(flow, Proof(order=order, options=proof.options), j):
        world = each.world
        if k is not None and (world.is_left_out(k) or not each.before(k, j)):
            continue
        for fact in flow.steps[j].uses:
            makers = [m for m in steps_having(world, fact, Role.DEFINE) if m not in {i, j}]
            if k is None:
                lost = fact not in flow.start and all(each.before(j, m) for m in makers)
            else:
                lost = (
                    world.does(k, Role.KILL, fact)
                    and k not in makers
                    and all(each.before(m, k) or each.before(j, m) for m in makers)
                )
            if lost:
                return
    raise InvalidProof(
        f"In this order a step makes what {named(j)} needs, or it is there from the start."
        if k is None
        else f"In this order {named(k)} does not leave {named(j)} without what it needs."
    )


# Taint ------------------------------------------------------------------------------------------


def _taint_yes(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    i, j = asked.i, asked.j
    steps = required(proof.chain, "chain")
    if not steps or steps[-1] != j or (i is not None and (steps[0] != i or len(steps) < 2)):
        raise InvalidProof("The chain must lead from where it begins to the step asked about.")
    links = [*([] if i is not None else [(START, steps[0])]), *pairwise(steps)]
    for k in steps[i is not None : -1]:
        if k in asked.sanitizers:
            raise InvalidProof(f"{named(k)} passes nothing unsafe on.")
    why = "No options carry out all steps of the chain."
    for world in some_worlds(flow, proof.options, *steps):
        broken = next((each for each in links if not _passes(world, asked, *each)), None)
        if broken is None:
            return
        source = "The start" if broken[0] == START else named(broken[0])
        why = f"{source} leaves nothing unsafe that {named(broken[1])} needs."
    raise InvalidProof(why)


def _passes(world: Flow, asked: FlowQuestion, a: int, b: int) -> bool:
    made = world.start if a == START else world.steps[a].defines
    source = START if asked.i is None else asked.i
    return any(
        (asked.fact in {None, fact} or a != source) and solve(REACHING, world, fact).reaches(a, b)
        for fact in world.steps[b].uses
        if fact in made
    )


def _taint_no(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    i, j = asked.i, present(asked.j)
    if proof.choice is not None and i is not None:
        check_clash(flow, i, j, proof.choice)
        return
    cuts = frozenset(required(proof.steps, "steps"))
    used: set[int] = set()
    for world in some_worlds(flow, None, j, *(() if i is None else (i,))):
        reached, cutting = reached_past(world, asked, cuts)
        if j in reached:
            raise InvalidProof(f"The steps named do not cut every way to {named(j)}.")
        used |= cutting
    if idle := sorted(cuts - used):
        raise InvalidProof(f"{named(idle[0])} cuts no way.")


def reached_past(
    world: Flow, asked: FlowQuestion, cuts: frozenset[int]
) -> tuple[set[int], set[int]]:
    """Return the steps that something unsafe gets to where only some steps stop it, and these.

    Args:
        world: a procedure without choices.
        asked: the question.
        cuts: the steps that stop it: sanitising steps, and those that end a fact on its way.
    """
    source = START if asked.i is None else asked.i
    waiting, reached, cutting = [source], set[int](), set[int]()
    while waiting:
        a = waiting.pop()
        if a in reached and a in asked.sanitizers and a in cuts:
            cutting.add(a)
            continue
        for fact in world.start if a == START else world.steps[a].defines:
            if a == source and a not in reached and asked.fact not in {None, fact}:
                continue
            for b in steps_having(world, fact, Role.USE):
                if b == a or (a != START and world.precedes(b, a)):
                    continue
                stops = {
                    k
                    for k in cuts & frozenset(steps_ending(world, fact)) - {a, b}
                    if world.precedes(k, b) and (a == START or world.precedes(a, k))
                }
                cutting |= stops
                if not stops and b not in reached:
                    reached.add(b)
                    waiting.append(b)
    return reached, cutting


# Concurrency, intervals -------------------------------------------------------------------------


def _concurrency_yes(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    earlier, later = sorted(pair(asked), key=flow.position.__getitem__)
    if earlier == later or conflicts(flow.steps[earlier], flow.steps[later]):
        raise InvalidProof("The two steps touch what the other one relies on.")
    order = required(proof.order, "order")
    if later not in order or earlier in order:
        raise InvalidProof(f"The order must come to {named(later)} without {named(earlier)}.")
    why = "No options carry out all of these steps."
    for world in some_worlds(flow, proof.options, earlier, *order):
        try:
            check_prefix(world, order, world.all_steps & ~world.absent)
        except InvalidProof as error:
            why = str(error)
            continue
        return
    raise InvalidProof(why)


def _concurrency_no(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    i, j = pair(asked)
    if proof.choice is not None:
        check_clash(flow, i, j, proof.choice)
        return
    steps = required(proof.chain, "chain")
    if set(steps) == {i, j} and (i == j or conflicts(flow.steps[i], flow.steps[j])):
        return
    a, b = (i, j) if steps and steps[0] == i else (j, i)
    if a == b:
        raise InvalidProof("The chain must name the step asked about.")
    check_chain(flow, steps, a, b)


def _intervals(flow: Flow, asked: FlowQuestion, proof: Proof, answer: StepBounds) -> None:
    k, (after, before) = present(asked.i), answer
    steps = required(proof.chain, "chain")
    check_chain(flow, steps, k if after is None else after, k if before is None else before)
    if k not in steps or k in answer:
        raise InvalidProof(f"The chain must lead through {named(k)}.")
    for bound in answer:
        if bound is not None and not flow.is_possible(bound, k):
            raise InvalidProof(f"{named(bound)} and {named(k)} are never both carried out.")
    place, along = flow.position, flow.alongside(k)
    for bound, listed, backwards in ((after, proof.first, False), (before, proof.last, True)):
        sign = -1 if backwards else 1
        edge = (len(flow) if backwards else -1) if bound is None else place[bound]
        nearer = [s for s in members(along) if sign * edge < sign * place[s] < sign * place[k]]
        if listed is None:
            if nearer:
                raise InvalidProof(f"The proof lacks '{'last' if backwards else 'first'}'.")
            continue
        if not listed or listed[0 if backwards else -1] != k or set(nearer) & set(listed):
            raise InvalidProof(
                f"The {'end' if backwards else 'beginning'} of an order must "
                f"{'begin' if backwards else 'end'} with {named(k)}, and name no step nearer than "
                "the bound."
            )
        check_prefix(flow, listed, along, backwards=backwards)


_RULES: Mapping[tuple[str, bool], Callable[[Flow, FlowQuestion, Proof], None]] = {
    ("reaching_definitions", True): proof_rules.reaching_yes,
    ("reaching_definitions", False): proof_rules.reaching_no,
    ("available_expressions", True): proof_rules.available_yes,
    ("available_expressions", False): proof_rules.available_no,
    ("live_variables", True): proof_rules.live_yes,
    ("live_variables", False): proof_rules.live_no,
    ("very_busy_expressions", True): proof_rules.busy_yes,
    ("very_busy_expressions", False): proof_rules.busy_no,
    ("type_state", True): _type_state_yes,
    ("type_state", False): _type_state_no,
    ("taint", True): _taint_yes,
    ("taint", False): _taint_no,
    ("concurrency", True): _concurrency_yes,
    ("concurrency", False): _concurrency_no,
}
