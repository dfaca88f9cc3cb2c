"""Changes from one procedure to another: steps, findings and dependencies gained and lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from thence.core.procedure import Pair, Procedure
from thence.dataflow import START
from thence.procedures.analysis import Analysis, analyze
from thence.procedures.analysis_text import options, span
from thence.procedures.finding import Finding
from thence.procedures.lints import NEVER_DEFINED

_ALIKE = 0.6  # share of equal characters from which two texts may be one step, told anew
_MOST = 200  # steps without a counterpart among which texts are compared
_LONGEST = 500  # characters of a text that are compared


@dataclass(frozen=True)
class Dependency:
    """Two steps of one procedure of which the first must come first.

    Attributes:
        first: a step, from 0.
        second: the step that waits for it.
        facts: that tie them; none where the order is as stated.
    """

    first: int
    second: int
    facts: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the dependency ready for JSON; steps from 0."""
        return {"from": self.first, "to": self.second, "facts": list(self.facts)}


class ProcedureChanges:
    """Changes from an old procedure to a new one; steps count from 0, each in its own procedure.

    Attributes:
        old: analysis of the old one.
        new: analysis of the new one.
        same: the new step of each old step that has a counterpart: of the same name, of the same
            text, of the text that is most alike, or without a name and with the same facts.
    """

    def __init__(self, old: Analysis, new: Analysis) -> None:
        self.old = old
        self.new = new
        self.same = _counterparts(old, new)

    @cached_property
    def steps_gained(self) -> list[int]:
        """The new steps without a counterpart."""
        there = set(self.same.values())
        return [k for k in range(len(self.new.procedure.steps)) if k not in there]

    @cached_property
    def steps_lost(self) -> list[int]:
        """The old steps without a counterpart."""
        return [k for k in range(len(self.old.procedure.steps)) if k not in self.same]

    @cached_property
    def steps_reworded(self) -> list[Pair]:
        """The old and new places of the steps whose text is another."""
        old, new = self.old.procedure.steps, self.new.procedure.steps
        return [(i, j) for i, j in sorted(self.same.items()) if old[i].text != new[j].text]

    @cached_property
    def steps_changed(self) -> list[Pair]:
        """The old and new places of the steps that take another time, or have another condition."""
        old, new = self.old.procedure.steps, self.new.procedure.steps
        return [
            (i, j)
            for i, j in sorted(self.same.items())
            if (old[i].seconds, set(old[i].when)) != (new[j].seconds, set(new[j].when))
        ]

    @cached_property
    def findings_gained(self) -> list[Finding]:
        """The findings about the new procedure that the old one does not have."""
        before = {_identity(each, self.same) for each in self.old.findings}
        return [each for each in self.new.findings if _identity(each, None) not in before]

    @cached_property
    def findings_lost(self) -> list[Finding]:
        """The findings about the old procedure that the new one does not have."""
        after = {_identity(each, None) for each in self.new.findings}
        return [each for each in self.old.findings if _identity(each, self.same) not in after]

    @cached_property
    def dependencies_gained(self) -> list[Dependency]:
        """The dependencies of the new procedure that do not follow from the old one's order."""
        back = {new: old for old, new in self.same.items()}
        return _not_in(self.new, self.old, back)

    @cached_property
    def dependencies_lost(self) -> list[Dependency]:
        """The dependencies of the old procedure that do not follow from the new one's order."""
        return _not_in(self.old, self.new, self.same)

    def to_json(self) -> dict[str, Any]:
        """Return the changes ready for JSON; steps from 0, each in its own procedure."""
        return {
            "steps": {
                "gained": self.steps_gained,
                "lost": self.steps_lost,
                "reworded": [list(pair) for pair in self.steps_reworded],
                "changed": [list(pair) for pair in self.steps_changed],
            },
            "findings": {
                "gained": [each.to_json() for each in self.findings_gained],
                "lost": [each.to_json() for each in self.findings_lost],
            },
            "dependencies": {
                "gained": [each.to_json() for each in self.dependencies_gained],
                "lost": [each.to_json() for each in self.dependencies_lost],
            },
        }

    def lines(self) -> Iterator[str]:
        """Yield a line for each change; steps count from 1."""
        old, new = self.old.document, self.new.document
        for k in self.steps_lost:
            yield f"- {old.title(k)}: {old.flow.steps[k].text}"
        for k in self.steps_gained:
            yield f"+ {new.title(k)}: {new.flow.steps[k].text}"
        for i, j in self.steps_reworded:
            yield f"~ {new.title(j)}: {new.flow.steps[j].text} (was: {old.flow.steps[i].text})"
        for i, j in self.steps_changed:
            before, after = old.flow.steps[i], new.flow.steps[j]
            if before.seconds != after.seconds:
                times = (
                    span(step.seconds) if step.seconds else "no duration"
                    for step in (after, before)
                )
                yield "~ {}: {} (was: {})".format(new.title(j), *times)
            if set(before.when) != set(after.when):
                whens = (
                    f"only where {options(step.when)}" if step.when else "in any case"
                    for step in (after, before)
                )
                yield "~ {} is carried out {} (was: {})".format(new.title(j), *whens)
        for sign, document, held in (
            ("-", old, self.dependencies_lost),
            ("+", new, self.dependencies_gained),
        ):
            for each in held:
                why = ", ".join(each.facts) or "as stated"
                first, second = document.title(each.first), document.title(each.second)
                yield f"{sign} {second} waits for {first} ({why})"
        for sign, found in (("-", self.findings_lost), ("+", self.findings_gained)):
            for finding in found:
                yield f"{sign} {finding.severity}[{finding.rule}]: {finding.message}"

    def __str__(self) -> str:
        return "\n".join(self.lines()) or "no change"


