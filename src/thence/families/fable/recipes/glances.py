"""Glances at recipes: who names a thing next, what kinds of steps stand where, what two share.

Each is a look at some steps of which the prompt says who does them, under which If, and what they
are about. None follows an order or a thing from step to step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from thence.core.shortcuts import Shortcut, ShownQuestion, group
from thence.domains.recipes.lexicon import stem
from thence.families.fable.recipes.shortcuts import SURE

_MANY = 2  # and more are told as one
_DIFFERENT = 3  # words that Ifs do not share, or more
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]{3,}")
_IF = re.compile(r"if ([^,]*), ")
_AS_IN = re.compile(r"as in step (\d+)")
_PRONOUN = re.compile(r"\b(?:it|them|these)\b")
_KINDS = {
    "get": re.compile(r"(?:if [^,]*, )?(?:get out|fetch|make sure that the)\b"),
    "put": re.compile(r".*\b(?:put|tidy)\b.{0,40}\baway\b"),
    "throw": re.compile(r"if .*throw (?:it|them) away"),
    "again": re.compile(r".*(?:make (?:it|them) again|again with new|some more .* as in step)"),
    "heat": re.compile(r".*\b(?:pre)?heat the oven"),
    "off": re.compile(r".*(?:turn the oven off|20 degrees lower|lowest setting)"),
    "alter": re.compile(
        r"(?:cover|wrap|chill|leave|rest|let|cool|brush|sprinkle|scatter|keep|dust)\b"
        r"|.*(?:looks uneven|feels stiff|stir (?:it|them) well|knead it once more)"
    ),
}
_UNDOING = ("get", "put", "heat", "off")
_BESIDES = re.compile(r"Besides what they say, Steps? ([\d, and]+).* with the ([a-z ]+), which")
_SMALL = frozenset(
    _WORD.findall(
        "about add again all and another away bowl bring clear cook cut dish each fetch few for"
        " from get half heat hot hour into its large leave little make minute more new not off once"
        " other out over pan place pot put rest serve some step stir table take teaspoon the their"
        " them then this tidy time two until use well with you your"
    )
)


class _Line(NamedTuple):
    """A step at a glance: its If, its kind and what it is about."""

    condition: str
    kind: str
    about: frozenset[str]
    model: int | None  # the step that it does again
    pronoun: bool


class _Seen(NamedTuple):
    lines: Sequence[_Line]
    cooks: Mapping[int, int]
    tool: str
    working: frozenset[int]  # the steps that are said to work with the tool
    sure: frozenset[int]  # those that are said only to make sure that it is out
    naming: Sequence[int]
    i: int
    j: int | None

    def where(self, k: int | None) -> str:
        """Return where a step stands relative to those asked about."""
        if k in (None, self.i, self.j):
            return "nowhere" if k is None else "at i" if k == self.i else "at j"
        ends = (self.i, self.i if self.j is None else self.j)
        return "before" if k < min(ends) else "after" if k > max(ends) else "between"

    def whose(self, k: int | None) -> tuple[bool, bool]:
        """Return whether a step is of the cook of i and of the cook of j."""
        return k is not None and self.same(k, self.i), k is not None and self.same(k, self.j)

    def event(self, k: int | None) -> tuple[str, bool] | None:
        """Return the kind of a step that names the thing, and whether it stands under an If."""
        if k is None:
            return None
        line = self.lines[k]
        return "sure" if k in self.sure else line.kind, line.condition > ""

    def same(self, k: int, other: int | None) -> bool:
        """Return whether one cook does two steps."""
        return other is not None and self.cooks.get(k) == self.cooks.get(other)


@lru_cache(1 << 12)
def _about(text: str) -> frozenset[str]:
    return frozenset(map(stem, _WORD.findall(text.lower()))) - _SMALL


@lru_cache(1 << 12)
def _line(text: str) -> _Line:
    condition, model = _IF.match(text), _AS_IN.search(text)
    return _Line(
        condition=condition[1] if condition else "",
        kind=next((name for name, kind in _KINDS.items() if kind.match(text)), ""),
        about=_about(text),
        model=int(model[1]) - 1 if model else None,
        pronoun=bool(_PRONOUN.search(text)),
    )


@lru_cache(1 << 12)
def _working(sentence: str) -> tuple[str, frozenset[int]]:
    """Return a tool and the steps that work with it, if a sentence says so."""
    found = _BESIDES.match(sentence)
    return (found[2], _numbers(found[1])) if found else ("", frozenset())


@lru_cache(1 << 12)
def _sure(sentence: str) -> frozenset[int]:
    """Return the step that only makes sure that something is out, if a sentence says so."""
    found = SURE.match(sentence)
    return _numbers(found[1]) if found else frozenset()


def _numbers(text: str) -> frozenset[int]:
    return frozenset(int(each) - 1 for each in _NUMBER.findall(text))


@lru_cache(1 << 12)
def _naming(asked: str, texts: tuple[str, ...], besides: frozenset[int]) -> tuple[int, ...]:
    """Return the steps that share a word with a thing, or are said to work with it."""
    words = _about(asked)
    return tuple(k for k, text in enumerate(texts) if k in besides or words & _line(text).about)


def _seen(shown: ShownQuestion) -> _Seen | None:
    cooks, i, asked = shown.values.get("cooks"), shown.i, shown.values
    if i is None or not cooks:
        return None
    reading = asked.get("reading") or ("",)
    tool, steps = max(map(_working, reading), key=itemgetter(0))
    name = shown.fact.partition(", in any")[0]
    besides = steps if name == tool else frozenset[int]()
    naming = _naming(name, shown.texts, besides) if name else ()
    own = {step: cook for cook, each in enumerate(cooks) for step in each}
    lines, sure = tuple(map(_line, shown.texts)), frozenset().union(*map(_sure, reading))
    return _Seen(lines, own, tool, steps, sure, naming, i, shown.j)


def _many(found: Iterable[object]) -> int:
    return min(_MANY, sum(1 for _ in found))


def _kind(shown: ShownQuestion, line: _Line, k: int) -> str:
    listed = shown.values.get("ingredients") or ()
    brings = not line.kind and any(each.lower() in shown.texts[k] for each in listed)
    return line.kind or ("bring" if brings else "work")


def _look(shown: ShownQuestion) -> dict[str, Any]:
    seen = _seen(shown)
    if seen is None:
        return {}
    i, j, lines, form = seen.i, seen.j, seen.lines, shown.values.get("form")
    kinds = tuple(_kind(shown, lines[k], k) for k in (i, j) if k is not None)
    told = {"kind of i": kinds[0], "kinds": (*kinds, form)}
    if shown.fact:
        made = shown.values.get("made") if form in ("itself", "within") else None
        told |= _things(seen, form, made) | _counts(seen, form)
    if j is None:
        return told
    ends = [lines[k].condition.split() for k in (i, j)]
    told |= {
        "conditions": (*map(bool, ends), min(_DIFFERENT, len(set(ends[0]) ^ set(ends[1])))),
    }
    hands = _hands(seen, min(i, j), max(i, j))
    told |= _back(seen, min(i, j), max(i, j))
    roles = {"tools of both": tuple(sorted(_role(seen, k) for k in (i, j)))}
    return told | hands | roles | _tool(seen, j, form or lines[i].kind)


def _back(seen: _Seen, low: int, high: int) -> dict[str, Any]:
    """Return whose the step before the later one is, and how far back the earlier's cook works."""
    back = next((high - k for k in range(high - 1, low, -1) if seen.same(k, low)), high - low)
    return {
        "before the later": (seen.same(high - 1, high), seen.same(high - 1, low)),
        "back to the earlier's cook": min(back, _DIFFERENT),
    }


