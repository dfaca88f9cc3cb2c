"""Traits of a question: how deep its proof is, what decides it, and what parts it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from thence.dataflow import Flow
from thence.dataflow.depth import depth
from thence.dataflow.questions import FlowQuestion
from thence.dataflow.reasons import reason
from thence.dataflow.strategies import needs


@dataclass(frozen=True, slots=True)
class KnownTraits:
    """Traits that are known with the question.

    Attributes:
        depth: number of links of the smallest certificate of the answer.
        reason: name of the primary reason that decides it.
        needs: the incomplete strategies that answer it wrongly.
    """

    depth: int
    reason: str
    needs: frozenset[str] = frozenset()


class Traits:
    """Traits that are worked out when they are asked for, each once; see `KnownTraits`.

    Most candidates are turned down by their depth, so that their reason and needs never are.

    Args:
        flow: of the procedure in the question.
        analysis: name of the analysis.
        asked: the question.
        depth: computes the depth, where it is not that of the analysis itself or there is a
            quicker way, or None.
        reason: computes the name of the reason, likewise.
        needs: computes the needs, likewise.
    """

    def __init__(
        self,
        flow: Flow,
        analysis: str,
        asked: FlowQuestion,
        *,
        depth: Callable[[], int] | None = None,
        reason: Callable[[], str] | None = None,
        needs: Callable[[], frozenset[str]] | None = None,
    ) -> None:
        self._question = flow, analysis, asked
        self._depth, self._reason, self._needs = depth, reason, needs

    @cached_property
    def depth(self) -> int:
        """Number of links of the smallest certificate of the answer."""
        return self._depth() if self._depth else depth(*self._question)

    @cached_property
    def reason(self) -> str:
        """Name of the primary reason."""
        return self._reason() if self._reason else reason(*self._question).name

    @cached_property
    def needs(self) -> frozenset[str]:
        """The incomplete strategies that answer the question wrongly."""
        return self._needs() if self._needs else needs(*self._question)
