"""A proof of the answer to a question, in the form that `proofs.check` accepts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from thence.core.graph import members
from thence.dataflow.analyses import ANALYSES
from thence.dataflow.flow import Flow, Role
from thence.dataflow.proof_parts import NONE, InvalidProof, Proof, some_worlds
from thence.dataflow.proofs import check, reached_past
from thence.dataflow.questions import (
    FlowQuestion,
    StepBounds,
    Witness,
    instance,
    pair,
    present,
)
from thence.dataflow.worlds import steps_ending, steps_having


def prove(flow: Flow, analysis: str, asked: FlowQuestion) -> Proof:
    """Return a short proof of the answer to a question.

    Args:
        flow: of the procedure.
        analysis: its name.
        asked: a question that the analysis accepts.

    Raises:
        TooManyOptions: the choices have too many combinations of options.
    """
    verdict = ANALYSES[analysis].rule(flow, asked)
    if isinstance(verdict.answer, tuple):
        return _intervals(flow, asked, verdict.answer)
    made = _MAKERS[analysis, verdict.answer](flow, asked, verdict.witness)
    return made if flow.choices is None else _with_fewer_options(flow, analysis, asked, made)


def _with_fewer_options(flow: Flow, analysis: str, asked: FlowQuestion, made: Proof) -> Proof:
    """Return a proof that names only the options that matter."""
    for choice in made.options or {}:
        rest = {name: option for name, option in (made.options or {}).items() if name != choice}
        if _holds(flow, analysis, asked, less := replace(made, options=rest)):
            made = less
    return made


def _holds(flow: Flow, analysis: str, asked: FlowQuestion, proof: Proof) -> bool:
    try:
        check(flow, analysis, asked, ANALYSES[analysis].rule(flow, asked).answer, proof)
    except InvalidProof:
        return False
    return True


def _fewest(flow: Flow, analysis: str, asked: FlowQuestion, steps: Iterable[int]) -> Proof:
    """Return the proof by as few of some steps as suffice, those that stand first kept."""
    kept = flow.in_order(steps)
    for step in reversed(kept):
        rest = tuple(each for each in kept if each != step)
        if _holds(flow, analysis, asked, Proof(steps=rest)):
            kept = list(rest)
    return Proof(steps=tuple(kept))


def _shown(witness: Witness, kept: Collection[int | None], step: int | None) -> Proof:
    """Return the proof by an execution, of which only the steps that matter are named."""
    run = witness.get("execution")
    order = None if run is None else tuple(k for k in run if k in kept)
    return Proof(step=NONE if step is None else step, order=order, options=witness.get("options"))


def _reaching_yes(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    (i, j), (_, fact) = pair(asked), instance(asked)
    run = witness["execution"]
    enders = frozenset(steps_ending(flow, fact)) - {i, j}
    before = [k for k in run[: run.index(i)] if k in enders]
    after = [k for k in run[run.index(j) :] if k in enders]
    return replace(_sides(flow, before, after), options=witness.get("options"))


def _sides(flow: Flow, before: Collection[int], after: Collection[int]) -> Proof:
    """Return the proof by the ending steps on both sides, without those behind others of them."""
    return Proof(
        before=tuple(k for k in before if not any(flow.precedes(k, other) for other in before)),
        after=tuple(k for k in after if not any(flow.precedes(other, k) for other in after)),
    )


def _reaching_no(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    if "choice" in witness:
        return Proof(choice=witness["choice"])
    if "order" in witness:
        return Proof(chain=tuple(witness["order"]))
    stops = witness.get("steps", [witness["step"]] if "step" in witness else None)
    return Proof(not_made=True) if stops is None else Proof(steps=tuple(stops))


def _available_yes(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    (i, j), (_, fact) = pair(asked), instance(asked)
    killers = (k for k in steps_having(flow, fact, Role.KILL) if k not in {i, j})
    along = [k for k in flow.in_order(killers) if flow.alongside(j) >> k & 1]
    sides = _sides(
        flow,
        [k for k in along if flow.precedes(k, i)],
        [k for k in along if flow.precedes(j, k)],
    )
    return replace(sides, chain=tuple(flow.chain(i, j)))


def _available_no(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    step = witness.get("step")
    if "execution" not in witness:
        return Proof(not_made=True)
    return _shown(witness, {*pair(asked), step}, step)


def _live_yes(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    i, fact = instance(asked)
    user = witness["step"]
    return _shown(witness, {i, user, *steps_ending(flow, fact)}, user)


def _live_no(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    i, fact = instance(asked)
    stops = (k for k in steps_ending(flow, fact) if flow.precedes(i, k))
    return _fewest(flow, "live_variables", asked, stops)


def _busy_yes(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    i, fact = instance(asked)
    enders = [k for k in steps_ending(flow, fact) if k != i and not flow.does(k, Role.USE, fact)]
    along = [k for k in flow.in_order(enders) if flow.alongside(i) >> k & 1]
    before = [k for k in along if flow.precedes(k, i)]
    sides = _sides(flow, before, [k for k in along if k not in before])
    kept = flow.in_order(k for k in steps_having(flow, fact, Role.USE) if flow.precedes(i, k))
    for user in reversed(kept):
        rest = tuple(each for each in kept if each != user)
        if _holds(flow, "very_busy_expressions", asked, replace(sides, steps=rest)):
            kept = list(rest)
    return replace(sides, steps=tuple(kept))


def _busy_no(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    i, fact = instance(asked)
    step = witness.get("step")
    return _shown(witness, {i, step, *steps_having(flow, fact, Role.USE)}, step)


def _type_state_yes(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    i, j = pair(asked)
    makers = {
        m
        for fact in flow.steps[j].uses
        for m in steps_having(flow, fact, Role.DEFINE)
        if m not in {i, j} and flow.precedes(m, j)
    }
    return _fewest(flow, "type_state", asked, makers)


def _type_state_no(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    i, j = pair(asked)
    step, options = witness.get("step"), witness.get("options")
    made = Proof(step=NONE if step is None else step, options=options)
    if _holds(flow, "type_state", asked, made):
        return made  # the listed order shows it
    world = flow.under(options) if options else flow
    run = world.earliest_execution(j) if step is None else world.closest_execution(step, j)
    matter = {step, j, *steps_having(flow, present(witness["fact"]), Role.DEFINE)} - {i}
    return replace(made, order=tuple(k for k in run if k in matter))


def _taint_yes(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    begin = () if asked.i is None else (asked.i,)
    chain = (*begin, *(link["to"] for link in witness["chain"]))
    return Proof(chain=chain, options=witness.get("options"))


def _taint_no(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    if "choice" in witness:
        return Proof(choice=witness["choice"])
    every = frozenset(k for fact in flow.facts for k in steps_ending(flow, fact)) | asked.sanitizers
    both = [k for k in (asked.i, asked.j) if k is not None]
    cuts: set[int] = set()
    for world in some_worlds(flow, None, *both):
        cuts |= reached_past(world, asked, every)[1]
    return _fewest(flow, "taint", asked, cuts)


def _concurrency_yes(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    _, later = sorted(pair(asked), key=flow.position.__getitem__)
    options = witness.get("options")
    world = flow.under(options) if options else flow
    ahead = (k for k in members(world.ancestors[later]) if not world.is_left_out(k))
    return Proof(order=(*world.in_order(ahead), later), options=options)


def _concurrency_no(flow: Flow, asked: FlowQuestion, witness: Witness) -> Proof:
    if "choice" in witness:
        return Proof(choice=witness["choice"])
    return Proof(chain=tuple(witness.get("order", dict.fromkeys(pair(asked)))))


def _intervals(flow: Flow, asked: FlowQuestion, answer: StepBounds) -> Proof:
    k, (after, before) = present(asked.i), answer
    along = flow.alongside(k)
    first = flow.in_order(members(flow.ancestors[k] & along))
    last = flow.in_order(members(flow.descendants[k] & along))
    chain = [] if after is None else flow.chain(after, k)[:-1]
    chain += [k] if before is None else flow.chain(k, before)
    return Proof(chain=tuple(chain), first=(*first, k), last=(k, *last))


_MAKERS: Mapping[tuple[str, bool], Callable[[Flow, FlowQuestion, Witness], Proof]] = {
    ("reaching_definitions", True): _reaching_yes,
    ("reaching_definitions", False): _reaching_no,
    ("available_expressions", True): _available_yes,
    ("available_expressions", False): _available_no,
    ("live_variables", True): _live_yes,
    ("live_variables", False): _live_no,
    ("very_busy_expressions", True): _busy_yes,
    ("very_busy_expressions", False): _busy_no,
    ("type_state", True): _type_state_yes,
    ("type_state", False): _type_state_no,
    ("taint", True): _taint_yes,
    ("taint", False): _taint_no,
    ("concurrency", True): _concurrency_yes,
    ("concurrency", False): _concurrency_no,
}
