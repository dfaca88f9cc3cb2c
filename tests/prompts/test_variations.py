"""The truth as models write it who follow the prompt, but for its outer form, is correct."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import pytest

from tests.extra import offered
from tests.prompts.test_matrix import SPREAD
from thence import families
from thence.core.sample import Sample
from thence.core.score import Outcome
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts import template_loader
from thence.prompts.catalog import protocol
from thence.prompts.conversation import Conversation
from thence.scoring.judge import Response, judge

# Each form of answer; all tasks when long.
FORMS = {
    "procbench/sort",
    "procbench/count2",
    "procbench/find_cyclic",
    "releval/plan_generation",
    "releval/consistency",
    "releval/comparison",
    "catbench/order",
    *SPREAD,
}
OFFERED = [
    pytest.param(name, marks=[] if name in FORMS else pytest.mark.long)
    for name, task in families.tasks().items()
    if name in FORMS or not task.generator.unavailable(task.generator.configure({}))
]
TEMPLATES = template_loader.templates()
BESIDE = "Going through the steps in their order, this is what comes out."


@cache
def samples(name: str) -> tuple[Sample, ...]:
    return tuple(generate(Plan([name], seed=0, size=2 if name in offered() else 1), 1))


def check(name: str, asked: str, form: str | None, vary: Callable[[str], str]) -> None:
    task, settings = families.task(name), {"form": form} if form else {}
    chosen = protocol(asked, settings)
    for sample in samples(name):
        reply = Conversation(sample, task, chosen, TEMPLATES).write(
            task.format.write(sample.target)
        )
        varied = vary(reply)
        score = judge(Response(sample.id, response=varied), sample, task, chosen)
        assert score.outcome is Outcome.CORRECT, (asked, form, varied)
        shares = set(task.grader.metrics) - set(task.grader.counts)
        assert all(score.values[name] == 1 for name in shares & set(score.values)), varied


def fenced(reply: str) -> str:
    return f"```\n{reply}\n```"


WHOLE = {
    "as it is": lambda reply: reply,
    "blank lines around it": lambda reply: f"\n\n{reply}\n\n",
    "in a fence": fenced,
    "after thinking": lambda reply: f"<think>Yes? No: {{}}</think>\n\n{reply}",
    "lines of Windows": lambda reply: reply.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize("vary", WHOLE.values(), ids=WHOLE)
def test_direct(name: str, vary: Callable[[str], str]) -> None:
    check(name, "direct", None, vary)


def _object(reply: str) -> dict[str, object]:
    value: dict[str, object] = json.loads(reply)
    return value


def _with_string(reply: str) -> str:
    """The answer as a string that holds the JSON."""
    return json.dumps(
        {key: each if isinstance(each, str) else json.dumps(each)
         for key, each in _object(reply).items()}
    )  # fmt: skip


JSON = {
    **WHOLE,
    "laid out in lines": lambda reply: json.dumps(_object(reply), indent=2),
    "in a fence that says json": lambda reply: f"```json\n{json.dumps(_object(reply))}\n```",
    "keys the other way": lambda reply: json.dumps(dict(reversed(_object(reply).items()))),
    "an answer in a string": _with_string,
    "with a word before": lambda reply: f"Here is the JSON:\n\n{reply}",
    "with a word after": lambda reply: f"{reply}\n\nI hope that this helps.",
    "a comma too many": lambda reply: f"{reply[:-1]},}}",
}


@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize("asked", ["answer_then_explain", "explain_then_answer"])
@pytest.mark.parametrize("vary", JSON.values(), ids=JSON)
def test_json(name: str, asked: str, vary: Callable[[str], str]) -> None:
    check(name, asked, "json", vary)


def _bold(reply: str) -> str:
    for label in ("Answer 1:", "Answer 2:", "Explanation:", "Answer:"):
        reply = reply.replace(label, f"**{label}**")
    return reply


def _heading(reply: str) -> str:
    for label in ("Answer 1:", "Answer 2:", "Explanation:", "Answer:"):
        reply = reply.replace(label, f"### {label}\n\n")
    return reply


TEXT = {
    **WHOLE,
    "bold labels": _bold,
    "labels as headings": _heading,
    "small labels": lambda reply: reply.replace("Answer", "answer").replace("Expl", "expl"),
    "labels of final answers": lambda reply: reply.replace("Answer:", "Final Answer:"),
}


@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize(
    "asked", ["answer_then_explain", "explain_then_answer", "chain_of_thought"]
)
@pytest.mark.parametrize("vary", TEXT.values(), ids=TEXT)
def test_text(name: str, asked: str, vary: Callable[[str], str]) -> None:
    check(name, asked, None if asked == "chain_of_thought" else "text", vary)


@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize(
    ("asked", "form"),
    [("answer_then_explain", "json"), ("answer_then_explain", "text"),
     ("explain_then_answer", "json"), ("explain_then_answer", "text"),
     ("chain_of_thought", None)],
)  # fmt: skip
def test_an_answer_with_the_marks_of_a_whole_reply(
    name: str, asked: str, form: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As someone writes it who was asked without a protocol before."""
    task = families.task(name)
    chosen = protocol(asked, {"form": form} if form else {})
    for sample in samples(name):
        marked = task.format.write(sample.target)
        with monkeypatch.context() as patch:
            patch.setattr(type(task.format), "part", lambda _, reply: reply)
            reply = chosen.write(marked, BESIDE, task)
        score = judge(Response(sample.id, response=reply), sample, task, chosen)
        assert score.outcome is Outcome.CORRECT, (asked, form, reply)
