"""``thence ratings``: the sheet for raters, and what their ratings amount to."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from tests.cli.command import refused, thence
from tests.families.catbench.corpora import small_corpus
from thence.core import sheets
from thence.families.catbench import rating_sheet
from thence.families.catbench.rating_sheet import Item, pages
from thence.families.catbench.ratings import Rated, figures

COLUMNS = ["item", "model", "split", "correct", "rater", "rating"]
WORKED = ([5, 5, 4], [4, 4, 4], [2, 3, 5], [1, 1, 2], [3, 5, 4], [5, 4, 2])
RIGHT = (1, 1, 0, 0, 1, 1)


def write(rows: Sequence[Sequence[Any]], name: str = "ratings.csv") -> Path:
    with Path(name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *rows])
    return Path(name)


def worked(model: str = "m") -> list[list[Any]]:
    return [
        [f"q{number}", model, "DEP" if number < 3 else "NONDEP", correct, rater, rating]
        for number, (given, correct) in enumerate(zip(WORKED, RIGHT, strict=True))
        for rater, rating in enumerate(given)
    ]


# Figures -----------------------------------------------------------------------------------------


def test_the_worked_example_to_six_decimals() -> None:
    found = thence("ratings", "score", write(worked()), "--json").json()
    overall = found["overall"]
    expected = {
        "avg": 3.5, "modavg": 2.722222, "avgbin": 0.611111, "majvote": 66.666667,
        "kappa": 0.389786, "kappa_binary": 0.298701,
    }  # fmt: skip
    assert {name: round(overall[name], 6) for name in expected} == expected
    assert overall == found["models"]["m"]["overall"]
    assert (overall["items"], overall["ratings"]) == (6, 18)
    assert overall["histogram"] == {"1": 2, "2": 3, "3": 2, "4": 6, "5": 5}
    assert found["DEP"]["items"] == found["NONDEP"]["items"] == 3
    shown = thence("ratings", "score", "ratings.csv").out
    for figure in ("3.500000", "2.722222", "0.611111", "66.666667", "0.389786", "0.298701"):
        assert figure in shown


def fleiss(items: Sequence[Sequence[int]], weight: Any, categories: Sequence[int]) -> float:
    """Kappa a second way: agreement over ordered pairs of raters, one by one."""
    observed = []
    for given_ in items:
        pairs = [(a, b) for i, a in enumerate(given_) for j, b in enumerate(given_) if i != j]
        observed.append(sum(weight(a, b) for a, b in pairs) / len(pairs))
    every = [rating for given_ in items for rating in given_]
    share = {c: every.count(c) / len(every) for c in categories}
    chance = sum(weight(a, b) * share[a] * share[b] for a in categories for b in categories)
    return float((sum(observed) / len(observed) - chance) / (1 - chance))


@given(
    st.integers(2, 4).flatmap(
        lambda n: st.lists(
            st.tuples(st.lists(st.integers(1, 5), min_size=n, max_size=n), st.booleans()),
            min_size=1,
            max_size=12,
        )
    )
)
def test_every_figure_is_what_its_definition_says(held: list[tuple[list[int], bool]]) -> None:
    items = [
        Rated("m", "DEP", correct, number, tuple(given_))
        for number, (given_, correct) in enumerate(held)
    ]
    found = {name: each.value for name, each in figures(items).items()}
    means = [sum(given_) / len(given_) for given_, _ in held]
    high = [[rating > 3 for rating in given_] for given_, _ in held]
    n = len(held)
    assert found["avg"] == pytest.approx(sum(means) / n)
    modified = (m * correct for m, (_, correct) in zip(means, held, strict=True))
    assert found["modavg"] == pytest.approx(sum(modified) / n)
    assert found["avgbin"] == pytest.approx(sum(sum(h) / len(h) for h in high) / n)
    assert found["majvote"] == pytest.approx(100 * sum(sum(h) > len(h) / 2 for h in high) / n)

    def weight(a: int, b: int) -> float:
        return math.cos(abs(a - b) * math.pi / 8)

    for name, given_, weigh, categories in (
        ("kappa", [given_ for given_, _ in held], weight, range(1, 6)),
        ("kappa_binary", high, lambda a, b: float(a == b), (0, 1)),
    ):
        every = {rating for each in given_ for rating in each}
        if len(every) == 1:
            assert math.isnan(found[name])
        else:
            assert found[name] == pytest.approx(fleiss(given_, weigh, categories), abs=1e-9)


def test_models_stand_beside_each_other_and_the_printed_figures_beside_ours() -> None:
    path = write([*worked("openai/gpt-4o"), *worked("other")])
    found = thence("ratings", "score", path, "--json").json()
    assert list(found["models"]) == ["openai/gpt-4o", "other"]
    assert found["overall"]["items"] == 12
    shown = thence("ratings", "score", path).out
    assert "openai/gpt-4o, printed" in shown
    assert "87.920" in shown  # MAJVOTE of gpt-4o on DEP, Table 8
    assert "all models, printed" in shown
    assert "other, printed" not in shown


# Bad rows ----------------------------------------------------------------------------------------


def test_bad_rows_are_left_out_one_clear_line_each() -> None:
    rows = worked()
    bad = [
        ["q0", "m", "DEP", 1, 7, 6],
        ["q0", "m", "DEP", 1, 8, 0],
        ["q0", "m", "DEP", 1, 9, "good"],
        ["q0", "m", "DEP", 1, 9, 3.5],
        ["q0", "m", "DEP", 1, 0, 3],
        ["q0", "m", "DEP", 0, 9, 3],
        ["q0", "m", "DEP", "maybe", 9, 3],
        ["", "m", "DEP", 1, 9, 3],
        ["q0", "m", "DEP", 1, 9, ""],
    ]
    done = thence("ratings", "score", write([*rows, *bad]), "--json", status=1)
    lines = [line.removeprefix("thence: ratings.csv") for line in done.err.splitlines()]
    assert lines == [
        ":20: rating 6: must be a whole number from 1 to 5; left out",
        ":21: rating 0: must be a whole number from 1 to 5; left out",
        ":22: rating 'good': must be a number from 1 to 5; left out",
        ":23: rating 3.5: must be a whole number from 1 to 5; left out",
        ":24: rater 0 rated item q0 before; left out",
        ":25: item q0: split or correct is not what an earlier row says; left out",
        ":26: correct 'maybe': must be 1 or 0; left out",
        ":27: the item is missing; left out",
        ": left out: 1 row without a rating",
        ": left out: 8 rows, as said above",
    ]
    found = done.json()
    assert (found["skipped"], found["unrated"]) == (8, 1)
    assert round(found["overall"]["kappa"], 6) == 0.389786


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("item,model\n", "has no column 'split'"),
        ("", "has no column 'item'"),
        (",".join(COLUMNS) + "\n", "holds no rating"),
        (",".join(COLUMNS) + "\nq,m,DEP,1,1,9\n", "holds no rating: ratings.csv:2: rating 9"),
        (",".join(COLUMNS) + "\nq,m,DEP,1,1,nan\n", "rating nan: must be a whole number"),
        (",".join(COLUMNS) + "\nq,m,DEP,1,1,inf\n", "rating inf: must be a whole number"),
    ],
)
def test_a_file_without_ratings(text: str, says: str) -> None:
    Path("ratings.csv").write_text(text)
    refused("ratings", "score", "ratings.csv", says=("ratings.csv", says))


def test_no_file() -> None:
    refused("ratings", "score", "none.csv", says=("none.csv: no such file",))


# The draw ----------------------------------------------------------------------------------------


def items(sizes: Sequence[tuple[int, int]]) -> list[Item]:
    """Items of some recipes, so many DEP and NONDEP of each."""
    return [
        Item(f"{recipe}-{split}-{number}", "m", str(recipe), split, number > 3, "", "", "", "why")
        for recipe, counts in enumerate(sizes)
        for split, count in zip(("DEP", "NONDEP"), counts, strict=True)
        for number in range(count)
    ]


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=8),
    st.integers(2, 60),
    st.integers(0, 5),
)
def test_pages_are_balanced_and_of_one_recipe(
    sizes: list[tuple[int, int]], wanted: int, seed: int
) -> None:
    held = items(sizes)
    drawn = pages(held, wanted, seed)
    flat = [item for page in drawn for item in page]
    assert len(set(flat)) == len(flat)
    counts = Counter(item.split for item in flat)
    each = min(wanted // 2, *(sum(size[k] for size in sizes) for k in (0, 1)))
    assert counts == Counter({"DEP": each, "NONDEP": each}) or each == 0 == len(flat)
    for page in drawn:
        assert 1 <= len(page) <= 6
        assert len({item.recipe for item in page}) == 1
    assert drawn == pages(held, wanted, seed)


def test_the_papers_subset_is_80_pages_of_six() -> None:
    drawn = pages(items([(25, 25)] * 57), 480, 0)
    assert [len(page) for page in drawn] == [6] * 80
    order = [item.split for page in drawn for item in page]
    assert order.count("DEP") == 240
    assert len({tuple(item.split for item in page) for page in drawn}) > 5  # shuffled
    assert drawn != pages(items([(25, 25)] * 57), 480, 1)


@pytest.fixture
def run(tmp_path: Path) -> str:
    corpus, titles = small_corpus(tmp_path)
    thence(
        "run", "catbench", "--set", f"flow_graphs={corpus}", "--set", f"titles={titles}",
        "--model", "baseline/random", "--protocol", "answer_then_explain", "-o", "run",
    )  # fmt: skip
    return "run"


def test_from_a_run_to_figures(run: str) -> None:
    done = thence("ratings", "sample", run, "-o", "sheet.csv", "--items", 24)
    assert "24 answers (12 DEP, 12 NONDEP)" in done.out
    with Path("sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 24 * 3
    assert set(COLUMNS) <= set(rows[0])
    assert {row["rating"] for row in rows} == {""}
    for _, page in groupby(rows, lambda row: (row["rater"], row["page"])):
        held = list(page)
        assert len({row["procedure"] for row in held}) == 1
        assert len({row["item"] for row in held}) == len(held) <= 6
    for row in rows:
        assert row["question"].startswith("Must Step ")
        assert row["explanation"]
        assert row["correct"] == str(int((row["answer"] == "yes") == (row["split"] == "DEP")))
        assert row["procedure"].startswith("Goal: dish ")
    again = thence("ratings", "sample", run, "-o", "again.csv", "--items", 24)
    assert again.out.replace("again", "sheet") == done.out
    assert Path("again.csv").read_bytes() == Path("sheet.csv").read_bytes()
    rng = Random(1)
    for row in rows:
        row["rating"] = str(rng.randint(1, 5))
    with Path("sheet.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rating_sheet.COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    found = thence("ratings", "score", "sheet.csv", "--json").json()
    assert found["overall"]["items"] == 24
    assert found["DEP"]["items"] == found["NONDEP"]["items"] == 12
    assert found["overall"]["avg_ci"][0] < found["overall"]["avg"]


def test_fewer_than_asked_for_are_said(run: str) -> None:
    done = thence("ratings", "sample", run, "-o", "sheet.csv", "--items", 48_000)
    assert "answers of the smaller class" in done.err


def test_what_cannot_be_sampled(tmp_path: Path) -> None:
    corpus, titles = small_corpus(tmp_path)
    refused("ratings", "sample", "none", "-o", "x.csv", says=("none: no such run directory",))
    thence(
        "run", "catbench", "--set", f"flow_graphs={corpus}", "--set", f"titles={titles}",
        "--model", "baseline/oracle", "-o", "plain",
    )  # fmt: skip
    refused("ratings", "sample", "plain", "-o", "x.csv", says=("--protocol answer_then_explain",))
    Path("mine.csv").write_text("mine")
    refused("ratings", "sample", "plain", "-o", "mine.csv", says=("exists", "--overwrite"))
    refused("ratings", "sample", "plain", "-o", "no/x.csv", says=("name a file",))


# Several raters ----------------------------------------------------------------------------------


def test_sheets_of_several_raters_give_what_one_sheet_gives() -> None:
    rows = worked()
    whole = thence("ratings", "score", write(rows), "--json").json()
    for rater in range(3):
        own = [[*row[:4], row[4], row[5] if row[4] == rater else ""] for row in rows]
        write(own, f"{rater}.csv")
    sheets.write(Path("1.xlsx"), COLUMNS, [row for row in rows if row[4] == 1])
    lines = [";".join(map(str, row)) for row in [COLUMNS, *rows] if row[4] in {"rater", 2}]
    Path("2.txt").write_text("\n".join(lines).replace(";5", ";5,0"), encoding="utf-16")
    done = thence("ratings", "score", "0.csv", "1.xlsx", "2.txt", "--json")
    found = done.json()
    for name in ("overall", "DEP", "NONDEP", "models"):
        assert found[name] == whole[name]
    assert done.err == "thence: 0.csv, 1.xlsx, 2.txt: left out: 12 rows without a rating\n"
    raters = ["0.csv, 0", "1.xlsx, 1", "2.txt, 2"]
    assert found["raters"] == [{"rater": name, "ratings": 6} for name in raters]
    assert [pair["raters"] for pair in found["pairs"]] == [
        raters[:2], [raters[0], raters[2]], raters[1:],
    ]  # fmt: skip
    assert [pair["items"] for pair in found["pairs"]] == [6, 6, 6]
    assert [round(6 * pair["equal"]) for pair in found["pairs"]] == [3, 1, 1]
    both = [given[:2] for given in WORKED]
    kappa = fleiss(both, lambda a, b: math.cos(abs(a - b) * math.pi / 8), range(1, 6))
    assert found["pairs"][0]["kappa"] == pytest.approx(kappa)
    shown = thence("ratings", "score", "0.csv", "1.xlsx", "2.txt").out
    assert "Agreement of each two raters" in shown


def test_copies_of_one_sheet_are_of_different_raters_and_what_is_missing_is_said() -> None:
    rows = [row for row in worked() if row[4] == 0]
    write(rows, "a.csv")
    write([[*row[:5], 6 - row[5]] for row in rows[:4]], "b.csv")
    done = thence("ratings", "score", "a.csv", "b.csv", "--json")
    assert done.err == "thence: rater b.csv, 0: 2 of 6 items are not rated: q4, q5\n"
    assert done.json()["overall"]["ratings"] == 10
    write(rows, "c.csv")
    done = thence("ratings", "score", "a.csv", "c.csv")
    assert "rater a.csv, 0 and rater c.csv, 0: all 6 ratings are equal; if one sheet is" in done.err
    refused("ratings", "score", "a.csv", "./a.csv", says=("a.csv: is given twice",))


def test_a_rating_with_a_decimal_comma_and_another_encoding() -> None:
    lines = [
        ";".join(map(str, row)) for row in [[*COLUMNS, "note"], *([*w, "é"] for w in worked())]
    ]
    Path("x.csv").write_text("\n".join(lines).replace(";5;", ";5,0;"), encoding="cp1252")
    done = thence("ratings", "score", "x.csv", "--json")
    assert round(done.json()["overall"]["kappa"], 6) == 0.389786
    assert "x.csv: not UTF-8, so read as Windows-1252: line 2 then holds" in done.err
    Path("x.csv").write_text("\n".join(lines[:3]).replace(";5;", ";3,5;"), encoding="utf-8")
    assert "rating 3,5: must be a whole number" in thence(
        "ratings", "score", "x.csv", "--json", status=2
    ).err  # fmt: skip


def test_a_sheet_of_excel_from_a_run_to_figures(run: str) -> None:
    thence("ratings", "sample", run, "-o", "sheet.xlsx", "--items", 12, "--raters", 2)
    book = load_workbook("sheet.xlsx")
    sheet = book.active
    assert sheet is not None
    assert sheet.freeze_panes == "A2"
    column = [cell.value for cell in sheet[1]].index("rating") + 1
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, column).value = 1 + row % 5
    book.save("sheet.xlsx")
    found = thence("ratings", "score", "sheet.xlsx", "--json").json()
    assert (found["overall"]["items"], found["overall"]["ratings"]) == (12, 24)
    refused("ratings", "sample", run, "-o", "x.xls", says=("-o x.xls: must end in .csv or .xlsx",))
