"""Progress of a run on standard error: a bar on a terminal, else a line a minute."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as ProgressBar

from thence.engine.run_progress import Progress
from thence.reporting.printable_console import PrintableConsole

_MINUTE = 60.0
_REFRESH = 0.1  # least seconds between two changes of the bar
QUIET, NORMAL, VERBOSE = -1, 0, 1


def duration(seconds: float) -> str:
    """Return a time in words: ``45 s``, ``3 min 20 s``, ``2 h 5 min``."""
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
    """Return counts by kind in words, the commonest first."""
    return ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common())


def progress_line(progress: Progress) -> str:
    """Return one line on the progress of a run."""
    parts = [f"{progress.done:,} of {progress.total:,} done"]
    if progress.reused:
        parts[0] += f" ({progress.reused:,} from disk)"
    parts.append(f"{progress.rate:,.1f}/s" if progress.rate < 10 else f"{progress.rate:,.0f}/s")
    if progress.left is not None:
        parts.append(
            f"{duration(progress.left)} left" if progress.done < progress.total else "scoring"
        )
    if progress.errors:
        parts.append(f"errors: {kinds(progress.errors)}")
    if progress.repeated:
        parts.append(f"tried again: {kinds(progress.repeated)}")
    if progress.cost:
        parts.append(f"{progress.cost:,.2f} USD")
    parts.append(f"{progress.limit:,} at once")
    return ", ".join(parts)


@contextmanager
def show_progress(
    title: str, level: int = NORMAL, every: float = _MINUTE
) -> Iterator[Callable[[Progress], None]]:
    """Context that shows a run's progress on standard error.

    Args:
        title: the name of the run.
        level: QUIET shows nothing; VERBOSE also shows the first failure of each kind.
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
        failures = _FailureLog()

        def both(progress: Progress) -> None:
            failures(progress)
            shown(progress)

        yield both
        failures.end()


@contextmanager
def _bar(title: str) -> Iterator[Callable[[Progress], None]]:
    bar = ProgressBar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}", style="dim"),
        console=PrintableConsole(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(escape(title), total=None, note="")
        latest = 0.0

        def show(progress: Progress) -> None:
            nonlocal latest
            now = time.monotonic()
            if now - latest < _REFRESH and progress.done < progress.total:
                return
            latest = now
            note = progress_line(progress).partition(", ")[2]
            bar.update(task, total=progress.total, completed=progress.done, note=escape(note))

        yield show


@contextmanager
def _lines(every: float) -> Iterator[Callable[[Progress], None]]:
    latest: list[Progress] = []
    over = threading.Event()

    def tell() -> None:
        while not over.wait(every):
            if latest:
                print(f"thence: {progress_line(latest[0])}", file=sys.stderr, flush=True)

    def show(progress: Progress) -> None:
        if not latest:
            latest.append(progress)

    teller = threading.Thread(target=tell, name="progress", daemon=True)
    teller.start()
    try:
        yield show
    finally:
        over.set()
        teller.join()


class _FailureLog:
    """Log of the first failure of each kind, and of the rate of requests at the end."""

    def __init__(self) -> None:
        self._logged: set[str] = set()
        self._latest: Progress | None = None
        self._begun = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        self._latest = progress
        for kind in (*progress.repeated, *progress.errors):
            if kind not in self._logged:
                self._logged.add(kind)
                print(f"thence: {kind}: {progress.said.get(kind, '')}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Print the number of requests, their rate and the repeated attempts."""
        progress = self._latest
        if progress is None:
            return
        again = f", {progress.repeated.total():,} attempts repeated ({kinds(progress.repeated)})"
        seconds = max(1e-9, time.monotonic() - self._begun)
        print(
            f"thence: {progress.asked:,} requests in {duration(seconds)}, "
            f"{progress.asked / seconds:,.1f}/s{again if progress.repeated else ''}",
            file=sys.stderr,
            flush=True,
        )
