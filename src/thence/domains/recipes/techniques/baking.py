"""Cakes, biscuits, bread, pies, eggs in the oven, and desserts."""

from __future__ import annotations

from random import Random

from thence.domains.recipes.grammar import Dish
from thence.domains.recipes.techniques._pantry import fat, named, one, some, weighed
from thence.domains.recipes.techniques.beside import custard, oven

_FRUIT = ("apples", "pears", "plums", "cherries", "rhubarb", "peaches")
_TINS = {
    "cake": ("20cm cake tin", "%35-45m"),
    "loaf": ("loaf tin", "%50-60m"),
    "muffins": ("muffin tin", "%20-25m"),
}
_CRUSHED = {"strawberries": "[Crush/Slice]", "raspberries": "Crush", "cherries": "Stone and halve"}


def cake(rng: Random) -> Dish:
    """Butter and sugar creamed, eggs beaten in, dry things folded in, baked in a tin."""
    extra = rng.choice(
        ["blueberries", "raspberries", "walnuts", "chocolate chips", "raisins", "hazelnuts"]
    )
    shape = rng.choice(sorted(_TINS))
    tin, time = _TINS[shape]
    short, eggs = tin.removeprefix("20cm "), rng.randint(2, 4)
    grams = {2: 125, 3: 175, 4: 225}[eggs]  # a cake wants as much of butter, sugar and flour
    dish = Dish(named(f"{one(extra)} {shape}"), "British", "cake")
    dish.part(oven(rng, 170, 190))
    dish.aside(f"[Grease/Butter] a {tin}[/ and line it with baking paper]. -> {short}")
    spoons = f"{{{eggs - 1} teaspoon{'s' if eggs > 2 else ''} of baking powder|baking powder}}"
    dish.aside(
        f"[Sift/Stir/Whisk] {weighed('flour', grams, rng)} and {spoons} together. -> dry ingredients"
    )
    vanilla = [f"~ Stir in {some('vanilla', rng)}."] if rng.random() < 0.5 else []
    dish.part(
        [f"[Cream/Beat] {weighed('butter', grams, rng, 'soft')} with {weighed('sugar', grams - 25, rng)} until [pale and fluffy/light], %3-5m. -> creamed butter"],
        [f"Beat {{{eggs} eggs|eggs}} into <@creamed butter;mixture>, one at a time. -> egg mixture", *vanilla],
    )  # fmt: skip
    dish.then(
        "[Fold/Stir/Mix] <the dry ingredients> into <@egg mixture;butter mixture> [until just combined/gently]. -> batter"
    )
    dish.then(
        rng.choice([f"Fold {some(extra, rng)} into <@batter>.", f"~ Fold in {some(extra, rng)}."])
    )
    dish.then(
        f"[Spoon/Scrape/Pour] <@batter;mixture> into <the [prepared/greased] {short}|{short}>. -> filled tin"
    )
    dish.then(
        f"Bake <@filled tin={shape}> in <*the [preheated/hot] oven|oven> until [a skewer comes out clean/risen and golden], {time}. -> {shape} !"
    )
    dish.then("~ [Cool/Leave to cool/Let stand] in the tin for %5-10m, then turn out onto a rack.")
    if rng.random() < 0.5:
        icing = "{[100/150]g icing sugar|icing sugar} with {[1/2] teaspoons of lemon juice|lemon juice}".replace(
            "[1/2]", "[2/3]"
        )
        dish.aside(f"[Whisk/Beat/Stir] {icing} [until smooth/to a thick icing]. -> icing")
        dish.then(f"Once cold, [spread/drizzle] <the icing> over <@{shape}>. -> iced {shape}")
    return dish


