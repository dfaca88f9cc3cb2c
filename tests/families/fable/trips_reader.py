"""Answers to sound questions about trips from their prompts alone: all options and all orders.

It knows the rules of the prompt and none of the product's code: it walks through every point that
two vehicles can have got to, under every combination of options. The dispatcher is always as far as
he can be, as whatever he does only lets the vehicles go on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

_STEP = re.compile(r"(\d+)\. (?:(Van|Truck|Dispatcher): )?(.+)\Z")
_IF = re.compile(
    r"If (.+) is (not )?(?:closed|shut), take steps? (\d+)(?:(?: and| to) (\d+))?"
    r"(?:, otherwise steps? (\d+)(?:(?: and| to) (\d+))?)?"
)
_WAIT = re.compile(r"Wait until the (?:van|truck|dispatcher) has done step (\d+)\.")
_TIME = re.compile(r" \((\d+)-(\d+) seconds\)")
_ROAD = re.compile(r"\bon(?:to)? (?!the left|the right)([^.]+?)(?: toward .*)?\.")
_SIDE = re.compile(r" (?:North|South|East|West)\Z")
_CLEAN = ("Filter water", "Check the job list")

Facts = frozenset[str]


@dataclass
class Told:
    """A step as the prompt tells it."""

    vehicle: str
    text: str
    uses: set[str] = field(default_factory=set)
    makes: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)
    when: dict[str, bool] = field(default_factory=dict)
    waits: int | None = None
    seconds: tuple[int, int] = (0, 0)
    drives: bool = False
    is_clean: bool = False


def _place(thing: str) -> tuple[str, str]:
    return ("behind" if thing == "the trailer" else "in"), thing


def _effects(step: Told, place: str) -> bool:
    """Fill in what a job needs, makes and ends; whether the step is a job."""
    me, text = step.vehicle, step.text
    tank = "the {} tank of the " + me + " holds water"
    own_list, ticket = f"the {me} has a job list", f"the {me} has a day ticket"
    cistern, board = f"the cistern at {place} holds water", f"the board at {place} shows a job list"
    gate = f"the gate at {place} is open"
    load = re.fullmatch(r"(Load|Hitch|Pick up|Unload|Leave) (the [a-z ]+?)(?: here)?\.", text)
    if load:
        where, thing = _place(load[2])
        inside, here = f"{thing} is {where} the {me}", f"{thing} is at {place}"
        if load[1] in {"Load", "Hitch", "Pick up"}:
            step.uses, step.makes, step.ends = {here}, {inside}, {here}
        else:
            step.uses, step.makes, step.ends = {inside}, {here}, {inside}
        return True
    table: list[tuple[str, Callable[[re.Match[str]], tuple[set[str], set[str], set[str]]]]] = [
        (r"Weigh (the .+)\.", lambda m: ({f"{m[1]} is in the {me}"}, set(), set())),
        (r"Unlock the tool chest with (the key)\.",
         lambda m: ({f"{m[1]} is in the {me}"}, set(), set())),
        (r"Put sand on the trailer\.",
         lambda m: ({f"the trailer is behind the {me}"}, set(), set())),
        (r"Fill the (\w+) tank at the hydrant\.", lambda m: (set(), {tank.format(m[1])}, set())),
        (r"Fill the (\w+) tank from the cistern\.",
         lambda m: ({cistern}, {tank.format(m[1])}, set())),
        (r"(?:Pump|Filter) water from the (\w+) tank into the cistern\.",
         lambda m: ({tank.format(m[1])}, {cistern}, set())),
        (r"(?:Pump|Filter) water from the (\w+) tank into the (\w+) tank\.",
         lambda m: ({tank.format(m[1])}, {tank.format(m[2])}, set())),
        (r"Wash a road sign with water from the (\w+) tank\.",
         lambda m: ({tank.format(m[1])}, set(), set())),
        (r"Pour all the water from the (\w+) tank onto the trees\.",
         lambda m: ({tank.format(m[1])}, set(), {tank.format(m[1])})),
        (r"Open the drain of the (\w+) tank\.", lambda m: (set(), set(), {tank.format(m[1])})),
        (r"Open the drain of the cistern\.", lambda m: (set(), set(), {cistern})),
        (r"Measure the water in the cistern\.", lambda m: ({cistern}, set(), set())),
        (r"Take down a new job list by phone\.", lambda m: (set(), {own_list}, set())),
        (r"Read the job list out by radio\.", lambda m: ({own_list}, set(), set())),
        (r"Throw the job list away.*", lambda m: (set(), set(), {own_list})),
        (r"Check the job list by phone and correct it\.",
         lambda m: ({own_list}, {own_list}, set())),
        (r"Copy the job list from the board\.", lambda m: ({board}, {own_list}, set())),
        (r"Copy the job list onto the board\.", lambda m: ({own_list}, {board}, set())),
        (r"Take a photo of the job list on the board\.", lambda m: ({board}, set(), set())),
        (r"Wipe the board\.", lambda m: (set(), set(), {board})),
        (r"Buy a day ticket\.", lambda m: (set(), {ticket}, set())),
        (r"Show the day ticket\.", lambda m: ({ticket}, set(), set())),
        (r"Hand in the day ticket\.", lambda m: ({ticket}, set(), {ticket})),
        (r"Open the gate\.", lambda m: (set(), {gate}, set())),
        (r"Deliver a letter behind the gate\.", lambda m: ({gate}, set(), set())),
        (r"Close the gate\.", lambda m: (set(), set(), {gate})),
        (r"Empty the bins on (.+)\.", lambda m: ({f"the {me} is on {m[1]}"}, set(), set())),
    ]  # fmt: skip
    for pattern, effect in table:
        if found := re.fullmatch(pattern, text):
            step.uses, step.makes, step.ends = effect(found)
            return True
    return False


class Sheet:
    """A prompt's sheet: its steps, options and what holds at the start."""

    def __init__(self, prompt: str) -> None:
        self.steps: dict[int, Told] = {}
        self.choices: list[str] = []
        body = prompt.partition("\nSteps:\n")[2]
        places: dict[str, str] = {}
        for line in body.partition("\n\n")[0].splitlines():
            found = _STEP.match(line)
            assert found, line
            self._read(int(found[1]), (found[2] or "Van").lower(), found[3], places)
        held = re.search(r"only the following holds at the start: (.+)\.\n", prompt)
        self.start: Facts = frozenset(re.findall(r'"([^"]+)"', held[1]) if held else ())
        told = [s for s in self.steps.values() if s.drives]
        roads = {f for s in self.steps.values() for f in s.uses if " is on " in f}
        roads |= set(re.findall(r'makes this true: "(the \w+ is on [^"]+)"', prompt))
        for step in told:
            named = _roads(step.text)
            for fact in roads:
                whose, _, road = fact.partition(" is on ")
                if whose == f"the {step.vehicle}":
                    (step.makes if road in named else step.ends).add(fact)

    def _read(self, number: int, vehicle: str, text: str, places: dict[str, str]) -> None:
        step = Told(vehicle, text)
        if time := _TIME.search(text):
            step.seconds = (int(time[1]), int(time[2]))
            step.text = text = _TIME.sub("", text)
        step.is_clean = text.startswith(_CLEAN)
        step.when = dict(self.steps[number].when) if number in self.steps else {}
        self.steps[number] = step
        if stop := re.fullmatch(r"(?:Start|Arrive) at (.+)\.", text):
            places[vehicle] = stop[1]
        elif wait := _WAIT.fullmatch(text):
            step.waits = int(wait[1])
        elif branch := _IF.match(text):
            name = branch[1]
            if name not in self.choices:
                self.choices.append(name)
            for first, last, is_so in ((3, 4, not branch[2]), (5, 6, bool(branch[2]))):
                if branch[first]:
                    low, high = int(branch[first]), int(branch[last] or branch[first])
                    for k in range(low, high + 1):
                        self.steps.setdefault(k, Told("", "")).when[name] = is_so
        else:
            step.drives = not _effects(step, places.get(vehicle, ""))

    def worlds(self) -> Iterator[list[int]]:
        """The steps that are carried out, for each combination of options."""
        for values in product((True, False), repeat=len(self.choices)):
            world = dict(zip(self.choices, values, strict=True))
            yield [k for k, s in sorted(self.steps.items()) if s.when.items() <= world.items()]

    def walks[State](
        self, carried: list[int], state: State, do: Callable[[State, int], State | None]
    ) -> set[State]:
        """The states in which every order of some steps ends; a state None is followed no more."""
        rows = [[k for k in carried if self.steps[k].vehicle == who] for who in ("van", "truck")]
        desk = [k for k in carried if self.steps[k].vehicle == "dispatcher"]
        carried = [k for row in rows for k in row]
        here: dict[tuple[int, int], set[State]] = {(0, 0): {state}}
        for total in range(len(carried) + 1):
            for a in range(max(0, total - len(rows[1])), min(total, len(rows[0])) + 1):
                at = (a, total - a)
                done = {*rows[0][: at[0]], *rows[1][: at[1]]}
                for k in desk:
                    if self.steps[k].waits not in {None, *done}:
                        break
                    done.add(k)
                for held in here.pop(at, ()) if total < len(carried) else ():
                    for side in (0, 1):
                        if at[side] == len(rows[side]):
                            continue
                        k = rows[side][at[side]]
                        waits = self.steps[k].waits
                        if waits not in {None, *done}:
                            continue
                        new = do(held, k)
                        if new is not None:
                            after = (a + (side == 0), total - a + (side == 1))
                            here.setdefault(after, set()).add(new)
        return set().union(*here.values()) if here else set()


