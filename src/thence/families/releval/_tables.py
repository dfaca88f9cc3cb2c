"""The paper's figures and its table, from our scores; printed figures stand beside the same cells.

Consistency counts by its F1, as in the paper: of each sample, then averaged. Comparison and plan
generation count by their accuracy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thence.families.releval._groups import COMPARISON, CONSISTENCY, PLANS, name
from thence.families.releval._plans import METRICS
from thence.families.releval._published import SOURCE, Cell, all_of, published
from thence.kernel.statistics import Estimate, estimates
from thence.kernel.table import Chart, Entry, Table

if TYPE_CHECKING:
    from thence.kernel.sample import Sample

PLAN, CONSISTENT, COMPARE = (
    f"releval/{each}" for each in ("plan_generation", "consistency", "comparison")
)
_PAPER = {
    PLAN: {name(group) for group in PLANS},
    CONSISTENT: {name(group) for group in CONSISTENCY},
    COMPARE: {name(group) for group in COMPARISON},
}

_NAMES = {"f1": "F1"}

type Row = Any
"""A `thence.scoring.Scored`: sample, epoch, turn, score."""

type Rows = Sequence[Row]


def tables(found: Sequence[Any]) -> list[Table]:
    """Every figure that some results have the samples for.

    Args:
        found: `thence.scoring.Results`, one a run; runs of one model are taken together.
    """
    final: dict[str, list[Row]] = {}
    for held in found:
        rows = final.setdefault(held.model or "replies", [])
        rows += [row for row in held.final() if row.score.counts]
    made = [
        *_plans(_of(final, PLAN)),
        *_overall("releval-figure-2a", _of(final, CONSISTENT)),
        *_groups("releval-figure-2b", _of(final, CONSISTENT)),
        *_overall("releval-figure-4a", _of(final, COMPARE)),
        *_groups("releval-figure-4b", _of(final, COMPARE)),
        *_twins("releval-table-1", final, "framing", "symbolic"),
        *_twins("releval-notation", final, "notation", "mixed"),
        *_corrections(found),
    ]
    return [table for table in made if table.rows]


def _of(models: Mapping[str, Rows], task: str) -> dict[str, Rows]:
    return {
        model: held
        for model, rows in models.items()
        if (held := [row for row in rows if row.sample.task == task])
    }


def worth(row: Row) -> float:
    """What a score counts for in the paper's figures."""
    if row.sample.task == CONSISTENT:
        return float(row.score.values.get("f1", 0.0))
    return float(row.score.correct)


def _mean(rows: Rows, value: Callable[[Row], float] = worth) -> Estimate:
    clusters = [row.sample.cluster for row in rows]
    return estimates({"mean": [value(row) for row in rows]}, clusters)["mean"]


def _metric(metric: str) -> Callable[[Row], float]:
    return lambda row: float(row.score.values.get(metric, 0.0))


def _options(sample: Sample) -> tuple[str, str]:
    """Framing and notation of a sample."""
    options = sample.metadata.get("options")
    if not options:
        return "symbolic", "mixed"
    return options.get("framing", "symbolic"), options.get("notation", "mixed")


def _printed(cell: Cell, model: str, rows: Rows) -> str | None:
    """The paper's figure of a cell, if all of our samples are of its groups."""
    if any(row.sample.metadata.get("group") not in _PAPER[row.sample.task] for row in rows):
        return None
    value = published(cell, model)
    return None if value is None else f"{value / 100:.3f}"


def _note(*cells: Cell) -> str:
    """All that the paper prints of some cells."""
    told = [
        f"{cell.framing if cell.notation == 'mixed' else cell.notation} {cell.metric}: {every}"
        for cell in cells
        if (every := all_of(cell))
    ]
    return f"Published, % ({SOURCE}): {'; '.join(told)}." if told else ""


# Figures 1, 6 and 9 to 12: plan generation ------------------------------------------------------


