"""Worked examples before the question: the most similar ones of a pool (Lal et al. 2024)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from thence.core.parameters import Parameter, Whole
from thence.core.sample import Sample
from thence.errors import ParameterError
from thence.prompts.protocol import Pool, Protocol
from thence.prompts.wording import Prompt

_MOST, _POOL = 100, 100_000


def _source(text: str) -> int | str:
    if not text:
        raise ValueError("must be a number of samples, or a file of samples")
    return Whole(1, _POOL)(text) if text.lstrip("-").isdigit() else text


class FewShot(Protocol):
    """Shows k questions with their answers, chosen by BM25, each as a turn of its own."""

    name = "few_shot"
    summary = "k worked examples first: the most similar by BM25, from other procedures"
    parameters = (
        Parameter("k", "5", "how many examples", Whole(1, _MOST)),
        Parameter("pool", "200", "samples to choose from: how many, or a file of them", _source),
    )

    def __init__(self, k: int = 5, source: int | str = 200, pool: Pool | None = None) -> None:
        self.k = k
        self.source = source
        self._pool = pool

    def configured(self, values: Mapping[str, Any]) -> FewShot:
        """Return the protocol with this number of examples, from this pool."""
        return FewShot(values["k"], values["pool"], self._pool)

    def bound(self, pool: Pool) -> FewShot:
        """Return the protocol with a pool of examples."""
        return FewShot(self.k, self.source, pool)

    def check(self, samples: Callable[[], Iterable[Sample]]) -> None:
        """Raise an error if the file of examples holds one of the samples."""
        if self._pool is not None and isinstance(self.source, str):
            self._pool.refuse(samples(), self.source)

    def examples(self, prompt: Prompt) -> Sequence[Sample]:
        """Return the most similar samples of the pool, most similar last.

        Raises:
            ParameterError: the pool holds too few samples of other procedures.
        """
        if self._pool is None:
            raise ParameterError("protocol", self.name, "has no pool to choose examples from")
        return self._pool.nearest(prompt, self.source, self.k)


PROTOCOL = FewShot()
