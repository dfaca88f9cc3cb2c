"""Work on the machines of a Ray cluster: the connection, its errors, and a pool of workers."""

from __future__ import annotations

import logging
import os
import pickle
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from thence.errors import MissingExtra, ParameterError, ThenceError, UsageError, WorkerError
from thence.errors import one_line as in_one_line
from thence.system.version import VERSION

RAY = "ray"
_ADDRESS = re.compile(r"ray(?:://([\w.-]+|\[[0-9a-fA-F:]+\]):(\d{1,5}))?")
_FORM = "must be ray, or ray://HOST:PORT with the address of a cluster's head, such as ray://10.0.0.5:6379"
_OF_UV = "RAY_ENABLE_UV_RUN_RUNTIME_ENV"
_TRIES = 3  # of a piece of work whose worker died, beside lost nodes
_PROBE = (
    "import sys; from ray._raylet import GcsClient; GcsClient(address=sys.argv[1]).check_alive([])"
)
_PATIENCE = 5  # seconds for which the head may be silent when it is looked for
_LIMIT = 60  # seconds that looking for it may take, on a busy machine
_FIRST_WORKER = 600  # seconds until a node has one, which may have to load this package first


def check_place(on: object) -> None:
    """Refuse what does not name a cluster; None is none.

    Raises:
        ParameterError: it is something else.
        MissingExtra: Ray is not installed.
    """
    if on is None:
        return
    if not isinstance(on, str) or _ADDRESS.fullmatch(on) is None:
        raise ParameterError("on", on, _FORM)
    from importlib.util import find_spec

    if find_spec("ray") is None:
        raise MissingExtra(f"on={on}", "ray")


@contextmanager
def cluster(on: str) -> Iterator[Any]:
    """Be connected to a cluster, and yield Ray; a connection that was there before stays.

    ``ray`` is the cluster of ``RAY_ADDRESS``, or else the one that this machine belongs to, or
    else one of this machine alone, which ends with the context.

    Raises:
        ParameterError: it cannot be reached.
        UsageError: a node has another version of Python or of this package.
    """
    check_place(on)
    ray = _imported()
    if ray.is_initialized():
        yield ray
        return
    # In a thread of its own, where Ray leaves signal handlers alone.
    with ThreadPoolExecutor(1) as aside:
        try:
            aside.submit(_connect, ray, on).result()
            _check_versions(ray)
            yield ray
        finally:
            aside.submit(ray.shutdown).result()


