"""Explanations in the words of the questions instead of the terms of data flow."""

from __future__ import annotations

import re
from typing import NamedTuple

_FACT = r"('[^']*'(?: \(alone or inside something\))?)"


class Verb(NamedTuple):
    """A regular verb without its ending, and its complement.

    Attributes:
        head: such as ``make``.
        tail: such as ``false``, or nothing.
        is_close: whether the tail stands before a noun ("throws away the sage"), unlike in "makes
            it false".
    """

    head: str
    tail: str = ""
    is_close: bool = False

    def of(self, ending: str, thing: str) -> str:
        """Return the verb with an object: a fact, or ``it``."""
        parts = [self.head + ending, thing, self.tail]
        if self.is_close and thing != "it":
            parts = [self.head + ending, self.tail, thing]
        return " ".join(filter(None, parts))


def plain(why: str, kill: Verb, define: Verb, use: str = "use") -> str:
    """Return a sentence of `thence.dataflow` in other words.

    Args:
        why: the sentence.
        kill: the verb for "kill".
        define: the verb for "define"; with "anew" for "redefine".
        use: the words for "use", such as ``work with``.
    """
    head, _, tail = use.partition(" ")
    endings = {"uses": "s", "used": "d" if head.endswith("e") else "ed"}

    def used(found: re.Match[str]) -> str:
        """Return another verb for "use"; what stands in quotation marks stays."""
        if found[0].startswith("'"):
            return found[0]
        return f"{head}{endings.get(found[0], '')} {tail}".rstrip()

    why = re.sub(r"'[^']*'|\buse[sd]?\b", used, why)
    both, fact = r"\1", r"\2"
    for pattern, words in (
        (
            r"\bkill(s?) or redefines? it\b",
            f"{kill.of(both, 'it')} or {define.of(both, 'it')} anew",
        ),
        (
            rf"\bkill(s) and (?:re)?defines {_FACT}",
            f"{kill.of(both, fact)} and {define.of(both, 'it')} again",
        ),
        (rf"\bkill(s?) {_FACT}", kill.of(both, fact)),
        (rf"\bredefine(s?) {_FACT}", f"{define.of(both, fact)} anew"),
        (rf"\bdefine(s?) {_FACT}", define.of(both, fact)),
        (r"\bneither kills what\b", f"neither {kill.of('s', '')} what"),
        (
            r"\bor defines, nor defines what\b",
            f"or {define.of('s', '')}, nor {define.of('s', '')} what",
        ),
        (r"\b(which step \d+) kills\b", rf"\1 {kill.of('s', '')}"),
        (r"\b(which step \d+) defines\b", rf"\1 {define.of('s', '')}"),
        (r"\bkill(s?) it\b", kill.of(both, "it")),
        (r"\bdefine(s?) it\b", define.of(both, "it")),
        (r"\b(what|that) step (\d+) defines\b", rf"\1 step \2 {define.of('s', '')}"),
    ):
        why = re.sub(pattern, words, why)
    return why
