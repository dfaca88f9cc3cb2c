"""Imports point down only, and what is heavy is imported where it is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import thence

ROOT = Path(thence.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

ABOVE = {
    "errors": {"kernel", "dataflow", "families", "protocols", "models", "engine", "report", "cli"},
    "kernel": {"dataflow", "families", "protocols", "models", "engine", "report", "cli"},
    "dataflow": {"domains", "families", "protocols", "models", "engine", "report", "cli"},
    "families": {"protocols", "models", "engine", "report", "cli"},
    "protocols": {"models", "engine", "report", "cli"},
    "models": {"engine", "report", "cli"},
    "engine": {"report", "cli"},
    "report": {"models", "cli"},
}
# The modules that stand beside the layers, between protocols and models.
BETWEEN = {path.stem for path in ROOT.glob("*.py")} - {"__init__", "__main__", "errors"}


def imported(path: Path) -> Iterator[str]:
    """Full names of our modules that a file imports, those imported late or for types too."""
    package = ["thence", *path.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] == "thence")


def module(path: Path) -> str:
    parts = ["thence", *path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


def test_there_are_files_and_imports_to_look_at() -> None:
    assert len(FILES) > 40
    assert {"thence.kernel.seeds.stream", "thence.families"} <= set(imported(ROOT / "suite.py"))
    assert set(ABOVE) - {"errors"} <= {path.name for path in ROOT.iterdir()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    here = part(path)
    reached = {name.split(".")[1] for name in imported(path) if "." in name}
    assert not reached & ABOVE.get(here, set())
    if here in BETWEEN:
        assert not reached & {"models", "engine", "report", "cli"}
    if here in {"errors", "kernel", "dataflow", "families", "protocols"}:
        assert not reached & BETWEEN


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not even for types: what stands in a circle can be understood only all at once."""
    names = {module(path): path for path in FILES}
    graph = {
        name: {
            found
            for each in imported(path)
            if (found := each if each in names else each.rpartition(".")[0]) in names
        }
        - {name}
        for name, path in names.items()
    }
    assert sum(map(len, graph.values())) > 3 * len(FILES)
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_family_reaches_into_another(path: Path) -> None:
    parts = path.relative_to(ROOT).parts
    if parts[0] != "families" or len(parts) < 3:
        return
    others = [name.split(".")[2] for name in imported(path) if name.startswith("thence.families.")]
    packages = {folder.name for folder in (ROOT / "families").iterdir() if folder.is_dir()}
    assert not {name for name in others if name in packages and name != parts[1]}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_private_names_stay_in_their_package(path: Path) -> None:
    package = ".".join(["thence", *path.relative_to(ROOT).parts[:-1]])
    for name in imported(path):
        *modules, last = name.split(".")
        private = [place for place, each in enumerate(modules) if each.startswith("_")]
        owners = [".".join(modules[:place]) for place in private]
        if last.startswith("_") and not last.startswith("__"):
            owners.append(".".join(modules))
        assert all(package == owner or package.startswith(owner + ".") for owner in owners), name


HEAVY = {"jinja2", "aiohttp", "numpy", "rich", "scipy", "pyarrow", "gguf", "xllamacpp"}


def loaded(statement: str) -> set[str]:
    """Modules that a fresh process holds after a statement."""
    program = f"import sys\n{statement}\nprint(*sys.modules)"
    command = [sys.executable, "-W", "error", "-c", program]
    return set(subprocess.run(command, capture_output=True, check=True).stdout.decode().split())


def test_the_command_imports_nothing_heavy() -> None:
    found = loaded("import thence.cli")
    assert "click" in found
    assert not found & HEAVY
    assert not {name for name in found if name.startswith(("thence.cli.", "thence.engine"))} - {
        "thence.cli._defaults"
    }


def test_generating_and_scoring_needs_no_array_no_network_and_no_table() -> None:
    found = loaded("import thence.suite, thence.scoring, thence.files, thence.sources")
    assert not found & (HEAVY - {"jinja2"})


def test_imports_have_no_side_effects() -> None:
    """A module of a task registers nothing: it is found by listing its package."""
    program = (
        "import thence.families.procbench.sort, thence.families as f; "
        "assert f._found.cache_info().currsize == 0"
    )
    assert "thence.families.procbench.sort" in loaded(program)