def _role(seen: _Seen, k: int) -> str:
    """Return what a step has to do with equipment, if anything."""
    if k in seen.sure:
        return "sure"
    if seen.lines[k].kind in _UNDOING:
        return seen.lines[k].kind
    return "works" if k in seen.working else ""


def _hands(seen: _Seen, low: int, high: int) -> dict[str, Any]:
    """Return whether the two share a word, or one with a step between of the other's cook.

    Words of a tool do not count where one only makes sure that it is out, or both get it out.
    """
    tool, lines = _about(seen.tool), seen.lines

    def share(one: int, other: int) -> bool:
        a, b = lines[one], lines[other]
        free = a.kind == b.kind == "get" or one in seen.sure or other in seen.sure
        works = [k in seen.working or bool(lines[k].about & tool) for k in (one, other)]
        both = (a.about & b.about) - tool
        return bool(both) or (all(works) and not free) or (b.pronoun and other == one + 1)

    inside = range(low + 1, high)
    return {
        "alike": not lines[low].about.isdisjoint(lines[high].about),
        "handed on": (
            share(low, high),
            any(seen.same(k, low) and share(k, high) for k in inside),
            any(seen.same(k, high) and share(low, k) for k in inside),
        ),
    }


def _tool(seen: _Seen, j: int, form: str) -> dict[str, Any]:
    """Return how often equipment is got out between, and whether it is put away last."""
    lines, inside = seen.lines, range(seen.i + 1, j)
    out = [k for k in inside if lines[k].kind == "get"]
    last = max((k for k in range(j) if lines[k].kind == "put"), default=None)
    late = [k for k in out if last is None or k > last]
    return {
        "got out between": (form, _many(k for k in out if not lines[k].condition)),
        "got out, not away": (form, _many(k for k in late if not lines[k].condition)),
        "got out for j": (form, *(any(seen.same(k, j) for k in each) for each in (out, late))),
        "away last": (form, seen.where(last), last is not None and lines[last].condition > ""),
        "away between": (form, *(any(lines[k].kind == a for k in inside) for a in ("put", "off"))),
    }


