"""Words for steps, facts and executions in explanations, counted from 1."""

from __future__ import annotations

from collections.abc import Sequence

from thence.dataflow.flow import Flow, Role

_SHOWN = 12  # steps of an execution that are named before it is cut short


def listed(numbers: Sequence[int]) -> str:
    """Return step numbers such as ``1, 2, 3``; a long list is cut in the middle."""
    names = [str(number + 1) for number in numbers]
    if len(names) > _SHOWN:
        half = _SHOWN // 2
        names = [*names[:half], "...", *names[-half:]]
    return ", ".join(names)


def always(flow: Flow) -> str:
    """Return ``always ``, or nothing where there is only one execution."""
    return "" if flow.is_total else "always "


def can(flow: Flow, verb: str, plural_verb: str) -> str:
    """Return ``comes``, or ``can come`` where executions differ."""
    return verb if flow.is_total else f"can {plural_verb}"


def such_as(flow: Flow, execution: Sequence[int]) -> str:
    """Return the name of an execution as an example, or nothing where there is only one."""
    return "" if flow.is_total else f" (such as in the order {listed(execution)})"


def ended(flow: Flow, number: int, fact: str, *, again: bool = True) -> str:
    """Return how a step kills the value of a fact, such as ``kills 'dough'``.

    Args:
        flow: of the procedure.
        number: the step.
        fact: the fact.
        again: whether the fact was defined before.
    """
    verb = "redefines" if again else "defines"
    if flow.does(number, Role.KILL, fact):
        verb = f"kills and {verb}" if flow.does(number, Role.DEFINE, fact) else "kills"
    return f"{verb} '{fact}'"
