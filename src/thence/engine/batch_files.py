"""Files of batch requests for portals and other programs, and their results taken into a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from thence.engine.batch_notes import EXPORTED, READ, BatchNotes
from thence.engine.batch_runner import BatchRunner, take
from thence.engine.directory import RESPONSES, SAMPLES, RunDirectory
from thence.engine.response_log import ResponseLog
from thence.engine.response_slot import ResponseSlot
from thence.engine.run_config import Limits
from thence.engine.run_information import RunRequest
from thence.engine.run_progress import Progress
from thence.engine.session import PreparedRun
from thence.errors import FileError, ParameterError, UsageError
from thence.models import secrets
from thence.models.base import Sampling
from thence.models.hosted import HostedModel
from thence.models.interfaces import batches_of
from thence.models.select import Connection, open_model
from thence.prompts import template_loader
from thence.system.disk import disk, replacing


@dataclass(frozen=True)
class Exported:
    """Files of requests.

    Attributes:
        paths: the files.
        count: how many requests they hold.
    """

    paths: tuple[Path, ...]
    count: int


@contextmanager
def _runner(prepared: PreparedRun) -> Iterator[BatchRunner]:
    """Context with the runner of a run whose folder is there, which asks nothing itself."""
    directory, config = prepared.directory, prepared.config
    with ResponseLog(directory.path / RESPONSES) as log:
        yield BatchRunner(
            prepared.conversations,
            config.limits,
            log,
            Progress(spending=config.limits.spending()),
            directory.information().identity,
            directory.path,
        )


def export(prepared: PreparedRun, path: Path, *, overwrite: bool = False) -> Exported:
    """Write the requests that a run can make now to a file, or to several where one is too small.

    Args:
        prepared: the run; it is begun where it was not.
        path: the file; a second one is called ``NAME-2``, and so on.
        overwrite: replace the files.

    Raises:
        ParameterError: a model without batches, a key in the extra body, or a file that is there
            or has no folder.
        UsageError: nothing is left to ask.
    """
    model, directory, config = prepared.model, prepared.directory, prepared.config
    assert isinstance(model, HostedModel)
    if any(secrets.in_body(config.sampling.extra_body)):
        raise ParameterError("extra_body", None, "holds a key, which no file may; take it out")
    _check_free(path, overwrite=overwrite)
    paths: list[Path] = []
    count = 0
    with directory.locked():
        held = directory.begin(prepared.request, config.source.samples())
        directory.write_information(replace(held, address=model.address))
        prepared.protocol.check(directory.samples)
        with _runner(prepared) as runner:
            for slots, lines in runner.files(directory.samples, config.epochs, exported=True):
                place = path if not paths else path.with_stem(f"{path.stem}-{len(paths) + 1}")
                _check_free(place, overwrite=overwrite)
                with replacing(place) as part, part.open("wb") as file:
                    file.writelines(lines)
                # after it: of a file that could not be written the requests are still to be made
                runner.notes.new(slots, state=EXPORTED)
                paths.append(place)
                count += len(slots)
    if not paths:
        raise UsageError(f"{directory.path}: nothing is left to ask that no batch asks")
    return Exported(tuple(paths), count)


def _check_free(path: Path, *, overwrite: bool) -> None:
    """Refuse a file of requests that cannot be written, or may not be replaced."""
    if path.is_dir() or not path.parent.is_dir():
        raise ParameterError("requests", path, "name a file in a folder that exists")
    if path.exists() and not overwrite:
        reason = "is there already; name another file, or give overwrite=True"
        raise ParameterError("requests", path, reason)


@dataclass(frozen=True)
class Imported:
    """Results that were taken into a run.

    Attributes:
        taken: how many were taken.
        failed: how many of these are failures.
        others: how many in the file are not of the run, or were in it before.
    """

    taken: int
    failed: int
    others: int


def bring(directory: RunDirectory, path: Path) -> Imported:
    """Take the results in a file of a vendor's batch into a run.

    Raises:
        FileError: the file holds none of the run, or is none.
    """
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    prepared = _prepared(directory)
    model = prepared.model
    assert isinstance(model, HostedModel)
    with directory.locked(), _runner(prepared) as runner, disk(path):
        notes = BatchNotes(directory.path, "").all()
        wanted: dict[str, ResponseSlot] = {}
        owners = {}
        for note in notes:
            for name, slot in runner.wanted(note).items():
                wanted[name] = slot
                owners[name] = note
        known = set(wanted)
        others = take(path, batches_of(model), wanted, runner.answer)
        taken = known - set(wanted)
        if not taken:
            raise FileError(
                f"{path}: holds no result that {directory.path} waits for; is it of another run?"
            )
        failed = sum(runner.progress.errors.values()) + sum(runner.progress.repeated.values())
        runner.sync()
        for note in {owners[name].token: owners[name] for name in taken}.values():
            note.state = READ
            note.write()
    return Imported(len(taken), failed, others)


def recorded_model(
    directory: RunDirectory, request: RunRequest, connection: Connection
) -> HostedModel:
    """Return the model that a run was asked with.

    Raises:
        FileError: it tells of none.
        UsageError: the model takes no batches, or its key is missing.
    """
    try:
        sampling = Sampling(**request.generation)
        model = open_model(request.model, replace(sampling, api=sampling.api or "chat"), connection)
    except (TypeError, KeyError, ValueError) as error:
        raise FileError(
            f"{directory.path}: its run.json is damaged; take it from a copy"
        ) from error
    batches_of(model)
    assert isinstance(model, HostedModel)
    return model


def _prepared(directory: RunDirectory) -> PreparedRun:
    """Return the run in a folder as it was asked for.

    Raises:
        FileError: there is none, or it says nothing that could be asked.
    """
    from thence.engine.run_config import RunConfig
    from thence.generation.few_shot_pool import Examples
    from thence.generation.sources import sample_source

    held = directory.information()
    request = held.request
    model = recorded_model(directory, request, Connection(held.address, sends=False))
    templates = template_loader.templates(None)
    asked = request.composed_protocol.bound(Examples(templates))
    config = RunConfig(
        source=sample_source((str(directory.path / SAMPLES),)),
        model=model.name,
        sampling=Sampling(**request.generation),
        limits=Limits(batch=True),
        epochs=request.epochs,
    )
    return PreparedRun(config, model, asked, templates, request, directory)
