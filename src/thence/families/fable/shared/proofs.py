"""Proofs of FABLE's sound answers: the steps that decide them, checked by the analysis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from thence.core.evidence import Hint, Proofs
from thence.core.parts import Explainer
from thence.core.procedure import Procedure
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.answers import YES_NO, Form, StepRange
from thence.families.fable.shared.generator import SOUND

if TYPE_CHECKING:
    from thence.core.sample import Sample
    from thence.dataflow import Flow
    from thence.dataflow.questions import FlowAnswer, FlowQuestion


class CellProofs(Proofs):
    """Proofs of the sound Yes/No answers and of the bounds of a step."""

    template = "fable/proof"

    def __init__(self, analysis: str, form: Form) -> None:
        self._analysis = analysis
        self._form = form

    def refusal(self, sample: Sample) -> str:
        """Return why a question of the published dialect, or about an amount, has none."""
        if self._form is not YES_NO and not isinstance(self._form, StepRange):
            return "an amount has no proof or form that could be checked; leave this task out"
        if sample.metadata.get("dialect") != SOUND:
            return "the published dialect's rules are no analysis by which to check a proof"
        return ""

    def values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the analysis, the steps asked about, and whether there are choices."""
        question = metadata["question"]
        return {
            "analysis": self._analysis,
            "i": question.get("i"),
            "j": question.get("j"),
            "choices": bool(metadata["procedure"].get("choices")),
        }

    def write(self, sample: Sample) -> Any:
        """Return a short proof of the truth."""
        from thence.dataflow.proof_making import prove

        flow, asked = _asked(sample)
        return prove(flow, self._analysis, asked).to_json()

    def fault(self, proof: Any, answer: Any, sample: Sample) -> str:
        """Return what is wrong with a proof of an answer; no wrong answer has a right one."""
        from thence.dataflow.proof_parts import InvalidProof, Proof
        from thence.dataflow.proofs import check

        flow, asked = _asked(sample)
        try:
            check(flow, self._analysis, asked, self._verdict(answer), Proof.from_json(proof, flow))
        except InvalidProof as error:
            return str(error)
        return ""

    def _verdict(self, answer: Any) -> FlowAnswer:
        if self._analysis != INTERVALS:
            return bool(answer == "Yes")
        bounds = answer["after"], answer["before"]
        after, before = (None if bound is None else bound - 1 for bound in bounds)
        return after, before


def _asked(sample: Sample) -> tuple[Flow, FlowQuestion]:
    from thence.dataflow import Flow, FlowQuestion

    question = sample.metadata["question"]
    i, j, fact = (question.get(name) for name in ("i", "j", "fact"))
    flow = Flow(Procedure.from_json(sample.metadata["procedure"]))
    return flow, FlowQuestion(i, j, fact, frozenset(question.get("sanitizers") or ()))


class CellCritic(Hint):
    """Gives the reason of a Yes/No answer whatever was answered; of an interval the wrong bound."""

    def __init__(self, form: Form) -> None:
        super().__init__(Explainer())
        self._form = form

    def remark(self, answer: Any, sample: Sample) -> str:
        """Return what decides a Yes/No question, or which bounds of an interval are wrong."""
        if self._form is YES_NO:
            return super().remark(answer, sample)
        if answer is None or self._form.equal(answer, sample.target):
            return ""
        wrong = self._form.wrong_parts(answer, sample.target)
        return f"{' and '.join(wrong)} {'is' if len(wrong) == 1 else 'are'} wrong.".capitalize()
