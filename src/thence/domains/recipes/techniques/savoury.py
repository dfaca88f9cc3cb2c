"""Soups, stews, roasts, meatballs, pasta, wok dishes and curries."""

from __future__ import annotations

from random import Random

from thence.domains.recipes.grammar import Block, Dish
from thence.domains.recipes.techniques._pantry import fat, named, one, rubs, some
from thence.domains.recipes.techniques.beside import garnish, oven, side, style

_STOCK = ("vegetable stock", "chicken stock")
_SOFT = ("potatoes", "pumpkin", "carrots", "parsnips", "sweet potatoes", "cauliflower", "beetroot")
_THIN = frozenset({"red wine", "white wine", "cider", "beer"})
_TOUGH = frozenset({"sage", "rosemary"})  # not nice to eat raw
_FINISHED = {"cream": "a little", "mustard": "a spoonful of", "yogurt": "a spoonful of",
             "lemon juice": "a squeeze of", "lime juice": "a squeeze of"}  # fmt: skip
_SCATTERED = {"Parmesan": "grated", "feta": "crumbled", "olives": "a few", "raisins": "a few",
              "almonds": "toasted"}  # fmt: skip
_QUICK = frozenset({"spinach", "peas", "courgettes", "green beans", "mushrooms"})
_CALLED = {"stewing beef": "beef", "lamb shoulder": "lamb", "pork shoulder": "pork"}


def soup(rng: Random) -> Dish:
    """Return vegetables softened, simmered in stock, often blended."""
    cuisine = style(rng)
    vegetable = rng.choice(_SOFT)
    base = rng.choice([x for x in cuisine.aromatics if x in ("onions", "leeks", "celery")])
    herb = rng.choice([x for x in cuisine.herbs if x not in _TOUGH])
    spice = rng.choice(cuisine.spices)
    title = f"{cuisine.name} {one(vegetable)} soup with {herb}"
    dish = Dish(named(title), cuisine.name, "soup")
    dish.aside(
        f"{'Trim' if vegetable == 'cauliflower' else 'Peel'} {some(vegetable, rng)} and cut into [small/even/2cm] pieces. -> chopped {vegetable}"
    )
    soften = f"[Heat/Warm] {fat(cuisine.fat, rng)} in a [large/heavy] pot and soften {some(base, rng, 'chopped')} in it for %6-10m. -> soft {base}"
    spiced = [[f"Stir {some(spice, rng)} into <@soft {base}={base}> and cook for %1-2m."]]
    dish.part([soften], *(spiced if rng.random() < 0.6 else []))
    dish.then(
        f"Add <the [chopped /]{vegetable}|chopped {vegetable}> to <@soft {base}={base};pot> and [stir/toss] well. -> soup base"
    )
    dish.then(f"Pour {some(rng.choice(_STOCK), rng)} over <the [vegetables/{vegetable}]|soup base> and bring to a boil. -> soup",
              f"[~ Simmer/~ Cover and simmer/~ Lower the heat and simmer] until everything is tender, {'%30-40m' if vegetable == 'beetroot' else '%15-25m'}. !")  # fmt: skip
    if rng.random() < 0.75:
        dish.then(
            "[~ Blend until smooth./~ Purée with a stick blender./Blend <@soup> until smooth.]"
        )
    finish = rng.choice(("cream", "coconut milk", "lemon juice", "soft cheese"))
    amount = {"coconut milk": "100ml coconut milk", "lemon juice": "a squeeze of lemon juice"}.get(
        finish, f"a little {finish}"
    )
    top = garnish(rng)
    green = f" and {{chopped {herb}|{herb}}}" if top else ""
    dish.then(
        rng.choice(
            [
                f"Stir {{{amount}|{finish}}}{green} into <@soup> and season.",
                f"~ Stir in {{{amount}|{finish}}}{green} and season to taste.",
            ]
        )
    )
    if top:
        dish.part(*top[0])
        dish.then(
            f"[Ladle/Spoon/Pour] <@soup> into bowls and [top/finish] with <the {top[1]}>. -> finished soup"
        )
    else:
        dish.then(f"~ [Scatter/Sprinkle] with {{chopped {herb}|{herb}}} and serve [hot/at once].")
    return dish


