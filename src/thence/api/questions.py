"""Questions without end, each made from its index alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, overload

from thence import families
from thence.api.given import Excluded, Tasks, chosen, exclusion_of, folder_of, short
from thence.core.bounds import MOST_SEED, check_count, check_seed
from thence.core.digest import digest
from thence.core.parts import Condition, Generator
from thence.core.sample import Sample
from thence.core.task import Task
from thence.errors import ParameterError, UsageError
from thence.generation.exclusion import Exclusion, identity
from thence.generation.making import make_of
from thence.generation.plan import Plan, SampleSlot, available, texts_of
from thence.prompts import template_loader

TRAINING = 1_000_000_000
"""The first of the seeds that are for training; those below are for evaluation."""

_NOTHING = Exclusion()
_UNSEARCHED = "questions are not searched; compare with questions[i]"
_ATTEMPTS = 1000  # draws of one question before those that are not excluded count as used up
_BLOCK = 240  # slots, at least, that a task arranges at once where it arranges its own
_LENGTHS = ("steps", "plan_steps")  # parameters that say how long questions are


def questions(
    tasks: Tasks,
    *,
    seed: int,
    size: int | None = None,
    templates: str | Path | None = None,
    exclude: Excluded = None,
    skip_unavailable: bool = False,
    **parameters: Any,
) -> Questions:
    """Return a sequence of questions with random access and, without a size, no end.

    ``questions(...)[i]`` depends on tasks, parameters, seed and ``i`` alone, so any process on any
    machine makes any of them without the others. The tasks take turns; within a task, groups and
    lengths come in an order by chance, so that any first thousand is a fair sample. Nothing looks
    for repetitions: a task with few different questions repeats them.

    Args:
        tasks: families, full names, globs or `Task` objects.
        seed: a whole number; 0 to 999,999,999 for evaluation, from 1,000,000,000 on for training.
        size: length of the sequence; None for ``sys.maxsize``.
        templates: a folder of templates that take the place of the packaged ones.
        exclude: questions that were used before, as for `thence.generate`: neither they nor others
            about their procedures come again.
        skip_unavailable: leave out tasks whose extra is not installed, and log which.
        parameters: of the tasks, as Python values, such as ``steps=(2, 25)``.

    Returns:
        A `Questions` object; nothing is generated until a question is asked for.

    Raises:
        ParameterError: a seed, size or parameter that is not taken, or an unknown name.
        MissingExtra: a task needs an extra that is not installed.
        UsageError: a task that there is not, or one that has no questions here.

    Example:
        >>> import thence
        >>> endless = thence.questions("procbench", seed=5, steps=(2, 6))
        >>> endless[999_999_999].id == endless[999_999_999].id
        True
        >>> train, test = endless.split(train=10_000, test=500)
        >>> len(train), len(test), train.seed
        (10000, 500, 1000000005)
    """
    check_seed(seed)
    check_count("size", size, sys.maxsize)
    found = chosen(tasks)
    with families.using(found):
        plan = Plan([task.full_name for task in found], seed, settings=parameters)
        left = set(available(plan, skip=skip_unavailable).tasks)
    found, texts = [task for task in found if task.full_name in left], dict(plan.settings)
    length = sys.maxsize if size is None else size
    excluded = exclusion_of(exclude)
    return Questions(found, texts, seed, length, folder_of(templates), exclude=excluded)


class Questions(Sequence[Sample]):
    """Questions by index; a part of such a sequence is one, too. Made by `thence.questions`.

    Slices and shards are made at once, whatever their length. Objects pickle, and are safe to use
    from several threads.

    Attributes:
        tasks: full names, in the order of tables.
        parameters: those that were given, as texts by name.
        seed: of all chance.
        own: the tasks that lie in no package.
    """

    def __init__(
        self,
        tasks: Sequence[Task],
        parameters: Mapping[str, str],
        seed: int,
        size: int,
        folder: Path | None = None,
        start: int = 0,
        step: int = 1,
        exclude: Exclusion = _NOTHING,
    ) -> None:
        self.tasks = tuple(task.full_name for task in tasks)
        self.parameters = dict(parameters)
        self.seed = seed
        self._tasks = tuple(tasks)
        self._size, self._start, self._step = size, start, step
        self._folder = folder
        with families.using(tasks):
            self.own = families.given()
            self._templates = template_loader.templates(folder)
        self._streams = [_Stream(task, parameters, seed, exclude) for task in tasks]
        self._exclude = exclude
        self._order = lru_cache(maxsize=64)(self._order_of)

    def __len__(self) -> int:
        """Return the number of questions; ``sys.maxsize`` where there is no end."""
        return self._size

    @overload
    def __getitem__(self, index: int) -> Sample: ...

    @overload
    def __getitem__(self, index: slice) -> Questions: ...

    def __getitem__(self, index: int | slice) -> Sample | Questions:
        """Return the question at an index, or a part of the sequence."""
        if isinstance(index, slice):
            places = range(self._size)[index]
            return self._part(len(places), places.start, places.step)
        place = range(self._size)[index]  # counts from the end where it is negative
        turn, rest = divmod(self._start + place * self._step, len(self._streams))
        stream = self._streams[self._order(turn)[rest]]
        return self._made(stream.task, stream.slot(turn))

    def _made(self, task: Task, slot: SampleSlot) -> Sample:
        """Return the question of a slot, drawn again as long as it is excluded."""
        for attempt in range(_ATTEMPTS if self._exclude else 1):
            sample = make_of(task, slot, self.seed, self._templates, attempt)
            if not (self._exclude and self._exclude.holds(identity(sample, steps=True))):
                return sample
        raise UsageError(f"{task.full_name}: every question that was drawn is excluded")

    def __iter__(self) -> Iterator[Sample]:
        for index in range(self._size):
            yield self[index]

    def __contains__(self, value: object) -> bool:
        """Refuse to search: there may be no end."""
        raise TypeError(_UNSEARCHED)

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Refuse to search, likewise."""
        raise TypeError(_UNSEARCHED)

    def count(self, value: Any) -> int:
        """Refuse to search, likewise."""
        raise TypeError(_UNSEARCHED)

    def shard(self, index: int, count: int) -> Questions:
        """Return every ``count``-th question, from ``index`` on: the part of one of some machines.

        Args:
            index: 0-based, below ``count``.
            count: of the shards, at least 1; together they hold each question once.

        Raises:
            ParameterError: an index or count that is not taken.
        """
        check_count("count", count, sys.maxsize)
        if type(index) is not int or not 0 <= index < count:
            raise ParameterError("index", index, f"must be a whole number from 0 to {count - 1}")
        places = range(self._size)[index::count]
        return self._part(len(places), index, count)

    def split(
        self, *, train: int | None = None, test: int | None = None
    ) -> tuple[Questions, Questions]:
        """Return two sequences that share no random stream: for training and for the test.

        That for the test goes on with this seed, that for training has 1,000,000,000 more. The same
        question or procedure can still occur in both where a task has few different ones; give the
        set for the test to ``exclude`` of those for training to rule that out.

        Args:
            train: length of the one for training, at most that of this sequence; None for the same.
            test: likewise of the one for the test.

        Raises:
            ParameterError: a length below 1 or above this one's, or a seed that is one for training
                already.
        """
        for name, value in (("train", train), ("test", test)):
            check_count(name, value, self._size)
        if self.seed >= TRAINING:
            raise ParameterError(
                "seed", self.seed, f"is one for training; split one below {TRAINING}"
            )
        first = Questions(
            self._tasks,
            self.parameters,
            TRAINING + self.seed,
            train or self._size,
            self._folder,
            self._start,
            self._step,
            self._exclude,
        )
        return first, self._part(test or self._size, 0, 1)

    def at(self, difficulty: int | tuple[int, int]) -> Questions:
        """Return the same sequence with questions of one length, such as for a curriculum.

        Args:
            difficulty: a number of steps, or the least and the most; it takes the place of
                ``steps`` (of plans, ``plan_steps``).

        Raises:
            ParameterError: a task without such a parameter, or a length that it does not take.
        """
        lengths = dict[str, Any]()
        for task in self._tasks:
            own = [each for each in task.generator.parameters if each.name in _LENGTHS]
            if not own:
                raise ParameterError(
                    "difficulty", short(difficulty), f"{task.full_name} has no parameter of length"
                )
            lengths[own[0].name] = difficulty
        place = (self._size, self._folder, self._start, self._step, self._exclude)
        try:
            parameters = {**self.parameters, **texts_of(self._tasks, lengths)}
            return Questions(self._tasks, parameters, self.seed, *place)
        except ParameterError as error:
            if error.name not in lengths:
                raise
            raise ParameterError("difficulty", error.value, error.reason) from error

    def to_json(self) -> dict[str, Any]:
        """Return the settings that tell this sequence from others, ready for JSON."""
        excluded = {"exclude": self._exclude.to_json()} if self._exclude else {}
        return {
            "tasks": list(self.tasks),
            "seed": self.seed,
            "set": dict(self.parameters),
            "questions": [self._start, self._step, self._size],
            **excluded,
        }

    def _part(self, size: int, start: int, step: int) -> Questions:
        """Return some of these: from ``start`` on, each ``step``-th."""
        part = object.__new__(type(self))
        part.__dict__ |= self.__dict__
        part._size, part._start = size, self._start + start * self._step
        part._step = self._step * step
        return part

    def _order_of(self, turn: int) -> list[int]:
        """Return the tasks, by place, in the order in which they come in a turn of all of them."""
        order = list(range(len(self._streams)))
        if len(order) > 1:
            Random(_number("turn", self.tasks, self.seed, turn)).shuffle(order)
        return order

    def __repr__(self) -> str:
        size = "without end" if self._size == sys.maxsize else f"{self._size:,}"
        tasks = ", ".join(self.tasks[:3]) + (", ..." if len(self.tasks) > 3 else "")
        return f"<Questions {size}: {tasks}, seed {self.seed}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Questions) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.tasks, self.seed, self._size, self._start, self._step))

    def _key(self) -> tuple[Any, ...]:
        place = (self._size, self._start, self._step, self._exclude)
        return self.tasks, self.parameters, self.seed, self._folder, place

    def __reduce__(self) -> tuple[Any, ...]:
        known = {task.full_name for task in self.own}
        tasks = [task if task.full_name in known else task.full_name for task in self._tasks]
        place = (self._size, self._folder, self._start, self._step, self._exclude)
        return _unpickled, (type(self), tasks, self.parameters, self.seed, *place)


