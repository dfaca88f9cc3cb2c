"""FABLE's tasks: one a cell of domain and analysis, all made from what a domain gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.digest import canonical_json, digest
from thence.core.procedure import Procedure
from thence.core.score import Answer, Grade
from thence.core.seeds import stream
from thence.core.task import Cell, Draft, Knob, Task
from thence.errors import UsageError
from thence.families.fable.shared.analyses import ANALYSES, ASKED, DOMAINS, INTERVALS, REASONING
from thence.families.fable.shared.answers import YES_NO, Form
from thence.families.fable.shared.domain import Case, Domain, Unaskable
from thence.families.fable.shared.matching import SIDES, Asked, Twins, first, matched, twins

if TYPE_CHECKING:
    from thence.core.sample import Sample

EACH = 100  # questions a cell, as in the paper
_ROUNDS, _TRIED = 2, 900  # how often all of a corpus, and how many, are tried for one not yet asked
SERVED = 24  # samples of a cell that choose from one shelf
_OWN, _SPARE = 0.9, 0.995  # chance of a sample's own question, and of one of its shelf at all
_HELD = 64  # shelves whose questions are kept
SOUND, PUBLISHED = "sound", "published"
_GUESSES, _GUESSED = 12, 2_000_003  # truths that intervals are guessed from, and their seed
NO_TRUTH = "N/A"
"""The published ground truth of a question about nothing: no answer is right."""


def _dialect(text: str) -> str:
    if text not in (SOUND, PUBLISHED):
        raise ValueError(f"must be {SOUND} or {PUBLISHED}")
    return text


DIALECT = Knob("dialect", SOUND, "whose rules make the truth: sound or published", _dialect)


def tasks(domain: Domain) -> list[Cellwise]:
    """The eight tasks of a domain."""
    return [Cellwise(domain, analysis) for analysis in ANALYSES]


class Cellwise(Task):
    """One cell of FABLE: an analysis asked about the procedures of a domain."""

    family = "fable"
    metrics = ("within",)
    effort = 100
    spread = True

    def __init__(self, domain: Domain, analysis: str) -> None:
        self._truths: dict[bytes, Any] = {}
        self.domain = domain
        self.analysis = analysis
        self.name = f"{domain.name}/{analysis}"
        self.summary = f"{domain.name}: {ASKED[analysis]}"
        place = DOMAINS.index(domain.name) if domain.name in DOMAINS else len(DOMAINS)
        self.rank = place * len(ANALYSES) + list(ANALYSES).index(analysis)
        self.knobs = (DIALECT, *domain.knobs)
        self._twins: dict[str, list[Twins]] = {}

    @property
    def form(self) -> Form:
        """How its answers are written and read."""
        return self.domain.intervals if self.analysis == INTERVALS else YES_NO

    # Generation --------------------------------------------------------------------------------

    def unavailable(self, values: Mapping[str, Any]) -> str:
        """Why there is no such cell, in this dialect or of these procedures."""
        return self.domain.offered(values).get(self.analysis) or ""

    def notes(self, values: Mapping[str, Any], seed: int) -> Mapping[str, Any]:
        """What the domain has to say of the cell."""
        return self.domain.notes(self.analysis, values)

    def cells(self, values: Mapping[str, Any]) -> Sequence[Cell]:
        """One cell, whose questions have either answer by chance."""
        shaping = {name: value for name, value in values.items() if name != "dialect"}
        parameters = dict(self.domain.parameters(shaping))
        options = {"dialect": values["dialect"], **self.domain.options(shaping)}
        return [Cell(self.analysis, parameters, EACH, options)]

    def arrange(self, values: Mapping[str, Any], size: int | None, seed: int) -> Sequence[Cell]:
        """A cell a question, so that both answers are equally common, in an order by chance."""
        (whole,) = self.cells(values)
        rng = Random(int(digest(self.full_name, seed, "sides"), 16))
        total = EACH if size is None else size
        sides = [side for _ in range((total + 1) // 2) for side in rng.sample((0, 1), 2)]
        corpus = self.domain.corpus(whole.parameters)
        shelves = self.domain.shelves(whole.parameters)
        order: list[int] = []
        if corpus is not None:
            while len(order) < total:
                order += rng.sample(range(len(corpus)), len(corpus))
        cells = []
        for place in range(total):
            parameters = {**whole.parameters, "place": place}
            if self.form is YES_NO:
                parameters["side"] = sides[place]
            if order:
                parameters["first"] = order[place]
            if shelves:
                parameters["shelf"] = digest(self.domain.name, seed, place // SERVED)
            cells.append(Cell(whole.group, parameters, 1, whole.options))
        return cells

    def elsewhere(self, cell: Cell, attempt: int) -> Cell | None:
        """Of a corpus the procedures that come after the one that a sample would begin with."""
        first = cell.parameters.get("first")
        corpus = None if first is None else self.domain.corpus(cell.parameters)
        if first is None or corpus is None:
            return super().elsewhere(cell, attempt)
        if attempt >= min(_ROUNDS * len(corpus), _TRIED):
            return None
        return replace(
            cell, parameters={**cell.parameters, "first": (first + attempt) % len(corpus)}
        )

    def together(self, cell: Cell) -> str | None:
        """The shelf, whose questions are chosen together."""
        return cell.parameters.get("shelf")

    def cell(self, sample: Sample) -> Cell:
        """The cell without what places a sample in it, which would tell its answer."""
        held = sample.metadata
        hidden = ("place", "side", "first", "shelf")
        kept = {name: value for name, value in held["parameters"].items() if name not in hidden}
        options = {**held.get("options", {}), "dialect": held["dialect"]}
        return Cell(self.analysis, kept, 1, options)

    def draw(self, cell: Cell, rng: Random) -> Draft:
        """A question of the cell, by the rules of its dialect."""
        dialect = cell.options["dialect"]
        making, asking = Random(rng.getrandbits(64)), Random(rng.getrandbits(64))
        cases = self._cases(cell, making)
        try:
            case, instance = self._ask(cases, cell, asking)
        except Unaskable as error:
            why = self.domain.unaskable(self.analysis, cell.parameters, error)
            raise UsageError(f"{self.full_name}: {why}") from error
        instance = instance.told()
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
        if "actions" in metadata["origin"]:  # a plan is told as actions or in sentences
            asked = {name: each for name, each in instance.question.items() if name != "rules"}
            metadata["pair"] = digest(metadata["origin"]["actions"], asked)
        return Draft(instance.question, instance.answer, metadata, digest(procedure))

    def _cases(self, cell: Cell, rng: Random) -> Iterator[Case]:
        corpus = self.domain.corpus(cell.parameters)
        if corpus is None:
            values = {**cell.parameters, **cell.options, "analysis": self.analysis}
            while True:
                yield self.domain.case(values, rng)
        if "first" in cell.parameters:
            yield corpus[cell.parameters["first"]]
        while True:
            yield rng.choice(corpus)

    def _ask(self, cases: Iterator[Case], cell: Cell, rng: Random) -> Asked:
        parameters, options = cell.parameters, cell.options
        if options["dialect"] == PUBLISHED:
            return first(cases, lambda case: self._published(case, rng), rng)
        if self.form is not YES_NO:
            return first(cases, lambda case: self.domain.sound(self.analysis, case, rng), rng)
        chance = rng.randrange(2)
        side = parameters.get("side", chance)
        if "shelf" in parameters:
            own = parameters["place"] % SERVED // 2
            if pair := _pick(self._on_shelf({**parameters, **options}), own, rng):
                return pair[side]
        wanted = SIDES[side]
        return matched(cases, lambda case: self.domain.sound(self.analysis, case, rng), wanted, rng)

    def _on_shelf(self, values: Mapping[str, Any]) -> list[Twins]:
        """The questions that a shelf is asked, in pairs of a No and a Yes."""
        own = ("place", "side", "dialect")
        values = {name: value for name, value in values.items() if name not in own}
        key = digest(values)
        if key not in self._twins:
            if len(self._twins) >= _HELD:
                self._twins.clear()
            values["analysis"] = self.analysis
            rng = Random(int(digest(self.full_name, values["shelf"]), 16))
            asked = [
                (case, instance)
                for case in self.domain.shelf(values)
                for instance in self.domain.sound(self.analysis, case, rng)
            ]
            self._twins[key] = twins(asked, SERVED // 2, rng)
        return self._twins[key]

    def _published(self, case: Case, rng: Random) -> list[Any]:
        instance = self.domain.published(self.analysis, case, rng)
        return [] if instance is None else [instance]

    # Words -------------------------------------------------------------------------------------

    def question_values(self, sample: Mapping[str, Any]) -> Mapping[str, Any]:
        """The question with the goal and the texts of the steps."""
        procedure = sample["procedure"]
        steps = [step["text"] for step in procedure["steps"]]
        return {**sample["question"], "goal": procedure["goal"], "steps": steps}

    def answer_values(self, sample: Mapping[str, Any]) -> Mapping[str, Any]:
        """The form of the answer."""
        return {"form": self.form.name}

    def write(self, target: Any) -> str:
        """The answer alone, as the prompt asks for it."""
        return self.form.write(target)

    def schema(self, sample: Sample) -> Mapping[str, Any] | None:
        """That of the form, where it is JSON."""
        return self.form.schema()

    def grammar(self, sample: Sample) -> str | None:
        """That of the form."""
        return self.form.grammar() or super().grammar(sample)

    # Scoring -----------------------------------------------------------------------------------

    def read(self, reply: str, sample: Sample) -> Answer | None:
        """The answer by the strict rules."""
        if sample.target == NO_TRUTH:
            return None
        return self.form.read(reply, sample)

    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Right where it says the same; ``within`` is the rule that the paper states.

        ``sound`` stands beside where the sound truth of a published question is known.
        """
        values = {"within": 0.0}
        if SOUND in sample.metadata:
            values[SOUND] = float(
                answer is not None and self.form.equal(answer, sample.metadata[SOUND])
            )
        if answer is None or sample.target == NO_TRUTH:
            return Grade(correct=False, values=values)
        values["within"] = float(self.form.within(answer, sample.target))
        return Grade(self.form.equal(answer, sample.target), values)

    def grade_as(self, scorer: str, reply: str, sample: Sample) -> Grade:
        """By the authors' scorer, which looks at the whole reply; ``strict`` stands beside."""
        answer = self.read(reply, sample)
        strict = self.grade(answer.value if answer else None, sample)
        return Grade(
            self._official(reply, sample), {**strict.values, "strict": float(strict.correct)}
        )

    def beside(self, reply: str, sample: Sample) -> Mapping[str, float]:
        """What the authors' scorer says of the whole reply."""
        return {"official": float(self._official(reply, sample))}

    def _official(self, reply: str, sample: Sample) -> bool:
        truth = sample.metadata.get("ground_truth")
        if not isinstance(truth, str):
            truth = self.form.write(sample.target)
        return self.form.official(reply, truth)

    def check(self, sample: Sample) -> None:
        """The target must be of the cell's form, and the procedure and question there."""
        if not self.form.check(sample.target):
            raise ValueError(f"the target of {self.full_name} is not of its form")
        metadata = sample.metadata
        question = metadata.get("question")
        if not isinstance(question, dict) or metadata.get("dialect") not in (SOUND, PUBLISHED):
            raise ValueError(f"the metadata of {self.full_name} must hold 'question' and 'dialect'")
        try:
            Procedure.from_json(metadata["procedure"])
        except (LookupError, TypeError, ValueError) as error:
            raise ValueError(f"the metadata of {self.full_name} must hold 'procedure'") from error

    def recompute(self, sample: Sample) -> Any:
        """The answer from the procedure and the question alone."""
        return self.domain.truth(self.analysis, sample.metadata)

    def perturb(self, sample: Sample, rng: Random) -> Any:
        """Another answer of the form."""
        return self.form.perturb(sample.target, rng)

    def random_answer(self, sample: Sample, rng: Random) -> Any:
        """Yes or No; of an interval, the truth of another question of the cell.

        Questions take long to make, so that a few of each cell are made, once.
        """
        if self.form is YES_NO:
            return rng.choice(SIDES)
        cell = self.cell(sample)
        index = rng.randrange(_GUESSES)
        key = canonical_json([cell.parameters, cell.options, index])
        if key not in self._truths:
            drawing = stream(self.full_name, self.version, cell.parameters, _GUESSED, index)
            self._truths[key] = self.draw(cell, drawing).target
        return self._truths[key]

    def surface_answer(self, sample: Sample) -> Any | None:
        """The domain's shortcut."""
        return self.domain.surface_answer(self.analysis, sample.metadata)

    def vote(self, answer: Any) -> Any:
        """Intervals in other words for the same bounds are the same answer."""
        if isinstance(answer, dict):
            answer = {name: value for name, value in answer.items() if name != "text"}
        return super().vote(answer)

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """The kind of reasoning, and the truth where there are two."""
        truth = sample.target if self.form is YES_NO else "interval"
        return {"reasoning": REASONING[self.analysis], "truth": truth}


def _pick(pairs: Sequence[Twins], own: int, rng: Random) -> Twins | None:
    """A sample's own pair most of the time.

    What is drawn again must differ: else it is another pair, or, where these may be used up, None.
    """
    chance = rng.random()
    if own < len(pairs) and chance < _OWN:
        return pairs[own]
    return rng.choice(pairs) if pairs and chance < _SPARE else None
