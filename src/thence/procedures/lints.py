"""Findings about a procedure: each rule is a generator of one kind of `Finding`.

Facts that a step may or must meet are decided by the data-flow problems. Two steps in no order are
reported as a race, not as the consequences of either order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from thence.core.graph import bitset, members, union
from thence.dataflow import START, Flow, Role
from thence.dataflow.problems import AVAILABLE, LIVE
from thence.dataflow.solver import solve
from thence.procedures.choice_lints import (
    killed_at_the_end,
    never_carried_out,
    option_without_steps,
    prefix,
    undefined_under,
)
from thence.procedures.document import Document, near
from thence.procedures.finding import ERROR, WARNING, Finding

_MOST = 100  # other steps that a finding names
NEVER_DEFINED = "used-never-defined"
"""The rule of facts that no step defines: one finding for a fact, at its first user."""

_COMPARISONS = 100_000  # of names, for the suggestions of one rule
_NUMBERS = re.compile(r"\d+")


def findings(document: Document) -> list[Finding]:
    """Return every finding, in the order of the file."""
    found = [finding for rule in RULES for finding in rule(document)]
    return sorted(
        found, key=lambda each: (each.mark or (each.step,), each.rule, each.fact, each.step)
    )


class _Hints:
    """Known names, suggested for misspelt ones within a bounded number of comparisons."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = list(dict.fromkeys(known))
        self._left = _COMPARISONS

    def of(self, name: str) -> str:
        """Return the beginning of a suggestion, or nothing; 41 is not suggested for 42."""
        self._left -= len(self._known)
        if self._left < 0:
            return ""
        numbers = _NUMBERS.findall(name)
        hint = near(
            name,
            [each for each in self._known if each != name and _NUMBERS.findall(each) == numbers],
        )
        return f"{hint.removeprefix('; ')} Otherwise " if hint else ""


def never_defined(document: Document) -> Iterator[Finding]:
    """Find facts that are used, and that neither the start nor any step provides."""
    flow = document.flow
    hints = _Hints([*flow.steps_by_fact[Role.DEFINE], *document.starts])
    for fact, users in flow.steps_by_fact[Role.USE].items():
        if fact in document.starts or flow.steps_with(Role.DEFINE, fact):
            continue
        user = min(users)
        yield Finding(
            NEVER_DEFINED,
            ERROR,
            user,
            fact,
            f"{document.title(user)} uses '{fact}', which is never defined",
            f"no step defines '{fact}', and start does not list it",
            f"{hints.of(fact)}let an earlier step define '{fact}', or list it under start",
            tuple(sorted(each for each in users if each != user)),
            document.facts.get((user, Role.USE, fact)),
        )


def defined_too_late(document: Document) -> Iterator[Finding]:
    """Find facts that are used before any step can have defined them."""
    flow = document.flow
    for fact, users in flow.steps_by_fact[Role.USE].items():
        definers = flow.steps_with(Role.DEFINE, fact)
        if fact in document.starts or not definers:
            continue
        first = definers[0]
        for user in users:
            when = "only after using it" if first == user else "later"
            cause = f"{document.title(first)} defines it {when}"
            if _another_may_define(flow, user, fact):
                options = undefined_under(flow, user, fact) if flow.choices else None
                if options is None:
                    continue
                cause = f"{prefix(options)}no step that can come before it defines '{fact}'"
            elif not flow.is_possible(first, user):
                cause = f"{document.title(first)} defines it only under other options"
            yield Finding(
                "used-before-defined",
                ERROR,
                user,
                fact,
                f"{document.title(user)} uses '{fact}' before it is defined",
                f"{cause}, and start does not list it",
                f"list '{fact}' under start, or let a step before {document.title(user)} define it",
                tuple(each for each in definers[:_MOST] if each != user),
                document.facts.get((user, Role.USE, fact)),
            )


def _another_may_define(flow: Flow, step: int, fact: str) -> bool:
    """Return whether a step other than this one may define a fact before it or beside it."""
    definers = flow.steps_with(Role.DEFINE, fact)
    if flow.is_total:
        return bool(definers) and flow.precedes(definers[0], step)
    others = bitset(definers) & flow.alongside(step)
    return bool(others & ~(flow.descendants[step] | 1 << step))


