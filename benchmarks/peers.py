"""Thence beside lm-eval, Inspect, verifiers and reasoning-gym: one endpoint, the same questions.

Each program asks the same ProcBench questions of the same server on this machine, in processes of
its own, by the settings that its documents name for many requests at once. Measured are: the CPU
seconds to show help; a run of one question, which is what it costs to start; a run without faults;
one in which each 20th request fails, with 500 and 429 by turns; and one that is killed (SIGKILL)
at half and started again as its documents say. reasoning-gym asks no endpoint: making and scoring
stand side by side.

A program may need other versions of the same libraries: `--programs inspect-ai=FOLDER` names the
folder of the programs (`bin`) of an environment that has it as its documents install it. Run:
python benchmarks/peers.py [--programs PACKAGE=FOLDER...] [--only PACKAGE...] [--write PAGE]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from _machine import empty_turn
from _peers import PEERS, Peer, Place, version
from _server import counted, running

LATENCY = 0.2  # seconds until an answer
EVERY = 20  # requests of which one fails
PATIENCE = 1_800  # seconds that a run may take
KINDS = ("first", "one", "quiet", "faulty", "killed")  # the first compiles modules
MAKING = (  # what makes questions, and which ones
    ("reasoning-gym", "number_sorting"),
    ("reasoning-gym", "word_sorting"),
    ("reasoning-gym", "string_manipulation"),
    ("thence", "procbench/sort"),
    ("thence", "procbench/*"),
)
MARKS = re.compile(r"(?<=<!-- measured -->\n).*?(?=<!-- end -->)", re.DOTALL)


@contextmanager
def server(every: int = 0) -> Iterator[str]:
    """Yield the base URL of a fresh server."""
    with running(
        str(Path(__file__).with_name("_peers_server.py")), str(LATENCY), str(every)
    ) as url:
        yield url


def environment(peer: Peer, folder: Path, url: str) -> dict[str, str]:
    """Return the environment of a program: no network but the server, and no real key."""
    held = {"FAKE_API_KEY": "x", "FAKE_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "x"}
    apart = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hub")}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    ours = peer.package == "thence"
    path = os.environ.get("PYTHONPATH", "") if ours else str(folder)  # its module of questions
    return {**kept, **held, **apart, "PYTHONPATH": path}


class Started:
    """A program that runs in a group of processes of its own."""

    def __init__(self, peer: Peer, command: Sequence[str], folder: Path, url: str) -> None:
        self._log = (folder / "output.txt").open("ab")
        self._begun = time.perf_counter()
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment(peer, folder, url), stdin=subprocess.DEVNULL,
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
    """Return the CPU seconds until help is shown, the median of 3."""
    times = []
    for _ in range(3):
        ended = Started(peer, peer.help(), folder, "").ended()
        times.append(ended["cpu"])
    return sorted(times)[1]


def whole(peer: Peer, place: Place, every: int = 0) -> dict[str, Any]:
    """Return the figures of a run to its end."""
    with server(every) as url:
        ended = Started(peer, peer.command(place, url), place.folder, url).ended()
        return {**ended, **counted(url)}


def killed(peer: Peer, place: Place) -> dict[str, Any]:
    """Return the figures of a run that is killed at half, and of going on with it."""
    with server() as url:
        first = Started(peer, peer.command(place, url), place.folder, url)
        while counted(url)["answered"] < place.number / 2 and first.runs:
            time.sleep(0.02)
        first.kill()
        first.ended()
        before = counted(url)["answered"]
        ended = [
            Started(peer, command, place.folder, url).ended() for command in peer.again(place, url)
        ]
        again = {name: sum(each[name] for each in ended) for name in ("wall", "cpu")}
        return {**ended[-1], **again, **counted(url), "before": before}


def questions(folder: Path, number: int) -> tuple[Path, Path]:
    """Write the questions as our lines, and as rows of id, input and answer."""
    import thence
    from thence.api.dataset import Dataset

    folder.mkdir()
    held = thence.questions("procbench/sort", seed=0)
    samples = [held[place] for place in range(number)]
    lines = Dataset(samples).write(folder / "samples.jsonl")
    rows = folder / "rows.jsonl"
    with rows.open("w", encoding="utf-8") as file:
        for each in samples:
            row = {"id": each.id, "input": each.input, "answer": thence.answer(each)}
            file.write(json.dumps(row) + "\n")
    return lines, rows


def measured(peer: Peer, number: int, connections: int) -> dict[str, Any]:
    """Return all figures of a program."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            inner, asked = Path(folder) / kind, 1 if kind in {"first", "one"} else number
            place = Place(inner, *questions(inner, asked), asked, connections)
            found[kind] = (
                killed(peer, place)
                if kind == "killed"
                else whole(peer, place, EVERY if kind == "faulty" else 0)
            )
            print(peer.package, kind, json.dumps(found[kind]), file=sys.stderr, flush=True)
            if found[kind]["status"]:
                print((inner / "output.txt").read_text()[-1500:], file=sys.stderr)
        found["startup"] = startup(peer, Path(folder))
    return found


