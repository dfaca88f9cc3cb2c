"""Cakes, biscuits, bread, pies, eggs in the oven, and desserts."""

from __future__ import annotations

from random import Random

from thence.domains.recipes.grammar import Block, Dish
from thence.domains.recipes.techniques._pantry import fat, named, one, some
from thence.domains.recipes.techniques.savoury import oven, side

_FRUIT = ("apples", "pears", "plums", "cherries", "rhubarb", "peaches")


def cake(rng: Random) -> Dish:
    """Butter and sugar creamed, eggs beaten in, dry things folded in, baked in a tin."""
    extra = rng.choice(
        ["blueberries", "raspberries", "walnuts", "chocolate chips", "raisins", "hazelnuts"]
    )
    shape = rng.choice(["cake", "loaf", "muffins"])
    tin = {"cake": "cake tin", "loaf": "loaf tin", "muffins": "muffin tin"}[shape]
    dish = Dish(named(f"{one(extra)} {shape}"), "British", "cake")
    dish.parts.append(oven(rng, 170, 190))
    dish.parts.append(
        [
            [
                f"[Grease/Butter] a {'20cm ' if shape == 'cake' else ''}{tin}[/ and line it with baking paper]. -> {tin}"
            ]
        ]
    )
    dry: Block = [
        [
            f"[Sift/Mix/Stir] {some('flour', rng)} and {some('baking powder', rng)} [together/in a bowl]. -> dry ingredients"
        ]
    ]
    dish.parts.append(dry)
    dish.parts.append([
        [f"[Cream/Beat] {some('butter', rng, 'soft')} with {some('sugar', rng)} until [pale and fluffy/light], %3-5m. -> creamed butter"],
        [f"Beat {some('eggs', rng)} into <@creamed butter;mixture>, one at a time. -> egg mixture",
         *([f"~ Stir in {some('vanilla', rng)}."] if rng.random() < 0.5 else [])],
    ])  # fmt: skip
    dish.join.append(
        [
            "[Fold/Stir/Mix] <the dry ingredients> into <@egg mixture;butter mixture> [until just combined/gently]. -> batter"
        ]
    )
    dish.join.append(
        [rng.choice([f"Fold {some(extra, rng)} into <@batter>.", f"~ Fold in {some(extra, rng)}."])]
    )
    dish.join.append(
        [
            f"[Spoon/Scrape/Pour] <@batter;mixture> into <the [prepared/greased] {tin}|{tin}>. -> filled tin"
        ]
    )
    time = {"cake": "%35-45m", "loaf": "%50-60m", "muffins": "%20-25m"}[shape]
    dish.join.append(
        [
            f"Bake <@filled tin;{shape}> in <*the [preheated/hot] oven|oven> until [a skewer comes out clean/risen and golden], {time}. -> {shape} !"
        ]
    )
    dish.join.append(
        ["~ [Cool/Leave to cool/Let stand] in the tin for %5-10m, then turn out onto a rack."]
    )
    if rng.random() < 0.5:
        dish.parts.append(
            [
                [
                    f"[Whisk/Beat/Stir] {{icing sugar}} with {some('lemon juice', rng)} [until smooth/to a thick icing]. -> icing"
                ]
            ]
        )
        dish.join.append(
            [f"Once cold, [spread/drizzle] <the icing> over <@{shape}>. -> iced {shape}"]
        )
    return dish


