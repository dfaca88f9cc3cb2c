"""Scoring of the replies that FABLE's authors published: a folder per domain, a CSV per cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from thence import families
from thence.core import csv_files
from thence.core.digest import digest
from thence.core.imported_replies import Gathered, GatheredReply
from thence.core.sample import PUBLISHED, Sample
from thence.core.task import Task
from thence.errors import FileError
from thence.families.fable.shared import published_prompts
from thence.families.fable.shared.analyses import ANALYSES, DOMAINS
from thence.families.fable.shared.generator import EACH, SOUND, VERSIONS, CellGenerator
from thence.families.fable.shared.task import NO_TRUTH

_FILE = re.compile(r"result_(?P<rest>.+)\.csv", re.IGNORECASE)
_COLUMNS = ("prompt", "ground_truth", "response")
_FOLDERS = {"plan": "plans", "travel": "routes", "route": "routes", "recipe": "recipes"}
_PUBLISHED_NAMES = {
    "reaching_definitions": "reaching_definitions",
    "very_busy_expressions": "very_busy_expressions",
    "available_expressions": "available_expressions",
    "live_variable_analysis": "live_variables",
    "interval_analysis": "intervals",
    "type_state_analysis": "type_state",
    "taint_analysis": "taint",
    "concurrency_analysis": "concurrency",
}
TIMES = "timing.log"


@dataclass(frozen=True, slots=True)
class CellFile:
    """One published file: a model's replies to the questions of a cell."""

    path: Path
    model: str
    domain: str
    analysis: str

    @property
    def task(self) -> str:
        """The full name of the cell's task."""
        return f"fable/{self.domain}/{self.analysis}"


@dataclass(slots=True)
class _Model:
    """The published replies of one model."""

    replies: list[GatheredReply] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)

    def unread(self) -> list[str]:
        """Return the ground truths that cannot be parsed in their cell's form."""
        truths = [
            reply.sample.metadata["ground_truth"].strip()
            for reply in self.replies
            if reply.sample.target == NO_TRUTH
        ]
        return [truth for truth in truths if truth != NO_TRUTH]


def files(path: Path) -> list[CellFile] | None:
    """Return the published files at a path, by model and in the order of tables.

    Args:
        path: the folder of results, one domain's folder, a checkout that contains it, or one file.

    Returns:
        None where no file has the form.

    Raises:
        FileError: a file of the form whose analysis or domain is unknown.
    """
    if path.is_file():
        found = [path] if _FILE.fullmatch(path.name) else []
    else:
        found = sorted(each for each in path.glob("*.csv") if _FILE.fullmatch(each.name))
        for folder in (path, path / "results"):
            found += sorted(each for each in folder.glob("*/result_*.csv") if each not in found)
    if not found:
        return None
    held = [_cell(each) for each in found]
    models = list(dict.fromkeys(each.model for each in held))
    analyses = list(ANALYSES)
    return sorted(
        held,
        key=lambda each: (
            models.index(each.model),
            DOMAINS.index(each.domain),
            analyses.index(each.analysis),
        ),
    )


def _cell(path: Path) -> CellFile:
    matched = _FILE.fullmatch(path.name)
    assert matched is not None
    name = matched["rest"].lower().replace("-", "_")
    for published, analysis in _PUBLISHED_NAMES.items():
        if name.endswith("_" + published) and len(name) > len(published) + 1:
            model = matched["rest"][: -len(published) - 1]
            return CellFile(path, model, _domain(path), analysis)
    raise FileError(
        f"{path}: the name must be result_MODEL_ANALYSIS.csv with an analysis of "
        f"{', '.join(_PUBLISHED_NAMES)}"
    )


def _domain(path: Path) -> str:
    folder = path.resolve().parent.name.lower()
    for part, domain in _FOLDERS.items():
        if part in folder:
            return domain
    raise FileError(f"{path}: its folder must name the domain: plans, new_travel_routes or recipe")


def questions(path: Path) -> Iterator[Sample] | None:
    """Return the questions that the published replies at a path answer; None where there are none.

    The files of all models hold the same questions; each is returned once.

    Raises:
        FileError: as for `gather`.
    """
    found = files(path)
    return None if found is None else _each_once(found)


def _each_once(found: Sequence[CellFile]) -> Iterator[Sample]:
    seen: set[str] = set()
    for file in found:
        for sample, _ in samples(file):
            if sample.id not in seen:
                seen.add(sample.id)
                yield sample


def gather(path: Path) -> Sequence[Gathered] | None:
    """Return the published replies at a path by model; None where there are none.

    A reply's latency is a hundredth of the time in the log beside its file for its cell.

    Raises:
        FileError: a file that is cut off, or has no ground truth of its cell's form.
    """
    found = files(path)
    if found is None:
        return None
    models: dict[str, _Model] = {}
    times: dict[Path, Mapping[tuple[str, str], float]] = {}
    for each in found:
        folder = each.path.parent
        if folder not in times:
            times[folder] = seconds(folder / TIMES)
        held = models.setdefault(each.model, _Model())
        taken = times[folder].get((each.model, each.analysis))
        latency = None if taken is None else taken / EACH
        replies = [GatheredReply(sample, reply, latency=latency) for sample, reply in samples(each)]
        held.sizes[each.task] = len(replies)
        held.replies += replies
    return [
        Gathered(model, str(path), held.replies, notes=_notes(held))
        for model, held in models.items()
    ]


