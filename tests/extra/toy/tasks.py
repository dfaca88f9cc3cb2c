"""Sums of dice: at most ``6 ** dice`` questions a group."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from thence.core.parameters import Parameter
from thence.core.parts import AnswerFormat, Checks, Condition, Draft, Generator, Grader, Question
from thence.core.sample import Sample
from thence.core.score import Answer, Grade
from thence.core.task import Task


class Rolls(Generator):
    """A few rolls of dice."""

    parameters = (
        Parameter("dice", "1", "how many dice at most", int),
        Parameter("each", "3", "samples", int),
    )

    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        numbers = range(1, values["dice"] + 1)
        return [Condition(str(n), {"dice": n}, values["each"]) for n in numbers]

    def draw(self, condition: Condition, rng: Random) -> Draft:
        rolls = [rng.randint(1, 6) for _ in range(condition.parameters["dice"])]
        return Draft({"rolls": rolls}, sum(rolls))


class Sum(AnswerFormat):
    """``sum: N`` is the delimited answer; a reply that is a bare number is read, too."""

    def read(self, reply: str, question: Question) -> Answer | None:
        _, label, rest = reply.rpartition("sum:")
        text = rest.strip()
        if not text.isascii() or not text.isdigit():
            return None
        return Answer(int(text), "label" if label else "bare", delimited=bool(label))

    def write(self, target: Any) -> str:
        return f"sum: {target}"


class Nearness(Grader):
    """Right is the sum; near is how far an answer is from it."""

    metrics = ("near",)

    def grade(self, answer: Any, sample: Sample) -> Grade:
        near = 0.0 if answer is None else 1 / (1 + abs(answer - sample.target))
        return Grade(answer == sample.target, {"near": near})


class Addition(Checks):
    """Adds the rolls up again."""

    def recompute(self, sample: Sample) -> Any:
        return sum(sample.metadata["question"]["rolls"])

    def perturb(self, sample: Sample, rng: Random) -> Any:
        return sample.target + 1


TASK = Task("toy", "dice", Rolls(), Sum(), Nearness(), Addition())
