"""Worked examples: who is chosen, against a plain BM25, and what is refused."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from tests.cli import command
from thence import families
from thence.errors import UsageError
from thence.generation import sample_files
from thence.generation.few_shot_pool import SEED_OFFSET, Examples, _words
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts import template_loader
from thence.prompts.wording import first_prompt

TEMPLATES = template_loader.templates()
NAME = "procbench/search"


def prompts(count=5, seed=0):
    task = families.task(NAME)
    for sample in generate(Plan([NAME], seed, size=count), 1):
        yield first_prompt(sample, task, TEMPLATES.render)


def bm25(texts: list[str], query: str) -> list[float]:
    """Lucene's BM25 by its formula (k1 1.5, b 0.75)."""
    documents = [Counter(_words(text)) for text in texts]
    mean = sum(each.total() for each in documents) / len(documents)
    scores = [0.0] * len(documents)
    for word in _words(query):
        holding = sum(word in each for each in documents)
        if holding == len(documents):
            continue  # it tells no question from another
        weight = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        for place, each in enumerate(documents):
            length = 1 - 0.75 + 0.75 * each.total() / mean
            scores[place] += weight * each[word] / (each[word] + 1.5 * length)
    return scores


def test_the_nearest_are_those_of_the_plain_formula(tmp_path: Path):
    pool = list(generate(Plan([NAME], seed=7, size=60), 1))
    sample_files.write_samples(tmp_path / "pool.jsonl", pool)
    task = families.task(NAME)
    texts = [first_prompt(each, task, TEMPLATES.render).question for each in pool]
    for prompt in prompts():
        chosen = Examples(TEMPLATES).nearest(prompt, str(tmp_path / "pool.jsonl"), 5)
        scores = bm25(texts, prompt.question)
        best = sorted(scores, reverse=True)[:5]
        found = [scores[pool.index(each)] for each in chosen]
        assert found[::-1] == pytest.approx(best, rel=1e-4)


def test_a_pool_is_of_another_seed_and_the_same_for_all():
    examples = Examples(TEMPLATES)
    for prompt in prompts():
        chosen = examples.nearest(prompt, 40, 3)
        assert len({each.id for each in chosen}) == 3
        assert {each.metadata["seed"] for each in chosen} == {SEED_OFFSET}
        assert chosen == Examples(TEMPLATES).nearest(prompt, 40, 3)


def test_a_pool_that_holds_the_question_or_too_little_is_refused(tmp_path: Path):
    path = tmp_path / "pool.jsonl"
    sample_files.write_samples(path, generate(Plan([NAME], size=5), 1))
    prompt = next(prompts())
    with pytest.raises(UsageError, match="which is asked about"):
        Examples(TEMPLATES).nearest(prompt, str(path), 1)
    with pytest.raises(UsageError, match="larger pool=N, or a smaller k"):
        Examples(TEMPLATES).nearest(prompt, 3, 4)


def test_a_file_that_holds_any_sample_asked_is_refused_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    command.samples(task=NAME, size=6)
    lines = (tmp_path / "samples.jsonl").read_text().splitlines(keepends=True)
    thence = command.thence
    thence("generate", NAME, "--seed", "5", "--size", "20", "-o", "pool.jsonl")
    run = ("run", "samples.jsonl", "--model", "baseline/oracle", "--protocol", "few_shot")
    asked = (*run, "--set-protocol", "pool=pool.jsonl", "-o", "run")
    thence(*asked)
    with (tmp_path / "pool.jsonl").open("a") as pool:
        pool.write(lines[-1])
    told = thence(*asked, "--overwrite", status=2).err
    assert "pool=pool.jsonl: holds" in told
    assert "which is asked about" in told
    assert len(command.rows("run/responses.jsonl")) == 6  # the run that was there is kept
