"""Parts of the analysis that a question about a trip needs, found by bitsets alone.

They say which of many candidates to look at first: those that cannot be answered by the listed
order, by the first options or without kills are few. The conditions are those of the analyses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from thence.core.graph import members
from thence.dataflow.flow import Flow, Role
from thence.dataflow.worlds import chain
from thence.families.fable.shared.analyses import EVERY

type Asked = Mapping[str, Any]


class _View(NamedTuple):
    """A trip under some options, with an order.

    Attributes:
        flow: the trip.
        before: for each step the bitset of those that come before it.
        after: the same of those that come after it.
        done: the bitset of the steps that are carried out.
        kills: whether steps kill facts.
        cleans: the steps that let nothing bad through.
    """

    flow: Flow
    before: Sequence[int]
    after: Sequence[int]
    done: int
    kills: bool
    cleans: frozenset[int]

    def mask(self, role: Role, fact: str) -> int:
        return self.flow.mask(role, fact) & self.done

    def ends(self, fact: str) -> int:
        made = self.mask(Role.DEFINE, fact)
        return made | self.mask(Role.KILL, fact) if self.kills else made

    def passes(self, i: int, j: int, fact: str) -> bool:
        """Return whether a fact can get from a step to another."""
        inside = self.ends(fact) & self.after[i] & self.before[j]
        return not (self.before[i] >> j & 1 or inside)


class NeededParts:
    """What the questions about a trip need.

    Args:
        flow: of the trip; its steps are listed in a permitted order.
        cleans: the steps that let nothing bad through.
    """

    def __init__(self, flow: Flow, cleans: frozenset[int]) -> None:
        self._flow, self._cleans = flow, cleans
        self._hops: dict[int, dict[int, int]] = {}
        steps = range(len(flow))
        listed = [(1 << k) - 1 for k in steps], [flow.all_steps & -(2 << k) for k in steps]
        self._orders = {True: listed, False: (flow.ancestors, flow.descendants)}
        self._worlds = [flow.all_steps]
        if flow.choices:
            every = flow.choices.combinations(flow.choices.options)
            self._worlds = sorted({flow.choices.carried_out(each) for each in every})

    def of(self, name: str, asked: Asked) -> tuple[bool, frozenset[str]]:
        """Return the answer to a question, and which of three strategies answer it wrongly."""
        answer = _answer(name, asked, self._views(asked))
        others: dict[str, Iterator[_View]] = {}
        if answer is not (name in EVERY):
            others["listed_order"] = self._views(asked, listed=True)
            if name != "concurrency":
                others["first_option"] = self._views(asked, first=True)
        if not answer:
            others["kills_ignored"] = self._views(asked, kills=False)
        wrong = (
            each for each, views in others.items() if _answer(name, asked, views) is not answer
        )
        return answer, frozenset(wrong)

    def links(self, asked: Asked) -> int:
        """Return about how many links of the order, or of taint, a question spans."""
        if "sanitizers" in asked:
            return self.hops(asked["i"]).get(asked["j"], 1)
        i, j = asked["i"], asked.get("j")
        others = [j] if j is not None else members(self._flow.mask(Role.USE, asked["fact"]))
        far = [chain(self._flow, a, b) for k in others for a, b in ((i, k), (k, i))]
        return min((each for each in far if each), default=1)

    def hops(self, i: int) -> Mapping[int, int]:
        """Return the steps that need something that comes of a step, in whatever order.

        Each with the number of facts on the shortest way.
        """
        if i not in self._hops:
            found: dict[int, int] = {}
            last = {i}
            while last:
                facts = {fact for step in last for fact in self._flow.steps[step].defines}
                users = {k for fact in facts for k in members(self._flow.mask(Role.USE, fact))}
                last = users - found.keys() - {i}
                found |= dict.fromkeys(last, max(found.values(), default=0) + 1)
            self._hops[i] = found
        return self._hops[i]

    def _views(
        self, asked: Asked, *, listed: bool = False, first: bool = False, kills: bool = True
    ) -> Iterator[_View]:
        before, after = self._orders[listed]
        for done in [self._first(asked)] if first else self._worlds:
            yield _View(self._flow, before, after, done, kills, self._cleans)

    def _first(self, asked: Asked) -> int:
        """Return the steps that are carried out under the first options; see `first_option`."""
        choices = self._flow.choices
        if choices is None:
            return self._flow.all_steps
        taken: dict[str, str] = {}
        for step in (asked.get("j"), asked["i"]):
            for choice, option in choices.whens[step] if step is not None else ():
                taken.setdefault(choice, option)
        return choices.carried_out(choices.completed(taken))


def _answer(name: str, asked: Asked, views: Iterator[_View]) -> bool:
    condition, on = CONDITIONS[name]
    steps = [asked[key] for key in on]
    found = (condition(view, asked) for view in views if all(view.done >> k & 1 for k in steps))
    return all(found) if name in EVERY else any(found)


def _reaches(view: _View, asked: Asked) -> bool:
    return view.passes(asked["i"], asked["j"], asked["fact"])


def _is_live(view: _View, asked: Asked) -> bool:
    i, fact = asked["i"], asked["fact"]
    users = view.mask(Role.USE, fact) & ~(1 << i)
    return any(view.passes(i, user, fact) for user in members(users))


def _is_busy(view: _View, asked: Asked) -> bool:
    i, fact = asked["i"], asked["fact"]
    users = view.mask(Role.USE, fact)
    forced = users & view.after[i]
    ends = view.ends(fact) & ~users & ~view.before[i] & ~(1 << i)
    return forced > 0 and all(forced & view.before[k] for k in members(ends))


def _is_available(view: _View, asked: Asked) -> bool:
    i, j, fact = asked["i"], asked["j"], asked["fact"]
    if not (view.done >> i & 1 and view.before[j] >> i & 1):
        return False
    killers = view.mask(Role.KILL, fact) if view.kills else 0
    return not killers & ~(view.before[i] | view.after[j] | 1 << i | 1 << j)


def _is_valid(view: _View, asked: Asked) -> bool:
    i, j = asked["i"], asked["j"]
    others = ~(1 << i | 1 << j)
    for fact in view.flow.steps[j].uses:
        makers = view.mask(Role.DEFINE, fact) & others
        if fact not in view.flow.start and not makers & view.before[j]:
            return False
        killers = view.mask(Role.KILL, fact) & others & ~makers if view.kills else 0
        for k in members(killers & ~view.after[j]):
            if not makers & view.after[k] & view.before[j]:
                return False
    return True


def _is_tainted(view: _View, asked: Asked) -> bool:
    waiting, seen = [asked["i"]], set[int]()
    while waiting:
        step = waiting.pop()
        for fact in view.flow.steps[step].defines:
            for user in members(view.mask(Role.USE, fact)):
                if user in seen or user == step or not view.passes(step, user, fact):
                    continue
                if user == asked["j"]:
                    return True
                seen.add(user)
                if user not in view.cleans:
                    waiting.append(user)
    return False


def _may_coincide(view: _View, asked: Asked) -> bool:
    i, j = asked["i"], asked["j"]
    if (view.before[i] | view.after[i]) >> j & 1:
        return False
    steps = view.flow.steps
    for one, other in ((steps[i], steps[j]), (steps[j], steps[i])):
        if not {*one.defines}.isdisjoint(other.uses):
            return False
        if view.kills and not {*one.kills}.isdisjoint((*other.uses, *other.defines)):
            return False
    return True


CONDITIONS: Mapping[str, tuple[Callable[[_View, Asked], bool], Sequence[str]]] = {
    "reaching_definitions": (_reaches, ("i", "j")),
    "live_variables": (_is_live, ("i",)),
    "very_busy_expressions": (_is_busy, ("i",)),
    "available_expressions": (_is_available, ("j",)),
    "type_state": (_is_valid, ("j",)),
    "taint": (_is_tainted, ("i", "j")),
    "concurrency": (_may_coincide, ("i", "j")),
}
"""The condition of each analysis under some options, and the steps that these carry out."""
