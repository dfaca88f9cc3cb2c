"""Reading yes and no out of replies as models write them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thence import families
from thence.core.relaxed_json import Meter
from thence.core.sample import Sample
from thence.families.catbench.questions import question_metadata
from thence.families.catbench.reading import read_verdict
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response, judge

JSON = '{"binary_answer": "%s", "why_answer": "%s"}'

# (reply to "Must Step 3 happen before Step 7?", what it says, the rule that reads it)
READ = [
    ("yes", "yes", "word"),
    ("No", "no", "word"),
    ("Yes.", "yes", "word"),
    ("**No**.", "no", "word"),
    ('"No"', "no", "word"),
    ("\\boxed{yes}", "yes", "word"),
    ("<think>Surely yes.</think>\nno", "no", "word"),
    (JSON % ("yes", "no other step makes it"), "yes", "json"),
    ("```json\n" + JSON % ("no", "Yes, one could think so") + "\n```", "no", "json"),
    ('{"why_answer": "They are independent, so no.", "binary_answer": "yes"}', "yes", "json"),
    (JSON % ("Yes, it must", "the dough"), "yes", "json"),
    ('{"binary answer": true}', "yes", "json"),
    ('{"answer": "NO."}', "no", "json"),
    ('{"answers": [{"Answer": "no"}]}', "no", "json"),
    (JSON % ("yes", "a") + "\n" + JSON % ("no", "b"), "no", "json"),
    (JSON % ("The dough of Step 3 is needed.", "yes"), "yes", "json_swapped"),
    (JSON % ("", "They share nothing, so the answer is no."), "no", "json_explanation"),
    ('{"why_answer": "No, they share nothing."}', "no", "json_explanation"),
    ('{"binary_answer": "no", "why_answer": "x",}', "no", "json"),
    ('{"answer": "yes"}\nWait, they share nothing.\nFinal answer: No', "no", "labelled"),
    ("{'binary_answer': 'No', 'why_answer': 'it isn't'}", "no", "json_broken"),
    ('{"binary_answer": "no", "why_answer": "cut o', "no", "json_broken"),
    ("Answer 1: no\nAnswer 2: Yes, one could think so", "no", "labelled"),
    ("Step 3 makes the dough.\n\n**Answer:** Yes", "yes", "labelled"),
    ("Final answer:\nno", "no", "labelled"),
    ("The dough is made in Step 3. Therefore, the answer is **yes**.", "yes", "concluded"),
    ("Both could be done first. So no, it need not.", "no", "concluded"),
    ("Yes and no at first sight, but the answer is no.", "no", "concluded"),
    ("No, Step 3 does not need to happen before Step 7.", "no", "opening"),
    ("Yes, Step 3 must happen before Step 7. There is no way around it.", "yes", "opening"),
    ("No - they share nothing.", "no", "opening"),
    ("No Step 3 does not.", "no", "opening"),
    ("Step 3 does not need to happen before Step 7.", "no", "statement"),
    ("Step 3 doesn\u2019t have to occur before Step 7", "no", "statement"),
    ("It is not necessary for Step 3 to happen before Step 7.", "no", "statement"),
    ("Step 7 must happen after Step 3, as it takes its dough.", "yes", "statement"),
    ("Step 7 cannot happen before Step 3.", "yes", "statement"),
    ("Step 7 can only happen after Step 3.", "yes", "statement"),
    ("Step 7 can't be done until Step 3 is done.", "yes", "statement"),
    ("Step 3 can be done before or after Step 7.", "no", "statement"),
    ("No other step makes it, hence Step 3 must happen before Step 7.", "yes", "statement"),
    ("No doubt, Step 3 must happen before Step 7.", "yes", "statement"),
    ("It is not the case that Step 3 must happen before Step 7.", "no", "statement"),
    ("It is not true that Step 3 must happen before Step 7.", "no", "statement"),
    ("There is no requirement that Step 3 must happen before Step 7.", "no", "statement"),
    ("I do not think so at first, but Step 3 must happen before Step 7.", "yes", "statement"),
    ("I don't think Step 3 must happen before Step 7.", "no", "statement"),
    ("Must Step 3 happen before Step 7? Yes", "yes", "mentioned"),
    ("The steps share nothing. **No**", "no", "mentioned"),
]

UNREAD = [
    "",
    " \n",
    "I cannot tell.",
    "[ERROR] 504 Deadline Exceeded",
    "[ERROR] no answer",
    "Yes. No.",
    "yes, no",
    "Yes or no? Hard to say.",
    "Answer: Yes/No",
    "Answer: Yes or No",
    "So the answer is yes or no?",
    "Must Step 3 happen before Step 7?",
    "Step 12 must happen before Step 7.",
    "Step 3 must happen before Step 17.",
    "Step 7 must happen before Step 3.",
    "There is no way to know.",
    "No other step does this.",
    "yesterday",
    "<think>yes",
    JSON % ("maybe", "who knows"),
    "Notes: none",
    "\x00\ud800",
]


@pytest.mark.parametrize(("reply", "says", "rule"), READ)
def test_a_reply_says(reply: str, says: str, rule: str) -> None:
    found = read_verdict(reply, 3, 7)
    assert found is not None
    assert (found.value, found.rule) == (says, rule)


@pytest.mark.parametrize("reply", UNREAD)
def test_a_reply_that_says_nothing_is_not_read(reply: str) -> None:
    assert read_verdict(reply, 3, 7) is None


def test_only_what_the_prompt_asked_for_survives_a_cut() -> None:
    delimited = {rule: found.delimited for _, _, rule in READ if (found := _read(rule))}
    assert {rule for rule, kept in delimited.items() if kept} == {
        "word", "json", "json_swapped", "labelled", "opening",
    }  # fmt: skip


def _read(rule: str) -> object:
    return read_verdict(next(reply for reply, _, name in READ if name == rule), 3, 7)


PIECES = [
    "yes", "no", "answer", ":", '"', "{", "}", "step 3", " step 7 ", "must", " not ", "before ",
    "after ", "\n", "**", "because", "<think>", "</think>", "\x00", "\ud800", "\u0130", ".", "?",
    ", ", "why_answer",
]  # fmt: skip
PLAIN = [piece for piece in PIECES if "think" not in piece]


@given(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.integers(1, 9),
    st.integers(1, 9),
)
def test_any_text_is_read_without_a_fault(reply: str, earlier: int, later: int) -> None:
    found = read_verdict(reply, earlier, later)
    assert found is None or found.value in ("yes", "no")


@given(st.sampled_from(["yes", "no"]), st.lists(st.sampled_from(PLAIN)).map("".join))
def test_json_with_any_explanation_is_read(answer: str, why: str) -> None:
    for pairs in (
        {"binary_answer": answer, "why_answer": why},
        {"why_answer": why, "answer": answer},
    ):
        found = read_verdict("Here it is:\n" + json.dumps(pairs), 3, 7)
        assert found is not None
        assert (found.value, found.rule) == (answer, "json")


BLOCKS = [
    "{",
    '{"answer":',
    "step 3 ",
    "answer: ",
    "no, ",
    "\n",
    '"answer"',
    "[",
    "step 3 must ",
    "yes? ",
]


@pytest.mark.parametrize("block", BLOCKS)
def test_work_is_linear_in_the_reply(block: str) -> None:
    works = []
    for size in (20_000, 80_000):
        meter = Meter()
        read_verdict(block * (size // len(block)), 3, 7, meter)
        works.append(meter.work / size)
    assert works[1] <= 1.5 * works[0] + 40


@pytest.mark.parametrize(
    ("reply", "says", "rule"),
    [
        (JSON % ("no", "They share nothing."), "no", "word"),
        ('{"why_answer": "x", "binary_answer": "Yes."}', "yes", "word"),
        (JSON % ("The dough is needed.", "yes"), "yes", "json_swapped"),
        (JSON % ("", "They share nothing, so the answer is no."), "no", "json_explanation"),
        ('{"binary_answer": "no", "why_answer": "x",}', "no", "word"),
        ("Answer 1: no\nAnswer 2: They share nothing.", "no", "word"),
        ("No, they share nothing.", "no", "opening"),
        (JSON % ("maybe", "who knows"), None, None),
    ],
)
def test_answers_with_explanations_are_read(reply: str, says: str | None, rule: str | None) -> None:
    metadata = question_metadata("dish", 2, 6, "before", "NONDEP")
    sample = Sample("x", "catbench", "catbench/order", "1-0", "", "no", metadata)
    task = families.task("catbench/order")
    asked = protocol("answer_then_explain")
    found = judge(Response("x", response=reply), sample, task, asked)
    assert (found.answer, found.rule) == (says, rule)
    if says is not None and reply.startswith("{"):
        assert found.explanation
