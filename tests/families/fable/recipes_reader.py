"""Answers sound questions about recipes from the text of the prompt alone: all options, all orders.

The English is read by `kitchen_reader`; what follows from it is found by carrying out the steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tests.families.fable.kitchen_reader import Deed, Kitchen, stems
from tests.families.fable.sheet_reader import Sheet
from tests.families.fable.trips_reader import ANSWERS, Told

_TOOL = re.compile(
    r"(?:With|On) (?:a clean|the) (balloon whisk|wooden spoon|chopping board), ", re.IGNORECASE
)
_TOOLS = (
    "balloon whisk",
    "wooden spoon",
    "chopping board",
    "large plate",
    "big pot",
    "oven's room",
)
_ROOM = _TOOLS[-1]
_NUMBER = r"(?:\d+ \d+/\d+|\d+/\d+|\d+(?:\.\d+)?|half an?|an?)"
_TIME = re.compile(
    rf"({_NUMBER})(?: ?(?:to|-) ?({_NUMBER}))? (second|minute|hour|day)s?\b", re.IGNORECASE
)
_SHARE = re.compile(
    r"(?:each|per|apiece|a (?:side|batch|piece)|(?:on|for|in) (?:each|either|both|every|one))\b"
)
_MINUTES = {"second": 1 / 60, "minute": 1.0, "hour": 60.0, "day": 1440.0}


class RecipeSheet(Sheet):
    """A prompt's recipe: what its steps do, their options and their order."""

    def __init__(self, prompt: str) -> None:
        steps = re.findall(r"^Step \d+: (.+)$", prompt, re.MULTILINE)
        listed = re.search(r"^Ingredients: (.+)\.$", prompt, re.MULTILINE)
        title = re.search(r"^Recipe: (.+)$", prompt, re.MULTILINE)
        assert title is not None
        phrases = listed[1].split("; ") if listed else []
        phrases = [said for each in phrases for said in _said(each, steps)]
        self._choices(prompt)
        bought = [
            name.partition("\n")[0][4:] for name in self.options if name.startswith("buy ")
        ]  # fmt: skip
        # what is bought in one of two forms comes in where it is made ready
        phrases = [each for each in phrases if not any(_ends(each, name) for name in bought)]
        self._shares(prompt)
        self.is_shared = "one oven, and one thing at a time" in prompt
        self.kitchen = Kitchen(title[1], phrases)
        self.steps, self.deeds, self.when = {}, [], {}
        self.conditions = [self._condition(text)[0] for text in steps]
        for number, text in enumerate(steps, 1):
            deed = self._step(text)
            self.deeds.append(deed)
            told = Told("", text)
            told.uses, told.makes, told.ends = deed.uses, deed.makes, deed.ends
            self.steps[number] = told
            self.when[number] = deed.when
        safe = re.search(r"What comes out of ((?:Steps? \d+(?:, | and )?)+)", prompt)
        for number in map(int, re.findall(r"\d+", safe[1] if safe else "")):
            self.steps[number].is_clean = True
        self.start = frozenset(tool for tool in _TOOLS if tool in prompt or tool == _ROOM)
        self.anywhere = set(
            map(int, re.findall(r"Step (\d+) gets the [a-z ]+ out only where", prompt))
        )
        self._order()

    def _shares(self, prompt: str) -> None:
        """Which cook does which steps, and which steps work with what was got out."""
        told = re.search(r"cooks share the work: (.+?)\. ", prompt)
        parts = re.split(r"the (?:first|second|third)", told[1]) if told else [""]
        self.cooks = [_numbers(part) for part in parts[1:]]
        self.gear = {
            name: _numbers(steps)
            for steps, name in re.findall(
                r"Steps ([\d, and]+), and no others, work with the ([a-z ]+), which", prompt
            )
        }
        self.served = {
            tool: _numbers(steps)
            for tool, steps in re.findall(r"The ([a-z ]+) serves in Steps ([\d, and]+)\.", prompt)
        }

    def _tied(self, a: int, b: int) -> bool:
        if any(a in steps and b in steps for steps in self.cooks):
            return True
        if not self.anywhere.isdisjoint((a, b)):
            return False
        one_when, other_when = self.when[a], self.when[b]
        if any(one_when.get(name, option) != option for name, option in other_when.items()):
            return False
        one, other = (self._binding(self.steps[k]) for k in (a, b))
        return any(
            x.ends & (y.uses | y.makes) or x.makes & y.uses for x, y in ((one, other), (other, one))
        )

    def _binding(self, step: Told) -> Told:
        """What a step does to things by which it keeps its order."""
        made = {each for each in step.makes if each[0] != "*"}  # it comes in: nothing waits for it
        facts = (facts - set(self.served) for facts in (step.uses, made, step.ends))
        return Told("", step.text, *facts)

    def _order(self) -> None:
        self.before: dict[int, set[int]] = {}
        for b in self.steps:
            direct = {a for a in range(1, b) if self._tied(a, b)}
            self.before[b] = direct.union(*(self.before[a] for a in direct))

    def _choices(self, prompt: str) -> None:
        """What is open, as choices with their options."""
        self.options: dict[str, list[str]] = {}
        self.told: dict[str, tuple[str, str]] = {}
        told = re.search(r"(Whether .+?) (?:is|are) open: ", prompt)
        named = re.split(r"(?:, | and )?whether ", told[1], flags=re.IGNORECASE) if told else [""]
        for each in named[1:]:
            if two := re.match(r"you use (\S+) or (\S+) (.+)", each):
                name = f"buy {two[3]}"
                pairs = {f"you use {two[k]} {two[3]}": two[k] for k in (1, 2)}
            elif two := re.match(r"you (bake|cook) (.+) or (.+)", each):
                name, pairs = each, {f"you {two[1]} {two[k]}": two[k] for k in (2, 3)}
            elif two := re.match(r"you have a second (.+)", each):
                name = each
                pairs = {each: "yes", f"you have only one {two[1]}": "no"}
            else:
                name, pairs = each, {each: "yes", f"not {each}": "no"}
            self.options[name] = list(pairs.values())
            self.told |= {words: (name, option) for words, option in pairs.items()}

    def _condition(self, text: str) -> tuple[dict[str, str], str]:
        """The options on which a step depends, and the rest of its words."""
        for words, (name, option) in self.told.items():
            if text.lower().startswith(f"if {words.lower()}, "):
                rest = text[len(words) + 5 :]
                return {name: option}, rest[:1].upper() + rest[1:]
        if text.startswith("If "):
            raise ValueError(f"not understood: {text}")
        return {}, text

    def _step(self, text: str) -> Deed:
        """What a step does, of its condition, its tool and the rest."""
        number = len(self.deeds) + 1
        when, text = self._condition(text)
        tools = {tool for tool, steps in self.served.items() if number in steps}
        for name in self.gear:
            away = (f"Put the {name} away.", f"Tidy the {name} away.")
            out = rf"(Get out|Fetch) the {name}( again)?\.|Make sure that the {name} (is|are) out\."
            if text in away or re.fullmatch(out, text):
                deed = Deed(text, when=when)
                (deed.ends if text in away else deed.makes).add(name)
                self.kitchen.deeds.append(deed)
                return deed
        gear = {name for name, steps in self.gear.items() if number in steps}
        if tool := _TOOL.search(text[:60]):
            tools.add(tool[1])
            rest = text[tool.end() :]
            text = text[: tool.start()] + (rest if tool.start() else rest[:1].upper() + rest[1:])
        whole = text
        text = re.sub(r"^Take the [^.]+ off the large plate\. ", "", text)
        text = re.sub(r"(?i)in the big pot, | (?:in|from) the big pot", "", text)
        text = text[:1].upper() + text[1:]
        shared = f"{next(iter(when))} {text}" if when else text
        named = next((each for each in _TOOLS if each in shared), None)
        kitchen = self.kitchen
        if when and next(iter(when)).startswith("buy "):
            deed = self._bought(text, next(iter(when)), when)
        elif named and re.match(
            r"wash (?:the|it with)|put the (?:\w+ ){1,2}away|put the first one away",
            text,
            re.IGNORECASE,
        ):
            deed = Deed(text)
            kitchen.deeds.append(deed)
            deed.makes.add(named)
            if text.lower().startswith("wash"):
                deed.uses.add(named)
            deed.when = when
            return deed
        elif re.search(r"put the first one away|go on with", text, re.IGNORECASE):
            deed = Deed(text)
            kitchen.deeds.append(deed)
            (name,) = when
            deed.makes.add(name.removeprefix("you have a second "))
        else:
            kitchen.pending = when
            deed = kitchen.read(text, when)
            if "off the large plate" in whole:
                gear.add("large plate")
            else:
                tools |= {each for each in ("large plate", "big pot") if each in whole}
        if kitchen.repeated is not None:
            earlier = kitchen.deeds[kitchen.repeated]
            tools |= earlier.makes & {*_TOOLS}
            if "again" in text and when:
                deed.uses |= earlier.uses & {*_TOOLS}
        if self.is_shared and "oven" in deed.uses - deed.makes:
            tools.add(_ROOM)
        deed.uses |= tools | gear
        deed.makes |= tools
        deed.when = when
        return deed

    def _bought(self, text: str, name: str, when: Mapping[str, str]) -> Deed:
        """A step that makes ready what is bought; the last of its condition makes it whole."""
        left = sum(each == when for each in self.conditions[len(self.deeds) + 1 :])
        bought, option = name.removeprefix("buy "), when[name]
        return self.kitchen.buy(text, bought, option, not left)


