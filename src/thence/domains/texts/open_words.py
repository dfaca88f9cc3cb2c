"""Words of a step that the rules for recipes do not read, and what they leave open."""

from __future__ import annotations

import re
from collections.abc import Iterator

_OPEN = {
    "when": (
        r"(?:if|as) (?:desired|liked|wished|preferred|needed|necessary|required|you (?:like|wish|"
        r"want|prefer|have|are using))|if using|optionally|optional|alternatively|either\b.*?\bor|"
        r"or,? (?:instead|if)"
    ),
    "uses": r"(?:do not|don't|never) (?:add|put|pour|use|include|mix in|stir in|throw in)",
    "after": r"^(?:before|after|while|as soon as) (?!serving)\w+ing\b[^,.;]*(?=,)",
    "seconds": (
        r"(?:per|for (?:each|every)|every) (?:\d+ ?)?\w+|(?:on |for )?(?:each|both|either) sides?|"
        r"(?:a|per) side|at (?:least|most)|up to|or (?:overnight|longer|more|so)|overnight|"
        r"another \d+(?![\d.½¼¾]*(?: ?(?:to|or|-|\u2013) ?\d+)?[ -]?(?:s|m|h|d)[a-z]*\b)|"
        r"(?:cool|chill|set|dry|freeze)(?:ing)? completely|if not|will keep|keeps (?:well )?for|"
        r"(?:minutes?|mins?|hours?|days?|weeks?) (?:shy of|before|ahead|earlier)|"
        r"(?:after|for the (?:first|last|final)|within|in the (?:first|last)) (?:about )?[\d½¼¾]+|"
        r"(?:store|keep|refrigerate|freeze)[sd]?\b[^.;]* for (?:up to )?[\d½¼¾]+ "
        r"(?:days?|weeks?|months?)"
    ),
}
"""An entry of a step -> the words after which it is not surely as the rules read it."""
_WORDS = {
    role: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for role, words in _OPEN.items()
}
_STRAINED = re.compile(
    r"\b(?:strain|skim|reduce|cool|chill|return|save|reserve|thicken)\w*(?: off)? the "
    r"(\w*(?:stock|broth|liquid|sauce|gravy|syrup|custard|juices?))\b",
    re.IGNORECASE,
)


def open_words(text: str, *, timed: bool) -> Iterator[str]:
    """Yield the entries of a step that are unsure, each with the words that leave it open.

    Args:
        text: of the step.
        timed: whether a time was read in it.
    """
    for role, words in _WORDS.items():
        found = words.search(text)
        if found and (timed or role != "seconds"):
            yield f"{role} ('{found[0]}')"


def strained(text: str) -> str:
    """Return what a step works on as if steps before it had left it, such as ``stock``; or ""."""
    found = _STRAINED.search(text)
    return found[1].lower() if found else ""
