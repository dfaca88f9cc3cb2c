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

LAYERS = [  # from the bottom; a layer imports those below it, and itself
    {"errors"},
    {"system"},
    {"core"},
    {"dataflow"},
    {"procedures"},
    {"domains"},
    {"families"},
    {"prompts"},
    {"generation"},
    {"scoring"},
    {"analysis"},
    {"models"},
    {"engine"},
    {"reporting"},
    {"api"},
    {"integrations"},
    {"cli"},
]
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}
FACES = {"__init__.py", "__main__.py", "errors.py", "api.py"}


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


def layer(name: str) -> str:
    """The layer of a module, such as ``core``; empty for the package itself."""
    return name.partition(".")[2].partition(".")[0]


def test_there_are_files_and_imports_to_look_at() -> None:
    assert len(FILES) > 40
    making = ROOT / "generation" / "making.py"
    assert {"thence.core.seeds.stream", "thence.families"} <= set(imported(making))


def test_only_the_faces_of_the_package_lie_outside_the_layers() -> None:
    assert {path.name for path in ROOT.glob("*.py")} <= FACES
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert folders <= set(HEIGHT)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    here = layer(module(path))
    if here in {"", "__main__"}:
        return
    reached = {layer(name) for name in imported(path)}
    above = {name for name in reached & set(HEIGHT) if HEIGHT[name] > HEIGHT[here]}
    assert not above


def test_integrations_reach_no_deeper_than_the_api() -> None:
    for path in FILES:
        if path.relative_to(ROOT).parts[0] == "integrations":
            names = {name for name in imported(path) if name.count(".") > 1}
            assert {layer(name) for name in names} <= {"api", "errors", "integrations"}, path


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_is_longer_than_400_lines(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= 400


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


HEAVY = {"jinja2", "aiohttp", "numpy", "polars", "rich", "scipy", "pyarrow", "gguf", "xllamacpp"}


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
        "thence.cli.defaults",
        "thence.cli.option_words",
        "thence.cli.signals",
    }


def test_ctrl_c_is_handled_before_anything_is_imported_that_takes_long() -> None:
    assert not loaded("import thence.__main__") & {"typing", "collections", "re", "click"} - loaded(
        "import signal"
    )


def test_generating_and_scoring_needs_no_array_no_network_and_no_table() -> None:
    found = loaded(
        "import thence.generation.suite, thence.scoring.judge, "
        "thence.generation.sample_files, thence.generation.sources"
    )
    assert not found & (HEAVY - {"jinja2"})


def test_imports_have_no_side_effects() -> None:
    """A module of a task registers nothing: it is found by listing its package."""
    program = (
        "import thence.families.procbench.tasks.sort, thence.families as f; "
        "assert f._catalog.cache_info().currsize == 0"
    )
    assert "thence.families.procbench.tasks.sort" in loaded(program)


def test_no_two_public_classes_have_one_name() -> None:
    """A task module may call its classes as the other task modules do."""
    places: dict[str, list[str]] = {}
    for path in FILES:
        if path.parent.name == "tasks":
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


ROOMS = {  # the same thing for each of several families, domains or layers
    "answers", "audit", "domain", "generator", "glances", "intervals", "lowering", "matching",
    "metrics", "names", "paper_figures", "parameters", "planning", "procedure", "proofs",
    "published", "published_questions", "published_replies", "ratings", "reading", "shortcuts",
    "sound", "surface", "tables", "task", "twins", "words",
}  # fmt: skip
UNLIKE = {"problems", "questions", "sources"}  # different things; to become fewer


def test_no_two_files_have_one_name_for_different_things() -> None:
    """Modules of tasks and commands are called as these are, which users know."""
    places: dict[str, list[str]] = {}
    for path in FILES:
        if path.name not in FACES and path.parent.name not in {"tasks", "commands"}:
            places.setdefault(path.stem, []).append(str(path.relative_to(ROOT)))
    several = {name: found for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in several.items() if name not in ROOMS | UNLIKE} == {}