def cookies(rng: Random) -> Dish:
    """Return a dough in spoonfuls on sheets."""
    extra = rng.choice(["chocolate chips", "walnuts", "raisins", "hazelnuts", "almonds"])
    eggs, butter, sugar, flour = rng.choice(
        [("1 egg", 115, 100, 175), ("1 egg", 150, 150, 225), ("2 eggs", 225, 200, 300)]
    )
    sheet = rng.choice(["sheet", "tray"])
    dish = Dish(named(f"{one(extra)} biscuits"), "American", "biscuit")
    dish.part(oven(rng, 170, 190))
    dish.aside(f"Line [two/2] baking {sheet}s with paper. -> baking sheets")
    dish.aside(
        f"[Sift/Stir/Whisk] {weighed('flour', flour, rng)} with {some('baking soda', rng)}. -> flour mixture"
    )
    dish.part(
        [f"[Cream/Beat] {weighed('butter', butter, rng, 'soft')} and {weighed('brown sugar', sugar, rng)} [until fluffy/together]. -> butter mixture"],
        [f"Beat {{{eggs}|eggs}} and {{a little vanilla|vanilla}} into <@butter mixture;mixture>. -> egg mixture"],
    )  # fmt: skip
    dish.then("[Stir/Mix/Work] <the flour mixture> into <@egg mixture;butter mixture> to make a dough. -> dough",
              f"~ [Fold/Stir] in {some(extra, rng)}.")  # fmt: skip
    if rng.random() < 0.5:
        dish.then("~ [Wrap and chill/Cover and chill/Chill] for %20-40m.")
    if rng.random() < 0.5:
        dish.then(
            f"[Drop spoonfuls of <@dough> onto/Spoon <@dough> in small heaps onto] <the [lined/prepared] {sheet}s|baking sheets>. -> filled sheets"
        )
    else:
        dish.then(
            f"Roll <@dough> into balls and set them on <the [lined/prepared] {sheet}s|baking sheets>. -> filled sheets"
        )
    dish.then(
        "Bake <@filled sheets=biscuits> in <*the oven> until [golden/brown at the edges/just firm], %9-14m. -> biscuits !"
    )
    dish.then(f"~ Cool on the {sheet}s for %2-5m[/, then move to a rack].")
    return dish


def bread(rng: Random) -> Dish:
    """Return a yeast dough, risen twice, baked."""
    extra = rng.choice(["walnuts", "olives", "raisins", "pine nuts", ""])
    shape = rng.choice(["a [neat/smooth] loaf", "8 [even /]rolls", "a flat round"])
    flour = rng.choice(["white", "wholemeal", "rye and wheat"]) if not extra else one(extra)
    dish = Dish(named(f"{flour} {'rolls' if 'rolls' in shape else 'bread'}"), "European", "bread")
    dish.aside(
        "[Stir/Dissolve] {7g dried yeast|yeast} in {[300/320/350]ml warm water|water} and leave for %5-10m. -> yeast water"
    )
    dish.aside(
        f"[Mix/Stir] {{[450/500/550]g {flour if not extra else 'bread'} flour|flour}} with {{2 teaspoons of salt|salt}} in a [large/wide] bowl. -> flour mixture"
    )
    dish.then("[Pour/Stir] <the yeast water> into <@flour mixture=flour;bowl> and bring together. -> dough",
              "~ Knead [until smooth/on a floured board] for %8-12m.")  # fmt: skip
    dish.then(
        "[~ Cover and leave to rise/~ Put the dough in an oiled bowl, cover and leave/Cover <@dough> and leave] in a warm place until doubled, %50-70m. -> risen dough"
    )
    if extra:
        dish.then(f"[Knead/Work] {some(extra, rng)} into <@risen dough;dough>.")
    dish.then(f"Shape <@risen dough=dough;risen dough> into {shape} on a lined tray. -> shaped dough",
              "~ Cover and leave to rise again for %20-40m. -> proved dough")  # fmt: skip
    if rng.random() < 0.5:
        dish.then("~ [Brush with {milk}/Dust with {a little flour|flour for dusting}].")
    dish.then(*oven(rng, 200, 230))  # not before the dough has risen
    dish.then(
        f"Bake <the [dough/bread]|proved dough> in <*the [hot/preheated] oven|oven> until it sounds hollow, {'%16-22m' if 'rolls' in shape else '%25-35m'}. -> bread !"
    )
    dish.then("~ Cool on a rack[ before slicing/ for %20-30m/].")
    return dish


