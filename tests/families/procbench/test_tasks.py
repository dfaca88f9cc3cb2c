"""The truth of ProcBench's tasks, computed twice; what must hold of it whoever computes it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.families.procbench.reference import (
    SOLVERS,
    field,
    integer_tuples,
    items,
    numbers,
    published,
    rules,
    tuples,
)
from thence import families
from thence.analysis.validation import validate
from thence.core.sample import Sample
from thence.generation import suite
from thence.generation.making import make
from thence.generation.plan import Plan, slots
from thence.prompts import template_loader
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response, judge

TASKS = list(SOLVERS)
TEMPLATES = template_loader.templates()
PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "procbench" / "official_sample.jsonl"

each_task = pytest.mark.parametrize("name", TASKS)
needs_published = pytest.mark.skipif(
    not PUBLISHED.is_file(), reason="the published sample does not lie beside the repository"
)


@cache
def drawn(name: str, steps: str, size: int | None = None, seed: int = 0) -> tuple[Sample, ...]:
    """Samples of a task; those of the default set where no size is given."""
    plan = Plan([f"procbench/{name}"], seed, size, settings={"steps": steps, "force": "yes"})
    return tuple(suite.generate(plan, workers=1))


def one(name: str, steps: int, seed: int = 0) -> Sample:
    """A sample of so many steps."""
    plan = Plan([f"procbench/{name}"], seed, 1, settings={"steps": str(steps), "force": "yes"})
    (place,) = slots(plan)
    return make(place, seed, TEMPLATES)


def written(value: Any) -> str:
    """JSON text, which tells True from 1 and 1 from "1"."""
    return json.dumps(value, sort_keys=True)


def states(sample: Sample) -> list[Any]:
    """All states, the last one included."""
    return [*sample.target["intermediate"], sample.target["final"]]


def task_of(name: str) -> Any:
    return families.task(f"procbench/{name}")


def verdict(sample: Sample, reply: str) -> Any:
    """What the real reader and grader make of a reply."""
    task = families.task(sample.task)
    return judge(Response(sample.id, response=reply), sample, task, protocol("direct"))


def test_the_tasks_are_the_official_ones_in_the_official_order():
    found = [task for task in families.tasks().values() if task.family == "procbench"]
    assert [task.name for task in found] == TASKS
    assert [task.full_name for task in found] == [f"procbench/{name}" for name in TASKS]
    ranks = [task.rank for task in found]
    assert ranks == sorted(set(ranks))
    assert len(TASKS) == 23


# --- the same truth from the text of the prompt --------------------------------------------------


def agrees(name: str, samples: Sequence[Sample]) -> None:
    for sample in samples:
        found = SOLVERS[name](sample.input)
        assert written(found) == written(sample.target), sample.input


@each_task
@pytest.mark.parametrize("seed", [0, 2**53 - 1])
def test_agrees_on_the_papers_lengths(name, seed):
    samples = drawn(name, "2-25", None, seed)
    assert Counter(sample.metadata["steps"] for sample in samples) == dict.fromkeys(
        range(2, 26), 10
    )
    agrees(name, samples)


@each_task
def test_agrees_on_other_lengths(name):
    agrees(name, [one(name, 1, seed) for seed in range(10)])
    agrees(name, drawn(name, "26-60", 35, 3))
    agrees(name, drawn(name, "100", 2, 4))
    agrees(name, drawn(name, "300", 1, 5))


@each_task
def test_agrees_on_a_thousand_steps_and_stays_small(name):
    sample = one(name, 1000, 6)
    agrees(name, [sample])
    size = len(json.dumps(sample.target, separators=(",", ":"), ensure_ascii=False).encode())
    assert size < (3_000_000 if name == "copy" else 5_000_000)


@pytest.mark.long
@each_task
def test_agrees_on_many_more(name):
    for seed in range(100, 110):
        agrees(name, drawn.__wrapped__(name, "2-25", None, seed))
    for seed in range(3):
        agrees(name, drawn.__wrapped__(name, "2-200", 199, seed + 50))
        sample = one(name, 1000, seed + 50)
        agrees(name, [sample])
        size = len(json.dumps(sample.target, separators=(",", ":")))
        assert size < (3_000_000 if name == "copy" else 5_000_000)


# --- what was published --------------------------------------------------------------------------


@cache
def published_rows() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in PUBLISHED.read_text("utf-8").splitlines())


def published_task(row: dict[str, Any]) -> str:
    return TASKS[int(row["task_name"].removeprefix("task")) - 1]


@needs_published
def test_the_audit_agrees_with_every_published_label():
    found = families.families()["procbench"].audit(PUBLISHED, {}).to_json()
    assert (found["checked"], found["agreed"], found["disagreed"]) == (460, 460, 0)
    assert found["skipped"] == 0
    assert found["examples"] == []
    assert found["groups"] == {f"procbench/{name}": {"checked": 20, "agreed": 20} for name in TASKS}


@needs_published
def test_the_reference_agrees_with_every_published_label():
    for row in published_rows():
        name = published_task(row)
        label = {key: row["label"][key] for key in ("intermediate", "final")}
        found = SOLVERS[name](published(name, row["prompt"]))
        assert written(found) == written(label), row["problem_name"]


def changed(value: Any) -> Any:
    """A state of the same type that is another one."""
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    if isinstance(value, int):
        return value + 1
    return [*value[:-1], changed(value[-1])]


@needs_published
@pytest.mark.parametrize("where", ["first", "middle", "last", "final", "dropped", "added"])
def test_a_tampered_label_is_found_out(where, tmp_path):
    rows = []
    for name in TASKS:
        some = (row for row in published_rows() if published_task(row) == name)
        rows.append(dict(next(row for row in some if len(row["label"]["intermediate"]) >= 4)))
    expected = {}
    for row in rows:
        label = row["label"] = json.loads(json.dumps(row["label"]))
        inner = label["intermediate"]
        number = {"first": 1, "middle": len(inner) // 2 + 1, "last": len(inner)}.get(where)
        if number:
            inner[number - 1] = changed(inner[number - 1])
            expected[row["problem_name"]] = f"state {number} "
        elif where == "final":
            label["final"] = changed(label["final"])
            expected[row["problem_name"]] = "the final state "
        else:
            label["intermediate"] = inner[:-1] if where == "dropped" else [*inner, inner[-1]]
            expected[row["problem_name"]] = f"the number of intermediate states is {len(inner)}"
    path = tmp_path / "tampered.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")

    found = families.families()["procbench"].audit(path, {})

    assert found.below == [f"procbench/{name}" for name in TASKS]
    assert [each.group for each in found.disagreements] == found.below
    assert len(found.disagreements) == len(expected) == 23
    for each in found.disagreements:
        assert each.why.startswith(expected[each.id])
        assert each.published != each.computed
        row = next(row for row in published_rows() if row["problem_name"] == each.id)
        assert each.computed == {key: row["label"][key] for key in each.computed}


# --- by construction -----------------------------------------------------------------------------

TYPES = {
    "count": (list[str], int),
    "search": (list[int], list[int]),
    "encode": (list[str], list[str]),
    "split1": (list[str], list[str]),
    "split2": (list[str], list[str]),
    "compose": (list[str], list[str]),
    "compare": (str, list[str]),
    "count2": (list[int], list[int]),
    "cumulate": (int, int),
    "find_cyclic": (list[str], str),
}
SCHEMAS = {
    str: {"type": "string"},
    int: {"type": "integer"},
    list[str]: {"type": "array", "items": {"type": "string"}},
    list[int]: {"type": "array", "items": {"type": "integer"}},
}


def is_of(value: Any, kind: Any) -> bool:
    """Exactly of a type: a bool is no int, a tuple no list."""
    if kind in (str, int):
        return type(value) is kind
    (inner,) = kind.__args__
    return type(value) is list and all(type(each) is inner for each in value)


@each_task
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**53 - 1), steps=st.integers(1, 200))
def test_every_draw_has_its_length_and_types_and_survives_json(name, seed, steps):
    sample = one(name, steps, seed)
    task = families.task(sample.task)
    target = sample.target
    assert list(target) == ["intermediate", "final"]
    assert len(target["intermediate"]) + 1 == steps == sample.metadata["steps"]
    assert sample.metadata["group"] == str(steps)
    inner, final = TYPES.get(name, (str, str))
    assert type(target["intermediate"]) is list
    assert all(is_of(state, inner) for state in target["intermediate"])
    assert is_of(target["final"], final)

    line = json.dumps(sample.to_json())
    again = Sample.from_json(json.loads(line))
    assert written(again.to_json()) == written(sample.to_json())
    assert again == sample  # no tuple or int key became something else on the way
    assert written(task.checks.recompute(again)) == written(target)
    assert {"steps", "init", "question"} <= set(sample.metadata)


@each_task
def test_the_schema_is_that_of_the_types(name):
    inner, final = TYPES.get(name, (str, str))
    schema = task_of(name).format.schema(one(name, 3))
    assert schema["properties"] == {
        "intermediate": {"type": "array", "items": SCHEMAS[inner]},
        "final": SCHEMAS[final],
    }


@each_task
def test_a_perturbed_truth_is_always_wrong(name):
    task = task_of(name)
    samples = [*drawn(name, "2-25", 48, 8), *(one(name, 1, seed) for seed in range(10))]
    for sample in samples:
        for seed in range(4):
            wrong = task.checks.perturb(sample, Random(seed))
            assert not task.grader.grade(wrong, sample).correct
            score = verdict(sample, task.format.write(wrong))
            assert score.rule
            assert score.outcome == "wrong"


@each_task
def test_one_other_state_is_wrong_from_there_on(name):
    task = task_of(name)
    for sample in drawn(name, "2-25", 24, 8):
        for place, state in enumerate(states(sample)):
            said = states(sample)
            said[place] = changed(state)
            answer = {"intermediate": said[:-1], "final": said[-1]}
            grade = task.grader.grade(answer, sample)
            assert not grade.correct
            assert grade.values["pml"] == place


@pytest.mark.parametrize("steps", ["1", "2-25", "60"])
def test_validation_holds(steps):
    plan = Plan(
        [f"procbench/{name}" for name in TASKS],
        seed=9,
        size=24 if steps == "2-25" else 1,
        settings={"steps": steps},
    )
    found = validate(plan)
    assert [each.task for each in found] == list(plan.tasks)
    assert [each.task for each in found if not each.holds] == []
    assert sum(each.checked for each in found) == 23 * plan.size


# --- the format that the prompt asks for ---------------------------------------------------------


def example(prompt: str) -> Any:
    """The pattern of the answer, as JSON: S is a number where it has no quotes around it."""
    (line,) = [line for line in prompt.splitlines() if line.startswith('{"intermediate": ')]
    return json.loads(re.sub(r'(?<!")\bS\d*\b(?!")', "0", line.replace("...", '"..."')))


def fits(value: Any, pattern: Any) -> bool:
    """Whether a value has the shape of a pattern, in which a list goes on as it begins."""
    if not isinstance(pattern, list):
        return type(value) is type(pattern)
    assert pattern[-1] == "..."
    return isinstance(value, list) and all(fits(each, pattern[0]) for each in value)


@each_task
@pytest.mark.parametrize("steps", [1, 2, 3, 7, 25])
def test_the_pattern_in_the_prompt_filled_in_is_read_as_the_truth(name, steps):
    sample = one(name, steps, 10)
    pattern = example(sample.input)
    assert list(pattern) == list(sample.target)
    for key, value in sample.target.items():
        assert fits(value, pattern[key])
    filled = json.dumps({key: sample.target[key] for key in pattern}, indent=2)
    for reply in (filled, f"Step by step: ...\n\n```json\n{filled}\n```"):
        score = verdict(sample, reply)
        assert score.outcome == "correct"
    for key in ("intermediate", "final"):
        assert sample.input.count(f'"{key}"') >= 2  # in the pattern, and explained
    assert sample.input == sample.input.strip()
    assert "\n\n\n" not in sample.input


# --- no way around the procedure -----------------------------------------------------------------


@each_task
def test_no_shortcut_is_right(name):
    task = task_of(name)
    samples = drawn(name, "2-25")
    assert len(samples) == 240
    other = Counter(json.dumps(sample.target) for sample in drawn(name, "2-25", None, 1))
    commonest = json.loads(other.most_common(1)[0][0])
    answers: dict[str, Callable[[int, Sample], Any]] = {
        "the initial state": lambda place, sample: task.baselines.surface_answer(sample),
        "the initial state, repeated": lambda place, sample: {
            "intermediate": [sample.metadata["init"]] * (sample.metadata["steps"] - 1),
            "final": sample.metadata["init"],
        },
        "the commonest target": lambda place, sample: commonest,
        "the target before": lambda place, sample: samples[place - 1].target,
        "a target of the same length": lambda place, sample: (
            samples[place // 10 * 10 + (place + 1) % 10].target
        ),
        "a random answer": lambda place, sample: task.baselines.random_answer(
            task.generator, sample, Random(place)
        ),
    }
    for what, given_answer in answers.items():
        right = 0
        for place, sample in enumerate(samples):
            right += task.grader.grade(given_answer(place, sample), sample).correct
        assert right < 0.02 * len(samples), what


# --- questions are well-posed, by the prompt alone -----------------------------------------------


def unique(values: Sequence[Any]) -> bool:
    return len(set(values)) == len(values)


def posed_sort(prompt: str) -> None:
    string = field(prompt, "String")
    assert re.fullmatch(r"[a-z]+", string)
    assert list(string) != sorted(string)


def posed_gather(prompt: str) -> None:
    strings = re.findall(r"(?m)^(\d+): ([a-z0-9]+)$", prompt)
    assert [int(number) for number, _ in strings] == list(range(len(strings)))
    for s, i, n in integer_tuples(prompt, "Triples"):
        assert 0 <= s < len(strings)
        assert 0 <= i < i + n <= len(strings[s][1])


def posed_count(prompt: str) -> None:
    assert all(re.fullmatch(r"[a-z0-9]+", string) for string in items(prompt, "Strings"))


def posed_search(prompt: str) -> None:
    every = items(prompt, "Strings") + items(prompt, "Substrings")
    assert all(re.fullmatch(r"[a-z]+", string) for string in every)


def posed_copy(prompt: str) -> None:
    strings = items(prompt, "Strings")
    assert all(re.fullmatch(r"[a-z0-9]+", string) for string in strings)
    assert all(0 <= index < len(strings) for index in numbers(prompt, "Indices"))


def posed_substitute(prompt: str) -> None:
    pairs = tuples(prompt, "Pairs")
    left = [old for old, _ in pairs]
    assert unique(left)
    assert set(field(prompt, "String")) <= set(left)
    assert all(len(old) == len(new) == 1 and old != new for old, new in pairs)


def posed_encode(prompt: str) -> None:
    assert re.fullmatch(r"[01]+", field(prompt, "String"))


def posed_split1(prompt: str) -> None:
    positions = numbers(prompt, "Positions")
    assert unique(positions)
    assert all(0 < position < len(field(prompt, "String")) for position in positions)


def posed_split2(prompt: str) -> None:
    lengths = [len(field(prompt, "String"))]
    for i, j in integer_tuples(prompt, "Pairs"):
        assert 0 <= i < len(lengths)
        assert 0 < j < lengths[i]
        lengths[i : i + 1] = [j, lengths[i] - j]


def posed_compose(prompt: str) -> None:
    sides = rules(prompt)
    assert unique([left for left, _ in sides])
    assert all(re.fullmatch(r"[a-z], [a-z]", left) for left, _ in sides)
    assert all(re.fullmatch(r"[a-z]", right) for _, right in sides)
    assert all(re.fullmatch(r"[a-z]", letter) for letter in items(prompt, "Letters"))


def posed_decompose(prompt: str) -> None:
    sides = dict(rules(prompt))
    assert len(sides) == len(rules(prompt))
    assert all(re.fullmatch(r"[a-z]", left) for left in sides)
    assert all(re.fullmatch(r"[a-z]{2}", right) for right in sides.values())
    assert re.fullmatch(r"[a-z]+", field(prompt, "String"))
    ending: set[str] = set(ascii_lowercase) - set(sides)  # letters that come to an end
    while more := {left for left, right in sides.items() if set(right) <= ending} - ending:
        ending |= more
    assert ending == set(ascii_lowercase)


def posed_rhythm(prompt: str) -> None:
    assert all(re.fullmatch(r"\d", number) for number in items(prompt, "Numbers"))
    assert all(re.fullmatch(r"[a-z]", letter) for letter in items(prompt, "Letters"))
    assert items(prompt, "Numbers")
    assert items(prompt, "Letters")


def posed_compare(prompt: str) -> None:
    target, candidates = field(prompt, "Target"), items(prompt, "Candidates")
    assert target in candidates
    assert all(re.fullmatch(r"[a-z]+", each) for each in [target, *candidates])
    # None begins another, so that two which differ differ in a letter both have.
    assert {len(each) for each in candidates} == {len(target)}


def posed_count2(prompt: str) -> None:
    assert re.fullmatch(r"[A-Za-z]+( [A-Za-z]+)*", field(prompt, "Sentence"))


def posed_decode(prompt: str) -> None:
    assert all(re.fullmatch(r"[01]x[1-9]\d*", piece) for piece in items(prompt, "Pieces"))


def posed_push_pop(prompt: str) -> None:
    length = len(field(prompt, "Initial string"))
    assert length > 0
    for action in items(prompt, "Actions"):
        assert re.fullmatch(r"push_(left|right)\([a-z0-9]\)|pop_(left|right)", action)
        assert length > 0 or action.startswith("push")
        length += 1 if action.startswith("push") else -1


def posed_rotate(prompt: str) -> None:
    length = len(field(prompt, "String"))
    for start, end in integer_tuples(prompt, "Pairs"):
        assert 0 <= start < start + 2 <= end <= length


def posed_fill_word(prompt: str) -> None:
    sentence = field(prompt, "Sentence")
    entries = [entry.split(" = ") for entry in items(prompt, "Words")]
    gaps = re.findall(r"\[(\d+)\]", sentence)
    assert unique(gaps)
    assert unique([number for number, _ in entries])
    assert sorted(gaps) == sorted(number for number, _ in entries)
    assert all(re.fullmatch(r"[A-Za-z]+", word) for _, word in entries)
    assert all(re.fullmatch(r"[A-Za-z]+|\[\d+\]", word) for word in sentence.split(" "))


def posed_delete_char(prompt: str) -> None:
    left = Counter(field(prompt, "String"))
    left.subtract(items(prompt, "Letters to delete"))
    assert min(left.values()) >= 0
    assert all(re.fullmatch(r"[a-z]", letter) for letter in left)


def posed_delete_word(prompt: str) -> None:
    left = Counter(field(prompt, "Sentence").split(" "))
    left.subtract(items(prompt, "Words to delete"))
    assert min(left.values()) >= 0
    assert all(re.fullmatch(r"[A-Za-z]+", word) for word in left)


def posed_cumulate(prompt: str) -> None:
    assert re.fullmatch(r"\d+", field(prompt, "Initial number"))
    for operation in items(prompt, "Operations"):
        assert re.fullmatch(r"(add|multiply by) \d+", operation)


def posed_move_cyclic(prompt: str) -> None:
    array = field(prompt, "Initial array")
    assert re.fullmatch(r"-*x-*", array)
    for move in items(prompt, "Moves"):
        assert re.fullmatch(r"(left|right) [1-9]\d*", move)
        assert int(move.split()[1]) <= len(array)


def posed_find_cyclic(prompt: str) -> None:
    string = field(prompt, "String")
    assert re.fullmatch(r"[a-z0-9]+", string)
    assert string.count(field(prompt, "Character")) == 1
    assert len(field(prompt, "Character")) == 1
    assert int(field(prompt, "Number")) >= 1


@each_task
def test_questions_are_well_posed(name):
    posed = globals()[f"posed_{name}"]
    samples = [*drawn(name, "2-25"), *drawn(name, "26-60", 35, 3), *drawn(name, "300", 1, 5)]
    for sample in [*samples, *(one(name, 1, seed) for seed in range(10))]:
        posed(sample.input)


# --- what is undone, kept or known beforehand ----------------------------------------------------


def steps_of(start: Any, sample: Sample) -> list[tuple[Any, Any]]:
    """Each state with the one after it, from the initial state on."""
    return list(pairwise([start, *states(sample)]))


def kept_sort(sample: Sample) -> None:
    string = field(sample.input, "String")
    for before, after in steps_of(string, sample):
        assert sum(a != b for a, b in zip(before, after, strict=True)) == 2
        assert Counter(before) == Counter(after)
        assert after < before
    assert sample.target["final"] == "".join(sorted(string))


def kept_gather(sample: Sample) -> None:
    triples = integer_tuples(sample.input, "Triples")
    for (before, after), (s, _, n) in zip(steps_of("", sample), triples, strict=True):
        assert after.startswith(before)
        assert len(after) == len(before) + n
        (string,) = re.findall(rf"(?m)^{s}: (.*)$", sample.input)
        assert after.removeprefix(before) in string


def kept_count(sample: Sample) -> None:
    rows = sample.target["intermediate"]
    assert [row[0] for row in rows] == items(sample.input, "Strings")
    for string, letters, number, product in rows:
        assert int(letters) == sum(string.count(letter) for letter in ascii_lowercase)
        assert int(product) == int(letters) * int(number)
        assert str(int(number)) == number
        assert number in ("0", "".join(filter(str.isdigit, string)).lstrip("0"))
    assert sample.target["final"] == sum(int(row[3]) for row in rows)


def kept_search(sample: Sample) -> None:
    strings, wanted = items(sample.input, "Strings"), items(sample.input, "Substrings")
    for (before, after), part in zip(steps_of([0] * len(strings), sample), wanted, strict=True):
        more = [b - a for a, b in zip(before, after, strict=True)]
        assert more == [len(string.split(part)) - 1 for string in strings]


def kept_copy(sample: Sample) -> None:
    strings = items(sample.input, "Strings")
    added = [after.removeprefix(before) for before, after in steps_of("", sample)]
    assert added == [strings[index] for index in numbers(sample.input, "Indices")]


def kept_substitute(sample: Sample) -> None:
    string = field(sample.input, "String")
    for place, (before, after) in enumerate(steps_of(string, sample)):
        assert len(after) == len(string)
        assert (before[:place], before[place + 1 :]) == (after[:place], after[place + 1 :])
        assert (string[place], after[place]) in tuples(sample.input, "Pairs")


def expanded(codes: Sequence[str], sign: str) -> str:
    return "".join(code[0] * int(code.removeprefix(code[0] + sign)) for code in codes)


def kept_encode(sample: Sample) -> None:
    string = field(sample.input, "String")
    assert expanded(sample.target["final"], "_") == string
    for state in states(sample):
        assert string.startswith(expanded(state, "_"))
    assert all(a[0] != b[0] for a, b in pairwise(sample.target["final"]))


def kept_decode(sample: Sample) -> None:
    codes = items(sample.input, "Pieces")
    again = [f"{character}x{len(list(run))}" for character, run in groupby(sample.target["final"])]
    assert again == codes
    for before, after in steps_of("", sample):
        assert after.startswith(before)


def kept_split(sample: Sample) -> None:
    string = field(sample.input, "String")
    for before, after in steps_of([string], sample):
        assert "".join(after) == string
        assert all(after)
        assert len(after) == len(before) + 1
        same = [a == b for a, b in zip(before, after, strict=False)]
        place = [*same, False].index(False)
        assert before == [*after[:place], after[place] + after[place + 1], *after[place + 2 :]]


def kept_split1(sample: Sample) -> None:
    kept_split(sample)
    places: set[int] = set()
    for position, state in zip(numbers(sample.input, "Positions"), states(sample), strict=True):
        places.add(position)
        assert {len("".join(state[:end])) for end in range(1, len(state))} == places


def kept_split2(sample: Sample) -> None:
    kept_split(sample)
    for (i, j), state in zip(integer_tuples(sample.input, "Pairs"), states(sample), strict=True):
        assert len(state[i]) == j


def kept_compose(sample: Sample) -> None:
    made = dict(rules(sample.input))
    for before, after in steps_of(items(sample.input, "Letters"), sample):
        assert len(after) == len(before) - 1
        pairs = [", ".join(pair) for pair in pairwise(before)]
        place = max(place for place, pair in enumerate(pairs) if pair in made)
        assert after == [*before[:place], made[pairs[place]], *before[place + 2 :]]
    assert not any(", ".join(pair) in made for pair in pairwise(sample.target["final"]))


def kept_decompose(sample: Sample) -> None:
    made = dict(rules(sample.input))
    for before, after in steps_of(field(sample.input, "String"), sample):
        place = min(before.index(letter) for letter in made if letter in before)
        assert after == before[:place] + made[before[place]] + before[place + 1 :]
    assert not set(sample.target["final"]) & set(made)


def kept_rhythm(sample: Sample) -> None:
    final = sample.target["final"]
    steps = int(field(sample.input, "Number of steps"))
    for start, label in enumerate(("Numbers", "Letters")):
        sequence = "".join(items(sample.input, label))
        assert final[start::2] == (sequence * steps)[:steps]
    assert states(sample) == [final[:end] for end in range(2, 2 * steps + 1, 2)]


def kept_compare(sample: Sample) -> None:
    target, candidates = field(sample.input, "Target"), items(sample.input, "Candidates")
    common = sample.target["intermediate"]
    assert sample.target["final"] == [*common, target]
    assert candidates[len(common)] == target
    for candidate, shared in zip(candidates, common, strict=False):
        end = len(shared)
        assert target[:end] == candidate[:end] == shared
        assert target[end] != candidate[end]


def kept_count2(sample: Sample) -> None:
    words = field(sample.input, "Sentence").split(" ")
    for (before, after), word in zip(steps_of([0] * 26, sample), words, strict=True):
        more = [b - a for a, b in zip(before, after, strict=True)]
        letters = (letter * number for letter, number in zip(ascii_lowercase, more, strict=True))
        assert "".join(letters) == "".join(sorted(word.lower()))


def kept_push_pop(sample: Sample) -> None:
    start = field(sample.input, "Initial string")
    actions = items(sample.input, "Actions")
    backwards = zip(steps_of(start, sample)[::-1], actions[::-1], strict=True)
    for (before, after), action in backwards:
        name, _, character = action.rstrip(")").partition("(")
        undone = {
            "push_left": lambda b=before, c=character: c + b,
            "push_right": lambda b=before, c=character: b + c,
            "pop_left": lambda b=before: b.removeprefix(b[:1]),
            "pop_right": lambda b=before: b.removesuffix(b[-1:]),
        }
        assert after == undone[name]()
        assert abs(len(after) - len(before)) == 1


def kept_rotate(sample: Sample) -> None:
    string = sample.target["final"]
    backwards = [field(sample.input, "String"), *states(sample)][-2::-1]
    pairs = integer_tuples(sample.input, "Pairs")[::-1]
    for before, (start, end) in zip(backwards, pairs, strict=True):
        string = string[:start] + string[start + 1 : end] + string[start] + string[end:]
        assert string == before


def kept_fill_word(sample: Sample) -> None:
    entries = [entry.split(" = ") for entry in items(sample.input, "Words")]
    for state, left in zip(states(sample), range(len(entries) - 1, -1, -1), strict=True):
        assert state.count("[") == state.count("]") == left
    sentence = sample.target["final"].split(" ")
    question = field(sample.input, "Sentence").split(" ")
    words = {f"[{number}]": word for number, word in entries}
    assert [words.get(word, word) for word in question] == sentence
    for (before, after), (number, word) in zip(
        steps_of(field(sample.input, "Sentence"), sample), entries, strict=True
    ):
        assert before.replace(f"[{number}]", word) == after != before


def kept_deletions(steps: Sequence[tuple[Any, Any]], deleted: Sequence[str]) -> None:
    """Put back in at the leftmost place where it stood, it gives the state before."""
    for (before, after), token in zip(steps, deleted, strict=True):
        place = before.index(token)
        assert [*after[:place], token, *after[place:]] == list(before)
        assert token not in after[:place]


def kept_delete_char(sample: Sample) -> None:
    steps = steps_of(field(sample.input, "String"), sample)
    kept_deletions(steps, items(sample.input, "Letters to delete"))


def kept_delete_word(sample: Sample) -> None:
    steps = [
        (before.split(), after.split(" ") if after else [])
        for before, after in steps_of(field(sample.input, "Sentence"), sample)
    ]
    kept_deletions(steps, items(sample.input, "Words to delete"))


def kept_cumulate(sample: Sample) -> None:
    number = sample.target["final"]
    backwards = [int(field(sample.input, "Initial number")), *states(sample)][-2::-1]
    operations = items(sample.input, "Operations")[::-1]
    for before, operation in zip(backwards, operations, strict=True):
        value = int(operation.split(" ")[-1])
        if operation.startswith("add"):
            number -= value
        else:
            number, rest = divmod(number, value)
            assert rest == 0
        assert number == before


def kept_move_cyclic(sample: Sample) -> None:
    array = field(sample.input, "Initial array")
    place = array.index("x")
    for move, state in zip(items(sample.input, "Moves"), states(sample), strict=True):
        places = int(move.split(" ")[1])
        place += places if move.startswith("right") else len(array) * places - places
        assert state[place % len(array)] == "x"
        assert Counter(state) == Counter(array)


def kept_find_cyclic(sample: Sample) -> None:
    string, start = field(sample.input, "String"), field(sample.input, "Character")
    number = int(field(sample.input, "Number"))
    left = [int(left) for _, left in sample.target["intermediate"]]
    assert left == list(range(number - 1, 0, -1))
    around = string * (number // len(string) + 2)
    passed = [character for character, _ in sample.target["intermediate"]]
    assert around[string.index(start) :].startswith(
        "".join([start, *passed, sample.target["final"]])
    )


@each_task
def test_what_is_undone_or_kept(name):
    kept = globals()[f"kept_{name}"]
    samples = [*drawn(name, "2-25"), *drawn(name, "26-60", 35, 3)]
    for sample in [*samples, *drawn(name, "300", 1, 5), *(one(name, 1, seed) for seed in range(5))]:
        kept(sample)
