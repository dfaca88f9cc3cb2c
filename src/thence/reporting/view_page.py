"""Answers to the requests of the page of `thence view`; nothing that it is asked changes a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from thence.analysis.standings import measures
from thence.analysis.summary import overview
from thence.core.results import Results
from thence.core.sample import Sample
from thence.engine.baseline_scores import MOST, baselines
from thence.errors import ParameterError, UsageError
from thence.reporting import failure_counts, markup
from thence.reporting.exhibit import Shown
from thence.reporting.local_server import Page
from thence.reporting.page import breakdowns, published, sections
from thence.reporting.page_answer import answer
from thence.reporting.page_comparisons import told
from thence.reporting.page_failures import ORDER
from thence.reporting.palette import Styles
from thence.reporting.run_page import facts, numbers, write_run_page
from thence.reporting.sample_view import ScoredReply, reply_row, sample_row
from thence.reporting.view_queries import Query
from thence.reporting.view_session import Session
from thence.system.version import VERSION

TITLE = "Runs"
_SCRIPTS = ("page.js", "samples.js", "view.js")
_MOST_DIGITS = 9  # of a number in a path


class Viewer:
    """Answers to requests about the runs of a session.

    Args:
        session: the runs.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._styles = Styles(session.names)
        self._work = Lock()  # the figures of all runs are worked out once at a time
        self._sections: tuple[int, dict[str, Any]] | None = None

    def __call__(self, path: str, body: Mapping[str, Any] | None) -> Page | Any:
        """Return what a path names: a page, or a JSON value.

        Raises:
            LookupError: nothing.
            UsageError: the request is not one that the page makes.
        """
        kind, _, rest = path.partition("/")
        if body is None:
            if not path:
                return self._page()
            if path == "state":
                self._session.refresh()
                return self._session.state()
            if path == "choices":
                queries = self._session.queries()
                return {"runs": self._session.names, "all": len(queries), **queries.choices()}
            if kind == "reply":
                return self._reply(*_whole(rest, 4))
            if kind == "report":
                return self._report(_whole(rest))
        else:
            made = {"rows": self._rows, "locate": self._locate, "compare": self._compare,
                    "sections": self._figures}.get(path)  # fmt: skip
            if made is not None:
                return made(body)
        raise LookupError(path)

    def _page(self) -> Page:
        more = "connect-src 'self'; frame-ancestors 'none'; "
        html, policy = markup.rendered(
            "view.jinja", self._styles, _SCRIPTS, more, title=TITLE, names=self._session.names
        )
        return Page(html, policy)

    def _rows(self, body: Mapping[str, Any]) -> dict[str, Any]:
        start, count = (body.get(name, 0) for name in ("start", "count"))
        if any(type(each) is not int or each < 0 for each in (start, count)):
            raise UsageError("the request is not one that the page makes")
        asked = Query.of(body, len(self._session.names))
        queries = self._session.queries()
        found = queries.find(asked, start, count)
        return found if start else {**found, "shares": queries.by_run(asked)}

    def _locate(self, body: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the row of a reply; of another reply to the question where it is gone."""
        return self._session.queries().locate(str(body.get("sample")), str(body.get("n")))

    def _reply(self, number: int, sample: int, epoch: int, turn: int) -> dict[str, Any]:
        run = self._session.run(number)
        if sample >= run.index.samples.height:
            raise LookupError(sample)
        whole, held = run.sample(sample), run.responses(sample)
        for scored in run.scored(sample):
            if (scored.epoch, scored.turn) == (epoch, turn):
                reply = ScoredReply(
                    number,
                    scored,
                    lambda row: (whole, held.get((row.epoch, row.turn))),
                    lambda row, of: run.sent(of, row.epoch, row.turn, held),
                )
                return {
                    "sample": sample_row(whole),
                    "reply": reply_row(reply, whole, held.get((epoch, turn))),
                    "same": self._session.queries().alike(number, sample),
                }
        raise LookupError(sample)

    def _compare(self, body: Mapping[str, Any]) -> dict[str, str]:
        pair = [body.get(name) for name in ("first", "second")]
        first, second = (
            self._session.results(each) if type(each) is int else _absent() for each in pair
        )
        if first is second:
            raise UsageError("choose two different runs")
        found = told(first, second)
        return {"html": str(markup.macros(self._styles).comparison(found)), "title": found.title}

    def _figures(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the first section of the page and those with figures, as the report has them."""
        with self._work:
            version = self._session.version
            if self._sections is None or self._sections[0] != version:
                self._sections = version, self._worked_out()
            return {"version": version, **self._sections[1]}

    def _worked_out(self) -> dict[str, Any]:
        session, names = self._session, self._session.names
        ready = session.ready
        results = [
            session.results(place) if place in ready else Results(name, str(path))
            for place, (name, path) in enumerate(zip(names, session.paths, strict=True))
        ]
        views = [overview(each) for each in results]
        shown = Shown(
            names, results, views, [self._failure_counts(place) for place in range(len(names))],
            measures(results, views), self._styles,
            [
                numbers(session.run(place).directory.information(), each) if place in ready else {}
                for place, each in enumerate(results)
            ],
        )  # fmt: skip
        made = sections(shown) if shown.measures else []
        beside = [
            (baseline.model, overview(baseline, groups=False))
            for baseline in baselines(self._first_samples())
            if baseline.model not in names
        ]
        head, macros = answer(shown, beside), markup.macros(self._styles)
        every = [*zip(names, views, strict=True), *beside]
        families = breakdowns(shown, every)
        parts = [(each.name, each.title, macros.whole(each, families, {}, ORDER)) for each in made]
        if papers := published(shown, every):
            parts.append(("published", "As published", macros.published(papers, families)))
        parts.append(("method", "Method", self._method(macros, families, MOST if beside else 0)))
        return {
            "sentences": head.sentences,
            "answer": str(macros.matrix(head, len(names))) if head.measures else "",
            "sections": [
                {"name": name, "title": title, "html": str(html)} for name, title, html in parts
            ],
        }

    def _method(self, macros: Any, families: Sequence[Mapping[str, Any]], most: int) -> str:
        """Return the section on how runs were asked and figures worked out."""
        told = []
        for place, name in enumerate(self._session.names):
            held: dict[str, str] = {}
            if place in self._session.ready:
                run = self._session.run(place)
                rows = run.index.rows
                seeds = set(rows["_seed"].drop_nulls().unique())
                held = facts(run.directory.information(), rows.height, seeds)
            told.append((name, {"facts": held}))
        labels = list(dict.fromkeys(label for _, each in told for label in each["facts"]))
        return str(macros.method(told, labels, families, most, VERSION))

    def _failure_counts(self, number: int) -> failure_counts.CountsByTask:
        if number not in self._session.ready:
            return {}
        run = self._session.run(number)
        return failure_counts.of_index(run.index.rows, run.turns)

    def _first_samples(self) -> Iterator[Sample]:
        """Yield the first samples of each task over all runs, each once, for the baselines."""
        seen: set[str] = set()
        for place in self._session.ready:
            run = self._session.run(place)
            first = run.index.rows.select("task", "id", "_s").unique("id", maintain_order=True)
            for _, name, number in first.group_by("task").head(MOST).iter_rows():
                if name not in seen:
                    seen.add(name)
                    yield run.sample(number)

    def _report(self, chosen: Sequence[int]) -> Page:
        """Return the page that `thence report` writes of some runs."""
        paths = self._session.paths
        if not chosen or any(each >= len(paths) for each in chosen):
            raise LookupError(chosen)
        with TemporaryDirectory() as folder:
            page = Path(folder) / "report.html"
            write_run_page([paths[each] for each in dict.fromkeys(chosen)], page)
            html = page.read_text(encoding="utf-8", errors="replace")
        return Page(html, "frame-ancestors 'none'")  # its own policy is in it


def _whole(text: str, count: int | None = None) -> list[int]:
    """Return the numbers of a path.

    Raises:
        LookupError: it has others, or more or fewer than ``count``.
    """
    parts = text.split("/" if count else ".")
    if (count and len(parts) != count) or not all(
        each.isascii() and each.isdigit() and len(each) <= _MOST_DIGITS for each in parts
    ):
        raise LookupError(text)
    return [int(each) for each in parts]


def _absent() -> Results:
    raise ParameterError("runs", None, "choose two runs")
