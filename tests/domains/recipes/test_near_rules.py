"""What must not be linked, and what must, where rules for special sentences come near."""

from __future__ import annotations

import pytest

from tests.domains.recipes.test_ordinary_texts import links, traces
from thence.domains.recipes.coverage import parse_with_care
from thence.domains.recipes.goods import names
from thence.domains.recipes.parser import parse


@pytest.mark.parametrize(
    ("goods", "steps", "found"),
    [
        pytest.param(
            ["pasta", "peas"],
            [
                "Bring a pan of water to the boil. Shell the peas.",
                "Cook the pasta for 8 minutes, adding the peas for the last 2 minutes.",
                "Drain and serve.",
            ],
            {(2, 3), (1, 2)},
            id="peas-with-the-pasta",
        ),
        pytest.param(
            ["500 g beans", "butter"],
            [
                "Bring a pan of water to the boil and trim the beans.",
                "Cook the beans in the boiling water and drain.",
                "Toss with the butter.",
            ],
            {(2, 3), (1, 2)},
            id="beans-in-their-own-water",
        ),
        pytest.param(
            ["chocolate"],
            [
                "Bring a pan of water to a simmer and chop the chocolate.",
                "Melt the chocolate in a bowl over the simmering water.",
                "Serve.",
            ],
            {(2, 3), (1, 2)},
            id="chocolate-over-water",
        ),
        pytest.param(
            ["apples", "flour", "butter"],
            [
                "Dice the apples.",
                "Rub the butter into the flour and add a little water. Knead the dough briefly.",
                "Roll the dough out and top with the apples.",
            ],
            {(2, 3), (1, 3)},
            id="a-dough-is-kneaded",
        ),
        pytest.param(
            ["pasta", "onion", "tomatoes"],
            [
                "Boil the pasta, drain and set aside.",
                "Fry the onion, add the tomatoes and simmer. Stir the sauce now and then.",
                "Toss the pasta with the sauce.",
            ],
            {(2, 3), (1, 3)},
            id="a-sauce-is-stirred",
        ),
        pytest.param(
            ["chops", "mushrooms", "cream"],
            [
                "Grill the chops.",
                "Fry the mushrooms and add the cream. Pour the sauce into a jug.",
                "Serve the chops with the sauce.",
            ],
            {(2, 3), (1, 3)},
            id="a-sauce-is-poured-into-a-jug",
        ),
        pytest.param(
            ["500 g potatoes", "4 eggs", "3 tbsp oil"],
            [
                "Toss the potatoes in 1 tbsp of the oil and roast.",
                "Fry the eggs in hot oil.",
                "Serve the eggs with the potatoes.",
            ],
            {(2, 3), (1, 3)},
            id="eggs-in-hot-oil",
        ),
        pytest.param(
            ["200 g flour", "2 eggs", "300 ml milk"],
            [
                "Whisk the flour and eggs.",
                "Add the milk gradually to make a smooth batter.",
                "Fry the batter.",
            ],
            {(2, 3), (1, 2)},
            id="milk-for-a-batter",
        ),
        pytest.param(
            ["200 g flour", "100 g butter"],
            [
                "Rub the butter into the flour.",
                "Add enough water to make a soft dough.",
                "Roll out the dough.",
            ],
            {(2, 3), (1, 2)},
            id="water-for-a-dough",
        ),
        pytest.param(
            ["100 g sugar", "1 orange", "1 cake"],
            [
                "Bake the cake.",
                "Meanwhile, to make a syrup, boil the sugar with the juice of the orange.",
                "Pour the syrup over the cake.",
            ],
            {(2, 3), (1, 3)},
            id="meanwhile-a-syrup",
        ),
        pytest.param(
            ["1 onion", "400 ml coconut milk"],
            [
                "Fry the onion until you have a paste that smells good and add the coconut milk.",
                "Serve.",
            ],
            {(1, 2)},
            id="a-paste-that-smells",
        ),
        pytest.param(
            ["onion", "tomatoes", "eggs"],
            [
                "Peel the onion.",
                "Cook it until you have a sauce that thickens and add the tomatoes and eggs.",
                "Serve.",
            ],
            {(2, 3), (1, 2)},
            id="a-sauce-that-thickens",
        ),
        pytest.param(
            ["1 kg beef bones", "1 piece ginger", "200 g noodles"],
            [
                "Simmer the bones and ginger in water for 6 hours.",
                "Soak the noodles.",
                "Put the noodles into bowls and ladle the broth over.",
            ],
            {(2, 3), (1, 3)},
            id="the-broth-of-another-step",
        ),
        pytest.param(
            ["200 g yogurt", "1 lime", "500 g chicken", "2 tbsp oil"],
            [
                "Mix the yogurt with the lime juice.",
                "Coat the chicken with half of the yogurt.",
                "Fry the chicken in half the oil. Serve with the rest.",
            ],
            {(2, 3), (1, 2), (1, 3)},
            id="half-of-another-thing",
        ),
        pytest.param(
            ["200 g flour", "2 eggs", "300 ml milk", "200 g cherries"],
            [
                "Heat the oven.",
                "Whisk the flour, eggs and milk.",
                "Pour half of the mixture into a dish and bake in the oven.",
                "Take out the dish, scatter over the cherries, pour over the remaining mixture.",
            ],
            {(1, 3), (2, 3), (2, 4), (3, 4)},
            id="the-remaining-mixture-of-another-step",
        ),
        pytest.param(
            ["asparagus", "butter", "eggs"],
            [
                "Boil the asparagus.",
                "Melt the butter, then lower to a gentle heat.",
                "Whisk the eggs into the butter.",
                "Serve with the asparagus.",
            ],
            {(2, 3), (3, 4), (1, 4)},
            id="to-a-gentle-heat",
        ),
        pytest.param(
            ["asparagus", "butter", "eggs"],
            [
                "Boil the asparagus.",
                "Melt the butter and fry until it smells nutty.",
                "Whisk the eggs into the butter.",
                "Serve with the asparagus.",
            ],
            {(2, 3), (3, 4), (1, 4)},
            id="nutty-butter",
        ),
        pytest.param(
            ["beans", "pasta"],
            [
                "Put a bowl of iced water by the stove. Trim the beans.",
                "Cook the pasta.",
                "Toss the beans with the pasta.",
            ],
            {(2, 3), (1, 3)},
            id="iced-water",
        ),
        pytest.param(
            ["chocolate", "rice", "milk"],
            [
                "Set a bowl over a pan of simmering water and melt the chocolate in it.",
                "Simmer the rice in the milk.",
                "Stir the chocolate into the rice.",
            ],
            {(2, 3), (1, 3)},
            id="water-under-a-bowl",
        ),
        pytest.param(
            ["beans", "rice"],
            [
                "Put some water on to boil. Trim and blanch the beans.",
                "Fry the rice in oil.",
                "Add the beans.",
            ],
            {(2, 3), (1, 3)},
            id="water-that-was-used",
        ),
        pytest.param(
            ["onion", "noodles", "pasta"],
            [
                "Bring a pan of water to the boil and chop the onion.",
                "Cook the noodles in the boiling water and drain.",
                "Boil the pasta in fresh water.",
                "Toss the onion, noodles and pasta.",
            ],
            {(2, 4), (1, 2), (3, 4), (1, 4)},
            id="fresh-water",
        ),
        pytest.param(
            ["1 jar pasta sauce", "400 g spaghetti"],
            [
                "Bring a pan of water to the boil.",
                "Simmer the sauce.",
                "Cook the spaghetti.",
                "Toss the spaghetti with the sauce.",
            ],
            {(2, 4), (1, 3), (3, 4)},
            id="a-pasta-sauce",
        ),
        pytest.param(
            ["broccoli"],
            [
                "Bring a pan of water to the boil.",
                "Place the broccoli in a steamer and steam.",
                "Serve.",
            ],
            {(2, 3), (1, 2)},
            id="a-steamer",
        ),
        pytest.param(
            ["500 g mince"],
            [
                "Heat the oil in a pan.",
                "Cook the mince with a wooden spoon to break it up.",
                "Serve.",
            ],
            {(2, 3), (1, 2)},
            id="a-wooden-spoon",
        ),
        pytest.param(
            ["onions"],
            ["Heat the oil.", "Fry the onions in a wide pan.", "Serve."],
            {(2, 3), (1, 2)},
            id="another-pan",
        ),
        pytest.param(
            ["potatoes"],
            ["Fry the potatoes.", "Line a tray with kitchen paper and drain.", "Serve."],
            {(2, 3), (1, 2)},
            id="kitchen-paper",
        ),
        pytest.param(
            ["flour"],
            [
                "Knead the flour and water to a dough.",
                "Grease a bowl and leave to rise for an hour.",
                "Bake.",
            ],
            {(2, 3), (1, 2)},
            id="a-greased-bowl",
        ),
        pytest.param(
            ["squash", "lasagne"],
            [
                "Heat the oven. Roast the squash.",
                "Layer the squash with the lasagne.",
                "Cook for 40 minutes until golden.",
            ],
            {(2, 3), (1, 2), (1, 3)},
            id="a-second-time-in-the-oven",
        ),
        pytest.param(
            ["1 kg wings", "1 tsp paprika"],
            [
                "Spray the air fryer basket with oil.",
                "Toss the wings with the paprika.",
                "Put the wings in the air fryer basket and cook.",
            ],
            {(2, 3), (1, 3)},
            id="a-basket-with-oil",
        ),
        pytest.param(
            ["500 g beef"],
            ["Grease large baking dish.", "Brown the beef.", "Spoon beef into large baking dish."],
            {(2, 3), (1, 3)},
            id="a-large-dish-again",
        ),
        pytest.param(
            ["4 chops", "1 onion", "200 g rice"],
            [
                "Cook the rice and drain.",
                "Fry the onion in a pan.",
                "Fry the chops in a second pan.",
                "Add the rice to the pan with the onion.",
                "Serve the chops with the rice.",
            ],
            {(1, 4), (2, 4), (3, 5), (4, 5)},
            id="pan-told-by-what-is-in-it",
        ),
        pytest.param(
            ["200 g rice", "300 ml coconut milk", "50 g butter"],
            [
                "Measure the rice in a jug and soak it in water.",
                "Drain the rice into a sieve.",
                "Measure the coconut milk into the jug.",
                "Melt the butter in a pan and add the rice.",
                "Add the coconut milk and simmer.",
            ],
            {(1, 2), (2, 4), (3, 5), (4, 5)},
            id="jug-that-was-emptied",
        ),
        pytest.param(
            [
                "2 cups flour",
                "2 eggs",
                "1 tsp vanilla",
                "1 cup butter",
                "2 cups icing sugar",
                "1 tsp vanilla",
            ],
            [
                "Heat the oven.",
                "Beat the flour, eggs and vanilla.",
                "Bake the batter.",
                "Leave the cakes to cool in the tins.",
                "In a large bowl, beat the butter.",
                "Gradually add the icing sugar.",
                "Mix in the vanilla.",
                "Spread over the cakes.",
            ],
            {(1, 3), (2, 3), (3, 4), (5, 6), (6, 7), (7, 8), (4, 8)},
            id="second-line-of-vanilla",
        ),
        pytest.param(
            ["greens", "1 avocado", "500 g shrimp"],
            [
                "Combine the greens and avocado.",
                "Lightly oil a griddle and set over high heat.",
                "Grill the shrimp.",
                "Top the greens with the shrimp.",
            ],
            {(2, 3), (1, 4), (3, 4)},
            id="oiled-griddle",
        ),
        pytest.param(
            ["1 kg beef", "flour", "oil", "4 carrots"],
            [
                "Coat the beef with the flour.",
                "Brown it in the oil.",
                "Cut the carrots into pieces.",
                "Combine all prepared ingredients in a pot.",
                "Cover with water and simmer.",
                "Thicken liquid.",
            ],
            {(1, 2), (2, 4), (3, 4), (4, 5), (5, 6)},
            id="all-prepared-ingredients",
        ),
        pytest.param(
            ["1 kg beef", "1 onion", "1 tsp sugar", "4 carrots", "8 small potatoes"],
            [
                "Brown the beef in fat in a heavy kettle.",
                "Add remaining ingredients, except carrots and small potatoes; simmer 1 hour.",
                "Add the carrots and potatoes and cook for 30 minutes.",
            ],
            {(1, 2), (2, 3)},
            id="all-except-some",
        ),
        pytest.param(
            ["200 g flour", "2 eggs"],
            ["Mix the flour and eggs.", "Grease and flour a muffin pan.", "Fill the pan and bake."],
            {(1, 3), (2, 3)},
            id="greased-and-floured",
        ),
        pytest.param(
            ["200 g flour", "2 eggs"],
            ["Mix the flour and eggs.", "Fill greased muffin pans 2/3 full and bake."],
            {(1, 2)},
            id="two-thirds-full",
        ),
        pytest.param(
            ["1 chicken", "2 carrots"],
            [
                "Cover the chicken with water and simmer.",
                "Transfer the chicken to a bowl.",
                "Strain the broth.",
                "Simmer the carrots in the broth.",
                "Shred the chicken and serve with the carrots.",
            ],
            {(1, 2), (2, 3), (3, 4), (2, 5), (4, 5)},
            id="broth-of-what-was-lifted-out",
        ),
        pytest.param(
            ["flour", "carrots"],
            [
                "Knead the flour with the water to a dough.",
                "Transfer the dough to a bowl.",
                "Simmer the carrots in the stock.",
                "Bake the dough.",
                "Serve the bread with the carrots.",
            ],
            {(1, 2), (2, 4), (3, 5), (4, 5)},
            id="stock-of-no-dough",
        ),
        pytest.param(
            ["1 lb beef", "1 onion", "1 cup milk", "salt", "parsley"],
            [
                "Brown the beef and onion.",
                "Drain excess fat.",
                "Stir in the milk.",
                "Salt and pepper, to taste, and add parsley.",
            ],
            {(1, 2), (2, 3), (3, 4)},
            id="excess-fat",
        ),
        pytest.param(
            ["beef", "carrots", "noodles"],
            [
                "Fry the beef and carrots.",
                "Cook and drain the noodles as the packet says.",
                "Toss the beef with the noodles.",
            ],
            {(1, 3), (2, 3)},
            id="cooked-and-drained",
        ),
        pytest.param(
            ["bacon", "2 leeks", "3 eggs", "cream", "pastry"],
            [
                "Fry the bacon with the leeks.",
                "Beat the eggs with the cream.",
                "Roll out the pastry and spread the leek-bacon mixture over it.",
                "Pour over the egg/cream mixture and bake.",
            ],
            {(1, 3), (2, 4), (3, 4)},
            id="mixture-told-with-a-hyphen",
        ),
        pytest.param(
            ["4 bell peppers", "500 g beef", "salt and black pepper"],
            [
                "Cut the tops off the bell peppers and remove the seeds and membranes.",
                "Rinse the peppers.",
                "Brown the beef, then season with salt and pepper.",
                "Stuff each bell pepper with the beef.",
            ],
            {(1, 2), (2, 4), (3, 4)},
            id="peppers-and-pepper",
        ),
        pytest.param(
            ["300 g flour", "200 g butter", "450 g apples", "50 g sugar", "1 tbsp flour"],
            [
                "Rub the butter into the flour.",
                "Place the fruit in a bowl and sprinkle over the sugar and flour.",
                "Spoon the fruit into a dish and top with the crumble.",
            ],
            {(1, 3), (2, 3)},
            id="fruit-of-the-list",
        ),
        pytest.param(
            ["1 slice bread", "500 g beef", "1 egg"],
            [
                "Process the bread until fine.",
                "Combine the breadcrumbs, beef and egg.",
                "Shape into balls and fry.",
            ],
            {(1, 2), (2, 3)},
            id="breadcrumbs-of-bread",
        ),
        pytest.param(
            ["6 peppers", "400 ml tomato sauce", "500 g beef"],
            [
                "Cut the tops off the peppers.",
                "Pour the tomato sauce into a dish large enough to hold the peppers.",
                "Fill the peppers with the beef and stand them in the dish.",
            ],
            {(1, 3), (2, 3)},
            id="large-enough",
        ),
        pytest.param(
            ["butter", "sugar", "flour", "1 egg", "salt"],
            [
                "Cream together the butter and sugar.",
                "Sift together the flour and salt.",
                "Add the egg to the butter, then the dry ones to the wet ones.",
                "Black pepper to taste.",
            ],
            {(1, 3), (2, 3), (3, 4)},
            id="wet-ones",
        ),
        pytest.param(
            ["1 chicken", "2 cups flour", "2 tsp baking powder", "2 eggs", "300 ml milk"],
            [
                "Roast the chicken.",
                "Mix the flour and baking powder.",
                "Beat the eggs and add the milk in a separate bowl.",
                "Combine and mix well.",
                "Fry the batter and serve with the chicken.",
            ],
            {(2, 4), (3, 4), (4, 5), (1, 5)},
            id="combine-what-there-is",
        ),
        pytest.param(
            ["2 aubergines", "500 g ground lamb or beef", "1 onion"],
            [
                "Fry the aubergine slices. Set aside.",
                "In a large, heavy skillet, brown the ground meat with the onion.",
                "In a greased dish, layer half of the aubergine slices.",
                "Spoon over the meat.",
            ],
            {(1, 3), (2, 4), (3, 4)},
            id="layers-of-slices",
        ),
        pytest.param(
            ["1 lb potatoes", "mayonnaise", "mustard"],
            [
                "Start by boiling the potatoes.",
                "While they cook, mix the mayonnaise. Once the potatoes are done, add them.",
                "Chill.",
            ],
            {(1, 2), (2, 3)},
            id="once-it-is-done-meanwhile",
        ),
        pytest.param(
            ["cold water", "gelatin", "500 ml cream", "100 g sugar", "1 vanilla pod"],
            [
                "Pour the cold water into a bowl and sprinkle over the gelatin.",
                "In a saucepan, combine the cream and sugar. Add the pod to the cream mixture.",
                "Set the bowl of softened gelatin over a pan of simmering water.",
                "Pour the cream mixture into the gelatin mixture.",
            ],
            {(1, 3), (2, 4), (3, 4)},
            id="mixture-of-this-step",
        ),
        pytest.param(
            ["1 can plum tomatoes", "6 eggs", "hot sauce, for serving"],
            [
                "Simmer the tomatoes in a skillet.",
                "Make six wells in the sauce. Crack in the eggs.",
                "Bake until set.",
                "Serve with hot sauce.",
            ],
            {(1, 2), (2, 3), (3, 4)},
            id="the-sauce-is-no-hot-sauce",
        ),
        pytest.param(
            [],
            [
                "Pour the cider into a pan and add the sugar and a cinnamon stick.",
                "Keep the cider just below a simmer for 25 minutes.",
                "Fish out the spices and discard them. Stir in the rum.",
            ],
            {(1, 2), (2, 3)},
            id="spices-are-fished-out",
        ),
        pytest.param(
            [
                "500 g potatoes",
                "a small bunch each of parsley and dill",
                "50 g butter",
                "2 fish fillets",
            ],
            [
                "Boil the potatoes.",
                "Finely chop the herbs. Melt half the butter and mix it with most of the herbs.",
                "Spread the mixture over the fish and roast it.",
                "Crush the potatoes with the rest of the butter and the remaining herbs.",
            ],
            {(2, 3), (1, 4), (2, 4)},
            id="the-rest-of-what-was-chopped",
        ),
        pytest.param(
            ["1 green bell pepper", "4 tomatoes", "salt and pepper", "3 tbsp oil"],
            [
                "Whisk the oil with salt and pepper for the dressing.",
                "Slice the tomatoes. Cut the pepper into rings.",
                "Pour the dressing over the tomatoes.",
            ],
            {(1, 3), (2, 3)},
            id="a-pepper-that-is-cut-is-no-spice",
        ),
        pytest.param(
            ["300 g flour", "1 egg", "50 g sugar"],
            [
                "Mix the flour and the egg to a dough.",
                "Mix the sugar with cinnamon for the filling.",
                "Turn the dough out onto a floured surface and roll it out.",
                "Spread the filling over the dough.",
            ],
            {(1, 3), (3, 4), (2, 4)},
            id="onto-a-surface-nothing-comes",
        ),
        pytest.param(
            ["4 onions", "1 litre beef stock", "1 baguette", "100 g cheese"],
            [
                "Fry the onions. Take care towards the end to ensure that they don't burn.",
                "Keep stirring as you gradually add the stock.",
                "Toast the bread.",
                "Put a slice or two of toast on the soup, and pile on the cheese.",
            ],
            {(1, 2), (2, 4), (3, 4)},
            id="a-slice-or-two-of-toast",
        ),
    ],
)
def test_what_a_step_works_with(goods, steps, found):
    assert links(steps, goods) == found


