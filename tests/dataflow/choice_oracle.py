"""The eight analyses with choices, by listing every execution under every option: slow and literal.

Works on the JSON form of a procedure and shares nothing with the package. An execution is a list of
the steps that are carried out; each row of the specification's table is read off it, word by word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from typing import Any

Execution = tuple[int, ...]


class ChoiceOracle:
    """Answers questions about a small procedure with choices."""

    def __init__(self, procedure: dict[str, Any]) -> None:
        steps = procedure["steps"]
        self.n = len(steps)
        self.use = [frozenset(step["uses"]) for step in steps]
        self.define = [frozenset(step["defines"]) for step in steps]
        self.kill = [frozenset(step["kills"]) for step in steps]
        self.whens = [[tuple(taken) for taken in step.get("when", [])] for step in steps]
        self.before = self._closure([tuple(pair) for pair in procedure["order"]])
        choices: dict[str, list[str]] = procedure.get("choices", {})
        present = {  # options that carry out the same steps have the same executions
            self.present(dict(zip(choices, options, strict=True)))
            for options in product(*choices.values())
        }
        self.groups = [list(self._extensions((), set(steps))) for steps in sorted(present)]
        self.executions = [run for group in self.groups for run in group]
        given = procedure.get("start")
        self.start = frozenset(self._wanted() if given is None else given)
        self.spans: dict[Execution, list[tuple[int, int, set[int]]]] = {
            run: [
                (i, j, set(run[a + 1 : b]))
                for b, j in enumerate(run)
                for a, i in ((-1, -1), *enumerate(run[:b]))
            ]
            for run in self.executions
        }

    def _closure(self, pairs: Collection[Any]) -> set[tuple[int, int]]:
        held = set(pairs)
        while more := {(a, d) for a, b in held for c, d in held if b == c} - held:
            held |= more
        return held

    def present(self, options: dict[str, str]) -> Execution:
        """The steps that are carried out."""
        return tuple(
            step
            for step in range(self.n)
            if all(options[choice] == option for choice, option in self.whens[step])
        )

    def _extensions(self, done: Execution, left: set[int]) -> Iterator[Execution]:
        if not left:
            yield done
        for step in sorted(left):
            if not any((other, step) in self.before for other in left):
                yield from self._extensions((*done, step), left - {step})

    def _wanted(self) -> Iterator[str]:
        """Each fact with a use that in some execution no definition of it precedes.

        No definition *has to*: those that may come later are done later in another execution.
        """
        for fact in sorted(frozenset().union(*self.use)):
            if any(
                fact in self.use[step]
                and not any(fact in self.define[other] for other in run[: run.index(step)])
                for run in self.executions
                for step in run
            ):
                yield fact

    def carried_out(self, *steps: int) -> bool:
        return any(all(step in run for step in steps) for run in self.executions)

    def _ends(self, steps: Collection[int], fact: str) -> bool:
        return any(fact in self.kill[step] | self.define[step] for step in steps)

    # The questions ------------------------------------------------------------------------------

    def reaching_definitions(self, i: int, j: int, fact: str) -> bool:
        return fact in self.define[i] and any(
            (a, b) == (i, j) and not self._ends(between, fact)
            for run in self.executions
            for a, b, between in self.spans[run]
        )

    def available_expressions(self, i: int, j: int, fact: str) -> bool:
        return fact in self.define[i] and all(
            any(
                (a, b) == (i, j) and not any(fact in self.kill[step] for step in between)
                for a, b, between in self.spans[run]
            )
            for run in self.executions
            if j in run
        )

    def _used(self, run: Execution, i: int, fact: str) -> bool:
        return any(
            a == i and fact in self.use[b] and not self._ends(between, fact)
            for a, b, between in self.spans[run]
        )

    def live_variables(self, i: int, fact: str) -> bool:
        return any(self._used(run, i, fact) for run in self.executions if i in run)

    def very_busy_expressions(self, i: int, fact: str) -> bool:
        return all(self._used(run, i, fact) for run in self.executions if i in run)

    def type_state(self, i: int, j: int) -> bool:
        return all(self.finds(run, i, j) for run in self.executions if j in run)

    def finds(self, run: Execution, without: int | None, j: int) -> bool:
        """Whether step j finds what it uses when a step is left out of an execution."""
        state = set(self.start)
        for step in run[: run.index(j)]:
            if step != without:
                state -= self.kill[step]
                state |= self.define[step]
        return self.use[j] <= state

    def concurrency(self, i: int, j: int) -> bool:
        both_ways = any(
            {True, False} <= {run.index(i) < run.index(j) for run in group if i in run and j in run}
            for group in self.groups
        )
        return both_ways and not any(
            self.kill[a] & (self.use[b] | self.define[b]) or self.define[a] & self.use[b]
            for a, b in ((i, j), (j, i))
        )

    def intervals(self, i: int) -> tuple[int | None, int | None]:
        text_like = next(self._extensions((), set(range(self.n))))
        both = {k: [run for run in self.executions if i in run and k in run] for k in text_like}
        del both[i]
        earlier = [
            k for k, runs in both.items() if runs and all(r.index(k) < r.index(i) for r in runs)
        ]
        later = [
            k for k, runs in both.items() if runs and all(r.index(k) > r.index(i) for r in runs)
        ]
        return earlier[-1] if earlier else None, later[0] if later else None

    def taint(
        self, j: int, i: int | None = None, fact: str | None = None,
        sanitizers: Collection[int] = (),
    ) -> bool:  # fmt: skip
        source = -1 if i is None else i
        return any(
            self._tainted(group, source, j, fact, sanitizers)
            for group in self.groups
            if j in group[0] and (i is None or i in group[0])
        )

    def flows(self, group: list[Execution]) -> set[tuple[int, str, int]]:
        """The edges along which a fact reaches a use in some order under the same options."""
        return {
            (a, fact, b)
            for run in group
            for a, b, between in self.spans[run]
            for fact in self.use[b]
            if fact in (self.start if a == -1 else self.define[a]) and not self._ends(between, fact)
        }

    def _tainted(
        self, group: list[Execution], source: int, j: int, fact: str | None,
        sanitizers: Collection[int],
    ) -> bool:  # fmt: skip
        edges = self.flows(group)
        tainted = {b for a, p, b in edges if a == source and fact in {None, p}}
        while True:
            more = {b for a, _, b in edges if a in tainted and a not in sanitizers} - tainted
            if not more:
                return j in tainted
            tainted |= more
