"""Check of proofs about where a fact comes from and who needs it: the four gen/kill analyses."""

from __future__ import annotations

from collections.abc import Iterable

from thence.dataflow.flow import Flow, Role
from thence.dataflow.proof_parts import (
    InvalidProof,
    Proof,
    StagedExecutions,
    check_chain,
    check_clash,
    check_roles,
    check_unmade,
    executions_of,
    named,
    one_step,
    required,
    some_worlds,
    unlisted,
)
from thence.dataflow.questions import FlowQuestion, instance, pair
from thence.dataflow.worlds import steps_ending, steps_having

_TOO_EARLY = "The steps named do not show it: {} can still come first."


# Forward ----------------------------------------------------------------------------------------


def reaching_yes(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    """Raise an error unless in some execution what step i makes is what step j finds."""
    (i, j), (_, fact) = pair(asked), instance(asked)
    before, after = required(proof.before, "before"), required(proof.after, "after")
    check_roles(flow, (i,), fact, Role.DEFINE, what="make it")
    enders = frozenset(steps_ending(flow, fact)) - {i, j}
    check_roles(flow, (*before, *after), fact, Role.KILL, Role.DEFINE, what="end it")
    why = "No permitted order has the steps so before and after the two."
    for world in some_worlds(flow, proof.options, i, j):
        if StagedExecutions(world, (before, (i,), (j,), after)).is_permitted:
            missing = unlisted(flow, (k for k in enders if not world.is_left_out(k)), proof)
            if missing is None:
                return
            why = missing
    raise InvalidProof(why)


def reaching_no(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    """Raise an error unless in no execution what step i makes is what step j finds."""
    (i, j), (_, fact) = pair(asked), instance(asked)
    if proof.not_made:
        check_unmade(flow, i, j, fact)
    elif proof.choice is not None:
        check_clash(flow, i, j, proof.choice)
    elif proof.chain is not None:
        if i == j:
            raise InvalidProof("A chain leads from a step to another one.")
        check_chain(flow, proof.chain, j, i)
    else:
        stops = required(proof.steps, "steps")
        check_roles(flow, stops, fact, Role.KILL, Role.DEFINE, what="end it")
        for k in stops:
            if not (flow.precedes(i, k) and flow.precedes(k, j)):
                raise InvalidProof(
                    f"{named(k)} does not always come between {named(i)} and {named(j)}."
                )
        for world in some_worlds(flow, None, i, j):
            if all(map(world.is_left_out, stops)):
                raise InvalidProof("Under some options none of the steps named comes between.")


def available_yes(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    """Raise an error unless in every execution what step i makes is there for step j."""
    (i, j), (_, fact) = pair(asked), instance(asked)
    before, after = required(proof.before, "before"), required(proof.after, "after")
    check_roles(flow, (i,), fact, Role.DEFINE, what="make it")
    if i == j:
        raise InvalidProof(f"{named(i)} makes it only after it has begun.")
    check_chain(flow, required(proof.chain, "chain"), i, j)
    if flow.taken([j], 1 << i) is not None:
        raise InvalidProof(f"Under some options {named(i)} is left out and {named(j)} is not.")
    check_roles(flow, (*before, *after), fact, Role.KILL, what="end it")
    for k in before:
        if not flow.precedes(k, i):
            raise InvalidProof(f"{named(k)} does not always come before {named(i)}.")
    for k in after:
        if not flow.precedes(j, k):
            raise InvalidProof(f"{named(k)} does not always come after {named(j)}.")
    along = flow.alongside(j)
    killers = (k for k in steps_having(flow, fact, Role.KILL) if k not in {i, j} and along >> k & 1)
    if why := unlisted(flow, killers, proof):
        raise InvalidProof(why)


def available_no(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    """Raise an error unless in some execution what step i makes is not there for step j."""
    (i, j), (_, fact) = pair(asked), instance(asked)
    if proof.not_made:
        check_unmade(flow, i, j, fact)
        return
    k = one_step(proof)
    if k is not None:
        check_roles(flow, (k,), fact, Role.KILL, what="end it")
    for each in executions_of(flow, proof, j):
        world = each.world
        if world.is_left_out(i) or (k is None and each.before(j, i)):
            return
        if k is None or world.is_left_out(k) or k in {i, j}:
            continue
        if each.before(i, k) and each.before(k, j):
            return
    raise InvalidProof(
        f"In this order {named(i)} is carried out before {named(j)}."
        if k is None
        else f"In this order {named(k)} does not come between the two."
    )


# Backward ---------------------------------------------------------------------------------------


def live_yes(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    """Raise an error unless step i is followed by a use in some execution, with no end between."""
    i, fact = instance(asked)
    user = one_step(proof)
    if user is None:
        raise InvalidProof("The proof names no step that needs it.")
    check_roles(flow, (user,), fact, Role.USE, what="need it")
    why = f"In this order {named(user)} does not come after {named(i)}."
    for each in executions_of(flow, proof, i, user):
        if user == i or not each.before(i, user):
            continue
        between = _open(each, steps_ending(flow, fact), i, user)
        if between is None:
            return
        why = f"In this order {named(between)} can end it before {named(user)}."
    raise InvalidProof(why)


def _open(each: StagedExecutions, steps: Iterable[int], a: int, b: int) -> int | None:
    """Return one of some steps that is not kept from coming between two others."""
    for k in steps:
        if k in {a, b} or each.world.is_left_out(k):
            continue
        if not (each.before(k, a) or each.before(b, k)):
            return k
    return None


def live_no(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    """Raise an error unless step i is followed by a use in no execution, with no end between."""
    i, fact = instance(asked)
    stops = required(proof.steps, "steps")
    check_roles(flow, stops, fact, Role.KILL, Role.DEFINE, what="end it")
    for k in stops:
        if not flow.precedes(i, k):
            raise InvalidProof(f"{named(k)} does not always come after {named(i)}.")
    for world in some_worlds(flow, None, i):
        for user in steps_having(world, fact, Role.USE):
            if user == i or world.precedes(user, i):
                continue
            if not any(not world.is_left_out(k) and world.precedes(k, user) for k in stops):
                raise InvalidProof(_TOO_EARLY.format(f"{named(user)}, which needs it,"))


def busy_yes(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    """Raise an error unless step i is followed by a use in every execution, with no end between."""
    i, fact = instance(asked)
    before, after = required(proof.before, "before"), required(proof.after, "after")
    users = required(proof.steps, "steps")
    check_roles(flow, users, fact, Role.USE, what="need it")
    for user in users:
        if not flow.precedes(i, user):
            raise InvalidProof(f"{named(user)} does not always come after {named(i)}.")
    enders = [k for k in steps_ending(flow, fact) if k != i and not flow.does(k, Role.USE, fact)]
    check_roles(flow, (*before, *after), fact, Role.KILL, Role.DEFINE, what="end it")
    if why := unlisted(flow, (k for k in enders if flow.alongside(i) >> k & 1), proof):
        raise InvalidProof(why)
    for k in before:
        if not flow.precedes(k, i):
            raise InvalidProof(f"{named(k)} does not always come before {named(i)}.")
    for world in some_worlds(flow, None, i):
        there = [user for user in users if not world.is_left_out(user)]
        if not there:
            raise InvalidProof("Under some options none of the steps named is carried out.")
        for k in enders:
            if world.is_left_out(k) or world.precedes(k, i):
                continue
            if not any(world.precedes(user, k) for user in there):
                raise InvalidProof(_TOO_EARLY.format(f"{named(k)}, which ends it,"))


def busy_no(flow: Flow, asked: FlowQuestion, proof: Proof) -> None:
    """Raise an error unless step i is followed by no use, or by an end first, in some execution."""
    i, fact = instance(asked)
    k = one_step(proof)
    if k is not None:
        check_roles(flow, (k,), fact, Role.KILL, Role.DEFINE, what="end it")
        if k == i or flow.does(k, Role.USE, fact):
            raise InvalidProof(f"{named(k)} does not end it unused after {named(i)}.")
    why = ""
    for each in executions_of(flow, proof, i, *(() if k is None else (k,))):
        if k is not None and not each.before(i, k):
            why = f"In this order {named(k)} does not come after {named(i)}."
            continue
        for user in steps_having(each.world, fact, Role.USE):
            if user != i and not (each.before(user, i) or (k is not None and each.before(k, user))):
                why = f"In this order {named(user)} can still need it first."
                break
        else:
            return
    raise InvalidProof(why)
