"""What an opening says about things that are there: "once the peppers are cool, peel them"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from thence.domains.recipes.lexicon import stem

_USING = re.compile(
    r"(?:^|[.;!] )if (?:you are |you're )?using (?:the )?([a-z' -]{2,30}),", re.IGNORECASE
)
_OPENING = re.compile(
    r"(?:^|[.;!] )(?P<when>(?:about |around |shortly |just )?(?:[a-z0-9]+ minutes )?before|while|"
    r"whilst|when|once|as soon as|to check(?: that| if| whether)?) (?:all )?(?:of )?(?:the |your )?"
    r"(?P<name>[a-z' -]{2,40}?) (?:is|are|has|have|cooks?|bakes?|simmers?|boils?|chills?|rests?|"
    r"cools?|roasts?|stews?|bubbles?|rises?|proves?|melts?|softens?|starts?|begins?|stands?|"
    r"soaks?)\b",
    re.IGNORECASE,
)
_WORKED_ON = ("when", "once", "as", "to")
_TIME_BEFORE = re.compile(
    r"(^|[.;!] )(?:(?:about |around )?(?:half an?|an?|[0-9]+) (?:minutes|hours?)|shortly|just) "
    r"before [^,.;]*, ",
    re.IGNORECASE,
)


def without_times(text: str) -> str:
    """Return a step's text without when it begins, as "20 minutes before the stew is ready, "."""
    return _TIME_BEFORE.sub(r"\1", text)


class OpeningSubject(NamedTuple):
    """A thing that an opening names.

    Attributes:
        head: its noun, in the singular.
        waits: whether it goes on by itself meanwhile; otherwise the step works on it.
    """

    head: str
    waits: bool


def subjects(text: str) -> Iterator[OpeningSubject]:
    """Yield the things that openings of a step's sentences name."""
    for found in _USING.finditer(text):
        yield OpeningSubject(stem(found[1].lower().split()[-1]), waits=False)
    for found in _OPENING.finditer(text):
        words = found["name"].lower().split()
        waits = not found["when"].lower().startswith(_WORKED_ON)
        yield OpeningSubject(stem(words[-1]), waits)
