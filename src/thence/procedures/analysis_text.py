"""Text of an analysis, as the command prints it: steps, times, findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from thence.core.failures import plural
from thence.core.graph import members
from thence.core.procedure import Taken
from thence.dataflow import START, Flow, conflicts
from thence.dataflow.analyses.concurrency import companions
from thence.dataflow.choices import TooManyOptions
from thence.dataflow.graphs import entity_edges
from thence.dataflow.sentences import where
from thence.procedures.document import Document
from thence.procedures.finding import Finding
from thence.procedures.schedule import Bounds, Schedule

_MOST = 12  # steps that are listed in one line
_AROUND = 60  # characters of a line that are shown on either side of a fault
_UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def page(document: Document, schedule: Schedule | TooManyOptions) -> Iterator[str]:
    """Yield lines: each step, its prerequisites and its parallel steps; then the critical path.

    Args:
        document: the procedure.
        schedule: its schedule, or the reason why there is none.
    """
    flow = document.flow
    yield flow.procedure.goal
    yield (f"{document.path}: " if document.path else "") + summary(document)
    for choice in flow.procedure.choices:
        yield f"choice {choice.name}: {', '.join(choice.options)}"
    yield ""
    waits, together = prerequisites(flow), parallel_steps(flow)
    for k, step in enumerate(flow.steps):
        name = document.names[k]
        yield f"{k + 1:4}  {step.text}{f' ({name})' if name not in {'', step.text} else ''}"
        if when := flow.steps[k].when:
            yield f"        only where    {options(when)}"
        if waits[k]:
            yield f"        waits for     {waits[k]}"
        if together[k]:
            yield f"        together with {together[k]}"
    yield ""
    yield from times(schedule, len(flow))


def summary(document: Document) -> str:
    """Return the size of a procedure and the origin of its order."""
    flow = document.flow
    counts = [plural(len(flow), "step"), plural(len(flow.facts), "fact")]
    if count := len(flow.procedure.choices):
        counts.append(plural(count, "choice"))
    return f"{', '.join(counts)}; order: {document.order}"


def prerequisites(flow: Flow) -> list[str]:
    """Return for each step the steps whose facts it needs, and others right before it."""
    needs: list[dict[int, list[str]]] = [{} for _ in flow.steps]
    for edge in entity_edges(flow):
        if edge.source != START and flow.precedes(edge.source, edge.target):
            needs[edge.target].setdefault(edge.source, []).append(edge.fact)
    found = []
    for k, step in enumerate(flow.steps):
        reasons = {source: _few(facts) for source, facts in needs[k].items()}
        for source in _right_before(flow, k):
            if source not in reasons:
                clash = conflicts(flow.steps[source], step)
                reasons[source] = (
                    f"{clash[0].first.value} {clash[0].fact}" if clash else "as stated"
                )
        found.append(_few([f"{source + 1} ({reasons[source]})" for source in sorted(reasons)]))
    return found


def _right_before(flow: Flow, step: int) -> list[int]:
    """Return the steps right before a step; of one that excludes it, those before that one."""
    if flow.choices is None:
        return [*flow.graph.predecessors[step]]
    found: dict[int, None] = {}
    waiting, seen = list(flow.graph.predecessors[step]), set[int]()
    along = flow.alongside(step)
    while waiting:
        before = waiting.pop()
        if along >> before & 1:
            found[before] = None
        elif before not in seen:
            seen.add(before)
            waiting += flow.graph.predecessors[before]
    return list(found)


def parallel_steps(flow: Flow) -> list[str]:
    """Return for each step the numbers of the steps that can go on at the same time."""
    found = [""] * len(flow)
    for k, others in companions(flow):
        names = [str(each + 1) for each in islice(members(others), _MOST)]
        found[k] = _few(names, others.bit_count())
    return found


def times(schedule: Schedule | TooManyOptions, steps: int) -> Iterator[str]:
    """Yield the critical path and how long it takes."""
    if isinstance(schedule, TooManyOptions):
        yield f"critical path: not looked for ({schedule})"
        return
    if not schedule.critical:
        yield "critical path: none, as no step can be carried out"
        return
    path = " -> ".join(str(step + 1) for step in schedule.critical)
    if schedule.seconds is None or schedule.alone is None:
        yield f"critical path: {path}, {len(schedule.critical)} of {steps} steps (no durations)"
        yield from _slowest(schedule)
        return
    saved = f"one step after the other takes {span(schedule.alone)}"
    yield f"critical path: {path}, {span(schedule.seconds)}; {saved}"
    yield from _slowest(schedule)
    if schedule.untimed:
        names = _few([str(step + 1) for step in schedule.untimed])
        yield f"without a duration, counted as none: {names}"


def _slowest(schedule: Schedule) -> Iterator[str]:
    if schedule.options:
        others = "" if schedule.seconds is None else "; times are those of all options"
        yield f"that is {where(schedule.options)}{others}"


def _few(names: Sequence[str], count: int | None = None) -> str:
    """Return the first of some names, and the number of those left out."""
    more = (len(names) if count is None else count) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {more} more" if more > 0 else "")


def options(when: Sequence[Taken]) -> str:
    """Return the options on which a step depends, such as ``bridge: open and boat: 1``."""
    return " and ".join(f"{choice}: {option}" for choice, option in when)


def span(seconds: Bounds) -> str:
    """Return the bounds of a duration in words, such as ``5 min to 1 h``."""
    low, high = (_time(each) for each in seconds)
    return low if low == high else f"{low} to {high}"


def _time(seconds: float) -> str:
    """Return a duration such as ``1 h 5 min``, or ``0.4 s``."""
    if 0 < seconds < 1:
        return f"{seconds:.2g} s"
    left, parts = round(seconds), []
    for size, unit in _UNITS:
        if left >= size:
            parts.append(f"{left // size} {unit}")
            left %= size
    return " ".join(parts) or "0 s"


def diagnostic(document: Document, finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield the lines of a finding, each with its kind: head, source or note."""
    head = f"{finding.severity}[{finding.rule}]: {finding.message}"
    if finding.mark is None:
        yield "head", head
        margin = " "
    else:
        line, column, width = finding.mark
        yield "head", f"{document.path}:{line}:{column}: {head}"
        margin = " " * (len(str(line)) + 1)
        text, marker = _excerpt(document, column, width, line)
        yield "source", f" {line} | {text}"
        yield "source", f"{margin} | {marker}"
    yield "note", f"{margin} = cause: {finding.cause}"
    yield "note", f"{margin} = help: {finding.suggestion}"


def _excerpt(document: Document, column: int, width: int, line: int) -> tuple[str, str]:
    """Return a part of a line, and carets under the fault."""
    text = document.lines[line - 1].rstrip("\r") if line <= len(document.lines) else ""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    place = column - 1
    cut = max(0, place - _AROUND)
    width = max(1, min(width, len(shown) - place, 2 * _AROUND))
    before, after = "..." * (cut > 0), "..." * (len(shown) > place + width + _AROUND)
    excerpt = f"{before}{shown[cut : place + width + _AROUND]}{after}"
    return excerpt, " " * (len(before) + place - cut) + "^" * width


def count_findings(found: Sequence[Finding]) -> str:
    """Return how many errors and warnings there are, in words."""
    errors = sum(finding.is_error for finding in found)
    counts = [(errors, "error"), (len(found) - errors, "warning")]
    words = [plural(number, noun) for number, noun in counts if number]
    return ", ".join(words) or "nothing found"
