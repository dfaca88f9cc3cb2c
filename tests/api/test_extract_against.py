"""Extraction scored against flow graphs: of our own corpus, and of the published one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import refused, thence
from tests.fake_endpoint import Answer, FakeEndpoint
from tests.families.catbench.corpora import published, write_recipe
from thence.api.extract_against import extract_against


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Onions, of which the rules find every link, and a salad of which they find one too many."""
    monkeypatch.chdir(tmp_path)
    steps = ["Chop the onions .", "Heat the oil in a pan .", "Fry the onions in the pan ."]
    write_recipe(tmp_path / "r", "onions", steps, [(0, 2), (1, 2)])
    steps = ["Chop the onions .", "Fry the onions .", "Eat them ."]
    write_recipe(tmp_path / "r", "salad", steps, [(0, 1)])
    write_recipe(tmp_path / "r", "round", ["Mix .", "Mix again ."], [(0, 1), (1, 0)])
    return tmp_path / "r"


def test_rules_are_scored(corpus: Path) -> None:
    found = extract_against(corpus, "rules")
    onions, salad = found.recipes
    assert onions.counts == (2, 2, 2, 2, 2, 2, 3, 3)
    assert salad.counts == (1, 3, 1, 1, 2, 1, 3, 3)
    assert found.figures["precision"].value == 3 / 5
    assert found.figures["recall"].value == 1
    assert list(found.skipped) == ["round: its graph is cyclic"]
    done = thence("extract", "--against", corpus, "--model", "rules")
    assert "dependencies, precision   0.600" in done.out
    assert "2 of 2 recipes read" in done.out
    assert thence("extract", "--against", corpus, "--model", "rules", "--json").json() == (
        json.loads(json.dumps(found.to_json()))
    )


def test_a_model_is_scored_by_the_same_path(corpus: Path) -> None:
    def reads(messages: list[dict[str, str]]) -> str:
        text = messages[0]["content"]
        if "Boil" not in text and "Chop" not in text:
            return "{}"
        if "Find the procedure" in text:
            last = "Eat them." if "Eat them" in text else "Fry the onions in the pan."
            steps = [{"name": "", "words": words} for words in ("Chop the onions.", last)]
            return json.dumps({"goal": "", "steps": steps})
        entry = {"fact": "chopped onions", "words": "onions", "sure": True}
        steps = [{"number": 1, "defines": [entry]}, {"number": 2, "uses": [entry]}]
        return json.dumps({"start": [], "results": [], "choices": [], "steps": steps})

    found = extract_against(corpus, reads, out="out", limit=2)
    assert [sorted(each.found) for each in found.recipes] == [[(0, 2)], [(0, 2)]]
    assert found.figures["recall"].value == 1 / 3
    assert found.figures["steps"].value == 4 / 6


def test_recipes_of_which_only_the_steps_were_read_are_no_agreement(corpus: Path) -> None:
    def reads(messages: list[dict[str, str]]) -> str:
        steps = [{"name": "", "words": "Chop the onions."}]
        return json.dumps({"goal": "", "steps": steps} if "Chop" in messages[0]["content"] else {})

    found = extract_against(corpus, reads, out="out", limit=2)
    assert found.to_json()["read"] == 0
    assert any("only its steps were read" in each for each in found.problems)


def test_a_model_that_is_scored_is_asked_anew_by_overwrite(corpus: Path) -> None:
    with FakeEndpoint.in_thread(lambda *_: Answer("Rather not.")) as endpoint:
        for more, asked in (((), 3), ((), 3), (("--overwrite",), 6)):
            done = thence(
                "extract", "--against", corpus, "--limit", "1", "--model", "vllm/reader",
                "--base-url", endpoint.url, "-o", "out", *more, status=1,
            )  # fmt: skip
            assert len(endpoint.requests) == asked
            assert done.out == "None of 1 recipes was read by vllm/reader.\n"


def test_an_interval_that_there_is_not_is_left_blank(corpus: Path) -> None:
    done = thence("extract", "--against", corpus, "--model", "rules", "--limit", "1")
    assert "1 of 1 recipes read" in done.out
    assert "nan" not in done.out


def test_what_cannot_be_scored_is_refused(corpus: Path) -> None:
    against = ("extract", "--against", corpus)
    refused(*against, "tea.txt", "--model", "rules", says=["takes no TEXT; leave out tea.txt"])
    refused(*against, "--model", "openai/x", "--base-url", "http://127.0.0.1:9", says=["-o"])
    refused("extract", "a.txt", "--model", "rules", "--limit", "3", says=["--limit 3"])


def test_rules_find_most_dependencies_of_the_published_corpus() -> None:
    found = extract_against(published() / "flow_graph_corpus", "rules", limit=60)
    assert found.figures["precision"].value >= 0.88
    assert found.figures["recall"].value >= 0.84
