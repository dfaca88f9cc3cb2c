"""Shortcuts: strategies that answer a question by its surface and carry nothing out."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from thence.core.sample import Sample

SIZE = 400
"""Questions of a task on which shortcuts are scored where no other number is asked for."""

_WORD = re.compile(r"[a-z][a-z-]*")
_NUMBER = re.compile(r"\d+")
_TEXTS = 1 << 14  # lines whose words are kept: those of the steps of a few hundred procedures
_PROCEDURES = 1 << 10  # as many procedures of which the texts of all steps are kept
_SHOWN = (
    "question", "procedure", "origin", "statements", "edges", "step_pair", "names", "options",
    "template",
)  # fmt: skip
SMALL = frozenset(("a", "an", "and", "by", "for", "from", "in", "is", "of", "on", "the", "to"))


@lru_cache(_TEXTS)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in small letters."""
    return tuple(_WORD.findall(text.lower()))


@lru_cache(_TEXTS)
def word_set(text: str) -> frozenset[str]:
    """Return the different words of a line or a step, of which many questions have the same."""
    return frozenset(words(text))


def _words_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(word_set, texts))


@lru_cache(_TEXTS)
def _words_in(texts: tuple[str, ...], places: range) -> frozenset[str]:
    """Return the words of some steps next to one another."""
    return _words_of(texts[k] for k in places)


@lru_cache(_PROCEDURES)
def _words_of_paragraph(text: str) -> frozenset[str]:
    """Return the different words of the lines of a paragraph, such as the steps of a procedure."""
    return _words_of(text.split("\n"))