def _things(seen: _Seen, form: Any, made: int | None) -> dict[str, Any]:
    """Return who names the thing next, before and anew, and where."""
    lines, i = seen.lines, seen.i
    stop = i if seen.j is None else seen.j
    later = next((k for k in seen.naming if k > i), None)
    last = next((k for k in reversed(seen.naming) if k < stop), None)
    again = next(
        (k for k, line in enumerate(lines) if line.model is not None and line.model in (made, i)),
        None,
    )
    why = "" if again is None else lines[again].condition
    thrown = (k for k, line in enumerate(lines) if line.kind == "throw" and line.condition == why)
    away, where = next(thrown, None), seen.where(later)
    ends = [k for k in seen.naming if lines[k].kind in _UNDOING] + [away or -1, again or -1]
    end = min((k for k in ends if k > i), default=None)
    own = [k for k in seen.naming if seen.same(k, stop)]
    held, then = (max((k for k in own if k < stop), default=None),
                  min((k for k in own if k > stop), default=None))  # fmt: skip
    after = min((k for k in seen.naming if k > stop), default=None)
    return {
        "last for its cook": seen.event(held),
        "next for its cook": seen.event(then),
        "around for its cook": (seen.event(held), seen.event(then)),
        "next after it": (seen.event(after), after is not None and seen.same(after, stop)),
        "next namer": (where, seen.whose(later)),
        "next namer, and form": (form, where == "after", seen.whose(later)),
        "next namer's If": (where, later is not None and lines[later].condition > ""),
        "last namer": (seen.where(last), seen.whose(last)),
        "kinds around": tuple(None if k is None else lines[k].kind for k in (last, later)),
        "thrown away": (seen.where(away), seen.whose(away)),
        "next undoing": (
            form,
            end is not None and end == later,
            end is not None and lines[end].condition > "",
        ),
        "made again": (seen.where(again), seen.whose(again)),
    }


def _counts(seen: _Seen, form: Any) -> dict[str, Any]:
    """Return how many steps name the thing that are carried out whenever those asked about are."""
    i, j, lines = seen.i, seen.i if seen.j is None else seen.j, seen.lines
    given = {"", lines[i].condition, lines[j].condition}
    sure = [k for k in seen.naming if lines[k].condition in given and k not in (i, j)]
    own = [k for k in sure if seen.same(k, i)]
    open_ = [k for k in seen.naming if lines[k].condition and k not in (i, j)]
    undone = [k for k in open_ if lines[k].kind in (*_UNDOING, "throw")]
    return {
        "Ifs that name it": (form, _many(k for k in open_ if k < j), _many(undone)),
        "Ifs between": (
            form,
            seen.j is not None and j < i,
            _many(k for k in range(min(i, j) + 1, max(i, j)) if lines[k].condition),
        ),
        "undoings after": (
            form,
            _many(k for k in seen.naming if k > i and lines[k].kind in (*_UNDOING, "throw")),
        ),
        "Ifs after": (form, _many(k for k in open_ if k > i), _many(k for k in undone if k > i)),
        "nothing left": (lines[i].kind, not any(k > i and seen.same(k, i) for k in seen.cooks)),
        "undone between": (
            _many(k for k in open_ if k < j),
            _many(k for k in range(i + 1, j) if lines[k].kind in (*_UNDOING, "throw", "again")),
        ),
        "earlier for the cook of i": (form, _many(k for k in own if k < i)),
        "named for the cook of i": (form, _many(own)),
        "earlier for another": (form, any(k < i and not seen.same(k, i) for k in seen.naming)),
        "named between for j": (form, _many(k for k in sure if i < k < j and seen.same(k, j))),
        "named after for j": (form, any(k > j and seen.same(k, j) for k in seen.naming)),
    }


