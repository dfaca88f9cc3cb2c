"""The paper's figures and its table, from our scores; printed figures stand beside the same cells.

Consistency counts by its F1, as in the paper: of each sample, then averaged. Comparison and plan
generation count by their accuracy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from thence.families.releval._groups import COMPARISON, CONSISTENCY, PLANS, name
from thence.families.releval._plans import METRICS
from thence.families.releval._published import SOURCE, Cell, all_of, published
from thence.kernel.part import Part, joined
from thence.kernel.statistics import Estimate, estimates, numbered
from thence.kernel.table import Chart, Entry, Table

if TYPE_CHECKING:
    from thence.kernel.part import Numbers

PLAN, CONSISTENT, COMPARE = (
    f"releval/{each}" for each in ("plan_generation", "consistency", "comparison")
)
_PAPER = {
    PLAN: {name(group) for group in PLANS},
    CONSISTENT: {name(group) for group in CONSISTENCY},
    COMPARE: {name(group) for group in COMPARISON},
}

_NAMES = {"f1": "F1"}

_DIMENSIONS = ("group", "framing", "notation")
_OPTIONS = _DIMENSIONS[1:]
_PLAIN = ("symbolic", "mixed")

type Models = Mapping[str, Part]
"""The responses to one task that count, of the last turn, by model."""


def tables(found: Sequence[Any]) -> list[Table]:
    """Every figure that some results have the samples for.

    Args:
        found: `thence.scoring.Results`, one a run; runs of one model are taken together.
    """
    made = [
        *_plans(_of(found, PLAN)),
        *_overall("releval-figure-2a", _of(found, CONSISTENT)),
        *_groups("releval-figure-2b", _of(found, CONSISTENT)),
        *_overall("releval-figure-4a", _of(found, COMPARE)),
        *_groups("releval-figure-4b", _of(found, COMPARE)),
        *_twins("releval-table-1", found, "framing", "symbolic"),
        *_twins("releval-notation", found, "notation", "mixed"),
        *_corrections(found),
    ]
    return [table for table in made if table.rows]


def _of(found: Sequence[Any], task: str) -> dict[str, Part]:
    held: dict[str, list[Part]] = {}
    for each in found:
        part = each.tallied().final(task, _DIMENSIONS)
        if len(part):
            held.setdefault(each.model or "replies", []).append(part)
    return {model: joined(parts) for model, parts in held.items()}


def worth(rows: Part) -> Numbers:
    """What each score counts for in the paper's figures."""
    return rows.value("f1") if rows.tasks == [CONSISTENT] else rows.correct()


def _mean(rows: Part, value: Callable[[Part], Numbers] = worth) -> Estimate:
    return estimates({"mean": value(rows)}, rows.clusters)["mean"]


def _metric(metric: str) -> Callable[[Part], Numbers]:
    return lambda rows: rows.value(metric)


def _asked_in(rows: Part) -> list[tuple[str, str]]:
    """Framing and notation of some rows, in the order in which they come."""
    import numpy as np

    codes = np.column_stack([rows.groups[name] for name in _OPTIONS])
    kinds, first = np.unique(codes, axis=0, return_index=True)
    framings, notations = (rows.names[name] for name in _OPTIONS)
    return [
        (framings[kinds[place][0]] or _PLAIN[0], notations[kinds[place][1]] or _PLAIN[1])
        for place in np.argsort(first)
    ]


def _put(rows: Part, framing: str, notation: str) -> Part:
    """The rows in a framing and notation."""
    chosen = [rows.coded(n, [k]) == 0 for n, k in zip(_OPTIONS, (framing, notation), strict=True)]
    return rows.where(chosen[0] & chosen[1])


def _printed(cell: Cell, model: str, rows: Part) -> str | None:
    """The paper's figure of a cell, if all of our samples are of its groups."""
    if (rows.coded("group", sorted(_PAPER[rows.tasks[0]])) < 0).any():
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


def _plans(models: Models) -> Iterable[Table]:
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
            (model, n, m, float(worth(rows).mean()))
            for model, every in models.items()
            for n, m, rows in _cells(every)
        ],
        chart=Chart(
            "heat", "relations", "objects", "model", "accuracy", "relations asked for",
            "objects asked for",
        ),
    )  # fmt: skip


