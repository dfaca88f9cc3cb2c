"""Files of recipes, as JSON lines or plain text; unreadable lines are reported one by one.

A line of JSON is ``{"title": ..., "steps": [...]}``; ``name`` or ``goal`` serve for the title, and
``directions``, ``instructions``, ``method`` or ``recipeInstructions`` for the steps, as a list (of
texts, or of objects with ``text``) or as one text. A JSON array of such objects is accepted, too.
Plain text holds recipes separated by blank lines, the title first and then one step per line;
`thence.domains.recipes.plain_text` describes the other accepted layouts.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thence.domains.recipes import plain_text
from thence.domains.recipes.lexicon import KINDS, VERBS
from thence.domains.recipes.parser import steps_of
from thence.errors import FileError

LONGEST_STEP = 10_000  # characters
MOST_STEPS = 200
_TITLES = ("title", "name", "goal")
_STEPS = ("steps", "directions", "instructions", "method", "recipeInstructions")
_GOODS = ("ingredients", "recipeIngredient")
_HTML = re.compile(r"</?[a-zA-Z][^<>]{0,200}>|&(?:nbsp|amp|lt|gt|quot|#\d{1,6});")
_WORD = re.compile(r"[^\W\d_]+")
_BROKEN = re.compile("[\0\ufffd\ud800-\udfff]")
_COMMON = 0.2  # share of words of the lexicon below which a text is not taken for English

type Row = tuple[int, str, list[Any], list[str]]
"""The line, title, steps and list of ingredients of a recipe."""


@dataclass(frozen=True, slots=True)
class RecipeText:
    """A recipe as text.

    Attributes:
        title: as given.
        steps: as given, without numbers.
        line: its first line number in the file, from 1.
        goods: the lines of its list of ingredients, where it has one.
    """

    title: str
    steps: tuple[str, ...]
    line: int
    goods: tuple[str, ...] = ()


@dataclass(slots=True)
class Texts:
    """The recipes of a file, and its problems.

    Attributes:
        recipes: the readable recipes.
        problems: one line for each recipe that is unreadable in full or in part.
    """

    recipes: list[RecipeText] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def read(path: Path) -> Texts:
    """Read the recipes of a file.

    Raises:
        FileError: the file does not exist, or holds no readable recipe.
    """
    if not path.is_file():
        raise FileError(f"recipes {path}: no such file; give JSON lines or plain text")
    found = Texts()
    content = path.read_bytes()
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise FileError(f"recipes {path}: is UTF-16; save it in UTF-8")
    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    first = next((line.strip() for line in lines if line.strip()), b"")
    if first[:1] in (b"{", b"["):
        rows = _rows(_array(lines) or _objects(lines), path, found)
    else:
        rows = _blocks(lines, path, found)
    for number, title, steps, goods in rows:
        _add(found, path, number, title, steps, goods)
    if not found.recipes:
        why = found.problems[0].partition(": ")[2] if found.problems else "it is empty"
        raise FileError(f"recipes {path}: holds no recipe that can be read ({why})")
    return found


def _decoded(line: bytes) -> str | None:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _objects(lines: list[bytes]) -> Iterator[tuple[int, Any]]:
    """Yield the JSON value of each line, or the reason why the line is unreadable."""
    for number, raw in enumerate(lines, 1):
        if not raw.strip():
            continue
        text = _decoded(raw)
        if text is None:
            yield number, "not UTF-8; save it in that encoding"
            continue
        try:
            row = json.loads(text)
        except (ValueError, RecursionError):
            row = None
        yield number, row if isinstance(row, dict) else "not a JSON object; give one in a line"


def _array(lines: list[bytes]) -> list[tuple[int, Any]]:
    """Return the members of a file with one JSON array; empty for any other file."""
    text = _decoded(b"\n".join(lines))
    if text is None or not text.lstrip().startswith("["):
        return []
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [
        (place, row if isinstance(row, dict) else "not a JSON object")
        for place, row in enumerate(rows, 1)
    ]


def _rows(objects: Iterable[tuple[int, Any]], path: Path, found: Texts) -> Iterator[Row]:
    for number, row in objects:
        if isinstance(row, str):
            found.problems.append(f"{path}:{number}: {row}")
            continue
        title = next((row[key] for key in _TITLES if isinstance(row.get(key), str)), "")
        steps = next((row[key] for key in _STEPS if row.get(key)), None)
        if isinstance(steps, str):
            steps = steps_of(steps) if "\n" not in steps.strip() else steps.split("\n")
        if not isinstance(steps, list):
            known = ", ".join(_STEPS)
            found.problems.append(f"{path}:{number}: no steps; give a list under one of {known}")
            continue
        texts = [step.get("text", step) if isinstance(step, dict) else step for step in steps]
        goods: list[Any] = next((row[key] for key in _GOODS if isinstance(row.get(key), list)), [])
        yield number, title, texts, [each for each in goods if isinstance(each, str)]


def _blocks(lines: list[bytes], path: Path, found: Texts) -> Iterator[Row]:
    """Yield the recipes of plain text; lines of a block in another encoding are left out."""
    good: list[plain_text.Line] = []
    block: list[plain_text.Line] = []
    broken = False
    for number, raw in enumerate([*lines, b""], 1):
        text = _decoded(raw)
        if text is None:
            if not broken:  # at most one problem line per recipe
                found.problems.append(f"{path}:{number}: not UTF-8; save it in that encoding")
            broken = True
        elif text.strip():
            block.append((number, text))
        else:
            good += [(number, "")] if broken else [*block, (number, "")]
            block, broken = [], False
    yield from plain_text.recipes(good)


def _add(
    found: Texts, path: Path, number: int, title: str, steps: list[Any], goods: list[str]
) -> None:
    title = " ".join(title.split())[:200]
    name = f"{path}:{number}: recipe '{title[:40]}'" if title else f"{path}:{number}"
    kept: list[str] = []
    if not any(isinstance(step, str) and step.strip() for step in steps):
        steps = []
    for place, step in enumerate(steps, 1):
        if not isinstance(step, str):
            found.problems.append(f"{name}: step {place} is not text; left out")
        elif not step.strip():
            found.problems.append(f"{name}: step {place} is empty; left out")
        else:
            kept.append(plain_text.NUMBER.sub("", step, count=1).strip())
    kept = [step for step in kept if step]
    problem = _marked("its title", title) or _problem(kept)
    if problem:
        found.problems.append(f"{name}: {problem}")
        return
    found.recipes.append(RecipeText(title, tuple(kept), number, tuple(goods)))


def _problem(steps: list[str]) -> str:
    """Return the reason why a recipe is unreadable; empty if it is readable."""
    if not steps:
        return "has no steps; skipped"
    if len(steps) > MOST_STEPS:
        return f"has {len(steps)} steps; {MOST_STEPS} at most; skipped"
    for place, step in enumerate(steps, 1):
        if len(step) > LONGEST_STEP:
            return f"step {place} has {len(step)} characters; {LONGEST_STEP} at most; skipped"
        problem = _marked(f"step {place}", step)
        if problem:
            return problem
    return "" if _is_english(steps) else "does not seem to be English; skipped"


def _marked(name: str, text: str) -> str:
    if _HTML.search(text):
        return f"{name} holds HTML; give plain text; skipped"
    if _BROKEN.search(text):
        return f"{name} holds broken characters; save the file in UTF-8; skipped"
    return ""


def _is_english(steps: list[str]) -> bool:
    words = _WORD.findall(" ".join(steps).lower())
    known = sum(word in KINDS or word in VERBS for word in words)
    return bool(words) and known >= _COMMON * len(words)
