"""Soups, stews, roasts, pasta, wok dishes and what is served beside them."""

from __future__ import annotations

from random import Random

from thence.domains.recipes.grammar import Block, Dish
from thence.domains.recipes.techniques._pantry import STYLES, Style, fat, named, one, some

_STOCK = ("vegetable stock", "chicken stock")
_SOFT = ("potatoes", "pumpkin", "carrots", "parsnips", "sweet potatoes", "cauliflower", "beetroot")


def _style(rng: Random, *names: str) -> Style:
    return rng.choice([each for each in STYLES if not names or each.name in names])


def oven(rng: Random, low: int, high: int) -> Block:
    """The oven is lit."""
    heat = rng.randrange(low, high + 1, 10)
    scale = f"{round((heat * 9 / 5 + 32) / 25) * 25}°F" if rng.random() < 0.25 else f"{heat}°C"
    return [[f"[Preheat/Heat] the oven to {scale}. -> oven"]]


def side(rng: Random, name: str) -> tuple[Block, str]:
    """Something to serve beside the dish, and its name."""
    if name in ("rice", "pasta", "gnocchi"):
        minutes = {"rice": "%12-15m", "pasta": "%9-12m", "gnocchi": "%2-4m"}[name]
        return [
            [f"Bring a [large/big/wide] pot of salted water to a boil. -> boiling water for the {name}"],
            [(f"[Cook/Boil] {some(name, rng)} in <the boiling water|boiling water for the {name}> "
             f"for {minutes}, then drain. -> cooked {name} !")],
        ], f"cooked {name}"  # fmt: skip
    if name in ("couscous", "bulgur"):
        return [
            [(f"Pour boiling water over {some(name, rng)}[ in a bowl/], cover and leave for %8-12m. "
             f"-> soaked {name}"), f"Fluff <@soaked {name};{name};grains> with a fork."],
        ], f"soaked {name}"  # fmt: skip
    if name == "polenta":
        return [
            [(f"Whisk {some('polenta', rng)} into a litre of simmering water and stir over low heat "
             f"for %20-30m. -> soft polenta !")],
        ], "soft polenta"  # fmt: skip
    if name == "mash":
        return [
            [(f"[Boil/Cook] {some('potatoes', rng, 'peeled')} in salted water until tender, %15-20m. "
             "-> boiled potatoes"), ("Drain <@boiled potatoes;potatoes> and mash with {a splash of milk|milk}. "
             "-> mash")],
        ], "mash"  # fmt: skip
    return [
        [
            f"Boil {some('potatoes', rng, 'small')} until tender, %15-20m, and drain. -> boiled potatoes"
        ]
    ], ("boiled potatoes")


def garnish(rng: Random) -> tuple[Block, str] | None:
    """A crisp topping made apart, or None."""
    kind = rng.randrange(4)
    if kind == 0:
        return [[(f"[Fry/Cook] {some('bacon', rng, 'diced')} in a dry pan until crisp, %5-8m. "
                 "-> crisp bacon !")]], "crisp bacon"  # fmt: skip
    if kind == 1:
        return [["Cut {3 slices of bread|bread} into cubes. -> bread cubes",
                 ("Fry <@bread cubes;cubes> in {1 tablespoon of olive oil|olive oil for frying} until "
                 "golden, %4-6m. -> croutons")]], "croutons"  # fmt: skip
    if kind == 2:
        nuts = rng.choice(["almonds", "pine nuts", "hazelnuts"])
        return [[(f"Toast {some(nuts, rng)} in a dry pan, shaking it often, for %3-5m. "
                 f"-> toasted {nuts}")]], f"toasted {nuts}"  # fmt: skip
    return None


