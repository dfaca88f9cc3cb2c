"""Questions and rewards for trainers: TRL, verl and OpenRLHF.

A reward depends on the reply and our row alone. Replies are read by the rules of the evaluation,
which take no answer from a copied prompt, and one at most where several stand side by side.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import thence
from thence.api.given import Excluded, Tasks
from thence.api.harness import unchanged
from thence.api.questions import TRAINING, Questions
from thence.errors import MissingExtra, ParameterError

type Stage = int | tuple[int, int] | Mapping[str, Any]
"""One stage of a curriculum: a length, or the parameters of its tasks."""

_ENDS = re.compile(
    r"<\|(?:im_end|endoftext|eot_id|end|eos|return)\|>|</s>|<eos>|<end_of_turn>|<pad>"
)
_BEGINS = re.compile(
    r"(?:\s|<\|(?:im_start|start_header_id|end_header_id)\|>|<s>|<bos>)*assistant\s*$"
)


def questions(
    tasks: Tasks, seed: int = 0, *, exclude: Excluded = None, **parameters: Any
) -> Questions:
    """Return questions for training without end: training seed n is seed 10^9 + n of ours.

    Evaluation has the seeds below, so that the two share no random stream.

    Args:
        tasks: as for `thence.questions`.
        seed: 0 to 999,999,999.
        exclude: the questions of the evaluation; neither they nor others about their procedures
            come, which matters where a task has few different ones.
        parameters: of the tasks.

    Raises:
        ParameterError: another seed.
    """
    if type(seed) is not int or not 0 <= seed < TRAINING:
        reason = f"must be from 0 to {TRAINING - 1}: training seed n is seed {TRAINING} + n"
        raise ParameterError("seed", seed, reason)
    return thence.questions(tasks, seed=TRAINING + seed, exclude=exclude, **parameters)


def dataset(
    tasks: Tasks, seed: int = 0, size: int = 2000, *, exclude: Excluded = None, **parameters: Any
) -> Any:
    """Return a ``datasets.Dataset`` of questions for training, with the columns of `row`.

    Args:
        tasks: as for `questions`.
        seed: likewise.
        size: number of questions.
        exclude: likewise.
        parameters: likewise.

    Raises:
        MissingExtra: the package ``datasets`` is not installed.
    """
    made = questions(tasks, seed, exclude=exclude, **parameters)[:size]
    return _datasets().Dataset.from_list([row(each, place) for place, each in enumerate(made)])


def curriculum(
    tasks: Tasks,
    stages: Sequence[Stage],
    seed: int = 0,
    size: int = 2000,
    *,
    exclude: Excluded = None,
) -> Any:
    """Return a ``datasets.Dataset`` whose questions grow harder stage by stage; do not shuffle it.

    Args:
        tasks: as for `questions`.
        stages: a length each, such as ``(2, 5)`` steps, or parameters, such as ``{"z": 6}``, which
            says how deep the relations of RELEVAL reach. The column ``stage`` counts them.
        seed: as for `questions`.
        size: number of questions a stage.
        exclude: as for `questions`.

    Raises:
        MissingExtra: the package ``datasets`` is not installed.
    """
    rows: list[dict[str, Any]] = []
    for number, stage in enumerate(stages):
        if isinstance(stage, Mapping):
            made = questions(tasks, seed, exclude=exclude, **stage)
        else:
            made = questions(tasks, seed, exclude=exclude).at(stage)
        part = made[number * size : (number + 1) * size]  # no stage repeats an index of another
        rows += [row(each, len(rows) + at) | {"stage": number} for at, each in enumerate(part)]
    return _datasets().Dataset.from_list(rows)


def stream(
    tasks: Tasks, seed: int = 0, shards: int = 8, *, exclude: Excluded = None, **parameters: Any
) -> Any:
    """Return a ``datasets.IterableDataset`` of questions without end; its shards never meet.

    Args:
        tasks: as for `questions`.
        seed: likewise.
        shards: parts that loading processes and machines may take.
        exclude: likewise.
        parameters: likewise.

    Raises:
        MissingExtra: the package ``datasets`` is not installed.
    """
    made = questions(tasks, seed, exclude=exclude, **parameters)
    kinds = {"shards": list(range(shards)), "made": (made, shards)}  # lists alone are dealt out
    return _datasets().IterableDataset.from_generator(_rows, gen_kwargs=kinds)


def _rows(shards: Sequence[int], made: tuple[Questions, int]) -> Iterator[dict[str, Any]]:
    whole, number = made
    parts = [(shard, whole.shard(shard, number)) for shard in shards]
    for place in count():
        for shard, part in parts:
            yield row(part[place], place * number + shard)


def row(sample: thence.Sample, index: int) -> dict[str, Any]:
    """Return the columns that the trainers ask for.

    ``sample``, ``label`` and ``reward_model.ground_truth`` are our row as text, with its canary.

    Args:
        sample: the question.
        index: its place in the data.
    """
    text = json.dumps(sample.to_json())
    return {
        "prompt": [{"role": "user", "content": sample.input}],
        "sample": text,
        "label": text,
        "task": sample.task,
        "answer": thence.answer(sample),
        "data_source": f"thence/{sample.task}",
        "ability": "procedural reasoning",
        "reward_model": {"style": "rule", "ground_truth": text},
        "extra_info": {"id": sample.id, "task": sample.task, "index": index},
    }


# Rewards ------------------------------------------------------------------------------------------


def correct(
    completions: Sequence[Any],
    sample: Sequence[str],
    log_metric: Callable[[str, float], None] | None = None,
    **others: Any,
) -> list[float]:
    """Return the rewards of replies for TRL: 1 for a right answer, else 0.

    Args:
        completions: replies, each a text or a chat.
        sample: our rows, one a reply.
        log_metric: takes the share of replies without a readable answer.
        others: further columns.
    """
    scores = _scores(completions, sample, log_metric)
    return [float(each.correct) for each in scores]


def dense(metric: str) -> Callable[..., list[float]]:
    """Return a reward function for TRL: a metric from 0 to 1, and 0 where a task lacks it.

    Args:
        metric: such as ``pa``, the share of right steps before the first wrong one, or ``f1``.

    Raises:
        ParameterError: no task has such a metric, or it is a count.
    """
    infos = thence.tasks()
    known = sorted({name for each in infos for name in each.metrics if name not in each.counts})
    if metric not in known:
        raise ParameterError("metric", metric, f"must be one of {', '.join(known)}")

    def reward(
        completions: Sequence[Any],
        sample: Sequence[str],
        log_metric: Callable[[str, float], None] | None = None,
        **others: Any,
    ) -> list[float]:
        scores = _scores(completions, sample, log_metric)
        return [float(each.values.get(metric, 0.0)) for each in scores]

    reward.__name__ = metric  # the trainer's log has it
    return reward


def _scores(
    completions: Sequence[Any],
    samples: Sequence[str],
    log_metric: Callable[[str, float], None] | None,
) -> list[thence.Score]:
    replies = [each if isinstance(each, str) else each[-1]["content"] for each in completions]
    scores = [_score(*pair) for pair in zip(samples, replies, strict=True)]
    if log_metric is not None and scores:
        unread = sum(each.outcome is thence.Outcome.NO_ANSWER for each in scores)
        log_metric("thence/no_answer", unread / len(scores))
    return scores


def _score(sample: str | thence.Sample, reply: str) -> thence.Score:
    """Return the score of a reply.

    Raises:
        ParameterError: the row was changed on the way.
    """
    return thence.score_reply(unchanged(sample), reply)


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,
    **others: Any,
) -> dict[str, float]:
    """Return the reward of a reply for verl: ``score``, with ``acc`` and ``no_answer`` beside it.

    Args:
        data_source: ``thence/`` and the name of the task.
        solution_str: the reply.
        ground_truth: our row as text.
        extra_info: ignored, as are others.
        others: what later versions add.
    """
    score = _score(ground_truth, solution_str)
    unread = score.outcome is thence.Outcome.NO_ANSWER
    return {"score": float(score.correct), "acc": float(score.correct), "no_answer": float(unread)}


def reward_func(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **others: Any
) -> dict[str, Any]:
    """Return the rewards of replies for OpenRLHF as tensors.

    Args:
        queries: prompt and reply in one text, with special tokens.
        prompts: the prompts in the words of the chat template.
        labels: our rows as text.
        others: what later versions add.
    """
    import torch

    replies = [_reply(*pair) for pair in zip(queries, prompts, strict=True)]
    scores = [_score(*pair) for pair in zip(labels, replies, strict=True)]
    rewards = torch.tensor([float(each.correct) for each in scores])
    unread = torch.tensor([float(each.outcome is thence.Outcome.NO_ANSWER) for each in scores])
    return {"rewards": rewards, "scores": rewards, "extra_logs": {"no_answer": unread}}


def _reply(query: str, prompt: str) -> str:
    """Return the reply in a query, without the prompt and special tokens."""
    said = query.removeprefix(prompt) if query.startswith(prompt) else query.rpartition(prompt)[2]
    begin = _BEGINS.match(said.partition("\n")[0])
    said = said[begin.end() :] if begin else said
    return _ENDS.split(said.strip(), maxsplit=1)[0].strip()


def _datasets() -> Any:
    try:
        import datasets
    except ImportError as error:
        raise MissingExtra("thence.integrations.for_trainers", "datasets") from error
    return datasets
