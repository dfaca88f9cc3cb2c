"""Where a new part begins, what was set aside or comes on top, and what pans and tins hold."""

from __future__ import annotations

import pytest

from tests.domains.recipes.test_ordinary_texts import links, traces
from thence.domains.recipes.coverage import parse_with_care
from thence.domains.recipes.shopping import ShoppingList

CASES = [
    pytest.param(
        ["Rub the oil and cumin over the chicken.",
         "Now the salsa: dice the tomatoes and mix with the coriander.",
         "Fry the chicken.", "Serve the chicken with the salsa."],
        {(1, 3), (2, 4), (3, 4)},
        id="now-the-salsa",
    ),
    pytest.param(
        ["Heat a griddle pan.", "Fry the chicken.",
         "Warm the tortillas in the same pan.", "Fill the tortillas with the chicken."],
        {(1, 2), (2, 3), (2, 4), (3, 4)},
        id="cooked-in-the-pan-that-was-heated-just-before",
    ),
    pytest.param(
        ["Beat the flour and eggs.", "Bake until golden.",
         "You must let it stand for 5 minutes before you cut it."],
        {(1, 2), (2, 3)},
        id="you-must",
    ),
    pytest.param(
        ["Heat the oven and line two trays with paper.", "Mix the flour and butter to a dough.",
         "Set balls of the dough on the trays.", "Bake."],
        {(1, 3), (2, 3), (1, 4), (3, 4)},
        id="line-two-trays",
    ),
    pytest.param(
        ["Heat the oven, and butter and flour six moulds.", "Mix the flour and eggs to a batter.",
         "Divide the batter between the moulds.", "Bake."],
        {(1, 3), (2, 3), (1, 4), (3, 4)},
        id="six-moulds",
    ),
    pytest.param(
        ["Line a tray with paper.", "Mix the flour and butter in your biggest bowl.",
         "Bake on the tray."],
        {(1, 3), (2, 3)},
        id="a-bowl-of-ones-own-is-no-lined-tray",
    ),
    pytest.param(
        ["Mix the flour and butter to a dough and wrap it in paper.",
         "Line a tray with paper.", "Bake the dough on the tray."],
        {(1, 3), (2, 3)},
        id="nothing-lay-in-the-paper-of-a-tin",
    ),
    pytest.param(
        ["Whisk the mustard with the wine vinegar to a sauce.", "Fry the onions.",
         "Add two tins of beans with their liquid.", "Serve the beans with the sauce."],
        {(2, 3), (1, 4), (3, 4)},
        id="with-their-liquid",
    ),
    pytest.param(
        ["Toast the seeds.", "Mix the flour and water to a dough.",
         "Knock back the dough and roll it up like a Swiss roll.",
         "Scatter the seeds over the dough."],
        {(2, 3), (1, 4), (3, 4)},
        id="knocked-back-is-not-put-back",
    ),
    pytest.param(
        ["Mix the flour with the eggs.", "Melt the butter.",
         "Whisk in the milk and simmer until you have a smooth, thick sauce."],
        {(2, 3)},
        id="a-smooth-thick-sauce",
    ),
    pytest.param(
        ["Roast the tomatoes and garlic.",
         "Meanwhile, fry the bread in oil. Set the croutons aside.",
         "Squeeze the garlic into a pan.",
         "Add the rest of the roasted vegetables, then stir in the stock.",
         "Scatter over the croutons."],
        {(1, 3), (3, 4), (2, 5), (4, 5)},
        id="what-was-set-aside-waits",
    ),
    pytest.param(
        ["Simmer the beef in the stock.", "Fry the mushrooms and set them aside.",
         "Pour in the wine.", "Stir in the mushrooms."],
        {(1, 3), (2, 4), (3, 4)},
        id="what-cooks-is-gone-on-with",
    ),
    pytest.param(
        ["Soak the dried shiitake mushrooms in water.",
         "Chop the mushrooms, keeping the soaking water.",
         "Mix the pork with the mushrooms and fold into wrappers to make wontons.",
         "For the broth, bring the stock to a simmer with the mushroom water.",
         "In a second pot, bring water to the boil.",
         "Drop in the wontons and cook until they float.",
         "Wilt the spinach in the broth.", "Serve the wontons in the broth."],
        {(1, 2), (2, 3), (2, 4), (3, 6), (5, 6), (4, 7), (6, 8), (7, 8)},
        id="a-broth-beside-the-water",
    ),
    pytest.param(
        ["For the sauce, whisk the tahini with the lemon juice.",
         "Toss the cabbage with salt, lemon juice and sumac.",
         "Serve the cabbage with the sauce."],
        {(1, 3), (2, 3)},
        id="lemon-juice-is-no-sauce-that-has-some",
    ),
    pytest.param(
        ["Mix the flour and eggs to a batter.", "Simmer the tomatoes to a sauce.",
         "Fry the mushrooms.",
         "Stir half of the sauce into the mushrooms and put the rest to one side.",
         "Swirl a ladle of batter round the pan, cook, then stack the crepes on a plate.",
         "Fill the crepes with the mushrooms.", "Pour over the reserved sauce."],
        {(2, 4), (3, 4), (1, 5), (4, 6), (5, 6), (2, 7), (6, 7)},
        id="the-rest-of-this-step-and-a-ladle-of-batter",
    ),
    pytest.param(
        ["Whisk the flour with the eggs.", "Add the milk, then leave the batter for an hour.",
         "Melt 40 g of butter and stir in 40 g of flour.", "Simmer until you have a sauce.",
         "Swirl a ladle of batter round the pan.", "Serve with the sauce."],
        {(1, 2), (3, 4), (2, 5), (4, 6), (5, 6)},
        id="a-ladle-of-what-was-called-batter",
    ),
    pytest.param(
        ["Cook the leeks in the milk. Spoon the filling into a dish.",
         "Brush the rim of the dish with some of the egg and lay the pastry over the top.",
         "Cut leaves from the pastry and arrange on the pie."],
        {(1, 2), (2, 3)},
        id="the-pie-is-the-pastry-in-hand",
    ),
    pytest.param(
        ["Spread the spinach in a dish.", "Melt the butter with the cream to make a sauce.",
         "Arrange the fish on top.", "Pour over the sauce."],
        {(1, 3), (2, 4), (3, 4)},
        id="on-top-of-no-sauce-that-waits",
    ),
    pytest.param(
        ["Boil the rice.", "Fry the fish.", "Simmer the cream to make a sauce.",
         "Spoon the rice onto plates and arrange the fish on top.", "Serve with the sauce."],
        {(1, 4), (2, 4), (3, 5), (4, 5)},
        id="on-top-beside-a-sauce",
    ),
    pytest.param(
        ["Mix the lamb with the egg and shape it.", "Heat the oil in a pan and brown the koftas."],
        {(1, 2)},
        id="browned-in-its-own-oil",
    ),
    pytest.param(
        ["Heat the oven.", "Rub the beef with salt and put it in a tin.", "Roast the beef.",
         "Put another tin with 3 tablespoons of dripping into the oven.",
         "Turn the potatoes in the hot fat and roast.", "Lift the beef onto a board.",
         "For the gravy, set the beef tin over a medium heat and stir in the flour.",
         "Carve the beef and serve with the potatoes and gravy."],
        {(2, 3), (1, 3), (1, 4), (1, 5), (4, 5), (3, 6), (6, 7), (5, 8), (6, 8), (7, 8)},
        id="hot-dripping-and-the-beef-tin",
    ),
    pytest.param(
        ["Fry the tofu in a wok. Scoop it onto paper.",
         "Wipe out the wok, add the oil and fry the carrots.", "Top with the tofu."],
        {(1, 2), (1, 3), (2, 3)},
        id="food-is-no-longer-in-a-wok-that-is-wiped",
    ),
    pytest.param(
        ["Slit the plums.", "Mix the flour and eggs to a dough.",
         "Flatten each piece of the dough and close it round a plum so there is no crack.",
         "Boil the dumplings."],
        {(1, 3), (2, 3), (3, 4)},
        id="round-a-plum",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "found"), CASES)
