"""The eight analyses by listing every execution and looking: slow, literal, and on its own.

Works on the JSON form of a procedure and shares nothing with the package. An execution is a list of
steps; each definition of the specification is read off it, word by word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

Execution = tuple[int, ...]


class Oracle:
    """Answers questions about a small procedure."""

    def __init__(self, procedure: dict[str, Any]) -> None:
        steps = procedure["steps"]
        self.n = len(steps)
        self.use = [frozenset(step["uses"]) for step in steps]
        self.define = [frozenset(step["defines"]) for step in steps]
        self.kill = [frozenset(step["kills"]) for step in steps]
        self.order = [tuple(pair) for pair in procedure["order"]]
        self.executions = list(self._extensions((), set(range(self.n))))
        self.facts = sorted(frozenset().union(*self.use, *self.define, *self.kill))
        self.some_before = self._pairs(self.executions)
        self.always_before = {
            (i, j)
            for i in range(self.n)
            for j in range(self.n)
            if i != j and (j, i) not in self.some_before
        }
        given = procedure.get("start")
        self.start = frozenset(self._wanted() if given is None else given)
        self._observe()

    def _extensions(self, done: Execution, left: set[int]) -> Iterator[Execution]:
        if not left:
            yield done
        for step in sorted(left):
            if not any(a in left and b == step for a, b in self.order):
                yield from self._extensions((*done, step), left - {step})

    @staticmethod
    def _pairs(executions: list[Execution]) -> set[tuple[int, int]]:
        return {
            (run[a], run[b])
            for run in executions
            for a in range(len(run))
            for b in range(a + 1, len(run))
        }

    def _wanted(self) -> Iterator[str]:
        for fact in self.facts:
            for user in range(self.n):
                if fact in self.use[user] and not any(
                    fact in self.define[d] and (d, user) in self.always_before
                    for d in range(self.n)
                ):
                    yield fact
                    break

    def _observe(self) -> None:
        """Looks at every execution once, and notes what happens in some and what in every one."""
        self.reached: set[tuple[int, str, int]] = set()  # (i, fact, j); i is -1 for the start
        self.kept: set[tuple[int, str, int]] | None = None
        self.live: set[tuple[int, str]] = set()
        self.busy: set[tuple[int, str]] | None = None
        self.broken: set[tuple[int, int]] = set()  # (left out, not valid)
        for run in self.executions:
            kept, busy = set[tuple[int, str, int]](), set[tuple[int, str]]()
            for fact in self.facts:
                for a, i in ((-1, -1), *enumerate(run)):
                    self._follow(i, fact, run[a + 1 :], kept, busy)
            self.kept = kept if self.kept is None else self.kept & kept
            self.busy = busy if self.busy is None else self.busy & busy
            for i in run:
                self.broken |= {(i, j) for j in self.invalid([s for s in run if s != i])}

    def _follow(self, i: int, fact: str, rest: Execution, kept: set[Any], busy: set[Any]) -> None:
        """What becomes of a fact after step i in the rest of an execution."""
        made = fact in self.start if i == -1 else fact in self.define[i]
        killed = redefined = False  # by a step between i and j
        for j in rest:
            if made and not killed:
                kept.add((i, fact, j))
            if not killed and not redefined:
                if made:
                    self.reached.add((i, fact, j))
                if fact in self.use[j]:
                    self.live.add((i, fact))
                    busy.add((i, fact))
            killed = killed or fact in self.kill[j]
            redefined = redefined or fact in self.define[j]

    def invalid(self, run: Collection[int]) -> Iterator[int]:
        """Steps that do not find all they use when these are executed one after the other."""
        state = set(self.start)
        for step in run:
            if not self.use[step] <= state:
                yield step
            state -= self.kill[step]
            state |= self.define[step]

    # The questions ------------------------------------------------------------------------------

    def reaching_definitions(self, i: int, j: int, fact: str) -> bool:
        return (i, fact, j) in self.reached

    def available_expressions(self, i: int, j: int, fact: str) -> bool:
        return (i, fact, j) in (self.kept or ())

    def live_variables(self, i: int, fact: str) -> bool:
        return (i, fact) in self.live

    def very_busy_expressions(self, i: int, fact: str) -> bool:
        return (i, fact) in (self.busy or ())

    def type_state(self, i: int, j: int) -> bool:
        return (i, j) not in self.broken

    def concurrency(self, i: int, j: int) -> bool:
        if not {(i, j), (j, i)} <= self.some_before:
            return False
        return not any(
            self.kill[a] & (self.use[b] | self.define[b]) or self.define[a] & self.use[b]
            for a, b in ((i, j), (j, i))
        )

    def intervals(self, i: int) -> tuple[int | None, int | None]:
        text_like = list(min(self.executions))
        earlier = [k for k in text_like if (k, i) in self.always_before]
        later = [k for k in text_like if (i, k) in self.always_before]
        return earlier[-1] if earlier else None, later[0] if later else None

    def taint(
        self, j: int, i: int | None = None, fact: str | None = None,
        sanitizers: Collection[int] = (),
    ) -> bool:  # fmt: skip
        edges = [(a, p, b) for a, p, b in self.reached if p in self.use[b]]
        source = -1 if i is None else i
        tainted = {b for a, p, b in edges if a == source and fact in {None, p}}
        while True:
            more = {b for a, _, b in edges if a in tainted and a not in sanitizers} - tainted
            if not more:
                return j in tainted
            tainted |= more
