"""A ProcBench task: an explicit procedure, which is executed.

A task defines its steps once. They make the truth of a generated question, which is built to have
exactly N of them, and they recompute the labels that the benchmark's authors published from the
text of their prompts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, cast

from thence.core.digest import compact_json
from thence.core.score import Answer, Grade
from thence.core.task import Cell, Draft, Knob, Task
from thence.families.procbench.metrics import COUNTS, METRICS, metrics, perfect
from thence.families.procbench.reading import read_states
from thence.families.procbench.shapes import Shape

if TYPE_CHECKING:
    from thence.core.sample import Sample

SHORTEST, LONGEST, EACH = 2, 25, 10  # the paper's lengths and examples a length
MAXIMUM_STEPS = 1000

_MOST_STATES = 2 * MAXIMUM_STEPS
_MOST_SIZE = 20_000_000  # characters and items of all states; the largest of ours holds a quarter

LENGTHS = (("Short", 2, 6), ("Medium", 7, 16), ("Long", 17, 25))
"""Bins of N in the paper's Table 2: name, first and last length."""


def parse_steps(text: str) -> tuple[int, int]:
    """The range of a ``steps`` setting: ``N`` or ``LO-HI``."""
    low, dash, high = text.partition("-")
    ends = (low, high if dash else low)
    if not all(end.isascii() and end.isdigit() and len(end) < 5 for end in ends):
        raise ValueError("must be N or LO-HI, such as 12 or 2-25")
    first, last = int(ends[0]), int(ends[1])
    if not 1 <= first <= last <= MAXIMUM_STEPS:
        raise ValueError(f"must lie within 1-{MAXIMUM_STEPS}, the lower end first")
    return first, last


STEPS = Knob(
    "steps",
    f"{SHORTEST}-{LONGEST}",
    f"problem lengths N: a number or LO-HI, within 1-{MAXIMUM_STEPS}",
    parse_steps,
)


def length_bin(steps: int) -> str:
    """The paper's bin of a length; ``Other`` outside its lengths."""
    for name, first, last in LENGTHS:
        if first <= steps <= last:
            return name
    return "Other"


def _limited(run: Iterator[Any]) -> Iterator[Any]:
    """The states of a run, which must not be more or larger than those of any question of ours."""
    size = 0
    for count, state in enumerate(run, 1):
        size += 1 if isinstance(state, int) else len(state)
        if size > _MOST_SIZE:
            raise ValueError(f"its states hold more than {_MOST_SIZE:,} characters")
        if count > _MOST_STATES:
            raise ValueError(f"the procedure takes more than {_MOST_STATES} steps")
        yield state


