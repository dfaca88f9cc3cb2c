"""The names of objects. They mean nothing: they are assigned at random."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from string import ascii_lowercase, ascii_uppercase, digits

from thence.core.parameters import Parameter

AUTO = "auto"
KINDS = ("letters", "strings", "words", "names")
_FORBIDDEN = "<>,:;\"'`[]{}\n\r\t"  # separators of names in statements and in answers

# No noun suggests a larger, earlier or richer object than another.
_NOUNS = (
    "accent acorn almanac anchor apron arcade aspect attic autumn badge balcony ballad basket "
    "beacon bonnet branch breeze bridle bronze cactus candle canvas canyon carbon cedar "
    "chapter charm cinder citrus clover cobalt comet copper coral cotton cradle crater "
    "crystal curtain custom daisy detail dialect domino echo elbow ember emblem fabric falcon "
    "fathom feather fennel fiddle figure flannel fossil gadget galaxy garnet ginger glimmer "
    "gravel grotto hamlet harbor hazel helmet hollow honey icicle idiom indigo island ivory "
    "jacket jasmine jersey jigsaw kernel kettle lagoon lantern lavender legend lemon lilac "
    "linen lunar magnet maple marble meadow melody mirror mosaic nectar nickel nutmeg oasis "
    "olive opal orchid origin paddle pantry parcel pebble pepper pigment pillow plume pollen "
    "prairie prism puzzle quartz quiver raven ribbon ripple saddle saffron satin shadow "
    "signal silver sketch spiral sponge stanza summit tablet tassel temple thimble timber "
    "topaz trellis tulip tunnel umber valley velvet violet walnut willow window winter yarrow "
    "zephyr"
)

_ONSETS = "b br c d dr f fl g gr h j k kl l m n p pl qu r s st t tr v w z"
_VOWELS = "a e i o u ae ia io"
_MIDDLES = "b d f g k l ld lm ln m n nd nt r rd rl rm rn s sk st t v x z"
_ENDINGS = "a an ar en er ia ic il in is o on or us"
_HOUSES = "Bank Capital Trust Holdings Partners Securities Finance Mutual Credit Assurance"

_ALL_NOUNS = _NOUNS.split()
_SYLLABLES = [part.split() for part in (_ONSETS, _VOWELS, _MIDDLES, _ENDINGS)]
_ALL_HOUSES = _HOUSES.split()

type Kind = str | tuple[str, ...]
"""One of the kinds, ``auto``, or the user's own names."""


def _own(text: str) -> tuple[str, ...]:
    """Return the names of a list with commas.

    Raises:
        ValueError: names that clash or contain a separator.
    """
    names = tuple(each.strip() for each in text.split(","))
    seen: dict[str, str] = {}
    for each in names:
        if not each or any(sign in _FORBIDDEN for sign in each):
            raise ValueError(f"'{each}' is no name: a name is text without any of < > , : ; quotes")
        if each.casefold() in seen:
            raise ValueError(
                f"the names '{seen[each.casefold()]}' and '{each}' clash; each must differ from "
                "the others in more than upper and lower case"
            )
        seen[each.casefold()] = each
    return names


def kinds(*words: str) -> Callable[[str], Kind]:
    """Return a parser that takes one of several words, or the user's own names with commas."""

    def parse(text: str) -> Kind:
        if text in words:
            return text
        if "," not in text:
            raise ValueError(f"must be {', '.join(words)}, or your own names with commas between")
        return _own(text)

    return parse


LABELS = Parameter(
    "labels",
    AUTO,
    "what objects are called: letters, strings, words or names, or your own as A,B,C; auto is "
    "letters, and names in a language framing",
    kinds(AUTO, *KINDS),
    separator=",",
)


def draw(kind: Kind, framing: str, n: int, rng: Random) -> list[str]:
    """Return the names of n objects in random order; no two are equal in lower case.

    Args:
        kind: `Kind`; of the user's own names there must be at least n.
        framing: name of the framing, on which ``names`` and ``auto`` depend.
        n: number of objects.
        rng: the source of all randomness.
    """
    if not isinstance(kind, str):
        return rng.sample(kind, n)
    if kind == AUTO:
        kind = "letters" if framing == "symbolic" else "names"
    if kind == "letters":
        return _letters(n, rng)
    if kind == "words":
        return _words(n, rng)
    if kind == "strings":
        return _several(n, lambda: _string(rng))
    bare = _several(n, lambda: _name(rng))
    if framing == "finance":
        return [f"{each.capitalize()} {rng.choice(_ALL_HOUSES)}" for each in bare]
    return bare if framing == "software" else [each.capitalize() for each in bare]


def _letters(n: int, rng: Random) -> list[str]:
    """Return capital letters; as many per name as n names need."""
    size = 1
    while len(ascii_uppercase) ** size < n:
        size += 1
    count = len(ascii_uppercase)
    return [
        "".join(ascii_uppercase[place // count**power % count] for power in reversed(range(size)))
        for place in rng.sample(range(count**size), n)
    ]


def _words(n: int, rng: Random) -> list[str]:
    count = len(_ALL_NOUNS)
    if n <= count:
        return rng.sample(_ALL_NOUNS, n)
    places = rng.sample(range(count * (count - 1)), n)
    return [f"{_ALL_NOUNS[place // (count - 1)]}-{_other(place)}" for place in places]


def _other(place: int) -> str:
    """Return the second word of a pair, which always differs from the first."""
    first, second = divmod(place, len(_ALL_NOUNS) - 1)
    return _ALL_NOUNS[second + (second >= first)]


def _string(rng: Random) -> str:
    return rng.choice(ascii_lowercase) + "".join(rng.choices(ascii_lowercase + digits, k=4))


def _name(rng: Random) -> str:
    """Return a made-up word that can be pronounced."""
    onsets, vowels, middles, endings = _SYLLABLES
    word = rng.choice(onsets) + rng.choice(vowels) + rng.choice(middles)
    if rng.random() < 0.4:
        word += rng.choice(vowels[:5]) + rng.choice(middles)
    return word + rng.choice(endings)


def _several(n: int, one: Callable[[], str]) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < n:
        found[one()] = None
    return list(found)


def enough(kind: Kind, n: int) -> bool:
    """Return whether there are names for n objects."""
    return isinstance(kind, str) or len(kind) >= n
