"""Elements of many dishes: a hot oven, side dishes, crisp toppings."""

from __future__ import annotations

from random import Random

from thence.domains.recipes.grammar import Block, Dish
from thence.domains.recipes.techniques._pantry import Style, some, styles

_BOILED = {"rice": "%12-15m", "pasta": "%9-12m", "gnocchi": "%2-4m"}


def style(rng: Random, *names: str) -> Style:
    """Return a random cuisine, one of the given names if there are any."""
    return rng.choice([each for each in styles() if not names or each.name in names])


def oven(rng: Random, low: int, high: int) -> list[str]:
    """Return a step that heats the oven to between two bounds in degrees Celsius."""
    heat = rng.randrange(low, high + 1, 10)
    scale = f"{round((heat * 9 / 5 + 32) / 25) * 25}°F" if rng.random() < 0.25 else f"{heat}°C"
    return [f"[Preheat/Heat] the oven to {scale}. -> oven"]


def side(rng: Random, name: str) -> tuple[Block, str]:
    """Return the steps of a side dish, and its name."""
    if name in _BOILED:
        return [
            [f"Bring a [large/big/wide] pot of salted water to a boil. -> boiling water for the {name}"],
            [f"[Cook/Boil] {some(name, rng)} in <the boiling water|boiling water for the {name}> for {_BOILED[name]}, then drain. -> cooked {name} !"],
        ], f"cooked {name}"  # fmt: skip
    if name in ("couscous", "bulgur"):
        return [[
            f"Pour boiling water over {some(name, rng)}[ in a bowl/], cover and leave for %8-12m. -> fluffy {name}",
            f"Fluff <@fluffy {name}={name};grains> with a fork.",
        ]], f"fluffy {name}"  # fmt: skip
    if name == "polenta":
        return [[
            f"Whisk {some(name, rng)} into a litre of simmering water and stir over low heat for %20-30m. -> soft polenta !",
        ]], "soft polenta"  # fmt: skip
    if name == "mash":
        return [[
            f"[Boil/Cook] {some('potatoes', rng, 'peeled')} in salted water until tender, %15-20m. -> boiled potatoes",
            "Drain <@boiled potatoes=potatoes> and mash with {a splash of milk|milk}. -> mash",
        ]], "mash"  # fmt: skip
    return [[
        f"Boil {some('potatoes', rng, 'small')} until tender, %15-20m, and drain. -> boiled potatoes",
    ]], "boiled potatoes"  # fmt: skip


def garnish(rng: Random) -> tuple[Block, str] | None:
    """Return the steps of a separate crisp topping and its name, or None."""
    kind = rng.randrange(4)
    if kind == 0:
        return [[
            f"[Fry/Cook] {some('bacon', rng, 'diced')} in a dry pan until crisp, %5-8m. -> crisp bacon !",
        ]], "crisp bacon"  # fmt: skip
    if kind == 1:
        return [[
            "Cut {3 slices of bread|bread} into cubes. -> bread cubes",
            "Fry <@bread cubes=cubes> in {1 tablespoon of olive oil|olive oil for frying} until golden, %4-6m. -> croutons",
        ]], "croutons"  # fmt: skip
    if kind == 2:
        nuts = rng.choice(["almonds", "pine nuts", "hazelnuts"])
        return [[
            f"Toast {some(nuts, rng)} in a dry pan, shaking it often, for %3-5m. -> toasted {nuts}",
        ]], f"toasted {nuts}"  # fmt: skip
    return None


def white_sauce(rng: Random) -> Block:
    """Return the steps of a sauce of butter, flour and milk, named ``white sauce``."""
    return [
        ["Melt {50g butter|butter for the sauce} in a [saucepan/small pan] and stir in {50g flour|flour}. -> roux", "~ Cook for %1-2m, stirring."],
        ["[Gradually/Slowly] whisk {[500ml/half a litre of] milk|milk} into <@roux> and simmer to a [thick/smooth] white sauce, %3-5m. -> white sauce"],
    ]  # fmt: skip


