"""The manual page and the completion of shells."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete

from tests.cli.command import refused, thence
from thence import cli, families

RECIPES = [name for name in families.tasks() if name.startswith("fable/recipes/")]


def names(group: click.Group, context: click.Context) -> list[str]:
    """The commands of a group, and the options of each, as one types them."""
    found = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, context, info_name=name)
        found.append(inner.command_path)
        found += [each.opts[0] for each in command.params if isinstance(each, click.Option)]
        if isinstance(command, click.Group):
            found += names(command, inner)
    return found


def test_the_manual_page_has_every_command_and_option() -> None:
    page = thence("--man").out
    assert page.startswith('.TH "THENCE" "1"')
    plain = page.replace("\\-", "-")
    for name in names(cli.cli, click.Context(cli.cli, info_name="thence")):
        assert name in plain, name


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_manual_page_is_read_without_a_warning() -> None:
    page = thence("--man").out
    command = ["groff", "-man", "-Tascii", "-ww", "-P-cbou"]
    done = subprocess.run(command, input=page, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "--max-connections N" in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_is_one_that_the_shell_takes(shell: str) -> None:
    script = thence("--completion", shell).out
    assert "_THENCE_COMPLETE" in script
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=script, text=True, check=True)


def test_another_shell_is_refused() -> None:
    refused("--completion", "cmd", says=("--completion", "'bash', 'zsh', 'fish'"))


def completed(*words: str) -> list[tuple[str, str]]:
    """What a line is completed by: kinds, and texts."""
    asked = BashComplete(cli.cli, {}, "thence", "_THENCE_COMPLETE")
    *before, last = words
    return [(each.type, each.value) for each in asked.get_completions(before, last)]


def test_commands_options_choices_and_tasks_are_completed() -> None:
    assert completed("gen") == [("plain", "generate")]
    assert completed("generate", "--froz") == [("plain", "--frozen")]
    assert completed("list", "ext") == [("plain", "extras")]
    assert completed("show", "fable/rec") == [
        ("plain", name) for name in ("fable/recipes/*", *RECIPES)
    ]
    assert completed("run", "questions.js") == [("file", "questions.js")]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_the_command(tmp_path: Path) -> None:
    program = tmp_path / "thence"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m thence "$@"\n')
    program.chmod(0o755)
    script = thence("--completion", "bash").out + (
        "COMP_WORDS=(thence generate procbench/so) COMP_CWORD=2\n_thence_completion thence\n"
        'echo "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        ["bash", "--noprofile", "--norc"],
        input=script,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["procbench/sort"]
