"""The request for samples (tasks, seed, size, parameters), and the slots of its samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from thence import families
from thence.core.bounds import MOST_IN_ALL, check_count, check_seed
from thence.core.parts import Condition
from thence.core.registry import nearest
from thence.core.task import Task
from thence.errors import MissingExtra, ParameterError, UsageError
from thence.generation.exclusion import Exclusion
from thence.generation.part_of_set import chosen, spread_total, starts
from thence.generation.shards import Shard
from thence.system.log import logger

_log = logger("generation")


@dataclass(frozen=True)
class Plan:
    """A request for samples.

    Attributes:
        tasks: full names, in the order of tables.
        seed: the user's seed.
        size: samples per task, spread evenly over its groups; None for the paper's size.
        limit: maximal number of samples per task, a part of the set that is spread over its groups;
            None for all.
        total: number of samples of all tasks together, spread evenly over families, then tasks,
            then groups; it takes the place of size and limit.
        exclude: questions and procedures that may not come again.
        shard: the part of the set that is wanted, ``I/N``; None for all.
        settings: texts of the tasks' parameters by name; given as texts or Python values.
        templates: the user's folder of templates, or None.
        given: the tasks outside of any package, which worker processes have to add.
        skipped: the tasks that were left out for want of an extra, with the reason by name.
    """

    tasks: Sequence[str]
    seed: int = 0
    size: int | None = None
    limit: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    templates: Path | None = None
    given: Sequence[Task] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    total: int | None = None
    exclude: Exclusion = field(default_factory=Exclusion)
    shard: str | None = None

    def __post_init__(self) -> None:
        check_seed(self.seed)
        Shard.of(self.shard)
        check_count("size", self.size)
        check_count("limit", self.limit)
        check_count("total", self.total)
        check_alone(self.total, size=self.size, limit=self.limit)
        if self.size and self.size * len(self.tasks) > MOST_IN_ALL:
            most = MOST_IN_ALL // len(self.tasks)
            reason = f"must be at most {most:,} for each of {len(self.tasks)} tasks"
            raise ParameterError("size", self.size, reason)
        tasks = [families.task(name) for name in self.tasks]
        object.__setattr__(self, "settings", texts_of(tasks, self.settings))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of the plan in a manifest and in a run's request."""
        held = {
            "tasks": list(self.tasks),
            "seed": self.seed,
            "size": self.size,
            "limit": self.limit,
            "set": dict(self.settings),
        }
        if self.total is not None:
            held["total"] = self.total
        if self.exclude:
            held["exclude"] = self.exclude.to_json()
        if self.shard is not None:
            held["shard"] = self.shard
        return {**held, "skipped": list(self.skipped)} if self.skipped else held


def check_alone(total: int | None, **others: int | None) -> None:
    """Raise if a total stands beside another number of samples.

    Raises:
        ParameterError: naming the other one.
    """
    for name, value in others.items():
        if total is not None and value is not None:
            raise ParameterError("total", total, f"says how many there are; leave out {name}=")


def available(plan: Plan, *, skip: bool) -> Plan:
    """Return a plan whose tasks' extras are all installed.

    Args:
        plan: the request.
        skip: leave the other tasks out, and log which, instead of raising.

    Raises:
        MissingExtra: an extra is not installed; with ``skip``, no task is left.
    """
    found: dict[str, MissingExtra] = {}
    for name in plan.tasks:
        generator = families.task(name).generator
        if error := generator.missing(generator.configure(plan.settings)):
            found[name] = error
    if not found:
        return plan
    left = [name for name in plan.tasks if name not in found]
    skipped = {name: str(error) for name, error in found.items()}
    extra = ",".join(sorted({error.extra for error in found.values()}))
    otherwise = "skip_unavailable=True goes on without" if left and not skip else ""
    error = MissingExtra(_listed(found), extra, otherwise)
    if not (skip and left):
        raise error
    _log.warning("left out: %s", error)
    return replace(plan, tasks=left, skipped=skipped)


def _listed(names: Iterable[str]) -> str:
    """Return some tasks in one line, those of a whole folder as a pattern."""
    folders: dict[str, list[str]] = {}
    for name in names:
        folders.setdefault(name.rpartition("/")[0], []).append(name)
    shown = []
    for folder, held in folders.items():
        every = sum(name.rpartition("/")[0] == folder for name in families.tasks())
        shown += [f"{folder}/*"] if 1 < len(held) == every else held
    return ", ".join(shown)


