"""``thence report``: the page, its tables and figures as files, and what is refused."""

from __future__ import annotations

import base64
import codecs
import csv
import gzip
import html
import io
import json
import re
import zlib
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.command import refused, settle, thence
from tests.reporting.runs import hostile, right, run
from thence.analysis.summary import overview
from thence.core.results import Results
from thence.core.statistics import Estimate
from thence.core.table import Chart, Table
from thence.reporting import cell_text, charts, exports, outlined_text, svg
from thence.reporting.page import Contents, ShownRun, run_names, write_page
from thence.reporting.sample_view import LABEL, LONGEST, ScoredReply, graph, pack_replies

NASTY = 'a & b_c % $x$ {y} ~ ^ # \\ <z> | "q"\nnew'
TABLE = Table(
    "odd-table",
    f"Title {NASTY}",
    ("name", "group", "value"),
    [
        (NASTY, "a", Estimate(0.5, 0.4, 0.6, 10)),
        ("plain", "b", Estimate(float("nan"), float("nan"), float("nan"), 0)),
        ("none", "a", None),
        ("some", "b", Estimate(1.0, 0.8, 1.0, 12)),
    ],
    "A note.",
)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settle(monkeypatch, tmp_path)


def unpacked(path: Path) -> dict[str, list[dict[str, object]]]:
    packed = path.read_text().partition('id="packed">')[2].partition("<")[0]
    return opened(packed)


def opened(packed: str) -> dict[str, list[dict[str, object]]]:
    text = gzip.decompress(base64.b64decode(packed)).decode("utf-8", "surrogatepass")
    _, *lines = (json.loads(line) for line in text.rstrip("\n").split("\n"))
    return {
        "samples": [line for line in lines if "s" not in line],
        "replies": [line for line in lines if "s" in line],
    }


