"""Thence in Inspect, and its logs and our runs made from each other."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import thence
from tests.cli.command import refused, settle
from tests.cli.command import thence as command

inspect = pytest.importorskip("inspect_ai")
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, tmp_path)


def evaluated(
    family: str, model: Any = "thence/oracle", epochs: Any = None, **settings: Any
) -> Any:
    (log,) = inspect.eval(
        f"thence/{family}", model=model, task_args=settings, epochs=epochs, display="none",
        log_dir="logs",
    )  # fmt: skip
    assert log.status == "success", log.error
    return log


def figures(log: Any) -> dict[str, float]:
    return {
        f"{score.name} {name.removeprefix('thence/')}": figure.value
        for score in log.results.scores
        for name, figure in score.metrics.items()
    }


def test_the_oracle_is_always_right_and_metrics_of_other_tasks_are_left_out() -> None:
    log = evaluated("procbench", size=2, steps=[2, 5])
    assert figures(log)["correct accuracy"] == 1
    assert log.results.headline.metric == "accuracy"
    assert log.results.headline.score == "correct"
    assert len(log.samples) == 46
    mixed = evaluated("releval", size=3)
    counts = {each.name: each.scored_samples for each in mixed.results.scores}
    assert counts == {"correct": 9, "yes_no": 3} | {name: 3 for name in counts if name != "correct"}
    assert figures(evaluated("fable", tasks="recipes/*", size=1))["within mean"] == 1


def test_plans_and_routes_are_made_and_answered_within_inspect() -> None:
    """The planner and the router start under the event loop of another program."""
    pytest.importorskip("fast_downward")
    pytest.importorskip("valhalla")
    log = evaluated("fable", tasks=["plans/taint", "routes/taint"], size=2)
    assert figures(log)["correct accuracy"] == 1
    tasks = Counter(each.metadata["task"] for each in log.samples)
    assert set(tasks) == {"fable/plans/taint", "fable/routes/taint"}


def test_protocols_take_their_turns_and_settings() -> None:
    log = evaluated("catbench", epochs=2, size=9, protocol="are_you_sure")
    assert figures(log)["correct accuracy"] == 1
    assert [each.role for each in log.samples[0].messages] == ["user", "assistant"] * 2
    shot = evaluated("catbench", size=3, protocol="few_shot", protocol_k=2)
    assert len(shot.samples[0].messages) == 6
    form = evaluated("procbench", tasks=["sort"], size=1, structured=True)
    calls = [each for each in form.samples[0].events if each.event == "model"]
    assert calls[0].config.response_schema.json_schema.properties.keys() >= {"final"}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"stepz": 3}, "stepz: no chosen task has such a parameter; did you mean 'steps'?"),
        ({"steps": "x"}, "steps=x: must be N or LO-HI"),
        ({"tasks": "srot"}, "unknown task 'procbench/srot'; did you mean 'procbench/sort'?"),
        ({"protocol": "no"}, "protocol=no: unknown protocol"),
        ({"protocol_q": 1}, "protocol direct has no such setting"),
        ({"size": 0}, "size=0: must be at least 1"),
    ],
)
def test_a_wrong_parameter_is_refused_in_one_line(settings: dict[str, Any], says: str) -> None:
    from inspect_ai._util.error import PrerequisiteError

    with pytest.raises(PrerequisiteError, match=r".*") as error:
        evaluated("procbench", **settings)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_outcomes_are_in_the_words_of_inspect() -> None:
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    kinds = [
        ModelOutput.from_content("m", ""),
        ModelOutput.from_content("m", "I will not.", stop_reason="content_filter"),
        ModelOutput.from_content("m", "Let me see", stop_reason="max_tokens"),
        ModelOutput.from_content("m", "Hm."),
    ]
    asked = Counter[str]()

    def answer(messages: Any, tools: Any, choice: Any, config: Any) -> Any:
        asked["all"] += 1
        found = kinds[asked["all"] % 4].model_copy()
        found.usage = ModelUsage()  # else Inspect downloads a tokenizer to count
        return found

    log = evaluated("procbench", get_model("mockllm/model", custom_outputs=answer), size=2)
    reasons = Counter(each.scores["read"].reason for each in log.samples)
    assert reasons == {
        "no_response": 11, "refusal": 12, "truncated": 12, "invalid_response_format": 11,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("family", "epochs", "settings"),
    [
        ("releval", None, {"size": 20}),
        ("releval", (3, "thence/vote"), {"size": 20}),
        ("catbench", None, {"size": 24, "protocol": "are_you_sure"}),
    ],
)
def test_figures_are_the_same_on_both_sides(
    family: str, epochs: tuple[int, str] | None, settings: dict[str, Any]
) -> None:
    from inspect_ai.log import read_eval_log

    repeats = epochs and inspect.Epochs(*epochs)
    log = evaluated(family, "thence/random", repeats, **settings)
    command("import", log.location, "-o", "run")
    whole = json.loads(command("score", "run", "--json").out)
    theirs, tasks = figures(log), thence.tasks(family)
    if len(tasks) == 1:  # of several, RELEVAL averages no accuracy
        assert theirs["correct accuracy"] == pytest.approx(whole["overall"][family]["accuracy"])
    right = sum(each["correct"] for each in whole["groups"].values())
    assert theirs["correct accuracy"] == pytest.approx(right / whole["overall"][family]["n"])
    for name in dict.fromkeys(name for task in tasks for name in task.metrics):
        low, high = (theirs[f"{name} interval_{end}"] for end in ("low", "high"))
        assert theirs[f"{name} mean"] == pytest.approx(whole["overall"][family][name])
        assert [low, high] == pytest.approx(whole["overall"][family][f"{name}_ci"])
    command("export", "inspect", "run", "-o", "back.eval")
    assert figures(read_eval_log("back.eval")) == pytest.approx(theirs)
    command("import", "back.eval", "-o", "again")
    assert json.loads(command("score", "again", "--json").out) == whole


def test_a_provider_error_stays_unscored_on_the_way_to_inspect_and_back() -> None:
    from inspect_ai.log import read_eval_log

    asked = thence.generate("catbench", size=6)
    wrong = asked[0].input

    def model(messages: list[dict[str, str]]) -> str:
        if messages[0]["content"] == wrong:
            raise thence.ProviderError("overloaded", "come back tomorrow")
        return "yes"

    thence.run(asked, model, name="mine", out="run")
    command("export", "inspect", "run", "-o", "x.eval")
    log = read_eval_log("x.eval")
    (correct,) = log.results.scores
    assert (correct.scored_samples, correct.unscored_samples) == (5, 1)
    command("import", "x.eval", "-o", "again", status=1)
    both = [json.loads(command("score", name, "--json", status=1).out) for name in ("run", "again")]
    assert both[0] == both[1]


def test_a_log_that_is_not_ours_is_refused() -> None:
    from inspect_ai.dataset import Sample
    from inspect_ai.log import read_eval_log, write_eval_log

    refused("import", "no.eval", "-o", "run", says=("no.eval: no such file",))
    Path("bad.eval").write_text("no log")
    refused("import", "bad.eval", "-o", "run", says=("bad.eval: no log of Inspect",))
    (log,) = inspect.eval(
        inspect.Task(dataset=[Sample(input="?", target="!")]), model="none/none", display="none",
        log_dir="logs", solver=[],
    )  # fmt: skip
    refused("import", log.location, "-o", "run", says=("no log of a task of thence",))
    ours = read_eval_log(evaluated("catbench", size=3).location)
    ours.samples[0].metadata["thence"]["id"] = "changed"
    write_eval_log(ours, "changed.eval")
    refused("import", "changed.eval", "-o", "run", says=("changed.eval", "changed on the way"))
    refused("export", "inspect", "no", "-o", "x.eval", says=("no such run directory",))
    refused("export", "inspect", "no", "-o", "x.txt", says=("must end in .eval or .json",))