def texts_of(tasks: Iterable[Task], given: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of some parameters' values by name.

    Raises:
        ParameterError: none of the tasks has a parameter of this name.
    """
    known = {each.name: each for task in tasks for each in task.generator.parameters}
    for name in given:
        if name not in known:
            offered = ", ".join(sorted(known)) or "none"
            raise ParameterError(
                name,
                None,
                f"no chosen task has such a parameter{_elsewhere(name, known)} "
                f"(the chosen tasks have: {offered})",
            )
    return {name: known[name].text(value) for name, value in given.items()}


def _elsewhere(name: str, known: Iterable[str]) -> str:
    """Return which other tasks have a parameter, or else the name that may have been meant."""
    others = (
        full
        for full, task in families.tasks().items()
        if any(each.name == name for each in task.generator.parameters)
    )
    found = _listed(others)
    return f"; it belongs to {found}" if found else nearest(name, [*known])


@dataclass(frozen=True, slots=True)
class SampleSlot:
    """The position of a sample in a plan: its index within its condition.

    One that is not kept belongs to another shard; it is made, as later samples may not repeat it.
    """

    task: str
    condition: Condition
    index: int
    kept: bool = True


def not_offered(plan: Plan) -> dict[str, str]:
    """Return the tasks of a plan that have no questions with its parameters, and why.

    Raises:
        MissingExtra: a task needs an extra that is not installed.
        UsageError: none of the tasks has questions.
    """
    reasons: dict[str, str] = {}
    for name in plan.tasks:
        generator = families.task(name).generator
        values = generator.configure(plan.settings)
        if error := generator.missing(values):
            raise error
        if reason := generator.unavailable(values):
            reasons[name] = reason
    if reasons and len(reasons) == len(plan.tasks):
        name, reason = next(iter(reasons.items()))
        raise UsageError(f"{name} is not offered: {reason}")
    return reasons


def slots(plan: Plan) -> Iterator[SampleSlot]:
    """Yield every slot of a plan, in the order of the file."""
    left = not_offered(plan)
    offered: dict[str, Mapping[str, Any]] = {}
    for name in plan.tasks:
        if name not in left:
            generator, excluded = families.task(name).generator, plan.exclude
            values = generator.configure(plan.settings)
            offered[name] = generator.without(
                values, excluded.procedures(families.task(name).family)
            )
    parts = {
        name: _of_task(plan, name, offered[name], count, start)
        for name, (count, start) in _parts(plan, offered).items()
    }
    if (shard := Shard.of(plan.shard)) is None:
        yield from chain.from_iterable(parts.values())
        return
    held = {name: list(part) for name, part in parts.items()}
    for name, kept in shard.ranges({name: len(part) for name, part in held.items()}).items():
        for place, slot in enumerate(held[name][: kept.stop]):
            yield slot if place in kept else replace(slot, kept=False)


def _of_task(
    plan: Plan, name: str, values: Mapping[str, Any], count: int | None, start: int
) -> Iterator[SampleSlot]:
    """Yield the slots of a task: all of its set, or ``count`` of them from a group on."""
    generator = families.task(name).generator
    conditions = generator.arrange(values, plan.size, plan.seed)
    if plan.total is not None and count is not None and sum(c.count for c in conditions) < count:
        conditions = generator.arrange(values, count, plan.seed)
    every = (
        (number, SampleSlot(name, each, index))
        for number, each in enumerate(conditions)
        for index in range(each.count)
    )
    if count is None:
        yield from (slot for _, slot in every)
        return
    held = list(every)
    for place in chosen([(slot.condition.group, number) for number, slot in held], count, start):
        yield held[place][1]


def _parts(plan: Plan, offered: Mapping[str, Any]) -> Mapping[str, tuple[int | None, int]]:
    """Return by task how many samples it gives, None for all, and how many groups it passes over.

    Raises:
        ParameterError: a total that the tasks do not have.
    """
    if plan.total is None:
        return dict.fromkeys(offered, (plan.limit, 0))
    room = {name: families.task(name).generator.most(held) for name, held in offered.items()}
    given = spread_total(plan.total, room)
    if sum(given.values()) < plan.total:
        most = f"must be at most {sum(given.values()):,}, as many as these tasks have"
        raise ParameterError("total", plan.total, most)
    return starts(given)
