"""The tasks and protocols that there are, as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from thence import families
from thence.api.given import text_of
from thence.core.parameters import Parameter
from thence.core.task import Task


@dataclass(frozen=True)
class ParameterInfo:
    """One parameter of a task or protocol.

    Attributes:
        name: the keyword that sets it.
        default: its value, as Python has it.
        text: the same as the command line takes it.
        help: its meaning and its values, in a clause.
        schema: JSON schema of its values: type, bounds, words.
    """

    name: str
    default: Any
    text: str
    help: str
    schema: Mapping[str, Any]

    @classmethod
    def of(cls, parameter: Parameter) -> ParameterInfo:
        """Return the record of a parameter."""
        schema = parameter.schema()
        return cls(parameter.name, schema["default"], parameter.default, parameter.help, schema)


@dataclass(frozen=True)
class TaskInfo:
    """One task: what it asks, what may be set, what its grades hold.

    Attributes:
        name: full name, such as ``procbench/sort``.
        family: the benchmark.
        summary: one line.
        version: ``N-X``: scores of different N do not compare.
        parameters: what `thence.generate` and `thence.questions` take for it, by keyword.
        metrics: names of the values in a `Score`, apart from being correct.
        counts: those of the metrics that are no shares.
        unavailable: the reason why it has no questions here; empty where it has.
    """

    name: str
    family: str
    summary: str
    version: str
    parameters: Sequence[ParameterInfo]
    metrics: Sequence[str]
    counts: Sequence[str]
    unavailable: str
    _task: Task = field(repr=False)

    @cached_property
    def _cells(self) -> tuple[int, int]:
        generator = self._task.generator
        if self.unavailable:
            return 0, 0
        cells = generator.conditions(generator.configure({}))
        return sum(cell.count for cell in cells), len({cell.group for cell in cells})

    @property
    def questions(self) -> int:
        """Number of questions of the default set of `thence.generate`, as many as in the paper."""
        return self._cells[0]

    @property
    def groups(self) -> int:
        """Number of groups that the default set is spread over."""
        return self._cells[1]


def tasks(pattern: str = "*") -> list[TaskInfo]:
    """Return the tasks that a pattern names, in the order of tables.

    Args:
        pattern: a family, a full name or a glob, such as ``fable/*/intervals``.

    Returns:
        A record for each task; an empty list where the pattern names none.

    Raises:
        ParameterError: a pattern that is no text.

    Example:
        >>> import thence
        >>> [task.name for task in thence.tasks("procbench/s*")][:3]
        ['procbench/sort', 'procbench/search', 'procbench/substitute']
        >>> thence.tasks("procbench/sort")[0].parameters[0].default
        (2, 25)
    """
    text_of("pattern", pattern, "a family, the name of a task or a glob")
    names = families.tasks() if pattern == "*" else families.matching(pattern)
    return [_info(task) for name, task in families.tasks().items() if name in names]


def _info(task: Task) -> TaskInfo:
    generator = task.generator
    return TaskInfo(
        task.full_name,
        task.family,
        task.summary,
        task.version,
        tuple(map(ParameterInfo.of, generator.parameters)),
        tuple(task.grader.metrics),
        tuple(task.grader.counts),
        generator.unavailable(generator.configure({})),
        task,
    )


@dataclass(frozen=True)
class ProtocolInfo:
    """One protocol: a way to put a question to a model.

    Attributes:
        name: as `thence.run` takes it; ``a+b`` does what a does and then what b does.
        summary: one line.
        turns: replies that a conversation has, at least 1.
        explains: whether a reply holds an explanation beside the answer.
        parameters: what may be set, by keyword.
    """

    name: str
    summary: str
    turns: int
    explains: bool
    parameters: Sequence[ParameterInfo]


def protocols() -> list[ProtocolInfo]:
    """Return all protocols by name.

    Those of other distributions, which an entry point in the group ``thence.protocols`` names, are
    among them.

    Returns:
        A record for each protocol.

    Raises:
        UsageError: two distributions have a protocol of one name.

    Example:
        >>> import thence
        >>> {each.name: each.turns for each in thence.protocols()}["are_you_sure"]
        2
    """
    from thence.prompts import catalog

    return [
        ProtocolInfo(
            name,
            each.summary,
            each.turns + 1,
            each.explains,
            tuple(map(ParameterInfo.of, each.parameters)),
        )
        for name, each in catalog.protocols().items()
    ]
