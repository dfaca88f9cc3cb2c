"""The worked examples of the documentation print what it says they print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.command import thence

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "guides" / "analyze.md").read_text(encoding="utf-8")
EVERY = re.findall(r"```console\n\$ (.*)\n((?:.*\n)*?)```", PAGE)
SHOWN = [each for each in EVERY if "mended.yaml" not in each[0]]
STATUS = {"deployment": 1, "laboratory": 1, "recipe": 0, "detour": 1}


def test_every_example_is_shown() -> None:
    files = {path.stem for path in (ROOT / "docs" / "examples").iterdir()}
    assert files == set(STATUS) == {re.search(r"(\w+)\.yaml", line)[1] for line, _ in SHOWN}  # type: ignore[index]


@pytest.mark.parametrize(("line", "output"), SHOWN, ids=[line for line, _ in SHOWN])
def test_the_examples_print_what_the_page_shows(
    line: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(line)
    assert program == "thence"
    status = next(status for name, status in STATUS.items() if name in line)
    assert thence(*arguments, status=status).out == output


def test_the_mend_that_the_page_names_is_one() -> None:
    text = (ROOT / "docs/examples/deployment.yaml").read_text(encoding="utf-8")
    head, *steps = text.split("  - name: ")
    named = {step.split("\n", 1)[0]: step for step in steps}
    names = list(named)
    names.insert(names.index("migrate"), names.pop(names.index("count")))
    Path("mended.yaml").write_text("  - name: ".join([head, *(named[name] for name in names)]))
    assert thence("analyze", "mended.yaml").last == "nothing found"
    (changed,) = [output for line, output in EVERY if "mended.yaml" in line]
    assert thence("analyze", ROOT / "docs/examples/deployment.yaml", "mended.yaml").out == changed
    protocol = (ROOT / "docs/examples/laboratory.yaml").read_text(encoding="utf-8")
    Path("mended.yaml").write_text(protocol.replace("[dilute, run]", "[dilute, cast]"))
    assert thence("analyze", "mended.yaml").last == "nothing found"
    trip = (ROOT / "docs/examples/detour.yaml").read_text(encoding="utf-8")
    again = (
        "  - name: fill again\n    when: {Mill Bridge: closed}\n    after: forest\n"
        "    defines: [full tank]\n  - name: hose\n"
    )
    Path("mended.yaml").write_text(trip.replace("  - name: hose\n", again))
    assert thence("analyze", "mended.yaml").last == "nothing found"


def test_the_form_that_the_page_shows_is_read() -> None:
    (form,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    Path("crepes.yaml").write_text(form)
    assert thence("analyze", "crepes.yaml").last == "nothing found"


@pytest.mark.parametrize("name", ["guides/analyze.md", "concepts/dataflow.md"])
def test_the_python_of_the_pages_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(program, name, "exec"), {})


def test_a_drawing_is_printed_as_svg_and_stands_alone() -> None:
    Path("p.yaml").write_text("goal: g\nsteps:\n  - text: s\n    defines: a\n")
    for what in ("facts", "executions"):
        assert thence("analyze", "p.yaml", "--draw", what).out.startswith("<svg")
    refused = thence("analyze", "p.yaml", "--draw", "facts", "--json", status=2)
    assert "each is an output" in refused.err
