"""What a changed procedure gained and lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import refused, thence
from thence.procedures import compare_procedures

OLD = """
goal: Release
start: [image]
steps:
  - {name: stop, text: Stop the shop, defines: [stopped]}
  - {name: migrate, text: Migrate the database, uses: [stopped], defines: [schema 2]}
  - {text: Start the shop on five hosts, uses: [schema 2, image], defines: [up], kills: [stopped]}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.yaml").write_text(OLD)


def new(*changes: tuple[str, str]) -> str:
    text = OLD
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    Path("new.yaml").write_text(text)
    return "new.yaml"


def test_the_same_procedure_has_not_changed() -> None:
    assert thence("analyze", "old.yaml", new()).out == "no change\n"


def test_a_lost_dependency_and_a_gained_finding_are_told_and_end_a_build() -> None:
    path = new(("uses: [stopped], ", ""), ("five", "six"), ("image]\n", "image, disk]\n"))
    done = thence("analyze", "old.yaml", path, status=1)
    assert done.out.splitlines() == [
        "~ step 3: Start the shop on six hosts (was: Start the shop on five hosts)",
        "- step 2 (migrate) waits for step 1 (stop) (stopped)",
        "+ warning[defined-never-used]: start lists 'disk', which is never used",
    ]
    found = thence("analyze", "old.yaml", path, "--json", status=1).json()
    assert found["dependencies"]["lost"] == [{"from": 0, "to": 1, "facts": ["stopped"]}]
    assert [each["fact"] for each in found["findings"]["gained"]] == ["disk"]
    assert found["steps"] == {"gained": [], "lost": [], "reworded": [[2, 2]], "changed": []}
    back = thence("analyze", path, "old.yaml")
    assert "- warning[defined-never-used]: start lists 'disk'" in back.out


def test_a_step_in_quite_other_words_is_known_by_its_facts() -> None:
    path = new(("text: Start the shop on five hosts", "text: Open up"))
    told = "~ step 3: Open up (was: Start the shop on five hosts)\n"
    assert thence("analyze", "old.yaml", path).out == told
    path = new(("{text: Start the shop on five hosts", "{name: open, text: Open up"))
    assert thence("analyze", "old.yaml", path).out.startswith("- step 3: Start the shop")


def test_a_step_in_between_loses_no_dependency_that_still_holds() -> None:
    """Places move, names and texts stay: nothing but the step itself is new."""
    step = "  - {text: Back up, uses: [stopped], defines: [copy]}\n"
    path = new(("  - {name: migrate", f"{step}  - {{name: migrate"),
               ("uses: [stopped], defines: [schema", "uses: [copy], defines: [schema"))  # fmt: skip
    found = compare_procedures("old.yaml", path)
    assert (found.steps_gained, found.steps_lost, found.steps_reworded) == ([1], [], [])
    assert not found.dependencies_lost
    gained = [(each.first, each.second) for each in found.dependencies_gained]
    assert gained == [(0, 1), (1, 2), (1, 3)]
    assert not found.findings_gained


def test_a_fact_that_was_never_defined_is_no_new_finding_at_another_step() -> None:
    Path("old.yaml").write_text(
        "goal: g\nsteps:\n  - {name: a, uses: [x]}\n  - {name: b, uses: [x]}\n"
    )
    Path("new.yaml").write_text("goal: g\nsteps:\n  - {name: a}\n  - {name: b, uses: [x]}\n")
    found = compare_procedures("old.yaml", "new.yaml")
    assert not found.findings_gained and not found.findings_lost
    assert thence("analyze", "new.yaml", "old.yaml").out == "no change\n"


def test_other_times_and_other_options_are_changes() -> None:
    text = (
        "goal: g\nchoices: {bridge: [open, closed]}\nsteps:\n"
        "  - {text: Cross, duration: 8-12 min}\n  - {text: Swim, when: {bridge: closed}}\n"
    )
    Path("old.yaml").write_text(text)
    changed = text.replace("8-12 min", "2 h").replace("when: {bridge: closed}", "duration: 1 min")
    Path("new.yaml").write_text(changed)
    assert thence("analyze", "old.yaml", "new.yaml").out.splitlines() == [
        "~ step 1: 2 h (was: 8 min to 12 min)",
        "~ step 2: 1 min (was: no duration)",
        "~ step 2 is carried out in any case (was: only where bridge: closed)",
    ]
    assert compare_procedures("old.yaml", "new.yaml").to_json()["steps"]["changed"] == [
        [0, 0],
        [1, 1],
    ]


def test_two_files_are_not_drawn() -> None:
    refused("analyze", "old.yaml", new(), "--dot", says=["in words or by --json"])
    refused("analyze", "old.yaml", "none.yaml", says=["none.yaml: No such file"])
