"""Sentences of a recipe cut into clauses: a verb, what it is done to, and in, with or into what.

One pass over the words, by rules alone: no word is looked at more than twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from thence.domains.recipes.lexicon import (
    EDIBLE,
    EITHER,
    INTRODUCES,
    LETS,
    PARTIAL,
    PARTICLES,
    STAPLES,
    SUBORDINATE,
    VERBS,
    Kind,
    kind_of,
    stem,
)

_TOKEN = re.compile(r"[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*|\d[\w./°%½¼¾⅓⅔-]*|[½¼¾⅓⅔]|[.,;:!?()\n]")
_ENDS = frozenset(".;:!?\n")
_FUNCTION = frozenset(
    (Kind.DETERMINER, Kind.PREPOSITION, Kind.PRONOUN, Kind.UNTIL, Kind.CONJUNCTION, Kind.ADVERB)
)
_NOMINAL = frozenset((Kind.NOUN, Kind.TOOL, Kind.PRODUCT, Kind.WHOLE, Kind.PART))


@dataclass(slots=True)
class Chunk:
    """A noun phrase.

    Attributes:
        words: its nouns and adjectives, in small letters; the last is the head.
        head: the last noun without its plural; empty where there is none.
        kind: of the head.
        definite: it stands with "the", a possessive or "this".
        rest: "the remaining", "the rest of", "the other".
        part: "half of", "some of".
        prep: the preposition before it; empty for an object.
        same: "the same".
        indefinite: "a", "another", "a second".
    """

    words: list[str] = field(default_factory=list)
    head: str = ""
    kind: Kind = Kind.NOUN
    definite: bool = False
    rest: bool = False
    part: bool = False
    prep: str = ""
    same: bool = False
    indefinite: bool = False


@dataclass(slots=True)
class Clause:
    """A verb with its noun phrases, in the order of the text.

    Attributes:
        verb: in small letters; empty where the clause has none.
        chunks: objects and what follows prepositions.
        particle: a preposition right after the verb without a noun of its own, as in "stir in".
        aside: the clause only says when, how or until when.
        meanwhile: it opens with "meanwhile".
        opens: it is the first of its sentence.
    """

    verb: str = ""
    chunks: list[Chunk] = field(default_factory=list)
    particle: str = ""
    aside: bool = False
    meanwhile: bool = False
    opens: bool = False


class _Reader:
    """Collects the clauses of one step."""

    def __init__(self) -> None:
        self.clauses: list[Clause] = []
        self.clause = Clause(opens=True)
        self.chunk: Chunk | None = None
        self.prep = ""
        self.aside = False
        self.meanwhile = False

    def flush(self) -> None:
        """Ends the noun phrase at hand."""
        chunk, self.chunk = self.chunk, None
        if chunk is not None and chunk.head:
            self.clause.chunks.append(chunk)

    def end(self, *, sentence: bool) -> None:
        """Ends the clause at hand."""
        self.flush()
        if self.prep and not self.clause.chunks:
            self.clause.particle = self.prep
        if self.clause.verb or self.clause.chunks:
            self.clauses.append(self.clause)
        self.clause = Clause(opens=sentence, meanwhile=self.meanwhile)
        self.prep, self.aside = "", False
        if sentence:
            self.meanwhile = False

    def nominal(self, word: str, kind: Kind) -> None:
        """A word of a noun phrase."""
        if self.chunk is None:
            self.chunk = Chunk(prep=self.prep)
        chunk = self.chunk
        chunk.words.append(word)
        if kind in _NOMINAL:
            chunk.head, chunk.kind = stem(word), kind

    def mark(self) -> Chunk:
        """The noun phrase at hand, begun if need be."""
        if self.chunk is None:
            self.chunk = Chunk(prep=self.prep)
        return self.chunk


def clauses(text: str) -> list[Clause]:
    """The clauses of a step, asides included and marked as such."""
    tokens = _TOKEN.findall(text.lower())
    reader = _Reader()
    fresh = True  # a verb may stand here
    size = len(tokens)
    for place, word in enumerate(tokens):
        if word in _ENDS:
            reader.end(sentence=word != ":")
            fresh = True
            continue
        if word in ",()":
            reader.flush()
            if reader.clause.aside:
                reader.end(sentence=False)
            fresh = True
            continue
        kind = kind_of(word)
        after = tokens[place + 1] if place + 1 < size else "."
        if kind is Kind.CONJUNCTION:
            _conjunction(reader, word, fresh)
            fresh = True
            continue
        if fresh and _is_verb(word, after, reader):
            if reader.clause.verb or reader.clause.chunks:
                reader.end(sentence=False)
            reader.clause.verb = word
            reader.prep = ""
            fresh = False
            continue
        fresh = _take(reader, word, kind, after, fresh)
    reader.end(sentence=True)
    return reader.clauses


def _conjunction(reader: _Reader, word: str, fresh: bool) -> None:
    reader.flush()
    if word in SUBORDINATE:
        if reader.clause.verb or reader.clause.chunks:
            reader.end(sentence=False)
        reader.clause.aside = True


def _is_verb(word: str, after: str, reader: _Reader) -> bool:
    """Whether a word that stands where a verb may stand is one."""
    if word not in VERBS or reader.clause.aside:
        return False
    if word not in EITHER:
        return True
    clause = reader.clause
    following = kind_of(after)
    if not clause.verb and not clause.chunks and clause.opens and reader.chunk is None:
        return (
            word not in EDIBLE
            or following in (Kind.DETERMINER, Kind.PRONOUN, Kind.MEASURE)
            or (after not in ("and", ",", "of") and word not in STAPLES)
        )
    if following in (Kind.DETERMINER, Kind.PRONOUN):
        return True
    if word in EDIBLE:
        return False
    return following in _FUNCTION or following is Kind.MEASURE or after in (".", ";", ",", "and")


def _take(reader: _Reader, word: str, kind: Kind, after: str, fresh: bool) -> bool:
    """A word that is neither verb, mark nor conjunction; returns whether a verb may follow."""
    if kind is Kind.UNTIL:
        reader.end(sentence=False)
        reader.clause.aside = True
        return False
    if word in PARTICLES and reader.clause.verb and not reader.clause.chunks and not reader.chunk:
        reader.clause.particle = reader.clause.particle or word
        return False
    if kind is Kind.PREPOSITION:
        if (
            word == "of"
            and reader.chunk is not None
            and (reader.chunk.rest or reader.chunk.part or not reader.chunk.head)
        ):
            return False
        reader.flush()
        reader.prep = "" if word == "of" and not reader.clause.chunks else word
        if word not in INTRODUCES and word not in ("from", "of", "under", "around", "through"):
            reader.prep = reader.prep or word
        if reader.clause.verb and not reader.clause.chunks and not reader.clause.particle:
            reader.clause.particle = word if kind_of(after) is not Kind.TIME else ""
        return False
    if word in PARTIAL and (word not in VERBS or reader.chunk is not None):
        reader.mark().part = True
        return False
    if kind is Kind.DETERMINER:
        if reader.chunk is not None and reader.chunk.head:
            reader.flush()
        chunk = reader.mark()
        chunk.definite = word not in ("a", "an", "some", "any", "each", "every", "all", "both")
        chunk.indefinite = word in ("a", "an")
        return False
    if (
        word in VERBS
        and reader.clause.verb
        and reader.chunk is None
        and (reader.prep == "to" or (reader.clause.verb in LETS and not reader.prep))
    ):
        reader.prep = ""  # "let stand", "leave to cool": one verb with the one before
        return False
    if kind is Kind.PRONOUN:
        reader.flush()
        chunk = reader.mark()
        chunk.words.append(word)
        chunk.head, chunk.kind = word, Kind.PRONOUN
        reader.flush()
        return False
    if kind is Kind.REST:
        chunk = reader.mark()
        chunk.rest = True
        return False
    return _describe(reader, word, kind, fresh)


def _describe(reader: _Reader, word: str, kind: Kind, fresh: bool) -> bool:
    if word in ("meanwhile", "meantime"):
        reader.meanwhile = reader.clause.meanwhile = True
        if reader.chunk is not None:
            reader.chunk = None
        reader.prep = ""
        return True
    if kind is Kind.ADVERB:
        if word.endswith("ing") and reader.clause.verb and fresh:
            reader.end(sentence=False)
            reader.clause.aside = True
        return fresh
    if kind is Kind.TIME:
        reader.chunk = None
        return fresh
    if kind in (Kind.MEASURE, Kind.ADJECTIVE):
        if kind is Kind.MEASURE and _refers(reader):
            reader.nominal(word, Kind.PART)
            return False
        if word in ("another", "separate", "second"):
            reader.mark().indefinite = True
        elif word == "same":
            reader.mark().same = True
        elif kind is Kind.ADJECTIVE:
            reader.nominal(word, kind)
        return False
    reader.nominal(word, Kind.NOUN if kind is Kind.VERB else kind)
    return False


def _refers(reader: _Reader) -> bool:
    """Whether a measure stands alone after "the", as in "the pieces"."""
    chunk = reader.chunk
    return chunk is not None and chunk.definite and not chunk.words
