"""A domain of switches for the tests: each step turns a lamp on or off."""

from __future__ import annotations

from typing import Any

from thence.core.parameters import Parameter
from thence.core.procedure import Procedure, Step
from thence.families.fable.shared.answers import StepRange
from thence.families.fable.shared.domain import Case, Checked, Domain, Instance
from thence.families.fable.shared.task import tasks

LAMPS = "abc"


def _step(lamp: str, way: str) -> Step:
    fact = f"{lamp} is on"
    if way == "on":
        return Step(f"Turn lamp {lamp} on.", defines=(fact,))
    if way == "off":
        return Step(f"Turn lamp {lamp} off.", kills=(fact,))
    return Step(f"Read by lamp {lamp}.", uses=(fact,))


def lit(procedure: Procedure, step: int, fact: str) -> bool:
    """Whether a lamp is on after a step, found by executing the procedure."""
    on = set()
    for each in procedure.steps[: step + 1]:
        on = (on - set(each.kills)) | set(each.defines)
    return fact in on


class Lamps(Domain):
    """Asks whether a lamp is on: enough to exercise what all domains share."""

    name = "lamps"
    intervals = StepRange()
    settable = (Parameter("steps", "6", "how many", int),)

    def __init__(self, held: list[Case] | None = None) -> None:
        self.held = held

    def offered(self, values: Any) -> dict[str, str | None]:
        return {"taint": "lamps cannot be contaminated"}

    def corpus(self, values: Any) -> list[Case] | None:
        return self.held

    def case(self, values: Any, rng: Any) -> Case:
        ways = [
            (rng.choice(LAMPS), rng.choice(("on", "off", "read"))) for _ in range(values["steps"])
        ]
        steps = [_step(lamp, way) for lamp, way in ways]
        return Case(Procedure.total("reading", steps), {"kind": "lamps"})

    def sound(self, analysis: str, case: Case, rng: Any) -> list[Instance]:
        found = []
        for step in range(1, len(case.procedure.steps)):
            for lamp in LAMPS:
                fact = f"{lamp} is on"
                question = {"kind": analysis, "i": step, "j": None, "fact": fact}
                if analysis == "intervals":
                    answer: Any = {"after": step, "before": step + 2}
                else:
                    answer = "Yes" if lit(case.procedure, step, fact) else "No"
                found.append(Instance(question, answer, "because", step, (lamp, step)))
        return found

    def published(self, analysis: str, case: Case, rng: Any) -> Instance | None:
        found = self.sound(analysis, case, rng)
        return found[0] if found[0].answer == "Yes" else None

    def truth(self, analysis: str, metadata: Any) -> Any:
        question = metadata["question"]
        if analysis == "intervals":
            return {"after": question["i"], "before": question["i"] + 2}
        procedure = Procedure.from_json(metadata["procedure"])
        return "Yes" if lit(procedure, question["i"], question["fact"]) else "No"

    def audit(self, root: Any, dialect: str) -> list[Checked]:
        return []


def lamp_tasks(held: list[Case] | None = None) -> dict[str, Any]:
    """The eight tasks, by analysis."""
    return {task.generator.analysis: task for task in tasks(Lamps(held))}
