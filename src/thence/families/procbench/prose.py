"""English sentences of an exact number of words, from a small grammar.

A sentence is a chain of clauses. A clause has slots, such as a subject and a place, and each slot a
list of phrases that go together with those of the others; a phrase counts as its number of words,
so that a clause of some length is put together rather than searched for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from random import Random

from thence.families.procbench.vocabulary import LONG, SHORT, Phrases, Vocabulary

LONGEST = 12  # words in a clause

type Pattern = list[Phrases]
"""The slots of a clause; all phrases of a slot have the same number of words."""


def words(rng: Random, count: int, *, short: bool = False) -> list[str]:
    """A sentence of exactly ``count`` words, without punctuation; the first word is capitalised.

    Args:
        rng: all chance.
        count: how many words, at least 1.
        short: whether to keep to words of about three letters.
    """
    random, bits = rng.random, rng.getrandbits
    grammar = _grammar(short)
    if count == 1:
        return [grammar.alone[bits(30) % len(grammar.alone)].capitalize()]
    rest, turn = count, bits(30) % 2
    parts: list[str] = []
    if rest > 6 and random() < 0.25:
        opening, size = grammar.openings[bits(30) % len(grammar.openings)]
        parts.append(opening)
        rest -= size
    while True:
        last = rest <= 7 + bits(30) % (LONGEST - 6)
        length = rest if last else min(4 + bits(30) % 6, rest - 4)
        patterns = grammar.patterns[length]
        pattern = patterns[bits(30) % len(patterns)]
        parts += [phrases[bits(30) % len(phrases)] for phrases in pattern]
        if last:
            break
        joints = grammar.joints[turn]
        joint, size = joints[bits(30) % len(joints)]
        parts.append(joint)
        rest -= length + size
        turn = 1 - turn
    sentence = " ".join(parts).split(" ")
    sentence[0] = sentence[0].capitalize()
    return sentence


class _Grammar:
    """The patterns of clauses by length, and what joins clauses.

    Args:
        words: what they are made of.
    """

    def __init__(self, words: Vocabulary) -> None:
        self.patterns: dict[int, list[Pattern]] = {size: [] for size in range(2, LONGEST + 1)}
        for weight, slots in words.kinds:
            for size, patterns in _by_size(slots).items():
                # Each kind gets about its weight, however many patterns it has.
                self.patterns[size] += patterns * max(1, round(weight * 20 / len(patterns)))
        self.openings = _sized(words.openings)
        self.joints = [_sized(group) for group in words.joints]
        self.alone = words.alone


def _by_size(slots: Sequence[Phrases]) -> dict[int, list[Pattern]]:
    """The patterns of slots by their number of words."""
    choices = []
    for slot in slots:
        grouped: dict[int, Phrases] = {}
        for phrase in slot:
            grouped.setdefault(phrase.count(" ") + 1 if phrase else 0, []).append(phrase)
        choices.append(grouped)
    found: dict[int, list[Pattern]] = {}
    for sizes in product(*choices):
        total = sum(sizes)
        if 2 <= total <= LONGEST:
            pattern = [choice[size] for choice, size in zip(choices, sizes, strict=True) if size]
            found.setdefault(total, []).append(pattern)
    return found


def _sized(phrases: Phrases) -> list[tuple[str, int]]:
    return [(phrase, len(phrase.split())) for phrase in phrases]


@cache
def _grammar(short: bool) -> _Grammar:
    return _Grammar(SHORT if short else LONG)