def test_what_a_step_goes_on_with(steps, found):
    assert links(steps) == found


@pytest.mark.parametrize(
    ("step", "brought"),
    [
        ("Salt four hake fillets and chill.", ["hake fillets"]),
        ("Skin 400 g pork sausages.", ["pork sausages"]),
    ],
)
def test_a_verb_that_is_a_noun_too(step, brought):
    assert traces([step])[0].brings == brought


@pytest.mark.parametrize(
    "step",
    [
        "Grease a tin and line the base.",
        "Roast the lamb for medium rare.",
        "Bake the bread and tap the bottom, which should sound hollow.",
        "Roll the beef up like a Swiss roll.",
    ],
)
def test_nothing_more_is_worked_with(step):
    assert parse_with_care("", [step])[1].gaps == ()


def test_nothing_is_left_of_what_was_dissolved():
    steps = ["Stir the yeast into the water.", "Mix the flour and salt.",
             "Pour in the yeast liquid and bring together to a dough."]  # fmt: skip
    assert "yeast" in traces(steps)[2].kills


def test_nothing_is_left_when_the_rest_comes_in():
    steps = ["Whisk the cream.", "Beat the sugar with the yolks.",
             "Fold a third of the cream into the yolks, then fold in the rest."]  # fmt: skip
    assert links(steps) == {(1, 3), (2, 3)}
    assert set(traces(steps)[2].kills) == {"cream", "mixture"}


def test_beef_stock_and_dripping_are_no_meat_that_waits():
    goods = ShoppingList(["2 tbsp beef dripping", "400 ml beef stock"])
    assert not goods.kind_waits("meat", ())
    assert ShoppingList(["400 g minced beef"]).kind_waits("meat", ())
