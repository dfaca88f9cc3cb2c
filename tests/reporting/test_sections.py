"""Sections of the page: what they say is true, and models keep their colours."""

from __future__ import annotations

import html
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import settle, thence
from tests.reporting.runs import right, run
from tests.reporting.test_report import unpacked
from thence import families
from thence.analysis.difficulty import bins, decay
from thence.analysis.standings import Measure, measures, sentences, turned
from thence.analysis.summary import overview
from thence.core.sample import Sample
from thence.core.statistics import EMPTY, Estimate, wilson
from thence.core.table import Chart, Table
from thence.families.releval.plans import METRICS
from thence.reporting import charts, failure_counts, page_comparisons, palette, svg
from thence.reporting.exhibit import Shown
from thence.reporting.page import Contents, ShownRun, write_page
from thence.reporting.page_abilities import abilities
from thence.reporting.page_answer import answer
from thence.reporting.page_failures import failures
from thence.reporting.page_limits import _falls, limits
from thence.reporting.page_pairs import costs, pairs
from thence.reporting.palette import Styles
from thence.reporting.terminal import paper_tables

TASKS = ["procbench/sort", "catbench/order"]


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settle(monkeypatch, tmp_path)


def falling(share: float, seed: int = 0):
    """A model whose answers are right with a chance that falls with length."""
    rng = np.random.default_rng(seed)

    def reply(sample: Sample, place: int) -> str:
        steps = sample.metadata.get("steps") or 3
        if rng.random() < share**steps:
            return right(sample, place)
        if sample.task == "catbench/order":
            return "yes" if sample.target == "no" else "no"
        return '{"intermediate": ["x"], "final": "y"}'

    return reply


def shown_of(*held: ShownRun) -> Shown:
    found = [each.results for each in held]
    views = [overview(each) for each in found]
    names = [each.model for each in found]
    numbers = [each.numbers for each in held]
    counted = [failure_counts.of_rows(each.rows, each.results.turns) for each in held]
    return Shown(names, found, views, counted, measures(found, views), Styles(names), numbers)


@pytest.fixture(scope="module")
def runs() -> list[ShownRun]:
    models = {"strong": 0.99, "middle": 0.9, "weak": 0.3}
    return [run(name, falling(share), TASKS, 96) for name, share in models.items()]


@pytest.fixture(scope="module")
def shown(runs: list[ShownRun]) -> Shown:
    return shown_of(*runs)


def test_the_messages_shown_are_those_that_were_sent() -> None:
    thence("generate", "catbench", "--size", 12, "-o", "q.jsonl")
    for protocol in ("few_shot", "are_you_sure", "direct"):
        thence("run", "q.jsonl", "--model", "baseline/random", "--protocol", protocol,
               "-o", protocol)  # fmt: skip
        thence("report", protocol, "-o", f"{protocol}.html")
    examples = unpacked(Path("few_shot.html"))["replies"][0]["sent"]
    assert isinstance(examples, list)
    assert [role for role, _ in examples].count("assistant") == 5
    last = [each for each in unpacked(Path("are_you_sure.html"))["replies"] if each["t"] == 1]
    assert [role for role, _ in last[0]["sent"]] == ["user", "assistant", "user"]  # type: ignore[attr-defined]
    assert "Are you sure?" in last[0]["sent"][-1][1]  # type: ignore[index]
    assert all("sent" not in each for each in unpacked(Path("direct.html"))["replies"])
    page = html.unescape(Path("are_you_sure.html").read_text())
    assert "Before and after" in page
    assert "Answers that changed" in page


def test_messages_that_cannot_be_known_are_not_made_up() -> None:
    thence("generate", "catbench", "--size", 2, "-o", "q.jsonl")
    thence("run", "q.jsonl", "--model", "baseline/oracle", "--protocol", "few_shot", "-o", "run")
    responses = Path("run/responses.jsonl")
    responses.write_text(re.sub(r'"key":"[0-9a-f]+"', '"key":"0"', responses.read_text()))
    thence("report", "run", "-o", "page.html")
    assert {str(each["sent"]) for each in unpacked(Path("page.html"))["replies"]} == {"[]"}


