"""Answers and explanations as models write them, well and badly."""

from __future__ import annotations

from functools import cache

import pytest

from thence import families
from thence.core.relaxed_json import Meter
from thence.core.reply_text import concluded, keyed
from thence.core.sample import Sample
from thence.errors import UsageError
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts import template_loader
from thence.prompts.catalog import protocol
from thence.prompts.conversation import Conversation
from thence.prompts.wording import how_to_answer
from thence.scoring.judge import CONTRADICTS, Response, judge

TASK = families.task("procbench/count")


def sample() -> Sample:
    return next(iter(generate(Plan(["procbench/count"], size=1), 1)))


def part(reply: str, name: str = "answer_then_explain", form: str = "json") -> str:
    return protocol(name, {"form": form}).answer_part(reply, TASK)


@pytest.mark.parametrize(
    "reply",
    [
        '{"answer": "yes", "why_answer": "because"}',
        '{"why_answer": "because", "answer": "yes"}',
        'Here it is:\n```json\n{"answer": "yes", "why_answer": "because"}\n```\nDone.',
        '{"answer": "yes", "why_answer": "because",}',
        '{"answer": "yes", "why_answer": "because it is cut o',
        "{'answer': 'yes', 'why_answer': 'because'}",
        '<think>{"answer": "no", "why_answer": ""}</think>{"answer": "yes", "why_answer": ""}',
        '{"answer": true, "why_answer": "because"}',
        'I first thought {"answer": "no"} but now {"answer": "yes", "why_answer": "because"}',
        "Answer 1: yes\nAnswer 2: because",
        "**Answer:** yes\n\n**Explanation:** because",
        "yes",
    ],
)
def test_the_answer_is_found(reply):
    assert part(reply) == "yes"


def test_the_text_form_has_its_parts_in_either_order():
    first = protocol("answer_then_explain", {"form": "text"})
    second = protocol("explain_then_answer", {"form": "text"})
    told = "Answer 1: yes\nAnswer 2: since\nAnswer: no stands in a book"
    assert first.answer_part(told, TASK) == "yes"
    assert first.explanation(told, TASK) == "since\nAnswer: no stands in a book"
    told = "Explanation: one might say\nAnswer: no\nbut then again\nAnswer: yes"
    assert second.answer_part(told, TASK) == "yes"
    assert second.explanation(told, TASK) == "one might say\nAnswer: no\nbut then again"


def test_an_answer_that_is_not_what_its_explanation_comes_to_is_counted():
    held = sample()
    right = TASK.format.write(held.target)
    wrong = TASK.format.write({"intermediate": [], "final": 99})
    chosen = protocol("answer_then_explain")
    for why, contradicts in (
        (f"It follows that the answer is {right}", 0.0),
        (f"It follows that the answer is {wrong}", 1.0),
        ("It follows.", 0.0),
    ):
        reply = chosen.write(right, why, TASK)
        score = judge(Response(held.id, response=reply), held, TASK, chosen)
        assert score.correct
        assert score.values[CONTRADICTS] == contradicts


def test_the_end_of_an_explanation():
    assert concluded("The answer is no. But no: the answer is **yes**\nIndeed") == "yes**"
    assert concluded("nothing") is None
    assert concluded("İ the answer is yes") in {"yes", None}


@pytest.mark.parametrize(
    "text", ['{"answer":' * 3000, '"answer"' * 20000, "{" * 100_000, '{"' * 50_000]
)
def test_looking_for_a_key_is_linear(text):
    meter = Meter()
    keyed(text, "answer", meter)
    assert meter.work <= 40 * len(text) + 5000


@pytest.mark.parametrize(
    ("name", "settings", "says"),
    [
        ("answer_then_explain+explain_then_answer", {}, "do not go together"),
        ("chain_of_thought+answer_then_explain", {}, "do not go together"),
        ("few_shot+few_shot", {}, "stands twice"),
        ("few_shot", {"k": "0"}, "from 1 to"),
        ("few_shot", {"pool": "0"}, "from 1 to"),
        ("answer_then_explain", {"form": "xml"}, "json or text"),
    ],
)
def test_what_cannot_be_asked_is_refused(name, settings, says):
    with pytest.raises(UsageError, match=says):
        protocol(name, settings)


FORMS = ["procbench/sort", "releval/comparison", "releval/consistency", "catbench/order"]


@pytest.mark.parametrize("name", [*FORMS, "releval/plan_generation", "fable/routes/taint"])
@pytest.mark.parametrize("asked", ["answer_then_explain", "explain_then_answer"])
def test_no_prompt_asks_for_an_explanation_and_for_none(name, asked):
    templates = template_loader.templates()
    task = families.task(name)
    told = how_to_answer(task, templates.render, part=True)
    whole = how_to_answer(task, templates.render)
    for form in ("json", "text"):
        chosen = protocol(asked, {"form": form})
        [message] = Conversation(one(name), task, chosen, templates).messages
        assert message["content"].endswith(told)
        assert whole not in message["content"]
        for words in ("without any explanation", "nothing after", "End your reply", "OUTPUT"):
            assert words not in message["content"]


@cache
def one(name: str) -> Sample:
    return next(iter(generate(Plan([name], size=1), 1)))


@pytest.mark.parametrize(
    ("name", "form", "reply", "outcome"),
    [
        ("releval/comparison", "json", '{"answer": "ANSWER", "why_answer": "cut o', "correct"),
        ("releval/comparison", "json", '{"answer": "ANSWER', "truncated"),
        ("releval/comparison", "text", "Answer 1: ANSWER\nAnswer 2: cut o", "correct"),
        ("releval/comparison", "text", "Answer 1: ANSWER", "truncated"),
        ("catbench/order", "json", '{"binary_answer": "ANSWER", "why_answer": "cut o', "correct"),
    ],
)
def test_an_answer_that_is_whole_stands_where_the_explanation_is_cut_off(
    name, form, reply, outcome
):
    held, task = one(name), families.task(name)
    said = reply.replace("ANSWER", held.target)
    response = Response(held.id, response=said, finish_reason="length")
    chosen = protocol("answer_then_explain", {"form": form})
    assert judge(response, held, task, chosen).outcome == outcome


def test_true_and_false_in_json_are_what_the_task_calls_them():
    chosen = protocol("explain_then_answer")
    for name, right in (("releval/comparison", "True"), ("fable/routes/taint", "Yes")):
        held, task = one(name), families.task(name)
        reply = '{"why_answer": "so", "answer": true}'
        assert task.format.read(chosen.answer_part(reply, task), task.question(held)).value == right
