"""Formats of answers: Yes or No, and the intervals of each domain."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core import amounts
from thence.core.gbnf import NUMBER, choice
from thence.core.score import Answer
from thence.families.fable.shared import reading

if TYPE_CHECKING:
    from thence.core.parts import Question

_STEP = "[1-9] [0-9]{0,3}"  # a step has as many digits as the reader allows


class Form(ABC):
    """The form of an answer: reading, writing and comparison.

    Attributes:
        name: name of the form in the answer's template.
        shown: the values that its reader needs of a sample, as in `AnswerFormat.shown`.
        prompt: parts of that template that would be read as an answer where a reply repeats them.
    """

    name: str
    shown: Sequence[str] = ()
    prompt: Sequence[str] = ()

    @abstractmethod
    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the answer in a reply, or None."""

    @abstractmethod
    def write(self, target: Any) -> str:
        """Return the answer as the prompt asks for it; the official scorer's ground truth."""

    @abstractmethod
    def perturb(self, target: Any, rng: Random) -> Any:
        """Return a well-formed answer that is different."""

    @abstractmethod
    def schema(self) -> Mapping[str, Any] | None:
        """Return the JSON schema of the answer; None where it is plain text."""

    def grammar(self) -> str | None:
        """Return the answer's expression of `thence.core.gbnf`; None where it is JSON."""
        return None

    @abstractmethod
    def parse(self, truth: str) -> Any:
        """Return the target of a published ground truth.

        Raises:
            ValueError: the text is not of this form.
        """

    @abstractmethod
    def check(self, target: Any) -> bool:
        """Return whether a target is of this form."""

    def asked(self, target: Any) -> Mapping[str, Any]:
        """Return values that a question states about its answer, such as the unit."""
        return {}

    def comparable(self, answer: Any, target: Any) -> bool:
        """Return whether an answer is of the kind that a question asks for."""
        return True

    def equal(self, answer: Any, target: Any) -> bool:
        """Return whether an answer means the same as the target."""
        return bool(answer == target)

    def within(self, answer: Any, target: Any) -> bool:
        """Return whether an answer lies within the target: the rule in the paper's text."""
        return self.equal(answer, target)

    def wrong_parts(self, answer: Any, target: Any) -> list[str]:
        """Return which parts of a wrong answer are wrong, in words."""
        return ["the answer"]

    def official(self, reply: str, truth: str) -> bool:
        """Return the verdict of the authors' scorer: the reply contains the truth, in any case."""
        return truth.lower() in reply.lower()


class YesNo(Form):
    """``"Yes"`` or ``"No"``."""

    name = "yes_no"

    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the verdict, by `reading.verdict`."""
        return reading.verdict(reply)

    def write(self, target: Any) -> str:
        """Return the word."""
        return str(target)

    def perturb(self, target: Any, rng: Random) -> Any:
        """Return the other word."""
        return "No" if target == "Yes" else "Yes"

    def schema(self) -> Mapping[str, Any] | None:
        """Return None: the prompt asks for a bare word."""
        return None

    def grammar(self) -> str:
        """Return the grammar of the two words."""
        return choice(("Yes", "No"))

    def parse(self, truth: str) -> Any:
        """Return Yes or No; the published recipes also have True and False."""
        name = {"true": "Yes", "false": "No"}.get(truth.strip().lower(), truth.strip().capitalize())
        if name not in ("Yes", "No"):
            raise ValueError("must be Yes or No")
        return name

    def check(self, target: Any) -> bool:
        """Return whether a target is one of the two words."""
        return target in ("Yes", "No")


class StepRange(Form):
    """``{"after": a, "before": b}``: steps numbered from 1 as in the prompt, or None."""

    name = "step_range"
    shown = ("question.i",)
    prompt = (
        '"Between Step A and Step B" if the step has to come after Step A',
        '"Before Step B" if only a later step bounds it; "No constraint" if none does.',
    )

    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the bounds, by `reading.step_range`."""
        asked = question.values.get("i")
        return reading.step_range(reply, None if asked is None else asked + 1)

    def write(self, target: Any) -> str:
        """Return the bounds in the words of the published ground truth."""
        after, before = target["after"], target["before"]
        if after is not None and before is not None:
            return f"Between Step {after} and Step {before}"
        if after is not None:
            return f"After Step {after}"
        return "No constraint" if before is None else f"Before Step {before}"

    def perturb(self, target: Any, rng: Random) -> Any:
        """Return the bounds with one moved by a step, or one bound where there was none."""
        after, before = target["after"], target["before"]
        if before is not None:
            return {"after": after, "before": before + 1}
        return {"after": 1 if after is None else after + 1, "before": None}

    def schema(self) -> Mapping[str, Any] | None:
        """Return None: the prompt asks for words."""
        return None

    def grammar(self) -> str:
        """Return the grammar of the four forms that the prompt names."""
        after, before = f'"After Step " {_STEP}', f'"Before Step " {_STEP}'
        both = f'"Between Step " {_STEP} " and Step " {_STEP}'
        return f'({both} | {after} | {before} | "No constraint")'

    def parse(self, truth: str) -> Any:
        """Parse ``Between Step 2 and Step 5``, one bound, or ``No specific interval ...``."""
        found = reading.step_range(truth)
        if found is None:
            raise ValueError("must name the steps between which, or say that there are none")
        return found.value

    def check(self, target: Any) -> bool:
        """Return whether a target has both keys, each a step or None."""
        return (
            isinstance(target, dict)
            and set(target) == {"after", "before"}
            and all(value is None or type(value) is int for value in target.values())
        )

    def wrong_parts(self, answer: Any, target: Any) -> list[str]:
        """Return which bounds are wrong."""
        words = {"after": "the bound that comes before", "before": "the bound that comes after"}
        return [said for name, said in words.items() if answer[name] != target[name]]

    def within(self, answer: Any, target: Any) -> bool:
        """Return whether every bound of the target has a bound as narrow in the answer."""
        if answer is None:
            return False
        low, high = target["after"], target["before"]
        after, before = answer["after"], answer["before"]
        return (low is None or (after is not None and after >= low)) and (
            high is None or (before is not None and before <= high)
        )