def test_a_model_has_one_colour_and_shape_wherever_it_is() -> None:
    names = [f"model {place}" for place in range(24)]
    styles = Styles(names)
    assert len({styles.of(name) for name in names}) == 24
    assert len({styles.of(name)[0] for name in names[:12]}) == 12
    rows = [("a", name, Estimate(0.5, 0.4, 0.6, 9)) for name in ("model 3", "other (paper)")]
    table = Table("t", "T", ("x", "model", "y"), rows, "", Chart("dot", "x", "y", "model"))
    drawn = charts.drawn(table, styles)
    assert 'class="m3"' in drawn
    assert 'class="m0"' not in drawn
    assert 'class="pp"' in drawn
    alone = Table("t", "T", ("model", "y"), [(row[1], row[2]) for row in rows], "",
                  Chart("bar", "model", "y"))  # fmt: skip
    assert 'class="m3"' in charts.drawn(alone, styles)


def test_colours_stand_out_from_their_ground() -> None:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    for name, pair in palette.COLOURS.items():
        least = 4.5 if name in {"ink", "soft", "link", "warn", "chance"} else 3.0
        if re.fullmatch(r"m\d+", name) or least > 3:
            for dark in (False, True):
                ends = sorted((light(pair[dark]), light(palette.COLOURS["paper"][dark])))
                assert ends[1] / ends[0] >= least, (name, dark)
    for words, ground in (("soft", "band"), ("ink", "mark"), ("ink", "good"), ("ink", "bad")):
        for dark in (False, True):
            ends = sorted(light(palette.COLOURS[each][dark]) for each in (words, ground))
            assert ends[1] / ends[0] >= 4.5, (words, ground, dark)


def test_every_series_has_its_legend_and_categories_are_not_joined() -> None:
    rows = [(x, name, Estimate(0.5, 0.4, 0.6, 9)) for x in ("p", "q") for name in ("a", "b")]
    for kind in ("dot", "bar", "line", "radar"):
        chart = Chart(kind, "x", "y", "s")  # type: ignore[arg-type]
        drawn = charts.drawn(Table("t", "T", ("x", "s", "y"), rows, "", chart), Styles())
        assert ">a</text>" in drawn
        assert ">b</text>" in drawn
        assert 'class="path"' not in drawn
    numbers = [(x, name, y) for x, (_, name, y) in zip((1, 1, 2, 2), rows, strict=True)]
    chart = Chart("line", "x", "y", "s")
    drawn = charts.drawn(Table("t", "T", ("x", "s", "y"), numbers, "", chart), Styles())
    assert drawn.count('class="path"') == 2


def test_words_of_a_figure_are_text_and_no_letter_breaks_a_file() -> None:
    table = Table("t", "T", ("x", "y"), [("<b>&\x00\ud800", 0.5)], "", Chart("bar", "x", "y"))
    drawn = charts.drawn(table, Styles())
    assert "<b>" not in drawn
    assert "\x00" not in svg.alone(drawn)
    drawn.encode()


def test_the_answer_names_the_leader_and_who_cannot_be_told_apart(shown: Shown) -> None:
    head = answer(shown, [])
    assert head.sentences[0].startswith("strong leads")
    assert [line.name for line in head.lines] == ["strong", "middle", "weak"]
    measure = next(each for each in shown.measures if each.name == "procbench")
    assert not set(measure.letters[0]) & set(measure.letters[2])
    lead = measure.lead(0, 2)
    assert lead is not None
    assert lead.change.low > 0
    back = measure.lead(2, 0)
    assert back is not None
    assert (back.change.value, back.change.high) == (-lead.change.value, -lead.change.low)
    section = pairs(shown)
    assert section is not None
    table = section.exhibits[0].table
    assert table is not None
    assert len(table.rows) == 3 * len(shown.measures)
    for _, better, worse, n, change, only, other, _ in table.rows:
        assert change.value > 0, (better, worse)  # type: ignore[union-attr]
        assert only - other == pytest.approx(change.value * n)  # type: ignore[operator, union-attr]
    assert ">+" in section.exhibits[0].panels[0][1] + section.exhibits[0].panels[1][1]


def test_equal_runs_share_a_letter_and_the_sentence_says_so() -> None:
    both = shown_of(*(run(name, falling(0.9), ["procbench/sort"], 40) for name in ("a", "b")))
    (measure,) = both.measures
    assert measure.letters == ["a", "a"]
    first, second = sentences(both.names, [measure])
    assert first == "No run leads ProcBench significantly."
    assert second.startswith("ProcBench: a and b are level, within [")
    assert second.endswith("] points.")


