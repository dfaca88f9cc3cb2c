from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.extra import known, offered
from thence import families
from thence.core.parameters import Parameter
from thence.core.sample import Sample
from thence.core.task import Task
from thence.errors import ParameterError, UsageError
from thence.generation.few_shot_pool import Examples
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts import catalog, template_loader
from thence.prompts.catalog import protocol, protocols
from thence.prompts.conversation import Conversation
from thence.prompts.protocol import Protocol
from thence.prompts.wording import Prompt, Render, first_prompt, how_to_answer

TASKS = offered()


def sample(name: str = "procbench/sort") -> Sample:
    return next(iter(generate(Plan([name], size=1, settings=known(name, steps="4")), 1)))


def talk(
    name: str, held: Sample | None = None, folder: Path | None = None, **settings: str
) -> Conversation:
    held = held or sample()
    templates = template_loader.templates(folder)
    asked = protocol(name, settings).bound(Examples(templates))
    return Conversation(held, families.task(held.task), asked, templates)


def texts(conversation: Conversation) -> list[str]:
    return [message["content"] for message in conversation.messages]


# Those that there are ---------------------------------------------------------------------------


def test_each_is_found_under_its_name() -> None:
    found = protocols()
    assert {"direct", "are_you_sure"} <= found.keys()
    for name, each in found.items():
        assert each.name == name
        assert each.summary
        assert protocol(name).turns == each.turns


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", protocols())
def test_any_protocol_serves_any_task(task: str, name: str) -> None:
    settings = {"k": "2", "pool": "8"} if name == "few_shot" else {}
    held = sample(task)
    given = families.task(task)
    needs = {"with_proof": given.proofs, "formalize": given.forms, "feedback": given.critic}
    if name in needs and needs[name] is None:
        with pytest.raises(ParameterError, match=r"has no proofs|about no procedure|nothing tells"):
            protocol(name, settings).check(lambda: [held])
        return
    if name in {"with_proof", "formalize"} and task in {
        "fable/routes/intervals",
        "fable/recipes/intervals",
    }:
        with pytest.raises(ParameterError, match="an amount has no proof"):
            talk(name, held)
        return
    conversation = talk(name, held, **settings)
    shown = ["user", "assistant"] * (2 if name == "few_shot" else 0)
    heard = 0
    while conversation.hear(f"reply {heard}"):
        heard += 1
        assert conversation.messages[-1]["role"] == "user"
    assert heard == protocols()[name].turns
    roles = [message["role"] for message in conversation.messages]
    assert roles == shown + ["user", "assistant"] * heard + ["user"]


def test_direct_is_the_samples_own_input() -> None:
    held = sample()
    assert texts(talk("direct", held)) == [held.input]
    assert talk("direct", held).hear("done") is False


def test_a_sample_keeps_its_words_where_templates_have_changed(tmp_path: Path) -> None:
    (tmp_path / "procbench").mkdir()
    (tmp_path / "procbench" / "sort.jinja").write_text("other words: {{ string }}")
    held = sample()
    assert texts(talk("direct", held, tmp_path)) == [held.input]
    with pytest.raises(UsageError, match="was worded by other templates"):
        talk("are_you_sure", held, tmp_path)


@pytest.mark.parametrize("task", TASKS)
def test_are_you_sure_asks_again_in_full(task: str) -> None:
    held = sample(task)
    conversation = talk("are_you_sure", held)
    assert texts(conversation) == texts(talk("direct", held))
    assert conversation.hear("<think>Hm.</think> It is this.") is True
    first, reply, second = texts(conversation)
    assert first == held.input
    assert reply == "It is this."
    render = template_loader.templates().render
    instruction = how_to_answer(families.task(task), render)
    assert first.endswith(instruction)
    assert second.endswith(instruction)
    assert "sure" in second.removesuffix(instruction)
    assert conversation.hear("Still this.") is False
    assert len(conversation.messages) == 3


def test_what_the_first_reply_was_makes_no_difference() -> None:
    asked = set()
    for reply in ("right", "wrong", "", "<think>cut off", "\ud800\0", "{" * 1000):
        conversation = talk("are_you_sure")
        conversation.hear(reply)
        asked.add(texts(conversation)[-1])
        assert texts(conversation)[1] == reply or reply.startswith("<think>")
    assert len(asked) == 1