def used_after_kill(document: Document) -> Iterator[Finding]:
    """Find facts that are used after a kill, with no definition in between."""
    flow = document.flow
    for fact, users in flow.steps_by_fact[Role.USE].items():
        if not flow.steps_with(Role.KILL, fact):
            continue
        found = solve(AVAILABLE, flow, fact)
        for user in users:
            failed = found.failure(user) if not found.holds(user) else None
            if failed is None or failed.step is None:
                continue
            killer = failed.step
            if not flow.precedes(killer, user):
                continue
            may = not flow.is_total and bool(
                flow.mask(Role.DEFINE, fact)
                & ~(flow.ancestors[killer] | flow.descendants[user] | 1 << user | 1 << killer)
            )
            yield Finding(
                "used-after-kill",
                ERROR,
                user,
                fact,
                f"{document.title(user)} uses '{fact}' after it was killed",
                f"{prefix(failed.options)}{document.title(killer)} kills '{fact}', and no step in "
                "between "
                f"{'has to define' if may else 'defines'} it again",
                f"move {document.title(user)} before {document.title(killer)}, or define '{fact}' "
                "again in between",
                (killer,),
                document.facts.get((user, Role.USE, fact)),
            )


def unused_definition(document: Document) -> Iterator[Finding]:
    """Find definitions that no step uses: overwritten, killed or left.

    A step that kills the fact and defines another one replaces a state by the next, which counts
    as a use.
    """
    flow, wanted = document.flow, _wanted(document)
    hints = _Hints(flow.steps_by_fact[Role.USE])
    for fact, definers in flow.steps_by_fact[Role.DEFINE].items():
        found = solve(LIVE, flow, fact)
        for step in definers:
            if found.holds(step):
                continue
            stop = _next_end(flow, fact, step)
            if stop is not None and _replaces(flow, stop, fact):
                continue
            if fact not in wanted or stop is not None:
                yield _unused(document, step, fact, stop, hints)


def _replaces(flow: Flow, step: int, fact: str) -> bool:
    """Return whether a step kills a fact and defines another in its place."""
    return (
        flow.does(step, Role.KILL, fact)
        and not flow.does(step, Role.DEFINE, fact)
        and bool(flow.steps[step].defines)
    )


def _unused(document: Document, step: int, fact: str, stop: int | None, hints: _Hints) -> Finding:
    title, mark = document.title(step), document.facts.get((step, Role.DEFINE, fact))
    if stop is not None and document.flow.does(stop, Role.DEFINE, fact):
        return Finding(
            "overwritten-before-use",
            WARNING,
            step,
            fact,
            f"{title} defines '{fact}', which is overwritten before anything uses it",
            f"{document.title(stop)} defines '{fact}' again, and no step in between uses it",
            f"take '{fact}' out of what {title} defines, or let a step use it before "
            f"{document.title(stop)}",
            (stop,),
            mark,
        )
    cause = "no step that comes after it uses it"
    if stop is not None:
        cause = f"{document.title(stop)} kills '{fact}' before any step uses it"
    hint = "" if document.flow.steps_with(Role.USE, fact) else hints.of(fact)
    return Finding(
        "defined-never-used",
        WARNING,
        step,
        fact,
        f"{title} defines '{fact}', which is never used",
        cause,
        f"{hint}let a later step use '{fact}', list it under results, or take it out",
        () if stop is None else (stop,),
        mark,
    )


def unused_start(document: Document) -> Iterator[Finding]:
    """Find facts of the start that no step uses or kills and that are no result."""
    flow = document.flow
    for fact, mark in document.starts.items():
        touched = flow.steps_with(Role.USE, fact) or flow.steps_with(Role.KILL, fact)
        if not touched and fact not in (document.results or ()):
            yield Finding(
                "defined-never-used",
                WARNING,
                START,
                fact,
                f"start lists '{fact}', which is never used",
                "no step uses or kills it",
                f"let a step use '{fact}', or take it out",
                (),
                mark,
            )


def kill_without_effect(document: Document) -> Iterator[Finding]:
    """Find kills of a fact that never holds."""
    flow = document.flow
    hints = _Hints([*flow.facts, *document.starts])
    for fact, killers in flow.steps_by_fact[Role.KILL].items():
        if (
            fact in document.starts
            or flow.steps_with(Role.DEFINE, fact)
            or flow.steps_with(Role.USE, fact)
        ):
            continue
        for step in killers:
            yield Finding(
                "kills-nothing",
                WARNING,
                step,
                fact,
                f"{document.title(step)} kills '{fact}', which never holds",
                f"no step defines '{fact}', and start does not list it",
                f"{hints.of(fact)}list '{fact}' under start, or take it out",
                tuple(each for each in killers[:_MOST] if each != step),
                document.facts.get((step, Role.KILL, fact)),
            )


