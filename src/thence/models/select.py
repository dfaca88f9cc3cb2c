"""Choice of the model that a name such as ``openai/gpt-4o-mini`` stands for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from thence.errors import FileError, ParameterError, Transient, Unreachable
from thence.models import baselines
from thence.models.base import Model, Reply, Request, Sampling

if TYPE_CHECKING:
    from thence.models.hosted import HostedModel
    from thence.models.interface import Interface
    from thence.models.providers import Endpoint

LOCAL = "gguf"
HF = "hf"
VLLM = "vllm-offline"
OWN_WEIGHTS = (LOCAL, HF, VLLM)
"""Providers whose models run here."""
NANO = "nano"
"""The model that is shipped: a small one, trained on our questions by ``examples/nano``."""
NANO_FILE = Path(__file__).with_name("nano") / "nano.gguf"
_OWN_FILES = 48  # that are open beside connections, and those of a name being looked up


@dataclass(frozen=True)
class Connection:
    """Settings of the connection to a model; none of them changes a reply.

    Attributes:
        base_url: address in place of the provider's own, or None.
        connections: requests under way at once.
        timeout: seconds that a whole request may take.
        connect: seconds of these that connecting may take.
        first_byte: seconds of these until the reply begins; None for no limit of its own.
        environment: variables with keys and proxies.
        sends: False where nothing will be sent, so that no key is needed.
        auth_command: prints a token that signs requests in place of a key, or None.
        headers: further ones of every request; not in the ``repr``.
        on: the cluster that the model runs on, or None for this process.
        replica_cores: of a replica of it there; None for a GPU, or all of a machine.
    """

    base_url: str | None = None
    connections: int = 16
    timeout: float = 600.0
    connect: float = 30.0
    first_byte: float | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    sends: bool = True
    auth_command: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    on: str | None = None
    replica_cores: int | None = None


def open_model(name: str, sampling: Sampling, connection: Connection, seed: int = 0) -> Model:
    """Return the model of ``PROVIDER/NAME``, not started or connected yet.

    Args:
        name: ``PROVIDER/NAME``, or ``nano`` for the model that is shipped.
        sampling: parameters that shape the replies.
        connection: settings of the connection.
        seed: of a baseline's random generator.

    Raises:
        UsageError: the name is not of the form, or the provider, baseline, key or file is missing.
    """
    provider, slash, rest = name.partition("/")
    if not (provider and slash and rest) and name != NANO:
        raise ParameterError(
            "model",
            name,
            "must be nano or PROVIDER/NAME, such as openai/gpt-4o-mini, gguf/model.gguf or "
            "baseline/random",
        )
    if connection.on is not None:
        return _replicated(name, connection.on, sampling, connection)
    if connection.headers and _is_here(name):
        reason = f"is for models behind endpoints, and {name} is none; leave it out"
        raise ParameterError("headers", next(iter(connection.headers)), reason)
    if provider == baselines.PROVIDER:
        return baselines.baseline(rest, seed)
    if (name == NANO or provider in OWN_WEIGHTS) and connection.base_url is not None:
        raise ParameterError(
            "base_url",
            connection.base_url,
            f"{name} is a file that is served here; leave it out, or name the server's own model, "
            "such as vllm/NAME",
        )
    if provider == LOCAL or name == NANO:
        path = NANO_FILE if name == NANO else Path(rest)
        return LocalModel(name, path, sampling, connection)
    if provider == HF:
        from thence.models.hf import TransformersModel

        return TransformersModel(name, rest, sampling, connection.connections)
    if provider == VLLM:
        from thence.models.vllm_offline import VllmModel

        return VllmModel(name, rest, sampling, connection.connections)
    from thence.models.headers import signs
    from thence.models.interfaces import api_of, interface_of
    from thence.models.providers import endpoint

    api = api_of(provider, sampling, connection.base_url)
    signed = connection.auth_command is not None or signs(connection.headers)
    place = endpoint(
        provider,
        connection.base_url,
        connection.environment,
        wanting=connection.sends and not signed,
        native=api == "native",
    )
    interface = interface_of(provider, rest, api, connection.base_url)
    known = rest.rpartition("/")[2] if provider == "vertex" else rest
    return _hosted(name, known, place, sampling, connection, interface)


def _is_here(name: str) -> bool:
    """Return whether a model answers on this machine, so that no endpoint is asked."""
    return name == NANO or name.partition("/")[0] in (baselines.PROVIDER, *OWN_WEIGHTS)


def _replicated(name: str, on: str, sampling: Sampling, connection: Connection) -> Model:
    """Return a model of open weights with replicas on a cluster.

    Raises:
        ParameterError: another model.
    """
    from thence.models.on_ray import ReplicatedModel

    provider = name.partition("/")[0]
    if provider not in OWN_WEIGHTS:
        kinds = ", ".join(f"{each}/" for each in OWN_WEIGHTS)
        reason = f"is for weights that run here ({kinds}), and {name} is none; leave it out"
        raise ParameterError("on", on, reason)
    # Keys of the environment stay in this process.
    alone = replace(connection, on=None, replica_cores=None, environment={})
    return ReplicatedModel(
        name,
        on,
        partial(_replica, name, sampling, alone),
        connection.connections,
        connection.replica_cores,
        gpus=provider != LOCAL,
        grammars=provider == LOCAL,
    )


def _replica(name: str, sampling: Sampling, connection: Connection, share: int) -> Model:
    """Return the model that one replica is, which answers so many requests at a time."""
    return open_model(name, sampling, replace(connection, connections=share))


def settled(name: str, sampling: Sampling, base_url: str | None) -> Sampling:
    """Return the sampling with the interface by which a model is asked; None for chat completions.

    Raises:
        ParameterError: the provider has no such interface.
    """
    provider = name.partition("/")[0]
    if _is_here(name):
        for parameter in ("api", "reasoning"):
            if (value := getattr(sampling, parameter)) is not None:
                reason = f"is for models behind endpoints, and {name} is none; leave it out"
                raise ParameterError(parameter, value, reason)
        return sampling
    from thence.models.interfaces import api_of

    api = api_of(provider, sampling, base_url)
    return replace(sampling, api=None if api == "chat" else api)


def _hosted(
    name: str,
    model: str,
    place: Endpoint,
    sampling: Sampling,
    connection: Connection,
    interface: Interface | None = None,
) -> HostedModel:
    from thence.models.hosted import HostedModel
    from thence.models.proxy import proxy_for
    from thence.models.token_command import TokenCommand

    check_descriptors(connection.connections)
    command = connection.auth_command
    return HostedModel(
        name,
        model,
        place,
        sampling,
        connection.connections,
        connection.timeout,
        connection.connect,
        connection.first_byte,
        proxy_for(place.url, connection.environment),
        interface,
        None if command is None else TokenCommand(command),
        connection.headers,
    )


def check_descriptors(connections: int) -> None:
    """Refuse more connections than the files that this process may open, which sockets are.

    Raises:
        ParameterError: naming the limit.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if most != resource.RLIM_INFINITY and connections > max(1, most - _OWN_FILES):
        raise ParameterError(
            "max_connections",
            connections,
            f"this process may open {most} files (ulimit -n), connections among them; give at "
            f"most {max(1, most - _OWN_FILES)}, or raise the limit",
        )


