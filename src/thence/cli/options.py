"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thence.cli.option_values import (
    header_pairs,
    json_object,
    pairs,
    prices,
    reasoning,
    shares,
    text_or_file,
)
from thence.cli.option_words import in_options
from thence.core.failures import EMPTY, FAILURES, UNREADABLE
from thence.core.score import REDUCTIONS, Outcome
from thence.errors import UsageError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from thence.core.task import Task

type Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def option(*names: str, env: bool = True, **settings: Any) -> Decorator:
    """Return a click option that ``THENCE_<NAME>`` in the environment may set."""
    variable = "THENCE_" + names[0].lstrip("-").upper().replace("-", "_")
    return click.option(*names, cls=_Option, envvar=variable if env else None, **settings)


class _Option(click.Option):
    """Says where a value came from that was not typed."""

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Return the value as the command gets it."""
        try:
            return super().process_value(ctx, value)
        except (click.BadParameter, UsageError) as error:
            place = _place(ctx, self)
            if place is None:
                raise
            text = (
                error.format_message()
                if isinstance(error, click.BadParameter)
                else in_options(error)
            )
            raise UsageError(f"{place}: {text}") from error


def _place(context: click.Context, option: click.Parameter) -> str | None:
    """Return the source of an option that was not typed; None where it was typed."""
    source = context.get_parameter_source(str(option.name))
    if source is click.core.ParameterSource.ENVIRONMENT:
        return f"{option.envvar} in the environment"
    return "thence.toml" if source is click.core.ParameterSource.DEFAULT_MAP else None


@contextmanager
def blaming(context: click.Context) -> Iterator[None]:
    """Name the source of a value that was not typed where an error is about it.

    Raises:
        UsageError: as it was raised, with the place before it.
    """
    try:
        yield
    except UsageError as error:
        text = in_options(error)
        for each in context.command.params:
            place = _place(context, each)
            if place and any(text.startswith((f"{name} ", f"{name}:")) for name in each.opts):
                raise UsageError(f"{place}: {text}") from error
        raise


def complete_tasks(
    context: click.Context, parameter: click.Parameter, start: str
) -> list[CompletionItem]:
    """Return families, tasks and patterns that begin so; a file's name where there is none."""
    from click.shell_completion import CompletionItem

    from thence import families

    folders = {f"{name.rpartition('/')[0]}/*" for name in families.tasks()}
    names = [*families.families(), *sorted(folders), *families.tasks()]
    found = [CompletionItem(name) for name in names if name.startswith(start)]
    return found or [CompletionItem(start, type="file")]


APIS = ("chat", "responses", "native")

_SEVERAL = {
    "any": tuple(FAILURES),
    Outcome.NO_ANSWER.value: (EMPTY, UNREADABLE),
}  # words that name several kinds of failure


def failures(context: click.Context, parameter: click.Parameter, text: str | None) -> list[str]:
    """Return the kinds of failure of ``KIND[,KIND]``, each once.

    Raises:
        UsageError: another word.
    """
    words = [] if text is None else [part.strip().replace("-", "_") for part in text.split(",")]
    kinds = dict[str, None]()
    for word in words:
        if word not in {*FAILURES, *_SEVERAL}:
            known = ", ".join((*FAILURES, *_SEVERAL))
            raise UsageError(
                f"{parameter.opts[0]} {text}: must be one or more of {known}, with commas between"
            )
        kinds |= dict.fromkeys(_SEVERAL.get(word, (word,)))
    return list(kinds)


