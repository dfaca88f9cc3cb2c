"""Parts of the analysis that a question needs, found by bitsets alone.

Three of them say which of many candidates to look at first: those that cannot be answered by the
listed order, by the first options or without kills are few. The conditions are those of the
analyses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any

from thence.core.graph import members
from thence.core.procedure import Taken
from thence.dataflow.flow import Flow, Role
from thence.dataflow.strategies import STRATEGIES, within
from thence.dataflow.worlds import chain_length, links_to, links_to_furthest, worlds
from thence.families.fable.shared.analyses import EVERY, asked_steps
from thence.families.fable.shared.blocks import flow_question
from thence.families.fable.shared.quick_answers import (
    ENDS,
    RULES,
    Order,
    QuickAnswers,
    Sight,
    listed_order,
)

type Asked = Mapping[str, Any]

SHORT_PROOFS = frozenset(
    {
        ("live_variables", False),
        ("very_busy_expressions", False),
        ("type_state", True),
        ("concurrency", True),
    }
)
"""Analyses with an answer of which few have a proof of many links."""


_TRIED = frozenset({"listed_order", "first_option", "kills_ignored"})
_OTHERS = tuple(name for name in STRATEGIES if name not in _TRIED)


class LookedQuestion:
    """A question about some steps, in whatever order these are done.

    Args:
        parts: of the steps in the loosest of these orders.
        name: of the analysis.
        asked: the question.
    """

    def __init__(self, parts: NeededParts, name: str, asked: Asked) -> None:
        self._parts, self._name, self._asked = parts, name, asked
        self._every = parts.sights(name, asked, parts.worlds_of(name, asked))
        self._as_listed = _answered(name, parts.listed, self._every)

    @cached_property
    def loosest(self) -> bool:
        """The answer in the loosest order."""
        return _answered(self._name, self._parts.order, self._every)

    @property
    def turns(self) -> bool:
        """Whether its answer may depend on the order: not where the loosest and the listed agree.

        What one execution shows stays where more are permitted, and what holds in every execution
        stays where fewer are.
        """
        return self.loosest is not self._as_listed

    def of(self, order: Order) -> tuple[bool, tuple[str, ...]]:
        """Return the answer in an order, and which of three strategies answer it wrongly."""
        name, wrong = self._name, list[str]()
        answer = _answered(name, order, self._every)
        if answer is not (name in EVERY):
            if self._as_listed is not answer:
                wrong.append("listed_order")
            if name != "concurrency" and _answered(name, order, self._first) is not answer:
                wrong.append("first_option")
        if not answer and _answered(name, order, self._unkilled):
            wrong.append("kills_ignored")
        return answer, tuple(wrong)

    @cached_property
    def _first(self) -> Sequence[Sight]:
        """The facts and order on which its answer depends, under the first options."""
        return self._parts.sights(
            self._name, self._asked, self._parts.first_of(self._name, self._asked)
        )

    @cached_property
    def _unkilled(self) -> Sequence[Sight]:
        """The same for all options, if no step kills anything."""
        worlds = self._parts.worlds_of(self._name, self._asked)
        return self._parts.sights(self._name, self._asked, worlds, (Role.DEFINE,))


def _answered(name: str, order: Order, sights: Sequence[Sight]) -> bool:
    """Return the answer under some options: whether it is Yes under all of them, or under one."""
    rule = RULES[name]
    found = (rule(order, *each) for each in sights)
    return all(found) if name in EVERY else any(found)


class NeededParts:
    """Finds which parts of the analysis the questions about a procedure need.

    Args:
        flow: of the procedure; its steps are listed in a permitted order.
        cleans: the steps that let nothing bad through, where a question does not name them.
    """

    def __init__(self, flow: Flow, cleans: frozenset[int] = frozenset()) -> None:
        self.flow, self._cleans = flow, cleans
        self.order = Order.of(flow)
        self.listed = listed_order(len(flow))
        self._hops: dict[int, dict[int, int]] = {}
        self._kept: dict[tuple[tuple[Role, ...], int], QuickAnswers] = {}
        self._firsts: dict[tuple[Taken, ...], int] = {}
        self._worlds = self._every_world()

    def ordered(self, flow: Flow) -> NeededParts:
        """Return those of the same steps in another order."""
        found = copy(self)  # what is known of the steps is shared
        vars(found).update(flow=flow, order=Order.of(flow))
        vars(found).pop("_orders", None)
        return found

    def _every_world(self) -> list[int]:
        """Return which steps are carried out, for each combination of options."""
        choices = self.flow.choices
        if choices is None:
            return [self.flow.all_steps]
        names = choices.deciding
        every = choices.combinations(names, len(self.flow))
        return sorted({choices.carried_out(each) for each in every})

    def of(self, name: str, asked: Asked) -> tuple[bool, tuple[str, ...]]:
        """Return the answer to a question, and which of three strategies answer it wrongly."""
        return self.looked(name, asked).of(self.order)

    def looked(self, name: str, asked: Asked) -> LookedQuestion:
        """Return a question with what its answer depends on in whatever order."""
        return LookedQuestion(self, name, asked)

    def needs(self, name: str, asked: Asked) -> frozenset[str]:
        """Return the names of all strategies that answer a question wrongly, as `strategies.needs`.

        Args:
            name: of the analysis, any but intervals.
            asked: the question; step i makes its fact, if it has one.
        """
        answer, found = self.of(name, asked)
        others = (each for each in _OTHERS if self.errs(each, name, asked, answer))
        return frozenset((*found, *others))

    def errs(self, strategy: str, name: str, asked: Asked, answer: bool) -> bool:
        """Return whether a strategy that `of` does not try answers a question wrongly."""
        tried = STRATEGIES[strategy]
        return (
            name in tried.analyses
            and tried.can_err(name, answer)
            and self._by(strategy, name, asked) is not answer
        )

    def _by(self, strategy: str, name: str, asked: Asked) -> bool:
        """Return the answer by a strategy that `of` does not try."""
        if strategy == "sanitizers_ignored":
            return self._answer(name, {**asked, "sanitizers": ()}, self.order)
        if strategy == "suppliers_ignored":
            if name == "type_state":
                return not self._is_supplied(asked)
            return self._answer(name, asked, self.order, ends=(Role.KILL,))
        if name == "taint" and strategy != "order_ignored":
            far = self.way(asked, self.order)
            return far is not None and far <= (STRATEGIES[strategy].links or 0)
        return self._answer(name, asked, self._orders[strategy])

    def reason(self, name: str, asked: Asked) -> str:
        """Return the reason for an answer where one execution shows a Yes, as `reasons.reason`.

        Args:
            name: of an analysis of `ONCE`.
            asked: the question about another step than step i, which makes its fact.
        """
        if not self._answer(name, asked, self.order):
            return self._cut(asked)[0] if name == "taint" else self._ended(name, asked)
        first = [self._first(asked)]
        if self._answer(name, asked, self.listed):
            listed = self._answer(name, asked, self.listed, first)
            return "listed" if listed else "other_option"
        return "other_order" if self._answer(name, asked, self.order, first) else "other_both"

    def _ended(self, name: str, asked: Asked) -> str:
        """Return why a fact does not get from step i to any step, or to step j, that it is for."""
        flow, i, j = self.flow, asked["i"], asked.get("j")
        others = [j] if j is not None else members(flow.mask(Role.USE, asked["fact"]) & ~(1 << i))
        possible = [k for k in others if flow.is_possible(i, k)]
        if all(flow.precedes(k, i) for k in possible):
            if j is None:
                return "never_used"
            return "always_after" if possible else "never_both"
        if not self._answer(name, asked, self.order, ends=(Role.KILL,)):
            return "ended"
        without_kills = self._answer(name, asked, self.order, ends=(Role.DEFINE,))
        return "ended_or_remade" if without_kills else "remade"

    def depth(self, asked: Asked) -> int:
        """Return the depth of a question about taint."""
        far = self.way(asked, self.order) or self._cut(asked)[1]
        question = flow_question(asked)
        return far or max(1, *(links_to_furthest(world, question) for world in worlds(self.flow)))

    def _cut(self, asked: Asked) -> tuple[str, int | None]:
        """Return why nothing unsafe gets to step j, and the links of the way; see `why_clean`."""
        if not self.flow.steps[asked["i"]].defines:
            return "no_source", 1
        if not self.flow.is_possible(asked["i"], asked["j"]):
            return "never_both", 1
        if far := self.way({**asked, "sanitizers": ()}, self.order):
            return "made_safe", far
        for name, role in (("overwritten", Role.KILL), ("killed", Role.DEFINE)):
            if far := self.way(asked, self.order, (role,)):
                return name, far
        if far := links_to(self.flow, flow_question(asked), asked["j"]):
            return "excluded", far
        far = self.way(asked, self._orders["order_ignored"])
        return ("too_early", far) if far else ("no_way", None)

    def way(self, asked: Asked, order: Order, ends: Sequence[Role] = ENDS) -> int | None:
        """Return the links of the shortest way of contamination under any options, if any."""
        given = {"sanitizers": self._cleans, **asked}
        both = (done for done in self._worlds if done >> asked["i"] & done >> asked["j"] & 1)
        found = (self._quick(ends, done).links(order, given) for done in both)
        return min((far for far in found if far is not None), default=None)

    def _is_supplied(self, asked: Asked) -> bool:
        """Return whether something that step j uses can reach it from step i."""
        made = set(self.flow.steps[asked["i"]].defines) & set(self.flow.steps[asked["j"]].uses)
        return any(
            self._answer("reaching_definitions", {**asked, "fact": fact}, self.order)
            for fact in made
        )

    @cached_property
    def _orders(self) -> Mapping[str, Order]:
        """The orders that the strategies go by which follow few links, or none."""
        ways = self.flow.reduced
        found = {
            each.name: Order(
                within(each.links, ways.successors), within(each.links, ways.predecessors)
            )
            for each in STRATEGIES.values()
            if each.links
        }
        return {**found, "order_ignored": Order.none(len(self.flow))}

    def links(self, asked: Asked) -> int:
        """Return about how many links of the order, or of taint, a question spans."""
        if "sanitizers" in asked:
            return self.hops(asked["i"]).get(asked["j"], 1)
        i, j = asked["i"], asked.get("j")
        others = [j] if j is not None else members(self.flow.mask(Role.USE, asked["fact"]))
        far = [chain_length(self.flow, a, b) for k in others for a, b in ((i, k), (k, i))]
        return min((each for each in far if each), default=1)

    def hops(self, i: int) -> Mapping[int, int]:
        """Return the steps that need something that comes of a step, in whatever order.

        Each with the number of facts on the shortest way.
        """
        if i not in self._hops:
            found: dict[int, int] = {}
            last = {i}
            while last:
                facts = {fact for step in last for fact in self.flow.steps[step].defines}
                users = {k for fact in facts for k in members(self.flow.mask(Role.USE, fact))}
                last = users - found.keys() - {i}
                found |= dict.fromkeys(last, max(found.values(), default=0) + 1)
            self._hops[i] = found
        return self._hops[i]

    def _answer(
        self, name: str, asked: Asked, order: Order, worlds: Sequence[int] | None = None,
        ends: Sequence[Role] = ENDS,
    ) -> bool:  # fmt: skip
        """Return the answer over the options that carry out the steps asked about."""
        done = self.worlds_of(name, asked, worlds)
        return _answered(name, order, self.sights(name, asked, done, ends))

    def worlds_of(
        self, name: str, asked: Asked, worlds: Sequence[int] | None = None
    ) -> Sequence[int]:
        """Return the worlds that carry out the steps asked about; of all, or of some."""
        steps = 0
        for step in asked_steps(name, asked):
            steps |= 1 << step
        every = self._worlds if worlds is None else worlds
        return [done for done in every if not steps & ~done]

    def sights(
        self, name: str, asked: Asked, worlds: Sequence[int], ends: Sequence[Role] = ENDS
    ) -> Sequence[Sight]:
        """Return what an answer depends on in some worlds, each different one once."""
        given = asked if "sanitizers" in asked else {**asked, "sanitizers": self._cleans}
        found = (self._quick(ends, done).sight(name, given) for done in worlds)
        return list(dict.fromkeys(found))

    def _quick(self, ends: Sequence[Role], done: int) -> QuickAnswers:
        key = tuple(ends), done
        if key not in self._kept:
            self._kept[key] = QuickAnswers(self.flow, ends, done)
        return self._kept[key]

    def first_of(self, name: str, asked: Asked) -> Sequence[int]:
        """Return the world of the first options, if it carries out the steps asked about."""
        return self.worlds_of(name, asked, [self._first(asked)])

    def _first(self, asked: Asked) -> int:
        """Return the steps that are carried out under the first options; see `first_option`."""
        choices = self.flow.choices
        if choices is None:
            return self.flow.all_steps
        taken: dict[str, str] = {}
        for step in (asked.get("j"), asked["i"]):
            for choice, option in choices.whens[step] if step is not None else ():
                taken.setdefault(choice, option)
        key = tuple(taken.items())
        if key not in self._firsts:
            self._firsts[key] = choices.carried_out(choices.completed(taken))
        return self._firsts[key]
