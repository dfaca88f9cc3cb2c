"""How answers of all states are read, written, explained and guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thence.core.digest import compact_json
from thence.core.evidence import Critic
from thence.core.json_schema import object_of
from thence.core.parts import AnswerFormat, Baselines, Explainer, Question
from thence.core.score import Answer
from thence.core.shortcuts import ANY, Shortcut
from thence.families.procbench.metrics import prefix_match_length
from thence.families.procbench.reading import read_states
from thence.families.procbench.shapes import Shape

if TYPE_CHECKING:
    from thence.core.sample import Sample


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
        states = {"type": "array", "items": self.states.schema()}
        return object_of(intermediate=states, final=self.final.schema())


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

    def shortcuts(self) -> Sequence[Shortcut]:
        """Return those of every question: no prompt tells how many steps there are to copy."""
        return ANY
