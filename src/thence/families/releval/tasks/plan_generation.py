"""A task: write a number of consistent relations over a number of objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, islice
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.digest import canonical_json, compact_json
from thence.core.json_schema import object_of
from thence.core.parameters import Parameter
from thence.core.parts import (
    AnswerFormat,
    Baselines,
    Checks,
    Condition,
    Draft,
    Explainer,
    Generator,
    Grader,
    Question,
)
from thence.core.score import Answer, Grade
from thence.core.task import Task
from thence.errors import ParameterError
from thence.families.releval import chance, names
from thence.families.releval.framings import FRAMING, SYMBOLIC
from thence.families.releval.groups import (
    MOST_OBJECTS,
    MOST_RELATIONS,
    OBJECTS,
    PLANS,
    RELATIONS,
    check_plan,
    chosen,
    name,
)
from thence.families.releval.plans import METRICS, RELATIONSHIPS, parts, read_plan

if TYPE_CHECKING:
    from thence.core.sample import Sample

_OPEN, _CLOSE = "<RESPONSE>\n", "\n</RESPONSE>"
FREE, GIVEN = "free", "given"

NAMES = Parameter(
    "names",
    FREE,
    "free: the model names the objects; given: a list of random strings; or your own as A,B,C",
    names.kinds(FREE, GIVEN),
    separator=",",
)


class PlanQuestions(Generator):
    """Asks for relations that the model invents; only their numbers vary, so prompts are fixed."""

    parameters = (OBJECTS, RELATIONS, NAMES, FRAMING)

    def unavailable(self, values: Mapping[str, Any]) -> str:
        """Return the reason why a language framing has no plans."""
        if values["framing"] == SYMBOLIC.name:
            return ""
        return f"plans are symbolic only; leave out framing={values['framing']}"

    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """Return one condition, which has a single prompt, per group."""
        kind = values["names"]
        named = kind if isinstance(kind, str) else list(kind)
        found = []
        for group in chosen(PLANS, (values["n"], values["m"])):
            check_plan(group)
            if not names.enough(kind, group[0]):
                raise ParameterError(
                    "names",
                    None,
                    f"{len(kind)} names are too few for group {name(group)}; give {group[0]}",
                )
            parameters = {"n": group[0], "m": group[1], "names": named}
            found.append(Condition(name(group), parameters, 1))
        return found

    def most(self, values: Mapping[str, Any]) -> int | None:
        """Return the number of prompts, where the model names the objects."""
        return len(self.conditions(values)) if values["names"] == FREE else None

    def arrange(
        self, values: Mapping[str, Any], size: int | None, seed: int
    ) -> Sequence[Condition]:
        """Return the conditions; with free names there is just one prompt per group."""
        most = self.most(values)
        if size is not None and most is not None and size > most:
            raise ParameterError(
                "size",
                size,
                f"releval/plan_generation has one prompt a group, {most} in all; ask for no "
                "more (and repeat them in epochs), or set names=given",
            )
        return super().arrange(values, size, seed)

    def draw(self, condition: Condition, rng: Random) -> Draft:
        """Return the numbers, and names where they are given."""
        n, m, kind = (condition.parameters[each] for each in ("n", "m", "names"))
        target: dict[str, Any] = {"objects": n, "relations": m}
        if kind == FREE:
            return Draft({**target, "names": []}, target)
        if kind == GIVEN:
            kind = "strings"
        drawn = names.draw(kind if isinstance(kind, str) else tuple(kind), SYMBOLIC.name, n, rng)
        return Draft({**target, "names": drawn}, {**target, "names": drawn})


class PlanFormat(AnswerFormat):
    """Relations in a JSON object between tags."""

    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the listed relations; `read_plan` explains the rules."""
        return read_plan(reply)

    def write(self, target: Any) -> str:
        """Return a plan of the requested size, or the given relations."""
        listed = target[RELATIONSHIPS] if RELATIONSHIPS in target else _plan(target)
        return f"{_OPEN}{compact_json({RELATIONSHIPS: listed})}{_CLOSE}"

    def part(self, reply: str) -> str:
        """Return the JSON object between the tags."""
        return reply.removeprefix(_OPEN).removesuffix(_CLOSE)

    def schema(self, question: Question) -> Mapping[str, Any]:
        """Return the schema of an object with a list of strings."""
        return object_of(**{RELATIONSHIPS: {"type": "array", "items": {"type": "string"}}})

    def vote(self, answer: Any) -> bytes:
        """Return the listed relations in any order."""
        if not isinstance(answer, Mapping) or RELATIONSHIPS not in answer:
            return canonical_json(answer)
        return canonical_json(sorted(canonical_json(item).hex() for item in answer[RELATIONSHIPS]))


