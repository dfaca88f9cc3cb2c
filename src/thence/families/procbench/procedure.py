"""A ProcBench task: an explicit procedure that is executed.

A task defines its steps once. They make the truth of a generated question, which has exactly N of
them by construction, and they recompute the published labels from the text of the published
prompts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from thence.core.digest import compact_json
from thence.core.parameters import Parameter, WholeRange
from thence.core.parts import Checks, Condition, Draft, Generator, Grader
from thence.core.score import Grade
from thence.core.task import Task
from thence.errors import ParameterError
from thence.families.procbench import knobs
from thence.families.procbench.answers import FirstWrongState, States, StatesExplainer, Stillness
from thence.families.procbench.metrics import COUNTS, METRICS, metrics
from thence.families.procbench.shapes import Shape
from thence.system.log import logger

if TYPE_CHECKING:
    from thence.core.sample import Sample

SHORTEST, LONGEST, EACH = 2, 25, 10  # the paper's lengths and examples a length
MAXIMUM_STEPS = 1000

_log = logger("generation")
_MOST_STATES = 2 * MAXIMUM_STEPS
_MOST_SIZE = 20_000_000  # characters and items of all states; the largest of ours holds a quarter

LENGTHS = (("Short", 2, 6), ("Medium", 7, 16), ("Long", 17, 25))
"""Bins of N in the paper's Table 2: name, first and last length."""


STEPS = Parameter(
    "steps",
    f"{SHORTEST}-{LONGEST}",
    f"problem lengths N: a number or LO-HI, within 1-{MAXIMUM_STEPS}",
    WholeRange(1, MAXIMUM_STEPS, "12 or 2-25"),
)


def length_bin(steps: int) -> str:
    """Return the paper's bin of a length; ``Other`` outside its lengths."""
    for name, first, last in LENGTHS:
        if first <= steps <= last:
            return name
    return "Other"


def _limited(run: Iterator[Any]) -> Iterator[Any]:
    """Yield the states of a run; raise if they are more or larger than any question allows."""
    size = 0
    for count, state in enumerate(run, 1):
        size += 1 if isinstance(state, int) else len(state)
        if size > _MOST_SIZE:
            raise ValueError(f"its states hold more than {_MOST_SIZE:,} characters")
        if count > _MOST_STATES:
            raise ValueError(f"the procedure takes more than {_MOST_STATES} steps")
        yield state


class ExplicitProcedure[Parameters: Mapping[str, Any]](ABC):
    """An explicit procedure: its steps, and questions with a given number of steps.

    Attributes:
        name: name of the task.
        rank: the official number, 1 to 23.
        summary: one line for ``thence list``.
        states: type of the intermediate states.
        final: type of the final state, where it differs; else None.
        version: ``N-X`` of the task; N changes where the same seed gives other questions.
        knobs: the parameters that make questions harder at the same length, with their meanings;
            `compose` takes each as a keyword, None where it is not set.
    """

    name: ClassVar[str]
    rank: ClassVar[int]
    summary: ClassVar[str]
    states: ClassVar[Shape]
    final: ClassVar[Shape | None] = None
    version: ClassVar[str] = "1-0"
    knobs: ClassVar[Sequence[tuple[str, str]]] = ()

    @abstractmethod
    def initial(self, question: Parameters) -> Any:
        """Return the state before the first step; it is not a part of the answer."""

    @abstractmethod
    def execute(self, question: Parameters) -> Iterator[Any]:
        """Yield the state after each step, in order.

        A state must not be changed after it has been yielded.
        """

    def conclude(self, question: Parameters, states: list[Any]) -> Any:
        """Return the final state, given the states after each step.

        The default removes and returns the last of them, which is then not an intermediate state.
        """
        return states.pop()

    @abstractmethod
    def compose(self, rng: Random, steps: int) -> Parameters:
        """Return a question whose answer has exactly ``steps`` states, by construction."""

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob in questions of this length."""
        raise NotImplementedError

    def most(self, steps: int) -> int | None:
        """Return the number of different questions of a length; None where it is large."""
        return None

    def shown(self, question: Parameters) -> Mapping[str, Any]:
        """Return the values for the question's template; the default is the question."""
        return question

    def parse(self, prompt: str) -> Parameters:
        """Return the question in the part of a published prompt that follows ``[Question]``.

        Raises:
            ValueError, LookupError: the text is not a question of this task.
        """
        raise ValueError(f"procbench/{self.name} was never published")

    def truth(self, question: Parameters) -> dict[str, Any]:
        """Return the target of any question, such as one from a file.

        Raises:
            ValueError: its run is longer, or its states are larger, than any question allows.
        """
        return self.target(question, _limited(self.execute(question)))

    def target(self, question: Parameters, run: Iterator[Any]) -> dict[str, Any]:
        """Return the intermediate states and the final state of a run."""
        states = list(run)
        final = self.conclude(question, states)
        return {"intermediate": states, "final": final}


