"""A run from its configuration to its scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from thence import families
from thence.core.failures import plural
from thence.core.results import Results
from thence.engine.asking import refuse_unreachable
from thence.engine.conversations import Conversations
from thence.engine.directory import BATCHES, RESPONSES, RunDirectory, default_folder
from thence.engine.event_loop import in_thread, run_blocking, until
from thence.engine.response_log import ResponseLog
from thence.engine.run_config import RunConfig
from thence.engine.run_information import RunInformation, RunRequest
from thence.engine.run_progress import Progress
from thence.engine.run_scores import results
from thence.engine.runner import Runner
from thence.errors import ParameterError, UsageError
from thence.generation.few_shot_pool import Examples
from thence.models.base import Model, Usage
from thence.models.select import open_model, settled
from thence.prompts import template_loader
from thence.prompts.catalog import protocol
from thence.prompts.protocol import Composed, Protocol
from thence.prompts.templates import Templates
from thence.scoring.judge import Response
from thence.system.disk import file_hash
from thence.system.version import VERSION

if TYPE_CHECKING:
    from thence.engine.batch_runner import BatchRunner

_TOOLS = frozenset(("tools", "tool_choice", "functions", "function_call"))

__all__ = [
    "FinishedRun",
    "PreparedRun",
    "execute",
    "prepare",
    "results",
    "run_async",
]


@dataclass(frozen=True)
class PreparedRun:
    """Configuration of a run with its protocol, model and directory resolved."""

    config: RunConfig
    model: Model
    protocol: Composed
    templates: Templates
    request: RunRequest
    directory: RunDirectory

    @property
    def conversations(self) -> Conversations:
        """Maker of its conversations."""
        return Conversations(self.model, self.protocol, self.templates, self.config.sampling)


def prepare(config: RunConfig) -> PreparedRun:
    """Check a configuration without starting, writing or sending anything.

    Raises:
        UsageError: any part of it that cannot be.
    """
    templates = template_loader.templates(config.templates)
    asked = protocol(config.protocol, config.protocol_settings).bound(Examples(templates))
    seed = config.sampling.seed or 0
    model = config.model
    if isinstance(model, str):
        shaping = settled(model, config.sampling, config.base_url)
        model = open_model(model, config.sampling, config.connection, seed)
        config = replace(config, sampling=shaping)
    if config.sampling.structured and asked.free and not model.grammars:
        raise ParameterError(
            "structured",
            None,
            f"a reply to protocol {config.protocol} holds free text, which no schema allows; leave "
            "it out, ask by explain_then_answer, or ask a gguf/ model, which takes grammars",
        )
    request = RunRequest(
        samples=config.source.to_json(),
        model=config.model_name,
        protocol=config.protocol,
        set_protocol=dict(config.protocol_settings),
        epochs=config.epochs,
        generation=config.sampling.to_json(),
        templates=_templates_hash(templates, asked),
    )
    folder = config.folder or default_folder(config.model_name, config.source.names, request)
    directory = RunDirectory(folder)
    directory.check(request, overwrite=config.overwrite)
    _check_batches(config, model, directory)
    return PreparedRun(config, model, asked, templates, request, directory)


def _check_batches(config: RunConfig, model: Model, directory: RunDirectory) -> None:
    """Refuse batches that cannot be, and a run beside batches that are under way.

    Raises:
        ParameterError: naming what to change.
    """
    if config.limits.batch:
        from thence.models.interfaces import batches_of

        batches_of(model)
        if config.overwrite and directory.exists:
            reason = "cannot replace a run by batches, which take a day; choose another folder"
            raise ParameterError("overwrite", None, reason)
    elif (directory.path / BATCHES).is_dir():
        from thence.engine.batch_notes import BatchNotes

        if left := len(BatchNotes(directory.path, "").open()):
            raise ParameterError(
                "batch",
                None,
                f"{directory.path} has {plural(left, 'batch')} under way, to be paid for: say "
                f"batch=True to wait, or delete {directory.path / BATCHES} to lose the replies",
            )


def _templates_hash(templates: Templates, asked: Protocol) -> str:
    """Return the hash of the templates of the prompts; empty where none is the user's."""
    if templates.folder is None:
        return ""
    every = [*families.tasks().values(), *families.given()]
    names = {name for task in every for name in task.templates}
    parts = [part for task in every if (part := task.evidence(asked.evidence))]
    names |= {part.template for part in parts}
    return templates.hash(*sorted(names), *asked.templates)


@dataclass(frozen=True)
class FinishedRun:
    """The end of a run.

    Attributes:
        progress: what was done and spent.
        results: the scores of all that the run holds, which are in its directory too; None where
            the run that was to be replaced is there still, as nothing was answered.
    """

    progress: Progress
    results: Results | None