def _by_number(models: Models, over: str) -> Table:
    """One half of Figure 1b: each has an axis of its own."""
    width = 10 if over == "objects" else 50
    binned = {model: dict(_binned(rows, over, width)) for model, rows in models.items()}
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


def _repeats(rows: Part) -> Numbers:
    """1 where a plan was read and holds a duplicate."""
    import numpy as np

    told = rows.values.get("duplicates", np.full(len(rows), np.nan))
    held: Numbers = (rows.read() & (told == 0.0)).astype(float)
    return held


def _binned(rows: Part, over: str, width: int) -> Iterator[tuple[int, Part]]:
    """By where the bins begin."""
    import numpy as np

    lows = rows.numbers[over] // width * width
    for low in np.unique(lows).astype(int).tolist():
        yield low, rows.where(lows == low)


def _cells(rows: Part) -> Iterator[tuple[int, int, Part]]:
    """The rows by the numbers of objects and of relations."""
    import numpy as np

    sizes = np.column_stack([rows.numbers[name] for name in ("objects", "relations")])
    for n, m in np.unique(sizes, axis=0).astype(int).tolist():
        yield n, m, rows.where((sizes == (n, m)).all(axis=1))


# Figures 2, 4, 7 and 8: consistency and comparison ----------------------------------------------


def _asked(models: Models) -> Iterable[tuple[str, str, str, Part]]:
    """Model, framing and notation with the samples that were put so."""
    for model, rows in models.items():
        for how in _asked_in(rows):
            yield model, *how, _put(rows, *how)


def _columns(task: str) -> dict[str, Callable[[Part], Numbers]]:
    if task == CONSISTENT:
        each = {metric: _metric(metric) for metric in ("f1", "precision", "recall")}
        return {**each, "accuracy": lambda rows: rows.correct()}
    return {"accuracy": worth}


def _overall(table: str, models: Models) -> Iterable[Table]:
    if not models:
        return
    full = next(iter(models.values())).tasks[0]
    task, columns = full.partition("/")[2], _columns(full)
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


def _groups(table: str, models: Models) -> Iterable[Table]:
    if not models:
        return
    full = next(iter(models.values())).tasks[0]
    task, columns = full.partition("/")[2], _columns(full)
    main = next(iter(columns))
    asked = [((model, *how), dict(whole.grouped("group"))) for model, *how, whole in _asked(models)]
    rows: list[Sequence[Entry]] = [
        (group, *put, len(held[group]), *(_mean(held[group], f) for f in columns.values()))
        for group in dict.fromkeys(name for _, held in asked for name in held)
        for put, held in asked
        if group in held
    ]
    yield Table(
        table,
        f"{task.capitalize()} by group (objects_relations_"
        + ("shortest cycle)" if main == "f1" else "steps)"),
        ("group", "model", "framing", "notation", "n", *columns),
        rows,
        chart=Chart("line", "group", main, "model", y_title=_NAMES.get(main, main)),
    )


# Table 1: twins on the same graphs --------------------------------------------------------------