def fruit_bake(rng: Random) -> Dish:
    """Fruit under a crumble or in a pastry case."""
    fruit = rng.choice(_FRUIT)
    nuts = rng.choice(["almonds", "hazelnuts", "oats"])
    name = rng.choice(["crumble", "tart"])
    flour = rng.choice([150, 200, 250])
    dish = Dish(named(f"{one(fruit)} {name}"), "British", "dessert")
    dish.part(oven(rng, 180, 200))
    spice = rng.choice(["", " and {a little cinnamon|cinnamon}", " and {a squeeze of lemon|lemon}"])
    dish.aside(
        f"{'Stone' if fruit == 'cherries' else '[Slice/Cut up]'} {some(fruit, rng)} and toss with {{[2/3/4] tablespoons of sugar|caster sugar}}{spice}. -> fruit filling"
    )
    rub = f"Rub {weighed('butter', flour // 2, rng, 'cold')} into {weighed('flour', flour, rng)}"
    if name == "crumble":
        dish.part([f"{rub} until it looks like [crumbs/breadcrumbs]. -> crumbs",
                   f"~ Stir in {weighed('brown sugar', 100, rng)} and {some(nuts, rng)}. -> crumble topping"])  # fmt: skip
        dish.then(
            "[Tip/Spread] <the fruit[ filling/]|fruit filling> [into/over the bottom of] a [baking/shallow] dish. -> filled dish"
        )
        dish.then(
            "[Scatter/Sprinkle] <the [crumble /]topping|crumble topping> over <@filled dish=fruit>. -> unbaked crumble"
        )
    else:
        dish.part(
            [f"{rub} and bring together with {{a little iced water|water}}. -> pastry"],
            ["~ Wrap and chill for %30-40m."],
            ["Roll out <the pastry> and line a tart tin with it. -> tart case"],
        )  # fmt: skip
        dish.then(
            "[Pile/Arrange/Spread] <the fruit[ filling/]|fruit filling> in <@tart case=pastry case;case>. -> unbaked tart"
        )
    dish.then(
        f"Bake <@unbaked {name}={name}> in <*the oven> until [golden/brown and bubbling], %30-45m. -> {name} !"
    )
    if rng.random() < 0.6:
        dish.aside(f"[Whip/Whisk] {some('cream', rng)} to soft peaks. -> whipped cream")
        dish.then(
            f"[Serve <@{name}> warm/Let <@{name}> cool and serve it] with <the whipped cream>. -> served {name}"
        )
    else:
        dish.then("~ Cool for %10-20m before serving.")
    return dish


def frittata(rng: Random) -> Dish:
    """Return eggs over a filling, cooked in the oven or on the hob."""
    vegetable = rng.choice(
        ["spinach", "potatoes", "courgettes", "mushrooms", "leeks", "red peppers"]
    )
    cheese = rng.choice(["feta", "Cheddar", "goat's cheese", "Gruyère"])
    meat = rng.choice(["bacon", "chorizo", ""])
    dish = Dish(named(f"frittata with {vegetable} and {cheese}"), "Italian", "main")
    cut, minutes = {"spinach": ("shredded", "%3-5m"), "potatoes": ("thinly sliced", "%15-20m")}.get(
        vegetable, ("sliced", "%6-12m")
    )
    if meat:
        dish.part(
            [f"[Fry/Cook] {some(meat, rng, 'diced')} in an ovenproof pan for %4-6m. -> fried {meat} !"],
            [f"Add {some(vegetable, rng, cut)} to <the [{meat}/pan]|fried {meat}> and cook until soft, {minutes}. -> filling"],
        )  # fmt: skip
    else:
        dish.aside(
            f"[Cook/Fry] {some(vegetable, rng, cut)} in {fat('butter', rng)} in an ovenproof pan until soft, {minutes}. -> filling"
        )
    how = "crumbled" if cheese in ("feta", "goat's cheese") else "grated"
    dish.aside(
        f"[Beat/Whisk] {{[5/6/7/8] eggs|eggs}} with {{a splash of milk|milk}} and {some(cheese, rng, how)}. -> egg mixture"
    )
    dish.then(
        f"[Pour/Tip] <the egg[ mixture/s]|egg mixture> over <the {vegetable}|filling>[ and stir once/]. -> frittata mixture"
    )
    if rng.random() < 0.5:
        dish.part(oven(rng, 170, 190))
        dish.then(
            "Bake <the [frittata/eggs]|frittata mixture> in <*the oven> until [set/just firm], %12-18m. -> frittata !"
        )
    else:
        dish.then(
            "Cover <the pan|frittata mixture> and cook over low heat until set, %10-15m. -> frittata !"
        )
    dish.then("~ [Cool/Leave/Rest] for %3-5m[, then/ and] cut into wedges.")
    return dish