def compare_procedures(
    old: Procedure | Path | str, new: Procedure | Path | str
) -> ProcedureChanges:
    """Return what a changed procedure gained and lost in steps, findings and dependencies.

    Args:
        old: a `Procedure`, or the path of a YAML file that holds one.
        new: likewise.

    Raises:
        ParameterError: one of them is neither a procedure nor a path.
        FileError: a file cannot be read, or is not a procedure.
    """
    return ProcedureChanges(_analysis(old), _analysis(new))


def _analysis(procedure: Procedure | Path | str) -> Analysis:
    return analyze(Path(procedure) if isinstance(procedure, PathLike) else procedure)


def _counterparts(old: Analysis, new: Analysis) -> dict[int, int]:
    """Return the new step of each old step that has one."""
    same: dict[int, int] = {}
    _pair(same, *(analysis.document.names for analysis in (old, new)))
    _pair(same, *([step.text.casefold() for step in each.procedure.steps] for each in (old, new)))
    same |= _alike(old, new, same)
    _pair(same, *(_effects(each) for each in (old, new)))
    return same


def _pair[Key](same: dict[int, int], before: Sequence[Key], after: Sequence[Key]) -> None:
    """Add the steps of one key, in the order of the procedures; what is empty is no key."""
    left: dict[Key, list[int]] = {}
    taken = set(same.values())
    for place, key in enumerate(after):
        if key and place not in taken:
            left.setdefault(key, []).append(place)
    for place, key in enumerate(before):
        if place not in same and left.get(key):
            same[place] = left[key].pop(0)


def _alike(old: Analysis, new: Analysis, same: Mapping[int, int]) -> dict[int, int]:
    """Return pairs of steps that have no counterpart yet, the most alike first."""
    there = set(same.values())
    before = [k for k in range(len(old.procedure.steps)) if k not in same][:_MOST]
    after = [k for k in range(len(new.procedure.steps)) if k not in there][:_MOST]
    names = old.document.names, new.document.names
    shares = []
    for j in after:
        matcher = SequenceMatcher(None, "", new.procedure.steps[j].text[:_LONGEST], autojunk=False)
        for i in before:
            if names[0][i] and names[1][j]:
                continue  # each has a name of its own
            matcher.set_seq1(old.procedure.steps[i].text[:_LONGEST])
            if matcher.quick_ratio() >= _ALIKE and (share := matcher.ratio()) >= _ALIKE:
                shares.append((-share, i, j))
    found: dict[int, int] = {}
    for _, i, j in sorted(shares):
        if i not in found and j not in found.values():
            found[i] = j
    return found


def _effects(analysis: Analysis) -> list[tuple[frozenset[str], ...]]:
    """Return what each step does to facts; nothing for one with a name or without facts."""
    found = []
    for name, step in zip(analysis.document.names, analysis.procedure.steps, strict=True):
        held = tuple(frozenset(each) for each in (step.uses, step.kills, step.defines))
        found.append(held if any(held) and not name else ())
    return found


def _identity(finding: Finding, moved: Mapping[int, int] | None) -> tuple[str, object, str]:
    """Return what makes two findings one: the rule, the step in the new procedure, the fact."""
    if finding.rule == NEVER_DEFINED:
        return finding.rule, START, finding.fact  # told once of a fact, at any of its users
    step: object = finding.step
    if moved is not None and finding.step != START:
        step = moved.get(finding.step, "gone")
    return finding.rule, step, finding.fact


def _not_in(one: Analysis, other: Analysis, places: Mapping[int, int]) -> list[Dependency]:
    """Return the dependencies of a procedure that do not follow from the order of another."""
    flow = other.document.flow
    ties: dict[Pair, Sequence[str]] = dict.fromkeys(one.procedure.order, ())
    for edge in one.dependencies.edges:
        ties[edge.source, edge.target] = tuple(dict.fromkeys(each.fact for each in edge.because))
    return [
        Dependency(i, j, tuple(facts))
        for (i, j), facts in sorted(ties.items())
        if not (i in places and j in places and flow.precedes(places[i], places[j]))
    ]
