"""The ingredients that a list or a step names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lexicon import (
    EDIBLE,
    RAW_WITH_CARE,
    STAPLES,
    VERBS,
    Kind,
    kind_of,
    stem,
)

_RANGE = re.compile(
    r"^(?:(?:about|around|approx\.?|roughly)\s)?[\d½¼¾⅓⅔⅛/.]*(?:\s?[-\u2013]\s?[\d½¼¾⅓⅔⅛/.]+)?"
)
_AFTER = re.compile(
    r"[,;(]|\s[-\u2013]\s|\b(?:for|to|from|about|plus|optional|such)\b|"
    r"\bin (?:[a-z]+ )?(?:oil|brine|water|juice|syrup)\b"
)
_BRACKETS = re.compile(r"\([^()]*\)")
_PARTS = re.compile(r"\s(?:and|or|&)\s|/")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_NO_NAME = frozenset((Kind.MEASURE, Kind.DETERMINER, Kind.PREPOSITION, Kind.ADVERB))


_COUNTS = frozenset(
    [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "twelve",
        "single",
        "several",
        "few",
        "more",
        "enough",
        "extra",
        "good",
        "nice",
        "big",
        "large",
        "small",
        "medium",
        "little",
        "bed",
        "additional",
        "next",
        "other",
        "whole",
    ]
)
_LEFT = re.compile(
    r"\b(?:skim|drain|pour|spoon|tip|trim|blot|wipe|discard|discarding|throw|throwing|remove|removing"
    r"|tap|shake|shaking|rinse|cut|toss)\b[^.,;]{0,30}?\b(?:fat|grease|scum|froth|foam|excess|seeds?|"
    r"skins?|stalks?|stems?|bones?|lumps?|dirt|sand|grit|peel|pith|rind|cores?|ends)\b"
)
WASTE = frozenset(
    ["fat", "grease", "scum", "froth", "foam", "excess", "skin", "stalk", "stem", "bone", "lump",
     "dirt", "sand", "grit", "peel", "pith", "rind", "core", "seed"]
)  # fmt: skip
"""Parts that are often taken off and thrown away."""
_SHAPES = frozenset(
    ["drop", "change", "square", "rectangle", "circle", "disc", "disk", "oval", "log", "rope",
     "row", "length", "line", "pile", "thing", "way", "base", "time", "go", "streak", "matchstick",
     "while", "attention", "mark", "clean", "height", "volume", "direction", "stage", "point",
     "size", "position", "lump", "blob", "rim", "dot", "stiff", "bed", "outside", "lot", "matter",
     "idea", "trick", "bubble", "round"]
)  # fmt: skip


_KEPT = {"extra": {"virgin"}, "five": {"spice"}, "single": {"cream"}, "little": {"gem"},
         "whole": {"wheat", "milk", "grain", "egg"}}  # fmt: skip
"""Words of a name that are no counts where others follow them."""
_COMPOUND = {"cream": "tartar", "bicarbonate": "soda", "bicarb": "soda", "heart": "palm"}
_SORTS_IN_ING = "sparkling|whipping|drinking|cooking|frying|self-raising|self-rising|finishing"
_TASTING = re.compile(
    r"\b(?:taste|check|adjust|correct|for)\b[^.;]{0,20}\bseasoning", re.IGNORECASE
)
_LEFTOVERS = frozenset(("bones", "juices", "topping", "drippings", "leftovers", "trimmings"))


def whole(name: str, text: str, listed_words: Collection[str] = ()) -> str:
    """Return an ingredient's name without how many there are, and with its "leaves".

    Args:
        name: as the step has it.
        text: of the step.
        listed_words: all words of the list of ingredients, in the singular.

    Returns:
        The name; empty for what is only thrown away, and for a shape.
    """
    words = name.split()
    if words[-1] in _COMPOUND.values() and f" of {words[-1]}" in text:
        return ""  # named with what it is of: "cream of tartar"
    while len(words) > 1 and (words[0] in _COUNTS or not words[0][0].isalpha()):
        if not _KEPT.get(words[0], set()).isdisjoint(map(stem, words[1:])):
            break
        words = words[1:]
    if len(words) > 1 and words[0] in VERBS and words[0] not in EDIBLE:
        words = words[1:]  # "cook onions"
    last = stem(words[-1])
    everything = words[0] == "everything"  # "let everything toast"
    shape = last in _SHAPES and (len(words) == 1 or last not in listed_words)
    if shape or everything or words[-1] in _LEFTOVERS or "excess" in words:
        return ""  # a "pizza base" is no shape
    if last == "seasoning" and _TASTING.search(text):
        return ""
    if last in WASTE and any(last in found[0] for found in _LEFT.finditer(text.lower())):
        return ""
    name = " ".join(words)
    if name in _COMPOUND and f"{name} of {_COMPOUND[name]}" in text.lower():
        return f"{name} of {_COMPOUND[name]}"
    sort = re.search(rf"\b({_SORTS_IN_ING}) {re.escape(name)}\b", text, re.IGNORECASE)
    name = f"{sort[1].lower()} {name}" if sort else name
    leaf = re.search(rf"\b{re.escape(name)} (leaf|leaves)\b", text, re.IGNORECASE)
    return f"{name} {leaf[1].lower()}" if leaf else name


_AMOUNT = re.compile(
    r"^(?:(?:about|approx\.?|around|scant|heaped|generous)\s)?(?:[\d½¼¾⅓⅔⅛]|(?:an?|half|one|two|three|"
    r"four|few|some|small|large|pinch|handful|juice|zest|knob|bunch|salt|pepper|oil|dash|splash|"
    r"drizzle|glug|sprig)\b)",
    re.IGNORECASE,
)
_EITHER_STOCK = re.compile(r"\b[a-z]+(?:, [a-z]+)*,? or [a-z]+ (stock|broth)\b")
_MOST_WORDS = 16  # of an ingredient on a list
_FEW_WORDS = 7  # of one without an amount
_LEAST, _LEAST_AT_TOP = 3, 2  # lines of a list; where they come first and all have amounts
_LABEL = re.compile(r"^[^:]{3,40}: ")


def listing(lines: Sequence[str]) -> tuple[int, int]:
    """Return where a list of ingredients among lines begins and ends; (0, 0) where none is.

    It has three lines at least, most of them with amounts, or at the top two with amounts, and
    something else follows it.
    """
    begin = 0
    while begin < len(lines):
        end = begin
        amounts = 0
        while end < len(lines) and (kind := on_list(lines[end])):
            amounts += kind > 1
            end += 1
        at_top = begin == 0 and end == amounts >= _LEAST_AT_TOP
        most = end - begin >= _LEAST and 2 * amounts >= end - begin
        if (most or at_top) and end < len(lines):
            return begin, end
        begin = end + 1
    return 0, 0


def on_list(line: str) -> int:
    """Return 2 for an ingredient with an amount, 1 for what may be one, and 0 for others."""
    line = _LABEL.sub("", line.strip("-*\u2022 \t"))
    words = [word.strip(",.()").lower() for word in line.split()]
    if not words or line.endswith((".", "!", ":")) or len(words) > _MOST_WORDS:
        return 0
    if _AMOUNT.match(line):
        numbered = words[0].isdigit() and len(words) > 1 and line.split()[1][0].isupper()
        return 0 if numbered and words[1] in VERBS else 2
    acts = words[0] in VERBS and words[0] not in EDIBLE | STAPLES
    return 0 if acts or len(words) > _FEW_WORDS else 1


_COMMA = re.compile(r",\s+(?![^()]*\))")
_SIZE = re.compile(r"[\d½¼¾.]+[ -]?(?:cm|mm|inch|inches|in)\b")  # "1 inch dice", of another
_SHORT = 4  # words of an ingredient without an amount, among several on one line


def single(lines: Iterable[str]) -> list[str]:
    """Return the lines of a list, each ingredient on its own, as of "Dough: 1 egg, 2 cups flour".

    Only a line that can be nothing else is cut up: "2 tomatoes, peeled, chopped" is one.
    """
    found: list[str] = []
    for line in lines:
        parts = on_commas(line)
        several = len(parts) > 1 and all(map(_is_alone, parts))
        amounts = sum(on_list(part) > 1 for part in parts)
        apart = several and (amounts > 1 or (amounts == 0 and len(parts) > 2))
        found += parts if apart else [line]
    return found


def on_commas(line: str) -> list[str]:
    """Return the parts of a line of a list between its commas, without a heading or a bullet."""
    bare = _LABEL.sub("", line.strip("-*\u2022 \t"))
    return [part.strip(" .") for part in _COMMA.split(bare)]


def _is_alone(part: str) -> bool:
    """Return whether a part of a line is an ingredient by itself, and tells nothing of another."""
    words = _WORD.findall(part.lower())
    named = [word for word in words if kind_of(word) not in _NO_NAME]
    if not named or kind_of(named[-1]) is Kind.ADJECTIVE or words[0] in ("or", "to", "for", "plus"):
        return False
    known = named[-1] in STAPLES or stem(named[-1]) in RAW_WITH_CARE
    if _AMOUNT.match(part) and any(map(str.isnumeric, part)):
        return known or not _SIZE.match(part)
    return known and len(words) <= _SHORT


_BOUGHT = (
    (re.compile(r"\b(?:tins?|cans?|canned|tinned|jars?)\b", re.IGNORECASE), "tinned"),
    (re.compile(r"\b(?:cooked|rotisserie|roast|leftover)\b", re.IGNORECASE), "cooked"),
    (re.compile(r"\bsmoked\b", re.IGNORECASE), "smoked"),
)


def as_bought(name: str, goods: Iterable[str]) -> str:
    """Return the name of what would be unsafe raw, with how the list says that it is bought."""
    noun = stem(name.rpartition(" ")[2])
    if hazard(name) is None:
        return name
    for line in goods:
        for says, how in _BOUGHT:
            if noun in listed([line]) and says.search(line):
                return f"{how} {name}"
    return name


def told(line: str) -> frozenset[str]:
    """Return all words of a line of a list, in the singular."""
    return frozenset(map(stem, _LETTERS.findall(line.lower())))


def listed(lines: Iterable[str]) -> frozenset[str]:
    """Return the ingredients on the lines of a list, by one word and by two, in the singular."""
    found: set[str] = set()
    for name in names(lines):
        words = [word for word in name if kind_of(word) is not Kind.ADJECTIVE] or name[-1:]
        found.add(words[-1])
        found.add(" ".join(words[-2:]))
    return frozenset(found)


def names(lines: Iterable[str]) -> list[list[str]]:
    """Return the words of each ingredient on the lines of a list, in the singular, its noun last.

    Amounts are left out. "Salt and pepper" are two.
    """
    found = []
    for line in lines:
        bare = _BRACKETS.sub(" ", line.lower()).strip("-\u2013*\u2022~ \t")
        bare = _RANGE.sub("", _LABEL.sub("", _EITHER_STOCK.sub(r"\1", bare)), count=1)
        stretches = _AFTER.split(bare, maxsplit=2)[: 1 if bare.endswith(":") else 2]
        # the second of "mashed, ripe bananas", none of "for the sauce:"
        found += next(filter(None, map(_named_in, stretches)), [])
    return found


def _named_in(text: str) -> list[list[str]]:
    """Return the words of each ingredient in a stretch of a line, its noun last."""
    found = []
    for part in _PARTS.split(text):
        words = [x for x in _WORD.findall(part) if kind_of(x) not in _NO_NAME or x == "dripping"]
        while words and kind_of(words[-1]) is Kind.ADJECTIVE:
            words.pop()
        if words and stem(words[-1]) != "cup":  # "2 cups shredded", before ", cooked chicken"
            found.append(list(map(stem, words)))
    return found
