"""Thence in the lm-evaluation-harness."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import thence
from tests.cli.command import thence as command
from thence.integrations import for_lm_eval


def test_the_files_are_those_that_the_tasks_give() -> None:
    held = {path.name: path.read_text("utf-8") for path in for_lm_eval.FOLDER.iterdir()}
    assert held == for_lm_eval.files(), "run python -m thence.integrations.for_lm_eval"
    assert len(held) == len(thence.tasks()) + 4 + 1
    shown = yaml.safe_load(held["thence_releval.yaml"])
    assert shown["group"] == "thence_releval"
    assert "thence_releval_comparison" in shown["task"]


def test_the_folder_is_printed() -> None:
    folder = Path(command("path", "lm-eval").last)
    assert (folder / "thence_procbench_sort.yaml").is_file()


def test_a_reply_is_scored_without_the_harness() -> None:
    sample = thence.generate("releval/consistency", size=1)[0]
    doc = {"sample": json.dumps(sample.to_json()), "task": sample.task}
    right = for_lm_eval.process_results(doc, [thence.answer(sample)])
    assert (right["acc"], right["f1"], right["no_answer"]) == (1, 1, 0)
    assert for_lm_eval.process_results(doc, [""])["no_answer"] == 1


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("shots", [0, 2])
def test_an_oracle_and_a_dummy_in_the_harness(shots: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lm_eval = pytest.importorskip("lm_eval")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Oracle(LM):
        def generate_until(self, requests: list[Any]) -> list[str]:
            assert all(each.args[1]["until"] == [] for each in requests)
            assert all(each.args[1]["max_gen_toks"] == 8192 for each in requests)
            return [each.doc["answer"] for each in requests]

        loglikelihood = loglikelihood_rolling = None  # type: ignore[assignment]

    names = [
        "thence_procbench_sort",
        "thence_releval",
        "thence_catbench",
        "thence_fable_recipes_taint",
    ]
    tasks = TaskManager(
        include_path=str(for_lm_eval.FOLDER), metadata={"size": 3, "set": {"steps": "2-5"}}
    )
    for model, right in ((Oracle(), 1), ("dummy", 0)):
        found = lm_eval.simple_evaluate(
            model=model,
            tasks=names,
            num_fewshot=shots,
            task_manager=tasks,
            log_samples=True,
        )
        scores = {name: held["acc,none"] for name, held in found["results"].items()}
        assert scores == dict.fromkeys(scores, right)
        assert len(scores) >= 6
        held = found["samples"]["thence_procbench_sort"]
        rows = [json.loads(each["doc"]["sample"]) for each in held]
        assert {row["metadata"]["steps"] for row in rows} <= {2, 3, 4, 5}
        # The same replies through our own scoring give the same figures.
        replies = {each["doc"]["id"]: each["resps"][0][0] for each in held}
        ours = thence.score(rows, replies).summary()
        assert ours["accuracy"].to_list() == [right]
        prompt = held[0]["arguments"][0][0]
        assert prompt.count(rows[0]["input"].splitlines()[0]) == shots + 1


@pytest.mark.filterwarnings("ignore")
def test_a_wrong_key_is_refused_in_one_line() -> None:
    pytest.importorskip("datasets")
    with pytest.raises(SystemExit, match=r"thence: catbench/order: sieze: .*did you mean 'size'"):
        for_lm_eval.dataset("catbench/order", sieze=3)
    with pytest.raises(SystemExit, match="stepz: no task has such a parameter; did you mean"):
        for_lm_eval.dataset("catbench/order", set={"stepz": 3}, version=1)


def test_a_row_that_was_changed_on_the_way_is_refused_in_one_line() -> None:
    (sample,) = thence.generate("procbench/gather", size=1)
    row = sample.to_json()
    doc = {"task": sample.task, "sample": json.dumps(row)}
    assert for_lm_eval.process_results(doc, [thence.answer(sample)])["acc"] == 1
    row["target"]["final"] = [row["target"]["final"]]
    with pytest.raises(SystemExit, match=r"thence: procbench/gather: sample=.* was changed on"):
        for_lm_eval.process_results({**doc, "sample": json.dumps(row)}, ["3"])