def stacked(*decorators: Decorator) -> Decorator:
    """Several options as one decorator, in the order in which help shows them."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


PATH = click.Path(path_type=Path)

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
full = click.option(
    "--full", is_flag=True, help="Print breakdowns, all metrics and the papers' tables too."
)
fail_on = option(
    "--fail-on", metavar="KIND,...", callback=failures,
    help=f"Exit status 1 if there are any: {', '.join((*FAILURES, *_SEVERAL))}.",
)  # fmt: skip
under = stacked(
    option(
        "--fail-under", multiple=True, metavar="NAME=SHARE", callback=shares,
        help="Exit status 1 if the accuracy of a family or task is lower; repeatable.",
    ),
    option(
        "--fail-under-low", multiple=True, metavar="NAME=SHARE", callback=shares,
        help="Likewise for the lower end of its interval.",
    ),
)  # fmt: skip
settings = option(
    "--set", "settings", env=False, multiple=True, metavar="KEY=VALUE", callback=pairs,
    help="A parameter of the tasks (thence list parameters has them); repeatable.",
)  # fmt: skip
templates = option(
    "--templates", type=PATH, metavar="DIR", help="Your own templates, over the packaged ones."
)
dialect = option(
    "--dialect", type=click.Choice(["sound", "published"]),
    help="Whose rules make the truth, where a family has both.",
)  # fmt: skip
seed = option("--seed", type=int, default=0, show_default=True, help="Seed of the samples.")

skip_unavailable = option(
    "--skip-unavailable", is_flag=True, help="Leave out tasks whose extra is not installed."
)

generation = stacked(
    seed,
    option(
        "--size", type=int, metavar="N", help="Samples per task, spread evenly over its groups."
    ),
    option(
        "--limit",
        type=int,
        metavar="N",
        help="At most N of each task: a part of the same set, spread evenly over its groups.",
    ),
    option(
        "--total",
        type=int,
        metavar="N",
        help="N in all, without --size and --limit: as many of each family, within a family as "
        "many of each task, within a task as many of each group, as far as N can be divided.",
    ),
    settings,
    dialect,
    templates,
    option(
        "--exclude",
        env=False,
        multiple=True,
        type=PATH,
        metavar="FILE",
        help="Samples used before: neither their questions nor their procedures come again; "
        "repeatable.",
    ),
    skip_unavailable,
    option(
        "--shard",
        env=False,
        metavar="I/N",
        help="The I-th of N parts, which together hold each sample once.",
    ),
)
workers = option(
    "--workers", type=int, metavar="N", help="Worker processes [default: by the amount of work]"
)
place = option(
    "--on",
    metavar="ray|ray://HOST:PORT",
    help="A Ray cluster that does the work: that of RAY_ADDRESS or of this machine, or of a head.",
)

max_connections = option(
    "--max-connections",
    type=int,
    default=16,
    show_default=True,
    metavar="N",
    help="Requests under way at once.",
)
base_url = option("--base-url", metavar="URL", help="Address of an OpenAI-compatible endpoint.")

auth_command = option(
    "--auth-command",
    metavar="COMMAND",
    help="Prints a token that signs requests; run again when it is refused.",
)
headers = option(
    "--header", "headers", env=False, multiple=True, metavar="NAME=VALUE", callback=header_pairs,
    help="A further HTTP header of each request; @FILE as VALUE reads it from there; repeatable.",
)  # fmt: skip
protocol_settings = option(
    "--set-protocol", "protocol_settings", env=False, multiple=True, metavar="KEY=VALUE",
    callback=pairs, help="A parameter of the protocol; repeatable.",
)  # fmt: skip

running = stacked(
    option(
        "--protocol",
        default="direct",
        show_default=True,
        metavar="NAME",
        help="Protocol, or several joined by +, as few_shot+are_you_sure (thence list protocols).",
    ),
    protocol_settings,
    option(
        "--epochs",
        type=int,
        default=1,
        show_default=True,
        metavar="K",
        help="Ask each sample K times.",
    ),
    option(
        "--reduce",
        type=click.Choice(REDUCTIONS),
        default="mean",
        show_default=True,
        help="How epochs become one score.",
    ),
    max_connections,
    base_url,
    option("--temperature", type=float, metavar="T", help="[default: the endpoint's]"),
    option("--top-p", type=float, metavar="P", help="[default: the endpoint's]"),
    option("--max-tokens", type=int, metavar="N", help="Per reply [default: the endpoint's]"),
    option(
        "--seed-model", type=int, metavar="N", help="Seed sent with epoch 0; epoch e gets N + e."
    ),
    option(
        "--extra-body", metavar="JSON", callback=json_object, help="More fields for the request."
    ),
    option(
        "--reasoning",
        metavar="LEVEL",
        callback=reasoning,
        help="Thinking: none, low, medium, high, or tokens of it.",
    ),
    option(
        "--system",
        metavar="TEXT|@FILE",
        callback=text_or_file,
        help="A system message before every conversation.",
    ),
    option(
        "--api",
        type=click.Choice(APIS),
        metavar="|".join(APIS),
        help="The endpoint's interface [default: the provider's own]",
    ),
    auth_command,
    headers,
    option("--rpm", type=float, metavar="N", help="Most requests a minute."),
    option("--tpm", type=float, metavar="N", help="Most tokens a minute, in and out."),
    option(
        "--timeout",
        type=float,
        default=600.0,
        show_default=True,
        metavar="S",
        help="Seconds a whole request may take.",
    ),
    option(
        "--connect-timeout",
        type=float,
        default=30.0,
        show_default=True,
        metavar="S",
        help="Seconds of these for connecting.",
    ),
    option(
        "--first-byte-timeout",
        type=float,
        metavar="S",
        help="Seconds of these until the reply begins [default: no limit of its own]",
    ),
    option(
        "--max-retries",
        type=int,
        default=5,
        show_default=True,
        metavar="N",
        help="Repeats after failures that may pass.",
    ),
    option("--structured", is_flag=True, help="Ask for output that fits the task's JSON schema."),
    option("--price", metavar="IN,OUT[,CACHED]", callback=prices, help="USD per million tokens."),
    option("--max-cost", type=float, metavar="USD", help="Stop before this is passed."),
    option(
        "--accept-errors", is_flag=True, help="Leave provider errors out of n instead of retrying."
    ),
    option("--batch", is_flag=True, help="Ask in batches: within a day, at half the price."),
    option(
        "--batch-poll",
        type=float,
        default=60.0,
        show_default=True,
        metavar="S",
        help="Seconds between two looks at a batch.",
    ),
    option(
        "--batch-submit",
        is_flag=True,
        help="End once the batches are sent; run again with --batch to take the replies.",
    ),
    place,
    option(
        "--replica-cores",
        type=int,
        metavar="N",
        help="With --on: cores of each replica [default: a GPU, or all cores of a machine]",
    ),
    click.option(
        "--dry-run", is_flag=True, help="Say what would be sent; send nothing, and need no key."
    ),
    click.option("-q", "--quiet", is_flag=True, help="Show no progress."),
    click.option(
        "-v", "--verbose", is_flag=True, help="Print the first error of each kind when it comes."
    ),
)

overwrite = click.option("--overwrite", is_flag=True, help="Replace what is there.")


def with_dialect(
    tasks: Sequence[Task], settings: Mapping[str, str], dialect: str | None
) -> dict[str, str]:
    """Return the settings with ``--dialect`` as one of them.

    Raises:
        UsageError: no chosen task has two dialects, or the samples come from a file.
    """
    if dialect is None:
        return dict(settings)
    if not any(each.name == "dialect" for task in tasks for each in task.generator.parameters):
        names = ", ".join(dict.fromkeys(task.family for task in tasks)) or "a file of samples"
        raise UsageError(f"--dialect {dialect}: {names} has only one set of rules; leave it out")
    return {**settings, "dialect": dialect}


def forget_defaults(context: click.Context, given: dict[str, Any], names: Sequence[str]) -> None:
    """Drop options of generation that the user did not type, as no questions are made."""
    for name in names:
        if context.get_parameter_source(name) is not click.core.ParameterSource.COMMANDLINE:
            given[name] = {"seed": 0, "settings": {}, "exclude": ()}.get(name)


def say_cut(path: Path, count: int) -> None:
    """Say that texts are too long for a cell of a workbook, where some are."""
    if count:
        text = f"thence: {path}: {count:,} texts are longer than a cell may be, and cut; a .csv"
        click.echo(f"{text} holds them whole", err=True)