def cookies(rng: Random) -> Dish:
    """A dough in spoonfuls on sheets."""
    extra = rng.choice(["chocolate chips", "walnuts", "raisins", "hazelnuts", "almonds"])
    dish = Dish(named(f"{one(extra)} biscuits"), "American", "biscuit")
    dish.parts.append(oven(rng, 170, 190))
    dish.parts.append([["Line [two/2] baking [sheets/trays] with paper. -> baking sheets"]])
    dish.parts.append(
        [
            [
                f"[Sift/Stir/Whisk] {some('flour', rng)} with {some('baking soda', rng)}. -> flour mixture"
            ]
        ]
    )
    wet: Block = [[f"[Cream/Beat] {some('butter', rng, 'soft')} and {some('brown sugar', rng)} [until fluffy/together]. -> butter mixture"],
                  ["Beat {[1 egg/2 eggs]|eggs} and {a little vanilla|vanilla} into <@butter mixture;mixture>. -> egg mixture"]]  # fmt: skip
    dish.parts.append(wet)
    dish.join.append(["[Stir/Mix/Work] <the flour mixture> into <@egg mixture;butter mixture> to make a dough. -> dough",
                      f"~ [Fold/Stir] in {some(extra, rng)}."])  # fmt: skip
    if rng.random() < 0.5:
        dish.join.append(["~ [Wrap and chill/Cover and chill/Chill] for %20-40m."])
    dish.join.append(["[Drop spoonfuls of/Shape/Roll] <@dough> [into balls on/and set on/onto] <the [lined/prepared] sheets|baking sheets>. -> filled sheets"
                      .replace("[Drop spoonfuls of/Shape/Roll] <@dough> [into balls on/and set on/onto]",
                               rng.choice(["Drop spoonfuls of <the dough> onto", "Roll <@dough> into balls and set them on"]))])  # fmt: skip
    dish.join.append(
        [
            "Bake <@filled sheets;biscuits> in <*the oven> until [golden/brown at the edges/just firm], %9-14m. -> biscuits !"
        ]
    )
    dish.join.append(["~ Cool on the sheets for %2-5m[/, then move to a rack]."])
    return dish


def bread(rng: Random) -> Dish:
    """A yeast dough, risen twice, baked."""
    extra = rng.choice(["walnuts", "olives", "raisins", "pine nuts", ""])
    shape = rng.choice(["loaf", "rolls", "flat round"])
    dish = Dish(named(f"{one(extra) if extra else 'white'} bread"), "European", "bread")
    dish.parts.append(
        [
            [
                "[Stir/Dissolve] {7g dried yeast|yeast} in {300ml warm water|water} and leave for %5-10m. -> yeast water"
            ]
        ]
    )
    dish.parts.append(
        [
            [
                f"[Mix/Stir] {some('bread flour', rng)} with {{[1/2] teaspoons of salt|salt}} in a [large/wide] bowl. -> flour mixture".replace(
                    "[1/2]", "2"
                )
            ]
        ]
    )
    dish.join.append(["[Pour/Stir] <the yeast water> into <@flour mixture;flour> and bring together. -> dough",
                      "~ Knead [until smooth/on a floured board] for %8-12m."])  # fmt: skip
    dish.join.append(
        [
            "[~ Cover and leave to rise/~ Put in an oiled bowl, cover and leave/Cover <@dough> and leave] in a warm place until doubled, %50-70m. -> risen dough"
        ]
    )
    if extra:
        dish.join.append([f"[Knead/Work] {some(extra, rng)} into <@risen dough;dough>."])
    dish.join.append([f"Shape <@risen dough;dough> into a [neat/smooth] {shape} on a lined tray. -> shaped dough".replace("a [neat/smooth] rolls", "8 rolls"),
                      "~ Cover and leave to rise again for %20-40m. -> proved dough"])  # fmt: skip
    dish.parts.append(oven(rng, 200, 230))
    if rng.random() < 0.5:
        dish.join.append(["~ [Brush with {milk}/Dust with {a little flour|flour for dusting}]."])
    dish.join.append(
        [
            "Bake <@proved dough;bread;dough> in <*the [hot/preheated] oven|oven> until it sounds hollow, %20-35m. -> bread !"
        ]
    )
    dish.join.append(["~ Cool on a rack[ before slicing/ for %20-30m/]."])
    return dish


