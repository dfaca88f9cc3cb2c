"""The battery of shortcuts finds what tells an answer, and nothing where nothing does."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.extra.toy.tasks import TASK
from tests.golden.store import FULL
from thence import families
from thence.analysis.shortcuts import Battery, measure
from thence.core.parts import Baselines
from thence.core.sample import Sample
from thence.core.shortcuts import ANY, Shortcut, ShownQuestion
from thence.errors import UsageError

SIZE = 300
WORDS = ["stir", "pour", "lift", "turn", "hold", "drop"]

type Plant = Callable[[Random, str, list[str], dict[str, Any]], None]


def asked(seed: int, plant: Plant | None, size: int = SIZE) -> list[Sample]:
    """Questions about two steps, whose answers come by chance but for what is planted."""
    rng, held = Random(seed), []
    for number in range(size):
        target = ["Yes", "No"][number % 2]
        texts = [f"{rng.choice(WORDS)} the {rng.choice(WORDS)}" for _ in range(9)]
        question = {"i": rng.randrange(4), "j": rng.randrange(4, 8)}
        if plant:
            plant(rng, target, texts, question)
        steps = [{"text": each, "uses": [], "defines": [], "kills": []} for each in texts]
        metadata = {"question": question, "procedure": {"steps": steps}, "witness": target}
        prompt = "\n".join(texts) + "\n\nIs it so?\n\nAnswer."
        held.append(Sample(f"{seed}-{number}", "toy", "toy/dice", "1-0", prompt, target, metadata))
    return held


def found(plant: Plant | None) -> Battery:
    return measure(TASK, asked(1, plant, 2 * SIZE), asked(2, plant))


def by_distance(rng: Random, target: str, texts: list[str], question: dict[str, Any]) -> None:
    question["j"] = question["i"] + (rng.randrange(1, 4) if target == "Yes" else 4)


def by_phrase(rng: Random, target: str, texts: list[str], question: dict[str, Any]) -> None:
    place = rng.randrange(question["i"] + 1, question["j"] + 1)
    texts[place] += " again" if target == "Yes" else " once"


def by_both_ends(rng: Random, target: str, texts: list[str], question: dict[str, Any]) -> None:
    first, last = rng.choice(WORDS[:2]), rng.choice(WORDS[:2])
    if (first == last) is (target == "No"):
        last = WORDS[1 - WORDS.index(last)]
    texts[0], texts[-1] = f"{first} it", f"{last} it"


@pytest.mark.parametrize(
    ("plant", "name"), [(by_distance, "distance"), (by_phrase, "prompt words")]
)
def test_a_planted_cue_is_found(plant: Plant, name: str) -> None:
    battery = found(plant)
    best = battery.best("single")
    assert best.score == 1.0
    assert name in {each.name for each in battery.found if each.score == 1.0}
    assert battery.chance == 0.5
    assert battery.best("tree").score > 0.95


def test_a_cue_of_two_things_is_found_by_the_pair_alone() -> None:
    battery = found(by_both_ends)
    assert battery.best("pair").name == "first step x last step"
    assert battery.best("pair").score == 1.0
    assert battery.best("single").score < 0.65


def test_without_a_cue_all_stay_near_chance() -> None:
    battery = found(None)
    assert {each.kind for each in battery.found} == {"single", "pair", "tree"}
    assert len(battery.found) > 20
    assert all(0.4 < each.score < 0.6 for each in battery.found)
    for each in battery.found:
        assert each.accuracy.low <= each.accuracy.value <= each.accuracy.high


def test_the_fit_never_sees_what_is_scored() -> None:
    fitted, scored = asked(1, by_distance), asked(2, by_distance)
    assert measure(TASK, [*fitted, *scored], scored).to_json() == (
        measure(TASK, fitted, scored).to_json()
    )
    turned = [replace(each, target={"Yes": "No", "No": "Yes"}[each.target]) for each in scored]
    for one, other in zip(
        measure(TASK, fitted, scored).found,
        reversed(measure(TASK, fitted, turned).found),
        strict=True,
    ):
        assert one.score == pytest.approx(1 - other.score)
    with pytest.raises(UsageError, match="toy/dice has no other questions"):
        measure(TASK, scored, scored)


def test_a_shortcut_sees_what_the_prompt_shows() -> None:
    sample = asked(1, by_phrase)[0]
    shown = ShownQuestion(sample)
    assert shown.sample.target is None
    assert shown.sample.id == ""
    assert set(shown.sample.metadata) == {"question", "procedure"}
    assert sample.metadata["witness"] == sample.target == "Yes"


class Reading(Baselines):
    """Reads the number of step j off the question."""

    def shortcuts(self) -> list[Shortcut]:
        return [Shortcut("j", "the number of step j", lambda shown: shown.j, guess=True)]


def test_an_answer_that_stands_in_the_question_is_guessed() -> None:
    samples = [
        [replace(each, target=each.metadata["question"]["j"] + 2 * each.metadata["question"]["i"])
         for each in asked(seed, None)]
        for seed in (1, 2)
    ]  # fmt: skip
    battery = measure(replace(TASK, baselines=Reading()), *samples)
    right = sum(each.metadata["question"]["i"] == 0 for each in samples[1])
    assert battery.best("single").accuracy.value == pytest.approx(right / SIZE)
    assert battery.best("single").balanced is None


class Doubting(Baselines):
    """Guesses an answer, and sees whether the guess is to be believed."""

    def shortcuts(self) -> list[Shortcut]:
        return [
            Shortcut("guess", "an answer", lambda shown: shown.values["guess"], guess=True),
            Shortcut("doubt", "whether it is wrong", lambda shown: shown.values["doubt"]),
        ]


def test_one_of_two_answers_that_is_guessed_counts_as_seen_and_not_as_a_guess_of_others() -> None:
    def plant(rng: Random, target: str, texts: list[str], question: dict[str, Any]) -> None:
        doubt = rng.randrange(2)
        question["doubt"] = doubt
        question["guess"] = ("No" if target == "Yes" else "Yes") if doubt else target

    samples = [asked(seed, plant, size) for seed, size in ((1, 2 * SIZE), (2, SIZE))]
    battery = measure(replace(TASK, baselines=Doubting()), *samples)
    assert battery.best("pair").score == 1.0
    singles = {each.name: each.score for each in battery.found if each.kind == "single"}
    assert singles.keys() == {"guess", "doubt"}
    assert all(0.4 < score < 0.6 for score in singles.values())


@pytest.mark.parametrize("task", families.select(["*"]), ids=lambda each: each.full_name)
def test_every_shortcut_has_a_name_and_a_line(task: families.Task) -> None:
    held = task.baselines.shortcuts()
    assert len({each.name for each in held}) == len(held)
    assert all(each.text and "\n" not in each.text for each in held)


def test_the_shortcuts_of_every_task_need_no_more_than_its_prompt_shows() -> None:
    rows = (json.loads(line) for line in FULL.read_text().splitlines())
    samples = [Sample.from_json(row) for row in rows]
    assert len({each.family for each in samples}) == 4
    for sample in samples:
        shown = ShownQuestion(sample)
        for each in families.task(sample.task).baselines.shortcuts():
            each.value(shown)


@pytest.mark.parametrize("task", families.select(["fable"]), ids=lambda each: each.full_name)
def test_of_a_published_prompt_alone_the_own_shortcuts_of_a_cell_see_nothing(
    task: families.Task,
) -> None:
    sample = Sample("1", "fable", task.full_name, "1-0", "A text.", None, {"template": "published"})
    shown = ShownQuestion(sample)
    seen = {each.name: each.value(shown) for each in task.baselines.shortcuts()}
    assert seen["prompt length"] > 0
    assert seen["heuristic"] is None
    general = {"heuristic", *(each.name for each in ANY)}
    assert {name for name, value in seen.items() if value is not None} <= general
