"""The configuration of a run, checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from thence.core.bounds import MOST_EPOCHS, MOST_USD, check_count, check_real, check_whole
from thence.core.prices import Prices, are_prices
from thence.core.score import check_reduction
from thence.engine.spending import Spending
from thence.errors import ParameterError
from thence.generation.sources import SampleSource
from thence.models.base import Model, Sampling
from thence.models.headers import check_headers
from thence.models.select import Connection
from thence.system.ray_cluster import check_place

_LONGEST = 604_800  # seconds: a week
_FASTEST, _SLOWEST = 1e12, 0.001  # a minute; infinity and NaN are no limits
_CONNECTIONS, _RETRIES = 65_536, 1_000


@dataclass(frozen=True)
class Limits:
    """How fast to ask, how long to wait, how often to try again, how much to spend, how to sign.

    Nothing here changes a reply, and nothing here tells one run from another.

    Attributes:
        max_connections: requests under way at once, at least 1.
        max_retries: repeats of a request after a failure that may pass, at least 0.
        timeout: seconds that a whole request may take, at most a week.
        connect_timeout: seconds of these that connecting may take.
        first_byte_timeout: seconds of these until the reply begins; None for no limit of its own.
        rpm: requests a minute; None for no limit.
        tpm: tokens a minute, of prompts and replies together; None for no limit.
        price: USD per million tokens of prompts, of replies and, if it is less, of prompts read
            from a cache; None where nothing is known.
        max_cost: USD that the run may cost; needs ``price``.
        accept_errors: leave recorded provider errors as they are instead of trying again.
        auth_command: prints a token that signs requests in place of a key; it is run again when
            the token is refused.
        headers: further HTTP headers of every request to an endpoint, by name, also in place of
            ours of that name; they are in no file, and no error shows a value.
        batch: ask in batches, which are answered within a day at half the price.
        batch_poll: seconds between two looks at a batch.
        batch_submit: end once the batches are made; a later run with ``batch`` takes the replies.
        on: the Ray cluster that a model of open weights runs on, ``ray`` or ``ray://HOST:PORT``.
        replica_cores: cores of each of its replicas there; None for a GPU where there are any, or
            all cores of a machine.

    Raises:
        ParameterError: a value out of these ranges.

    Example:
        >>> import thence
        >>> thence.Limits(max_connections=64, price=(0.15, 0.6), max_cost=5).timeout
        600.0
    """

    max_connections: int = 16
    max_retries: int = 5
    timeout: float = 600.0
    connect_timeout: float = 30.0
    first_byte_timeout: float | None = None
    rpm: float | None = None
    tpm: float | None = None
    price: tuple[float, float] | tuple[float, float, float] | None = None
    max_cost: float | None = None
    accept_errors: bool = False
    auth_command: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    batch: bool = False
    batch_poll: float = 60.0
    batch_submit: bool = False
    on: str | None = None
    replica_cores: int | None = None

    def __post_init__(self) -> None:
        check_whole("max_connections", self.max_connections, 1, _CONNECTIONS)
        check_whole("max_retries", self.max_retries, 0, _RETRIES)
        for name in ("timeout", "connect_timeout", "first_byte_timeout"):
            check_real(name, getattr(self, name), 0, _LONGEST, " seconds", over=True)
        for name in ("rpm", "tpm"):
            check_real(name, getattr(self, name), _SLOWEST, _FASTEST, " a minute")
        check_real("max_cost", self.max_cost, 0, MOST_USD, " USD", over=True)
        for name in ("accept_errors", "batch", "batch_submit"):
            if type(value := getattr(self, name)) is not bool:
                raise ParameterError(name, value, "must be True or False")
        check_real("batch_poll", self.batch_poll, 0, _LONGEST, " seconds", over=True)
        if self.auth_command is not None and not isinstance(self.auth_command, str):
            raise ParameterError("auth_command", self.auth_command, "must be a command")
        check_headers(self.headers)
        signed = next((name for name in self.headers if name.lower() == "authorization"), None)
        if signed is not None and self.auth_command is not None:
            raise ParameterError("headers", signed, "and auth_command both sign; give one")
        check_place(self.on)
        check_count("replica_cores", self.replica_cores)
        if self.price is None and self.max_cost is not None:
            raise ParameterError("max_cost", None, "needs price=IN,OUT to know what tokens cost")
        if self.price is not None and not are_prices(self.price):
            raise ParameterError(
                "price",
                self.price,
                "must be IN,OUT or IN,OUT,CACHED, USD per million tokens, such as 2.5,10",
            )

    @property
    def connection(self) -> Connection:
        """The settings of a connection to the provider's own address."""
        return Connection(
            None,
            self.max_connections,
            self.timeout,
            self.connect_timeout,
            self.first_byte_timeout,
            auth_command=self.auth_command,
            headers=self.headers,
            on=self.on,
            replica_cores=self.replica_cores,
        )

    @property
    def prices(self) -> Prices | None:
        """Prices of tokens; None where nothing is known."""
        return None if self.price is None else Prices(*self.price)

    def spending(self) -> Spending:
        """Return a new count of what is spent, by these prices and up to this limit."""
        return Spending(self.prices, self.max_cost)


@dataclass(frozen=True)
class RunConfig:
    """The configuration of a run.

    Attributes:
        source: the samples.
        model: ``PROVIDER/NAME``, or a model.
        protocol: such as ``direct`` or ``a+b``.
        protocol_settings: values of the protocol's parameters by name.
        epochs: repeats of each sample, at least 1.
        reduce: how epochs become one score: ``mean`` or ``majority``.
        sampling: what shapes the replies.
        limits: how fast to ask, how often to try again, and how much to spend.
        base_url: address of an endpoint in place of the provider's own.
        sends: False where nothing will be sent, so that a key may be missing.
        templates: the user's folder, or None.
        folder: the run's directory; None for the default.
        overwrite: replace another run in that directory.
    """

    source: SampleSource
    model: str | Model
    protocol: str = "direct"
    protocol_settings: Mapping[str, str] = field(default_factory=dict)
    epochs: int = 1
    reduce: str = "mean"
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    base_url: str | None = None
    sends: bool = True
    templates: Path | None = None
    folder: Path | None = None
    overwrite: bool = False

    def __post_init__(self) -> None:
        check_whole("epochs", self.epochs, 1, MOST_EPOCHS)
        check_reduction(self.reduce)

    @property
    def model_name(self) -> str:
        """``PROVIDER/NAME``."""
        return self.model if isinstance(self.model, str) else self.model.name

    @property
    def connection(self) -> Connection:
        """The settings of the connection to an endpoint."""
        return replace(self.limits.connection, base_url=self.base_url, sends=self.sends)
