"""A battery of shortcuts: how far a question's surface alone leads to its answer.

Strategies are fitted on questions of one seed and scored on fresh ones of another. Each answers
with one of several guesses: the commonest answers or, where there are many, answers that it reads
off the question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import nan
from typing import Any

import numpy as np

from thence import families
from thence.analysis.shortcut_rules import Encoder, Tree, correct, table
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
    batteries = []
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
            batteries.append(measure(families.task(name), fitted, scored))
    return batteries


def measure(task: Task, fitted: Iterable[Sample], scored: Sequence[Sample]) -> Battery:
    """Return what the shortcuts of a task reach on some questions, fitted on others.

    Args:
        task: whose shortcuts to try.
        fitted: questions to learn from; those that are among the scored ones are left out.
        scored: questions to score.

    Raises:
        UsageError: no question is left to learn from.
    """
    ids = {sample.id for sample in scored}
    learnt = [sample for sample in fitted if sample.id not in ids]
    if not (learnt and scored):
        raise UsageError(
            f"{task.full_name} has no other questions to fit shortcuts on; give more procedures"
        )
    return _Trial(task, learnt, scored).battery()


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
    batteries = [measure(task, halves[1 - side], halves[side]) for side in (0, 1)]
    one, other = (
        {each.name if each.kind == "single" else each.kind: each for each in battery.found}
        for battery in batteries
    )
    scores = {name: (one[name].score + other[name].score) / 2 for name in one if name in other}
    best = max(scores, key=scores.__getitem__)
    accuracy = Estimate(scores[best], nan, nan, len(samples))
    shown = replace(one[best], accuracy=accuracy, balanced=scores[best])
    chance = sum(each.chance for each in batteries) / 2
    constant = sum(each.constant for each in batteries) / 2
    return Battery(task.full_name, len(samples), len(samples), chance, constant, [shown])


@dataclass(frozen=True, slots=True)
class _Questions:
    """Questions with what shortcuts see of them, and which guesses are right about them.

    Attributes:
        samples: the questions.
        seen: a row for each question, a column for each shortcut that guesses nothing.
        truths: the true answer of each.
        right: a row for each question, a column for each guess: whether it is the truth.
    """

    samples: Sequence[Sample]
    seen: Sequence[Sequence[Any]]
    truths: Sequence[Hashable]
    right: Numbers


@dataclass(frozen=True, slots=True)
class _Feature:
    """A looking shortcut, with the codes of what it sees.

    Attributes:
        shortcut: what it looks at.
        ordered: whether larger codes stand for larger numbers.
        fitted: the code of each question that is fitted on.
        scored: the code of each question that is scored.
    """

    shortcut: Shortcut
    ordered: bool
    fitted: Numbers
    scored: Numbers


class _Trial:
    """The shortcuts of a task, with questions to fit them on and others to score them on.

    Attributes:
        answers: the commonest answers; the first guesses.
        guessing: the shortcuts that read one of many answers off the question; the guesses behind
            them. One of few answers is seen as anything else is.
        looking: the other shortcuts.
        fitted: the questions to fit on.
        scored: the questions to score.
        balanced: whether there are so few answers that each counts alike.
        gains: a row for each fitted question, a column for each guess: what it is worth.
        features: those of the looking shortcuts that tell fitted questions apart.
    """

    def __init__(self, task: Task, fitted: Sequence[Sample], scored: Sequence[Sample]) -> None:
        self.task = task
        counts = Counter(self._key(sample.target) for sample in fitted)
        self.answers = [answer for answer, _ in counts.most_common(_CLASSES)]
        self.balanced = len(counts) <= _FEW
        every = task.baselines.shortcuts()
        self.guessing = [each for each in every if each.guess and not self.balanced]
        self.looking = [each for each in every if self.balanced or not each.guess]
        self.fitted, self.scored = self._questions(fitted), self._questions(scored)
        weights = [1 / counts[truth] if self.balanced else 1.0 for truth in self.fitted.truths]
        self.gains = self.fitted.right * np.array(weights)[:, None]
        self.features = list(self._features())

    def _questions(self, samples: Sequence[Sample]) -> _Questions:
        shown = [ShownQuestion(sample) for sample in samples]
        guesses = [
            [*self.answers, *(self._guess(each, question) for each in self.guessing)]
            for question in shown
        ]
        # all of one question before the next, as shortcuts share what they find in a question
        seen = [[self._seen(each, question) for each in self.looking] for question in shown]
        truths = [self._key(sample.target) for sample in samples]
        return _Questions(samples, seen, truths, correct(guesses, truths))

    def _features(self) -> Iterator[_Feature]:
        classes = np.argmax(self.fitted.right[:, : len(self.answers)], axis=1)
        for place, each in enumerate(self.looking):
            encoder = Encoder([row[place] for row in self.fitted.seen], classes)
            if encoder.size > 1:
                scored = encoder.encode([row[place] for row in self.scored.seen])
                yield _Feature(each, encoder.ordered, encoder.fitted, scored)

    def _key(self, answer: Any) -> Hashable:
        verdict = self.task.baselines.verdict(answer)
        return self.task.format.vote(answer) if verdict is None else verdict

    def _seen(self, shortcut: Shortcut, shown: ShownQuestion) -> Any:
        return self._guess(shortcut, shown) if shortcut.guess else shortcut.value(shown)

    def _guess(self, shortcut: Shortcut, shown: ShownQuestion) -> Hashable | None:
        answer = shortcut.value(shown)
        return None if answer is None else self._key(answer)

    def battery(self) -> Battery:
        """Return what all strategies reach, the best first."""
        scores = [*self._guesses(), *self._tables(), *self._best_pair(), *self._tree()]
        scores.sort(key=lambda each: -each.score)
        return Battery(
            self.task.full_name,
            len(self.fitted.samples),
            len(self.scored.samples),
            self._constant(self.gains).score,
            self._constant(self.fitted.right).accuracy.value,
            scores,
        )

    def _constant(self, gains: Numbers) -> ShortcutScore:
        """Return the score of the answer that gains most on the fitted questions."""
        place = gains[:, : len(self.answers)].sum(axis=0).argmax()
        return self._score("constant", "", "single", self.scored.right[:, place])

    def _guesses(self) -> Iterator[ShortcutScore]:
        """Yield the scores of the shortcuts that read one of many answers off the question."""
        for place, each in enumerate(self.guessing, len(self.answers)):
            hits = self.scored.right[:, place]
            if hits.any():
                yield self._score(each.name, each.text, "single", hits)

    def _tables(self) -> Iterator[ShortcutScore]:
        """Yield the scores of the other shortcuts, each by the best guess for what it sees."""
        for each in self.features:
            hits = table(each.fitted, self.gains).hits(each.scored, self.scored.right)
            yield self._score(each.shortcut.name, each.shortcut.text, "single", hits)

    def _best_pair(self) -> Iterator[ShortcutScore]:
        """Yield the score of the pair that does best within the fitted questions, by halves."""
        half = np.arange(len(self.gains)) // 2 % 2 == 0  # neighbours differ in their answer

        def gained(pair: tuple[_Feature, _Feature]) -> float:
            joint = _joint(pair[0].fitted, pair[1].fitted)
            return sum(
                float(
                    table(joint[learnt], self.gains[learnt])
                    .hits(joint[~learnt], self.gains[~learnt])
                    .sum()
                )
                for learnt in (half, ~half)
            )

        pair = max(combinations(self.features, 2), key=gained, default=None)
        if pair is None:
            return
        one, other = pair
        rule = table(_joint(one.fitted, other.fitted), self.gains)
        hits = rule.hits(_joint(one.scored, other.scored), self.scored.right)
        name = f"{one.shortcut.name} x {other.shortcut.name}"
        yield self._score(name, f"{one.shortcut.text}; {other.shortcut.text}", "pair", hits)

    def _tree(self) -> Iterator[ShortcutScore]:
        """Yield the score of a decision tree, if there is something to decide by."""
        if not self.features:
            return
        ordered = [each.ordered for each in self.features]
        tree = Tree(np.array([each.fitted for each in self.features]), ordered, self.gains, _DEPTH)
        hits = tree.hits(np.array([each.scored for each in self.features]), self.scored.right)
        used = ", ".join(self.features[place].shortcut.name for place in tree.used)
        text = f"a decision tree of depth {_DEPTH} over all: {used or 'no question'}"
        yield self._score("tree", text, "tree", hits)

    def _score(self, name: str, text: str, kind: str, hits: Numbers) -> ShortcutScore:
        """Return the score of a strategy that is right about some of the scored questions."""
        clusters = [sample.cluster for sample in self.scored.samples]
        independent = len(set(clusters)) == len(clusters)
        accuracy = estimates({name: hits.astype(float)}, None if independent else clusters)[name]
        balanced = None
        if self.balanced:
            shares: dict[Hashable, list[bool]] = {}
            for truth, hit in zip(self.scored.truths, hits, strict=True):
                shares.setdefault(truth, []).append(hit)
            balanced = float(np.mean([np.mean(each) for each in shares.values()]))
        return ShortcutScore(name, text, kind, accuracy, balanced)


def _joint(one: Numbers, other: Numbers) -> Numbers:
    """Return a code for each pair of codes."""
    return one * Encoder.MOST + other
