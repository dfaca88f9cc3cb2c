"""A sample: one question with its truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

CANARY = "thence:c0d1f6a2-7f0e-4d5b-9a86-3b1c52e4f7d9"
"""A GUID in every generated file, so that training corpora can be searched and filtered."""


PUBLISHED = "published"
"""The ``template`` and the ``source`` of a question that stands in the words of its authors."""

WORDS = "words"
"""The key, in the metadata of a published question, of its words without how to answer it."""

_HEAVY = frozenset(
    ("procedure", "statements", "edges", "explanation", "witness", "names", "origin", WORDS)
)
"""Names of the metadata that hold most of a sample's bytes."""
_SIZES = ("options", "parameters")
_LARGEST = 2**53  # of a number; JSON readers elsewhere hold no larger ones exactly
_MOST = 1_000_000  # of an option that says how much is drawn, such as a size


@dataclass(frozen=True, slots=True)
class Sample:
    """One question, as stored in a line of a generated file.

    Attributes:
        id: hash of task, N of its version, structure, question and target. The wording of the
            prompt does not enter it, so the same question always has the same id.
        family: the benchmark, such as ``procbench``.
        task: the full name, such as ``procbench/sort``.
        version: ``N-X``; scores of different N cannot be compared.
        input: the prompt in the words of the default protocol.
        target: the truth, typed by the task.
        metadata: further values from the generator, JSON values by name.
        canary: this project's GUID.

    Example:
        >>> import thence
        >>> sample = thence.generate("procbench/sort", size=1)[0]
        >>> sample.task, sorted(sample.target), sample.metadata["steps"]
        ('procbench/sort', ['final', 'intermediate'], 25)
        >>> thence.Sample.from_json(sample.to_json()) == sample
        True
    """

    id: str
    family: str
    task: str
    version: str
    input: str
    target: Any
    metadata: dict[str, Any] = field(default_factory=dict)
    canary: str = CANARY

    @property
    def cluster(self) -> str:
        """Name of the sample's procedure or graph; its own id where it shares none."""
        return str(self.metadata.get("cluster") or self.id)

    @property
    def published(self) -> bool:
        """Whether its prompt is in the words of the benchmark's authors, not of our templates."""
        return self.metadata.get("template") == PUBLISHED

    def light(self) -> Sample:
        """Return the sample without its prompt and its procedure, for tables.

        Of the procedure the number of steps is left.
        """
        metadata = {name: value for name, value in self.metadata.items() if name not in _HEAVY}
        procedure = self.metadata.get("procedure")
        if isinstance(procedure, dict) and isinstance(procedure.get("steps"), list):
            metadata["procedure"] = {"steps": [None] * len(procedure["steps"])}
        return Sample(self.id, self.family, self.task, self.version, "", self.target, metadata)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of a line, keys in the order of the fields."""
        return {
            "id": self.id,
            "family": self.family,
            "task": self.task,
            "version": self.version,
            "input": self.input,
            "target": self.target,
            "metadata": self.metadata,
            "canary": self.canary,
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Sample:
        """Return the sample of a line.

        Raises:
            ValueError: one clause that names the missing or wrong field.
        """
        for name in ("id", "family", "task", "version", "input"):
            if not isinstance(row.get(name), str):
                raise ValueError(f"field '{name}' must be a string")  # noqa: TRY004 - one type
        if "target" not in row:
            raise ValueError("field 'target' is missing")
        metadata = row.get("metadata", {})
        if not isinstance(metadata, dict):
            raise ValueError("field 'metadata' must be an object")  # noqa: TRY004
        return cls(
            id=row["id"],
            family=row["family"],
            task=row["task"],
            version=row["version"],
            input=row["input"],
            target=row["target"],
            metadata=metadata,
            canary=str(row.get("canary", "")),
        )


def check_numbers(sample: Sample) -> None:
    """Raise an error if a number of a sample from a file is infinite or beyond what tasks draw.

    Raises:
        ValueError: one clause that names the field and the value.
    """
    parts = {name: value for name, value in sample.metadata.items() if name != "seed"}
    held = [("target", sample.target, _LARGEST)]
    for name, value in parts.items():
        held.append((f"metadata.{name}", value, _MOST if name in _SIZES else _LARGEST))
    while held:
        path, value, most = held.pop()
        if isinstance(value, dict):
            held += [(f"{path}.{key}", each, most) for key, each in value.items()]
        elif isinstance(value, list):
            held += [(f"{path}[{place}]", each, most) for place, each in enumerate(value)]
        elif isinstance(value, int | float) and not -most <= value <= most:
            shown = f"{value:.3g}" if isinstance(value, float) else _digits(value)
            raise ValueError(f"{path[:200]} = {shown}: must be a number of at most {most:,}")


def _digits(value: int) -> str:
    """Return a number, or how long it is; Python writes no number of thousands of digits."""
    length = value.bit_length()
    return str(value) if length <= 128 else f"a number of {length} bits"
