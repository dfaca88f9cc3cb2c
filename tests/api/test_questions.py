"""Questions without end: random access, fair order, parts of the sequence."""

from __future__ import annotations

import multiprocessing
import pickle
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

import thence
from tests.extra import toy_family
from thence.api.questions import TRAINING, Questions
from thence.errors import ParameterError, UsageError

SOME = ["procbench", "releval", "catbench"]


def line(questions: Questions, index: int) -> str:
    return str(questions[index].to_json())


def test_a_question_is_the_same_in_a_fresh_process() -> None:
    place = 999_999_999
    program = (
        f"import thence; print(thence.questions({SOME!r}, seed=5, size=10**9)[{place}].to_json())"
    )
    there = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert there.stdout.strip() == line(thence.questions(SOME, seed=5), place)


def test_a_question_depends_on_no_other() -> None:
    places = [0, 1, 5, 239, 240, 241, 10_000, 10**12, sys.maxsize - 1]
    ordered = [line(thence.questions(SOME, seed=1), each) for each in places]
    shuffled = list(enumerate(places))
    random.Random(3).shuffle(shuffled)
    questions = thence.questions(SOME, seed=1)
    assert all(line(questions, place) == ordered[at] for at, place in shuffled)


def test_any_first_thousand_is_a_fair_sample() -> None:
    questions = thence.questions("procbench", seed=2)
    found = [questions[index].metadata["steps"] for index in range(920)]
    tasks = Counter(questions[index].task for index in range(920))
    assert set(tasks.values()) == {40}
    lengths = Counter(found)
    assert set(lengths) == set(range(2, 26))
    assert min(lengths.values()) > 20
    halves = sum(found[:460]), sum(found[460:])
    assert 0.9 < halves[0] / halves[1] < 1.1


@pytest.mark.parametrize(
    ("tasks", "balanced"),
    [
        ("catbench", {"yes": 80, "no": 160}),
        ("fable/recipes/taint", {"Yes": 120, "No": 120}),
    ],
)
def test_answers_are_balanced_by_slots(tasks: str, balanced: dict[str, int]) -> None:
    questions = thence.questions(tasks, seed=0)
    for block in (0, 7):
        start = 240 * block
        assert Counter(each.target for each in questions[start : start + 240]) == balanced


def test_every_group_is_asked_alike() -> None:
    questions = thence.questions("releval/comparison", seed=4)
    verdicts = Counter((each.metadata["group"], each.target) for each in questions[:276])
    assert {sum(n for (g, _), n in verdicts.items() if g == group) for group, _ in verdicts} == {12}
    assert all(verdicts[g, "True"] == verdicts[g, "False"] == 6 for g, t in verdicts if t == "True")


def test_seeds_and_the_blocks_of_a_seed_share_nothing() -> None:
    ids = [
        each.id
        for seed in (0, 1, TRAINING)
        for each in thence.questions("catbench", seed=seed)[:300]
    ]
    assert len(set(ids)) > 0.95 * len(ids)


def test_twins_share_their_structure() -> None:
    plain, told = (
        thence.questions("releval/consistency", seed=1, framing=framing)[17]
        for framing in ("symbolic", "finance")
    )
    assert plain.metadata["pair"] == told.metadata["pair"]


def test_parts_are_sequences_too() -> None:
    questions = thence.questions("procbench/sort", seed=0, size=100)
    assert len(questions) == 100
    assert questions[-1].id == questions[99].id
    assert [each.id for each in questions[10:20:3]] == [questions[k].id for k in (10, 13, 16, 19)]
    assert questions[::-1][0].id == questions[99].id
    assert len(list(questions)) == 100
    with pytest.raises(IndexError):
        _ = questions[100]
    shards = [questions.shard(k, 3) for k in range(3)]
    assert [len(each) for each in shards] == [34, 33, 33]
    ids = [each.id for each in questions]
    assert sorted(each.id for shard in shards for each in shard) == sorted(ids)
    assert shards[1].shard(1, 2)[0].id == questions[4].id


def test_without_a_size_there_is_no_end() -> None:
    endless = thence.questions("procbench/sort", seed=0)
    assert len(endless) == sys.maxsize
    assert len(list(islice(endless, 30))) == 30
    searches: tuple[Callable[[object], object], ...] = (
        endless.__contains__, endless.index, endless.count,
    )  # fmt: skip
    for search in searches:
        with pytest.raises(TypeError, match="not searched"):
            search(None)


def test_training_and_test_share_no_stream() -> None:
    train, test = thence.questions("procbench/sort", seed=7).split(train=50, test=20)
    assert (train.seed, test.seed, len(train), len(test)) == (TRAINING + 7, 7, 50, 20)
    assert test[0].id == thence.questions("procbench/sort", seed=7)[0].id
    assert train[0].metadata["seed"] == TRAINING + 7
    assert not {each.id for each in train} & {each.id for each in test}
    with pytest.raises(ParameterError, match="for training"):
        train.split()


