"""What there is to say about a procedure, as text for people and as an object for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from thence.core.graph import members
from thence.dataflow import ANALYSES, entity_flow_graph, step_dependency_graph
from thence.dataflow._flow import START, Flow
from thence.dataflow._graphs import conflicts, flows
from thence.dataflow.concurrency import companions
from thence.dataflow.review._form import Form
from thence.dataflow.review._lints import Finding
from thence.dataflow.review._schedule import Bounds, schedule

_MOST = 12  # steps that are listed in one line
_AROUND = 60  # characters of a line that are shown on either side of what is meant
_UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def page(form: Form) -> Iterator[str]:
    """Lines: each step with what it waits for and what may go on beside it; the critical path."""
    flow = form.flow
    steps = f"{len(flow)} step{'s' if len(flow) != 1 else ''}"
    facts = f"{len(flow.facts)} fact{'s' if len(flow.facts) != 1 else ''}"
    yield flow.procedure.goal
    yield f"{form.path}: {steps}, {facts}; order: {form.order}"
    yield ""
    beside = dict(companions(flow))
    waits = _waits(flow)
    for k, step in enumerate(flow.steps):
        name = form.names[k]
        yield f"{k + 1:4}  {step.text}{f' ({name})' if name not in {'', step.text} else ''}"
        if waits[k]:
            yield f"        waits for     {_few(waits[k])}"
        if k in beside:
            names = [str(each + 1) for each in islice(members(beside[k]), _MOST)]
            yield f"        together with {_few(names, beside[k].bit_count())}"
    yield ""
    yield from _times(flow)


def _few(names: Sequence[str], count: int | None = None) -> str:
    """The first of some names, and how many more there are."""
    more = (len(names) if count is None else count) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {more} more" if more > 0 else "")


def _waits(flow: Flow) -> list[list[str]]:
    """For each step the steps that it needs something from, and others right before it."""
    needs: list[dict[int, list[str]]] = [{} for _ in flow.steps]
    for edge in flows(flow):
        if edge.source != START and flow.precedes(edge.source, edge.target):
            needs[edge.target].setdefault(edge.source, []).append(edge.fact)
    told = []
    for k, step in enumerate(flow.steps):
        reasons = {source: _few(facts) for source, facts in needs[k].items()}
        for source in flow.graph.predecessors[k]:
            if source not in reasons:
                found = conflicts(flow.steps[source], step)
                reasons[source] = (
                    f"{found[0].first.value} {found[0].fact}" if found else "as stated"
                )
        told.append([f"{source + 1} ({reasons[source]})" for source in sorted(reasons)])
    return told


def _times(flow: Flow) -> Iterator[str]:
    found = schedule(flow)
    path = " -> ".join(str(step + 1) for step in found.critical)
    if found.seconds is None or found.alone is None:
        yield f"critical path: {path}, {len(found.critical)} of {len(flow)} steps (no durations)"
        return
    saved = f"one step after the other takes {_span(found.alone)}"
    yield f"critical path: {path}, {_span(found.seconds)}; {saved}"
    if found.untimed:
        names = _few([str(step + 1) for step in found.untimed])
        yield f"without a duration, counted as none: {names}"


def _span(seconds: Bounds) -> str:
    low, high = (_time(each) for each in seconds)
    return low if low == high else f"{low} to {high}"


def _time(seconds: float) -> str:
    """Such as ``1 h 5 min``."""
    left, parts = round(seconds), []
    for size, unit in _UNITS:
        if left >= size:
            parts.append(f"{left // size} {unit}")
            left %= size
    return " ".join(parts) or "0 s"


def diagnostic(form: Form, finding: Finding) -> Iterator[tuple[str, str]]:
    """The lines of a finding, each with what it is: head, source or note."""
    line, column, width = finding.mark
    head = f"{form.path}:{line}:{column}: {finding.severity}[{finding.rule}]: {finding.message}"
    yield "head", head
    text = form.lines[line - 1].rstrip("\r") if line <= len(form.lines) else ""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    margin, place = " " * len(str(line)), column - 1
    cut = max(0, place - _AROUND)
    width = max(1, min(width, len(shown) - place, 2 * _AROUND))
    before, after = "..." * (cut > 0), "..." * (len(shown) > place + width + _AROUND)
    yield "source", f" {line} | {before}{shown[cut : place + width + _AROUND]}{after}"
    yield "source", f" {margin} | {' ' * (len(before) + place - cut)}{'^' * width}"
    yield "note", f" {margin} = cause: {finding.cause}"
    yield "note", f" {margin} = help: {finding.suggestion}"


def to_json(form: Form, found: Sequence[Finding]) -> dict[str, Any]:
    """All of it, ready for JSON; steps from 0."""
    flow = form.flow
    times = schedule(flow)
    return {
        "file": str(form.path),
        "procedure": flow.procedure.to_json(),
        "names": form.names,
        "step_dependency_graph": step_dependency_graph(flow).to_json(),
        "entity_flow_graph": entity_flow_graph(flow).to_json(),
        "parallel": [[row.i, row.j] for row in ANALYSES["concurrency"].solution(flow)],
        "critical_path": {
            "steps": list(times.critical),
            "seconds": _listed(times.seconds),
            "one_after_the_other": _listed(times.alone),
            "begins": [list(each) for each in times.begins] if times.seconds else None,
            "untimed": list(times.untimed),
        },
        "analyses": {
            name: [
                {
                    "i": row.i,
                    "j": row.j,
                    "fact": row.fact,
                }
                for row in each.solution(flow)
            ]
            for name, each in ANALYSES.items()
        },
        "findings": [finding.to_json() for finding in found],
    }


def _listed(bounds: Bounds | None) -> list[float] | None:
    return None if bounds is None else list(bounds)
