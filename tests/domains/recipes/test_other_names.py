"""Things that come back under another name, and what is kept beside a step's result."""

from __future__ import annotations

import pytest

from tests.domains.recipes.test_ordinary_texts import links, traces
from thence.domains.recipes.coverage import parse_with_care
from thence.domains.recipes.goods import single
from thence.domains.recipes.parser import parse
from thence.domains.recipes.plain_text import recipes


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        pytest.param(
            ["Simmer the beef in the stock.", "Mix the suet and flour to a dough.",
             "Roll the dough into balls.", "Drop the dumplings into the stew."],
            {(2, 3), (1, 4), (3, 4)},
            id="dumplings-of-dough",
        ),
        pytest.param(
            ["Simmer the leeks and carrots in stock.", "Tear the bread into chunks.",
             "Fry the bread in oil.", "Top the soup with the croutons."],
            {(2, 3), (1, 4), (3, 4)},
            id="croutons-of-torn-bread",
        ),
        pytest.param(
            ["Simmer the leeks.", "Bake the bread.", "Scatter the croutons over the leeks."],
            {(1, 3)},
            id="croutons-of-no-baked-loaf",
        ),
        pytest.param(
            ["Chop the cucumber.", "Cut the pita breads into triangles.", "Bake until crisp.",
             "Serve the cucumber with the pita chips."],
            {(2, 3), (1, 4), (3, 4)},
            id="chips-of-their-sort",
        ),
        pytest.param(
            ["Mix the flour and butter to a dough.", "Scoop the dough onto a tray.", "Bake.",
             "Move cookies to a rack."],
            {(1, 2), (2, 3), (3, 4)},
            id="cookies-without-an-article",
        ),
        pytest.param(
            ["Crush the peppercorns.", "Press the pepper onto the steaks.", "Fry the steaks."],
            {(1, 2), (2, 3)},
            id="pepper-of-peppercorns",
        ),
        pytest.param(
            ["Soak the dried porcini.", "Fry the onions in oil.",
             "Add some of the fresh mushrooms to the onions."],
            {(2, 3)},
            id="fresh-mushrooms-are-others",
        ),
        pytest.param(
            ["Whisk the lemon juice and olive oil to a dressing.", "Chop the cucumber.",
             "Add the olives to the cucumber.", "Pour over the dressing."],
            {(2, 3), (1, 4), (3, 4)},
            id="olives-are-no-olive-oil",
        ),
        pytest.param(
            ["Fry the garlic in oil.", "Stir in the miso paste.", "Add the noodles."],
            {(1, 2), (2, 3)},
            id="miso-paste",
        ),
        pytest.param(
            ["Soak the dried porcini in hot water.",
             "Lift out the mushrooms and chop them. Keep the soaking liquid.",
             "Warm the stock with the soaking liquid.", "Add the mushrooms to the stock."],
            {(1, 2), (2, 3), (2, 4), (3, 4)},
            id="soaking-liquid",
        ),
        pytest.param(
            ["Chop the mushrooms.", "Melt half of the butter in a pan.",
             "Sweat the shallots in it.", "Stir in the mushrooms."],
            {(2, 3), (1, 4), (3, 4)},
            id="in-the-butter-of-the-step-before",
        ),
        pytest.param(
            ["Fry the steaks in a skillet.", "Remove the steaks to a plate.",
             "Pour off the fat from the skillet.", "Add the cognac.",
             "Return the steaks to the skillet."],
            {(1, 2), (2, 3), (3, 4), (2, 5), (4, 5)},
            id="fat-that-is-left-in-the-pan",
        ),
        pytest.param(
            ["Simmer the tomatoes.", "Make six wells in the sauce.",
             "Crack an egg into each well.", "Cover and cook."],
            {(1, 2), (2, 3), (3, 4)},
            id="an-egg-in-each-well",
        ),
        pytest.param(
            ["Poach the prawns.", "Whisk the hoisin with the lime juice to make a sauce.",
             "Dip a sheet of rice paper in warm water and lay it on a board.",
             "Arrange the prawns along one edge.", "Roll it up.", "Serve with the sauce."],
            {(1, 4), (3, 4), (4, 5), (2, 6), (5, 6)},
            id="rice-paper-is-food",
        ),
        pytest.param(
            ["Cook the rice.", "Divide the rice between bowls.", "Fry the sausages.",
             "Top the rice with the sausages."],
            {(1, 2), (2, 4), (3, 4)},
            id="sausages-are-not-what-was-divided",
        ),
        pytest.param(
            ["Mix the flour and water to a dough.", "Soak the noodles.", "Bake the dough.",
             "Serve with the noodles."],
            {(1, 3), (2, 4), (3, 4)},
            id="noodles-that-are-soaked-were-bought",
        ),
        pytest.param(
            ["Mix the flour and water to a dough.", "Roll out the dough.", "Slice the bread.",
             "Bake the dough and serve with the bread."],
            {(1, 2), (2, 4), (3, 4)},
            id="bread-that-is-sliced-is-no-dough",
        ),
        pytest.param(
            ["Grate the parmesan cheese.", "Cook the pasta and drain it.",
             "Toss the pasta with the parmesan."],
            {(1, 3), (2, 3)},
            id="parmesan-cheese",
        ),
        pytest.param(
            ["Mix the hoisin sauce with the garlic.", "Fry the duck.",
             "Add the hoisin to the duck."],
            {(1, 3), (2, 3)},
            id="hoisin-sauce",
        ),
        pytest.param(
            ["Sift the cocoa powder into a bowl.", "Warm the milk.",
             "Whisk the cocoa into the milk."],
            {(1, 3), (2, 3)},
            id="cocoa-powder",
        ),
        pytest.param(
            ["Soak the mushrooms in hot water.", "Drain the mushrooms and keep the liquid.",
             "Simmer the leeks in the liquid.", "Fry the bacon.",
             "Strain the liquid over the bacon."],
            {(1, 2), (2, 3), (3, 5), (4, 5)},
            id="a-liquid-that-is-in-use",
        ),
        pytest.param(
            ["Simmer the tomatoes.", "Make 4 wells in the tomatoes.",
             "Crack an egg into each well and season well."],
            {(1, 2), (2, 3)},
            id="well-and-each-well",
        ),
        pytest.param(
            ["Toss the lettuce and cucumber.", "Toast the bread.",
             "Whisk the oil and vinegar to a dressing.", "Pour the dressing over the salad."],
            {(1, 4), (3, 4)},
            id="the-salad-is-what-is-not-in-hand",
        ),
        pytest.param(
            ["Heat the oil in a pan.", "Wilt the spinach.", "Serve the spinach."],
            {(1, 2), (2, 3)},
            id="wilted-in-the-hot-oil",
        ),
    ],
)  # fmt: skip
def test_what_a_step_works_with(steps, found):
    assert links(steps, []) == found