def task[Parameters: Mapping[str, Any]](procedure: ExplicitProcedure[Parameters]) -> Task:
    """Return the ProcBench task of a procedure."""
    states, final = procedure.states, procedure.final
    return Task(
        "procbench",
        procedure.name,
        ProcedureQuestions(procedure),
        States(states, final),
        StatesGrader(),
        Reruns(procedure),
        StatesExplainer(final),
        Stillness(states, final),
        critic=FirstWrongState(),
        version=procedure.version,
        rank=procedure.rank,
        summary=procedure.summary,
    )


class ProcedureQuestions[Parameters: Mapping[str, Any]](Generator):
    """Questions about one procedure with a given number of steps."""

    def __init__(self, procedure: ExplicitProcedure[Parameters]) -> None:
        self.procedure = procedure
        self.parameters = (STEPS, *knobs.parameters(procedure.knobs), knobs.FORCE)
        self._compose: Callable[..., Parameters] = procedure.compose
        self._checked: dict[tuple[object, ...], int] = {}

    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """Return one condition per length that the knobs allow, with ten samples each.

        Raises:
            ParameterError: they allow none, or an answer would be longer than any model writes.
        """
        set_ = knobs.given(dict(self.procedure.knobs), values)
        lengths = [n for n in _range(values) if not self._outside(set_, n)]
        if not lengths:
            name = self._outside(set_, values["steps"][1])
            low, high = self.procedure.bounds(name, values["steps"][1])
            reason = f"procbench/{self.procedure.name} takes {low} to {high} at this length"
            if low > high:
                reason = f"procbench/{self.procedure.name} takes none at this length"
            raise ParameterError(name, set_[name], reason)
        if values["force"] == "no":
            self._check_answer(lengths[-1], set_)
        counts = ((n, min(EACH, self.procedure.most(n) or EACH)) for n in lengths)
        return [Condition(str(n), {"steps": n, **set_}, count) for n, count in counts]

    def _outside(self, given: Mapping[str, int], steps: int) -> str:
        """Return the first knob whose value no question of this length has; empty for none."""
        for name, value in given.items():
            low, high = self.procedure.bounds(name, steps)
            if not low <= value <= high:
                return name
        return ""

    def _check_answer(self, steps: int, given: Mapping[str, int]) -> None:
        """Refuse a length whose answers no model could write, by the answer to one question."""
        if steps <= knobs.SURE and not given:
            return
        key = (steps, *given.items())
        if key not in self._checked:
            question = self._compose(Random(0), steps, **given)
            answer = self.procedure.target(question, self.procedure.execute(question))
            self._checked[key] = len(compact_json(answer)) // knobs.CHARACTERS_PER_TOKEN
        if (tokens := self._checked[key]) > knobs.MOST_TOKENS:
            raise ParameterError(
                "steps",
                steps,
                f"an answer to procbench/{self.procedure.name} of {steps} steps takes about "
                f"{tokens:,} tokens, more than models write; ask for fewer steps, or give "
                "force=yes",
            )

    def arrange(
        self, values: Mapping[str, Any], size: int | None, seed: int
    ) -> Sequence[Condition]:
        """Return the conditions with their sizes; log what cannot be and is left out."""
        name, most = f"procbench/{self.procedure.name}", self.procedure.most
        if gone := len(_range(values)) - len(self.conditions(values)):
            _log.warning("%s: %d lengths are left out, as its parameters do not allow them", name,
                         gone)  # fmt: skip
        made = []
        for each in super().arrange(values, size, seed):
            count = min(each.count, most(each.parameters["steps"]) or each.count)
            if count < each.count:
                _log.warning("%s: %d of %d questions of N = %s are left out, as there are no more",
                             name, each.count - count, each.count, each.group)  # fmt: skip
            made.append(replace(each, count=count))
        return made

    def most(self, values: Mapping[str, Any]) -> int | None:
        """Return the number of different questions, where it is small at every length."""
        found = [self.procedure.most(n) for n in _range(values)]
        return None if None in found else sum(each for each in found if each)

    def draw(self, condition: Condition, rng: Random) -> Draft:
        """Return a question of N steps with its truth."""
        given, procedure = dict(condition.parameters), self.procedure
        steps = given.pop("steps")
        question = self._compose(rng, steps, **given)
        metadata = {"steps": steps, "init": procedure.initial(question)}
        return Draft(question, procedure.target(question, procedure.execute(question)), metadata)

    def question_values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the question in the form that the procedure shows."""
        return self.procedure.shown(metadata["question"])

    def condition(self, sample: Sample) -> Condition:
        """Return the condition of a sample's length, which every sample of this family holds."""
        steps = int(sample.metadata["steps"])
        return Condition(str(steps), {"steps": steps, **_knobs_of(sample)}, 1)


