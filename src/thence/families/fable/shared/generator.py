"""The generator of FABLE's questions: one per cell of domain and analysis."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.digest import digest
from thence.core.parameters import Parameter, one_of
from thence.core.parts import Condition, Draft, Generator
from thence.errors import MissingExtra, UsageError
from thence.families.fable.shared.answers import YES_NO, Form
from thence.families.fable.shared.domain import Case, Domain, Instance, Unaskable
from thence.families.fable.shared.matching import SIDES, Candidate, Twins, first, matched, twins

if TYPE_CHECKING:
    from thence.core.sample import Sample


EACH = 100  # questions per cell, as in the paper


_ROUNDS, _TRIED = 2, 900  # most rounds over a corpus, and most attempts, to find a new question


SERVED = 24  # samples of a cell that choose from one shelf


_OWN, _SPARE = 0.9, 0.995  # probabilities of a sample's own pair, and of any pair of its shelf


_CACHED = 64  # maximal number of shelves in the cache


SOUND, PUBLISHED = "sound", "published"


VERSION = "1-0"


NUMBER = VERSION.partition("-")[0]  # the part of the version that enters ids


DIALECT = Parameter(
    "dialect",
    SOUND,
    "whose rules make the truth: sound or published",
    one_of(SOUND, PUBLISHED),
)


class CellGenerator(Generator):
    """Draws the questions of a cell: one analysis of the procedures of a domain."""

    effort = 100
    spread = True

    def __init__(self, domain: Domain, analysis: str, form: Form) -> None:
        self.domain = domain
        self.analysis = analysis
        self.form = form
        self.name = f"fable/{domain.name}/{analysis}"
        self.parameters = (DIALECT, *domain.settable)
        self._twins: dict[str, list[Twins]] = {}

    def missing(self, values: Mapping[str, Any]) -> MissingExtra | None:
        """Return the error of an extra that the domain needs and that is not installed."""
        return self.domain.missing()

    def unavailable(self, values: Mapping[str, Any]) -> str:
        """Return why there is no such cell in this dialect or for these procedures, or ""."""
        return super().unavailable(values) or self.domain.offered(values).get(self.analysis) or ""

    def notes(self, values: Mapping[str, Any], seed: int) -> Mapping[str, Any]:
        """Return the domain's remarks on the cell."""
        return self.domain.notes(self.analysis, values)

    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """Return one condition, whose questions have random answers."""
        shaping = {name: value for name, value in values.items() if name != "dialect"}
        parameters = dict(self.domain.parameters(shaping))
        options = {"dialect": values["dialect"], **self.domain.options(shaping)}
        return [Condition(self.analysis, parameters, EACH, options, self.domain.context(shaping))]

    def arrange(
        self, values: Mapping[str, Any], size: int | None, seed: int
    ) -> Sequence[Condition]:
        """Return one condition per question, with balanced answers in random order."""
        (whole,) = self.conditions(values)
        rng = Random(int(digest(self.name, seed, "sides"), 16))
        total = EACH if size is None else size
        sides = [side for _ in range((total + 1) // 2) for side in rng.sample((0, 1), 2)]
        corpus = self._corpus(whole)
        shelves = self.domain.shelves(whole.parameters)
        order: list[int] = []
        if corpus is not None:
            while len(order) < total:
                order += rng.sample(range(len(corpus)), len(corpus))
        conditions = []
        for place in range(total):
            parameters = {**whole.parameters, "place": place}
            if self.form is YES_NO:
                parameters["side"] = sides[place]
            if order:
                parameters["first"] = order[place]
            if shelves:
                parameters["shelf"] = digest(self.domain.name, seed, place // SERVED)
            conditions.append(replace(whole, parameters=parameters, count=1))
        return conditions

    def redraw(self, condition: Condition, attempt: int) -> Condition | None:
        """Return the condition with the next procedure of a corpus, or the default."""
        first = condition.parameters.get("first")
        corpus = None if first is None else self._corpus(condition)
        if first is None or corpus is None:
            return super().redraw(condition, attempt)
        if attempt >= min(_ROUNDS * len(corpus), _TRIED):
            return None
        return replace(
            condition, parameters={**condition.parameters, "first": (first + attempt) % len(corpus)}
        )

    def work_key(self, condition: Condition) -> str | None:
        """Return the shelf, whose questions are chosen together."""
        return condition.parameters.get("shelf")

    def condition(self, sample: Sample) -> Condition:
        """Return the condition without the values that would reveal a sample's answer."""
        held = sample.metadata
        hidden = ("place", "side", "first", "shelf")
        kept = {name: value for name, value in held["parameters"].items() if name not in hidden}
        options = {**held.get("options", {}), "dialect": held["dialect"]}
        return Condition(self.analysis, kept, 1, options)

    def draw(self, condition: Condition, rng: Random) -> Draft:
        """Return a question of the condition, by the rules of its dialect."""
        dialect = condition.options["dialect"]
        making, asking = Random(rng.getrandbits(64)), Random(rng.getrandbits(64))
        cases = self._cases(condition, making)
        try:
            case, instance = self._ask(cases, condition, asking)
        except Unaskable as error:
            why = self.domain.unaskable(self.analysis, condition.parameters, error)
            raise UsageError(f"{self.name}: {why}") from error
        instance = instance.with_explanation()
        shown = instance.case or case
        procedure = shown.procedure.to_json()
        metadata = {
            "procedure": procedure,
            "dialect": dialect,
            "explanation": instance.explanation,
            "cluster": digest(case.procedure.to_json()),
            "origin": {**case.source, **shown.source},
        }
        if instance.witness is not None:
            metadata["witness"] = instance.witness
        if "actions" in metadata["origin"]:  # a plan has twins: as actions and in sentences
            asked = {name: each for name, each in instance.question.items() if name != "rules"}
            metadata["pair"] = digest(metadata["origin"]["actions"], asked)
        question = {**instance.question, **self.form.asked(instance.answer)}
        return Draft(question, instance.answer, metadata, digest(procedure))

    def findings(self, values: Mapping[str, Any]) -> Any:
        """Return what the domain found in a file."""
        return self.domain.findings(values)

    def receive(self, findings: Any) -> None:
        """Hand what another process found to the domain."""
        self.domain.receive(findings)

    def _corpus(self, condition: Condition) -> Sequence[Case] | None:
        return self.domain.corpus({**condition.parameters, **condition.context})

    def _cases(self, condition: Condition, rng: Random) -> Iterator[Case]:
        corpus = self._corpus(condition)
        if corpus is None:
            values = {**condition.parameters, **condition.options, **condition.context}
            values["analysis"] = self.analysis
            while True:
                yield self.domain.case(values, rng)
        if "first" in condition.parameters:
            yield corpus[condition.parameters["first"]]
        while True:
            yield rng.choice(corpus)

    def _ask(self, cases: Iterator[Case], condition: Condition, rng: Random) -> Candidate:
        parameters, options = condition.parameters, condition.options
        flagged: Collection[str] = condition.context.get("flagged", ())

        def sound(case: Case) -> Sequence[Instance]:
            return self._unflagged(self.domain.sound(self.analysis, case, rng), case, flagged)

        def published(case: Case) -> Sequence[Instance]:
            found = self.domain.published(self.analysis, case, rng)
            return self._unflagged([] if found is None else [found], case, flagged)

        if options["dialect"] == PUBLISHED:
            return first(cases, published, rng)
        if self.form is not YES_NO:
            return first(cases, sound, rng)
        chance = rng.randrange(2)
        side = parameters.get("side", chance)
        if "shelf" in parameters:
            own = parameters["place"] % SERVED // 2
            if pair := _pair_for(
                self._on_shelf({**parameters, **options}, condition.context), own, rng
            ):
                return pair[side]
        wanted = SIDES[side]
        return matched(cases, sound, wanted, rng)

    def _on_shelf(self, values: Mapping[str, Any], context: Mapping[str, Any]) -> list[Twins]:
        """Return the questions about a shelf, in pairs of a No and a Yes."""
        own = ("place", "side", "dialect")
        values = {name: value for name, value in values.items() if name not in own}
        key = digest(values)
        found = self._twins.get(key)
        if found is None:
            values |= {**context, "analysis": self.analysis}
            rng = Random(int(digest(self.name, values["shelf"]), 16))
            asked = [
                (case, instance)
                for case in self.domain.shelf(values)
                for instance in self.domain.sound(self.analysis, case, rng)
            ]
            found = twins(asked, SERVED // 2, rng)
            if len(self._twins) >= _CACHED:  # another thread may look into them
                self._twins = {}
            self._twins[key] = found
        return found

    def _unflagged(
        self, found: Sequence[Instance], case: Case, flagged: Collection[str]
    ) -> Sequence[Instance]:
        """Return the questions that a review does not flag by their samples' ids."""
        if not flagged:
            return found
        kept = []
        for each in found:
            shown = digest((each.case or case).procedure.to_json())
            question = {**each.question, **self.form.asked(each.answer)}
            if digest(self.name, NUMBER, shown, question, each.answer) not in flagged:
                kept.append(each)
        return kept

    def question_values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the question with the goal and the texts of the steps."""
        procedure = metadata["procedure"]
        steps = [step["text"] for step in procedure["steps"]]
        return {**metadata["question"], "goal": procedure["goal"], "steps": steps}


def _pair_for(pairs: Sequence[Twins], own: int, rng: Random) -> Twins | None:
    """Return a sample's own pair most of the time, else another pair or None.

    A redrawn sample needs another question: hence another pair or, if these may be used up, None.
    """
    chance = rng.random()
    if own < len(pairs) and chance < _OWN:
        return pairs[own]
    return rng.choice(pairs) if pairs and chance < _SPARE else None
