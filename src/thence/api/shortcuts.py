"""Shortcuts: how far the surface of a task's questions leads to their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thence.api.given import Tasks, chosen
from thence.core.bounds import check_count, check_seed
from thence.core.shortcuts import SIZE
from thence.generation.plan import Plan, available

if TYPE_CHECKING:
    from thence.analysis.shortcuts import Battery


def measure(
    tasks: Tasks,
    *,
    seed: int = 0,
    size: int = SIZE,
    workers: int | None = None,
    skip_unavailable: bool = False,
    **parameters: Any,
) -> list[Battery]:
    """Return what strategies reach that look at a question's surface and carry nothing out.

    Each shortcut alone, the best pair and a decision tree of depth 3 over all are fitted on twice
    as many questions of another seed, and scored on fresh ones. Where there are few different
    answers, the score is the balanced accuracy.

    Args:
        tasks: families, full names, globs or `Task` objects.
        seed: of the questions that are scored.
        size: number of questions to score, of each task.
        workers: processes that make the questions; None for as many as pay.
        skip_unavailable: leave out tasks whose extra is not installed.
        parameters: of the tasks, as Python values.

    Returns:
        A `Battery` for each task: ``chance``, and ``found``, the best strategy first.

    Raises:
        ParameterError: a seed, size or parameter that is not taken, or an unknown name.
        MissingExtra: a task needs an extra that is not installed.
        UsageError: a task that there is not, or one that has no questions here.

    Example:
        >>> from thence.api import shortcuts
        >>> (battery,) = shortcuts.measure("catbench", size=60)
        >>> battery.scored, battery.chance, battery.best("tree").score > battery.chance
        (60, 0.5, True)
    """
    check_seed(seed)
    check_count("size", size)
    names = [task.full_name for task in chosen(tasks)]
    plan = available(Plan(names, seed, size, settings=parameters), skip=skip_unavailable)
    from thence.analysis import shortcuts

    return shortcuts.shortcuts(plan, workers)
