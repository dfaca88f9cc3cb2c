"""Estimates of the requests, tokens, time and cost of a run, before anything is sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from thence import families
from thence.core.power import Assumptions, cluster_size, detectable
from thence.core.sample import Sample
from thence.engine.asking import CHARACTERS_PER_TOKEN
from thence.engine.response_index import ResponseIndex
from thence.engine.session import PreparedRun
from thence.models.base import Usage
from thence.scoring.judge import Response

_FIRST_TOKEN = 0.5  # seconds; a rule of thumb for hosted models
_TOKENS_PER_SECOND = 50.0  # of one reply, likewise


@dataclass(frozen=True)
class RunEstimate:
    """An estimate of a run; tokens are estimated from characters.

    Attributes:
        samples: how many.
        requests: with all epochs and turns, but for those that are on disk.
        input_tokens: of all requests.
        output_tokens: if every reply were as long as the truth, written as asked for.
        cost: USD at the given prices; None where none were given.
        seconds: how long it would take.
        measured: whether that follows from the latency of responses on disk, not from a rule of
            thumb.
        detectable: by family, or task where the tasks of a family do not compare, the number of
            questions and the least difference of two models that they show; NaN for none.
    """

    samples: int
    requests: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float
    measured: bool
    detectable: Mapping[str, tuple[int, float]]


class _Latency:
    """Sum and count of measured latencies."""

    def __init__(self) -> None:
        self.total = 0.0
        self.count = 0

    def add(self, response: Response) -> None:
        """Add the latency of a response."""
        if response.latency is not None:
            self.total += response.latency
            self.count += 1


class _Asked:
    """The questions that can be averaged, and how many of them share a procedure."""

    def __init__(self) -> None:
        self._alone: Counter[str] = Counter()
        self._shared: dict[str, Counter[str]] = {}

    def add(self, sample: Sample) -> None:
        """Count a question."""
        family = families.families()[sample.family]
        name = family.name if family.averaged else sample.task
        cluster = sample.metadata.get("cluster")
        self._alone[name] += cluster is None
        if cluster is not None:
            self._shared.setdefault(name, Counter())[str(cluster)] += 1

    def detectable(self) -> dict[str, tuple[int, float]]:
        """Return the number of questions and the least difference of two models that they show."""
        found, assumed = {}, Assumptions()
        for name, alone in self._alone.items():
            sizes = list(self._shared.get(name, Counter()).values())
            n, size = sum(sizes) + alone, cluster_size([*sizes, *[1] * alone])
            found[name] = n, detectable(n, assumed, assumed.effect(size))
        return found


def dry_run(prepared: PreparedRun) -> RunEstimate:
    """Return an estimate of what a run would send."""
    config, limits = prepared.config, prepared.config.limits
    samples = requests = said = read = 0
    turns = prepared.protocol.turns + 1
    latency, asked = _Latency(), _Asked()
    stored = None
    if prepared.directory.exists and not config.overwrite:
        stored = prepared.directory.responses(prepared.protocol.turns, watch=latency.add)
    for sample in config.source.samples():
        todo = config.epochs - (_finished(stored, sample, prepared) if stored else 0)
        reply = len(families.task(sample.task).format.write(sample.target))
        samples += 1
        requests += todo * turns
        asked.add(sample)
        said += todo * reply * turns
        # Each further turn sends the whole chat again.
        read += todo * (len(sample.input) * turns + reply * (turns * (turns - 1) // 2))
    usage = Usage(read // CHARACTERS_PER_TOKEN, said // CHARACTERS_PER_TOKEN)
    each = _FIRST_TOKEN + usage.output_tokens / max(1, requests) / _TOKENS_PER_SECOND
    if latency.count:
        each = latency.total / latency.count
    seconds = requests * each / min(limits.max_connections, max(1, requests))
    for amount, a_minute in (
        (requests, limits.rpm),
        (usage.input_tokens + usage.output_tokens, limits.tpm),
    ):
        if a_minute is not None:
            seconds = max(seconds, 60.0 * amount / a_minute)
    return RunEstimate(
        samples,
        requests,
        usage.input_tokens,
        usage.output_tokens,
        limits.prices.cost(usage.to_json()) if limits.prices else None,
        seconds,
        latency.count > 0,
        asked.detectable(),
    )


def _finished(stored: ResponseIndex, sample: Sample, prepared: PreparedRun) -> int:
    """Return how many of the epochs asked for are finished on disk."""
    last, epochs = prepared.protocol.turns, prepared.config.epochs
    held = stored.of(sample.id)
    return sum(
        turn == last and epoch < epochs and each.error is None
        for (epoch, turn), each in held.items()
    )