def stew(rng: Random) -> Dish:
    """Meat browned and cooked slowly in a sauce, with a side dish."""
    cuisine = style(rng)
    meat = rng.choice(cuisine.stew_meat)
    thing, word = _CALLED.get(meat, meat), _CALLED.get(meat, "chicken")
    base = rng.choice([x for x in cuisine.aromatics if x in ("onions", "leeks", "red peppers")])
    liquid, spice = rng.choice(cuisine.liquids), rng.choice(rubs(cuisine))
    name = rng.choice(cuisine.sides)
    vegetable = rng.choice([
        x for x in cuisine.vegetables if x != base and (x != "potatoes" or name not in ("potatoes", "mash"))
    ])  # fmt: skip
    dish = Dish(named(f"{cuisine.name} {word} stew with {vegetable}"), cuisine.name, "main")
    prepared, block = _meat(rng, meat, thing, spice)
    dish.part(
        *block,
        [
            f"[Brown/Sear] <@{prepared}={thing};meat> on all sides in a [heavy/wide/large] pot with {fat(cuisine.fat, rng)}, %6-10m. -> browned {thing}"
        ],
    )
    dish.then(
        f"Add {some(base, rng, 'sliced')} to <@browned {thing}={word};meat;pot> and cook until soft, %6-10m. -> stew"
    )
    leaf = rng.choice([("1 bay leaf", "bay leaf"), ("2 bay leaves", "bay leaves"), ("", "")])
    adding = f"{{{leaf[0]}|{leaf[1]}}}" if leaf[0] else "{a pinch of salt|salt}"
    water = " with enough water to cover" if liquid in _THIN else ""
    dish.then(
        f"{'Tip' if liquid == 'tomatoes' else 'Pour'} {some(liquid, rng)} over <the [{word}/meat]|stew>{water} and add {adding}. -> stew"
    )
    is_tender = f"until the {word} is tender"
    if rng.random() < 0.4:
        dish.then(*oven(rng, 150, 170))  # after the meat has marinated, which may take hours
        dish.then(
            f"Cover <the pot|stew> and [braise/cook] in <*the oven> {is_tender}, {'%40-55m' if word == 'chicken' else '%2-3h'}. !"
        )
    else:
        dish.then(
            f"~ [Cover and simmer/Put on the lid and simmer gently/Simmer over low heat] {is_tender}, {'%35-45m' if word == 'chicken' else '%2-3h'}. !"
        )
    dish.then(
        f"~ Stir in {some(vegetable, rng, '' if vegetable == 'peas' else 'chopped')} and cook for {'%4-6m' if vegetable in _QUICK else '%15-20m'} more."
    )
    if leaf[0]:
        dish.then(
            f"[Discard/Take out and discard/Remove] the {leaf[1]}<=stew>. -> stew - {leaf[1]}"
        )
    block, served = side(rng, name)
    herbs = [x for x in cuisine.herbs if x not in _TOUGH]
    finish = rng.choice([x for x in (*cuisine.finish, *herbs) if x != vegetable])
    verb = "finish" if finish in _FINISHED else "scatter"
    how = _FINISHED.get(finish) or _SCATTERED.get(finish, "chopped")
    dish.then(
        f"[Serve/Spoon] <@stew> over <the {served}> and {verb} with {{{how} {finish}|{finish}}}. -> served stew"
    )
    dish.late(*block)
    return dish


def _meat(rng: Random, meat: str, thing: str, spice: str) -> tuple[str, Block]:
    """Meat made ready for the pan, and its name."""
    cut = "diced" if meat.endswith("shoulder") else ""
    draw = rng.random()
    if draw < 0.4:
        return f"spiced {thing}", [[
            f"Rub {some(meat, rng, cut)} with {some(spice, rng)} and [leave/set aside] for %20-40m. -> spiced {thing}"]]  # fmt: skip
    if draw < 0.6:
        return f"marinated {thing}", [
            [f"Mix {{2 tablespoons of oil|oil}}, {{a squeeze of lemon|lemon}} and {some(spice, rng)}. -> marinade"],
            [f"[Turn/Coat] {some(meat, rng, cut)} in <@marinade>, cover and [chill/refrigerate] for %2-3h. -> marinated {thing}"],
        ]  # fmt: skip
    return f"floured {thing}", [[
        f"Pat {some(meat, rng, cut)} dry and dust with {{2 tablespoons of flour|flour}}. -> floured {thing}"]]  # fmt: skip


