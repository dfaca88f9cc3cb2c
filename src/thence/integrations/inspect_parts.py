"""Solver, scorer, vote, interval and baselines for Inspect.

Inspect imports this module in every command, so that our own modules are imported within functions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentReasoning,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    ResponseSchema,
    modelapi,
)
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    ScoreReducer,
    Target,
    mean,
    metric,
    score_reducer,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util import JSONSchema

from thence.integrations.current_question import ASKED, Turn

ROW = "thence"
"""Key under which a sample's metadata hold our row, and a task's metadata the request."""
REPLIES = "thence:replies"
"""Key under which a sample's store holds the replies as they came, one a turn."""
FAILED = "thence:failed"
"""Key under which a sample's store holds whether the provider failed."""
CORRECT = "correct"
_FINISHED = {"max_tokens": "length", "model_length": "length", "content_filter": "refusal"}
_REASONS = {"refused": "refusal", "truncated": "truncated", "no_answer": "invalid_response_format"}
_MESSAGES = {
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
    "system": ChatMessageSystem,
}


# Asking and reading -------------------------------------------------------------------------------


@solver
def ask(protocol: str = "direct", structured: bool = False, **settings: Any) -> Solver:
    """Return the solver that asks by a protocol, turn by turn.

    Args:
        protocol: as `thence.protocols` lists them.
        structured: ask for output that fits the task's JSON schema.
        settings: parameters of the protocol.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        import thence

        row = _row(state.metadata)
        talk = thence.conversation(row, protocol, **settings)
        said: list[dict[str, Any]] = []
        more = True
        while more:
            state.messages = messages_of(talk.messages)
            turn = Turn(row, protocol, settings, state.epoch - 1, len(said))
            token = ASKED.set(turn)
            try:
                state = await generate(state, **_form(talk.schema if structured else None))
            finally:
                ASKED.reset(token)
            said.append(reply_of(state.output))
            state.store.set(REPLIES, list(said))
            more = talk.hear(said[-1]["response"] or "")
        return state

    return solve


def messages_of(messages: Any) -> list[ChatMessage]:
    """Return a chat as Inspect has it."""
    return [_MESSAGES[each["role"]](content=each["content"]) for each in messages]


def _form(schema: Mapping[str, Any] | None) -> dict[str, Any]:
    if schema is None:
        return {}
    form = JSONSchema.model_validate(dict(schema))
    return {"response_schema": ResponseSchema(name="answer", json_schema=form)}


def reply_of(output: ModelOutput) -> dict[str, Any]:
    """Return a model's output as a row of ours."""
    if output.empty:
        return {"response": None, "reasoning": None, "finish_reason": None, "usage": None}
    content = output.message.content
    parts = [] if isinstance(content, str) else content
    thought = "".join(each.reasoning for each in parts if isinstance(each, ContentReasoning))
    usage = output.usage and {
        "input_tokens": output.usage.input_tokens,
        "output_tokens": output.usage.output_tokens,
    }
    return {
        "response": output.completion or None,
        "reasoning": thought or None,
        "finish_reason": _FINISHED.get(output.stop_reason, output.stop_reason),
        "usage": usage,
    }


def _row(metadata: Mapping[str, Any]) -> Any:
    if ROW not in metadata:
        raise PrerequisiteError(
            "these samples are not thence's: their metadata hold no row of ours"
        )
    return metadata[ROW]


@lru_cache(maxsize=64)
def _metrics(family: str) -> list[str]:
    import thence

    return list(dict.fromkeys(name for info in thence.tasks(family) for name in info.metrics))


