"""Pairs of questions about the same steps in different queues, one with a Yes and one with a No.

The steps and the question are the same in both, so that they tell nothing of the answer.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, pairwise, product
from random import Random
from typing import Any

from thence.core.graph import union
from thence.dataflow import Flow
from thence.dataflow.flow import Role
from thence.families.fable.plans.depths import DEEP, Depths
from thence.families.fable.plans.finer_reasons import links
from thence.families.fable.plans.queues import HEEDED, in_queues, standing
from thence.families.fable.plans.ways import ListedPlan, View
from thence.families.fable.plans.words import listed, permitted
from thence.families.fable.shared.analyses import EVERY, ONCE
from thence.families.fable.shared.blocks import flow_question
from thence.families.fable.shared.chains import one_order_shows
from thence.families.fable.shared.domain import Case
from thence.families.fable.shared.quick_answers import (
    RULES,
    Order,
    QuickAnswers,
    listed_order,
    tainted_links,
)

_THREE = 0.4  # of the long plans in queues that have three; of concurrency all
_AGAIN = 2  # pairs of each depth that a question gives, where they are deep
_TWICE: Mapping[str, int] = {"live_variables": 1}
"""Least depth at which it gives as many, where there are too few less deep ones, too."""
_LONG = 3  # least steps of a plan for each link of its questions
_PLAIN: Mapping[tuple[str, bool], float] = {
    ("reaching_definitions", True): 0.2,
    ("reaching_definitions", False): 0.2,
    ("taint", True): 0.15,
    ("taint", False): 0.0,
    ("type_state", False): 0.0,  # of plans that work no step that is left out decides
}
"""How many of the questions are kept in which no part decides in any way, by analysis and whether
the plan works; see `tells`."""
_LATE = 0.2  # of the pairs kept whose No is that step j comes first: there are enough of these
_APART_ASKED = 0.75  # of the pairs of steps asked about that touch no fact in common: most do not
_FEWER_WAYS: Mapping[str, int] = {"taint": 8}
_WAYS = 14  # in which the same steps stand in queues
_HEEDED: Mapping[str, Sequence[float]] = {"type_state": (0.5, 0.8, 1.0, 1.0)}
"""The same as `HEEDED` where a step should have all that it needs in every order more often."""
_LOOKED = 4  # ways with one answer that are looked at
_LOOKED_OF: Mapping[str, int] = {"taint": 3, "concurrency": 12, "live_variables": 8}
"""The same of other analyses; among more ways there are two that look more alike."""
_GLANCED = frozenset(
    {"concurrency", "available_expressions", "reaching_definitions", "live_variables"}
)
"""Analyses of which a glance shows some answers."""
_APART = 3  # steps from one to the other; of fewer, a wait between them shows the answer
ASKED = 24
"""Questions of one plan in one order."""
_FEWER_ASKED: Mapping[str, int] = {"taint": 16, "concurrency": 16}

IN_QUEUES: Mapping[str, float] = {
    "reaching_definitions": 1.0,
    "available_expressions": 1.0,
    "live_variables": 1.0,
    "very_busy_expressions": 1.0,
    "type_state": 1.0,
    "taint": 0.7,
    "concurrency": 0.9,
}
"""How many of the plans stand in queues, by analysis; none where nothing is said."""
_TELLING: Mapping[str, Sequence[Role]] = {
    "reaching_definitions": (Role.KILL,),
    "live_variables": (Role.KILL,),
    "taint": (Role.KILL, Role.DEFINE),
}
"""What alone should end a fact so that a No is seldom enough to be preferred, by analysis."""
_LISTED_ANEW = 0.5  # of the plans in queues, whose steps are listed in different orders then

Asked = dict[str, Any]


type Question = tuple[View, Asked]


class _Ways:
    """The ways in which the steps of a plan may stand in queues."""

    def __init__(self, name: str, whole: View, rng: Random, *, anew: bool) -> None:
        self._name, self._whole, self._rng, self._anew = name, whole, rng, anew
        self._steps = range(len(whole.flow))
        self._quick = QuickAnswers(whole.flow)
        self._listed, self._free = listed_order(len(whole.flow)), Order.none(len(whole.flow))
        self._telling = [QuickAnswers(whole.flow, [role]) for role in _TELLING.get(name, ())]
        self._flows: tuple[Flow, Flow] | None = None

    def is_open(self, asked: Asked) -> bool:
        """Return whether a question can have either answer, whatever the queues.

        Where even with all orders permitted none shows what some order should, the answer is known.
        Unless the steps are listed anew, so it is where the listed order, which all queues permit,
        shows that, or not what every order should.
        """
        if self._name == "concurrency":
            # what conflicts need not wait in queues, and is not concurrent all the same
            return self._quick.holds(self._name, self._free, asked)
        some = self._name in ONCE
        if self._quick.holds(self._name, self._free, asked) != some:
            return False
        return self._anew or self._quick.holds(self._name, self._listed, asked) != some

    def alike(self, asked: Asked) -> bool:
        """Return whether the steps asked about play the same role towards a fact."""
        return not self._roles[asked["i"]].isdisjoint(self._roles[asked["j"]])

    @cached_property
    def _roles(self) -> Sequence[frozenset[tuple[Role, str]]]:
        """For each step the facts that it touches, each with its role towards them."""
        return [
            frozenset((role, fact) for role in Role for fact in getattr(step, role.value))
            for step in self._whole.flow.steps
        ]

    def drawn(self) -> list[ListedPlan]:
        """Return some ways."""
        conflicting = self._whole.case.procedure.order
        found = []
        for _ in range(_FEWER_WAYS.get(self._name, _WAYS)):
            listing, pairs_of = list(self._steps), conflicting
            if self._anew:
                listing = permitted(self._whole.case, self._rng)
                place = {step: number for number, step in enumerate(listing)}
                pairs_of = tuple(sorted((place[a], place[b]) for a, b in conflicting))
            three = 1.0 if self._name == "concurrency" else _THREE
            kept = self._rng.choice(_HEEDED.get(self._name, HEEDED))
            held = standing(len(listing), pairs_of, self._rng, three, kept)
            if held is not None:
                found.append(ListedPlan(listing, held))
        return found

    def split(
        self, ways: Sequence[ListedPlan], asked: Asked
    ) -> tuple[list[ListedPlan], list[ListedPlan]]:
        """Return the ways in which the answer is No, and Yes, without those that a glance tells.

        Both are empty where none is a Yes that a glance does not tell, or none a No.
        """
        rule, sight = RULES[self._name], self._quick.sight(self._name, asked)
        no: list[ListedPlan] = []
        yes: list[ListedPlan] = []
        for way in ways:
            (yes if rule(way.order, *sight) else no).append(way)
        if not no or not yes:
            return [], []
        yes = [way for way in yes if not self._is_plain(way, asked)]
        if not yes:
            return [], []
        return [way for way in no if not self._is_plain(way, asked)], yes

    def most_links(self, asked: Asked) -> int:
        """Return about the most links of a Yes, whatever the queues."""
        i, j = asked["i"], asked.get("j")
        if self._name == "very_busy_expressions":  # all queues permit the listed order
            return self._quick.touching(asked["fact"]).used.bit_length() - 1 - int(i)
        if self._name in EVERY:
            return self._quick.most_links(self._name, self._listed, asked)
        return len(self._steps) if j is None else abs(int(i - j))

    def deep(self, ways: Sequence[ListedPlan], asked: Asked, depths: Depths) -> list[ListedPlan]:
        """Return some ways with a Yes of as many links as are wanted, first what lacks most."""
        links = {way: self._quick.most_links(self._name, way.order, asked) for way in ways}
        found = [way for way in ways if links[way] >= depths.least]
        found.sort(key=lambda way: (depths.lacking(links[way]), links[way]), reverse=True)
        return found[: _LOOKED_OF.get(self._name, _LOOKED)]

    def some(self, ways: Sequence[ListedPlan], asked: Asked, least: int) -> list[ListedPlan]:
        """Return some of several ways with a No, first those that a part of what ends decides.

        Where the Yes is to be deep, all are returned: few of them are as deep.
        """
        drawn = self._rng.sample(ways, len(ways))
        drawn.sort(key=lambda way: [not each for each in self._with_parts(way, asked)])
        return drawn if least >= DEEP else drawn[: _LOOKED_OF.get(self._name, _LOOKED)]

    def tells(self, ways: Sequence[ListedPlan], asked: Asked) -> bool:
        """Return whether a part of the analysis decides in one of some ways with a No.

        Where enough do anyway, the answer is True.
        """
        found = [self._with_parts(way, asked) for way in ways]
        return not any(found) or any(map(any, found))

    def _with_parts(self, way: ListedPlan, asked: Asked) -> Sequence[bool]:
        """Return the answers with each part left out that should decide a No more often.

        That is all but one of what ends a fact, or, of type-state, that step i is left out.
        """
        if self._name == "type_state":  # step j, which is left out then, supplies itself in no way
            return [self._quick.holds(self._name, way.order, {**asked, "i": asked["j"]})]
        return [each.holds(self._name, way.order, asked) for each in self._telling]

    def by_depth(self, ways: Sequence[ListedPlan], asked: Asked) -> dict[int, list[ListedPlan]]:
        """Return some ways by the depth of a question."""
        found: defaultdict[int, list[ListedPlan]] = defaultdict(list)
        for way in ways:
            deep = 0
            if self._name == "taint":
                looks = [self._quick, *self._telling]
                deep = tainted_links(self._whole.flow, way.order, asked, looks)
            if not deep:
                view, placed = self.shown(way, asked)
                deep = links(view.flow, self._name, flow_question(placed), view.case.source)
            found[deep].append(way)
        return found

    def shown(self, way: ListedPlan, asked: Asked) -> Question:
        """Return a question with the plan as it is listed and stands in queues."""
        if way.view is None:
            case = in_queues(listed(self._whole.case, way.listing), way.held)
            way.view = View(case, self._flow(way, case))
        placed = {**asked, **{step: way.place[asked[step]] for step in "ij" if step in asked}}
        if "sanitizers" in asked:
            placed["sanitizers"] = [way.place[step] for step in asked["sanitizers"]]
        return way.view, placed

    def taken_alike(
        self,
        denied: list[ListedPlan],
        affirmed: Mapping[int, list[ListedPlan]],
        deep: int,
        asked: Asked,
    ) -> tuple[Question, Question]:
        """Return the two questions that look most alike, and remove their ways from the lists.

        Of analyses of which nothing is seen, these are the first of each.

        Args:
            denied: ways with a No.
            affirmed: ways with a Yes, by depth.
            deep: the depth of the Yes.
            asked: the question.
        """
        seen = {way: self._seen(way, asked) for way in (*denied, *affirmed[deep])}
        one, other = min(
            product(denied, affirmed[deep]),
            key=lambda each: math.dist(seen[each[0]], seen[each[1]]),
        )
        denied.remove(one)
        affirmed[deep].remove(other)
        if self._name == "live_variables" and seen[one][-1] > seen[other][-1]:
            other = self._waiting(other, deep, asked)
        return self.shown(one, asked), self.shown(other, asked)

    def _waiting(self, way: ListedPlan, deep: int, asked: Asked) -> ListedPlan:
        """Return a way with a Yes as deep in which step i waits for one more step, if there is."""
        i = way.place[asked["i"]]
        own = next(queue for queue in way.held.queues if i in queue)
        free = [k for k in range(i) if k not in own and not way.held.order.before[i] >> k & 1]
        for step in self._rng.sample(free, len(free)):
            held = way.held.with_wait(step, i)
            found = held and ListedPlan(way.listing, held)
            if not found or not self._quick.holds(self._name, found.order, asked):
                continue
            if deep in self.by_depth([found], asked):
                return found
        return way

    def _seen(self, way: ListedPlan, asked: Asked) -> tuple[int, ...]:
        """Return the numbers that a glance shows and that tell most of the answer."""
        i = way.place[asked["i"]]
        if self._name == "concurrency":
            return way.waits_between(asked["i"], asked["j"])
        if self._name == "live_variables":
            elsewhere = (self._touched(asked["fact"]) & ~way.queue_of[asked["i"]]).bit_count()
            queues, waits = len(way.held.queues), len(way.waits)
            return elsewhere, queues, waits, sum(then == i for _, then in way.waits)
        return ()

    def _flow(self, way: ListedPlan, case: Case) -> Flow:
        if self._anew:
            return way.flow(case.procedure, None)
        flow = self._whole.flow
        if self._flows is None:
            self._flows = flow.with_order([*pairwise(self._steps)]), flow.with_order(())
        found = way.flow(case.procedure, flow)
        found.listed, found.unordered = self._flows
        return found

    def _is_plain(self, way: ListedPlan, asked: Asked) -> bool:
        """Return whether a glance at the two steps asked about shows the answer.

        Steps of one queue are not concurrent, others with no wait between them are, and of steps
        right beside each other, or with one between, a wait shows that they are not. A fact stays
        available from one to the other where no other queue ends it. It reaches the second step
        where no wait keeps the two in order, and in the listed order where the steps between the
        two do not touch it. What only one queue touches is live, or not, there.
        """
        if self._name not in _GLANCED:
            return False
        i, fact = asked["i"], asked.get("fact", "")
        own = way.queue_of[i]
        if self._name == "live_variables":
            return not self._touched(fact) & ~own
        j = asked["j"]
        beside = own >> j & 1
        if self._name == "reaching_definitions":
            between = way.between(i, j)
            apart = not beside and not way.may_be_ordered(i, j)
            return apart or (bool(between) and not self._touched(fact) & between)
        if self._name == "concurrency":
            near = abs(way.place[i] - way.place[j]) < _APART
            return bool(beside) or near or not way.may_be_ordered(i, j)
        return bool(beside) and not self._quick.touching(fact).killed & ~own

    def _touched(self, fact: str) -> int:
        """Return the steps that touch a fact, as a bitset."""
        return union(self._quick.touching(fact))


def pairs(
    name: str, whole: View, asked: Sequence[Asked], rng: Random, depths: Depths, *, works: bool
) -> Iterator[Question]:
    """Yield for each question that queues can turn a No and a Yes of each depth that both have.

    What the listed order shows is the same in all queues: where that decides a Yes, the steps are
    listed in different orders, too.

    Args:
        name: name of the analysis.
        whole: the plan as it is listed.
        asked: questions about it.
        rng: all chance.
        depths: how many are wanted; those that are yielded are counted.
        works: whether the plan works; what it makes is then used in all its orders, or in none.
    """
    if len(whole.flow) < _LONG * min(depths.least, _LONG + 1):
        return
    alike = works and name == "live_variables"
    anew = name in ONCE and not alike and rng.random() < _LISTED_ANEW
    held = _Ways(name, whole, rng, anew=anew)
    least = depths.least
    asked = [each for each in asked if held.most_links(each) >= least]
    if name == "concurrency":
        asked = [
            each
            for each in asked
            if abs(each["i"] - each["j"]) >= _APART
            and (held.alike(each) or rng.random() < _APART_ASKED)
        ]
    asked = list(islice(filter(held.is_open, asked), _FEWER_ASKED.get(name, ASKED)))
    ways = held.drawn() if asked else []
    plain = _PLAIN.get((name, works), 1.0)
    for each in asked:
        no, yes = held.split(ways, each)
        yes = held.deep(yes, each, depths) if no else []
        if yes and (held.tells(no, each) or rng.random() < plain):
            affirmed = held.by_depth(yes, each)
            if not depths.can_match(affirmed):
                continue
            denied = held.by_depth(held.some(no, each, depths.least), each)
            for _ in range(_AGAIN):
                for deep, other in depths.matched(denied, affirmed):
                    found = held.taken_alike(denied[deep], affirmed, other, each)
                    if _is_fit(name, *found, rng):
                        depths.count(deep, other)
                        yield from found
                again = _TWICE.get(name, DEEP)
                denied, affirmed = _left(denied, again), _left(affirmed, again)


def _left(held: Mapping[int, list[ListedPlan]], least: int) -> dict[int, list[ListedPlan]]:
    """Return the ways that are left, those of so many links and more."""
    return {deep: left for deep, left in held.items() if left and deep >= least}


def _is_fit(name: str, denied: Question, affirmed: Question, rng: Random) -> bool:
    """Return whether a pair is taken: not all late ones are, nor taint that no one order shows."""
    if name == "taint":
        return all(
            one_order_shows(view.flow, flow_question(asked)) for view, asked in (denied, affirmed)
        )
    view, asked = denied
    late = name == "reaching_definitions" and view.flow.precedes(asked["j"], asked["i"])
    return not late or rng.random() < _LATE
