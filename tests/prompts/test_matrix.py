"""Every protocol on every task: a perfect model scores 1, a wrong one does not."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from tests.extra import offered
from thence import families
from thence.core.sample import Sample
from thence.core.score import Outcome
from thence.generation.few_shot_pool import Examples
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts import template_loader
from thence.prompts.catalog import protocol
from thence.prompts.conversation import Conversation
from thence.scoring.judge import CONTRADICTS, Response, judge

TEMPLATES = template_loader.templates()
EXAMPLES = Examples(TEMPLATES)
SMALL = {"k": "2", "pool": "12"}
ASKED = [
    ("direct", {}),
    ("answer_then_explain", {}),
    ("answer_then_explain", {"form": "text"}),
    ("explain_then_answer", {}),
    ("explain_then_answer", {"form": "text"}),
    ("chain_of_thought", {}),
    ("few_shot", SMALL),
    ("few_shot+chain_of_thought+are_you_sure", SMALL),
    ("few_shot+explain_then_answer", SMALL),
    ("answer_then_explain+are_you_sure", {}),
]
QUICK = offered()
# Of FABLE, whose samples cost more to make, each domain and form of answer; all of it when long.
SPREAD = [
    f"fable/{name}"
    for name in (
        "plans/intervals",
        "routes/intervals",
        "routes/taint",
        "recipes/intervals",
        "recipes/concurrency",
    )
]
SLOW = [
    name
    for name, task in families.tasks().items()
    if name not in QUICK and not task.generator.unavailable(task.generator.configure({}))
]
OFFERED = [
    *QUICK,
    *(pytest.param(each, marks=[] if each in SPREAD else pytest.mark.long) for each in SLOW),
]


@cache
def samples(name: str) -> tuple[Sample, ...]:
    return tuple(generate(Plan([name], seed=0, size=2 if name in QUICK else 1), 1))


def of_task(name: str, settings: dict[str, str]) -> dict[str, str]:
    """The settings with a pool that the task fills at once."""
    return settings if name in QUICK or "pool" not in settings else {"k": "1", "pool": "4"}


@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize(("asked", "settings"), ASKED, ids=str)
def test_the_truth_in_the_form_asked_for_is_correct(name, asked, settings):
    task = families.task(name)
    chosen = protocol(asked, of_task(name, settings)).bound(EXAMPLES)
    for sample in samples(name):
        conversation = Conversation(sample, task, chosen, TEMPLATES)
        for _ in range(chosen.turns + 1):
            reply = conversation.write(task.format.write(sample.target))
            score = judge(Response(sample.id, response=reply), sample, task, chosen)
            assert score.outcome is Outcome.CORRECT, (asked, reply)
            assert not score.values.get(CONTRADICTS)
            more = conversation.hear(reply)
        assert not more


@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize(("asked", "settings"), ASKED[1:6], ids=str)
def test_a_wrong_answer_with_the_right_explanation_is_wrong(name, asked, settings):
    task = families.task(name)
    chosen = protocol(asked, settings)
    for sample in samples(name):
        said = task.format.write(task.checks.perturb(sample, Random(1)))
        reply = chosen.write(said, task.explainer.explain(sample), task)
        score = judge(Response(sample.id, response=reply), sample, task, chosen)
        assert score.outcome is Outcome.WRONG, (asked, reply)
        if task.explainer.explain(sample):
            assert score.explanation == task.explainer.explain(sample)


@pytest.mark.parametrize("name", OFFERED)
def test_examples_are_of_other_procedures_and_of_another_seed(name):
    task = families.task(name)
    settings = of_task(name, {"k": "3", "pool": "12"})
    chosen = protocol("few_shot", settings).bound(EXAMPLES)
    for sample in samples(name):
        messages = Conversation(sample, task, chosen, TEMPLATES).messages
        assert [each["role"] for each in messages] == ["user", "assistant"] * int(settings["k"]) + [
            "user"
        ]
        assert sample.input not in [each["content"] for each in messages[:-1]]
        assert messages[-1]["content"] == sample.input
