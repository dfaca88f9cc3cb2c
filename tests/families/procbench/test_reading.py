from __future__ import annotations

import json
import re
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from thence import families
from thence.core.digest import canonical_json, compact_json
from thence.core.relaxed_json import Meter
from thence.core.sample import Sample
from thence.core.score import Score
from thence.families.procbench.reading import read_states
from thence.families.procbench.shapes import Shape, is_integer
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response, Scored, judge

TEXT, TEXTS, NUMBER, NUMBERS = Shape.TEXT, Shape.TEXTS, Shape.NUMBER, Shape.NUMBERS
TASKS = [task for task in families.tasks().values() if task.family == "procbench"]
EXAMPLES = {  # one of each pair of types
    task.name: next(iter(generate(Plan([task.full_name], settings={"steps": "5"}, size=1))))
    for task in {
        (task.format.states, task.generator.procedure.final): task for task in TASKS[::-1]
    }.values()
}
each_task = pytest.mark.parametrize("sample", EXAMPLES.values(), ids=EXAMPLES.keys())
any_sample = st.sampled_from(list(EXAMPLES.values()))


def verdict(reply: str, sample: Sample, finish_reason: str = "stop") -> Score:
    response = Response(sample.id, response=reply, finish_reason=finish_reason)
    return judge(response, sample, families.task(sample.task), protocol("direct"))


def right(sample: Sample) -> str:
    return families.task(sample.task).format.write(sample.target)


def wrong(sample: Sample) -> str:
    target = sample.target
    return compact_json({"intermediate": target["intermediate"][1:], "final": target["final"]})


def answer(intermediate: str, final: str) -> str:
    return f'{{"intermediate": {intermediate}, "final": {final}}}'


# Where the answer stands ------------------------------------------------------------------------

AROUND = {
    "bare": "{}",
    "fenced": "Here it is:\n\n```json\n{}\n```\n",
    "fenced without a language": "```\n{}\n```",
    "in prose": "So the answer is {}, I believe.",
    "after thinking": "<think>Let me see {{ ... }}</think>{}",
    "after an example": 'You want {{"intermediate": ["S1", ...], "final": "S"}}:\n{}',
    "after another object": '{{"step": 1}}\n{{"step": 2}}\n{}',
    "before another object": '{}\n{{"confidence": 0.9}}',
    "in an object": '{{"answer": {}}}',
    "in a list": "[{}]",
    "before braces": "{} }} {{ }} {{{{",
}


@each_task
@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND.keys())
def test_the_answer_is_found_whatever_stands_around_it(sample: Sample, around: str) -> None:
    score = verdict(around.format(right(sample)), sample)
    assert (score.outcome, score.rule) == ("correct", "json")
    assert verdict(around.format(wrong(sample)), sample).outcome == "wrong"


@each_task
def test_its_layout_does_not_matter(sample: Sample) -> None:
    for text in (
        json.dumps(sample.target, indent=4),
        json.dumps(dict(reversed(sample.target.items()))),
        json.dumps(sample.target | {"note": "done", "steps": [{}]}),
        json.dumps(sample.target, indent=2).replace("\n", "\r\n"),
    ):
        assert verdict(text, sample).rule == "json"
        assert verdict(text, sample).correct


@each_task
def test_of_several_answers_the_last_counts(sample: Sample) -> None:
    yes, no = right(sample), wrong(sample)
    assert verdict(f"{no}\nNo, wait:\n{yes}", sample).correct
    assert not verdict(f"{yes}\nNo, wait:\n{no}", sample).correct
    assert not verdict("\n".join([yes, no] * 20), sample).correct
    assert not verdict(f"[{yes}, {no}]", sample).correct


@each_task
def test_what_is_thought_does_not_count(sample: Sample) -> None:
    yes, no = right(sample), wrong(sample)
    assert verdict(f"<think>{yes}</think>", sample).outcome == "no_answer"
    assert verdict(f"<think>{yes}", sample).outcome == "no_answer"
    assert verdict(f"{yes}</think> I do not know.", sample).outcome == "no_answer"
    assert verdict(f"<think>{yes}</think>{no}", sample).outcome == "wrong"
    assert verdict(f"<think>{no}</think>{yes}", sample).outcome == "correct"
    assert verdict(f"<think>{no}</think>{yes}<think>{no}", sample).outcome == "no_answer"