def _notes(held: _Model) -> list[str]:
    every = [f"fable/{domain}/{analysis}" for domain in DOMAINS for analysis in ANALYSES]
    missing = [name for name in every if name not in held.sizes]
    notes = []
    if missing:
        notes.append(f"{len(missing)} of 24 cells are missing: {', '.join(missing)}.")
    short = {name: size for name, size in held.sizes.items() if size != EACH}
    if short:
        sizes = sorted(set(short.values()))
        shown = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        notes.append(f"{len(short)} cells hold {shown} questions; the paper has {EACH} in each.")
    unread = held.unread()
    if unread:
        notes.append(
            f"Ground truths that are not of their cell's form: {len(unread)}, such as "
            f"'{unread[0][:40]}': only the official scorer can use those."
        )
    return notes


def seconds(log: Path) -> Mapping[tuple[str, str], float]:
    """Return seconds per 100 prompts by model and analysis; empty where there is no log.

    Raises:
        FileError: a line that is not ``model,benchmark,seconds``.
    """
    if not log.is_file():
        return {}
    found = {}
    for line, (model, benchmark, taken) in csv_files.read_columns(
        log, ("model", "benchmark", "seconds")
    ):
        name = benchmark.strip().lower().replace("-", "_").replace(" ", "_")
        try:
            value = float(taken)
        except ValueError:
            value = -1.0
        if name not in _PUBLISHED_NAMES or not 0 <= value < 1e9:
            raise FileError(f"{log}:{line}: '{benchmark},{taken}' is no analysis and its seconds")
        found[model.strip(), _PUBLISHED_NAMES[name]] = value
    return found


def samples(file: CellFile) -> Iterator[tuple[Sample, str]]:
    """Yield the questions of a file with their replies.

    A ground truth in another form than its cell's leaves the strict scorer without a target, like
    "N/A"; the official scorer needs only its letters.

    Raises:
        FileError: the file is cut off, or none of its ground truths has its cell's form.
    """
    task = families.task(file.task)
    cell = task.generator
    assert isinstance(cell, CellGenerator)
    unread, readable = "", 0
    rows = csv_files.read_columns(file.path, _COLUMNS)
    for place, (line, (prompt, truth, reply)) in enumerate(rows):
        target: Any = NO_TRUTH
        if truth.strip() == NO_TRUTH:
            readable += 1
        else:
            try:
                target = cell.form.parse(truth)
                readable += 1
            except ValueError as error:
                unread = unread or f"{file.path}:{line}: ground_truth '{truth[:60]}': {error}"
        yield _sample(task, cell, file, place, prompt, truth, target), reply
    if unread and not readable:
        raise FileError(unread)


def _sample(
    task: Task,
    cell: CellGenerator,
    file: CellFile,
    place: int,
    prompt: str,
    truth: str,
    target: Any,
) -> Sample:
    parsed = _parsed_metadata(cell, prompt)
    asked = {} if target == NO_TRUTH else cell.form.asked(target)
    metadata = {
        **parsed,
        "question": {**parsed["question"], **asked},
        "ground_truth": truth,
        "source": PUBLISHED,
        "template": PUBLISHED,
        "origin": {"source": PUBLISHED, "name": f"{file.path.name}:{place}"},
    }
    return Sample(
        id=digest(task.full_name, prompt, truth, place),
        family=task.family,
        task=task.full_name,
        version=VERSIONS[PUBLISHED],
        input=prompt,
        target=target,
        metadata=metadata,
    )


@lru_cache(maxsize=10_000)
def _parsed_metadata(cell: CellGenerator, prompt: str) -> Mapping[str, Any]:
    """Return the metadata in a published prompt; several models were asked the same."""
    try:
        parts = published_prompts.parts(prompt)
    except ValueError:
        parts = published_prompts.Parts("", [], "")
    (condition,) = cell.conditions(cell.configure({"dialect": "published"}))
    steps = [{"text": step, "uses": [], "defines": [], "kills": []} for step in parts.steps]
    question = {"kind": cell.analysis, "i": parts.asked, "j": None, "fact": None}
    metadata: dict[str, Any] = {
        "procedure": {"goal": parts.goal, "steps": steps, "order": []},
        "question": {**question, "text": parts.question},
        "dialect": "published",
        "cluster": digest(parts.goal, parts.steps) if parts.steps else digest(prompt),
        "parameters": dict(condition.parameters),
        "options": dict(condition.options),
        "group": cell.analysis,
    }
    if parts.steps:
        sound = _sound(cell, parts)
        if sound is not None:
            metadata[SOUND] = sound
    return metadata


def _sound(cell: CellGenerator, parts: published_prompts.Parts) -> Any:
    """Return the sound truth of a published question; None where the domain has no answer."""
    found = cell.domain.resolve(cell.analysis, *parts, SOUND)
    if found is None or found.computed is None or cell.form.check(found.computed):
        return None if found is None else found.computed
    try:
        return cell.form.parse(str(found.computed))
    except ValueError:
        return None
