"""Answers to questions about written procedures from their prompts alone: all options, all orders.

It reads what stands under the steps, and knows none of the product's code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

from tests.families.fable.trips_reader import ANSWERS, Told
from tests.families.fable.trips_reader import Sheet as TripSheet

_QUOTED = re.compile(r'"([^"]*)"')
_STEP = re.compile(r"(\d+)\. (.+)\Z")
_TAKES = re.compile(r"Takes ([\d.]+)(?: to ([\d.]+))? minutes?\.")


class Sheet(TripSheet):
    """A prompt's procedure: its steps, options and order."""

    def __init__(self, prompt: str) -> None:
        self.steps: dict[int, Told] = {}
        self.times: dict[int, tuple[float, float]] = {}
        self.when: dict[int, dict[str, str]] = {}
        after: dict[int, list[int]] = {}
        for line in prompt.partition("\nSteps:\n")[2].partition("\n\n")[0].splitlines():
            if found := _STEP.match(line):
                number = int(found[1])
                self.steps[number] = Told("", found[2])
                self.when[number] = {}
                continue
            step = self.steps[number]
            only = re.findall(r'Only if "([^"]*)" is "([^"]*)"\.', line)
            self.when[number] = dict(only)
            rest = re.sub(r'Only if "[^"]*" is "[^"]*"\. ?', "", line)
            for verb, facts in (
                ("Needs", step.uses),
                ("Ends", step.ends),
                ("Provides", step.makes),
            ):
                if told := re.search(verb + r' ((?:"[^"]*"(?:, )?)+)\.', rest):
                    facts.update(_QUOTED.findall(told[1]))
            if told := re.search(r"Comes after ((?:Step \d+(?:, | and )?)+)\.", rest):
                after[number] = [int(each) for each in re.findall(r"\d+", told[1])]
            if told := _TAKES.search(rest):
                self.times[number] = (float(told[1]), float(told[2] or told[1]))
        held = re.search(r"At the start this holds: (.+)\. Nothing else", prompt)
        self.start = frozenset(_QUOTED.findall(held[1]) if held else ())
        self.options = {
            name: _QUOTED.findall(options)
            for name, options in re.findall(
                r'whether "([^"]*)" is ((?:"[^"]*"(?: or )?)+)', prompt.partition("\n\nGoal")[0]
            )
        }
        checked = re.search(r"Step (\d+) is checked", prompt)
        if checked:
            self.steps[int(checked[1])].is_clean = True
        total = "carried out in the order in which they are listed" in prompt
        shared = "Two people, A and B, share the work" in prompt
        ties = self._of_one_person if shared else self._tied
        self.before: dict[int, set[int]] = {}
        for b in self.steps:
            direct = set(after.get(b, ()))
            direct |= {a for a in range(1, b) if total or ties(a, b)}
            self.before[b] = direct.union(*(self.before[a] for a in direct))

    def _of_one_person(self, a: int, b: int) -> bool:
        return self.steps[a].text[:3] == self.steps[b].text[:3]

    def _tied(self, a: int, b: int) -> bool:
        one, other = self.steps[a], self.steps[b]
        whens = self.when[a], self.when[b]
        if any(whens[1].get(name, option) != option for name, option in whens[0].items()):
            return False
        return any(
            x.ends & (y.uses | y.makes) or x.makes & y.uses for x, y in ((one, other), (other, one))
        )

    def worlds(self) -> Iterator[list[int]]:
        """The steps that are carried out, for each combination of options."""
        for values in product(*self.options.values()):
            world = dict(zip(self.options, values, strict=True))
            yield [k for k in sorted(self.steps) if self.when[k].items() <= world.items()]

    def walks[State](
        self, carried: list[int], state: State, do: Callable[[State, int], State | None]
    ) -> set[State]:
        """The states in which every order of some steps ends; a state None is followed no more."""
        here: dict[frozenset[int], set[State]] = {frozenset(): {state}}
        needs = {k: self.before[k].intersection(carried) for k in carried}
        for _ in carried:
            after: dict[frozenset[int], set[State]] = {}
            for done, states in here.items():
                for k in carried:
                    if k not in done and needs[k] <= done:
                        new = {found for held in states if (found := do(held, k)) is not None}
                        if new:
                            after.setdefault(done | {k}, set()).update(new)
            here = after
        return set().union(*here.values()) if here else set()


def solve(kind: str, prompt: str) -> object:
    """The answer to a question, from its prompt: Yes or No, or the least and the most minutes."""
    sheet = Sheet(prompt)
    asked = prompt.rpartition("\n\n")[0].rpartition("\n\n")[2]
    asked = re.sub(r"Step \d+ is checked", "", asked)
    numbers = [int(each) for each in re.findall(r"\bStep (\d+)\b", asked)]
    if kind == "intervals":
        return _times(sheet, numbers[0])
    fact = re.search(r'(?:provides|Is) "([^"]*)"', asked)
    i, j = numbers[0], next((k for k in numbers if k != numbers[0]), None)
    return "Yes" if ANSWERS[kind](sheet, i, j or 0, fact[1] if fact else "") else "No"


def _times(sheet: Sheet, j: int) -> list[float]:
    spans = []
    for carried in sheet.worlds():
        if j not in carried:
            continue
        for end in (0, 1):
            done: dict[int, float] = {}
            for k in sheet.steps:
                begun = max((done[a] for a in sheet.before[k]), default=0.0)
                done[k] = begun + (sheet.times.get(k, (0, 0))[end] if k in carried else 0)
            spans.append(done[j])
    return [min(spans), max(spans)]
