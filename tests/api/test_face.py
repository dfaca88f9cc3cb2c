"""What `import thence` offers, and what it costs."""

from __future__ import annotations

import subprocess
import sys
import typing
from importlib.resources import files

import pytest

import thence

NAMES = """
    tasks protocols generate questions read conversation score_reply answer run run_async open_run
    score compare power report audit analyze Sample Score Outcome Model Reply Sampling Limits
    ThenceError ParameterError ProviderError DiskError
""".split()  # noqa: SIM905
HEAVY = {"numpy", "jinja2", "click", "polars", "aiohttp", "pydantic", "scipy", "rich", "orjson"}


def output(program: str) -> str:
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout


def test_all_names_of_the_contract_are_offered_and_no_others() -> None:
    assert sorted(thence.__all__) == sorted(NAMES)
    for name in NAMES:
        found = getattr(thence, name)
        assert callable(found)
        assert name in dir(thence)
    with pytest.raises(AttributeError, match="'generator'"):
        _ = thence.generator  # type: ignore[attr-defined]


def test_importing_loads_nothing_heavy() -> None:
    modules = output("import sys, thence; print(*sys.modules)").split()
    assert not HEAVY & {name.partition(".")[0] for name in modules}
    assert not [name for name in modules if name.startswith("thence.api")]


def test_a_name_stays_what_it_is_whatever_is_imported() -> None:
    program = (
        "import thence, pkgutil, importlib\n"
        "for each in pkgutil.walk_packages(thence.__path__, 'thence.'):\n"
        "    hosted = '.integrations.' in each.name\n"  # some need the program that they work in
        "    if not hosted and '__main__' not in each.name and 'worker' not in each.name:\n"
        "        importlib.import_module(each.name)\n"
        "print([name for name in thence.__all__ if not callable(getattr(thence, name))])"
    )
    assert output(program).strip() == "[]"


def test_the_package_says_that_it_is_typed() -> None:
    assert (files("thence") / "py.typed").is_file()
    for name in NAMES:
        found = getattr(thence, name)
        if not isinstance(found, type):
            assert "return" in typing.cast("dict[str, object]", found.__annotations__), name


@pytest.mark.parametrize("name", NAMES)
def test_each_name_has_a_docstring_of_three_lines(name: str) -> None:
    lines = (getattr(thence, name).__doc__ or "").strip().splitlines()
    assert len(lines) >= 3, name
