"""The protocol formalize: our own form answers every question, and tells reading from reasoning."""

from __future__ import annotations

import copy
import json

import pytest

import thence
from thence import families
from thence.core.sample import Sample
from thence.errors import ParameterError
from thence.families.catbench.questions import OrderForms

CELLS = ["catbench/order", "fable/recipes/taint", "fable/recipes/type_state"]


def sample_of(task: str) -> Sample:
    return thence.generate(task, size=4 if task.startswith("fable") else 6)[0]


def judged(sample: Sample, answer: object, form: object) -> dict[str, float]:
    key = families.task(sample.task).format.answer_key
    reply = json.dumps({key: answer, "procedure": form})
    return dict(thence.score_reply(sample, reply, protocol="formalize").values)


@pytest.mark.parametrize("task", CELLS)
def test_the_form_of_the_sample_itself_gives_the_truth(task: str) -> None:
    for sample in thence.generate(task, size=12):
        reply = thence.conversation(sample, "formalize").write(thence.answer(sample))
        score = thence.score_reply(sample, reply, protocol="formalize")
        assert score.correct
        assert [score.values[name] for name in ("solved", "read_wrong", "reasoned_wrong")] == [
            1, 0, 0
        ]  # fmt: skip


def test_what_was_read_wrong_and_what_was_reasoned_wrong_are_told_apart() -> None:
    sample = next(each for each in thence.generate("catbench", size=12) if each.target == "yes")
    form = families.task(sample.task).forms.write(sample)  # type: ignore[union-attr]
    lost = {**copy.deepcopy(form), "order": []}
    assert judged(sample, "yes", form) == {"solved": 1, "read_wrong": 0, "reasoned_wrong": 0}
    assert judged(sample, "no", form) == {"solved": 1, "read_wrong": 0, "reasoned_wrong": 1}
    assert judged(sample, "no", lost) == {"solved": 0, "read_wrong": 1, "reasoned_wrong": 0}
    assert judged(sample, "yes", lost) == {"solved": 0, "read_wrong": 1, "reasoned_wrong": 0}


def test_a_form_that_fails_without_a_word_is_read_wrong() -> None:
    class Failing(OrderForms):
        def solve(self, form: object, sample: Sample) -> str:
            raise ValueError

    found = Failing().judge({}, "yes", sample_of("catbench/order"), lambda _: True)
    assert found == ({"solved": 0.0, "read_wrong": 1.0, "reasoned_wrong": 0.0}, "")


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (None, "There is no procedure in the form"),
        ({"steps": "none"}, "There is no procedure in the form"),
        ({"order": [[1, 2], [2, 1]]}, "the order is cyclic"),
        ({"order": [[1, 99]]}, "unknown step 'step 99'"),
        ({"last": {"when": {"a": "b"}}}, "unknown choice 'a'"),
        ({"last": {"step": 99}}, "names a step 99; steps are 1 to "),
        ({"steps": [1, 2, 3]}, "holds 1, which describes no step"),
        ({"last": {"step": 1}}, "describes step 1 twice"),
        ({"steps": [{"step": 1}]}, "says nothing of steps 2, 3, "),
    ],
)
def test_a_form_that_is_none_is_read_wrong_and_says_why(form: object, said: str) -> None:
    sample = sample_of("catbench/order")
    if isinstance(form, dict) and "steps" not in form:
        count = len(sample.metadata["procedure"]["steps"])
        steps = [{"step": number} for number in range(1, count + 1)]
        form = {"steps": [*steps[:-1], {**steps[-1], **form.get("last", {})}], **form}
    key = families.task(sample.task).format.answer_key
    reply = json.dumps({key: sample.target, "procedure": form})
    score = thence.score_reply(sample, reply, protocol="formalize")
    assert score.correct
    assert score.values["read_wrong"] == 1
    if form is not None:
        assert said in str(score.explanation)


def test_facts_go_by_the_words_of_the_reply() -> None:
    """No fact of the reply needs to be called as ours is."""
    found = (each for each in thence.generate("fable/recipes/live_variables", size=8))
    sample = next(each for each in found if each.metadata["question"]["fact"])
    form = json.dumps(families.task(sample.task).forms.write(sample))  # type: ignore[union-attr]
    fact = sample.metadata["question"]["fact"]
    renamed = json.loads(form.replace(json.dumps(fact), '"the thing"'))
    assert renamed["fact"] == "the thing"
    assert judged(sample, sample.target, renamed)["solved"] == 1
    assert judged(sample, sample.target, {**renamed, "fact": "another"})["solved"] == 0


def test_only_questions_about_procedures_are_asked() -> None:
    for task in ("procbench/sort", "releval/comparison"):
        with pytest.raises(ParameterError, match="asks about no procedure whose form"):
            thence.conversation(thence.generate(task, size=1)[0], "formalize")
    with pytest.raises(ParameterError, match="do not go together"):
        thence.conversation(sample_of("catbench/order"), "formalize+with_proof")


def test_feedback_tells_where_the_form_and_the_answer_differ() -> None:
    sample = next(each for each in thence.generate("catbench", size=12) if each.target == "yes")
    talk = thence.conversation(sample, "formalize+feedback")
    form = families.task(sample.task).forms.write(sample)  # type: ignore[union-attr]
    assert talk.hear(json.dumps({"binary_answer": "no", "procedure": form}))
    assert "By what it says of the steps, the answer is yes." in talk.messages[-1]["content"]


def test_an_empty_start_says_that_nothing_holds() -> None:
    found = []
    for sample in thence.generate("fable/plans/type_state", size=12):
        if sample.target == "Yes":
            form = families.task(sample.task).forms.write(sample)  # type: ignore[union-attr]
            assert judged(sample, "Yes", form)["solved"] == 1
            found.append(judged(sample, "Yes", {**form, "start": []})["read_wrong"])
    assert 1 in found  # its step lacks what held at the start
