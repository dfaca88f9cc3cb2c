"""Worker process that solves one PDDL problem after another, fed line by line.

It is started as a program of its own and never imported by the rest: it loads Fast Downward's
translator, which is under the GPL, and starts the search binary for each problem.

Run: python planner_worker.py FOLDER, where FOLDER holds the binary ``downward`` and the translator.
Each line of input is a JSON object with ``domain``, ``problem`` (PDDL texts), ``search``,
``seconds``; each line of output has ``plan`` (actions as lists of words), or ``error`` (one of
ERRORS) and ``why``. Where the input ends, also by the death of the parent, the worker kills its
search and exits.

Translating costs more than the search for most problems. A request may name another problem as its
``base``, of the same objects and the same facts that never change; it is translated once, and its
start and goal are replaced by ``init`` and ``goal`` (atoms as lists of words, those that can
change). That is exact where the base's facts and invariants cover the problem; where they do not,
the problem is translated itself. The answer of the worker that translated a base holds the result
as ``translated``; a request that holds it spares another worker the work.
"""

from __future__ import annotations

import io
import json
import math
import os
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

try:
    import resource
except ImportError:  # Windows
    _HAS_LIMITS = False
else:
    _HAS_LIMITS = True

ERRORS = ("malformed", "unsolvable", "timeout", "hung", "died", "memory", "failed")

_UNSOLVABLE = (10, 11)  # exit statuses: proven by the translator, by the search
_MEMORY = (20, 22)  # exit statuses: out of memory
_MOST_MEMORY = 4 << 30
_MOST_BASES = 2000
_WORKING = 0.05  # share of its time that a search computes unless it hangs


class _Uncovered(Exception):
    """A base does not cover the problem."""


class _Base:
    """Translated problem whose start and goal can be replaced.

    Every operator that a problem could ever reach from its start is among the base's operators if
    every atom of that start is among the base's facts, because reaching without deletions is
    monotone. Variables stand for invariants: no more than one of their atoms ever holds if no more
    than one holds at the start, which is checked here.

    Args:
        description: result of `described`, as JSON keeps it.
    """

    def __init__(self, description: Mapping[str, Any]) -> None:
        self._head: str = description["head"]
        self._tail: str = description["tail"]
        self._facts: dict[str, tuple[int, int]] = {
            atom: (variable, value) for atom, (variable, value) in description["facts"].items()
        }
        self._none: list[int | None] = description["none"]
        self._mutexes = [
            [(variable, value) for variable, value in each] for each in description["mutexes"]
        ]

    @staticmethod
    def described(task: Any) -> dict[str, Any]:
        """Return the description of a translated task, as JSON.

        Args:
            task: the translator's result, with unreachable facts and unimportant variables kept.
        """
        text = io.StringIO()
        task.output(text)
        head, rest = text.getvalue().split("begin_state\n")
        facts: dict[str, tuple[int, int]] = {}
        none: list[int | None] = []  # for each variable the value of none of its atoms
        for variable, names in enumerate(task.variables.value_names):
            none.append(None)
            for value, name in enumerate(names):
                kind, _, atom = name.partition(" ")
                if kind == "Atom":
                    facts[atom] = (variable, value)
                else:
                    none[variable] = value
        tail = rest.partition("end_goal\n")[2]
        mutexes = [list(group.facts) for group in task.mutexes]
        return {"head": head, "tail": tail, "facts": facts, "none": none, "mutexes": mutexes}

    def problem(self, init: list[list[str]], goal: list[list[str]]) -> str:
        """Return the search binary's input for another start and goal.

        Raises:
            _Uncovered: the base does not cover it.
        """
        values: dict[int, int] = {}
        for variable, value in map(self._fact, init):
            if variable in values:
                raise _Uncovered
            values[variable] = value
        state = [values.get(variable, none) for variable, none in enumerate(self._none)]
        holding = set(enumerate(state))
        if None in state or any(
            sum(fact in holding for fact in group) > 1 for group in self._mutexes
        ):
            raise _Uncovered
        wanted = sorted({self._fact(atom) for atom in goal})
        if len({variable for variable, _ in wanted}) < len(wanted) or not wanted:
            raise _Uncovered
        lines = [self._head + "begin_state", *map(str, state), "end_state"]
        lines += ["begin_goal", str(len(wanted))]
        lines += [f"{variable} {value}" for variable, value in wanted]
        return "\n".join(lines) + "\nend_goal\n" + self._tail

    def _fact(self, atom: list[str]) -> tuple[int, int]:
        found = self._facts.get(f"{atom[0]}({', '.join(atom[1:])})")
        if found is None:
            raise _Uncovered
        return found