def _roads(text: str) -> set[str]:
    last = text.rpartition(". Continue on ")[2] if ". Continue on " in text else None
    found = [last.rstrip(".")] if last else [m[1] for m in _ROAD.finditer(text)]
    return {_SIDE.sub("", name.strip()) for part in found for name in part.split("/")}


def solve(kind: str, prompt: str) -> object:
    """The answer to a question, from its prompt."""
    sheet = Sheet(prompt)
    asked = prompt.rpartition("\n\n")[0].rpartition("\n\n")[2]
    numbers = [int(each) for each in re.findall(r"\bStep (\d+)\b", asked)]
    fact = re.search(r'makes this true: "([^"]+)"', asked)
    i, j = numbers[0], next((k for k in numbers if k != numbers[0]), None)
    if kind == "intervals":
        start = re.search(r"from the moment when .+ sets? out", asked) is not None
        return _times(sheet, None if start else i, i if start else j or i)
    answer = ANSWERS[kind](sheet, i, j or 0, fact[1] if fact else "")
    return "Yes" if answer else "No"


def _follow(
    sheet: Sheet, i: int, fact: str, j: int, *, anew: bool
) -> Iterator[tuple[bool, set[str]]]:
    """For each world: whether i and j are carried out, and how the fact may stand as j begins."""
    for carried in sheet.worlds():
        seen: set[str] = set()

        def do(state: str, k: int, seen: set[str] = seen) -> str | None:
            if k == j:
                seen.add(state)
                return None
            if k == i:
                return "held"
            step = sheet.steps[k]
            ends = fact in step.ends or (anew and fact in step.makes)
            return "lost" if state == "held" and ends else state

        if j in carried:
            sheet.walks(carried, "before", do)
            yield i in carried, seen