def test_one_run_is_told_where_it_is_above_chance(shown: Shown) -> None:
    first, *more = sentences(["strong"], shown.measures)
    assert first.startswith("strong is right on ")
    assert first.endswith("% of ProcBench.")
    assert more == ["Significantly above exact chance: CaT-Bench and ProcBench."]
    weak = [replace(each, summaries=each.summaries[2:]) for each in shown.measures]
    assert sentences(["weak"], weak)[-1] == "Not shown to be above chance: CaT-Bench."


def test_only_who_is_surely_ahead_leads(shown: Shown) -> None:
    """A lead that is not significant is no lead, and a run that nobody else met is not ahead."""
    measure = next(each for each in shown.measures if each.name == "procbench")
    second, third = (
        replace(measure, title=title, differences={pair: replace(each, adjusted=p)
                for pair, each in measure.differences.items()})
        for title, p in (("Second", 0.2), ("Third", 0.001))
    )  # fmt: skip
    told = sentences(shown.names, [second, third])
    assert told[0] == "strong leads Third; no run leads Second significantly."
    assert told[1].startswith("Second: strong is best, but +")
    assert told[1].endswith(
        "] over middle are not significant after Holm's correction for 3 pairs of runs; "
        "1 more cannot be told from the best."
    )
    lone = {pair: replace(each, p=0.2) for pair, each in second.differences.items()}
    assert sentences(shown.names, [replace(second, differences=lone)])[1].endswith(
        "] over middle are not significant; 1 more cannot be told from the best."
    )
    assert sentences(shown.names, [third, replace(third, title="Fourth")]) == [
        "strong leads both measures."
    ]
    behind = {pair: turned(each) for pair, each in third.differences.items()}
    assert sentences(shown.names, [replace(third, differences=behind)])[0] == (
        "No run leads Third significantly."
    )
    alone = replace(third, summaries=[measure.summaries[0], None, None])
    assert sentences(shown.names, [alone]) == ["strong alone was asked about Third."]
    first, *others = measure.summaries
    assert first is not None
    unread = replace(third, summaries=[replace(first, accuracy=EMPTY), *others])
    assert unread.order == [1, 2, 0]
    assert sentences(shown.names, [unread]) == ["middle leads Third."]


def test_letters_of_a_chain_overlap() -> None:
    """Neighbours are alike, the ends are not: the middle shares a letter with each."""
    held = shown_of(*(run(str(at), right, ["procbench/sort"], 4) for at in range(3)))
    (measure,) = held.measures
    first = measure.differences[0, 1]
    from thence.analysis.standings import _letters

    ps = {(0, 1): 0.5, (1, 2): 0.5, (0, 2): 0.001}
    chain = replace(
        measure, differences={pair: replace(first, adjusted=p) for pair, p in ps.items()}
    )
    assert _letters(chain, 3) == ["a", "ab", "b"]


def test_chance_is_exact_and_a_cell_says_when_it_is_not_passed() -> None:
    held = shown_of(run("random", lambda sample, place: "yes", ["catbench/order"], 60))
    (cell,) = answer(held, []).lines[0].cells
    assert cell.summary is not None
    assert cell.summary.chance == 0.5
    assert cell.verdict == "not shown to be above chance"
    assert 'class="tick"' in cell.drawing


def test_the_fitted_chance_of_a_step_is_found_again() -> None:
    held = run(
        "m", falling(0.95, 3), ["procbench/sort", "procbench/count", "procbench/search"], 240
    )
    fit = decay(held.results, list(held.results.frames), "steps")
    assert fit is not None
    assert fit.step.low < 0.95 < fit.step.high
    assert fit.half == pytest.approx(math.log(0.5) / math.log(fit.step.value))
    found = bins(held.results, list(held.results.frames), "steps", "accuracy")
    assert min(each.value.n for each in found) >= 20
    assert sum(each.value.n for each in found) == 720
    perfect = run("m", right, ["procbench/sort"], 24)
    best = decay(perfect.results, ["procbench/sort"], "steps")
    assert best is not None
    assert best.step.value == 1