@scorer(metrics={"*": [mean(), stderr(cluster="cluster")]})
def read(protocol: str = "direct", reading: str = "strict") -> Scorer:
    """Return the scorer that reads an answer by stated rules and compares it with the truth.

    Args:
        protocol: how the question was asked.
        reading: ``strict``, or another way that the family has, such as FABLE's ``official``.
    """

    async def score(state: TaskState, target: Target) -> Score:
        import thence
        from thence.api import harness

        row = _row(state.metadata)
        if state.store.get(FAILED):
            return Score.unscored(reason="provider_error")
        said = (state.store.get(REPLIES) or [reply_of(state.output)])[-1]
        keys = ("reasoning", "finish_reason")
        try:
            sample = harness.unchanged(row)
        except thence.ParameterError as error:
            raise PrerequisiteError(str(error)) from error
        found = thence.score_reply(
            sample, said["response"], **{key: said[key] for key in keys},
            protocol=protocol, scorer=reading,
        )  # fmt: skip
        names = _metrics(row["family"])
        outcome = found.outcome.value
        reason = _REASONS.get(outcome)
        if outcome == "no_answer" and not (said["response"] or "").strip():
            reason = "no_response"
        return Score(
            value={
                CORRECT: int(found.correct),
                **{name: float(found.values.get(name, math.nan)) for name in names},
            },
            answer=None if found.answer is None else _written(row, found.answer),
            explanation=f"{outcome}, read by {found.rule}" if found.rule else outcome,
            reason=reason,
            metadata={
                "outcome": outcome, "rule": found.rule, "ballot": harness.ballot(sample, found),
            },
        )  # fmt: skip

    return score


def _written(row: Mapping[str, Any], answer: Any) -> str:
    import thence

    try:
        return thence.answer(row, answer)
    except thence.ThenceError:
        return str(answer)


@score_reducer
def vote() -> ScoreReducer:
    """Return the reducer by which the commonest answer wins; of tied ones that given first."""

    def reduce(scores: list[Score]) -> Score:
        cast = [((each.metadata or {}).get("ballot"), each) for each in scores]
        votes = Counter(ballot for ballot, _ in cast if ballot is not None)
        if not votes:
            return scores[0]
        winner = votes.most_common(1)[0][0]
        return next(each for ballot, each in cast if ballot == winner)

    return reduce


@metric
def interval(count: bool = False) -> Metric:
    """Return the ends of the 95% interval, clustered by procedure or graph.

    Args:
        count: whether the values are counts and no shares.
    """

    def ends(scores: list[SampleScore]) -> dict[str, float]:
        from thence.api import harness

        # Inspect gives scores as they come; the order of the set makes the same draws each time.
        ordered = sorted(scores, key=lambda each: (each.sample_metadata or {}).get("index", 0))
        clusters = [(each.sample_metadata or {}).get("cluster") for each in ordered]
        known = clusters if all(clusters) else None
        values = [each.score.as_float() for each in ordered]
        low, high = harness.interval(values, known, count=count) or (math.nan, math.nan)
        return {"low": low, "high": high}

    return ends


# Baselines ----------------------------------------------------------------------------------------


@modelapi(name="thence")
def baselines() -> type[ModelAPI]:
    """Return the baselines: ``thence/oracle``, ``random``, ``majority`` and ``heuristic``."""
    return _Baselines


class _Baselines(ModelAPI):
    """A baseline as a model of Inspect; ``-M seed=1`` sets its chance."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the parent's own default
        seed: int = 0,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        from thence.api.harness import BASELINES

        if model_name not in BASELINES:
            known = ", ".join(BASELINES)
            raise PrerequisiteError(f"thence/{model_name}: unknown baseline (known: {known})")
        self._seed = seed

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - the parent's name
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Return the baseline's reply to the question that our solver asks."""
        from thence.api import harness

        turn = ASKED.get()
        if turn is None:
            raise PrerequisiteError(f"thence/{self.model_name} answers the solver thence/ask alone")
        reply = await harness.baseline_reply(
            turn.row, self.model_name, protocol=turn.protocol, seed=self._seed,
            epoch=turn.epoch, turn=turn.number, **turn.settings,
        )  # fmt: skip
        output = ModelOutput.from_content(f"thence/{self.model_name}", reply.text or "")
        output.usage = ModelUsage()
        return output