@cache
def _imported() -> Any:
    """Return Ray, which reads some variables when it is imported."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray
    from ray._private import ray_constants, worker

    # Else, under `uv run`, each worker gets an environment of its own, of the folder's project.
    ray_constants.RAY_ENABLE_UV_RUN_RUNTIME_ENV = os.environ.get(_OF_UV) == "1"
    # What matters is raised; Ray would print the rest among our results.
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    worker.print_to_stdstream = lambda *_, **__: None
    return ray


def _connect(ray: Any, on: str) -> None:
    """Connect to a cluster, or start one of this machine.

    Raises:
        ParameterError: it cannot be reached.
    """
    address = on.removeprefix(RAY).removeprefix("://") or os.environ.get("RAY_ADDRESS", "")
    address = address.removeprefix("ray://")
    if address not in {"", "auto", "local"}:
        _look(on, address)
    try:
        ray.init(
            address=address or None, include_dashboard=False, log_to_driver=False,
            logging_level="CRITICAL", configure_logging=False,
        )  # fmt: skip
    except (Exception, SystemExit) as error:
        if "Version mismatch" in (said := in_one_line(str(error))):
            raise UsageError(f"on={on}: {said}; install the same on all nodes") from error
        raise ParameterError("on", on, f"cannot be reached: {said}") from error


def _look(on: str, address: str) -> None:
    """Look for the head of a cluster in another process, as Ray ends one that finds none.

    Raises:
        ParameterError: it does not answer.
    """
    wait = {
        f"RAY_gcs_rpc_server_{name}_timeout_s": str(_PATIENCE) for name in ("connect", "reconnect")
    }
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _PROBE, address],
            env={**os.environ, **wait}, capture_output=True, timeout=_LIMIT, check=False,
        )  # fmt: skip
        found = done.returncode == 0
    except subprocess.TimeoutExpired:
        found = False
    if not found:
        reason = (
            f"cannot be reached: no head of a Ray cluster answers at {address}; start one, or "
            "name its port, which is 6379 by default (not 10001, that of Ray's client)"
        )
        raise ParameterError("on", on, reason)


def versions() -> tuple[str, str]:
    """Return the versions that must be the same on all nodes: of Python and of this package."""
    return platform.python_version(), VERSION


def _check_versions(ray: Any) -> None:
    """Ask every node for its versions.

    Raises:
        UsageError: naming a node with others.
        WorkerError: a node starts no worker.
    """

    def look() -> tuple[str, str]:  # a nested function travels whole: the package may be missing
        import platform

        try:
            from thence.system.version import VERSION
        except ImportError:
            return platform.python_version(), "none"
        return platform.python_version(), VERSION

    placed = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
    task = ray.remote(num_cpus=0)(look)
    nodes = [node for node in ray.nodes() if node["Alive"]]
    asked = [
        task.options(scheduling_strategy=placed(node["NodeID"], soft=True)).remote()
        for node in nodes
    ]
    own = versions()
    try:
        answers = ray.get(asked, timeout=_FIRST_WORKER)
    except ray.exceptions.GetTimeoutError as error:
        raise WorkerError(
            f"a node of the cluster started no worker within {_FIRST_WORKER} s; look at its logs, "
            "in /tmp/ray/session_latest/logs unless it was told otherwise"
        ) from error
    for node, found in zip(nodes, answers, strict=True):
        if found != own:
            raise UsageError(
                f"the node {node['NodeManagerAddress']} of the cluster has Python {found[0]} and "
                f"thence {found[1]}, this machine has Python {own[0]} and thence {own[1]}; install "
                "the same on all nodes"
            )


def raised_elsewhere(error: BaseException) -> BaseException:
    """Return the error of our own that a worker met, or one line on how the work was lost."""
    from ray.exceptions import RayError, RayTaskError

    if isinstance(error, RayTaskError):
        cause = error.cause
        if isinstance(cause, ThenceError):
            return cause
        said = in_one_line(f"{type(cause).__name__}: {cause}")
        return WorkerError(f"a worker of the cluster failed: {said}")
    if isinstance(error, RayError):
        said = in_one_line(str(error))[:300]
        return WorkerError(f"a worker of the cluster ended in the middle of its work: {said}")
    return error


class ClusterPool:
    """Pool of workers on a cluster, one a core; used as `workers.pool` is.

    What a lost node had to do is done again elsewhere, by Ray.

    Attributes:
        count: of cores.
    """

    def __init__(self, on: str, prepare: Callable[..., None], *arguments: Any) -> None:
        self._cluster = cluster(on)
        self._begin = (Path.cwd(), prepare, arguments)

    def __enter__(self) -> Self:
        ray = self._cluster.__enter__()
        try:
            pickler: Any = import_module("ray.cloudpickle")

            self.count = max(1, int(ray.cluster_resources().get("CPU", 1)))
            self._state = ray.put(pickler.dumps(self._begin))
            options = {"max_retries": _TRIES, "scheduling_strategy": "SPREAD"}
            self._task = ray.remote(**options)(_work)
        except BaseException:
            self._cluster.__exit__(*sys.exc_info())
            raise
        return self

    def submit[Result](self, work: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Return the future result of a function of a module."""
        made: Future[Result] = self._task.remote([self._state], work, arguments).future()
        return made

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._cluster.__exit__(None, None, None)
        if error is not None and (raised := raised_elsewhere(error)) is not error:
            raise raised from None


_begun: dict[Any, bool] = {}  # of a worker process: the states that it was prepared with


def _work(state: list[Any], work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Do a piece of work in a worker process, which is prepared by the first one."""
    import ray

    if state[0] not in _begun:
        folder, prepare, given = pickle.loads(ray.get(state[0]))
        go_to(folder)
        prepare(*given)
        _begun[state[0]] = True
    return work(*arguments)


def go_to(folder: Path) -> None:
    """Work in the folder of the command, where this machine has it, so that paths hold."""
    with suppress(OSError):
        os.chdir(folder)
