"""A process that solves one PDDL problem after another, fed line by line.

It is started as a program of its own and never imported by the rest: it loads Fast Downward's
translator, which is under the GPL, and pipes what that makes to the planner's binary.

Run: python _worker.py FOLDER, where FOLDER holds the binary ``downward`` and the translator. Each
line of input is a JSON object with ``domain``, ``problem`` (PDDL texts), ``search``, ``seconds``;
each line of output has ``plan`` (actions as lists of words), or ``error`` (one of ERRORS) and
``why``.

Translating costs more than the search for most problems. A request may name another problem as its
``base``, of the same objects and the same facts that never change; it is translated once, and its
start and goal are replaced by ``init`` and ``goal`` (atoms as lists of words, those that can
change). That is exact where the base's facts and invariants cover the problem; where they do not,
the problem is translated itself. What became of a base is in the answer of the worker that
translated it, as ``translated``; another worker is spared that where a request holds it.
"""

from __future__ import annotations

import gc
import io
import json
import os
import resource
import select
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from thence.domains.plans._copies import Model
else:
    sys.path.append(str(Path(__file__).parent))  # last, so that it hides nothing
    from _copies import Model

ERRORS = ("malformed", "unsolvable", "timeout", "hung", "died", "memory", "failed")

_UNSOLVABLE, _MEMORY = (
    (10, 11),
    (20, 22),
)  # exit statuses: proven by translator or search; out of memory
_MOST_MEMORY = 4 << 30
_MOST_BASES = 2000
_WORKING = 0.02  # of its time a search that is not waiting for something computes


class _Nowhere(io.TextIOBase):
    """Takes what the translator prints."""

    def write(self, text: str) -> int:
        """Drops it."""
        return len(text)


class _Uncovered(Exception):
    """A base does not stand for the problem."""


