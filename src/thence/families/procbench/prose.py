"""English sentences with an exact number of words, from a small grammar.

A sentence is a chain of clauses. A clause has slots, such as a subject and a place, and each slot
has a list of phrases that fit those of the other slots. The number of words of every phrase is
known, so that a clause of a given length is composed and not searched for.
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
    """Return a sentence of exactly ``count`` words, capitalised and without punctuation.

    Args:
        rng: the source of all randomness.
        count: number of words, at least 1.
        short: whether to use only words of about three letters.
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
    """The patterns of clauses by length, and the conjunctions between clauses.

    Args:
        words: the vocabulary of the clauses.
    """

    def __init__(self, words: Vocabulary) -> None:
        self.patterns: dict[int, list[Pattern]] = {size: [] for size in range(2, LONGEST + 1)}
        for weight, slots in words.kinds:
            for size, patterns in _by_size(slots).items():
                # Each kind gets about its weight, independent of its number of patterns.
                self.patterns[size] += patterns * max(1, round(weight * 20 / len(patterns)))
        self.openings = _sized(words.openings)
        self.joints = [_sized(group) for group in words.joints]
        self.alone = words.alone


def _by_size(slots: Sequence[Phrases]) -> dict[int, list[Pattern]]:
    """Return the patterns of some slots by their number of words."""
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
