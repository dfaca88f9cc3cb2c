"""Drawing again what repeats an earlier sample of the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from thence import families
from thence.errors import UsageError
from thence.generation.making import Identity
from thence.generation.plan import Plan, SampleSlot

_ATTEMPTS = 1000  # draws of one place before its cell is held to be exhausted


@dataclass
class Tally:
    """What generation counts, for the manifest."""

    groups: dict[str, Counter[str]] = field(default_factory=dict)
    redrawn: int = 0

    def add(self, place: SampleSlot) -> None:
        """Counts the sample of a place."""
        counts = self.groups.get(place.task)
        if counts is None:
            counts = self.groups[place.task] = Counter()
        counts[place.condition.group] += 1


class Repetitions:
    """What a file has asked so far."""

    def __init__(self, plan: Plan) -> None:
        every = {name: families.task(name).generator for name in plan.tasks}
        self.spreading = {name: each for name, each in every.items() if each.spread}
        self._seen: set[str] = set()
        # By task and procedure, where these are to differ, the pair that it was first asked in:
        # both twins of a pair may stem from it.
        self._pairs: dict[tuple[str, str], str | None] = {}

    def takes(self, task: str, told: Identity, *, fresh: bool = True) -> bool:
        """Whether a sample is no repetition; ``fresh``: nor one of a procedure asked about."""
        name, cluster, pair = told
        if name in self._seen:
            return False
        if not fresh or task not in self.spreading or (task, cluster) not in self._pairs:
            return True
        return bool(pair and self._pairs[task, cluster] == pair)

    def settle[Made](
        self,
        place: SampleSlot,
        draw: Callable[[SampleSlot, int], Made],
        tell: Callable[[Made], Identity],
        first: Made | None = None,
    ) -> tuple[Made, int, bool] | None:
        """Draws until a sample is new: it, how often anew, and whether its procedure is new, too.

        None where many draws gave nothing new. ``first``: what the first draw gives, if known.
        """
        generator, spare = self.spreading.get(place.task), None
        for again in range(_ATTEMPTS - 1):
            made = draw(place, again) if again or first is None else first
            told = tell(made)
            if self.takes(place.task, told):
                return made, again, True
            if spare is None and self.takes(place.task, told, fresh=False):
                spare = made
            if (
                generator
                and spare is not None
                and generator.redraw(place.condition, again + 1) is None
            ):
                if (
                    generator.redraw(place.condition, 1) is not place.condition
                ):  # all were asked about
                    kept = self._pairs.items()
                    self._pairs = {key: each for key, each in kept if key[0] != place.task}
                return spare, again, False
        return None

    def add(self, task: str, told: Identity) -> None:
        """Notes a sample that was taken."""
        name, cluster, pair = told
        self._seen.add(name)
        if task in self.spreading:
            self._pairs.setdefault((task, cluster), pair)


def distinct[Made](
    every: Sequence[SampleSlot],
    draw: Callable[[SampleSlot, int], Made],
    tell: Callable[[Made], Identity],
    plan: Plan,
    tally: Tally | None,
) -> Iterator[Made]:
    """Draws what repeats an earlier sample again, in order."""
    tally, asked = tally if tally is not None else Tally(), Repetitions(plan)
    for place in every:
        found = asked.settle(place, draw, tell)
        if found is None:
            raise exhausted(place, every, tally)
        made, again, _ = found
        tally.redrawn += again
        tally.add(place)
        asked.add(place.task, tell(made))
        yield made


def exhausted(place: SampleSlot, every: Sequence[SampleSlot], tally: Tally) -> UsageError:
    """The error that a group has fewer distinct questions than are asked for."""
    whole = place.task, place.condition.group
    wanted = sum((each.task, each.condition.group) == whole for each in every)
    found = tally.groups.get(place.task, Counter())[place.condition.group]
    return UsageError(
        f"{place.task}: group {place.condition.group} has fewer than {wanted} distinct questions "
        f"({found} were found); ask for fewer"
    )