def test_the_parts_of_a_sequence_with_an_end_have_one() -> None:
    fifty = thence.questions("procbench/sort", seed=7, size=50)
    assert list(map(len, fifty.split())) == [50, 50]
    assert list(map(len, fifty.split(train=10, test=20))) == [10, 20]
    for name in ("train", "test"):
        with pytest.raises(ParameterError, match=f"{name}=100: must be at most 50"):
            fifty.split(**{name: 100})


def test_a_curriculum_asks_by_length() -> None:
    questions = thence.questions(["procbench/sort", "procbench/copy"], seed=7)
    assert {each.metadata["steps"] for each in questions.at(12)[:20]} == {12}
    assert {each.metadata["steps"] for each in questions.at((3, 4))[:20]} == {3, 4}
    with pytest.raises(ParameterError, match=r"catbench/order has no parameter of length"):
        thence.questions(["catbench", "procbench"], seed=0).at(3)
    with pytest.raises(ParameterError, match="difficulty=0"):
        questions.at(0)


def test_questions_pickle() -> None:
    questions = thence.questions(SOME, seed=3, steps=(2, 4))[5:50:2]
    copy = pickle.loads(pickle.dumps(questions))
    assert copy == questions and hash(copy) == hash(questions)
    assert [each.id for each in copy] == [each.id for each in questions]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(questions.__getitem__, [0, 3]) == [questions[0], questions[3]]


def test_threads_find_the_same_questions() -> None:
    tasks = ["procbench", "releval", "fable/recipes/type_state"]
    alone = thence.questions(tasks, seed=9)
    expected = [each.id for each in alone[:200]]
    shared = thence.questions(tasks, seed=9)
    with ThreadPoolExecutor(8) as pool:
        assert [each.id for each in pool.map(shared.__getitem__, range(200))] == expected


def test_plans_with_other_settings_do_not_meet() -> None:
    first = thence.questions("releval/consistency", seed=0, labels="words", n=10)
    second = thence.questions("releval/consistency", seed=0, framing="software", notation="aligned")
    third = thence.questions("fable/recipes/taint", seed=0, dialect="published")
    fourth = thence.questions("fable/recipes/taint", seed=0, source="cookbook")
    every = (first, second, third, fourth)
    mixed = [[each[k].to_json() for each in every] for k in range(12)]
    for place, each in enumerate(every):
        fresh = Questions(each._tasks, each.parameters, 0, 12)
        assert [row[place] for row in mixed] == [sample.to_json() for sample in fresh]


@pytest.mark.parametrize("seed", [True, 1.0, "1", -1, None, 2**53])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(ParameterError, match=r"seed(=.*)?: must be (a whole number|at)"):
        thence.questions("procbench", seed=seed)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"seed(=.*)?: must be (a whole number|at)"):
        thence.generate("procbench", seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tasks", "given", "message"),
    [
        ("procbench/srot", {}, "did you mean 'procbench/sort'"),
        ([], {}, "name at least one"),
        (7, {}, "tasks=7: must be"),
        (["procbench", 7], {}, "tasks=7: must be the name of a task"),
        ("procbench", {"size": 0}, "size=0: must be at least 1"),
        ("procbench", {"size": True}, "size=True: must be a whole number"),
        ("procbench", {"stpes": 3}, "stpes: no chosen task has .* did you mean 'steps'"),
        ("procbench", {"steps": (9, 3)}, "steps=9-3: .*the lower end first"),
        ("procbench", {"templates": "none"}, "templates=none: no such folder"),
    ],
)
def test_mistakes_name_the_parameter(tasks: object, given: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        thence.questions(tasks, seed=0, **given)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=message):
        thence.generate(tasks, **given)  # type: ignore[arg-type]


def test_python_values_are_those_of_the_command_line() -> None:
    for given, text in (((2, 4), "2-4"), ([2, 4], "2-4"), (3, "3")):
        made = thence.questions("procbench", seed=0, steps=given)
        assert made == thence.questions("procbench", seed=0, steps=text)
    named = thence.questions(
        "releval/comparison", seed=0, labels=["Ada", "Bo", "Cy"] * 1 + [f"N{k}" for k in range(40)]
    )
    assert set(named[0].metadata["names"]) <= {"Ada", "Bo", "Cy", *(f"N{k}" for k in range(40))}


def test_a_family_of_ones_own_is_asked_like_any_other() -> None:
    with toy_family():
        questions = thence.questions("toy", seed=0, dice=2)
        assert [len(questions[k].metadata["question"]["rolls"]) for k in (0, 1)] in ([1, 2], [2, 1])
