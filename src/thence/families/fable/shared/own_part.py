"""Shortcuts that look at the own part of a step: its queue, or the steps of its vehicle.

None of them follows an order: they take the nearest step of a part that has to do with the fact,
count such steps, or look at one wait at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from thence.core.shortcuts import Shortcut, ShownQuestion, group
from thence.families.fable.shared.shortcuts import ROLES, asked_facts, does, exclude

_MOST = 2  # steps or waits that are told apart

type Step = Mapping[str, Any]


class StepParts(NamedTuple):
    """The parts of a procedure, as its prompt tells them.

    Attributes:
        owner: for each step the part in which it stands.
        waits: pairs of steps of which the second waits for the first.
    """

    owner: Sequence[Any]
    waits: Sequence[Sequence[int]]


class PartQuestion:
    """The steps that have to do with the fact of a question, their parts, and who waits.

    Attributes:
        i: the step that is asked about, or None.
        j: the other one, or None.
        steps: all steps.
        owner: for each step its part.
        waits: pairs of steps of which the second waits for the first.
        awaited: the first steps of these pairs.
        waiting: the second ones.
        does: for each step what it does to the fact; nothing where it does not touch it.
        naming: the steps that touch the fact; of these
        using: those that need it,
        ending: those that end it,
        making: those that make it,
        changing: and those that do not only need it.
    """

    def __init__(self, shown: ShownQuestion, parts: StepParts) -> None:
        self.i, self.j, self.steps = shown.i, shown.j, shown.steps
        self.owner, self.waits = parts
        self.awaited, self.waiting = ({wait[k] for wait in self.waits} for k in (0, 1))
        facts = asked_facts(shown)
        self.does = [does(step, facts) or "" for step in shown.steps]
        self.naming = [k for k, each in enumerate(self.does) if each]
        self.changing = [k for k in self.naming if self.does[k] != "uses"]
        self.using, self.ending, self.making = (
            [k for k in self.naming if role in self.does[k]] for role in ROLES
        )

    def part(self, step: int) -> list[int]:
        """Return the steps of the part of a step."""
        return [k for k, each in enumerate(self.owner) if each == self.owner[step]]

    def nearest(self, places: Sequence[int], step: int) -> tuple[bool, bool] | None:
        """Return whether the nearest of some steps comes after a step, and is of its part."""
        found = min(places, key=lambda k: abs(k - step), default=None)
        return None if found is None else (found > step, self.owner[found] == self.owner[step])

    def next_role(self, step: int) -> str | None:
        """Return what the next step with the fact in the part of a step does to it."""
        later = (k for k in self.own(self.naming, step) if k > step)
        return next((self.does[k] for k in later), None)

    def own(self, places: Sequence[int], step: int) -> list[int]:
        """Return those of some steps that stand in the part of a step."""
        return [k for k in places if self.owner[k] == self.owner[step]]

    def others(self, places: Sequence[int], step: int) -> int:
        """Return how many of some steps stand in another part than a step."""
        return min(len(places) - len(self.own(places, step)), _MOST)

    def sure(self, step: int, *asked: int) -> bool:
        """Return whether a step depends on no option, or on those of the steps asked about."""
        when = self.steps[step].get("when")
        return not when or any(when == self.steps[each].get("when") for each in asked)

    def needs(self, i: int | None, j: int) -> list[tuple[bool | None, int]]:
        """Return what j's own part and the other parts do to each fact that step j uses.

        First whether j's own part made it last (step i left out), or None where no step of the part
        makes or ends it before j; then how many steps of other parts end it.
        """
        before = [k for k in range(j) if self.owner[k] == self.owner[j] and k != i]
        found = []
        for need in self.steps[j]["uses"]:
            changed = [
                k
                for k in before
                if self.sure(k)
                and (need in self.steps[k]["defines"] or need in self.steps[k]["kills"])
            ]
            made = need in self.steps[changed[-1]]["defines"] if changed else None
            ended = [k for k, step in enumerate(self.steps) if need in step["kills"]]
            found.append((made, self.others(ended, j)))
        return found


def with_parts(
    parts_of: Callable[[ShownQuestion], StepParts],
) -> Callable[[ShownQuestion], PartQuestion]:
    """Return a function from a question to the same with its parts, worked out once for all looks.

    Args:
        parts_of: returns the parts that a question shows.
    """
    return lru_cache(maxsize=2)(lambda shown: PartQuestion(shown, parts_of(shown)))


def _of_i(asked: PartQuestion, i: int, j: int | None) -> dict[str, Any]:
    following = [k for k in asked.own(asked.naming, i) if k > i and asked.sure(k)]
    return {
        "next in the part of i": asked.does[following[0]] if following else None,
        "users in other parts": asked.others(asked.using, i),
        "changes in other parts": asked.others(asked.changing, i),
        "where the next in the part is": _side(following[0], j) if following else None,
    }


def _of_j(asked: PartQuestion, i: int | None, j: int) -> dict[str, Any]:
    last = [k for k in asked.own(asked.changing, j) if k < j and (k == i or asked.sure(k, j))]
    needs = asked.needs(i, j)
    return {
        "last change in the part of j": (asked.does[last[-1]], _side(last[-1], i))
        if last
        else None,
        "two last in the part of j": tuple(
            asked.does[k] for k in asked.own(asked.naming, j) if k < j
        )[-2:],
        "ends outside the part of j": asked.others(asked.ending, j),
        "needs made in the part": all(made for made, _ in needs),
        "needs ended in the part": any(made is False for made, _ in needs),
        "needs ended in other parts": any(others for _, others in needs),
    }


def _of_both(asked: PartQuestion, i: int, j: int) -> dict[str, Any]:
    low, high = sorted((i, j))
    between = range(low + 1, high)
    one, other = asked.steps[i], asked.steps[j]
    across = [(a, b) for a, b in asked.waits if low <= a < high and low < b <= high]
    own = {*asked.own(range(i + 1, len(asked.steps)), i), *asked.own(range(j), j)}
    changes = [k for k in asked.changing if k in own and k not in (i, j) and asked.sure(k, i, j)]
    ends = [k for k in asked.ending if k in between and asked.sure(k, i, j)]
    return {
        "waits across": min(len(across), _MOST),
        "changes in own parts": min(len(changes), _MOST),
        "changes in the part of i between": (
            asked.owner[i] == asked.owner[j],
            i < j,
            min(len([k for k in asked.own(asked.changing, i) if k in between]), _MOST),
        ),
        "places apart in their parts": asked.part(j).index(j) - asked.part(i).index(i),
        "changes in own parts between": min(sum(k in between for k in changes), _MOST),
        "sure ends between": min(len(ends), _MOST),
        "conditions of both": _conditions(one, other),
    }


def _side(step: int, other: int | None) -> str:
    """Return where a step stands beside another one."""
    if other is None:
        return ""
    return "at" if step == other else "before" if step < other else "after"


def _conditions(one: Step, other: Step) -> str:
    """Return how the options of two steps go together."""
    held, there = ({tuple(each) for each in step.get("when") or ()} for step in (one, other))
    if held == there:
        return "none" if not held else "same"
    if exclude(one, other):
        return "opposite"
    return "wider" if held <= there else "narrower" if there <= held else "other"


_TEXTS = {
    "next in the part of i": "what the next sure step with the fact does, in the part of i",
    "users in other parts": "steps of other parts than that of i that need the fact",
    "changes in other parts": "steps of other parts than that of i that make or end the fact",
    "where the next in the part is": "where the next sure step with the fact in i's part stands: "
    "before, at or after j",
    "last change in the part of j": "what j's part last did to the fact before j, and where",
    "ends outside the part of j": "steps of other parts than that of j that end the fact",
    "needs made in the part": "the part of j made all that j needs last, without i",
    "needs ended in the part": "the part of j ended something that j needs last, without i",
    "needs ended in other parts": "a step of another part ends something that j needs",
    "waits across": "waits of which both steps stand from i to j",
    "changes in own parts": "sure steps that make or end the fact, after i or before j in the part",
    "changes in own parts between": "those of these steps that are listed between i and j",
    "sure ends between": "sure steps between that end the fact",
    "conditions of both": "how the options of i and j go together",
    "changes in the part of i between": "steps of i's part between that make or end the fact, "
    "whether j is of that part, and whether it is listed later",
    "places apart in their parts": "how many more steps stand before j in its part than before i",
    "two last in the part of j": "what the last two steps of j's part with the fact do, before j",
}


def own_part(asked_of: Callable[[ShownQuestion], PartQuestion]) -> list[Shortcut]:
    """Return the shortcuts of a domain that look at the own part of a step.

    Args:
        asked_of: returns a question with the parts that it shows.
    """

    def look(shown: ShownQuestion) -> dict[str, Any]:
        asked = asked_of(shown)
        i, j = asked.i, asked.j
        told: dict[str, Any] = {}
        if i is not None:
            told |= _of_i(asked, i, j)
        if j is not None:
            told |= _of_j(asked, i, j)
        if i is not None and j is not None:
            told |= _of_both(asked, i, j)
        return told

    return group(look, _TEXTS)