def pasta(rng: Random) -> Dish:
    """Pasta boiled while a sauce cooks, then tossed together."""
    shape = rng.choice(["spaghetti", "penne", "tagliatelle", "linguine"])
    meat = rng.choice(["minced beef", "pancetta", "chorizo", "", ""])
    vegetable = rng.choice(["mushrooms", "courgettes", "red peppers", "spinach", "aubergines"])
    word = {"minced beef": "beef"}.get(meat, meat)
    herb, cheese = rng.choice(["basil", "parsley", "oregano"]), rng.choice(["Parmesan", "pecorino"])
    title = f"{shape} with {word + ' and ' if word else ''}{vegetable}"
    dish = Dish(named(title), "Italian", "pasta")
    liquid, bubble = rng.choice(
        [("tomatoes", "%8-15m"), ("cream", "%3-5m"), ("white wine", "%4-6m")]
    )
    how = (
        "shredded" if vegetable == "spinach" else "diced" if vegetable == "aubergines" else "sliced"
    )
    minutes = "%2-4m" if vegetable == "spinach" else "%6-10m"
    if meat:
        start = [[f"[Fry/Brown] {some(meat, rng, '' if word == 'beef' else 'diced')} in {fat('olive oil', rng)} for %5-8m. -> fried {word} !"],
                 [f"Add {some('garlic', rng, 'chopped')} and {some(vegetable, rng, how)} to <the [{word}/pan]|fried {word}> and cook for {minutes}. -> sauce base"]]  # fmt: skip
    else:
        start = [[f"[Fry/Cook] {some(vegetable, rng, how)} in {fat('olive oil', rng)} until soft, {minutes}. -> sauce base",
                  f"~ Stir in {some('garlic', rng, 'chopped')} and cook for %1-2m."]]  # fmt: skip
    dish.part(
        *start,
        [
            f"Stir {some(liquid, rng)} into <the [{vegetable}/pan]|sauce base> and [simmer/let it bubble] for {bubble}. -> sauce"
        ],
    )
    keep, halve = rng.random() < 0.5, rng.random() < 0.4
    boil = ["Bring a large [pot/pan] of salted water to a boil. -> boiling water"]
    cook = [
        f"[Cook/Boil] {some(shape, rng)} in <@boiling water=water> until al dente, %8-11m. -> {shape} in its water !"
    ]
    if keep:
        drain = f"Save a cup of the cooking water and drain <the [pasta/{shape}]|{shape} in its water>. -> drained {shape} & cooking water()"
    else:
        drain = f"Drain <the [pasta/{shape}]|{shape} in its water> [well/in a colander]. -> drained {shape}"
    dish.part(boil, cook, [drain])
    with_cheese = f" and {{half of the {cheese}|{cheese}/}}" if halve else ""
    dish.then(
        f"[Toss/Mix] <the [drained {shape}/{shape}/pasta]|drained {shape}> with <the sauce>{with_cheese}. -> dressed {shape}"
    )
    if keep:
        dish.then(
            f"Loosen <the pasta|dressed {shape}> with <some of the cooking water|cooking water/>. -> dressed {shape}"
        )
    last = f"<the rest of the {cheese}|rest of the {cheese}>" if halve else some(cheese, rng)
    dish.then(
        f"[Top/Finish] <@dressed {shape}=pasta> with {last} and {{{herb}}} and serve. -> finished pasta"
    )
    return dish


def stir_fry(rng: Random) -> Dish:
    """Meat or tofu fried hot, vegetables after it, a sauce over both, rice beside."""
    meat = rng.choice(["chicken breasts", "pork fillet", "beef steak", "prawns", "tofu"])
    word = meat if meat in ("prawns", "tofu") else meat.split(maxsplit=1)[0]
    vegetable = rng.choice(["broccoli", "green beans", "red peppers", "mushrooms", "carrots"])
    dish = Dish(named(f"Stir-fried {word} with {vegetable}"), "Chinese", "main")
    cut = "Toss" if meat == "prawns" else "[Slice/Cut up/Dice]"
    toss = "" if meat == "prawns" else " and toss"
    wait = ["~ Leave for %10-20m."] if rng.random() < 0.4 else []
    done = f"until {'golden' if meat == 'tofu' else 'cooked through'}, {'%2-3m' if meat == 'prawns' else '%4-7m'}"
    dish.part(
        [f"{cut} {some(meat, rng)}{toss} with {{1 tablespoon of cornflour|cornflour}}. -> coated {word}", *wait],
        [f"Heat {fat('vegetable oil', rng)} in a wok and [stir-fry/fry] <the {word}|coated {word}> in it {done}. -> fried {word} !"],
        [f"[Move/Lift] <@fried {word}={word}> to a plate[, leaving the oil behind/]. -> fried {word} & hot oil(vegetable oil)"],
    )  # fmt: skip
    dish.aside(
        f"[Stir/Whisk] {some('soy sauce', rng)}, {some('rice vinegar', rng)} and {{1 teaspoon of sugar|sugar}} together [in a small bowl/in a cup]. -> sauce"
    )
    block, served = side(rng, "rice")
    dish.part(*block)
    dish.then(f"[Stir-fry/Fry] {some(vegetable, rng, 'chopped')} in <the oil left in the wok|hot oil> for %3-5m. -> fried {vegetable}",
              f"Add {some('garlic', rng, 'sliced')} and {some('ginger', rng, 'grated')} to <the [wok/{vegetable}]|fried {vegetable}> and cook for %1-2m.")  # fmt: skip
    dish.then(
        f"Return <the [fried /]{word}|fried {word}> to <the [wok/pan]|fried {vegetable}>, pour in <the sauce> and [toss/stir] for %1-2m. -> stir-fry"
    )
    if rng.random() < 0.5:
        dish.then(
            "~ Scatter with {[sliced spring onions/toasted sesame seeds/chopped coriander]|topping}."
        )
    dish.then(f"Serve <@stir-fry> with <the [cooked /]rice|{served}>. -> served stir-fry")
    return dish


