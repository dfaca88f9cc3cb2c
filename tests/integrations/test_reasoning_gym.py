"""Our questions as data sets of reasoning-gym."""

from __future__ import annotations

import pytest

import thence

gym = pytest.importorskip("reasoning_gym")
pytestmark = pytest.mark.filterwarnings("ignore")


def test_a_composite_of_our_tasks_is_made_and_scored() -> None:
    from reasoning_gym.composite import CompositeConfig, CompositeDataset, DatasetSpec
    from reasoning_gym.dataset import ReseedingDataset

    from thence.integrations import for_reasoning_gym

    for_reasoning_gym.register()  # once more does no harm
    names = ["thence/procbench/sort", "thence/releval/comparison"]
    parts = [DatasetSpec(names[0], 1, {"set": {"steps": (2, 3)}}), DatasetSpec(names[1], 1, {})]
    mixed = CompositeDataset(CompositeConfig(size=20, seed=3, datasets=parts))
    entries = list(mixed)
    tasks = {entry["metadata"]["thence"]["task"] for entry in entries}
    assert tasks == {name.removeprefix("thence/") for name in names}
    assert all(entry["metadata"]["thence"]["metadata"]["seed"] > 10**9 for entry in entries)
    steps = {entry["metadata"]["thence"]["metadata"].get("steps") for entry in entries}
    assert steps == {2, 3, None}
    assert [mixed.score_answer(entry["answer"], entry) for entry in entries] == [1.0] * 20
    for reply in ("", None, entries[0]["question"], " ".join(str(n) for n in range(99))):
        assert mixed.score_answer(reply, entries[0]) == 0
    alone = gym.create_dataset(names[0], seed=3, size=5)
    assert alone[4]["question"] == thence.questions("procbench/sort", seed=10**9 + 3)[4].input
    endless = iter(ReseedingDataset(alone, chunk_size=2))
    assert len({next(endless)["question"] for _ in range(6)}) == 6
