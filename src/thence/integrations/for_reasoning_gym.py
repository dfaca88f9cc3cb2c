"""Thence in reasoning-gym: importing this module registers each task as a data set of its own."""

from __future__ import annotations

from dataclasses import field, make_dataclass
from typing import Any

from reasoning_gym.dataset import ProceduralDataset
from reasoning_gym.factory import DATASETS, register_dataset

import thence
from thence.api.questions import TRAINING


class _Questions(ProceduralDataset):
    """Questions of one task by index; training seed n is our stream 10^9 + n."""

    def __init__(self, config: Any) -> None:
        super().__init__(config, config.seed, config.size)
        seed = TRAINING + self.seed
        self._questions = thence.questions(config.task, seed=seed, **config.set)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Return the entry of an index: question, answer and metadata with our row."""
        sample = self._questions[idx]
        held = {
            "source_dataset": f"thence/{sample.task}",
            "source_index": idx,
            "thence": sample.to_json(),
        }
        return {
            "question": sample.input, "answer": thence.answer(sample), "metadata": held,
        }  # fmt: skip

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return 1 for a right answer, else 0."""
        return float(thence.score_reply(entry["metadata"]["thence"], answer).correct)


def register() -> None:
    """Register each task under its full name; those that are registered already stay."""
    for info in thence.tasks():
        if f"thence/{info.name}" not in DATASETS and not info.unavailable:
            name = f"{info.name.title().replace('/', '').replace('_', '')}Config"
            fields: list[Any] = [
                ("task", str, field(default=info.name)),
                ("seed", int | None, field(default=None)),
                ("size", int, field(default=500)),
                ("set", dict, field(default_factory=dict)),
            ]
            register_dataset(f"thence/{info.name}", _Questions, make_dataclass(name, fields))


register()
