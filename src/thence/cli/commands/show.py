"""``thence show``."""

from __future__ import annotations

from pathlib import Path

import click

from thence.cli import options


@click.command("show")
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@click.option("-n", "count", type=click.IntRange(1), default=3, show_default=True, help="How many.")
@options.seed
@options.settings
@options.dialect
@options.templates
@options.option("--protocol", default="direct", show_default=True, help="How to ask: a or a+b.")
@options.protocol_settings
def command(
    tasks: tuple[str, ...],
    count: int,
    seed: int,
    settings: dict[str, str],
    dialect: str | None,
    templates: Path | None,
    protocol: str,
    protocol_settings: dict[str, str],
) -> None:
    """Prompt, truth and witness of some samples of each TASK."""
    from thence import families
    from thence.generation import suite
    from thence.generation.few_shot_pool import Examples
    from thence.generation.plan import Plan
    from thence.prompts import template_loader
    from thence.prompts.catalog import protocol as find
    from thence.prompts.conversation import Conversation
    from thence.report.terminal import print_sample

    chosen = families.select(tasks)
    settings = options.with_dialect(chosen, settings, dialect)
    held = template_loader.templates(templates)
    asked = find(protocol, protocol_settings).bound(Examples(held))
    plan = Plan([task.full_name for task in chosen], seed, count, None, settings, templates)
    for sample in suite.generate(plan, workers=1):
        task = families.task(sample.task)
        conversation = Conversation(sample, task, asked, held)
        reply = conversation.write(task.format.write(sample.target))
        while conversation.hear(reply):
            pass
        print_sample(sample, conversation.messages, reply)
