"""Optimal plans from Fast Downward, solved in long-lived worker processes.

The planner's own driver script starts two interpreters for every problem. Here a worker process
loads the translator once and starts only the search binary for each problem. The planner is under
the GPL and stays in these processes; nothing of it is imported here.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Self

from thence.domains.plans.pddl import Atom, PddlDomain, PddlProblem
from thence.errors import MissingExtra, ThenceError, UsageError
from thence.system.log import logger

SECONDS = 30.0
SEARCH = "astar(lmcut())"
"""Default search: A* with an admissible heuristic, so that plans are optimal."""

_GRACE = 10.0  # seconds that translating may take beyond the search's own limit
_LONGEST = 64 << 20  # bytes of an answer
_MOST_BASES = 2000
_log = logger("plans")


class Unsolvable(UsageError):
    """No plan reaches the problem's goal."""


class PlannerFailed(ThenceError):
    """The planner died twice on a problem, or ran out of memory."""


class _Died(Exception):
    """A worker ended while it solved a problem."""


class _Hung(Exception):
    """A worker gave no answer in time."""


def folder() -> Path:
    """Return the folder that holds the planner's binary and translator.

    Raises:
        MissingExtra: the planner is not installed.
    """
    found = find_spec("up_fast_downward")  # importing it would need more than is used here
    for place in (found.submodule_search_locations or ()) if found else ():
        path = Path(place) / "downward" / "builds" / "release" / "bin"
        if shutil.which("downward", path=path):
            return path
    raise MissingExtra("solving plans with Fast Downward", "plans")


type _Key = tuple[str, str]
"""Texts of a domain and a base."""


class _Worker:
    """One worker process.

    Attributes:
        bases: keys of the bases whose translation it holds.
    """

    def __init__(self, command: list[str]) -> None:
        self.bases: set[_Key] = set()
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # A fixed hash seed: the order of sets in the translator must not vary.
            env={**os.environ, "PYTHONHASHSEED": "0"},
            start_new_session=True,  # Ctrl-C is for us; and its search can be killed with it
        )
        threading.Thread(target=self._receive, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send a request and return its answer.

        Raises:
            _Died: the worker ended, or wrote something else than an answer.
            _Hung: there was no answer in time.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._answers.get(timeout=seconds))
        except Empty as error:
            raise _Hung from error
        except (OSError, ValueError) as error:
            raise _Died from error
        return answer

    def end(self) -> None:
        """Kill the process and the search that it runs."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:  # Windows
                self._process.kill()
        self._process.wait()
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()

    def _receive(self) -> None:
        """Queue each line that the worker writes, and an empty one once it has ended."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            while line := lines.readline(_LONGEST):
                self._answers.put(line)
        self._answers.put(b"")


class Planner:
    """Solver of planning problems, in worker processes that are started when first needed.

    Several threads may share it; use it as a context, or `close` it.

    Args:
        workers: most processes at a time.
        seconds: limit of one search.
        search: search algorithm, in the planner's syntax.

    Attributes:
        restarts: how often a worker died or hung and another took its place.

    Raises:
        MissingExtra: the planner is not installed.
    """

    def __init__(self, workers: int = 1, seconds: float = SECONDS, search: str = SEARCH) -> None:
        self._command = [
            sys.executable,
            "-P",
            str(Path(__file__).with_name("planner_worker.py")),
            str(folder()),
        ]
        self._seconds, self._search, self._count = seconds, search, workers
        self._idle: SimpleQueue[_Worker | None] = SimpleQueue()
        for _ in range(workers):
            self._idle.put(None)
        self._bases: dict[_Key, Any] = {}
        self.restarts = 0

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
        self, domain: PddlDomain, problem: PddlProblem, base: PddlProblem | None = None
    ) -> tuple[Atom, ...]:
        """Return the actions of an optimal plan; equal problems have equal plans.

        Args:
            domain: domain of the problem.
            problem: problem to solve.
            base: a problem with the same objects and the same facts that never change; it is
                translated once for all problems that share it, and nothing else of it is used.

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
        """Return the plan of unchecked PDDL texts, like `plan`; messages speak of ``name``."""
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
            if worker is not None and not isinstance(error, ThenceError):
                worker.end()  # interrupted, with an answer still to come
                worker = None
            raise
        finally:
            self._idle.put(worker)
        raise AssertionError  # the last attempt gives or raises something

    def _answer(self, worker: _Worker, request: dict[str, Any]) -> dict[str, Any]:
        """Return a worker's answer; a base that another worker translated goes with the request."""
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
        self, problems: Iterable[tuple[PddlDomain, PddlProblem, PddlProblem | None]]
    ) -> Iterator[tuple[Atom, ...]]:
        """Yield the plans of many problems in their order, solved by all workers at once.

        Args:
            problems: domain, problem, and base or None of each.
        """
        with ThreadPoolExecutor(self._count) as pool:
            yield from pool.map(lambda each: self.plan(*each), problems)

    def close(self) -> None:
        """End all workers; the next problem starts new ones."""
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
            _log.warning("%s; another takes its place", why)


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


def shared_planner(seconds: float = SECONDS) -> Planner:
    """Return the planner of this process, with one worker that ends with the process."""
    key = (os.getpid(), seconds)
    if key not in _shared:
        planner = _shared[key] = Planner(seconds=seconds)
        atexit.register(planner.close)
    return _shared[key]
