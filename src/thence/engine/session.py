"""A run from beginning to end: what is asked for, where it is kept, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from thence import families
from thence.core.sample import Sample
from thence.engine.ahead import Ahead
from thence.engine.asking import Job
from thence.engine.directory import RESPONSES, SCORES, RunDirectory, default_folder, fingerprint
from thence.engine.event_loop import run
from thence.engine.response_index import Stored
from thence.engine.response_log import ResponseLog
from thence.engine.run_progress import Prices, Progress
from thence.engine.run_scores import Rows, results
from thence.engine.runner import Runner
from thence.engine.score_file import ScoreFile
from thence.errors import Unreachable, UsageError
from thence.generation.few_shot_pool import Examples
from thence.generation.sources import Source
from thence.models.base import Model, SamplingParams, Usage
from thence.models.select import Connection, open_model
from thence.prompts import template_loader
from thence.prompts.catalog import protocol
from thence.prompts.protocol import Composed, Protocol
from thence.prompts.templates import Templates
from thence.scoring.judge import REDUCTIONS, Response
from thence.scoring.results import Results

_LONGEST = 604_800  # seconds: a week
_FASTEST = 1e12  # a minute; infinity and NaN are no limits
_HOTTEST = 100.0  # no endpoint takes as much; NaN and infinity are beyond it
_TOOLS = frozenset(("tools", "tool_choice", "functions", "function_call"))

__all__ = ["Ended", "Order", "Prepared", "execute", "parse_prices", "prepare", "results"]


@dataclass(frozen=True)
class Order:
    """What the user asks a run to be.

    Attributes:
        source: the samples.
        model: ``PROVIDER/NAME``.
        protocol: such as ``direct`` or ``a+b``.
        protocol_settings: ``--set-protocol``.
        epochs: repeats of each sample, at least 1.
        reduce: how epochs become one score: ``mean`` or ``majority``.
        generation: what shapes the replies.
        connection: how to reach the model.
        job: how to run.
        templates: the user's folder, or None.
        folder: the run's directory; None for the default.
        overwrite: replace another run in that directory.
    """

    source: Source
    model: str
    protocol: str = "direct"
    protocol_settings: Mapping[str, str] = field(default_factory=dict)
    epochs: int = 1
    reduce: str = "mean"
    generation: SamplingParams = field(default_factory=SamplingParams)
    connection: Connection = field(default_factory=Connection)
    job: Job = field(default_factory=Job)
    templates: Path | None = None
    folder: Path | None = None
    overwrite: bool = False

    def __post_init__(self) -> None:
        for option, value in (
            ("--epochs", self.epochs),
            ("--max-connections", self.job.connections),
            ("--max-tokens", self.generation.max_tokens),
        ):
            if value is not None and value < 1:
                raise UsageError(f"{option} {value}: must be at least 1")
        temperature, top_p = self.generation.temperature, self.generation.top_p
        if temperature is not None and not 0 <= temperature <= _HOTTEST:
            raise UsageError(f"--temperature {temperature:g}: must be from 0 to {_HOTTEST:g}")
        if top_p is not None and not 0 < top_p <= 1:
            raise UsageError(f"--top-p {top_p:g}: must be over 0 and at most 1")
        if self.job.retries < 0:
            raise UsageError(f"--max-retries {self.job.retries}: must be at least 0")
        for option, seconds in (
            ("--timeout", self.connection.timeout),
            ("--connect-timeout", self.connection.connect),
            ("--first-byte-timeout", self.connection.first_byte),
        ):
            if seconds is not None and not 0 < seconds <= _LONGEST:
                limit = f"must be over 0 seconds, and at most {_LONGEST:,}"
                raise UsageError(f"{option} {seconds:g}: {limit}")
        for option, limit_a_minute in (
            ("--rpm", self.job.requests_per_minute),
            ("--tpm", self.job.tokens_per_minute),
        ):
            if limit_a_minute is not None and not 0 < limit_a_minute < _FASTEST:
                raise UsageError(f"{option} {limit_a_minute:g}: must be over 0 a minute")
        for name in ("messages", "model"):
            if name in self.generation.extra_body:
                raise UsageError(f"--extra-body {name}: is set by --model and the protocol")
        if self.reduce not in REDUCTIONS:
            raise UsageError(f"--reduce {self.reduce}: must be {' or '.join(REDUCTIONS)}")


@dataclass(frozen=True)
class Prepared:
    """An order whose every part was found to exist."""

    order: Order
    model: Model
    protocol: Composed
    templates: Templates
    request: Mapping[str, Any]
    directory: RunDirectory


def prepare(order: Order) -> Prepared:
    """Checks an order without starting, writing or sending anything.

    Raises:
        UsageError: any part of it that cannot be.
    """
    templates = template_loader.templates(order.templates)
    asked = protocol(order.protocol, order.protocol_settings).bound(Examples(templates))
    seed = order.generation.seed or 0
    model = open_model(order.model, order.generation, order.connection, seed)
    if order.generation.structured and asked.free and not model.grammars:
        raise UsageError(
            f"--structured: a reply to protocol {order.protocol} holds free text, which no schema "
            "allows; leave it out, ask by explain_then_answer, or ask a gguf/ model, which takes "
            "grammars"
        )
    request = {
        "samples": order.source.to_json(),
        "model": order.model,
        "protocol": order.protocol,
        "set_protocol": dict(order.protocol_settings),
        "epochs": order.epochs,
        "generation": order.generation.to_json(),
        "templates": _templates_hash(templates, asked),
    }
    folder = order.folder or default_folder(order.model, order.source.names, request)
    directory = RunDirectory(folder)
    directory.check(request, overwrite=order.overwrite)
    return Prepared(order, model, asked, templates, request, directory)


def _templates_hash(templates: Templates, asked: Protocol) -> str:
    """The hash of what words the prompts, where a user's folder may do so."""
    if templates.folder is None:
        return ""
    every = families.tasks().values()
    names = {name for task in every for name in (task.question_template, task.answer_template)}
    return templates.hash(*sorted(names), *asked.templates)


