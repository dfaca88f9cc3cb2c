"""Planning of studies: how many questions show how small a difference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence import families
from thence.api.given import Tasks, chosen, listed, path_of, short
from thence.api.runs import Run, open_run
from thence.core.bounds import check_count, check_real, check_seed
from thence.core.power import Assumptions
from thence.errors import ParameterError
from thence.generation.plan import Plan

if TYPE_CHECKING:
    from thence.analysis.planning import Planning

_MOST = 1_000_000.0  # questions of a procedure
_LEAST = 0.0001  # difference


def power(
    tasks: Tasks = (),
    *,
    difference: float = 0.03,
    size: int | None = None,
    runs: Run | str | Path | Iterable[Run | str | Path] = (),
    accuracy: float | None = None,
    correlation: float | None = None,
    discordance: float | None = None,
    cluster_size: float | None = None,
    icc: float | None = None,
    power: float = 0.8,
    level: float = 0.05,
    seed: int = 0,
    parameters: Mapping[str, Any] | None = None,
) -> Planning:
    """Return what some questions can show, and how many a difference of two models needs.

    The test is the paired one of `thence.compare`, two-sided, with the design effect of questions
    about the same procedure. The figures follow from runs, or from assumptions.

    Args:
        tasks: families, full names, globs or `Task` objects; with runs, none for all of theirs.
        difference: the difference of two accuracies that ``needed`` is about.
        size: questions of each task; None for the paper's sizes, or as many as the runs have.
        runs: one run gives the accuracy and the design effect; two or more, of the same questions,
            also how often one of two models alone is right.
        accuracy: of the first model; None for 0.5, which needs most questions.
        correlation: of right answers of two models over the questions; None for 0.2, the highest
            among FABLE's published replies.
        discordance: share of questions that one of two models alone has right, in place of the
            correlation.
        cluster_size: questions about one procedure; None for as many as the tasks have.
        icc: correlation of right answers within a procedure; None for 0.06, as in CaT-Bench's
            published replies.
        power: probability of finding a difference that is there.
        level: probability of finding one that is not.
        seed: of the questions, without runs.
        parameters: of the tasks, by name, without runs.

    Returns:
        A `Planning`: ``rows`` by family, task and group, ``frame``, ``words``, ``to_json()``.

    Raises:
        ParameterError: a value that is not taken, or one that the runs settle.
        UsageError: an unknown task, or runs that share no question.

    Example:
        >>> import thence
        >>> found = thence.power("releval/comparison", difference=0.1, discordance=0.2)
        >>> row = found.rows[0]
        >>> row.n, row.needed, round(row.half_width, 3), round(row.detectable, 3)
        (460, 175, 0.046, 0.06)
    """
    check_real("difference", difference, _LEAST, 1.0)
    check_real("accuracy", accuracy, 0.0, 1.0)
    check_real("correlation", correlation, -1.0, 1.0)
    check_real("discordance", discordance, 0.0, 1.0, over=True)
    check_real("cluster_size", cluster_size, 1.0, _MOST)
    check_real("icc", icc, 0.0, 1.0)
    check_real("power", power, 0.5, 0.9999)
    check_real("level", level, 0.0001, 0.5)
    check_count("size", size)
    check_seed(seed)
    if discordance is not None and correlation is not None:
        raise ParameterError("correlation", correlation, "is not used with discordance; give one")
    if discordance is not None and discordance < difference:
        reason = f"must be at least the difference, {difference:g}"
        raise ParameterError("discordance", discordance, reason)
    given = {
        "accuracy": accuracy, "correlation": correlation, "discordance": discordance,
        "cluster_size": cluster_size, "icc": icc,
    }  # fmt: skip
    known = {name: value for name, value in given.items() if value is not None}
    assumed = Assumptions(power=power, level=level, **known)
    held = _opened(runs)
    if held:
        for name, value in (("seed", seed), ("parameters", parameters)):
            if value:
                raise ParameterError(
                    name, None, "the questions are those of the runs; leave it out"
                )
        return _measured(held, listed(tasks), assumed, known, difference, size)
    from thence.analysis import planning

    plan = Plan(
        [task.full_name for task in chosen(tasks)], seed, size, settings=dict(parameters or {})
    )
    return planning.planned(plan, assumed, difference)


def _opened(runs: Run | str | Path | Iterable[Run | str | Path]) -> list[Run]:
    if not isinstance(runs, Run | str | Path | Iterable):
        raise ParameterError("runs", short(runs), "must be a run, its directory, or several")
    several = [runs] if isinstance(runs, Run | str | Path) else list(runs)
    return [each if isinstance(each, Run) else open_run(path_of("runs", each)) for each in several]


def _measured(
    runs: list[Run],
    tasks: list[Any],
    assumed: Assumptions,
    known: Mapping[str, float],
    difference: float,
    size: int | None,
) -> Planning:
    from thence.analysis import planning

    for name, value in known.items():
        if len(runs) > 1 or name not in {"correlation", "discordance"}:
            raise ParameterError(name, value, "is measured in the runs; leave it out")
    own = {task.full_name: task for run in runs for task in run.own}
    with families.using(own.values()):
        names = [task.full_name for task in chosen(tasks)] if tasks else []
        scores = [run.results() for run in runs]
        return planning.measured(scores, assumed, difference, tasks=names, size=size)
