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
        objects: the chunks without a preposition of their own.
        others: those with one.
        heads: of all of them.
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
    objects: list[Chunk] = field(default_factory=list)
    others: list[Chunk] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)


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

    __slots__ = (
        "chunk", "clause", "clauses", "meanwhile", "prep", "purpose", "remark", "why"
    )  # fmt: skip

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
        chunk = self.chunk
        if chunk is None:
            return
        self.chunk = None
        if not chunk.head:
            if not chunk.rest:
                return
            chunk.words.append("rest")  # "serve with the rest"
            chunk.head, chunk.kind = "rest", Kind.WHOLE
        if self.why and chunk.kind is not Kind.TOOL:
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
        if self.chunk is not None:
            self.flush()
        clause = self.clause
        if self.prep and not clause.chunks:
            clause.particle = self.prep
        if clause.verb or clause.chunks:
            self.clauses.append(clause)
            for chunk in clause.chunks:
                (clause.objects if chunk.prep in ("", "of") else clause.others).append(chunk)
                clause.heads.append(chunk.head)
        opens = sentence or (clause.aside and clause.opens)
        self.prep, self.why = "", False
        if sentence:
            self.meanwhile, self.purpose, self.remark = False, "", False
        self.clause = fresh = Clause()
        fresh.opens, fresh.meanwhile = opens, self.meanwhile
        fresh.purpose, fresh.remark = self.purpose, self.remark

    def nominal(self, word: str, kind: Kind) -> None:
        """A word of a noun phrase."""
        chunk = self.chunk
        if chunk is None:
            chunk = self.chunk = Chunk()
            chunk.prep = self.prep
        chunk.words.append(word)
        if kind in _NOMINAL:
            chunk.head, chunk.kind = stem(word), kind

    def mark(self) -> Chunk:
        """The noun phrase at hand, begun if need be."""
        chunk = self.chunk
        if chunk is None:
            chunk = self.chunk = Chunk()
            chunk.prep = self.prep
        return chunk