@lru_cache(_PROCEDURES)
def _lowered(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts of the steps of a procedure in small letters."""
    return tuple(text.lower() for text in texts)


@lru_cache(_PROCEDURES)
def _actions(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first word of each step of a procedure."""
    return tuple(map(_first_word, texts))


@lru_cache(_TEXTS)
def _mentions(fact: str, texts: tuple[str, ...]) -> tuple[int, ...]:
    """Return the steps that name every word of a fact."""
    wanted = re.findall(r"\w+", fact.lower().rpartition("(")[2])
    named = texts if wanted else ()
    return tuple(k for k, text in enumerate(named) if all(word in text for word in wanted))


class ShownQuestion:
    """A question as a reader of its prompt sees it: no truth, id, witness or explanation.

    Attributes:
        text: the prompt.
        values: the values of the question, such as ``i``, ``j`` and ``fact``.
        steps: the steps of its procedure, if it has one. Only where their texts say so much by
            themselves may a shortcut look at what they use, define and kill.
        texts: the texts of the steps, in small letters.
        i: the number of the step that is asked about, from 0; None where there is none.
        j: the number of the other step that is asked about; None where there is none.
        fact: the thing that is asked about; empty where there is none.
        sample: the sample without what the prompt does not show.
    """

    def __init__(self, sample: Sample) -> None:
        metadata = {name: sample.metadata[name] for name in _SHOWN if name in sample.metadata}
        self.sample = replace(sample, id="", target=None, metadata=metadata)
        self.text = sample.input
        asked = metadata.get("question")
        self.values: Mapping[str, Any] = asked if isinstance(asked, Mapping) else {}
        procedure = metadata.get("procedure") or {}
        self.steps: Sequence[Mapping[str, Any]] = procedure.get("steps", ())
        self.texts = _lowered(tuple(str(step["text"]) for step in self.steps))
        self.i, self.j = self._place("i"), self._place("j")
        self.fact = str(self.values.get("fact") or "")

    def _place(self, name: str) -> int | None:
        place = self.values.get(name)
        return place if isinstance(place, int) and 0 <= place < len(self.steps) else None

    @cached_property
    def sentence(self) -> str:
        """The last paragraph before how to answer, which asks the question."""
        parts = [part for part in self.text.split("\n\n") if part.strip()] or [""]
        return parts[-2] if len(parts) > 1 else parts[-1]

    @cached_property
    def mentions(self) -> tuple[int, ...]:
        """The steps that name every word of the fact."""
        return _mentions(self.fact, self.texts)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The first word of each step."""
        return _actions(self.texts)

    @property
    def between(self) -> range:
        """The steps between the two that are asked about, or after the only one."""
        if self.i is None:
            return range(0)
        if self.j is None:
            return range(self.i + 1, len(self.steps))
        low, high = sorted((self.i, self.j))
        return range(low + 1, high)

    @property
    def before(self) -> range:
        """The steps before those that are asked about."""
        return range(min(k for k in (self.i, self.j, len(self.steps)) if k is not None))

    @property
    def after(self) -> range:
        """The steps after those that are asked about."""
        last = max((k for k in (self.i, self.j) if k is not None), default=-1)
        return range(last + 1, len(self.steps))

    def step(self, place: int | None, ahead: int = 0) -> Mapping[str, Any] | None:
        """Return a step, or one so many steps further on; None where there is none."""
        if place is None or not 0 <= place + ahead < len(self.steps):
            return None
        return self.steps[place + ahead]


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A strategy that looks at one thing on the surface of a question.

    Attributes:
        name: such as ``distance``; unique within a task.
        text: what it goes by, in one line.
        value: takes a question and returns what is seen: a number, for thresholds; a set of words;
            any other hashable value; or an answer, for a guess.
        guess: whether the value is an answer (None: no answer). One of many needs no fitting; one
            of few is fitted like any other value.
    """

    name: str
    text: str
    value: Callable[[ShownQuestion], Any]
    guess: bool = False


def heuristic(answer: Callable[[Sample], Any]) -> Shortcut:
    """Return the answer of the heuristic baseline as a shortcut.

    Args:
        answer: returns it for a question, None for no answer.
    """
    text = "the answer of baseline/heuristic"
    return Shortcut("heuristic", text, lambda shown: answer(shown.sample), guess=True)


def group(
    look: Callable[[ShownQuestion], Mapping[str, Any]], texts: Mapping[str, str]
) -> list[Shortcut]:
    """Return the shortcuts of a function that looks at several things at once, one for each text.

    Args:
        look: returns what is seen, by name.
        texts: by the same names, what each goes by.
    """
    seen = lru_cache(maxsize=2)(look)

    def named(name: str) -> Callable[[ShownQuestion], Any]:
        return lambda shown: seen(shown).get(name)

    return [Shortcut(name, text, named(name)) for name, text in texts.items()]


def _first(places: Sequence[int]) -> int | None:
    return places[0] if places else None


def _away(shown: ShownQuestion, places: Sequence[int]) -> int | None:
    """Return the distance from step i to the first of some steps."""
    return None if shown.i is None or not places else places[0] - shown.i


def _at(items: Sequence[Hashable], place: int | None, ahead: int = 0) -> Hashable:
    inside = place is not None and 0 <= place + ahead < len(items)
    return items[place + ahead] if place is not None and inside else None


def _shared(shown: ShownQuestion, one: int | None, other: int | None) -> int | None:
    if one is None or other is None or not 0 <= other < len(shown.texts):
        return None
    return len((word_set(shown.texts[one]) & word_set(shown.texts[other])) - SMALL)


def _within(shown: ShownQuestion, places: Sequence[int]) -> int:
    """Return how many of some steps name the fact."""
    return len(set(shown.mentions) & set(places))


def _beyond(shown: ShownQuestion, place: int | None) -> int | None:
    return None if place is None else len(shown.steps) - place


def _length(shown: ShownQuestion, place: int | None) -> int | None:
    return None if place is None else len(shown.texts[place].split())


def _share(shown: ShownQuestion, place: int | None) -> float | None:
    return None if place is None else place / len(shown.steps)


def _said(shown: ShownQuestion) -> str:
    """Return the words of the question without the names and numbers in it."""
    return " ".join(words(_NUMBER.sub("", shown.sentence))[:12])


def _first_word(text: str, place: int = 0) -> str:
    found = words(text)
    return found[place] if found else ""


def _both(shown: ShownQuestion) -> Hashable:
    return _at(shown.actions, shown.i), _at(shown.actions, shown.j)


def _words_at(shown: ShownQuestion, place: int | None) -> frozenset[str]:
    return word_set(shown.texts[place]) if place is not None else frozenset()


GENERIC: Sequence[Shortcut] = (
    Shortcut("prompt length", "characters of the prompt", lambda s: len(s.text)),
    Shortcut(
        "prompt words",
        "which words occur in the prompt",
        lambda s: frozenset().union(*map(_words_of_paragraph, s.text.lower().split("\n\n"))),
    ),
    Shortcut("first word", "the first word of the question", lambda s: _first_word(s.sentence)),
    Shortcut("last word", "the last word of the question", lambda s: _first_word(s.sentence, -1)),
    Shortcut("wording", "how the question begins", _said),
    Shortcut("question words", "the question's words", lambda s: word_set(s.sentence)),
    Shortcut("question length", "words of the question", lambda s: len(s.sentence.split())),
)
"""Shortcuts for every question."""

STEPS: Sequence[Shortcut] = (
    Shortcut("steps", "number of steps", lambda s: len(s.steps)),
    Shortcut("i", "number of step i", lambda s: s.i),
    Shortcut("j", "number of step j", lambda s: s.j),
    Shortcut("i from the end", "steps from i to the end", lambda s: _beyond(s, s.i)),
    Shortcut("j from the end", "steps from j to the end", lambda s: _beyond(s, s.j)),
    Shortcut("place of i", "place of step i as a share of all", lambda s: _share(s, s.i)),
    Shortcut("place of j", "place of step j as a share of all", lambda s: _share(s, s.j)),
    Shortcut(
        "later step", "place of the later step asked about, as a share of all",
        lambda s: _share(s, max(s.i or 0, s.j or 0)) if s.steps else None,
    ),
    Shortcut(
        "distance", "steps from i to j", lambda s: None if None in (s.i, s.j) else s.j - s.i  # type: ignore[operator]
    ),
    Shortcut("length of i", "words of step i", lambda s: _length(s, s.i)),
    Shortcut("length of j", "words of step j", lambda s: _length(s, s.j)),
    Shortcut("action i", "first word of step i", lambda s: _at(s.actions, s.i)),
    Shortcut("action j", "first word of step j", lambda s: _at(s.actions, s.j)),
    Shortcut("action after i", "first word of the next step", lambda s: _at(s.actions, s.i, 1)),
    Shortcut("action before j", "first word before j", lambda s: _at(s.actions, s.j, -1)),
    Shortcut("actions", "first words of steps i and j", _both),
    Shortcut(
        "actions between", "first words of what stands between",
        lambda s: tuple(sorted({s.actions[k] for k in s.between}))[:4],
    ),
    Shortcut("words i", "which words step i has", lambda s: _words_at(s, s.i)),
    Shortcut("words j", "which words step j has", lambda s: _words_at(s, s.j)),
    Shortcut(
        "words between", "which words stand between i and j, or after i",
        lambda s: _words_in(s.texts, s.between),
    ),
    Shortcut(
        "words before", "which words stand before i",
        lambda s: _words_in(s.texts, s.before),
    ),
    Shortcut(
        "words after", "which words stand after the steps asked about",
        lambda s: _words_in(s.texts, s.after),
    ),
    Shortcut("shared words", "words that i and j share", lambda s: _shared(s, s.i, s.j)),
    Shortcut(
        "shared with next", "words that i shares with the next step",
        lambda s: None if s.i is None else _shared(s, s.i, s.i + 1),
    ),
    Shortcut("first step", "the first word of all", lambda s: _at(s.actions, 0)),
    Shortcut("last step", "first word of the last step", lambda s: _first(s.actions[::-1])),  # type: ignore[arg-type]
)  # fmt: skip
"""Shortcuts for questions about steps of a procedure."""

FACT: Sequence[Shortcut] = (
    Shortcut("fact", "the thing asked about", lambda s: s.fact),
    Shortcut("kind of fact", "its first word", lambda s: _first_word(s.fact)),
    Shortcut("mentions", "steps that name it", lambda s: len(s.mentions)),
    Shortcut("mentioned in i", "step i names it", lambda s: s.i in s.mentions),
    Shortcut("mentioned in j", "step j names it", lambda s: s.j in s.mentions),
    Shortcut("mentions before", "steps before i that name it", lambda s: _within(s, s.before)),
    Shortcut(
        "mentions between", "steps between, or after i, that name it",
        lambda s: _within(s, s.between),
    ),
    Shortcut("mentions after", "steps after i and j that name it", lambda s: _within(s, s.after)),
    Shortcut(
        "next mention", "steps from i to the next that names it",
        lambda s: _away(s, [k for k in s.mentions if s.i is not None and k > s.i]),
    ),
    Shortcut(
        "last mention", "steps from the last that names it to the end",
        lambda s: _beyond(s, _first(s.mentions[::-1])),
    ),
    Shortcut(
        "action of next mention", "first word of the next step that names it",
        lambda s: _at(s.actions, _first([k for k in s.mentions if k > (s.i or 0)])),
    ),
)  # fmt: skip
"""Shortcuts for questions about a thing that steps name."""


ANY: Sequence[Shortcut] = (*GENERIC, *STEPS, *FACT)
"""All of these; what a question lacks is left out."""