_GLANCES = group(
    _look,
    {
        "kind of i": "whether step i gets out, puts away, heats, brings in and so on",
        "kinds": "the same of both, and the thing's form",
        "conditions": "whether the Ifs of i and j are the same, opposite or of one alone",
        "alike": "the two share a word",
        "before the later": "whether the step before the later one is of either cook",
        "back to the earlier's cook": "steps back from the later one to the earlier one's cook",
        "handed on": "they do, or one and a step between of the other's cook; tools apart",
        "got out between": "steps without If between that get something out",
        "got out, not away": "the same after the last that puts it away",
        "got out for j": "whether the cook of j does either, be it under an If",
        "away last": "where the last step before j that puts away stands, and its If",
        "away between": "a step between puts away or turns off",
        "next namer": "where the next step that names the thing stands, and whose it is",
        "next namer, and form": "whether it stands after j, whose it is, and the thing's form",
        "next namer's If": "where it stands, and whether under an If",
        "last namer": "where the last one before j stands, and whose it is",
        "kinds around": "which kinds these two are of",
        "last for its cook": "the kind of the last earlier step of j's cook, or i's, that names it",
        "next for its cook": "the kind of the next step of this cook that names it",
        "around for its cook": "the kinds of this cook's last and next step that name it",
        "next after it": "the kind of the next step that names it, and whether of its cook",
        "thrown away": "where the step that throws the thing away stands, and whose it is",
        "next undoing": "whether the next namer puts away or gets out anew, and its If",
        "made again": "where the step that makes it again stands, and whose it is",
        "tools of both": "what i and j do with equipment: get out, put away, make sure, work",
        "Ifs that name it": "steps under an If that name it: those before j, and all that undo it",
        "Ifs between": "steps under an If between, whether j comes first, and the thing's form",
        "Ifs after": "steps under an If after i that name the thing, and that undo it",
        "undoings after": "steps after i that name the thing and undo it, and the thing's form",
        "nothing left": "the kind of step i, and whether its cook does anything after",
        "undone between": "steps under an If before j that name it, and any between that undo",
        "earlier for the cook of i": "steps before i of its cook that name the thing",
        "named for the cook of i": "all such steps of this cook",
        "earlier for another": "whether another cook names it before i",
        "named between for j": "steps between of j's cook that name it and are carried out",
        "named after for j": "the cook of j names it after j",
    },
)

_LATER = ("kind of i", "next namer", "next namer's If", "kinds around", "next undoing",
          "thrown away", "made again", "earlier for the cook of i", "named for the cook of i",
          "earlier for another", "Ifs after", "nothing left", "last namer",
          "undoings after", "last for its cook", "next for its cook",
          "around for its cook")  # fmt: skip
_LASTING = ("kinds", "conditions", "next namer", "next namer, and form", "last namer",
            "next undoing", "thrown away", "made again", "named between for j",
            "named after for j", "away between", "Ifs that name it", "Ifs between",
            "undone between", "last for its cook", "next after it")  # fmt: skip
_OF: Mapping[str, Sequence[str]] = {
    "reaching_definitions": _LASTING,
    "available_expressions": _LASTING,
    "very_busy_expressions": _LATER,
    "live_variables": _LATER,
    "type_state": ("kind of i", "conditions", "got out between", "got out, not away",
                   "got out for j", "away last"),
    "concurrency": ("conditions", "alike", "handed on", "tools of both", "before the later",
                    "back to the earlier's cook"),
}  # fmt: skip


def glances(analysis: str) -> list[Shortcut]:
    """Return the looks at who names what where, and at kinds of steps, that tell of an analysis."""
    return [each for each in _GLANCES if each.name in _OF.get(analysis, ())]