def _plans(models: Mapping[str, Rows]) -> Iterable[Table]:
    cell = Cell("plan_generation", "accuracy")
    yield Table(
        "releval-figure-1a",
        "Plan generation: accuracy and its four parts",
        ("model", "n", "accuracy", *METRICS, "published"),
        [
            (
                model,
                len(rows),
                _mean(rows),
                *(_mean(rows, _metric(part)) for part in METRICS),
                _printed(cell, model, rows),
            )
            for model, rows in models.items()
        ],
        _note(cell),
        Chart("bar", "model", "accuracy", y_title="accuracy"),
    )
    yield from (_by_number(models, over) for over in ("objects", "relations"))
    yield Table(
        "releval-figure-6",
        "Plan generation: share of plans that state a relation twice",
        ("model", "n", "with duplicates"),
        [(model, len(rows), _mean(rows, _repeats)) for model, rows in models.items()],
        chart=Chart("bar", "model", "with duplicates", y_title="share of plans"),
    )
    yield Table(
        "releval-figures-9-12",
        "Plan generation: accuracy by number of objects and relations, mean of runs",
        ("model", "objects", "relations", "accuracy"),
        [
            (model, n, m, sum(map(worth, rows)) / len(rows))
            for model, every in models.items()
            for (n, m), rows in sorted(_cells(every).items())
        ],
        chart=Chart(
            "heat", "relations", "objects", "model", "accuracy", "relations asked for",
            "objects asked for",
        ),
    )  # fmt: skip


def _by_number(models: Mapping[str, Rows], over: str) -> Table:
    """One half of Figure 1b: each has an axis of its own."""
    width = 10 if over == "objects" else 50
    binned = {model: _binned(rows, over, width) for model, rows in models.items()}
    starts = sorted({start for held in binned.values() for start in held})
    return Table(
        f"releval-figure-1b-{over}",
        f"Plan generation: accuracy by number of {over}, half-open bins",
        (over, "model", "n", "accuracy"),
        [
            (f"[{start}, {start + width})", model, len(held[start]), _mean(held[start]))
            for start in starts
            for model, held in binned.items()
            if start in held
        ],
        chart=Chart(
            "line", over, "accuracy", "model", x_title=f"{over} asked for", y_title="accuracy"
        ),
    )


def _repeats(row: Row) -> float:
    """1 where a plan was read and holds a duplicate."""
    values = row.score.values
    return float(row.score.rule is not None and values.get("duplicates") == 0.0)


