"""Salads, fritters, burgers, risotto and gratins."""

from __future__ import annotations

from random import Random

from thence.domains.recipes.grammar import Dish
from thence.domains.recipes.techniques._pantry import fat, named, one, some
from thence.domains.recipes.techniques.beside import oven, side, white_sauce

_GRATED = {
    "courgettes": "[3/4]",
    "carrots": "[4/5]",
    "sweet potatoes": "[2/3]",
    "potatoes": "[500/600]g",
}
_ROUNDS = (("yogurt", "mint"), ("yogurt", "dill"), ("soft cheese", "chives"))


def grain_salad(rng: Random) -> Dish:
    """Return grains and chopped vegetables in a dressing, part of which is kept back."""
    grain = rng.choice(["couscous", "bulgur"])
    first, second = rng.sample(
        ["tomatoes", "cucumber", "radishes", "red peppers", "spring onions"], 2
    )
    herb, sour = (
        rng.choice(["parsley", "mint", "coriander"]),
        rng.choice(["lemon juice", "wine vinegar"]),
    )
    cheese = rng.choice(["feta", "goat's cheese", "halloumi"])
    dish = Dish(named(f"{grain} salad with {first} and {cheese}"), "Lebanese", "salad")
    block, served = side(rng, grain)
    dish.part(*block)
    amount = {"cucumber": "1 cucumber", "tomatoes": "4 tomatoes", "red peppers": "2 red peppers"}
    dish.aside(
        f"[Chop/Cut up] {{{amount.get(first, 'a bunch of ' + first)}|{first}}} and {{{amount.get(second, 'a bunch of ' + second)}|{second}}}. -> chopped vegetables"
    )
    sweet = " and {a little honey|honey}" if rng.random() < 0.5 else ""
    dish.aside(
        "[Whisk/Shake] {[3/4] tablespoons of olive oil|olive oil} with "
        + some(sour, rng)
        + sweet
        + " to make a dressing. -> dressing"
    )
    dish.then(
        f"[Toss/Mix] <the [{grain}/cooled {grain}]|{served}> with <the [chopped /]vegetables|chopped vegetables> and <[half/most] of the dressing|dressing/>. -> salad"
    )
    if cheese == "halloumi":
        dish.aside(
            f"Fry {some(cheese, rng, 'sliced')} in {fat('olive oil', rng)} until golden, %2-3m on each side. -> fried halloumi"
        )
        dish.then(
            "[Lay/Arrange] <the [fried /]halloumi|fried halloumi> on <@salad>. -> dressed salad"
        )
    else:
        dish.then(f"Crumble {some(cheese, rng)} over <@salad>. -> dressed salad")
    dish.then(
        f"Spoon <the [rest of the/remaining] dressing|dressing> over <@dressed salad=salad>, scatter with {{{herb}}} and serve. -> finished salad"
    )
    return dish


def fritters(rng: Random) -> Dish:
    """Grated vegetables in a batter, fried in spoonfuls, with a dip."""
    vegetable = rng.choice(sorted(_GRATED))
    cheese = rng.choice(["feta", "Cheddar", "Parmesan"])
    base, herb = rng.choice(_ROUNDS)
    dish = Dish(named(f"{one(vegetable)} fritters with {one(herb)} dip"), "Greek", "starter")
    grate = f"Grate {{{_GRATED[vegetable]} {vegetable}|{vegetable}}}"
    if vegetable == "courgettes":
        dish.part([f"{grate}, sprinkle with {{a pinch of salt|salt}} and leave in a sieve for %10-20m. -> grated {vegetable}"],
                  [f"[Squeeze <@grated {vegetable}={vegetable}> dry/Squeeze as much liquid as you can out of <@grated {vegetable}={vegetable}>]."])  # fmt: skip
    else:
        dish.aside(
            f"{grate} [coarsely/on the coarse side of the grater] and [squeeze dry/pat dry]. -> grated {vegetable}"
        )
    dish.aside(
        "[Whisk/Beat] {[2/3] eggs|eggs} with {100g flour|flour} and {a splash of milk|milk} [until smooth/to a thick batter]. -> batter"
    )
    dish.then(
        f"[Stir/Fold] <the grated {vegetable}> and {some(cheese, rng, 'crumbled' if cheese == 'feta' else 'grated')} into <@batter>. -> fritter mixture"
    )
    dish.then(
        f"Fry [spoonfuls of <@fritter mixture=mixture>/<@fritter mixture=mixture> in spoonfuls] in {fat('olive oil', rng)} until [golden/crisp], {'%2-4m' if vegetable == 'courgettes' else '%4-5m'} on each side. -> fritters !"
    )
    if rng.random() < 0.5:
        dish.then("~ Drain on kitchen paper.")
    dish.aside(
        f"Stir {{chopped {herb}|{herb}}} and {{a squeeze of lemon juice|lemon juice}} into {some(base, rng)}. -> dip"
    )
    dish.then("Serve <@fritters> [hot/at once/warm] with <the dip>. -> served fritters")
    return dish


