"""Optimal plans from Fast Downward, in worker processes that live as long as they are needed.

The planner's own driver script starts two interpreters for every problem. Here a worker process
loads the translator once and feeds copies of a search process that has been started already. The
planner is under the GPL and stays in these processes; nothing of it is imported here.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Self

from thence.domains.plans.pddl import Atom, Domain, Problem
from thence.errors import MissingExtra, ThenceError, UsageError

SECONDS = 30.0
SEARCH = "astar(lmcut())"
"""Optimal: A* with an admissible heuristic."""

_GRACE = 10.0  # seconds that translating may take beyond the search's own limit
_LONGEST = 64 << 20  # bytes of an answer
_MOST_BASES = 2000
_log = logging.getLogger("thence.plans")


class Unsolvable(UsageError):
    """No plan reaches the problem's goal."""


class PlannerFailed(ThenceError):
    """The planner died twice on the same problem, or ran out of memory."""


class _Died(Exception):
    """The worker ended in the midst of a problem."""


class _Hung(Exception):
    """The worker gave no answer in time."""


def folder() -> Path:
    """The folder that holds the planner's binary and translator.

    Raises:
        MissingExtra: the planner is not installed.
    """
    found = find_spec("up_fast_downward")  # importing it would need more than is used here
    for place in (found.submodule_search_locations or ()) if found else ():
        path = Path(place) / "downward" / "builds" / "release" / "bin"
        if os.access(path / "downward", os.X_OK):
            return path
    raise MissingExtra("solving plans with Fast Downward", "plans")


type _Key = tuple[str, str]
"""The texts of a domain and a base."""


