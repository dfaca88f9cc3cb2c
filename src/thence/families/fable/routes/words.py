"""The words of questions about trips: how the sheet is to be read, and explanations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from thence.core.procedure import Choice
from thence.dataflow import Flow, Verdict
from thence.dataflow.questions import Witness
from thence.domains.routes.trips.rules import rules
from thence.domains.routes.trips.sheet import Trip
from thence.families.fable.shared.plain import Verb, plain
from thence.families.fable.shared.sources_of_facts import with_sources

_SUCH_AS = re.compile(
    r" \((?:such as|none does) in the order [^)]*\)"
    "| The two stand side by side, and can change places, .*"
)
_WORDS = (
    ("Contamination ", "What is unsafe "),
    ("contamination ", "what is unsafe "),
    ("no step on the way sanitises it", "no step on the way makes it safe"),
    ("which sanitises it", "which makes it safe"),
    ("which sanitise it", "which make it safe"),
    ("did not sanitise it", "did not make it safe"),
)
_UNDER = re.compile(r"(?:('[^']*')|(it)) is '(closed|shut|open)'")


def reading(trip: Trip, *, timed: bool = False) -> list[str]:
    """Return the sentences that tell how a sheet is to be read.

    Args:
        trip: the trip.
        timed: whether its steps take time, which then decides which of two steps comes first.
    """
    two = is_two(trip)
    found = []
    if two and timed:
        found.append("The van and the truck set out at the same time.")
        if has_dispatcher(trip):
            found.append("The dispatcher begins then, too.")
        found.append("Each of them carries out its own steps in the order of their numbers.")
    elif two:
        found += _orders(trip)
    else:
        found.append("The van carries its steps out in the order of their numbers.")
    choices = [each.name for each in trip.procedure.choices]
    if choices:
        roads = [f"whether {name} is closed" for name in choices if name in trip.closures]
        shut = [f"whether {name} is shut" for name in choices if name not in trip.closures]
        named = " and ".join(filter(None, (", ".join([*roads, *shut][:-1]), [*roads, *shut][-1])))
        several = len(choices) > 1
        same = "; each of these is" if several else "; this is"
        both = f"{same} the same for both vehicles" if two else ""
        options = "Every combination of these options is" if several else "Both options are"
        found.append(
            f"It is not known beforehand {named}{both}. {options} possible. "
            "A step that is then not to be taken is not carried out; all others are."
        )
    return found


def _orders(trip: Trip) -> list[str]:
    """Return the sentences that tell which orders of the steps of a trip are permitted."""
    third = has_dispatcher(trip)
    all_of_them = "The van, the truck and the dispatcher" if third else "The van and the truck"
    found = [f"{all_of_them} each carry out their own steps in the order of their numbers."]
    waits = any("Wait until" in step.text for step in trip.procedure.steps)
    if waits:
        found.append("A step that waits for another one comes after it.")
    if third:
        found.append("A go-ahead matters only to a step that waits for it.")
    unless = ", unless these rules put them in order, directly or through other steps" * waits
    found.append(
        "Any step of one of them may come before or after any step of another, whatever their "
        f"numbers{unless}. Every order that this leaves open is a permitted order."
    )
    return found


def scope(trip: Trip, which: str, steps: str, *, orders: bool = True) -> str:
    """Return in which orders and under which options something is asked, or nothing.

    Args:
        trip: a trip without waiting or without choices has only one order or one set of options.
        which: ``some``, ``every``, or ``options`` of a time that is the least or the most over all.
        steps: the steps that have to be carried out, such as ``Step 3 is``.
        orders: whether to tell of the orders, too; the question then goes on.
    """
    parts = [f"in {which} permitted order"] if is_two(trip) and orders else []
    if trip.procedure.choices:
        any_ = {"some": "under some options", "every": "under all options"}
        parts.append(f"{any_.get(which, 'over all options')} with which {steps} carried out")
    return f", {' and '.join(parts)}{',' * orders}" if parts else ""


def is_two(trip: Trip) -> bool:
    """Return whether a trip has two vehicles."""
    return any(step.text.startswith("Truck: ") for step in trip.procedure.steps)


def has_dispatcher(trip: Trip) -> bool:
    """Return whether a dispatcher has steps of his own."""
    return any(step.text.startswith("Dispatcher: ") for step in trip.procedure.steps)


def told(trip: Trip) -> list[str]:
    """Return what the kinds of steps of a trip need and do, a sentence or two for each."""
    return rules([step.text for step in trip.procedure.steps], roads=any(trip.roads.values()))


def explained(flow: Flow, verdict: Verdict, asked: Mapping[str, Any]) -> tuple[str, Witness]:
    """Return explanation and witness of an answer in the words of the prompt."""
    witness = verdict.witness
    why = _SUCH_AS.sub("", verdict.why)
    order = witness.get("order")
    if isinstance(order, list) and " must come before " in why:
        before, _, more = why.partition(".")
        why = f"{before}{_through(flow, order)}.{more}"
    why = with_sources(why, flow, asked)
    names = [*flow.known, *(choice.name for choice in flow.procedure.choices)]
    held = {f"'{name}'": f"'<{number}>'" for number, name in enumerate(names)}  # as some have a '
    for name, place in held.items():
        why = why.replace(name, place)
    why = plain(why, Verb("end"), Verb("make", "true"))
    for one, other in _WORDS:
        why = why.replace(one, other)
    why = re.sub(r"\buse(s|d|)\b", lambda found: "need" + found[1].replace("d", "ed"), why)
    why = _with_options(why, {held[f"'{each.name}'"]: each for each in flow.procedure.choices})
    for name, place in held.items():
        why = why.replace(place, f'"{name[1:-1]}"').replace(place.strip("'"), name[1:-1])
    return f"{why[0].upper()}{why[1:]}", witness


def _with_options(why: str, choices: Mapping[str, Choice]) -> str:
    """Return an explanation with options in the words of the sheet, which knows "not shut" only.

    Args:
        why: the explanation.
        choices: by the quoted names that the explanation has for them.
    """
    name = ""

    def told(found: re.Match[str]) -> str:
        nonlocal name
        name = found[1] or name  # "it" is the choice that was named last
        first = choices[name].options[0]
        is_ = "is" if found[3] == first else "is not"
        return f"{found[1].strip("'") if found[1] else 'it'} {is_} {first}"

    return _UNDER.sub(told, why)


def _through(flow: Flow, order: Sequence[int]) -> str:
    """Return the chain of steps that puts two steps in order, with its waits."""
    waits = [
        f"step {b + 1} waits for step {a + 1}"
        for a, b in pairwise(order)
        if flow.steps[a].text[:4] != flow.steps[b].text[:4]
    ]
    if not waits:
        return ", as the same vehicle carries both out in the order of their numbers"
    return f", as {' and '.join(waits)}, and all keep to the order of their own steps"