def fruit_bake(rng: Random) -> Dish:
    """Fruit under a crumble, or in a pastry case."""
    fruit = rng.choice(_FRUIT)
    nuts = rng.choice(["almonds", "hazelnuts", "oats"])
    crumble = rng.random() < 0.5
    dish = Dish(named(f"{one(fruit)} {'crumble' if crumble else 'tart'}"), "British", "dessert")
    dish.parts.append(oven(rng, 180, 200))
    dish.parts.append([[f"[Slice/Cut up] {some(fruit, rng)} and toss with {some('caster sugar', rng)}[/ and {{a little cinnamon|cinnamon}}]. -> fruit filling"
                        .replace("{{", "{").replace("}}", "}")]])  # fmt: skip
    if crumble:
        dish.parts.append([[f"Rub {some('butter', rng, 'cold')} into {some('flour', rng)} until it looks like crumbs. -> crumbs",
                            f"~ Stir in {some('brown sugar', rng)} and {some(nuts, rng)}. -> crumble topping"]])  # fmt: skip
        dish.join.append(
            [
                "[Tip/Spread] <the fruit[ filling/]|fruit filling> into a [baking/shallow] dish. -> filled dish"
            ]
        )
        dish.join.append(
            [
                "[Scatter/Sprinkle] <the crumble topping> over <@filled dish;fruit>. -> unbaked crumble"
            ]
        )
        name = "crumble"
    else:
        dish.parts.append([
            [f"Rub {some('butter', rng, 'cold')} into {some('flour', rng)} and bring together with {{a little iced water|water}}. -> pastry"],
            ["~ Wrap and chill for %30-40m."],
            ["Roll out <@pastry> and line a tart tin with it. -> tart case"],
        ])  # fmt: skip
        dish.join.append(
            ["[Pile/Arrange/Spread] <the fruit filling> in <@tart case;case>. -> unbaked tart"]
        )
        name = "tart"
    dish.join.append(
        [
            f"Bake <@unbaked {name};{name}> in <*the oven> until [golden/brown and bubbling], %30-45m. -> {name} !"
        ]
    )
    if rng.random() < 0.6:
        dish.parts.append([[f"[Whip/Whisk] {some('cream', rng)} to soft peaks. -> whipped cream"]])
        dish.join.append(
            [f"Serve <@{name}> [warm/cold] with <the whipped cream>. -> served {name}"]
        )
    else:
        dish.join.append(["~ Cool for %10-20m before serving."])
    return dish


def frittata(rng: Random) -> Dish:
    """Eggs over a filling, or in a pastry-less bake, set in the oven or on the hob."""
    vegetable = rng.choice(
        ["spinach", "potatoes", "courgettes", "mushrooms", "leeks", "red peppers"]
    )
    cheese = rng.choice(["feta", "Cheddar", "goat's cheese", "Gruyère"])
    meat = rng.choice(["bacon", "chorizo", ""])
    dish = Dish(named(f"frittata with {vegetable} and {cheese}"), "Italian", "main")
    part: Block = []
    if meat:
        part.append(
            [
                f"[Fry/Cook] {some(meat, rng, 'diced')} in an ovenproof pan for %4-6m. -> fried {meat} !"
            ]
        )
        part.append(
            [
                f"Add {some(vegetable, rng, 'sliced')} to <@fried {meat};pan> and cook until soft, %6-12m. -> filling"
            ]
        )
    else:
        part.append(
            [
                f"[Cook/Fry] {some(vegetable, rng, 'sliced')} in {fat('butter', rng)} until soft, %6-12m. -> filling"
            ]
        )
    dish.parts.append(part)
    dish.parts.append(
        [
            [
                f"[Beat/Whisk] {some('eggs', rng)} with {{a splash of milk|milk}} and {some(cheese, rng, 'crumbled' if cheese in ('feta', "goat's cheese") else 'grated')}. -> egg mixture"
            ]
        ]
    )
    dish.join.append(
        [
            "[Pour/Tip] <the egg[ mixture/s]|egg mixture> over <@filling;pan>[ and stir once/]. -> frittata mixture"
        ]
    )
    if rng.random() < 0.5:
        dish.parts.append(oven(rng, 170, 190))
        dish.join.append(
            [
                "Bake <@frittata mixture;pan> in <*the oven> until [set/just firm], %12-18m. -> frittata !"
            ]
        )
    else:
        dish.join.append(
            [
                "Cover <@frittata mixture;pan> and cook over low heat until set, %10-15m. -> frittata !"
            ]
        )
    dish.join.append(["~ [Cool/Leave/Rest] for %3-5m[, then/ and] cut into wedges."])
    return dish