class _Base:
    """A translated problem whose start and goal can be replaced.

    Every operator that a problem could ever reach from its start is among the base's operators if
    every atom of that start is among the base's facts, because reaching without deletions is
    monotone. Variables stand for invariants: no more than one of their atoms ever holds if no more
    than one holds at the start, which is checked here.

    Args:
        told: what `told` gave, as JSON keeps it.
    """

    def __init__(self, told: Mapping[str, Any]) -> None:
        self._head: str = told["head"]
        self._tail: str = told["tail"]
        self._facts: dict[str, tuple[int, int]] = {
            atom: (variable, value) for atom, (variable, value) in told["facts"].items()
        }
        self._none: list[int | None] = told["none"]
        self._mutexes = [
            [(variable, value) for variable, value in each] for each in told["mutexes"]
        ]

    @staticmethod
    def told(task: Any) -> dict[str, Any]:
        """What there is to know of a task, as JSON.

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
        """The planner's input for another start and goal.

        Raises:
            _Uncovered: the base does not stand for it.
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
    """The translator, loaded once, and the binary.

    Args:
        folder: holds both.
    """

    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(folder))
        from fast_downward.translate import main, normalize, options, pddl_parser
        from fast_downward.translate.pddl_parser import lisp_parser, parsing_functions

        self._options = options
        self._binary = str(folder / "downward")
        self._main, self._normalize, self._parsing = main, normalize, parsing_functions
        self._parse_error: type[Exception] = pddl_parser.ParseError
        self._nested = lisp_parser.parse_nested_list
        self._domain = cache(lambda text: self._nested(text.splitlines()))
        self._bases: dict[tuple[str, str], _Base] = {}
        self._models: dict[tuple[str, ...], Model | None] = {}

    def solve(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request; whatever goes wrong in the translator is an answer too."""
        news: dict[str, Any] = {}
        try:
            sas = self._input(request, news)
        except MemoryError:
            return {"error": "memory", "why": "the translator ran out of memory"}
        except (Exception, SystemExit) as error:  # noqa: BLE001  (it raises anything on bad input)
            kind = "malformed" if isinstance(error, (self._parse_error, SystemExit)) else "failed"
            why = " ".join(str(error).split()) or type(error).__name__
            return {"error": kind, "why": why[:400]}
        return {**self._search(sas, request["search"], request["seconds"]), **news}

    def _input(self, request: dict[str, Any], news: dict[str, Any]) -> str:
        """What the search binary reads; a base that was translated for it is put into ``news``."""
        if "base" in request:
            try:
                return self._base(request, news).problem(request["init"], request["goal"])
            except _Uncovered:
                pass
        text = io.StringIO()
        self._translated(request["domain"], request["problem"], []).output(text)
        return text.getvalue()

    def _base(self, request: dict[str, Any], news: dict[str, Any]) -> _Base:
        key = request["domain"], request["base"]
        if key not in self._bases:
            told = request.get("translated")
            if told is None:
                kept = ["--keep-unreachable-facts", "--keep-unimportant-variables"]
                told = news["translated"] = _Base.told(self._translated(*key, kept))
            if len(self._bases) >= _MOST_BASES:
                self._bases.clear()
            self._bases[key] = _Base(told)
        return self._bases[key]

    def _translated(self, domain: str, problem: str, options: list[str]) -> Any:
        self._options.set_options(["domain", "problem", *options])
        task = self._parsing.parse_task(self._domain(domain), self._nested(problem.splitlines()))
        self._normalize.normalize(task)
        return self._main.pddl_to_sas(task)

    def _search(self, sas: str, search: str, seconds: float) -> dict[str, Any]:
        command = (self._binary, "--search", search, "--internal-plan-file", "/dev/null")
        given = sas.encode()
        try:
            ended = self._copied(command, given, seconds) or _run(command, given, seconds)
        except OSError as error:
            why = f"its binary cannot be started: {error.strerror}; install the extra 'plans' anew"
            return {"error": "failed", "why": why}
        if ended.status == 0:
            return {"plan": _plan(ended.output)}
        return _failure(ended, seconds)

    def _copied(self, command: tuple[str, ...], given: bytes, seconds: float) -> _Ended | None:
        """What a copy of the binary did; None where there can be no copies."""
        try:
            if command not in self._models:
                self._models[command] = Model(command)
            model = self._models[command]
            if model is None:
                return None
            status, idle = _waited(model.start(given), seconds)
            return _Ended(status, model.told().decode("utf-8", "replace"), idle)
        except OSError:
            self._models[command] = None
            return None


class _Ended(NamedTuple):
    """How a program ended.

    Attributes:
        status: its exit status, negative for a signal; None where it took too long.
        output: what it wrote.
        idle: whether it had hardly computed.
    """

    status: int | None
    output: str
    idle: bool = False


def _failure(ended: _Ended, seconds: float) -> dict[str, Any]:
    """The answer where there is no plan."""
    done = ended.status
    if done is None and ended.idle:  # a search that is hard is another thing than one that hangs
        return {"error": "hung", "why": f"the search did nothing for {seconds:g} s"}
    if done is None:
        return {"error": "timeout", "why": f"no plan within {seconds:g} s"}
    if done in _UNSOLVABLE:
        return {"error": "unsolvable", "why": "no plan reaches the goal"}
    if done in _MEMORY:
        return {"error": "memory", "why": "the search ran out of memory"}
    if done < 0:
        return {"error": "died", "why": f"the search was ended by signal {-done}"}
    said = " ".join(ended.output.split())[-300:]
    return {"error": "failed", "why": f"the search ended with status {done} {said}"}


def _run(command: tuple[str, ...], given: bytes, seconds: float) -> _Ended:
    """Runs a program.

    It stands on `os.posix_spawn` and files in memory: `subprocess.run` costs a third as much again
    as a search does.
    """
    if sys.platform != "linux":
        return _run_elsewhere(command, given, seconds)
    source, told = os.memfd_create("input"), os.memfd_create("output")
    try:
        os.write(source, given)
        os.lseek(source, 0, os.SEEK_SET)
        ends = [(os.POSIX_SPAWN_DUP2, source, 0), (os.POSIX_SPAWN_DUP2, told, 1)]
        ends += [(os.POSIX_SPAWN_DUP2, told, 2)]
        pid = os.posix_spawn(command[0], command, os.environ, file_actions=ends)
        status, idle = _waited(pid, seconds)
        size = os.fstat(told).st_size
        return _Ended(status, os.pread(told, size, 0).decode("utf-8", "replace"), idle)
    finally:
        os.close(source)
        os.close(told)


def _run_elsewhere(command: tuple[str, ...], given: bytes, seconds: float) -> _Ended:
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return _Ended(None, "")
    return _Ended(done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace"))


def _waited(pid: int, seconds: float) -> tuple[int | None, bool]:
    """The exit status of a child, None where it had to be killed; whether it hardly computed."""
    watched = os.pidfd_open(pid)
    try:
        late = not select.select([watched], [], [], seconds)[0]
        if late:
            os.kill(pid, signal.SIGKILL)
        _, ended, used = os.wait4(pid, 0)
        idle = used.ru_utime + used.ru_stime < _WORKING * seconds
        return (None, idle) if late else (os.waitstatus_to_exitcode(ended), idle)
    finally:
        os.close(watched)


def _plan(output: str) -> list[list[str]]:
    """The actions between the planner's announcement and the length that it prints."""
    _, _, rest = output.partition("Actual search time:")
    actions = []
    for line in rest.splitlines()[1:]:
        if line.startswith("["):
            break
        actions.append(line.split()[:-1])  # without the cost
    return actions


def main() -> None:
    """Answers requests until the input ends."""
    answers, sys.stdout = sys.stdout, _Nowhere()
    resource.setrlimit(
        resource.RLIMIT_AS, (_MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1])
    )
    worker = Worker(Path(sys.argv[1]))
    gc.freeze()  # what is loaded stays
    gc.set_threshold(100_000, 20, 20)
    for line in sys.stdin:
        answers.write(json.dumps(worker.solve(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