def soup(rng: Random) -> Dish:
    """Vegetables softened, simmered in stock, often blended."""
    style = _style(rng)
    vegetable = rng.choice(_SOFT)
    base = rng.choice([x for x in style.aromatics if x in ("onions", "leeks", "celery")])
    herb, spice = rng.choice(style.herbs), rng.choice(style.spices)
    dish = Dish(named(f"{style.name} {one(vegetable)} soup with {herb}"),
                style.name, "soup")  # fmt: skip
    dish.parts.append([
        [f"[Peel/Trim] {some(vegetable, rng)} and cut into [small/even/2cm] pieces. -> chopped {vegetable}"],
    ])  # fmt: skip
    dish.parts.append([
        [(f"[Heat/Warm] {fat(style.fat, rng)} in a [large/heavy] pot and soften {some(base, rng, 'chopped')} "
         f"in it for %6-10m. -> soft {base}")],
        *([[f"Stir {some(spice, rng)} into <@soft {base};{base}> and cook for %1-2m."]]
          if rng.random() < 0.6 else []),
    ])  # fmt: skip
    dish.join.append(
        [
            f"Add <the chopped {vegetable}> to <@soft {base};{base};pot> and [stir/toss] well. -> soup base"
        ]
    )
    dish.join.append([f"Pour {some(rng.choice(_STOCK), rng)} over <@soup base;vegetables> and bring to a boil. -> soup",
                      "[~ Simmer/~ Cover and simmer/~ Lower the heat and simmer] until everything is tender, %15-25m. !"])  # fmt: skip
    if rng.random() < 0.75:
        dish.join.append(
            ["[~ Blend until smooth./~ Purée with a stick blender./Blend <@soup> until smooth.]"]
        )
    finish = rng.choice(("cream", "coconut milk", "lemon juice", "soft cheese"))
    amount = "100ml coconut milk" if finish == "coconut milk" else finish
    dish.join.append([rng.choice([f"Stir {{{amount}|{finish}}} into <@soup> and season.",
                                  f"~ Stir in {{{amount}|{finish}}} and season to taste."])])  # fmt: skip
    top = garnish(rng)
    if top:
        dish.parts.append(top[0])
        dish.join.append(
            [
                f"[Ladle/Spoon/Pour] <@soup> into bowls and [top/finish] with <the {top[1]}>. -> finished soup"
            ]
        )
    else:
        dish.join.append(
            [f"~ [Scatter/Sprinkle] with {{chopped {herb}|{herb}}} and serve [hot/at once]."]
        )
    return dish


def stew(rng: Random) -> Dish:
    """Meat browned and cooked slowly in a sauce, with a side dish."""
    style = _style(rng)
    meat = rng.choice(style.stew_meat)
    word = {"stewing beef": "beef", "lamb shoulder": "lamb", "pork shoulder": "pork"}.get(
        meat, "chicken"
    )
    base = rng.choice([x for x in style.aromatics if x in ("onions", "leeks", "red peppers")])
    liquid, spice = rng.choice(style.liquids), rng.choice(style.spices)
    vegetable = rng.choice([x for x in style.vegetables if x != base])
    name, goes = rng.choice(style.sides), rng.random()
    dish = Dish(named(f"{style.name} {word} stew with {vegetable}"), style.name, "main")
    prepared, block = _meat(rng, meat, word, spice)
    dish.parts.append([*block, [
        f"[Brown/Sear] <@{prepared};meat;{word}> in {fat(style.fat, rng)} on all sides, %6-10m. -> browned {word}",
    ]])  # fmt: skip
    dish.join.append(
        [
            f"Add {some(base, rng, 'sliced')} to <@browned {word};pot;meat> and cook until soft, %6-10m. -> stew"
        ]
    )
    leaf = rng.choice([("1 bay leaf", "bay leaf"), ("2 bay leaves", "bay leaves"), ("", "")])
    adding = f"{{{leaf[0]}|{leaf[1]}}}" if leaf[0] else "{a pinch of salt|salt}"
    dish.join.append([f"Pour {some(liquid, rng)} over <@stew;meat> and add {adding}. -> stew"])
    if goes < 0.4:
        dish.parts.append(oven(rng, 150, 170))
        dish.join.append(
            [
                f"~ Cover the pot and [braise/cook] in <*the oven> until the {word} is tender, %2-3h. !"
            ]
        )
    else:
        dish.join.append([(f"~ [Cover and simmer/Put on the lid and simmer gently/Simmer over low heat] until the {word} is tender, "
                          f"{'%35-45m' if word == 'chicken' else '%1-2h'}. !")])  # fmt: skip
    if vegetable != "potatoes" or name not in ("potatoes", "mash"):
        dish.join.append(
            [
                f"~ Stir in {some(vegetable, rng, 'chopped')} and cook for {'%4-6m' if vegetable in ('spinach', 'peas', 'courgettes', 'green beans') else '%15-20m'} more."
            ]
        )
    if leaf[0]:
        verb = rng.choice(["Discard", "Take out and discard", "Remove"])
        dish.join.append([f"{verb} the {leaf[1]}<=stew>. -> stew - {leaf[1]}"])
    block, served = side(rng, name)
    dish.parts.append(block)
    finish = rng.choice([*style.finish, *style.herbs])
    verb = "scatter" if finish in (*style.herbs, "almonds", "raisins", "olives") else "finish"
    dish.join.append(
        [f"[Serve/Spoon] <@stew> over <the {served}> and {verb} with {{{finish}}}. -> served stew"]
    )
    return dish


