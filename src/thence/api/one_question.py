"""One question at a time: what is said to a model, and what its reply is worth."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence import families
from thence.api.given import (
    Given,
    folder_of,
    not_a_sample,
    protocol_of,
    sample_of,
    short,
    task_of,
    text_of,
)
from thence.core.score import Score
from thence.core.task import MISFITS
from thence.errors import ParameterError
from thence.prompts import catalog, template_loader
from thence.scoring.judge import Response, judge

if TYPE_CHECKING:
    from thence.core.sample import Sample
    from thence.core.task import Task
    from thence.prompts.conversation import Conversation
    from thence.prompts.protocol import Composed

_NO_SAMPLE = (LookupError, TypeError, ValueError, AttributeError)  # what damaged metadata raises


class _Truth:
    """Stands for the truth of the sample where no value is given."""

    def __repr__(self) -> str:
        return "<the truth>"


TRUTH = _Truth()


def conversation(
    sample: Given,
    protocol: str = "direct",
    *,
    templates: str | Path | None = None,
    task: Task | None = None,
    **settings: Any,
) -> Conversation:
    """Return the conversation with a model about one question, turn by turn.

    ``messages`` are the chat so far, ending in the user's turn: dictionaries with ``role`` and
    ``content``. ``hear(reply)`` takes a reply in and says whether the protocol asks on; ``schema``
    is the JSON schema of the next reply, or None where it is free text.

    Args:
        sample: a `Sample`, its row or the JSON text of its row.
        protocol: such as ``direct`` or ``few_shot+are_you_sure``; see `thence.protocols`.
        templates: the folder of templates that worded the sample, where it was one's own.
        task: the task of the sample, where it is one's own and lies in no package.
        settings: parameters of the protocol, such as ``k=3`` for ``few_shot``.

    Returns:
        A `Conversation` before its first reply.

    Raises:
        ParameterError: no sample, no such protocol, or a setting that it does not take.
        UsageError: the protocol words the question anew, but other templates worded the sample.

    Example:
        >>> import thence
        >>> sample = thence.generate("procbench/sort", size=1)[0]
        >>> talk = thence.conversation(sample, "are_you_sure")
        >>> len(talk.messages), talk.hear("I do not know."), len(talk.messages)
        (1, True, 3)
    """
    from thence.generation.few_shot_pool import Examples
    from thence.prompts.conversation import Conversation

    found = sample_of(sample)
    held_task = task_of(found, task)
    with families.using([held_task]):
        held = template_loader.templates(folder_of(templates))
        asked = catalog.protocol(protocol_of(protocol), settings).bound(Examples(held))
        try:
            return Conversation(found, held_task, asked, held)
        except _NO_SAMPLE:
            if error := not_a_sample(found, held_task):
                raise error from None
            raise


def score_reply(
    sample: Given,
    reply: str | None,
    *,
    reasoning: str | None = None,
    finish_reason: str | None = "stop",
    protocol: str = "direct",
    scorer: str = "strict",
    task: Task | None = None,
) -> Score:
    """Return the score of one reply to one question.

    The reply is read by stated rules that never see the truth, and what was read is graded. Nothing
    is remembered, so that calls may come from several threads in any order.

    Args:
        sample: a `Sample`, its row or the JSON text of its row.
        reply: the text as it came; None where none came.
        reasoning: what came in a field of its own; it is no part of the answer.
        finish_reason: why the model stopped: ``stop``, ``length`` or ``refusal``.
        protocol: how it was asked, as it decides where the answer stands.
        scorer: ``strict``, or another one that the family has, such as FABLE's ``official``.
        task: the task of the sample, where it is one's own and lies in no package.

    Returns:
        A `Score`: ``correct``, ``outcome``, ``answer`` and ``values`` (metrics, mostly in 0 to 1).

    Raises:
        ParameterError: no sample, a damaged one, a reply that is no text, or an unknown protocol or
            scorer.

    Example:
        >>> import thence
        >>> sample = thence.generate("releval/comparison", size=1)[0]
        >>> thence.score_reply(sample, thence.answer(sample)).correct
        True
        >>> thence.score_reply(sample.to_json(), "Hm.").outcome.value
        'no_answer'
    """
    found = sample_of(sample)
    for name, text in (
        ("reply", reply),
        ("reasoning", reasoning),
        ("finish_reason", finish_reason),
    ):
        if text is not None and not isinstance(text, str):
            raise ParameterError(name, short(text), "must be text or None")
    scorer, task = text_of("scorer", scorer, "the name of a scorer"), task_of(found, task)
    response = Response(found.id, response=reply, reasoning=reasoning, finish_reason=finish_reason)
    asked = _protocol(protocol_of(protocol))
    try:
        score = judge(response, found, task, asked, scorer)
    except _NO_SAMPLE:
        if error := not_a_sample(found, task):
            raise error from None
        raise
    sound = score.correct or _can_be_answered(found, task)
    if not sound and (error := not_a_sample(found, task)):
        raise error
    return score


def _can_be_answered(sample: Sample, task: Task) -> bool:
    """Return whether the truth, written as a reply, is graded right; a damaged one is not."""
    try:
        read = task.format.read(task.format.write(sample.target), task.question(sample))
        return read is not None and task.grader.grade(read.value, sample).correct
    except MISFITS:
        return False


def answer(sample: Given, value: Any = TRUTH, *, task: Task | None = None) -> str:
    """Return a reply that gives an answer in the words that the prompt asks for.

    With the truth, which is the default, it is the reply of a perfect model to the protocol
    ``direct``; `thence.conversation` has ``write`` for other protocols.

    Args:
        sample: a `Sample`, its row or the JSON text of its row.
        value: an answer of the type of the task's ``target``.
        task: the task of the sample, where it is one's own and lies in no package.

    Returns:
        The text of the reply.

    Raises:
        ParameterError: no sample, or a value that is no answer to its task.

    Example:
        >>> import thence
        >>> sample = thence.generate("catbench/order", size=1)[0]
        >>> thence.answer(sample, "yes")
        'yes'
    """
    found = sample_of(sample)
    task = task_of(found, task)
    form = task.format
    try:
        written = form.write(found.target if value is TRUTH else value)
        if value is TRUTH:
            return written
        read = form.read(written, task.question(found))
        if read is not None and (
            form.vote(read.value) == form.vote(value) or form.write(read.value) == written
        ):
            return written
    except _NO_SAMPLE as error:
        raise _no_answer(task, value) from error
    raise _no_answer(task, value)


def _no_answer(task: Task, value: object) -> ParameterError:
    return ParameterError("value", short(value), f"is no answer to {task.full_name}")


@lru_cache(maxsize=64)
def _protocol(name: str) -> Composed:
    return catalog.protocol(name)