def roast(rng: Random) -> Dish:
    """Meat or fish in a marinade, roasted on vegetables, rested, with a cold sauce."""
    cuisine = style(rng)
    meat, word, time = rng.choice([("chicken thighs", "chicken", "%35-45m"), ("salmon fillets", "salmon", "%12-18m"),
                                   ("sausages", "sausages", "%25-35m"), ("cod fillets", "cod", "%12-18m"),
                                   ("chicken breasts", "chicken", "%22-28m")])  # fmt: skip
    vegetable = rng.choice(
        ["potatoes", "carrots", "red peppers", "courgettes", "cauliflower", "parsnips"]
    )
    herb, spice = rng.choice(cuisine.herbs), rng.choice(rubs(cuisine, "cinnamon"))
    if word == "sausages":
        cuisine = style(rng, "British", "French", "Italian", "Spanish")
        herb = rng.choice(cuisine.herbs)
    dish = Dish(named(f"Roast {word} with {vegetable} and {herb}"), cuisine.name, "main")
    dish.part(oven(rng, 190, 220))
    tray = f"tray of {vegetable}"
    dish.aside(
        f"Cut {some(vegetable, rng)} into [chunks/wedges] and toss with {{1 tablespoon of oil|oil for roasting}} on a tray. -> {tray}"
    )
    laid = some(meat, rng)
    if word != "sausages":
        dish.part(
            [f"[Mix/Combine] {some('olive oil', rng)}, {some(spice, rng)} and {{chopped {herb}|{herb}}}. -> marinade"],
            [f"[Rub/Brush] <@marinade> over {some(meat, rng)} and leave for %15-30m. -> marinated {meat}"],
        )  # fmt: skip
        laid = f"<the [marinated /]{word}|marinated {meat}>"
    if vegetable in ("potatoes", "parsnips", "carrots", "cauliflower") and meat not in (
        "chicken thighs",
        "sausages",
    ):
        dish.then(
            f"[Roast/Bake] <the {vegetable}|{tray}> in <*the [hot/preheated] oven|oven> for %20-25m. -> half-roasted {vegetable}"
        )
        tray = f"half-roasted {vegetable}"
    dish.then(f"[Lay/Set/Arrange] {laid} on <the {vegetable}|{tray}>. -> loaded tray")
    dish.then(
        f"Put <the tray|loaded tray> in <*the oven> and roast until the {word} {'are' if word == 'sausages' else 'is'} cooked through, {time}. -> roast {word} !"
    )
    if rng.random() < 0.6 and word in ("chicken", "sausages"):
        dish.then("~ [Rest/Leave to rest/Let stand] for %5-10m.")
    if rng.random() < 0.7:
        cold = rng.choice(["yogurt", "sour cream"])
        dish.aside(
            f"Stir {{a squeeze of lemon juice|lemon juice}} and {{a pinch of salt|salt}} into {some(cold, rng)}. -> cold sauce"
        )
        end = f"sprinkle with {{chopped {herb}|{herb}}}" if word == "sausages" else "serve"
        dish.then(f"Spoon <[some/half] of the [cold /]sauce|cold sauce/> over <@roast {word}={word}> and {end}. -> served roast",
                  "Hand round <the rest of the sauce|cold sauce>[ at the table/ separately]<=served roast>. -> served roast")  # fmt: skip
    else:
        end = f"~ Sprinkle with {{chopped {herb}|{herb}}} and serve with {{[mustard/apple sauce]|relish}}."
        dish.then(end if word == "sausages" else "~ Serve with {lemon wedges|lemon}.")
    return dish