def _meat(rng: Random, meat: str, word: str, spice: str) -> tuple[str, Block]:
    draw = rng.random()
    if draw < 0.4:
        return f"spiced {word}", [[
            f"Rub {some(meat, rng)} with {some(spice, rng)} and [leave/set aside] for %20-40m. -> spiced {word}"]]  # fmt: skip
    if draw < 0.6:
        return f"marinated {word}", [
            [f"Mix {{2 tablespoons of oil|oil}}, {{a squeeze of lemon|lemon}} and {some(spice, rng)}. -> marinade"],
            [f"[Turn/Coat] {some(meat, rng)} in <@marinade>, cover and [chill/refrigerate] for %2-6h. -> marinated {word}"],
        ]  # fmt: skip
    return f"floured {word}", [[
        f"Pat {some(meat, rng)} dry and dust with {{2 tablespoons of flour|flour}}. -> floured {word}"]]  # fmt: skip


def pasta(rng: Random) -> Dish:
    """Pasta boiled while a sauce cooks, then tossed together."""
    shape = rng.choice(["spaghetti", "penne", "tagliatelle", "linguine"])
    meat = rng.choice(["minced beef", "pancetta", "chorizo", "", ""])
    vegetable = rng.choice(["mushrooms", "courgettes", "red peppers", "spinach", "aubergines"])
    word = {"minced beef": "beef"}.get(meat, meat)
    herb = rng.choice(["basil", "parsley", "oregano"])
    dish = Dish(
        named(f"{shape} with {word + ' and ' if word else ''}{vegetable}"), "Italian", "pasta"
    )
    sauce: Block = []
    if meat:
        sauce.append(
            [
                f"[Fry/Brown] {some(meat, rng)} in {fat('olive oil', rng)} for %5-8m. -> fried {word} !"
            ]
        )
        sauce.append([(f"Add {some('garlic', rng, 'chopped')} and {some(vegetable, rng, 'sliced')} to "
                      f"<@fried {word};pan;{word}> and cook for %5-8m. -> sauce base")])  # fmt: skip
    else:
        sauce.append([f"[Fry/Cook] {some(vegetable, rng, 'sliced')} in {fat('olive oil', rng)} until soft, %6-10m. -> sauce base",
                      f"~ Stir in {some('garlic', rng, 'chopped')} and cook for %1-2m."])  # fmt: skip
    liquid = rng.choice(["tomatoes", "cream", "white wine"])
    sauce.append(
        [
            f"Stir {some(liquid, rng)} into <@sauce base;{vegetable};pan> and [simmer/let it bubble] for %8-15m. -> sauce"
        ]
    )
    dish.parts.append(sauce)
    water: Block = [["Bring a large [pot/pan] of salted water to a boil. -> boiling water"],
                    [f"[Cook/Boil] {some(shape, rng)} in <@boiling water;water> until al dente, %8-11m. -> {shape} in its water !"]]  # fmt: skip
    keep = rng.random() < 0.5
    if keep:
        water.append(
            [
                f"Save a cup of the cooking water and drain <the [pasta/{shape}]|{shape} in its water>. -> drained {shape} & cooking water()"
            ]
        )
    else:
        water.append(
            [
                f"Drain <the [pasta/{shape}]|{shape} in its water> [well/in a colander]. -> drained {shape}"
            ]
        )
    dish.parts.append(water)
    dish.join.append([f"[Toss/Mix] <the drained {shape}> with <@sauce>. -> dressed {shape}"])
    if keep:
        dish.join.append(
            [
                f"Loosen <@dressed {shape};pasta> with <some of the cooking water|cooking water/>. -> dressed {shape}"
            ]
        )
    cheese = rng.choice(["Parmesan", "pecorino"])
    dish.join.append([f"~ [Top/Finish] with {some(cheese, rng)} and {{{herb}}} and serve."])
    return dish