def test_two_things_that_were_set_aside_have_names_of_their_own():
    goods = ["100 g sugar", "100 g butter", "200 g flour", "400 g plums"]
    steps = [
        "Set aside 20 g of the sugar and 20 g of the butter. Beat the rest with the flour.",
        "Bake.",
        "Toss the plums with the reserved sugar.",
        "Melt the reserved butter and pour over the plums.",
    ]
    found = traces(steps, goods)
    assert found[2].uses == ["kept sugar"]
    assert "kept butter" in found[3].uses


def test_a_pie_in_hand_is_what_is_brushed():
    goods = ["chicken", "leeks", "potatoes", "butter", "pastry", "1 egg"]
    steps = [
        "Fry the chicken and the leeks.",
        "Boil the potatoes and mash with the butter.",
        "Spoon the chicken into a dish and lay over the pastry. Brush the pie with the egg.",
        "Serve with the mash.",
    ]
    found = parse_with_care("Chicken Pie", steps, goods=goods)[0].links
    assert {(each.source, each.to) for each in found} == {(0, 2), (1, 3), (2, 3)}


def test_without_care_nothing_is_left_beside_a_result():
    steps = (
        "Bring a pan of water to the boil. Slice the onion.",
        "Fry the onion.",
        "Cook the pasta.",
    )
    assert {each.spare for each in parse("", steps).links} == {""}
    (water,) = parse("", ("Boil the water.", "Chop the onion.", "Cook the pasta.")).links
    assert water.rule == "unsaid"