class Procedure[Question: Mapping[str, Any]](Task):
    """A task of ProcBench.

    Attributes:
        rank: the official number, 1 to 23.
        states: type of the intermediate states.
        final: type of the final state, where it differs; else None.
    """

    family = "procbench"
    metrics = METRICS
    counts = COUNTS
    knobs = (STEPS,)
    states: ClassVar[Shape]
    final: ClassVar[Shape | None] = None

    # The procedure -------------------------------------------------------------------------

    @abstractmethod
    def initial(self, question: Question) -> Any:
        """The state before the first step; it is no part of the answer."""

    @abstractmethod
    def execute(self, question: Question) -> Iterator[Any]:
        """Takes one step after the other: the state after each of them, in order.

        A state is not changed any more once it has been yielded.
        """

    def conclude(self, question: Question, states: list[Any]) -> Any:
        """The final state, given the states after each step.

        The default is the last of them, which then is no intermediate state: it is taken off.
        """
        return states.pop()

    @abstractmethod
    def compose(self, rng: Random, steps: int) -> Question:
        """A question whose answer has exactly ``steps`` states, by construction."""

    def parse(self, prompt: str) -> Question:
        """The question in the part of a published prompt that follows ``[Question]``.

        Raises:
            ValueError, LookupError: it is not a question of this task.
        """
        raise ValueError(f"{self.full_name} was never published")

    def truth(self, question: Question) -> dict[str, Any]:
        """The target of any question, such as one that was read from a file.

        Raises:
            ValueError: it goes on for longer, or its states are larger, than any question of this
                benchmark.
        """
        return self._target(question, _limited(self.execute(question)))

    def _target(self, question: Question, run: Iterator[Any]) -> dict[str, Any]:
        states = list(run)
        final = self.conclude(question, states)
        return {"intermediate": states, "final": final}

    # The task ------------------------------------------------------------------------------

    def cells(self, values: Mapping[str, Any]) -> Sequence[Cell]:
        """One cell a length, ten samples each."""
        first, last = values["steps"]
        return [Cell(str(n), {"steps": n}, EACH) for n in range(first, last + 1)]

    def draw(self, cell: Cell, rng: Random) -> Draft:
        """A question of N steps and its truth."""
        steps = cell.parameters["steps"]
        question = self.compose(rng, steps)
        metadata = {"steps": steps, "init": self.initial(question)}
        return Draft(question, self._target(question, self.execute(question)), metadata)

    def cell(self, sample: Sample) -> Cell:
        """The cell of its length, which any sample of this task states."""
        steps = int(sample.metadata["steps"])
        return Cell(str(steps), {"steps": steps}, 1)

    def answer_values(self, sample: Mapping[str, Any]) -> Mapping[str, Any]:
        """The pattern of the answer and the types in it; the same for every sample."""
        return self._answer_values

    @cached_property
    def _answer_values(self) -> Mapping[str, Any]:
        final, example = self.final or self.states, self.states.example
        return {
            "states": self.states.text,
            "final": final.text,
            "pattern": (
                f'{{"intermediate": [{example("S1")}, {example("S2")}, ...], '
                f'"final": {final.example("S")}}}'
            ),
            "last_is_final": self.final is None,
        }

    def read(self, reply: str, sample: Sample) -> Answer | None:
        """The states in a reply; see `read_states` for the order of the rules."""
        return read_states(reply, self.states, self.final or self.states, truth=sample.target)

    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Correct is SM: every state and the final state equal the truth, in order."""
        target = sample.target
        if answer is target:  # as `read` has it, where it is right
            return perfect(len(target["intermediate"]) + 1)
        truth = [*target["intermediate"], target["final"]]
        said = [] if answer is None else [*answer["intermediate"], answer["final"]]
        values = metrics(truth, said)
        return Grade(values["sm"] == 1, values)

    def check(self, sample: Sample) -> None:
        """The target must hold states of the task's types, and the metadata the question."""
        target, metadata = sample.target, sample.metadata
        if not (
            isinstance(target, dict)
            and isinstance(target.get("intermediate"), list)
            and self.states.accepts_all(target["intermediate"])
            and (self.final or self.states).accepts(target.get("final"))
        ):
            raise ValueError(f"the target of {self.full_name} must hold its states")
        if not isinstance(metadata.get("question"), dict):
            raise ValueError(f"the metadata of {self.full_name} must hold 'question'")  # noqa: TRY004
        steps = len(target["intermediate"]) + 1
        if type(metadata.get("steps")) is not int or metadata["steps"] != steps:
            raise ValueError(f"the metadata of {self.full_name} must hold 'steps', here {steps}")

    def write(self, target: Any) -> str:
        """The target as the JSON object that the prompt asks for."""
        return compact_json(target)

    def recompute(self, sample: Sample) -> Any:
        """The target from the question alone."""
        return self.truth(cast("Question", sample.metadata["question"]))

    def perturb(self, sample: Sample, rng: Random) -> Any:
        """The truth with a state altered, left out or said twice; the types stay the task's."""
        states, final = list(sample.target["intermediate"]), sample.target["final"]
        place = rng.randrange(len(states) + 1)
        if place == len(states):
            final = (self.final or self.states).altered(final)
        else:
            instead: tuple[list[Any], ...] = (
                [],
                [states[place]] * 2,
                [self.states.altered(states[place])],
            )
            states[place : place + 1] = rng.choice(instead)
        return {"intermediate": states, "final": final}

    def schema(self, sample: Sample) -> Mapping[str, Any]:
        """An object with the two keys and the task's types."""
        return {
            "type": "object",
            "properties": {
                "intermediate": {"type": "array", "items": self.states.schema()},
                "final": (self.final or self.states).schema(),
            },
            "required": ["intermediate", "final"],
            "additionalProperties": False,
        }

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """The paper's bin of the length, and the length."""
        steps = int(sample.metadata["steps"])
        return {"length": length_bin(steps), "steps": str(steps)}

    def explain(self, sample: Sample) -> str:
        """The state after each step, one a line."""
        target = sample.target
        states = (
            target["intermediate"] if self.final else [*target["intermediate"], target["final"]]
        )
        lines = (
            f"After step {place}: {compact_json(state)}" for place, state in enumerate(states, 1)
        )
        return "\n".join(lines)

    def surface_answer(self, sample: Sample) -> Any | None:
        """Nothing ever happens: the initial state after every step.

        It shows how far copying the question gets. Where the initial state is not of the states'
        type there is no such answer.
        """
        init, steps = sample.metadata["init"], int(sample.metadata["steps"])
        if self.final is not None or not self.states.accepts(init):
            return None
        return {"intermediate": [init] * (steps - 1), "final": init}
