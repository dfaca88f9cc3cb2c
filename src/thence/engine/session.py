"""A run from beginning to end: what is asked for, where it is kept, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thence import families, wording
from thence.engine.directory import RESPONSES, ResponseLog, RunDirectory, default_folder
from thence.engine.runner import Job, Prices, Progress, Runner
from thence.errors import Unreachable, UsageError
from thence.kernel.sample import Sample
from thence.kernel.templates import Templates
from thence.models.base import Generation, Model, Usage
from thence.models.select import Connection, open_model
from thence.pool import Examples
from thence.protocols import Composed, Protocol, protocol
from thence.scoring import REDUCTIONS, STRICT, Response, Results, score_sample
from thence.sources import Source

_LONGEST = 604_800  # seconds: a week
_HOTTEST = 100.0  # no endpoint takes as much; NaN and infinity are beyond it
_TOOLS = frozenset(("tools", "tool_choice", "functions", "function_call"))
_CHARACTERS_PER_TOKEN = 4  # a rule of thumb for English; estimates say that they are


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
    generation: Generation = field(default_factory=Generation)
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
        if not 0 < self.connection.timeout <= _LONGEST:
            limit = f"must be over 0 seconds, and at most {_LONGEST:,}"
            raise UsageError(f"--timeout {self.connection.timeout:g}: {limit}")
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
    templates = wording.templates(order.templates)
    asked = protocol(order.protocol, order.protocol_settings).bound(Examples(templates))
    if order.generation.structured and asked.free:
        raise UsageError(
            f"--structured: a reply to protocol {order.protocol} begins with free text, which no "
            "schema allows; leave it out, or ask by explain_then_answer"
        )
    seed = order.generation.seed or 0
    model = open_model(order.model, order.generation, order.connection, seed)
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


def execute(prepared: Prepared, watch: Callable[[Progress], None] = lambda _: None) -> Progress:
    """Runs to the end, or as far as it goes; everything that came back is on disk.

    Raises:
        UsageError: the endpoint cannot be reached or refuses the first request.
        DiskError: the disk would not take a response.
    """
    with prepared.directory.locked():
        return asyncio.run(_execute(prepared, watch))


async def _execute(prepared: Prepared, watch: Callable[[Progress], None]) -> Progress:
    order, directory = prepared.order, prepared.directory
    async with prepared.model as model:
        await _check(model)
        directory.begin(prepared.request, order.source.samples())
        if order.overwrite:
            directory.restart()
        with ResponseLog(directory.path / RESPONSES) as log:
            runner = Runner(
                model, prepared.protocol, prepared.templates, order.generation, order.job, log
            )
            progress = runner.progress
            progress.mended, progress.on_change = log.mended, watch
            _spent(directory, progress, order.job.prices)
            try:
                await runner.run(directory.samples(), order.epochs, directory.latest())
            finally:
                _record(prepared, progress, model.address)
    return progress


async def _check(model: Model) -> None:
    try:
        await model.check()
    except Unreachable as error:
        where = model.address or model.name
        raise UsageError(
            f"{where} cannot be reached: {error}; start the server, or mend --base-url"
        ) from error


def _spent(directory: RunDirectory, progress: Progress, prices: Prices) -> None:
    """Counts what earlier starts of the run took."""
    for response in directory.responses():
        if response.error is None and response.usage:
            progress.add(Usage.from_json(response.usage), prices)


def _record(prepared: Prepared, progress: Progress, address: str | None) -> None:
    directory, order = prepared.directory, prepared.order
    prices, generation = order.job.prices, order.generation
    turns = prepared.protocol.turns
    done = 0
    responses = sum(1 for _ in directory.responses())
    for standing in directory.latest().values():
        done += sum(turn == turns and each.error is None for (_, turn), each in standing.items())
    held = directory.information()
    directory.write_information(
        {
            "fingerprint": held["fingerprint"],
            "request": dict(prepared.request),
            "versions": {name: families.task(name).version for name in directory.tasks()},
            "reduce": order.reduce,
            "accept_errors": order.job.accept_errors,
            "address": address,
            "comparable": not _TOOLS & set(generation.extra_body),
            "samples": progress.total // order.epochs,
            "conversations": {"all": progress.total, "done": done},
            "responses": responses,
            "usage": progress.usage.to_json(),
            "usd_per_million_tokens": {"input": prices.input, "output": prices.output},
            "cost_usd": progress.cost,
        }
    )


def results(
    directory: RunDirectory,
    reduce: str | None = None,
    *,
    accept_errors: bool | None = None,
    convert: Callable[[Sample, Response], Response | None] | None = None,
    scorer: str = STRICT,
) -> Results:
    """Scores whatever a run holds so far.

    Args:
        directory: the run.
        reduce: how epochs become one score; None for what the run was given.
        accept_errors: likewise.
        convert: what an extractor made of a response that has no readable answer.
        scorer: how replies are read.
    """
    held = directory.information()
    request = held["request"]
    asked = protocol(request["protocol"], request.get("set_protocol", {}))
    epochs = int(request.get("epochs", 1))
    model = str(request.get("model", ""))
    found = Results(model, str(directory.path), turns=asked.turns + 1)
    found.reduced = reduce or str(held.get("reduce", "mean"))
    accepted = held.get("accept_errors", False) if accept_errors is None else accept_errors
    found.accepted = bool(accepted)
    standing = directory.latest()
    for sample in directory.samples():
        responses = list(_standing(standing.pop(sample.id, {}), epochs, asked.turns))
        complete = sum(each.turn == asked.turns or each.error is not None for each in responses)
        found.missing += epochs - complete
        found.rows += score_sample(sample, responses, asked, found.reduced, convert, scorer)
    if held.get("comparable") is False:
        found.notes.append("Run with tools: not comparable with runs without.")
    if found.reduced == "majority" and epochs > 1:
        found.notes.append(
            f"Majority of {epochs} epochs: the commonest equal answer, and where several tie, "
            f"the one given first ({sum(row.tied for row in found.rows)} ties)."
        )
    return found


def _standing(
    held: Mapping[tuple[int, int], Response], epochs: int, turns: int
) -> Iterable[Response]:
    """A sample's responses in order, none of them beyond what was asked for."""
    for epoch in range(epochs):
        for turn in range(turns + 1):
            if (epoch, turn) not in held:
                break
            yield held[epoch, turn]
            if held[epoch, turn].error is not None:
                break


