"""Recipes of a plain text file: titles, sections and steps, recognised line by line.

The title comes first, each further line is a step, and blank lines separate recipes. As on web
pages, a blank line may also follow the title or any step, steps may be numbered, text under
"Notes" is left out, and ingredients are listed before the steps, under a heading or without one.
Every line is examined a fixed number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from thence.domains.recipes.goods import listing, on_commas, on_list, single
from thence.domains.recipes.lexicon import KINDS, VERBS, Kind

NUMBER = re.compile(
    r"^\s{0,8}(?:step\s{0,2}\d{1,5}\s{0,2}(?:[.):\u2013-]|$)|\(?\d{1,5}\s{0,2}[.):](?!\d)|[-*•·▪\u2013]{1,2})\s{0,4}",
    re.IGNORECASE,
)
_STEPS = (
    r"directions?|instructions?|methods?|steps?|preparation|procedure|how to (?:make|cook|prepare)"
    r" (?:it|them)|what to do|let's cook"
)
_GOODS = r"(?:the )?ingredients?|(?:what )?you(?:'ll| will)? need|shopping list"
_OTHER = (
    r"(?:recipe |cook's )?notes?|(?:top |cook's )?tips?|nutrition(?:al)?(?: information| facts)?|"
    r"storage|equipment|tools|variations?|comments?|reviews?|related recipes|you (?:may|might) "
    r"also like|contributions?|credits?|authors?|sources?|more recipes|"
    r"newsletter|leave a (?:comment|reply)|did you make this(?: recipe)?\??"
)
_HEADING = re.compile(
    rf"^(?:(?P<goods>{_GOODS})|(?P<steps>(?:the )?(?:{_STEPS}))|(?P<other>{_OTHER}))"
    r"(?:\s\([^()]{0,40}\))?\s{0,2}(?::\s{0,4}(?P<rest>.*))?$",
    re.IGNORECASE,
)
_PASSED_OVER = re.compile(
    r"^(?:advertisements?|sponsored|jump to recipe|print(?: recipe)?|pin(?: it| recipe)?|share|save"
    r"(?: recipe)?|rate(?: this)?(?: recipe)?|continue reading.*|by [^.]{3,40}|"
    r"(?:updated|published|posted) .{3,40}|photo(?:graph)? (?:by|credit).*)$",
    re.IGNORECASE,
)
_NO_TEXT = re.compile(r"^\s*(?:!\[[^\]]*\]\([^)]*\)|[-*_=]{3,}|<!--.*-->)\s*$")
_PART = re.compile(r"^(?:for|to) (?!\d)[^.!?,;]{3,40}$", re.IGNORECASE)
_BARE_NUMBER = re.compile(r"^(\d{1,3})\s{1,4}(?=[A-Z])")
_MANY = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_ABOUT = re.compile(
    rf"^(?:(?:serves|makes|yields?|servings?)\s{{0,2}}:?\s{{0,2}}(?:about\s)?(?:\d|{_MANY}\b)|"
    r"servings?\s{0,2}:|"
    r"(?:prep(?:aration)?|cook(?:ing)?|total|hands-on|active|inactive|baking|resting)\s{1,2}time\b|"
    r"(?:prep|cook|total|difficulty|course|cuisine)\s{0,2}:)[^.]{0,60}\.?$|"
    r"^(?:(?:feeds|enough for|for)\s(?:about\s)?"
    rf"{_MANY}(?:\s?(?:-|\u2013|to|or)\s?\w{{1,6}})?"
    r"(?:\s(?:hungry\s)?(?:people|persons|servings|portions|guests))?|\d{1,3}(?:\s?(?:-|\u2013|to)\s?\d{1,3})?\s(?:servings|portions))[.:]?$",
    re.IGNORECASE,
)
_INDENTED = re.compile(r"(?: {2,}|\t)")
_GOODBYE = re.compile(
    r"^(?:\\\*|[†‡]|(?:and |now )?(?:enjoy|bon app[eé]tit|happy|that's it|voil))", re.IGNORECASE
)
_CIRCLED = {0x2460 + k: f"{k + 1}. " for k in range(20)}
_MARKS = re.compile(r"^[^\w(]+")  # a bullet, or a picture of a clock
_LINK = re.compile(r"!?\[(?P<words>[^\]\n]*)\]\([^)\s]*\)")  # of Markdown
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_TELLING = frozenset((Kind.DETERMINER, Kind.PRONOUN, Kind.TIME, Kind.UNTIL))
_LONGEST_TITLE = 100  # characters
_LONGEST_HEADING = 4  # words
_LEAST_SENTENCES = 3

type Line = tuple[int, str]


class FoundSteps(NamedTuple):
    """A recipe as lines: its first line number, its title, the texts of its steps, and its list."""

    line: int
    title: str
    steps: list[str]
    goods: list[str]


@dataclass(slots=True)
class _Recipe:
    """A recipe during parsing.

    Attributes:
        line: its first line number.
        title: as written.
        steps: so far.
        goods: the lines of its list of ingredients.
        section: ``steps``, ``goods`` or ``other``.
        told: whether ``steps`` come from under a heading or have a number.
        headed: whether a heading said what its steps or ingredients are.
        label: the purpose of the next step.
    """

    line: int
    title: str
    steps: list[str] = field(default_factory=list)
    goods: list[str] = field(default_factory=list)
    section: str = "steps"
    told: bool = False
    headed: bool = False
    label: str = ""

    def take(self, text: str) -> None:
        """Add a line after the title."""
        heading = _HEADING.match(_plain(text))
        if heading is not None:
            self.section = next(x for x in ("goods", "steps", "other") if heading[x])
            text = heading["rest"] or ""
            self.headed = self.headed or self.section != "other"
            if self.section == "goods" and not self.told:
                self.steps.clear()  # text before the ingredients is an introduction
            self.told = self.told or self.section == "steps"
        if self.section == "goods" and _acts(text):
            self.section = "steps"  # no heading ends the ingredients here
        if _ABOUT.match(_MARKS.sub("", text)) or _PASSED_OVER.match(text):
            return
        if self.section == "goods" and text:
            goods = _plain(text)
            self.goods.append(f"{goods}:" if _PART.match(goods) else goods)
        if self.section != "steps" or not text:
            return
        self.told = self.told or _count(text) > 0
        if text.endswith(":") and len(text) < _LONGEST_TITLE:
            self.label = _purpose(_plain(text))  # it belongs to the step after it
            return
        if _PART.match(_plain(text)):
            self.label = f"{_plain(text)}:"
            return
        if _shouts(text, self):
            self.label = _purpose(_plain(text))
            return
        bare = NUMBER.sub("", text, count=1).strip()
        if not bare:
            return  # a bullet on a line of its own
        self.steps.append(f"{self.label} {bare}" if self.label else text)
        self.label = ""

    def found(self) -> FoundSteps:
        """Return the recipe, its ingredients apart from its steps also where no heading is."""
        goods, steps = self.goods, self.steps
        if not goods:
            begin, end = listing(steps)
            goods, steps = steps[begin:end], steps[end:] if end else steps
        if not goods and len(steps) > 1 and _in_a_line(steps[0]):
            goods, steps = on_commas(steps[0]), steps[1:]
        steps = _joined(steps)
        if len(steps) == 1 and len(sentences := _SENTENCE.split(steps[0])) >= _LEAST_SENTENCES:
            steps = sentences  # all in one paragraph
        numbers = [_BARE_NUMBER.match(step) for step in steps]
        if len(steps) > 1 and all(x and x[1] == str(k) for k, x in enumerate(numbers, 1)):
            steps = [_BARE_NUMBER.sub("", step) for step in steps]
        return FoundSteps(self.line, self.title, steps, single(goods))


def _joined(lines: Sequence[str]) -> list[str]:
    """Return steps of lines: a broken line is joined, and a heading between numbers left out."""
    counted = sum(_count(line) > 0 for line in lines) > 1
    if counted:  # what stands above and below the numbers and tells nothing to do is a note
        last = max(place for place, line in enumerate(lines) if _count(line))
        lines = [
            line
            for place, line in enumerate(lines)
            if place <= last or _numbered(line) or line[0].islower() or _tells(line)
        ]
        one = next((place for place, line in enumerate(lines) if _count(line) == 1), 0)
        lines = [x for k, x in enumerate(lines) if k >= one or _numbered(x) or _tells(x)]
    marked = counted or sum(map(_numbered, lines)) > 1
    steps: list[str] = []
    for line in lines:
        short = len(line.split()) <= _LONGEST_HEADING and line[-1].isalpha()
        if counted and steps and line[0].islower() and not _numbered(line):
            steps[-1] = f"{steps[-1]} {line}"
        elif counted and not _numbered(line) and _GOODBYE.match(line):
            continue
        elif not (marked and short and not _numbered(line) and not _tells(line)):
            steps.append(line)
    return steps


def recipes(lines: Iterable[Line]) -> Iterator[FoundSteps]:
    """Yield the recipes of some numbered lines; blank lines separate blocks.

    A recipe without steps has an empty list of them.
    """
    blocks = list(_blocks(_unbroken(_without_front_matter(lines))))
    recipe: _Recipe | None = None
    for place, block in enumerate(blocks):
        after = blocks[place + 1] if place + 1 < len(blocks) else []
        if recipe is None or _begins(recipe, block, after):
            if recipe is not None:
                yield recipe.found()
            number, first = block[0]
            untitled = _numbered(first) or _HEADING.match(_plain(first)) is not None
            untitled = untitled or (len(blocks) == 1 and _is_paragraph(block))
            recipe = _Recipe(number, "" if untitled else _plain(first))
        part = _part_of_list(recipe, block)
        for number, text in block:
            if number == recipe.line and recipe.title:
                continue
            recipe.take(f"{text}:" if part and number == block[0][0] else text)
    if recipe is not None:
        yield recipe.found()


def without_links(text: str) -> str:
    """Return Markdown with the words of its links alone, and without its pictures."""
    if "](" not in text:
        return text
    return _LINK.sub(lambda found: "" if found[0][0] == "!" else found["words"], text)


def _without_front_matter(lines: Iterable[Line]) -> list[Line]:
    """Return lines of which a block of settings at the top, as web sites have, gives the title."""
    found = [(number, without_links(text.translate(_CIRCLED))) for number, text in lines]
    fences = [place for place, (_, text) in enumerate(found) if text.strip() == "---"][:2]
    if len(fences) < 2 or fences[0] > 0:
        return found
    settings = found[1 : fences[1]]
    titles = [
        (number, value.strip(" '\""))
        for number, text in settings
        for name, colon, value in [text.partition(":")]
        if name.strip().lower() == "title" and colon
    ]
    if not all(":" in text or text.startswith((" ", "-")) for _, text in settings if text.strip()):
        return found
    return [*titles[:1], (fences[1], ""), *found[fences[1] + 1 :]]


def _unbroken(lines: Iterable[Line]) -> list[Line]:
    """Return lines in which what is indented below a numbered line is part of it."""
    found: list[Line] = []
    for number, text in lines:
        before = found[-1][1] if found else ""
        goes_on = _INDENTED.match(text) and text.strip() and not _count(text)
        if goes_on and _count(before):
            stop = "." if _numbered(text) and before[-1:].isalnum() else ""
            bare = NUMBER.sub("", text, count=1).strip()
            found[-1] = (found[-1][0], f"{before}{stop} {bare}")
        else:
            found.append((number, text))
    return found


def _blocks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    block: list[Line] = []
    for number, text in lines:
        if text.strip() and not _NO_TEXT.match(text):
            block.append((number, text.strip()))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _begins(recipe: _Recipe, block: Sequence[Line], after: Sequence[Line]) -> bool:
    """Return whether a block begins a new recipe instead of continuing the current one."""
    first = block[0][1]
    rest = [text for _, text in block[1:]]
    following = rest[0] if rest else after[0][1] if after else ""
    heading = _HEADING.match(_plain(following))
    if _may_be_title(first) and heading is not None and heading["goods"]:
        return recipe.told or recipe.headed or not first.endswith((".", "!"))
    listing_still = all(map(on_list, recipe.steps))  # a list with blank lines between its lines
    listed = on_list(first) > 1 and all(map(on_list, rest)) and (bool(rest) or listing_still)
    listed = listed or (not rest and _in_a_line(first))
    told = first.endswith((".", ";", ":", ",")) or (first.endswith("!") and _tells(first))
    headed = recipe.headed or recipe.section == "goods" or _shouts(first, recipe)
    within = listed or told or headed or _part_of_list(recipe, block)
    if within or not _may_be_title(first):
        return False
    if _goes_on(recipe, _count(following)):
        return False
    if not rest:
        return not _tells(first)
    if any(text.endswith(".") for text in rest) or all(map(_numbered, rest)):
        return True  # its steps end in full stops or have numbers, and it does not
    return bool(recipe.steps or not _tells(first))


def _part_of_list(recipe: _Recipe, block: Sequence[Line]) -> bool:
    """Return whether a block is a part of a list of ingredients under a bare name, as "Filling"."""
    (_, first), *others = block
    kinds = [on_list(text) for _, text in others]
    named = len(first.split()) <= _LONGEST_HEADING and first[-1].isalpha() and on_list(first) < 2
    if recipe.line == block[0][0] or not named or not kinds or not all(kinds):
        return False
    in_list = recipe.section == "goods" or (not recipe.told and all(map(on_list, recipe.steps)))
    return in_list and _HEADING.match(_plain(first)) is None and 2 * kinds.count(2) >= len(kinds)


def _shouts(text: str, recipe: _Recipe) -> bool:
    """Return whether a line is a heading within a recipe by its capitals alone, as "TOPPING"."""
    short = len(text.split()) <= _LONGEST_HEADING and text[-1:].isalpha()
    return short and text.isupper() and not recipe.title.isupper()


def _is_paragraph(block: Sequence[Line]) -> bool:
    """Return whether a block is one line of several sentences."""
    return len(block) == 1 and len(_SENTENCE.split(block[0][1])) >= _LEAST_SENTENCES


def _purpose(heading: str) -> str:
    """Return a heading over steps as an opening: "Sauce:" as "For the sauce:"."""
    words = heading.rstrip(":").lower().removeprefix("the ").split()
    named = words and all(word.isalpha() for word in words) and words[0] not in ("for", "to")
    is_name = named and len(words) <= _LONGEST_HEADING and KINDS.get(words[0]) is not Kind.VERB
    return f"For the {' '.join(words)}:" if is_name else heading


def _in_a_line(text: str) -> bool:
    """Return whether a line lists several ingredients."""
    return on_list(text) > 1 and text.count(",") > 1


def _may_be_title(first: str) -> bool:
    plain = _plain(first)
    aside = any(each.match(plain) for each in (_HEADING, _ABOUT, _PASSED_OVER, _PART))
    return not (aside or _numbered(first) or len(first) > _LONGEST_TITLE)


def _goes_on(recipe: _Recipe, number: int) -> bool:
    """Return whether a step of this number belongs to a recipe under a heading of its own."""
    return number > 1 or (number == 1 and bool(recipe.steps) and all(map(on_list, recipe.steps)))


def _count(text: str) -> int:
    """Return the number of a step; 0 for none."""
    found = NUMBER.match(text)
    digits = "".join(filter(str.isdigit, found[0])) if found else ""
    return int(digits) if digits else 0


def _numbered(text: str) -> bool:
    return NUMBER.match(text) is not None


def _plain(text: str) -> str:
    """Return a line without its heading marks."""
    return text.strip("#*_= \t")


def _tells(text: str) -> bool:
    """Return whether a line is an instruction, and so is not a title."""
    words = [word.strip(".,;!") for word in text.lower().split()]
    if not words or words[0] not in VERBS:
        return False
    return text.endswith((".", "!")) or any(KINDS.get(word) in _TELLING for word in words)


def _acts(text: str) -> bool:
    """Return whether a line among ingredients is a step: an instruction, or a numbered line."""
    found = NUMBER.match(text)
    if found is not None and any(map(str.isdigit, found[0])):
        return True
    return text.endswith(".") and _tells(NUMBER.sub("", text, count=1))