def test_what_the_title_names_is_new_where_it_is_peeled():
    goods = ["half a leg of lamb", "salt", "mustard powder"]
    steps = [
        "Rub the salt and mustard powder over the lamb.",
        "Roast the lamb.",
        "Meanwhile, peel the potatoes and boil.",
        "Serve the lamb with the potatoes.",
    ]
    found = parse_with_care("Roast Lamb with Potatoes", steps, goods=goods)[0].links
    assert {(each.source, each.to) for each in found} == {(0, 1), (1, 3), (2, 3)}


def test_an_ingredient_may_stand_after_what_was_done_to_it():
    lines = ["1 1/2 c mashed, ripe bananas", "3 cups shredded, cooked chicken", "For the sauce:"]
    assert [[words[-1] for words in names([each])] for each in lines] == [
        ["banana"],
        ["chicken"],
        [],
    ]
    assert [words[-1] for words in names(["1/3 cup plus 1 teaspoon sugar"])] == ["sugar"]


@pytest.mark.parametrize(
    "line", ["100 ml lamb, chicken or vegetable stock", "1 l chicken or beef stock"]
)
def test_stock_of_one_or_the_other_is_stock(line):
    assert [words[-1] for words in names([line])] == ["stock"]


def test_without_care_the_rules_are_those_of_published_questions():
    measured = (
        "Measure the rice in a jug and soak it in water.",
        "Drain the rice into a sieve.",
        "Pour the milk into the jug.",
    )
    links_of = {(each.source, each.to): each.stays for each in parse("", measured).links}
    assert links_of == {(0, 1): False, (1, 2): False}
    steps = ("Brown the beef.", "Chop the leeks.", "Combine all prepared ingredients.")
    assert {(each.source, each.to) for each in parse("", steps).links} == set()
