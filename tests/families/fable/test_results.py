"""Published replies: reading the files, both scorers, the tables, and bad input."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from tests.cli.command import refused, settle, thence
from tests.scoring.imported import published
from thence import families
from thence.analysis.shortcuts import halved
from thence.core.csv_files import read_columns
from thence.errors import FileError
from thence.families.fable.shared import published_prompts
from thence.families.fable.shared.analyses import ANALYSES, DOMAINS
from thence.families.fable.shared.published_replies import files, gather, questions, seconds

DATA = Path(__file__).parents[4] / "shared/data/fable"
KNOWN = families.tasks()
pytestmark = pytest.mark.skipif(
    not all(f"fable/{domain}/taint" in KNOWN for domain in DOMAINS),
    reason="a domain of FABLE is not here",
)
REAL = pytest.mark.skipif(not DATA.exists(), reason="FABLE's published files are not here")
HEADER = "prompt,ground_truth,response\r\n"
PROMPT = """You are an AI analyst.
Given the following planning task:

  Goal: (and (at c0 l0))

  Plan steps:
1: sail(l2, l1)
2: board(c2, l1)

Question:
  Is the effect '('at-ferry', 'l1')' from Step 1 (sail) still available for Step 2 (board)?

Please answer with only “Yes” or “No” without any further explanation.
"""


@pytest.fixture(autouse=True)
def _alone(monkeypatch, tmp_path):
    settle(monkeypatch, tmp_path)


def write(path, lines, header=HEADER):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(header)
        csv.writer(file).writerows(lines)
    return path


@pytest.fixture
def results(tmp_path):
    """Two models, two cells, in the published form."""
    plans = tmp_path / "results" / "plans"
    for model, replies in (("ours_v1.5", ("Yes", "No")), ("llama3_1", ("I know. Yes", "Yes"))):
        write(
            plans / f"result_{model}_Taint_Analysis.csv",
            [(PROMPT, "No", replies[0]), (PROMPT.replace("c0", "c1"), "No", replies[1])],
        )
        write(
            plans / f"result_{model}_Interval_Analysis.csv",
            [
                (PROMPT, "Between Step 1 and Step 4", "between steps 1 and 4"),
                (PROMPT, "N/A", "n/a"),
            ],
        )
    (plans / "timing.log").write_text(
        "model,benchmark,seconds\nllama3_1,taint_analysis,12.5\nllama3_1,Interval_Analysis,7"
    )
    return tmp_path / "results"


def test_a_prompt_comes_apart():
    parts = published_prompts.parts(PROMPT)
    assert parts.goal == "(and (at c0 l0))"
    assert parts.steps == ["sail(l2, l1)", "board(c2, l1)"]
    assert parts.question.startswith("Is the effect")
    assert parts.question.endswith("Step 2 (board)?")
    assert parts.asked == 0
    listed = PROMPT.replace("1: sail(l2, l1)\n2: board(c2, l1)", "['Go.', \"St. John's\"]")
    assert published_prompts.parts(listed).steps == ["Go.", "St. John's"]
    for broken in ("", "Goal: a", PROMPT.replace("Question:", "Ask:"), PROMPT[:90]):
        with pytest.raises(ValueError, match="no goal, steps and question"):
            published_prompts.parts(broken)


def test_files_are_found_from_every_place(results):
    assert [(each.model, each.task) for each in files(results)] == [
        ("llama3_1", "fable/plans/intervals"),
        ("llama3_1", "fable/plans/taint"),
        ("ours_v1.5", "fable/plans/intervals"),
        ("ours_v1.5", "fable/plans/taint"),
    ]
    assert len(files(results / "plans")) == len(files(results.parent)) == 4
    assert len(files(results / "plans" / "result_llama3_1_Taint_Analysis.csv")) == 1
    assert files(results / "plans" / "timing.log") is None
    assert files(results.parent / "nothing") is None


def test_both_scorers_stand_beside_each_other(results):
    strict, official = published(results, "strict"), published(results, "official")
    first = strict[0]
    assert first.model == "llama3_1"
    assert [row.score.correct for row in first.rows] == [True, False, False, False]
    assert [row.score.values["official"] for row in first.rows] == [0, 1, 1, 0]
    assert [row.score.correct for row in official[0].rows] == [False, True, True, False]
    assert [row.score.values["strict"] for row in official[0].rows] == [1, 0, 0, 0]
    assert [row.latency for row in first.rows] == [0.07, 0.07, 0.125, 0.125]
    assert strict[1].rows[0].latency is None
    assert first.notes == [
        f"22 of 24 cells are missing: {', '.join(missing())}.",
        "2 cells hold 2 questions; the paper has 100 in each.",
    ]


def missing():
    every = [f"fable/{domain}/{analysis}" for domain in DOMAINS for analysis in ANALYSES]
    return [name for name in every if name not in ("fable/plans/intervals", "fable/plans/taint")]


def test_the_command_prints_all_tables_and_json(results):
    shown = thence("score", results, "--full")
    for title in ("Table 5", "Table 6", "Table 7", "Figure 2", "Figure 3", "Figure 28"):
        assert title in shown.out
    assert "(Table 8)" not in shown.out
    assert "Table 8 is left out" in shown.out
    assert "llama3.1:8b (paper)" in shown.out
    held = thence("score", results, "--scorer", "official", "--json").json()
    assert held["scorer"] == "official"
    cell = held["groups"]["llama3_1/fable/plans/taint"]
    assert (cell["n"], cell["correct"], cell["strict"], cell["constant"]) == (2, 1, 0, 1)
    assert cell["random"] == 0.5


def test_domains_are_compared_where_two_have_replies(results):
    for place, analysis in enumerate(("Taint_Analysis", "Reaching_Definitions")):
        replies = [(PROMPT, "No", "No"), (PROMPT, "Yes", "Yes" if place else "No")]
        write(results / "travel" / f"result_ours_v1.5_{analysis}.csv", replies)
    shown = thence("score", results, "--full")
    assert "(Table 8)" in shown.out
    assert "Table 8 is left out" not in shown.out
    rows = [line for line in shown.out.splitlines() if "plans - routes" in line]
    assert [line.split()[0] for line in rows] == [
        "ours_v1.5",
        "deepseek-r1:8b",
        "granite-code:8b",
    ]  # llama3.1 has replies of one domain, and of the paper's models it is not absent
    assert not [line for line in shown.out.splitlines() if "plans - recipes" in line]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEADER + "a,Yes\r\n", r"taint_analysis.csv:2: 2 fields where the header has 3"),
        (HEADER + '"a","Yes","cut off in the mid', r"not a whole CSV file"),
        ("prompt,answer\r\na,b\r\n", r"column 'ground_truth' is missing"),
        ("", r"column 'prompt' is missing"),
        (HEADER + "a,Perhaps,Yes\r\n", r":2: ground_truth 'Perhaps': must be Yes or No"),
    ],
)
def test_a_file_that_is_not_whole_is_refused_by_name(tmp_path, content, message):
    path = tmp_path / "plans" / "result_x_taint_analysis.csv"
    path.parent.mkdir()
    path.write_text(content, newline="")
    with pytest.raises(FileError, match=message):
        gather(path)
    refused("score", path.parent, says=["result_x_taint_analysis.csv"])


def test_one_ground_truth_of_another_form_does_not_lose_the_others(tmp_path):
    path = tmp_path / "recipe" / "result_x_Interval_Analysis.csv"
    lines = [("a", "10 minutes", "10 minutes"), ("b", "overnight", "I would say Overnight.")]
    write(path, lines, header="\ufeff" + HEADER)
    (official,), (strict,) = published(path, "official"), published(path, "strict")
    assert [row.score.correct for row in official.rows] == [True, True]
    assert [row.score.correct for row in strict.rows] == [True, False]
    assert any("cell's form: 1, such as 'overnight'" in note for note in strict.notes)


def test_a_file_of_another_name_or_place_is_refused(tmp_path):
    path = write(tmp_path / "plans" / "result_x_sorcery.csv", [])
    with pytest.raises(FileError, match=r"result_MODEL_ANALYSIS.csv with an analysis of"):
        gather(path)
    path = write(tmp_path / "poems" / "result_x_taint_analysis.csv", [])
    with pytest.raises(FileError, match="its folder must name the domain"):
        gather(path)


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = write(tmp_path / "plans" / "result_x_taint_analysis.csv", [])
    path.write_bytes(HEADER.encode() + b"a,Yes,\xff\xfe\r\n")
    with pytest.raises(FileError, match="not UTF-8"):
        gather(path)


@pytest.mark.parametrize("line", ["m,taint_analysis,soon", "m,sorcery,1", "m,taint_analysis,-1"])
def test_a_broken_log_is_refused(tmp_path, line):
    log = tmp_path / "timing.log"
    log.write_text(f"model,benchmark,seconds\n{line}\n")
    with pytest.raises(FileError, match="is no analysis and its seconds"):
        seconds(log)
    assert seconds(tmp_path / "none.log") == {}


def test_long_replies_and_odd_characters_are_read(tmp_path):
    path = tmp_path / "plans" / "result_x_taint_analysis.csv"
    reply = "\x00[{" + "no " * 3_000_000 + "\nAnswer: Yes"
    write(path, [(PROMPT, "Yes", reply), ("what?", "True", "<think>" + "a" * 200_000)])
    (held,) = published(path, "strict")
    assert [row.score.outcome for row in held.rows] == ["correct", "no_answer"]
    assert held.rows[1].sample.target == "Yes"  # True means Yes to the strict scorer
    columns = ("prompt", "ground_truth", "response")
    assert next(row for _, row in read_columns(path, columns)) == [PROMPT, "Yes", reply]


@REAL
def test_the_published_replies_agree_with_the_paper_s_table_as_far_as_they_are_here():
    """30 of 100 rows: as many right as the paper has at most, and as many wrong."""
    from thence.families.fable.shared.grid import grid, printed

    held = grid(published(DATA / "results", "official"))
    assert len(held.cells) == 72
    for (model, domain, analysis), cell in held.cells.items():
        right = int(cell.rows.correct().sum())
        paper = round(100 * printed(model, domain, analysis).value)
        assert right <= paper
        assert len(cell.rows) - right <= 100 - paper


@REAL
def test_the_strict_reader_on_the_published_replies():
    """What was found by reading them, see docs/reference/fable.md."""
    rules = {}
    for held in published(DATA / "results", "strict"):
        for row in held.rows:
            interval = row.sample.task.endswith("intervals")
            key = (held.model, "interval" if interval else "verdict", row.score.rule)
            rules[key] = rules.get(key, 0) + 1
    verdicts = {key: n for key, n in rules.items() if key[1] == "verdict"}
    assert sum(verdicts.values()) == 1890
    assert sum(n for key, n in verdicts.items() if key[2] == "leading") > 1840
    assert sum(n for key, n in verdicts.items() if key[2] is None) < 30


@REAL
def test_shortcuts_are_measured_on_published_questions():
    held = defaultdict(list)
    for sample in questions(DATA):
        held[sample.task].append(sample)
    assert len(held) == len(DOMAINS) * len(ANALYSES)
    for name, samples in held.items():
        battery = halved(families.task(name), samples)
        assert battery.scored == len(samples) > 20
        assert battery.chance <= battery.found[0].score <= 1
