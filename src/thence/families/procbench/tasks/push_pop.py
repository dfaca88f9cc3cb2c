"""Task 16: add and remove characters at both ends of a string."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench.draws import text
from thence.families.procbench.knobs import LARGEST
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape

_LONGEST = 30  # characters of the initial string, for any number of steps


class Question(TypedDict):
    """``string``; ``actions`` such as ``pop_left`` and ``push_right(c)``."""

    string: str
    actions: list[str]


class PushPop(ExplicitProcedure[Question]):
    """Each step is one action."""

    name = "push_pop"
    rank = 16
    summary = "add and remove characters at both ends of a string"
    states = Shape.TEXT

    knobs = (
        ("state", "characters of the string before the first step"),
        ("alphabet", "different letters that may occur"),
    )

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return {"state": (1, LARGEST), "alphabet": (2, 26)}[knob]

    def initial(self, question: Question) -> str:
        """Return the string as given."""
        return question["string"]

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the string after each action; removal from an empty string leaves it empty."""
        state = question["string"]
        for written in question["actions"]:
            action, _, rest = written.partition("(")
            match action:
                case "pop_left":
                    state = state[1:]
                case "pop_right":
                    state = state[:-1]
                case "push_left":
                    state = rest.removesuffix(")") + state
                case "push_right":
                    state += rest.removesuffix(")")
                case _:
                    raise ValueError(f"unknown action '{action}'")
            yield state

    def compose(
        self, rng: Random, steps: int, state: int | None = None, alphabet: int | None = None
    ) -> Question:
        """Return a string as long as there are steps, and actions of all four kinds.

        The length of the string is a random walk between nothing and twice the initial length.
        """
        known = ascii_lowercase[: alphabet or 26]
        bits, string = rng.getrandbits, text(rng, state or min(steps, _LONGEST), known)
        length, most = len(string), 2 * len(string)
        actions = []
        for letter in text(rng, steps, known):
            side = "left" if bits(1) else "right"
            if length and (length == most or bits(1)):
                actions.append(f"pop_{side}")
                length -= 1
            else:
                actions.append(f"push_{side}({letter})")
                length += 1
        return {"string": string, "actions": actions}

    def parse(self, prompt: str) -> Question:
        """Parse ``Initial string: ...`` and ``Actions: ..., ...``."""
        string = between(prompt, "Initial string:", "Actions:")
        return {"string": string, "actions": items(after(prompt, "Actions:"))}


TASK = task(PushPop())
