"""Dishes of many parts: baked layers, pies with a mash top, wraps, noodle bowls, layer cakes."""

from __future__ import annotations

from random import Random

from thence.domains.recipes.grammar import Dish
from thence.domains.recipes.techniques._pantry import fat, named, one, some, weighed
from thence.domains.recipes.techniques.beside import custard, oven, white_sauce

_MINCED = {"minced beef": "beef", "minced pork": "pork", "minced turkey": "turkey"}
_LAYERS = {
    "spinach": ("shredded", "%2-4m"),
    "mushrooms": ("sliced", "%6-8m"),
    "courgettes": ("sliced", "%6-8m"),
    "leeks": ("sliced", "%6-8m"),
}


def lasagne(rng: Random) -> Dish:
    """Pasta sheets between a meat sauce, a vegetable and a white sauce."""
    meat, vegetable = rng.choice(sorted(_MINCED)), rng.choice(sorted(_LAYERS))
    word, cheese = _MINCED[meat], rng.choice(["Parmesan", "Gruyère"])
    dish = Dish(named(f"{word} lasagne with {vegetable}"), "Italian", "pasta")
    how, minutes = _LAYERS[vegetable]
    dish.aside(*oven(rng, 180, 200))
    dish.part(
        ["[Finely chop/Chop] {2 onions|onions}, {1 carrot|carrot} and {1 stick of celery|celery}. -> chopped vegetables"],
        [f"Soften <@chopped vegetables> in {fat('olive oil', rng)} in a [wide/deep] pan, %8-10m. -> soft vegetables"],
        [f"Add {some(meat, rng)} to <the [pan/vegetables]|soft vegetables> and brown it, breaking it up with a spoon, %6-8m. -> meat base"],
        [f"Stir {{800g tinned tomatoes|tomatoes}} and {some('oregano', rng)} into <the [meat/pan]|meat base> and simmer for %30-45m. -> meat sauce !"],
    )  # fmt: skip
    dish.aside(
        f"[Fry/Cook] {some(vegetable, rng, how)} in {{a knob of butter|butter}} until soft, {minutes}. -> fried {vegetable}"
    )
    dish.part(*white_sauce(rng))
    dish.aside(f"Grate {some(cheese, rng)}. -> grated {cheese}")
    dish.then(
        "[Spread/Spoon] <half of the meat sauce|meat sauce/> over the bottom of a deep dish. -> layers"
    )
    dish.then(
        f"Cover <the sauce|layers> with {{6 lasagne sheets|lasagne sheets}}, <the [fried /]{vegetable}|fried {vegetable}> and <half of the white sauce|white sauce/>. -> layers"
    )
    dish.then(
        "Spread <the rest of the meat sauce|meat sauce> over <the top|layers>, add {6 more lasagne sheets|second lasagne sheets} and pour over <the rest of the white sauce|white sauce>. -> unbaked lasagne"
    )
    dish.then(f"~ [Scatter/Top] with <the grated {cheese}>. -> unbaked lasagne")
    dish.then(
        "Bake <the [dish/lasagne]|unbaked lasagne> in <*the [hot/preheated] oven|oven> until [browned/bubbling], %35-45m. -> lasagne !"
    )
    dish.then("~ Let stand for %10-15m before [cutting/serving].")
    return dish


def mash_pie(rng: Random) -> Dish:
    """Minced meat in gravy under mashed potatoes, with a green vegetable beside it."""
    meat = rng.choice(["minced lamb", "minced beef"])
    word, herb = meat.split()[1], rng.choice(["thyme", "rosemary", "sage"])
    green, minutes = rng.choice(
        [("peas", "%3-4m"), ("green beans", "%5-6m"), ("broccoli", "%3-4m")]
    )
    dish = Dish(named(f"{word} and mash pie with {green}"), "British", "main")
    dish.aside(*oven(rng, 190, 210))
    dish.part(
        [f"[Soften/Cook] {{2 chopped onions|onions}} and {{2 diced carrots|carrots}} in {fat('butter', rng)} for %8-10m. -> soft vegetables"],
        [f"Add {some(meat, rng)} to <the [pan/vegetables]|soft vegetables> and [fry/cook] until browned, %6-8m. -> browned {word}"],
        [f"Stir {{1 tablespoon of flour|flour}} and {some('tomato paste', rng)} into <the {word}|browned {word}> and cook for %1-2m. -> thick {word}"],
        [f"Pour {{[300/400]ml beef stock|beef stock}} over <the {word}|thick {word}>, add {{a sprig of {herb}|{herb}}} and simmer for %25-35m. -> meat filling !",
         f"[Take out/Remove] the {herb} and throw it away<=meat filling>. -> meat filling - {herb}"],
    )  # fmt: skip
    dish.part(
        ["[Boil/Cook] {[800/900]g peeled potatoes|potatoes} in salted water until tender, %15-20m. -> boiled potatoes"],
        ["Drain <the [boiled /]potatoes|boiled potatoes> and mash them with {[50/75]g butter|butter for the mash} and {a splash of milk|milk}. -> mash"],
    )  # fmt: skip
    dish.then(
        "[Tip/Spoon] <the [meat /]filling|meat filling> into a [deep/pie] dish. -> filled dish"
    )
    dish.then(
        "[Spread/Spoon] <the mash> over <the [filling/meat]|filled dish> and rough up the top with a fork. -> unbaked pie"
    )
    if rng.random() < 0.5:
        dish.then("~ [Scatter/Sprinkle] with {a handful of grated Cheddar|Cheddar}.")
    dish.then(
        "Bake <the pie|unbaked pie> in <*the [hot/preheated] oven|oven> until [golden/brown on top], %25-35m. -> pie !"
    )
    dish.then("~ Leave to rest for %5-10m.")
    dish.then(
        f"[Boil/Cook] {some(green, rng)} in salted water for {minutes}, drain and keep warm. -> cooked {green}"
    )
    dish.then(f"Serve <@pie> with <the [cooked /]{green}|cooked {green}>. -> served pie")
    return dish