def _binned(rows: Rows, over: str, width: int) -> dict[int, list[Row]]:
    """By where the bins begin."""
    held: dict[int, list[Row]] = {}
    for row in rows:
        held.setdefault(row.sample.target[over] // width * width, []).append(row)
    return held


def _cells(rows: Rows) -> dict[tuple[int, int], list[Row]]:
    held: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        target = row.sample.target
        held.setdefault((target["objects"], target["relations"]), []).append(row)
    return held


# Figures 2, 4, 7 and 8: consistency and comparison ----------------------------------------------


def _asked(models: Mapping[str, Rows]) -> Iterable[tuple[str, str, str, Rows]]:
    """Model, framing and notation with the samples that were put so."""
    for model, rows in models.items():
        put: dict[tuple[str, str], list[Row]] = {}
        for row in rows:
            put.setdefault(_options(row.sample), []).append(row)
        for (framing, notation), held in put.items():
            yield model, framing, notation, held


def _columns(rows: Rows) -> dict[str, Callable[[Row], float]]:
    if rows and rows[0].sample.task == CONSISTENT:
        each = {metric: _metric(metric) for metric in ("f1", "precision", "recall")}
        return {**each, "accuracy": lambda row: float(row.score.correct)}
    return {"accuracy": worth}


def _overall(table: str, models: Mapping[str, Rows]) -> Iterable[Table]:
    every = [row for rows in models.values() for row in rows]
    if not every:
        return
    task = every[0].sample.task.partition("/")[2]
    columns = _columns(every)
    main = next(iter(columns))
    rows = [
        (
            model,
            framing,
            notation,
            len(held),
            *(_mean(held, value) for value in columns.values()),
            _printed(Cell(task, main, framing, notation), model, held),
        )
        for model, framing, notation, held in _asked(models)
    ]
    asked = dict.fromkeys((framing, notation) for _, framing, notation, _ in _asked(models))
    yield Table(
        table,
        f"{task.capitalize()}: {_NAMES.get(main, main)} over all groups"
        + (", of each sample, then averaged" if main == "f1" else ""),
        ("model", "framing", "notation", "n", *columns, "published"),
        rows,
        _note(*(Cell(task, main, *each) for each in asked)),
        Chart("bar", "model", main, "framing", y_title=_NAMES.get(main, main)),
    )


def _groups(table: str, models: Mapping[str, Rows]) -> Iterable[Table]:
    every = [row for rows in models.values() for row in rows]
    if not every:
        return
    columns = _columns(every)
    main = next(iter(columns))
    asked = [((model, *how), _by_group(whole)) for model, *how, whole in _asked(models)]
    rows = [
        (group, *put, len(held[group]), *(_mean(held[group], f) for f in columns.values()))
        for group in dict.fromkeys(row.sample.metadata["group"] for row in every)
        for put, held in asked
        if group in held
    ]
    task = every[0].sample.task.partition("/")[2]
    yield Table(
        table,
        f"{task.capitalize()} by group (objects_relations_"
        + ("shortest cycle)" if main == "f1" else "steps)"),
        ("group", "model", "framing", "notation", "n", *columns),
        rows,
        chart=Chart("line", "group", main, "model", y_title=_NAMES.get(main, main)),
    )


def _by_group(rows: Rows) -> dict[str, list[Row]]:
    held: dict[str, list[Row]] = {}
    for row in rows:
        held.setdefault(row.sample.metadata["group"], []).append(row)
    return held


# Table 1: twins on the same graphs --------------------------------------------------------------


def _twins(table: str, models: Mapping[str, Rows], option: str, plain: str) -> Iterable[Table]:
    """Samples against the plain twins of their graphs, pair by pair."""
    rows: list[Sequence[Entry]] = []
    cells: list[Cell] = []
    place = ("framing", "notation").index(option)
    for task in (CONSISTENT, COMPARE):
        metric = "f1" if task == CONSISTENT else "accuracy"
        for model, every in _of(models, task).items():
            kinds = dict.fromkeys(_options(row.sample)[place] for row in every)
            for kind in (each for each in kinds if each != plain):
                pairs = _paired(every, place, plain, kind)
                if not pairs:
                    continue
                options = {option: kind}
                cell = Cell(task.partition("/")[2], metric, **options)
                cells.append(cell)
                rows.append(
                    (
                        model,
                        cell.task,
                        kind,
                        len(pairs),
                        *_difference(pairs),
                        _printed(cell, model, every),
                    )
                )
    what = "language framing against signs" if option == "framing" else "notation"
    yield Table(
        table,
        f"{what.capitalize()}, on the same graphs, paired: F1 of consistency, accuracy of "
        "comparison",
        ("model", "task", option, "pairs", plain, f"with {option}", "change", "published"),
        rows,
        _note(*dict.fromkeys(cells)),
    )


def _paired(rows: Rows, place: int, plain: str, kind: str) -> list[tuple[Rows, Rows]]:
    """For each graph the scores of its plain sample and of its twin, epochs together."""
    sides: tuple[dict[Any, list[Row]], dict[Any, list[Row]]] = ({}, {})
    for row in rows:
        options = _options(row.sample)
        if options[place] in {plain, kind}:
            key = (row.sample.metadata.get("pair"), options[1 - place])
            sides[options[place] == kind].setdefault(key, []).append(row)
    return [(first, sides[1][key]) for key, first in sides[0].items() if key in sides[1]]


def _difference(pairs: Sequence[tuple[Rows, Rows]]) -> tuple[Estimate, Estimate, Estimate]:
    """Both means, and the mean difference with the interval of a paired bootstrap over graphs."""
    sides = [
        [sum(map(worth, rows)) / len(rows) for rows in side] for side in zip(*pairs, strict=True)
    ]
    moved = [b - a for a, b in zip(*sides, strict=True)]
    clusters = [first[0].sample.cluster for first, _ in pairs]
    columns = {"plain": sides[0], "kind": sides[1], "change": moved}
    made = estimates(columns, clusters, counts=("change",))
    return made["plain"], made["kind"], made["change"]


# Figure 3: self-correction ----------------------------------------------------------------------


def _corrections(found: Sequence[Any]) -> Iterable[Table]:
    turned: dict[str, list[tuple[Row, Row]]] = {}
    for held in found:
        if held.turns > 1:
            turned.setdefault(held.model or "replies", []).extend(_turns(held))
    for task, shares in ((CONSISTENT, _CYCLES), (COMPARE, _WORDS)):
        short = task.partition("/")[2]
        rows = []
        for model, every in turned.items():
            asked = [pair for pair in every if pair[0].sample.task == task]
            for options in dict.fromkeys(_options(first.sample) for first, _ in asked):
                pairs = [pair for pair in asked if _options(pair[0].sample) == options]
                sides = [([first], [last]) for first, last in pairs]
                told = (share(pairs) for share in shares.values())
                first = [first for first, _ in pairs]
                printed = _printed(Cell(short, "change", *options), model, first)
                moved = _difference(sides)
                rows.append((model, *options, len(pairs), *moved, *told, printed))
        metric = "F1" if task == CONSISTENT else "accuracy"
        more = [Cell(short, each) for each in ("change", "rose", "fell", "to_unknown")]
        yield Table(
            f"releval-figure-3-{short}",
            f"Self-correction, {short}: {metric} before and after, and the shares that changed",
            (
                *("model", "framing", "notation", "n", "before", "after", "change"),
                *shares,
                "published change",
            ),
            rows,
            _note(*more),
        )


def _turns(held: Any) -> list[tuple[Row, Row]]:
    """First and last turn of each conversation in which both count."""
    counting = [row for row in held.rows if row.score.counts]
    last = {(row.sample.id, row.epoch): row for row in counting if row.turn == held.turns - 1}
    first = [row for row in counting if row.turn == 0]
    return [(row, last[key]) for row in first if (key := (row.sample.id, row.epoch)) in last]


type _Pairs = Sequence[tuple[Row, Row]]


def _share(pairs: _Pairs, told: Callable[[Row, Row], bool]) -> Entry:
    if not pairs:
        return None
    clusters = [first.sample.cluster for first, _ in pairs]
    return estimates({"share": [float(told(a, b)) for a, b in pairs]}, clusters)["share"]


def _moved(sign: int) -> Callable[[_Pairs], Entry]:
    """The share of samples whose worth rose (1), stayed (0) or fell (-1)."""

    def way(before: Row, after: Row) -> bool:
        change = worth(after) - worth(before)
        return (change > 0) - (change < 0) == sign

    return lambda pairs: _share(pairs, way)


def _to_unknown(pairs: _Pairs) -> Entry:
    """Of the right answers, the share that was wrongly turned into Unknown."""
    right = [(a, b) for a, b in pairs if a.score.correct]
    return _share(right, lambda _, b: b.score.answer == "Unknown" and not b.score.correct)


_CYCLES: Mapping[str, Callable[[_Pairs], Entry]] = {
    "rose": _moved(1),
    "fell": _moved(-1),
    "stayed": _moved(0),
}
_WORDS: Mapping[str, Callable[[_Pairs], Entry]] = {
    "right to wrong": _moved(-1),
    "wrong to right": _moved(1),
    "stayed": _moved(0),
    "of right: to Unknown": _to_unknown,
}
