"""A second column of scores, in which answers that people judged to be right count as right.

The accuracy itself stays what the grader says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from thence.analysis.error_kinds import AnswerKey
from thence.core.failures import plural
from thence.core.results import CORRECTED
from thence.engine.directory import RunDirectory
from thence.errors import ParameterError
from thence.scoring.judge import Scored


@dataclass
class Corrections:
    """The accepted corrections of some sheets, and those of them that a run has.

    Attributes:
        accepted: the answers that count as right.
        used: those of them that were met in the run.
    """

    accepted: set[AnswerKey]
    used: set[AnswerKey] = field(default_factory=set)

    def added(self, rows: Iterable[Scored], model: str, last: int) -> Iterator[Scored]:
        """Yield scores with the metric `CORRECTED` beside the others.

        Args:
            rows: the scores of a run.
            model: of the run.
            last: 0-based; the turn that people judged.
        """
        for row in rows:
            score, key = row.score, AnswerKey(row.sample.task, row.sample.id, str(row.epoch), model)
            accepted = row.turn == last and key in self.accepted
            if accepted:
                self.used.add(key)
            if score.counts:
                value = float(score.correct or accepted)
                score = replace(score, values={**score.values, CORRECTED: value})
            yield row._replace(score=score)

    def note(self, model: str) -> str:
        """Return the sentence that stands below the scores of a model."""
        of_model = {key for key in self.accepted if key.model == model}
        used, lost = len(of_model & self.used), len(of_model - self.used)
        beside = f"; {plural(lost, 'correction')} of answers that this run lacks" if lost else ""
        return (
            f"corrected: the same with {plural(used, 'answer')} counted as right that more than "
            f"half of those who judged them found right{beside}. The accuracy is without them."
        )


def refuse_votes(directory: RunDirectory, reduce: str) -> None:
    """Raise an error where the epochs of a run are a vote, which no correction is about.

    Raises:
        ParameterError: they are.
    """
    if reduce == "majority":
        reason = (
            f"is about single answers, and the epochs of {directory.path} are a vote; score it "
            "with reduce=mean"
        )
        raise ParameterError("corrections", None, reason)
