"""Planning: the differences that a number of questions shows, and the number that one needs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from thence import families
from thence.core.digest import canonical_json
from thence.core.notebook import html_table
from thence.core.power import (
    Assumptions,
    cluster_size,
    detectable,
    half_width,
    measured_discordance,
    measured_effect,
    needed,
)
from thence.core.statistics import finite
from thence.errors import UsageError
from thence.generation.plan import Plan

if TYPE_CHECKING:
    import polars as pl

    from thence.core.parts import Condition
    from thence.core.results import Results


@dataclass(frozen=True, slots=True)
class Resolution:
    """The resolution of some questions: the differences between models that they show.

    Attributes:
        name: full name of a task, or a family for all of its tasks together.
        group: the group of the task; empty for all of its questions.
        n: number of questions.
        accuracy: the accuracy at which the figures hold.
        effect: design effect of questions that share a procedure; 1 where none do.
        half_width: half the 95% interval of one model's accuracy.
        discordant: share of questions that one of two models alone answers rightly, as measured or
            expected.
        detectable: the least difference of two models that the paired test finds; NaN for none.
        needed: number of questions with which it finds the difference that was asked for.
    """

    name: str
    group: str
    n: int
    accuracy: float
    effect: float
    half_width: float
    discordant: float
    detectable: float
    needed: int

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that ``power --json`` prints."""
        row = {name: getattr(self, name) for name in self.__slots__}
        return row | {"detectable": finite(self.detectable)}


@dataclass(frozen=True)
class Planning:
    """The resolution of tasks, with the assumptions that it follows from.

    Attributes:
        difference: the difference of two accuracies that ``needed`` is about.
        assumed: the assumptions; what was measured takes their place.
        measured: names of the assumptions that were measured in runs.
        rows: all tasks of a family together, then each task with its groups.
    """

    difference: float
    assumed: Assumptions
    measured: Sequence[str]
    rows: Sequence[Resolution]

    @property
    def words(self) -> str:
        """The assumptions in a sentence."""
        held, told = self.assumed, []
        for name, text in (
            ("accuracy", f"an accuracy of {held.accuracy:g}"),
            ("discordance", f"a share of {held.discordance} that one model alone has right"),
            ("correlation", f"a correlation of {held.correlation:g} between two models"),
            ("icc", f"one of {held.icc:g} within a procedure"),
        ):
            value = getattr(held, name)
            if name not in self.measured and value is not None:
                told.append(text)
        if held.discordance is not None or "discordance" in self.measured:
            told = [text for text in told if "between two" not in text]
        measured = f"Measured: {', '.join(self.measured)}. " if self.measured else ""
        assumed = f"Assumed: {', '.join(told)}. " if told else ""
        return (
            f"{measured}{assumed}A paired test (McNemar's, two-sided, level {held.level:g}) finds "
            f"such a difference with a probability of {held.power:g}."
        )

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that ``power --json`` prints."""
        held = self.assumed
        names = [name for name in Assumptions.__slots__ if name not in self.measured]
        return {
            "difference": self.difference,
            "assumed": {name: getattr(held, name) for name in names},
            "measured": list(self.measured),
            "rows": [row.to_json() for row in self.rows],
        }

    @property
    def frame(self) -> pl.DataFrame:
        """The rows in a polars frame, with the attributes of `Resolution` as columns."""
        import polars

        return polars.DataFrame([row.to_json() for row in self.rows], infer_schema_length=None)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the table and the assumptions."""
        columns = ("questions of", "group", "n", "half-width", "detectable", "needed")
        rows = [
            (row.name, row.group, row.n, row.half_width, row.detectable, row.needed)
            for row in self.rows
        ]
        return html_table(columns, rows, self.words)


@dataclass(frozen=True, slots=True)
class _Measured:
    """Figures of some questions, from one or two runs."""

    n: float
    accuracy: float
    spread: float  # design effect of one model's accuracy
    effect: float  # design effect of what the test is about
    discordance: float | None


def planned(plan: Plan, assumed: Assumptions, difference: float) -> Planning:
    """Return the resolution of a plan's questions, none of which is made."""
    rows: list[Resolution] = []
    for name, tasks in _by_family(plan.tasks).items():
        held: list[Resolution] = []
        every: list[Condition] = []
        for task in tasks:
            generator = families.task(task).generator
            values = generator.configure(plan.settings)
            if reason := generator.unavailable(values):
                raise UsageError(f"{task} is not offered: {reason}")
            conditions = generator.arrange(values, plan.size, plan.seed)
            every += conditions
            groups = defaultdict(list)
            for each in conditions:
                groups[each.group].append(each)
            held.append(_of_conditions(task, "", conditions, assumed, difference))
            if len(groups) > 1:
                held += [
                    _of_conditions(task, group, some, assumed, difference)
                    for group, some in groups.items()
                ]
        if len(tasks) > 1 and families.families()[name].averaged:
            rows.append(_of_conditions(name, "", every, assumed, difference))
        rows += held
    return Planning(difference, assumed, (), rows)