# Types ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "shape", "read"),
    [
        ("5", NUMBER, 5),
        ('"5"', NUMBER, 5),
        ("-5", NUMBER, -5),
        ("-0", NUMBER, 0),
        ("5.0", NUMBER, 5),
        ('"5.0"', NUMBER, 5),
        ('"2,916"', NUMBER, 2916),
        ("[1, 2.0]", NUMBERS, [1, 2]),
        ('"007"', NUMBER, "007"),
        (str(10**30), NUMBER, 10**30),
        (f'"{10**30}"', NUMBER, 10**30),
        ("101", TEXT, "101"),
        (str(10**30), TEXT, str(10**30)),
        ('"a"', TEXT, "a"),
        ('["a", 1]', TEXTS, ["a", "1"]),
        ("[]", TEXTS, []),
        ('[1, "2"]', NUMBERS, [1, 2]),
        (f'[{10**30}, "-7"]', NUMBERS, [10**30, -7]),
    ],
)
def test_states_are_typed(state: str, shape: Shape, read: Any) -> None:
    found = read_states(answer(f"[{state}]", state), shape, shape)
    assert found is not None
    assert (found.value, found.rule) == ({"intermediate": [read], "final": read}, "json")
    assert type(found.value["final"]) is type(read)


@pytest.mark.parametrize(
    ("state", "shape"),
    [
        *((text, NUMBER) for text in ('"+5"', '" 5"', '"5.5"', '"\u0665"', '""', '"5,0"', '"5e0"')),
        *((text, NUMBER) for text in ("5.5", "5e99", "true", "null", "[5]", '{"5": 5}', '"five"')),
        *((text, TEXT) for text in ("1.0", "true", "null", '["a"]', '{"a": "a"}')),
        *((text, TEXTS) for text in ('"a"', '["a", ["b"]]', '["a", null]', "[1.5]", "[true]")),
        *((text, NUMBERS) for text in ("1", '["x"]', "[1, 2.5]", "[true]", "[[1]]", '"[1]"')),
    ],
)
def test_what_is_not_of_the_type_equals_no_state(state: str, shape: Shape) -> None:
    right, value = {TEXT: "a", NUMBER: 5, TEXTS: ["a"], NUMBERS: [1, 2]}[shape], json.loads(state)
    found = read_states(answer(f"[{json.dumps(right)}, {state}]", state), shape, shape)
    assert (found.rule, found.value["intermediate"][0]) == ("json_untyped", right)
    for read in (found.value["intermediate"][1], found.value["final"]):
        assert read not in (value, str(value), 5, 1, "5", "1", ["a"], ["b"], [1], ["1"])


def test_large_integers_stay_exact_beside_a_state_that_is_of_another_type() -> None:
    for state, shape in ((10**30, NUMBER), ([1, 10**30], NUMBERS)):
        found = read_states(json.dumps({"intermediate": [state, None], "final": 1}), shape, NUMBER)
        assert (found.rule, found.value["intermediate"][0]) == ("json_untyped", state)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I cannot tell.",
        answer("[]", "..."),
        answer('"ab"', '"c"'),
        answer("{}", '"c"'),
        '{"intermediate": []}',
        '{"final": "c"}',
        '"intermediate": [], "final": "c"',
        "['a', 'b', 'c']",
        "[[[",
    ],
)
def test_what_is_no_answer_is_not_read(reply: str) -> None:
    assert read_states(reply, TEXT, TEXT) is None


def test_a_later_untyped_answer_replaces_a_typed_one() -> None:
    untyped = answer('["c", 1.5]', '"d"') + answer('["e", 1.5]', '"f"')
    found = read_states(answer('["a"]', '"b"') + untyped, TEXT, TEXT)
    assert (found.value["final"], found.rule) == ("f", "json_untyped")


NUMERIC = [s for s in EXAMPLES.values() if families.task(s.task).format.states in (NUMBER, NUMBERS)]


def spelled(value: Any, spell: Any) -> Any:
    """A target with each of its integers written in another way."""
    if isinstance(value, dict):
        return {key: spelled(item, spell) for key, item in value.items()}
    if isinstance(value, list):
        return [spelled(item, spell) for item in value]
    return spell(value) if isinstance(value, int) else value


@pytest.mark.parametrize("sample", NUMERIC, ids=lambda sample: sample.task)
def test_an_integer_equals_its_decimal_string_and_nothing_else(sample: Sample) -> None:
    for spell, equal in (
        (str, True),
        (lambda number: number, True),
        (float, True),
        (lambda number: f"0{number}", False),
        (lambda number: f"{number}.0", True),
        (lambda number: f"{number}.5", False),
        (lambda number: f"{number} ", False),
        (bool, False),
        (lambda number: [number], False),
        (lambda number: None, False),
        (lambda number: -number - 1, False),
    ):
        score = verdict(json.dumps(spelled(sample.target, spell)), sample)
        assert score.correct is equal, spell


