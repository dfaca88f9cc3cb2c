"""Looking at results: comparison, report, audit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from thence import families
from thence.analysis.comparison import Comparison
from thence.analysis.comparison import compare as compare_results
from thence.api.given import path_of, paths_of, short, text_of
from thence.api.runs import Run
from thence.api.scores import Scores
from thence.core.audit import Audit
from thence.core.registry import nearest
from thence.errors import ParameterError, UsageError


def compare(first: Scores, second: Scores) -> Comparison:
    """Compare two models on the questions that both answered, question by question.

    Intervals of two models may overlap although one is clearly better, as both were asked the same
    questions; so differences are taken on each question first. Twins of the same graphs are paired
    by ``metadata["pair"]``.

    Args:
        first: scores of one model, such as ``run.scores()``.
        second: scores of the other.

    Returns:
        A `Comparison`: ``words`` in sentences, ``frame`` with a row a task, ``to_json()``.

    Raises:
        ParameterError: the scores are of several models.
        UsageError: no question was answered by both.

    Example:
        >>> import thence
        >>> asked = thence.generate("procbench/sort", size=24)
        >>> right = {sample.id: thence.answer(sample) for sample in asked}
        >>> found = thence.compare(
        ...     thence.score(asked, right), thence.score(asked, dict.fromkeys(right, "?"))
        ... )
        >>> found.frame["difference"].to_list()
        [-1.0]
    """
    for name, held in (("first", first), ("second", second)):
        if not isinstance(held, Scores):
            raise ParameterError(name, short(held), "must be Scores; give run.scores()")
        if len(held.results) != 1:
            raise ParameterError(name, len(held.results), "must be the scores of one model")
    with families.using(first.own), families.using(second.own):
        return compare_results(first.results[0], second.results[0])


def report(
    runs: Run | str | Path | Iterable[Run | str | Path],
    path: str | Path,
    *,
    title: str | None = None,
    figures: str | Path | None = None,
    overwrite: bool = False,
    corrections: str | Path | Sequence[str | Path] = (),
) -> Path:
    """Write one self-contained page about some runs: tables, figures, samples to read.

    The page needs no server and no other file. The baselines stand beside the models, on the same
    questions.

    Args:
        runs: a run or its directory, or several.
        path: of the page; ends in ``.html``.
        title: the page's heading.
        figures: a folder for every figure as SVG and PDF, every table as Markdown, LaTeX and CSV.
        overwrite: replace a page that is there.
        corrections: sheets of ``thence ratings export`` on disputed answers; beside the accuracy
            stands what it is with those counted as right that they call ``no error``.

    Returns:
        The path of the page.

    Raises:
        ParameterError: another ending, no such folder, a page that is there, a run named twice, or
            corrections of a run whose epochs are a vote.
        FileError: a path that is no run, or no such sheet.
        MissingExtra: ``figures`` without the extra ``report``; the page alone goes without figures.

    Example:
        >>> import thence
        >>> done = thence.run(thence.generate("catbench", size=12), "baseline/random", out="random")
        >>> thence.report(done, "page.html").name
        'page.html'
    """
    from thence.reporting.run_page import DEFAULT_TITLE, write_run_page

    if not isinstance(runs, Run | str | Path | Iterable):
        raise ParameterError("runs", short(runs), "must be a run, its directory, or several")
    several = [runs] if isinstance(runs, Run | str | Path) else list(runs)
    paths = [each.path if isinstance(each, Run) else path_of("runs", each) for each in several]
    page = path_of("path", path)
    folder = None if figures is None else path_of("figures", figures)
    heading = text_of("title", title or DEFAULT_TITLE, "text")
    sheets = paths_of("corrections", corrections)
    with ExitStack() as stack:
        for each in several:
            if isinstance(each, Run):
                stack.enter_context(families.using(each.own))
        write_run_page(paths, page, heading, folder, overwrite=overwrite, corrections=sheets)
    return page


def audit(family: str, path: str | Path, **options: Any) -> Audit:
    r"""Recompute the truth of what a benchmark's authors published, and compare.

    Each truth is worked out from the published text or structure alone.

    Args:
        family: such as ``procbench``.
        path: what its authors publish: ProcBench's JSON lines, a checkout of FABLE's repository, or
            CaT-Bench's CSV of questions.
        options: of the family: FABLE's ``dialect``; CaT-Bench's ``flow_graphs`` (the folder of the
            corpus, needed) and ``titles`` (a file).

    Returns:
        An `Audit`: ``checked`` and ``agreed`` count by group, ``disagreements`` says why.

    Raises:
        UsageError: an unknown family.
        ParameterError: an option that it has no use for.
        FileError: a path that cannot be read, or is of another form.

    Example:
        >>> import json, thence
        >>> from pathlib import Path
        >>> row = {
        ...     "task_name": "task01",
        ...     "prompt": "Sort.\n\n[Question]\nString: ba",
        ...     "label": {"init": "ba", "intermediate": [], "final": "ab"},
        ... }
        >>> _ = Path("published.jsonl").write_text(json.dumps(row))
        >>> thence.audit("procbench", "published.jsonl").agreed
        {'procbench/sort': 1}
    """
    known = families.families()
    text_of("family", family, "the name of a family")
    if family not in known:
        hint = nearest(family, list(known))
        raise UsageError(f"unknown family '{family}'{hint} (known: {', '.join(known)})")
    auditor = known[family].audit
    if auditor is None:
        raise UsageError(f"{family}: nothing was published that could be audited")
    for name in options:
        if name not in known[family].audit_options:
            raise ParameterError(name, None, f"{family}'s audit has no use for it; leave it out")
    given = {name: value for name, value in options.items() if value is not None}
    for name, value in given.items():
        if not isinstance(value, str | Path):
            raise ParameterError(name, short(value), "must be text or a path")
    return auditor(path_of("path", path), given)
