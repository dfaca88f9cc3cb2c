"""JSON Schemas of the files that Thence writes: ``python docs/formats.py`` writes docs/schemas.

The lines of questions and responses, and the form of a procedure, are those of the product's own
classes. The other files are put together where they are written, so that they are declared here;
a test holds all of them against what commands write.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from thence.core.sample import Sample
from thence.procedures import json_schema
from thence.scoring.judge import Response

FOLDER = Path(__file__).parent / "schemas"
DRAFT = "https://json-schema.org/draft/2020-12/schema"


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class ScoreLine(_Form):
    """One line of ``scores.jsonl``: the verdict on one response."""

    id: str
    """The sample's."""
    epoch: int = Field(ge=0)
    """Repeat, from 0; 0 after a vote."""
    turn: int = Field(ge=0)
    """Turn of the protocol, from 0."""
    outcome: Literal["provider_error", "refused", "truncated", "no_answer", "correct", "wrong"]
    """What became of the response."""
    correct: bool
    """Whether the answer is right."""
    rule: str | None
    """Name of the reading rule that found the answer; null where none was read."""
    answer: Any
    """The answer that was read, typed by the task; null where none was read."""
    values: dict[str, float]
    """Metrics of the task by name; empty after a provider error."""
    explanation: str = ""
    """Explanation beside the answer, or the verdict on a proof; where the protocol asks for it."""


class Conversations(_Form):
    """How many conversations a run has."""

    all: int = Field(ge=0)
    """Samples times epochs."""
    done: int = Field(ge=0)
    """Those that came to their end."""


class Usage(_Form):
    """Tokens of all responses, failed attempts included."""

    model_config = ConfigDict(extra="allow", use_attribute_docstrings=True)

    input_tokens: int = Field(ge=0)
    """Of prompts, cached ones too."""
    output_tokens: int = Field(ge=0)
    """Of replies, thinking that is billed too."""


class SamplesRequest(BaseModel):
    """Which samples: tasks with their parameters, or files by their hashes."""

    model_config = ConfigDict(extra="allow", use_attribute_docstrings=True)

    tasks: list[str] = []
    """Full names of the tasks."""
    files: list[str] = []
    """SHA-256 of files, in place of tasks."""
    seed: int = 0
    """Seed of the samples."""
    size: int | None = None
    """``--size``."""
    limit: int | None
    """``--limit``."""
    set: dict[str, Any] = {}
    """``--set``, by name."""


class RunRequest(BaseModel):
    """Settings that two runs share if they are the same run."""

    model_config = ConfigDict(extra="allow", use_attribute_docstrings=True)

    samples: SamplesRequest | dict[str, Any]
    """Which samples."""
    model: str
    """``PROVIDER/NAME``."""
    protocol: str
    """How it was asked."""
    set_protocol: dict[str, str]
    """Parameters of the protocol."""
    epochs: int = Field(ge=1)
    """Repeats of each sample."""
    generation: dict[str, Any]
    """What shapes the replies: temperature, top_p, max_tokens and so on; null: the endpoint's."""
    templates: str
    """Hash of the user's own templates; empty for none."""


class RunFile(_Form):
    """``run.json``: what was asked, and what it came to."""

    thence: str
    """Version that wrote the file."""
    fingerprint: str
    """Hash of ``request``, by which the same command knows its run."""
    identity: str
    """Random name of this very run, which tells it from the same one made elsewhere."""
    request: RunRequest
    """What was asked."""
    versions: dict[str, str]
    """Version of each task; scores of other first numbers do not compare."""
    reduce: Literal["mean", "majority"]
    """How epochs become one score."""
    accept_errors: bool
    """Whether provider errors are left out instead of being tried again."""
    address: str | None
    """Address of the endpoint without keys; null for models in this process."""
    comparable: bool
    """False where the request gave the model tools."""
    samples: int = Field(ge=0)
    """Number of samples."""
    samples_sha256: str
    """SHA-256 of ``samples.jsonl``."""
    conversations: Conversations | None
    """How many there are, and how many are done; null until the command stops."""
    responses: int | None = Field(ge=0)
    """Lines of ``responses.jsonl``; null until the command stops."""
    responses_sha256: str | None = None
    """SHA-256 of ``responses.jsonl``, once all conversations came to their end."""
    usage: Usage | None
    """Tokens; null until the command stops."""
    usd_per_million_tokens: dict[str, float] | None
    """Prices that ``--price`` gave: ``input``, ``output`` and ``cached``."""
    cost_usd: float | None
    """Cost by these prices; null where there are none."""


class Manifest(_Form):
    """``FILE.manifest.json`` beside a file of questions: its request and its hash."""

    file: str
    """Name of the file of questions."""
    sha256: str
    """SHA-256 of that file."""
    thence: str
    """Version that wrote the file."""
    request: SamplesRequest
    """Tasks, seed, sizes and parameters."""
    samples: int = Field(ge=0)
    """Number of questions."""
    groups: dict[str, dict[str, int]]
    """Number of questions by task and group."""
    redrawn_duplicates: int = Field(ge=0)
    """Questions that had come before and were drawn again."""
    notes: dict[str, Any] = {}
    """Remarks of tasks: what could not be made, and why."""


FILES: dict[str, tuple[str, type]] = {
    "sample": ("`samples.jsonl`, and what `thence generate` writes: one question a line", Sample),
    "response": ("`responses.jsonl`: one response a line, as it came", Response),
    "score": ("`scores.jsonl`: one verdict a line", ScoreLine),
    "run": ("`run.json`: what was asked, and what it came to", RunFile),
    "manifest": ("`FILE.manifest.json`: request and hash of a file of questions", Manifest),
}


def schemas() -> dict[str, dict[str, Any]]:
    """Return the schema of each file by its short name."""
    made = {name: _schema(kind) for name, (_, kind) in FILES.items()}
    made["procedure"] = json_schema()
    return made


def _schema(kind: type) -> dict[str, Any]:
    held = TypeAdapter(kind).json_schema()
    if not issubclass(kind, BaseModel):
        text = inspect.getdoc(kind) or ""  # without the indents that Python before 3.13 keeps
        told = _attributes(text)
        held["description"] = text.partition("\n")[0]
        held["required"] = list(held["properties"])
        held["additionalProperties"] = False
        for name, each in held["properties"].items():
            each["description"] = told[name]
    return {"$schema": DRAFT, **_plain(held)}


def _attributes(text: str) -> dict[str, str]:
    """Return what the section Attributes of a docstring says of each name."""
    _, _, section = text.partition("Attributes:\n")
    found = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", section, re.MULTILINE)
    return {name: " ".join(said.split()) for name, said in found}


def _plain(held: Any) -> Any:
    """Return a schema without titles and defaults, which say nothing to a reader."""
    if isinstance(held, list):
        return [_plain(each) for each in held]
    if not isinstance(held, dict):
        return held
    return {
        name: {key: _plain(each) for key, each in value.items()}
        if name in {"properties", "$defs"}
        else _plain(value)
        for name, value in held.items()
        if name not in {"title", "default"}
    }


def main() -> None:
    """Write the schemas."""
    FOLDER.mkdir(exist_ok=True)
    for name, schema in schemas().items():
        (FOLDER / f"{name}.json").write_text(json.dumps(schema, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