def lentil_curry(rng: Random) -> Dish:
    """Soaked pulses boiled, a spiced base fried, both joined, rice beside."""
    pulse = rng.choice(["dried chickpeas", "dried white beans", "red lentils", "brown lentils"])
    word = pulse.split()[-1]
    vegetable = rng.choice(["spinach", "cauliflower", "sweet potatoes", "pumpkin", "carrots"])
    spice = rng.choice(["cumin", "garam masala", "turmeric", "coriander seeds"])
    dish = Dish(named(f"{one(word)} curry with {vegetable}"), "Indian", "main")
    if pulse.startswith("dried"):
        dish.first([f"Soak {some(pulse, rng)} in [plenty of /]cold water for %8-12h. -> soaked {word}"],
                   [f"Drain <@soaked {word}={word}>, cover with fresh water and boil until tender, %1-2h. -> boiled {word} !"])  # fmt: skip
    else:
        dish.aside(
            f"Rinse {some(pulse, rng)} and boil in a litre of water until tender, %20-30m. -> boiled {word} !"
        )
    dish.part(
        [f"[Heat/Warm] {fat('ghee', rng)} in a [wide/deep] pan and fry {some('onions', rng, 'sliced')} until golden, %8-12m. -> golden onions"],
        [f"Stir {some('garlic', rng, 'crushed')}, {some('ginger', rng, 'grated')} and {some(spice, rng)} into <the [golden /]onions|golden onions> and cook for %1-2m. -> spice base"],
        [f"Add {some(rng.choice(['tomatoes', 'coconut milk']), rng)} to <the [onions/pan]|spice base> and simmer for %8-12m. -> curry sauce"],
    )  # fmt: skip
    dish.then(
        f"Drain <the [boiled /]{word}|boiled {word}> and stir them into <the [curry /]sauce|curry sauce>. -> curry"
    )
    dish.then(
        f"~ Add {some(vegetable, rng, 'chopped')} and [simmer/cook] until tender, {'%3-5m' if vegetable == 'spinach' else '%12-18m'}."
    )
    block, served = side(rng, "rice")
    dish.then(
        f"Spoon <@curry> over <the {served}> and top with {{[yogurt/coriander/mint]|topping}}. -> served curry"
    )
    dish.late(*block)
    return dish


def meatballs(rng: Random) -> Dish:
    """Minced meat shaped, fried and finished in a sauce."""
    meat = rng.choice(["minced beef", "minced pork", "minced lamb", "minced turkey"])
    herb, name = (
        rng.choice(["parsley", "mint", "coriander"]),
        rng.choice(["pasta", "rice", "mash", "polenta"]),
    )
    dish = Dish(named(f"{meat.split()[1]} meatballs with {herb} and {name}"), "Italian", "main")
    dish.part(
        [f"Soak {some('breadcrumbs', rng)} in {{a little milk|milk}} for %5-10m. -> soaked crumbs"],
        [f"[Mix/Combine] {some(meat, rng)} with <the [soaked /]crumbs|soaked crumbs>, {{1 egg|egg}} and {{chopped {herb}|{herb}}}. -> meat mixture"],
        ["[Shape/Roll] <the [meat /]mixture|meat mixture> into [small/walnut-sized] balls. -> raw meatballs"],
        [f"[Brown/Fry] <@raw meatballs=meatballs;balls> in {fat('olive oil', rng)} for %6-10m. -> browned meatballs"],
    )  # fmt: skip
    dish.part(
        [f"[Soften/Cook] {some('onions', rng, 'chopped')} in {{a tablespoon of oil|oil}} for %6-10m. -> soft onions"],
        [f"Add {some('tomatoes', rng)} and {some('garlic', rng, 'crushed')} to <the onions|soft onions> and simmer for %10-15m. -> tomato sauce"],
    )  # fmt: skip
    dish.then(
        "[Lower/Slide/Put] <the [browned /]meatballs|browned meatballs> into <the [tomato /]sauce|tomato sauce> and simmer until cooked through, %10-15m. -> meatballs in sauce !"
    )
    block, served = side(rng, name)
    dish.part(*block)
    dish.then(f"Serve <@meatballs in sauce=meatballs> over <the {served}>. -> served meatballs")
    return dish


DISHES = (soup, stew, pasta, stir_fry, roast, lentil_curry, meatballs)
