"""The structured form of a recipe: sentences with marks for inputs and results.

One line is one sentence. Without its marks it is the text of the recipe; its marks are the facts.
``- `` opens a step; the lines after it, indented, belong to it::

    == Pancakes | American | breakfast
    - In a bowl, whisk {2 cups flour}, {milk} and {2 eggs} until smooth. -> batter
      ~ Leave it to rest for 20 minutes.
    - Ladle <some of the batter|batter/> into a hot pan and fry both sides. -> pancake !

==================  ============================================================================
``{x}``             an ingredient that comes in here; ``{shown|name}`` where the words differ;
                    ``{half the sugar|sugar/}`` brings in a part and leaves "rest of the sugar"
``<x>``             something made before, which goes into what this sentence makes
``<*x>``, ``<x/>``  the same, but it stays there afterwards: an oven, or a part of a sauce
``<=x>``            the same, unsaid: it shows no words
``~``               at the start: works on what the sentence before made, without naming it
``-> a & b``        what is made; ``a(p, q)`` names the ingredients in it, else all that came in
``- p``             after ``->``: the ingredient p is taken out and thrown away
``!``               at the end: heat makes everything here safe to eat
``^2``              at the end: step 2 must be over before, though no fact says so
==================  ============================================================================

Without ``->``, a sentence that consumes one thing alters it, a sentence that only brings in a
single ingredient prepares that ingredient, and any other sentence makes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

_MARK = re.compile(r"[{<]([=*]*)([^{}<>|]*)(?:\|([^{}<>|]*))?([}>])")
_LEADING = re.compile(
    r"(?:(?:about|the|a|an|some|your|all|of|remaining|another|cold|hot|warm|fresh|large|small|medium|"
    r"heaped|level|generous|good|few|little|more|plenty|half|"
    r"[\d½¼¾⅓⅔/.\u2013-]+(?:g|kg|ml|l|cm)?|to|g|kg|ml|litres?|pounds?|ounces?|cups?|tablespoons?|teaspoons?|"
    r"pinch(?:es)?|handfuls?|cloves?|sprigs?|slices?|sticks?|tins?|cans?|squeeze|splash|dash|knob|"
    r"drizzle|quart|pint)\s+)+"
)
_ARTICLE = re.compile(r"^(?:all |some |each )?(?:of )?(?:the|a|an|both) ")
_FLAG = re.compile(r"\s*(?:!|\^(\d+))\s*$")


class FormError(ValueError):
    """Error about a line that breaks the rules of the form; its text explains the rule."""


@dataclass(frozen=True, slots=True)
class Made:
    """A result of a sentence.

    Attributes:
        name: name of the fact, such as ``batter``.
        holds: the ingredients in it; None for all ingredients of the sentence.
    """

    name: str
    holds: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One sentence of a recipe in the structured form.

    Attributes:
        text: the text without marks.
        brings: ingredients that come in whole.
        splits: ingredients of which a part comes in and the rest stays.
        takes: earlier things that are consumed by this sentence.
        keeps: earlier things that are used and stay.
        makes: results of the sentence; empty for none.
        drops: ingredients that are thrown away.
        again: whether it works on the result of the previous sentence.
        heats: whether heat makes all its food safe to eat.
        after: 1-based steps that must come before, without a fact that says so.
        shown: name -> the words of the sentence for it.
    """

    text: str
    brings: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    makes: tuple[Made, ...] | None = None
    drops: tuple[str, ...] = ()
    again: bool = False
    heats: bool = False
    after: tuple[int, ...] = ()
    shown: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe in the structured form: title, cuisine, course and steps of sentences."""

    title: str
    cuisine: str
    course: str
    steps: tuple[tuple[Move, ...], ...]


def bare(words: str) -> str:
    """Return the name in some words: ``2 cups of warm milk`` gives ``milk``."""
    name = words.strip().lower()
    found = _LEADING.match(name)
    return name[found.end() :] if found else name


@lru_cache(1 << 14)
def move(line: str) -> Move:
    """Parse one sentence of the form; the generator writes many of them repeatedly.

    Raises:
        FormError: the line breaks the form's rules.
    """
    rest, heats, after = _flags(line)
    body, arrow, result = rest.rpartition(" -> ")
    body = (body if arrow else rest).strip()
    again = body.startswith("~")
    if again:
        body = body[1:].lstrip()
    brings: list[str] = []
    splits: list[str] = []
    takes: list[str] = []
    keeps: list[str] = []
    shown: list[tuple[str, str]] = []

    def read(mark: re.Match[str]) -> str:
        flags, words, name, closing = mark.groups()
        given = name is not None
        name = (words if name is None else name).strip().lower()
        part = name.endswith("/")
        name = name.removesuffix("/")
        if not given:
            name = bare(name) if closing == "}" else _ARTICLE.sub("", name)
        words = words.removesuffix("/")
        if closing == "}":
            (splits if part else brings).append(name)
        else:
            (keeps if part or "*" in flags else takes).append(name)
        if "=" in flags:
            return ""
        shown.append((name, words))
        return words

    text = _MARK.sub(read, body)
    if "{" in text or "<" in text or "}" in text or ">" in text:
        raise FormError(f"a mark that is not closed in: {line.strip()}")
    makes, drops = _made(result) if arrow else (None, ())
    return Move(
        text=" ".join(text.split()).replace(" .", "."),
        brings=tuple(brings),
        splits=tuple(splits),
        takes=tuple(takes),
        keeps=tuple(keeps),
        makes=makes,
        drops=drops,
        again=again,
        heats=heats,
        after=tuple(after),
        shown=tuple(shown),
    )


def _flags(line: str) -> tuple[str, bool, list[int]]:
    """Split the marks off the end of a line; return the line and the values of the marks."""
    rest, heats, after = line.rstrip(), False, []
    while rest and ((rest[-1] == "!" and rest[-2:-1] in " \t") or rest[-1].isdigit()):
        flag = _FLAG.search(rest, max(0, len(rest) - 12))
        if flag is None:
            break
        heats, rest = heats or flag[1] is None, rest[: flag.start()]
        if flag[1]:
            after.append(int(flag[1]))
    return rest, heats, after


def _made(text: str) -> tuple[tuple[Made, ...], tuple[str, ...]]:
    kept, *dropped = text.split(" - ")
    drops = tuple(name.strip().lower() for part in dropped for name in part.split(","))
    made = []
    for part in kept.split("&"):
        name, _, holds = part.strip().partition("(")
        if name:
            inside = (
                tuple(
                    each.strip().lower() for each in holds.rstrip(") ").split(",") if each.strip()
                )
                if "(" in part
                else None
            )
            made.append(Made(name.strip().lower(), inside))
    return tuple(made), drops


def recipe(title: str, cuisine: str, course: str, steps: Iterable[Sequence[str]]) -> Recipe:
    """Return a recipe from lines that are already grouped into steps."""
    return Recipe(
        title, cuisine, course, tuple(tuple(move(line) for line in step) for step in steps)
    )


def read(text: str) -> list[Recipe]:
    """Parse every recipe of a file in this form.

    Raises:
        FormError: a line breaks the form's rules.
    """
    heads: list[tuple[str, str, str]] = []
    bodies: list[list[list[str]]] = []
    for line in text.splitlines():
        if line.startswith("== "):
            head = [part.strip() for part in line[3:].split("|")]
            if len(head) != 3:
                raise FormError(f"a heading needs title | cuisine | course: {line}")
            heads.append((head[0], head[1], head[2]))
            bodies.append([])
        elif line.startswith("- ") and bodies:
            bodies[-1].append([line[2:]])
        elif line.strip() and not line.startswith("#"):
            if not bodies or not bodies[-1]:
                raise FormError(f"a line that stands in no step: {line}")
            bodies[-1][-1].append(line)
    return [recipe(*head, body) for head, body in zip(heads, bodies, strict=True)]
