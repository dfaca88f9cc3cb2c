"""Replies are read as the prompts ask, and scored as the specification says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thence import families
from thence.core.relaxed_json import Meter
from thence.core.sample import Sample
from thence.families.releval.reading import canonical
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response, judge

# A > B > C > A and A > B > D > A; a consistent graph; and a plan of 3 relations over 3 objects.
TWO = {"consistent": False, "cycles": [["A", "B", "C"], ["A", "B", "D"]]}
NONE: dict[str, Any] = {"consistent": True, "cycles": []}
DIRECT = protocol("direct")


def judged(task: str, target: Any, reply: str, **response: Any) -> Any:
    metadata = {"group": "4_5_3", "question": {"framing": "symbolic", "facts": []}}
    sample = Sample("x", "releval", f"releval/{task}", "1-0", "", target, metadata)
    found = families.task(sample.task)
    return judge(Response("x", response=reply, **response), sample, found, DIRECT)


def cycles(reply: str, target: Any = TWO) -> tuple[str, float, float, float]:
    score = judged("consistency", target, reply)
    return (score.outcome.value, *(score.values[each] for each in ("precision", "recall", "f1")))


def listed(*lines: str, verdict: str = "Yes") -> str:
    return "\n".join(["Some thoughts on A > B.", "OUTPUT:", verdict, *lines])


A, B = "1. Cycle: <A, B, C, A>", "2. Cycle: <A, B, D, A>"

# Consistency ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        (A, B),
        ("1. Cycle: <B, C, A, B>", "2. Cycle: <D, A, B, D>"),  # rotations
        (A, "2. Cycle: <C, A, B, C>", B, A),  # repeated ones count once
        ("1. Cycle: <A, B, C>", "2. Cycle: <A, B, D>"),  # left open
        ("1. Cycle: A > B > C > A", "2. Cycle: <A -> B -> D -> A>"),
        ("1. Cycle: <A < C < B < A>", "2. Cycle: A, B, D, A"),
        ("**1. Cycle:** <A, B, C, A>", "- Cycle 2: <`A`, `B`, `D`, `A`>"),
        ("1) <a, b, c, a>", "2) <a, b, d, a>."),
        ("Cycles: <A, B, C, A>, <A, B, D, A>",),
        ("", A, "", B, "", "That is all."),
    ],
    ids=str,
)
def test_cycles_are_equal_up_to_rotation_and_writing(lines: tuple[str, ...]) -> None:
    assert cycles(listed(*lines)) == ("correct", 1, 1, 1)


@pytest.mark.parametrize(
    ("lines", "precision", "recall"),
    [
        ((A,), 1, 0.5),
        ((A, B, "3. Cycle: <A, C, D, A>"), 2 / 3, 1),  # one that the statements do not make
        ((A, "2. Cycle: <A, B, Z, A>"), 0.5, 0.5),  # an unknown object
        ((A, "2. Cycle: <B, A, D, B>"), 0.5, 0.5),  # backwards
        (("1. Cycle: <A, C, B, A>", "2. Cycle: <B, A, D, B>"), 0, 0),  # all of them backwards
        ((A, A, A, "4. Cycle: <B, C, A, B>"), 1, 0.5),  # one cycle, four times
        ((A, "2. Cycle: <A, B, A, B, D, A>"), 0.5, 0.5),  # no simple cycle
        ((A, "2. Cycle: <>"), 0.5, 0.5),
        (("1. Cycle: <A, B, A>",), 0, 0),
        (("1. Cycle: <Z, Y, X, Z>",), 0, 0),
    ],
    ids=str,
)
def test_precision_and_recall_of_cycles(
    lines: tuple[str, ...], precision: float, recall: float
) -> None:
    both = precision + recall
    f1 = 2 * precision * recall / both if both else 0
    assert cycles(listed(*lines)) == ("wrong", *map(pytest.approx, (precision, recall, f1)))
    assert judged("consistency", TWO, listed(*lines)).values["yes_no"] == 1


def test_yes_without_cycles_and_no_with_cycles_score_nothing() -> None:
    for reply, verdict in ((listed(), 1), (listed(A, B, verdict="No"), 0)):
        for target, right in ((TWO, verdict), (NONE, 1 - verdict)):
            assert cycles(reply, target) == ("wrong", 0, 0, 0)
            assert judged("consistency", target, reply).values["yes_no"] == right


def test_a_consistent_graph_is_worth_1_if_it_is_said_to_be() -> None:
    assert cycles(listed(verdict="No"), NONE) == ("correct", 1, 1, 1)
    assert cycles(listed("Cycles: none", verdict="No."), NONE) == ("correct", 1, 1, 1)
    assert cycles(listed(A), NONE) == ("wrong", 0, 1, 0)
    assert cycles(listed(verdict="No")) == ("wrong", 0, 0, 0)


def test_output_that_comes_twice_counts_the_last_time() -> None:
    first, second = listed(A), listed(A, B)
    assert cycles(f"{first}\n\nWait, one more.\n\n{second}") == ("correct", 1, 1, 1)
    assert cycles(f"{second}\n\nNo, that is wrong.\n\n{listed(verdict='No')}")[0] == "wrong"
    quoted = "I will end with OUTPUT: as asked.\n" + second + "\n(The line after OUTPUT: is Yes.)"
    assert cycles(quoted) == ("correct", 1, 1, 1)
    assert cycles("<think>\n" + first + "\n</think>\n" + second) == ("correct", 1, 1, 1)


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        ("OUTPUT:\nYes\n" + A, "output"),
        ("**OUTPUT:** Yes\n" + A, "output"),
        ("## Output:\n\n**Yes**, there are contradictions.\n" + A, "output"),
        ("So my OUTPUT: Yes\n" + A, "output_inline"),
        ("There is one.\n\nYes\n" + A, "last_line"),
        ("OUTPUT:\nMaybe", None),
        ("OUTPUT:\nYes or No", None),
        ("OUTPUT:", None),
        ("Yes, I think there might be a cycle or two.", None),
        ("", None),
    ],
)
def test_the_rule_that_fires_is_known(reply: str, rule: str | None) -> None:
    assert judged("consistency", TWO, reply).rule == rule


def test_a_reply_cut_off_before_its_output_is_truncated() -> None:
    assert judged("consistency", TWO, "There\nYes", finish_reason="length").outcome == "truncated"
    whole = judged("consistency", TWO, listed(A), finish_reason="length")
    assert (whole.outcome, whole.values["recall"]) == ("wrong", 0.5)


@given(st.lists(st.integers(0, 9), unique=True, min_size=1), st.integers(0, 9))
def test_rotations_and_nothing_else_are_the_same_cycle(order: list[int], turn: int) -> None:
    names = [f"N{each}" for each in order]
    turn %= len(names)
    assert canonical(names) == canonical(names[turn:] + names[:turn])
    assert (canonical(names) == canonical(names[::-1])) is (len(names) < 3)


# Comparison -------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["True", "False", "Unknown"])
@pytest.mark.parametrize(
    "form",
    [
        "OUTPUT:\n{}",
        "Because A > B.\n\nOUTPUT:\n\n{}.",
        "**OUTPUT:**\n**{}**",
        "OUTPUT: {}",
        "output:\n`{}`",
        "OUTPUT:\n$\\boxed{{{}}}$",
        "OUTPUT:\n{}\n\nOUTPUT: ends here, as asked.",
        "OUTPUT:\nUnknown\n\nLet me correct that.\n\nOUTPUT:\n{}",
        "The answer follows.\n{}",
        '{{"output": "{}"}}',
    ],
)
def test_the_word_after_output_is_the_answer(word: str, form: str) -> None:
    for target in ("True", "False", "Unknown"):
        outcome = judged("comparison", target, form.format(word)).outcome
        assert outcome == ("correct" if word == target else "wrong")


@pytest.mark.parametrize(
    "reply",
    [
        "OUTPUT:\nTrue, False or Unknown",
        "OUTPUT:\nTrue\nFalse\nUnknown",
        "OUTPUT:\nTrue False Unknown",
        "OUTPUT:\nWORD",
        "It is True that A > B, so False is out.",
        "OUTPUT:\nTruely",
        "<think>OUTPUT:\nTrue",
    ],
)
def test_no_word_or_every_word_is_no_answer(reply: str) -> None:
    assert judged("comparison", "True", reply).outcome == "no_answer"


# Plans ------------------------------------------------------------------------------------------

PLAN = {"objects": 3, "relations": 3}
GOOD = ["A < B", "C > B", "A < C"]


def block(items: Any, around: str = "<RESPONSE>{}</RESPONSE>") -> str:
    return around.format(json.dumps({"relationships": items}))


def plan(reply: str, target: Any = PLAN) -> tuple[str, list[float]]:
    score = judged("plan_generation", target, reply)
    return score.outcome.value, list(score.values.values())


@pytest.mark.parametrize(
    ("items", "parts"),
    [
        (GOOD, [1, 1, 1, 1]),
        (["  A<B ", "C>B", "A  <  C"], [1, 1, 1, 1]),
        (["A < B", "C > B", "C < A"], [0, 1, 1, 1]),  # a cycle
        (["A < B", "A > B", "C > A"], [0, 1, 1, 1]),  # a contradiction
        (["A < B", "B > A", "C > A"], [1, 0, 1, 1]),  # one relation, written twice
        (["A < B", "B < C", "C < D"], [1, 1, 0, 1]),
        (["A < B", "B < C"], [1, 1, 1, 0]),
        ([*GOOD, "A < B"], [1, 0, 1, 0]),
        (["A < A", "A < B", "B < C"], [0, 1, 1, 1]),
        (["A < B", "B < C", "A = C"], [1, 1, 1, 0]),  # wrong operators
        (["A <= B", "B < C", "A < C"], [1, 1, 1, 0]),
        (["A < B < C", "A < B", "B < C"], [1, 1, 1, 0]),
        ([*GOOD, "A is larger than B"], [1, 1, 1, 0]),
        ([*GOOD, None, 5], [1, 1, 1, 0]),
        ([], [0, 0, 0, 0]),
    ],
    ids=str,
)
def test_the_four_parts_of_a_plan(items: list[Any], parts: list[int]) -> None:
    assert plan(block(items)) == ("correct" if all(parts) else "wrong", parts)


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        (block(GOOD), "response"),
        (block(GOOD, "Here: <response>\n```json\n{}\n```\n</response> Done."), "response"),
        ("I use <RESPONSE> tags.\n" + block(GOOD) + "\nThe plan is in <RESPONSE>.", "response"),
        (block(["X < Y"]) + " Wrong. " + block(GOOD), "response"),
        (block(GOOD, "<RESPONSE>{}"), "response_unclosed"),
        (block(GOOD, "{}"), "json"),
    ],
)
def test_where_a_plan_is_looked_for(reply: str, rule: str) -> None:
    score = judged("plan_generation", PLAN, reply)
    assert (score.rule, score.correct) == (rule, True)


@pytest.mark.parametrize(
    "reply",
    [
        '<RESPONSE>{"relationships": ["A < B", "C > B", "A < C"}</RESPONSE>',  # broken JSON
        '<RESPONSE>{"relationships": ["A < B", "C > B",</RESPONSE>',
        block(GOOD) + ' No: <RESPONSE>{"relationships": [</RESPONSE>',  # given up for a broken one
        '<RESPONSE>{"relations": ["A < B"]}</RESPONSE>',
        '<RESPONSE>{"relationships": "A < B"}</RESPONSE>',
        "<RESPONSE></RESPONSE>",
        "A < B, C > B, A < C",
    ],
)
def test_a_broken_plan_is_no_answer(reply: str) -> None:
    assert plan(reply) == ("no_answer", [0, 0, 0, 0])


def test_unknown_objects_are_wrong_where_the_names_were_given() -> None:
    target = {**PLAN, "names": ["A", "B", "C"]}
    assert plan(block(GOOD), target)[0] == "correct"
    assert plan(block(["A < B", "D > B", "A < D"]), target) == ("wrong", [1, 1, 0, 1])


# Hostile replies --------------------------------------------------------------------------------

HOSTILE = [
    "OUTPUT:\n" * 100_000,
    "OUTPUT: " * 100_000,
    "OUTPUT:\nYes\n" + "1. Cycle: <" * 100_000,
    "OUTPUT:\nYes\n" + "<A, B" * 100_000,
    "OUTPUT:\nYes\n" + A + "\n" * 200_000,
    "OUTPUT:\nYes\n1. Cycle: <" + "A, " * 200_000 + ">",
    "<RESPONSE>" * 50_000 + "</RESPONSE>" * 50_000,
    "</RESPONSE>" * 50_000 + "<RESPONSE>" * 50_000,
    "<RESPONSE>" + "[" * 200_000,
    "<RESPONSE>" + '{"relationships": [' * 50_000 + "</RESPONSE>",
    '{"relationships": ["' + "<" * 300_000 + '"]}',
    "\0\ud800" * 100_000,
    "Yes\n" * 200_000,
]


@pytest.mark.parametrize("task", ["plan_generation", "consistency", "comparison"])
@pytest.mark.parametrize("reply", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_replies_are_read_and_worth_nothing(task: str, reply: str) -> None:
    target = {"plan_generation": PLAN, "consistency": TWO, "comparison": "True"}[task]
    score = judged(task, target, reply)
    assert not score.correct or task == "consistency"
    assert score.values.get("f1", 0) < 1


@settings(max_examples=40)
@given(st.text(max_size=300))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    for task, target in (("plan_generation", PLAN), ("consistency", TWO), ("comparison", "True")):
        for reply in (
            text,
            f"OUTPUT:\n{text}",
            f"OUTPUT:\nYes\n{text}",
            f"<RESPONSE>{text}</RESPONSE>",
        ):
            judged(task, target, reply)


def test_the_work_on_a_plan_is_counted() -> None:
    from thence.families.releval.plans import read_plan

    meter = Meter()
    reply = "<RESPONSE>" + '{"a": [' * 20_000
    read_plan(reply, meter)
    assert meter.work < 100 * len(reply)
