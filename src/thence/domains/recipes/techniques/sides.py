"""What is served with a dish, each with a step that brings both to the table, and lines told anew.

Questions of the published dialect are about recipes as they were first written, so that these
lines stand beside the old ones.
"""

from __future__ import annotations

import re
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
    )
)  # fmt: skip
"""Expressions for words of a dish that a cook found wrong, and what they become."""
_LATE = re.compile(r"Whisk <the \[egg /\]whites")  # which fall where they wait for other parts


def tell_anew(dish: Dish) -> None:
    """Replace words of a dish that a cook found wrong, and let nothing wait that cannot."""
    dish.hurried = True
    for part in dish.parts:
        for step in [each for each in part if _LATE.match(each[0])]:
            part.remove(step)
            dish.join.insert(0, step)
    for block in (*dish.early, *dish.parts, dish.join):
        for step in block:
            step[:] = [_anew(line, dish.title) for line in step]


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
    dish.then("~ [Bring/Carry] it to the table with <the [green /]salad|green salad>. -> meal")


def garlic_bread(dish: Dish, rng: Random) -> None:
    """Add toasted bread that is served with the dish."""
    make_bread(dish, rng)
    dish.then("~ [Bring/Carry] it to the table with <the garlic bread>. -> meal with bread")


def tomato_salad(dish: Dish, rng: Random) -> None:
    """Add a tomato salad that is served with the dish."""
    make_tomato_salad(dish, rng)
    dish.then("~ [Bring/Carry] it to the table with <the tomato salad>. -> meal with tomatoes")


def boiled_greens(dish: Dish, rng: Random) -> None:
    """Add a boiled green vegetable that is served with the dish."""
    lines = [line for block in (*dish.parts, dish.join) for step in block for line in step]
    if any(green in line for line in lines for green in _GREENS):
        return
    green = rng.choice(_GREENS)
    dish.aside(
        f"[Boil/Cook] {some(green, rng)} in salted water for %4-6m, drain and leave to cool. -> boiled {green} !"
    )
    dish.then(
        f"~ [Bring/Carry] it to the table with <the [boiled /]{green}|boiled {green}>, warmed up again. -> meal with greens"
    )


SIDES = (
    (("main",), boiled_greens),
    (("main", "pasta"), green_salad),
    (("pasta", "soup"), garlic_bread),
    (("main",), tomato_salad),
)
"""Side dishes and the courses that they suit."""
