"""The commands that only look: list, show, validate, and help."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import PATIENCE, ended, held, process, refused, rows, thence
from tests.extra import offered
from thence import cli, families, generate
from thence.models.baselines import BASELINES
from thence.models.providers import PROVIDERS
from thence.prompts import catalog

HEAVY = ("aiohttp", "jinja2", "numpy", "rich", "pyarrow", "gguf", "xllamacpp", "scipy")

OPTIONS = {
    "list": "--json",
    "show": "-n --seed --set --dialect --templates --protocol",
    "generate": "--seed --size --limit --set --dialect --templates --workers --overwrite -o",
    "run": (
        "--model --seed --size --limit --set --dialect --templates --protocol --set-protocol "
        "--epochs --reduce --max-connections --base-url --temperature --top-p --max-tokens "
        "--seed-model --extra-body --timeout --max-retries --structured --price --max-cost "
        "--accept-errors --dry-run --overwrite -o"
    ),
    "score": "--samples --scorer --reduce --extractor --accept-errors --json",
    "audit": "--dialect --flow-graphs --titles --json",
    "extract": "--model -o --against --review --base-url --structured --overwrite --json",
    "validate": "--seed --size --shortcuts --set --json",
    "demo": "-o --overwrite",
}


def test_help_names_every_command() -> None:
    done = thence("--help")
    assert done.err == ""
    for name, summary in cli.COMMANDS.items():
        assert f"  {name} " in done.out
        assert summary in done.out
    assert thence("-h") == done
    assert set(OPTIONS) <= set(cli.COMMANDS)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_help_of_a_command_names_its_options(name: str) -> None:
    done = thence(name, "--help")
    assert done.err == ""
    assert done.out.startswith(f"Usage: thence {name} ")
    for option in OPTIONS.get(name, "").split():
        assert f"{option} " in done.out or f"{option}\n" in done.out, option
    assert held(Path()) == {}


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from thence import cli\n"
        "statuses = [cli.run(['--help']), *(cli.run([n, '--help']) for n in cli.COMMANDS)]\n"
        "print(statuses, [n for n in sys.argv[1:] if n in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *HEAVY],
        capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert done.stderr == f"{[0] * (len(cli.COMMANDS) + 1)} []\n"


def test_version() -> None:
    assert thence("--version").out.startswith("thence 0.")


def test_a_process_ends_with_the_status_of_the_command() -> None:
    with process("validate", "procbench/srot") as bad, process("list", "--json") as good:
        assert "did you mean" in ended(bad, 2).err
        assert len(json.loads(ended(good, 0).out)) == len(families.tasks())


@pytest.mark.parametrize(
    "command",
    [
        ("show", "procbench/sort", "-n", "300"),
        ("list", "--json"),
    ],
)
def test_a_reader_that_has_had_enough_is_no_failure(command: tuple[str, ...]) -> None:
    with process(*command) as started:
        assert started.stdout
        started.stdout.close()
        assert started.stderr
        assert started.wait(PATIENCE) == 0
        assert started.stderr.read() == ""


def test_a_fault_of_ours_is_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object, settings: object) -> None:
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr(type(families.task("procbench/sort").generator), "configure", broken)
    line = refused(
        "generate",
        "procbench/sort",
        "-o",
        "x.jsonl",
        says=("a fault of ours", "RuntimeError: first line second line", "THENCE_TRACEBACK=1"),
        status=3,
    )
    assert "please report it" in line
    monkeypatch.setenv("THENCE_TRACEBACK", "1")
    with pytest.raises(RuntimeError, match="first line"):
        cli.run(["generate", "procbench/sort", "-o", "x.jsonl"])


def test_list_of_tasks() -> None:
    found = thence("list", "--json").json()
    assert [row["task"] for row in found] == list(families.tasks())
    assert thence("list", "tasks", "--json").json() == found
    plain = thence("list").out
    for row in found:
        assert row["version"].count("-") == 1
        assert row["set"] > 0 or row["summary"].startswith("not offered: ")
        assert row["groups"] > 0 or not row["set"]
        assert row["summary"]
        assert f"{row['task']} " in plain
    sort = next(row for row in found if row["task"] == "procbench/sort")
    assert (sort["task"], sort["set"], sort["groups"]) == ("procbench/sort", 240, 24)
    assert "2-25" in sort["--set"]["steps"]


def test_list_of_protocols() -> None:
    found = thence("list", "protocols", "--json").json()
    assert {row["protocol"]: row["turns"] for row in found} == {
        name: held.turns + 1 for name, held in catalog.protocols().items()
    }
    plain = thence("list", "protocols").out
    assert "direct" in plain
    assert "are_you_sure" in plain


def test_list_of_models() -> None:
    found = {row["model"]: row for row in thence("list", "models", "--json").json()}
    assert {f"{name}/NAME" for name in PROVIDERS} <= set(found)
    assert {f"baseline/{name}" for name in BASELINES} <= set(found)
    assert "gguf/PATH" in found
    assert found["openai/NAME"]["key"] == "OPENAI_API_KEY"
    plain = thence("list", "models").out
    assert "OPENROUTER_API_KEY" in plain


def test_lists_look_at_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hunter2")
    for arguments in (("list", "models"), ("list", "models", "--json"), ("list", "--json")):
        assert "hunter2" not in thence(*arguments).out


def test_show_shows_what_generate_writes() -> None:
    thence("generate", "procbench/sort", "--size", "3", "--seed", "5", "-o", "x.jsonl")
    made = rows("x.jsonl")
    shown = thence("show", "procbench/sort", "--seed", "5").out
    for row in made:
        assert row["id"] in shown
        assert row["metadata"]["question"]["string"] in shown
        assert families.task(row["task"]).format.write(row["target"]) in shown.replace("\n", "")
    assert "user:" in shown
    assert "truth:" in shown
    one = thence("show", "procbench/sort", "-n", "1", "--set", "steps=2").out
    assert one.count("truth:") == 1


def test_a_narrow_terminal_leaves_names_that_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = thence("list").out.splitlines()
    assert all(len(line) <= 40 for line in lines[:-1])
    assert lines[1:3] == ["catbench", "  order       4260  must a step happen"]
    at = lines.index("  very_busy_  100   plans: is what step")
    assert lines[at + 1] == "   expressio        i made used in every"


@pytest.mark.parametrize("width", [20, 30, 40])
def test_no_two_names_read_alike(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    head, *lines = thence("list").out.splitlines()
    heading, found = "", list[str]()
    for cell in (line[: head.index("set")].rstrip() for line in lines[:-1]):
        if cell.startswith("   "):
            found[-1] += cell.strip()
        elif cell.startswith("  "):
            found.append(f"{heading}/{cell.strip()}")
        elif cell:
            heading = heading + cell.strip() if cell.startswith(" ") else cell
    assert found == list(families.tasks())


def test_show_breaks_no_line() -> None:
    thence("generate", "procbench/sort", "--size", "1", "--set", "steps=50", "-o", "x.jsonl")
    [row] = rows("x.jsonl")
    shown = thence("show", "procbench/sort", "-n", "1", "--set", "steps=50").out
    assert families.task(row["task"]).format.write(row["target"]) in shown


def test_show_tells_why_and_counts_steps_from_1() -> None:
    shown = thence("show", "fable/recipes/concurrency", "catbench/order", "-n", "4").out
    told = [line for line in shown.splitlines() if line.startswith("explanation: ")]
    assert len(told) == 8
    held = thence_of(("fable/recipes/concurrency", "catbench/order"), 4)
    assert told == [f"explanation: {each}" for each in held]
    assert "{'" not in shown
    assert "'witness'" not in shown


def thence_of(names: tuple[str, ...], size: int) -> list[str]:
    """The explanations of the first samples of some tasks."""
    made = generate(names, size=size, workers=1)
    return [families.task(each.task).explainer.explain(each) for each in made]


def test_show_of_a_protocol_shows_every_turn() -> None:
    shown = thence("show", "procbench/sort", "-n", "1", "--protocol", "are_you_sure").out
    assert shown.count("user:") == 2
    assert shown.count("assistant:") == 1
    assert "Are you sure?" in shown


def test_validate_holds_for_every_task() -> None:
    done = thence("validate", *offered(), "--size", "4", "--json").json()
    assert [row["task"] for row in done["tasks"]] == offered()
    for row in done["tasks"]:
        assert row["checked"] == 4
        assert row["holds"], row
        assert set(row["failed"]) == set(done["checks"])
    plain = thence("validate", "procbench/sort", "procbench/count", "--size", "4").out
    assert plain.splitlines()[-1] == "2 of 2 tasks hold."


def test_validate_tells_what_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    task = families.task("procbench/sort")
    monkeypatch.setattr(type(task.checks), "perturb", lambda self, sample, rng: sample.target)
    done = thence("validate", "procbench/sort", "--size", "3", "--json", status=1)
    [row] = done.json()["tasks"]
    assert not row["holds"]
    assert len(row["failed"]["perturbed_is_wrong"]) == 3
    plain = thence("validate", "procbench/sort", "--size", "3", status=1).out
    assert "3 failed" in plain
    assert plain.splitlines()[-1] == "0 of 1 task holds."


def test_validate_shows_shortcuts_the_best_first() -> None:
    words = ("validate", "catbench/order", "--shortcuts", "--size", "30")
    [row] = thence(*words, "--json").json()["tasks"]
    assert (row["scored"], row["fitted"], row["chance"]) == (30, 60, 0.5)
    scores = [each["balanced"] for each in row["shortcuts"]]
    assert scores == sorted(scores, reverse=True)
    title, head, first, *_ = thence(*words).out.splitlines()
    assert title.endswith("scored on 30 others; chance 0.500")
    assert head.split() == ["shortcut", "score", "accuracy", "goes", "by"]
    assert first.startswith(row["shortcuts"][0]["name"])
    assert "size" in thence(*words[:-1], "0", status=2).err


def test_looking_writes_nothing() -> None:
    for arguments in (
        ("list",),
        ("list", "protocols"),
        ("list", "models"),
        ("show", "procbench/sort"),
        ("validate", "procbench/sort", "--size", "2"),
    ):
        thence(*arguments)
    assert held(Path()) == {}


def test_files_and_status_do_not_depend_on_who_reads_the_output() -> None:
    thence("generate", "procbench/sort", "--size", 3, "-o", "x.jsonl")
    thence("run", "x.jsonl", "--model", "baseline/random", "-o", "run")
    with process("score", "run", "--details", "d.jsonl", "--fail-under", "procbench=1") as started:
        assert started.stdout
        started.stdout.close()
        assert started.wait(PATIENCE) == 1
    assert len(Path("d.jsonl").read_text().splitlines()) == 3