def making(programs: Path, package: str, task: str, number: int) -> dict[str, float]:
    """Return the figures of making and scoring in a process of its own."""
    program = Path(__file__).with_name("_peers_making.py")
    words = [str(programs / "python"), str(program), package, task, str(number)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    print(package, task, done.stdout.strip(), file=sys.stderr, flush=True)
    return found


# The page ----------------------------------------------------------------------------------------

ASKING = (
    "program", "CPU of `--help`", "a run of one question", "CPU a further question",
    "so at most, on one core", "whole run", "requests", "largest process",
)  # fmt: skip
ENDING = (
    "program", "faults: questions answered", "time and CPU more", "killed: asked again",
    "going on to the end",
)  # fmt: skip
MADE = ("package", "questions", "CPU until one is scored", "made", "scored", "memory")


def asking(peer: Peer, found: dict[str, Any], number: int, connections: int) -> list[str]:
    """Return the row of a program about start, speed and overhead."""
    one, quiet = found["one"], found["quiet"]
    further = max(quiet["cpu"] - one["cpu"], 1e-9) / (number - 1)
    return [
        f"{peer.package} {peer.version()}",
        f"{found['startup']:.2f} s",
        f"{one['wall']:.1f} s, {one['cpu']:.1f} s of CPU",
        f"{further * 1000:.1f} ms",
        f"{1 / further:,.0f}/s",
        f"{quiet['wall']:.1f} s, {quiet['wall'] / (number / connections * LATENCY):.1f} times",
        f"{quiet['requests'] / quiet['seconds']:,.0f}/s" if quiet["seconds"] else "-",
        f"{quiet['memory']:,.0f} MB",
    ]


def ending(peer: Peer, found: dict[str, Any], number: int) -> list[str]:
    """Return the row of a program about faults and kills."""
    quiet, faulty, cut = found["quiet"], found["faulty"], found["killed"]
    lost = cut["requests"] - number  # what was under way is asked, and paid, twice, too
    failed = "" if not faulty["status"] else f", ends with status {faulty['status']}"
    short = "" if not cut["status"] and cut["questions"] == number else ", not finished"
    more = faulty["wall"] - quiet["wall"], faulty["cpu"] - quiet["cpu"]
    return [
        f"{peer.package} {peer.version()}",
        f"{faulty['questions']:,} of {number:,}{failed}",
        f"{more[0]:+.1f} s, {more[1]:+.1f} s of CPU",
        f"{lost:,}{short}",
        f"{cut['wall']:.1f} s, {cut['cpu']:.1f} s of CPU",
    ]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(each) + " |" for each in lines) + "\n"


def main() -> None:
    """Print the tables, or write them into a page between its marks."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--made", type=int, default=5_000)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--only", nargs="*", default=[*(each.package for each in PEERS), "making"])
    parser.add_argument("--programs", nargs="*", default=[], metavar="PACKAGE=FOLDER")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    given = parser.parse_args()
    folders = {name: Path(path).absolute() for name, path in (x.split("=") for x in given.programs)}
    begun, turn = os.getloadavg()[0], empty_turn()
    first, second, said, third = [], [], [], []
    for peer in PEERS:
        peer.programs = folders.get(peer.package, peer.programs)
        if peer.package not in given.only:
            continue
        if peer.version() is None:
            said.append(f"- {peer.package}: not installed.")
            continue
        found = measured(peer, given.questions, given.connections)
        first.append(asking(peer, found, given.questions, given.connections))
        second.append(ending(peer, found, given.questions))
        said.append(f"- {peer.package}: {peer.settings}.")
    for package, task in MAKING if "making" in given.only else ():
        programs = folders.get(package, Path(sys.executable).parent)
        if version(programs, package) is None:
            said.append(f"- {package}, `{task}`: not installed.")
            continue
        made = making(programs, package, task, given.made)
        rates = [f"{made[name]:,.0f}/s" for name in ("made", "scored")]
        shown = [f"{made['start']:.1f} s", *rates, f"{made['memory']:,.0f} MB"]
        third.append([package, f"`{task}`", *shown])
    text = (
        f"{given.questions:,} questions of `procbench/sort`, {given.connections} requests at once, "
        f"an endpoint that answers after {LATENCY} s; Python {platform.python_version()}, "
        f"{turn:.0f} ns a turn of an empty loop, {os.cpu_count()} cores with a load of "
        f"{begun:.1f} at the start and {os.getloadavg()[0]:.1f} at the end.\n"
    )
    parts = [text, table(ASKING, first), "\n".join(said) + "\n", table(ENDING, second)]
    if third:
        parts += [
            f"{given.made:,} questions, in one process each; rates are of CPU seconds:\n",
            table(MADE, third),
        ]
    whole_text = "\n".join(parts)
    if given.write is None:
        print(whole_text)
    else:
        page = given.write.read_text("utf-8")
        given.write.write_text(MARKS.sub(lambda _: f"\n{whole_text}\n", page), "utf-8")


if __name__ == "__main__":
    main()
