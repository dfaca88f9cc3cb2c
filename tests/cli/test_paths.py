"""Paths that hold no samples are refused in a line that says what they are."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from tests.cli.command import refused, thence

RUN = ("--model", "baseline/oracle", "-o", "run")


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_links_folders_and_pipes() -> None:
    Path("dangling.jsonl").symlink_to("gone.jsonl")
    Path("loop.jsonl").symlink_to("loop.jsonl")
    Path("folder.jsonl").mkdir()
    os.mkfifo("pipe.jsonl")
    refused("run", "dangling.jsonl", *RUN, says=("link to gone.jsonl, which is not there",))
    refused("run", "loop.jsonl", *RUN, says=("loop.jsonl: is a link to loop.jsonl",))
    refused("run", "folder.jsonl", *RUN, says=("folder.jsonl: is a folder; name a file in it",))
    refused("run", "pipe.jsonl", *RUN, says=("pipe.jsonl: is a pipe or a device; write",))


def test_a_file_that_is_not_there_is_no_hint_to_itself() -> None:
    Path("bad").mkdir()
    thence("generate", "procbench/sort", "--size", 1, "-o", "bad/questions.jsonl")
    refused("run", "bad/question.jsonl", *RUN, says=("did you mean 'bad/questions.jsonl'?",))


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_a_stream_is_no_file_of_samples(name: str) -> None:
    refused("run", name, *RUN, says=(f"{name}: samples are read twice", "write them to a file"))


def test_compressed_files_are_named() -> None:
    Path("x.jsonl.gz").write_bytes(gzip.compress(b"{}\n"))
    Path("y.jsonl").write_bytes(gzip.compress(b"{}\n"))
    refused("run", "x.jsonl.gz", *RUN, says=("compressed; unpack it first: gunzip x.jsonl.gz",))
    refused(
        "run", "y.jsonl", *RUN, says=("y.jsonl: is compressed", "gunzip < y.jsonl > unpacked.jsonl")
    )


def test_analyze_reads_standard_input() -> None:
    steps = b"- text: boil\n  defines: [hot water]\n- text: pour\n  uses: [hot water]\n"
    text = b"goal: tea\nsteps:\n" + steps
    read, write = os.pipe()
    before = os.dup(0)
    try:
        os.write(write, text)
        os.close(write)
        os.dup2(read, 0)
        assert "tea" in thence("analyze", "-").out
    finally:
        os.dup2(before, 0)
        for each in (before, read):
            os.close(each)


def test_analyze_reads_standard_input_once() -> None:
    refused("analyze", "-", "-", says=("- -: standard input is read once",))


def test_an_empty_source_is_no_folder() -> None:
    Path("big.yaml").write_text("no procedure")
    refused("generate", "catbench", "--set", "source=", "-o", "x.jsonl", says=("source",))


def test_a_size_of_a_file_is_refused_even_where_it_is_nought() -> None:
    thence("generate", "procbench/sort", "--size", 1, "-o", "x.jsonl")
    refused("run", "x.jsonl", "--size", 0, *RUN, says=("--size: shapes what is generated",))
