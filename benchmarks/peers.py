"""Thence beside Inspect: one endpoint, the same questions.

Each program asks the same ProcBench questions of the same server on this machine, in processes of
its own, by the settings that its documents name for many requests at once. Measured are: the time
to show help; a run without faults; one in which each 20th request fails, with 500 and 429 by turns;
and one that is killed (SIGKILL) at half and started again as its documents say.

A program may need other versions of the same libraries: `--programs inspect-ai=FOLDER` names the
folder of the programs (`bin`) of an environment that has one of them. Run on an idle machine:
python benchmarks/peers.py [--programs PACKAGE=FOLDER...] [--only PACKAGE...]
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _machine import tell
from _server import counted, running

LATENCY = 0.2  # seconds until an answer
EVERY = 20  # requests of which one fails
PATIENCE = 300  # seconds that a run may take
INSPECT = """\
from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import match
from inspect_ai.solver import generate

@task
def peers():
    fields = FieldSpec(input="input", target="answer", id="id")
    return Task(json_dataset("{file}", fields), solver=generate(), scorer=match())
"""


@dataclass(frozen=True)
class Place:
    """Where a run takes its questions from, where it writes, and how many requests it may have."""

    folder: Path
    samples: Path  # our lines
    rows: Path  # the same as id, input and answer
    number: int
    connections: int


class Peer(ABC):
    """A program that asks a model questions."""

    package: str
    settings: str  # in words
    programs = Path(sys.executable).parent

    def version(self) -> str | None:
        """Return the version that is installed beside its programs, or None."""
        asked = f"from importlib.metadata import version; print(version('{self.package}'))"
        words = [str(self.programs / "python"), "-c", asked]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return done.stdout.strip() or None

    @abstractmethod
    def command(self, place: Place, url: str) -> list[str]:
        """Return the command line of a run."""

    @abstractmethod
    def help(self) -> list[str]:
        """Return the command line that shows help."""

    def again(self, place: Place, url: str) -> list[list[str]]:
        """Return the command lines by which a killed run goes on."""
        return [self.command(place, url)]


class Thence(Peer):
    """This package."""

    package = "thence"
    settings = "`--max-connections`; the same command goes on"

    def command(self, place: Place, url: str) -> list[str]:
        """Return the command line of a run."""
        given = ["--base-url", f"{url}/v1", "--max-connections", str(place.connections), "-q"]
        words = [str(place.samples), "--model", "x/m", *given, "-o", str(place.folder / "run")]
        return [sys.executable, "-m", "thence", "run", *words]

    def help(self) -> list[str]:
        """Return the command line that shows help."""
        return [sys.executable, "-m", "thence", "--help"]


class Inspect(Peer):
    """Inspect's plain `generate` and `match`."""

    package = "inspect-ai"
    settings = "`--max-connections`, `--display none`; `inspect log recover`, then `eval-retry`"

    def command(self, place: Place, url: str) -> list[str]:
        """Return the command line of a run."""
        program = place.folder / "peers.py"
        program.write_text(INSPECT.format(file=place.rows), encoding="utf-8")
        given = ["--max-connections", str(place.connections), "--display", "none"]
        words = [program.name, "--model", "openai-api/fake/m", *given]
        return [
            str(self.programs / "inspect"),
            "eval",
            *words,
            "--log-dir",
            str(place.folder / "logs"),
        ]

    def help(self) -> list[str]:
        """Return the command line that shows help."""
        return [str(self.programs / "inspect"), "--help"]

    def again(self, place: Place, url: str) -> list[list[str]]:
        """Return the command lines by which a killed run goes on."""
        [log] = (place.folder / "logs").glob("*.eval")
        whole = place.folder / "recovered.eval"
        inspect, shown = str(self.programs / "inspect"), ("--display", "none")
        recover = [inspect, "log", "recover", str(log), "--output", str(whole)]
        retry = [inspect, "eval-retry", str(whole), *shown]
        given = ["--max-connections", str(place.connections)]
        return [recover, [*retry, *given, "--log-dir", str(place.folder / "logs")]]


PEERS = (Thence(), Inspect())


# Running -----------------------------------------------------------------------------------------


@contextmanager
def server(every: int = 0) -> Iterator[str]:
    """Yield the base URL of a fresh server."""
    with running(
        str(Path(__file__).with_name("_peers_server.py")), str(LATENCY), str(every)
    ) as url:
        yield url


