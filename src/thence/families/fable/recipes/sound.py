"""Sound questions about recipes whose steps branch, end and repeat: candidates for a block."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, permutations, product
from random import Random
from typing import Any

from thence.core.procedure import Procedure
from thence.dataflow import Flow, Verdict, analysis
from thence.dataflow.depth import depth
from thence.dataflow.flow import Role
from thence.dataflow.strategies import answered
from thence.dataflow.worlds import worlds
from thence.domains.recipes.additions.equipment import EQUIPMENT
from thence.domains.recipes.additions.extension import (
    OVEN,
    TOOLS,
)
from thence.families.fable.recipes import durations
from thence.families.fable.recipes.contamination import contaminations
from thence.families.fable.recipes.kitchen import opening
from thence.families.fable.recipes.question_base import form, instance, undone
from thence.families.fable.recipes.recipe_cases import RecipeCase
from thence.families.fable.shared.analyses import EVERY, INTERVALS, ONCE, carried_out
from thence.families.fable.shared.blocks import DEEPEST, flow_question
from thence.families.fable.shared.chains import can_happen
from thence.families.fable.shared.domain import Case, Cue, Instance

_LOOKED = 14  # candidates of a recipe that are looked at for pairs in a turn
_SCARCE = 12  # candidates of a recipe in a turn that are scarce
_ALONE = 4  # candidates of a recipe in a turn of which one answer is enough
_TURNS = 3  # rounds over the recipes of a block

_FAR = 6  # steps apart, at which distances are no longer told apart
_FLAT = ("concurrency", "very_busy_expressions")  # analyses most of whose proofs are short
_LONG = 4  # steps between a maker and a use that few have
_AHEAD = 0.5  # share of the candidates that options may decide that come first

type Asked = dict[str, Any]


def truth(name: str, procedure: Procedure, question: Mapping[str, Any]) -> Any:
    """Return the answer to a sound question from procedure and question alone."""
    if name == INTERVALS:
        return durations.recompute(procedure, question)
    asked = {key: question[key] for key in ("i", "j", "fact") if question.get(key) is not None}
    if name == "taint":
        asked |= {"fact": None, "sanitizers": question["sanitizers"]}
    return "Yes" if analysis(name).decide(Flow(procedure), **asked).answer else "No"


def ask(
    name: str, recipes: Sequence[Sequence[RecipeCase]], rng: Random
) -> Iterator[tuple[Case, Instance]]:
    """Yield questions of an analysis about some recipes, a few of each in turn.

    Args:
        name: of the analysis.
        recipes: for each recipe its case without cooks, and some that cooks share.
        rng: all chance.
    """
    waiting = [(ways, *_drawn(name, ways[0], rng)) for ways in recipes]
    for _ in range(_TURNS):
        for (plain, *shared), scarce, others in waiting:
            for asked in islice(scarce, _SCARCE):
                yield from ((plain.case, each) for each in _varied(name, shared, asked, rng))
            looked = list(islice(others, _LOOKED))
            for asked in looked:
                yield from ((plain.case, each) for each in _pair(name, shared, asked, rng))
            alone = (_instance(name, rng.choice(shared), asked) for asked in looked)
            yield from ((plain.case, each) for each in islice(filter(None, alone), _ALONE))


def _varied(name: str, ways: Sequence[RecipeCase], asked: Asked, rng: Random) -> Iterator[Instance]:
    """Yield a question once for each answer and depth that it has with some cooks."""
    told: set[tuple[bool, int]] = set()
    asks = flow_question(asked)
    for case in rng.sample(ways, len(ways)):
        if not _fits(name, case, asked):
            continue
        flow = case.shown(name)
        answer = bool(answered(flow, asks, name))
        key = answer, min(depth(flow, name, asks), DEEPEST)
        if key not in told and (found := _instance(name, case, asked)):
            told.add(key)
            yield found


def _pair(name: str, ways: Sequence[RecipeCase], asked: Asked, rng: Random) -> Iterator[Instance]:
    """Yield a No and a Yes of one depth, where other cooks turn the answer to a question."""
    if name == INTERVALS:
        return
    sides: tuple[defaultdict[int, list[RecipeCase]], ...] = (defaultdict(list), defaultdict(list))
    asks = flow_question(asked)
    fitting = [case for case in ways if _fits(name, case, asked)]
    answers = [bool(answered(case.shown(name), asks, name)) for case in fitting]
    if len(set(answers)) < 2:
        return
    for case, answer in zip(fitting, answers, strict=True):
        sides[answer][min(depth(case.shown(name), name, asks), DEEPEST)].append(case)
    shared = sorted(set(sides[True]) & set(sides[False]))
    if shared:
        deep = rng.choice(shared)
        found = [_instance(name, rng.choice(side[deep]), asked) for side in sides]
        if None not in found:
            yield from filter(None, found)


def _fits(name: str, case: RecipeCase, asked: Asked) -> bool:
    """Return whether a question can be put about a recipe that certain cooks share."""
    made, i, flow = asked.get("made"), asked["i"], case.shown(name)
    if made is None or made == i:
        return True
    if name == "very_busy_expressions":
        return flow.precedes(made, i)
    return not flow.precedes(i, made)


def _drawn(name: str, case: RecipeCase, rng: Random) -> tuple[Iterator[Asked], Iterator[Asked]]:
    """Return the candidates of a recipe of which there are few alike, and the others.

    Of these, some that options may decide come first.
    """
    scarce, drawn = [], []
    for asked in _CANDIDATES[name](case):
        if case.leaves_open(name, asked):
            continue
        if _is_scarce(name, case, asked):
            scarce.append((rng.random() - _is_far(name, case, asked), asked))
        else:
            early = _is_rare(name, case, asked) and rng.random() < _AHEAD
            hinges = _hinges(name, case, asked) and rng.random() < _AHEAD
            far = _is_far(name, case, asked) and rng.random() < _AHEAD
            drawn.append((rng.random() - early - hinges - far, asked))
    for held in (scarce, drawn):
        held.sort(key=lambda each: each[0])
    return (asked for _, asked in scarce), (asked for _, asked in drawn)


def _is_far(name: str, case: RecipeCase, asked: Asked) -> bool:
    """Return whether steps that matter stand so far apart that a proof may need many links."""
    flow = case.flow
    i: int = asked["i"]
    j: int = asked.get("j") or 0
    if name == "concurrency":
        return abs(j - i) > _LONG
    if name == "type_state":
        shared = set(flow.steps[i].defines).intersection(flow.steps[j].uses)
        makers = (k for fact in shared for k in flow.steps_with(Role.DEFINE, fact))
        return any(k != i and j - k >= _LONG for k in makers)
    if name in ("live_variables", "very_busy_expressions"):
        fact = asked["fact"]
        later = (
            k
            for k, step in enumerate(flow.steps[i + 1 :])
            if fact in step.uses or fact in step.defines or fact in step.kills
        )
        return next(later, 0) + 1 >= _LONG
    return False


def _is_scarce(name: str, case: RecipeCase, asked: Asked) -> bool:
    """Return whether a question is one of few, or about something made anew that can matter."""
    flow = case.flow
    if name == "taint" or (name in _FLAT and _is_far(name, case, asked)):
        return True
    if name == "type_state":
        shared = set(flow.steps[asked["i"]].defines).intersection(flow.steps[asked["j"]].uses)
        return any(map(case.is_remade, shared))
    if name not in ("live_variables", "very_busy_expressions"):
        return False
    fact, later = asked["fact"], flow.steps[asked["i"] + 1 :]
    if not case.is_remade(fact):
        return False
    users = [k for k, step in enumerate(later) if fact in step.uses]
    ends = (k for k, step in enumerate(later) if fact in (*step.kills, *step.defines))
    return bool(users) and next(ends, len(later)) < users[0]  # not needed in the listed order


def _is_rare(name: str, case: RecipeCase, asked: Asked) -> bool:
    """Return whether an answer may have one of the reasons that few candidates have."""
    if name == INTERVALS:
        return True
    flow, i, j, fact = case.shown(name), asked["i"], asked.get("j"), asked.get("fact")
    first, second = flow.steps[i], flow.steps[j if j is not None else i]
    if name == "concurrency":
        touched = [{*each.uses, *each.defines, *each.kills} for each in (first, second)]
        return not touched[0].isdisjoint(touched[1]) or bool(first.when or second.when)
    if name == "type_state":
        return set(first.defines).isdisjoint(second.uses) or bool(first.when)
    if first.when or second.when or fact is None:
        return bool(first.when or second.when) or not case.open.isdisjoint(first.defines)
    apart = j is not None and not (flow.precedes(i, j) or flow.precedes(j, i))
    users = flow.steps_with(Role.USE, fact)
    free = j is None and any(not flow.precedes(i, k) and not flow.precedes(k, i) for k in users)
    return fact in EQUIPMENT or fact in case.open or apart or free


def _hinges(name: str, case: RecipeCase, asked: Asked) -> bool:
    """Return whether the first options alone may show another answer than all of them."""
    steps, first = case.shown(name).steps, case.first
    i, j = asked["i"], asked.get("j")
    if name == INTERVALS:
        return any(steps[k].when and "minute" in steps[k].text for k in range(i + 1))
    fixed = first | dict(steps[i].when) | dict(steps[j].when if j is not None else ())
    if name == "available_expressions" and j is not None and set(steps[i].when) - {*steps[j].when}:
        return True
    facts = {asked["fact"]} if asked.get("fact") else set(steps[i].defines)
    for step in steps[i + 1 : j if j is not None and j > i else None]:
        if not step.when:
            continue
        taken = all(fixed[choice] == option for choice, option in step.when)
        ends, makes, uses = (
            not facts.isdisjoint(held) for held in (step.kills, step.defines, step.uses)
        )
        shows = (ends or makes, uses) if name in ONCE else (makes or uses, ends)
        if (shows[0] and taken) or (shows[1] and not taken):
            return True
    return False


def _instance(name: str, case: RecipeCase, asked: Asked) -> Instance | None:
    if name == INTERVALS:
        found_ = durations.question(case.flow, asked, case.told)
        return found_ and replace(found_, case=case.case, flow=case.flow)
    if not _fits(name, case, asked):
        return None
    flow = case.shown(name)
    more = {key: asked[key] for key in asked if key not in ("i", "j", "fact")}
    decisive: Asked = {key: asked[key] for key in ("i", "j", "fact", "sanitizers") if key in asked}
    verdict = analysis(name).decide(flow, **decisive)
    if name == "taint" and verdict.answer and not can_happen(flow, verdict.witness):
        return None  # each link can hold, but not all of them in one order
    cooked = name == "taint" and verdict.answer and asked["j"] in case.cleans
    if cooked and (asked["i"] + len(case.flow)) % 3:
        return None  # what is cooked is seldom safe before, which its words tell
    if name == "type_state" and _depends(flow, asked["i"], asked["j"], bool(verdict.answer)):
        return None
    fact, j = asked.get("fact"), asked.get("j")
    shown = case.told_of(name)
    found = instance(
        name, verdict, asked["i"], j, fact, _cues(flow, asked), shown, case.script.told,
        partial(_decided, name, shown.procedure, decisive),
        **case.read_for(name), scope=_scope(name, asked), **more,
    )  # fmt: skip
    needed = fact is not None and j is not None and flow.does(j, Role.USE, fact)
    quotas = frozenset({"needed" if needed else "not needed"} if j else ())
    return replace(found, flow=flow, quotas=quotas)


def _decided(name: str, procedure: Procedure, decisive: Asked) -> Verdict:
    return analysis(name).decide(Flow(procedure), **decisive)


def _cues(flow: Flow, asked: Asked) -> tuple[Cue, ...]:
    """Return what a glance at a question shows."""
    i, j, steps = asked["i"], asked.get("j"), flow.steps
    if j is None:
        return opening(steps[i].text), form(asked["fact"]), len(steps) - i
    return opening(steps[i].text), opening(steps[j].text), max(-_FAR, min(_FAR, j - i))


def _depends(flow: Flow, i: int, j: int, answer: bool) -> bool:
    """Return whether an answer depends on whether steps are carried out without their needs."""
    lost = False
    for world in worlds(flow):
        if not world.is_left_out(j):
            steps = [world.steps[k] for k in range(len(world)) if not world.is_left_out(k)]
            places = [k for k in range(len(world)) if not world.is_left_out(k)]
            skipped = places.index(i) if i in places else -1
            lost = lost or places.index(j) in undone(steps, skipped, flow.start)
    return lost == answer


def _scope(name: str, asked: Asked) -> str:
    """Return in which orders and under which options something is asked."""
    steps = carried_out(name, asked)
    named = f"{steps[0]} is" if len(steps) == 1 else f"{steps[0]} and {steps[1]} are"
    which = "every permitted order under all options" if name in EVERY else (
        "some permitted order under some options"
    )  # fmt: skip
    if name == "concurrency":
        which = "some options"
        return f"Yes where it is so under {which} with which {named} carried out."
    only = "only where" if name in EVERY else "where"
    return f"Yes {only} it is so in {which} with which {named} carried out."


# Candidates -------------------------------------------------------------------------------------


def _definitions(case: RecipeCase) -> Iterator[Asked]:
    for i, step in enumerate(case.flow.steps):
        for fact in step.defines:
            heats = fact != OVEN or "heat" in step.text.lower()
            if heats and fact not in TOOLS and not case.is_seen_to(fact):
                yield {"i": i, "fact": fact}


def _needed(case: RecipeCase, *, sure: bool = True) -> Iterator[Asked]:
    """Yield what a step makes with that step, and with others by which it can have been made.

    Args:
        case: the recipe.
        sure: whether it must have been made by then.
    """
    flow = case.flow
    for each in _definitions(case):
        made, fact = each["i"], each["fact"]
        if flow.steps_with(Role.DEFINE, fact)[0] == made or flow.steps[made].when:
            for i in range(len(flow)):
                fits = flow.precedes(made, i) if sure else not flow.precedes(i, made)
                told = fact in flow.steps[i].kills and not flow.steps[i].uses  # thrown away there
                taken, other = dict(flow.steps[made].when), dict(flow.steps[i].when)
                apart = any(taken.get(choice, each) != each for choice, each in other.items())
                if (i == made or fits) and not apart and not (told and (i + made) % 3):
                    yield {"i": i, "fact": fact, "made": made}


def _definitions_and_steps(case: RecipeCase) -> Iterator[Asked]:
    flow = case.flow
    for each in _definitions(case):
        for j in range(len(flow)):
            i = each["i"]
            if j != i and (not flow.precedes(j, i) or (7 * i + 3 * j) % 8 == 0):
                yield {**each, "j": j}


def _definitions_and_later(case: RecipeCase) -> Iterator[Asked]:
    return (each for each in _definitions_and_steps(case) if each["j"] > each["i"])


def _made_and_needed(case: RecipeCase) -> Iterator[Asked]:
    flow = case.flow
    for i, j in product(range(len(flow)), repeat=2):
        if i == j or flow.precedes(j, i) or not flow.steps[j].uses:
            continue
        step = flow.steps[i]
        heats = set(step.defines) == {OVEN} and bool(step.when)
        if (heats or set(step.defines) <= set(step.uses)) and (i + j) % 8:
            continue  # it only alters or ends something, which its words tell
        if case.script.lines[i].repeats and not step.when and (i + j) % 3:
            continue  # there are two of what it makes, which its words tell
        made = not {*step.defines}.isdisjoint(flow.steps[j].uses)
        if made or (i < j and (i + 2 * j) % 3 == 0):
            yield {"i": i, "j": j}


def _pairs(case: RecipeCase) -> Iterator[Asked]:
    return ({"i": i, "j": j} for i, j in permutations(range(len(case.flow)), 2))


_CANDIDATES: Mapping[str, Callable[[RecipeCase], Iterator[Asked]]] = {
    "reaching_definitions": _definitions_and_steps,
    "available_expressions": _definitions_and_later,
    "very_busy_expressions": _needed,
    "live_variables": partial(_needed, sure=False),
    INTERVALS: lambda case: durations.candidates(case.flow),
    "type_state": _made_and_needed,
    "taint": contaminations,
    "concurrency": _pairs,
}
