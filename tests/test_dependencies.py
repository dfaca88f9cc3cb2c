"""What the code imports and what the package declares are the same."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import thence

SOURCE = Path(thence.__file__).parent
PROJECT = Path(__file__).parents[1] / "pyproject.toml"

BUNDLED = {
    # The planner's process puts the folder of up-fast-downward on its path; this lies in it.
    "fast_downward": "up-fast-downward",
    # pydantic demands one exact version of it, and says to import its errors from there.
    "pydantic_core": "pydantic",
    # The light form of it, which `mlflow` brings, too.
    "mlflow": "mlflow-skinny",
}

HOSTS = {"lm-eval"}  # they import us, and we never import them
# By the trainer that calls us, in the build that it needs; by the notebook; by who has a GPU, in
# an environment of its own, as vLLM takes no numpy that our other extras take.
BROUGHT = {"torch", "ipywidgets", "vllm"}

BY_NAME = {"import_module", "find_spec"}  # functions that take the name of a module


def imports(tree: ast.AST) -> Iterator[str]:
    """Top-level names of the modules that a file imports: at once, late, for types, by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]
        elif isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
            called = called.id if isinstance(called, ast.Name) else called
            name = node.args[0]
            if called in BY_NAME and isinstance(name, ast.Constant):
                yield str(name.value).partition(".")[0]


@cache
def imported() -> dict[str, set[str]]:
    """Distributions that the package imports from, and the files that do."""
    installed = packages_distributions()
    found: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        for name in imports(ast.parse(path.read_text(encoding="utf-8"))):
            if name in sys.stdlib_module_names or name == "thence":
                continue
            distributions = [BUNDLED[name]] if name in BUNDLED else installed.get(name, [name])
            for each in distributions:
                found.setdefault(canonical(each), set()).add(str(path.relative_to(SOURCE)))
    return found


@cache
def declared() -> set[str]:
    """Distributions that ``pyproject.toml`` has users install, extras included."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    every = [*project["dependencies"], *(each for extra in extras for each in extra)]
    return {canonical(re.split(r"[^\w.-]", each)[0]) for each in every}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_imports_of_every_kind_are_seen() -> None:
    source = """
import a.b
from c.d import e
from . import own
def late():
    import f
    importlib.import_module("g.h")
    find_spec("i")
"""
    assert set(imports(ast.parse(source))) == {"a", "c", "f", "g", "i"}
    assert "parser.py" in {Path(path).name for path in imported()["spacy"]}


def test_nothing_is_imported_that_is_not_declared() -> None:
    assert {
        name: files for name, files in imported().items() if name not in declared() | BROUGHT
    } == {}


def test_nothing_is_declared_that_is_not_imported() -> None:
    assert declared() - imported().keys() == HOSTS
