"""What a text's own list of ingredients tells: which lines a step names, and which have come in.

A line that no step has named is still in its packet, so that what names it is new; what names a
line that has come in is what holds it now. So "the rice" is no rice wine that was poured in before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from thence.domains.recipes.goods import listed, names, told
from thence.domains.recipes.lexicon import CUTS, KINDS_OF_FOOD, RAW_WITH_CARE, STAPLES, Kind
from thence.domains.recipes.phrases import Chunk

_CUTS = CUTS | {"steak", "chop", "loin", "mince", "joint", "rib", "shank", "cheek", "fillet"}
_GENERAL = frozenset(
    ["mushroom", "cheese", "bean", "pasta", "lettuce", "bread", "fish", "leaf", "nut",
     "sugar", "vinegar", "berry", "squash"]
)  # fmt: skip
SAUCES_BY_NAME = frozenset(("soy", "hoisin", "worcestershire", "tabasco", "sriracha", "teriyaki"))
"""Sauces that one word names, as "the soy"."""
_SAUCES = SAUCES_BY_NAME | {"fish", "oyster", "hot", "chilli", "chili"}
_SORTS = {
    "pasta": frozenset(
        ["macaroni", "penne", "spaghetti", "rigatoni", "fusilli", "farfalle", "linguine", "orzo",
         "tagliatelle", "fettuccine", "pappardelle", "orecchiette", "conchiglie", "bucatini"]
    ),
    "noodle": frozenset(("udon", "soba", "ramen", "vermicelli")),
    "bread": frozenset(("sourdough", "ciabatta", "baguette", "loaf", "bun", "roll", "brioche")),
    "rice": frozenset(("basmati", "arborio", "carnaroli", "jasmine")),
    "cheese": frozenset(
        ["pecorino", "gouda", "edam", "emmental", "gruyere", "comte", "manchego", "halloumi",
         "stilton", "gorgonzola", "roquefort", "brie", "camembert", "provolone", "asiago",
         "fontina", "taleggio"]
    ),
    "fish": frozenset(
        ["hake", "bass", "bream", "monkfish", "mullet", "plaice", "sole", "turbot", "pollock",
         "sardine", "herring", "kipper", "swordfish", "catfish", "perch", "char", "eel"]
    ),
}  # fmt: skip
_MADE_FROM = frozenset(("stock", "broth", "dripping", "fat", "bouillon", "gravy"))
"""What is of a kind of food, and is none: "beef stock" is no meat."""
_GROUND_PEPPER = frozenset(("pepper", "black", "white", "ground", "cracked", "coarse", "fresh"))
_CHANGED = frozenset(
    ["hot", "warm", "cold", "cool", "cooled", "cooked", "drained", "toasted", "fried", "soaked",
     "softened", "melted", "roasted", "browned", "boiled", "grilled", "shredded", "infused",
     "steamed", "mashed", "whipped", "whisked", "reserved", "poached", "marinated", "blanched"]
)  # fmt: skip


class ListedIngredient(NamedTuple):
    """An ingredient of a list.

    Attributes:
        head: its noun, in the singular.
        words: all words of its name, in the singular.
        told: all words of its line.
    """

    head: str
    words: frozenset[str]
    told: frozenset[str]


class ShoppingList:
    """The ingredients of a text's own list.

    Args:
        lines: as they stand in the text; none where it has no list.

    Attributes:
        heads: the ingredients by one word and by two, in the singular.
    """

    def __init__(self, lines: Collection[str] = ()) -> None:
        self.lines = [
            ListedIngredient(words[-1], frozenset(words), told(line))
            for line in lines
            for words in names([line])
        ]
        self.heads = listed(lines)
        self._words = frozenset[str]().union(*(line.words for line in self.lines))

    def __bool__(self) -> bool:
        return bool(self.lines)

    def named(self, chunk: Chunk, *, cut: bool = False) -> frozenset[int]:
        """Return the lines that a noun phrase may name: those that fit its words best.

        Args:
            chunk: the noun phrase.
            cut: whether what it names is cut, as no pepper from a mill is.
        """
        head, others = chunk.head, frozenset(chunk.stems[:-1])
        sorts = _SORTS.get(head, frozenset())
        modified = others if chunk.kind is Kind.NOUN and head != "seed" else frozenset()
        bare = head == "sauce" and not others  # never a soy sauce
        ways: tuple[Callable[[ListedIngredient], bool], ...] = (
            lambda line: line.head == head and not (bare and line.words & _SAUCES),
            # "the chicken" of "chicken thighs"
            lambda line: head in line.words & RAW_WITH_CARE and line.head in _CUTS,
            lambda line: line.head in modified,  # "the cauliflower florets" of "a cauliflower"
            lambda line: head in line.words and line.head in _GENERAL,  # "the porcini"
            lambda line: line.head == "sauce" and head in line.words & SAUCES_BY_NAME,  # "the soy"
            # "the pasta" of "macaroni", "the fish" of "hake fillets"
            lambda line: line.head in sorts or (line.head in _CUTS and bool(line.words & sorts)),
            lambda line: head in CUTS & line.told,  # "the florets", into which something is cut
            lambda line: chunk.rest and not bare and head in line.words,  # "the rest of the maple"
        )
        for fits in ways:
            found = {k: line.words & others for k, line in enumerate(self.lines) if fits(line)}
            if found:
                most = max(map(len, found.values()))
                best = frozenset(k for k, words in found.items() if len(words) == most)
                return self._peppers(chunk, best, cut=cut) if head == "pepper" else best
        return frozenset()

    def _peppers(self, chunk: Chunk, lines: frozenset[int], *, cut: bool) -> frozenset[int]:
        """Return those of some lines that are vegetables, where these are meant, or else spice."""
        spice = frozenset(k for k in lines if self.is_ground_pepper([k]))
        vegetable = cut or chunk.words[-1] == "peppers"
        return (lines - spice if vegetable else spice) or lines

    def is_ground_pepper(self, lines: Collection[int]) -> bool:
        """Return whether each of some lines is pepper from a mill, and no vegetable."""
        return all(self.lines[k].words <= _GROUND_PEPPER for k in lines)

    def meats(self, lines: Collection[int]) -> frozenset[str]:
        """Return of which animals some lines have cuts, as pork of "pork cheeks"."""
        found = (self.lines[k] for k in lines)
        return frozenset[str]().union(*(x.words & RAW_WITH_CARE for x in found if x.head in _CUTS))

    def tells(self, chunk: Chunk, lines: Collection[int]) -> bool:
        """Return whether a noun phrase tells its lines from others, as "demerara sugar" does."""
        return bool(self.telling(chunk, lines))

    def telling(self, chunk: Chunk, lines: Collection[int]) -> frozenset[str]:
        """Return the adjectives of a noun phrase that some lines have, too."""
        words = frozenset[str]().union(*(self.lines[k].words for k in lines))
        return words.intersection(chunk.stems[:-1])

    def telling_apart(self, chunk: Chunk, lines: Collection[int]) -> frozenset[str]:
        """Return those of them that no other line has: "kashmiri", of two chilli powders."""
        others = (line.words for k, line in enumerate(self.lines) if k not in lines)
        return self.telling(chunk, lines).difference(*others)

    def bought_so(self, chunk: Chunk, lines: Collection[int]) -> bool:
        """Return whether one of some lines tells how its thing was worked on: "butter, melted"."""
        return any(_CHANGED & {*chunk.words} & self.lines[k].told for k in lines)

    def have(self, head: str, lines: Collection[int]) -> bool:
        """Return whether some lines have a noun among their words, as rice wine has rice."""
        return any(head in self.lines[k].words for k in lines)

    def have_any(self, names: frozenset[str], lines: Collection[int]) -> bool:
        """Return whether some lines have one of some nouns among their words."""
        return any(not names.isdisjoint(self.lines[k].words) for k in lines)

    def waits(self, head: str, come_in: Collection[int]) -> bool:
        """Return whether a noun is a word of a line that no step has named."""
        return any(head in line.words for k, line in enumerate(self.lines) if k not in come_in)

    def kind_waits(self, head: str, come_in: Collection[int]) -> bool:
        """Return whether a noun is the kind of a line that no step has named: cheese, cheddar."""
        kinds = KINDS_OF_FOOD.get(head, frozenset()) | _SORTS.get(head, frozenset())
        lines = (
            line
            for k, line in enumerate(self.lines)
            if k not in come_in and line.head not in _MADE_FROM
        )
        return any(not kinds.isdisjoint(line.words) for line in lines)

    def lacks(self, chunk: Chunk) -> bool:
        """Return whether no line has the noun of a noun phrase, so that it names what was made."""
        return bool(self.lines) and chunk.head not in self._words | STAPLES


def changed(chunk: Chunk) -> bool:
    """Return whether a noun phrase tells that its thing was worked on, as in "the hot milk"."""
    return not _CHANGED.isdisjoint(chunk.words)
