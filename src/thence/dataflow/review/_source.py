"""YAML as plain nodes that know where they stand, without anything that YAML could run or repeat.

Built from the parser's events: no object is constructed, no alias is followed, nesting is bounded,
and the work is linear in the text. Scalars stay the text that they are, so that a fact may be
called ``on`` or ``1``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from thence.errors import FileError

DEEPEST = 8  # levels of lists and mappings; a procedure needs five
LARGEST = 16 * 2**20  # bytes
_HALF = 150  # characters of a long message that are kept at either end


class Mark(NamedTuple):
    """A place in a file, counted from 1, and how many characters it spans there."""

    line: int
    column: int
    width: int = 1


class SourceError(FileError):
    """A file that is not what it must be, at a place.

    Attributes:
        path: the file.
        mark: where.
    """

    def __init__(self, path: Path | str, mark: Mark, message: str) -> None:
        if len(message) > 2 * _HALF:  # it quotes something endless
            message = f"{message[:_HALF]} ... {message[-_HALF:]}"
        super().__init__(f"{path}:{mark.line}:{mark.column}: {message}")
        self.path = path
        self.mark = mark


@dataclass
class Node:
    """A scalar, list or mapping.

    Attributes:
        mark: where it begins.
        value: a scalar's text, a list's nodes, or a mapping's nodes by key.
        keys: where each key of a mapping stands.
        quoted: whether a scalar stands in quotes, or as a block.
    """

    mark: Mark
    value: str | list[Node] | dict[str, Node]
    keys: dict[str, Mark] = field(default_factory=dict)
    quoted: bool = False

    @property
    def kind(self) -> str:
        """As a message names it."""
        if isinstance(self.value, str):
            return "text" if self.value or self.quoted else "nothing"
        return "a list" if isinstance(self.value, list) else "a mapping"


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        FileError: it is missing, not a file, too large, or not UTF-8.
    """
    try:
        with path.open("rb") as file:  # no further than that: a device has no end
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}; name a YAML file of a procedure") from None
    if len(data) > LARGEST:
        raise FileError(f"{path}: too large; a procedure has at most {LARGEST:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].split(b"\n")
        mark = Mark(len(before), len(before[-1]) + 1)
        raise SourceError(path, mark, "this byte is not UTF-8; save the file as UTF-8") from None


def parse(text: str, path: Path | str) -> Node:
    """The one document of a YAML text.

    Raises:
        SourceError: it is not YAML, or has what is not used here: tags, anchors, a second
            document, a key that is no text or stands twice.
    """
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Builder(path).build(yaml.parse(text, Loader=loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = Mark(mark.line + 1, mark.column + 1) if mark else Mark(1, 1)
        problem = error.problem or error.context
        if text.split("\n")[where.line - 1][where.column - 1 :].startswith("\t"):
            problem = "a tab where the line is indented; use spaces"
        raise SourceError(path, where, f"not YAML: {problem}") from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position].split("\n")
        where = Mark(len(before), len(before[-1]) + 1)
        raise SourceError(path, where, "a character that YAML forbids; take it out") from None


class _Builder:
    """Puts events together, without recursion."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
        self.open: list[Node] = []
        self.key: list[tuple[str, Mark] | None] = []  # of each open mapping, the key that waits
        self.root: Node | None = None

    def build(self, events: Iterator[Any]) -> Node:
        import yaml

        documents = 0
        for event in events:
            mark = Mark(event.start_mark.line + 1, event.start_mark.column + 1)
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self._error(mark, "a second document; one file holds one procedure")
            elif isinstance(event, yaml.NodeEvent):
                self._check(event, mark)
                self._begin(event, mark)
            elif isinstance(event, yaml.CollectionEndEvent):
                self.key.pop()
                self._place(self.open.pop())
        if self.root is None:
            raise self._error(Mark(1, 1), "the file is empty; write a goal and steps")
        return self.root

    def _check(self, event: Any, mark: Mark) -> None:
        import yaml

        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise self._error(mark, "anchors (&) and aliases (*) are not used here; write it out")
        if event.tag is not None:
            raise self._error(mark, f"tag '{event.tag}' is not used here; take it out")
        if len(self.open) >= DEEPEST:
            raise self._error(mark, f"nested more than {DEEPEST} levels deep; a procedure is not")

    def _begin(self, event: Any, mark: Mark) -> None:
        import yaml

        begin, end = event.start_mark, event.end_mark
        if isinstance(event, yaml.ScalarEvent):
            width = end.column - begin.column if end.line == begin.line else 1
            quoted = event.style is not None
            where = Mark(mark.line, mark.column, max(width, 1))
            self._place(Node(where, event.value, quoted=quoted))
            return
        self.open.append(Node(mark, [] if isinstance(event, yaml.SequenceStartEvent) else {}))
        self.key.append(None)

    def _place(self, node: Node) -> None:
        """Puts a finished node where it belongs."""
        if not self.open:
            self.root = node
            return
        holder = self.open[-1].value
        if isinstance(holder, list):
            holder.append(node)
        elif isinstance(holder, dict):
            self._enter(self.open[-1], holder, node)

    def _enter(self, mapping: Node, holder: dict[str, Node], node: Node) -> None:
        waiting = self.key[-1]
        if waiting is not None:
            name, mapping.keys[waiting[0]] = waiting
            holder[name] = node
            self.key[-1] = None
            return
        if not isinstance(node.value, str):
            raise self._error(node.mark, f"{node.kind} as a key; a key is text")
        if node.value in holder:
            line = mapping.keys[node.value].line
            raise self._error(node.mark, f"key '{node.value}' stands on line {line} already")
        self.key[-1] = node.value, node.mark

    def _error(self, mark: Mark, message: str) -> SourceError:
        return SourceError(self.path, mark, message)