class PlanGrader(Grader):
    """Four parts: consistency, duplicates, numbers of objects and of relations."""

    metrics = METRICS

    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Return a grade that is correct if all four parts are."""
        target = sample.target
        if answer is None:
            return Grade(correct=False, values=dict.fromkeys(METRICS, 0.0))
        listed = answer[RELATIONSHIPS]
        values = parts(listed, target["objects"], target["relations"], target.get("names"))
        return Grade(all(values.values()), values)

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """Return the group, and the bins of objects and of relations."""
        return {
            "group": str(sample.metadata["group"]),
            "objects": interval(sample.target["objects"], 10),
            "relations": interval(sample.target["relations"], 50),
        }


class PlanChecks(Checks):
    """Takes the numbers from the question."""

    def check(self, sample: Sample) -> None:
        """Raise unless the target holds the two numbers."""
        target = sample.target
        for part, most in (("objects", MOST_OBJECTS), ("relations", MOST_RELATIONS)):
            value = target.get(part) if isinstance(target, dict) else None
            if type(value) is not int or not 0 < value <= most:
                raise ValueError(f"the target must hold '{part}', a number from 1 to {most:,}")
        try:
            check_plan((target["objects"], target["relations"]))
        except ParameterError as error:
            raise ValueError(f"the target cannot be: {error}") from error
        named = target.get("names")
        if named and not (_are_names(named) and len(named) == target["objects"]):
            raise ValueError("the names in the target must be as many texts as there are objects")

    def recompute(self, sample: Sample) -> Any:
        """Return the numbers in the question."""
        question = sample.metadata["question"]
        target = {"objects": question["objects"], "relations": question["relations"]}
        return {**target, "names": question["names"]} if question["names"] else target

    def perturb(self, sample: Sample, rng: Random) -> Any:
        """Return a right plan with a relation missing, repeated, or reversed and added."""
        listed = _plan(sample.target)
        one = listed[rng.randrange(len(listed))]
        first, sign, second = one.split(" ")
        instead = rng.choice((listed[1:], [*listed, one], [*listed, f"{second} {sign} {first}"]))
        return {RELATIONSHIPS: instead}


class PlanExplainer(Explainer):
    """Explains why an ordered plan is right."""

    def explain(self, sample: Sample) -> str:
        """Return why the plan from `write` is right."""
        return (
            "The objects are put in one order, and every statement says that an earlier one is "
            "larger than a later one, so that no chain of statements leads back to where it began. "
            "Each object occurs, and no two statements are on the same pair."
        )


class PlanBaselines(Baselines):
    """Relates objects at random."""

    def random_answer(self, generator: Generator, sample: Sample, rng: Random) -> Any:
        """Return the requested number of relations between random objects."""
        names = _named(sample.target)
        pairs = (rng.sample(names, 2) for _ in range(sample.target["relations"]))
        return {RELATIONSHIPS: [f"{a} {rng.choice('<>')} {b}" for a, b in pairs]}

    def chance(self, sample: Sample) -> float:
        """Return the share of right plans among all; 0 where that is below 0.0005."""
        return chance.of_plan(sample.target["objects"], sample.target["relations"])


def _are_names(named: Any) -> bool:
    return isinstance(named, list) and all(isinstance(each, str) for each in named)


def interval(value: int, width: int) -> str:
    """Return the half-open bin of a number, such as ``[10, 20)``."""
    low = value // width * width
    return f"[{low}, {low + width})"


def _named(target: Mapping[str, Any]) -> list[str]:
    return list(target.get("names") or [f"X{place}" for place in range(1, target["objects"] + 1)])


def _plan(target: Mapping[str, Any]) -> list[str]:
    """Return a right plan: disjoint pairs of neighbours that cover all objects, then others."""
    names, m = _named(target), target["relations"]
    n = len(names)
    near = [(i, i + 1) for i in (*range(n % 2, n - 1, 2), *range(1 - n % 2, n - 1, 2))]
    if n % 2:  # the first object has no partner among the disjoint pairs, so it comes before them
        near.insert(0, near.pop(near.index((0, 1))))
    wide = ((i, i + gap) for gap in range(2, n) for i in range(n - gap))
    pairs = islice(chain(near, wide), m)
    return [f"{names[a]} > {names[b]}" for a, b in pairs]


TASK = Task(
    "releval",
    "plan_generation",
    PlanQuestions(),
    PlanFormat(),
    PlanGrader(),
    PlanChecks(),
    PlanExplainer(),
    PlanBaselines(),
    rank=1,
    summary="write m consistent relations over n objects",
    answer_name="plan_generation_answer",
)
