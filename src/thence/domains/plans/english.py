"""Actions, facts and goals of plans as English sentences.

Our four domains have phrases of their own; a user's domain gets plain ones made from its names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from thence.domains.plans.lowering import atom_text
from thence.domains.plans.pddl import Atom

type Phrase = Callable[..., str]

_STEMS = {
    "peg": "peg", "d": "disk", "ball": "ball", "room": "room", "c": "car", "l": "shore",
    "truck": "truck", "driver": "driver", "package": "package", "s": "location",
}  # fmt: skip


def object_in_words(word: str) -> str:
    """Return an object of the built-in domains in words, such as ``disk 2`` for ``d2``."""
    stem = word.rstrip("0123456789")
    number = word[len(stem) :]
    if word in ("left", "right"):
        return f"{word} hand"
    return f"{_STEMS.get(stem, stem)} {number}" if number else word


_ACTIONS: Mapping[tuple[str, str], Phrase] = {
    ("hanoi", "move"): "Move {0} from {1} onto {2}.".format,
    ("gripper", "move"): "The robot goes from {0} to {1}.".format,
    ("gripper", "pick"): "The robot picks up {0} in {1} with its {2}.".format,
    ("gripper", "drop"): "The robot puts {0} down in {1} from its {2}.".format,
    ("ferry", "board"): "Load {0} onto the ferry at {1}.".format,
    ("ferry", "debark"): "Unload {0} from the ferry at {1}.".format,
    ("ferry", "sail"): "Sail the ferry from {0} to {1}.".format,
    ("driverlog", "load-truck"): "Load {0} into {1} at {2}.".format,
    ("driverlog", "unload-truck"): "Unload {0} from {1} at {2}.".format,
    ("driverlog", "board-truck"): "{0} gets into {1} at {2}.".format,
    ("driverlog", "disembark-truck"): "{0} gets out of {1} at {2}.".format,
    ("driverlog", "drive-truck"): "{3} drives {0} from {1} to {2}.".format,
    ("driverlog", "walk"): "{0} walks from {1} to {2}.".format,
}

_FACTS: Mapping[tuple[str, str], Phrase] = {
    ("hanoi", "on"): "{0} lies directly on {1}".format,
    ("hanoi", "clear"): "nothing lies on {0}".format,
    ("gripper", "at-robby"): "the robot is in {0}".format,
    ("gripper", "at"): "{0} is on the floor of {1}".format,
    ("gripper", "free"): "the robot's {0} is free".format,
    ("gripper", "carry"): "the robot holds {0} in its {1}".format,
    ("ferry", "at"): "{0} is ashore at {1}".format,
    ("ferry", "at-ferry"): "the ferry is at {0}".format,
    ("ferry", "on"): "{0} is on the ferry".format,
    ("ferry", "empty-ferry"): "the ferry is empty".format,
    ("driverlog", "at"): "{0} is at {1}".format,
    ("driverlog", "in"): "{0} is in {1}".format,
    ("driverlog", "driving"): "{0} is at the wheel of {1}".format,
    ("driverlog", "empty"): "nobody is at the wheel of {0}".format,
}


def action(domain: str, atom: Atom) -> str:
    """Return an action as a sentence: ``Sail the ferry from shore 1 to shore 2.`` is one."""
    phrase = _ACTIONS.get((domain, atom[0]))
    if phrase is None:
        verb = atom[0].replace("-", " ").replace("_", " ").capitalize()
        return f"{verb} with {_listed(atom[1:])}." if len(atom) > 1 else f"{verb}."
    text = phrase(*map(object_in_words, atom[1:]))
    return text[0].upper() + text[1:]


def fact(domain: str, atom: Atom) -> str:
    """Return the clause of a fact, such as ``the ferry is at shore 2``."""
    phrase = _FACTS.get((domain, atom[0]))
    if phrase is None:
        return f"'{atom_text(atom)}' holds"
    return phrase(*map(object_in_words, atom[1:]))


def goal(domain: str, atoms: Sequence[Atom]) -> str:
    """Return the goal as one sentence."""
    text = _listed([fact(domain, atom) for atom in atoms]) or "nothing in particular"
    return text[0].upper() + text[1:] + "."


def _listed(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    comma = "," if len(words) > 2 else ""
    return f"{', '.join(words[:-1])}{comma} and {words[-1]}"
