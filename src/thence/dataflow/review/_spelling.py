"""Which known name somebody may have meant by a name that is not known.

Compares no two names: each is filed under what is left of it when one letter is taken out, and
under its longer words, so that many names cost no more than they are long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

_SHORTEST, _LONGEST = 5, 60  # letters of a name of which each is taken out once
_WORD = 3  # letters that make a word worth filing under


class Spelling:
    """Known names, ready to be looked for.

    Args:
        names: the known ones; of several that are as near, the first is found.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names

    @cached_property
    def _filed(self) -> dict[str, list[str]]:
        """By key the first name, and another in case that is the very one that is looked for."""
        held: dict[str, list[str]] = {}
        for name in dict.fromkeys(self._names):
            for key in _keys(name):
                found = held.setdefault(key, [])
                if len(found) < 2:
                    found.append(name)
        return held

    def near(self, name: str) -> str | None:
        """Another name that differs by a letter, by case or by the order or ends of its words."""
        for key in _keys(name):
            for found in self._filed.get(key, ()):
                if found != name:
                    return found
        return None

    def hint(self, name: str) -> str:
        """The beginning of a suggestion, or nothing."""
        near = self.near(name)
        return f"did you mean '{near}'? Otherwise " if near else ""


def _keys(name: str) -> Iterator[str]:
    folded = "".join(letter for letter in name.casefold() if letter.isalnum())
    if folded:
        yield folded
    if _SHORTEST <= len(folded) <= _LONGEST and not folded[-1].isdigit():  # 41 is not meant for 42
        yield from (folded[:k] + folded[k + 1 :] for k in range(len(folded)))
    words = [word.rstrip("s") for word in name.casefold().replace("-", " ").split()]
    chosen = sorted(word for word in words if len(word) >= _WORD or word.isdigit())
    if chosen:
        yield " ".join(["words:", *chosen])