def burgers(rng: Random) -> Dish:
    """Minced meat in buns with slow onions and a sauce that is used twice."""
    meat = rng.choice(["minced beef", "minced lamb", "minced turkey", "minced pork"])
    word, herb = meat.split()[1], rng.choice(["parsley", "thyme", "mint", "coriander"])
    base = rng.choice(["mayonnaise", "yogurt", "sour cream"])
    sharp = rng.choice(["mustard", "harissa", "horseradish", "chopped gherkins"])
    dish = Dish(named(f"{word} burgers with {herb} and onions"), "American", "main")
    chill = ["~ Chill for %20-30m."] if rng.random() < 0.5 else []
    dish.part(
        [f"[Mix/Combine] {some(meat, rng)} with {{1 [grated/finely chopped] shallot|shallot}}, {{chopped {herb}|{herb}}} and {{a pinch of salt|salt}}. -> burger mixture"],
        ["[Shape/Form] <@burger mixture=mixture;meat> into [four/4] patties. -> patties", *chill],
        [f"[Fry/Cook] <@patties> in {fat('sunflower oil', rng)} until cooked through, %4-6m on each side. -> burgers !"],
    )  # fmt: skip
    dish.aside(
        f"Cook {some('onions', rng, 'sliced')} in {fat('butter', rng)} over low heat until [soft and sweet/golden], %15-20m. -> golden onions"
    )
    dish.aside(
        f"Stir {{a spoonful of {sharp}|{sharp}}} into {{[4/5] tablespoons of {base}|{base}}} [to make a/for the] sauce. -> sauce"
    )
    dish.then(
        "[Toast/Warm] {four buns|buns} and spread them with <half of the sauce|sauce/>. -> spread buns"
    )
    dish.then(
        "[Lay/Put] <the burgers> in <@spread buns=buns> and [top with/pile on] <the [golden /]onions|golden onions>. -> filled buns"
    )
    dish.then(
        "[Spoon/Drizzle] <the rest of the sauce|sauce> over <@filled buns=onions;burgers> and serve. -> served burgers"
    )
    return dish


def risotto(rng: Random) -> Dish:
    """Rice stirred with hot stock; half of the butter at the start, half at the end."""
    vegetable, minutes = rng.choice([("mushrooms", "%6-8m"), ("courgettes", "%4-6m"), ("pumpkin", "%10-12m"),
                                     ("leeks", "%6-8m"), ("asparagus", "%3-5m")])  # fmt: skip
    base, cheese = (
        rng.choice(["onions", "shallots"]),
        rng.choice(["Parmesan", "pecorino", "mascarpone"]),
    )
    dish = Dish(named(f"risotto with {vegetable} and {cheese}"), "Italian", "main")
    dish.first(
        [
            "Bring {1 litre of [vegetable/chicken] stock|stock} to a simmer[ in a saucepan/] and keep it hot. -> hot stock"
        ]
    )
    dish.first(
        [
            f"Fry {some(vegetable, rng, 'diced' if vegetable == 'pumpkin' else 'sliced')} in {fat('olive oil', rng)} until tender, {minutes}, and set aside. -> fried {vegetable}"
        ]
    )
    dish.part(
        [f"Melt {{half of [50/60/80]g butter|butter/}} in a [heavy/wide] pan and soften {some(base, rng, 'chopped')} in it, %5-8m. -> soft {base}"],
        [f"Add {{300g risotto rice|rice}} to <@soft {base}={base};pan> and stir for %1-2m. -> toasted rice"],
        [f"Pour {some('white wine', rng)} over <@toasted rice=rice> and let it bubble away. -> risotto"],
    )  # fmt: skip
    dish.then(
        "Add <the [hot /]stock|hot stock> to <the rice|risotto> a ladle at a time, stirring, until the rice is tender, %16-20m. -> risotto !"
    )
    dish.then(
        f"Stir <the [fried /]{vegetable}|fried {vegetable}>, {some(cheese, rng)} and <the rest of the butter|rest of the butter> into <@risotto;rice>. -> risotto"
    )
    dish.then("~ [Rest/Leave/Let stand] for %2-3m[, then serve/ and serve at once].")
    return dish


def gratin(rng: Random) -> Dish:
    """Boiled vegetables under a cheese sauce, browned in the oven."""
    vegetable, minutes = rng.choice([("cauliflower", "%5-7m"), ("leeks", "%6-8m"), ("broccoli", "%3-4m"),
                                     ("potatoes", "%10-12m"), ("carrots", "%8-10m")])  # fmt: skip
    cheese, halve = rng.choice(["Gruyère", "Cheddar", "Parmesan"]), rng.random() < 0.5
    dish = Dish(named(f"{one(vegetable)} gratin with {cheese}"), "French", "side")
    dish.part(oven(rng, 180, 200))
    cut = "{[600/700/800]g " + ("" if vegetable in ("cauliflower", "broccoli") else "sliced ")
    boil = f"Boil {cut}{vegetable}|{vegetable}}} in salted water until just tender, {minutes}, and drain well. -> cooked {vegetable}"
    dish.part([boil])
    grated = f"{{half of the grated {cheese}|{cheese}/}}" if halve else some(cheese, rng, "grated")
    dish.part(
        *white_sauce(rng),
        [f"Take <@white sauce=sauce;pan> off the heat and stir in {grated}. -> cheese sauce"],
    )  # fmt: skip
    dish.then(
        f"[Tip/Spread] <the [cooked /]{vegetable}|cooked {vegetable}> into a buttered dish and pour over <the [cheese /]sauce|cheese sauce>. -> unbaked gratin"
    )
    if halve:
        dish.then(
            f"[Scatter/Sprinkle] <the [rest of the/remaining] {cheese}|rest of the {cheese}> over <@unbaked gratin=top;sauce>. -> topped gratin"
        )
    elif rng.random() < 0.5:
        dish.then(
            "~ [Scatter/Sprinkle] with {a handful of breadcrumbs|breadcrumbs}. -> topped gratin"
        )
    else:
        dish.then("~ [Grate over/Add] {a little nutmeg|nutmeg}. -> topped gratin")
    dish.then(
        "Bake <@topped gratin=gratin;dish> in <*the [hot/preheated] oven|oven> until [bubbling/brown and bubbling], %20-30m. -> gratin !"
    )
    if rng.random() < 0.5:
        dish.then("~ Let stand for %5-10m[ before serving/].")
    return dish


DISHES = (grain_salad, fritters, burgers, risotto, gratin)
