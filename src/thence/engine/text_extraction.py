"""Reading of texts by a model into procedures; every reply is kept, and none is asked for twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from thence.core.digest import digest
from thence.core.sample import Sample
from thence.engine.asking import refuse_unreachable
from thence.engine.conversations import Conversations
from thence.engine.event_loop import run_blocking
from thence.engine.response_index import ResponseIndex, whole_length
from thence.engine.response_log import ResponseLog
from thence.engine.run_config import Limits
from thence.engine.run_progress import Progress
from thence.engine.runner import Runner
from thence.models.base import Model, Sampling
from thence.prompts.catalog import protocol
from thence.prompts.conversation import Dialogue
from thence.prompts.extracting import MOST_TURNS, ExtractionConversation
from thence.prompts.templates import Templates
from thence.scoring.judge import Response

_TASK = "extract"
_NOT_ANSWERED = "the model did not answer ({}); the same command asks again"


class TextConversations(Conversations):
    """Maker of the conversations about texts."""

    def __init__(self, model: Model, templates: Templates, sampling: Sampling) -> None:
        super().__init__(model, protocol("direct"), templates, sampling)
        self.last = MOST_TURNS - 1

    def begin(self, sample: Sample) -> ExtractionConversation:
        """Return a new conversation about a text."""
        title = str(sample.metadata["title"])
        return ExtractionConversation(sample.input, title, self._templates.render)

    def hear(self, conversation: Dialogue, response: Response) -> bool:
        """Add the reply of a response, with why the model stopped."""
        assert isinstance(conversation, ExtractionConversation)
        return conversation.hear(response.response or "", response.finish_reason)


def text_sample(title: str, text: str) -> Sample:
    """Return a text as a sample without truth, asked about and resumed as any is."""
    name = digest(_TASK, title, text)
    return Sample(name, _TASK, _TASK, "1-0", text, None, {"title": title})


def read_texts(
    model: Model,
    samples: Sequence[Sample],
    path: Path,
    templates: Templates,
    sampling: Sampling,
    limits: Limits,
    watch: Callable[[Progress], None] = lambda _: None,
    *,
    anew: bool = False,
) -> list[ExtractionConversation]:
    """Have a model read texts; return the conversations about them, as far as they went.

    Args:
        model: reads them.
        samples: the texts, by `text_sample`.
        path: the file of the responses, which is gone on with.
        templates: of the prompts.
        sampling: shapes the replies.
        limits: how fast to ask.
        watch: called after every conversation.
        anew: whether to ask also for what is in the file; the new replies are appended.

    Raises:
        UsageError: the endpoint is out of reach.
    """
    conversations = TextConversations(model, templates, sampling)
    progress = Progress(spending=limits.spending(), on_change=watch)
    start = run_blocking(_run(conversations, samples, path, limits, progress, anew=anew))
    stored = ResponseIndex(path, first=start)
    return [_replayed(conversations, sample, stored) for sample in samples]


async def _run(
    conversations: TextConversations,
    samples: Sequence[Sample],
    path: Path,
    limits: Limits,
    progress: Progress,
    *,
    anew: bool,
) -> int:
    """Have the conversations; return where the first response that counts stands in the file."""
    async with conversations.model as model:
        await refuse_unreachable(model)
        with ResponseLog(path) as log:
            start = whole_length(path) if anew else 0
            runner = Runner(conversations, limits, log, progress)
            stored = ResponseIndex(path, first=start)
            await runner.run(lambda: samples, len(samples), 1, stored)
    return start


def _replayed(
    conversations: TextConversations, sample: Sample, stored: ResponseIndex
) -> ExtractionConversation:
    """Return a conversation with the replies that are on disk."""
    talk = conversations.resume(sample, 0, stored.of(sample.id))
    conversation = talk.chat
    assert isinstance(conversation, ExtractionConversation)
    if talk.slot is not None:
        error = talk.failure and talk.failure.error
        said = f"{error['kind']}: {error['message']}" if error else "the run was stopped"
        conversation.problem, conversation.row = _NOT_ANSWERED.format(said), None
    return conversation