def stir_fry(rng: Random) -> Dish:
    """Meat or tofu fried hot, vegetables after it, a sauce over both, rice beside."""
    meat = rng.choice(["chicken breasts", "pork fillet", "beef steak", "prawns", "tofu"])
    word = meat.split(maxsplit=1)[0] if meat not in ("prawns", "tofu") else meat
    vegetable = rng.choice(["broccoli", "green beans", "red peppers", "mushrooms", "carrots"])
    dish = Dish(named(f"Stir-fried {word} with {vegetable}"), "Chinese", "main")
    cut = "Toss" if meat == "prawns" else rng.choice(["Slice", "Cut up", "Dice"])
    first = f"Toss {some(meat, rng)}" if meat == "prawns" else f"{cut} {some(meat, rng)} and toss"
    dish.parts.append([
        [f"{first} with {{1 tablespoon of cornflour|cornflour}}. -> coated {word}",
         *(["~ Leave for %10-20m."] if rng.random() < 0.4 else [])],
        [(f"Heat {fat('vegetable oil', rng)} in a wok and [stir-fry/fry] <@coated {word};{word}> until "
         f"{'golden' if meat == 'tofu' else 'cooked through'}, {'%2-3m' if meat == 'prawns' else '%4-7m'}. -> fried {word} !"), *([f"Move <@fried {word};{word}> to a plate."]
         if rng.random() < 0.5 else [])],
    ])  # fmt: skip
    dish.parts.append([[(f"[Stir/Whisk] {some('soy sauce', rng)}, {some('rice vinegar', rng)} and "
                        f"{{1 teaspoon of sugar|sugar}} together [in a small bowl/in a cup]. -> sauce")]])  # fmt: skip
    block, served = side(rng, "rice")
    dish.parts.append(block)
    dish.join.append([f"[Stir-fry/Fry] {some(vegetable, rng, 'chopped')} in {{the oil left in the wok|oil in the wok}} for %3-5m. -> fried {vegetable}",
                      f"Add {some('garlic', rng, 'sliced')} and {some('ginger', rng, 'grated')} to <the [wok/{vegetable}]|fried {vegetable}> and cook for %1-2m."])  # fmt: skip
    dish.join.append(
        [
            f"Return <the fried {word}> to <the [wok/pan]|fried {vegetable}>, pour in <the sauce> and [toss/stir] for %1-2m. -> stir-fry"
        ]
    )
    if rng.random() < 0.5:
        dish.join.append(
            [
                "~ Scatter with {[sliced spring onions/toasted sesame seeds/chopped coriander]|topping}."
            ]
        )
    dish.join.append([f"Serve <@stir-fry> with <the {served}>. -> served stir-fry"])
    return dish