@pytest.mark.parametrize(
    ("goods", "steps", "found"),
    [
        pytest.param(
            ["24 ladyfingers", "300 ml coffee", "500 g mascarpone"],
            ["Brew the coffee.", "Dip half of the ladyfingers in the coffee.",
             "Spread with the mascarpone.", "Dip the remaining ladyfingers and lay them on top."],
            {(1, 2), (2, 3), (1, 4), (3, 4)},
            id="dipped-again",
        ),
        pytest.param(
            ["250 g pork", "1 tbsp soy sauce", "3 tbsp soy sauce", "1 tbsp vinegar"],
            ["Mix the pork with 1 tbsp soy sauce.", "Fry the pork.",
             "Stir together the remaining soy sauce and the vinegar to make a dip.",
             "Serve the pork with the dip."],
            {(1, 2), (2, 4), (3, 4)},
            id="soy-sauce-of-the-other-line",
        ),
        pytest.param(
            [],
            ["Fry the lamb with the onions.", "Simmer with the water.", "Boil the rice.",
             "Stir the garam masala into the curry.", "Serve the curry with the rice."],
            {(1, 2), (2, 4), (3, 5), (4, 5)},
            id="a-curry-is-no-boiled-rice",
        ),
        pytest.param(
            [],
            ["Char the peppers.", "Peel the peppers and cut them into strips.",
             "Combine the tomatoes, peppers and basil."],
            {(1, 2), (2, 3)},
            id="several-peppers",
        ),
        pytest.param(
            ["200g spaghetti", "100g guanciale", "2 egg yolks", "50g pecorino"],
            ["Cook the spaghetti.", "Fry the guanciale.", "Beat the yolks and most of the cheese.",
             "Drain the spaghetti and add it to the guanciale."],
            {(1, 4), (2, 4)},
            id="the-cheese-is-the-pecorino",
        ),
        pytest.param(
            [],
            ["Tear the ciabatta.", "Toss the bread with olive oil.", "Serve."],
            {(1, 2), (2, 3)},
            id="bread-is-ciabatta",
        ),
        pytest.param(
            [],
            ["Fry the beef with the soy sauce.", "Fry the eggs sunny side up in a clean pan.",
             "Mix the gochujang with the vinegar for the sauce.", "Cook the rice.",
             "Toss the beef with the rice.",
             "Top with the eggs and the sauce."],
            {(1, 5), (4, 5), (2, 6), (3, 6), (5, 6)},
            id="what-the-sauce-is-for",
        ),
    ],
)  # fmt: skip
def test_what_comes_again(goods, steps, found):
    assert links(steps, goods) == found


