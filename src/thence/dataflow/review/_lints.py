"""What is wrong, or odd, about a procedure: each rule finds one kind of thing.

A rule is a generator of `Finding`s. What a step *may* meet is decided as the analyses decide it;
where two steps are not ordered at all, that is a race and is reported as one, not as whatever
would follow from each outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from thence.core.graph import members
from thence.dataflow._engine import solution
from thence.dataflow._flow import START, Flow, Role
from thence.dataflow._problems import AVAILABLE, LIVE
from thence.dataflow.review._form import Form
from thence.dataflow.review._source import Mark
from thence.dataflow.review._spelling import Spelling

ERROR, WARNING = "error", "warning"
_MOST = 100  # other steps that a finding names


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        rule: its name.
        severity: ERROR where the procedure can fail, WARNING where it does something in vain.
        step: the step it is about, 0-based; START where it is about what holds before.
        fact: the fact.
        message: what happens.
        cause: why.
        suggestion: what would mend it.
        others: the other steps that have a part in it, a hundred at most.
        mark: where in the file.
    """

    rule: str
    severity: str
    step: int
    fact: str
    message: str
    cause: str
    suggestion: str
    others: tuple[int, ...]
    mark: Mark

    def to_json(self) -> dict[str, Any]:
        """Ready for JSON; steps from 0, null for the start."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "step": None if self.step == START else self.step,
            "fact": self.fact,
            "message": self.message,
            "cause": self.cause,
            "suggestion": self.suggestion,
            "others": list(self.others),
            "line": self.mark.line,
            "column": self.mark.column,
        }


def findings(form: Form) -> list[Finding]:
    """All that the rules find, as the file has it."""
    found = [finding for rule in RULES for finding in rule(form)]
    return sorted(found, key=lambda each: (each.mark, each.rule, each.fact, each.step))


def never_defined(form: Form) -> Iterator[Finding]:
    """A fact is used, and neither the start nor any step provides it."""
    flow = form.flow
    known = Spelling([*flow.touching[Role.DEFINE], *form.starts])
    for fact, users in flow.touching[Role.USE].items():
        if fact in form.starts or flow.who(Role.DEFINE, fact):
            continue
        user = min(users)
        yield Finding(
            "used-never-defined",
            ERROR,
            user,
            fact,
            f"{form.title(user)} uses '{fact}', which is never defined",
            f"no step defines '{fact}', and start does not list it",
            f"{known.hint(fact)}let an earlier step define '{fact}', or list it under start",
            tuple(sorted(each for each in users if each != user)),
            form.facts[user, Role.USE, fact],
        )


def defined_too_late(form: Form) -> Iterator[Finding]:
    """A fact is used before anything can have defined it."""
    flow = form.flow
    for fact, users in flow.touching[Role.USE].items():
        definers = flow.who(Role.DEFINE, fact)
        if fact in form.starts or not definers:
            continue
        first = definers[0]
        for user in users:
            if flow.has_other(user, Role.DEFINE, fact):
                continue
            when = "only after using it" if first == user else "later"
            yield Finding(
                "used-before-defined",
                ERROR,
                user,
                fact,
                f"{form.title(user)} uses '{fact}' before it is defined",
                f"{form.title(first)} defines it {when}, and start does not list it",
                f"list '{fact}' under start, or let a step before {form.title(user)} define it",
                tuple(each for each in definers[:_MOST] if each != user),
                form.facts[user, Role.USE, fact],
            )


def used_after_kill(form: Form) -> Iterator[Finding]:
    """A fact is used after a step that killed it, with nothing in between to define it again."""
    flow = form.flow
    for fact, users in flow.touching[Role.USE].items():
        if not flow.who(Role.KILL, fact):
            continue
        found = solution(AVAILABLE, flow, fact)
        for user in users:
            failed = found.failure(user) if not found.holds(user) else None
            if failed is None or failed.step is None:
                continue
            killer = failed.step
            if not flow.precedes(killer, user):
                continue
            may = not flow.is_total and bool(
                flow.mask(Role.DEFINE, fact)
                & ~(flow.before[killer] | flow.after[user] | 1 << user | 1 << killer)
            )
            yield Finding(
                "used-after-kill",
                ERROR,
                user,
                fact,
                f"{form.title(user)} uses '{fact}' after it was killed",
                f"{form.title(killer)} kills '{fact}', and no step in between "
                f"{'has to define' if may else 'defines'} it again",
                f"move {form.title(user)} before {form.title(killer)}, or define '{fact}' again "
                "in between",
                (killer,),
                form.facts[user, Role.USE, fact],
            )


def in_vain(form: Form) -> Iterator[Finding]:
    """A step defines a fact that nothing uses: it is overwritten, killed or just left."""
    flow, wanted = form.flow, _wanted(form)
    used = Spelling(flow.touching[Role.USE])
    for fact, definers in flow.touching[Role.DEFINE].items():
        found = solution(LIVE, flow, fact)
        for step in definers:
            if found.holds(step):
                continue
            stop = _next_end(flow, fact, step)
            if fact not in wanted or stop is not None:
                yield _vain(form, step, fact, stop, used)


def _vain(form: Form, step: int, fact: str, stop: int | None, used: Spelling) -> Finding:
    title, mark = form.title(step), form.facts[step, Role.DEFINE, fact]
    if stop is not None and form.flow.does(stop, Role.DEFINE, fact):
        return Finding(
            "overwritten-before-use",
            WARNING,
            step,
            fact,
            f"{title} defines '{fact}', which is overwritten before anything uses it",
            f"{form.title(stop)} defines '{fact}' again, and no step in between uses it",
            f"take '{fact}' out of what {title} defines, or let a step use it before "
            f"{form.title(stop)}",
            (stop,),
            mark,
        )
    cause = "no step that comes after it uses it"
    if stop is not None:
        cause = f"{form.title(stop)} kills '{fact}' before any step uses it"
    hint = "" if form.flow.who(Role.USE, fact) else used.hint(fact)
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


def idle_start(form: Form) -> Iterator[Finding]:
    """A fact of the start that no step uses, kills or is done for."""
    for fact, mark in form.starts.items():
        if not form.flow.who(Role.USE, fact) and fact not in (form.results or ()):
            yield Finding(
                "defined-never-used",
                WARNING,
                START,
                fact,
                f"start lists '{fact}', which is never used",
                "no step uses it",
                f"let a step use '{fact}', or take it out",
                (),
                mark,
            )


def idle_kill(form: Form) -> Iterator[Finding]:
    """A step kills a fact that no step makes or uses."""
    flow = form.flow
    known = Spelling([*flow.facts, *form.starts])
    for fact, killers in flow.touching[Role.KILL].items():
        if fact in form.starts or flow.who(Role.DEFINE, fact) or flow.who(Role.USE, fact):
            continue
        for step in killers:
            yield Finding(
                "kills-nothing",
                WARNING,
                step,
                fact,
                f"{form.title(step)} kills '{fact}', which never holds",
                f"no step defines '{fact}', and start does not list it",
                f"{known.hint(fact)}list '{fact}' under start, or take it out",
                tuple(each for each in killers[:_MOST] if each != step),
                form.facts[step, Role.KILL, fact],
            )


def lost_result(form: Form) -> Iterator[Finding]:
    """A result that need not be there at the end."""
    flow = form.flow
    for fact, mark in form.ends.items():
        definers = flow.who(Role.DEFINE, fact)
        killers = [
            step
            for step in flow.who(Role.KILL, fact)
            if not flow.does(step, Role.DEFINE, fact)
            and flow.following(step, Role.DEFINE, fact) is None
        ]
        if killers:
            last = killers[-1]
            cause = f"{form.title(last)} kills '{fact}', and no later step defines it again"
        elif not definers and fact not in form.starts:
            last, cause = START, f"no step defines '{fact}', and start does not list it"
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


def racing(form: Form) -> Iterator[Finding]:
    """Steps in no order of which one kills or defines what the other relies on."""
    flow = form.flow
    if flow.is_total:
        return
    for i in range(len(flow)):
        free = flow.disputed(i) & ~(flow.before[i] | flow.after[i]) & ~((1 << (i + 1)) - 1)
        if not free:
            continue
        step = flow.steps[i]
        for fact in dict.fromkeys((*step.kills, *step.defines, *step.uses)):
            rivals = flow.rivals(fact, flow.roles(i, fact)) & free
            if rivals:
                yield _race(form, i, fact, rivals)


def _race(form: Form, i: int, fact: str, rivals: int) -> Finding:
    flow, others = form.flow, tuple(islice(members(rivals), _MOST))
    j, role = others[0], flow.roles(i, fact)[0]
    count = rivals.bit_count() - 1
    more = f" (so do {count} more)" if count else ""
    return Finding(
        "racing",
        ERROR,
        i,
        fact,
        f"{form.title(i)} and {form.title(j)} race for '{fact}'{more}",
        f"one {_and(flow.doings(i, fact))} it, the other {_and(flow.doings(j, fact))} it, and "
        "nothing says which comes first",
        f"put them in order, such as {_call(form, i)} -> {_call(form, j)}",
        others,
        form.facts[i, role, fact],
    )


def _and(doings: str) -> str:
    return " and ".join(doings.split(", "))


def _call(form: Form, step: int) -> str:
    return form.names[step] or str(step + 1)


def _wanted(form: Form) -> frozenset[str]:
    """The facts that the procedure is done for: stated, or what its last step defines."""
    if form.results is not None:
        return frozenset(form.results)
    return frozenset(form.flow.steps[-1].defines)


def _next_end(flow: Flow, fact: str, step: int) -> int | None:
    """The first step that has to come after another and kills or redefines a fact."""
    ends = [flow.following(step, role, fact) for role in (Role.KILL, Role.DEFINE)]
    return min(
        (each for each in ends if each is not None), key=flow.place.__getitem__, default=None
    )


RULES: tuple[Callable[[Form], Iterator[Finding]], ...] = (
    never_defined,
    defined_too_late,
    used_after_kill,
    in_vain,
    idle_start,
    idle_kill,
    lost_result,
    racing,
)
