"""A ProcBench task: an explicit procedure that is executed.

A task defines its steps once. They make the truth of a generated question, which has exactly N of
them by construction, and they recompute the published labels from the text of the published
prompts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from thence.core.digest import compact_json
from thence.core.evidence import Critic
from thence.core.parameters import Parameter, WholeRange
from thence.core.parts import (
    AnswerFormat,
    Baselines,
    Checks,
    Condition,
    Draft,
    Explainer,
    Generator,
    Grader,
    Question,
)
from thence.core.score import Answer, Grade
from thence.core.task import Task
from thence.families.procbench.metrics import COUNTS, METRICS, metrics, prefix_match_length
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
    """

    name: ClassVar[str]
    rank: ClassVar[int]
    summary: ClassVar[str]
    states: ClassVar[Shape]
    final: ClassVar[Shape | None] = None

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

    def shown(self, question: Parameters) -> Mapping[str, Any]:
        """Return the values for the question's template; the default is the question."""
        return question

    def each(self, steps: int) -> int:
        """Return the number of samples of a length in the paper."""
        return EACH

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
        rank=procedure.rank,
        summary=procedure.summary,
    )


class ProcedureQuestions[Parameters: Mapping[str, Any]](Generator):
    """Questions about one procedure with a given number of steps."""

    parameters = (STEPS,)

    def __init__(self, procedure: ExplicitProcedure[Parameters]) -> None:
        self.procedure = procedure

    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """Return one condition per length, with ten samples each."""
        first, last = values["steps"]
        each = self.procedure.each
        return [Condition(str(n), {"steps": n}, each(n)) for n in range(first, last + 1)]

    def draw(self, condition: Condition, rng: Random) -> Draft:
        """Return a question of N steps with its truth."""
        steps, procedure = condition.parameters["steps"], self.procedure
        question = procedure.compose(rng, steps)
        metadata = {"steps": steps, "init": procedure.initial(question)}
        return Draft(question, procedure.target(question, procedure.execute(question)), metadata)

    def question_values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the question in the form that the procedure shows."""
        return self.procedure.shown(metadata["question"])

    def condition(self, sample: Sample) -> Condition:
        """Return the condition of a sample's length, which every sample of this family holds."""
        steps = int(sample.metadata["steps"])
        return Condition(str(steps), {"steps": steps}, 1)


class States(AnswerFormat):
    """Answers as JSON: the intermediate states and the final state."""

    def __init__(self, states: Shape, final: Shape | None) -> None:
        self.states, self.final = states, final or states
        example = states.example
        self._values = {
            "states": states.text,
            "final": self.final.text,
            "pattern": (
                f'{{"intermediate": [{example("S1")}, {example("S2")}, ...], '
                f'"final": {self.final.example("S")}}}'
            ),
            "last_is_final": final is None,
        }

    def answer_values(self) -> Mapping[str, Any]:
        """Return the answer's pattern and types, which are the same for every sample."""
        return self._values

    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the states in a reply; `read_states` explains the rules."""
        return read_states(reply, self.states, self.final)

    def write(self, target: Any) -> str:
        """Return the target as the JSON object that the prompt asks for."""
        return compact_json(target)

    def schema(self, question: Question) -> Mapping[str, Any]:
        """Return the schema of an object with the two keys and the task's types."""
        return {
            "type": "object",
            "properties": {
                "intermediate": {"type": "array", "items": self.states.schema()},
                "final": self.final.schema(),
            },
            "required": ["intermediate", "final"],
            "additionalProperties": False,
        }


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
        """Return the paper's bin of the length, and the length."""
        steps = int(sample.metadata["steps"])
        return {"length": length_bin(steps), "steps": str(steps)}


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


class StatesExplainer(Explainer):
    """Shows every state."""

    def __init__(self, final: Shape | None) -> None:
        self._final_differs = final is not None

    def explain(self, sample: Sample) -> str:
        """Return the state after each step, one per line."""
        target = sample.target
        states = list(target["intermediate"])
        if not self._final_differs:
            states.append(target["final"])
        lines = (f"After step {n}: {compact_json(state)}" for n, state in enumerate(states, 1))
        return "\n".join(lines)


class FirstWrongState(Critic):
    """Says which state is the first wrong one, and not what it should be."""

    def remark(self, answer: Any, sample: Sample) -> str:
        """Return a sentence about the first state that is wrong; empty where all are right."""
        if answer is None:
            return ""
        target = sample.target
        truth = [*target["intermediate"], target["final"]]
        said = [*answer["intermediate"], answer["final"]]
        right = prefix_match_length(truth, said)
        if right == len(said) == len(truth):
            return ""
        if right >= len(said) - 1:
            return "The final state is wrong, or states before it are missing."
        return f"The state after step {right + 1} is the first one that is wrong."


class Stillness(Baselines):
    """Answers as if no step changed anything."""

    def __init__(self, states: Shape, final: Shape | None) -> None:
        self._states, self._final = states, final

    def surface_answer(self, sample: Sample) -> Any | None:
        """Return the initial state after every step: it shows how far copying the question gets.

        Where the initial state has another type than the states, there is no such answer.
        """
        init, steps = sample.metadata["init"], int(sample.metadata["steps"])
        if self._final is not None or not self._states.accepts(init):
            return None
        return {"intermediate": [init] * (steps - 1), "final": init}