def _numbers(text: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", text)]


def _said(phrase: str, steps: Iterable[str]) -> list[str]:
    """The words of steps for a listed ingredient: where two take some of it, the list adds up."""
    amount = re.fullmatch(r"(\d+)((?:g|kg|ml|l)? )(.+)", phrase)
    text = "\n".join(steps)
    if amount is None or phrase in text:
        return [phrase]
    thing = re.sub(r"s\b", "s?", re.escape(amount[3]))
    return sorted(set(re.findall(rf"\b\d+{amount[2]}(?:more )?{thing}\b", text))) or [phrase]


def _ends(phrase: str, name: str) -> bool:
    return stems(phrase)[-len(stems(name)) :] == stems(name)


def solve(kind: str, prompt: str) -> Any:
    """The answer to a question, from its prompt."""
    asked = prompt.rpartition("\nQuestion: ")[2].partition("\n")[0]
    main = re.split(r" Yes (?:only )?where", asked)[0]
    numbers = [int(each) for each in re.findall(r"\bStep (\d+)\b", main)]
    stated = _stated(prompt, asked, numbers[0]) if kind == "intervals" else None
    if stated is not None:
        return stated
    sheet = RecipeSheet(prompt)
    if kind == "intervals":
        return _interval(sheet, asked, numbers[0])
    i, j = numbers[0], next((k for k in numbers if k != numbers[0]), 0)
    fact = ""
    if kind in ("type_state", "taint", "concurrency"):
        if kind != "type_state":
            for step in sheet.steps.values():
                for facts in (step.uses, step.makes, step.ends):
                    facts -= {each for each in facts if each.startswith("*")}
        if kind == "concurrency":
            i, j = sorted((i, j))
    else:
        fact = _fact(sheet, main, i)
        if kind in ("live_variables", "very_busy_expressions"):
            after = re.search(r"when Step (\d+) is done|after Step (\d+)", main)
            assert after is not None
            i = int(after[1] or after[2])
    return "Yes" if ANSWERS[kind](sheet, i, j, fact) else "No"


def _fact(sheet: RecipeSheet, asked: str, i: int) -> str:
    """The name of what a question is about."""
    deed = sheet.deeds[i - 1]
    if re.match(r"(?:Step \d+ heats|Take) the oven", asked):
        return "oven"
    if out := re.match(r"(?:Step \d+ gets out|Take) the (.+?)[.,] ", asked):
        return out[1]
    came = re.match(r"Step \d+ brings in the (.+?)\.|The (.+?) came in with", asked)
    if came:
        return "*" + _best(came[1] or came[2], {x: set(stems(x)) for x in deed.brings})
    made = re.match(r"Step \d+ makes or alters the (.+?)\. ", asked)
    if made is None:
        raise ValueError(f"not understood: {asked}")
    own = {x: deed.named.get(x, set()) for x in deed.makes if x[0] != "*" and x not in _TOOLS}
    return _best(made[1], own)


def _best(words: str, held: Mapping[str, Iterable[str]]) -> str:
    wanted = set(stems(words))
    scores = {
        name: len(wanted.intersection(known)) for name, known in held.items() if name != "oven"
    }
    if not scores:
        raise ValueError(f"nothing is '{words}'")
    return max(scores, key=lambda name: scores[name])


# Times --------------------------------------------------------------------------------------------


def _number(text: str) -> float:
    if text.lower().startswith("half"):
        return 0.5
    if text.lower() in ("a", "an"):
        return 1.0
    total = 0.0
    for part in text.split():
        over, _, under = part.partition("/")
        total += float(over) / float(under or 1)
    return total


def _spans(text: str) -> tuple[float, float]:
    if "overnight" in text:
        raise ValueError("a night is no number of minutes")
    low = high = 0.0
    for found in _TIME.finditer(text):
        if found[3].lower() == "second" and not found[1][0].isdigit():
            continue  # "a second spoon"
        scale = _MINUTES[found[3].lower()]
        if (
            found[1].lower() in ("a", "an")
            and scale == 60
            and text[found.start() - 5 : found.start()] == "half "
        ):
            continue
        low += _number(found[1]) * scale
        high += _number(found[2] or found[1]) * scale
    return low, high


def _stated(prompt: str, asked: str, i: int) -> list[float] | str | None:
    """What a step states, in its words; None where a time is to be computed."""
    text = re.findall(r"^Step \d+: (.+)$", prompt, re.MULTILINE)[i - 1]
    if "length of time" in asked:
        (found,) = _TIME.finditer(text)
        return [*_spans(found[0])]
    if "What temperature" in asked:
        return str(re.findall(r"\d+ ?°[CF]", text)[0])
    if of := re.search(r'How much "(.+)" does', asked):
        found = re.search(rf"(\d\S*(?: to \S+)?(?: [a-z]+)??)(?: of)? {re.escape(of[1])}", text)
        return found[1] if found else ""
    return None


def _interval(sheet: RecipeSheet, asked: str, i: int) -> list[float]:
    """The least and the most minutes."""
    spans = []
    fact = _fact(sheet, asked, i) if "brings in" in asked else ""
    for carried in sheet.worlds():
        if i not in carried:
            continue
        for end in (0, 1):
            if fact:
                users = [k for k in carried if fact in sheet.steps[k].uses and i in sheet.before[k]]
                spans.append(sum(_spans(sheet.steps[k].text)[end] for k in users))
                continue
            done: dict[int, float] = {}
            for k in sheet.steps:
                begun = max((done[a] for a in sheet.before[k]), default=0.0)
                done[k] = begun + (_spans(sheet.steps[k].text)[end] if k in carried else 0.0)
            spans.append(done[i])
    if "at the earliest" in asked:
        return [min(spans)] * 2
    if "at the latest" in asked:
        return [max(spans)] * 2
    return [min(spans), max(spans)]
