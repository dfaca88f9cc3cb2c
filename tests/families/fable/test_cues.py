"""The test of cues must itself be able to fail, and must not cry wolf."""

from __future__ import annotations

from random import Random

from tests.families.fable.cues import CEILING, strongest
from tests.families.fable.toy import lamp_tasks
from thence.core.sample import Sample
from thence.core.seeds import stream


def samples(analysis, size=800):
    task = lamp_tasks()[analysis]
    for cell in task.generator.arrange(task.generator.configure({}), size, 0):
        draft = task.generator.draw(cell, stream(task.full_name, "1-0", cell.parameters, 0, 0))
        metadata = {**draft.metadata, "question": draft.question}
        text = f"The steps.\n\nIs {draft.question['fact']}?\n\nAnswer."
        yield Sample("", "fable", task.full_name, "1-0", text, draft.target, metadata)


def test_what_a_step_does_to_the_lamp_asked_about_is_found():
    accuracy, cue = strongest(samples("taint"))
    assert accuracy > CEILING and "text i" in cue


def test_a_cell_whose_steps_say_nothing_passes():
    rng = Random(1)
    blank = (
        Sample(
            "", "fable", "", "1-0", each.input, each.target,
            {"question": each.metadata["question"], "procedure": {"steps": [{"text": ""}] * 6}},
        )
        for each in samples("taint")
    )  # fmt: skip
    accuracy, cue = strongest(blank, lambda _: {"chance": rng.randrange(10)})
    assert accuracy <= CEILING, cue


def test_every_leak_is_found():
    for leak in ("fact", "i", "wording"):
        leaky = []
        for each in samples("taint", 300):
            question = dict(each.metadata["question"])
            text = each.input
            if leak == "fact":
                question["fact"] = f"{each.target} lamp"
            elif leak == "i":
                question["i"] = int(each.target == "Yes")
            else:
                text = text.replace("Is", "Is" if each.target == "Yes" else "Would")
            metadata = {**each.metadata, "question": question}
            leaky.append(Sample("", "fable", "", "1-0", text, each.target, metadata))
        assert strongest(leaky)[0] > 0.95