class TimeRange(Form):
    """``[low, high]``: seconds."""

    name = "time_range"
    prompt = ("in seconds as [shortest, longest], such as [45, 60]",)

    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the range, by `reading.time_range`."""
        return reading.time_range(reply)

    def write(self, target: Any) -> str:
        """Return the range in brackets."""
        low, high = target
        return f"[{low}, {high}]"

    def perturb(self, target: Any, rng: Random) -> Any:
        """Return a range that ends later."""
        return [target[0], target[1] + rng.randint(1, 30)]

    def schema(self) -> Mapping[str, Any] | None:
        """Return the schema of two whole numbers: all times in steps are whole."""
        return {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}

    def parse(self, truth: str) -> Any:
        """Parse ``[low, high]``."""
        found = reading.time_range(truth)
        if found is None:
            raise ValueError("must be [low, high]")
        return found.value

    def check(self, target: Any) -> bool:
        """Return whether a target is two numbers."""
        return (
            isinstance(target, list)
            and len(target) == 2
            and all(type(each) in (int, float) for each in target)
        )

    def wrong_parts(self, answer: Any, target: Any) -> list[str]:
        """Return which ends are wrong."""
        words = ("the shortest time", "the longest time")
        return [said for place, said in enumerate(words) if answer[place] != target[place]]

    def within(self, answer: Any, target: Any) -> bool:
        """Return whether both ends lie between those of the target."""
        return answer is not None and bool(target[0] <= min(answer) and max(answer) <= target[1])

    def official(self, reply: str, truth: str) -> bool:
        """Return whether both numbers occur anywhere in the reply."""
        low, _, high = truth.strip(" []").partition(",")
        return low.strip() in reply and high.strip() in reply


class QuantityFormat(Form):
    """``{"text", "low", "high", "unit"}``: an interval in the words of a recipe.

    Times have the unit ``minutes`` and are compared in minutes, in any unit of the text.
    """

    name = "quantity"
    shown = ("question.unit",)
    prompt = ('such as "12 minutes" or, where it is a range, "10 to 12 minutes"',)

    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the interval, by `reading.quantity`."""
        return reading.quantity(reply, question.values.get("unit", ""))

    def write(self, target: Any) -> str:
        """Return the text of the interval."""
        return str(target["text"])

    def perturb(self, target: Any, rng: Random) -> Any:
        """Return an interval that is longer or higher."""
        shown = target["unit"]
        low, high = target["low"] + 1, target["high"] + rng.randint(1, 5) + 1
        unit = {"F": "degrees F", "C": "degrees C"}.get(shown, shown)
        return {"text": f"{low:g} to {high:g} {unit}", "low": low, "high": high, "unit": shown}

    def schema(self) -> Mapping[str, Any] | None:
        """Return None: the prompt asks for the words of the recipe."""
        return None

    def grammar(self) -> str:
        """Return the grammar of one or two numbers and a unit."""
        number = f'{NUMBER} ("." [0-9]{{1,3}} | "/" [1-9] | " " [1-9] "/" [1-9])?'
        return f'(({number} " to ")? {number} " " [a-zA-Z] [a-zA-Z ]{{0,29}})'

    def parse(self, truth: str) -> Any:
        """Return the interval of a text, with the text."""
        found = amounts.first_amount(truth)
        if found is None:
            raise ValueError("must be an amount with its unit")
        return {**reading.interval(found), "text": truth}

    def check(self, target: Any) -> bool:
        """Return whether a target has two texts and two numbers by the four keys."""
        return (
            isinstance(target, dict)
            and all(isinstance(target.get(name), str) for name in ("text", "unit"))
            and all(type(target.get(name)) in (int, float) for name in ("low", "high"))
        )

    def asked(self, target: Any) -> Mapping[str, Any]:
        """Return the unit."""
        return {"unit": target["unit"]}

    def comparable(self, answer: Any, target: Any) -> bool:
        """Return whether both have the same unit."""
        return bool(answer["unit"] == target["unit"])

    def equal(self, answer: Any, target: Any) -> bool:
        """Return whether both have equal ends in the same unit, in any notation."""
        return (
            answer is not None
            and amounts.canonical(answer["unit"]) == amounts.canonical(target["unit"])
            and abs(answer["low"] - target["low"]) < 1e-6
            and abs(answer["high"] - target["high"]) < 1e-6
        )

    def within(self, answer: Any, target: Any) -> bool:
        """Return whether both ends lie between those of the target."""
        return (
            answer is not None
            and amounts.canonical(answer["unit"]) == amounts.canonical(target["unit"])
            and bool(target["low"] - 1e-6 <= answer["low"] <= target["high"] + 1e-6)
            and bool(answer["high"] <= target["high"] + 1e-6)
        )


YES_NO = YesNo()
