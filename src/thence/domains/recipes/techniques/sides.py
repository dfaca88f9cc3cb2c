"""What is served with a dish, each with a step that brings both to the table, and lines told anew.

Questions of the published dialect are about recipes as they were first written, so that these
lines stand beside the old ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from thence.domains.recipes.grammar import Dish
from thence.domains.recipes.techniques._pantry import some
from thence.domains.recipes.techniques.beside import make_bread, make_salad, make_tomato_salad

_GREENS = ("green beans", "broccoli", "peas")
_FRUIT = "(tomatoes|pineapple|mango)"
REWORDED = tuple(
    (re.compile(old), new)
    for old, new in (
        # the whites of the eggs would be left over
        (r"\{\[3/4\] egg yolks\|egg yolks\}", "{[2/3] eggs|eggs for the custard}"),
        (r"-> yolk mixture", "-> beaten eggs"),
        (r"<the \[yolks/yolk mixture\]\|yolk mixture>", "<the [beaten /]eggs|beaten eggs>"),
        # other onions may stand there
        (r"<@filled buns=onions;burgers>", "<@filled buns=burgers>"),
        # nobody has called it so by then
        (r"(until soft, %[^>]*)-> filling$", r"\1-> vegetables in the pan"),
        (r"\|filling>\[ and stir", "|vegetables in the pan>[ and stir"),
        (rf"\|{_FRUIT}(\}} and .*)-> chopped salsa$", r"|\1\2-> chopped \1"),
        (rf"<the {_FRUIT}\|chopped salsa>", r"<the \1|chopped \1>"),
        (r"~ Purée with a stick", "~ Purée it with a stick"),
        (r"\|second lasagne sheets\}", "|more lasagne sheets}"),
        # what is boiled in it changes the water
        (r"<\*(the \[boiling /\]water\|boiling water>.*)-> blanched (.+)$",
         r"<\1-> blanched \2(\2) & boiling water()"),
        # later steps call it "the blanched spinach"
        (r"^\[Blanch/Cook\]", "Blanch"),
        # other steps call it bowls, never soup
        (r"<the \[soup/bowls\]\|soup bowls>", "<the bowls|soup bowls>"),
        # the eggs could be meant to go into the big pot
        (r"(\{4 eggs\|eggs\}) for 8", r"\1 in a small pan of water for 8"),
        # nobody looks for noodles without egg to eat them with eggs
        (r"egg-free ramen noodles", "soba noodles"),
        # they are rolls, and sound so one by one
        (r"^Bake <the \[dough/bread\]\|(proved dough>.*)until it sounds (hollow, %16-22m\. -> )bread",
         r"Bake <the rolls|\1until they sound \2rolls"),
        # a whole head would not be done by then
        (r"g (cauliflower|broccoli)\|\1\} in salted water", r"g \1 florets|\1} in salted water"),
        # nobody eats the stones
        (r"^Simmer \{(.*?)cherries\|", r"Simmer {\1stoned cherries|"),
        # what is left to stand boils no longer
        (r"^Bring (\{100ml vinegar\|.*\}) to a boil, pour", r"Heat \1, pour"),
        # times
        (r"^(Rinse \{[^{}]*red lentils\|.*)%20-30m", r"\1%12-16m"),
        (r"until cooked through, %4-6m on each side", "until cooked through, %5-7m on each side"),
        (r"tender, %30-40m", "tender, %40-50m"),
        # a whole piece of cheese
        (r"\{half of the (Parmesan|pecorino)\|", r"{half of the grated \1|"),
        (r"(?<!Grate )\{(\d+g |the )(Parmesan|pecorino)\|", r"{\1grated \2|"),
        # words that do not go together
        (r"\[until smooth/to a thick icing\]", "[until smooth/to an icing]"),
        (r"^Cut (<the \[cold /\]cake\|cake>) in half to make", r"Slice \1 across to make"),
        (r"^\[Cook/Boil\] (.* in <the boiling water\|)", r"Cook \1"),
        (r"^\[Tip/Spread\] (<the \[cooked)", r"[Tip/Spoon] \1"),
        (r"^\[Tip/Spread\] (<the fruit.*) \[into/over the bottom of\]", r"Spread \1 over the bottom of"),
        (r"^\[Toast/Warm\] (\{four buns\|buns\}) and spread", r"[Halve/Split] \1, toast them and spread"),
        (r"\[, then serve/ and serve at once\]", ", then serve"),
        (r", drain and keep warm\. -> cooked", " and drain. -> cooked"),
        # what is raw or full of eggs is kept cold
        (r"^~ Leave for %10-20m", "~ Chill for %10-20m"),
        (r"^~ Cover and leave to cool\. -> custard", "~ Cover, let cool and chill. -> custard"),
    )
)  # fmt: skip
"""Expressions for words of a dish that a cook found wrong, and what they become."""
_LATE = re.compile(
    r"Whisk <the \[egg /\]whites|\[Whip/Whisk\] \{[^{}]*cream\|[^{}]*\} to soft peaks\. ->|"
    r"\[Fry/Cook\] <@patties>|\[Brown/Fry\] <@raw meatballs|Heat \{[^{}]*\} in a wok|"
    r"\[Move/Lift\] <@fried|Fry <the \[marinated /\]|Warm \{8 tortillas"
)
"""Steps whose things no cook lets wait for other parts: what is whipped falls, the hot gets cold."""
_OVEN, _CHILL = re.compile(r"\[Preheat/Heat\] the oven"), re.compile(r"hill\] for %")
_SIMMER = re.compile(r"\bsimmer until")
_PRODUCTS = re.compile(r"-> ([^!-]*)")


def tell_anew(dish: Dish) -> None:
    """Replace words of a dish that a cook found wrong, and let nothing wait that cannot."""
    dish.hurried = True
    _do_late(dish)
    _cook_sides_late(dish)
    _heat_late(dish)
    for block in (*dish.early, *dish.parts, dish.join):
        for step in block:
            step[:] = [_anew(line, dish.title) for line in step]


def _do_late(dish: Dish) -> None:
    """Move what cannot wait from its part to before the first step that needs it."""
    for part in dish.parts:
        late = [step for step in part if _LATE.match(step[0])]
        if late:
            part[:] = [step for step in part if step not in late]
            place = next(k for k, step in enumerate(dish.join) if _needs(step, late))
            dish.join[place:place] = late
    dish.parts = [part for part in dish.parts if part]


def _cook_sides_late(dish: Dish) -> None:
    """Let what is served with something that simmers be cooked while it does."""
    if len(dish.join) > 1 and _SIMMER.search(dish.join[-2][0]):
        late = [part for part in dish.parts if _needs(dish.join[-1], part[-1:])]
        dish.parts = [part for part in dish.parts if part not in late]
        dish.join[-1:-1] = [step for part in late for step in part]


def _heat_late(dish: Dish) -> None:
    """Let the oven be heated after the dough has been chilled."""
    chilled = next((k for k, step in enumerate(dish.join) if _CHILL.search(step[0])), None)
    heats = [part for part in dish.parts if _OVEN.match(part[0][0])]
    if chilled is not None and heats:
        dish.parts.remove(heats[0])
        dish.join[chilled + 1 : chilled + 1] = heats[0]


def _needs(step: Sequence[str], makers: Sequence[Sequence[str]]) -> bool:
    """Return whether a step works with what some others make."""
    made = [
        re.escape(product.partition("(")[0].strip())
        for maker in makers
        for found in _PRODUCTS.findall(maker[-1])
        for product in found.split("&")
    ]
    return any(re.search(rf"\b(?:{'|'.join(made)})[>=;/]", line) for line in step)


def _anew(line: str, title: str) -> str:
    for old, new in REWORDED:
        line = old.sub(new, line)
    return line.replace("[ before slicing/", "[/") if title.endswith("Rolls") else line


def green_salad(dish: Dish, rng: Random) -> None:
    """Add a green salad that is served with the dish."""
    leaves = make_salad(dish, rng)
    dish.late(
        [
            f"[Toss/Mix] <the {leaves}|washed {leaves}> with <the [salad /]dressing|salad dressing>. -> green salad"
        ]
    )
    dish.then(
        "~ [Bring/Carry] the meal to the table with <the [green /]salad|green salad>. -> meal"
    )


def garlic_bread(dish: Dish, rng: Random) -> None:
    """Add toasted bread that is served with the dish."""
    make_bread(dish, rng)
    dish.then("~ [Bring/Carry] the meal to the table with <the garlic bread>. -> meal with bread")


def tomato_salad(dish: Dish, rng: Random) -> None:
    """Add a tomato salad that is served with the dish."""
    make_tomato_salad(dish, rng)
    dish.then(
        "~ [Bring/Carry] the meal to the table with <the tomato salad>. -> meal with tomatoes"
    )


def boiled_greens(dish: Dish, rng: Random) -> None:
    """Add a boiled green vegetable that is served with the dish."""
    lines = [line for block in (*dish.parts, dish.join) for step in block for line in step]
    if any(green in line for line in lines for green in _GREENS):
        return
    green = rng.choice(_GREENS)
    dish.late(
        [f"[Boil/Cook] {some(green, rng)} in salted water for %4-6m and drain. -> boiled {green} !"]
    )
    dish.then(
        f"~ [Bring/Carry] the meal to the table with <the [boiled /]{green}|boiled {green}>. -> meal with greens"
    )


SIDES = (
    (("main",), boiled_greens),
    (("main", "pasta"), green_salad),
    (("pasta", "soup"), garlic_bread),
    (("main",), tomato_salad),
)
"""Side dishes and the courses that they suit."""