class Worker:
    """Solver of PDDL problems: the translator, loaded once, and the search binary.

    Args:
        folder: folder that holds both.
    """

    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(folder))
        from fast_downward.translate import main, normalize, options, pddl_parser
        from fast_downward.translate.pddl_parser import lisp_parser, parsing_functions

        self._options = options
        self._binary = shutil.which("downward", path=folder) or str(folder / "downward")
        self._main, self._normalize, self._parsing = main, normalize, parsing_functions
        self._parse_error: type[Exception] = pddl_parser.ParseError
        self._nested = lisp_parser.parse_nested_list
        self._domain = cache(lambda text: self._nested(text.splitlines()))
        self._bases: dict[tuple[str, str], _Base] = {}
        self._running: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()  # held while a search is started, and for good at the end

    def solve(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request: a plan, or an error of the translator or the search."""
        made: dict[str, Any] = {}
        try:
            sas = self._sas(request, made)
        except MemoryError:
            return {"error": "memory", "why": "the translator ran out of memory"}
        except (Exception, SystemExit) as error:  # noqa: BLE001  (it raises anything on bad input)
            kind = "malformed" if isinstance(error, (self._parse_error, SystemExit)) else "failed"
            why = " ".join(str(error).split()) or type(error).__name__
            return {"error": kind, "why": why[:400]}
        return {**self._search(sas, request["search"], request["seconds"]), **made}

    def stop(self) -> None:
        """Kill the search that is running, if there is one; no other is started any more."""
        self._starting.acquire()  # a search that is being started is one to kill
        if self._running is not None:
            self._running.kill()

    def _sas(self, request: dict[str, Any], made: dict[str, Any]) -> str:
        """Return the search binary's input; put a base that is translated for it into ``made``."""
        if "base" in request:
            try:
                return self._base(request, made).problem(request["init"], request["goal"])
            except _Uncovered:
                pass
        text = io.StringIO()
        self._translated(request["domain"], request["problem"], []).output(text)
        return text.getvalue()

    def _base(self, request: dict[str, Any], made: dict[str, Any]) -> _Base:
        key = request["domain"], request["base"]
        if key not in self._bases:
            description = request.get("translated")
            if description is None:
                kept = ["--keep-unreachable-facts", "--keep-unimportant-variables"]
                description = made["translated"] = _Base.described(self._translated(*key, kept))
            if len(self._bases) >= _MOST_BASES:
                self._bases.clear()
            self._bases[key] = _Base(description)
        return self._bases[key]

    def _translated(self, domain: str, problem: str, options: list[str]) -> Any:
        self._options.set_options(["domain", "problem", *options])
        task = self._parsing.parse_task(self._domain(domain), self._nested(problem.splitlines()))
        self._normalize.normalize(task)
        return self._main.pddl_to_sas(task)

    def _search(self, sas: str, search: str, seconds: float) -> dict[str, Any]:
        command = [self._binary, "--search", search, "--internal-plan-file", os.devnull]
        used = _cpu_seconds_of_searches()
        pipe = subprocess.PIPE
        try:
            with self._starting:
                self._running = subprocess.Popen(
                    command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT
                )
        except OSError as error:
            why = f"its binary cannot be started: {error.strerror}; install the extra 'plans' anew"
            return {"error": "failed", "why": why}
        with self._running as process:
            _limit_cpu(process.pid, seconds)
            try:
                output = process.communicate(sas.encode(), seconds)[0].decode("utf-8", "replace")
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                return _timed_out(seconds, _cpu_seconds_of_searches() - used)
        return _ended(process.returncode, output)


def _timed_out(seconds: float, used: float) -> dict[str, Any]:
    """Return the error of a search that took too long: one that hangs hardly computes."""
    if used < _WORKING * seconds:
        return {"error": "hung", "why": f"the search did nothing for {seconds:g} s"}
    return {"error": "timeout", "why": f"no plan within {seconds:g} s"}


def _ended(status: int, output: str) -> dict[str, Any]:
    """Return the plan or the error of a search that ended by itself."""
    if status == 0:
        return {"plan": _plan(output)}
    if status in _UNSOLVABLE:
        return {"error": "unsolvable", "why": "no plan reaches the goal"}
    if status in _MEMORY:
        return {"error": "memory", "why": "the search ran out of memory"}
    if status < 0:
        return {"error": "died", "why": f"the search was ended by signal {-status}"}
    said = " ".join(output.split())[-300:]
    return {"error": "failed", "why": f"the search ended with status {status} {said}"}


def _plan(output: str) -> list[list[str]]:
    """Return the actions that stand between two lines of the planner's log."""
    _, _, rest = output.partition("Actual search time:")
    actions = []
    for line in rest.splitlines()[1:]:
        if line.startswith("["):
            break
        actions.append(line.split()[:-1])  # without the cost
    return actions


# What only some platforms have --------------------------------------------------------------------


def _limit_memory() -> None:
    """Bound the memory of this process and of every search that it starts."""
    if _HAS_LIMITS:
        with suppress(OSError, ValueError):  # macOS refuses
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, hard))


def _limit_cpu(pid: int, seconds: float) -> None:
    """Bound the CPU time of a search, so that it ends even if nobody is left to kill it."""
    if _HAS_LIMITS and hasattr(resource, "prlimit"):  # Linux
        most = math.ceil(seconds) + 1
        with suppress(OSError):  # it has ended already
            resource.prlimit(pid, resource.RLIMIT_CPU, (most, most))


def _cpu_seconds_of_searches() -> float:
    """Return the CPU seconds of all ended searches; where none are counted, the time of a clock."""
    if not _HAS_LIMITS:
        return time.monotonic()
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


def main() -> None:
    """Answer requests until the input ends."""
    _limit_memory()
    worker = Worker(Path(sys.argv[1]))
    requests: SimpleQueue[str] = SimpleQueue()

    def receive() -> None:
        try:
            for line in sys.stdin:
                requests.put(line)
        finally:
            worker.stop()
            os._exit(0)

    threading.Thread(target=receive, daemon=True).start()
    answers = sys.stdout
    with Path(os.devnull).open("w") as sys.stdout:  # the translator prints
        while True:
            answers.write(json.dumps(worker.solve(json.loads(requests.get()))) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
