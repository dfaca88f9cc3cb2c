"""Parts of a task that judge more than an answer: evidence beside it, and remarks on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thence.core.parts import Explainer
    from thence.core.sample import Sample


type Judged = tuple[Mapping[str, float], str]
"""Metrics of a reply, and a sentence about what it holds beside its answer; empty for none."""


class Evidence(ABC):
    """Reads and checks what a reply holds beside its answer, in a fixed form.

    Attributes:
        template: name of the template that tells the form.
    """

    template: str

    def refusal(self, sample: Sample) -> str:
        """Return why a sample has none, in a clause; empty where it has."""
        return ""

    @abstractmethod
    def values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values for the template from a sample's metadata; none reveals the answer."""

    @abstractmethod
    def write(self, sample: Sample) -> Any:
        """Return the evidence of the truth, as JSON."""

    @abstractmethod
    def fault(self, given: Any, answer: Any, sample: Sample) -> str:
        """Return in a sentence what is wrong with the evidence of an answer; empty for nothing."""

    @abstractmethod
    def judge(
        self, given: Any, answer: Any, sample: Sample, grade: Callable[[Any], bool]
    ) -> Judged:
        """Return the metrics of a reply, and what is wrong with its evidence.

        Args:
            given: the evidence, as JSON; None where there is none.
            answer: the value that was read; None where nothing was readable.
            sample: the sample with its truth.
            grade: tells whether an answer is right.
        """


PROOF, WRONG_PROOF = "proof", "wrong_proof"
"""The shares of replies with a right answer and its proof, and with a right answer alone."""


class Proofs(Evidence):
    """Reads and checks proofs: the evidence that decides an answer."""

    def judge(
        self, given: Any, answer: Any, sample: Sample, grade: Callable[[Any], bool]
    ) -> Judged:
        """Return whether a right answer has its proof."""
        right = answer is not None and grade(answer)
        fault = self.fault(given, answer, sample) if right else ""
        return {PROOF: float(right and not fault), WRONG_PROOF: float(right and bool(fault))}, fault


_FOLLOWS = "By what it says of the steps, the answer is {}."

SOLVED, READ_WRONG, REASONED_WRONG = "solved", "read_wrong", "reasoned_wrong"
"""The shares of replies whose form gives the right answer, whose form does not, and whose form does
while the answer in the reply is wrong."""


class Forms(Evidence):
    """Reads formal descriptions of a question's text, and answers the question by them."""

    @abstractmethod
    def solve(self, form: Any, sample: Sample) -> Any:
        """Return the answer that follows from a form.

        Raises:
            ValueError: it is none; says why.
        """

    def fault(self, given: Any, answer: Any, sample: Sample) -> str:
        """Return why a form gives no answer, or that it gives another than the reply."""
        try:
            found = self.solve(given, sample)
        except ValueError as error:
            return str(error)
        return "" if found == answer else _FOLLOWS.format(found)

    def judge(
        self, given: Any, answer: Any, sample: Sample, grade: Callable[[Any], bool]
    ) -> Judged:
        """Return whether the text was read right, and whether the answer follows all the same."""
        solved, said = self._solved(given, sample, grade)
        right = answer is not None and grade(answer)
        values = {SOLVED: solved, READ_WRONG: not solved, REASONED_WRONG: solved and not right}
        return {name: float(value) for name, value in values.items()}, said

    def _solved(self, given: Any, sample: Sample, grade: Callable[[Any], bool]) -> tuple[bool, str]:
        """Return whether a form gives the right answer, else why not."""
        try:
            found = self.solve(given, sample)
            solved = grade(found)
        except ValueError as error:
            return False, str(error)
        return solved, "" if solved else _FOLLOWS.format(found)


class Critic(ABC):
    """Says of an answer what is wrong with it, without the right answer where that is possible."""

    @abstractmethod
    def remark(self, answer: Any, sample: Sample) -> str:
        """Return one or two sentences about an answer; empty where there is nothing to say.

        Args:
            answer: the value that was read; None where nothing was readable.
            sample: the sample with its truth.
        """


class Hint(Critic):
    """Gives what decides the question, whatever was answered.

    For questions with few answers: a remark on wrong answers alone would tell the right one.
    """

    def __init__(self, explainer: Explainer) -> None:
        self._explainer = explainer

    def remark(self, answer: Any, sample: Sample) -> str:
        """Return the reason for the truth, without the truth itself."""
        return self._explainer.reason(sample)
