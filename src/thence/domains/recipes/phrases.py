"""Noun phrases and clauses, and the draft in which they are put together."""

from __future__ import annotations

from dataclasses import dataclass, field

from thence.domains.recipes.lexicon import Kind, stem

_NOMINAL = frozenset((Kind.NOUN, Kind.TOOL, Kind.PRODUCT, Kind.WHOLE, Kind.PART, Kind.PRONOUN))


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
        counted: it stands with a number or measure.
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
    counted: bool = False


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
        back: something is put back.
        apart: something is set aside.
        trailing: a preposition after the object without a noun, as in "fold it in".
        remark: it belongs to a sentence that only tells something.
        purpose: what the sentence says that it is for, as in "for the sauce, ..."; empty for none.
    """

    verb: str = ""
    chunks: list[Chunk] = field(default_factory=list)
    particle: str = ""
    aside: bool = False
    meanwhile: bool = False
    opens: bool = False
    back: bool = False
    apart: bool = False
    trailing: str = ""
    remark: bool = False
    purpose: str = ""


class Draft:
    """The clauses of one step while they are read.

    Attributes:
        clauses: those that are done.
        clause: the one at hand.
        chunk: the noun phrase at hand; None for none.
        prep: the preposition that waits for a noun phrase.
        meanwhile: the sentence opens with "meanwhile".
        purpose: what the sentence says that it is for.
        remark: the sentence only tells something.
        why: what follows only says why, as in "stir to dissolve the sugar".
    """

    def __init__(self) -> None:
        self.clauses: list[Clause] = []
        self.clause = Clause(opens=True)
        self.chunk: Chunk | None = None
        self.prep = ""
        self.meanwhile = False
        self.purpose = ""
        self.remark = False
        self.why = False

    def flush(self) -> None:
        """Ends the noun phrase at hand."""
        chunk, self.chunk = self.chunk, None
        if chunk is not None and chunk.rest and not chunk.head:  # "serve with the rest"
            chunk.words.append("rest")
            chunk.head, chunk.kind = "rest", Kind.WHOLE
        if chunk is None or not chunk.head or (self.why and chunk.kind is not Kind.TOOL):
            return
        chunks = self.clause.chunks
        if chunks and (
            chunk.prep == "of" or (chunk.prep == "from" and chunks[-1].kind is Kind.PART)
        ):  # "the top of the cake", "the bowl of a mixer"
            whole = chunks[-1]
            chunk.prep = whole.prep
            if whole.kind is Kind.PART:
                while chunks and chunks[-1].kind is Kind.PART:
                    chunks.pop()
            elif chunk.indefinite and whole.kind is Kind.TOOL:
                whole.indefinite = True
        chunks.append(chunk)

    def end(self, *, sentence: bool) -> None:
        """Ends the clause at hand."""
        self.flush()
        if self.prep and not self.clause.chunks:
            self.clause.particle = self.prep
        if self.clause.verb or self.clause.chunks:
            self.clauses.append(self.clause)
        opens = sentence or (self.clause.aside and self.clause.opens)
        self.prep, self.why = "", False
        if sentence:
            self.meanwhile, self.purpose, self.remark = False, "", False
        self.clause = Clause(
            opens=opens, meanwhile=self.meanwhile, purpose=self.purpose, remark=self.remark
        )

    def nominal(self, word: str, kind: Kind) -> None:
        """A word of a noun phrase."""
        if self.chunk is None:
            self.chunk = Chunk(prep=self.prep)
        chunk = self.chunk
        chunk.words.append(word)
        if kind is Kind.NOUN or kind in _NOMINAL:
            chunk.head, chunk.kind = stem(word), kind

    def mark(self) -> Chunk:
        """The noun phrase at hand, begun if need be."""
        if self.chunk is None:
            self.chunk = Chunk(prep=self.prep)
        return self.chunk
