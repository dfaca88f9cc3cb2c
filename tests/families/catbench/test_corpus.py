"""Reading the flow-graph corpus, with all that is odd about it."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from random import Random
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.families.catbench.corpora import (
    QUESTIONS,
    published,
    random_recipe,
    small_corpus,
    write_recipe,
)
from thence.core.csv_files import read_columns
from thence.domains.flow_graphs import read_corpus
from thence.domains.flow_graphs.parsing import decoded, joined
from thence.errors import FileError


def spelled(words: list[str]) -> str:
    """The rule for texts a second time: every space first, then those taken out that must go."""
    text = " ".join(words)
    while True:
        shorter = re.sub(r" ([.,;:!?)])(?= |\Z)", r"\1", text)
        if shorter == text:
            break
        text = shorter
    tokens: list[str] = []
    for place, word in enumerate(words):
        if word == "(" and place:
            tokens.append("(\x00")
        else:
            tokens.append(word)
    text = " ".join(tokens).replace("\x00 ", "").replace("\x00", "")
    while (shorter := re.sub(r" ([.,;:!?)])(?= |\Z)", r"\1", text)) != text:
        text = shorter
    return text


@given(
    st.lists(
        st.sampled_from(["mix", "oil", "1/2", ".", ",", ";", ":", "!", "?", ")", "("]), min_size=1
    )
)
def test_texts_are_joined_by_the_rule(words: list[str]) -> None:
    found = joined(words)
    assert found.replace(" ", "") == "".join(words)
    if not any(word == "(" and after in ".,;:!?)" for word, after in itertools.pairwise(words)):
        assert found == spelled(words)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("Preheat to 170 C / Gas mark 3 .", "Preheat to 170 C / Gas mark 3."),
        ("Brush 22cm ( base measurement ) tin .", "Brush 22cm (base measurement) tin."),
        ("( optional ) Serve", "( optional) Serve"),
        ("Stir ; cover !", "Stir; cover!"),
        (". Mix", ". Mix"),
        ("Mix ) (", "Mix) ("),
    ],
)
def test_a_text(words: str, text: str) -> None:
    assert joined(words.split(" ")) == text


def test_what_is_odd_about_the_corpus_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "corpus" / "r-100"
    folder.mkdir(parents=True)
    rows = [
        "1 1 1 Mix NN Ac-B",
        "1 1 5 50\u2001E0 NP1 D-B",  # a blank within a token
        "1 1 9 :  O",  # no part of speech
        "",
        "1 2 1 Wait\x85now VV0 Ac-B",  # NEL is no end of a line
        "2 1 1 Serve VV0 Ac-B",  # sentences begin anew
        "2 1 7 . . O",
    ]
    (folder / "Odd_One_recipe__All_recipes_UK.list").write_bytes("\n".join(rows).encode())
    flow = "# 機\n1 1 1 t-eq 1 2 1\n\n1 2 1 - 2 1 1\n1 1 1 o 1 1 5\n2 1 1 s 1 1 1\n"
    (folder / "Odd_One_recipe__All_recipes_UK.flow").write_bytes(
        flow.encode("cp932") + b"#\x85 1 1 1 t 2 1 1\n"
    )
    corpus = read_corpus(tmp_path / "corpus")
    assert corpus.skipped == []
    (recipe,) = corpus.recipes
    assert recipe.title == "odd one"
    assert recipe.steps == ("Mix 50:", "Wait", "Serve.")
    assert set(recipe.graph.edges) == {(0, 1), (1, 2), (2, 0)}
    assert recipe.cyclic


def test_titles_of_the_map_win_however_names_are_written(tmp_path: Path) -> None:
    steps, edges = ["Mix", "Stir"], [(0, 1)]
    folder = tmp_path / "elsewhere" / "flow" / "r-100"
    for name in ("Onepot_stew", "Pâté", "Plain_Soup"):
        write_recipe(folder, normalize("NFC", f"{name}_recipe__All_recipes_UK"), steps, edges)
    write_recipe(folder.parent / "r-200", "recipe-00001", steps, edges)
    paths = {
        "one-pot stew": "flow/r-100/Onepot_stew_recipe__All_recipes_UK.list",
        "paté maison": normalize("NFD", "flow/r-100/Pâté_recipe__All_recipes_UK.list"),
        "gone": "flow/r-100/Gone.list",
        "odd": 3,
    }
    titles = tmp_path / "titles.json"
    titles.write_text(json.dumps(paths))
    corpus = read_corpus(folder.parent, titles)
    assert {recipe.name: recipe.title for recipe in corpus.recipes} == {
        "r-100/Onepot_stew_recipe__All_recipes_UK": "one-pot stew",
        "r-100/Plain_Soup_recipe__All_recipes_UK": "plain soup",
        "r-100/Pâté_recipe__All_recipes_UK": "paté maison",
        "r-200/recipe-00001": "",
    }
    assert [recipe.title for recipe in corpus.listed] == ["one-pot stew", "paté maison"]
    assert corpus.untitled == ["r-200/recipe-00001"]
    assert [line.partition(": ")[2] for line in corpus.skipped] == [
        f"title 'gone': flow/r-100/Gone.list is not in {folder.parent}; left out",
        "title 'odd': must name a .list file; left out",
    ]


def test_what_cannot_be_read_is_left_out_and_said(tmp_path: Path) -> None:
    folder, _ = small_corpus(tmp_path, 2)
    first, second = sorted((folder / "r-200").glob("*.list"))
    clean = read_corpus(folder).recipes
    first.write_bytes(first.read_bytes() + b"9 9 1\nnonsense\n9 1 1 Caf\xe9 NN O\n")
    flow = first.with_suffix(".flow")
    flow.write_text(flow.read_text() + "1 1 1 t 7 7 7\n1 1 2 t 1 2 1\n1 1 1 t\n1 1 x t 1 2 1\n")
    (folder / "r-200" / "lonely.flow").write_text("")
    (folder / "r-200" / "single.list").write_text("1 1 1 Mix NN O\n")
    write_recipe(folder / "r-200", "void", [], [])
    found = read_corpus(folder)
    lines = [line.rpartition("r-200/")[2] for line in found.skipped]
    last = len(first.read_bytes().splitlines())
    edges = len(flow.read_text().splitlines())
    assert lines == [
        "recipe-00000.list: not all of it is UTF-8; such bytes are read as U+FFFD",
        f"recipe-00000.list:{last - 2}: has no token or no tag; left out",
        (
            f"recipe-00000.list:{last - 1}: does not begin with paragraph, sentence and offset; "
            "left out"
        ),
        "recipe-00000.list: sentence 9 9 holds no word; left out",
        (
            f"recipe-00000.flow:{edges - 3}: an edge to or from node 7 7 7, which does not exist; "
            "left out"
        ),
        (
            f"recipe-00000.flow:{edges - 2}: an edge to or from node 1 1 2, which does not exist; "
            "left out"
        ),
        f"recipe-00000.flow:{edges - 1}: is no edge (node, label, node); left out",
        f"recipe-00000.flow:{edges}: is no edge (node, label, node); left out",
        "single.list: no .flow beside it, so its order is not known; left out",
        "void.list: holds no sentence; left out",
        "lonely.flow: no .list beside it",
    ]
    mended, other = found.recipes
    assert mended.steps == (*clean[0].steps, "Caf\ufffd")
    assert mended.graph.edges == clean[0].graph.edges
    assert (other.name, other.steps, other.graph.edges) == (
        clean[1].name, clean[1].steps, clean[1].graph.edges,
    )  # fmt: skip
    assert second.is_file()


def test_a_file_of_another_kind_is_told_of_in_a_few_lines(tmp_path: Path) -> None:
    folder, _ = small_corpus(tmp_path, 2)
    (folder / "r-200" / "recipe-00000.flow").write_text("no edge\n" * 5000)
    skipped = read_corpus(folder).skipped
    assert len(skipped) == 21
    assert skipped[-1].endswith("more lines like these; is it a file of the corpus?")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: path / "none", "no such folder"),
        (lambda path: path, "holds no .list files"),
    ],
)
def test_no_corpus(tmp_path: Path, make: object, says: str) -> None:
    with pytest.raises(FileError, match=says):
        read_corpus(make(tmp_path))  # type: ignore[operator]


@pytest.mark.parametrize("text", ["[1]", "{", "\x00", '{"a": "' + "x" * 10])
def test_no_map_of_titles(tmp_path: Path, text: str) -> None:
    folder, titles = small_corpus(tmp_path, 2)
    titles.write_text(text)
    with pytest.raises(FileError, match=r"titles\.json: "):
        read_corpus(folder, titles)
    with pytest.raises(FileError, match="no such file"):
        read_corpus(folder, tmp_path / "none.json")


def test_edges_between_sentences_are_those_between_steps(tmp_path: Path) -> None:
    """A random graph is the same after it was written and read."""
    rng = Random(4)
    for number in range(50):
        texts, edges = random_recipe(rng, rng.randint(1, 12))
        write_recipe(tmp_path / "r-200", f"recipe-{number:05d}", texts, edges)
        found = read_corpus(tmp_path).recipes[number]
        assert set(found.graph.edges) == set(edges)
        assert len(found.steps) == len(texts)


def test_bytes_of_any_encoding_are_text() -> None:
    assert decoded("\ufeffcafé".encode()) == ("café", True)
    assert decoded("caf\xe9".encode("latin-1")) == ("caf\ufffd", False)


# The published corpus ----------------------------------------------------------------------------


def test_the_published_corpus_is_read_whole() -> None:
    corpus = read_corpus(published() / "flow_graph_corpus", published() / "title_map.json")
    assert (len(corpus.recipes), len(corpus.listed), corpus.skipped) == (300, 57, [])
    assert sum(recipe.cyclic for recipe in corpus.recipes) == 24
    assert sum(len(recipe.steps) for recipe in corpus.listed) == 508
    assert corpus.by_title["one-pot irish stew"].name.startswith("r-100/Onepot_Irish_stew")
    pairs = [
        recipe.graph.reaches(i, j)
        for recipe in corpus.listed
        for j in range(len(recipe.steps))
        for i in range(j)
    ]
    assert (sum(pairs), len(pairs) - sum(pairs)) == (1848, 710)


def test_every_published_step_has_our_text() -> None:
    corpus = read_corpus(published() / "flow_graph_corpus", published() / "title_map.json")
    rows = read_columns(QUESTIONS, ("title", "steps"))
    texts = {title: json.loads(steps) for _, (title, steps) in rows}
    assert len(texts) == 29
    for title, steps in texts.items():
        assert list(corpus.by_title[title].steps) == steps
