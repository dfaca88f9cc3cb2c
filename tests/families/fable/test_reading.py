"""The strict reader: what is a verdict or an interval in a reply, and by which rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thence.core import amounts
from thence.families.fable.shared import reading


@pytest.mark.parametrize(
    ("reply", "value", "rule"),
    [
        ("Yes", "Yes", "leading"),
        ("no.", "No", "leading"),
        ("**No**, it is deleted in Step 3.", "No", "leading"),
        ("<think>Yes, no, not at all</think>\n\nNo", "No", "leading"),
        ("<think>a</think> <think>b</think>\\boxed{\\text{Yes}}", "Yes", "leading"),
        ('"Yes"', "Yes", "leading"),
        ("No\n\nYes", "No", "leading"),
        ("No, there is none", "No", "leading"),
        ("No it does not", "No", "leading"),
        ("No step interferes with the next.\n\nAnswer: No", "No", "labelled"),
        ("No longer needed.\nFinal answer: **Yes**", "Yes", "labelled"),
        ("The answer is: Yes, it is live.", "Yes", "labelled"),
        ("Answer: Yes. Wait.\n**Answer:** No, it is not.", "No", "labelled"),
        ("The fact does not last and so the answer is no", "No", "trailing"),
        ("The fact holds until Step 4, so yes.", "Yes", "trailing"),
        ("Yes, it is. Answer: Step 3 ends it, so no.", "No", "trailing"),
        ("Yes. The reason for this answer: Step 3 uses it.", "Yes", "leading"),
        ("It is not used again. Therefore:\n\n$\\boxed{\\text{No}}$", "No", "trailing"),
    ],
)
def test_verdicts(reply, value, rule):
    answer = reading.verdict(reply)
    assert (answer.value, answer.rule) == (value, rule)


@pytest.mark.parametrize(
    ("read", "draft"),
    [
        (reading.verdict, "Yes, it is live."),
        (reading.verdict, "Answer: Yes"),
        (reading.step_range, "after step 3 and before step 5"),
        (reading.time_range, "[10, 20]"),
        (lambda reply: reading.quantity(reply, "minutes"), "10 to 12 minutes"),
    ],
)
def test_no_draft_is_brought_back_where_the_last_answer_cannot_be_read(read, draft):
    assert read(draft) is not None
    for end in ("Answer: it depends.", "So, the final answer is: unclear", "**Answer:**"):
        assert read(f"{draft}\n\n{end}") is None


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "No longer available in Step 3.",
        "No step in this plan interferes with the next.",
        "Yes or no?",
        "Yes/No",
        "Please answer with yes or no",
        "The answer is not yes.",
        "Not yes",
        "The answer cannot be yes.",
        "I would not say **yes**",
        "It isn't a yes",
        "I know that nothing follows from this.",
        "<think>Yes",
        "Answer: the plan succeeds.",
        "There is nothing to say, noted.",
        "Noon",
    ],
)
def test_no_verdict(reply):
    assert reading.verdict(reply) is None


def steps(after=None, before=None):
    return {"after": after, "before": before}


@pytest.mark.parametrize(
    ("reply", "value", "rule"),
    [
        ("Between Step 2 and Step 5", steps(2, 5), "between"),
        ("between steps 2 and 5.", steps(2, 5), "between"),
        ("between step 2 (load(a, b)) and step 4 (drive(a, b, c))", steps(2, 4), "between"),
        ("Between Steps 1 and 2. No: between Steps 1 and 4.", steps(1, 4), "between"),
        ("After Step 4 and Before Step 6.", steps(4, 6), "between"),
        ("It comes before step 6 but after step 4.", steps(4, 6), "between"),
        ("After step 1 (board(c)), and before step 4 (sail(l))", steps(1, 4), "between"),
        ("After Step 2", steps(2), "after"),
        ("**After** Step 2: move(d1, d2, d3)", steps(2), "after"),
        ("After both Steps 1 and 2.", steps(2), "after"),
        ("after steps 4, 5, and 6", steps(6), "after"),
        ("Before Steps 4 and 5", steps(None, 4), "before"),
        ("Not after Step 1.\nAnswer: Before Step 5", steps(None, 5), "before"),
        ("No specific interval found based on immediate dependencies.", steps(), "unconstrained"),
        ("No constraint", steps(), "unconstrained"),
    ],
)
def test_step_ranges(reply, value, rule):
    answer = reading.step_range(reply)
    assert (answer.value, answer.rule) == (value, rule)


def test_the_step_asked_about_bounds_nothing():
    reply = "After Step 1, as this must happen before Step 2 can be executed."
    assert reading.step_range(reply, asked=2).value == steps(1)
    assert reading.step_range("Before Step 2", asked=2).value == steps(None, 2)


@pytest.mark.parametrize(
    "reply", ["", "Step 2: load", "Answer: 7", "After moving the disk", "soon"]
)
def test_no_step_range(reply):
    assert reading.step_range(reply) is None


@pytest.mark.parametrize(
    ("reply", "value", "rule"),
    [
        ("[89, 109]", [89, 109], "brackets"),
        ("First [1, 2], then [93, 114] seconds.", [93, 114], "brackets"),
        ("\\boxed{[154,\\ 189]}", [154, 189], "brackets"),
        ("[1,689, 2,065]", [1689, 2065], "brackets"),
        ("[62.5, 76]", [62.5, 76], "brackets"),
        ("Answer: between \\boxed{53} and \\boxed{66} seconds.", [53, 66], "x to y"),
        ("It takes 105 seconds to 130 seconds.", [105, 130], "x to y"),
        ("8-9 minutes", [480, 540], "x to y"),
    ],
)
def test_time_ranges(reply, value, rule):
    answer = reading.time_range(reply)
    assert (answer.value, answer.rule) == (value, rule)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "98 seconds",
        "[18-22, 38-42]",
        "[7-8 seconds, ...]",
        "from Step 7 to 12",
        "turn after 100 to 200 meters",
        "6 to 7 seconds for that.\nAnswer: 100",
    ],
)
def test_no_time_range(reply):
    assert reading.time_range(reply) is None


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("20 min.", 20, 20),
        ("10 to 12 minutes", 10, 12),
        ("10-15 minutes", 10, 15),
        ("8\u201310 minutes", 8, 10),
        ("between 8 and 10 minutes", 8, 10),
        ("1/2 hour", 30, 30),
        ("\u00bd hour", 30, 30),
        ("1 1/2 hours", 90, 90),
        ("1\u00bd hours", 90, 90),
        ("1-1/2 hours", 90, 90),
        ("1 to 1 1/2 hours", 60, 90),
        ("1 hour and 30 minutes", 90, 90),
        ("1 hour 15 minutes", 75, 75),
        ("45 minutes to 1 hour", 45, 60),
        ("1 hour to 1 hour and 15 minutes", 60, 75),
        ("half an hour", 30, 30),
        ("an hour and a half", 90, 90),
        ("30 seconds", 0.5, 0.5),
        ("overnight, or two days", 2880, 2880),
        ("between 10 minutes and 15 minutes", 10, 15),
    ],
)
def test_durations(text, low, high):
    answer = reading.quantity(text, "minutes")
    assert (answer.value["low"], answer.value["high"]) == pytest.approx((low, high))
    assert answer.value["unit"] == "minutes"


@pytest.mark.parametrize(
    ("reply", "unit", "value"),
    [
        ("Answer: 10 minutes, not 20 minutes", "minutes", (10, 10)),
        ("5 minutes, then 20 minutes", "minutes", (20, 20)),
        ("15 to 18 minutes or 3 minutes", "minutes", (3, 3)),
        ("15 minutes or 18 minutes", "minutes", (15, 18)),
        ("1 hour, 30 minutes", "minutes", (90, 90)),
        ("about 5 more minutes", "minutes", (5, 5)),
        (
            'The last time interval in Step 4 is "45 minutes", as 1 hour is too long',
            "minutes",
            (45, 45),
        ),
        ("Bake at 350 degrees F (175 degrees C) for 20 minutes", "F", (350, 350)),
        ("325 to 350\u00b0F", "degrees F", (325, 350)),
        ("Add 2 to 3 cups at 350 F", "cups", (2, 3)),
        ("1/4 teaspoon", "teaspoons", (0.25, 0.25)),
        ("3 cloves of garlic", "cloves", (3, 3)),
        ("[0, 20]", "minutes", (0, 20)),
    ],
)
def test_amounts(reply, unit, value):
    answer = reading.quantity(reply, unit)
    assert (answer.value["low"], answer.value["high"]) == value


@pytest.mark.parametrize(
    "reply",
    ["", "20", "350 degrees F", "10 m", "1 h", "a minuteman", "soon", "take a second board"],
)
def test_no_duration(reply):
    assert reading.quantity(reply, "minutes") is None


@given(st.integers(1, 99), st.integers(1, 99))
def test_what_is_written_is_read(low, high):
    answer = reading.quantity(f"{low} to {high} minutes", "minutes")
    assert (answer.value["low"], answer.value["high"]) == (low, high)
    assert reading.time_range(f"[{low}, {high}]").value == [low, high]
    assert reading.step_range(f"Between Step {low} and Step {high}").value == steps(low, high)


HOSTILE = [
    "yes " * 2_500_000,
    "[" * 10_000_000,
    "1 " * 5_000_000,
    "1 hour and " * 900_000,
    "between step 1 and " * 500_000,
    "after step 1, 2, " * 600_000,
    "answer: " * 1_200_000,
    "[1, 2" * 2_000_000,
    "\\boxed{" * 1_400_000,
    "\x00\ud800" * 5_000_000,
    "last time interval " * 500_000,
]


@pytest.mark.parametrize("reply", HOSTILE, ids=range(len(HOSTILE)))
def test_ten_megabytes_are_read(reply):
    for text in (reply, f"Yes{reply}", f"{reply}. Answer: No"):
        for read in (reading.verdict, reading.step_range, reading.time_range):
            read(text)
        reading.quantity(text, "minutes")
    assert reading.verdict(f"{reply}\nAnswer: No, not at all").value in ("Yes", "No")


@given(st.text(alphabet="0123456789-/, toandhurmisecyn[].:\u00bd", max_size=80))
def test_any_text_is_read_or_not_but_never_fails(text):
    reading.verdict(text)
    reading.step_range(text)
    reading.time_range(text)
    for unit in ("minutes", "F", "cups", "cloves"):
        reading.quantity(text, unit)
    amounts.first_amount(text)