def test_figures_by_length_have_a_panel_a_model_and_all_metrics(shown: Shown) -> None:
    section = limits(shown)
    assert section is not None
    (exhibit,) = [each for each in section.exhibits if "procbench" in each.name]
    assert len(exhibit.choices) == 3
    assert {len(held) for held in exhibit.choices.values()} == {3}
    assert "per step, half-life" in "".join(
        drawn for _, drawn in next(iter(exhibit.choices.values()))
    )


def test_one_domain_of_fable_is_shown_once() -> None:
    both = ["fable/plans/taint", "fable/plans/concurrency"]
    made = abilities(shown_of(run("m", right, both, 2))).exhibits
    assert [each.name for each in made] == ["tasks-fable"]


def test_failures_show_outcomes_confusions_and_first_wrong_steps(shown: Shown) -> None:
    names = {each.name: each for each in failures(shown).exhibits}
    assert {"outcomes", "confusion-cat-bench", "first-error", "consistent"} <= set(names)
    table = names["confusion-cat-bench"].table
    assert table is not None
    for row in table.rows:
        assert sum(share for share in row[3:] if isinstance(share, float)) == pytest.approx(1)
    assert all(each.note for each in names.values() if each.panels and each.name != "turns-0")


def test_the_title_of_confusions_cannot_be_taken_for_an_answer() -> None:
    names = {each.name: each for each in failures(shown_of(run("m", right, TASKS, 4))).exhibits}
    title = names["confusion-cat-bench"].title
    assert title == "CaT-Bench: none of the answers is given significantly too often"
    always = failures(shown_of(run("m", lambda *_: "Yes", ["catbench/order"], 40))).exhibits
    (title,) = (each.title for each in always if each.name == "confusion-cat-bench")
    assert title.startswith("CaT-Bench: m says yes ")


def test_accuracy_falls_only_where_an_interval_says_so() -> None:
    def share(right: int, n: int) -> Estimate:
        return Estimate(right / n, *wilson(right, n), n)

    assert not _falls(share(25, 25), share(23, 25))
    assert _falls(share(24, 25), share(12, 25))


def test_few_wrong_replies_have_no_heading_of_their_own() -> None:
    for size, begin in (
        (4, "First wrong step of the wrong replies"),
        (24, "First wrong step: within the first 30% of the steps in"),
    ):
        wrong = run("m", falling(0.0), ["procbench/sort"], size)
        (title,) = (each.title for each in failures(shown_of(wrong)).exhibits
                    if each.name == "first-error")  # fmt: skip
        assert title.startswith(begin)


def test_analyses_and_domains_of_each_run_are_one_figure() -> None:
    tasks = [f"fable/{domain}/taint" for domain in ("plans", "recipes")]
    runs = (run(name, right, tasks, 2) for name in ("a", "b"))
    (made,) = (each for each in abilities(shown_of(*runs)).exhibits if each.name == "analyses")
    assert [place for place, _ in made.panels] == [0, 1]
    assert all(drawn.count(">100</text>") == 2 for _, drawn in made.panels)
    assert made.panels[0][1].count('class="h10 few"') == 2
    assert made.table is not None
    assert [row[:2] for row in made.table.rows] == [("a", "taint"), ("b", "taint")]


def test_the_title_of_outcomes_counts_the_replies_that_are_drawn() -> None:
    held = [run(name, reply, ["procbench/sort"], 4)
            for name, reply in (("good", right), ("mute", lambda *_: "no idea"))]  # fmt: skip
    title = failures(shown_of(*held)).exhibits[0].title
    assert title == "Outcomes: mute fails to answer most often (4 replies)"
    once = run("once", lambda _, place: "no idea" if not place else "", ["procbench/sort"], 1)
    assert failures(shown_of(once)).exhibits[0].title.endswith("(1 reply)")
    assert failures(shown_of(held[0])).exhibits[0].title == "Outcomes: every reply has an answer"


def test_cost_is_shown_only_where_it_is_known(shown: Shown) -> None:
    assert costs(shown) is None
    held = [run(name, right, ["procbench/sort"], 4) for name in ("cheap", "dear")]
    for each, cost in zip(held, (0.1, 2.0), strict=True):
        each.numbers = {"asked": 4.0, "cost": cost}
    section = costs(shown_of(*held))
    assert section is not None
    assert [row[2] for row in section.exhibits[0].table.rows] == [2.5, 50.0]  # type: ignore[union-attr]
    assert answer(shown_of(*held), []).costs == ["USD per 100"]
    keys, drawn = ([each for _, each in held] for held in
                   (section.exhibits[0].keys, section.exhibits[0].panels))  # fmt: skip
    assert re.findall(">(cheap|dear)</text>", "".join(keys)) == ["cheap", "dear"]
    assert not re.search(">(cheap|dear)</text>", drawn[0])  # names beside dots would overlap


