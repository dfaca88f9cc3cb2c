"""Reader of PDDL's nested brackets, which keeps the line of each for messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

_DEEPEST = 200  # nesting; real PDDL stays below twenty
_LARGEST = 2_000_000  # characters


class PddlError(ValueError):
    """Error in a PDDL text: one clause, which names the line where it can."""


@dataclass(slots=True)
class Group:
    """Bracket of a PDDL text and its content.

    Attributes:
        line: 1-based line of the opening bracket.
        items: words, in lower case, and groups.
    """

    line: int
    items: list[str | Group] = field(default_factory=list)

    @property
    def head(self) -> str:
        """Return the first word, or an empty text."""
        return self.items[0] if self.items and isinstance(self.items[0], str) else ""

    def words(self, what: str) -> list[str]:
        """Return the items after the first; a bracket among them is an error."""
        found = [item for item in self.items[1:] if isinstance(item, str)]
        if len(found) != len(self.items) - 1:
            raise PddlError(f"line {self.line}: {what} must not hold brackets")
        return found

    def groups(self, what: str) -> list[Group]:
        """Return the brackets after the first item; a word among them is an error."""
        for item in self.items[1:]:
            if isinstance(item, str):
                raise PddlError(f"line {self.line}: {what} must hold brackets, not '{item}'")
        return [item for item in self.items[1:] if isinstance(item, Group)]


def read(text: str) -> Group:
    """Return the outermost bracket of a PDDL text.

    Raises:
        PddlError: brackets that do not match, text outside them, or no text that PDDL could be.
    """
    if len(text) > _LARGEST:
        raise PddlError(f"has more than {_LARGEST:,} characters")
    root: Group | None = None
    open_groups: list[Group] = []
    for line, token in _tokens(text):
        if token == ")":
            if not open_groups:
                raise PddlError(f"line {line}: ')' closes nothing")
            open_groups.pop()
            continue
        if root is not None and not open_groups:
            raise PddlError(f"line {line}: '{token[:30]}' stands after the end of the definition")
        if token == "(":
            group = Group(line)
            if open_groups:
                open_groups[-1].items.append(group)
            root = root or group
            open_groups.append(group)
            if len(open_groups) > _DEEPEST:
                raise PddlError(f"line {line}: more than {_DEEPEST} brackets are open")
        elif not open_groups:
            raise PddlError(f"line {line}: '{token[:30]}' stands outside brackets")
        else:
            open_groups[-1].items.append(token)
    if root is None:
        raise PddlError("holds no definition")
    if open_groups:
        raise PddlError(f"line {open_groups[-1].line}: '(' is never closed")
    return root


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        code = line.partition(";")[0]
        if not code.isascii():
            odd = next(letter for letter in code if not letter.isascii())
            raise PddlError(f"line {number}: {odd!r} is not ASCII, which PDDL's names must be")
        if "\0" in code:
            raise PddlError(f"line {number}: holds a NUL character")
        for token in code.lower().replace("(", " ( ").replace(")", " ) ").split():
            yield number, token
