"""Texts read into procedures: by a model that answers rightly, wrongly or in garbage, and rules."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import refused, thence
from tests.fake_endpoint import Answer, FakeEndpoint, Status
from thence.api.extract import extract
from thence.errors import ParameterError, ProviderError
from thence.procedures import analyze, read_document
from thence.procedures.own_files import documents

TEXT = """Tea

You need water and leaves. A lid helps.

Boil the  water. Pour it over the
leaves, and wait for 5 minutes. Drink the tea.
"""
STEPS = {
    "goal": "Make tea",
    "steps": [
        {"name": "boil", "words": "Boil the water."},
        {"name": "pour", "words": "Pour it over the leaves, and wait for 5 minutes."},
        {"name": "drink", "words": "Drink the tea"},
    ],
}


def fact(name: str, words: str, *, sure: bool = True) -> dict[str, Any]:
    return {"fact": name, "words": words, "sure": sure}


def links(**changes: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {role: [] for role in ("kills", "after", "when", "duration")}
    steps = [
        {**nothing, "number": 1, "uses": [fact("water", "water")],
         "defines": [fact("hot water", "Boil")]},
        {**nothing, "number": 2, "uses": [fact("hot water", "it"), fact("leaves", "leaves")],
         "defines": [fact("tea", "wait", sure=False)],
         "duration": [{"time": "5 min", "words": "for 5 minutes", "sure": True}]},
        {**nothing, "number": 3, "uses": [fact("tea", "the tea")], "defines": []},
    ]  # fmt: skip
    row = {"start": ["water", "leaves"], "results": ["tea"], "choices": [], "steps": steps}
    return row | changes


class Fake:
    """A model that gives some replies, and writes down what it was told."""

    def __init__(self, *replies: Any) -> None:
        self.replies = [r if isinstance(r, str) else json.dumps(r) for r in replies]
        self.asked: list[list[dict[str, str]]] = []

    def __call__(self, messages: list[dict[str, str]]) -> str:
        self.asked.append(messages)
        return self.replies[min(len(self.asked), len(self.replies)) - 1]


@pytest.fixture
def tea(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "tea.md"
    path.write_text(TEXT)
    return path


def test_a_right_answer_becomes_a_procedure_whose_entries_point_at_their_words(tea: Path) -> None:
    model = Fake(STEPS, links())
    (found,) = extract(tea, model, out="out")
    assert (found.problem, found.unsure) == ("", ("step 2: defines tea",))
    assert len(model.asked) == 2
    document = read_document(Path("out/tea.yaml"))
    form, text = document.form, Path("out/tea.txt").read_text()
    assert form is not None
    assert text == TEXT
    assert document.unreviewed
    pour = form.steps[1]
    assert (pour.name, pour.text) == ("pour", "Pour it over the leaves, and wait for 5 minutes.")
    said = {
        (role, entry): text[span.start : span.end]
        for role, entries in pour.spans.items()
        for entry, span in entries.items()
    }
    assert said == {
        ("text", ""): "Pour it over the\nleaves, and wait for 5 minutes.",
        ("uses", "hot water"): "it",
        ("uses", "leaves"): "leaves",
        ("defines", "tea"): "wait",
        ("duration", ""): "for 5 minutes",
    }
    assert pour.duration == (300, 300)
    analysis = analyze("out/tea.yaml")
    assert analysis.procedure.order == ((0, 1), (1, 2))
    assert not analysis.findings


def test_what_does_not_hold_together_goes_back_to_the_model(tea: Path) -> None:
    wrong = {**STEPS, "steps": [*STEPS["steps"], {"name": "eat", "words": "Eat the cake."}]}
    lost = links(start=["water"])
    bad = links()
    bad["steps"][0]["uses"] = [fact("water", "cold water")]
    model = Fake(wrong, STEPS, lost, bad, links())
    (found,) = extract(tea, model, out="out")
    assert found.unsure == ("step 2: defines tea",)
    told = [messages[-1]["content"] for messages in model.asked]
    assert len(told) == 5
    assert "step 4: the words 'Eat the cake.' do not stand in the text" in told[1]
    assert "uses 'leaves', which is never defined" in told[3]
    assert "step 1, uses water: the words 'cold water' do not stand in the text" in told[4]
    assert [message["role"] for message in model.asked[4]] == ["user", "assistant"] * 2 + ["user"]


def test_findings_that_stay_are_told_after_two_corrections(tea: Path) -> None:
    model = Fake(STEPS, links(start=["water"]))
    (found,) = extract(tea, model, out="out")
    assert len(model.asked) == 4
    assert found.problem == ""
    assert any("'leaves', which is never defined" in line for line in found.unsure)
    form = read_document(Path("out/tea.yaml")).form
    assert form is not None
    assert any("'leaves'" in line for line in form.unsure)


@pytest.mark.parametrize("missing", [{2}, {1, 3}])
def test_steps_of_which_a_reply_says_nothing_go_back_and_stay_unsure(
    tea: Path, missing: set[int]
) -> None:
    lacking = links()
    lacking["steps"] = [each for each in lacking["steps"] if each["number"] not in missing]
    model = Fake(STEPS, lacking, links())
    (found,) = extract(tea, model, out="mended")
    assert len(model.asked) == 3
    numbers = ", ".join(map(str, sorted(missing)))
    assert f"no entry has the number {numbers}; give every step" in model.asked[2][-1]["content"]
    assert found.unsure == ("step 2: defines tea",)
    model = Fake(STEPS, lacking)
    (found,) = extract(tea, model, out="out")
    assert len(model.asked) == 4
    for number in missing:
        said = f"step {number}: what it uses, makes and waits for was not read"
        assert said in found.unsure
        assert "was not read" in Path("out/tea.yaml").read_text()


def test_links_without_any_entry_were_not_read(tea: Path) -> None:
    model = Fake(STEPS, {"start": [], "results": [], "choices": [], "steps": []})
    (found,) = extract(tea, model, out="out")
    assert len(model.asked) == 4
    assert "only its steps were read: the model gave no valid reply in 3 attempts" in found.problem
    assert "the reply holds no entry of any step" in found.problem
    assert found.unsure[0].startswith("what its steps use, make and wait for was not read")


@pytest.mark.parametrize(
    ("change", "told", "unsure"),
    [
        ({"number": 99}, "there is no step 99; steps are 1 to 3", "there is no step 99"),
        (
            {"number": 1, "duration": [
                {"time": time, "words": "Boil", "sure": True} for time in ("5 min", "7 min")
            ]},
            "step 1: duration is 5 min and 7 min; give one of them",
            "step 1: duration 7 min, where 5 min was given too",
        ),
        (
            {"number": 1, "when": [
                {"choice": "lid", "option": option, "words": "lid", "sure": True}
                for option in ("on", "off")
            ]},
            "step 1: when is on and off; give one of them",
            "step 1: when off, where on was given too",
        ),
    ],
)  # fmt: skip
def test_what_a_model_says_twice_or_of_no_step_goes_back_and_stays_unsure(
    tea: Path, change: dict[str, Any], told: str, unsure: str
) -> None:
    odd = links(choices=[{"name": "lid", "options": ["on", "off"]}])
    odd["steps"].append(change)
    model = Fake(STEPS, odd)
    (found,) = extract(tea, model, out="out")
    assert len(model.asked) == 4
    assert told in model.asked[2][-1]["content"]
    assert any(line.startswith(unsure) for line in found.unsure)
    assert unsure.partition(": ")[2] in Path("out/tea.yaml").read_text()


@pytest.mark.parametrize(
    ("options", "told"),
    [(["on"], "option 'on' of choice 'lid' has no steps"), ([], "choice 'lid' has no options")],
)
def test_choices_without_steps_or_options_go_back_and_stay_unsure(
    tea: Path, options: list[str], told: str
) -> None:
    model = Fake(STEPS, links(choices=[{"name": "lid", "options": options}]))
    (found,) = extract(tea, model, out="out")
    assert told in model.asked[2][-1]["content"]
    assert any(line.startswith(told) for line in found.unsure)


def test_a_model_that_never_gives_valid_output_costs_three_requests_and_one_line(
    tea: Path,
) -> None:
    model = Fake("I would rather not.")
    (found,) = extract(tea, model, out="out")
    assert len(model.asked) == 3
    assert found.path is None
    assert found.problem == (
        f"{tea}: the model gave no valid reply in 3 attempts (the reply holds no JSON object of "
        "the form that was asked for); try another model, or ask anew by overwrite=True"
    )
    assert len(Path("out/responses.jsonl").read_text().splitlines()) == 3


def test_steps_are_kept_where_their_links_never_come(tea: Path) -> None:
    cyclic = links()
    cyclic["steps"][0]["after"] = [{"step": 3, "words": "Boil", "sure": True}]
    for last in ("[" * 1000, cyclic):
        model = Fake(STEPS, last)
        (found,) = extract(tea, model, out="out", overwrite=True)
        assert len(model.asked) == 4
        assert "only its steps were read" in found.problem
        assert found.unsure[0].startswith("what its steps use, make and wait for was not read")
        assert len(analyze("out/tea.yaml").procedure.steps) == 3
        with pytest.raises(ParameterError, match="only its steps were extracted"):
            documents("out", unreviewed=True)


def test_a_text_that_is_there_already_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "Tea\n\nBoil the water.\nPour it over the leaves."
    Path("tea.md").write_text(text)
    Path("tea.txt").write_text("Notes of somebody.")
    with pytest.raises(ParameterError, match=r"tea\.txt.*is another text"):
        extract("tea.md", "rules", out=".")
    assert Path("tea.txt").read_text() == "Notes of somebody."
    assert not Path("tea.yaml").exists()
    extract("tea.md", "rules", out=".", overwrite=True)
    assert Path("tea.txt").read_text() == text


def test_the_same_call_goes_on_from_the_responses(tea: Path) -> None:
    from thence.models.base import Model, Reply, Request

    class Named(Model):
        name = "mine/reader"
        asked = 0

        async def complete(self, request: Request) -> Reply:
            Named.asked += 1
            if Named.asked == 2:
                raise ProviderError("overloaded", "come back tomorrow")
            first = "Find the procedure" in request.messages[0]["content"]
            return Reply(json.dumps(STEPS if first else links()))

    assert extract(tea, Named(), out="out")[0].path is None
    assert extract(tea, Named(), out="out")[0].problem == ""
    assert Named.asked == 3
    path = Path("out/tea.yaml")
    path.write_text(path.read_text().replace("Make tea", "Make good tea"))
    (again,) = extract(tea, Named(), out="out")
    assert (Named.asked, again.kept) == (3, True)
    assert "Make good tea" in path.read_text()
    tea.write_text(TEXT + "Enjoy.")
    with pytest.raises(ParameterError, match="comes from another text or model"):
        extract(tea, Named(), out="out")


def test_a_model_is_asked_anew_by_overwrite(tea: Path) -> None:
    replies = ["Rather not."] * 3 + [json.dumps(STEPS), json.dumps(links())]

    def answer(body: dict[str, Any], count: int) -> Answer | Status:
        return Answer(replies[count]) if count < len(replies) else Status(400)

    with FakeEndpoint.in_thread(answer) as endpoint:
        model = ("--model", "vllm/reader", "--base-url", endpoint.url, "-o", "out")
        for _ in range(2):
            done = thence("extract", tea, *model, status=2)
            assert "no valid reply" in done.err
            assert done.err.endswith("or ask anew by --overwrite\n")
            assert len(endpoint.requests) == 3
        told = "out/tea.yaml: 1 thing unsure\n  step 2: defines tea\n"
        assert thence("extract", tea, *model, "--overwrite", status=1).out == told
        assert len(endpoint.requests) == 5
        assert len(Path("out/responses.jsonl").read_text().splitlines()) == 5
        again = thence("extract", tea, *model, status=1)
        assert "1 thing unsure; it was there already" in again.out
        assert len(endpoint.requests) == 5
        failed = thence("extract", tea, *model, "--overwrite", status=2)
        assert "answered 400" in failed.err
    assert "Make tea" in Path("out/tea.yaml").read_text()


def test_bad_texts_have_a_line_each_and_do_not_stop_the_others(
    tea: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, data in (
        ("empty.txt", b"  \n"), ("paper.pdf", b"%PDF-1.7"), ("long.txt", b"a" * 1_000_001),
        ("word.docx", b"PK\0\0"), ("list.txt", b"Ingredients\n- eggs\n"),
        ("wide.txt", "é".encode("utf-16")),
    ):  # fmt: skip
        Path(name).write_bytes(data)
    names = ["empty.txt", "paper.pdf", "long.txt", "word.docx", "list.txt", "wide.txt", "no.txt"]
    tea.write_text("Tea\n\nBoil the water.\nPour it over the leaves.\n")
    done = thence("extract", *names, tea, "--model", "rules", "-o", "out", status=1)
    assert done.out == "out/tea.yaml: nothing unsure\n"
    assert done.err.splitlines() == [
        "thence: empty.txt: holds no text; give one with steps",
        "thence: paper.pdf: a PDF; save its text as plain text, Markdown or HTML",
        "thence: long.txt: larger than 1,000,000 bytes; give each procedure a file of its own",
        "thence: word.docx: not text in UTF-8; save it as plain text, Markdown or HTML",
        "thence: list.txt: no steps were found in it; give a text that tells what to do",
        "thence: wide.txt: is UTF-16; save it in UTF-8",
        "thence: no.txt: No such file or directory; name a file of text",
    ]
    assert thence("extract", *names, "--model", "rules", "-o", "out", status=2).out == ""


def test_what_is_not_in_the_text_or_left_out_goes_back_to_the_model(tea: Path) -> None:
    tea.write_text("Tea\n\n1. Boil the water.\n2. Let it draw for 3-4 minutes.\n3. Pour it out.\n")
    one, two = ({"name": "", "words": words} for words in ("Boil the water", "Let it draw"))
    late = {"number": 2, "duration": [{"time": "99 h", "words": "3-4 minutes", "sure": True}]}
    links_ = {"start": [], "results": [], "choices": [], "steps": [late]}
    model = Fake({"goal": "Tea", "steps": [one, two, one]}, links_)
    model.replies[1:1] = [model.replies[0]] * 2
    (found,) = extract(tea, model, out="out")
    told = model.asked[1][-1]["content"]
    assert "step 3: its words are those of step 1" in told
    assert "'Pour it out.' is numbered in the text, but stands in no step" in told
    assert "step 2: the duration 99 h is not what '3-4 minutes' says" in str(model.asked[4])
    assert "step 2: duration" in found.unsure
    form = read_document(Path("out/tea.yaml")).form
    assert form is not None
    assert [step.duration for step in form.steps] == [None, None]


BOXES = (
    "Lamp\n\n- bulb\n- ladder\n\nDo:\n\n- [ ] Switch off.\n- [ ] Wait.\n\n- [x] Change the bulb.\n"
)


def test_lines_of_a_list_of_steps_are_missed_and_of_other_lists_not(tea: Path) -> None:
    tea.write_text(BOXES)
    one = {"goal": "Lamp", "steps": [{"name": "", "words": "Switch off."}]}
    none = {"start": [], "results": [], "choices": [], "steps": [{"number": 1}]}
    model = Fake(one, one, one, none)
    (found,) = extract(tea, model, out="out")
    left = ["'Wait.' is listed with steps, but stands in no step",
            "'Change the bulb.' is listed with steps, but stands in no step"]  # fmt: skip
    assert all(each in model.asked[1][-1]["content"] for each in left)
    assert "bulb'" not in model.asked[1][-1]["content"]
    assert found.unsure[:2] == tuple(left)


@pytest.mark.parametrize("words", ["for 30 s", "overnight", "an hour", "2 h"])
def test_a_duration_in_words_of_its_own_is_sure(tea: Path, words: str) -> None:
    tea.write_text(f"Lamp\n\nWait {words}.\n\n* * *\n\n- Mix:\n  - bulb\n- Wait.\n")
    steps = {
        "goal": "",
        "steps": [{"name": "", "words": each} for each in (f"Wait {words}.", "Mix:")],
    }
    time = {"time": "30 s" if "30" in words else "2 h", "words": words, "sure": True}
    given = [{"number": 1, "duration": [time] if words != "an hour" else []}, {"number": 2}]
    links_ = {"start": [], "results": [], "choices": [], "steps": given}
    model = Fake(steps, steps, steps, links_)
    (found,) = extract(tea, model, out="out")
    assert found.unsure == ("'Wait.' is listed with steps, but stands in no step",)


def test_a_duration_that_no_words_tell_and_words_of_two_steps_are_unsure(tea: Path) -> None:
    tea.write_text("Lamp\n\nSwitch off and wait. Change the bulb.\n")
    words = ("Switch off and wait.", "and wait. Change the bulb.")
    steps = {"goal": "Lamp", "steps": [{"name": "", "words": each} for each in words]}
    time = {"time": "5 min", "words": "Switch off", "sure": True}
    given = [{"number": 1, "duration": [time]}, {"number": 2}]
    model = Fake(steps, steps, steps, {"start": [], "results": [], "choices": [], "steps": given})
    (found,) = extract(tea, model, out="out")
    assert "step 2: its words overlap those of step 1; give each its own" in found.unsure
    assert "step 1: duration 5 min" in found.unsure


def test_rules_tell_what_they_do_not_read(tea: Path) -> None:
    tea.write_text(
        "Chicken risotto\n\n1. Boil the chicken with the carrots for 1 hour.\n"
        "2. Strain the stock and discard the carrots.\n3. Shred the chicken.\n"
        "4. Before melting the butter, fry the onion, stirring every 2 minutes, for 6 minutes.\n"
        "5. Add the rice and the stock and simmer for 18 minutes.\n"
        "6. If desired, stir in the chicken and the cheese, but do not add the carrots.\n"
        "7. Serve the risotto.\n"
    )
    (found,) = extract(tea, "rules", out="out")
    assert found.problem == ""
    told = {each.split(" (")[0] for each in found.unsure}
    assert {"step 2: uses stock", "step 4: after", "step 4: seconds"} <= told
    assert {"step 6: when", "step 6: uses"} <= told


@pytest.mark.parametrize(
    ("step", "unsure"),
    [
        ("Fry for 8 minutes, then flip and give it another 3.", True),
        ("Cool for 5 minutes, then turn out to cool completely.", True),
        ("Fry for another 3-4 minutes.", False),
        ("Fry them, and turn them after 10 minutes.", True),
        ("Fry them, covered for the last 15 minutes.", True),
        ("Serve them within 2 days.", True),
        ("Store the onions for 3 days.", True),
        ("Fry them for 10 minutes.", False),
    ],
)
def test_a_time_that_is_not_the_whole_is_unsure(tea: Path, step: str, unsure: bool) -> None:
    tea.write_text(f"Onions\n\n1. Slice the onions.\n2. {step}\n3. Serve the onions.\n")
    (found,) = extract(tea, "rules", out="out")
    assert found.problem == ""
    assert any(each.startswith("step 2: seconds") for each in found.unsure) is unsure


CAKE = {"goal": "", "steps": [{"name": "eat", "words": "Eat the cake."}]}


@pytest.mark.parametrize(
    ("replies", "asked", "cause"),
    [
        ([{"goal": "", "steps": []}], 2, ""),  # asked twice, as the model may have missed them
        ([{"goal": None, "steps": None}], 2, ""),
        ([CAKE, {"goal": "", "steps": []}], 2, ""),
        ([CAKE], 3, "step 1: the words 'Eat the cake.' do not stand in the text"),
        ([{"steps": [{"name": "boil"}]}], 3, "step 1 has no words"),
    ],
)  # fmt: skip
def test_a_model_that_gives_no_steps_of_the_text_is_blamed_for_it(
    tea: Path, replies: list[Any], asked: int, cause: str
) -> None:
    model = Fake(*replies)
    (found,) = extract(tea, model, out="out")
    assert len(model.asked) == asked
    said = f" ({cause}; " if cause else "; "
    assert found.problem.startswith(f"{tea}: the model gave no steps with words of the text{said}")
    assert found.problem.endswith("; try another model, or ask anew by overwrite=True")
    assert found.path is None


@pytest.mark.parametrize("again", [{"goal": "", "steps": []}, "garbage"])
def test_a_correction_without_steps_leaves_those_that_were_read(tea: Path, again: Any) -> None:
    cake = {**STEPS, "steps": [*STEPS["steps"], *CAKE["steps"]]}
    model = Fake(cake, again, again, links())
    (found,) = extract(tea, model, out="out")
    assert found.problem == ""
    assert found.path is not None
    assert len(read_document(found.path).flow) == 3
    first, *_ = found.unsure
    assert first.startswith("step 4: the words 'Eat the cake.' do not stand in the text")


def test_a_text_that_is_named_twice_counts_once(tea: Path) -> None:
    tea.write_text("Tea\n\nBoil the water.\nPour it over the leaves.\n")
    done = thence("extract", "tea.md", "./tea.md", tea, "--model", "rules", "-o", "out")
    assert done.out == "out/tea.yaml: nothing unsure\n"


def test_what_cannot_be_is_refused(tea: Path) -> None:
    refused("extract", tea, "-o", "out", says=["--model is missing"])
    rules = ("--model", "rules")
    refused("extract", tea, *rules, says=["-o is missing"])
    baseline = ("--model", "baseline/oracle")
    refused("extract", tea, *baseline, "-o", "out", says=["oracle: a baseline cannot read texts"])
    refused("extract", tea, Path("b") / "tea.txt", *rules, "-o", "out", says=["has the same name"])
    Path("file").write_text("")
    refused("extract", tea, "--model", "rulez", "-o", "out", says=["must be rules", "nano or"])
    refused("extract", "--review", ".", *rules, says=["--model rules: --review asks no model"])
    refused("extract", tea, *rules, "-o", "file", says=["-o file", "is a file; name a folder"])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("tea.md -o out --model rules --base-url http://x", "--base-url http://x: --model rules"),
        ("tea.md -o out --model rules --temperature 0", "--temperature 0.0: --model rules asks no"),
        ("tea.md -o out --model rules --templates .", "--templates .: --model rules asks no model"),
        ("tea.md -o out --model rules --no-structured", "--no-structured: --model rules asks no"),
        ("tea.md -o out --model rules --port 80", "--port 80: is for --review; leave it out"),
        ("tea.md -o out --model rules --no-browser", "--no-browser: is for --review"),
        ("tea.md -o out --model rules --limit 3", "--limit 3: is for --against; leave it out"),
        ("--against . --model rules -o out", "-o out: --model rules keeps no replies; leave it"),
        ("--against . --model rules --overwrite", "--overwrite: --model rules keeps no replies"),
        ("--review . -o out", "-o out: --review opens what is there; leave it out"),
        ("--review . --json", "--json: --review opens what is there; leave it out"),
        ("--review . --overwrite", "--overwrite: --review opens what is there; leave it out"),
        ("--review . --against .", "--against .: --review opens what is there; leave it out"),
        ("--review . --max-tokens 9", "--max-tokens 9: --review asks no model; leave it out"),
    ],
)
def test_options_that_do_nothing_are_refused(tea: Path, given: str, says: str) -> None:
    refused("extract", *given.split(), says=[says])


def test_options_from_a_file_that_do_nothing_are_passed_over(tea: Path) -> None:
    tea.write_text("Tea\n\nBoil the water.\nPour it over the leaves.\n")
    Path("thence.toml").write_text("temperature = 0.5\nlimit = 3\n")
    thence("extract", tea, "--model", "rules", "-o", "out")


def test_html_is_read_without_its_tags(tea: Path) -> None:
    page = Path("tea.html")
    page.write_text(
        "<html><head><style>p {}</style></head><body><h1>Tea &amp; more</h1><script>x</script>"
        "<ol><li>Boil the\nwater.<li>Pour it over <b>the leaves</b>.</ol></body></html>"
    )
    assert extract(page, "rules", out="out")[0].problem == ""
    document = read_document(Path("out/tea.yaml"))
    assert [step.text for step in document.flow.steps] == [
        "Boil the water.", "Pour it over the leaves."
    ]  # fmt: skip
    text = Path("out/tea.txt").read_text()
    assert text.startswith("Tea & more\n\n")
    assert re.search(r"style|script|<", text) is None


def test_rules_point_at_their_words_too(tea: Path) -> None:
    tea.write_text("Onions\n\n1. Chop the onions.\n2. Fry them in oil for 5 minutes.\n")
    assert extract(tea, "rules", out="out")[0].problem == ""
    form = read_document(Path("out/tea.yaml")).form
    text = Path("out/tea.txt").read_text()
    assert form is not None
    fry = form.steps[1].spans
    found = {entry: text[span.start : span.end] for entry, span in fry["uses"].items()}
    assert found == {"onions": "them", "oil": "oil"}
    assert text[slice(*fry["seconds"][""][:2])] == "5 minutes"


def test_a_local_model_reads_through_the_same_path(tea: Path) -> None:
    pytest.importorskip("gguf")
    pytest.importorskip("xllamacpp")
    from tests.models.tiny_gguf import write_tiny_model

    write_tiny_model(Path("tiny.gguf"))
    done = thence("extract", tea, "--model", "gguf/tiny.gguf", "-o", "out",
                  "--max-tokens", "40", status=2)  # fmt: skip
    # Its weights are by chance, and what they say is not the same on every machine.
    count = len(Path("out/responses.jsonl").read_text().splitlines())
    assert ("no valid reply in 3 attempts" in done.err and count == 3) or "no steps" in done.err


@pytest.mark.parametrize("structured", [True, False])
def test_an_endpoint_is_asked_for_output_that_fits_a_schema(tea: Path, structured: bool) -> None:
    def answer(body: dict[str, Any], count: int) -> Answer:
        first = "Find the procedure" in body["messages"][0]["content"]
        return Answer(json.dumps(STEPS if first else links()))

    with FakeEndpoint.in_thread(answer) as endpoint:
        asked = ("--model", "vllm/reader", "--base-url", endpoint.url, "-o", "out")
        flags = () if structured else ("--no-structured",)
        done = thence("extract", tea, *asked, *flags, status=1)
        thence("extract", tea, *asked, *flags, status=1)
        bodies = [request.body for request in endpoint.requests]
    assert done.out == "out/tea.yaml: 1 thing unsure\n  step 2: defines tea\n"
    assert len(bodies) == 2
    schemas = [body.get("response_format", {}).get("json_schema", {}) for body in bodies]
    if structured:
        assert [set(each["schema"]["properties"]) for each in schemas] == [
            {"goal", "steps"}, {"start", "results", "choices", "steps"}
        ]  # fmt: skip
    else:
        assert schemas == [{}, {}]


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    ("finish", "cause", "mend"),
    [
        ("length", "the reply was cut off at the limit of tokens", "a greater --max-tokens"),
        ("content_filter", "refused by the model or by the endpoint's filter", "another model"),
    ],
)
def test_the_cause_of_a_reply_that_is_cut_off_or_refused_is_told(
    tea: Path, first: bool, finish: str, cause: str, mend: str
) -> None:
    def answer(body: dict[str, Any], count: int) -> Answer:
        if not first and "Find the procedure" in body["messages"][0]["content"]:
            return Answer(json.dumps(STEPS))
        return Answer('{"steps": [{"words": "Bo', finish)

    with FakeEndpoint.in_thread(answer) as endpoint:
        done = thence(
            "extract", tea, "--model", "vllm/reader", "--base-url", endpoint.url, "-o", "out",
            status=2 if first else 1,
        )  # fmt: skip
    (line,) = done.err.splitlines()
    assert ("only its steps were read" in line) is not first
    assert f"{cause})" in line
    assert mend in line
    if not first:
        assert cause in done.out


def test_a_text_that_the_procedure_would_replace_is_refused(tea: Path) -> None:
    text = tea.with_name("tea.yaml")
    text.write_bytes(tea.read_bytes())
    for overwrite in (False, True):
        with pytest.raises(ParameterError, match=r"tea\.yaml is the text itself"):
            extract(text, "rules", out=tea.parent, overwrite=overwrite)
    assert text.read_bytes() == tea.read_bytes()
