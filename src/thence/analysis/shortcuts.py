"""A battery of shortcuts: how far a question's surface alone leads to its answer.

Strategies are fitted on questions of one seed and scored on fresh ones of another. Each answers
with one of several guesses: the commonest answers, or answers that it reads off the question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import nan
from typing import Any

import numpy as np

from thence import families
from thence.analysis.shortcut_rules import Encoder, Rule, Tree, correct, table
from thence.core.bounds import MOST_SEED
from thence.core.sample import Sample
from thence.core.shortcuts import SIZE, Shortcut, ShownQuestion
from thence.core.statistics import Estimate, Numbers, estimates
from thence.core.task import Task
from thence.errors import ParameterError, UsageError
from thence.generation import suite
from thence.generation.plan import Plan, not_offered

_FITTED = 2  # times as many questions to fit as to score
_OTHER_SEED = 3_000_017  # between the questions that are scored and those that are fitted
_CLASSES = 12  # commonest answers to choose from
_FEW = 6  # answers of which the balanced accuracy says something
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class ShortcutScore:
    """Score of one strategy on fresh questions.

    Attributes:
        name: of the shortcut, two joined by "x" for a pair.
        text: the line that says what it looks at.
        kind: ``single``, ``pair`` or ``tree``.
        accuracy: share of right answers with its interval.
        balanced: mean of the shares within each true answer; None where there are many answers.
        score: the balanced accuracy where there is one, else the accuracy.
    """

    name: str
    text: str
    kind: str
    accuracy: Estimate
    balanced: float | None

    @property
    def score(self) -> float:
        """The figure by which strategies are compared with one another and with chance."""
        return self.accuracy.value if self.balanced is None else self.balanced

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of ``validate --shortcuts --json``."""
        return {
            "name": self.name,
            "text": self.text,
            "kind": self.kind,
            "accuracy": self.accuracy.value,
            "interval": self.accuracy.interval(),
            "balanced": self.balanced,
        }


