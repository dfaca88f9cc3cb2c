"""Two runs on the same questions, compared pair by pair.

Intervals of two runs may overlap although one is clearly better, as both are asked the same
questions; so differences are taken on each question first. Responses are joined by the sample's
id, or by ``metadata.pair`` where the two runs asked twins (framings of the same graphs).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from thence import families
from thence.analysis import consistency
from thence.analysis.metric_comparison import Figure, Rows, figures
from thence.core.digest import canonical_json
from thence.core.sample import Sample
from thence.core.statistics import Estimate, estimates, holm, mcnemar, sign_flips, wilson
from thence.errors import UsageError
from thence.scoring.judge import Scored
from thence.scoring.results import Results

ALPHA = 0.05
MCNEMAR, FLIPS = "McNemar, exact", "sign flips by procedure"


@dataclass(frozen=True, slots=True)
class Pair:
    """One question that both runs answered.

    Attributes:
        sample: as the first run was asked it.
        first: share of right answers of the first run, over its epochs.
        second: likewise.
        alike: share of epochs in which both gave equal answers; NaN where one gave none.
    """

    sample: Sample
    first: float
    second: float
    alike: float


@dataclass(frozen=True, slots=True)
class Difference:
    """What some pairs say: the second run less the first.

    Attributes:
        n: questions that both answered.
        first: accuracy of the first run on them.
        second: likewise.
        change: second less first, with the interval of a paired bootstrap over procedures.
        lost: questions that only the first run answered rightly.
        gained: questions that only the second did.
        p: two-sided, of no difference.
        test: which test gave it.
        alike: share of questions to which both gave equal answers.
        adjusted: p after Holm's correction over the rows of its table.
    """

    n: int
    first: float
    second: float
    change: Estimate
    lost: int
    gained: int
    p: float
    test: str
    alike: float
    adjusted: float = math.nan

    def to_json(self) -> dict[str, Any]:
        """As ``compare --json`` prints it."""
        return {
            "n": self.n,
            "first": self.first,
            "second": self.second,
            "difference": self.change.value,
            "difference_ci": self.change.interval(),
            "only_first_right": self.lost,
            "only_second_right": self.gained,
            "p": self.p,
            "p_holm": self.adjusted,
            "test": self.test,
            "answered_alike": None if math.isnan(self.alike) else self.alike,
        }


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side.

    Attributes:
        first: what the first run is called.
        second: likewise.
        overall: by family.
        tasks: by full name; corrected for their number.
        groups: (task, group of the main breakdown); corrected for their number.
        figures: family -> its metrics and own figures, on the questions that both answered.
        twins: share of pairs answered alike (OCC), by family, where the two were asked twins.
        unpaired: questions that only one of the two answered.
        notes: what a reader must know.
    """

    first: str
    second: str
    overall: Mapping[str, Difference]
    tasks: Mapping[str, Difference]
    groups: Mapping[tuple[str, str], Difference]
    figures: Mapping[str, Mapping[str, Figure]]
    twins: Mapping[str, Estimate]
    unpaired: int
    notes: Sequence[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """As ``compare --json`` prints it."""
        return {
            "first": self.first,
            "second": self.second,
            "overall": {name: each.to_json() for name, each in self.overall.items()},
            "groups": {name: each.to_json() for name, each in self.tasks.items()},
            "by": [
                {"task": task, "group": group, **each.to_json()}
                for (task, group), each in self.groups.items()
            ],
            "figures": {
                family: {name: each.to_json() for name, each in held.items()}
                for family, held in self.figures.items()
            },
            "twins": {
                family: {
                    "n": each.n,
                    consistency.OCC: each.value,
                    f"{consistency.OCC}_ci": each.interval(),
                }
                for family, each in self.twins.items()
            },
            "unpaired": self.unpaired,
            "conclusions": [*conclusions(self), *self.notes],
        }


def compare(first: Results, second: Results) -> Comparison:
    """Compares two runs on the questions that both answered.

    Raises:
        UsageError: there are none.
    """
    ours, theirs, unpaired = _joined(first, second)
    pairs = [_pair(ours[name], theirs[name]) for name in ours]
    as_twins = any(rows[0].sample.id != theirs[name][0].sample.id for name, rows in ours.items())
    if not pairs:
        raise UsageError(
            f"{first.source} and {second.source} share no question; compare runs of the same "
            "samples, or of twins of them"
        )
    notes = []
    if unpaired:
        notes.append(f"{unpaired} questions that only one of the two answered are left out.")
    notes += [f"{held.source} is not finished." for held in (first, second) if not held.finished]
    names = (first.model or first.source, second.model or second.source)
    if names[0] == names[1]:
        names = (first.source, second.source)
    return Comparison(
        *names,
        overall=_differences(pairs, lambda sample: sample.family, corrected=False),
        tasks=_differences(pairs, lambda sample: sample.task),
        groups=_differences(pairs, _group),
        figures=figures(ours, theirs),
        twins=consistency.across(ours, theirs) if as_twins else {},
        unpaired=unpaired,
        notes=notes,
    )


def by_family(first: Results, second: Results) -> dict[str, Difference]:
    """Only the families of a comparison; none where the runs share no question."""
    ours, theirs, _ = _joined(first, second)
    pairs = [_pair(ours[name], theirs[name]) for name in ours]
    return _differences(pairs, lambda sample: sample.family, corrected=False)


def _group(sample: Sample) -> tuple[str, str]:
    family = families.families()[sample.family]
    breakdown = families.task(sample.task).grader.breakdown(sample)
    return sample.task, breakdown.get(family.dimensions[0], "")


def _joined(first: Results, second: Results) -> tuple[Rows, Rows, int]:
    """The responses to each question that both runs answered, and how many only one did."""
    ours, theirs = _by_question(first), _by_question(second)
    if not ours.keys() & theirs.keys():  # twins: the same structure in other words
        ours, theirs = _by_pair(ours), _by_pair(theirs)
    both = [name for name in ours if name in theirs]
    only = len(ours) + len(theirs) - 2 * len(both)
    return {name: ours[name] for name in both}, {name: theirs[name] for name in both}, only


def _by_question(results: Results) -> Rows:
    held: Rows = defaultdict(list)
    for row in results.final():
        if row.score.counts:
            held[row.sample.id].append(row)
    return held


def _by_pair(held: Mapping[str, list[Scored]]) -> dict[str, list[Scored]]:
    """Under what joins twins; a name that several questions of one run share joins nothing."""
    renamed: dict[str, list[list[Scored]]] = defaultdict(list)
    for rows in held.values():
        pair = rows[0].sample.metadata.get("pair")
        if pair is not None:
            renamed[rows[0].sample.task + canonical_json(pair).decode()].append(rows)
    return {name: every[0] for name, every in renamed.items() if len(every) == 1}


def _pair(ours: Sequence[Scored], theirs: Sequence[Scored]) -> Pair:
    answers = [
        (left, right)
        for left, right in zip(ours, theirs, strict=False)
        if left.score.rule and right.score.rule
    ]
    alike = [consistency.alike(left, right) for left, right in answers]
    return Pair(
        ours[0].sample,
        sum(row.score.correct for row in ours) / len(ours),
        sum(row.score.correct for row in theirs) / len(theirs),
        sum(alike) / len(alike) if alike else math.nan,
    )


def _differences[Name](
    pairs: Sequence[Pair], name: Callable[[Sample], Name], *, corrected: bool = True
) -> dict[Name, Difference]:
    held: dict[Name, list[Pair]] = defaultdict(list)
    for pair in pairs:
        held[name(pair.sample)].append(pair)
    found = {key: _difference(each) for key, each in held.items()}
    adjusted = holm([each.p for each in found.values()])
    if not corrected:
        return found
    return {
        key: replace(each, adjusted=p)
        for (key, each), p in zip(found.items(), adjusted, strict=True)
    }


def _difference(pairs: Sequence[Pair]) -> Difference:
    changes = [pair.second - pair.first for pair in pairs]
    clusters = [pair.sample.cluster for pair in pairs]
    change = estimates({"change": changes}, clusters, ["change"])["change"]
    if math.isnan(change.low):
        change = _unspread(change.value, len(pairs), len(set(clusters)))
    binary = all(pair.first in (0, 1) and pair.second in (0, 1) for pair in pairs)
    lost = sum(pair.first > pair.second for pair in pairs)
    gained = sum(pair.second > pair.first for pair in pairs)
    if binary and len(set(clusters)) == len(pairs):
        p, test = mcnemar(lost, gained), MCNEMAR
    else:
        p, test = sign_flips(changes, clusters), FLIPS
    alike = [pair.alike for pair in pairs if not math.isnan(pair.alike)]
    return Difference(
        len(pairs),
        sum(pair.first for pair in pairs) / len(pairs),
        sum(pair.second for pair in pairs) / len(pairs),
        change,
        lost,
        gained,
        p,
        test,
        sum(alike) / len(alike) if alike else math.nan,
    )


def _unspread(value: float, n: int, clusters: int) -> Estimate:
    """Where all procedures say the same, no resample differs: Wilson's interval bounds the rest."""
    could = wilson(0, clusters)[1]
    return Estimate(value, max(-1.0, value - could), min(1.0, value + could), n)


def conclusions(found: Comparison) -> list[str]:
    """What can and what cannot be concluded, in words, a sentence a family and one for tasks."""
    sentences = [_family_sentence(found, name, each) for name, each in found.overall.items()]
    sentences += [_twin_sentence(name, each) for name, each in found.twins.items()]
    if len(found.tasks) > 1:
        sentences.append(_task_sentence(found))
    return sentences


def _family_sentence(found: Comparison, family: str, each: Difference) -> str:
    points = 100 * abs(each.change.value)
    low, high = (100 * end for end in (each.change.low, each.change.high))
    title = families.families()[family].title
    begin = (
        f"{title}: on {each.n:,} questions that both answered, {found.first} is right on "
        f"{100 * each.first:.1f}% and {found.second} on {100 * each.second:.1f}%"
    )
    spread = f"[{low:+.1f}, {high:+.1f}]; {each.test}, {p_text(each.p)}"
    if each.p < ALPHA:
        better = found.second if each.change.value > 0 else found.first
        return f"{begin}: {better} is better by {points:.1f} points ({spread})."
    if each.lost == each.gained == 0:
        return f"{begin}: they are right on the same questions, so nothing tells them apart here."
    widest = max(abs(low), abs(high))
    return (
        f"{begin}: that is no evidence of a difference ({spread}), nor of there being none; one of "
        f"up to {widest:.1f} points either way fits these answers."
    )


def _twin_sentence(family: str, each: Estimate) -> str:
    low, high = (100 * end for end in (each.low, each.high))
    return (
        f"{families.families()[family].title}: the two were asked twins, and of {each.n:,} pairs "
        f"answered {100 * each.value:.1f}% alike (OCC) [{low:.1f}, {high:.1f}]."
    )


def _task_sentence(found: Comparison) -> str:
    sure = {name: each for name, each in found.tasks.items() if each.adjusted < ALPHA}
    better = [name for name, each in sure.items() if each.change.value > 0]
    worse = [name for name, each in sure.items() if each.change.value < 0]
    parts = []
    if better:
        parts.append(f"{found.second} is better on {_listed(better, len(found.tasks))}")
    if worse:
        parts.append(f"{found.first} is better on {_listed(worse, len(found.tasks))}")
    left = len(found.tasks) - len(sure)
    if left:
        parts.append(f"{left} of {len(found.tasks)} tasks do not let one tell")
    return f"By task, after Holm's correction for {len(found.tasks)}: {'; '.join(parts)}."


def _listed(names: Sequence[str], everything: int) -> str:
    if len(names) == everything:
        return "every one of them"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def p_text(p: float) -> str:
    """``p = 0.031`` or ``p < 0.001``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
