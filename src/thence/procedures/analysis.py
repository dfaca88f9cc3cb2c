"""Analysis of a user's procedure: dependencies, schedule, findings, drawings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from thence.core.procedure import Pair, Procedure
from thence.dataflow import (
    ANALYSES,
    EntityFlowGraph,
    StepDependencyGraph,
    entity_flow_graph,
    step_dependency_graph,
    to_dot,
    to_mermaid,
)
from thence.dataflow.choices import TooManyOptions
from thence.dataflow.sentences import depends
from thence.errors import ParameterError
from thence.procedures import analysis_text
from thence.procedures.document import Document, read_document
from thence.procedures.finding import Finding
from thence.procedures.lints import findings
from thence.procedures.schedule import Bounds, Schedule, schedule

GraphName = Literal["both", "steps", "entities"]


def analyze(procedure: Procedure | Path | str) -> Analysis:
    """Return the analysis of a procedure: its dependencies, schedule, findings and drawings.

    Args:
        procedure: a `Procedure`, or the path of a YAML file that holds one; ``-`` is standard
            input.

    Returns:
        An `Analysis`, each part of which is computed when it is first read.

    Raises:
        ParameterError: it is neither a procedure nor a path, or has no steps, an order of other
            steps or a time that is none.
        FileError: the file cannot be read, or is not a procedure; says where and what.
        CyclicOrder: the procedure cannot be executed.

    Example:
        >>> from pathlib import Path
        >>> import thence
        >>> _ = Path("tea.yaml").write_text('''
        ... goal: Serve tea
        ... steps:
        ...   - text: Boil the water.
        ...     defines: [hot water]
        ...   - text: Pour it over the leaves.
        ...     uses: [hot water]
        ... ''')
        >>> thence.analyze("tea.yaml").critical_path
        (0, 1)
    """
    if isinstance(procedure, Procedure):
        return Analysis(Document.of(procedure))
    given: object = procedure
    if not isinstance(given, str | PathLike):
        raise ParameterError("procedure", repr(given), "must be a Procedure or the path of a file")
    return Analysis(read_document(Path(procedure)))


class Analysis:
    """Analysis of one procedure; each part is computed when it is first read. Steps count from 0.

    Attributes:
        document: the procedure and the places of its parts in its file.
    """

    def __init__(self, document: Document) -> None:
        self.document = document

    @property
    def procedure(self) -> Procedure:
        """The procedure, its order transitively reduced."""
        return self.document.flow.procedure

    @cached_property
    def findings(self) -> list[Finding]:
        """The defects, in the order of the file; empty where there are none."""
        return findings(self.document)

    @cached_property
    def dependencies(self) -> StepDependencyGraph:
        """The graph of the steps that depend on one another, and why."""
        return step_dependency_graph(self.document.flow)

    @cached_property
    def entity_flow(self) -> EntityFlowGraph:
        """The graph of the facts that steps create, modify and consume."""
        return entity_flow_graph(self.document.flow)

    @cached_property
    def parallel(self) -> list[Pair]:
        """The pairs of steps that can go on at the same time."""
        solved = ANALYSES["concurrency"].solution(self.document.flow)
        return [(row.i, row.j) for row in solved if row.i is not None and row.j is not None]

    @property
    def schedule(self) -> Schedule:
        """The earliest schedule.

        Raises:
            TooManyOptions: there are too many combinations of options to look at.
        """
        if isinstance(self._schedule, TooManyOptions):
            raise self._schedule
        return self._schedule

    @cached_property
    def _schedule(self) -> Schedule | TooManyOptions:
        try:
            return schedule(self.document.flow)
        except TooManyOptions as error:
            return error

    @property
    def critical_path(self) -> tuple[int, ...]:
        """The steps of the longest chain: a delay of any of them delays the end."""
        return self.schedule.critical

    def lines(self) -> Iterator[str]:
        """Yield the page that the command prints, without the findings."""
        return analysis_text.page(self.document, self._schedule)

    def diagnostics(self) -> Iterator[list[tuple[str, str]]]:
        """Yield for each finding its lines, each with its kind: head, source or note."""
        for finding in self.findings:
            yield list(analysis_text.diagnostic(self.document, finding))

    def to_json(self) -> dict[str, Any]:
        """Return the whole analysis ready for JSON."""
        document = self.document
        return {
            "file": str(document.path) if document.path else None,
            "procedure": self.procedure.to_json(),
            "names": document.names,
            "step_dependency_graph": self.dependencies.to_json(),
            "entity_flow_graph": self.entity_flow.to_json(),
            "parallel": [list(pair) for pair in self.parallel],
            "critical_path": _times(self._schedule),
            "analyses": {
                name: [
                    {"i": row.i, "j": row.j, "fact": row.fact}
                    for row in each.solution(document.flow)
                ]
                for name, each in ANALYSES.items()
            },
            "findings": [finding.to_json() for finding in self.findings],
        }

    def mermaid(self, graph: GraphName = "both") -> str:
        """Return the graphs in Mermaid's language."""
        return to_mermaid(*self._graphs(graph))

    def dot(self, graph: GraphName = "both") -> str:
        """Return the graphs in Graphviz's language."""
        return to_dot(*self._graphs(graph))

    def _graphs(self, graph: GraphName) -> list[StepDependencyGraph | EntityFlowGraph]:
        chosen: list[StepDependencyGraph | EntityFlowGraph] = []
        if graph != "entities":
            chosen.append(self.dependencies)
        if graph != "steps":
            chosen.append(self.entity_flow)
        return chosen

    def __str__(self) -> str:
        notes = [line for lines in self.diagnostics() for _, line in (*lines, ("", ""))]
        return "\n".join([*self.lines(), "", *notes, analysis_text.count_findings(self.findings)])

    def __repr__(self) -> str:
        held = analysis_text.summary(self.document)
        found = analysis_text.count_findings(self.findings)
        return f"<Analysis of {self.procedure.goal!r}: {held}; {found}>"

    def _repr_html_(self) -> str:
        """Return a table of the steps and a list of the findings, for notebooks."""
        flow, times = self.document.flow, self._schedule
        critical = () if isinstance(times, TooManyOptions) else times.critical
        waits, together = analysis_text.prerequisites(flow), analysis_text.parallel_steps(flow)
        rows = []
        for k, step in enumerate(flow.steps):
            text = escape(step.text + depends(step.when))
            text = f"<b>{text}</b>" if k in critical else text
            cells = (str(k + 1), text, escape(waits[k]), together[k])
            rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
        heads = "".join(f"<th>{name}</th>" for name in ("", "step", "waits for", "together with"))
        found = "".join(
            f"<li><b>{each.severity}[{each.rule}]</b> {escape(each.message)}: "
            f"{escape(each.cause)}. {escape(each.suggestion)}</li>"
            for each in self.findings
        )
        lines = "<br>".join(map(escape, analysis_text.times(times, len(flow))))
        return (
            f"<p><b>{escape(self.procedure.goal)}</b><br>{escape(analysis_text.summary(self.document))}</p>"
            f"<table><tr>{heads}</tr>{''.join(rows)}</table><p>{lines}</p>"
            f"<p>{analysis_text.count_findings(self.findings)}</p><ul>{found}</ul>"
        )


def _times(times: Schedule | TooManyOptions) -> dict[str, Any] | None:
    """Return a schedule ready for JSON; None where there is none."""
    if isinstance(times, TooManyOptions):
        return None
    row: dict[str, Any] = {
        "steps": list(times.critical),
        "seconds": _listed(times.seconds),
        "one_after_the_other": _listed(times.alone),
        "begins": [list(each) for each in times.begins] if times.seconds else None,
        "untimed": list(times.untimed),
    }
    return row | ({"options": times.options} if times.options else {})


def _listed(bounds: Bounds | None) -> list[float] | None:
    return None if bounds is None else list(bounds)