@pytest.mark.parametrize("digits", [1, 20, 400, 4000])
def test_numbers_of_any_size_are_exact(digits: int) -> None:
    sample = next(
        sample for sample in NUMERIC if families.task(sample.task).format.states is NUMBER
    )
    number = int("7" * digits)
    target = {"intermediate": [number], "final": number + 1}
    large = Sample(**{**sample.to_json(), "target": target})
    assert verdict(json.dumps(target), large).correct
    assert verdict(json.dumps(spelled(target, str)), large).correct
    for off in (1, -1, 10 ** (digits - 1)):
        near = {"intermediate": [number], "final": number + 1 + off}
        assert not verdict(json.dumps(near), large).correct


def test_ten_thousand_digits_are_read_exactly() -> None:
    digits = "7" * 10_000
    for text in (digits, f'"{digits}"'):
        found = read_states(answer(f"[{text}]", text), NUMBER, NUMBER)
        assert found.value == {"intermediate": [digits], "final": digits}
        assert found.rule == "json"


def test_digits_in_a_text_equal_the_integer_but_for_leading_zeros() -> None:
    sample = Sample(**{**EXAMPLES["sort"].to_json(), "target": {"intermediate": [], "final": "10"}})
    assert verdict(answer("[]", '"10"'), sample).correct
    assert verdict(answer("[]", "10"), sample).correct
    assert not verdict(answer("[]", "10.0"), sample).correct
    assert not verdict(answer("[]", '"010"'), sample).correct
    zeros = Sample(**{**sample.to_json(), "target": {"intermediate": [], "final": "007"}})
    assert verdict(answer("[]", '"007"'), zeros).correct
    assert not verdict(answer("[]", "7"), zeros).correct


@given(st.text("-0123456789.e٣² +_", max_size=6) | st.integers().map(str))
def test_is_integer_is_a_sign_and_digits(text: str) -> None:
    assert is_integer(text) is (re.fullmatch("-?[0-9]+", text) is not None)


# Labelled lists ---------------------------------------------------------------------------------

LABELLED = {
    "JSON": 'Intermediate: ["ab", "cd"]\nFinal: "ef"',
    "single quotes": "Intermediate: ['ab', 'cd']\nFinal: 'ef'",
    "bare": "Intermediate: ab, cd\nFinal: ef",
    "bare in brackets": "Intermediate: [ab, cd]\nFinal: ef",
    "lower case": "intermediate: ab, cd\nfinal: ef",
    "upper case": "INTERMEDIATE STATES: ab, cd\nFINAL STATE: ef",
    "names of keys": 'intermediate_states: ["ab", "cd"]\nfinal_state: "ef"',
    "more words": "Intermediate states, in order: ab, cd\nFinal state (after step 3): ef",
    "bold labels": "**Intermediate:** ab, cd\n**Final:** ef",
    "bold to the colon": "**Intermediate states**: ab, cd\n**Final state**: **ef**",
    "headings": "### Intermediate states:\nab\ncd\n### Final state:\nef",
    "bullets": "- Intermediate: ['ab', 'cd']\n- Final: 'ef'",
    "code": "* Intermediate: `ab`, `cd`\n* Final: `ef`",
    "quoted": "> Intermediate: ab, cd\n> Final: ef",
    "lines": "Intermediate:\nab\ncd\nFinal:\nef",
    "lines with bullets": "Intermediate:\n- ab\n* cd\n\nFinal:\n\n• ef",
    "numbered lines": "Intermediate:\n1. ab\n2. cd\nFinal: ef",
    "numbers in brackets": "Intermediate:\n1) ab\n(2) cd\nFinal:\nef\nThat was all.",
    "lines with quotes": 'Intermediate:\n"ab"\n\'cd\'\nFinal:\n"ef"',
    "lines with code": "Intermediate:\n1. `ab`\n2. **cd**\nFinal: `ef`",
    "words that begin alike": "Intermediate: ab, cd\nFinal: ef\nFinalísimo: ok\nFinale: gh",
    "a line of dashes": "Intermediate: ab, cd\nFinal: ef\n" + "-" * 150 + "Final: gh",
    "another script": "Intermediate状态: ab, cd\nFinal状态: ef",
    "other line ends": "Intermediate: ab, cd\r\nFinal: ef\r\n",
    "prose before": "Here you are.\n\nIntermediate: ab, cd\nFinal: ef",
    "prose after": "Intermediate: ab, cd\nFinal: ef\n\nFinally, a remark: that was easy.",
    "a fence": "```\nIntermediate: ab, cd\nFinal: ef\n```",
    "an earlier one": "Intermediate: x\nFinal: y\nNo:\nIntermediate: ab, cd\nFinal: ef",
    "JSON that is none": "{'intermediate': ['ab', 'cd'], ...}\nIntermediate: ab, cd\nFinal: ef",
}


