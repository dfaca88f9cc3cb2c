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
    r"(?:^|[.;!] )(?P<when>while|whilst|when|once|as soon as|to check(?: that| if| whether)?) "
    r"(?:all )?(?:of )?(?:the |your )?(?P<name>[a-z' -]{2,40}?) "
    r"(?:is|are|has|have|cooks?|bakes?|simmers?|boils?|chills?|rests?|cools?|roasts?|stews?|"
    r"bubbles?|rises?|proves?|melts?|softens?|starts?|begins?|stands?|soaks?)\b",
    re.IGNORECASE,
)


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
        yield OpeningSubject(stem(words[-1]), found["when"].lower().startswith("whil"))
