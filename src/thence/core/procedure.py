"""A procedure: a goal, steps and a partial order; each step uses, defines and kills facts.

A procedure may have choices. An execution takes one option of each; a step with ``when`` is carried
out where all its options are taken, and the order between the others holds through it all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Pair = tuple[int, int]
Taken = tuple[str, str]  # a choice and the option of it that is taken


@dataclass(frozen=True, slots=True)
class Quantity:
    """A measured amount, as a range.

    Attributes:
        of: the measured thing, such as ``flour`` or ``oven``.
        low: the lower end.
        high: the upper end; equal to ``low`` for a single number.
        unit: the unit in the text's spelling, such as ``g`` or ``°C``; empty for a count.
    """

    of: str
    low: float
    high: float
    unit: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of this quantity in a step."""
        return {"of": self.of, "low": self.low, "high": self.high, "unit": self.unit}


@dataclass(frozen=True, slots=True)
class Step:
    """One step with its effect on facts.

    Within a step uses come first, then kills, then definitions: a step that uses and kills a fact
    needs it before, and a fact that a step kills and defines holds after it, newly made. Actions of
    PDDL work the same way: their delete effects take place before their add effects.

    Attributes:
        text: the text that a reader sees.
        uses: facts that must hold before it.
        defines: facts that hold after it.
        kills: facts that no longer hold after it, unless it defines them too.
        seconds: shortest and longest duration, where known.
        quantities: amounts, temperatures and the like in the text, where known.
        when: the options of choices on which the step depends; it is carried out where all of them
            are taken, always where there are none.
    """

    text: str
    uses: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    kills: tuple[str, ...] = ()
    seconds: tuple[float, float] | None = None
    quantities: tuple[Quantity, ...] = ()
    when: tuple[Taken, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of this step in a sample's metadata."""
        row: dict[str, Any] = {
            "text": self.text,
            "uses": list(self.uses),
            "defines": list(self.defines),
            "kills": list(self.kills),
        }
        if self.seconds is not None:
            row["seconds"] = list(self.seconds)
        if self.quantities:
            row["quantities"] = [each.to_json() for each in self.quantities]
        if self.when:
            row["when"] = [list(taken) for taken in self.when]
        return row


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice: every execution takes exactly one of its options.

    Attributes:
        name: such as ``Mill Bridge``.
        options: such as ``open`` and ``closed``.
    """

    name: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Procedure:
    """A goal, steps and their order.

    Attributes:
        goal: the purpose of the steps.
        steps: the steps in the order of the text.
        order: pairs (i, j), 0-based: step i comes before step j; transitively reduced.
        start: the facts that hold before the first step; None where they are not known: they are
            then all facts that a step uses before any step could have made them.
        choices: the choices on which steps depend; the order does not depend on them.
    """

    goal: str
    steps: tuple[Step, ...]
    order: tuple[Pair, ...] = ()
    start: tuple[str, ...] | None = None
    choices: tuple[Choice, ...] = ()

    @classmethod
    def total(cls, goal: str, steps: Sequence[Step]) -> Procedure:
        """Return the procedure whose steps are done in the order of the text."""
        return cls(goal, tuple(steps), tuple((i, i + 1) for i in range(len(steps) - 1)))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of this procedure in ``metadata.procedure``."""
        row: dict[str, Any] = {
            "goal": self.goal,
            "steps": [step.to_json() for step in self.steps],
            "order": [list(pair) for pair in self.order],
        }
        if self.start is not None:
            row["start"] = list(self.start)
        if self.choices:
            row["choices"] = {each.name: list(each.options) for each in self.choices}
        return row

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Procedure:
        """Return the procedure of a JSON object.

        Raises:
            LookupError, TypeError, ValueError: the object is not a procedure.
        """
        steps = tuple(_step(step) for step in row["steps"])
        order = tuple((int(i), int(j)) for i, j in row.get("order", ()))
        if any(not (0 <= i < len(steps) and 0 <= j < len(steps)) for i, j in order):
            raise ValueError("the order names a step that the procedure does not have")
        start = tuple(row["start"]) if row.get("start") is not None else None
        choices = tuple(
            Choice(str(name), tuple(map(str, options)))
            for name, options in dict(row.get("choices", {})).items()
        )
        known = {(each.name, option) for each in choices for option in each.options}
        if any(taken not in known for step in steps for taken in step.when):
            raise ValueError("a step depends on an option that the procedure does not have")
        return cls(str(row["goal"]), steps, order, start, choices)


type StepTexts = frozenset[str]
_FEWEST = 4  # steps; shorter procedures share theirs by accident


def step_texts(texts: Iterable[str]) -> StepTexts:
    """Return the texts of a procedure's steps in any order, to be compared with another's."""
    return frozenset(text.casefold().strip() for text in texts)


def same_procedure(one: StepTexts, other: StepTexts) -> bool:
    """Return whether one procedure has all steps of the other, with more among them or not."""
    return min(len(one), len(other)) >= _FEWEST and (one <= other or other <= one)


class Acting(Protocol):
    """An object that uses, kills and defines facts, in this order, such as a step."""

    @property
    def uses(self) -> Collection[str]:
        """Facts that must hold before it."""
        ...

    @property
    def kills(self) -> Collection[str]:
        """Facts that no longer hold after it, unless it defines them."""
        ...

    @property
    def defines(self) -> Collection[str]:
        """Facts that hold after it."""
        ...


def never_both(one: Sequence[Taken], other: Sequence[Taken]) -> bool:
    """Return whether steps that depend on these options are never both carried out."""
    wanted = dict(one)
    return any(wanted.get(choice, option) != option for choice, option in other)


def executable(steps: Iterable[Acting], start: Iterable[str] = ()) -> bool:
    """Return whether every step finds the facts that it uses when the steps are done in sequence.

    Args:
        steps: the steps in the order in which they are done.
        start: facts that hold before the first step.
    """
    held = set(start)
    for step in steps:
        if not held.issuperset(step.uses):
            return False
        held.difference_update(step.kills)
        held.update(step.defines)
    return True


def _step(row: Mapping[str, Any]) -> Step:
    seconds = row.get("seconds")
    return Step(
        str(row["text"]),
        tuple(row.get("uses", ())),
        tuple(row.get("defines", ())),
        tuple(row.get("kills", ())),
        None if seconds is None else (float(seconds[0]), float(seconds[1])),
        tuple(
            Quantity(str(each["of"]), float(each["low"]), float(each["high"]), str(each["unit"]))
            for each in row.get("quantities", ())
        ),
        tuple((str(choice), str(option)) for choice, option in row.get("when", ())),
    )
