"""Section of the page on what models can do: accuracy by task, and by analysis and domain."""

from __future__ import annotations

from collections.abc import Sequence

from thence import families
from thence.core.table import Entry, Table
from thence.reporting.exhibit import Exhibit, Section, Shown

_DOMAINS = ("plans", "routes", "recipes", "runbooks")


def abilities(shown: Shown) -> Section:
    """Return the section."""
    names = list(dict.fromkeys(name for view in shown.views for name in view.families))
    exhibits = [_by_task(shown, name) for name in names]
    if "fable" in names:
        exhibits += _by_analysis(shown)
    lead = (
        "Accuracy by task, on one scale from 0 to 1. Hatched cells rest on fewer than 10 answers."
    )
    return Section("tasks", "What it can do", lead, exhibits)


def _by_task(shown: Shown, family: str) -> Exhibit:
    """Return a family's tasks by run."""
    tasks = dict.fromkeys(
        task for view in shown.views for task in view.tasks if task.startswith(f"{family}/")
    )
    rows: list[Sequence[Entry]] = []
    for task in tasks:
        held = [view.tasks.get(task) for view in shown.views]
        chance = next((each.chance for each in held if each), None)
        cells = [each.accuracy if each and each.n else None for each in held]
        rows.append((task.partition("/")[2], chance, *cells))
    title = families.families()[family].title
    sizes = [each.n for view in shown.views for name, each in view.tasks.items() if name in tasks]
    counted = ""
    if sizes:
        least, most = min(sizes), max(sizes)
        counted = f"n = {most:,}" if least == most else f"n from {least:,} to {most:,}"
    table = Table(
        f"tasks-{family}", f"{title}: accuracy by task", ("task", "chance", *shown.names), rows
    )
    return Exhibit(
        f"tasks-{family}", f"{title}: {_extremes(rows)}",
        f"{counted} answers a cell; 95% intervals in small print.",
        table=table, shaded=True, folded=False,
    )  # fmt: skip


def _extremes(rows: Sequence[Sequence[Entry]]) -> str:
    """Return which task is hardest and which easiest, by the mean over runs."""
    means = []
    for name, _, *cells in rows:
        known = [
            each.value
            for each in cells
            if each is not None and not isinstance(each, str | int | float)
        ]
        if known:
            means.append((sum(known) / len(known), str(name)))
    if not means:
        return "accuracy by task"
    (low, hard), (high, easy) = min(means), max(means)
    if len(means) == 1 or hard == easy:
        return f"mean accuracy {high:.2f}"
    return f"hardest {hard} ({low:.2f}), easiest {easy} ({high:.2f}), by the mean of the runs"


def _by_analysis(shown: Shown) -> list[Exhibit]:
    """Return for each run FABLE's accuracy by analysis and domain."""
    found = []
    for run, (name, view) in enumerate(zip(shown.names, shown.views, strict=True)):
        tasks = [task.split("/")[1:] for task in view.tasks if task.startswith("fable/")]
        domains = [each for each in _DOMAINS if any(held[0] == each for held in tasks)]
        analyses = list(dict.fromkeys(held[-1] for held in tasks))
        if len(domains) < 2:  # the table of the tasks says it all
            continue
        rows = [
            (
                analysis,
                *(
                    each.accuracy
                    if (each := view.tasks.get(f"fable/{domain}/{analysis}"))
                    else None
                    for domain in domains
                ),
            )
            for analysis in analyses
        ]
        title = f"FABLE by analysis and domain: {name}"
        table = Table(f"analyses-{run}", title, ("analysis", *domains), rows)
        found.append(
            Exhibit(f"analyses-{run}", title, table=table, shaded=True, folded=len(shown.names) > 2)
        )
    return found