def test_the_fat_that_is_poured_off_is_not_the_meat():
    steps = ["Fry the steaks.", "Lift the steaks onto a plate.", "Pour off the fat."]
    assert list(traces(steps)[2].uses) == ["kept cooking fat"]


@pytest.mark.parametrize(
    "last", ["Place leftovers in an airtight container.", "Transfer leftovers to a jar."]
)
def test_what_becomes_of_the_leftovers_is_a_remark(last):
    steps = ["Mix the flour, sugar and eggs.", "Bake for 30 minutes.", last]
    assert parse_with_care("", steps)[1].passes


def test_fat_that_is_got_rid_of_need_not_go_into_the_dish():
    steps = ["Fry the steaks.", "Lift the steaks onto a plate.", "Pour off the fat.",
             "Serve the steaks."]  # fmt: skip
    assert parse_with_care("", steps)[1].passes


def test_a_last_step_that_works_on_something_is_no_remark():
    steps = ["Beat the flour and eggs.", "Bake until golden.", "Move zarbles to a rack."]
    assert not parse_with_care("", steps)[1].passes


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Dough: 3 cups flour, 1 egg, salt", ["3 cups flour", "1 egg", "salt"]),
        ("parsley, olive oil, chilli flakes", ["parsley", "olive oil", "chilli flakes"]),
        ("2 tomatoes, peeled, chopped", ["2 tomatoes, peeled, chopped"]),
        ("200 g butter, softened", ["200 g butter, softened"]),
        ("1 onion, 1 inch dice", ["1 onion, 1 inch dice"]),
        ("- \u00bd onion, \u00bc cup milk", ["\u00bd onion", "\u00bc cup milk"]),
        ("100 ml lamb, chicken or vegetable stock", ["100 ml lamb, chicken or vegetable stock"]),
    ],
)
def test_several_ingredients_on_one_line_are_apart(line, found):
    assert single([line]) == found


@pytest.mark.parametrize(
    "line", ["For 4 people", "For six", "Feeds 4-6", "4 servings", "Serves four"]
)
def test_how_many_it_is_for_is_no_title(line):
    text = f"Pasta with Clams\n\n{line}\n400 g spaghetti\n1 kg clams\n\n1. Boil the spaghetti.\n"
    (found,) = recipes(enumerate(text.splitlines(), 1))
    assert (found.title, found.steps) == ("Pasta with Clams", ["1. Boil the spaghetti."])
    assert found.goods == ["400 g spaghetti", "1 kg clams"]


def names(*steps: str) -> list[str]:
    return [next(iter(trace.defines)) for trace in traces(steps)]


def test_what_several_things_go_into_has_a_name_of_its_own():
    found = names(
        "Whisk the flour and cocoa.",
        "Cream the butter and sugar.",
        "Beat in the eggs.",
        "Add the flour mixture and mix.",
        "Chill overnight.",
    )
    assert found[:3] == ["flour mixture", "mixture", "mixture"]
    assert found[3] == found[4] == "mixture of step 4"


def test_a_mixture_has_its_better_name_from_the_beginning():
    found = names(
        "Rub the butter into the flour and sugar.", "Add the eggs.", "Roll out the dough."
    )
    assert found == ["dough", "dough", "dough"]


def test_what_names_no_food_renames_no_step_before():
    found = names("Mix the flour and milk.", "Fry the mixture.", "Serve your guests.")
    assert found[:2] == ["mixture", "mixture"]


def test_what_is_taken_out_of_a_mixture_is_not_the_mixture():
    found = names(
        "Mix the yogurt and ginger.", "Add the chicken.", "Thread the chicken onto skewers."
    )
    assert found == ["mixture", "mixture", "chicken"]


def test_without_care_the_rules_are_those_of_published_questions():
    steps = ("Tear the bread.", "Fry the bread.", "Top with the croutons.")
    found = parse("", steps)
    assert {(each.source, each.to) for each in found.links} == {(0, 1), (1, 2)}
    assert found.lowered.traces[2].brings == ["croutons"]
    steps = ("Whisk the flour and salt.", "Beat the eggs.", "Add the flour mixture to the eggs.")
    made = [list(trace.defines) for trace in parse("", steps).lowered.traces]
    assert made == [["flour"], ["eggs"], ["mixture"]]
