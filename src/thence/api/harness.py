"""Parts that another harness needs beside questions and scores: intervals, votes, baselines."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from thence.api.given import Given, sample_of, task_of
from thence.api.one_question import conversation
from thence.core.registry import nearest
from thence.core.sample import Sample
from thence.core.score import Score
from thence.core.statistics import estimates
from thence.errors import ParameterError
from thence.generation.making import sample_id
from thence.models.base import Reply, Request, Usage
from thence.models.baselines import BASELINES, Baseline
from thence.models.baselines import baseline as find_baseline

__all__ = [
    "BASELINES", "Request", "Usage", "ballot", "baseline_reply", "interval", "nearest",
    "truth_again", "unchanged",
]  # fmt: skip


def interval(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, *, count: bool = False
) -> tuple[float, float] | None:
    """Return the ends of the 95% interval of a mean, as the tables of a run print it.

    Args:
        values: one number a question.
        clusters: the procedure or graph that each question is about, ``Sample.cluster``; None for
            independent questions.
        count: whether the values are counts and no shares.

    Returns:
        The lower and the upper end; None where there is no interval.

    Example:
        >>> from thence.api import harness
        >>> low, high = harness.interval([1, 0, 1, 1])
        >>> round(low, 3), round(high, 3)
        (0.301, 0.954)
    """
    ends = estimates({"": values}, clusters, [""] if count else [])[""].interval()
    return None if ends is None else (ends[0], ends[1])


def ballot(sample: Given, score: Score) -> str | None:
    """Return a text that is the same for equal answers to a question, for votes over epochs.

    Args:
        sample: a `Sample`, its row or the JSON text of its row.
        score: of a reply to it.

    Returns:
        The text; None where no answer was read, which has no vote.

    Example:
        >>> import thence
        >>> from thence.api import harness
        >>> sample = thence.generate("catbench", size=1)[0]
        >>> votes = [harness.ballot(sample, thence.score_reply(sample, no)) for no in ("no", "No.")]
        >>> len(set(votes))
        1
    """
    if score.rule is None:
        return None
    found = sample_of(sample)
    vote = task_of(found).format.vote(score.answer)
    return repr((sorted(map(repr, vote)) if isinstance(vote, frozenset) else vote, score.correct))


def unchanged(sample: Given) -> Sample:
    """Return the sample of a row that another program gives back.

    Args:
        sample: a `Sample`, its row or the JSON text of its row.

    Raises:
        ParameterError: it is none, or its id does not fit what it holds, as where a reader of
            tables has made a number of the text ``"3"``.

    Example:
        >>> import thence
        >>> from thence.api import harness
        >>> sample = thence.generate("catbench", size=1)[0]
        >>> harness.unchanged(sample.to_json()) == sample
        True
    """
    found = sample_of(sample)
    question = found.metadata.get("question")
    if found.metadata.get("source") == "generated" and isinstance(question, Mapping):
        structure = found.metadata.get("structure")
        own = sample_id(task_of(found), structure, question, found.target, found.version)
        if own != found.id:
            reason = "was changed on the way: its id does not fit its truth and metadata"
            raise ParameterError("sample", found.id, reason)
    return found


def truth_again(sample: Given) -> Any:
    """Return the truth of a question, computed from its metadata in the second way of its task.

    Args:
        sample: a `Sample`, its row or the JSON text of its row.

    Raises:
        ParameterError: its metadata are not those of a question that we made.

    Example:
        >>> import thence
        >>> from thence.api import harness
        >>> sample = thence.generate("catbench", size=1)[0]
        >>> harness.truth_again(sample) == sample.target
        True
    """
    found = sample_of(sample)
    try:
        return task_of(found).checks.recompute(found)
    except (ValueError, LookupError, TypeError) as error:
        raise ParameterError("sample", found.id, f"has no truth of ours: {error}") from error


async def baseline_reply(
    sample: Given,
    name: str,
    *,
    protocol: str = "direct",
    seed: int = 0,
    epoch: int = 0,
    turn: int = 0,
    **settings: Any,
) -> Reply:
    """Return the reply of a baseline to one turn of the conversation about a question.

    Args:
        sample: a `Sample`, its row or the JSON text of its row.
        name: ``oracle``, ``random``, ``majority`` or ``heuristic``.
        protocol: how it is asked, as it decides the form of the reply.
        seed: of the baseline's chance.
        epoch: 0-based repeat.
        turn: 0-based turn of the protocol.
        settings: parameters of the protocol.

    Raises:
        ParameterError: an unknown baseline.

    Example:
        >>> import asyncio, thence
        >>> from thence.api import harness
        >>> sample = thence.generate("catbench", size=1)[0]
        >>> reply = asyncio.run(harness.baseline_reply(sample, "oracle"))
        >>> thence.score_reply(sample, reply.text).correct
        True
    """
    found = sample_of(sample)
    talk = conversation(found, protocol, **settings)
    model = _baseline(name, seed).about(found, talk.write)
    return await model.complete(Request(talk.messages, epoch=epoch, turn=turn))


@lru_cache(maxsize=16)
def _baseline(name: str, seed: int) -> Baseline:
    return find_baseline(name, seed)