@dataclass(frozen=True)
class Estimate:
    """What a run would take, before anything is sent; tokens are estimated from characters.

    Attributes:
        samples: how many.
        requests: with all epochs and turns, but for those that are on disk.
        input_tokens: of all requests.
        output_tokens: if every reply were as long as the truth, written as asked for.
        cost: USD at the given prices.
    """

    samples: int
    requests: int
    input_tokens: int
    output_tokens: int
    cost: float


def dry_run(prepared: Prepared) -> Estimate:
    """Counts what a run would send."""
    order, prices = prepared.order, prepared.order.job.prices
    samples = requests = said = read = 0
    turns = prepared.protocol.turns + 1
    recorded = _recorded(prepared)
    for sample in order.source.samples():
        todo = order.epochs - recorded.get(sample.id, 0)
        reply = len(families.task(sample.task).write(sample.target))
        samples += 1
        requests += todo * turns
        said += todo * reply * turns
        # Each further turn sends the whole chat again.
        read += todo * (len(sample.input) * turns + reply * (turns * (turns - 1) // 2))
    usage = Usage(read // _CHARACTERS_PER_TOKEN, said // _CHARACTERS_PER_TOKEN)
    cost = prices.cost(usage)
    return Estimate(samples, requests, usage.input_tokens, usage.output_tokens, cost)


def _recorded(prepared: Prepared) -> Mapping[str, int]:
    """How many epochs of each sample are finished on disk."""
    if prepared.order.overwrite or not prepared.directory.exists:
        return {}
    last = prepared.protocol.turns
    return {
        name: sum(turn == last and each.error is None for (_, turn), each in held.items())
        for name, held in prepared.directory.latest().items()
    }


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