def environment(url: str) -> dict[str, str]:
    """Return the environment of all programs: no network but the server, no key."""
    held = {"FAKE_API_KEY": "x", "FAKE_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "x"}
    return {**os.environ, **held}


class Started:
    """A program that runs in a group of processes of its own."""

    def __init__(self, command: Sequence[str], folder: Path, url: str) -> None:
        self._log = (folder / "output.txt").open("ab")
        self._begun = time.perf_counter()
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment(url), stdin=subprocess.DEVNULL,
            stdout=self._log, stderr=self._log, start_new_session=True,
        )  # fmt: skip

    def ended(self) -> dict[str, Any]:
        """Wait for the end; return seconds, CPU seconds, the peak of memory in MB and status."""
        alarm = time.monotonic() + PATIENCE
        while True:
            number, status, used = os.wait4(self.process.pid, os.WNOHANG)
            if number:
                break
            if time.monotonic() > alarm:
                self.kill()
            time.sleep(0.01)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self._log.close()
        return {
            "wall": time.perf_counter() - self._begun,
            "cpu": used.ru_utime + used.ru_stime,
            "memory": used.ru_maxrss / 1024,
            "status": self.process.returncode,
        }

    def kill(self) -> None:
        """End all its processes at once, as a power cut would."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    @property
    def runs(self) -> bool:
        """Whether it has not ended yet; it is left to be waited for."""
        how = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, how) is None


def startup(peer: Peer, folder: Path) -> float:
    """Return the seconds until help is shown, the median of 3 after a first time."""
    times = []
    for _ in range(4):
        ended = Started(peer.help(), folder, "").ended()
        times.append(ended["wall"])
    return sorted(times[1:])[1]


def whole(peer: Peer, place: Place, every: int) -> dict[str, Any]:
    """Return the figures of a run to its end."""
    with server(every) as url:
        ended = Started(peer.command(place, url), place.folder, url).ended()
        return {**ended, **counted(url)}


def killed(peer: Peer, place: Place) -> dict[str, Any]:
    """Return the figures of a run that is killed at half, and goes on."""
    with server() as url:
        first = Started(peer.command(place, url), place.folder, url)
        while counted(url)["answered"] < place.number / 2 and first.runs:
            time.sleep(0.02)
        first.kill()
        first.ended()
        before = counted(url)["answered"]
        for command in peer.again(place, url):
            ended = Started(command, place.folder, url).ended()
        return {**ended, **counted(url), "before": before}


def questions(folder: Path, number: int) -> tuple[Path, Path]:
    """Write the questions as our lines, and as rows of id, input and answer."""
    import thence
    from thence.api.dataset import Dataset

    held = thence.questions("procbench/sort", seed=0)
    samples = [held[place] for place in range(number)]
    lines = Dataset(samples).write(folder / "samples.jsonl")
    rows = folder / "rows.jsonl"
    with rows.open("w", encoding="utf-8") as file:
        for each in samples:
            row = {"id": each.id, "input": each.input, "answer": thence.answer(each)}
            file.write(json.dumps(row) + "\n")
    return lines, rows


# The page ----------------------------------------------------------------------------------------


def cells(peer: Peer, found: dict[str, Any], number: int, connections: int) -> list[str]:
    """Return the row of a program."""
    quiet, faulty, cut = found["quiet"], found["faulty"], found["killed"]
    ideal = number / connections * LATENCY
    lost = cut["requests"] - number  # what was under way is asked, and paid, twice, too
    end = "" if not cut["status"] and cut["questions"] == number else ", not finished"
    faults = f"{faulty['wall'] - quiet['wall']:+.1f} s, {faulty['questions']:,} answered"
    faults += "" if not faulty["status"] else f", ends with status {faulty['status']}"
    return [
        f"{peer.package} {peer.version()}",
        f"{found['startup']:.2f} s",
        f"{quiet['requests'] / quiet['seconds']:,.0f}/s" if quiet["seconds"] else "-",
        f"{quiet['wall']:.1f} s ({quiet['wall'] - ideal:+.1f} s)",
        f"{quiet['cpu'] / number * 1000:.1f} ms",
        f"{quiet['memory']:,.0f} MB",
        faults,
        f"{lost:,}{end}",
    ]


HEAD = (
    "program", "`--help`", "requests", "whole run (over the endpoint's own time)",
    "CPU a question", "peak memory", "faults: longer by", "killed at half: asked twice",
)  # fmt: skip


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [HEAD, ["---"] * len(HEAD), *rows]
    return "\n".join("| " + " | ".join(each) + " |" for each in lines)


def main() -> None:
    """Print the table, or write it into a page between its marks."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--only", nargs="*", default=[each.package for each in PEERS])
    parser.add_argument("--programs", nargs="*", default=[], metavar="PACKAGE=FOLDER")
    given = parser.parse_args()
    folders = dict(each.split("=", 1) for each in given.programs)
    tell()
    begun = os.getloadavg()[0]
    rows, said = [], []
    for peer in PEERS:
        if peer.package not in given.only:
            continue
        if peer.package in folders:
            peer.programs = Path(folders[peer.package]).absolute()
        if peer.version() is None:
            said.append(f"{peer.package} is not installed here.")
            continue
        found = measured(peer, given.questions, given.connections)
        rows.append(cells(peer, found, given.questions, given.connections))
        said.append(f"{peer.package}: {peer.settings}.")
    print(
        f"{given.questions:,} questions of `procbench/sort`, {given.connections} requests at once, "
        f"an endpoint that answers after {LATENCY} s, {os.cpu_count()} cores with a load of "
        f"{begun:.1f} at the start and {os.getloadavg()[0]:.1f} at the end.\n\n{table(rows)}\n"
    )
    print("\n".join(said))


def measured(peer: Peer, number: int, connections: int) -> dict[str, Any]:
    """Return all figures of a program."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        lines, answers = questions(Path(folder), number)
        for kind, every in (("quiet", 0), ("faulty", EVERY), ("killed", 0)):
            inner = Path(folder) / kind
            inner.mkdir()
            place = Place(inner, lines, answers, number, connections)
            call = killed(peer, place) if kind == "killed" else whole(peer, place, every)
            found[kind] = call
            print(peer.package, kind, json.dumps(call), file=sys.stderr, flush=True)
            if call["status"]:
                print((inner / "output.txt").read_text()[-1500:], file=sys.stderr)
        found["startup"] = startup(peer, Path(folder))
    return found


if __name__ == "__main__":
    main()