def _unpickled(
    kind: type[Questions], tasks: Sequence[str | Task], parameters: Mapping[str, str], *place: Any
) -> Questions:
    held = [task if isinstance(task, Task) else families.task(task) for task in tasks]
    return kind(held, parameters, *place)


class _Stream:
    """The slots of one task without end, in blocks that are arranged by seed and number.

    A block of a task with the common arrangement holds each of its conditions once. A task that
    arranges its questions itself arranges each block as a set of its own.
    """

    def __init__(
        self, task: Task, parameters: Mapping[str, str], seed: int, exclude: Exclusion
    ) -> None:
        self.task = task
        self._seed = seed
        generator = task.generator
        self._values = generator.without(
            generator.configure(parameters), exclude.procedures(task.family)
        )
        if reason := generator.unavailable(self._values):
            raise UsageError(f"{task.full_name} is not offered: {reason}")
        conditions = generator.conditions(self._values)
        if not conditions:
            raise UsageError(f"{task.full_name} has no questions with these parameters")
        self._length, self._conditions = len(conditions), list[Condition]()
        if type(generator).arrange is Generator.arrange:
            self._conditions = list(conditions)
        else:
            least = 2 * len({each.group for each in conditions})  # groups and answers come out even
            self._length = -(-_BLOCK // least) * least
        self._block = lru_cache(maxsize=16)(self._block_of)

    def slot(self, index: int) -> SampleSlot:
        """Return the slot of the task's question at an index."""
        number, place = divmod(index, self._length)
        slots = self._block(number)
        condition = slots[place % len(slots)]
        return SampleSlot(self.task.full_name, condition, index)

    def _block_of(self, number: int) -> list[Condition]:
        """Return the conditions of a block, one a slot, in an order by chance.

        Questions that are made together stay together: to go from one to another would make the
        procedures of all of them.
        """
        generator, name = self.task.generator, self.task.full_name
        if self._conditions:
            slots = list(self._conditions)
        else:
            seed = _number("arrangement", name, self._seed, number)
            slots = [each for each in self._arranged(seed) for _ in range(each.count)]
        if not any(generator.work_key(each) for each in slots):
            Random(_number("block", name, self._seed, number)).shuffle(slots)
        return slots

    def _arranged(self, seed: int) -> Sequence[Condition]:
        generator = self.task.generator
        try:
            return generator.arrange(self._values, self._length, seed)
        except UsageError:  # fewer questions than that: all that there are
            return generator.arrange(self._values, None, seed)


def _number(*parts: Any) -> int:
    """Return a number for `Random` from the hash of some JSON values, which JSON keeps whole."""
    return int(digest("questions", *parts, size=8), 16) & MOST_SEED
