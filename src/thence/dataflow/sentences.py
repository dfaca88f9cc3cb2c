"""Words for steps, facts and executions in explanations, counted from 1."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import Concatenate, NamedTuple

from thence.core import sentence_parts
from thence.core.graph import bitset
from thence.core.procedure import Taken
from thence.dataflow.choices import Options
from thence.dataflow.flow import Flow, Role
from thence.dataflow.questions import Witness

_SHOWN = 60  # steps of an execution that are named before it is cut short
_MOST_NAMED = 8  # steps that end a fact and are named where they all stand alike
_FEWEST = 3  # steps that "..." stands for


class Scope(NamedTuple):
    """Procedure that a sentence is about, with the steps that the options it names leave open.

    Attributes:
        flow: the whole procedure.
        steps: the bitset of the steps that these options do not rule out.
        unnamed: the options, by choice, that an example takes and the sentence does not name.
    """

    flow: Flow
    steps: int
    unnamed: Mapping[str, str] = MappingProxyType({})

    @property
    def is_total(self) -> bool:
        """Whether the steps have one order only."""
        run = [step for step in self.flow.canonical if self.steps >> step & 1]
        return self.flow.is_total or all(self.flow.precedes(a, b) for a, b in pairwise(run))

    def having(self, fact: str, *roles: Role) -> int:
        """Return the bitset of the open steps that have one of some roles towards a fact."""
        found = 0
        for role in roles:
            found |= self.flow.mask(role, fact)
        return found & self.steps

    def is_clear(self, i: int | None, j: int, others: int) -> bool:
        """Return whether step i, or the start, always comes before step j and no other between.

        Args:
            i: a step; None for the start.
            j: another step.
            others: the bitset of the steps that must not come between.
        """
        others &= ~(self.flow.descendants[j] | 1 << j)
        if i is None:
            return not others
        return self.flow.precedes(i, j) and not others & ~(self.flow.ancestors[i] | 1 << i)


def listed(numbers: Sequence[int], kept: Collection[int | None] = ()) -> str:
    """Return step numbers such as ``1, 2, 3``; of a long list some that do not matter are left out.

    Args:
        numbers: the steps.
        kept: steps that are never left out, nor are those beside them and at both ends.
    """
    names = [str(number + 1) for number in numbers]
    if len(names) <= _SHOWN:
        return ", ".join(names)
    places = [0, len(names) - 1, *(at for at, number in enumerate(numbers) if number in kept)]
    shown = {near for at in places for near in (at - 1, at, at + 1)}
    found: list[str] = []
    for is_shown, held in groupby(range(len(names)), shown.__contains__):
        part = [names[at] for at in held]
        found += part if is_shown or len(part) < _FEWEST else ["..."]
    return ", ".join(found)


def always(flow: Flow) -> str:
    """Return ``always ``, or nothing where there is only one execution."""
    return "" if flow.is_total else "always "


def can(scope: Scope, verb: str, plural_verb: str, *, sure: bool) -> str:
    """Return ``comes`` of a single execution, ``always comes`` of all, ``can come`` of some."""
    if not sure:
        return f"can {plural_verb}"
    return verb if scope.is_total else f"always {verb}"


def such_as(scope: Scope, execution: Sequence[int], *kept: int | None, sure: bool = False) -> str:
    """Return the name of an execution as an example, or nothing where all show it.

    Args:
        scope: what the sentence is about.
        execution: the steps in their order.
        kept: steps that are named in any case.
        sure: whether every execution shows it.
    """
    return "" if sure else f" (such as {in_order(scope, execution, kept)})"


def in_order(scope: Scope, execution: Sequence[int], kept: Collection[int | None]) -> str:
    """Return ``in the order 2, 1, 3``, with the options that it takes and nothing names."""
    whens = {choice for step in scope.flow.steps for choice, _ in step.when}
    options = {choice: option for choice, option in scope.unnamed.items() if choice in whens}
    return f"in the order {listed(execution, kept)}{', ' * bool(options)}{where(options)}"


def ended(flow: Flow, number: int, fact: str, *, again: bool = True) -> str:
    """Return how a step kills the value of a fact, such as ``kills 'dough'``.

    Args:
        flow: of the procedure.
        number: the step.
        fact: the fact.
        again: whether the fact was defined before.
    """
    verb = "redefines" if again else "defines"
    if flow.does(number, Role.KILL, fact):
        verb = f"kills and {verb}" if flow.does(number, Role.DEFINE, fact) else "kills"
    return f"{verb} '{fact}'"


def where(options: Mapping[str, str]) -> str:
    """Return options in words, such as ``where 'bridge' is 'open'``, or nothing."""
    named = [f"'{choice}' is '{option}'" for choice, option in options.items()]
    return f"where {sentence_parts.listed(named)}" if named else ""


def depends(when: Sequence[Taken]) -> str:
    """Return the options of a step as they stand behind its text, or nothing."""
    return f" ({', '.join(f'{choice}: {option}' for choice, option in when)})" if when else ""


def steps(numbers: Sequence[int], word: str = "or") -> str:
    """Return steps such as ``step 3 or step 5``."""
    return sentence_parts.listed([f"step {number + 1}" for number in numbers], word)


class _Place(NamedTuple):
    """Where steps that end a fact stand.

    Attributes:
        rank: its place in a list of them.
        words: such as ``before step 5``.
    """

    rank: int
    words: str


_BEFORE, _AFTER, _ELSEWHERE, _AT = range(4)


def kept_outside(
    flow: Flow,
    enders: Iterable[int],
    asked: Sequence[int],
    named: Sequence[int],
    users: Sequence[int] = (),
) -> str:
    """Return why no step ends a fact too early: where each of those that end it stands.

    Such as ``: step 2 always does so before step 5; step 13 after step 9; step 6 uses it first``.
    Nothing where no other step ends it, or where one may stand elsewhere.

    Args:
        flow: of the procedure.
        enders: steps that end the fact.
        asked: the steps that are carried out; the first one makes the fact.
        named: the steps that the sentence names, of which the first that is carried out has it.
        users: all steps that use it.
    """
    places: dict[_Place, list[int]] = {}
    for k in flow.in_order(set(enders) - {asked[0], *named}):
        place = _place_outside(flow, k, asked, named, users)
        if place is None:
            return ""
        places.setdefault(place, []).append(k)
    told: list[str] = []
    for place in sorted(places, key=lambda each: each.rank):
        held, one = _some(places[place]), len(places[place]) == 1
        if place.rank == _AT:
            told.append(f"{held} {'uses' if one else 'use'} it first")
        elif told:
            told.append(f"{held} {place.words}")
        else:
            sure = "" if place.rank == _ELSEWHERE else always(flow)
            told.append(f"{held} {sure}{'does' if one else 'do'} so {place.words}")
    return f": {'; '.join(told)}" if told else ""


def _place_outside(
    flow: Flow, k: int, asked: Sequence[int], named: Sequence[int], users: Sequence[int]
) -> _Place | None:
    """Return where a step that ends a fact always stands; None where it may come too early."""
    i = asked[0]
    if not flow.is_possible(*asked, k):
        other = i if not flow.is_possible(i, k) else asked[-1]
        return _Place(_ELSEWHERE, f"only where step {other + 1} is left out")
    if flow.precedes(k, i):
        return _Place(_BEFORE, f"before step {i + 1}")
    every = dict.fromkeys((*named, *users))
    before = [u for u in every if flow.precedes(i, u) and flow.precedes(u, k)]
    for some in (*([u] for u in before), [u for u in before if u in named], before):
        if flow.taken([*asked, k], bitset(some)) is None:
            known = set(named).issuperset(some)
            use = "" if known else ", which uses it" if len(some) == 1 else ", which use it"
            return _Place(_AFTER, f"after {steps(some)}{use}")
    return _Place(_AT, "") if k in users else None


def _some(numbers: Sequence[int]) -> str:
    """Return steps such as ``step 3 and step 5``, of many a few and how many more there are."""
    if len(numbers) <= _MOST_NAMED:
        return steps(numbers, "and")
    first = ", ".join(f"step {number + 1}" for number in numbers[: _MOST_NAMED - 1])
    return f"{first} and {len(numbers) - _MOST_NAMED + 1} other steps"


def by_way_of(numbers: Sequence[int]) -> str:
    """Return the steps of a chain between its ends, such as ``, by way of step 3 and step 5``."""
    return f", by way of {steps(numbers, 'and')}" if numbers else ""


def kept_apart(flow: Flow, order: Sequence[int]) -> str:
    """Return that a chain orders steps though its steps are never all carried out, or nothing."""
    if flow.is_possible(*order):
        return ""
    return " Those of these steps that are not carried out still keep the others in order."


def never_both(flow: Flow, i: int, j: int) -> tuple[Witness, str] | None:
    """Return why no execution carries out both of two steps; None where one does."""
    clash = flow.choices.clash(i, j) if flow.choices else None
    if clash is None:
        return None
    choice, first, second = clash
    return {"choice": choice, "needs": [first, second]}, (
        f"Step {i + 1} is carried out only where '{choice}' is '{first}', and step {j + 1} only "
        f"where it is '{second}', so never both."
    )


type Reasons[**Asked] = Callable[Concatenate[Flow, Scope, Asked], tuple[Witness, str]]
"""Makes witness and sentence for what is left of a procedure, of some steps and facts."""


def under_options(
    flow: Flow,
    options: Options | None,
    reasons: Reasons[[]],
    shows: Callable[[Flow], bool],
    asked: Collection[int],
) -> tuple[Witness, str]:
    """Return reasons for an answer, which name the options that show it.

    Args:
        flow: of the procedure.
        options: the options that matter; None without choices, or where no options show it alone.
        reasons: makes the reasons for the procedure that is left, of all that is left open.
        shows: returns whether a procedure that is left shows the answer.
        asked: the steps that are asked about.
    """
    if options is None or flow.choices is None:
        return reasons(flow, Scope(flow, flow.all_steps))
    every, left = flow.choices.completed(options), flow.under(options)
    witness, _ = reasons(left, Scope(flow, flow.all_steps))
    if not any(map(left.is_left_out, asked)):
        options = _needed(flow, options, witness, reasons, shows, asked)
    taken = flow.choices.taken
    known = bitset(k for k in range(len(flow)) if taken([k], given=options) is not None)
    unnamed = {choice: every[choice] for choice in every if choice not in options}
    witness, why = reasons(left, Scope(flow, known, unnamed))
    if options:
        named = where({choice: every[choice] for choice in every if choice in options})
        is_one = _is_one_of_several(flow, options, left, shows, asked)
        begun = f"For example, {named}" if is_one else f"W{named[1:]}"
        why = f"{begun}, {why[0].lower()}{why[1:]}"
    return {"options": every, **witness}, why


def _is_one_of_several(
    flow: Flow,
    options: Options,
    left: Flow,
    shows: Callable[[Flow], bool],
    asked: Collection[int],
) -> bool:
    """Return whether an answer shows with another one of some options, too, in the same steps."""
    if {choice for step in asked for choice, _ in flow.steps[step].when}.issuperset(options):
        return False
    return any(shows(x) for x in _worlds(flow, options, 1) if _is_alike(left, x, asked))


def _needed(
    flow: Flow,
    options: Options,
    witness: Witness,
    reasons: Reasons[[]],
    shows: Callable[[Flow], bool],
    asked: Collection[int],
) -> Options:
    """Return the options that the evidence needs: those of its steps, if these suffice."""
    links = witness.get("chain", ())
    steps = [*asked, witness.get("step"), *(link["to"] for link in links)]
    own = flow.taken(step for step in steps if step is not None) or {}
    worlds = [] if own.items() >= options.items() else _worlds(flow, own, 0)
    if worlds and all(shows(each) and _is_same(witness, reasons, each) for each in worlds):
        return own
    return {**options, **own}


def _is_same(witness: Witness, reasons: Reasons[[]], world: Flow) -> bool:
    """Return whether the evidence for an answer is the same in what is left by other options."""
    found, _ = reasons(world, Scope(world, world.all_steps))
    return all(found.get(name) == witness.get(name) for name in ("step", "chain"))


def _worlds(flow: Flow, options: Options, changed: int) -> list[Flow]:
    """Return what is left by each combination that takes all but a number of some options.

    Args:
        flow: of the procedure.
        options: the options by choice.
        changed: how many of them are not taken: 0 for all combinations that agree with them.

    Returns:
        one procedure for each combination; none where there are too many to look at.
    """
    if flow.choices is None or not flow.choices.is_few:
        return []
    names = flow.choices.deciding
    return [
        flow.under(each)
        for each in flow.choices.combinations(names)
        if sum(each.get(name, option) != option for name, option in options.items()) == changed
    ]


def _is_alike(left: Flow, other: Flow, steps: Collection[int]) -> bool:
    """Return whether the same ones of some steps are carried out."""
    return all(left.is_left_out(step) == other.is_left_out(step) for step in steps)
