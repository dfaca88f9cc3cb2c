"""Choice of questions in which only the truth separates Yes from No.

Instances of one procedure after another are pooled until some key of cues has both answers. One
such key is drawn first, and only then an instance with the wanted answer. The wanted answer does
not influence the key, so every cue has the same distribution for Yes and for No.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random

from thence.core.failures import plural
from thence.families.fable.shared.blocks import Candidate
from thence.families.fable.shared.domain import Case, Cue, Instance, Unaskable

PATIENCE = 40  # cases within which all cues must match; after these, the last cues are dropped
_MOST_CASES = 400  # maximal number of cases without any instance


def matched(
    cases: Iterator[Case],
    ask: Callable[[Case], Sequence[Instance]],
    wanted: str,
    rng: Random,
) -> Candidate:
    """Return a question with the wanted answer whose cues a question with the other answer shares.

    Args:
        cases: procedures, one after another.
        ask: returns the questions about a procedure.
        wanted: ``Yes`` or ``No``.
        rng: draws key and question, in the same way for both answers.

    Raises:
        Unaskable: no two questions with different answers were found.
    """
    pool: list[Candidate] = []
    held: dict[tuple[Cue, ...], dict[str, list[Candidate]]] = {}
    tried: list[Case] = []
    for _, case in zip(range(PATIENCE), cases, strict=False):
        tried.append(case)
        for instance in ask(case):
            pool.append((case, instance))
            held.setdefault(instance.cues, {}).setdefault(instance.answer, []).append(pool[-1])
        if found := _pick(held, wanted, rng):
            return found
    longest = max((len(instance.cues) for _, instance in pool), default=0)
    for kept in range(longest - 1, -1, -1):
        coarser: dict[tuple[Cue, ...], dict[str, list[Candidate]]] = {}
        for asked in pool:
            key = asked[1].cues[:kept]
            coarser.setdefault(key, {}).setdefault(asked[1].answer, []).append(asked)
        if found := _pick(coarser, wanted, rng):
            return found
    if not pool:
        raise Unaskable(f"no question about {_counted(tried, 'any of ')}")
    every = {json.dumps([id(case), found.question], default=str) for case, found in pool}
    few = plural(len(every), "question")
    raise Unaskable(f"{few} about {_counted(tried)}, all with one answer", len(every))


def _counted(tried: Sequence[Case], several: str = "") -> str:
    """Return how many procedures were tried: those of a file come again and again."""
    count = len({id(case) for case in tried})
    return "the one procedure given" if count == 1 else f"{several}{count} procedures"


def _pick(
    held: dict[tuple[Cue, ...], dict[str, list[Candidate]]], wanted: str, rng: Random
) -> Candidate | None:
    keys = [key for key, answers in held.items() if len(answers) > 1]
    if not keys:
        return None
    key, place = rng.choice(keys), rng.random()
    asked = held[key][wanted]
    return asked[int(place * len(asked))]


def first(
    cases: Iterator[Case], ask: Callable[[Case], Sequence[Instance]], rng: Random
) -> Candidate:
    """Return a random question about the first procedure that has one.

    Raises:
        Unaskable: none of many procedures has one.
    """
    tried: list[Case] = []
    for _, case in zip(range(_MOST_CASES), cases, strict=False):
        tried.append(case)
        instances = ask(case)
        if instances:
            return case, rng.choice(instances)
    raise Unaskable(f"no question about {_counted(tried, 'any of ')}")
