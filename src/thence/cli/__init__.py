"""The command ``thence``: one thin module a verb, imported when it is called."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from copy import copy
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from thence.cli import signals
from thence.cli.defaults import announce, defaults
from thence.cli.option_words import in_options
from thence.errors import DiskError, ThenceError, UsageError, one_line
from thence.system.terminal_text import TerminalStream

COMMANDS = {
    "list": "tasks, protocols and models that there are",
    "show": "prompt, truth and witness of some samples",
    "generate": "write samples to a file",
    "run": "put samples to a model, and score it",
    "batch": "requests of a run in files for a portal, and their results",
    "status": "what of some runs is done, missing, spent and expected",
    "merge": "put the shards of a file or of a run together",
    "score": "score a run, or replies gathered elsewhere",
    "compare": "compare two runs, pair by pair",
    "power": "how small a difference questions show; how many one needs",
    "report": "write a page about some runs",
    "view": "look at runs in the browser, also while they go on",
    "import": "make a run of a log of Inspect",
    "export": "write a run in the form of another tool",
    "log": "hand a run to a tracker of experiments",
    "path": "print the place of files for another tool",
    "errors": "answers of a run that are not right, for people to judge",
    "audit": "recompute the truth of published data",
    "extract": "read texts with steps into procedures",
    "analyze": "look over a procedure of your own",
    "ratings": "people rate explanations, judge or answer; their scores",
    "check-submission": "check that a run may stand in a table beside others",
    "validate": "check that truths hold and that scoring can tell",
    "demo": "a small suite, the baselines, a small model and a page",
}
_MODULES = {"import": "import_log", "check-submission": "check_submission"}  # names of modules
INTERRUPTED = 130


class Commands(click.Group):
    """Imports a command's module only when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name."""
        if cmd_name not in COMMANDS:
            return None
        module = f"thence.cli.commands.{_MODULES.get(cmd_name, cmd_name)}"
        return _announcing(import_module(module).command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the command that was meant where none has the name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from thence.core.registry import nearest

            known = ", ".join(COMMANDS)
            raise UsageError(
                f"unknown command '{args[0]}'{nearest(args[0], list(COMMANDS))} (known: {known})"
            )
        return super().resolve_command(ctx, args)


def _announcing(command: click.Command) -> click.Command:
    """Return a command that first says what the folder's defaults change; its parts do so, too."""
    command = copy(command)
    if isinstance(command, click.Group):
        command.commands = {name: _announcing(each) for name, each in command.commands.items()}
    else:
        command.callback = _announced(command.callback)
    return command


def _announced(callback: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """Return a command's function that first says what the folder's defaults change."""
    if callback is None:
        return None

    def call(*arguments: Any, **options: Any) -> Any:
        announce(click.get_current_context())
        return callback(*arguments, **options)

    return call


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="thence", message="%(prog)s %(version)s")
@click.option(
    "--completion", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL", is_eager=True,
    expose_value=False, callback=lambda context, _, value: _print_completion(context, value),
    help="Print what completes commands in bash, zsh or fish, and exit.",
)  # fmt: skip
@click.option(
    "--man", is_flag=True, is_eager=True, expose_value=False,
    callback=lambda context, _, value: _print_manual(context, value),
    help="Print the manual page, and exit: thence --man > thence.1.",
)  # fmt: skip
@click.pass_context
def cli(context: click.Context) -> None:
    """Measure whether language models can follow.

    Procedures step by step, with questions that every seed draws anew, exact truth, and scores that
    carry their uncertainty.
    """
    context.default_map = defaults(context)
    _show_log()


def _print_completion(context: click.Context, shell: str | None) -> None:
    """Print the completion of a shell, and end."""
    if shell is not None:
        from thence.cli import manual

        click.echo(manual.completion("thence", shell))
        context.exit()


def _print_manual(context: click.Context, value: bool) -> None:
    """Print the manual page, and end."""
    if value:
        from thence.cli import manual

        click.echo(manual.page(cli, context), nl=False)
        context.exit()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and end the process with its exit status."""
    signals.handle()
    prepare_streams()
    warnings.filterwarnings("ignore", module="openpyxl")  # of what it leaves aside in a workbook
    sys.exit(run(arguments))


def prepare_streams() -> None:
    """Have standard output and error take every text, and terminals only what is printable."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):  # None where it was closed
            stream.reconfigure(errors="backslashreplace")  # a terminal may be of ASCII alone
            if stream.isatty():
                setattr(sys, name, TerminalStream(stream))


def run(arguments: Sequence[str] | None = None) -> int:  # noqa: PLR0911 - one a way to end
    """Run the command; return its exit status.

    0: done; 1: done with findings; 2: bad input; 3: a fault of ours or of the disk; 130:
    interrupted (143 by SIGTERM, 129 by SIGHUP). Errors are one line on stderr.
    """
    stdout = sys.stdout
    try:
        status = cli.main(args=arguments, prog_name="thence", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as asked:
        click.echo(asked.format_message())
        return 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        from thence.cli.click_words import worded

        given = sys.argv[1:] if arguments is None else arguments
        return _complain(worded(error, given, cli), 2)
    except ThenceError as error:
        return _complain(in_options(error), error.exit_status)
    except (click.Abort, KeyboardInterrupt):
        signals.say(signals.INTERRUPTED)
        return signals.exit_status()
    except BrokenPipeError:
        return _end_of_output()
    except SystemExit as stop:
        if sys.stdout is not stdout:  # which click replaces where the pipe is broken
            return _end_of_output()
        return _complain(stop.code, 3) if isinstance(stop.code, str) else int(stop.code or 0)
    except OSError as error:
        return _complain(str(DiskError.of(error.filename or "disk", error)), DiskError.exit_status)
    except Exception as error:
        if os.environ.get("THENCE_TRACEBACK"):
            raise
        kind = type(error).__name__
        return _complain(
            f"a fault of ours: {kind}: {error}; please report it with the traceback that "
            "THENCE_TRACEBACK=1 shows",
            3,
        )
    return status if isinstance(status, int) else 0


def _end_of_output() -> int:
    """Return the status for a reader that has closed our output, of which Python says nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _show_log() -> None:
    """Show what the library logs on standard error."""
    import logging

    log = logging.getLogger("thence")
    for before in [each for each in log.handlers if each.name == __name__]:
        log.removeHandler(before)
    handler = logging.StreamHandler(sys.stderr)
    handler.name = __name__
    handler.setFormatter(logging.Formatter("thence: %(message)s"))
    log.addHandler(handler)


def _complain(message: str, status: int) -> int:
    if signals.came():  # what went wrong did so because of it
        signals.say(signals.INTERRUPTED)
        return signals.exit_status()
    print("thence: " + one_line(message), file=sys.stderr)
    return status