def wraps(rng: Random) -> Dish:
    """Marinated meat in warm tortillas with pickled onions, a salsa and mashed avocado."""
    meat, word, minutes = rng.choice(
        [("chicken breasts", "chicken", "%6-8m"), ("pork fillet", "pork", "%6-8m"),
         ("beef steak", "beef", "%3-5m"), ("prawns", "prawns", "%3-4m")]
    )  # fmt: skip
    fruit = rng.choice(["tomatoes", "pineapple", "mango"])
    amount = {"tomatoes": "4 tomatoes", "pineapple": "1/2 pineapple", "mango": "1 ripe mango"}
    dish = Dish(named(f"{one(word)} wraps with {one(fruit)} salsa"), "Mexican", "main")
    cut = "Turn" if word == "prawns" else "Cut"
    strips = "" if word == "prawns" else " into strips, turn them"
    dish.part(
        [f"[Mix/Stir] {{2 tablespoons of oil|oil}}, {{the juice of 1 lime|lime juice}} and {some(rng.choice(['cumin', 'chilli powder', 'paprika']), rng)} [together/in a bowl]. -> marinade"],
        [f"{cut} {some(meat, rng)}{strips} in <the marinade> and [chill/leave in the fridge] for %20-40m. -> marinated {word}"],
        [f"Fry <the [marinated /]{word}|marinated {word}> in a [hot/heavy] pan until cooked through, {minutes}. -> fried {word} !"],
    )  # fmt: skip
    dish.part(
        ["[Thinly slice/Slice] {1 red onion|red onion}. -> sliced onion"],
        ["Bring {100ml vinegar|vinegar} and {1 tablespoon of sugar|sugar} to a boil, pour over <the [sliced /]onion|sliced onion> and leave for %15-25m. -> pickled onion"],
        ["[Drain <the pickled onion> well/Drain <the pickled onion> in a sieve]. -> drained onion"],
    )  # fmt: skip
    dish.part(
        [f"[Dice/Chop] {{{amount[fruit]}|{fruit}}} and {{1 green chilli|chilli}}. -> chopped salsa"],
        [f"Stir {{a handful of chopped coriander|coriander}} and {{a pinch of salt|salt for the salsa}} into <the {fruit}|chopped salsa> for the salsa. -> salsa"],
    )  # fmt: skip
    dish.aside(
        "Halve {2 avocados|avocados}, take out the stones and mash the flesh with {a squeeze of lemon|lemon}. -> mashed avocado"
    )
    dish.aside(
        "Warm {8 tortillas|tortillas} in a dry pan, %1-2m each, and wrap them in a cloth. -> warm tortillas"
    )
    dish.then(
        "Spread <the [warm /]tortillas|warm tortillas> with <the [mashed /]avocado|mashed avocado>. -> spread tortillas"
    )
    dish.then(
        f"[Divide/Share] <the [fried /]{word}|fried {word}> [between/among] <the [spread /]tortillas|spread tortillas>. -> topped tortillas"
    )
    dish.then(
        "Spoon <half of the salsa|salsa/> over <@topped tortillas=filling> and add <the [drained /pickled /]onion|drained onion>. -> full tortillas"
    )
    dish.then(
        "Roll up <the tortillas|full tortillas> and serve with <the rest of the salsa|salsa>. -> wraps"
    )
    return dish


