"""What cannot be done is said in one line, before anything is written or sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import held, refused, samples, thence
from tests.models.tiny_gguf import write_tiny_model
from thence.errors import UsageError
from thence.generation import suite

ORACLE = ("--model", "baseline/oracle")
RUN = ("run", "procbench/sort", "--size", "2")
GENERATE = ("generate", "procbench/sort", "--size", "2", "-o", "new.jsonl")
LOCAL = ("--model", "some/model", "--base-url", "http://127.0.0.1:9/v1")


def cases(*rows: tuple[tuple[object, ...], tuple[str, ...]]) -> pytest.MarkDecorator:
    """One test a row: a command line, and what its one line of error must say."""
    names = [" ".join(map(str, arguments)) or "nothing" for arguments, _ in rows]
    return pytest.mark.parametrize(("arguments", "says"), rows, ids=names)


@cases(
    (("runn", "procbench"), ("unknown command 'runn'", "did you mean 'run'?", "validate")),
    (("--verbos",), ("--verbos", "--help")),
    (("list", "task"), ("task", "'tasks', 'protocols', 'models'", "thence list --help")),
    (
        ("generate", "procbench/srot", "-o", "x.jsonl"),
        ("unknown task 'procbench/srot'", "did you mean 'procbench/sort'?", "thence list tasks"),
    ),
    (("run", "procbench/srot", *ORACLE), ("'procbench/srot'", "did you mean 'procbench/sort'?")),
    (("run", "prcbench", *ORACLE), ("unknown task 'prcbench'", "did you mean 'procbench'?")),
    (("run", "nothing/*", *ORACLE), ("unknown task 'nothing/*'", "thence list tasks")),
    (("show", "procbench/srot"), ("'procbench/srot'", "did you mean 'procbench/sort'?")),
    (("validate", "procbench/srot"), ("'procbench/srot'", "did you mean 'procbench/sort'?")),
)
def test_unknown_names(arguments: tuple[object, ...], says: tuple[str, ...]) -> None:
    refused(*arguments, says=says)


@cases(
    (("run", *ORACLE), ("Missing argument 'TASK|FILE...'", "thence run --help")),
    (("run", "procbench/sort"), ("Missing option '--model'", "thence run --help")),
    (("generate", "procbench/sort"), ("Missing option '-o'", "thence generate --help")),
    ((*RUN, *ORACLE, "--epoch", "3"), ("No such option", "--epoch", "--epochs", "--help")),
    (
        (*RUN, *ORACLE, "--set", "stpes=3"),
        ("--set stpes", "the chosen tasks have: alphabet, force, state, steps"),
    ),
    (("power",), ("TASK: name at least one family, task or glob",)),
    ((*GENERATE, "--total", "3"), ("--total 3: ", "leave out --size")),
    ((*GENERATE, "--set", "steps=zero"), ("--set steps=zero", "N or LO-HI, such as 12")),
    ((*GENERATE, "--set", "steps=0"), ("--set steps=0", "within 1-1000")),
    ((*GENERATE, "--set", "steps=9-3"), ("--set steps=9-3", "the lower end first")),
    ((*GENERATE, "--set", "steps"), ("--set steps", "must be KEY=VALUE")),
    ((*GENERATE, "--set", "=3"), ("--set =3", "must be KEY=VALUE")),
    ((*GENERATE, "--set", "steps=3", "--set", "steps=4"), ("--set steps", "given twice")),
    (("show", "procbench/sort", "-n", "0"), ("'-n'", "0 is no whole number from 1 to 10,000")),
    (
        ("show", "procbench/sort", "-n", "x"),
        ("is no whole number from 1 to 10,000", "show --help"),
    ),
    (("list", "task"), ("'task' is not one of", "did you mean 'tasks'?")),
    (("export", "foo", "run"), ("No such command 'foo'", "It has inspect, ")),
    (("report", "--figures"), ("'--figures' requires an argument", "(see: thence report --help)")),
    (("score", "none.jsonl"), ("none.jsonl: no such file",)),
    ((*GENERATE, "--seed", "one"), ("'--seed'", "'one' is not a valid integer", "--help")),
    ((*GENERATE, "--size", "0"), ("--size 0", "at least 1")),
    ((*GENERATE, "--limit", "0"), ("--limit 0", "at least 1")),
    ((*GENERATE, "--workers", "0"), ("--workers 0", "at least 1")),
    ((*GENERATE, "--dialect", "published"), ("--dialect published", "procbench", "leave it out")),
    ((*GENERATE, "--dialect", "loud"), ("'--dialect'", "'loud'", "'sound', 'published'")),
    ((*GENERATE, "--templates", "none"), ("--templates none", "no such folder", "FAMILY/TASK")),
    ((*RUN, *ORACLE, "--templates", "none"), ("--templates none", "no such folder")),
    (
        ("show", "procbench/sort", "--set", "n=1"),
        ("--set n", "the chosen tasks have: alphabet, force, state, steps"),
    ),
    (("show", "procbench/sort", "--protocol", "no"), ("--protocol no", "known:", "direct")),
    (("validate", "procbench/sort", "--size", "0"), ("--size 0", "at least 1")),
)
def test_generation(arguments: tuple[object, ...], says: tuple[str, ...]) -> None:
    refused(*arguments, says=says)


@cases(
    (("--model", "gpt-4o"), ("--model gpt-4o", "PROVIDER/NAME, such as openai/")),
    (("--model", "openai/"), ("--model openai/", "PROVIDER/NAME")),
    (("--model", "/gpt"), ("--model /gpt", "PROVIDER/NAME")),
    (("--model", ""), ("--model", "PROVIDER/NAME")),
    (("--model", "openia/gpt"), ("unknown provider 'openia'", "did you mean 'openai'?", "--base")),
    (("--model", "baselin/oracle"), ("unknown provider 'baselin'", "did you mean 'baseline'?")),
    (
        ("--model", "baseline/oracel"),
        ("--model baseline/oracel", "did you mean 'oracle'?", "known: random, majority"),
    ),
    (
        ("--model", "gguf/x.gguf", "--base-url", "http://host/v1"),
        ("--base-url http://host/v1", "gguf/x.gguf is a file", "leave it out"),
    ),
    ((*LOCAL, "--base-url", "localhost"), ("--base-url localhost", "such as http://")),
    ((*LOCAL, "--base-url", "ftp://host/v1"), ("--base-url ftp://host/v1", "http or https")),
    ((*LOCAL, "--base-url", "http://host/v1?k=v"), ("--base-url", "host", "drop what follows")),
    ((*ORACLE, "--protocol", "are_you_shure"), ("--protocol are_you_shure", "'are_you_sure'?")),
    ((*ORACLE, "--protocol", "direct+no"), ("--protocol direct+no", "unknown protocol 'no'")),
    ((*ORACLE, "--set-protocol", "n=1"), ("--set-protocol n", "protocol direct has no such")),
    ((*ORACLE, "--set-protocol", "n"), ("--set-protocol n", "must be KEY=VALUE")),
    ((*ORACLE, "--epochs", "0"), ("--epochs 0", "at least 1")),
    ((*ORACLE, "--epochs", "two"), ("'--epochs'", "'two' is not a valid integer")),
    ((*ORACLE, "--max-connections", "0"), ("--max-connections 0", "at least 1")),
    ((*ORACLE, "--max-tokens", "0"), ("--max-tokens 0", "at least 1")),
    ((*ORACLE, "--max-retries", "-1"), ("--max-retries -1", "at least 0")),
    ((*ORACLE, "--timeout", "0"), ("--timeout 0", "must be over 0")),
    ((*ORACLE, "--timeout", "nan"), ("--timeout nan", "must be over 0")),
    ((*ORACLE, "--reduce", "median"), ("'--reduce'", "'median'", "'mean', 'majority'")),
    ((*ORACLE, "--price", "3"), ("--price 3", "IN,OUT", "such as 2.5,10")),
    ((*ORACLE, "--price", "a,b"), ("--price a,b", "IN,OUT")),
    ((*ORACLE, "--price", "1,-2"), ("--price 1,-2", "IN,OUT")),
    ((*ORACLE, "--price", "nan,1"), ("--price nan,1", "IN,OUT")),
    ((*ORACLE, "--max-cost", "5"), ("--max-cost", "needs --price IN,OUT")),
    ((*ORACLE, "--max-cost", "0", "--price", "1,1"), ("--max-cost 0", "over 0 USD")),
    ((*ORACLE, "--extra-body", "{"), ("--extra-body {", "must be a JSON object")),
    ((*ORACLE, "--extra-body", "[1]"), ("--extra-body [1]", "must be a JSON object")),
    ((*ORACLE, "--extra-body", "[" * 10_000), ("--extra-body [", "must be a JSON object")),
    ((*ORACLE, "--extra-body", '{"model": "x"}'), ("--extra-body model", "is set by --model")),
    ((*ORACLE, "--extra-body", '{"messages": []}'), ("--extra-body messages", "the protocol")),
    ((*LOCAL, "--extra-body", '{"stream": true}'), ("--extra-body", "stream", "must not")),
    ((*ORACLE, "--dialect", "sound"), ("--dialect sound", "leave it out")),
)
def test_running(arguments: tuple[object, ...], says: tuple[str, ...]) -> None:
    refused(*RUN, *arguments, says=says)
    refused(*RUN, *arguments, "--dry-run", says=says)


def test_a_run_wants_the_key_of_its_provider_and_a_dry_run_does_not() -> None:
    asked = (*RUN, "--model", "openai/gpt")
    refused(*asked, says=("'openai'", "OPENAI_API_KEY is not set", "export", "--base-url"))
    before = held(Path())
    assert " requests, about " in thence(*asked, "--dry-run").out
    assert held(Path()) == before


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    line = refused(
        *RUN, "--model", "x/m", "--base-url", "http://me:hunter2@host/v1",
        says=("--base-url", "must not carry a user name or password", "environment variable"),
    )  # fmt: skip
    assert "hunter2" not in line


def test_a_key_that_is_none_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret\nline")
    line = refused(*RUN, "--model", "openai/m", says=("OPENAI_API_KEY", "blanks"))
    assert "secret" not in line


# Outputs ---------------------------------------------------------------------------------------


@cases(
    (("-o", "x.txt"), ("-o x.txt", "must end in .jsonl or .parquet")),
    (("-o", "none/x.jsonl"), ("-o none/x.jsonl", "folder none does not exist", "make it first")),
    (("-o", "there.jsonl"), ("-o there.jsonl", "exists", "--overwrite")),
    (("-o", "folder.jsonl"), ("-o folder.jsonl", "is a folder", "name a file")),
    (("-o", "folder.jsonl", "--overwrite"), ("-o folder.jsonl", "is a folder")),
    (("-o", "there.jsonl", "--overwrite", "--set", "steps=x"), ("--set steps=x", "N or LO-HI")),
    (("-o", "there.jsonl", "--overwrite", "--size", "0"), ("--size 0",)),
)
def test_outputs_of_generate(arguments: tuple[object, ...], says: tuple[str, ...]) -> None:
    Path("there.jsonl").write_text("mine\n")
    Path("folder.jsonl").mkdir()
    refused("generate", "procbench/sort", *arguments, says=says)


def test_a_run_goes_into_no_file() -> None:
    Path("taken").write_text("mine")
    refused(*RUN, *ORACLE, "-o", "taken", says=("-o taken", "is a file", "name a folder"))
    refused(*RUN, *ORACLE, "-o", "taken", "--overwrite", says=("-o taken", "is a file"))


def test_a_run_goes_into_no_folder_below_a_file() -> None:
    Path("taken").write_text("mine")
    refused(*RUN, *ORACLE, "-o", "taken/run", says=("-o taken/run", "taken"))


@pytest.mark.parametrize("more", [(), ("--overwrite",)])
def test_a_run_goes_into_no_folder_of_something_else(more: tuple[str, ...]) -> None:
    Path("mine").mkdir()
    Path("mine/thesis.tex").write_text("years of work")
    refused(*RUN, *ORACLE, "-o", "mine", *more, says=("-o mine", "thesis.tex", "another folder"))
    thence(*RUN, *ORACLE, "-o", "run")
    Path("run/notes.txt").write_text("mine too")
    other = ("run", "procbench/sort", "--size", "3", *ORACLE, "-o", "run", "--overwrite")
    refused(*other, says=("-o run", "notes.txt", "another folder"))


@pytest.mark.parametrize(
    ("more", "differs"),
    [
        (("--temperature", "0.5"), "generation temperature: null, not 0.5"),
        (("--protocol", "are_you_sure"), 'protocol: "direct", not "are_you_sure"'),
        (("--seed", "1"), "samples seed: 0, not 1"),
        (("--limit", "1"), "samples limit: null, not 1"),
        (("--epochs", "2", "--seed", "1"), "samples seed: 0, not 1"),
        (("--model", "baseline/random"), 'model: "baseline/oracle", not "baseline/random"'),
    ],
)
def test_a_run_goes_into_no_folder_of_another_run(more: tuple[str, ...], differs: str) -> None:
    thence(*RUN, *ORACLE, "-o", "run")
    says = ("-o run", f"it differs in {differs})", "another folder", "--overwrite")
    refused(*RUN, *ORACLE, "-o", "run", *more, says=says)
    thence(*RUN, *ORACLE, "-o", "run", *more, "--overwrite")


def test_a_damaged_run_is_not_gone_on_with() -> None:
    thence(*RUN, *ORACLE, "-o", "run")
    for text in ("{}", "[", "", '{"request": 1, "fingerprint": 2}', "[" * 100_000):
        Path("run/run.json").write_text(text)
        refused(*RUN, *ORACLE, "-o", "run", says=("run/run.json", "damaged"))
        refused("score", "run", says=("run/run.json", "damaged"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("procbench/sort", "--set", "steps=x", *ORACLE), ("--set steps=x", "N or LO-HI")),
        (("torn.jsonl", *ORACLE), ("torn.jsonl:5", "JSON")),
        (("procbench/sort", "--model", "gguf/torn.jsonl"), ("torn.jsonl", "not a GGUF file")),
    ],
)
def test_overwriting_with_bad_input_keeps_the_old_run(
    arguments: tuple[str, ...], says: tuple[str, ...]
) -> None:
    text = samples("good.jsonl").read_text()
    Path("torn.jsonl").write_text(text + "{torn\n")
    thence(*RUN, *ORACLE, "-o", "run")
    refused("run", *arguments, "-o", "run", "--overwrite", says=says)


def test_samples_may_lie_in_the_folder_that_the_run_is_to_go_into() -> None:
    Path("study").mkdir()
    samples("samples.jsonl").rename("study/samples.jsonl")
    before = held(Path("study"))
    refused("run", "study/samples.jsonl", *ORACLE, "-o", "study", says=("-o study", "samples"))
    assert held(Path("study")) == before


def test_responses_without_their_run_are_not_thrown_away() -> None:
    thence(*RUN, *ORACLE, "-o", "run")
    Path("run/run.json").unlink()
    refused(*RUN, *ORACLE, "-o", "run", says=("-o run", "responses.jsonl"))


def test_what_a_refused_run_began_is_removed() -> None:
    refused(*RUN, *ORACLE, "--set", "steps=x", "-o", "run", says=("--set steps=x",))
    assert held(Path()) == {}


def test_what_a_refused_run_began_is_removed_with_its_parents() -> None:
    refused(*RUN, *ORACLE, "--set", "steps=x", says=("--set steps=x",))


def test_a_folder_that_another_run_has_begun_to_use_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def generate(*arguments: Any, **more: Any) -> Iterator[Any]:
        Path("runs/other").mkdir()
        raise UsageError("--set steps: bad")
        yield

    monkeypatch.setattr(suite, "generate", generate)
    refused(*RUN, *ORACLE, says=("--set steps: bad",), changes=True)
    assert list(held(Path("runs"))) == ["other"]


def test_demo() -> None:
    Path("taken").write_text("mine")
    refused("demo", "-o", "taken", says=("-o taken", "is a file", "name a folder"))
    Path("made").mkdir()
    Path("made/samples.jsonl").write_text("mine")
    refused("demo", "-o", "made", says=("-o made/samples.jsonl", "exists", "--overwrite"))


# Local models ----------------------------------------------------------------------------------


def test_local_models_that_are_none() -> None:
    Path("text.gguf").write_text("Once upon a time")
    Path("folder.gguf").mkdir()
    gguf = (*RUN, "-o", "run", "--model")
    refused(*gguf, "gguf/none.gguf", says=("none.gguf does not exist",))
    refused(*gguf, "gguf/text.gguf", says=("text.gguf is not a GGUF file",))
    refused(*gguf, "gguf/folder.gguf", says=("folder.gguf is a folder", "name a .gguf file"))
    whole = write_tiny_model(Path("tiny.gguf")).read_bytes()
    Path("cut.gguf").write_bytes(whole[: len(whole) // 2])
    refused(*gguf, "gguf/cut.gguf", says=("llama.cpp cannot serve cut.gguf",))
    many = (*gguf, "gguf/tiny.gguf", "--max-connections", "300")
    refused(*many, says=("llama.cpp serves at most 256",))


def test_a_dry_run_sees_that_a_local_model_is_missing() -> None:
    arguments = (*RUN, "--model", "gguf/none.gguf", "--dry-run")
    refused(*arguments, says=("--model gguf/none.gguf", "does not exist"))


def test_too_many_slots_are_refused_by_the_name_of_the_option() -> None:
    write_tiny_model(Path("tiny.gguf"))
    many = (*RUN, "--model", "gguf/tiny.gguf", "--max-connections", "300")
    refused(*many, says=("--max-connections 300", "256"))


# Numbers that are none -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--workers", "-1"),
        ("--workers", "0"),
        ("--max-cost", "nan"),
        ("--temperature", "nan"),
        ("--temperature", "-1"),
        ("--top-p", "inf"),
        ("--top-p", "0"),
        ("--timeout", "inf"),
        ("--extra-body", '{"x": NaN}'),
    ],
)
def test_numbers_that_are_none(option: str, value: str) -> None:
    prices = ("--price", "1,1") if option == "--max-cost" else ()
    refused(*RUN, *LOCAL, *prices, option, value, "--dry-run", says=(option, value))
    refused(*RUN, *ORACLE, *prices, option, value, says=(option, value))


# Nothing at all --------------------------------------------------------------------------------


def test_no_command_at_all_shows_the_help() -> None:
    done = thence()
    assert done.err == ""
    assert done == thence("--help")


def test_a_folder_of_runs_names_one_of_them() -> None:
    thence(*RUN, *ORACLE, "-o", "runs/one")
    refused("score", "runs", says=("runs: not a run directory", "such as runs/one"))


def test_a_procedure_is_no_file_of_samples() -> None:
    Path("tea.yaml").write_text("goal: tea\nsteps: [boil]\n")
    refused("run", "tea.yaml", *ORACLE, says=("tea.yaml: ask about", "source=tea.yaml"))
    Path("tea.txt").write_text("boil")
    refused("run", "tea.txt", *ORACLE, says=("tea.txt: samples are read from .jsonl",))