# Composition ------------------------------------------------------------------------------------


class Mark(Protocol):
    """Puts its word behind the question, asks on with it, and takes it off the answer."""

    def __init__(self, name: str, turns: int = 0, times: int = 1) -> None:
        self.name, self.turns, self.times = name, turns, times

    parameters = (Parameter("times", "1", "how often", int),)

    def configured(self, values: Mapping[str, Any]) -> Protocol:
        return Mark(self.name, self.turns, values["times"])

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        return prompt.with_(question=prompt.question + f" {self.name}" * self.times)

    def follow_up(self, prompt: Prompt, replies: Sequence[str], render: Render) -> str:
        return f"{self.name} after {len(replies)}"

    def answer_part(self, reply: str, task: Task) -> str:
        return f"{self.name}({reply})"


@pytest.fixture
def marks(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**protocols(), "a": Mark("a", 1), "b": Mark("b"), "c": Mark("c", 2)}
    monkeypatch.setattr(catalog, "protocols", lambda: known)


@pytest.mark.usefixtures("marks")
def test_parts_shape_and_ask_one_after_the_other() -> None:
    conversation = talk("a+b+c")
    first = texts(conversation)[0]
    assert " a b c\n" in first
    while conversation.hear("r"):
        pass
    assert texts(conversation)[2::2] == ["a after 1", "c after 1", "c after 2"]
    assert protocol("a+b+c").turns == 3
    assert protocol("a+b+c").name == "a+b+c"
    assert " c b a\n" in texts(talk("c+b+a"))[0]


@pytest.mark.usefixtures("marks")
def test_the_last_wrapper_is_unwrapped_first() -> None:
    held = sample()
    task = families.task(held.task)
    assert protocol("a+b").answer_part("x", task) == "a(b(x))"
    assert protocol("direct+a").answer_part("x", task) == "a(x)"


@pytest.mark.usefixtures("marks")
def test_a_part_may_come_twice_and_direct_adds_nothing() -> None:
    assert protocol("are_you_sure+are_you_sure").turns == 2
    assert texts(talk("direct+a")) == texts(talk("a")) == texts(talk("a+direct"))
    with pytest.raises(IndexError, match="1 further turns"):
        protocol("a").follow_up(None, ["1", "2"], template_loader.templates().render)


@pytest.mark.usefixtures("marks")
def test_templates_of_all_parts_count() -> None:
    assert protocol("b+are_you_sure").templates == ("protocols/direct", "protocols/are_you_sure")
    assert protocol("direct").templates == ("protocols/direct",)


# Settings and errors ----------------------------------------------------------------------------


@pytest.mark.usefixtures("marks")
def test_a_setting_changes_the_parts_that_have_it() -> None:
    assert " a a a\n" in texts(talk("a", times="3"))[0]
    assert " a a b b\n" in texts(talk("a+b", times="2"))[0]
    assert " a\n" in texts(talk("a"))[0]


@pytest.mark.usefixtures("marks")
@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("nope", {}, "protocol=nope: unknown protocol 'nope'"),
        ("", {}, "unknown protocol ''"),
        ("direct+", {}, "protocol=direct.: unknown protocol ''"),
        ("direct+nope", {}, "unknown protocol 'nope'"),
        ("are_you_shure", {}, "did you mean 'are_you_sure'"),
        ("Direct", {}, r"known: .*are_you_sure, .*direct"),
        ("direct", {"times": "2"}, "times: .*it has: none"),
        ("a", {"time": "2"}, "time: .*it has: times"),
        ("a", {"times": "two"}, "times=two: "),
    ],
)
def test_what_cannot_be_is_one_line(name: str, settings: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        protocol(name, settings)
    assert "\n" not in str(caught.value)


def test_a_wrapper_of_ones_own_is_no_part_of_the_question(tmp_path: Path) -> None:
    (tmp_path / "protocols").mkdir()
    (tmp_path / "protocols" / "direct.jinja").write_text("{{ question }}\n\nNow: {{ instruction }}")
    plan = Plan(["procbench/sort"], size=1, templates=tmp_path)
    [held] = generate(plan, 1)
    templates = template_loader.templates(tmp_path)
    question = first_prompt(held, families.task(held.task), templates.render).question
    assert held.input.startswith(f"{question}\n\nNow: ")
    assert "Now:" not in question
