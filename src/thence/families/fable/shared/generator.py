"""The generator of FABLE's questions: one per cell of domain and analysis."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.digest import digest
from thence.core.failures import plural
from thence.core.parameters import Parameter, WholeRange, one_of, range_text
from thence.core.parts import Condition, Draft, Generator
from thence.core.seeds import random_of
from thence.core.versions import major
from thence.errors import MissingExtra, NoQuestion, ParameterError, UsageError
from thence.families.fable.shared.answers import YES_NO, Form
from thence.families.fable.shared.blocks import (
    SIDES,
    Block,
    Candidate,
    Gathering,
    slots,
)
from thence.families.fable.shared.domain import Case, Domain, Instance, Unaskable
from thence.families.fable.shared.matching import first, matched
from thence.families.fable.shared.offers import Offer
from thence.system.collector import collector_paused

if TYPE_CHECKING:
    from thence.core.sample import Sample


EACH = 100  # questions per cell, as in the paper


_ROUNDS, _TRIED = 2, 900  # most rounds over a corpus, and most attempts, to find a new question


_REDRAWN = 40  # most attempts to find a question of a block that is not asked yet


_BY_CHANCE = "by chance"  # the block of which questions without a place are taken


_MORE = 8  # blocks from which a repeated question is drawn again, one after another


_CACHED = 64  # maximal number of blocks in the cache


MOST_DEPTH = 60  # most links that one may ask for


SOUND, PUBLISHED = "sound", "published"


VERSIONS = {SOUND: "2-0", PUBLISHED: "1-0"}
"""The version of the questions of each dialect."""


DIALECT = Parameter(
    "dialect",
    SOUND,
    "whose rules make the truth: sound or published",
    one_of(SOUND, PUBLISHED),
)


def _depths(text: str) -> Sequence[int] | None:
    return WholeRange(1, MOST_DEPTH, "3 or 3-5", list)(text) if text else None


DEPTH = Parameter(
    "depth",
    "",
    "links of the shortest proof of an answer, a number or LO-HI; none: a mix (sound dialect)",
    _depths,
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
        self.parameters = (DIALECT, *((DEPTH,) * domain.has_depth), *domain.settable)
        self._blocks: dict[str, Block] = {}

    def missing(self, values: Mapping[str, Any]) -> MissingExtra | None:
        """Return the error of an extra that the domain needs and that is not installed."""
        return self.domain.missing()

    def unavailable(self, values: Mapping[str, Any]) -> str:
        """Return why there is no such cell in this dialect or for these procedures, or ""."""
        return super().unavailable(values) or self.domain.offered(values).get(self.analysis) or ""

    def notes(self, values: Mapping[str, Any], seed: int) -> Mapping[str, Any]:
        """Return the domain's remarks on the cell, and whether it has few questions."""
        found = dict(self.domain.notes(self.analysis, values))
        (whole,) = self.conditions(values)
        if self._in_blocks(whole) and self.domain.is_few(whole.parameters):
            room = len(self._in_slots(whole, EACH, seed))
            if room < EACH:
                questions = plural(room, "question")
                found["warnings"] = [f"{self.name} has {questions} about these procedures"]
        return found

    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """Return one condition, whose questions have random answers.

        Raises:
            ParameterError: depths are asked for where none are counted.
        """
        own = ("dialect", DEPTH.name)
        shaping = {name: value for name, value in values.items() if name not in own}
        parameters = dict(self.domain.parameters({**shaping, "dialect": values["dialect"]}))
        parameters.pop("dialect", None)
        if span := values.get(DEPTH.name):
            if values["dialect"] != SOUND:
                only = "only questions of the sound dialect have it"
                raise ParameterError(
                    DEPTH.name, range_text(*span), f"{only}; leave depth or dialect out"
                )
            if not self.domain.in_blocks(parameters):
                why = "questions about a file have no depth; leave depth out"
                raise ParameterError(DEPTH.name, range_text(*span), why)
            parameters[DEPTH.name] = span
        options = {"dialect": values["dialect"], **self.domain.options(shaping)}
        return [Condition(self.analysis, parameters, EACH, options, self.domain.context(shaping))]

    def arrange(
        self, values: Mapping[str, Any], size: int | None, seed: int
    ) -> Sequence[Condition]:
        """Return one condition per question, with balanced answers in random order."""
        (whole,) = self.conditions(values)
        total = EACH if size is None else size
        if self._in_blocks(whole):
            return self._in_slots(whole, total, seed)
        rng = random_of(self.name, seed, "sides")
        sides = [side for _ in range((total + 1) // 2) for side in rng.sample((0, 1), 2)]
        corpus = self._corpus(whole)
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
            parameters |= self.domain.shared(whole.parameters, seed, place)
            conditions.append(replace(whole, parameters=parameters, count=1))
        return conditions

    def _in_blocks(self, condition: Condition) -> bool:
        sound = condition.options["dialect"] == SOUND
        return sound and self.domain.in_blocks(condition.parameters)

    def _in_slots(self, whole: Condition, total: int, seed: int) -> list[Condition]:
        """Return one condition per question: its block, and its place there."""
        served = self.domain.served
        names = [
            digest(self.domain.name, seed, number, "block") for number in range(-(-total // served))
        ]
        held = dict(whole.parameters)
        if self.domain.is_few(held):
            room = self._room(whole, names[0]) if names else 0
            total, held["served"] = min(total, room), min(room, served)
        return [
            replace(
                whole,
                parameters={**held, "block": names[place // served], "place": place % served},
                count=1,
            )
            for place in range(total)
        ]

    def _room(self, whole: Condition, name: str) -> int:
        """Return how many different questions there are for sure; half, where there are many."""
        room = self._known(whole.parameters, name, whole).room
        served = self.domain.served
        return room if room <= served else max(served, room // 2)

    def spreads(self, condition: Condition) -> bool:
        """Return whether questions have different procedures: not where a block asks them."""
        return "block" not in condition.parameters

    def redraw(self, condition: Condition, attempt: int) -> Condition | None:
        """Return the condition with the next procedure of a corpus, or the next spare question."""
        if "block" in condition.parameters:
            again = {**condition.parameters, "attempt": attempt}
            return replace(condition, parameters=again) if attempt < _REDRAWN else None
        first = condition.parameters.get("first")
        corpus = None if first is None else self._corpus(condition)
        if first is None or corpus is None:
            return super().redraw(condition, attempt)
        if attempt >= min(_ROUNDS * len(corpus), _TRIED):
            return None
        return replace(
            condition, parameters={**condition.parameters, "first": (first + attempt) % len(corpus)}
        )

    def stock(self, condition: Condition) -> Hashable | None:
        """Return the analysis and the wanted answer, where a user's file has but so many."""
        few = self.domain.is_few(condition.parameters)
        return (self.analysis, condition.parameters.get("side")) if few else None

    def work_key(self, condition: Condition) -> str | None:
        """Return the block or shelf, whose procedures are made together."""
        return condition.parameters.get("block") or condition.parameters.get("shelf")

    def condition(self, sample: Sample) -> Condition:
        """Return the condition without the values that would reveal a sample's answer."""
        held = sample.metadata
        hidden = ("place", "side", "first", "shelf", "block", "attempt", "served")
        kept = {name: value for name, value in held["parameters"].items() if name not in hidden}
        options = {**held.get("options", {}), "dialect": held["dialect"]}
        return Condition(self.analysis, kept, 1, options)

    def draw(self, condition: Condition, rng: Random) -> Draft:
        """Return a question of the condition, by the rules of its dialect."""
        dialect = condition.options["dialect"]
        making, asking = Random(rng.getrandbits(64)), Random(rng.getrandbits(64))
        traits: Mapping[str, Any] = {}
        try:
            if self._in_blocks(condition):
                offer = self._of_block(condition, asking)
                case, instance = self.domain.worded((offer.case, offer.instance), condition.options)
                traits = offer.traits
            else:
                case, instance = self._ask(self._cases(condition, making), condition, asking)
        except Unaskable as error:
            why = self.domain.unaskable(self.analysis, condition.parameters, error)
            kind = UsageError if self.stock(condition) is None else NoQuestion
            raise kind(f"{self.name}: {why}") from error
        instance = instance.with_explanation(capitals=dialect == SOUND)
        shown = instance.case or case
        procedure = shown.procedure.to_json()
        told = digest(procedure)
        metadata = {
            "procedure": procedure,
            "dialect": dialect,
            **traits,
            "explanation": instance.explanation,
            "cluster": told if shown is case else digest(case.procedure.to_json()),
            "origin": {**case.source, **shown.source},
        }
        if instance.witness is not None:
            metadata["witness"] = instance.witness
        if "actions" in metadata["origin"]:  # a plan has twins: as actions and in sentences
            asked = {
                name: each
                for name, each in instance.question.items()
                if name not in ("rules", "marks")
            }
            metadata["pair"] = digest(metadata["origin"]["actions"], asked)
        question = {**instance.question, **self.form.asked(instance.answer)}
        return Draft(question, instance.answer, metadata, told)

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
            return self._unflagged(
                self.domain.sound(self.analysis, case, rng), case, flagged, SOUND
            )

        def published(case: Case) -> Sequence[Instance]:
            found = self.domain.published(self.analysis, case, rng)
            return self._unflagged([] if found is None else [found], case, flagged, PUBLISHED)

        if options["dialect"] == PUBLISHED:
            return first(cases, published, rng)
        if self.form is not YES_NO:
            return first(cases, sound, rng)
        chance = rng.randrange(2)
        wanted = SIDES[parameters.get("side", chance)]
        return matched(cases, sound, wanted, rng)

    def _of_block(self, condition: Condition, rng: Random) -> Offer:
        """Return the question of a place in a block; without a place, of any in one by chance."""
        held = dict(condition.parameters)
        name = held.pop("block", _BY_CHANCE)
        place = held.pop("place", rng.randrange(self.domain.served))
        attempt = held.pop("attempt", 0)
        flagged = condition.context.get("flagged", ())
        for more in range(_MORE):
            block = self._known(held, name if not more else digest(name, more), condition)
            if not flagged:
                found = block.question(place, attempt)
                if found is not None:
                    return found
                attempt -= block.attempts(place)
                continue
            for number in range(block.attempts(place)):  # the questions of other places stay
                found = block.question(place, number)
                if found and self._unflagged([found.instance], found.case, flagged, SOUND):
                    if not attempt:
                        return found
                    attempt -= 1
        raise Unaskable("no further question", asked=True)

    def _known(self, held: Mapping[str, Any], name: str, condition: Condition) -> Block:
        """Return a block, made once."""
        key = digest(held, name)
        block = self._blocks.get(key)
        if block is None:
            block = self._block({**held, "block": name}, condition.context)
            if len(self._blocks) >= _CACHED:  # another thread may look into them
                self._blocks = {}
            self._blocks[key] = block
        return block

    def _block(self, values: Mapping[str, Any], context: Mapping[str, Any]) -> Block:
        rng = random_of(self.name, dict(values))
        span = values.get(DEPTH.name)
        sided = self.form is YES_NO
        served = values.get("served", self.domain.served)
        mixture = self.domain.mixture(self.analysis)
        wanted = slots(served, rng, span and tuple(span), sided=sided, mixture=mixture)
        gathering = Gathering(
            self.analysis,
            self.domain.looks(self.analysis),
            span and tuple(span),
            2 if sided else 1,
            self.domain.kept,
            mixture,
        )
        with collector_paused():
            every = self.domain.candidates(self.analysis, {**values, **context}, rng)
            offers = gathering.add(every)
            try:
                return Block(offers, wanted, rng)
            except Unaskable as error:
                why = f"{error}{gathering.no_such_depth()}"
                raise Unaskable(why, error.questions) from error

    def _unflagged(
        self, found: Sequence[Instance], case: Case, flagged: Collection[str], dialect: str
    ) -> Sequence[Instance]:
        """Return the questions that a review does not flag by their samples' ids."""
        if not flagged:
            return found
        kept = []
        for each in found:
            shown = digest((each.case or case).procedure.to_json())
            question = {**each.question, **self.form.asked(each.answer)}
            number = major(VERSIONS[dialect])
            if digest(self.name, number, shown, question, each.answer) not in flagged:
                kept.append(each)
        return kept

    def question_values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the question with the goal and the texts of the steps."""
        procedure = metadata["procedure"]
        steps = [step["text"] for step in procedure["steps"]]
        return {**metadata["question"], "goal": procedure["goal"], "steps": steps}
