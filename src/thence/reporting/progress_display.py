"""The display while a run is under way: a bar on a terminal, else a line a minute."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from thence.engine.run_progress import Progress as Done

_MINUTE = 60.0
_OFTEN = 0.1  # seconds between two changes of the bar
QUIET, NORMAL, VERBOSE = -1, 0, 1


def duration(seconds: float) -> str:
    """A time as a person would say it: ``45 s``, ``3 min 20 s``, ``2 h 5 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest and minutes < 10 else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{hours / 24:.0f} days"


def kinds(counts: Counter[str]) -> str:
    """Counts by kind in words, the commonest first."""
    return ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common())


def line(done: Done) -> str:
    """One line on how far a run is."""
    parts = [f"{done.done:,} of {done.total:,} done"]
    if done.reused:
        parts[0] += f" ({done.reused:,} from disk)"
    parts.append(f"{done.rate:,.1f}/s" if done.rate < 10 else f"{done.rate:,.0f}/s")
    if done.left is not None:
        parts.append(f"{duration(done.left)} left" if done.done < done.total else "scoring")
    if done.errors:
        parts.append(f"errors: {kinds(done.errors)}")
    if done.repeated:
        parts.append(f"tried again: {kinds(done.repeated)}")
    if done.cost:
        parts.append(f"{done.cost:,.2f} USD")
    parts.append(f"{done.limit:,} at once")
    return ", ".join(parts)


@contextmanager
def watching(
    title: str, level: int = NORMAL, every: float = _MINUTE
) -> Iterator[Callable[[Done], None]]:
    """Shows a run's progress on standard error.

    Args:
        title: what runs.
        level: QUIET shows nothing; VERBOSE also says what goes wrong when it first does.
        every: seconds between two lines where standard error is no terminal.
    """
    if level <= QUIET or sys.stderr is None:
        yield lambda _: None
        return
    show = _bar(title) if sys.stderr.isatty() else _lines(every)
    with show as shown:
        if level < VERBOSE:
            yield shown
            return
        told = _Telling()

        def both(done: Done) -> None:
            told(done)
            shown(done)

        yield both
        told.end()


@contextmanager
def _bar(title: str) -> Iterator[Callable[[Done], None]]:
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}", style="dim"),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(escape(title), total=None, note="")
        latest = 0.0

        def show(done: Done) -> None:
            nonlocal latest
            now = time.monotonic()
            if now - latest < _OFTEN and done.done < done.total:
                return
            latest = now
            note = line(done).partition(", ")[2]
            bar.update(task, total=done.total, completed=done.done, note=escape(note))

        yield show


@contextmanager
def _lines(every: float) -> Iterator[Callable[[Done], None]]:
    latest: list[Done] = []
    over = threading.Event()

    def tell() -> None:
        while not over.wait(every):
            if latest:
                print(f"thence: {line(latest[0])}", file=sys.stderr, flush=True)

    def show(done: Done) -> None:
        if not latest:
            latest.append(done)

    teller = threading.Thread(target=tell, name="progress", daemon=True)
    teller.start()
    try:
        yield show
    finally:
        over.set()
        teller.join()


class _Telling:
    """Says each kind of failure when it first happens, and in the end how all went."""

    def __init__(self) -> None:
        self._told: set[str] = set()
        self._latest: Done | None = None
        self._begun = time.monotonic()

    def __call__(self, done: Done) -> None:
        self._latest = done
        for kind in (*done.repeated, *done.errors):
            if kind not in self._told:
                self._told.add(kind)
                print(f"thence: {kind}: {done.said.get(kind, '')}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """How all went."""
        done = self._latest
        if done is None:
            return
        again = f", {done.repeated.total():,} attempts repeated ({kinds(done.repeated)})"
        seconds = max(1e-9, time.monotonic() - self._begun)
        print(
            f"thence: {done.asked:,} requests in {duration(seconds)}, "
            f"{done.asked / seconds:,.1f}/s{again if done.repeated else ''}",
            file=sys.stderr,
            flush=True,
        )
