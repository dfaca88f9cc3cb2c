"""Files of recipes: what is wrong in them is said in a line each, and the rest is read."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from thence.domains.recipes.parser import load_phrases, parse
from thence.domains.recipes.reading import LONGEST_STEP, read
from thence.errors import FileError, UsageError

GOOD = '{"title": "Eggs", "steps": ["Beat the eggs.", "Fry them in butter.", "Serve with salt."]}'


def test_a_file_is_read_around_what_is_wrong_in_it(tmp_path: Path):
    path = tmp_path / "recipes.jsonl"
    big = "chop the onion and " * (LONGEST_STEP // 10)
    lines = [
        GOOD.encode(),
        b'{"title": "Bad", "steps": ["caf\xe9"]}',
        b'{"title": "Empty", "steps": ["", "  "]}',
        b'{"title": "Web", "steps": ["<b>Boil</b> the water.", "Serve it."]}',
        '{"title": "Tarte", "steps": ["Mélangez la farine et les oeufs, avec le lait."]}'.encode(),
        b"nonsense",
        b'{"title": "Big", "steps": ["' + big.encode() + b'"]}',
        b'{"title": "None"}',
        b'{"title": "Gap", "steps": ["Boil the rice in water.", ""]}',
    ]
    path.write_bytes(b"\n".join(lines))
    found = read(path)
    assert [text.title for text in found.recipes] == ["Eggs", "Gap"]
    problems = "\n".join(found.problems)
    for says in (
        ":2: not UTF-8", "'Empty': has no steps", "holds HTML", "not seem to be English",
        ":6: not a JSON object", "characters", ":8: no steps", "step 2 is empty",
    ):  # fmt: skip
        assert says in problems
    assert len(found.problems) == 8


def test_plain_text_holds_titles_and_numbered_steps(tmp_path: Path):
    path = tmp_path / "recipes.txt"
    path.write_text(
        "Toast\n1. Toast the bread.\n2. Spread it with butter.\n\n\n"
        "Eggs\n\nStep 1: Boil the eggs.\n- Peel them.\n",
        encoding="utf-8",
    )
    found = read(path)
    assert [(text.title, text.steps) for text in found.recipes] == [
        ("Toast", ("Toast the bread.", "Spread it with butter.")),
        ("Eggs", ("Boil the eggs.", "Peel them.")),
    ]
    assert [text.line for text in found.recipes] == [1, 6]


@pytest.mark.parametrize(
    "text",
    [
        "Soup\n\n2 onions\n1 l stock\nsalt\n\nSoup\n1. Fry the onions.\n2. Add the\n   stock.\n",
        """Soup

A word or two.

![it](a.jpg)

## Ingredients

* 2 onions
* 1 l stock
* salt

## Method

1. Fry the onions.

---

2. Add the stock.

## Notes

Good.
""",
        "Soup\n\n2 onions, 1 l stock, salt\n\nFry the onions.\nAdd the stock.\n",
        "Soup\n2 onions\n1 l stock\nsalt\n\n1 Fry the onions.\n2 Add the stock.\n",
        """Soup

Ingredients (serves 2)
2 onions
1 l stock
salt

What to do
Fry the onions.
Advertisement
Add the stock.

Comments

Anna

