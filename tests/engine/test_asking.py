"""What is sent: protocols, epochs, seeds, and every parameter of generation."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Solver, held, refused, rows, samples, thence
from tests.fake_endpoint import Answer, FakeEndpoint
from thence import families
from thence.prompts import template_loader
from thence.prompts.wording import how_to_answer

SURE = "Are you sure?"


def command(fake: FakeEndpoint, *more: object, folder: str = "run") -> tuple[object, ...]:
    url = ("--base-url", fake.url)
    return ("run", "samples.jsonl", "--model", "x/some/name", *url, "-o", folder, *more)


def bodies(*more: object, size: int = 2, task: str = "procbench/sort") -> list[dict[str, Any]]:
    """What a run sends."""
    samples(size=size, task=task)
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake, *more))
        return [request.body for request in fake.requests]


def test_nothing_is_sent_that_was_not_asked_for() -> None:
    prompts = []
    for body in bodies():
        assert list(body) == ["model", "messages"]
        assert body["model"] == "some/name"
        [message] = body["messages"]
        assert message["role"] == "user"
        prompts.append(message["content"])
    assert Counter(prompts) == Counter(row["input"] for row in rows("samples.jsonl"))


def test_every_parameter_is_sent() -> None:
    sent = bodies(
        "--temperature", "0", "--top-p", "0.9", "--max-tokens", "77", "--seed-model", "5",
        "--extra-body", '{"top_k": 3, "provider": {"order": ["a"]}}',
    )  # fmt: skip
    for body in sent:
        assert {name: body[name] for name in body if name not in ("model", "messages")} == {
            "temperature": 0.0,
            "top_p": 0.9,
            "max_tokens": 77,
            "seed": 5,
            "top_k": 3,
            "provider": {"order": ["a"]},
        }


def test_an_extra_body_comes_last() -> None:
    sent = bodies("--max-tokens", "5", "--extra-body", '{"max_tokens": null, "max_new": 5}')
    assert [(body["max_tokens"], body["max_new"]) for body in sent] == [(None, 5)] * 2


def test_structured_output_is_asked_for_by_the_tasks_schema() -> None:
    for body in bodies("--structured", task="procbench/count"):
        asked = body["response_format"]
        assert asked["type"] == "json_schema"
        assert asked["json_schema"]["strict"] is True
        schema = asked["json_schema"]["schema"]
        assert set(schema["properties"]) == {"intermediate", "final"}
        assert schema["additionalProperties"] is False


def test_a_key_is_sent_and_without_one_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    samples(size=1)
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        monkeypatch.setenv("X_API_KEY", "sk-of-x")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another")
        thence(*command(fake, folder="with"))
        assert "authorization" not in fake.requests[0].headers
        assert fake.requests[1].headers["authorization"] == "Bearer sk-of-x"
    one, two = rows("run/responses.jsonl")[0], rows("with/responses.jsonl")[0]
    assert one["key"] == two["key"]


def test_epochs_repeat_each_sample_with_seeds_of_their_own() -> None:
    sent = bodies("--epochs", "3", "--seed-model", "40", "--max-connections", "1")
    first, second = (row["input"] for row in rows("samples.jsonl"))
    assert [(body["messages"][0]["content"], body["seed"]) for body in sent] == [
        (prompt, seed) for seed in (40, 41, 42) for prompt in (first, second)
    ]
    kept = rows("run/responses.jsonl")
    assert [row["epoch"] for row in kept] == [0, 0, 1, 1, 2, 2]
    assert len({row["key"] for row in kept}) == 6
    [group] = thence("score", "run", "--json").json()["groups"].values()
    assert (group["n"], group["correct"]) == (6, 6)


def test_epochs_are_averaged_or_vote() -> None:
    samples(size=3)
    solver = Solver("samples.jsonl")
    always, mostly, seldom = list(solver.right)

    def answer(body: dict[str, Any], count: int) -> Answer:
        right, epoch = solver.reply(body), body["seed"]
        wrong = json.dumps({"intermediate": [], "final": str(epoch)})
        good = {always: True, mostly: epoch != 1, seldom: epoch == 2}[solver.prompt(body)]
        return Answer(right if good else wrong)

    votes = ("--epochs", "3", "--seed-model", "0")
    with FakeEndpoint.in_thread(answer) as fake:
        thence(*command(fake, *votes))
        [mean] = thence("score", "run", "--json").json()["groups"].values()
        assert (mean["n"], mean["correct"]) == (9, 6)
        done = thence(*command(fake, *votes, "--reduce", "majority"))
        assert len(fake.requests) == 9
    assert "Majority of 3 epochs" in done.out
    [voted] = thence("score", "run", "--json").json()["groups"].values()
    assert (voted["n"], voted["correct"]) == (3, 2)
    assert [(row["epoch"], row["correct"]) for row in rows("run/scores.jsonl")] == [
        (0, True),
        (0, True),
        (0, False),
    ]
    again = thence("score", "run", "--json", "--reduce", "mean").json()
    assert list(again["groups"].values()) == [mean]


def test_the_interval_of_epochs_is_that_of_samples() -> None:
    samples(size=6)
    solver = Solver("samples.jsonl")
    good = solver.nth(0, 1, 2)

    def answer(body: dict[str, Any], count: int) -> Answer:
        return Answer(solver.reply(body) if solver.prompt(body) in good else "?")

    with FakeEndpoint.in_thread(answer) as fake:
        thence(*command(fake, folder="one"))
        thence(*command(fake, "--epochs", "20", folder="twenty"))
    widths = []
    for folder in ("one", "twenty"):
        [group] = thence("score", folder, "--json").json()["groups"].values()
        assert group["accuracy"] == 0.5
        low, high = group["accuracy_ci"]
        widths.append(high - low)
    assert widths[1] > 0.8 * widths[0]  # twenty times the same is not twenty times the evidence


# Two turns -------------------------------------------------------------------------------------


def test_are_you_sure_asks_twice_and_scores_both() -> None:
    samples()
    solver = Solver("samples.jsonl")
    better, worse = solver.nth(0, 1), solver.nth(2)

    def answer(body: dict[str, Any], count: int) -> Answer:
        prompt, second = solver.prompt(body), len(body["messages"]) == 3
        good = prompt in (better if second else worse | solver.nth(0))
        return Answer(f"<think>hm</think> I say: {solver.reply(body)}" if good else "No idea.")

    with FakeEndpoint.in_thread(answer) as fake:
        done = thence(*command(fake, "--protocol", "are_you_sure"))
        thence(*command(fake, folder="direct"))
        chats = [request.body["messages"] for request in fake.requests[:8]]
    made = {row["input"]: row for row in rows("samples.jsonl")}
    task, templates = families.task("procbench/sort"), template_loader.templates()
    second = [chat for chat in chats if len(chat) > 1]
    assert len(second) == 4
    for chat in second:
        asked, said, again = chat
        assert [message["role"] for message in chat] == ["user", "assistant", "user"]
        assert asked["content"] in made
        right = task.format.write(made[asked["content"]]["target"])
        assert said["content"] in (f"I say: {right}", "No idea.")
        instruction = how_to_answer(task, templates.render)
        assert asked["content"].endswith(instruction)
        assert again["content"].startswith(SURE)
        assert again["content"].endswith(instruction)

    kept = {(row["id"], row["turn"]): row for row in rows("run/responses.jsonl")}
    assert len(kept) == 8
    for row in rows("direct/responses.jsonl"):
        assert kept[row["id"], 0]["key"] == row["key"]
        assert kept[row["id"], 1]["key"] != row["key"]

    found = thence("score", "run", "--json").json()
    for held_ in (found["groups"]["procbench/sort"], found["overall"]["procbench"]):
        assert (held_["n"], held_["correct"]) == (4, 2)
        assert [(turn["n"], turn["correct"]) for turn in held_["turns"]] == [(4, 2), (4, 2)]
    scored = {(row["id"], row["turn"]): row["correct"] for row in rows("run/scores.jsonl")}
    by_turn = [[scored[row["id"], turn] for row in made.values()] for turn in (0, 1)]
    assert by_turn == [[True, False, True, False], [True, True, False, False]]
    assert "turn 1" in done.out
    assert "turn 2" in done.out
    assert "turns" not in thence("score", "direct", "--json").json()["groups"]["procbench/sort"]


def test_protocols_compose() -> None:
    sent = bodies("--protocol", "are_you_sure+are_you_sure+direct", size=1)
    assert [len(body["messages"]) for body in sent] == [1, 3, 5]
    assert [message["content"].startswith(SURE) for message in sent[2]["messages"][::2]] == [
        False,
        True,
        True,
    ]
    [group] = thence("score", "run", "--json").json()["groups"].values()
    assert len(group["turns"]) == 3


def test_a_first_turn_that_says_nothing_is_gone_on_from() -> None:
    samples(size=1)
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer:
        return Answer(solver.reply(body) if len(body["messages"]) > 1 else None)

    with FakeEndpoint.in_thread(answer) as fake:
        thence(*command(fake, "--protocol", "are_you_sure"))
        assert [message["content"] for message in fake.requests[1].body["messages"]][1] == ""
    [group] = thence("score", "run", "--json").json()["groups"].values()
    assert group["correct"] == 1
    assert group["turns"][0]["outcomes"]["no_answer"] == 1


def test_a_protocol_wants_the_words_of_the_samples() -> None:
    Path("mine/procbench").mkdir(parents=True)
    Path("mine/procbench/answer.jinja").write_text("Answer in JSON, {{ states }}.")
    thence(
        "generate", "procbench/sort", "--size", "2", "--templates", "mine", "-o", "samples.jsonl"
    )
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        sure = ("--protocol", "are_you_sure")
        says = ("--protocol are_you_sure", "--templates")
        refused(*command(fake, *sure), says=says, changes=True)
        assert fake.requests == []
        thence(*command(fake, *sure, "--templates", "mine", folder="own"))
        assert len(fake.requests) == 4
        for request in fake.requests:
            assert "Answer in JSON" in request.body["messages"][-1]["content"]
        thence(*command(fake, folder="direct"))


# Nothing is sent -------------------------------------------------------------------------------


def test_a_dry_run_sends_and_writes_nothing() -> None:
    samples(size=5)
    before = held(Path())
    with FakeEndpoint.in_thread() as fake:
        plan = ("--epochs", "3", "--protocol", "are_you_sure", "--price", "1000,2000", "--dry-run")
        done = thence(*command(fake, *plan))
        thence("run", *command(fake, *plan)[2:], "procbench", "--size", "1")
        assert fake.requests == []
    assert done.err == ""
    assert done.out.startswith("5 samples, 30 requests, about ")
    first, second = done.out.splitlines()
    assert first.endswith(" USD; into run")
    assert second.startswith("a paired test of two models would find: procbench (5)")
    assert "about 0.00 USD" not in done.out
    assert held(Path()) == before


def test_a_dry_run_wants_no_server() -> None:
    samples()
    thence(
        "run", "samples.jsonl", "--model", "x/m", "--base-url", "http://127.0.0.1:9/v1", "--dry-run"
    )
    assert not Path("runs").exists()
