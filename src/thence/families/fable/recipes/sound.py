"""Sound questions about recipes whose steps branch, end and repeat: candidates for a block."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice, zip_longest
from random import Random
from typing import Any

from thence.core.graph import members
from thence.core.procedure import Procedure
from thence.dataflow import Flow, Verdict, analysis
from thence.dataflow.flow import Role
from thence.dataflow.worlds import with_steps
from thence.domains.recipes.additions.adjusting import names_of_choices
from thence.domains.recipes.additions.extension import ExtendedRecipe
from thence.families.fable.recipes import durations
from thence.families.fable.recipes.askable import CANDIDATES, Asked
from thence.families.fable.recipes.kitchen import opening
from thence.families.fable.recipes.question_base import form, instance, undone
from thence.families.fable.recipes.recipe_cases import RecipeCase
from thence.families.fable.recipes.spans import Ways, span
from thence.families.fable.shared.analyses import EVERY, INTERVALS, carried_out
from thence.families.fable.shared.blocks import DEEP_CLASS, flow_question
from thence.families.fable.shared.candidate_turns import Kind, in_turns
from thence.families.fable.shared.chains import one_order_shows, with_order
from thence.families.fable.shared.divided_reasons import quick_reason
from thence.families.fable.shared.domain import Case, Cue, Instance, Quota
from thence.families.fable.shared.needed_parts import SHORT_PROOFS, NeededParts
from thence.families.fable.shared.sources_of_facts import with_sources
from thence.families.fable.shared.traits import Traits

_LOOKED = 45  # candidates of a recipe of which the kinds are found, and often used ones
_USED_OFTEN = 3  # later users, with fewer of which no proof of a No of very busy is long
_MOST = 800  # candidates of a block that are looked at
_MOST_OF: Mapping[str, int] = {
    "available_expressions": 1000,
    "concurrency": 1350,
    "live_variables": 1400,
    "reaching_definitions": 1300,
    "type_state": 2000,
    "very_busy_expressions": 1300,
}
"""The same where there are many kinds, or where more of them tell less together."""
_OF_RECIPE = 4  # of these, of one recipe, with one answer and depth
_TIMED = 2  # ways in which cooks share a recipe whose times are asked about

_HOPS = 3  # from that many on, the way of something unsafe is found in each order

_FAR = 6  # steps apart, at which distances are no longer told apart


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
    """Yield questions of an analysis about some recipes, those first of whose kind there are few.

    A kind is an answer, the parts of the analysis that are needed for it and the links of its
    proof. Where other cooks turn the answer, the question is put about both.

    Args:
        name: of the analysis.
        recipes: for each recipe its case without cooks, and some that cooks share.
        rng: all chance.
    """
    every = [
        each for number, ways in enumerate(recipes) for each in _drawn(name, number, ways, rng)
    ]
    turns = _turns(every, rng, one_answer=name == INTERVALS)
    for asked, kind in islice(turns, _MOST_OF.get(name, _MOST)):
        found = _instance(name, asked.ways[kind], asked.asked)
        if found is not None:
            yield recipes[asked.recipe][0].case, found


def _turns(
    every: Sequence[_Candidate], rng: Random, *, one_answer: bool
) -> Iterator[tuple[_Candidate, Kind]]:
    """Yield candidates with their kinds, each followed by its twin; few alike are of one recipe.

    A twin has the other answer, about as deep as can be; of several the one of the rarest kind.

    Args:
        every: the candidates.
        rng: decides between equal ones.
        one_answer: whether all count as answered alike, and any number is of one recipe.
    """
    size = Counter(kind for each in every for kind in each.ways)
    told: set[tuple[int, Kind]] = set()
    looked: Counter[tuple[Any, ...]] = Counter()
    for asked, kind in _mixed(every, rng):
        other = min(
            asked.turned(kind), key=lambda held: (held[2] != kind[2], size[held]), default=None
        )
        both = [each for each in (kind, other) if each and (id(asked), each) not in told]
        alike = [(asked.recipe, each[0], each[2]) for each in both]
        if not one_answer and any(looked[each] >= _OF_RECIPE for each in alike):
            continue
        told.update((id(asked), each) for each in both)
        looked.update(alike)
        yield from ((asked, each) for each in both)


def _mixed(every: Sequence[_Candidate], rng: Random) -> Iterator[tuple[_Candidate, Kind]]:
    """Yield candidates with their kinds, one of each answer in turn."""
    by_answer: defaultdict[Any, list[tuple[int, Kind, _Candidate]]] = defaultdict(list)
    for each in every:
        for kind in each.ways:
            by_answer[kind[0]].append((each.recipe, kind, each))
    turns = zip_longest(*(in_turns(held, rng) for held in by_answer.values()))
    return filter(None, chain.from_iterable(turns))


@dataclass(frozen=True, eq=False, slots=True)
class _Candidate:
    """A question with a case that it can be put about, by what is needed for the answer then."""

    recipe: int
    asked: Asked
    ways: Mapping[Kind, RecipeCase]

    def turned(self, kind: Kind) -> list[Kind]:
        """Return the kinds that have the other answer."""
        return [each for each in self.ways if each[0] is not kind[0]]


def _drawn(name: str, number: int, ways: Sequence[RecipeCase], rng: Random) -> Iterator[_Candidate]:
    """Yield some candidates of a recipe.

    What the order does not decide is asked about the first way in which cooks share it.
    """
    plain, *shared = ways
    every = [each for each in CANDIDATES[name](plain) if not plain.leaves_open(name, each)]
    parts = plain.parts(name)
    some = _some(every, plain, rng)
    if name == "very_busy_expressions":
        taken = set(map(id, some))
        some += [each for each in every if id(each) not in taken and _is_used_often(plain, each)]
    for asked in some:
        held: dict[Kind, RecipeCase] = {}
        if name == INTERVALS:
            case = shared[asked["i"] % _TIMED]
            what = "stated" if asked["what"] in durations.STATED else asked["what"]
            held[what, _hinges(case, asked), 0] = case
        else:
            looked, meet = parts.looked(name, asked), _meet(name, plain, asked)
            turns = looked.turns or (name, looked.loosest) in SHORT_PROOFS
            fitting = (case for case in shared if _fits(name, case, asked))
            for case in fitting if turns else islice(fitting, 1):
                answer, wrong = looked.of(case.ways.order)
                far = _far(name, parts, case.ways, asked, answer=answer)
                kind = answer, wrong, min(far, DEEP_CLASS), looked.turns, answer and meet
                held.setdefault(kind, case)
        if held:
            yield _Candidate(number, asked, held)


def _meet(name: str, plain: RecipeCase, asked: Asked) -> bool:
    """Return whether two steps that are asked about touch a fact in common."""
    if name != "concurrency":
        return False
    i, j = (plain.bare.steps[asked[key]] for key in ("i", "j"))
    return not {*i.uses, *i.defines, *i.kills}.isdisjoint((*j.uses, *j.defines, *j.kills))


def _some(every: Sequence[Asked], plain: RecipeCase, rng: Random) -> list[Asked]:
    """Return some questions, of which options may decide a half if there are as many."""
    drawn = rng.sample(every, len(every))
    open_ = [each for each in drawn if each.get("fact") in plain.open][: _LOOKED // 2]
    taken = set(map(id, open_))
    return [*open_, *(each for each in drawn if id(each) not in taken)][:_LOOKED]


def _is_used_often(plain: RecipeCase, asked: Asked) -> bool:
    """Return whether many steps may use what is asked about later."""
    i, flow = asked["i"], plain.flow
    later = flow.mask(Role.USE, asked["fact"]) & ~flow.ancestors[i] & ~(1 << i)
    return bool(later.bit_count() >= _USED_OFTEN)


def _far(name: str, parts: NeededParts, ways: Ways, asked: Asked, *, answer: bool) -> int:
    """Return about how many links the proof of an answer has."""
    if name == "taint":
        far = parts.hops(asked["i"]).get(asked["j"], 1)
        return parts.way(asked, ways.order) or far if answer and far >= _HOPS else far
    return span(name, parts.flow, ways, asked, answer=answer)


def _fits(name: str, case: RecipeCase, asked: Asked) -> bool:
    """Return whether a question can be put about a recipe that certain cooks share."""
    made, i, order = asked.get("made"), asked["i"], case.ways.order
    if name == "concurrency":
        return not case.by_one(i, asked["j"])
    if made is None or made == i:
        return True
    if name == "very_busy_expressions":
        return bool(order.after[made] >> i & 1)
    return not order.after[i] >> made & 1


def _hinges(case: RecipeCase, asked: Asked) -> bool:
    """Return whether options may decide a time."""
    steps = case.flow.steps
    return any(steps[k].when and "minute" in steps[k].text for k in range(asked["i"] + 1))


def _instance(name: str, case: RecipeCase, asked: Asked) -> Instance | None:
    if name == INTERVALS:
        # what works with an ingredient keeps its listed order with the step that brings it in
        told = case.told_of_options if asked["what"] == "through" else case.told
        found_ = durations.question(case.flow, asked, told, case.script.told)
        return found_ and replace(found_, case=case.case, flow=case.flow)
    flow, parts = case.shown(name), case.parts(name)
    more = {key: asked[key] for key in asked if key not in ("i", "j", "fact")}
    decisive: Asked = {key: asked[key] for key in ("i", "j", "fact", "sanitizers") if key in asked}
    verdict = analysis(name).decide(flow, **decisive)
    if name == "taint" and not one_order_shows(flow, flow_question(asked)):
        return None  # each link can hold, but not all of them in one order
    cooked = name == "taint" and verdict.answer and asked["j"] in case.cleans
    if cooked and (asked["i"] + len(case.flow)) % 3:
        return None  # what is cooked is seldom safe before, which its words tell
    if name == "type_state" and _depends(flow, asked["i"], asked["j"], bool(verdict.answer)):
        return None
    fact, j = asked.get("fact"), asked.get("j")
    shown = case.told_of(name)
    if name == "type_state" and (options := _open_choice(case.script, asked["i"])):
        more["open"] = options
    if fact is not None and "made" in asked and form(fact) == "within":
        more |= {"several": True} if len(flow.steps_with(Role.DEFINE, fact)) > 1 else {}
    found = instance(
        name, verdict, asked["i"], j, fact, _cues(flow, asked), shown, case.script.told,
        partial(_decided, name, shown.procedure, decisive), flow.steps,
        **case.read_for(name), scope=_scope(name, asked), **more,
    )  # fmt: skip
    return replace(
        found, flow=flow, quotas=_quotas(name, flow, asked),
        traits=Traits(
            flow, name, flow_question(decisive),
            depth=partial(parts.depth, decisive) if name == "taint" else None,
            reason=partial(quick_reason, parts, name, decisive),
            needs=partial(parts.needs, name, decisive),
        ),
    )  # fmt: skip


def _open_choice(script: ExtendedRecipe, i: int) -> str:
    """Return what is open about the thing that a step makes, in words; "" where nothing is."""
    line = script.lines[i]
    return next(
        (
            script.options[name]
            for thing in line.things()
            if thing not in line.uses
            for name in names_of_choices(thing)
            if name in script.options
        ),
        "",
    )


def _quotas(name: str, flow: Flow, asked: Asked) -> frozenset[Quota]:
    """Return what at least a share of the questions with an answer should have.

    Few things but equipment are made again and used later, so that most live ones would be
    equipment. What step j needs is nearly always there, so that of more such questions a look
    would tell the answer.
    """
    fact, j = asked.get("fact"), asked.get("j")
    if name == "live_variables":
        return frozenset({Quota("food")} if form(asked["fact"]) in ("itself", "within") else ())
    needed = fact is not None and j is not None and flow.does(j, Role.USE, fact)
    return frozenset({Quota("needed", 0.3)} if needed else ())


def _decided(name: str, procedure: Procedure, decisive: Asked) -> Verdict:
    flow = Flow(procedure)
    verdict = analysis(name).decide(flow, **decisive)
    why = with_sources(verdict.why, flow, decisive)
    if "chain" in verdict.witness:
        why = with_order(why, flow, verdict.witness)
    return Verdict(answer=verdict.answer, reasons=lambda: (verdict.witness, why))


def _cues(flow: Flow, asked: Asked) -> tuple[Cue, ...]:
    """Return what a glance at a question shows."""
    i, j, steps = asked["i"], asked.get("j"), flow.steps
    if j is None:
        return opening(steps[i].text), form(asked["fact"]), len(steps) - i
    return opening(steps[i].text), opening(steps[j].text), max(-_FAR, min(_FAR, j - i))


def _depends(flow: Flow, i: int, j: int, answer: bool) -> bool:
    """Return whether an answer depends on whether steps are carried out without their needs."""
    lost = any(_is_lost(world, i, j, range(len(world))) for world in with_steps(flow, j))
    if not lost and not answer:  # it may be lost in another order
        lost = any(
            _is_lost(world, i, j, order)
            for world in with_steps(flow, j)
            for order in _latest_ends(world, j)
        )
    return lost == answer


def _is_lost(world: Flow, i: int, j: int, order: Iterable[int]) -> bool:
    """Return whether step j fails for want of step i in an order, as each step needs all its uses.

    Steps after step j may be missing in the order.
    """
    places = [k for k in order if not world.is_left_out(k)]
    skipped = places.index(i) if i in places else -1
    return places.index(j) in undone([world.steps[k] for k in places], skipped, world.start)


def _latest_ends(world: Flow, j: int) -> Iterator[list[int]]:
    """Yield orders up to step j, some with a step that ends what it needs as late as can be."""
    yield [*world.in_order(members(world.ancestors[j])), j]
    for fact in world.steps[j].uses:
        for k in world.steps_with(Role.KILL, fact):
            if k != j and not world.precedes(j, k):
                first = world.ancestors[j] | world.ancestors[k]
                behind = first & world.descendants[k]
                yield [
                    *world.in_order(members(first & ~behind & ~(1 << k))),
                    k,
                    *world.in_order(members(behind)),
                    j,
                ]


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
