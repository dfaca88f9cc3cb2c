"""What is set apart, what is left, and what a name without its maker refers to."""

from __future__ import annotations

import pytest

from tests.domains.recipes.test_ordinary_texts import links, traces
from thence.domains.recipes.coverage import parse_with_care
from thence.domains.recipes.plainly import plainly

PICKLE = (
    "Set aside 100 ml of the vinegar. Put the rest in a pan with the sugar and bring to a simmer.",
    "Tip in the cauliflower and cook for 5 minutes.",
    "Mix the cornflour with the reserved vinegar to make a smooth paste.",
    "Stir the paste into the cauliflower.",
)
PICKLED = ["400 ml vinegar", "100 g sugar", "1 cauliflower", "40 g cornflour"]


def test_what_was_set_aside_is_there_when_the_rest_is_used_up():
    assert links(PICKLE, PICKLED) == {(1, 2), (1, 3), (2, 4), (3, 4)}
    found = traces(PICKLE, PICKLED)
    assert "kept vinegar" in found[0].defines
    assert found[2].uses == ["kept vinegar"]
    assert found[0].holds["kept vinegar"] == ("vinegar",)
    assert found[1].uses == [name for name in found[0].defines if name != "kept vinegar"]


@pytest.mark.parametrize(
    ("goods", "steps", "found"),
    [
        pytest.param(
            ["400 g pork", "200 g noodles"],
            ("Put a large pan of water on to boil. Slice the pork.", "Fry the pork.",
             "Cook the noodles in the boiling water and drain.", "Toss the pork with the noodles."),
            {(1, 2), (1, 3), (2, 4), (3, 4)},
            id="water-that-boils-while-something-is-sliced",
        ),
        pytest.param(
            ["1 chicken", "1 piece ginger", "200 g noodles"],
            ("Bring the chicken, ginger and 2 litres water to the boil.", "Shred the chicken.",
             "Cook the noodles in a pan of salted water.", "Add the chicken to the noodles."),
            {(1, 2), (2, 4), (3, 4)},
            id="a-soup-is-no-water-for-noodles",
        ),
        pytest.param(
            ["400 g jumbo pasta shells", "1 tin tomatoes"],
            ("Heat the oven and bring a large pot of salted water to a boil.",
             "Simmer the tomatoes in a saucepan.", "Cook the shells and drain.",
             "Fill the shells with the tomatoes and bake."),
            {(1, 3), (1, 4), (2, 4), (3, 4)},
            id="shells-that-the-list-says-are-pasta",
        ),
        pytest.param(
            ["400 g pork", "3 tbsp soy sauce", "4 tbsp bean sauce"],
            ("Toss the pork with 1 tbsp of the soy sauce.",
             "Mix the bean sauce with the rest of the soy.", "Fry the pork.",
             "Pour over the sauce."),
            {(1, 3), (2, 4), (3, 4)},
            id="the-rest-of-the-soy",
        ),
        pytest.param(
            ["300 g biscuits", "300 g cream cheese", "1 cup pumpkin"],
            ("Crush the biscuits.", "Beat the cream cheese with sugar.",
             "Reserve 2 cups of the cheese mixture. Stir the pumpkin into the remaining mixture.",
             "Spoon over the biscuits."),
            {(1, 4), (2, 3), (3, 4)},
            id="the-remaining-mixture-of-the-same-step",
        ),
        pytest.param(
            ["1 l stock", "1 onion", "300 g rice"],
            ("Bring the stock to the boil and keep it at a simmer.", "Fry the onion in the oil.",
             "Stir in the rice.", "Add hot stock one ladle at a time."),
            {(2, 3), (1, 4), (3, 4)},
            id="hot-stock",
        ),
        pytest.param(
            ["1 tin tomatoes", "2 tortillas"],
            ("Boil the tomatoes and scoop them into the blender. Blend.",
             "Heat the oil and fry the tortillas.", "Add the salsa and cook for 5 minutes."),
            {(1, 3), (2, 3)},
            id="a-sauce-that-joins-what-is-in-the-pan",
        ),
        pytest.param(
            ["1 fish", "2 shallots", "100 ml cream"],
            ("Salt the fish.", "Fry the shallots.",
             "Stir in the cream. Strain and return the sauce to the pan.", "Serve with the fish."),
            {(2, 3), (1, 4), (3, 4)},
            id="a-sauce-that-returns",
        ),
        pytest.param(
            ["1 pumpkin", "300 g rice"],
            ("Heat the oven and roast the pumpkin.", "Fry the onion and cook for 5 minutes.",
             "Stir in the pumpkin."),
            {(1, 3), (2, 3)},
            id="an-oven-that-its-own-step-used",
        ),
        pytest.param(
            ["50 g butter", "40 g flour", "300 ml milk", "30 g Cheddar"],
            ("Steam the peas.", "Melt the butter, stir in the flour and the milk.",
             "Stir in the cheese.", "Serve with the peas."),
            {(2, 3), (1, 4), (3, 4)},
            id="the-cheese-of-a-cheddar",
        ),
        pytest.param(
            ["1 tsp red chilli powder", "2 cups yogurt", "1 tsp kashmiri chilli powder"],
            ("Whisk the yogurt with the red chilli powder.", "Simmer the yogurt.",
             "Heat the ghee and stir in the kashmiri chilli powder."),
            {(1, 2)},
            id="another-chilli-powder",
        ),
        pytest.param(
            ["2 onions", "1 cup besan"],
            ("Mix the onions with the besan to a batter.",
             "Heat the oil. Drop in small spoonfuls and fry until golden."),
            {(1, 2)},
            id="into-hot-oil-without-a-name",
        ),
        pytest.param(
            ["2 courgettes", "2 eggs"],
            ("Grate the courgettes.", "Mix with the eggs.",
             "Heat the oil in a pan. Drop 1/4-cup measures of the mixture into the pan."),
            {(1, 2), (2, 3)},
            id="a-mixture-beside-the-oil",
        ),
        pytest.param(
            ["2 eggs", "300 ml cream"],
            ("Beat the eggs in a bowl.", "Bake the eggs.",
             "In small bowl, whip the cream.", "Serve the eggs with the cream."),
            {(1, 2), (2, 4), (3, 4)},
            id="a-bowl-without-an-article",
        ),
        pytest.param(
            ["100 g chocolate", "2 eggs"],
            ("Melt the chocolate with a wooden spoon.", "With a clean spoon, whisk the eggs.",
             "Fold the eggs into the chocolate."),
            {(1, 3), (2, 3)},
            id="nothing-lies-in-a-spoon",
        ),
        pytest.param(
            ["100 g cashews", "200 g pasta"],
            (
                "Bring a large pot of water to the boil.",
                "Place the cashews in a bowl, cover with hot water and leave to soak.",
                "Boil the pasta.",
            ),
            {(1, 3)},
            id="a-bowl-of-its-own-is-not-the-pot",
        ),
        pytest.param(
            ["500 g beans", "400 ml vinegar", "50 g cornflour"],
            ("Salt the beans.", "Wash the jars in hot, soapy water, rinse and place in the oven.",
             "Blend the cornflour to a paste with the vinegar.", "Boil the beans with the paste.",
             "Pack the beans into the hot jars."),
            {(1, 4), (3, 4), (2, 5), (4, 5)},
            id="jars-that-are-washed",
        ),
        pytest.param(
            ["2 bulbs fennel", "4 hake fillets"],
            ("Cut the fennel into wedges.", "Warm the oil and brown the wedges on both sides.",
             "Salt the hake.", "Pat the fish dry and grill it.", "Serve the fish with the fennel."),
            {(1, 2), (3, 4), (2, 5), (4, 5)},
            id="wedges-in-hot-oil-and-hake-that-is-a-fish",
        ),
        pytest.param(
            ["500 g beef", "1 kg cassava", "50 g butter", "1 onion"],
            ("Shred the beef.", "Boil the cassava.", "Mash it while it's hot with the butter.",
             "Fry the onion, add the beef and let it catch a little on the bottom.",
             "Butter a dish and spread the cassava in it.", "Put the beef on top."),
            {(2, 3), (1, 4), (3, 5), (4, 6), (5, 6)},
            id="in-it-is-in-the-dish",
        ),
        pytest.param(
            ["1 onion", "2 tomatoes"],
            ("Fry the onion.", "The tomatoes go in for 5 minutes; turn off the heat."),
            {(1, 2)},
            id="what-goes-in",
        ),
        pytest.param(
            ["1 chicken", "200 g noodles"],
            ("Boil the chicken in water.",
             "Take the chicken out, strain the broth and keep it hot.",
             "Serve the chicken in the broth."),
            {(1, 2), (2, 3)},
            id="the-broth-of-a-chicken",
        ),
        pytest.param(
            ["400 g haddock", "600 ml milk", "50 g butter", "1 onion", "2 tbsp flour"],
            ("Poach the haddock in the milk.", "Lift the haddock out onto a plate.",
             "Strain the milk into a jug.", "Fry the onion in the butter and cook until soft.",
             "Stir in the flour.", "Add the milk bit by bit.", "Stir in the haddock."),
            {(1, 2), (2, 3), (4, 5), (3, 6), (5, 6), (2, 7), (6, 7)},
            id="milk-in-which-fish-was-poached",
        ),
        pytest.param(
            ["1 lime", "100 ml oil", "1 chicken", "1 lettuce"],
            ("Whisk the lime juice with the oil. Set aside half a cup for the salad.",
             "Pour the rest of the dressing over the chicken.",
             "Toss the lettuce with the reserved dressing."),
            {(1, 2), (1, 3)},
            id="the-reserved-dressing",
        ),
        pytest.param(
            ["2 cobs corn", "1 chicken"],
            ("Grill the corn.", "Roast the chicken.", "Cut the kernels from the cobs.",
             "Serve the chicken with the corn."),
            {(1, 3), (2, 4), (3, 4)},
            id="kernels-of-the-corn",
        ),
        pytest.param(
            ["200 g flour", "2 eggs", "300 ml milk"],
            ("Mix the flour with the baking powder.", "Whisk the eggs with the milk.",
             "Make a well in the center of the dry ingredients and pour in the egg mixture."),
            {(1, 3), (2, 3)},
            id="a-well-in-the-dry-ingredients",
        ),
        pytest.param(
            ["1 onion", "500 g potatoes"],
            ("Fry the onion.", "In go the potatoes. Simmer for 15 minutes."),
            {(1, 2)},
            id="in-go-the-potatoes",
        ),
        pytest.param(
            ["4 garlic cloves", "200 g spinach", "1 chilli", "1 onion"],
            ("Blend the spinach with the chilli and 1 garlic clove. Keep aside.",
             "Fry the onion.", "Add the remaining garlic.", "Pour in the spinach."),
            {(2, 3), (1, 4), (3, 4)},
            id="the-remaining-garlic",
        ),
        pytest.param(
            ["6 sausages", "2 eggs"],
            ("Wrap the sausages.", "Preheat the air fryer to 190C.", "Air fry for 12 minutes."),
            {(1, 3), (2, 3)},
            id="an-air-fryer",
        ),
        pytest.param(
            ["1 tin tomatoes", "4 eggs", "200 g chips"],
            ("Simmer the salsa of tomatoes.", "In another pan, fry the eggs however you like them.",
             "Turn off the heat under the salsa and fold in the chips."),
            {(1, 3)},
            id="under-the-salsa",
        ),
    ],
)  # fmt: skip
def test_what_a_step_works_with(goods, steps, found):
    assert links(steps, goods) == found