def _reaching(sheet: Sheet, i: int, j: int, fact: str) -> bool:
    return any("held" in seen for both, seen in _follow(sheet, i, fact, j, anew=True) if both)


def _available(sheet: Sheet, i: int, j: int, fact: str) -> bool:
    return all(seen == {"held"} for _, seen in _follow(sheet, i, fact, j, anew=False))


def _uses(sheet: Sheet, i: int, fact: str) -> set[str]:
    found: set[str] = set()
    for carried in sheet.worlds():

        def do(state: str, k: int) -> str | None:
            step = sheet.steps[k]
            if k == i:
                return "held"
            if state != "held" or not fact:
                return state
            if fact in step.uses:
                return "used"
            return "lost" if fact in step.ends | step.makes else state

        if i in carried:
            found |= sheet.walks(carried, "before", do)
    return found


def _live(sheet: Sheet, i: int, j: int, fact: str) -> bool:
    return "used" in _uses(sheet, i, fact)


def _busy(sheet: Sheet, i: int, j: int, fact: str) -> bool:
    return _uses(sheet, i, fact) == {"used"}


def _type_state(sheet: Sheet, i: int, j: int, fact: str) -> bool:
    missed = []
    for carried in sheet.worlds():

        def do(state: Facts, k: int) -> Facts | None:
            step = sheet.steps[k]
            if k == j:
                missed.append(not step.uses <= state)
                return None
            return state if k == i else frozenset((state - step.ends) | step.makes)

        if j in carried:
            sheet.walks(carried, sheet.start, do)
    return not any(missed)