@pytest.mark.parametrize("reply", LABELLED.values(), ids=LABELLED.keys())
def test_a_labelled_list_is_read_in_many_forms(reply: str) -> None:
    found = read_states(reply, TEXT, TEXT)
    assert found is not None
    assert found.value == {"intermediate": ["ab", "cd"], "final": "ef"}
    assert (found.rule, found.delimited) == ("labelled_list", False)


@pytest.mark.parametrize(
    ("reply", "states", "final", "intermediate", "last"),
    [
        ("Intermediate: [3, 40]\nFinal: 5", NUMBER, NUMBER, [3, 40], 5),
        ("Intermediate: 3, 40\nFinal: 5", NUMBER, NUMBER, [3, 40], 5),
        ("Intermediate:\n1. 3\n2. 40\nFinal: **5**", NUMBER, NUMBER, [3, 40], 5),
        ("Intermediate: -3, -4\nFinal: -5", NUMBER, NUMBER, [-3, -4], -5),
        ("Intermediate:\n-3\n- 4\nFinal:\n-5", NUMBER, NUMBER, [-3, 4], -5),
        ("Intermediate: 003\nFinal: '7'", NUMBER, NUMBER, ["003"], 7),
        ("Intermediate: [[1, 2], [3]]\nFinal: [4, 5]", NUMBERS, NUMBERS, [[1, 2], [3]], [4, 5]),
        ("Intermediate:\n[1, 2]\n[3]\nFinal: [4, 5]", NUMBERS, NUMBERS, [[1, 2], [3]], [4, 5]),
        ("Intermediate: [['1', '2'], ['3']]\nFinal: 6", TEXTS, NUMBER, [["1", "2"], ["3"]], 6),
        ("Intermediate: [['a', 1]]\nFinal: b", TEXTS, TEXT, [["a", "1"]], "b"),
        ("Intermediate: -x-, --x\nFinal: x--", TEXT, TEXT, ["-x-", "--x"], "x--"),
        ("Intermediate:\n-x-\n- --x\nFinal:\nx--", TEXT, TEXT, ["-x-", "--x"], "x--"),
        ("Intermediate: 007, 1.0\nFinal: 1e5", TEXT, TEXT, ["007", "1.0"], "1e5"),
        ("Intermediate: []\nFinal: b", TEXT, TEXT, [], "b"),
        ("Intermediate:\nFinal: b", TEXT, TEXT, [], "b"),
    ],
)
def test_labelled_states_are_typed(
    reply: str, states: Shape, final: Shape, intermediate: list[Any], last: Any
) -> None:
    found = read_states(reply, states, final)
    assert found is not None
    assert found.value == {"intermediate": intermediate, "final": last}


@pytest.mark.parametrize(
    "reply",
    [
        "Final: a",
        "Intermediate: a",
        "Final: a\nIntermediate: b",
        "The intermediate states are: a\nThe final state is: b",
        "Intermediate states a\nFinal state b",
        "Intermediate: a\nFinally: b",
        "Intermediate: a\nFinal:",
        "Intermediate: a\nFinal" + "x" * 200 + ": b",
    ],
)
def test_what_is_no_labelled_list_is_not_read(reply: str) -> None:
    assert read_states(reply, TEXT, TEXT) is None


def test_the_last_attempt_counts_in_any_form() -> None:
    reply = answer('["a"]', '"b"') + "\nIntermediate: c\nFinal: d"
    assert read_states(reply, TEXT, TEXT).value["final"] == "d"
    reply += "\n" + answer('["e"]', '"f"')
    assert read_states(reply, TEXT, TEXT).value["final"] == "f"


# Replies that were cut off ----------------------------------------------------------------------


