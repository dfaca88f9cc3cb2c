"""The card of a folder of questions: what is in it, how it was made, what may be done with it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import thence

_CANARY = thence.Sample("", "", "", "", "", None).canary
_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)


def licence_of(sample: thence.Sample) -> str:
    """Return the licence of a question's text as the Hub names it: ``cc-by-4.0`` or ``other``.

    Text that the generators write is ours to give; a map, a recipe or a graph from elsewhere brings
    the terms of its source.
    """
    origin = sample.metadata.get("origin")
    drawn = not isinstance(origin, Mapping) or origin.get("map", "synthetic") == "synthetic"
    return "cc-by-4.0" if drawn and sample.metadata.get("source") == "generated" else "other"


RESPONSIBILITY = {
    "dataCollection": "Drawn by programs from random numbers; the truth is computed, and checked "
    "by a second way in the package's tests.",
    "dataCollectionType": "Software Collection",
    "dataUseCases": "Evaluation of language models. For training, draw others: training seeds "
    "share no random stream with these.",
    "dataBiases": "Made sentences are more regular than people's; English alone.",
    "dataLimitations": "Scores of different N in the version (N-X) do not compare.",
    "dataSocialImpact": "Every seed draws other questions, so that a score need not be of answers "
    "that a model has seen.",
    "personalSensitiveInformation": "None: no person, and no person's data.",
    "dataReleaseMaintenancePlan": "The request in manifest.json makes the same bytes again with "
    "the same version of the package.",
}
"""What Croissant asks for under ``rai:``, as the datasheet says it."""


def card(files: Sequence[Mapping[str, Any]], licence: str, manifest: Mapping[str, Any]) -> str:
    """Return the text of ``README.md``, which the Hub and `datasets` read.

    Args:
        files: ``task``, ``family``, ``path``, ``rows`` and ``version`` of each.
        licence: of all of them.
        manifest: of the questions.
    """
    count = sum(int(each["rows"]) for each in files)
    rows = [f"| `{each['task']}` | {each['version']} | {each['rows']:,} |\n" for each in files]
    request = json.dumps(manifest.get("request", {}), indent=2)
    return f"""\
{_metadata(files, licence, count)}
# Thence: can it follow?

Questions about procedures, data flow, order and relations, each with its exact truth, made by
`thence generate` (Python package `thence`).

| task | version | questions |
|---|---|---|
{"".join(rows)}
Do not train on these questions; every row holds the canary {_CANARY}.
Draw other ones for training: training seeds share no random stream with these.

## Columns

`input` is the prompt, `answer` the truth in the words that the prompt asks for. `target` and
`metadata` are JSON as text. `group` is the length or the split; questions with one `cluster` share
a procedure or graph, so that intervals must be taken over clusters.

```python
import datasets, thence

rows = datasets.load_dataset("FOLDER", "{files[0]["family"]}", split="test")
score = thence.score_reply(rows[0], rows[0]["answer"])
```

## Datasheet

* **Why.** To measure whether language models can follow; published questions end up in training
  data, these are drawn anew by every seed.
* **What.** {count:,} questions in English with truths; no person, no person's data, nothing
  offensive by design.
* **How.** Drawn by programs from random numbers; the truth is computed, checked by a second way in
  the package's tests, and tells right from wrong replies (`thence validate`).
* **Uses.** Evaluation. Scores of different N in the version (`N-X`) do not compare.
* **Limits.** Made sentences are more regular than people's; English alone.
* **Upkeep.** The request below makes the same bytes again with the same version of the package.

## Licence

{_LICENCES[licence]}

## Request

```json
{request}
```
"""


def _metadata(files: Sequence[Mapping[str, Any]], licence: str, count: int) -> str:
    """Return the head in YAML, by which the Hub lists the questions."""
    size = next((name for most, name in _SIZES if count < most), "n>10M")
    return f"""\
---
license: {licence}
language: en
pretty_name: Thence
task_categories:
  - question-answering
tags:
  - benchmark
  - procedural-reasoning
  - synthetic
size_categories:
  - {size}
configs:
{_configs(files)}---
"""


_LICENCES = {
    "cc-by-4.0": """\
CC BY 4.0. The text was written by the generators of `thence` and holds no words from elsewhere, so
that it is its authors' to give; the licence lets anybody use it and asks for the name. The package
itself is under Apache 2.0, a licence for programs.""",
    "other": """\
Some of these questions hold words or maps from elsewhere, whose terms hold for them; see
`metadata.origin`.""",
}


def _configs(files: Sequence[Mapping[str, Any]]) -> str:
    """Return the configurations: one a family, and one a task where a family has several."""
    families: dict[str, list[Mapping[str, Any]]] = {}
    for each in files:
        families.setdefault(each["family"], []).append(each)
    several = {
        **families,
        **{str(each["task"]).replace("/", "_"): [each] for each in files},
    }
    return "".join(
        f"  - config_name: {name}\n    data_files:\n      - split: test\n        path:\n"
        + "".join(f"          - {each['path']}\n" for each in held)
        for name, held in several.items()
    )
