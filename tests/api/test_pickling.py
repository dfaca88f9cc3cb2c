"""All that the public functions return pickles, so that pools and data loaders can carry it."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import thence
from thence.api.dataset import Dataset
from thence.api.runs import Run

_PUBLISHED = {
    "task_name": "task01",
    "prompt": "Sort.\n\n[Question]\nString: ba",
    "label": {"init": "ba", "intermediate": [], "final": "ab"},
}
_PROCEDURE = """\
goal: Serve tea
steps:
  - text: Boil the water.
    defines: [hot water]
  - text: Pour it over the tea.
    uses: [hot water]
"""


@pytest.fixture(scope="module")
def asked() -> Dataset:
    return thence.generate("procbench/sort", size=4)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(asked: Dataset, **others: Any) -> Run:
    return thence.run(asked, lambda messages: "no", out="run", **others)


def scores(asked: Dataset) -> Any:
    return thence.score(asked, {each.id: "no" for each in asked})


def audit(asked: Dataset) -> Any:
    Path("published.jsonl").write_text(json.dumps(_PUBLISHED))
    return thence.audit("procbench", "published.jsonl")


def analysis(asked: Dataset) -> Any:
    Path("tea.yaml").write_text(_PROCEDURE)
    return thence.analyze("tea.yaml")


MADE: dict[str, Callable[[Dataset], Any]] = {
    "tasks": lambda asked: thence.tasks("procbench/s*"),
    "protocols": lambda asked: thence.protocols(),
    "generate": lambda asked: asked,
    "questions": lambda asked: thence.questions("procbench/sort", seed=1),
    "sample": lambda asked: asked[0],
    "conversation": lambda asked: thence.conversation(asked[0], "are_you_sure"),
    "conversation by examples": lambda asked: thence.conversation(asked[0], "few_shot"),
    "score_reply": lambda asked: thence.score_reply(asked[0], "no"),
    "score_reply of a task without metrics": lambda asked: thence.score_reply(
        thence.generate("catbench", size=1)[0], "no"
    ),
    "run": run,
    "run that was watched": lambda asked: run(asked, progress=lambda progress: None),
    "scores of a run": lambda asked: run(asked).scores(),
    "open_run": lambda asked: thence.open_run(run(asked).path),
    "score": scores,
    "tables": lambda asked: scores(asked).tables(),
    "compare": lambda asked: thence.compare(scores(asked), scores(asked)),
    "audit": audit,
    "analyze": analysis,
    "Sampling": lambda asked: thence.Sampling(extra_body={"a": 1}),
    "Limits": lambda asked: thence.Limits(),
    "Reply": lambda asked: thence.Reply("yes"),
    "ParameterError": lambda asked: thence.ParameterError("size", 1, "is too small"),
    "ProviderError": lambda asked: thence.ProviderError("timeout", "too late", final=True),
}


@pytest.mark.parametrize("name", MADE)
def test_what_is_returned_pickles(name: str, asked: Dataset) -> None:
    made = MADE[name](asked)
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is type(made)
    if not isinstance(made, list):
        assert str(again) == str(made) or " object at 0x" in str(made)


def test_what_was_pickled_works_as_before(asked: Dataset) -> None:
    talk = thence.conversation(asked[0], "are_you_sure")
    again = pickle.loads(pickle.dumps(talk))
    assert again.hear("no") is talk.hear("no") is True
    assert again.messages == talk.messages
    found = scores(asked)
    assert list(pickle.loads(pickle.dumps(found)).details()) == list(found.details())
    error = pickle.loads(pickle.dumps(thence.ProviderError("timeout", "too late", final=True)))
    assert (error.kind, error.final) == ("timeout", True)