def mousse(rng: Random) -> Dish:
    """Return a chilled dessert in glasses: chocolate with raw eggs, or a cooked custard."""
    fruit = rng.choice(sorted(_CRUSHED))
    if rng.random() < 0.5:
        dish = Dish(named(f"chocolate mousse with {fruit}"), "French", "dessert")
        dish.aside(
            f"Melt {some('dark chocolate', rng)} [over simmering water/in a bowl over hot water] and let cool for %5-10m. -> melted chocolate"
        )
        dish.part(["Separate {[3/4] eggs|eggs}. -> yolks (eggs) & whites (eggs)"],
                  ["Whisk <the [egg /]whites|whites> [to soft peaks/until stiff], %3-5m. -> whisked whites"])  # fmt: skip
        dish.then(
            "[Stir/Beat] <the [egg /]yolks|yolks> into <the melted chocolate>. -> chocolate base"
        )
        dish.then(
            "[Fold/Gently fold] <the whisked whites> into <@chocolate base=chocolate>. -> mousse"
        )
        word = "mousse"
    else:
        dish = Dish(named(f"{one(fruit)} custard cups"), "British", "dessert")
        dish.part(*custard(rng))
        word = "custard"
    dish.aside(
        f"{_CRUSHED[fruit]} {some(fruit, rng)} and stir in {{a spoonful of sugar|sugar}}. -> sweet {fruit}"
    )
    portion = f"<half of the {fruit}|sweet {fruit}/>"
    shared = rng.choice([f"Spoon {portion} into", f"Divide {portion} between"])
    dish.then(f"{shared} four glasses. -> glasses (sugar, {fruit})")
    dish.then(
        f"[Pour/Spoon] <the {word}> over <the [{fruit}/fruit]|glasses> and [chill/refrigerate] for %2-3h. -> filled glasses"
    )
    dish.then(
        f"Top <the [glasses/{word}]|filled glasses> with <the rest of the [fruit/{fruit}]|sweet {fruit}>[ and serve cold/ just before serving]. -> served glasses"
    )
    return dish


def cheesecake(rng: Random) -> Dish:
    """Return a crumb base, a filling that sets in the fridge, fruit on top."""
    fruit = rng.choice(["blueberries", "raspberries", "cherries", "strawberries"])
    crumbs = rng.choice(["digestive biscuits", "ginger biscuits", "oat biscuits"])
    dish = Dish(named(f"{one(fruit)} cheesecake"), "American", "dessert")
    dish.part(
        [f"Crush {{[200/250]g {crumbs}|{crumbs}}} and stir in {{[90/100]g melted butter|butter}}. -> crumbs"],
        ["[Press/Pat] <@crumbs> into a [springform/20cm] tin and chill for %20-30m. -> base"],
    )  # fmt: skip
    dish.part(
        [f"Beat {{[400/500]g soft cheese|soft cheese}} with {{[75/100]g icing sugar|icing sugar}} and {some('vanilla', rng)}. -> cheese mixture"],
        ["[Whip/Whisk] {[200/250]ml cream|cream} to soft peaks and fold it into <the cheese[ mixture/]|cheese mixture>. -> filling"],
    )  # fmt: skip
    dish.aside(
        f"Simmer {some(fruit, rng)} with {{[2/3] tablespoons of sugar|sugar}} until [soft/the juices run], %4-6m, and let the compote cool. -> compote"
    )
    dish.then(
        "[Spread/Spoon] <the [cheese /]filling|filling> over <the [chilled /biscuit /]base|base> and [smooth/level] the top. -> cheesecake"
    )
    dish.then("~ [Cover and chill/Chill] until firm, %4-8h.")
    dish.then("Spoon <half of the compote|compote/> over <the cheesecake>. -> topped cheesecake")
    dish.then(
        "Cut <@topped cheesecake=cheesecake> into slices and serve these with <the rest[ of the compote/]|compote>. -> served cheesecake"
    )
    return dish


DISHES = (cake, cookies, bread, fruit_bake, frittata, mousse, cheesecake)