def lost_result(document: Document) -> Iterator[Finding]:
    """Find results that need not hold at the end."""
    flow = document.flow
    for fact, mark in document.ends.items():
        definers = flow.steps_with(Role.DEFINE, fact)
        killers = [
            (step, options)
            for step in flow.steps_with(Role.KILL, fact)
            if not flow.does(step, Role.DEFINE, fact)
            and (options := killed_at_the_end(flow, step, fact)) is not None
        ]
        never = None if fact in document.starts else flow.taken([], bitset(definers))
        if killers:
            last, options = killers[-1]
            cause = (
                f"{prefix(options)}{document.title(last)} kills '{fact}', and no later step "
                "defines it again"
            )
        elif never is not None:
            last = START
            cause = f"{prefix(never)}no step defines '{fact}', and start does not list it"
        else:
            continue
        yield Finding(
            "result-missing",
            ERROR,
            last,
            fact,
            f"'{fact}' is a result, but does not hold at the end",
            cause,
            f"let a last step define '{fact}', or take it out of results",
            (),
            mark,
        )


def racing(document: Document) -> Iterator[Finding]:
    """Find pairs of steps in no order, of which one kills or defines a fact of the other."""
    flow = document.flow
    if flow.is_total:
        return
    for i in range(len(flow)):
        rivals = flow.conflicting(i) & flow.alongside(i)
        free = rivals & ~(flow.ancestors[i] | flow.descendants[i]) & ~((1 << (i + 1)) - 1)
        if not free:
            continue
        step = flow.steps[i]
        for fact in dict.fromkeys((*step.kills, *step.defines, *step.uses)):
            rivals = _with_other_role(flow, i, fact) & free
            if rivals:
                yield _race(document, i, fact, rivals)


def _with_other_role(flow: Flow, step: int, fact: str) -> int:
    """Return the bitset of the steps with another role towards a fact than one of this step's."""
    roles = flow.roles_of(step, fact)
    others = [role for role in Role if any(each is not role for each in roles)]
    return union(flow.mask(role, fact) for role in others)


def _race(document: Document, i: int, fact: str, rivals: int) -> Finding:
    flow, others = document.flow, tuple(islice(members(rivals), _MOST))
    j, role = others[0], flow.roles_of(i, fact)[0]
    count = rivals.bit_count() - 1
    more = f" (so do {count} more)" if count else ""
    return Finding(
        "racing",
        ERROR,
        i,
        fact,
        f"{document.title(i)} and {document.title(j)} race for '{fact}'{more}",
        f"one {_and(flow.roles_in_words(i, fact))} it, the other "
        f"{_and(flow.roles_in_words(j, fact))} it, and nothing says which comes first",
        f"put them in order, such as {_call(document, i)} -> {_call(document, j)}",
        others,
        document.facts.get((i, role, fact)),
    )


def _and(doings: str) -> str:
    return " and ".join(doings.split(", "))


def _call(document: Document, step: int) -> str:
    return document.names[step] or str(step + 1)


def _wanted(document: Document) -> frozenset[str]:
    """Return the facts that the procedure is done for; by default those of its last step.

    With choices that is every step that is the last of the text under some options.
    """
    if document.results is not None:
        return frozenset(document.results)
    flow, last, later = document.flow, frozenset[str](), 0
    for step in reversed(range(len(flow))):
        if flow.taken([step], later) is not None:
            last |= frozenset(flow.steps[step].defines)
        if flow.choices is None or flow.choices.always >> step & 1:
            break
        later |= 1 << step
    return last


def _next_end(flow: Flow, fact: str, step: int) -> int | None:
    """Return the first step that must come after another and kills or redefines a fact."""
    ends = [flow.next_with(step, role, fact) for role in (Role.KILL, Role.DEFINE)]
    return min(
        (each for each in ends if each is not None), key=flow.position.__getitem__, default=None
    )


RULES: tuple[Callable[[Document], Iterator[Finding]], ...] = (
    never_defined,
    defined_too_late,
    used_after_kill,
    unused_definition,
    unused_start,
    kill_without_effect,
    lost_result,
    racing,
    option_without_steps,
    never_carried_out,
)
