"""Questions and procedures that are kept out of a set, as they were used before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from thence.core.digest import digest
from thence.core.sample import Sample


class Identity(NamedTuple):
    """The values of a sample that tell whether it repeats another one."""

    id: str
    cluster: str
    pair: str | None
    prompt: str


def identity(sample: Sample) -> Identity:
    """Return the id, cluster and pair of a sample, and the hash of its prompt."""
    prompt = digest(sample.input, size=8)
    return Identity(sample.id, sample.cluster, sample.metadata.get("pair"), prompt)


@dataclass(frozen=True)
class Exclusion:
    """Samples that no new sample may repeat; empty by default.

    Attributes:
        ids: ids of the samples.
        prompts: hashes of their prompts.
        clusters: names of their procedures or graphs.
        pairs: names that their twins share.
    """

    ids: frozenset[str] = frozenset()
    prompts: frozenset[str] = frozenset()
    clusters: frozenset[str] = frozenset()
    pairs: frozenset[str] = frozenset()

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> Exclusion:
        """Return the exclusion of some samples: their prompts, ids, procedures and pairs."""
        ids, clusters, pairs, prompts = set(), set(), set(), set()
        for sample in samples:
            each = identity(sample)
            ids.add(each.id)
            clusters.add(each.cluster)
            prompts.add(each.prompt)
            if each.pair is not None:
                pairs.add(each.pair)
        return cls(frozenset(ids), frozenset(prompts), frozenset(clusters), frozenset(pairs))

    def __bool__(self) -> bool:
        return bool(self.ids)

    def holds(self, asked: Identity) -> bool:
        """Return whether a question or its procedure was used before."""
        return (
            asked.id in self.ids
            or asked.prompt in self.prompts
            or asked.cluster in self.clusters
            or (asked.pair is not None and asked.pair in self.pairs)
        )

    def to_json(self) -> dict[str, Any]:
        """Return the number of samples and the hash that tells them from others."""
        content = digest(sorted(self.ids), sorted(self.prompts), sorted(self.clusters))
        return {"samples": len(self.ids), "hash": content}