@dataclass(frozen=True, slots=True)
class Battery:
    """Scores of all shortcuts of one task.

    Attributes:
        task: full name.
        fitted: number of questions that they were fitted on.
        scored: number of other questions that they were scored on.
        chance: the score of the best constant answer.
        constant: its accuracy, which is more than chance where one answer is right more often.
        found: all strategies, the best first.
    """

    task: str
    fitted: int
    scored: int
    chance: float
    constant: float
    found: Sequence[ShortcutScore]

    def best(self, kind: str) -> ShortcutScore:
        """Return the best strategy of a kind: ``single``, ``pair`` or ``tree``."""
        return next(each for each in self.found if each.kind == kind)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of ``validate --shortcuts --json``."""
        return {
            "task": self.task,
            "fitted": self.fitted,
            "scored": self.scored,
            "chance": self.chance,
            "constant": self.constant,
            "shortcuts": [each.to_json() for each in self.found],
        }


def shortcuts(plan: Plan, workers: int | None = None) -> list[Battery]:
    """Return what shortcuts reach on fresh questions of each task of a plan.

    Args:
        plan: the questions to score; ``size`` of each task, by default 400. They are fitted on
            twice as many of another seed; of these, any that is also scored is left out.
        workers: processes that make the questions; None for as many as pay.

    Returns:
        One for each task that has questions with the plan's parameters.
    """
    size = plan.size or SIZE
    left = not_offered(plan)
    found = []
    for name in (each for each in plan.tasks if each not in left):
        one = Plan([name], plan.seed, size, settings=plan.settings)
        seed = (plan.seed + _OTHER_SEED) % MOST_SEED
        other = Plan([name], seed, size * _FITTED, settings=plan.settings)
        scored = list(suite.generate(one, workers=workers))
        if scored:
            try:
                fitted = list(suite.generate(other, workers=workers))
            except ParameterError as error:
                if error.name != "size":
                    raise
                reason = f"shortcuts are fitted on {size * _FITTED} others, and {error.reason}"
                raise ParameterError("size", size, reason) from error
            found.append(measure(families.task(name), fitted, scored))
    return found


def measure(task: Task, fitted: Iterable[Sample], scored: Sequence[Sample]) -> Battery:
    """Return what the shortcuts of a task reach on some questions, fitted on others.

    Args:
        task: whose shortcuts to try.
        fitted: questions to learn from; those that are among the scored ones are left out.
        scored: questions to score.

    Raises:
        UsageError: no question is left to learn from.
    """
    held = {sample.id for sample in scored}
    learnt = [sample for sample in fitted if sample.id not in held]
    if not (learnt and scored):
        raise UsageError(
            f"{task.full_name} has no other questions to fit shortcuts on; give more procedures"
        )
    return _Measured(task, learnt, scored).battery()


def halved(task: Task, samples: Sequence[Sample]) -> Battery:
    """Return the best shortcut alone on some questions, fitted on half of them, both ways.

    Questions about one procedure are on one side. The score is the mean of the two halves.

    Args:
        task: whose shortcuts to try.
        samples: the questions.

    Raises:
        UsageError: there is one procedure alone.
    """
    sides = {name: at % 2 for at, name in enumerate(dict.fromkeys(s.cluster for s in samples))}
    halves = [[s for s in samples if sides[s.cluster] == side] for side in (0, 1)]
    found = [measure(task, halves[1 - side], halves[side]) for side in (0, 1)]
    one, other = (
        {each.name if each.kind == "single" else each.kind: each for each in held.found}
        for held in found
    )
    scores = {name: (one[name].score + other[name].score) / 2 for name in one if name in other}
    best = max(scores, key=scores.__getitem__)
    accuracy = Estimate(scores[best], nan, nan, len(samples))
    shown = replace(one[best], accuracy=accuracy, balanced=scores[best])
    chance = sum(each.chance for each in found) / 2
    constant = sum(each.constant for each in found) / 2
    return Battery(task.full_name, len(samples), len(samples), chance, constant, [shown])


class _Measured:
    """The values of all shortcuts on both sets of questions, and which guesses are right."""

    def __init__(self, task: Task, fitted: Sequence[Sample], scored: Sequence[Sample]) -> None:
        self.task, self.fitted, self.scored = task, fitted, scored
        shown = [[ShownQuestion(sample) for sample in part] for part in (fitted, scored)]
        every = task.baselines.shortcuts()
        self.truths = [[self._key(sample.target) for sample in part] for part in (fitted, scored)]
        classes = [key for key, _ in Counter(self.truths[0]).most_common(_CLASSES)]
        self.guesses = [each for each in every if each.guess]
        said = [
            [classes + [self._said(each, one) for each in self.guesses] for one in part]
            for part in shown
        ]
        self.right = [correct(*both) for both in zip(said, self.truths, strict=True)]
        # with few answers each counts alike, so that fits serve the balanced accuracy
        share = Counter(self.truths[0])
        self.few = len(share) <= _FEW
        weights = [1 / share[truth] if self.few else 1.0 for truth in self.truths[0]]
        self.gains = self.right[0] * np.array(weights)[:, None]
        self.classes = len(classes)
        lean = np.argmax(self.right[0][:, : self.classes], axis=1)
        looks = [each for each in every if not each.guess]
        seen = [[[each.value(one) for each in looks] for one in part] for part in shown]
        self.features: list[Shortcut] = []
        self.codes: list[list[Numbers]] = [[], []]
        self.ordered: list[bool] = []
        for place, each in enumerate(looks):
            encoder = Encoder([row[place] for row in seen[0]], lean)
            if encoder.size > 1:
                self.features.append(each)
                self.ordered.append(encoder.ordered)
                self.codes[0].append(encoder.fitted)
                self.codes[1].append(encoder.encode([row[place] for row in seen[1]]))

    def _key(self, answer: Any) -> Hashable:
        verdict = self.task.baselines.verdict(answer)
        return self.task.format.vote(answer) if verdict is None else verdict

    def _said(self, shortcut: Shortcut, shown: ShownQuestion) -> Hashable | None:
        answer = shortcut.value(shown)
        return None if answer is None else self._key(answer)

    def battery(self) -> Battery:
        """Return what all strategies reach, the best first."""
        chance = self._constant(self.gains).score
        constant = self._constant(self.right[0]).accuracy.value
        found = [
            self._found(each.name, each.text, "single", self.right[1][:, self.classes + place])
            for place, each in enumerate(self.guesses)
            if self.right[1][:, self.classes + place].any()
        ]
        for place, each in enumerate(self.features):
            rule = table(self.codes[0][place], self.gains)
            hits = self._hits(rule, self.codes[1][place])
            found.append(self._found(each.name, each.text, "single", hits))
        found += self._pair()
        if self.features:
            tree = Tree(np.array(self.codes[0]), self.ordered, self.gains, _DEPTH)
            hits = tree.hits(np.array(self.codes[1]), self.right[1])
            used = ", ".join(self.features[place].name for place in tree.used)
            text = f"a decision tree of depth {_DEPTH} over all: {used or 'no question'}"
            found.append(self._found("tree", text, "tree", hits))
        found.sort(key=lambda each: -each.score)
        sizes = len(self.fitted), len(self.scored)
        return Battery(self.task.full_name, *sizes, chance, constant, found)

    def _constant(self, gains: Numbers) -> ShortcutScore:
        """Return what the answer reaches that gains most on the fitted questions."""
        place = gains[:, : self.classes].sum(axis=0).argmax()
        return self._found("constant", "", "single", self.right[1][:, place])

    def _pair(self) -> list[ShortcutScore]:
        """Return the pair that does best within the fitted questions, by halves."""
        codes, gains = self.codes[0], self.gains
        best, chosen = -1.0, None
        halves = np.arange(len(self.fitted)) // 2 % 2 == 0  # neighbours differ in their answer
        for pair in combinations(range(len(codes)), 2):
            joint = _joint(codes, pair)
            score = 0.0
            for learnt in (halves, ~halves):
                rule = table(joint[learnt], gains[learnt])
                score += float(rule.hits(joint[~learnt], gains[~learnt]).sum())
            if score > best:
                best, chosen = score, pair
        if chosen is None:
            return []
        rule = table(_joint(codes, chosen), gains)
        hits = self._hits(rule, _joint(self.codes[1], chosen))
        one, other = (self.features[place] for place in chosen)
        text = f"{one.text}; {other.text}"
        return [self._found(f"{one.name} x {other.name}", text, "pair", hits)]

    def _hits(self, rule: Rule, codes: Numbers) -> Numbers:
        return rule.hits(codes, self.right[1])

    def _found(self, name: str, text: str, kind: str, hits: Numbers) -> ShortcutScore:
        clusters = [sample.cluster for sample in self.scored]
        independent = len(set(clusters)) == len(clusters)
        accuracy = estimates({name: hits.astype(float)}, None if independent else clusters)[name]
        truths = self.truths[1]
        balanced = None
        if self.few:
            shares: Mapping[Hashable, list[bool]] = {
                truth: [hit for hit, each in zip(hits, truths, strict=True) if each == truth]
                for truth in dict.fromkeys(truths)
            }
            balanced = float(np.mean([np.mean(each) for each in shares.values()]))
        return ShortcutScore(name, text, kind, accuracy, balanced)


def _joint(codes: Sequence[Numbers], pair: tuple[int, int]) -> Numbers:
    one, other = pair
    return codes[one] * Encoder.MOST + codes[other]
