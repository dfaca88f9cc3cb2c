"""Redrawing of samples that repeat an earlier sample of the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from thence import families
from thence.errors import NoQuestion, UsageError
from thence.generation.exclusion import Identity
from thence.generation.plan import Plan, SampleSlot
from thence.system.log import logger

_log = logger("generation")

_SAME = 50  # draws of one question after which its condition is taken to have no other
_FAILED = 3  # slots of a group without a question that is not excluded before it is given up
_ATTEMPTS = 1000  # draws of one slot before its group counts as exhausted
_FEWER = 100  # the same, of a group that may run out


@dataclass
class Tally:
    """Counts of generated samples for the manifest.

    Attributes:
        groups: number of samples by task and group.
        redrawn: number of samples that were drawn again.
        left_out: number of samples by task for which no question is left.
        reasons: by task why there is none, where more than repetition or exclusion is the reason.
    """

    groups: dict[str, Counter[str]] = field(default_factory=dict)
    redrawn: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)

    def add(self, slot: SampleSlot) -> None:
        """Count the sample of a slot."""
        self.groups.setdefault(slot.task, Counter())[slot.condition.group] += 1


class AskedSamples:
    """The samples that a file holds so far."""

    def __init__(self, plan: Plan) -> None:
        every = {name: families.task(name).generator for name in plan.tasks}
        self.spread = {name: each for name, each in every.items() if each.spread}
        self._excluded = plan.exclude
        self._failed: Counter[Hashable] = Counter()
        self._reasons: dict[str, str] = {}  # by task why its stock has no question
        self._ids: set[str] = set()
        # For tasks whose procedures should differ: (task, procedure) -> the pair that it was first
        # used in, as both twins of a pair may share a procedure.
        self._pairs: dict[tuple[str, str], str | None] = {}

    def accepts(self, task: str, identity: Identity, *, fresh: bool = True) -> bool:
        """Return whether a sample is new; with ``fresh``, whether its procedure is new as well."""
        sample, cluster, pair, *_ = identity
        if sample in self._ids or (self._excluded and self._excluded.holds(identity)):
            return False
        if not fresh or task not in self.spread or (task, cluster) not in self._pairs:
            return True
        return bool(pair and self._pairs[task, cluster] == pair)

    def draw_new[Made](
        self,
        slot: SampleSlot,
        draw: Callable[[SampleSlot, int], Made],
        identify: Callable[[Made], Identity],
        first: Made | None = None,
    ) -> tuple[Made, int, bool] | None:
        """Draw until a sample is new; None where no draw gives a new one.

        Args:
            slot: the slot of the sample.
            draw: makes the sample of a slot, given the number of earlier draws.
            identify: returns the identity of a sample.
            first: the result of the first draw, if known.

        Returns:
            The sample, the number of redraws, and whether its procedure is new as well.
        """
        if self._failed[self._group(slot)] >= _FAILED:
            return None
        try:
            return self._draw_new(slot, draw, identify, first)
        except NoQuestion as error:
            self._reasons[slot.task] = str(error).removeprefix(f"{slot.task}: ")
            return None

    def _draw_new[Made](
        self,
        slot: SampleSlot,
        draw: Callable[[SampleSlot, int], Made],
        identify: Callable[[Made], Identity],
        first: Made | None,
    ) -> tuple[Made, int, bool] | None:
        generator, spare = self.spread.get(slot.task), None
        fresh = generator is None or generator.spreads(slot.condition)
        drawn: set[str] = set()
        patience = _ATTEMPTS if _stock(slot) is None else _FEWER
        for attempt in range(_ATTEMPTS - 1):
            if spare is None and attempt >= patience:
                return None
            made = draw(slot, attempt) if attempt or first is None else first
            identity = identify(made)
            if self._excluded and attempt < _SAME:
                drawn.add(identity.id)
            elif len(drawn) == 1:  # the condition has one question alone
                return None
            if self.accepts(slot.task, identity, fresh=fresh):
                return made, attempt, fresh
            if spare is None and self.accepts(slot.task, identity, fresh=False):
                spare = made
            if generator is None or (spare is None and fresh):
                continue  # of a procedure that comes again, another draw may be new
            if generator.redraw(slot.condition, attempt + 1) is None:
                if spare is None:  # all further draws would give the first question again
                    return None
                if generator.redraw(slot.condition, 1) is not slot.condition:
                    self._forget_procedures(slot.task)  # each of the corpus is used by now
                return spare, attempt, False
        return None

    def give_up(self, slot: SampleSlot, slots: Sequence[SampleSlot], tally: Tally) -> None:
        """Count a slot that stays empty: all is excluded, or a user's file has no more questions.

        Raises:
            UsageError: its group should have more questions.
        """
        if not self._excluded and _stock(slot) is None:
            raise exhausted(slot, slots, tally)
        self._failed[self._group(slot)] += 1
        if slot.kept:
            tally.left_out[slot.task] += 1
        if slot.task in self._reasons:
            tally.reasons[slot.task] = self._reasons[slot.task]

    def _group(self, slot: SampleSlot) -> Hashable:
        """Return what the slots share that draw from the same questions."""
        return slot.task, slot.condition.group, _stock(slot)

    def _forget_procedures(self, task: str) -> None:
        self._pairs = {key: pair for key, pair in self._pairs.items() if key[0] != task}

    def add(self, task: str, identity: Identity) -> None:
        """Record a sample of the file."""
        sample, cluster, pair, *_ = identity
        self._ids.add(sample)
        if task in self.spread:
            self._pairs.setdefault((task, cluster), pair)


def distinct[Made](
    slots: Sequence[SampleSlot],
    draw: Callable[[SampleSlot, int], Made],
    identify: Callable[[Made], Identity],
    plan: Plan,
    tally: Tally | None,
) -> Iterator[Made]:
    """Yield a sample for every slot, in order, each different from all earlier ones."""
    tally, asked = tally if tally is not None else Tally(), AskedSamples(plan)
    for slot in slots:
        found = asked.draw_new(slot, draw, identify)
        if found is None:
            asked.give_up(slot, slots, tally)
            continue
        made, redraws, _ = found
        asked.add(slot.task, identify(made))
        if slot.kept:
            tally.redrawn += redraws
            tally.add(slot)
            yield made
    say_left_out(tally, plan)


def say_left_out(tally: Tally, plan: Plan) -> None:
    """Log by task for how many samples no question is left.

    Raises:
        UsageError: there is no sample at all.
    """
    usual = "no more different ones were found"
    none = "; ".join(f"{task}: {why}" for task, why in tally.reasons.items())
    if plan.exclude:
        usual = "all others that were found are excluded"
        none = "every question of these tasks is excluded; exclude fewer files"
    if tally.left_out and not tally.groups and plan.shard is None:  # a part may be empty
        raise UsageError(none)
    for task, count in tally.left_out.items():
        whole = tally.groups.get(task, Counter()).total() + count
        why = tally.reasons.get(task, usual)
        _log.warning("%s: %d of %d questions are missing: %s", task, count, whole, why)


def _stock(slot: SampleSlot) -> Hashable | None:
    return families.task(slot.task).generator.stock(slot.condition)


def exhausted(slot: SampleSlot, slots: Sequence[SampleSlot], tally: Tally) -> UsageError:
    """Return the error for a group with fewer distinct questions than requested."""
    group = slot.task, slot.condition.group
    wanted = sum((each.task, each.condition.group) == group for each in slots)
    found = tally.groups.get(slot.task, Counter())[slot.condition.group]
    return UsageError(
        f"{slot.task}: group {slot.condition.group} has fewer than {wanted} distinct questions "
        f"({found} were found); ask for fewer"
    )