def test_any_two_runs_are_compared_by_task(tmp_path: Path) -> None:
    runs = [
        run(f"model-{place}", falling(0.9, place), ["procbench/sort"], 24) for place in range(6)
    ]
    page = tmp_path / "page.html"
    write_page(page, Contents("Six", "", runs))
    text = page.read_text()
    pairs = re.findall(r'class="rows pair" data-first="(\d)" data-second="(\d)"', text)
    assert sorted(pairs) == [(str(i), str(j)) for i in range(6) for j in range(i + 1, 6)]
    assert "There was no room" not in text
    brief = text[text.index("model-5 against model-4") :]
    assert "second - first" in brief[: brief.index("</details>")]
    for title in ("Answer", "Where it breaks", "What it can do", "How it fails", "Who beats whom"):
        assert f">{title}</h2>" in text or title == "Where it breaks"


def test_pairs_without_room_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [run(f"model-{place}", falling(0.9, place), ["procbench/sort"]) for place in range(6)]
    monkeypatch.setattr(page_comparisons, "_MOST", 40)
    write_page(tmp_path / "page.html", Contents("Six", "", runs))
    text = (tmp_path / "page.html").read_text()
    assert "There was no room for 6 further pairs by task" in text


def test_the_policy_of_the_page_lets_nothing_unsafe_run(tmp_path: Path) -> None:
    write_page(tmp_path / "page.html", Contents("t", "l", [run("m", right, TASKS, 4)]))
    text = (tmp_path / "page.html").read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "unsafe" not in policy[1]
    assert len(re.findall(r"'sha256-[\w+/]+=*'", html.unescape(policy[1]))) == 2
    assert " style=" not in text.partition("<script")[0].partition("</style>")[2]


def test_every_table_of_figures_has_heads_and_data(runs: list[ShownRun], tmp_path: Path) -> None:
    write_page(tmp_path / "page.html", Contents("t", "l", runs))
    text = (tmp_path / "page.html").read_text().partition("<script")[0]
    assert "<th>" not in text  # each has a scope
    assert text.count('<article class="exhibit"') > 8
    for part in text.split('<article class="exhibit"')[1:]:
        assert 'class="data"' in part.partition("</article>")[0]


def test_a_figure_whose_bars_are_no_intervals_says_so(tmp_path: Path) -> None:
    tasks = ["fable/recipes/taint", "fable/recipes/concurrency"]
    made = {each.name: each for each in write_page(
        tmp_path / "page.html", Contents("t", "l", [run("m", falling(0.8), tasks, 12)])
    )}  # fmt: skip
    text = (tmp_path / "page.html").read_text()
    assert "95% intervals unless the line above a figure says otherwise" in text
    above = text[text.index('<article class="exhibit" id="fable-figure-2"') :].partition("<svg")[0]
    assert "the bar is one deviation to either side" in above
    radar = made["fable-figure-3-recipes"]
    ours = [row[2] for row in radar.rows if row[0] == "m"]
    known = [each.low <= each.value <= each.high for each in ours if isinstance(each, Estimate)]
    assert known == [True, True]
    assert charts.drawn(radar, Styles(["m"])).count('class="thin"') == len(radar.rows)


def test_a_figure_of_parts_draws_each_of_them() -> None:
    held = run("m", right, ["releval/plan_generation"], 4)
    titled = [each for each in paper_tables([held.results]) if "parts" in each.title]
    assert [each.name for each in titled] == ["releval-figure-1a-parts"]
    drawn = charts.drawn(titled[0], Styles(["m"]))
    titles = families.families()["releval"].titles
    for part in METRICS:
        assert titles[part] in html.unescape(drawn)
    assert drawn.count('class="thin"') == len(METRICS) == 4


def test_families_tell_what_is_good() -> None:
    assert "without duplicates" in families.families()["releval"].titles["duplicates"]
    assert isinstance(Measure("a", "A", [], []).order, list)
