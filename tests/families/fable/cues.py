"""Whether anything but the truth tells Yes from No: predictors that know nothing of data flow.

Each looks at one thing on the surface of a question, or at two, learns the commonest answer for
every value on one half of the questions and is measured on the other; then the halves change
places, so that all are measured. A cell holds where none of them is right more often than
`CEILING`.

    from tests.families.fable.cues import strongest

    accuracy, cue = strongest(suite.generate(suite.Plan(["fable/plans/taint"], seed=5, size=800)))
    assert accuracy <= CEILING, cue
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations

from thence.core.sample import Sample

CEILING = 0.60

type Features = Mapping[str, Hashable]

_WORD = re.compile(r"[a-z]+")
_NAME = re.compile(r"[a-z][a-z-]*")


def question_text(sample: Sample) -> str:
    """The last paragraph of the question, which stands before how to answer."""
    paragraphs = [part for part in sample.input.split("\n\n") if part.strip()] or [""]
    return paragraphs[-2] if len(paragraphs) > 1 else paragraphs[-1]


def surface(sample: Sample) -> dict[str, Hashable]:
    """What a shortcut could go by, of any domain."""
    question, steps = sample.metadata["question"], sample.metadata["procedure"]["steps"]
    i, j, fact = question.get("i"), question.get("j"), question.get("fact")
    texts = [step["text"].lower() for step in steps]
    firsts = [" ".join(_NAME.findall(text)[:1]) for text in texts]
    number = len(steps)
    asked = question_text(sample).lower()
    words = _WORD.findall((fact or "").lower())
    mentions = [all(word in text for word in words) for text in texts] if words else []
    held: dict[str, Hashable] = {
        "steps": number,
        "i": i,
        "j": j,
        "fact": fact,
        "predicate": words[0] if words else None,
        "wording": " ".join(_WORD.findall(re.sub(r"\d+", "", asked)))[:60],
        "question length": len(asked.split()),
        "mentions": sum(mentions),
        "origin": str(sample.metadata.get("origin", {}).get("kind")),
        "prompt length": len(sample.input) // 100,
    }
    if i is not None and 0 <= i < number:
        held["i first"], held["i last"] = i == 0, i == number - 1
        held["i from the end"] = number - i
        held["i third"] = 3 * i // number
        held["action i"] = firsts[i]
        held["text i"] = texts[i]
        held["mentioned after i"] = any(mentions[i + 1 :])
        held["mentions after i"] = sum(mentions[i + 1 :])
        held["mentioned in i"] = bool(mentions and mentions[i])
    if j is not None and 0 <= j < number:
        held["j last"], held["j from the end"] = j == number - 1, number - j
        held["action j"] = firsts[j]
        held["mentioned in j"] = bool(mentions and mentions[j])
        held["mentions up to j"] = sum(mentions[: j + 1])
    if None not in (i, j):
        low, high = sorted((i, j))
        held["distance"], held["adjacent"] = j - i, abs(j - i) == 1
        held["actions"] = (held.get("action i"), held.get("action j"))
        held["words shared"] = len(set(_WORD.findall(texts[i])) & set(_WORD.findall(texts[j])))
        held["mentions between"] = sum(mentions[low + 1 : high])
        held["actions between"] = tuple(sorted(set(firsts[low + 1 : high])))[:3]
    return held


def strongest(
    samples: Iterable[Sample], more: Callable[[Sample], Features] | None = None
) -> tuple[float, str]:
    """The best accuracy on unseen questions that any simple predictor reaches, and which.

    Args:
        samples: fresh questions of one cell, some hundreds: the best of so many predictors lies
            above one half by chance alone, by up to 0.06 for 600 questions.
        more: further things to go by that only this domain has.
    """
    return ranked(samples, more)[0]


def ranked(
    samples: Iterable[Sample], more: Callable[[Sample], Features] | None = None, most: int = 2
) -> list[tuple[float, str]]:
    """The accuracy of every predictor on unseen questions, the best first.

    Args:
        samples: fresh questions of one cell.
        more: further things to go by that only this domain has.
        most: cues that a predictor looks at, 1 or 2.
    """
    held = list(samples)
    rows = [{**surface(sample), **(more(sample) if more else {})} for sample in held]
    answers = [sample.target == "Yes" for sample in held]
    # Neighbours are a Yes and a No: halves by pairs keep both balanced.
    train = [place for place in range(len(held)) if place // 2 % 2 == 0]
    test = [place for place in range(len(held)) if place // 2 % 2 == 1]
    names = list(dict.fromkeys(name for row in rows for name in row))
    found: list[tuple[float, str]] = []
    for chosen in [(name,) for name in names] + list(combinations(names, 2))[
        : None if most > 1 else 0
    ]:
        values = [tuple(row.get(name) for name in chosen) for row in rows]
        right = _table(values, answers, train, test) + _table(values, answers, test, train)
        found.append((right / 2, " and ".join(chosen)))
    for title, words in (
        ("words of the question", [set(_WORD.findall(question_text(s).lower())) for s in held]),
        ("words of the prompt", [set(_WORD.findall(s.input.lower())) for s in held]),
    ):
        right = _bayes(words, answers, train, test) + _bayes(words, answers, test, train)
        found.append((right / 2, title))
    return sorted(found, reverse=True)


def _table(
    values: Sequence[Hashable], answers: Sequence[bool], train: Sequence[int], test: Sequence[int]
) -> float:
    """Learns the commonest answer for each value."""
    yes: dict[Hashable, int] = defaultdict(int)
    for place in train:
        yes[values[place]] += 1 if answers[place] else -1
    # a value that was not seen, or seen equally often with both, is worth one half
    right = 0.0
    for place in test:
        lean = yes.get(values[place], 0)
        right += 0.5 if lean == 0 else float((lean > 0) == answers[place])
    return right / len(test)


def _bayes(
    words: Sequence[set[str]], answers: Sequence[bool], train: Sequence[int], test: Sequence[int]
) -> float:
    """Naive Bayes over which words occur."""
    counts = {True: Counter[str](), False: Counter[str]()}
    totals = Counter(answers[place] for place in train)
    for place in train:
        counts[answers[place]].update(sorted(words[place]))
    weights = {
        word: math.log((counts[True][word] + 1) / (totals[True] + 2))
        - math.log((counts[False][word] + 1) / (totals[False] + 2))
        for word in sorted(set(counts[True]) | set(counts[False]))
    }
    right = 0.0
    for place in test:
        lean = sum(weights.get(word, 0.0) for word in sorted(words[place]))
        right += 0.5 if lean == 0 else float((lean > 0) == answers[place])
    return right / len(test)