def test_a_dish_is_topped_by_its_name():
    steps = ("Melt the chocolate.", "Divide among glasses and chill.",
             "Whip the cream. Top each mousse with the cream.")  # fmt: skip
    found = parse_with_care("Chocolate mousse", steps, goods=["1 bar chocolate", "cream"])[0].links
    assert {(each.source, each.to) for each in found} == {(0, 1), (1, 2)}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("For the sauce heat the oil in a pan.", "for the sauce, heat the oil in a pan."),
        ("Blend until you have a smooth paste that holds.", "Blend into a smooth paste."),
        ("Mix to make a thick batter.", "Mix into a thick batter."),
        ("Press it thru a sieve.", "Press it through a sieve."),
        ("Fry the eggs however you like them.", "Fry the eggs."),
        ("Skim off the fat that rises to the top.", "Skim off the fat."),
        (
            "Brush the pastry, sitting it on the filling.",
            "Brush the pastry, put it on the filling.",
        ),
        ("Label when cold.", "keep when cold."),
        ("Microwave in 30 second bursts.", "Microwave."),
        ("Let the dumplings steam for 3 minutes.", "leave the dumplings to steam for 3 minutes."),
        ("Preheat the air fryer.", "Preheat the oven."),
        ("It'll be soft.", "It will be soft."),
    ],
)
def test_plainer_words(text, plain):
    assert plainly(text) == plain