class LocalModel(Model):
    """Model in a GGUF file, served by llama.cpp in a process of its own inside the context."""

    grammars = True

    def __init__(self, name: str, path: Path, sampling: Sampling, connection: Connection) -> None:
        from thence.models.gguf import MOST_SLOTS, LocalServer, check_file

        if connection.connections > MOST_SLOTS:
            raise ParameterError(
                "max_connections", connection.connections, f"llama.cpp serves at most {MOST_SLOTS}"
            )
        try:
            check_file(path)
        except FileError as error:
            raise ParameterError("model", name, str(error)) from error
        self.name = name
        self._sampling = sampling
        self._connection = connection
        self._server = LocalServer(path, slots=connection.connections)

    async def __aenter__(self) -> Self:
        from thence.models.providers import Endpoint

        self.address = await self._server.start()
        place = Endpoint(self.address, None)
        self._chat = _hosted(self.name, "local", place, self._sampling, self._connection)
        await self._chat.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            await self._chat.__aexit__(kind, error, trace)
        finally:
            await self._server.stop()

    async def complete(self, request: Request) -> Reply:
        """Return the local server's reply.

        Raises:
            Unreachable: the server has died (kind ``server_died``).
            ProviderError: as ``HostedModel.complete``.
        """
        try:
            return await self._chat.complete(request)
        except (Unreachable, Transient) as error:
            if died := self._server.failure():
                raise Unreachable("server_died", died) from error
            raise