def noodle_bowl(rng: Random) -> Dish:
    """Return a strained broth over noodles, with seasoned eggs and a topping."""
    top, minutes = rng.choice(
        [("tofu", "%6-8m"), ("pork fillet", "%6-8m"), ("chicken breasts", "%7-9m")]
    )
    word = top.split(maxsplit=1)[0]
    green = rng.choice(["pak choi", "spinach", "bean sprouts"])
    noodles = rng.choice(["wheat noodles", "rice noodles", "egg-free ramen noodles"])
    dish = Dish(named(f"noodle bowls with {word} and {green}"), "Japanese", "main")
    dish.part(
        ["[Simmer/Heat] {[750ml/1 litre of] [chicken/vegetable] stock|stock} with {a sliced thumb of ginger|ginger} and {2 crushed cloves of garlic|garlic} for %15-25m. -> broth"],
        ["Strain <the broth> and throw away the ginger and garlic. -> broth - ginger, garlic"],
        ["Stir {[2/3] tablespoons of soy sauce|soy sauce} and {1 tablespoon of miso|miso} into <@broth> and keep it hot. -> seasoned broth"],
    )  # fmt: skip
    dish.part(
        ["[Boil/Cook] {4 eggs|eggs} for 8 to 9 minutes. -> boiled eggs !"],
        ["[Cool <@boiled eggs=eggs> in cold water/Put <@boiled eggs=eggs> in cold water] and peel them. -> peeled eggs"],
        ["~ [Halve them lengthways./Cut them in half.] -> halved eggs"],
    )  # fmt: skip
    dish.part(
        [f"[Slice/Cut up] {some(top, rng)} and toss with {{1 tablespoon of cornflour|cornflour}}. -> coated {word}"],
        [f"Fry <the {word}|coated {word}> in {fat('vegetable oil', rng)} until {'crisp' if word == 'tofu' else 'cooked through'}, {minutes}. -> fried {word} !"],
    )  # fmt: skip
    dish.part(
        ["Bring a large pot of water to a boil. -> boiling water"],
        [f"[Blanch/Cook] {{[200/300]g {green}|{green}}} in <*the [boiling /]water|boiling water> for %1-2m and lift out with a slotted spoon. -> blanched {green}"],
        [f"[Boil/Cook] {{[250/300]g {noodles}|noodles}} in <the [boiling /]water|boiling water> for %3-5m and drain. -> cooked noodles"],
    )  # fmt: skip
    dish.then("Divide <the [cooked /]noodles|cooked noodles> between four bowls. -> bowls")
    dish.then(
        f"[Lay/Put] <the [fried /]{word}|fried {word}> and <the [blanched /]{green}|blanched {green}> on <the noodles|bowls>. -> full bowls"
    )
    dish.then(
        "[Ladle/Pour] <the [hot /]broth|seasoned broth> into <the bowls|full bowls>. -> soup bowls"
    )
    dish.then(
        "Top <the [soup/bowls]|soup bowls> with <the [halved /]eggs|halved eggs> and {[sliced spring onions/toasted sesame seeds]|topping}. -> served bowls"
    )
    return dish


def layer_cake(rng: Random) -> Dish:
    """Return a sponge cut in two, filled with custard and fruit, covered with cream."""
    fruit = rng.choice(["raspberries", "strawberries", "blueberries", "cherries"])
    nuts = rng.choice(["almonds", "hazelnuts", "walnuts"])
    eggs, grams = rng.choice([("3 eggs", 175), ("4 eggs", 225)])
    dish = Dish(named(f"{one(fruit)} and custard layer cake"), "British", "cake")
    dish.part(
        ["[Grease/Butter] a 20cm cake tin and line it with baking paper. -> cake tin"],
        oven(rng, 170, 180),
        [f"[Cream/Beat] {weighed('butter', grams, rng, 'soft')} with {weighed('sugar', grams, rng)} until [light/pale and fluffy], %3-5m. -> creamed butter"],
        [f"Beat {{{eggs}|eggs}} into <@creamed butter>, one at a time. -> egg mixture"],
        [f"[Fold/Stir] {weighed('flour', grams, rng, 'self-raising')} into <@egg mixture;mixture>. -> batter"],
        ["[Scrape/Spoon] <@batter> into <the [lined /]cake tin|cake tin>. -> filled tin"],
        ["Bake <the cake|filled tin> in <*the [hot/preheated] oven|oven> until [a skewer comes out clean/risen and golden], %35-45m. -> cake !",
         "~ Leave to cool on a rack."],
    )  # fmt: skip
    dish.part(*custard(rng), ["~ Cover and leave to cool. -> custard"])
    dish.aside(
        f"{'Stone and halve' if fruit == 'cherries' else 'Crush'} {some(fruit, rng)} and stir in {{a spoonful of sugar|sugar for the fruit}}. -> sweet {fruit}"
    )
    dish.aside(f"[Whip/Whisk] {some('cream', rng)} to soft peaks. -> whipped cream")
    dish.aside(f"Toast {some(nuts, rng)} in a dry pan for %3-5m and chop them. -> toasted {nuts}")
    dish.then("Cut <the [cold /]cake|cake> in half to make two layers. -> lower half & upper half")
    dish.then(
        "Spread <the [cold /]custard|custard> over <the lower half> and put <the upper half> on top. -> filled cake"
    )
    dish.then(
        f"[Spoon/Pile] <the [sweet /]{fruit}|sweet {fruit}> onto <the cake|filled cake>. -> fruit cake"
    )
    dish.then(
        "[Spread/Pipe] <the [whipped /]cream|whipped cream> over <the fruit|fruit cake>. -> covered cake"
    )
    dish.then(f"~ [Scatter/Decorate] with <the [toasted /]{nuts}|toasted {nuts}>. -> finished cake")
    return dish


DISHES = (lasagne, mash_pie, wraps, noodle_bowl, layer_cake)
