"""Answers sound questions about plans from the text of the prompt alone, as a careful reader does.

Nothing of the product is used: the rules, the steps, what holds at the start and the question are
read from the prompt, whether it is told in actions or in English sentences, and every permitted
order is followed, step by step. Orders that have carried out the same steps and have come to the
same state are followed together, so that long plans with many free steps are answered, too.

    answer(sample.input)  # "Yes", or {"after": 2, "before": 5} where steps are asked for
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

_VARIABLE = re.compile(r"\b[A-Z]\b")
_GROUNDED = re.compile(r"[a-z-]+(?:\([^()]*\))?")


@dataclass(frozen=True)
class Rule:
    """What a kind of action looks like, needs, makes true and makes false."""

    pattern: re.Pattern[str]
    letters: tuple[str, ...]
    needs: tuple[str, ...]
    makes: tuple[str, ...]
    ends: tuple[str, ...]


@dataclass(frozen=True)
class Deed:
    """A step of a plan: the facts that it needs, makes true and makes false."""

    needs: frozenset[str]
    makes: frozenset[str]
    ends: frozenset[str]


@dataclass(frozen=True)
class Told:
    """What a prompt says."""

    analysis: str
    deeds: tuple[Deed, ...]
    start: frozenset[str]
    question: str
    before: list[set[int]]
    """For each step those that come before it in every permitted order."""
    queued: bool
    """Whether the prompt tells the order by queues."""


def read(prompt: str) -> Told:
    """The parts of a prompt.

    Raises:
        ValueError: a line of it is not understood.
    """
    lines = prompt.split("\n")
    (analysis,) = (name for name in _ASKED if any(line.startswith(f"{name}: ") for line in lines))
    rules = [_rule(line[2:]) for line in lines if line.startswith("- ")]
    steps = [line.partition(". ") for line in lines if re.match(r"\d+\. ", line)]
    if [number for number, _, _ in steps] != [str(k + 1) for k in range(len(steps))]:
        raise ValueError("steps are not numbered from 1")
    before = "Of all that the steps need, only these facts hold before the plan begins: "
    (start,) = [line for line in lines if line.startswith(before)] or [""]
    (question,) = (line for line in lines if line.endswith("?"))
    deeds = tuple(_deed(text, rules) for _, _, text in steps)
    return Told(
        analysis,
        deeds,
        frozenset(_facts(start.removeprefix(before))),
        question,
        _queued(prompt, len(deeds)) or earlier(deeds),
        "Queue A has" in prompt,
    )


def _queued(prompt: str, count: int) -> list[set[int]] | None:
    """For each step those that come before it, where steps stand in queues."""
    queues = [
        [int(number) - 1 for number in re.findall(r"\d+", held)]
        for held in re.findall(r"Queue [A-C] has Steps ([^.]+)\.", prompt)
    ]
    if not queues:
        return None
    if sorted(step for queue in queues for step in queue) != list(range(count)):
        raise ValueError("a step does not stand in one queue")
    several = r"Steps? ([\d, and]+)"
    told = re.findall(rf"{several} waits? until {several} (?:is|are) done", prompt)
    waits = {
        int(then): re.findall(r"\d+", firsts)
        for thens, firsts in told
        for then in re.findall(r"\d+", thens)
    }
    direct = [{int(first) - 1 for first in waits.get(step + 1, ())} for step in range(count)]
    for queue in queues:
        for first, then in pairwise(queue):
            direct[then].add(first)
    for _ in range(count):
        for step in range(count):
            direct[step] |= set().union(*(direct[k] for k in direct[step]))
    return direct


def _facts(text: str) -> list[str]:
    """Facts in quotation marks, or as terms such as ``on(d1, peg2)``."""
    quoted = re.findall(r'"([^"]+)"', text)
    return [each.lower() for each in quoted or _GROUNDED.findall(text)]


def _rule(line: str) -> Rule:
    if line.startswith('"'):
        shown, _, rest = line[1:].partition('"')
        letters = tuple(dict.fromkeys(_VARIABLE.findall(shown)))
        parts = re.fullmatch(r" Before it: (.+)\. Made true: (.+)\. Made false: (.+)\.", rest)
        facts = [part.split("; ") for part in parts.groups()] if parts else []
    else:
        shown, _, rest = line.partition(": ")
        letters = tuple(shown.partition("(")[2].rstrip(")").split(", "))
        parts = re.fullmatch(r"needs (.+); makes (.+) true; makes (.+) false\.", rest)
        # "and" alone is no fact: it joins two
        facts = [
            [each for each in _GROUNDED.findall(part) if each != "and"]
            for part in (parts.groups() if parts else ())
        ]
    if not facts:
        raise ValueError(f"not understood: {line}")
    pattern = "".join(
        f"(?P<{part}>.+)" if part in letters else re.escape(part)
        for part in re.split(r"\b(\w+)\b", shown)
    )
    return Rule(re.compile(pattern, re.IGNORECASE), letters, *map(tuple, facts))


def _deed(text: str, rules: Sequence[Rule]) -> Deed:
    found = [(rule, match) for rule in rules if (match := rule.pattern.fullmatch(text))]
    if len(found) != 1:
        raise ValueError(f"{len(found)} rules fit: {text}")
    ((rule, match),) = found

    def filled(facts: Sequence[str]) -> frozenset[str]:
        return frozenset(
            re.sub(r"\b\w+\b", lambda word: _given(word[0], match), fact).lower() for fact in facts
        )

    return Deed(filled(rule.needs), filled(rule.makes), filled(rule.ends))


def _given(word: str, match: re.Match[str]) -> str:
    return match[word] if word in match.re.groupindex else word


# Permitted orders ---------------------------------------------------------------------------------


def bound(one: Deed, other: Deed) -> bool:
    """Whether two steps keep the order in which they are listed."""
    return bool(
        (one.makes | one.ends) & other.needs
        or (other.makes | other.ends) & one.needs
        or one.ends & other.makes
        or other.ends & one.makes
    )


def earlier(deeds: Sequence[Deed]) -> list[set[int]]:
    """For each step those that come before it in every permitted order."""
    found: list[set[int]] = []
    for step, deed in enumerate(deeds):
        direct = {k for k in range(step) if bound(deeds[k], deed)}
        found.append(direct.union(*(found[k] for k in direct)))
    return found


def outcomes(
    before: Sequence[set[int]],
    state: Hashable,
    moved: Callable[[Any, int], tuple[Hashable, bool | None]],
    at_the_end: bool = False,
) -> set[bool]:
    """What comes out in any of the permitted orders.

    Args:
        before: for each step those that must have been carried out.
        state: at the start.
        moved: from a state and the next step to a new state, and what came out, if that is sure.
        at_the_end: what came out where nothing was sure until then.
    """
    found = set[bool]()
    seen, reached = set[tuple[frozenset[int], Hashable]](), [(frozenset[int](), state)]
    while reached:
        done, held = reached.pop()
        for step in range(len(before)):
            if step in done or not before[step] <= done:
                continue
            after, out = moved(held, step)
            if out is not None:
                found.add(out)
            elif (key := (done | {step}, after)) not in seen:
                seen.add(key)
                reached.append(key)
        if len(done) == len(before):
            found.add(at_the_end)
    return found


# The analyses -------------------------------------------------------------------------------------


def answer(prompt: str) -> Any:
    """The answer to a prompt's question.

    Raises:
        ValueError: it is not understood, or can be understood in two ways.
    """
    told = read(prompt)
    asked, decide = _ASKED[told.analysis]
    match = re.search(asked, told.question)
    if match is None:
        raise ValueError(f"not understood: {told.question}")
    given = match.groupdict()
    steps = {name: int(given[name]) - 1 for name in "ijk" if name in given}
    facts = _facts(given["fact"]) if "fact" in given else []
    found = decide(told, *steps.values(), *facts)
    return {True: "Yes", False: "No"}[found] if isinstance(found, bool) else found


def _carried(told: Told, i: int, j: int, fact: str, anew: bool) -> set[bool]:
    """Whether step j meets the fact as step i made it; ``anew``: making it true anew ends that."""

    def moved(holds: bool, step: int) -> tuple[bool, bool | None]:
        if step == j:
            return holds, holds
        if step == i:
            return True, None
        deed = told.deeds[step]
        return holds and fact not in deed.ends and not (anew and fact in deed.makes), None

    return outcomes(told.before, state=False, moved=moved)


def _reaches(told: Told, i: int, j: int, fact: str) -> bool:
    return True in _carried(told, i, j, fact, anew=True)


def _available(told: Told, i: int, j: int, fact: str) -> bool:
    return _carried(told, i, j, fact, anew=False) == {True}


def _needed(told: Told, i: int, fact: str) -> set[bool]:
    """Whether a step after i needs the fact before one makes it false or true anew."""

    def moved(made: bool, step: int) -> tuple[bool, bool | None]:
        deed = told.deeds[step]
        if made and fact in deed.needs:
            return made, True
        if made and fact in deed.ends | deed.makes:
            return made, False
        return made or step == i, None

    return outcomes(told.before, state=False, moved=moved)


def _live(told: Told, i: int, fact: str) -> bool:
    return True in _needed(told, i, fact)


def _very_busy(told: Told, i: int, fact: str) -> bool:
    return _needed(told, i, fact) == {True}


def _valid_without(told: Told, i: int, j: int) -> bool:
    """In every order of the other steps, whether or not the one left out still binds them."""
    wanted = told.deeds[j].needs

    def moved(held: frozenset[str], step: int) -> tuple[frozenset[str], bool | None]:
        if step == j:
            return held, wanted <= held
        deed = told.deeds[step]
        return (held if step == i else (held - deed.ends) | deed.makes & wanted), None

    without = [*told.deeds]
    without[i] = Deed(frozenset(), frozenset(), frozenset())
    orders = [told.before] if told.queued else [earlier(told.deeds), earlier(without)]
    results = [outcomes(each, told.start & wanted, moved) for each in orders]
    if results[0] != results[-1]:
        raise ValueError("it depends on what the step left out still binds")
    return results[0] == {True}


def _tainted(told: Told, i: int, j: int, k: int) -> bool:
    """In which i is untrustworthy and k is checked."""

    def moved(dirty: frozenset[str], step: int) -> tuple[frozenset[str], bool | None]:
        deed = told.deeds[step]
        met = bool(deed.needs & dirty)
        if step == j:
            return dirty, met
        spreads = step == i or (met and step != k)
        left = dirty - deed.ends - deed.makes
        return left | (deed.makes if spreads else frozenset()), None

    return True in outcomes(told.before, frozenset(), moved)


def _free(told: Told, i: int, j: int) -> bool:
    before = told.before
    return i not in before[j] and j not in before[i]


def _range(told: Told, i: int) -> dict[str, int | None]:
    before = told.before
    after = [step for step, others in enumerate(before) if i in others]
    return {
        "after": max(before[i]) + 1 if before[i] else None,
        "before": min(after) + 1 if after else None,
    }


_MADE = r"^Step (?P<i>\d+) makes this true: (?P<fact>.+)\. "
_ASKED: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "Reaching definitions": (_MADE + r"Does this fact reach Step (?P<j>\d+), ", _reaches),
    "Available expressions": (_MADE + r"Is it available at Step (?P<j>\d+), ", _available),
    "Live variables": (_MADE + r"Is it live after Step (?P=i), ", _live),
    "Very busy expressions": (_MADE + r"Is it very busy after Step (?P=i), ", _very_busy),
    "Type-state": (
        r"^Suppose that Step (?P<i>\d+) is left out and .* Is Step (?P<j>\d+) in a valid state",
        _valid_without,
    ),
    "Taint": (
        r"^Step (?P<i>\d+) is untrust.* Step (?P<k>\d+) is checked.* when Step (?P<j>\d+) begins",
        _tainted,
    ),
    "Concurrency": (r"^Are Step (?P<i>\d+) and Step (?P<j>\d+) concurrent: ", _free),
    "Intervals": (r"^Between which steps does Step (?P<i>\d+) have to take place\?$", _range),
}
