"""Thence as an environment of `verifiers`: questions without end, rewards, and one plain chat.

By default `verifiers` gives a model a shell in a sandbox that is paid for. The harness here asks
the question and reads the reply, without a tool, in this process.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Self

import verifiers.v1 as vf
from openai import APIConnectionError, APIStatusError, AsyncOpenAI
from pydantic import Field, model_validator
from verifiers.v1.errors import MODEL_TRANSPORT_ERROR_EXIT_CODE

import thence
from thence.api.harness import truth_again, unchanged
from thence.api.questions import TRAINING, Questions


class ThenceData(vf.TaskData):
    """A question as it is stored in a trace: `sample` is our row as text, with its canary."""

    sample: str
    protocol: str = "direct"


class ThenceTask(vf.Task[ThenceData]):
    """One question with its rewards."""

    @property
    def key(self) -> str:
        """The sample's own name."""
        return str(self.data.id)

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Return whether the truth is found again another way, and scores."""
        sample = unchanged(self.data.sample)
        right = thence.score_reply(sample, thence.answer(sample))
        return truth_again(sample) == sample.target and right.correct

    @vf.reward
    async def correct(self, trace: vf.Trace) -> float:
        """Return 1 for a right answer, else 0."""
        return float(self._score(trace).correct)

    @vf.metric
    async def reading(self, trace: vf.Trace) -> Mapping[str, float]:
        """Return the task's metrics, and how the reply ended where no answer was read."""
        score = self._score(trace)
        kinds = (thence.Outcome.NO_ANSWER, thence.Outcome.TRUNCATED, thence.Outcome.REFUSED)
        return {**score.values, **{kind.value: float(score.outcome is kind) for kind in kinds}}

    def _score(self, trace: vf.Trace) -> thence.Score:
        return thence.score_reply(
            unchanged(self.data.sample), trace.last_reply, protocol=self.data.protocol,
            finish_reason="length" if trace.is_truncated else "stop",
        )  # fmt: skip


class ThenceConfig(vf.TasksetConfig):
    """Configuration of the questions: ``--env.taskset.tasks '["procbench"]'`` and the like."""

    tasks: list[str] = Field(default_factory=lambda: ["*"])
    """Names or globs of tasks."""
    seed: int = Field(0, ge=0, lt=TRAINING)
    """Of the questions."""
    train: bool = False
    """Draw questions for training, which share no random stream with those of any evaluation."""
    set: dict[str, Any] = Field(default_factory=dict)
    """Parameters of the tasks."""
    protocol: str = "direct"
    """How to ask."""

    @model_validator(mode="after")
    def _checked(self) -> Self:
        try:
            thence.conversation(self.questions()[0], self.protocol)
        except thence.ThenceError as error:
            raise ValueError(str(error)) from error
        return self

    def questions(self) -> Questions:
        """Return the questions, without end."""
        seed = TRAINING + self.seed if self.train else self.seed
        return thence.questions(self.tasks, seed=seed, **self.set)


class ThenceTaskset(vf.Taskset[ThenceTask, ThenceConfig]):
    """Questions without end: ``-n`` says how many are asked."""

    INFINITE = True

    def load(self) -> Iterator[ThenceTask]:
        """Yield the questions."""
        made = self.config.questions()
        for sample in map(made.__getitem__, count()):
            data = ThenceData(
                id=sample.id, name=f"{sample.task} {sample.id}", prompt=sample.input,
                sample=json.dumps(sample.to_json()), protocol=self.config.protocol,
            )  # fmt: skip
            yield ThenceTask(data, self.config.task)


class ThenceHarness(vf.Harness[vf.HarnessConfig]):
    """Asks by the protocol, turn by turn, with no tool and no program beside this one."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Hold the conversation about a question; its messages are recorded on the way."""
        asked = ThenceData.model_validate(data.model_dump())
        talk = thence.conversation(asked.sample, asked.protocol)
        system = [{"role": "system", "content": data.system_prompt}] if data.system_prompt else []
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, timeout=None) as client:
            more = True
            while more:
                messages: Any = [*system, *map(dict, talk.messages)]
                try:
                    reply = await client.chat.completions.create(model=ctx.model, messages=messages)
                except APIStatusError as error:
                    return vf.ProgramResult(1, "", str(error))
                except APIConnectionError as error:
                    return vf.ProgramResult(MODEL_TRANSPORT_ERROR_EXIT_CODE, "", str(error))
                more = talk.hear(reply.choices[0].message.content or "")
        return vf.ProgramResult(0, "", "")


class ThenceEnvConfig(vf.SingleAgentEnvConfig):
    """One seat, in this process: by default it would be in a sandbox that is paid for."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class ThenceEnv(vf.Env[ThenceEnvConfig]):
    """The environment: one model, one question, one conversation."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        """Have the model play the question."""
        await agents.agent.run(task)
