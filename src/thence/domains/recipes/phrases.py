"""Noun phrases and clauses, and the draft that builds them."""

from __future__ import annotations

from collections.abc import Sequence

from thence.domains.recipes.lexicon import Kind, stem

_NOMINAL = frozenset((Kind.NOUN, Kind.TOOL, Kind.PRODUCT, Kind.WHOLE, Kind.PART, Kind.PRONOUN))


class Chunk:
    """A noun phrase.

    Attributes:
        words: its nouns and adjectives, in lower case; the last is the head.
        stems: the same words in the singular.
        head: the last noun in the singular; empty if there is none.
        kind: word class of the head.
        definite: it has "the", a possessive or "this".
        rest: it has "the remaining", "the rest of" or "the other".
        part: it has "half of" or "some of".
        prep: the preposition before it; empty for an object.
        same: it has "the same".
        indefinite: it has "a", "another" or "a second".
        counted: it has a number or measure.
    """

    __slots__ = (
        "counted", "definite", "head", "indefinite", "kind", "part", "prep", "rest", "same",
        "stems", "words",
    )  # fmt: skip

    def __init__(self, prep: str) -> None:
        self.words: list[str] = []
        self.stems: list[str] = []
        self.head = ""
        self.kind = Kind.NOUN
        self.definite = self.rest = self.part = self.same = False
        self.indefinite = self.counted = False
        self.prep = prep

    @property
    def name(self) -> str:
        """Its words up to the head, as in "pat the beef dry"."""
        last = len(self.words)
        while last > 1 and self.stems[last - 1] != self.head:
            last -= 1
        return " ".join(self.words[:last])


class Clause:
    """A verb with its noun phrases, in the order of the text.

    Attributes:
        verb: in lower case; empty if the clause has none.
        chunks: objects and the noun phrases after prepositions.
        particle: a preposition right after the verb without a noun of its own, as in "stir in".
        aside: the clause only says when, how or until when.
        meanwhile: it opens with "meanwhile".
        opens: it is the first of its sentence.
        back: something is put back.
        apart: something is set aside.
        trailing: a preposition after the object without a noun, as in "fold it in".
        remark: it belongs to a sentence without an instruction.
        purpose: the stated purpose of the sentence, as in "for the sauce, ..."; empty for none.
        objects: the chunks without a preposition of their own.
        others: the chunks with a preposition.
        heads: heads of all chunks.
    """

    __slots__ = (
        "apart", "aside", "back", "chunks", "heads", "meanwhile", "objects", "opens", "others",
        "particle", "purpose", "remark", "trailing", "verb",
    )  # fmt: skip

    def __init__(self, *, opens: bool, draft: RecipeDraft | None = None) -> None:
        self.verb = self.particle = self.trailing = ""
        self.chunks: list[Chunk] = []
        self.aside = self.back = self.apart = False
        self.opens = opens
        self.meanwhile = draft is not None and draft.meanwhile
        self.remark = draft is not None and draft.remark
        self.purpose = "" if draft is None else draft.purpose
        self.objects: Sequence[Chunk] = ()
        self.others: Sequence[Chunk] = ()
        self.heads: Sequence[str] = ()


class RecipeDraft:
    """The clauses of one step during parsing.

    Attributes:
        clauses: the finished clauses.
        clause: the current clause.
        chunk: the current noun phrase; None for none.
        prep: the preposition that waits for a noun phrase.
        meanwhile: the sentence opens with "meanwhile".
        purpose: the stated purpose of the sentence.
        remark: the sentence has no instruction.
        why: the rest only gives a reason, as in "stir to dissolve the sugar".
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
        """End the current noun phrase."""
        chunk = self.chunk
        if chunk is None:
            return
        self.chunk = None
        if not chunk.head:
            if not chunk.rest:
                return
            chunk.words.append("rest")  # "serve with the rest"
            chunk.stems.append("rest")
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
        """End the current clause."""
        if self.chunk is not None:
            self.flush()
        clause = self.clause
        if self.prep and not clause.chunks:
            clause.particle = self.prep
        if clause.verb or clause.chunks:
            self.clauses.append(clause)
            chunks = clause.chunks
            clause.objects = [chunk for chunk in chunks if chunk.prep in ("", "of")]
            clause.others = [chunk for chunk in chunks if chunk.prep not in ("", "of")]
            clause.heads = [chunk.head for chunk in chunks]
        opens = sentence or (clause.aside and clause.opens)
        self.prep, self.why = "", False
        if sentence:
            self.meanwhile, self.purpose, self.remark = False, "", False
        self.clause = Clause(opens=opens, draft=self)

    def nominal(self, word: str, kind: Kind) -> None:
        """Add a word to the current noun phrase."""
        chunk = self.chunk
        if chunk is None:
            chunk = self.chunk = Chunk(self.prep)
        bare = stem(word)
        chunk.words.append(word)
        chunk.stems.append(bare)
        if kind in _NOMINAL:
            chunk.head, chunk.kind = bare, kind

    def mark(self) -> Chunk:
        """Return the current noun phrase, or begin one."""
        chunk = self.chunk
        if chunk is None:
            chunk = self.chunk = Chunk(self.prep)
        return chunk
