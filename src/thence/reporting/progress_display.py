"""Progress of long work: a bar on a terminal or in a notebook, else a line a minute.

Nothing is shown of work that takes less than two seconds. The work only leaves word of how far it
is; a thread looks at that now and then, so that a display costs the work next to nothing.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec

from thence.engine.run_progress import Progress
from thence.system.progress import watched

_MINUTE = 60.0
_REFRESH = 0.1  # seconds between two changes of the bar
_SHORT = 2.0  # seconds of work of which nothing is shown
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
    if progress.spending.cost:
        parts.append(f"{progress.spending.cost:,.2f} USD")
    parts.append(progress.waiting or f"{progress.limit:,} at once")
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
    if level <= QUIET:
        yield lambda _: None
        return
    latest: list[Progress] = []
    work = _Work()  # before the first request, samples are made

    def state() -> _State | None:
        if not latest:
            return work.state
        progress = latest[0]
        return _State(progress.done, progress.total, progress_line(progress))

    def show(progress: Progress) -> None:
        latest[:] = [progress]

    with watched(work), _shown(title, state, every):
        if level < VERBOSE:
            yield show
            return
        failures = _FailureLog()

        def both(progress: Progress) -> None:
            failures(progress)
            show(progress)

        yield both
        failures.end()


@contextmanager
def show_work(title: str, *, shown: bool = True, every: float = _MINUTE) -> Iterator[None]:
    """Context that shows on standard error how far the work within is.

    Args:
        title: the name of the work.
        shown: False to show nothing.
        every: seconds between two lines where standard error is no terminal.
    """
    if not shown:
        yield
        return
    work = _Work()
    with watched(work), _shown(title, lambda: work.state, every):
        yield


@dataclass(frozen=True)
class _State:
    """How far something is: how many of how many, and all of it in a line."""

    done: int
    total: int | None
    line: str


@dataclass
class _Work:
    """The latest word of some work, with the moment when this part of it began."""

    what: str = ""
    done: int = 0
    total: int | None = None
    begun: float = field(default_factory=time.monotonic)

    def __call__(self, what: str, done: int, total: int | None) -> None:
        if what != self.what or done < self.done:
            self.begun = time.monotonic()
        self.what, self.done, self.total = what, done, total

    @property
    def state(self) -> _State | None:
        what, done, total = self.what, self.done, self.total
        if not what:
            return None
        if total is None or done >= total:  # what comes behind the last one takes time, too
            return _State(done, None, f"{done:,} {what}")
        line = f"{done:,} of {total:,} {what}"
        if done:
            left = (time.monotonic() - self.begun) / done * (total - done)
            line += f", {duration(left)} left"
        return _State(done, total, line)


@contextmanager
def _shown(title: str, state: Callable[[], _State | None], every: float) -> Iterator[None]:
    """Context that shows how far some work is.

    Args:
        title: the name of the work.
        state: says how far it is; None where it has said nothing yet.
        every: seconds between two lines where standard error is no terminal.
    """
    if sys.stderr is None:
        yield
        return
    over = threading.Event()
    show = _show_bar if sys.stderr.isatty() or _in_notebook() else _print_lines

    def serve() -> None:
        with suppress(OSError, ValueError):  # the terminal may be gone
            show(title, state, over, every)

    thread = threading.Thread(target=serve, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _in_notebook() -> bool:
    """Return whether standard error is the output of a cell, where rich shows a bar."""
    if "IPython" not in sys.modules or find_spec("ipywidgets") is None:
        return False  # without its widgets, rich shows a warning and no bar
    from thence.reporting.printable_console import PrintableConsole

    return PrintableConsole(stderr=True).is_jupyter


def _show_bar(
    title: str, state: Callable[[], _State | None], over: threading.Event, every: float
) -> None:
    """Show a bar, once the work has taken a while, until it is over."""
    if over.wait(_SHORT):
        return
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn

    from thence.reporting.printable_console import PrintableConsole

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[line]}")
    console = PrintableConsole(stderr=True)
    # What the command writes to standard output goes there, and not to the bar's console.
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(escape(title), total=None, line="")
        while not over.wait(_REFRESH):
            if (now := state()) is not None:
                bar.update(task, total=now.total, completed=now.done, line=escape(now.line))


def _print_lines(
    title: str, state: Callable[[], _State | None], over: threading.Event, every: float
) -> None:
    """Print a line now and then until the work is over."""
    begun = time.monotonic()
    while not over.wait(every):
        now = state()
        line = now.line if now else f"working for {duration(time.monotonic() - begun)}"
        print(f"thence: {title}: {line}", file=sys.stderr, flush=True)


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