def roast(rng: Random) -> Dish:
    """Meat or fish in a marinade, roasted on vegetables, rested, with a cold sauce."""
    style = _style(rng)
    meat, word, time = rng.choice([("chicken thighs", "chicken", "%35-45m"), ("salmon fillets", "salmon", "%12-18m"),
                                   ("sausages", "sausages", "%25-35m"), ("cod fillets", "cod", "%12-18m"),
                                   ("chicken breasts", "chicken", "%22-28m")])  # fmt: skip
    vegetable = rng.choice(
        ["potatoes", "carrots", "red peppers", "courgettes", "cauliflower", "parsnips"]
    )
    herb, spice = rng.choice(style.herbs), rng.choice(style.spices)
    dish = Dish(named(f"Roast {word} with {vegetable} and {herb}"), style.name, "main")
    dish.parts.append(oven(rng, 190, 220))
    dish.parts.append(
        [
            [
                f"Cut {some(vegetable, rng)} into [chunks/wedges] and toss with {{1 tablespoon of oil|oil for roasting}} on a tray. -> tray of {vegetable}"
            ]
        ]
    )
    if word != "sausages":
        dish.parts.append([
            [f"[Mix/Combine] {some('olive oil', rng)}, {some(spice, rng)} and {{chopped {herb}|{herb}}}. -> marinade"],
            [f"[Rub/Brush] <@marinade> over {some(meat, rng)} and leave for %15-30m. -> marinated {word}"],
        ])  # fmt: skip
        meat_name = f"<the marinated {word}>"
    else:
        meat_name = some(meat, rng)
    if vegetable in ("potatoes", "parsnips", "carrots") and word in ("salmon", "cod"):
        dish.join.append(
            [
                f"[Roast/Bake] <the {vegetable}|tray of {vegetable}> in <*the [hot/preheated] oven|oven> for %20-25m. -> half-roasted {vegetable}"
            ]
        )
        base = f"half-roasted {vegetable}"
    else:
        base = f"tray of {vegetable}"
    dish.join.append([f"[Lay/Set/Arrange] {meat_name} on <the {vegetable}|{base}>. -> loaded tray"])
    dish.join.append(
        [
            f"Roast <@loaded tray;tray> in <*the oven> until the {word} {'are' if word == 'sausages' else 'is'} cooked through, {time}. -> roast {word} !"
        ]
    )
    if rng.random() < 0.6:
        dish.join.append(["~ [Rest/Leave to rest/Let stand] for %5-10m."])
    if rng.random() < 0.7:
        cold = rng.choice(["yogurt", "soft cheese"])
        dish.parts.append(
            [
                [
                    f"Stir {some('lemon juice', rng)} and {{a pinch of salt|salt}} into {some(cold, rng)}. -> cold sauce"
                ]
            ]
        )
        dish.join.append(
            [f"Serve <@roast {word};{word}> with <the [cold /]sauce|cold sauce>. -> served roast"]
        )
    else:
        dish.join.append(["~ Serve with {lemon wedges|lemon}."])
    return dish


def lentil_curry(rng: Random) -> Dish:
    """Soaked pulses boiled, a spiced base fried, both joined, rice beside."""
    pulse = rng.choice(["dried chickpeas", "dried white beans", "red lentils", "brown lentils"])
    word = pulse.split()[-1]
    vegetable = rng.choice(["spinach", "cauliflower", "sweet potatoes", "pumpkin", "carrots"])
    spice = rng.choice(["cumin", "garam masala", "turmeric", "coriander seeds"])
    dish = Dish(named(f"{one(word)} curry with {vegetable}"), "Indian", "main")
    if pulse.startswith("dried"):
        part: Block = [[f"Soak {some(pulse, rng)} in cold water for %8-12h. -> soaked {word}"],
                       [f"Drain <@soaked {word};{word}>, cover with fresh water and boil until tender, %1-2h. -> boiled {word} !"]]  # fmt: skip
    else:
        part = [
            [
                f"Rinse {some(pulse, rng)} and boil in a litre of water until tender, %20-30m. -> boiled {word} !"
            ]
        ]
    dish.parts.append(part)
    dish.parts.append([
        [f"[Heat/Warm] {fat('ghee', rng)} in a [wide/deep] pan and fry {some('onions', rng, 'sliced')} until golden, %8-12m. -> golden onions"],
        [f"Stir {some('garlic', rng, 'crushed')}, {some('ginger', rng, 'grated')} and {some(spice, rng)} into <@golden onions;onions> and cook for %1-2m. -> spice base"],
        [f"Add {some(rng.choice(['tomatoes', 'coconut milk']), rng)} to <@spice base;pan> and simmer for %8-12m. -> curry sauce"],
    ])  # fmt: skip
    dish.join.append(
        [f"Drain <the [boiled /]{word}|boiled {word}> and stir into <@curry sauce;sauce>. -> curry"]
    )
    dish.join.append(
        [f"~ Add {some(vegetable, rng, 'chopped')} and [simmer/cook] until tender, %8-15m."]
    )
    block, served = side(rng, "rice")
    dish.parts.append(block)
    dish.join.append(
        [
            f"Spoon <@curry> over <the {served}> and top with {{[yogurt/coriander/mint]|topping}}. -> served curry"
        ]
    )
    return dish


DISHES = (soup, stew, pasta, stir_fry, roast, lentil_curry)
