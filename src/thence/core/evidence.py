"""Parts of a task that judge more than an answer: proofs of answers, and remarks on wrong ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thence.core.parts import Explainer
    from thence.core.sample import Sample


class Proofs(ABC):
    """Reads and checks proofs: the evidence that decides an answer, in a fixed form.

    Attributes:
        template: name of the template that tells the form of a proof.
    """

    template: str

    def refusal(self, sample: Sample) -> str:
        """Return why a sample has no proofs, in a clause; empty where it has."""
        return ""

    @abstractmethod
    def values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values for the template from a sample's metadata; none tells the truth."""

    @abstractmethod
    def write(self, sample: Sample) -> Any:
        """Return a proof of the truth, as JSON."""

    @abstractmethod
    def fault(self, proof: Any, answer: Any, sample: Sample) -> str:
        """Return in a sentence what is wrong with a proof of an answer; empty where it holds."""


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
