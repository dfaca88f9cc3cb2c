"""Variants of a procedure: names filled in, choices settled, other times, another listing.

Each keeps what makes the answers: the facts, and the order of the steps that are left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

from thence.core.graph import Graph, members
from thence.core.procedure import Choice, Procedure, Step, Taken
from thence.dataflow import conflict_order

_NAME = re.compile(r"<([a-z]+)( \d)?>")
_GRAINS = ((300, 30), (1800, 60), (7200, 300))  # seconds up to which times are rounded to these
_LONG = 1800  # what longer ones are rounded to
_TRIES = 50  # at places of steps that are wrong
_MISTAKES = 2, 4  # fewest and most steps in wrong places or listed twice
_TWICE = 0.7  # of these are listed twice
_SOON = 6  # places at most after the first time
_FOR_ONE = 0.8  # of the steps listed twice are then for one option only
_PEOPLE = "AB"
_BOTH = 2, 4  # fewest and most steps that are for both people
_SAME = 0.6  # a step is for the same of two people as the step before it
_WAITS = 0.6  # of the waits of one for the other that it takes are stated
_WAITS_TO_END = 0.3  # of those of a step that ends what the other needs
_TOO_LATE = 0.5  # of the steps listed twice come again after something that they need is ended
_LEAST, _MOST = 0.7, 1.5  # of the stated time of a step


def named(procedure: Procedure, names: Mapping[str, Sequence[str]], rng: Random) -> Procedure:
    """Return a procedure with names for marks such as ``<host>``, others for ``<host 2>``.

    Args:
        procedure: the marks stand in its texts, facts and choices.
        names: the names of each kind.
        rng: draws which are taken.
    """
    drawn = {kind: rng.sample(each, len(each)) for kind, each in sorted(names.items())}

    def fill(text: str) -> str:
        return _NAME.sub(lambda found: drawn[found[1]][int(found[2] or 1) - 1], text)

    return _told(procedure, fill)


def _told(procedure: Procedure, tell: Callable[[str], str]) -> Procedure:
    """Return a procedure with each text changed."""

    def facts(held: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(tell, held))

    def taken(when: Sequence[Taken]) -> tuple[Taken, ...]:
        return tuple((tell(choice), tell(option)) for choice, option in when)

    steps = tuple(
        replace(
            each,
            text=tell(each.text),
            uses=facts(each.uses),
            defines=facts(each.defines),
            kills=facts(each.kills),
            when=taken(each.when),
        )
        for each in procedure.steps
    )
    choices = tuple(Choice(tell(each.name), facts(each.options)) for each in procedure.choices)
    start = None if procedure.start is None else facts(procedure.start)
    return Procedure(tell(procedure.goal), steps, procedure.order, start, choices)


def settled(procedure: Procedure, options: Mapping[str, str]) -> Procedure:
    """Return a procedure in which some choices are made; the order holds through what falls out.

    Args:
        procedure: its facts of the start are known.
        options: the option taken of each of these choices.
    """
    kept = [
        k
        for k, step in enumerate(procedure.steps)
        if all(options.get(choice, option) == option for choice, option in step.when)
    ]
    steps = tuple(
        replace(step, when=tuple(each for each in step.when if each[0] not in options))
        for step in (procedure.steps[k] for k in kept)
    )
    place = {old: new for new, old in enumerate(kept)}
    before = Graph(len(procedure.steps), procedure.order).descendants
    pairs = [(place[a], place[b]) for a in kept for b in members(before[a]) if b in place]
    touched = {fact for step in steps for fact in (*step.uses, *step.defines, *step.kills)}
    return Procedure(
        procedure.goal,
        steps,
        tuple(sorted(Graph(len(steps), pairs).transitive_reduction())),
        tuple(fact for fact in procedure.start or () if fact in touched),
        tuple(each for each in procedure.choices if each.name not in options),
    )


def retimed(procedure: Procedure, rng: Random) -> Procedure:
    """Return a procedure whose steps take other times, about as long and as round as before."""
    return replace(procedure, steps=tuple(_retimed(step, rng) for step in procedure.steps))


def _retimed(step: Step, rng: Random) -> Step:
    if step.seconds is None:
        return step
    low, high = step.seconds
    times = rng.uniform(_LEAST, _MOST)
    grain = next((each for most, each in _GRAINS if low * times <= most), _LONG)
    least = max(1, round(low * times / grain))
    extra = round((high - low) * rng.uniform(_LEAST, _MOST) / grain)
    return replace(step, seconds=(float(least * grain), float((least + extra) * grain)))


def relisted(procedure: Procedure, rng: Random) -> Procedure:
    """Return a procedure with its steps listed in a random permitted order."""
    size = len(procedure.steps)
    graph = Graph(size, procedure.order)
    waits = [len(each) for each in graph.predecessors]
    ready = [k for k in range(size) if not waits[k]]
    order: list[int] = []
    while ready:
        order.append(ready.pop(rng.randrange(len(ready))))
        for after in graph.successors[order[-1]]:
            waits[after] -= 1
            if not waits[after]:
                ready.append(after)
    place = {old: new for new, old in enumerate(order)}
    return replace(
        procedure,
        steps=tuple(procedure.steps[k] for k in order),
        order=tuple(sorted((place[a], place[b]) for a, b in procedure.order)),
    )


def shuffled(procedure: Procedure, rng: Random) -> Procedure:
    """Return a procedure with the options of its choices told in another order."""
    choices = (Choice(each.name, _in_random_order(each.options, rng)) for each in procedure.choices)
    return replace(procedure, choices=tuple(choices))


def _in_random_order(options: Sequence[str], rng: Random) -> tuple[str, ...]:
    return tuple(rng.sample(options, len(options)))


def divided(procedure: Procedure, rng: Random) -> Procedure:
    """Return a procedure whose steps two people, A and B, share.

    Each carries out their own steps in the listed order. Some steps are for both, and some waits of
    one for the other are missing.
    """
    people = [rng.choice(_PEOPLE)]
    for _ in procedure.steps[1:]:
        people.append(people[-1] if rng.random() < _SAME else _other(people[-1]))
    order = list(enumerate(people))
    wanted = min(len(order) + rng.randint(*_BOTH), 2 * len(order))  # each step is for both then
    while len(order) < wanted:
        late = _too_late(procedure.steps, [each for each, _ in order], rng)
        number, after = late or (rng.randrange(len(people)), -1)
        both = number, _other(people[number])
        if both not in order:
            order.insert(rng.randint(after + 1, len(order)), both)
    place = {each: k for k, each in enumerate(order)}
    pairs = [
        pair
        for one in _PEOPLE
        for pair in pairwise(k for k, (_, person) in enumerate(order) if person == one)
    ]
    for a, b in procedure.order:
        one, other = place[a, people[a]], place[b, people[b]]
        ends = set(procedure.steps[b].kills).intersection(procedure.steps[a].uses)
        if people[a] != people[b] and rng.random() < (_WAITS_TO_END if ends else _WAITS):
            pairs.append((one, other))
    steps = [replace(s, text=f"{who}: {s.text}") for k, who in order for s in [procedure.steps[k]]]
    copies = [k for k, (number, who) in enumerate(order) if who != people[number]]
    return replace(
        procedure,
        steps=_bound(procedure, steps, copies, rng),
        order=tuple(sorted(Graph(len(steps), pairs).transitive_reduction())),
    )


def _too_late(steps: Sequence[Step], order: Sequence[int], rng: Random) -> tuple[int, int] | None:
    """Return a step and a place after which it does not find what it needs, or nothing.

    There stands a step that ends something that the other needs, and does not need this itself.
    """
    found = [
        (number, place)
        for place, ender in enumerate(order)
        for number in order[:place]
        if set(steps[ender].kills).difference(steps[ender].uses).intersection(steps[number].uses)
    ]
    return rng.choice(found) if found and rng.random() < _TOO_LATE else None


def _other(person: str) -> str:
    return _PEOPLE[person == _PEOPLE[0]]


def _bound(
    procedure: Procedure, steps: Sequence[Step], places: Sequence[int], rng: Random
) -> tuple[Step, ...]:
    """Return steps of which some at these places are for one option only, by mistake."""
    found = list(steps)
    for place in places:
        if procedure.choices and not found[place].when and rng.random() < _FOR_ONE:
            choice = rng.choice(procedure.choices)
            found[place] = replace(steps[place], when=((choice.name, rng.choice(choice.options)),))
    return tuple(found)


def mistaken(procedure: Procedure, rng: Random) -> Procedure:
    """Return a procedure with some steps in wrong places, listed twice or for one option only.

    Its order is that of the list where steps conflict. Pairs that keep their order for another
    reason do so as far as the new places allow.
    """
    tied = conflict_order(procedure.steps)
    order = list(range(len(procedure.steps)))
    for _ in range(_TRIES):
        for _ in range(rng.randint(*_MISTAKES)):
            if rng.random() < _TWICE:
                place = rng.randrange(len(order))
                late = _too_late(procedure.steps, order, rng)
                number, place = late or (order[place], place)
                order.insert(min(place + rng.randint(1, _SOON), len(order)), number)
            else:
                number = order.pop(rng.randrange(len(order)))
                order.insert(rng.randrange(len(order) + 1), number)
        if any(order.index(a) > order.index(b) for a, b in tied) or len(order) > len(set(order)):
            break
        order = list(range(len(procedure.steps)))
    again = [k for k, number in enumerate(order) if number in order[:k]]
    again.append(rng.randrange(len(order)))
    steps = _bound(procedure, [procedure.steps[k] for k in order], again, rng)
    stated = [
        (order.index(a), order.index(b))
        for a, b in set(procedure.order).difference(tied)
        if order.index(a) < order.index(b)
    ]
    graph = Graph(len(steps), [*conflict_order(steps), *sorted(stated)])
    return replace(procedure, steps=steps, order=tuple(sorted(graph.transitive_reduction())))
