"""Sums of dice: at most ``6 ** dice`` questions a group."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from thence.core.sample import Sample
from thence.core.score import Answer, Grade
from thence.core.task import Cell, Draft, Knob, Task


class Dice(Task):
    """``sum: N`` is the delimited answer; a reply that is a bare number is read, too."""

    family = "toy"
    name = "dice"
    metrics = ("near",)
    knobs = (Knob("dice", "1", "how many dice at most", int), Knob("each", "3", "samples", int))

    def cells(self, values: Mapping[str, Any]) -> Sequence[Cell]:
        return [Cell(str(n), {"dice": n}, values["each"]) for n in range(1, values["dice"] + 1)]

    def draw(self, cell: Cell, rng: Random) -> Draft:
        rolls = [rng.randint(1, 6) for _ in range(cell.parameters["dice"])]
        return Draft({"rolls": rolls}, sum(rolls))

    def read(self, reply: str, sample: Sample) -> Answer | None:
        _, label, rest = reply.rpartition("sum:")
        text = rest.strip()
        if not text.isascii() or not text.isdigit():
            return None
        return Answer(int(text), "label" if label else "bare", delimited=bool(label))

    def grade(self, answer: Any, sample: Sample) -> Grade:
        near = 0.0 if answer is None else 1 / (1 + abs(answer - sample.target))
        return Grade(answer == sample.target, {"near": near})

    def write(self, target: Any) -> str:
        return f"sum: {target}"

    def recompute(self, sample: Sample) -> Any:
        return sum(sample.metadata["question"]["rolls"])

    def perturb(self, sample: Sample, rng: Random) -> Any:
        return sample.target + 1


TASK = Dice()
