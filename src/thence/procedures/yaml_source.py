"""YAML text as plain values that know their place in the file.

Scalars stay the text that they are, so that a fact may be called ``on`` or ``1``. Tags, anchors,
aliases, deep nesting and further documents are refused before any node is built.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from thence.errors import FileError

if TYPE_CHECKING:
    import yaml

MAX_DEPTH = 8  # levels of lists and mappings; a procedure needs five
MAX_BYTES = 16 * 2**20
_HALF = 150  # characters of a long message that are kept at either end
_NULLS = frozenset(("null", "Null", "NULL", "~"))
_SURROGATES = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
"""Two escapes of JSON for one character, which YAML knows as one only."""


class Mark(NamedTuple):
    """A place in a file, counted from 1, and the number of characters that it spans."""

    line: int
    column: int
    width: int = 1


class SourceError(FileError):
    """A file that is not a procedure, with the place of its first fault.

    Attributes:
        path: the file.
        mark: the place.
    """

    def __init__(self, path: Path | str, mark: Mark, message: str) -> None:
        if len(message) > 2 * _HALF:  # it quotes a very long value
            message = f"{message[:_HALF]} ... {message[-_HALF:]}"
        super().__init__(f"{path}:{mark.line}:{mark.column}: {message}")
        self.path = path
        self.mark = mark


class YamlText(str):
    """A scalar, verbatim, with its place; an empty one stands for a value left out."""

    __slots__ = ("mark",)

    def __new__(cls, value: str, mark: Mark) -> Self:
        """Return a text with its place."""
        text = super().__new__(cls, value)
        text.mark = mark
        return text

    def __reduce__(self) -> tuple[type[Self], tuple[str, Mark]]:
        """Return how a pickle makes it again."""
        return type(self), (str(self), self.mark)

    mark: Mark


class Items(list["Value"]):
    """A list with its place."""

    def __init__(self, values: list[Value], mark: Mark) -> None:
        super().__init__(values)
        self.mark = mark


class YamlMapping(dict[str, "Value"]):
    """A mapping with its place, and those of its keys."""

    def __init__(self, values: dict[str, Value], mark: Mark, keys: dict[str, Mark]) -> None:
        super().__init__(values)
        self.mark = mark
        self.key_marks = keys


type Value = YamlText | Items | YamlMapping


def read_text(path: Path) -> str:
    """Return the text of a file; ``-`` is standard input.

    Raises:
        FileError: it is missing, not a file, too large, or not UTF-8.
    """
    is_file = str(path) != "-"
    try:  # bounded, because a device has no end
        with open(path if is_file else 0, "rb", closefd=is_file) as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # a null character is no part of a name
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise FileError(f"{path}: {why}; name a YAML file of a procedure") from None
    if len(data) > MAX_BYTES:
        raise FileError(f"{path}: too large; a procedure has at most {MAX_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].split(b"\n")
        mark = Mark(len(before), len(before[-1]) + 1)
        raise SourceError(path, mark, "this byte is not UTF-8; save the file as UTF-8") from None


def parse_yaml(text: str, path: Path | str) -> Value:
    """Return the one document of a YAML text.

    Raises:
        SourceError: it is not YAML, or has a part of YAML that a procedure does not need: a tag,
            an anchor, a second document, a key that is no text or stands twice.
    """
    import yaml

    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    text = _SURROGATES.sub(lambda pair: json.loads(f'"{pair[0]}"'), text)
    try:
        _check_events(text, path, loader)
        root = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        place = error.problem_mark or error.context_mark
        mark = Mark(place.line + 1, place.column + 1) if place else Mark(1, 1)
        problem = error.problem or error.context
        at = "".join(text.split("\n")[mark.line - 1 : mark.line])  # the end is beyond all lines
        if at[mark.column - 1 :].startswith("\t"):
            problem = "a tab where the line is indented; use spaces"
        raise SourceError(path, mark, f"not YAML: {problem}") from None
    except yaml.reader.ReaderError as error:
        offset = error.position
        if loader is not yaml.BaseLoader:  # libyaml counts bytes
            offset = len(text.encode()[:offset].decode(errors="ignore"))
        before = text[:offset].split("\n")
        mark = Mark(len(before), len(before[-1]) + 1)
        raise SourceError(path, mark, "a character that YAML forbids; take it out") from None
    if root is None:
        raise SourceError(path, Mark(1, 1), "the file is empty; write a goal and steps")
    return _value(root, path)


def _check_events(text: str, path: Path | str, loader: Any) -> None:
    """Refuse anchors, tags, deep nesting and further documents, in one flat pass."""
    import yaml

    documents = depth = 0
    events: Iterator[Any] = yaml.parse(text, Loader=loader)
    for event in events:
        problem = ""
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                problem = "a second document; one file holds one procedure"
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.NodeEvent):
            tag: str | None = getattr(event, "tag", None)  # an alias has none
            if isinstance(event, yaml.AliasEvent) or event.anchor:
                problem = "anchors (&) and aliases (*) are not used here; write it out"
            elif tag is not None:
                problem = f"tag '{tag}' is not used here; take it out"
            elif depth >= MAX_DEPTH:
                problem = f"nested more than {MAX_DEPTH} levels deep; a procedure is not"
            depth += isinstance(event, yaml.CollectionStartEvent)
        if problem:
            raise SourceError(path, _mark(event), problem)


def _mark(node: Any, *, is_scalar: bool = False) -> Mark:
    """Return the place of a node or event, and the width of a scalar."""
    begin, end = node.start_mark, node.end_mark
    width = end.column - begin.column if is_scalar and end.line == begin.line else 1
    return Mark(begin.line + 1, begin.column + 1, max(width, 1))


def _value(node: yaml.Node, path: Path | str) -> Value:
    """Return the value of a node, whose depth `_check_events` has bounded."""
    import yaml

    if isinstance(node, yaml.SequenceNode):
        return Items([_value(each, path) for each in node.value], _mark(node))
    if not isinstance(node, yaml.MappingNode):
        return YamlText(node.value, _mark(node, is_scalar=True))
    values: dict[str, Value] = {}
    keys: dict[str, Mark] = {}
    for key_node, value_node in node.value:
        key = _value(key_node, path)
        if not isinstance(key, YamlText):
            raise SourceError(path, key.mark, f"{kind(key)} as a key; a key is text")
        if key in keys:
            line = keys[key].line
            raise SourceError(path, key.mark, f"key '{key}' stands on line {line} already")
        keys[str(key)] = key.mark
        if not _is_null(value_node):  # as if it were left out
            values[str(key)] = _value(value_node, path)
    return YamlMapping(values, _mark(node), keys)


def _is_null(node: Any) -> bool:
    """Return whether a node is an unquoted ``null`` or ``~``, which says nothing."""
    return getattr(node, "style", "'") in (None, "") and node.value in _NULLS


def kind(value: object) -> str:
    """Return the kind of a value in the words of a message."""
    if isinstance(value, str):
        return "text" if value else "nothing"
    return "a list" if isinstance(value, list) else "a mapping"
