"""The configuration of a run, checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from thence.engine.run_progress import Prices
from thence.errors import UsageError
from thence.generation.sources import Source
from thence.models.base import SamplingParams
from thence.models.select import Connection
from thence.scoring.judge import REDUCTIONS

_LONGEST = 604_800  # seconds: a week
_FASTEST = 1e12  # a minute; infinity and NaN are no limits
_HOTTEST = 100.0  # no endpoint takes as much; NaN and infinity are beyond it


@dataclass(frozen=True)
class RunLimits:
    """The limits of a run: nothing here changes a reply, and nothing here is hashed.

    Attributes:
        connections: requests under way at once.
        retries: repeats of a request after a failure that may pass.
        prices: for the total cost and its limit.
        accept_errors: leave recorded provider errors as they are instead of trying again.
        requests_per_minute: None for no limit.
        tokens_per_minute: of prompts and replies together; None for no limit.
    """

    connections: int = 16
    retries: int = 5
    prices: Prices = field(default_factory=Prices)
    accept_errors: bool = False
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


@dataclass(frozen=True)
class RunConfig:
    """The configuration of a run.

    Attributes:
        source: the samples.
        model: ``PROVIDER/NAME``.
        protocol: such as ``direct`` or ``a+b``.
        protocol_settings: ``--set-protocol``.
        epochs: repeats of each sample, at least 1.
        reduce: how epochs become one score: ``mean`` or ``majority``.
        sampling: what shapes the replies.
        connection: how to reach the model.
        limits: how fast to ask, how often to try again, and how much to spend.
        templates: the user's folder, or None.
        folder: the run's directory; None for the default.
        overwrite: replace another run in that directory.
    """

    source: Source
    model: str
    protocol: str = "direct"
    protocol_settings: Mapping[str, str] = field(default_factory=dict)
    epochs: int = 1
    reduce: str = "mean"
    sampling: SamplingParams = field(default_factory=SamplingParams)
    connection: Connection = field(default_factory=Connection)
    limits: RunLimits = field(default_factory=RunLimits)
    templates: Path | None = None
    folder: Path | None = None
    overwrite: bool = False

    def __post_init__(self) -> None:
        self._check_sampling()
        self._check_limits()
        if self.reduce not in REDUCTIONS:
            raise UsageError(f"--reduce {self.reduce}: must be {' or '.join(REDUCTIONS)}")

    def _check_sampling(self) -> None:
        """Refuse parameters of the replies that no endpoint takes."""
        for option, value in (
            ("--epochs", self.epochs),
            ("--max-connections", self.limits.connections),
            ("--max-tokens", self.sampling.max_tokens),
        ):
            if value is not None and value < 1:
                raise UsageError(f"{option} {value}: must be at least 1")
        temperature, top_p = self.sampling.temperature, self.sampling.top_p
        if temperature is not None and not 0 <= temperature <= _HOTTEST:
            raise UsageError(f"--temperature {temperature:g}: must be from 0 to {_HOTTEST:g}")
        if top_p is not None and not 0 < top_p <= 1:
            raise UsageError(f"--top-p {top_p:g}: must be over 0 and at most 1")
        for name in ("messages", "model"):
            if name in self.sampling.extra_body:
                raise UsageError(f"--extra-body {name}: is set by --model and the protocol")

    def _check_limits(self) -> None:
        """Refuse times and rates that are none."""
        if self.limits.retries < 0:
            raise UsageError(f"--max-retries {self.limits.retries}: must be at least 0")
        for option, seconds in (
            ("--timeout", self.connection.timeout),
            ("--connect-timeout", self.connection.connect),
            ("--first-byte-timeout", self.connection.first_byte),
        ):
            if seconds is not None and not 0 < seconds <= _LONGEST:
                limit = f"must be over 0 seconds, and at most {_LONGEST:,}"
                raise UsageError(f"{option} {seconds:g}: {limit}")
        for option, limit_a_minute in (
            ("--rpm", self.limits.requests_per_minute),
            ("--tpm", self.limits.tokens_per_minute),
        ):
            if limit_a_minute is not None and not 0 < limit_a_minute < _FASTEST:
                raise UsageError(f"{option} {limit_a_minute:g}: must be over 0 a minute")


def parse_prices(text: str | None, most: float | None) -> Prices:
    """Return the prices of ``--price IN,OUT`` with the limit of ``--max-cost``.

    Raises:
        UsageError: not two numbers of at least 0, or a limit without prices.
    """
    if most is not None and not 0 < most < 1e9:
        raise UsageError(f"--max-cost {most:g}: must be over 0 USD")
    if text is None:
        if most is not None:
            raise UsageError("--max-cost needs --price IN,OUT to know what tokens cost")
        return Prices()
    try:
        numbers: Sequence[float] = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 2 or not all(0 <= number < 1e9 for number in numbers):
        raise UsageError(f"--price {text}: must be IN,OUT, USD per million tokens, such as 2.5,10")
    return Prices(numbers[0], numbers[1], most)
