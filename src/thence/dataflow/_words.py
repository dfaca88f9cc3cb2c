"""Steps, facts and executions as the sentences of explanations name them, counted from 1."""

from __future__ import annotations

from collections.abc import Sequence

from thence.dataflow._flow import START, Flow, Role

_SHOWN = 12  # steps of an execution that are named before it is cut short


def step(number: int) -> str:
    """Such as ``step 3``; ``the start`` for what holds before the first step."""
    return "the start" if number == START else f"step {number + 1}"


def at_head(sentence: str) -> str:
    """A sentence with a capital letter, the rest as it is."""
    return sentence[:1].upper() + sentence[1:]


def listed(numbers: Sequence[int]) -> str:
    """Such as ``1, 2, 3``; a long list is cut in the middle."""
    names = [str(number + 1) for number in numbers]
    if len(names) > _SHOWN:
        half = _SHOWN // 2
        names = [*names[:half], "...", *names[-half:]]
    return ", ".join(names)


def always(flow: Flow) -> str:
    """``always ``, where there is more than one execution to say it of."""
    return "" if flow.is_total else "always "


def can(flow: Flow, verb: str, plural_verb: str) -> str:
    """What a step does, or can do where executions differ: ``comes`` or ``can come``."""
    return verb if flow.is_total else f"can {plural_verb}"


def such_as(flow: Flow, execution: Sequence[int]) -> str:
    """Names the execution that shows something, where there is more than one."""
    return "" if flow.is_total else f" (such as in the order {listed(execution)})"


def ended(flow: Flow, number: int, fact: str, *, again: bool = True) -> str:
    """How a step ends a fact, such as ``kills 'dough'``.

    Args:
        flow: of the procedure.
        number: the step.
        fact: the fact.
        again: whether its definition is one of what was defined before.
    """
    verb = "redefines" if again else "defines"
    if flow.does(number, Role.KILL, fact):
        verb = f"kills and {verb}" if flow.does(number, Role.DEFINE, fact) else "kills"
    return f"{verb} '{fact}'"
