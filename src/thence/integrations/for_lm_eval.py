"""Thence in the lm-evaluation-harness: data, scores, and the YAML files of its tasks.

``python -m thence.integrations.for_lm_eval`` writes the files anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("lm_eval_tasks")
"""The folder for ``--include_path``."""

_TEMPLATE = "_thence_template"
_SHOT_SEED = 2_000_003  # added to the seed for the examples of few-shot prompts
_KNOWN = ("size", "seed", "set", "shots")
_COLUMNS = ("id", "task", "cluster", "input", "answer")


def dataset(
    task: str,
    seed: int = 0,
    size: int | None = 24,
    set: Mapping[str, Any] | None = None,  # noqa: A002 - the name in --metadata
    shots: int = 16,
    **others: Any,
) -> Any:
    """Return the questions of a task and examples for few-shot prompts as the harness takes them.

    Args:
        task: full name.
        seed: of the questions.
        size: questions; None for the paper's sizes.
        set: parameters of tasks by name; those that this task lacks are left out.
        shots: examples to choose from.
        others: what the harness adds of its own.

    Returns:
        A ``datasets.DatasetDict`` with the splits ``test`` and ``train``.

    Raises:
        SystemExit: a parameter is wrong; one line says which.
    """
    from datasets import Dataset, DatasetDict

    import thence

    try:
        _check(others, set or {})
        own = {parameter.name for parameter in thence.tasks(task)[0].parameters}
        given = {name: value for name, value in (set or {}).items() if name in own}
        asked = thence.generate(task, seed=seed, size=size, **given)
        apart = thence.generate(task, seed=seed + _SHOT_SEED, size=shots, exclude=asked, **given)
        return DatasetDict(
            {
                split: Dataset.from_list([_document(sample) for sample in samples])
                for split, samples in (("test", asked), ("train", apart))
            }
        )
    except thence.ThenceError as error:
        raise SystemExit(f"thence: {task}: {error}") from error


def _check(others: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    """Refuse a key of ``--metadata`` that is nearly one of ours, and a parameter of no task."""
    import thence
    from thence.api.harness import nearest

    for name in others:
        if hint := nearest(name, list(_KNOWN)):
            raise thence.ParameterError(name, None, f"no such key of --metadata{hint}")
    known = sorted({each.name for info in thence.tasks() for each in info.parameters})
    for name in settings:
        if name not in known:
            hint = nearest(name, known)
            raise thence.ParameterError(name, None, f"no task has such a parameter{hint}")


def _document(sample: Any) -> dict[str, str]:
    """Return the row of a question; our own row is text, so that all rows have one form."""
    import thence

    values = (sample.id, sample.task, sample.cluster, sample.input, thence.answer(sample))
    row = dict(zip(_COLUMNS, values, strict=True))
    return row | {"sample": json.dumps(sample.to_json())}


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return the scores of a reply: ``acc``, the task's metrics and ``no_answer``.

    No finish reason comes this far, so that a reply that was cut off counts as one without an
    answer.

    Raises:
        SystemExit: the row was changed on the way; one line says so.
    """
    import thence
    from thence.api.harness import unchanged

    try:
        score = thence.score_reply(unchanged(doc["sample"]), results[0])
    except thence.ParameterError as error:
        raise SystemExit(f"thence: {doc['task']}: {error}") from error
    metrics = _metrics(doc["task"])
    return {
        "acc": float(score.correct),
        **{name: float(score.values.get(name, 0.0)) for name in metrics},
        "no_answer": float(score.outcome is thence.Outcome.NO_ANSWER),
    }


def _metrics(task: str) -> Sequence[str]:
    import thence

    return thence.tasks(task)[0].metrics


# The files ----------------------------------------------------------------------------------------


def files() -> dict[str, str]:
    """Return the texts of the files by name: a task each, a group a family, and the template."""
    import thence

    made, families = {_TEMPLATE: _template()}, dict[str, list[str]]()
    for info in thence.tasks():
        name = f"thence_{info.name.replace('/', '_')}"
        if info.name in {each.name for each in thence.tasks(info.family)}:  # others by name only
            families.setdefault(info.family, []).append(name)
        made[f"{name}.yaml"] = _task(name, info)
    for family, names in families.items():
        made[f"thence_{family}.yaml"] = _group(f"thence_{family}", names)
    return made


def _template() -> str:
    here = "thence.integrations.for_lm_eval"
    return f"""\
# Written by python -m {here}
output_type: generate_until
custom_dataset: !function {here}.dataset
process_results: !function {here}.process_results
test_split: test
training_split: train
fewshot_split: train
doc_to_text: "{{{{input}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs:
  until: []  # else the harness stops at the first blank line
  do_sample: false
  temperature: 0.0
  max_gen_toks: 8192  # else at 256 tokens
"""


def _task(name: str, info: Any) -> str:
    metrics = ["acc", *info.metrics, "no_answer"]
    lines = "".join(
        f"  - metric: {metric}\n    aggregation: mean\n"
        f"    higher_is_better: {str(metric != 'no_answer').lower()}\n"
        for metric in metrics
    )
    number = info.version.partition("-")[0]
    return (
        f"include: {_TEMPLATE}\ntask: {name}\ndataset_kwargs:\n  task: {info.name}\n"
        f"metric_list:\n{lines}metadata:\n  version: {number}\n"
    )


def _group(name: str, tasks: Sequence[str]) -> str:
    lines = "".join(f"  - {each}\n" for each in tasks)
    return (
        f"group: {name}\ntask:\n{lines}aggregate_metric_list:\n"
        "  - metric: acc\n    weight_by_size: false\n"
        "  - metric: no_answer\n    weight_by_size: false\nmetadata:\n  version: 1\n"
    )


def write() -> None:
    """Write the files anew; those of tasks that are gone are deleted."""
    FOLDER.mkdir(exist_ok=True)
    texts = files()
    for path in FOLDER.iterdir():
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
