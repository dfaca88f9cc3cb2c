"""The composition of a new recipe: independent parts, the steps that join them, and their words.

A dish of `thence.domains.recipes.techniques` gives lines in the structured form, with a few more
marks that are resolved here, at random and from the previous sentences:

=====================  =========================================================================
``[a/b/c]``            one of these words
``%20-30m``            a time within these bounds, in minutes, or hours with ``h``
``<@x;meat>``          a mention of x: "the x" or, if x was made last, "the meat" or "it"
``<@x=tart;pie>``      the same for a thing with another name in the text: "the tart" or "the pie"
``<@*x>``, ``<@x/>``   the same for a thing that stays or is used in part
``<?x>``               the same, omitted if x was made last
=====================  =========================================================================
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from thence.domains.recipes.form import Move, Recipe, move

FEWEST, MOST = 3, 17  # steps, as in the paper's recipes

Line = str
Block = list[list[Line]]

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_TIME = re.compile(r"%(\d+)-(\d+)([mh])")
_MENTION = re.compile(r"<([@?])(\*?)([^<>;]*)((?:;[^<>;]*)*)>")
_LONG = re.compile(
    r"\b(?:simmers?|bakes?|chills?|rests?|stand|soaks?|braises?|leave|rises?|marinate|refrigerate|"
    r"boils?|roasts?|hours?)\b"
)
_AT_ONCE = re.compile(r"<@batter>|\|filled tin>")  # what no cook lets wait
_PASTA = re.compile(r"-> \w+ in its water")
_ROUND = {11: 10, 13: 12, 14: 12}  # unusual numbers of minutes
_INTO = (" into ", " to ", " over ", " onto ", " on ")
_JOIN, _LAST = -1, -2  # stand for the number of a part
_MERGES = (0.05, 0.2, 0.3, 0.45)  # how often a recipe puts two steps into one
_ANYTIME = ("Meanwhile, ", "Meanwhile, ", "In the meantime, ")
_MEANWHILE = {
    word: (*_ANYTIME, f"While that {word}s, ")
    for word in ("simmer", "bake", "chill", "soak", "boil", "rest", "roast")
}
_SINGULAR_S = ("couscous", "asparagus", "hummus", "molasses", "swiss", "dress", "glass", "mess")


@dataclass
class Dish:
    """A recipe before its steps are ordered and worded.

    Attributes:
        title: title of the recipe.
        cuisine: the country or region of the dish.
        course: the meal or course of the dish.
        parts: blocks of steps that are independent of one another.
        early: independent blocks that come before the others, such as an overnight step.
        join: the steps that bring the parts together.
        last: the steps after these, never merged with a step before.
        hurried: whether neither a batter nor boiled pasta waits for other parts.
    """

    title: str
    cuisine: str
    course: str
    parts: list[Block] = field(default_factory=list)
    early: list[Block] = field(default_factory=list)
    join: Block = field(default_factory=list)
    last: Block = field(default_factory=list)
    hurried: bool = False

    def part(self, *steps: list[Line]) -> None:
        """Add a block of steps that is independent of the other parts."""
        self.parts.append(list(steps))

    def first(self, *steps: list[Line]) -> None:
        """Add an independent block of steps that comes before the other parts."""
        self.early.append(list(steps))

    def aside(self, *lines: Line) -> None:
        """Add a part of one step with these sentences."""
        self.parts.append([list(lines)])

    def steps(self) -> int:
        """Return the number of steps before any are merged."""
        return sum(map(len, self.early + self.parts)) + len(self.join) + len(self.last)

    def then(self, *lines: Line) -> None:
        """Add a step of these sentences after the parts."""
        self.join.append(list(lines))

    def late(self, *block: list[Line]) -> None:
        """Add late steps, before the last step that names its subject."""
        place = len(self.join) - 1
        while self.join[place][0].startswith("~"):
            place -= 1
        self.join[place:place] = block


def plural(name: str) -> bool:
    """Return whether a name is plural, so that a cook would say "them"."""
    last = (
        name.split(" in ", maxsplit=1)[0]
        .split(" with ", maxsplit=1)[0]
        .split(" of ", maxsplit=1)[0]
    )
    return last.endswith("s") and not last.endswith(_SINGULAR_S) and not last.endswith("ss")


def compose(dish: Dish, rng: Random) -> Recipe:
    """Return the recipe of a dish: parts in random order, steps merged, words chosen."""
    early, blocks = [
        [[(number, step) for step in part] for number, part in enumerate(parts, start)]
        for parts, start in ((dish.early, len(dish.parts)), (dish.parts, 0))
    ]
    rng.shuffle(early)
    rng.shuffle(blocks)
    if dish.hurried:
        blocks.sort(key=_is_boiled_last)
    small = [block for block in blocks if len(block) == 1]
    for block in small:  # a lone step, such as lighting the oven, may stand within another part
        others = [each for each in blocks if each is not block and len(each) > 1]
        if others and rng.random() < 0.4:
            blocks.remove(block)
            host = others[rng.randrange(len(others))]
            places = [
                place
                for place in range(len(host) + 1)
                if place == len(host) or not _follows(host[place][1][0], hurried=dish.hurried)
            ]
            host.insert(rng.choice(places), block[0])
    steps = [step for block in (*early, *blocks) for step in block]
    steps += [(_JOIN, step) for step in dish.join] + [(_LAST, step) for step in dish.last]
    worded = _worded(_merged(steps, rng), rng)
    return Recipe(dish.title, dish.cuisine, dish.course, worded)


def _is_boiled_last(block: Sequence[tuple[int, list[Line]]]) -> bool:
    """Return whether a part boils the pasta that a sauce should not come too late for."""
    return any(_PASTA.search(line) for _, step in block for line in step)


def _follows(line: Line, *, hurried: bool) -> bool:
    """Return whether a line follows the one before at once: it names no subject, or is hurried."""
    return "~" in line[:3] or (hurried and _AT_ONCE.search(line) is not None)


def _merged(steps: list[tuple[int, list[Line]]], rng: Random) -> list[tuple[int, list[Line]]]:
    """Return the steps, some neighbours of one part merged while at least three steps remain."""
    out: list[tuple[int, list[Line]]] = []
    left, often = len(steps), rng.choice(_MERGES)
    for part, lines in steps:
        fits = out and out[-1][0] == part and len(out[-1][1]) + len(lines) <= 3
        if fits and (left > MOST or (left > FEWEST and rng.random() < often)):
            out[-1] = (part, out[-1][1] + lines)
            left -= 1
        else:
            out.append((part, lines))
    return out


def _worded(steps: Sequence[tuple[int, list[Line]]], rng: Random) -> tuple[tuple[Move, ...], ...]:
    done: list[tuple[Move, ...]] = []
    last, idle, begun = "", "", {_JOIN, _LAST}
    for part, lines in steps:
        moves: list[Move] = []
        for place, line in enumerate(lines):
            text = expand(line, rng, last)
            if place == 0 and idle and part not in begun and rng.random() < 0.7:
                text = rng.choice(_MEANWHILE.get(idle, _ANYTIME)) + text[0].lower() + text[1:]
            moves.append(move(text))
            last = made_last(moves[-1], last)
        begun.add(part)
        idle = _idle(moves[-1].text)
        done.append(tuple(moves))
    return tuple(done)


@lru_cache(1 << 13)
def _idle(text: str) -> str:
    """Return the words of a sentence that announce a long wait, or ""; results are cached."""
    long = _LONG.search(text.lower())
    if long and "drain" in text:
        return "drained"
    return long[0] if long else ""


def made_last(done: Move, last: str) -> str:
    """Return the thing that "it" means after a sentence; empty if this is not clear."""
    if done.makes is not None:
        return done.makes[0].name if len(done.makes) == 1 else ""
    if done.again:
        return last
    if len(done.takes) == 1:
        return done.takes[0]
    if not done.takes and not done.keeps and len(done.brings) == 1:
        return done.brings[0]
    return ""


def expand(line: Line, rng: Random, last: str) -> str:
    """Return a line of the plain form with chosen words.

    Args:
        line: the line.
        rng: the source of all randomness.
        last: the thing made before it.
    """
    while "[" in line:
        first, choices = _choices(line)
        pieces = [first]
        for words, after in choices:
            pieces.append(rng.choice(words))
            pieces.append(after)
        line = "".join(pieces)
    if "%" in line:
        line = _TIME.sub(lambda found: _time(int(found[1]), int(found[2]), found[3], rng), line)
    if "<@" not in line and "<?" not in line:
        return line
    spoken = False

    def mention(found: re.Match[str]) -> str:
        nonlocal spoken
        before = found.string[: found.start()]
        kind, star, name, aliases = found.groups()
        part = "/" if name.endswith("/") else ""
        name, _, called = name.removesuffix("/").partition("=")
        # "Heat the oil and fry it": after another thing "it" is clear only as its target.
        clear = "{" not in before or before.endswith(_INTO)
        fresh = name == last and clear and not spoken and not part and not star
        spoken = True
        if kind == "?":
            return (
                f"<={name}>" if fresh and rng.random() < 0.6 else f" <the {called or name}|{name}>"
            )
        if fresh and rng.random() < 0.4:
            return f"<{'them' if plural(name) else 'it'}|{name}>"
        words = [called or name, *(each for each in aliases.split(";") if each)]
        shown = words[0] if name != last or rng.random() < 0.6 else rng.choice(words)
        return f"<{star}the {shown}|{name}{part}>"

    return _MENTION.sub(mention, line)


@lru_cache(1 << 13)
def _choices(line: Line) -> tuple[str, tuple[tuple[list[str], str], ...]]:
    """Split a line at its innermost choices: the text before, then each choice and its tail."""
    first, *rest = _CHOICE.split(line)
    pairs = zip(rest[::2], rest[1::2], strict=True)
    return first, tuple((words.split("/"), after) for words, after in pairs)


def _time(low: int, high: int, unit: str, rng: Random) -> str:
    """Return a random time in words: a single time or a range, as recipes state it."""
    if unit == "h" and low >= 4:  # a night has no half hours
        night = rng.randint(low, high)
        return f"at least {night} hours" if rng.random() < 0.3 else f"{night} hours"
    if unit == "h":
        start = rng.randint(2 * low, 2 * high)
        if rng.random() < 0.4 and start < 2 * high:
            return f"{_halves(start)} to {_halves(start + 1)} hours"
        hours = f"{_halves(start)} hour{'s' if start > 2 else ''}"
        return f"about {hours}" if rng.random() < 0.3 else hours
    grid = 5 if high > 15 else 1
    start = rng.randint(-(-low // grid), high // grid) * grid
    start = _ROUND.get(start, start)
    if start == 60 and rng.random() < 0.6:
        return "1 hour"
    if rng.random() < 0.45 and start + grid <= high:
        end = min(high, start + grid * rng.randint(1, 2) + (grid == 1 and start > 7))
        end = start + 2 if grid == 1 and start > 7 and end == start + 1 else end
        return f"{start} to {end} minutes"
    return f"{'about ' if rng.random() < 0.35 else ''}{start} minute{'s' if start > 1 else ''}"


def _halves(number: int) -> str:
    whole, half = divmod(number, 2)
    if not half:
        return str(whole)
    return f"{whole} 1/2" if whole else "1/2"
