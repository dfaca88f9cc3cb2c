"""Where an option comes from: the command line, before the environment, before thence.toml."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Solver, refused, rows, samples, thence
from tests.fake_endpoint import FakeEndpoint

TOML = Path("thence.toml")


def seeds(*arguments: str) -> int:
    """The seed that generation took."""
    thence("generate", "procbench/sort", "-o", "x.jsonl", "--overwrite", "--size", "1", *arguments)
    seed: int = rows("x.jsonl")[0]["metadata"]["seed"]
    return seed


def test_precedence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert seeds() == 0
    TOML.write_text("seed = 1\n")
    assert seeds() == 1
    TOML.write_text("seed = 1\n[generate]\nseed = 2\n[run]\nseed = 9\n")
    assert seeds() == 2
    monkeypatch.setenv("THENCE_SEED", "3")
    assert seeds() == 3
    assert seeds("--seed", "4") == 4
    monkeypatch.delenv("THENCE_SEED")
    TOML.write_text("[run]\nseed = 9\n")
    assert seeds() == 0


def request() -> dict[str, object]:
    """What the run in the folder ``run`` was asked."""
    held: dict[str, object] = json.loads(Path("run/run.json").read_text())["request"]
    return held


def test_a_run_by_defaults_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    TOML.write_text(
        'model = "baseline/random"\nsize = 3\nlimit = 2\n'
        "[run]\nepochs = 2\nmax-tokens = 7\nmax_connections = 3\nstructured = true\n"
        'temperature = 0.5\nreduce = "majority"\noverwrite = true\n'
    )
    monkeypatch.setenv("THENCE_MODEL", "baseline/oracle")
    monkeypatch.setenv("THENCE_TOP_P", "0.25")
    monkeypatch.setenv("THENCE_EXTRA_BODY", '{"top_k": 4}')
    monkeypatch.setenv("THENCE_SEED_MODEL", "11")
    thence("run", "procbench/sort", "-o", "run")
    asked = request()
    assert asked["model"] == "baseline/oracle"
    assert asked["epochs"] == 2
    assert asked["samples"] == {
        "tasks": ["procbench/sort"], "seed": 0, "size": 3, "limit": 2, "set": {},
    }  # fmt: skip
    assert asked["generation"] == {
        "temperature": 0.5,
        "top_p": 0.25,
        "max_tokens": 7,
        "seed": 11,
        "extra_body": {"top_k": 4},
        "structured": True,
    }
    assert json.loads(Path("run/run.json").read_text())["reduce"] == "majority"
    thence("run", "procbench/sort", "-o", "run", "--model", "baseline/majority", "--epochs", "1")
    assert request()["model"] == "baseline/majority"
    assert request()["epochs"] == 1


def test_a_variable_may_set_a_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THENCE_STRUCTURED", "1")
    thence("run", "procbench/sort", "--size", "1", "--model", "baseline/oracle", "-o", "run")
    generation = request()["generation"]
    assert isinstance(generation, dict)
    assert generation["structured"] is True


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("THENCE_EPOCHS", "two", ("--epochs", "'two'")),
        ("THENCE_EPOCHS", "0", ("--epochs 0", "at least 1")),
        ("THENCE_MODEL", "gpt", ("--model gpt", "PROVIDER/NAME")),
        ("THENCE_TEMPLATES", "none", ("--templates none", "no such folder")),
        ("THENCE_EXTRA_BODY", "{", ("--extra-body {", "JSON object")),
        ("THENCE_STRUCTURED", "perhaps", ("--structured", "'perhaps'")),
    ],
)
def test_a_bad_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: tuple[str, ...]
) -> None:
    monkeypatch.setenv(name, value)
    model = () if name == "THENCE_MODEL" else ("--model", "baseline/oracle")
    refused("run", "procbench/sort", "--size", "1", *model, "-o", "run", says=says)


RUN = ("run", "procbench/sort", "--size", "1", "--model", "baseline/oracle", "-o", "run")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"model =", ("thence.toml", "not valid TOML")),
        (b'model = "\xff"', ("thence.toml", "not valid TOML")),
        (b"a = 1\na = 2", ("thence.toml", "not valid TOML")),
        (b"[run]\nepoch = 3", ("thence.toml", "[run] epoch", "thence run has no such option")),
        (b"[run]\nset = 3", ("thence.toml", "set = 3", "a table of KEY = VALUE")),
        (b"[run]\nepochs = 0", ("--epochs 0", "at least 1")),
        (b'[run]\nepochs = "two"', ("--epochs", "'two'")),
        (b'[run]\nreduce = "best"', ("--reduce", "'best'", "'majority'")),
        (b"epoch = 3", ("thence.toml", "epoch")),
        (b"[rnu]\nepochs = 3", ("thence.toml", "rnu")),
        (b"run = 3", ("thence.toml", "run")),
        (b"[run]\nstructured = 5", ("thence.toml", "structured")),
        (b"[run]\nepochs = [1]", ("thence.toml", "epochs")),
        (b"[ratings.serve]\nsize = 3", ("[ratings.serve] size", "thence ratings serve has no")),
        (b"[ratings]\nport = 3", ("[ratings] port", "[ratings.serve]", "[ratings.score]")),
        (b"[batch]\nexport = 3", ("batch.export = 3", "[batch.export]")),
        (b"[run]\nepochs = 2.5", ("epochs", "2.5")),
    ],
)
def test_a_bad_file(text: bytes, says: tuple[str, ...]) -> None:
    TOML.write_bytes(text)
    refused(*RUN, says=says)


def test_settings_may_stand_in_the_file() -> None:
    TOML.write_text('[generate]\nset = { steps = "3" }\n')
    thence("generate", "procbench/sort", "--size", "2", "-o", "x.jsonl")
    assert [row["metadata"]["steps"] for row in rows("x.jsonl")] == [3, 3]


def test_commands_of_two_words_have_tables() -> None:
    TOML.write_text(
        'seed = 4\n[batch.export]\nmodel = "mistral/m"\nmax_tokens = 7\no = "run"\n'
        "[batch.export.extra_body]\ntop_k = 3\n[run]\nmax-tokens = 8\n"
    )
    done = thence("batch", "export", "procbench/sort", "--size", 1, "--requests", "r.jsonl")
    assert done.err == f"{SET}--model mistral/m, --extra-body with top_k\n"
    sent = rows("r.jsonl")[0]["body"]
    assert (sent["model"], sent["max_tokens"], sent["top_k"]) == ("m", 7, 3)
    assert rows("run/samples.jsonl")[0]["metadata"]["seed"] == 4


def test_keys_of_an_option_stay_as_they_are() -> None:
    TOML.write_text('fail-under = {"releval/plan_generation" = 0.5}\n')
    thence("run", "releval/plan_generation", "--size", 1, "--model", "baseline/oracle", "-q")


def test_an_extra_body_may_stand_in_the_file() -> None:
    TOML.write_text("[run]\nextra-body = { top_k = 4 }\n")
    thence(*RUN)
    generation = request()["generation"]
    assert isinstance(generation, dict)
    assert generation["extra_body"] == {"top_k": 4}


SET = "thence: thence.toml in this folder sets "


def test_where_prompts_and_output_go_is_said_once_it_takes_effect(tmp_path: Path) -> None:
    Path("mine/procbench").mkdir(parents=True)
    Path("mine/procbench/sort.jinja").write_text("Sort {{ string }}.")
    TOML.write_text(
        f'model = "baseline/oracle"\ntemplates = "mine"\n[run]\no = "{tmp_path}/../run"\n'
        'extra-body = { key = "hidden" }\nlimit = 1\n'
    )
    run = ("run", "procbench/sort", "--size", "1", "-q")
    assert thence(*run).err == (
        f"{SET}--model baseline/oracle, --templates mine, --extra-body with key, "
        f"-o {tmp_path}/../run\n"
        "thence: without effect on baseline/oracle: --extra-body\n"
    )
    assert thence("show", "procbench/sort").err == f"{SET}--templates mine\n"
    typed = (*run, "--model", "baseline/random", "--templates", "mine", "--extra-body", "{}")
    assert thence(*typed, "-o", "run").err == ""
    assert thence("list", "models").err == ""


def test_output_within_the_folder_needs_no_word() -> None:
    TOML.write_text('[generate]\no = "x.jsonl"\n')
    assert thence("generate", "procbench/sort", "--size", "1").err == ""


@pytest.fixture
def endpoint() -> Iterator[FakeEndpoint]:
    """An endpoint that a folder may name."""
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        yield fake


SENDS = ("run", "samples.jsonl", "-o", "run", "-q")


@pytest.mark.parametrize("model", ["openai/m", "mine/m"])
def test_a_file_alone_sends_no_key_elsewhere(
    endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    variable = f"{model.partition('/')[0].upper()}_API_KEY"
    monkeypatch.setenv(variable, "sk-1")
    TOML.write_text(f'[run]\nmodel = "{model}"\nbase_url = "{endpoint.url}"\n')
    refused(*SENDS, says=("thence.toml: --base-url", variable, "THENCE_BASE_URL", "--model"))
    assert not endpoint.requests
    typed = thence(*SENDS, "--base-url", endpoint.url)
    assert typed.err == f"{SET}--model {model}\n"
    monkeypatch.setenv("THENCE_BASE_URL", endpoint.url)
    thence(*SENDS, "--overwrite")
    assert {each.headers["authorization"] for each in endpoint.requests} == {"Bearer sk-1"}


def test_a_file_may_send_prompts_without_a_key(
    endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    TOML.write_text(f'[run]\nbase_url = "{endpoint.url}"\n')
    done = thence(*SENDS, "--model", "openai/m")
    assert done.err == f"{SET}--base-url {endpoint.url}\n"
    assert all("authorization" not in each.headers for each in endpoint.requests)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    thence(*SENDS, "--model", "mine/m", "--overwrite")  # its name was typed, and it has no key
    monkeypatch.setenv("MINE_API_KEY", "sk-2")
    thence(*SENDS, "--model", "mine/m", "--overwrite")
    assert endpoint.requests[-1].headers["authorization"] == "Bearer sk-2"


def test_an_extractor_gets_no_key_by_a_file_alone(
    endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    thence("run", "samples.jsonl", "--model", "baseline/oracle", "-o", "run")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    TOML.write_text(f'[score]\nbase_url = "{endpoint.url}"\n')
    refused("score", "run", "--extractor", "openai/m", says=("--base-url", "--extractor"))
    thence("score", "run")


def test_a_password_in_the_file_is_not_shown() -> None:
    TOML.write_text('[run]\nbase_url = "http://me:pass@host/v1"\n')
    line = refused("run", "procbench/sort", "--model", "x/m", says=("--base-url", "password"))
    assert "pass@" not in line
