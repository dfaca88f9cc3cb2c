from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.extra import toy_family
from thence import families
from thence.errors import UsageError

PROCBENCH = [
    *("sort", "gather", "count", "search", "copy", "substitute", "encode", "split1", "split2"),
    *("compose", "decompose", "rhythm", "compare", "count2", "decode", "push_pop", "rotate"),
    *("fill_word", "delete_char", "delete_word", "cumulate", "move_cyclic", "find_cyclic"),
]


@pytest.fixture
def toy() -> Iterator[None]:
    with toy_family():
        yield


def names(*patterns: str) -> list[str]:
    return [task.full_name for task in families.select(patterns)]


def test_procbench_has_its_tasks_in_the_official_order() -> None:
    found = names("procbench")
    assert found == [f"procbench/{name}" for name in PROCBENCH]
    assert [families.task(name).rank for name in found] == list(range(1, 24))


def test_every_task_says_what_it_is() -> None:
    for name, task in families.tasks().items():
        assert name == task.full_name == f"{task.family}/{task.name}"
        assert task.summary
        assert task.family in families.families()
        assert task.version.count("-") == 1
        hidden = families.families()[task.family].hidden
        assert set(task.grader.counts) <= {*task.grader.metrics, *hidden}


def test_a_selection_has_each_task_once_in_the_order_of_tables() -> None:
    assert names("procbench/gather", "procbench/sort") == ["procbench/sort", "procbench/gather"]
    assert names("procbench/s?rt", "procbench/sort", "procbench/so*") == ["procbench/sort"]
    assert names("*/delete_*") == ["procbench/delete_char", "procbench/delete_word"]
    every = [name for name, task in families.tasks().items() if not task.by_name]
    assert names("procbench", "procbench/*", "*") == every


def test_a_domain_that_the_paper_does_not_have_is_asked_about_by_its_name_only() -> None:
    assert len(names("fable", "fable/*", "fable/*/*", "*")) == len(names("*"))
    assert not [name for name in names("fable", "fable/*/taint") if "runbooks" in name]
    assert len(names("fable")) == 24
    assert len(names("fable/runbooks/*")) == 8
    assert names("fable/runbooks/taint") == ["fable/runbooks/taint"]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("procbench/srot", "unknown task 'procbench/srot'; did you mean 'procbench/sort'"),
        ("procbnech", "did you mean 'procbench'"),
        ("PROCBENCH", "unknown task 'PROCBENCH'"),
        ("fable/plans", "unknown task 'fable/plans'; did you mean 'fable/plans/*'?"),
        ("fable/routes/", "unknown task 'fable/routes/'; did you mean 'fable/routes/*'?"),
        ("", "unknown task ''"),
        ("nothing/*", "see: thence list tasks"),
    ],
)
def test_a_pattern_that_names_nothing_is_an_error(pattern: str, message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("*", ".*")):
        families.select(["procbench/sort", pattern])


@pytest.mark.usefixtures("toy")
def test_a_family_that_lies_in_the_package_is_found() -> None:
    assert names("toy") == names("toy/*") == ["toy/dice"]
    assert families.families()["toy"].title == "Toy"
    assert families.packages()["toy"] == "thence.families.toy"
    assert {name for name in families.tasks() if name.startswith("procbench/")} == {
        f"procbench/{name}" for name in PROCBENCH
    }


def test_it_is_gone_when_it_does_not_lie_there() -> None:
    assert "toy" not in families.families()


@pytest.mark.usefixtures("toy")
def test_what_is_defined_twice_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    families.tasks()
    module = sys.modules["thence.families.toy.tasks"]
    twin = replace(module.TASK, family="procbench", name="sort")
    monkeypatch.setattr(module, "TASK", twin)
    families._catalog.cache_clear()
    with pytest.raises(UsageError, match="task 'procbench/sort' is defined twice"):
        families.tasks()


def test_two_packages_of_one_family_are_named(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"twin_{name}").mkdir()
        text = "from thence.core.family import Family\nFAMILY = Family('twin', 'T', 'p', 's')\n"
        (tmp_path / f"twin_{name}" / "__init__.py").write_text(text)
    families.__path__.append(str(tmp_path))
    families._catalog.cache_clear()
    try:
        with pytest.raises(UsageError, match=r"family 'twin' .*twin_one and by .*twin_two"):
            families.tasks()
    finally:
        families.__path__.remove(str(tmp_path))
        families._catalog.cache_clear()
        for name in ("one", "two"):
            sys.modules.pop(f"thence.families.twin_{name}", None)


def test_asking_for_one_family_imports_no_module_of_another() -> None:
    script = (
        "import sys; from thence import families; families.task('procbench/sort');"
        "families.in_order(['procbench/sort']); families.packages();"
        "print(*(name for name in sys.modules if name.startswith('thence.families.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    held = {name.split(".")[2] for name in done.stdout.split() if name.count(".") > 2}
    assert held == {"procbench"}


def test_tasks_come_in_the_order_of_tables() -> None:
    every = list(families.tasks())
    assert families.in_order(reversed(every)) == every
    assert families.in_order([]) == []


def test_a_package_whose_tasks_cannot_be_imported_is_named(tmp_path: Path) -> None:
    (tmp_path / "sums-1.dist-info").mkdir()
    (tmp_path / "sums-1.dist-info" / "METADATA").write_text("Name: sums\nVersion: 1\n")
    (tmp_path / "sums-1.dist-info" / "entry_points.txt").write_text(
        "[thence.families]\nsums = sums\n"
    )
    (tmp_path / "sums").mkdir()
    family = "from thence.core.family import Family\nFAMILY = Family('sums', 'Sums', '', '')\n"
    (tmp_path / "sums" / "__init__.py").write_text(family)
    (tmp_path / "sums" / "tasks.py").write_text("raise ValueError('no sums')\n")
    path = [str(tmp_path), *filter(None, sys.path)]
    told = subprocess.run(
        [sys.executable, "-c", "import thence.cli as c; c.main()", "show", "procbench/sort"],
        env={"PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = "thence: the tasks of 'sums' cannot be imported from sums: ValueError: no sums; mend or "
    assert (told.returncode, told.stderr) == (2, f"{said}uninstall it\n")