def execute(
    prepared: PreparedRun, watch: Callable[[Progress], None] = lambda _: None
) -> FinishedRun:
    """Run to the end, or as far as it goes; all responses are on disk then, and scored.

    It may be called while an event loop runs, and touches no signal handler.

    Args:
        prepared: the run.
        watch: called after every conversation, from another thread.

    Raises:
        UsageError: the endpoint cannot be reached or refuses the first request.
        DiskError: the disk would not take a response, or a score.
    """
    return run_blocking(run_async(prepared, watch))


async def run_async(
    prepared: PreparedRun, watch: Callable[[Progress], None] = lambda _: None
) -> FinishedRun:
    """Run as `execute` does, in the event loop of the caller.

    Samples are made and scored in threads, so that the loop is free meanwhile.
    """
    directory = prepared.directory
    with directory.locked():
        progress = await _asked(prepared, watch)
        if progress.kept:
            return FinishedRun(progress, None)
        return FinishedRun(progress, await in_thread(partial(_scored, directory)))


def _scored(directory: RunDirectory, stop: Event) -> Results:
    """Score the responses of a run, and write the scores."""
    return results(directory, keep=lambda rows: directory.keeping_scores(until(stop, rows)))


async def _asked(prepared: PreparedRun, watch: Callable[[Progress], None]) -> Progress:
    """Ask the questions that have no response on disk."""
    config, directory = prepared.config, prepared.directory
    directory.recover()
    directory.check(prepared.request, overwrite=config.overwrite)
    progress = Progress(spending=config.limits.spending(), on_change=watch)
    async with prepared.model as model:
        replaces = config.overwrite and directory.exists
        if replaces or not directory.whole:  # else the endpoint may be gone by now
            await refuse_unreachable(model)
        target = directory.replacement() if replaces else directory
        try:
            await _ask(prepared, target, progress)
        finally:
            progress.kept = target.path != directory.path  # without an answer the old run stays
            if progress.kept:
                target.delete()
    return progress


async def _ask(prepared: PreparedRun, target: RunDirectory, progress: Progress) -> None:
    """Begin a run or go on with it.

    Args:
        prepared: the run, whose model answers.
        target: where the run is written; it takes its place once there is an answer.
        progress: takes in what is done.
    """
    config, directory = prepared.config, prepared.directory
    begun = target.exists
    held = await in_thread(
        lambda stop: target.begin(prepared.request, until(stop, config.source.samples()))
    )
    try:
        prepared.protocol.check(target.samples)
    except UsageError:
        if not begun:
            target.take_back()
        raise
    if (told := _with_settings(held, prepared)) != held:  # for who looks meanwhile
        held = told
        target.write_information(held)
    with ResponseLog(target.path / RESPONSES) as log:

        def answered() -> None:
            if target.path != directory.path:
                with log.moving(directory.path / RESPONSES):
                    directory.replace_by(target)

        progress.mended = log.mended
        stored = target.responses(prepared.protocol.turns, watch=partial(_spent, progress))
        shared = (prepared.conversations, config.limits, log, progress, held.identity)
        runner: Runner | BatchRunner
        if config.limits.batch:
            from thence.engine.batch_runner import BatchRunner

            runner = BatchRunner(*shared, target.path)
        else:
            runner = Runner(*shared)
        try:
            await runner.run(target.samples, held.samples, config.epochs, stored, answered)
        finally:
            done = stored.finished(config.epochs) + progress.answered
            record(prepared, target, progress, held, done, stored.count + log.count)


def _spent(progress: Progress, response: Response) -> None:
    """Count the tokens of a response of an earlier start of the run."""
    if response.error is None or response.usage:
        progress.spending.add(Usage.from_json(response.usage) if response.usage else None)


def _with_settings(held: RunInformation, prepared: PreparedRun) -> RunInformation:
    """Return what ``run.json`` tells, with the settings of this start of the run."""
    config = prepared.config
    prices = config.limits.prices
    if held.request.epochs != prepared.request.epochs:  # what was counted is not of this run
        held = replace(held, conversations=None, responses_sha256=None)
    return replace(
        held,
        request=prepared.request,
        fingerprint=prepared.request.fingerprint,
        reduce=config.reduce,
        accept_errors=config.limits.accept_errors,
        address=prepared.model.address,
        comparable=not _TOOLS & set(config.sampling.extra_body),
        usd_per_million_tokens=None if prices is None else prices.to_json(),
    )


def record(
    prepared: PreparedRun,
    target: RunDirectory,
    progress: Progress,
    held: RunInformation,
    done: int,
    responses: int,
) -> None:
    """Write ``run.json`` anew.

    Args:
        prepared: the run.
        target: where it is written.
        progress: what was done and spent.
        held: what ``run.json`` said before.
        done: conversations that came to their end.
        responses: how many the run holds.
    """
    # A run that was stopped goes on later, and must end at once.
    ended = file_hash(target.path / RESPONSES) if done >= progress.total else None
    target.write_information(
        replace(
            _with_settings(held, prepared),
            thence=VERSION,
            conversations={"all": progress.total, "done": done},
            responses=responses,
            responses_sha256=ended,
            usage=progress.spending.usage.to_json(),
            cost_usd=progress.spending.cost,
        )
    )
