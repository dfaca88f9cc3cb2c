"""A second model that puts free replies into the format that the reader knows.

As in ProcBench's paper, where GPT-4o did so (Fujisawa et al. 2024, section 4); here it is asked
only about replies in which nothing was readable. What it wrote is kept beside the responses, under
a hash of the reply, and read by the same rules; the rule's name then begins with ``extractor/``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from thence import families, wording
from thence.engine.asking import Job
from thence.engine.directory import EXTRACTIONS, RunDirectory
from thence.engine.log import ResponseLog
from thence.engine.loop import run
from thence.engine.progress import Progress
from thence.engine.runner import Runner
from thence.errors import UsageError
from thence.kernel.digest import digest
from thence.kernel.replies import visible
from thence.kernel.sample import Sample
from thence.kernel.templates import Templates
from thence.models import baselines
from thence.models.base import Generation, Model
from thence.models.select import Connection, open_model
from thence.protocols import how_to_answer, protocol
from thence.scoring import Convert, Response, judge

_GENERATION = Generation(temperature=0.0)


def extractor(
    name: str,
    directory: RunDirectory,
    connection: Connection,
    watch: Callable[[Progress], None] = lambda _: None,
) -> tuple[Convert, int, int]:
    """Converts what a run's reader could not read; where there is nothing, nobody is asked.

    Returns:
        The conversions by response, how many were needed, and how many of these the extractor
        failed to make.

    Raises:
        UsageError: a baseline, which has nothing to convert with, or an endpoint out of reach.
    """
    if name.partition("/")[0] == baselines.PROVIDER:
        raise UsageError(f"--extractor {name}: a baseline cannot read replies; name a model")
    model = open_model(name, _GENERATION, connection)
    templates = wording.templates()
    unread = dict.fromkeys(_identity(name, *pair) for pair in _unread(directory))

    def asked() -> Iterator[Sample]:
        left = dict(unread)  # the same reply to the same question is converted once
        for pair in _unread(directory):
            if _identity(name, *pair) in left:
                del left[_identity(name, *pair)]
                yield _question(name, *pair, templates)

    if unread:
        with directory.locked():
            run(_run(model, directory, asked, len(unread), connection, watch))
    held = directory.stored(name=EXTRACTIONS)

    def made(identity: str) -> Response | None:
        standing = held.of(identity).get((0, 0))
        return None if standing is None or standing.error is not None else standing

    def convert(sample: Sample, response: Response) -> Response | None:
        return made(_identity(name, sample, response))

    return convert, len(unread), sum(made(identity) is None for identity in unread)


async def _run(
    model: Model,
    directory: RunDirectory,
    asked: Callable[[], Iterator[Sample]],
    count: int,
    connection: Connection,
    watch: Callable[[Progress], None],
) -> None:
    async with model:
        with ResponseLog(directory.path / EXTRACTIONS) as log:
            job, direct = Job(connection.connections), protocol("direct")
            runner = Runner(model, direct, wording.templates(), _GENERATION, job, log)
            runner.progress.on_change = watch
            await runner.run(asked, count, 1, directory.stored(name=EXTRACTIONS))


def _unread(directory: RunDirectory) -> Iterator[tuple[Sample, Response]]:
    """The responses that say something in which no answer is readable."""
    request = directory.information()["request"]
    asked = protocol(request["protocol"], request.get("set_protocol", {}))
    stored = directory.stored()
    for sample in directory.samples():
        task = families.task(sample.task)
        for response in stored.of(sample.id).values():
            if not visible(response.response or "").strip():
                continue
            if judge(response, sample, task, asked).outcome == "no_answer":
                yield sample, response


def _identity(name: str, sample: Sample, response: Response) -> str:
    return digest("extraction", name, sample.id, response.response)


def _question(name: str, sample: Sample, response: Response, templates: Templates) -> Sample:
    """The conversion of a reply as a sample, so that it is run, kept and resumed like any other."""
    task = families.task(sample.task)
    reply = visible(response.response or "").strip()
    instruction = how_to_answer(task, sample.metadata, templates.render, part=True)
    text = templates.render("protocols/extraction", {"reply": reply, "instruction": instruction})
    return Sample(
        _identity(name, sample, response),
        sample.family,
        sample.task,
        sample.version,
        text,
        sample.target,
        sample.metadata,
    )
