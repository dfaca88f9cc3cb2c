"""The library speaks of parameters; the command alone speaks of its options."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import thence
from thence.cli.option_words import in_options
from thence.errors import ParameterError, ProtocolParameterError, UsageError

ROOT = Path(thence.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+|(?<!\w)-o ")
OWN = {"cli", "integrations", "reporting"}  # options of other programs, names in style sheets
PROGRAMS = {"planner_worker.py"}  # which calls another program


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_no_text_of_the_library_names_an_option(path: Path) -> None:
    if path.relative_to(ROOT).parts[0] in OWN or path.name in PROGRAMS:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        and id(node) not in documented
    ]  # fmt: skip
    assert not [text for text in texts if OPTION.search(text)]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ParameterError("size", 0, "must be at least 1"), "--size 0: must be at least 1"),
        (ParameterError("steps", "0", "no"), "--set steps=0: no"),
        (ParameterError("steps", None, "no"), "--set steps: no"),
        (ProtocolParameterError("k", 3, "no"), "--set-protocol k=3: no"),
        (ParameterError("out", "x", "there; overwrite=True"), "-o x: there; --overwrite"),
        (ParameterError("structured", value=True, reason="no"), "--structured: no"),
        (ParameterError("price", (1.0, -2.0), "no"), "--price 1,-2: no"),
        (ParameterError("timeout", 0.0, "no"), "--timeout 0: no"),
        (UsageError("no model=a/b: mend base_url=URL"), "no --model a/b: mend --base-url URL"),
        (UsageError("bad top_p; ?model=x; a.size=3"), "bad top_p; ?model=x; a.size=3"),
        (ParameterError("base_url", "a\nb", "no"), r"--base-url 'a\nb': no"),
    ],
    ids=lambda each: str(each) if isinstance(each, str) else "",
)  # fmt: skip
def test_the_command_puts_errors_in_its_own_words(error: Exception, text: str) -> None:
    assert in_options(error) == text
