"""A second model that puts free replies into the format that the reader knows.

As in ProcBench's paper, where GPT-4o did so (Fujisawa et al. 2024, section 4); here it is asked
about replies in which nothing was readable, or about all, to see what converting does. What it
wrote is kept beside the responses, under a hash of the reply, and read by the same rules; the
rule's name then begins with ``extractor/``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from thence import families
from thence.core.digest import digest
from thence.core.parts import Question
from thence.core.reply_text import visible
from thence.core.sample import Sample
from thence.engine.conversations import Conversations
from thence.engine.directory import EXTRACTIONS, RunDirectory
from thence.engine.directory_lock import locked
from thence.engine.event_loop import run_blocking
from thence.engine.response_index import ResponseIndex
from thence.engine.response_log import ResponseLog
from thence.engine.run_config import Limits
from thence.engine.run_progress import Progress
from thence.engine.runner import Runner
from thence.errors import ParameterError
from thence.models import baselines
from thence.models.base import Model, Sampling
from thence.models.select import Connection, open_model
from thence.prompts import template_loader
from thence.prompts.catalog import protocol
from thence.prompts.protocol import Protocol
from thence.prompts.templates import Templates
from thence.prompts.wording import how_to_answer
from thence.scoring.judge import Response, judge
from thence.system.progress import followed

_SAMPLING = Sampling(temperature=0.0)


type SampleResponses = tuple[Sample, Iterable[Response]]
"""A sample with the responses to it."""


class Unread(NamedTuple):
    """A reply that is to be converted; it holds no truth, and no id, which hashes one.

    Attributes:
        reply: the text.
        question: what a reader knows of the question.
        prompt: the question in words.
    """

    reply: str
    question: Question
    prompt: str

    def identity(self, name: str) -> str:
        """Return the hash under which the conversion by an extractor is kept."""
        return digest("extraction", name, self.question.task, self.prompt, self.reply)


@dataclass(frozen=True)
class UnreadReplies:
    """The replies of a source that are to be converted, with the file of their conversions.

    Attributes:
        conversations: gives all replies of the source, as often as it is called.
        asked: the protocol by which they were asked for.
        path: the file of the conversions.
        locked: keeps other processes from writing it.
        every: whether all replies are to be converted, also those with a readable answer.
    """

    conversations: Callable[[], Iterable[SampleResponses]]
    asked: Protocol
    path: Path
    locked: Callable[[], AbstractContextManager[None]]
    every: bool = False

    def __iter__(self) -> Iterator[Unread]:
        """Yield the replies that say something, those in which no answer is readable or all."""
        for sample, responses in self.conversations():
            task = families.task(sample.task)
            for response in responses:
                reply = response.response or ""
                if not visible(reply).strip():
                    continue
                if response.error is not None or response.finish_reason == "refusal":
                    continue
                if self.every or judge(response, sample, task, self.asked).outcome == "no_answer":
                    yield Unread(reply, task.question(sample), sample.input)


def unread_of_run(directory: RunDirectory) -> UnreadReplies:
    """Return the unread replies of a run; the conversions lie beside its responses."""
    asked = directory.information().request.composed_protocol
    stored = directory.responses()

    def conversations() -> Iterator[SampleResponses]:
        for sample in followed(directory.samples(), "samples"):
            yield sample, stored.of(sample.id).values()

    return UnreadReplies(conversations, asked, directory.path / EXTRACTIONS, directory.locked)


def unread_of_file(path: Path, conversations: Iterable[SampleResponses]) -> UnreadReplies:
    """Return the unread replies of a file or folder; the conversions lie beside it.

    Args:
        path: such as ``replies.jsonl``; the conversions are in ``replies.jsonl.extractions.jsonl``.
        conversations: what it holds.
    """
    made = path.with_name(f"{path.name}.{EXTRACTIONS}")
    lock = path.with_name(f".{made.name}.lock")
    return UnreadReplies(
        lambda: conversations, protocol("direct"), made, lambda: locked(lock, made, "wait for it")
    )


class Conversions:
    """The conversions of replies by an extractor, found by the reply; a `Convert`.

    Attributes:
        extractor: the name of the model.
        needed: how many replies were to be converted; equal ones to one question count once.
        failed: how many of these it did not convert.
    """

    def __init__(self, extractor: str, identities: Collection[str], path: Path) -> None:
        """Find the conversions that a file holds.

        Args:
            extractor: the name of the model.
            identities: of the replies that were to be converted.
            path: the file.
        """
        self.extractor = extractor
        self._made = ResponseIndex(path)
        self.needed = len(identities)
        self.failed = sum(self._of(each) is None for each in identities)

    def __call__(self, reply: str, question: Question, prompt: str) -> Response | None:
        """Return the conversion of a reply, or None."""
        return self._of(Unread(reply, question, prompt).identity(self.extractor))

    def _of(self, identity: str) -> Response | None:
        made = self._made.of(identity).get((0, 0))
        return None if made is None or made.error is not None else made


def convert_unread(
    extractor: str,
    unread: UnreadReplies,
    connection: Connection,
    watch: Callable[[Progress], None] = lambda _: None,
) -> Conversions:
    """Convert replies that the reader could not read; without any, no model is asked.

    Args:
        extractor: the name of the model that converts.
        unread: the replies.
        connection: to the model.
        watch: called after every reply.

    Raises:
        UsageError: a baseline, which has nothing to convert with, or an endpoint out of reach.
    """
    model = _opened(extractor, connection)
    templates = template_loader.templates()
    needed = dict.fromkeys(each.identity(extractor) for each in unread)

    def requests() -> Iterator[Sample]:
        left = dict(needed)  # the same reply to the same question is converted once
        for each in unread:
            identity = each.identity(extractor)
            if identity in left:
                del left[identity]
                yield _request(identity, each, templates)

    if needed:
        with unread.locked():
            run_blocking(_run(model, unread.path, requests, len(needed), connection, watch))
    return Conversions(extractor, needed, unread.path)


def _opened(extractor: str, connection: Connection) -> Model:
    """Return the model that converts; its errors name the parameter that it is given by."""
    if extractor.partition("/")[0] == baselines.PROVIDER:
        raise ParameterError("extractor", extractor, "a baseline cannot read replies; name a model")
    try:
        return open_model(extractor, _SAMPLING, connection)
    except ParameterError as error:
        if error.name != "model":
            raise
        raise ParameterError("extractor", extractor, error.reason) from error


async def _run(
    model: Model,
    path: Path,
    requests: Callable[[], Iterator[Sample]],
    count: int,
    connection: Connection,
    watch: Callable[[Progress], None],
) -> None:
    """Ask for the conversions that are not in the file yet."""
    async with model:
        with ResponseLog(path) as log:
            limits = Limits(max_connections=connection.connections)
            direct, templates = protocol("direct"), template_loader.templates()
            conversations = Conversations(model, direct, templates, _SAMPLING)
            runner = Runner(conversations, limits, log, Progress(on_change=watch))
            await runner.run(requests, count, 1, ResponseIndex(path))


def _request(identity: str, unread: Unread, templates: Templates) -> Sample:
    """Return the request for a conversion as a sample without truth, run and resumed as any is."""
    task = families.task(unread.question.task)
    reply = visible(unread.reply).strip()
    instruction = how_to_answer(task, templates.render, part=True)
    text = templates.render("protocols/extraction", {"reply": reply, "instruction": instruction})
    return Sample(identity, task.family, task.full_name, task.version, text, None)