@each_task
def test_only_the_delimiter_that_was_asked_for_counts_in_half_a_reply(sample: Sample) -> None:
    listed, final = (json.dumps(sample.target[key]) for key in ("intermediate", "final"))
    labelled = f"Intermediate: {listed}\nFinal: {final}"
    assert verdict(labelled, sample).rule == "labelled_list"
    assert verdict(labelled, sample).correct
    assert verdict(labelled, sample, "length").outcome == "truncated"
    assert verdict(right(sample) + "\nAs you can s", sample, "length").outcome == "correct"
    assert verdict(wrong(sample) + "\nAs you can s", sample, "length").outcome == "wrong"
    assert verdict(f"<think>{right(sample)}", sample, "length").outcome == "truncated"
    assert verdict("", sample, "length").outcome == "truncated"


@each_task
def test_no_part_of_the_right_answer_is_right(sample: Sample) -> None:
    whole = right(sample)
    for end in range(len(whole)):
        assert not verdict(whole[:end], sample).correct
        assert verdict(whole[:end], sample, "length").outcome == "truncated"


# Any reply --------------------------------------------------------------------------------------


def said_in_order(reply: str, sample: Sample) -> bool:
    """Whether all the true states occur in a reply, one after the other."""
    flat: list[str] = []

    def flatten(value: Any) -> None:
        if isinstance(value, list):
            for item in value:
                flatten(item)
        else:
            flat.append(str(value))

    flatten([sample.target["intermediate"], sample.target["final"]])
    place = 0
    for text in flat:
        place = reply.find(text, place)
        if place < 0:
            return False
        place += len(text)
    return True


def survives(reply: str, sample: Sample) -> None:
    """Whatever is read can be graded, voted on and written; nothing is right by accident."""
    score = verdict(reply, sample)
    the_same_without_a_glance_at_the_truth(reply, sample)
    canonical_json(score.answer)
    compact_json(Scored(sample, 0, 0, score).to_json())
    if score.correct:
        assert said_in_order(reply, sample)


def the_same_without_a_glance_at_the_truth(reply: str, sample: Sample) -> None:
    """The truth makes reading quicker; it may not make it read anything else, nor grade it so."""
    task = families.task(sample.task)
    plain = read_states(
        reply, task.format.states, task.generator.procedure.final or task.format.states
    )
    read = task.format.read(reply, task.question(sample))
    assert repr(read) == repr(plain)  # true and 1.0 are no 1 here
    said = None if read is None else read.value
    assert task.grader.grade(said, sample) == task.grader.grade(deepcopy(said), sample)


ALIKE = [
    "true",
    "1.0",
    "1e0",
    "1",
    '"1"',
    "-0",
    "null",
    "[]",
    '["1"]',
    "[1,0]",
    "[true,0]",
    "[1,0.0]",
]


@given(any_sample, st.data())
def test_the_truth_makes_reading_quicker_and_nothing_else(
    sample: Sample, data: st.DataObject
) -> None:
    target = data.draw(st.sampled_from([sample.target, *(small(sample, n) for n in (0, 1, 2))]))
    sample = replace(sample, target=target)
    every = [*target["intermediate"], target["final"]]
    said = [json.dumps(state) for state in every]
    for _ in range(data.draw(st.integers(0, 2))):
        said[data.draw(st.integers(0, len(said) - 1))] = data.draw(st.sampled_from(ALIKE))
    comma, colon = data.draw(st.sampled_from([(",", ":"), (", ", ": "), (",", ": ")]))
    parts = [f'"intermediate"{colon}[{comma.join(said[:-1])}]', f'"final"{colon}{said[-1]}']
    if data.draw(st.integers(0, 3)) == 0:
        parts.append('"note": 1')
    if data.draw(st.integers(0, 3)) == 0:
        parts.reverse()
    around = data.draw(st.sampled_from(list(AROUND.values())))
    the_same_without_a_glance_at_the_truth(around.format(f"{{{comma.join(parts)}}}"), sample)


def small(sample: Sample, states: int) -> dict[str, Any]:
    """A target whose numbers and digits equal things of other types."""
    task = families.task(sample.task)
    shapes = [*[task.format.states] * states, task.generator.procedure.final or task.format.states]
    every = [{TEXT: "1", TEXTS: ["1"], NUMBER: 1, NUMBERS: [1, 0]}[shape] for shape in shapes]
    return {"intermediate": every[:-1], "final": every[-1]}


@given(st.text(st.characters()), any_sample)
def test_any_text(reply: str, sample: Sample) -> None:
    survives(reply, sample)


