"""Recipes of the corpus with their titles and step graphs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from unicodedata import normalize

from thence.core.graph import Graph
from thence.domains.flow_graphs.parsing import decoded, edges, joined, sentences
from thence.errors import FileError
from thence.system.disk import disk

_TITLE_END = "_recipe__All_recipes_UK"
_MOST_FAULTS = 20  # reported for one file; a file of another kind has thousands


@dataclass(frozen=True)
class FlowRecipe:
    """One recipe of the corpus.

    Attributes:
        name: its folder and file without the ending, such as ``r-200/recipe-00000-05793``.
        title: from the title map, else from the file name; empty where neither has one.
        listed: whether the title map contains the recipe.
        steps: the texts of its sentences, in the order of the file.
        graph: an edge from step i to step j (0-based) for any flow edge between words of the two;
            it may have cycles.
    """

    name: str
    title: str
    listed: bool
    steps: tuple[str, ...]
    graph: Graph

    @cached_property
    def cyclic(self) -> bool:
        """Whether a step leads back to itself."""
        return self.graph.topological_order() is None


@dataclass(frozen=True)
class Corpus:
    """All readable recipes of a corpus.

    Attributes:
        folder: the folder that was read.
        recipes: sorted by file name.
        skipped: one line for each omitted item.
        untitled: the recipes without a known title.
    """

    folder: Path
    recipes: Sequence[FlowRecipe]
    skipped: Sequence[str] = ()
    untitled: Sequence[str] = field(default_factory=tuple)

    @cached_property
    def by_title(self) -> Mapping[str, FlowRecipe]:
        """Recipes by title; a recipe in the title map takes precedence."""
        ordered = sorted(self.recipes, key=lambda recipe: recipe.listed)
        return {recipe.title: recipe for recipe in ordered if recipe.title}

    @property
    def listed(self) -> list[FlowRecipe]:
        """Recipes in the title map: CaT-Bench's test recipes, with its map."""
        return [recipe for recipe in self.recipes if recipe.listed]


def read_corpus(folder: Path, titles: Path | None = None) -> Corpus:
    """Read every ``.list`` file below a folder, with the ``.flow`` file beside it.

    Args:
        folder: holds ``r-100`` and ``r-200``.
        titles: a JSON object from titles to paths of ``.list`` files, relative to it. Where a file
            lies elsewhere, the folder and name at the end of its path identify it.

    Raises:
        FileError: no such folder, no recipe in it, or no such map.
    """
    if not folder.is_dir():
        raise FileError(f"{folder}: no such folder; give the one that holds r-100 and r-200")
    with disk(folder):
        files = sorted(folder.rglob("*.list"), key=lambda path: _key(path, folder))
    if not files:
        raise FileError(f"{folder}: holds no .list files; give the one with r-100 and r-200")
    skipped: list[str] = []
    given = _titles(titles, folder, files, skipped) if titles is not None else {}
    recipes, untitled = [], []
    for file in files:
        recipe = _recipe(file, folder, given, skipped)
        if recipe is not None:
            recipes.append(recipe)
            if not recipe.title:
                untitled.append(recipe.name)
    with disk(folder):
        lonely = [path for path in folder.rglob("*.flow") if not path.with_suffix(".list").exists()]
    skipped += [f"{path}: no .list beside it" for path in sorted(lonely)]
    if not recipes:
        raise FileError(f"{folder}: no recipe could be read: {skipped[0] if skipped else 'empty'}")
    return Corpus(folder, recipes, skipped, untitled)


def _key(path: Path, folder: Path) -> str:
    """Return the name of a recipe, independent of the file system's encoding of accents."""
    return normalize("NFC", path.relative_to(folder).with_suffix("").as_posix())


def _recipe(
    file: Path, folder: Path, given: Mapping[Path, str], skipped: list[str]
) -> FlowRecipe | None:
    flow = file.with_suffix(".flow")
    if not flow.is_file():
        skipped.append(f"{file}: no .flow beside it, so its order is not known; left out")
        return None
    with disk(file):
        text, whole = decoded(file.read_bytes())
    if not whole:
        skipped.append(f"{file}: not all of it is UTF-8; such bytes are read as U+FFFD")
    words, nodes = sentences(text, _fault_reporter(file, skipped))
    if not words:
        skipped.append(f"{file}: holds no sentence; left out")
        return None
    with disk(flow):  # its comments are of another encoding, and not read
        linked = edges(decoded(flow.read_bytes())[0], nodes, _fault_reporter(flow, skipped))
    place = {sentence: step for step, sentence in enumerate(words)}
    pairs = ((place[a[:2]], place[b[:2]]) for a, b in linked)
    listed = given.get(file)
    return FlowRecipe(
        name=_key(file, folder),
        title=listed or _own_title(file),
        listed=listed is not None,
        steps=tuple(joined(each) for each in words.values()),
        graph=Graph(len(words), [(i, j) for i, j in pairs if i != j]),
    )


def _fault_reporter(file: Path, skipped: list[str]) -> Callable[[int, str], None]:
    """Return a function that records the problem of a line; many lines of a file are summarised."""
    count = 0

    def report(line: int, fault: str) -> None:
        nonlocal count
        count += 1
        if count <= _MOST_FAULTS:
            skipped.append(f"{file}:{line}: {fault}" if line else f"{file}: {fault}")
        elif count == _MOST_FAULTS + 1:
            skipped.append(f"{file}: more lines like these; is it a file of the corpus?")

    return report


def _own_title(file: Path) -> str:
    """Return the title in a file name, in lower case; empty if there is none."""
    name, end, rest = normalize("NFC", file.stem).rpartition(_TITLE_END)
    return name.replace("_", " ").lower() if end and not rest else ""


def _titles(path: Path, folder: Path, files: Sequence[Path], skipped: list[str]) -> dict[Path, str]:
    """Return the title of each file in a title map."""
    by_place = {file.resolve(): file for file in files}
    by_name = {_tail(file): file for file in files}
    found: dict[Path, str] = {}
    for title, relative in _mapping(path).items():
        if not isinstance(relative, str):
            skipped.append(f"{path}: title '{title}': must name a .list file; left out")
            continue
        target = path.parent / relative
        file = by_place.get(target.resolve()) or by_name.get(_tail(target))
        if file is None:
            skipped.append(f"{path}: title '{title}': {relative} is not in {folder}; left out")
        elif file in found:
            skipped.append(
                f"{path}: title '{title}': {relative} is titled '{found[file]}' already; left out"
            )
        else:
            found[file] = normalize("NFC", title)
    return found


def _tail(path: Path) -> tuple[str, str]:
    """Return the last folder and the file name, which identify a recipe of the corpus."""
    return normalize("NFC", path.parent.name), normalize("NFC", path.name)


def _mapping(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise FileError(f"{path}: no such file; give the JSON map of titles to .list files")
    with disk(path):
        data = path.read_bytes()
    try:
        held = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path}: not JSON in UTF-8: {error}") from error
    if not isinstance(held, dict):
        raise FileError(f"{path}: must be a JSON object from titles to .list files")
    return held
