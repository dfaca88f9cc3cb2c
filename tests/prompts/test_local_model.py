"""Every protocol on every family with a tiny local model: an outcome for each sample."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import refused, rows, thence
from tests.extra import offered
from tests.models.tiny_gguf import write_tiny_model
from thence import families

pytest.importorskip("gguf")
pytest.importorskip("xllamacpp")

SMALL = ("--set-protocol", "k=1", "--set-protocol", "pool=4", "--accept-errors")
ASKED = {
    "direct": (),
    "answer_then_explain": (),
    "explain_then_answer": ("--set-protocol", "form=text"),
    "chain_of_thought": (),
    "few_shot+are_you_sure": SMALL,
    "few_shot+chain_of_thought+are_you_sure": SMALL,
}
FEW = ["procbench/sort", "releval/consistency", "releval/comparison", "catbench/order"]
LENGTH = ("--size", "1", "--max-tokens", "24", "--max-connections", "2", "--timeout", "300")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_tiny_model(Path("tiny.gguf"))


def ask(tasks: list[str], *options: str) -> None:
    """Runs some tasks and makes sure that each of their samples has an outcome."""
    thence("run", *tasks, "--model", "gguf/tiny.gguf", "-o", "run", *LENGTH, *options)
    found = thence("score", "run", "--json").json()["groups"]
    assert found.keys() == set(tasks)
    for group in found.values():
        assert sum(group["outcomes"].values()) == 1
        assert group["n"] == 1 or "--accept-errors" in options  # too long for the tiny model


@pytest.mark.parametrize(("name", "options"), ASKED.items())
def test_each_sample_has_an_outcome(name: str, options: tuple[str, ...]) -> None:
    ask(FEW, "--protocol", name, *options)


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), ASKED.items())
def test_each_sample_of_every_task_has_an_outcome(name: str, options: tuple[str, ...]) -> None:
    every = offered() if "few_shot" in name else _available()
    ask(every, "--protocol", name, *options)


def _available() -> list[str]:
    every = families.tasks().items()
    return [
        name for name, task in every if not task.generator.unavailable(task.generator.configure({}))
    ]


def test_a_grammar_shapes_replies_that_are_no_json() -> None:
    ask(["releval/comparison"], "--structured")
    [reply] = rows("run/responses.jsonl")
    assert "OUTPUT" not in reply["response"]  # a schema comes first where there is one
    options = ("--protocol", "explain_then_answer", "--set-protocol", "form=text", "--overwrite")
    ask(["releval/comparison"], "--structured", *options)
    [reply] = rows("run/responses.jsonl")
    assert reply["response"].startswith("Explanation: ")


@pytest.mark.long
def test_grammars_give_answers_that_can_be_read() -> None:
    amounts = {f"fable/{domain}/intervals" for domain in ("routes", "recipes", "runbooks")}
    fable = [name for name in _available() if name.startswith("fable/")]
    # amounts are JSON, or of anything that a model may count
    ask([name for name in fable if name not in amounts], "--structured", "--max-tokens", "64")
    for row in rows("run/scores.jsonl"):
        assert row["outcome"] in {"correct", "wrong"}, row


def test_free_text_is_refused_where_the_endpoint_takes_no_grammar() -> None:
    refused(
        "run", "procbench/sort", "--model", "baseline/oracle", "--structured",
        "--protocol", "chain_of_thought",
        says=("--structured", "chain_of_thought holds free text", "explain_then_answer"),
    )  # fmt: skip