def meatballs(rng: Random) -> Dish:
    """Minced meat shaped, fried and finished in a sauce."""
    meat = rng.choice(["minced beef", "minced pork", "minced lamb", "minced turkey"])
    word = meat.split()[1]
    herb = rng.choice(["parsley", "mint", "coriander"])
    dish = Dish(named(f"{word} meatballs in tomato sauce"), "Italian", "main")
    dish.parts.append([
        [f"Soak {some('breadcrumbs', rng)} in {{a little milk|milk}} for %5-10m. -> soaked crumbs"],
        [f"[Mix/Combine] {some(meat, rng)} with <@soaked crumbs;crumbs>, {{1 egg|egg}} and {{chopped {herb}|{herb}}}. -> meat mixture"],
        ["[Shape/Roll] <@meat mixture;mixture> into [small/walnut-sized] balls. -> raw meatballs"],
        [f"[Brown/Fry] <@raw meatballs;meatballs;balls> in {fat('olive oil', rng)} for %6-10m. -> browned meatballs"],
    ])  # fmt: skip
    dish.parts.append([
        [f"[Soften/Cook] {some('onions', rng, 'chopped')} in {{another tablespoon of oil|oil}} for %6-10m. -> soft onions"],
        [f"Add {some('tomatoes', rng)} and {some('garlic', rng, 'crushed')} to <@soft onions;onions;pan> and simmer for %10-15m. -> tomato sauce"],
    ])  # fmt: skip
    dish.join.append(
        [
            "[Lower/Slide/Put] <the browned meatballs> into <@tomato sauce;sauce> and simmer until cooked through, %10-15m. -> meatballs in sauce !"
        ]
    )
    block, served = side(rng, rng.choice(["pasta", "rice", "mash", "polenta"]))
    dish.parts.append(block)
    dish.join.append(
        [f"Serve <@meatballs in sauce;meatballs> over <the {served}>. -> served meatballs"]
    )
    return dish


def mousse(rng: Random) -> Dish:
    """A chilled dessert with raw or cooked eggs."""
    fruit = rng.choice(["strawberries", "raspberries", "cherries"])
    chocolate = rng.random() < 0.5
    if chocolate:
        dish = Dish(named(f"chocolate mousse with {fruit}"), "French", "dessert")
        dish.parts.append(
            [
                [
                    f"Melt {some('dark chocolate', rng)} [over simmering water/in a bowl over hot water] and let cool for %5-10m. -> melted chocolate"
                ]
            ]
        )
        dish.parts.append([
            ["Separate {[3/4] eggs|eggs}. -> yolks (eggs) & whites (eggs)".replace("[3/4]", rng.choice("34"))],
            ["Whisk <the whites> [to soft peaks/until stiff], %3-5m. -> whisked whites"],
        ])  # fmt: skip
        dish.join.append(["[Stir/Beat] <the yolks> into <the melted chocolate>. -> chocolate base"])
        dish.join.append(
            ["[Fold/Gently fold] <the whisked whites> into <@chocolate base;chocolate>. -> mousse"]
        )
    else:
        dish = Dish(named(f"{one(fruit)} custard cups"), "British", "dessert")
        dish.parts.append([
            [f"[Beat/Whisk] {{[3/4] egg yolks|egg yolks}} with {some('caster sugar', rng)}. -> yolk mixture".replace("[3/4]", rng.choice("34"))],
            [f"Heat {some('milk', rng)} until it steams and whisk into <the yolks|yolk mixture>. -> thin custard"],
            ["~ Stir over low heat until thick, %8-12m. -> mousse !"],
        ])  # fmt: skip
    dish.parts.append(
        [
            [
                f"[Crush/Slice] {some(fruit, rng)} with {{a spoonful of sugar|sugar}}. -> crushed {fruit}"
            ]
        ]
    )
    word = "mousse" if chocolate else "custard"
    dish.join.append(
        [
            f"Spoon <the crushed {fruit}> into [glasses/cups] and [pour/spoon] <the {word}|mousse> on top. -> filled glasses"
        ]
    )
    dish.join.append(["~ [Chill/Refrigerate] for %2-4h [before serving/and serve cold]."])
    return dish


DISHES = (cake, cookies, bread, fruit_bake, frittata, meatballs, mousse)