def custard(rng: Random) -> Block:
    """Return the steps of a cooked custard, named ``custard``."""
    return [
        ["[Beat/Whisk] {[3/4] egg yolks|egg yolks} with {[3/4] tablespoons of sugar|caster sugar}. -> yolk mixture"],
        ["Heat {[300/350/400]ml milk|milk} until it steams and whisk it into <the [yolks/yolk mixture]|yolk mixture>. -> thin custard"],
        ["~ Stir over low heat until you have a thick custard, %8-12m. -> custard !"],
    ]  # fmt: skip


def make_salad(dish: Dish, rng: Random) -> str:
    """Add the steps before a green salad is tossed; return its leaves."""
    leaves = rng.choice(["lettuce", "rocket", "watercress", "baby spinach"])
    sharp = rng.choice(["mustard", "honey", "chopped shallot"])
    dish.aside(
        f"Wash {{the {leaves}|{leaves}}}, [dry well/shake dry] and pile into a bowl. -> washed {leaves}"
    )
    dish.aside(
        f"[Whisk/Shake] {{3 tablespoons of olive oil|oil for the salad}} with {{1 tablespoon of [cider/wine] vinegar|vinegar}} and {{a little {sharp}|{sharp}}} to make a dressing. -> salad dressing"
    )
    return leaves


def green_salad(dish: Dish, rng: Random) -> None:
    """Add a green salad that is served with the dish."""
    leaves = make_salad(dish, rng)
    dish.then(
        f"~ [To go with it/As a side dish], toss <the {leaves}|washed {leaves}> with <the [salad /]dressing|salad dressing> and [hand it round/put it on the table, too]. -> meal"
    )


def make_bread(dish: Dish, rng: Random) -> None:
    """Add the steps that make garlic bread."""
    herb = rng.choice(["parsley", "chives", "thyme"])
    dish.part(
        [f"Mash {{[50/75]g soft butter|butter for the bread}} with {{1 crushed clove of garlic|garlic for the bread}} and {{chopped {herb}|{herb} for the bread}}. -> garlic butter"],
        ["Slice {a [baguette/small loaf]|baguette} and spread the slices with <the garlic butter>. -> spread slices"],
    )  # fmt: skip
    dish.late(
        [
            "Toast <the [spread /]slices|spread slices> under a hot grill until golden, %2-4m. -> garlic bread"
        ]
    )


def garlic_bread(dish: Dish, rng: Random) -> None:
    """Add toasted bread that is served with the dish."""
    make_bread(dish, rng)
    dish.then("~ [Hand round/Pass] <the garlic bread> at the table. -> meal with bread")


def make_tomato_salad(dish: Dish, rng: Random) -> None:
    """Add the steps that make a salad of tomatoes with an onion made milder in vinegar."""
    herb = rng.choice(["basil", "chives", "dill"])
    dish.part(
        ["Slice {1 [small/red] onion|onion for the salad} and soak in {2 tablespoons of [wine/cider] vinegar|vinegar for the salad} for %10-15m. -> soaked onion"],
        [f"Cut {{[4/5] tomatoes|tomatoes for the salad}} into wedges and mix with <the [soaked /]onion|soaked onion> and {{chopped {herb}|{herb} for the salad}} to make a tomato salad. -> tomato salad"],
    )  # fmt: skip


def tomato_salad(dish: Dish, rng: Random) -> None:
    """Add a tomato salad that is served with the dish."""
    make_tomato_salad(dish, rng)
    dish.then(
        "[~ Serve <the tomato salad> beside it/~ Bring <the tomato salad> to the table, too]. -> meal with tomatoes"
    )


EXTRAS = (
    (("main", "pasta"), green_salad),
    (("pasta", "soup"), garlic_bread),
    (("main",), tomato_salad),
)
"""Side dishes and the courses that they suit."""