class _Worker:
    """One worker process."""

    def __init__(self, command: list[str]) -> None:
        # A hash seed of its own: the order of sets in the translator must not vary.
        self.bases: set[_Key] = set()
        """Those that it need not be told."""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONHASHSEED": "0"},
            start_new_session=True,  # Ctrl-C is for us; and its searches can be ended with it
        )

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise _Died from error
        line = self._line(self._process.stdout.fileno(), seconds)
        try:
            answer: dict[str, Any] = json.loads(line)
        except ValueError as error:
            raise _Died from error
        return answer

    def _line(self, descriptor: int, seconds: float) -> bytes:
        parts: list[bytes] = []
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while not (parts and parts[-1].endswith(b"\n")):
                if not selector.select(seconds):
                    raise _Hung
                parts.append(os.read(descriptor, 1 << 16))
                if not parts[-1] or sum(map(len, parts[-2:])) > _LONGEST:
                    raise _Died
        return b"".join(parts)

    @property
    def pid(self) -> int:
        return self._process.pid

    def end(self) -> None:
        """Ends the process and whatever search it runs."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


class Planner:
    """Solves problems in worker processes, started when first needed.

    It serves several threads; use it as a context, or `close` it.

    Args:
        workers: processes at most.
        seconds: limit of one search.
        search: the planner's search, in its own words.

    Raises:
        MissingExtra: the planner is not installed.
    """

    def __init__(self, workers: int = 1, seconds: float = SECONDS, search: str = SEARCH) -> None:
        self._command = [
            sys.executable,
            "-P",
            str(Path(__file__).with_name("_worker.py")),
            str(folder()),
        ]
        self._seconds, self._search, self._count = seconds, search, workers
        self._idle: SimpleQueue[_Worker | None] = SimpleQueue()
        for _ in range(workers):
            self._idle.put(None)
        self._bases: dict[_Key, Any] = {}
        self.restarts = 0
        """How often a worker died or hung and another took its place."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def plan(
        self, domain: Domain, problem: Problem, base: Problem | None = None
    ) -> tuple[Atom, ...]:
        """The actions of an optimal plan, the same ones whenever it is asked.

        Args:
            domain: of the problem.
            problem: what to solve.
            base: a problem of the same objects and the same facts that never change, of which
                nothing else matters: it is translated once for all problems that share it.

        Raises:
            Unsolvable: there is no plan.
            UsageError: none was found in time, or the planner does not take the PDDL.
            PlannerFailed: the planner died, twice.
        """
        request: dict[str, Any] = {"domain": domain.text, "problem": problem.text}
        if base is not None and not problem.avoid:
            request["base"] = base.text
            request["init"] = [atom for atom in problem.init if atom[0] in domain.fluent]
            request["goal"] = problem.goal
        return self.solve(request, problem.name)

    def solve(self, texts: Mapping[str, Any], name: str) -> tuple[Atom, ...]:
        """Like `plan`, of PDDL texts that were not checked; ``name`` is for messages."""
        request = {**texts, "search": self._search, "seconds": self._seconds}
        worker = self._idle.get()
        try:
            for last in (False, True):
                worker = worker or _Worker(self._command)
                try:
                    return _actions(self._answer(worker, request), name)
                except (_Died, _Hung) as error:
                    what = "died" if isinstance(error, _Died) else "hung"
                    self._end(worker, f"the planner {what} on problem '{name}'")
                    worker = None
                    if last:
                        raise _given_up(error, name, self._seconds) from None
        except BaseException as error:
            if not isinstance(error, ThenceError):  # interrupted, with an answer still to come
                self._end(worker, f"the planner was stopped on problem '{name}'")
                worker = None
            raise
        finally:
            self._idle.put(worker)
        raise AssertionError  # the last attempt gives or raises something

    def _answer(self, worker: _Worker, request: dict[str, Any]) -> dict[str, Any]:
        """A worker's answer; no base is translated by two workers."""
        key = request["domain"], request.get("base", "")
        if key in self._bases and key not in worker.bases:
            request = {**request, "translated": self._bases[key]}
        answer = worker.ask(request, self._seconds + _GRACE)
        for held in (worker.bases, self._bases):
            if len(held) >= _MOST_BASES:
                held.clear()
        worker.bases.add(key)
        if "translated" in answer:
            self._bases[key] = answer["translated"]
        return answer

    def plans(
        self, problems: Iterable[tuple[Domain, Problem, Problem | None]]
    ) -> Iterator[tuple[Atom, ...]]:
        """The plans of many problems in their order, as many at a time as there are workers.

        Args:
            problems: each with its domain and its base or None.
        """
        with ThreadPoolExecutor(self._count) as pool:
            yield from pool.map(lambda each: self.plan(*each), problems)

    def close(self) -> None:
        """Ends all workers; the next problem starts new ones."""
        for _ in range(self._count):
            with suppress(Empty):  # one that a thread still waits for ends with its own limit
                worker = self._idle.get(timeout=1)
                if worker is not None:
                    worker.end()
                self._idle.put(None)

    def _end(self, worker: _Worker | None, why: str) -> None:
        if worker is not None:
            worker.end()
            self.restarts += 1
            _log.warning("thence: %s; another takes its place", why)


def _actions(answer: dict[str, Any], name: str) -> tuple[Atom, ...]:
    if "plan" in answer:
        return tuple(tuple(action) for action in answer["plan"])
    kind, why = answer.get("error"), answer.get("why", "")
    if kind in ("died", "hung"):
        raise _Died if kind == "died" else _Hung
    if kind == "unsolvable":
        raise Unsolvable(f"problem '{name}': no plan reaches its goal; mend its :init or :goal")
    if kind == "timeout":
        raise UsageError(f"problem '{name}': {why}; give a smaller problem or a longer limit")
    if kind == "malformed":
        raise UsageError(f"problem '{name}': the planner does not take it: {why}")
    raise PlannerFailed(f"problem '{name}': the planner failed: {why}")


def _given_up(error: Exception, name: str, seconds: float) -> ThenceError:
    if isinstance(error, _Died):
        return PlannerFailed(f"problem '{name}': the planner died on it twice; try a smaller one")
    return UsageError(
        f"problem '{name}': no plan within {seconds:g} s; give a smaller problem or a longer limit"
    )


_shared: dict[tuple[int, float], Planner] = {}


def shared(seconds: float = SECONDS) -> Planner:
    """This process's planner of one worker, which ends with the process."""
    key = (os.getpid(), seconds)
    if key not in _shared:
        planner = _shared[key] = Planner(seconds=seconds)
        atexit.register(planner.close)
    return _shared[key]
