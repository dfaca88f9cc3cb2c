"""Questions and procedures that are kept out of a set, as they were used before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from thence.core.digest import digest
from thence.core.procedure import StepTexts, same_procedure, step_texts
from thence.core.sample import Sample

_NO_STEPS: StepTexts = frozenset()


class Identity(NamedTuple):
    """The values of a sample that tell whether it repeats another one.

    ``family`` and ``steps`` are empty where nothing is excluded.
    """

    id: str
    cluster: str
    pair: str | None
    prompt: str
    family: str = ""
    steps: StepTexts = _NO_STEPS


def identity(sample: Sample, *, steps: bool = False) -> Identity:
    """Return the id, cluster and pair of a sample, and the hash of its prompt.

    Args:
        sample: the sample.
        steps: whether to return the texts of its procedure's steps as well.
    """
    prompt = digest(sample.input, size=8)
    found = Identity(sample.id, sample.cluster, sample.metadata.get("pair"), prompt)
    return found._replace(family=sample.family, steps=_steps(sample)) if steps else found


def _steps(sample: Sample) -> StepTexts:
    procedure = sample.metadata.get("procedure")
    held = procedure.get("steps") if isinstance(procedure, dict) else None
    rows = [row for row in held if isinstance(row, dict)] if isinstance(held, list) else []
    origin = sample.metadata.get("origin")
    texts = origin.get("texts") if isinstance(origin, dict) else None
    if isinstance(texts, list):  # of the procedure before steps were added to it
        return step_texts(map(str, texts))
    return step_texts(str(row.get("text")) for row in rows)


@dataclass(frozen=True)
class Exclusion:
    """Samples that no new sample may repeat; empty by default.

    Attributes:
        ids: ids of the samples.
        prompts: hashes of their prompts.
        clusters: names of their procedures or graphs.
        pairs: names that their twins share.
        steps: by family, the steps of their procedures, by which another family, that has other
            names for procedures, knows them.
    """

    ids: frozenset[str] = frozenset()
    prompts: frozenset[str] = frozenset()
    clusters: frozenset[str] = frozenset()
    pairs: frozenset[str] = frozenset()
    steps: Mapping[str, frozenset[StepTexts]] = field(default_factory=dict)

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> Exclusion:
        """Return the exclusion of some samples: their prompts, ids, procedures and pairs."""
        ids, clusters, pairs, prompts = set(), set(), set(), set()
        steps: dict[str, set[StepTexts]] = {}
        for sample in samples:
            each = identity(sample, steps=True)
            ids.add(each.id)
            clusters.add(each.cluster)
            prompts.add(each.prompt)
            if each.steps:
                steps.setdefault(each.family, set()).add(each.steps)
            if each.pair is not None:
                pairs.add(each.pair)
        held = {family: frozenset(each) for family, each in steps.items()}
        return cls(frozenset(ids), frozenset(prompts), frozenset(clusters), frozenset(pairs), held)

    def procedures(self, family: str) -> frozenset[str | StepTexts]:
        """Return the excluded procedures: names, and the steps of those of other families."""
        return self.clusters.union(*(held for name, held in self.steps.items() if name != family))

    def __bool__(self) -> bool:
        return bool(self.ids)

    def holds(self, asked: Identity) -> bool:
        """Return whether a question or its procedure was used before."""
        return (
            asked.id in self.ids
            or asked.prompt in self.prompts
            or asked.cluster in self.clusters
            or (asked.pair is not None and asked.pair in self.pairs)
            or (bool(asked.steps) and self._elsewhere(asked))
        )

    def _elsewhere(self, asked: Identity) -> bool:
        """Return whether another family was asked about the procedure."""
        return any(
            same_procedure(asked.steps, other)
            for family, held in self.steps.items()
            if family != asked.family
            for other in held
        )

    def to_json(self) -> dict[str, Any]:
        """Return the number of samples and the hash that tells them from others."""
        content = digest(sorted(self.ids), sorted(self.prompts), sorted(self.clusters))
        return {"samples": len(self.ids), "hash": content}