def _twins(table: str, found: Sequence[Any], option: str, plain: str) -> Iterable[Table]:
    """Samples against the plain twins of their graphs, pair by pair."""
    rows: list[Sequence[Entry]] = []
    cells: list[Cell] = []
    place = ("framing", "notation").index(option)
    for task in (CONSISTENT, COMPARE):
        metric = "f1" if task == CONSISTENT else "accuracy"
        for model, every in _of(found, task).items():
            kinds = dict.fromkeys(how[place] for how in _asked_in(every))
            for kind in (each for each in kinds if each != plain):
                sides = _paired(every, place, plain, kind)
                if not len(sides[0]):
                    continue
                options = {option: kind}
                cell = Cell(task.partition("/")[2], metric, **options)
                cells.append(cell)
                rows.append(
                    (
                        model,
                        cell.task,
                        kind,
                        len(sides[0]),
                        *_difference(*sides),
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


def _paired(rows: Part, place: int, plain: str, kind: str) -> tuple[Numbers, Numbers, Numbers]:
    """Of each graph what its plain sample and its twin are worth, epochs together; its cluster."""
    import numpy as np

    option, other = _OPTIONS[place], _OPTIONS[1 - place]
    asked = rows.coded(option, (plain, kind))
    rows = rows.where((rows.pairs != 0) & (asked >= 0))
    asked = rows.coded(option, (plain, kind))
    _, pair = np.unique(rows.pairs, return_inverse=True)
    graph, first = numbered(pair * len(rows.names[other]) + rows.groups[other])
    sides = []
    for side in (0, 1):
        there = asked == side
        often = np.bincount(graph[there], minlength=len(first))
        total = np.bincount(graph[there], worth(rows)[there], minlength=len(first))
        sides.append((total / np.maximum(often, 1), often > 0))
    (before, one), (after, two) = sides
    both = one & two
    return before[both], after[both], rows.clusters[first][both]


def _difference(
    before: Numbers, after: Numbers, clusters: Numbers
) -> tuple[Estimate, Estimate, Estimate]:
    """Both means, and the mean difference with the interval of a paired bootstrap over graphs."""
    columns = {"before": before, "after": after, "change": after - before}
    made = estimates(columns, clusters, counts=("change",))
    return made["before"], made["after"], made["change"]


# Figure 3: self-correction ----------------------------------------------------------------------


@dataclass(frozen=True)
class _Turns:
    """First and last turns of the same conversations, row by row."""

    first: Part
    last: Part

    def of(self, framing: str, notation: str) -> _Turns:
        """Those in a framing and notation."""
        chosen = [
            self.first.coded(name, [kind]) == 0
            for name, kind in zip(_OPTIONS, (framing, notation), strict=True)
        ]
        both = chosen[0] & chosen[1]
        return _Turns(self.first.where(both), self.last.where(both))


def _corrections(found: Sequence[Any]) -> Iterable[Table]:
    for task, shares in ((CONSISTENT, _CYCLES), (COMPARE, _WORDS)):
        short = task.partition("/")[2]
        rows = []
        for model, every in _turned(found, task).items():
            for options in _asked_in(every.first):
                held = every.of(*options)
                told = (share(held) for share in shares.values())
                printed = _printed(Cell(short, "change", *options), model, held.first)
                moved = _difference(worth(held.first), worth(held.last), held.first.clusters)
                rows.append((model, *options, len(held.first), *moved, *told, printed))
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


def _turned(found: Sequence[Any], task: str) -> dict[str, _Turns]:
    """By model, the conversations about a task in which the first and the last turn count."""
    import numpy as np

    held: dict[str, list[_Turns]] = {}
    for each in found:
        tally = each.tallied()
        if each.turns < 2 or task not in tally.tasks:
            continue
        rows = tally.part([task], _DIMENSIONS)
        rows = rows.where(rows.counting())
        _, question = np.unique(rows.questions, return_inverse=True)
        asked = question * (int(rows.epochs.max(initial=0)) + 1) + rows.epochs
        first, last = (np.flatnonzero(rows.turns == turn) for turn in (0, each.turns - 1))
        _, one, two = np.intersect1d(asked[first], asked[last], return_indices=True)
        order = np.argsort(one)
        if len(order):
            turns = _Turns(rows.take(first[one[order]]), rows.take(last[two[order]]))
            held.setdefault(each.model or "replies", []).append(turns)
    return {
        model: _Turns(joined([each.first for each in every]), joined([each.last for each in every]))
        for model, every in held.items()
    }


def _share(told: Numbers, rows: Part) -> Entry:
    if not len(rows):
        return None
    return estimates({"share": told.astype(float)}, rows.clusters)["share"]


def _moved(sign: int) -> Callable[[_Turns], Entry]:
    """The share of samples whose worth rose (1), stayed (0) or fell (-1)."""

    def share(held: _Turns) -> Entry:
        import numpy as np

        change = np.sign(worth(held.last) - worth(held.first))
        return _share(change == sign, held.first)

    return share


def _to_unknown(held: _Turns) -> Entry:
    """Of the right answers, the share that was wrongly turned into Unknown."""
    right = held.first.correct() == 1
    lost = (held.last.numbers["unknown"] == 1) & (held.last.correct() == 0)
    return _share(lost[right], held.first.where(right))


_CYCLES: Mapping[str, Callable[[_Turns], Entry]] = {
    "rose": _moved(1),
    "fell": _moved(-1),
    "stayed": _moved(0),
}
_WORDS: Mapping[str, Callable[[_Turns], Entry]] = {
    "right to wrong": _moved(-1),
    "wrong to right": _moved(1),
    "stayed": _moved(0),
    "of right: to Unknown": _to_unknown,
}