def _by_family(tasks: Iterable[str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in families.in_order(tasks):
        found.setdefault(families.task(name).family, []).append(name)
    return found


def _of_conditions(
    name: str, group: str, conditions: Sequence[Condition], assumed: Assumptions, difference: float
) -> Resolution:
    """Return the resolution of the questions of some conditions.

    Where a condition names its procedure, the questions about one are a cluster.
    """
    sizes: Counter[bytes] = Counter()
    alone = 0
    for each in conditions:
        about = each.parameters.get("procedure")
        if about is None:
            alone += each.count
        else:
            sizes[canonical_json(about)] += each.count
    effect = assumed.effect(cluster_size([*sizes.values(), *[1] * alone]))
    n = sizes.total() + alone
    return _resolution(name, group, _Measured(n, assumed.accuracy, effect, effect, None), assumed,
                       difference)  # fmt: skip


def _resolution(
    name: str, group: str, held: _Measured, assumed: Assumptions, difference: float
) -> Resolution:
    if held.discordance is not None:
        assumed = replace(assumed, discordance=held.discordance)
    near = (held.accuracy * held.n + 1) / (held.n + 2)  # an accuracy of 1 leaves no spread
    assumed = replace(assumed, accuracy=near if held.accuracy in {0.0, 1.0} else held.accuracy)
    discordance = assumed.expected_discordance(difference)
    return Resolution(
        name,
        group,
        round(held.n),
        held.accuracy,
        held.effect,
        half_width(held.accuracy, held.n, held.spread),
        discordance,
        detectable(held.n, assumed, held.effect),
        needed(
            difference, discordance, power=assumed.power, level=assumed.level, effect=held.effect
        ),
    )


def measured(
    runs: Sequence[Results],
    assumed: Assumptions,
    difference: float,
    *,
    tasks: Sequence[str] = (),
    size: int | None = None,
    groups: bool = True,
) -> Planning:
    """Return the resolution that follows from the scores of one or more runs.

    One run gives the accuracy and the design effect; two or more give, as means over their pairs,
    also how often one of two models alone is right.

    Args:
        runs: the scores.
        assumed: the rest.
        difference: the difference that ``needed`` is about.
        tasks: full names; none for all that the runs hold.
        size: questions of a task; None for as many as the runs hold.
        groups: whether to go into the groups of tasks.

    Raises:
        UsageError: the runs share no question of the tasks.
    """
    from thence.analysis.paired_questions import pair_runs

    pairs = list(combinations(runs, 2)) or [(each, each) for each in runs]
    by_unit: dict[tuple[str, str], list[_Measured]] = {}
    for first, second in pairs:
        questions = pair_runs(first, second, tasks or None)
        if not questions.tasks:
            raise UsageError(f"{first.source} and {second.source} share no question to plan by")
        for key, each in _units(questions.questions(), groups=groups):
            by_unit.setdefault(key, []).append(_measured(each, alone=len(runs) == 1))
    rows = [
        _resolution(*key, _scaled(_mean(figures), key, by_unit, size), assumed, difference)
        for key, figures in by_unit.items()
    ]
    names = ["accuracy", "cluster_size", "icc"] + ["correlation", "discordance"] * (len(runs) > 1)
    return Planning(difference, assumed, names, rows)


def _units(
    questions: pl.DataFrame, *, groups: bool
) -> Iterator[tuple[tuple[str, str], pl.DataFrame]]:
    """Yield the questions of each family whose tasks can be averaged, each task, each group."""
    for (family,), held in questions.group_by("family", maintain_order=True):
        tasks = held.partition_by("task", maintain_order=True)
        if len(tasks) > 1 and families.families()[str(family)].averaged:
            yield (str(family), ""), held
        for task in tasks:
            name = str(task["task"][0])
            yield (name, ""), task
            parts = task.partition_by("group", maintain_order=True) if groups else []
            if len(parts) > 1:
                yield from (((name, str(each["group"][0])), each) for each in parts)


def _measured(rows: pl.DataFrame, *, alone: bool) -> _Measured:
    first, second = (rows[name].cast(float).to_numpy() for name in ("first", "second"))
    clusters, n = rows["cluster"].to_numpy(), len(rows)
    spread = measured_effect(first, clusters)
    accuracy = float(first.mean() + second.mean()) / 2
    if alone:
        return _Measured(n, accuracy, spread, spread, None)
    changes = second - first
    effect = measured_effect(changes, clusters)
    return _Measured(n, accuracy, spread, effect, measured_discordance(changes))


def _mean(held: Sequence[_Measured]) -> _Measured:
    """Return the means over pairs of runs."""
    several = len(held)
    shares = [each.discordance for each in held if each.discordance is not None]
    return _Measured(
        sum(each.n for each in held) / several,
        sum(each.accuracy for each in held) / several,
        sum(each.spread for each in held) / several,
        sum(each.effect for each in held) / several,
        sum(shares) / len(shares) if shares else None,
    )


def _scaled(
    held: _Measured,
    key: tuple[str, str],
    found: Mapping[tuple[str, str], Sequence[_Measured]],
    size: int | None,
) -> _Measured:
    """Return figures of as many questions as there are if each task has ``size``."""
    if size is None:
        return held
    name, group = key
    if group:
        return replace(held, n=size * held.n / _mean(found[name, ""]).n)
    tasks = sum(each.startswith(f"{name}/") and not of for each, of in found) or 1
    return replace(held, n=float(size * tasks))
