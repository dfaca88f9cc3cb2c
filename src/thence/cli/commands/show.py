"""``thence show``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from thence.cli import options


@click.command("show")
@click.argument(
    "tasks", nargs=-1, required=True, metavar="TASK...", shell_complete=options.complete_tasks
)
@click.option(
    "-n", "count", type=click.IntRange(1, 10_000), default=3, show_default=True, help="How many."
)
@options.seed
@options.settings
@options.dialect
@options.templates
@options.skip_unavailable
@options.option("--protocol", default="direct", show_default=True, help="How to ask: a or a+b.")
@options.protocol_settings
def command(
    tasks: tuple[str, ...],
    count: int,
    seed: int,
    settings: dict[str, str],
    dialect: str | None,
    templates: Path | None,
    skip_unavailable: bool,
    protocol: str,
    protocol_settings: dict[str, Any],
) -> None:
    """Prompt, truth and witness of some samples of each TASK."""
    import thence
    from thence import families
    from thence.reporting.progress_display import show_work
    from thence.reporting.terminal import print_sample

    given: dict[str, Any] = options.with_dialect(families.select(tasks), settings, dialect)
    questions = thence.generate(
        tasks, seed=seed, size=count, templates=templates, workers=1,
        skip_unavailable=skip_unavailable, **given,
    )  # fmt: skip
    with show_work("generate"):
        samples = list(questions)
    for sample in samples:
        conversation = thence.conversation(
            sample, protocol, templates=templates, **protocol_settings
        )
        reply = conversation.write(thence.answer(sample))
        while conversation.hear(reply):
            pass
        print_sample(sample, conversation.messages, reply)
