"""Effect of converting every reply by a second model, as ProcBench's paper did.

The reader's own result stands beside what it reads in the extractor's conversion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from thence import families
from thence.core.score import Outcome, Score
from thence.core.table import Table
from thence.scoring.judge import DIRECT, Convert, Response, judge

if TYPE_CHECKING:
    from thence.core.sample import Sample
    from thence.core.statistics import Estimate
    from thence.prompts.protocol import Protocol

_COLUMNS = (
    "task", "n", "agree", "only reader", "only extractor", "both differ",
    "accuracy by reader", "accuracy by extractor", "effect",
)  # fmt: skip


@dataclass
class Effect:
    """Comparison of the two results of the replies to one task.

    Attributes:
        agree: replies with equal answers, or with none, by both.
        only_reader: replies with an answer by the reader alone.
        only_extractor: replies with an answer in the conversion alone.
        differ: replies with two different answers.
        reader: 1.0 for each reply that is right by the reader, else 0.0.
        extractor: likewise by its conversion.
        clusters: the procedure of each reply.
    """

    agree: int = 0
    only_reader: int = 0
    only_extractor: int = 0
    differ: int = 0
    reader: list[float] = field(default_factory=list)
    extractor: list[float] = field(default_factory=list)
    clusters: list[str] = field(default_factory=list)

    def add(self, sample: Sample, own: Score, converted: Score) -> None:
        """Take the two scores of a reply."""
        vote = families.task(sample.task).format.vote
        if own.rule is None or converted.rule is None:
            self.agree += own.rule is converted.rule
            self.only_reader += own.rule is not None
            self.only_extractor += converted.rule is not None
        elif vote(own.answer) == vote(converted.answer):
            self.agree += 1
        else:
            self.differ += 1
        self.reader.append(float(own.correct))
        self.extractor.append(float(converted.correct))
        self.clusters.append(sample.cluster)

    def figures(self) -> dict[str, Estimate]:
        """Return the accuracy by ``reader`` and ``extractor``, and the ``effect``."""
        import numpy as np

        from thence.core.statistics import estimates

        reader, extractor = np.array(self.reader), np.array(self.extractor)
        by = estimates({"reader": reader, "extractor": extractor}, self.clusters)
        return by | estimates({"effect": extractor - reader}, self.clusters, counts=("effect",))

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as ``score --json`` prints it."""
        figures = self.figures()
        return {
            "n": len(self.reader),
            "agree": self.agree,
            "only_reader": self.only_reader,
            "only_extractor": self.only_extractor,
            "both_differ": self.differ,
            "accuracy_reader": figures["reader"].value,
            "accuracy_extractor": figures["extractor"].value,
            "effect": figures["effect"].value,
            "effect_ci": figures["effect"].interval(),
        }


def effects(
    conversations: Iterable[tuple[Sample, Iterable[Response]]], asked: Protocol, convert: Convert
) -> dict[str, Effect]:
    """Return the effect of converting on each task, over the replies that were converted."""
    found: dict[str, Effect] = {}
    for sample, responses in conversations:
        task = families.task(sample.task)
        for response in responses:
            own = judge(response, sample, task, asked)
            if own.outcome in {Outcome.PROVIDER_ERROR, Outcome.REFUSED}:
                continue
            made = convert(response.response or "", task.question(sample), sample.input)
            if made is not None:
                effect = found.setdefault(sample.task, Effect())
                effect.add(sample, own, judge(made, sample, task, DIRECT))
    return found


def table(found: Mapping[str, Effect], extractor: str) -> Table:
    """Return the effect of converting on each task."""
    rows = []
    for task, each in found.items():
        figures = each.figures()
        counts = (each.agree, each.only_reader, each.only_extractor, each.differ)
        both = (figures["reader"], figures["extractor"], figures["effect"])
        rows.append((task, len(each.reader), *counts, *both))
    title = f"Effect of converting every reply by {extractor}"
    note = (
        "The scores above are the reader's own. agree: equal answers, or none, by both; effect: "
        "accuracy by the extractor less that by the reader."
    )
    return Table("conversion", title, _COLUMNS, rows, note)
