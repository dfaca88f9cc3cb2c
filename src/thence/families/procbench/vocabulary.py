"""The vocabulary of generated sentences: phrases by slot, and the slots that go together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

type Phrases = list[str]


class Vocabulary(NamedTuple):
    """The phrases of generated sentences.

    Attributes:
        kinds: kinds of clauses, each with a weight and its slots; a slot is a list of phrases of
            any length, with the empty phrase where the slot is optional.
        openings: phrases before the first clause.
        joints: phrases between clauses, in two groups that alternate.
        alone: words that form a sentence of one word.
    """

    kinds: Sequence[tuple[int, Sequence[Phrases]]]
    openings: Phrases
    joints: tuple[Phrases, Phrases]
    alone: Phrases


def _list(text: str) -> Phrases:
    """Return the phrases of a text, separated by commas."""
    return [" ".join(phrase.split()) for phrase in text.split(",")]


def _all(*slots: Phrases) -> Phrases:
    """Return every combination of phrases."""
    return [" ".join(filter(None, parts)) for parts in product(*slots)]


def _a(phrases: Phrases) -> Phrases:
    """Return the phrases with ``a`` or ``an`` before them."""
    return [f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}" for phrase in phrases]


def _things(adjectives: Phrases, nouns: Phrases) -> Phrases:
    """Return countable nouns with an article, with or without an adjective."""
    each = _all(["", *adjectives], nouns)
    return [*_all(["the"], each), *_a(each)]


# Words of any length --------------------------------------------------------------------------

_PEOPLE = _list("""farmer, teacher, baker, doctor, sailor, painter, driver, student, child, girl,
    boy, neighbor, gardener, singer, writer, pilot, nurse, tailor, cook, guard, artist, captain,
    guest, librarian, carpenter, waiter, mayor, stranger, visitor, merchant""")
_TRAITS = _list("""old, young, tall, quiet, friendly, tired, kind, clever, careful, cheerful,
    patient, curious, polite, busy, brave, gentle, nervous, proud""")
_WHOSE = _list("my, our, her, his, their")
_KIN = _list("sister, brother, mother, father, cousin, uncle, aunt, grandmother, friend")
_PERSON = [
    *_all(["the"], _PEOPLE),
    *_all(_WHOSE, _KIN),
    *_all(["the"], _TRAITS, _PEOPLE),
    *_all(_WHOSE, _list("older, younger, favorite"), _list("sister, brother, cousin")),
]
_MANY = _list("""children, students, farmers, visitors, neighbors, tourists, workers, sailors,
    teachers, friends, people, guests, merchants, artists, musicians, dancers, strangers""")
_PRONOUNS = _list("he, she, we, they, everyone, someone")
_SUBJECT = [
    *_PRONOUNS * 4,
    *_MANY,
    *_PERSON,
    *(f"the {one} and the {other}" for one in _PEOPLE for other in _PEOPLE if one != other),
]
_OTHER = [*_PERSON, *_a(_PEOPLE), *_a(_all(_TRAITS, _PEOPLE))]

_BUILDINGS = _all(
    _list("the old, the small, the quiet, the empty, the new, the little"),
    _list("mill, barn, house, school, church, theater, bakery, museum, hotel, shop"),
)
_SPOTS = _list("""in the garden, in the kitchen, near the river, behind the barn, beside the lake,
    at the station, in the library, under the bridge, by the harbor, at the market, by the sea,
    in the village, outside the school, near the church, on the hill, in the workshop,
    in the yard, on the porch, in the park, at the museum, in the forest, by the window""")
_WAYS = [
    *_list("""home, back, away, to the station, across the bridge, along the river, to the lake,
        through the forest, down the hill, past the church, toward the harbor, around the lake,
        up the hill, over the bridge, through the gate, to the market, across the field"""),
    *_all(_list("to, past, around, toward"), _BUILDINGS),
]
_AIMS = [
    *_list("""home, back, upstairs, to the station, across the bridge, up the hill,
        into the garden, to the market, to the harbor, into the kitchen, across the street"""),
    *_all(_list("to, into"), _BUILDINGS),
]

# Endings of a clause, by the kind of the clause.
_IDLE = [
    *_list("""again, alone, quietly, outside, upstairs, nearby, at home, all day,
        for hours, next door, for a while, for an hour, without a word, in the rain,
        for a long time, for an hour or two, until it got dark, for the rest of the day,
        for most of the afternoon"""),
    *_SPOTS,
    *_all(_list("in, near, behind, beside, outside"), _BUILDINGS),
    *_all(_SPOTS, _list("again, alone, all day, for hours, for a while, without a word")),
    *_all(_SPOTS, _list("for a long time, for an hour or two, until it got dark")),
]
_MOVING = _list("""again, slowly, quickly, alone, at last, at once, after lunch, before dinner,
    in the rain, in a hurry, without a word, for some reason, as fast as possible,
    before it got dark, for the first time, with a big smile""")
_DOING = [
    *_list("""again, outside, nearby, at last, at once, at home, next door, after lunch,
        before dinner, for some reason, in the afternoon, for the first time,
        before it got dark"""),
    *_SPOTS,
    *_all(_list("in, near, behind, beside, outside"), _BUILDINGS),
    *_all(_SPOTS, _list("again, at last, after lunch, before dinner, in the afternoon")),
    *_all(_SPOTS, _list("for the first time, before it got dark")),
]

_EATING = [phrase for phrase in _DOING if "lunch" not in phrase and "dinner" not in phrase]
_CAREFUL = _list("""carefully, quickly, without help, with great care, without any help,
    as carefully as possible""")

_ANIMALS = _list("dog, cat, horse, goat, donkey, pony, rabbit, sheep, duck, cow, fox, goose")
_ANIMAL = _all(
    ["the"],
    ["", *_list("brown, small, old, young, gray, white, hungry, sleepy, clever, black")],
    _ANIMALS,
)
_LAIRS = [
    *_list("""again, nearby, outside, all day, for hours, for a while, in the rain,
        for a long time, until it got dark"""),
    *_list("""in the yard, near the river, by the fence, in the field, behind the barn,
        beside the road, in the barn, under a tree, in the tall grass, near the old barn,
        behind the garden wall, beside the narrow road, in the shadow of the barn"""),
]

_TOOLS = _things(
    _list("old, new, broken, small, green, red, white, blue"),
    _list("fence, door, bench, boat, wagon, gate, table, chair, cart, bicycle, wall, window"),
)
_FOOD = [
    *_all(
        _list("the, some"),
        ["", *_list("fresh, homemade, good, tasty")],
        _list("soup, bread, cake, pie, pasta, salad, stew, cheese, jam"),
    ),
    *_list("breakfast, lunch, dinner, a late breakfast, a simple lunch, an early dinner"),
]
_PAPERS = _things(
    _list("long, short, old, strange, funny, new, secret, torn"),
    _list("letter, book, note, story, report, message, postcard, list, poem"),
)
_LOADS = _things(
    _list("large, heavy, small, empty, new, blue, green, round, little"),
    _list("""box, basket, lamp, bucket, bag, blanket, drum, clock, mirror, rope, suitcase,
        umbrella"""),
)
_PREY = _things(
    _list("small, brown, noisy, young, gray"), _list("squirrel, mouse, hen, frog, crow, bird")
)

_WEATHER = """fell, stopped, fell softly, kept falling, started again, stopped at last,
    fell without a sound, came down all night, stopped after an hour, fell on the old roofs,
    kept falling all morning"""
_WIND = """stopped, howled, grew stronger, calmed down, got much stronger, shook the windows,
    blew all night, died down before dawn, rattled the old windows"""
_TRAINS = """the train, the bus, the ferry, the last train, the first bus, the little ferry,
    the train from the city, the bus to the city"""
_TRIPS = """arrived, left, stopped, arrived late, left early, was full, came on time,
    left without us, was almost empty, arrived an hour late, stopped for a few minutes,
    left a few minutes early"""
_EVENTS = """the music, the concert, the game, the show, the meeting, the lesson,
    the long meeting, the second game, the show at the theater"""
_COURSES = """began, ended, stopped, started late, ended early, went well, lasted an hour,
    started on time, began after lunch, went on for hours, ended an hour later,
    was shorter than usual"""
_SHOPS = """the shop, the museum, the library, the bakery, the little shop, the new library,
    the bakery near the station"""
_HOURS = """opened, closed, was open, was closed, opened early, closed at noon, was very busy,
    stayed open late, was full of people, opened an hour late, closed early for once"""
_ROADS = "the road, the path, the street, the narrow path, the road to the village"
_STATES = """was empty, was wet, was icy, was closed, was very quiet, turned to mud,
    was covered with snow, was closed for repairs, was full of puddles"""

_DID = _list("""waited, rested, worked, slept, danced, listened, talked, read, laughed, sang,
    waited patiently, worked hard, sang softly, talked quietly, played chess, played cards,
    told stories, drank tea, took notes, played the piano, listened to music,
    told funny stories, told a long story""")
_REACTED = _list("""smiled, nodded, arrived, returned, agreed, cheered, left, hesitated, yawned,
    whispered, paused, stopped, helped, applauded, waved, sneezed, stood up, sat down,
    looked up, said nothing, turned around, made a plan""")

_KINDS: list[tuple[int, Sequence[Phrases]]] = [
    (5, [_SUBJECT, _DID, ["", *_IDLE]]),
    (2, [_SUBJECT, _REACTED, ["", *_list("again, at last, for some reason")]]),
    (
        5,
        [
            _SUBJECT,
            _list("walked, ran, hurried, strolled, wandered, went, drove, cycled"),
            _WAYS,
            ["", *_MOVING],
        ],
    ),
    (
        3,
        [
            _SUBJECT,
            _list("painted, repaired, cleaned, checked, measured"),
            _TOOLS,
            ["", *_CAREFUL, *_DOING],
        ],
    ),
    (
        3,
        [
            _SUBJECT,
            _list("bought, shared, prepared, ordered, served, enjoyed, finished"),
            _FOOD,
            ["", *_EATING],
        ],
    ),
    (
        3,
        [
            _SUBJECT,
            _list("read, found, copied, studied, asked for, looked for"),
            _PAPERS,
            ["", *_DOING],
        ],
    ),
    (3, [_SUBJECT, _list("carried, took, brought"), _LOADS, _AIMS, ["", *_MOVING]]),
    (
        3,
        [
            _SUBJECT,
            _list("hid, borrowed, cleaned, packed, found, put away, picked up"),
            _LOADS,
            ["", *_DOING],
        ],
    ),
    (
        3,
        [
            _SUBJECT,
            _list("met, helped, thanked, greeted, watched, spoke to, smiled at, waited for"),
            _OTHER,
            ["", *_DOING],
        ],
    ),
    (
        3,
        [
            _ANIMAL,
            _list("slept, rested, waited, stayed, lay down, sat still, looked for food"),
            ["", *_LAIRS],
        ],
    ),
    (2, [_ANIMAL, _list("ran, wandered, trotted, hurried"), _WAYS, ["", *_list("again, at last")]]),
    (2, [_ANIMAL, _list("chased, followed, watched"), _PREY, ["", *_LAIRS]]),
    (2, [_list("the rain, the snow, the heavy rain, the first snow"), _list(_WEATHER)]),
    (1, [_list("the wind, the storm, the cold wind, the wind from the sea"), _list(_WIND)]),
    (2, [_list(_TRAINS), _list(_TRIPS)]),
    (2, [_list(_EVENTS), _list(_COURSES)]),
    (2, [_list(_SHOPS), _list(_HOURS)]),
    (1, [_list(_ROADS), _list(_STATES)]),
]

_NOUNS = """bread, soup, letter, basket, lamp, garden, river, bridge, market, village, window,
    ladder, bicycle, umbrella, blanket, mirror, suitcase, poem, story, map, rain, wind, snow,
    music, train, ferry, library, kitchen, harbor, forest, breakfast, dinner, squirrel, mouse"""
_ADVERBS = """quietly, again, carefully, slowly, quickly, yesterday, tomorrow, outside, upstairs,
    perhaps, together, nearby, welcome, listen, wait, hurry, everyone, nobody, later, finally"""

# Short words -----------------------------------------------------------------------------------

_S_MEN = _list("man, boy, girl, cook, lad, king, nun, pal")
_S_WHO = [
    *_list("he, she, we, he, she, we"),
    *_all(["the"], _S_MEN),
    *_all(_list("my, our, his, her"), _list("dad, mom, aunt, son, boss")),
    *_all(["the"], _list("old, shy, sad, big"), _S_MEN),
]
_S_WHOM = [
    *_list("me, us, him, her"),
    *_all(_list("the, a"), _S_MEN),
    *_all(_list("the, a"), _list("shy, sad, big"), _S_MEN),
]
_S_PETS = _list("cat, dog, cow, hen, pig, fox, rat")
_S_PET = [
    *_all(_list("the, a, my, his, her"), _S_PETS),
    *_all(_list("the, a, my"), _list("big, fat, shy, wet, sad"), _S_PETS),
]
_S_SPOTS = _list("""at home, at six, at the inn, at the zoo, at the gym, in the hut,
    in the sun, in the fog, in the van, in a car, by the sea, by the bay, by the oak, by the bus,
    in my hut, in the big hut, at the old inn, by the old oak, in the new van""")
_S_WAYS = _list("""up, off, home, out, to the inn, to the zoo, to the gym,
    to the hut, to the sea, to the bay, to the bus, to my car, to the van, to the old inn,
    to the old oak, to the big bay, up to the old hut""")
_S_WHEN = _list("too, now, again, by day, at six, at ten, all day, for a bit")
_S_GOODS = _things(
    _list("old, big, red, new, odd, wet"), _list("box, bag, cup, pot, pen, mug, toy, jar, hat, map")
)
_S_FOOD = _things(_list("big, hot"), _list("pie, bun, ham, egg"))

_S_KINDS: list[tuple[int, Sequence[Phrases]]] = [
    (3, [_S_WHO, _list("sat, lay, sang, hid, ate"), ["", *_S_SPOTS]]),
    (3, [_S_WHO, _list("ran, got, went, came"), _S_WAYS, ["", *_S_WHEN]]),
    (3, [_S_WHO, _list("got, hid, saw, had"), _S_GOODS, ["", *_S_WHEN]]),
    (3, [_S_WHO, _list("ate, had, saw, got"), _S_FOOD, ["", *_S_SPOTS]]),
    (3, [_S_WHO, _list("met, saw"), _S_WHOM, ["", *_S_SPOTS]]),
    (3, [_S_WHO, _list("fed, led, saw, had"), _S_PET, ["", *_S_SPOTS]]),
    (2, [_S_PET, _list("sat, lay, hid, ran, ate"), ["", *_S_SPOTS]]),
    (1, [_list("it, the day, the sun, the air, the tea"), _list("was hot, was so hot")]),
    (1, [_list("the sea, the bay, the day, the air"), _list("was icy, was so icy")]),
]


# As a whole ------------------------------------------------------------------------------------

LONG = Vocabulary(
    _KINDS,
    _list("""yesterday, later, one day, this time, in the end, the next day, a week later,
        on a cold day, on the second day, on the way home"""),
    (
        _list("and, and, but, so, and then, and later, and soon"),
        _list("while, because, before, after, when, as, although, because, while"),
    ),
    [
        *_list(_NOUNS),
        *_list(_ADVERBS),
        *(*_PEOPLE, *_MANY, *_ANIMALS, *_TRAITS),
        *(verb for verb in (*_DID, *_REACTED) if " " not in verb),
    ],
)
"""Words of any length."""

SHORT = Vocabulary(
    _S_KINDS,
    _list("now, one day, at six, by day"),
    (_list("and, so, but, and, so"), _list("as, as, and so")),
    [*_S_MEN, *_S_PETS],
)
"""Words of about three letters."""