def _taint(sheet: Sheet, i: int, j: int, fact: str) -> bool:
    met = []
    for carried in sheet.worlds():

        def do(state: tuple[bool, Facts], k: int) -> tuple[bool, Facts] | None:
            step = sheet.steps[k]
            begun, unsafe = state
            if k == j:
                met.append(begun and not unsafe.isdisjoint(step.uses))
                return None
            spoils = k == i or not unsafe.isdisjoint(step.uses)
            spoils = spoils and not step.is_clean
            left = unsafe - step.ends - step.makes
            return begun or k == i, frozenset(left | step.makes if spoils else left)

        if i in carried and j in carried:
            sheet.walks(carried, (False, frozenset()), do)
    return any(met)


def _concurrency(sheet: Sheet, i: int, j: int, fact: str) -> bool:
    one, other = sheet.steps[i], sheet.steps[j]
    for a, b in ((one, other), (other, one)):
        if a.ends & (b.uses | b.makes) or a.makes & b.uses:
            return False
    for carried in sheet.worlds():
        if i in carried and j in carried:
            firsts = sheet.walks(carried, 0, lambda state, k: state or (k if k in {i, j} else 0))
            if firsts == {i, j}:
                return True
    return False


def _times(sheet: Sheet, i: int | None, j: int) -> list[int]:
    spans = []
    for carried in sheet.worlds():
        if j not in carried or (i is not None and i not in carried):
            continue
        for end in (0, 1):
            done = _done(sheet, carried, end)
            spans.append(done[j] - (0 if i is None else done[i]))
    return [min(spans), max(spans)]


def _done(sheet: Sheet, carried: list[int], end: int) -> dict[int, int]:
    """When each step is done."""
    done: dict[int, int] = {}
    clock = {"van": 0, "truck": 0, "dispatcher": 0}
    waiting = list(carried)
    while waiting:
        for who in ("van", "truck", "dispatcher"):
            own = [k for k in waiting if sheet.steps[k].vehicle == who]
            if own and (sheet.steps[own[0]].waits or own[0]) not in waiting[:0] + [
                k for k in waiting if k != own[0]
            ]:
                step = sheet.steps[own[0]]
                begin = max(clock[who], done.get(step.waits or 0, 0))
                clock[who] = done[own[0]] = begin + step.seconds[end]
                waiting.remove(own[0])
    return done


ANSWERS: dict[str, Callable[[Sheet, int, int, str], bool]] = {
    "reaching_definitions": _reaching,
    "available_expressions": _available,
    "live_variables": _live,
    "very_busy_expressions": _busy,
    "type_state": _type_state,
    "taint": _taint,
    "concurrency": _concurrency,
}
