"""The figures of a finished run, one after the other, for tools that keep such figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import thence
from thence.api.runs import Run
from thence.api.scores import Scores
from thence.errors import FileError

_NOT_THE_MODELS = {"shortcut", "constant", "random"}  # figures of baselines that stand beside it


class RunFigure(NamedTuple):
    """One figure of a task or a family.

    Attributes:
        owner: name of the task or the family.
        name: ``accuracy`` or a metric.
        value: the figure.
        ends: of its 95% interval; None where it has none.
        number: of questions, or of what the figure counts.
    """

    owner: str
    name: str
    value: float
    ends: tuple[float, float] | None
    number: int


def finished(path: str | Path) -> tuple[Run, Scores]:
    """Return a run and its scores.

    Raises:
        FileError: no run, or an unfinished one.
    """
    held = thence.open_run(path)
    scores = held.scores()
    if not scores.finished:
        raise FileError(f"{held.path}: is not finished; run its command again")
    return held, scores


def by_owner(scores: Scores) -> dict[str, Mapping[str, Any]]:
    """Return what is told of each task, and of each family that has several of them."""
    told = scores.to_json()
    sizes = Counter(name.partition("/")[0] for name in told["groups"])
    several = {name: each for name, each in told["overall"].items() if sizes[name] > 1}
    return {**told["groups"], **several}


def figures(scores: Scores) -> Iterator[RunFigure]:
    """Yield the figures of the model, without those of baselines."""
    for owner, told in by_owner(scores).items():
        for name in (each.removesuffix("_ci") for each in told if each.endswith("_ci")):
            if name not in _NOT_THE_MODELS and told[name] is not None:
                ends = told[f"{name}_ci"]
                number = told.get(f"{name}_n", told["n"])
                yield RunFigure(owner, name, told[name], ends and tuple(ends), number)