Loved it
""",
    ],
)
def test_a_list_of_ingredients_stands_before_the_steps(tmp_path: Path, text):
    path = tmp_path / "soup.txt"
    path.write_text(text, encoding="utf-8")
    (found,) = read(path).recipes
    assert found.title == "Soup"
    assert found.steps == ("Fry the onions.", "Add the stock.")
    assert [line.strip("* ") for line in found.goods[:3]] == ["2 onions", "1 l stock", "salt"]


def test_a_paragraph_of_steps_is_cut_into_sentences(tmp_path: Path):
    path = tmp_path / "soup.txt"
    path.write_text("Soup\n\nFry the onions. Add the stock. Serve it.\n", encoding="utf-8")
    assert read(path).recipes[0].steps == ("Fry the onions.", "Add the stock.", "Serve it.")


def test_a_file_without_recipes_is_refused(tmp_path: Path):
    path = tmp_path / "recipes.txt"
    path.write_text("", encoding="utf-8")
    with pytest.raises(FileError, match="no recipe"):
        read(path)
    with pytest.raises(FileError, match="no such file"):
        read(tmp_path / "missing")


def test_an_array_of_recipes_is_read_as_lines_are(tmp_path: Path):
    path = tmp_path / "recipes.json"
    steps = [{"@type": "HowToStep", "text": "Beat the eggs."}, {"text": "Fry them in butter."}]
    rows = [json.loads(GOOD), {"name": "Web", "recipeInstructions": steps}, 7]
    path.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    found = read(path)
    assert [(text.title, len(text.steps)) for text in found.recipes] == [("Eggs", 3), ("Web", 2)]
    assert found.problems == [f"{path}:3: not a JSON object"]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"title": "<h1>Eggs</h1>", "steps": ["Boil the eggs.", "Peel them."]}, "title holds HTML"),
        ({"title": "Eggs", "steps": ["Boil the \ud800 eggs.", "Peel."]}, "step 1 holds broken"),
        ({"title": "Two\nlines", "steps": ["Boil \x00 them."]}, "recipe 'Two lines': step 1"),
        ({"title": "Eggs", "steps": ["Boil the eggs."] * 201}, "200 at most"),
        ({"title": "Huevos", "steps": ["Batir los huevos con la sal."]}, "not seem to be English"),
    ],
)  # fmt: skip
def test_what_no_model_should_see_is_left_out(tmp_path: Path, row, says):
    path = tmp_path / "recipes.jsonl"
    path.write_text(json.dumps(row) + "\n" + GOOD, encoding="utf-8")
    found = read(path)
    (problem,) = found.problems
    assert says in problem
    assert "\n" not in problem
    assert [text.title for text in found.recipes] == ["Eggs"]
    found.recipes[0].title.encode()


def test_a_recipe_in_another_encoding_gets_one_line(tmp_path: Path):
    path = tmp_path / "recipes.txt"
    text = "Cr\u00eape\nBeat the cr\u00e8me.\nFry it.\n\nToast\nToast the bread.\nButter it.\n"
    path.write_bytes(text.encode("latin-1"))
    found = read(path)
    assert found.problems == [f"{path}:1: not UTF-8; save it in that encoding"]
    assert [text.title for text in found.recipes] == ["Toast"]


def test_how_sure_the_parser_is_and_what_it_cannot_place():
    steps = ["Beat the eggs with salt.", "Fry them.", "Serve with the gravy."]
    found = parse("Eggs", steps).to_json()
    assert found["sure"] == 0.5
    assert found["steps"][1]["uses"] == [
        {"name": "eggs", "of_step": 1, "sure": 0.85, "rule": "pronoun"}
    ]
    assert found["steps"][2]["unplaced"] == ["gravy"]
    assert found["order"] == [[1, 2], [2, 3]]


def test_a_trained_pipeline_is_used_where_the_user_has_one(monkeypatch):
    class Pipeline:
        def has_pipe(self, name):
            return name == "parser"

        def __call__(self, text):
            words = [SimpleNamespace(text="2 large Red Onions")] if "nion" in text else []
            return SimpleNamespace(noun_chunks=words)

    def load(name):
        if name != "en_core_web_sm":
            raise OSError(name)
        return Pipeline()

    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=load))
    parsed = parse("", ["Chop the onions.", "Fry them."], load_phrases("en_core_web_sm"))
    assert parsed.lowered.traces[0].brings == ["large red onions"]
    assert [each.source for each in parsed.links] == [0]
    with pytest.raises(UsageError, match="no pipeline 'other'"):
        load_phrases("other")
    monkeypatch.setattr(Pipeline, "has_pipe", lambda self, name: False)
    with pytest.raises(UsageError, match="no parser"):
        load_phrases("en_core_web_sm")
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UsageError, match="needs the extra 'spacy'"):
        load_phrases("en_core_web_sm")


@pytest.mark.parametrize(
    ("text", "expected", "empty"),
    [  # title -> steps, and the titles under which no steps stand
        ("Empty Pie\n\nToast\nToast the bread.\nButter it.\n\nEggs\nBoil the eggs.\nPeel them.\n",
         {"Toast": ["Toast the bread.", "Butter it."], "Eggs": ["Boil the eggs.", "Peel them."]},
         ["Empty Pie"]),
        ("Pie\n\nBroth\n\nRoast chicken\nRub the chicken with salt\nRoast for 1 hour\n\nCake\n",
         {"Roast chicken": ["Rub the chicken with salt", "Roast for 1 hour"]},
         ["Pie", "Broth", "Cake"]),
        ("Toast\n\nToast the bread\nButter it\n\nEgg soup\nBoil the eggs\nPeel them\n",
         {"Toast": ["Toast the bread", "Butter it"], "Egg soup": ["Boil the eggs", "Peel them"]},
         []),
        (("Toast\n\n1) Toast the bread.\n\n2) Butter it.\n\nRoast Lamb\n\nStep 1: Roast it.\n"
          "\nStep 2\nCarve it.\n\nEggs\n\nBoil the eggs.\n\nPeel them.\n\nEnjoy!\n"),
         {"Toast": ["Toast the bread.", "Butter it."], "Roast Lamb": ["Roast it.",
          "Carve it."], "Eggs": ["Boil the eggs.", "Peel them.", "Enjoy!"]}, []),
        (("\ufeffPancakes\r\nA favourite of ours.\r\n\r\nServes 4\r\n\r\nIngredients\r\n100 g flour"
         "\r\n2 eggs\r\n\r\nDirections\r\n1. Whisk the flour with the eggs.\r\n2. Fry at 350\u00b0F"
         " for 1\u00bd minutes.\r\n\r\nNotes\r\nThey keep well.\r\n\r\n## Waffles\r\n"
         "**Ingredients:**\r\n- 1/2 cup butter\r\n**Method:**\r\n\t\u2022 Melt the butter.\r\n\t-\t"
         "Bake.\r\n"),
         {"Pancakes": ["Whisk the flour with the eggs.", "Fry at 350\u00b0F for 1\u00bd minutes."],
          "Waffles": ["Melt the butter.", "Bake."]}, []),
        ("Omelette\nIngredients\n3 eggs\nsalt\n\nBeat the eggs with salt.\nFry them.\n",
         {"Omelette": ["Beat the eggs with salt.", "Fry them."]}, []),
        ("Stew\n1.5 kg beef goes into the pot.\n2.Simmer it.\nFor the top:\nMix flour with suet.\n",
         {"Stew": ["1.5 kg beef goes into the pot.", "Simmer it.",
          "For the top: Mix flour with suet."]}, []),
        ("Toast\rToast it.\rButter it.\r", {"Toast": ["Toast it.", "Butter it."]}, []),
    ],
)  # fmt: skip
def test_plain_text_is_read_as_pages_have_it(tmp_path: Path, text, expected, empty):
    path = tmp_path / "recipes.txt"
    path.write_bytes(text.encode())
    found = read(path)
    assert {each.title: list(each.steps) for each in found.recipes} == expected
    assert [problem.partition("recipe ")[2] for problem in found.problems] == [
        f"'{title}': has no steps; skipped" for title in empty
    ]


def test_utf_16_is_refused_in_one_line(tmp_path: Path):
    path = tmp_path / "recipes.txt"
    path.write_bytes("Toast\nToast the bread.\n".encode("utf-16"))
    with pytest.raises(FileError, match="is UTF-16; save it in UTF-8"):
        read(path)
