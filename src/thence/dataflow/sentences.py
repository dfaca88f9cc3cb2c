"""Words for steps, facts and executions in explanations, counted from 1."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby

from thence.core import sentence_parts
from thence.core.procedure import Taken
from thence.dataflow.choices import Options
from thence.dataflow.flow import Flow, Role
from thence.dataflow.questions import Witness

_SHOWN = 60  # steps of an execution that are named before it is cut short
_FEWEST = 3  # steps that "..." stands for


def listed(numbers: Sequence[int], kept: Collection[int | None] = ()) -> str:
    """Return step numbers such as ``1, 2, 3``; of a long list some that do not matter are left out.

    Args:
        numbers: the steps.
        kept: steps that are never left out, nor are those beside them and at both ends.
    """
    names = [str(number + 1) for number in numbers]
    if len(names) <= _SHOWN:
        return ", ".join(names)
    places = [0, len(names) - 1, *(at for at, number in enumerate(numbers) if number in kept)]
    shown = {near for at in places for near in (at - 1, at, at + 1)}
    found: list[str] = []
    for is_shown, held in groupby(range(len(names)), shown.__contains__):
        part = [names[at] for at in held]
        found += part if is_shown or len(part) < _FEWEST else ["..."]
    return ", ".join(found)


def always(flow: Flow) -> str:
    """Return ``always ``, or nothing where there is only one execution."""
    return "" if flow.is_total else "always "


def can(flow: Flow, verb: str, plural_verb: str) -> str:
    """Return ``comes``, or ``can come`` where executions differ."""
    return verb if flow.is_total else f"can {plural_verb}"


def such_as(flow: Flow, execution: Sequence[int], *kept: int | None) -> str:
    """Return the name of an execution as an example, or nothing where there is only one.

    Args:
        flow: of the procedure.
        execution: the steps in their order.
        kept: steps that are named in any case.
    """
    return "" if flow.is_total else f" (such as in the order {listed(execution, kept)})"


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


def where(options: Mapping[str, str]) -> str:
    """Return options in words, such as ``where 'bridge' is 'open'``, or nothing."""
    named = [f"'{choice}' is '{option}'" for choice, option in options.items()]
    return f"where {sentence_parts.listed(named)}" if named else ""


def depends(when: Sequence[Taken]) -> str:
    """Return the options of a step as they stand behind its text, or nothing."""
    return f" ({', '.join(f'{choice}: {option}' for choice, option in when)})" if when else ""


def steps(numbers: Sequence[int], word: str = "or") -> str:
    """Return steps such as ``step 3 or step 5``."""
    return sentence_parts.listed([f"step {number + 1}" for number in numbers], word)


def by_way_of(numbers: Sequence[int]) -> str:
    """Return the steps of a chain between its ends, such as ``, by way of step 3 and step 5``."""
    return f", by way of {steps(numbers, 'and')}" if numbers else ""


def kept_apart(flow: Flow, order: Sequence[int]) -> str:
    """Return that a chain orders steps though its steps are never all carried out, or nothing."""
    if flow.is_possible(*order):
        return ""
    return " Those of these steps that are not carried out still keep the others in order."


def never_both(flow: Flow, i: int, j: int) -> tuple[Witness, str] | None:
    """Return why no execution carries out both of two steps; None where one does."""
    clash = flow.choices.clash(i, j) if flow.choices else None
    if clash is None:
        return None
    choice, first, second = clash
    return {"choice": choice, "needs": [first, second]}, (
        f"Step {i + 1} is carried out only where '{choice}' is '{first}', and step {j + 1} only "
        f"where it is '{second}', so never both."
    )


def under_options(
    flow: Flow, options: Options | None, reasons: Callable[[Flow], tuple[Witness, str]]
) -> tuple[Witness, str]:
    """Return reasons for an answer, which name the options that show it.

    Args:
        flow: of the procedure.
        options: the options that matter; None without choices, or where no options show it alone.
        reasons: makes the reasons for the procedure that is left.
    """
    if options is None or flow.choices is None:
        return reasons(flow)
    witness, why = reasons(flow.under(options))
    every = flow.choices.completed(options)
    if options:
        named = where({choice: every[choice] for choice in every if choice in options})
        why = f"W{named[1:]}, {why[0].lower()}{why[1:]}"
    return {"options": every, **witness}, why