def _range(values: Mapping[str, Any]) -> range:
    """Return the lengths that are asked for."""
    first, last = values["steps"]
    return range(first, last + 1)


def _knobs_of(sample: Sample) -> dict[str, int]:
    """Return the knobs that a sample was drawn with; those of a file may be damaged."""
    held = sample.metadata.get("parameters")
    return knobs.given(knobs.NAMES, held) if isinstance(held, dict) else {}


class StatesGrader(Grader):
    """PA, PML, SM and FM; correct is SM: every state and the final state equal the truth."""

    metrics = METRICS
    counts = COUNTS

    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Return the four metrics of an answer."""
        target = sample.target
        truth = [*target["intermediate"], target["final"]]
        said = [] if answer is None else [*answer["intermediate"], answer["final"]]
        values = metrics(truth, said)
        return Grade(values["sm"] == 1, values)

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """Return the paper's bin of the length, the length, and the knobs that were set."""
        steps = int(sample.metadata["steps"])
        knobs_set = {name: str(value) for name, value in _knobs_of(sample).items()}
        return {"length": length_bin(steps), "steps": str(steps), **knobs_set}


class Reruns[Parameters: Mapping[str, Any]](Checks):
    """Runs the procedure again."""

    def __init__(self, procedure: ExplicitProcedure[Parameters]) -> None:
        self.procedure = procedure
        self.name = f"procbench/{procedure.name}"

    def check(self, sample: Sample) -> None:
        """Raise unless the target has states of the task's types and the metadata a question."""
        target, metadata, states = sample.target, sample.metadata, self.procedure.states
        if not (
            isinstance(target, dict)
            and isinstance(target.get("intermediate"), list)
            and states.accepts_all(target["intermediate"])
            and (self.procedure.final or states).accepts(target.get("final"))
        ):
            raise ValueError(f"the target of {self.name} must hold its states")
        if not isinstance(metadata.get("question"), dict):
            raise ValueError(f"the metadata of {self.name} must hold 'question'")  # noqa: TRY004
        steps = len(target["intermediate"]) + 1
        if type(metadata.get("steps")) is not int or metadata["steps"] != steps:
            raise ValueError(f"the metadata of {self.name} must hold 'steps', here {steps}")

    def recompute(self, sample: Sample) -> Any:
        """Return the target, computed from the question alone."""
        return self.procedure.truth(sample.metadata["question"])

    def perturb(self, sample: Sample, rng: Random) -> Any:
        """Return the truth with a state altered, left out or repeated; the types stay valid."""
        states, final = list(sample.target["intermediate"]), sample.target["final"]
        shape = self.procedure.states
        place = rng.randrange(len(states) + 1)
        if place == len(states):
            final = (self.procedure.final or shape).altered(final)
        else:
            state = states[place]
            instead: tuple[list[Any], ...] = ([], [state, state], [shape.altered(state)])
            states[place : place + 1] = rng.choice(instead)
        return {"intermediate": states, "final": final}
