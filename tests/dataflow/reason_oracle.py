"""Reasons, depth and incomplete strategies by looking at every execution: slow, and on its own.

Shares nothing with the package. Each name and number of docs/concepts/dataflow.md is read off the
lists of executions; a *group* is the list of those under the same options.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import copy
from itertools import pairwise, permutations
from typing import Any

from tests.dataflow.choice_oracle import ChoiceOracle, Execution

Group = list[Execution]
Asked = dict[str, Any]
FAR = 99


class ReasonOracle(ChoiceOracle):
    """Answers what decides a question, how deep it is, and what incomplete strategies say."""

    free: ReasonOracle | None = None  # the same without order
    redefined = True  # whether a definition ends what others made

    def __init__(self, procedure: dict[str, Any]) -> None:
        super().__init__(procedure)
        self.choices: dict[str, list[str]] = procedure.get("choices", {})
        self.uses: list[list[str]] = [list(step["uses"]) for step in procedure["steps"]]
        self.listed = next(self._extensions((), set(range(self.n))))
        self.static = _distances(self.n, self.before)
        self.links = {run: links for group in self.groups for links in [self._links(group)]
                      for run in group}  # fmt: skip

    def _links(self, group: Group) -> list[list[int]]:
        pairs = {(a, b) for a in group[0] for b in group[0] if a != b}
        always = {p for p in pairs if all(r.index(p[0]) < r.index(p[1]) for r in group)}
        return _distances(self.n, always)

    def _ends(self, steps: Collection[int], fact: str) -> bool:
        return any(
            fact in self.kill[step] or (self.redefined and fact in self.define[step])
            for step in steps
        )

    def ask(self, name: str, asked: Asked) -> Any:
        """The answer."""
        return getattr(self, name)(**asked)

    def ending(self, fact: str) -> list[int]:
        return [k for k in range(self.n) if self._ends([k], fact)]

    def using(self, fact: str) -> list[int]:
        return [k for k in range(self.n) if fact in self.use[k]]

    def making(self, fact: str) -> list[int]:
        return [k for k in range(self.n) if fact in self.define[k]]

    def killing(self, fact: str) -> list[int]:
        return [k for k in range(self.n) if fact in self.kill[k]]

    def comes(self, runs: Collection[Execution], *steps: int) -> bool:
        """Whether in some of these executions these steps come in this order."""
        return any(
            all(k in run for k in steps) and sorted(steps, key=run.index) == list(steps)
            for run in runs
        )

    def groups_of(self, *steps: int) -> list[Group]:
        return [group for group in self.groups if all(k in group[0] for k in steps)]

    # Strategies ---------------------------------------------------------------------------------

    def only(self, groups: list[Group]) -> ReasonOracle:
        """The same procedure with some of its executions."""
        left = copy(self)
        left.groups = groups
        left.executions = [run for group in groups for run in group]
        return left

    def in_listed_order(self) -> ReasonOracle:
        return self.only([[self.run_of(group)] for group in self.groups])

    def run_of(self, group: Group) -> Execution:
        return tuple(k for k in self.listed if k in group[0])

    def under_first(self, asked: Asked) -> ReasonOracle:
        options: dict[str, str] = {}
        for key in ("j", "i"):
            for choice, option in self.whens[asked[key]] if key in asked else ():
                options.setdefault(choice, option)
        every = {choice: options.get(choice, held[0]) for choice, held in self.choices.items()}
        present = set(self.present(every))
        return self.only([group for group in self.groups if set(group[0]) == present])

    def without_kills(self) -> ReasonOracle:
        left = copy(self)
        left.kill = [frozenset[str]()] * self.n
        return left

    def without_redefinitions(self) -> ReasonOracle:
        left = copy(self)
        left.redefined = False
        return left

    def with_sole_supplier(self, i: int, j: int) -> ReasonOracle:
        left = copy(self)
        gone = {fact for fact in self.use[j] if self.reaching_definitions(i, j, fact)}
        left.define = [made if k == i else made - gone for k, made in enumerate(self.define)]
        left.start = self.start - gone
        return left

    def unordered(self) -> ReasonOracle:
        if self.free is not None:
            return self.free
        left = self.only([[*permutations(sorted(group[0]))] for group in self.groups])
        self.free = left
        left.before = set()
        left.spans = {
            run: [(i, j, set(run[a + 1 : b])) for b, j in enumerate(run)
                  for a, i in ((-1, -1), *enumerate(run[:b]))]
            for run in left.executions
        }  # fmt: skip
        return left

    def strategies(self, name: str, asked: Asked) -> Iterator[tuple[str, Any]]:
        """Each strategy that is defined for an analysis, and its answer."""
        yield "listed_order", self.in_listed_order().ask(name, asked)
        if name != "concurrency":
            yield "first_option", self.under_first(asked).ask(name, asked)
        yield "order_ignored", self.unordered().ask(name, asked)
        yield "direct_links", self.near(1, name, asked)
        yield "two_links", self.near(2, name, asked)
        if name != "intervals":
            yield "kills_ignored", self.without_kills().ask(name, asked)
        if name == "type_state":
            yield "suppliers_ignored", self.with_sole_supplier(**asked).ask(name, asked)
        elif name in {"reaching_definitions", "live_variables", "very_busy_expressions", "taint"}:
            yield "suppliers_ignored", self.without_redefinitions().ask(name, asked)
        if name == "taint":
            yield "sanitizers_ignored", self.ask(name, asked | {"sanitizers": ()})

    def near(self, most: int, name: str, asked: Asked) -> Any:
        """The conditions of the document, where *before* means by at most so many links."""
        far, i, j, fact = self.static, asked.get("i"), asked.get("j"), asked.get("fact")

        def near(*steps: int) -> bool:
            return all(far[a][b] <= most for a, b in pairwise(steps))

        def lets(group: Group, i: int, j: int) -> bool:
            ends = [k for k in self.ending(fact) if k in group[0] and k not in {i, j}]
            return not near(j, i) and not any(near(i, k, j) for k in ends)

        def some(gens: list[int], kills: list[int], point: int, *, sign: int, start: bool) -> bool:
            gens = [s for s in gens if near(*(s, point)[::sign])]
            kills = [k for k in kills if k not in gens and not near(*(point, k)[::sign])]
            return (start or bool(gens)) and all(
                any(near(*(k, s, point)[::sign]) for s in gens) for k in kills
            )

        def there(steps: list[int], group: Group, *but: int | None) -> list[int]:
            return [k for k in steps if k in group[0] and k not in but]

        if name == "taint":
            found = self.contamination(asked)
            return found is not None and found <= most
        if name == "reaching_definitions":
            return fact in self.define[i] and any(
                i != j and lets(group, i, j) for group in self.groups_of(i, j)
            )
        if name == "available_expressions":
            return fact in self.define[i] and i != j and all(
                i in group[0] and near(i, j) and not any(
                    not near(k, i) and not near(j, k)
                    for k in there(self.killing(fact), group, i, j)
                ) for group in self.groups_of(j)
            )  # fmt: skip
        if name == "live_variables":
            return any(
                lets(group, i, user) for group in self.groups_of(i)
                for user in there(self.using(fact), group, i)
            )  # fmt: skip
        if name == "very_busy_expressions":
            return all(
                some(there(self.using(fact), group, i),
                     there([k for k in self.ending(fact) if k not in self.using(fact)], group, i),
                     i, sign=-1, start=False)
                for group in self.groups_of(i)
            )  # fmt: skip
        if name == "type_state":
            return all(
                some(there(self.making(f), group, i, j),
                     there([k for k in self.killing(f) if k not in self.making(f)], group, i, j),
                     j, sign=1, start=f in self.start)
                for f in self.use[j] for group in self.groups_of(j)
            )  # fmt: skip
        if name == "concurrency":
            return (
                not near(i, j) and not near(j, i) and bool(self.groups_of(i, j))
                and not self.conflict(i, j)
            )  # fmt: skip
        along = [k for k in self.listed if k != i and self.groups_of(i, k)]
        earlier, later = ([k for k in along if near(k, i)], [k for k in along if near(i, k)])
        return earlier[-1] if earlier else None, later[0] if later else None

    def conflict(self, i: int, j: int) -> bool:
        return any(
            self.kill[a] & (self.use[b] | self.define[b]) or self.define[a] & self.use[b]
            for a, b in ((i, j), (j, i))
        )

    # Taint --------------------------------------------------------------------------------------

    def spread(self, edges: set[tuple[int, str, int]], asked: Asked) -> dict[int, int]:
        source, fact = asked.get("i", -1), asked.get("fact")
        source = -1 if source is None else source
        found = {b: 1 for a, p, b in edges if a == source and fact in {None, p}}
        while True:
            more = {
                b: found[a] + 1 for a, _, b in edges
                if a in found and a not in asked.get("sanitizers", ())
                and found[a] + 1 < found.get(b, FAR)
            }  # fmt: skip
            if not more:
                return found
            for b, links in more.items():
                found[b] = min(links, found.get(b, FAR))

    def contamination(self, asked: Asked) -> int | None:
        ways = [self.spread(self.flows(group), asked).get(asked["j"]) for group in self.groups]
        return min((each for each in ways if each is not None), default=None)

    def cut(self, asked: Asked) -> tuple[str, int]:
        i, j = asked.get("i"), asked["j"]
        made = self.start if i is None else self.define[i]
        if not made or ("fact" in asked and asked["fact"] not in made):
            return "no_source", 1
        if i is not None and not self.groups_of(i, j):
            return "never_both", 1
        every = {edge for group in self.groups for edge in self.flows(group)}
        for name, found in (
            ("made_safe", self.contamination(asked | {"sanitizers": ()})),
            ("overwritten", self.without_redefinitions().contamination(asked)),
            ("killed", self.without_kills().contamination(asked)),
            ("excluded", self.spread(every, asked).get(j)),
            ("too_early", self.unordered().contamination(asked)),
        ):
            if found:
                return name, found
        reached = [self.spread(self.flows(group), asked) for group in self.groups]
        return "no_way", max((links for each in reached for links in each.values()), default=1)


def _distances(n: int, before: Collection[tuple[int, int]]) -> list[list[int]]:
    """The links of the shortest chain of an order that is given with all its pairs."""
    far = [[FAR] * n for _ in range(n)]
    for a, b in before:
        if not any((a, c) in before and (c, b) in before for c in range(n)):
            far[a][b] = 1
    for c in range(n):
        for a in range(n):
            for b in range(n):
                far[a][b] = min(far[a][b], far[a][c] + far[c][b])
    return far