@dataclass(frozen=True)
class Ended:
    """What came of a run.

    Attributes:
        progress: what was done and spent.
        results: the scores of all that it holds, which are in its directory too; None where the
            run that was to be replaced is there still, as nothing was answered.
    """

    progress: Progress
    results: Results | None


def execute(
    prepared: Prepared,
    watch: Callable[[Progress], None] = lambda _: None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Ended:
    """Runs to the end, or as far as it goes; everything that came back is on disk, and scored.

    Args:
        prepared: what is to be run.
        watch: called after every conversation.
        meanwhile: called in a thread while the first answer is awaited: imports what comes later.

    Raises:
        UsageError: the endpoint cannot be reached or refuses the first request.
        DiskError: the disk would not take a response, or a score.
    """
    directory = prepared.directory
    with directory.locked(), ScoreFile(directory.path / SCORES) as file:
        progress, ahead = run(_execute(prepared, watch, meanwhile, file))
        with closing(ahead):
            if progress.kept:
                file.abandon()
                return Ended(progress, None)
            return Ended(progress, ahead.results())


async def _execute(
    prepared: Prepared,
    watch: Callable[[Progress], None],
    meanwhile: Callable[[], None],
    file: ScoreFile,
) -> tuple[Progress, Ahead]:
    order, directory = prepared.order, prepared.directory
    directory.recover()
    directory.check(prepared.request, overwrite=order.overwrite)
    progress = Progress(prices=order.job.prices, on_change=watch)
    async with prepared.model as model:
        replaced = order.overwrite and directory.exists
        if replaced or not directory.whole:  # else the endpoint may be gone by now
            await _check(model)
        try:
            samples = _interruptible(order.source.samples())
            held = directory.begin(prepared.request, samples, overwrite=replaced)
            prepared.protocol.check(directory.samples)
            with ResponseLog(directory.path / RESPONSES) as log:
                progress.mended = log.mended
                turns = prepared.protocol.turns
                stored = directory.stored(turns, watch=partial(_spent, progress))
                asked = protocol(order.protocol, order.protocol_settings)
                rows = Rows(directory, asked, order.epochs, order.reduce)
                ahead = Ahead(directory, rows, stored, file)
                runner = Runner(
                    model,
                    prepared.protocol,
                    prepared.templates,
                    order.generation,
                    order.job,
                    log,
                    progress,
                    ahead,
                )
                later = asyncio.create_task(asyncio.to_thread(meanwhile))
                try:
                    await runner.run(
                        directory.samples, held["samples"], order.epochs, stored, directory.forget
                    )
                    await later
                finally:
                    _record(prepared, progress, model.address, held, stored, log.count)
        finally:
            if replaced:  # without a first answer the run that was here is worth more
                progress.kept = directory.put_back()
    return progress, ahead


def _interruptible(samples: Iterable[Sample]) -> Iterator[Sample]:
    """Passes samples on; Ctrl-C, which the event loop only notes, ends it within a few of them."""
    task = asyncio.current_task()
    for sample in samples:
        if task is not None and task.cancelling():
            raise asyncio.CancelledError
        yield sample


async def _check(model: Model) -> None:
    try:
        await model.check()
    except Unreachable as error:
        where = model.address or model.name
        raise UsageError(
            f"{where} cannot be reached: {error}; start the server, or mend --base-url"
        ) from error


def _spent(progress: Progress, response: Response) -> None:
    """Counts what an earlier start of the run took."""
    if response.error is None and response.usage:
        progress.add(Usage.from_json(response.usage))


def _record(
    prepared: Prepared,
    progress: Progress,
    address: str | None,
    held: Mapping[str, Any],
    stored: Stored,
    written: int,
) -> None:
    directory, order = prepared.directory, prepared.order
    prices, generation = order.job.prices, order.generation
    directory.write_information(
        {
            "fingerprint": fingerprint(prepared.request),
            "request": dict(prepared.request),
            "versions": held["versions"],
            "reduce": order.reduce,
            "accept_errors": order.job.accept_errors,
            "address": address,
            "comparable": not _TOOLS & set(generation.extra_body),
            "samples": held["samples"],
            "samples_sha256": held.get("samples_sha256"),
            "conversations": {
                "all": progress.total,
                "done": stored.finished(order.epochs) + progress.answered,
            },
            "responses": stored.count + written,
            "usage": progress.usage.to_json(),
            "usd_per_million_tokens": {"input": prices.input, "output": prices.output},
            "cost_usd": progress.cost,
        }
    )


def parse_prices(text: str | None, most: float | None) -> Prices:
    """The value of ``--price IN,OUT`` with that of ``--max-cost``.

    Raises:
        UsageError: not two numbers of at least 0, or a limit without prices.
    """
    if most is not None and not 0 < most < 1e9:
        raise UsageError(f"--max-cost {most:g}: must be over 0 USD")
    if text is None:
        if most is not None:
            raise UsageError("--max-cost needs --price IN,OUT to know what tokens cost")
        return Prices()
    try:
        numbers: Sequence[float] = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 2 or not all(0 <= number < 1e9 for number in numbers):
        raise UsageError(f"--price {text}: must be IN,OUT, USD per million tokens, such as 2.5,10")
    return Prices(numbers[0], numbers[1], most)