PIECES = [
    *'{}[]",:\\\n -*1',
    '{"intermediate": [',
    '], "final": ',
    '"intermediate"',
    '"final"',
    "Intermediate:",
    "Final:",
    "```json\n",
    "<think>",
    "</think>",
    "\\u12",
    "\0",
    "\ud800",
    "null",
    "1e5",
    "-",
    "'a'",
    '"a", "b"',
]


@given(any_sample, st.data())
def test_fragments_glued_together(sample: Sample, data: st.DataObject) -> None:
    states = [*sample.target["intermediate"], sample.target["final"]]
    pieces = [*PIECES, *(json.dumps(state) for state in states), right(sample), wrong(sample)]
    survives("".join(data.draw(st.lists(st.sampled_from(pieces), max_size=30))), sample)


@given(any_sample, st.data())
def test_a_right_reply_with_some_characters_changed(sample: Sample, data: st.DataObject) -> None:
    reply = right(sample)
    if data.draw(st.booleans()):
        target = sample.target
        reply = f"Intermediate: {target['intermediate']}\nFinal: {target['final']}"
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(reply)))
        removed = data.draw(st.integers(0, 3))
        added = data.draw(st.sampled_from(["", "a", "0", "-", " ", '"', ",", "[", "]", "}", "\n"]))
        reply = reply[:place] + added + reply[place + removed :]
    survives(reply, sample)


@given(any_sample, st.lists(st.sampled_from(["right", "wrong", "prose", "broken"]), max_size=8))
def test_a_wrong_answer_at_the_end_is_wrong(sample: Sample, parts: list[str]) -> None:
    text = {"right": right(sample), "wrong": wrong(sample), "prose": "or {", "broken": '{"final": '}
    reply = "\n".join(text[part] for part in [*parts, "wrong"])
    assert verdict(reply, sample).outcome == "wrong"


@given(any_sample, st.data())
def test_another_sequence_of_states_is_not_right(sample: Sample, data: st.DataObject) -> None:
    states = [*sample.target["intermediate"], sample.target["final"]]
    other = data.draw(st.lists(st.sampled_from(states), min_size=1, max_size=len(states) + 1))
    assume(other != states)
    reply = json.dumps({"intermediate": other[:-1], "final": other[-1]})
    assert not verdict(reply, sample).correct


# Hostile replies --------------------------------------------------------------------------------

HOSTILE = {
    "quotes": '"',
    "backslashes": "\\",
    "NULs": "\0",
    "lone surrogates": "\ud800",
    "newlines": "\n",
    "marks": "*",
    "lines of marks": "-" * 59 + "\n",
    "final": "final:\n",
    "labels": "intermediate: a\nfinal: b\n",
    "no colon": "intermediate final ",
    "open thoughts": "<think>",
    "closed thoughts": "</think>",
    "untyped answers": '{"intermediate": [1.5], "final": null}',
}
ITEMS = ("null,", "1,", "[],", '"",', "[[]],", "{},")


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_ten_megabytes_are_read_in_linear_work(piece: str) -> None:
    for size in (20_000, 10_000_000):
        reply, meter = piece * (size // len(piece)), Meter()
        read_states(reply, TEXT, TEXT, meter)
        assert meter.work <= 5000 + 8 * len(reply)


def test_nothing_is_read_that_cannot_be_written() -> None:
    """Reading and writing give up at depths that differ by a few levels."""
    sample = EXAMPLES["sort"]
    for depth in (5, 100, 250, 260, 1000, 1030, *range(1400, 1520), 5000, 100_000):
        nested = "[" * depth + "]" * depth
        survives(answer(f"[{nested}]", '"a"'), sample)
        survives(answer("[]", nested), sample)
        survives(f"Intermediate: [{nested}]\nFinal: {nested}", sample)


@pytest.mark.parametrize("shape", Shape)
def test_a_list_that_goes_on_and_on_is_not_sorted_out(shape: Shape) -> None:
    """Setting each of a million items apart costs far more than reading its characters."""
    for reply in (
        *(answer(f"[{item * 100_000}1]", '"b"') for item in ITEMS),
        *(f"Intermediate: [{item * 100_000}1]\nFinal: b" for item in ITEMS),
        "Intermediate: " + "a," * 100_000 + "a\nFinal: b",
        "Intermediate:\n" + "a\n" * 100_000 + "Final: b",
    ):
        found = read_states(reply, shape, shape)
        assert found is None or found.rule == "json" or len(found.value["intermediate"]) <= 20_000