def test_a_page_of_two_runs_with_its_files() -> None:
    thence("generate", "procbench/sort", "procbench/count", "--size", "6", "-o", "q.jsonl")
    for name in ("random", "oracle"):
        thence("run", "q.jsonl", "--model", f"baseline/{name}", "-o", name)
    done = thence("report", "oracle", "random", "-o", "page.html", "--figures", "figures")
    assert done.last == "page: page.html"
    page = Path("page.html").read_text()
    assert "baseline/constant" in page
    assert "baseline/oracle is better by 100.0 points" in page.replace("&#39;", "'")
    assert "unsafe" not in page.partition("</head>")[0]
    held = unpacked(Path("page.html"))
    assert len(held["samples"]) == 12
    assert len(held["replies"]) == 24
    thence("run", "catbench", "--size", 12, "--model", "baseline/oracle", "-o", "order")
    thence("report", "order", "-o", "order.html")
    samples = unpacked(Path("order.html"))["samples"]
    shown = [each["witness"] for each in samples if each["witness"]]
    assert shown
    steps = r"such as in the order \d+(, \d+)+|Step \d+(, then Step \d+)+"
    assert all(re.fullmatch(steps, words) for words in shown), shown
    for suffix in (".md", ".tex", ".csv", ".svg", ".pdf"):
        assert Path(f"figures/procbench-accuracy{suffix}").stat().st_size > 100
    assert Path("figures/procbench-accuracy.csv").read_bytes().startswith(codecs.BOM_UTF8)
    written = Path("figures/procbench-accuracy.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(written)))
    right = [row for row in rows if row["model"] == "baseline/oracle"]
    assert {row["accuracy"] for row in right} == {"1.0"}
    assert all(float(row["accuracy (low)"]) < 1 for row in right)


def test_what_cannot_be_reported_is_refused() -> None:
    thence("run", "procbench/sort", "--size", "2", "--model", "baseline/oracle", "-o", "run")
    Path("there.html").write_text("mine")
    refused("report", "run", "-o", "page.pdf", says=("-o page.pdf", "must end in .html"))
    refused("report", "run", "-o", "no/page.html", says=("folder no does not exist",))
    refused("report", "run", "-o", "there.html", says=("there.html", "exists", "--overwrite"))
    refused("report", "none", "-o", "page.html", says=("none", "no such run directory"))
    refused("report", "run", "run", "-o", "page.html", says=("named twice",))


def test_an_unfinished_and_an_empty_run_say_so() -> None:
    thence("run", "procbench/sort", "--size", "4", "--model", "baseline/oracle", "-o", "run")
    responses = Path("run/responses.jsonl")
    lines = responses.read_text().splitlines(keepends=True)
    responses.write_text("".join(lines[:2]))
    done = thence("report", "run", "-o", "half.html", status=1)
    assert "run: Unfinished: 2 not asked yet" in done.err
    assert "Unfinished: 2 not asked yet" in Path("half.html").read_text()
    responses.write_text("")
    thence("report", "run", "-o", "empty.html", status=1)
    empty = Path("empty.html").read_text()
    assert "holds no responses yet" in empty
    assert re.findall(r"<td>([0-9]+)</td>", empty.partition('id="method"')[2])[:3] == [
        "1",
        "4",
        "0",
    ]  # epochs, samples, replies


def test_a_run_of_another_version_is_told_whether_its_scores_compare() -> None:
    thence("run", "procbench/sort", "--size", "2", "--model", "baseline/oracle", "-o", "run")
    path = Path("run/run.json")
    facts = json.loads(path.read_text())
    (now,) = facts["versions"].values()
    first, _, second = now.partition("-")
    near, far = f"{first}-{int(second) + 9}", f"{int(first) + 9}-{second}"
    for place, version in enumerate((now, near, far, f"{first}0-{second}", "0-0", "")):
        facts["versions"] = {"procbench/sort": version}
        path.write_text(json.dumps(facts))
        done = thence("report", "run", "-o", f"{place}.html")
        page = html.unescape(Path(f"{place}.html").read_text())
        for written in (done.err, page):
            compares = f"its scores still compare: procbench/sort ({version} when asked, {now} now)"
            parted = (
                "scores do not compare with those of today's: procbench/sort "
                f"({version} when asked, {now} now)"
            )
            assert (compares in written) == (version == near)
            assert (parted in written) == (version not in (now, near))


def test_replies_of_megabytes_and_broken_text_fit_the_page(tmp_path: Path) -> None:
    shown = run("m", hostile, ["procbench/sort"])
    large = run("large", lambda sample, place: "<b>" * 3_000_000, ["procbench/count"], 3)
    path = tmp_path / "page.html"
    write_page(path, Contents("t", "l", [shown, large]))
    assert path.stat().st_size < 300_000
    held = unpacked(path)
    longest = max(len(str(reply.get("reply", ""))) for reply in held["replies"])
    assert LONGEST <= longest < LONGEST + 100


def test_where_room_is_short_every_task_and_outcome_is_there() -> None:
    shown = [run("good", right, ["procbench/sort", "procbench/count"], 40)]
    replies = [ScoredReply(0, row, shown[0].find) for row in shown[0].rows]
    held = pack_replies(["good"], replies, budget=6_000)
    there = opened(held.text)
    assert held.left_out + held.shown == 80
    assert 0 < held.shown == len(there["replies"]) < 80
    assert {sample["task"] for sample in there["samples"]} == {"procbench/sort", "procbench/count"}
    assert pack_replies(["good"], replies).shown == 80


def test_tables_as_markdown_latex_and_csv() -> None:
    lines = exports.markdown(TABLE).splitlines()
    widths = {line.replace("\\|", "").count("|") for line in lines if line.startswith("|")}
    assert widths == {4}
    latex = exports.latex(TABLE)
    body = latex.partition(r"\midrule")[2].partition(r"\bottomrule")[0].strip().splitlines()
    assert len(body) == 4
    assert all(line.replace(r"\&", "").count("&") == 2 for line in body)
    assert r"\$x\$ \{y\}" in latex
    rows = list(csv.DictReader(io.StringIO(exports.comma_separated(TABLE))))
    assert rows[0]["name"] == NASTY
    assert (rows[0]["value"], rows[0]["value (low)"], rows[1]["value"]) == ("0.5", "0.4", "")


@pytest.mark.parametrize("kind", ["bar", "dot", "line", "heat", "radar", "box", "stack", "scatter"])
@pytest.mark.parametrize("series", [None, "group"])
def test_every_kind_of_figure_is_drawn(kind: str, series: str | None) -> None:
    chart = Chart(kind, "name", "value", series)  # type: ignore[arg-type]
    if kind == "heat":
        chart = Chart("heat", "group", "name", None, "value")
    if kind == "stack":
        chart = Chart("stack", "group", "value", series and "name", "name")
    table = Table(TABLE.name, TABLE.title, TABLE.columns, TABLE.rows, TABLE.note, chart)
    drawn = exports.scalable(table)
    ElementTree.fromstring(drawn)
    assert "n from 0 to 12" in drawn
    assert "var(" not in drawn
    if series and kind not in {"heat", "stack", "scatter"}:
        assert ">a</text>" in drawn and ">b</text>" in drawn  # the legend
    pytest.importorskip("vl_convert")
    assert exports.portable(table).startswith(b"%PDF")
    pytest.importorskip("matplotlib")
    made = ElementTree.fromstring(outlined_text.outlined(drawn))
    words = re.findall(r"<text[^>]*>(?:<title>[^<]*</title>)?([^<]*)</text>", drawn)
    groups = [each for each in made.iter() if each.tag.endswith("}g")]
    labels = [label for each in groups if (label := each.get("aria-label"))]
    left = [each.findall("*")[-1].tail if len(each) else each.text for each in made.iter()
            if each.tag.endswith("}text")]  # fmt: skip
    assert len(labels) > len(left)  # of a title with letters that the typeface lacks
    assert sorted([*labels, *map(str, left)]) == sorted(map(html.unescape, filter(None, words)))


def test_a_figure_as_pdf_holds_its_typefaces() -> None:
    pytest.importorskip("vl_convert")
    rows = [("plain", Estimate(0.5, 0.4, 0.6, 10)), ("other", Estimate(0.7, 0.6, 0.8, 10))]
    chart = Chart("bar", "model", "accuracy")
    made = exports.portable(Table("t", "Accuracy", ("model", "accuracy"), rows, "", chart))
    whole = [made]
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", made, re.DOTALL):
        with suppress(zlib.error):
            whole.append(zlib.decompress(stream))
    text = b"\n".join(whole)
    described = re.findall(rb"/Type\s*/FontDescriptor\b", text)
    assert described  # words are text in a typeface, not outlines alone
    assert len(re.findall(rb"/FontFile[23]?\s+\d+ 0 R", text)) == len(described)


def test_words_are_outlined_in_their_place_unless_the_typeface_lacks_a_letter() -> None:
    pytest.importorskip("matplotlib")
    held = svg.figure(
        200, 60, "t", svg.text(100, 20, "Il", "end", told="why"), svg.text(9, 40, "\u6f22")
    )
    made = ElementTree.fromstring(outlined_text.outlined(held))
    group = next(each for each in made.iter() if each.get("aria-label") == "Il")
    title, path = group
    assert (title.text, title.tail) == ("why", None)
    place = re.match(r"translate\(([\d.]+) ([\d.]+)\) scale", path.get("transform") or "")
    assert place and 90 < float(place[1]) < 96  # two narrow letters before 100
    assert float(place[2]) == 24
    left = [each.text for each in made.iter() if each.tag.endswith("}text")]
    assert left == ["\u6f22"]


def test_graphs_of_procedures_and_relations() -> None:
    procedure = {"goal": "g", "steps": [{"text": "one"}, {"text": "two"}, {"text": "three"}]}
    held = graph(
        {
            "procedure": {**procedure, "order": [[0, 1], [1, 2]]},
            "step_pair": [0, 2],
            "witness": [0, 1, 2],
        }
    )
    assert held is not None
    assert held["marked"] == [0, 2]
    assert held["path"] == [0, 1, 2]
    links = [{"from": 0, "fact": "f", "to": 1}, {"from": 1, "fact": "g", "to": 2}]
    chained = graph({"procedure": {**procedure, "order": []}, "witness": {"chain": links}})
    assert chained is not None
    assert chained["path"] == [0, 1, 2]
    assert graph({"edges": [["A", "B"], ["B", "C"]]})["edges"] == [[0, 1], [1, 2]]
    mixed = graph({"edges": [["B", "C"], ["C", "D"], ["A", "B"], ["D", "D"]]})
    assert mixed is not None
    assert mixed["nodes"] == ["A", "B", "C", "D"]
    circle = graph({"edges": [["A", "B"], ["B", "A"]]})
    assert circle is not None
    assert circle["nodes"] == ["A", "B"]
    for odd in (
        {},
        {"procedure": 3},
        {"edges": [1, 2]},
        {"edges": [["A"]]},
        {"procedure": {"steps": 1}},
    ):
        assert graph(odd) is None


def test_a_long_step_is_cut_with_a_mark() -> None:
    texts = ["a" * LABEL, "b" * (LABEL + 1)]
    held = graph({"procedure": {"steps": [{"text": text} for text in texts], "order": []}})
    assert held is not None
    assert held["nodes"] == [
        f"1. {texts[0]}",
        "2. " + "b" * (LABEL - 1) + "\N{HORIZONTAL ELLIPSIS}",
    ]


def test_no_panel_is_wider_for_a_long_name() -> None:
    name = "m" * 400
    rows = [(group, "b", name, 0.5) for group in ("a", "b")]
    chart = Chart("heat", "x", "y", "model", "value")
    table = Table("t", "Title", ("x", "y", "model", "value"), rows, "", chart)
    width = exports.scalable(table).partition('width="')[2].partition('"')[0]
    assert float(width) < 900


def test_a_page_without_any_run_that_has_rows(tmp_path: Path) -> None:
    write_page(tmp_path / "page.html", Contents("t", "l", [ShownRun(Results("m", "m"))]))
    assert "Nothing was scored" in (tmp_path / "page.html").read_text()


def test_every_figure_says_n_and_every_file_of_a_table_can_be_read(tmp_path: Path) -> None:
    tasks = ["procbench/sort", "releval/comparison", "releval/consistency", "catbench/order",
             "releval/plan_generation", "fable/recipes/taint"]  # fmt: skip
    shown = [run("gguf//some/where/m.gguf", right, tasks, 6), run("other", hostile, tasks, 6)]
    made = write_page(tmp_path / "page.html", Contents("t", "l", shown))
    assert {table.name.partition("-")[0] for table in made} == {
        "answer", "procbench", "releval", "catbench", "fable",
    }  # fmt: skip
    assert [each.name for each in charts.drawable(made) if "n" not in cell_text.counts(each)] == []
    text = (tmp_path / "page.html").read_text()
    assert "/some/where" not in text
    for table in made:
        assert f'id="{table.name}"' in text
        ids = re.findall(r' id="([^"]*)"', text)
        assert len(ids) == len(set(ids))
        written = csv.DictReader(io.StringIO(exports.comma_separated(table)))
        assert len(list(written)) == len(table.rows)
        latex = exports.latex(table)
        lines = [line for line in latex.splitlines() if line.endswith(r"\\") and "&" in line]
        assert {line.replace(r"\&", "").count("&") for line in lines} == {len(table.columns) - 1}
        assert latex.count("{") - latex.count(r"\{") == latex.count("}") - latex.count(r"\}")
    for printed in ("gpt-4o (paper)", "o1-preview (paper)", "deepseek-r1:8b (paper)"):
        assert printed in text


def test_two_runs_of_one_model_are_told_apart() -> None:
    shown = [
        ShownRun(Results("m", f"runs/{name}"), facts={"protocol": name}) for name in ("a", "b")
    ]
    assert run_names(shown) == ["m (a)", "m (b)"]
    shown = [ShownRun(Results("m", f"runs/{name}"), facts={"protocol": "a"}) for name in ("x", "y")]
    assert run_names([*shown, ShownRun(Results("gguf//x/y.gguf"))]) == [
        "m (x)", "m (y)", "gguf/y.gguf",
    ]  # fmt: skip


def test_a_model_whose_interval_holds_chance_is_marked(tmp_path: Path) -> None:
    for name, reply, told in (("good", right, 0), ("bad", hostile, 1)):
        held = run(name, reply, ["releval/comparison"], 23)
        write_page(tmp_path / "page.html", Contents("t", "l", [held]))
        text = (tmp_path / "page.html").read_text()
        assert text.count('title="not shown to be above chance"') == told
        assert "one third for one of three words" in text
        assert re.search(r"a power of 0\.8\. RELEVAL: from \d+\.\d points on", text)


def test_every_row_is_marked_with_its_own_chance(tmp_path: Path) -> None:
    """Chance differs between tasks and groups: one mark for all would stand in wrong places."""
    held = run("m", right, ["releval/consistency", "releval/comparison", "procbench/count"], 40)
    page = tmp_path / "page.html"
    tables = write_page(page, Contents("t", "l", [held]))
    marks = {
        name: (float(share), float(mark))
        for name, share, mark in re.findall(
            r'<tr[^>]*><th class="words" scope="row">([^<]*)</th>'
            r"(?:\s*<td[^>]*>(?:(?!</td>).)*</td>){2}"
            r'\s*<td>([0-9.]+)</td>(?:(?!</tr>).)*?<rect class="s-chance" x="([0-9.]+)"',
            page.read_text().replace("<wbr>", ""),
            re.DOTALL,
        )
    }
    shown = overview(held.results)
    expected = {**shown.tasks, "overall": shown.families["procbench"]}
    assert expected["releval/comparison"].chance == pytest.approx(1 / 3)
    assert 0.1 < expected["releval/consistency"].chance < 0.2
    for dimension, groups in shown.families["releval"].by.items():
        expected |= {f"{dimension} {name}": each for name, each in groups.items()}
    for name in set(expected) & set(marks):
        chance = expected[name].chance
        assert marks[name] == pytest.approx((chance, min(99.2, 100 * chance)), abs=0.01)
    assert len(set(marks.values())) > 2
    assert {"releval/comparison", "releval/consistency", "procbench/count"} <= set(marks)
    table = next(each for each in tables if each.name == "releval-accuracy")
    by_task = {(row[0], row[1]): row[2] for row in table.rows}
    assert by_task["chance", "comparison"].value == pytest.approx(1 / 3)  # type: ignore[union-attr]


def test_runs_of_different_sizes_have_a_range_of_n(tmp_path: Path) -> None:
    runs = [run(name, right, ["procbench/sort"], size) for name, size in (("a", 4), ("b", 24))]
    write_page(tmp_path / "page.html", Contents("t", "l", runs))
    assert " n: ProcBench 4 to 24.</p>" in (tmp_path / "page.html").read_text()


def test_the_page_tells_a_seed_of_ones_own_from_the_public_one() -> None:
    for seed, told in ((0, "<td>0 (public)</td>"), (7, "<td>7</td>")):
        thence("run", "procbench/sort", "--size", 2, "--seed", seed, "--model", "baseline/oracle",
               "-o", f"run{seed}")  # fmt: skip
        thence("report", f"run{seed}", "-o", "page.html", "--overwrite")
        text = Path("page.html").read_text()
        assert told in text
        assert "0, the default of all, is public" in text


def test_columns_of_numbers_share_their_digits() -> None:
    rows = [("a", 82.6, "0.62", 3), ("b", 7.25, None, 4)]
    table = Table("t", "T", ("name", "mean", "printed", "n"), rows)
    assert [column.words for column in cell_text.columns(table)] == [True, False, False, False]
    assert cell_text.texts(table) == [["a", "82.6", "0.62", "3"], ["b", "7.2", "", "4"]]


def test_what_rounds_to_zero_has_no_sign() -> None:
    rows = [("a", Estimate(-0.0001, -0.0002, 0.3, 9)), ("b", -0.0001)]
    table = Table("t", "T", ("name", "difference"), rows)
    assert [row[1] for row in cell_text.texts(table)] == ["0.000 [0.00, 0.30]", "0.000"]


def test_one_large_number_among_shares_takes_no_digits_from_them() -> None:
    rows = [("pa", 0.857), ("f1", 0.4), ("pml", 10.591)]
    table = Table("t", "Title", ("figure", "value"), rows)
    assert [row[1] for row in cell_text.texts(table)] == ["0.857", "0.400", "10.591"]
    per_cent = Table("t", "Title", ("figure", "value"), [("a", 0.4), ("b", 88.25), ("c", 7.0)])
    assert [row[1] for row in cell_text.texts(per_cent)] == ["0.4", "88.2", "7.0"]
