"""From responses to scores: the outcome of each, for every family and protocol."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from thence import families
from thence.core.bounds import MOST_EPOCHS
from thence.core.digest import compact_json
from thence.core.evidence import Evidence
from thence.core.failures import kind_of
from thence.core.parts import Question
from thence.core.reply_text import thinking, without_prompt
from thence.core.sample import Sample
from thence.core.score import Answer, Outcome, Score
from thence.core.task import Task
from thence.prompts.protocol import Protocol
from thence.scoring.refusals import is_refusal

_MOST_TURNS = 1_000
_MOST_TOKENS = 2**53  # what JSON readers elsewhere hold exactly


@dataclass(slots=True)
class Response:
    """One line of ``responses.jsonl``: what came back, and for what.

    Attributes:
        id: the sample's.
        epoch: 0-based repeat.
        turn: 0-based turn of the protocol.
        response: the raw text; None where there was none.
        reasoning: what came in a field of its own.
        finish_reason: why the model stopped.
        usage: ``input_tokens`` and ``output_tokens``, where known; with an error, of all attempts;
            ``batch`` where it was asked in a batch.
        latency: seconds from the request to the whole response, of the attempt that succeeded.
        error: ``kind``, ``message`` and ``status`` of a provider error, and ``repeat``: how many
            attempts were answered with a failure, from the first start on; else None.
        key: hash of everything that shaped the request.
    """

    id: str
    epoch: int = 0
    turn: int = 0
    response: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    usage: Mapping[str, int | bool] | None = None
    latency: float | None = None
    error: Mapping[str, Any] | None = None
    key: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the object of a line."""
        return {
            "id": self.id,
            "epoch": self.epoch,
            "turn": self.turn,
            "response": self.response,
            "reasoning": self.reasoning,
            "finish_reason": self.finish_reason,
            "usage": self.usage,
            "latency": self.latency,
            "error": self.error,
            "key": self.key,
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Response:
        """Return the response of a line; fields that it lacks have their defaults.

        Raises:
            ValueError: in one clause, what is of the wrong type.
        """
        for name, kinds in _FIELDS.items():
            value = row.get(name)
            if value is not None and type(value) not in kinds:  # exact: a bool is no number
                raise ValueError(f"field '{name}' is of the wrong type")
        if row.get("id") is None:
            raise ValueError("field 'id' is missing")
        for name, most in (("epoch", MOST_EPOCHS), ("turn", _MOST_TURNS)):
            if not 0 <= (value := row.get(name) or 0) < most:
                shown = str(value) if abs(value) < _MOST_TOKENS else f"{value.bit_length()} bits"
                raise ValueError(f"field '{name}' is {shown}; it must be from 0 to {most - 1}")
        for name, value in {**(row.get("usage") or {}), "latency": row.get("latency")}.items():
            if isinstance(value, int | float) and not 0 <= value <= _MOST_TOKENS:
                raise ValueError(f"field '{name[:80]}' must be from 0 to {_MOST_TOKENS:,}")
        return cls.checked(row)

    @classmethod
    def checked(cls, row: Mapping[str, Any]) -> Response:
        """Return the response of a line that was checked before; a null stands for the default."""
        get = row.get
        return cls(
            row["id"],
            get("epoch") or 0,
            get("turn") or 0,
            get("response"),
            get("reasoning"),
            get("finish_reason"),
            get("usage"),
            get("latency"),
            get("error"),
            get("key") or "",
        )


_FIELDS: dict[str, tuple[type, ...]] = {
    "id": (str,),
    "epoch": (int,),
    "turn": (int,),
    "response": (str,),
    "reasoning": (str,),
    "finish_reason": (str,),
    "usage": (dict,),
    "latency": (int, float),
    "error": (dict,),
    "key": (str,),
}


type Convert = Callable[[str, Question, str], Response | None]
"""Function from a reply, its question and its prompt to what an extractor made of it, or None."""


STRICT = "strict"


def judge(
    response: Response, sample: Sample, task: Task, protocol: Protocol, scorer: str = STRICT
) -> Score:
    """Return the score of a response, by the order of precedence that `Outcome` states."""
    if response.error is not None:
        return Score(Outcome.PROVIDER_ERROR)
    refused = response.finish_reason == "refusal"
    if scorer != STRICT and not refused:
        return _graded_by(scorer, response, sample, task)
    text = response.response or ""
    answer = None if refused else _read(text, sample, task, protocol)
    score = _verdict(answer, response, sample, task, protocol)
    if scorer == STRICT:
        score = replace(score, values=_with_metrics(score.values, response, sample, task))
    part = task.evidence(protocol.evidence)
    if part is not None and scorer == STRICT:
        return _with_evidence(score, protocol.proof(text, task), sample, task, part)
    if protocol.explains:
        return _with_explanation(score, protocol.explanation(text, task), sample, task)
    return score


def _whole(response: Response) -> str:
    """Return all that a model wrote: its reasoning, then the text."""
    return (response.reasoning or "") + (response.response or "")


def _graded_by(scorer: str, response: Response, sample: Sample, task: Task) -> Score:
    """Return the score by one of the task's further scorers."""
    strict = task.format.read(response.response or "", task.question(sample))
    grade = task.grader.grade_by(scorer, _whole(response), strict, sample)
    outcome = Outcome.CORRECT if grade.correct else Outcome.WRONG
    return Score(outcome, None, scorer, grade.values)


def _verdict(
    answer: Answer | None, response: Response, sample: Sample, task: Task, protocol: Protocol
) -> Score:
    """Return the score of what was read in a response; None for no answer.

    Of a response that was cut off, an answer counts only if nothing could have changed it.
    """
    text = response.response or ""
    cut_off = response.finish_reason == "length"
    if answer is not None and (not cut_off or answer.delimited or protocol.ended(text, task)):
        grade = task.grader.grade(answer.value, sample)
        outcome = Outcome.CORRECT if grade.correct else Outcome.WRONG
        return Score(outcome, answer.value, answer.rule, grade.values, span=answer.span)
    outcome = Outcome.TRUNCATED if cut_off else Outcome.NO_ANSWER
    if response.finish_reason == "refusal" or (not cut_off and is_refusal(text)):
        outcome = Outcome.REFUSED
    return Score(outcome, values=task.grader.grade(None, sample).values)


def _with_metrics(
    values: Mapping[str, float], response: Response, sample: Sample, task: Task
) -> Mapping[str, float]:
    """Return the values of a score with the metrics of the whole reply and of its reasoning."""
    extra = task.grader.extra_metrics(_whole(response), sample)
    trace = response.reasoning or thinking(response.response or "")
    return {**values, **extra, **(task.grader.trace_metrics(trace) if trace else {})}


def _read(text: str, sample: Sample, task: Task, protocol: Protocol) -> Answer | None:
    """Return the answer in a response, from the part where the protocol has it first."""
    question, text = task.question(sample), without_prompt(text, sample.input)
    part = protocol.answer_part(text, task)
    answer = task.format.read(part, question)
    if answer is not None:
        if part is text or answer.span is None:
            return answer
        return replace(answer, span=_located(part, answer.span, text, protocol.begins(text, task)))
    return task.format.read_explanation(text, question) if protocol.explains else None


def _located(part: str, span: tuple[int, int], text: str, begin: int) -> tuple[int, int]:
    """Return the place in a reply of a span of a part that a protocol took out of it.

    A part that was written anew, such as a value of JSON, is found by its letters and digits.
    """
    place = text.find(part, begin)
    if place >= 0:
        return place + span[0], place + span[1]
    places = [place for place in range(begin, len(text)) if text[place].isalnum()]
    letters = "".join(text[place] for place in places)
    wanted = "".join(filter(str.isalnum, part[slice(*span)]))
    found = letters.find(wanted) if wanted else -1
    if found < 0:
        return begin, len(text)
    return places[found], places[found + len(wanted) - 1] + 1


def _with_evidence(score: Score, given: Any, sample: Sample, task: Task, part: Evidence) -> Score:
    """Return the score with the verdict on the evidence in a reply, which stands as explanation."""
    judged, fault = part.judge(
        given, score.answer, sample, lambda answer: task.grader.grade(answer, sample).correct
    )
    said = None if given is None else f"{compact_json(given)} {fault}".rstrip()
    return replace(score, values={**score.values, **judged}, explanation=said)


def _with_explanation(score: Score, why: str | None, sample: Sample, task: Task) -> Score:
    """Return the score with the explanation in a reply, and whether the answer contradicts it."""
    if why is None or score.rule is None:
        return replace(score, explanation=why)
    contradicts = float(_contradicts(score.answer, why, task.question(sample), task))
    return replace(score, values={**score.values, CONTRADICTS: contradicts}, explanation=why)


CONTRADICTS = "contradicts"
"""The share of answers that are not what their explanation comes to in the end."""


def _contradicts(answer: Any, explanation: str, question: Question, task: Task) -> bool:
    found = task.format.conclusion(explanation, question)
    return found is not None and task.format.vote(found.value) != task.format.vote(answer)


class Scored(NamedTuple):
    """The score of a response, with its sample.

    Attributes:
        sample: what was asked about.
        epoch: 0-based repeat; 0 after a vote.
        turn: 0-based.
        score: the verdict.
        latency: seconds that the response took, where known.
        tied: whether it won a vote only by having been given first.
    """

    sample: Sample
    epoch: int
    turn: int
    score: Score
    latency: float | None = None
    tied: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the object of a line of ``scores.jsonl``."""
        return {
            "id": self.sample.id,
            "epoch": self.epoch,
            "turn": self.turn,
            "outcome": self.score.outcome.value,
            "correct": self.score.correct,
            "rule": self.score.rule,
            "answer": self.score.answer,
            "values": dict(self.score.values),
            **({} if self.score.explanation is None else {"explanation": self.score.explanation}),
        }


DIRECT = Protocol()  # an extractor is asked for the task's own format, whatever the protocol was
EXTRACTOR_PREFIX = "extractor/"  # before the rule that read what an extractor wrote


def judge_with(
    response: Response,
    sample: Sample,
    task: Task,
    protocol: Protocol,
    convert: Convert | None,
    scorer: str = STRICT,
) -> Score:
    """Like `judge`, with an extractor's conversion of a reply in which nothing was readable."""
    score = judge(response, sample, task, protocol, scorer)
    if convert is None or score.outcome is not Outcome.NO_ANSWER:
        return score
    converted = convert(response.response or "", task.question(sample), sample.input)
    if converted is None:
        return score
    second = judge(converted, sample, task, DIRECT)
    if second.rule is None:
        return score
    rule = EXTRACTOR_PREFIX + second.rule
    if part := task.evidence(protocol.evidence):  # a converted answer has none
        second = _with_evidence(second, None, sample, task, part)
    return replace(second, rule=rule, explanation=score.explanation, span=None)


def score_sample(
    sample: Sample,
    responses: Iterable[Response],
    protocol: Protocol,
    reduce: str = "mean",
    convert: Convert | None = None,
    scorer: str = STRICT,
    replies: Counter[str] | None = None,
) -> list[Scored]:
    """Return the scores of all responses to one sample, its epochs reduced.

    Args:
        sample: the question.
        responses: what came back, in order.
        protocol: how it was asked.
        reduce: how epochs become one score.
        convert: what an extractor made of a response that has no readable answer.
        scorer: how replies are read.
        replies: takes in the number of replies by kind of failure or by outcome.
    """
    task = families.task(sample.task)
    rows = []
    for response in responses:
        score = judge_with(response, sample, task, protocol, convert, scorer)
        rows.append(Scored(sample, response.epoch, response.turn, score, response.latency))
        if replies is not None:
            replies[kind_of(score.outcome, response.response)] += 1
    return rows if reduce == "mean" else _voted(rows, task)


def _voted(rows: Sequence[Scored], task: Task) -> list[Scored]:
    """Return one row a turn: the commonest equal answer; among ties the one given first.

    Provider errors have no vote and stay beside it.
    """
    voted = []
    for turn in sorted({row.turn for row in rows}):
        counting = [row for row in rows if row.turn == turn and row.score.counts]
        if not counting:
            continue
        # Scorers that read no answer only tell right from wrong: that is then what is voted on.
        ballots = [
            ((task.format.vote(row.score.answer), row.score.correct), row)
            for row in counting
            if row.score.rule
        ]
        votes = Counter(ballot for ballot, _ in ballots).most_common(2)
        winner = votes[0][0] if votes else None
        won = next((row for ballot, row in ballots if ballot == winner), counting[0])
        tied = len(votes) > 1 and votes[0][1] == votes[1][1]
        voted.append(won._replace(epoch=0, tied=tied))
    return voted + [row for row in rows if not row.score.counts]
