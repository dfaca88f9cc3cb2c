"""Primary reasons and depth, read off the lists of executions: slow, and on its own."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tests.dataflow.reason_oracle import FAR, Asked, Group, ReasonOracle


class DepthOracle(ReasonOracle):
    """Says of a question why its answer holds, and how many links its certificate has."""

    # Reasons ------------------------------------------------------------------------------------

    def reason(self, name: str, asked: Asked) -> str:
        answer = self.ask(name, asked)
        if name == "intervals":
            return self.bounds(asked, answer)
        if answer and name in {"reaching_definitions", "live_variables", "taint"}:
            return self.shown(name, asked)
        if name == "taint":
            return self.cut(asked)[0]
        found: str = getattr(self, f"why_{name}_{'yes' if answer else 'no'}")(**asked)
        return found

    def shown(self, name: str, asked: Asked) -> str:
        if self.in_listed_order().under_first(asked).ask(name, asked):
            return "listed"
        if self.in_listed_order().ask(name, asked):
            return "other_option"
        return "other_order" if self.under_first(asked).ask(name, asked) else "other_both"

    def bounds(self, asked: Asked, answer: Any) -> str:
        after, before = answer
        if after is None or before is None:
            names = {
                (True, True): "free",
                (True, False): "before_only",
                (False, True): "after_only",
            }
            return names[after is None, before is None]
        at = self.listed.index(asked["i"])
        return (
            "neighbours" if self.listed[at - 1 : at + 2] == (after, asked["i"], before) else "both"
        )

    def apart(self, i: int, j: int, fact: str) -> str | None:
        if fact not in self.define[i]:
            return "not_made"
        if i == j:
            return "same_step"
        if not self.groups_of(i, j):
            return "never_both"
        return None if self.comes(self.executions, i, j) else "always_after"

    def stopped(self, name: str, asked: Asked) -> str:
        if not self.without_redefinitions().ask(name, asked):
            return "ended"
        return "ended_or_remade" if self.without_kills().ask(name, asked) else "remade"

    def why_reaching_definitions_no(self, i: int, j: int, fact: str) -> str:
        asked = {"i": i, "j": j, "fact": fact}
        return self.apart(i, j, fact) or self.stopped("reaching_definitions", asked)

    def why_available_expressions_yes(self, i: int, j: int, fact: str) -> str:
        if any(self.groups_of(k, j) for k in self.killing(fact) if k not in {i, j}):
            return "killer_outside"
        return "several_makers" if self.makers(self.executions, i, j, fact) else "only_link"

    def makers(self, runs: Collection[Any], i: int, j: int, fact: str) -> list[int]:
        return [k for k in self.making(fact) if k not in {i, j} and self.comes(runs, k, j)]

    def why_available_expressions_no(self, i: int, j: int, fact: str) -> str:
        if found := self.apart(i, j, fact):
            return found
        if any(j in run and i not in run for run in self.executions):
            return "left_out"
        return "comes_first" if self.comes(self.executions, j, i) else "killed"

    def later(self, runs: Collection[Any], i: int, fact: str) -> list[int]:
        return [k for k in self.using(fact) if k != i and self.comes(runs, i, k)]

    def why_live_variables_no(self, i: int, fact: str) -> str:
        if not self.later(self.executions, i, fact):
            return "never_used"
        return self.stopped("live_variables", {"i": i, "fact": fact})

    def why_very_busy_expressions_yes(self, i: int, fact: str) -> str:
        runs = [run for run in self.executions if i in run]
        if not any(
            all(
                (i, user) in {(a, b) for a, b, between in self.spans[run]
                              if not self._ends(between, fact)}
                for run in runs
            ) for user in self.using(fact)
        ):  # fmt: skip
            return "several_users"
        ends = [k for k in self.ending(fact) if k not in self.using(fact) and k != i]
        return "ender_after" if any(self.comes(runs, i, k) for k in ends) else "only_users"

    def why_very_busy_expressions_no(self, i: int, fact: str) -> str:
        if not self.later(self.executions, i, fact):
            return "never_used"
        if not self.live_variables(i, fact):
            return "always_ended"
        if not all(self.later(group, i, fact) for group in self.groups_of(i)):
            return "unused_option"
        runs = [run for run in self.executions if i in run]
        return "ended_first" if all(self.later([r], i, fact) for r in runs) else "used_before"

    def why_type_state_yes(self, i: int, j: int) -> str:
        shared = self.use[j] & self.define[i]
        if not shared:
            return "nothing_needed"
        if not self.comes(self.executions, i, j):
            return "never_before"
        lasting = [fact for fact in shared if self.reaching_definitions(i, j, fact)]
        if not lasting:
            return "undone"
        made = any(self.makers(self.executions, i, j, fact) for fact in lasting)
        return "another_maker" if made else "from_start"

    def missed(self, i: int | None, j: int, fact: str) -> bool:
        """Whether in some execution step j does not find a fact when step i is left out."""
        whole = self.use[j]
        self.use[j] = frozenset({fact})
        found = all(self.finds(run, i, j) for run in self.executions if j in run)
        self.use[j] = whole
        return not found

    def why_type_state_no(self, i: int, j: int) -> str:
        uses = self.uses[j]
        if any(self.missed(None, j, fact) for fact in uses):
            return "already_missing"
        fact = next(fact for fact in uses if self.missed(i, j, fact))
        if fact in self.start:
            return "ended"
        if not self.makers(self.executions, i, j, fact):
            return "no_other_maker"
        if not all(self.makers(group, i, j, fact) for group in self.groups_of(j)):
            return "other_option"
        runs = [run for run in self.executions if j in run]
        return "ended" if all(self.makers([r], i, j, fact) for r in runs) else "other_order"

    def why_concurrency_yes(self, i: int, j: int) -> str:
        if self.define[i] & self.define[j] or self.kill[i] & self.kill[j]:
            return "same_effect"
        return "same_use" if self.use[i] & self.use[j] else "nothing_in_common"

    def why_concurrency_no(self, i: int, j: int) -> str:
        if i == j:
            return "same_step"
        if not self.groups_of(i, j):
            return "never_both"
        return "conflict" if self.conflict(i, j) else "chain"

    # Depth --------------------------------------------------------------------------------------

    def depth(self, name: str, asked: Asked) -> int:
        answer = self.ask(name, asked)
        if name == "intervals":
            k, (after, before) = asked["i"], answer
            pairs = [] if after is None else [(after, k)]
            pairs += [] if before is None else [(k, before)]
            return max(1, sum(min(self.far(g, *p) for g in self.groups_of(*p)) for p in pairs))
        if name == "taint":
            return (self.contamination(asked) if answer else self.cut(asked)[1]) or 1
        found: int = getattr(self, f"deep_{name}_{'yes' if answer else 'no'}")(**asked)
        return max(1, found)

    def far(self, group: Group, a: int, b: int) -> int:
        """The links of a chain; 1 where the order of the two is open, FAR where it is not so."""
        far = self.links[group[0]]
        return far[a][b] if far[a][b] < FAR else (1 if far[b][a] == FAR else FAR)

    def passes(self, group: Group, i: int, j: int, barriers: list[int]) -> int:
        runs = [run for run in group if i in run and j in run and i != j]
        shown = any((a, b) == (i, j) and not between & set(barriers)
                    for run in runs for a, b, between in self.spans[run])  # fmt: skip
        placed = [k for k in barriers if k not in {i, j} and self.comes(runs, i, k, j)]
        return self.far(group, i, j) + len(placed) if shown else FAR

    def always_between(self, group: Group, i: int, j: int, fact: str) -> int:
        """The links by which an ending step comes between; FAR where none always does."""
        far = self.links[group[0]]
        ends = [k for k in self.ending(fact) if k in group[0] and k not in {i, j}]
        return min((far[i][k] + far[k][j] for k in ends), default=FAR)

    def deep_reaching_definitions_yes(self, i: int, j: int, fact: str) -> int:
        return min(self.passes(group, i, j, self.ending(fact)) for group in self.groups_of(i, j))

    def deep_reaching_definitions_no(self, i: int, j: int, fact: str) -> int:
        if fact not in self.define[i] or i == j:
            return 1
        parts = [
            min(self.links[group[0]][j][i], self.always_between(group, i, j, fact))
            for group in self.groups_of(i, j)
        ]
        return max(parts, default=1)

    def deep_available_expressions_yes(self, i: int, j: int, fact: str) -> int:
        return max(self.links[group[0]][i][j] for group in self.groups_of(j))

    def deep_available_expressions_no(self, i: int, j: int, fact: str) -> int:
        if fact not in self.define[i] or i == j:
            return 1
        ways = [1 for run in self.executions if j in run and i not in run]
        for group in self.groups_of(i, j):
            if self.comes(group, j, i):
                ways.append(self.far(group, j, i))
            kills = [k for k in self.killing(fact) if k not in {i, j}]
            between = [k for k in kills if self.comes(group, i, k, j)]
            ways += [self.far(group, i, k) + self.far(group, k, j) for k in between]
        return min(ways)

    def deep_live_variables_yes(self, i: int, fact: str) -> int:
        return min(self.passes(group, i, user, self.ending(fact))
                   for group in self.groups_of(i) for user in self.using(fact))  # fmt: skip

    def deep_live_variables_no(self, i: int, fact: str) -> int:
        parts = [1]
        for group in self.groups_of(i):
            later = self.later(group, i, fact)
            first = [u for u in later if all(self.comes(group, u, v) for v in later)]
            parts += [self.always_between(group, i, user, fact) for user in first]
        return max(parts)

    def deep_very_busy_expressions_yes(self, i: int, fact: str) -> int:
        parts = []
        for group in self.groups_of(i):
            far, users = self.links[group[0]], self.using(fact)
            ends = [k for k in self.ending(fact) if k not in users and self.comes(group, i, k)]
            parts.append(min(far[i][user] for user in users))
            parts += [min(far[i][u] for u in users if far[u][k] < FAR) for k in ends if k != i]
        return max(parts)

    def deep_very_busy_expressions_no(self, i: int, fact: str) -> int:
        ways = []
        for group in self.groups_of(i):
            later = self.later(group, i, fact)
            if any(not self.later([run], i, fact) for run in group):
                ways.append(max(1, len(later)))
            users = [k for k in self.using(fact) if k != i]
            ends = [k for k in self.ending(fact) if k not in users and k != i]
            ways += [self.passes(group, i, k, users) for k in ends]
        return min(ways)

    def deep_type_state_yes(self, i: int, j: int) -> int:
        parts = [1]
        for fact in self.use[j] & self.define[i]:
            for group in self.groups_of(i, j):
                if not self.comes(group, i, j):
                    continue
                far = self.links[group[0]]
                makers = [k for k in self.making(fact) if k not in {i, j}]
                if fact not in self.start:
                    parts.append(min(far[k][j] for k in makers))
                parts += [
                    min(far[k][j] for k in makers if far[stop][k] < FAR)
                    for stop in self.killing(fact)
                    if stop not in {i, j, *makers} and self.comes(group, stop, j)
                ]
        return max(parts)

    def deep_type_state_no(self, i: int, j: int) -> int:
        ways = []
        for group, fact in ((g, f) for g in self.groups_of(j) for f in self.use[j]):
            makers = [k for k in self.making(fact) if k not in {i, j}]
            if fact not in self.start and any(not self.makers([r], i, j, fact) for r in group):
                supplies = fact in self.define[i] and self.comes(group, i, j)
                placed = len(self.makers(group, i, j, fact))
                ways.append(placed + (self.far(group, i, j) if supplies else 1))
            ends = [k for k in self.killing(fact) if k not in {i, j, *makers}]
            ways += [self.passes(group, k, j, makers) for k in ends]
        return min(ways)

    def deep_concurrency_yes(self, i: int, j: int) -> int:
        ways = []
        for group in self.groups_of(i, j):
            run, far = self.text_like(group), self.links[group[0]]
            a, b = sorted((i, j), key=run.index)
            between = run[run.index(a) + 1 : run.index(b)]
            ways.append(1 + min(sum(far[a][k] < FAR for k in between),
                                sum(far[k][b] < FAR for k in between)))  # fmt: skip
        return min(ways)

    @staticmethod
    def text_like(group: Group) -> tuple[int, ...]:
        """The execution that keeps to the text wherever the order allows it."""
        return min(group)

    def deep_concurrency_no(self, i: int, j: int) -> int:
        both = self.groups_of(i, j)
        if i == j or not both or self.conflict(i, j):
            return 1
        return max(min(self.links[g[0]][i][j], self.links[g[0]][j][i]) for g in both)
