"""What is served with a dish, each with a step that brings both to the table, and lines told anew.

Questions of the published dialect are about recipes as they were first written, so that these
lines stand beside the old ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

from thence.domains.recipes.grammar import Dish, plural
from thence.domains.recipes.techniques._pantry import some
from thence.domains.recipes.techniques.beside import make_bread, make_salad, make_tomato_salad

_GREENS = ("green beans", "broccoli", "peas")
_FRUIT = "(tomatoes|pineapple|mango)"
REWORDED = tuple(
    (re.compile(old), new)
    for old, new in (
        # the whites of the eggs would be left over
        (r"\{\[3/4\] egg yolks\|egg yolks\}", "{[2/3] eggs|eggs for the custard}"),
        # whole eggs alone do not thicken so much milk
        (r"( with) (\{[^{}]*\|caster sugar\})(\. -> yolk mixture)",
         r"\1 {2 tablespoons of cornflour|cornflour} and \2\3"),
        (r"-> yolk mixture", "-> beaten eggs"),
        (r"<the \[yolks/yolk mixture\]\|yolk mixture>", "<the [beaten /]eggs|beaten eggs>"),
        # other onions may stand there
        (r"<@filled buns=onions;burgers>", "<@filled buns=burgers>"),
        # nobody has called it so by then
        (r"(until soft, %[^>]*)-> filling$", r"\1-> vegetables in the pan"),
        (r"\|filling>\[ and stir", "|vegetables in the pan>[ and stir"),
        (rf"\|{_FRUIT}(\}} and .*)-> chopped salsa$", r"|\1\2-> chopped \1"),
        (rf"<the {_FRUIT}\|chopped salsa>", r"<the \1|chopped \1>"),
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
        # pepper alone is no seasoning, and a spoonful of oil fries no dinner
        (r"^(Rub .* with )(\{[^{}]*black pepper[^{}]*\}) and", r"\1{1 teaspoon of salt|salt} and \2 and"),
        (r"^Heat \{[^{}]*\|vegetable oil\} in a wok", "Heat {3 tablespoons of vegetable oil|vegetable oil} in a wok"),
        # times
        (r"^(Rinse \{[^{}]*red lentils\|.*)%20-30m", r"\1%12-16m"),
        (r"until cooked through, %4-6m on each side", "until cooked through, %5-7m on each side"),
        (r"tender, %30-40m", "tender, %40-50m"),
        # a whole piece of cheese
        (r"\{half of the (Parmesan|pecorino)\|", r"{half of the grated \1|"),
        (r"(?<!Grate )\{(\d+g |the )(Parmesan|pecorino)\|", r"{\1grated \2|"),
        # words that do not go together
        (r"\[until smooth/to a thick icing\]", "[until smooth/to an icing]"),
        (r"^Cut (<the \[cold /\]cake\|cake>) in half to make", r"Slice \1 horizontally to make"),
        (r"\{(\d+(?: to \d+)?) (cloves|sticks?) of (sliced|crushed|chopped) (garlic|celery)\|",
         r"{\1 \3 \2 of \4|"),
        (r"^\[Press/Pat\] <@crumbs> into", "Press <the crumbs> into"),
        (r"serve these with <the rest\[ of the compote/\]", "serve these with <the rest of the compote"),
        (r"^\[Cook/Boil\] (.* in <the boiling water\|)", r"Cook \1"),
        (r"^\[Tip/Spread\] (<the \[cooked)", r"[Tip/Spoon] \1"),
        (r"^\[Tip/Spread\] (<the fruit.*) \[into/over the bottom of\]", r"Spread \1 over the bottom of"),
        (r"^\[Toast/Warm\] (\{four buns\|buns\}) and spread", r"[Halve/Split] \1, toast them and spread"),
        (r"\[, then serve/ and serve at once\]", ", then serve"),
        (r", drain and keep warm\. -> cooked", " and drain. -> cooked"),
        # what is raw or full of eggs is kept cold
        (r"^~ Leave for %10-20m", "~ Chill for %10-20m"),
        (r"^~ Leave to cool on a rack", "~ Let it cool on a rack"),
        # it is no longer thin then
        (r"(whisk it into <the .*>)\. -> thin custard", r"\1 to make a thin custard. -> thin custard"),
        # meat that braises for hours wants something to braise in
        (r"^(Tip \{[^{}]*tomatoes\|tomatoes\} over <the [^>]*>)( and add)",
         r"\1 with enough water to cover\2"),
        # what is called filled was filled
        (r"^\[Spoon/Scrape/Pour\] (<@batter;mixture>) into (<the [^>]*>)", r"Fill \2 with \1"),
        (r"^\[Scrape/Spoon\] (<@batter>) into (<the [^>]*>)", r"Fill \2 with \1"),
        (r"^\[Tip/Spoon\] <the \[meat /\]filling\|meat filling> into (a \[deep/pie\] dish)",
         r"Fill \1 with <the meat filling>"),
        (r"^(Spoon|Divide) (<half of the (\w+)\|.*>) (into|between) four glasses\. -> glasses",
         r"\1 \2 \4 four glasses. -> glasses of \3"),
        (r"^\[Pour/Spoon\] (<the (?:mousse|custard)>) over <the \[(\w+)/fruit\]\|glasses>",
         r"Fill up <the glasses|glasses of \2> with \1"),
        # what lies on them does not fill them
        (r"^\[Drop spoonfuls of <@dough> onto/Spoon <@dough> in small heaps onto\] (<the [^>]*>)",
         r"Set [spoonfuls/small heaps] of <@dough> on \1"),
        (r"-> filled sheets$", "-> unbaked biscuits"),
        (r"<@filled sheets=biscuits>", "<@unbaked biscuits=biscuits>"),
        # amounts
        (r"\{half of \[50/60/80\]g butter\|", r"{half of the [50/60/80]g of butter|"),
        (r"\[500ml/half a litre of\] milk", "500ml milk"),
        (r"\{the butter\|butter\}", "{a knob of butter|butter}"),
        (r"\{the ghee\|ghee\}", "{a spoonful of ghee|ghee}"),
    )
)  # fmt: skip
"""Expressions for words of a dish that a cook found wrong, and what they become."""
_IMPLICIT = tuple(
    (re.compile(old), new)
    for old, new in (
        (r"^\[~ Blend until smooth.*\]$", "[Blend THING until smooth/Purée THING with a stick blender]."),
        (r"^\[~ Cover and leave to rise/.*\] in", "[Cover THING and leave it to rise/Put THING in an oiled bowl, cover and leave it] in"),
        (r"^~ Stir in (.*?)( and (?:season|cook)\b.*|\.)$", r"Stir \1 into THING\2"),
        (r"^~ Fold in (.*)\.$", r"Fold \1 into THING."),
        (r"^~ Add (.*) and \[simmer", r"Add \1 to THING and [simmer"),
        (r"^~ Serve with ", "Serve THING with "),
        (r"^~ (\[\w+/\w+\]|\w+) with ", r"\1 NAME with "),
        (r"^~ \[Brush with (.*)/Dust with ", r"[Brush THING with \1/Dust THING with "),
        (r"^~ \[Grate over/Add\] (\{.*\})", r"Grate \1 over NAME"),
        (r"^~ \[[^\]]*\] in the tin for (\S+), then turn out", r"Let THING cool in the tin for \1, then turn PRONOUN out"),
        (r"^~ (?:\[(?:Cool/)?(?:Rest|Leave)[^\]]*\]|Leave to rest|Let stand) for", "Let THING [rest/stand] for"),
        (r"\] cut into wedges", "] cut PRONOUN into wedges"),
        (r"^~ Cool (on|for)\b", r"Let THING cool \1"),
        (r", then move to a rack", ", then move PRONOUN to a rack"),
        (r"^~ (?:\[Wrap and chill/.*\]|Wrap and chill) for", "[Wrap/Cover] THING and chill PRONOUN for"),
        (r"^~ \[Cover and chill/Chill\] until", "Cover THING and chill PRONOUN until"),
        (r"^~ \[Cover and simmer/[^\]]*\] until", "[Cover THING and simmer/Put on the lid and simmer THING gently/Simmer THING over low heat] until"),
        (r"^~ \[Halve them[^\]]*\]", "[Halve THING lengthways/Cut THING in half]."),
        (r"^~ Stir over", "Stir THING over"),
        (r"^~ Cover and leave to cool\.", "Cover THING, let PRONOUN cool and chill PRONOUN."),
        (r"^~ Drain on", "Drain THING on"),
    )
)  # fmt: skip
"""Expressions for steps that do not say what they work on.

THING names it or calls it "it", NAME names it, as "it" would be what was put on it last.
"""
_STANDS_FOR_IT = re.compile(r"\b(?:THING|NAME|PRONOUN)\b")
_STATES = re.compile(r"^(?:unbaked|peeled|covered|proved|raw) ")  # as it is not called then
_MARKS = re.compile(r"<([@*=]*)([^<>;|]*)(?:\|([^<>]*))?(?:;[^<>]*)?>")
_AT_TABLE = tuple(
    (re.compile(old), new)
    for old, new in (
        (r"^\[Serve/Spoon\] ", "Spoon "),
        (r"^Serve (<@meatballs in sauce=meatballs>) over", r"Spoon \1 over"),
        (r"^Serve (<@roast [^>]*>) with (\{.*\})", r"Lay \2 beside \1"),
        (r"^Serve (<@pie>) with (<the .*>)\. ->", r"Put \2 beside \1. ->"),
        (r" and serve with (\{.*\})\.", r" and put \1 beside them."),
        (r" and serve(?: \[hot/at once\])?\.", "."),
        (r", then serve\.", "."),
        (r"^Hand round (<the rest of the sauce\|cold sauce>)\[[^\]]*\]", r"Put \1 on the plates, too"),
        (r"\bserved (?=[a-z])", "finished "),  # it is served with what goes with it
    )
)  # fmt: skip
"""Expressions for words that serve a dish, and what they become where something goes with it."""
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
        made = ""
        for step in block:
            step[0] = _naming(step[0], made)
            step[:] = [_anew(line, dish) for line in step]
            made = _last_made(step, made)


def _naming(line: str, made: str) -> str:
    """Return the first sentence of a step, so that it says what it works on.

    Raises:
        ValueError: it works on what was made before it, but nothing was.
    """
    if not line.startswith(("~", "[~")):
        return line
    for old, new in _IMPLICIT:
        line = old.sub(new, line)
    called = _STATES.sub("", made)
    words = {
        "THING": f"<@{made}>" if called == made else f"<@{made}={called}>",
        "NAME": f"<the {called}|{made}>",
        "PRONOUN": "them" if plural(made) else "it",
    }
    if not made and _STANDS_FOR_IT.search(line):
        raise ValueError(f"nothing was made before {line!r}")
    return _STANDS_FOR_IT.sub(lambda found: words[found[0]], line)


def _last_made(step: Sequence[str], last: str) -> str:
    """Return the thing that the last sentence of a step makes or alters."""
    for line in step:
        text, arrow, product = line.partition("-> ")
        taken = [
            (name or words.lstrip("@")).partition("=")[0].removeprefix("the ")
            for marks, words, name in _MARKS.findall(text)
            if "*" not in marks and not (name or words).endswith("/")
        ]
        if arrow:
            last = re.split(r" - | & | ?\(| !", product)[0].strip()
        elif len(taken) == 1 and not line.startswith("~"):
            last = taken[0]
    return last


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


def _anew(line: str, dish: Dish) -> str:
    line = _reworded(line)
    for is_meant, word, other in _OF_DISHES:
        if is_meant(dish):
            line = line.replace(word, other)
    if dish.course == "soup" and dish.cuisine in _NO_PORK:
        line = _BACON.sub(_NO_PORK[dish.cuisine], line)
    return line


@lru_cache(1 << 12)
def _reworded(line: str) -> str:
    """Return a line in better words; the same lines are written for many dishes."""
    for old, new in REWORDED:
        line = old.sub(new, line)
    return line


_OF_DISHES: Sequence[tuple[Callable[[Dish], bool], str, str]] = (
    (lambda dish: dish.title.endswith("Rolls"), "[ before slicing/", "[/"),
    (
        lambda dish: dish.title.endswith("Rolls"),
        "<@proved dough=dough>",
        "<the rolls|proved dough>",
    ),
    (lambda dish: "Chicken Stew" in dish.title, "beef stock", "chicken stock"),
    (lambda dish: "Tofu" in dish.title, "~ Chill for", "~ Let it stand for"),
    # what is soft cannot be piped
    (
        lambda dish: "Layer Cake" in dish.title,
        " to soft peaks. -> whipped",
        " to stiff peaks. -> whipped",
    ),
)
"""Which dishes, words of theirs that do not suit them, and what these become."""
_BACON = re.compile(r"\bbacon\b")
_NO_PORK = {"Turkish": "halloumi", "Moroccan": "halloumi", "Indian": "paneer"}
"""Cuisine that eats no bacon -> what is fried crisp instead."""


def _serve(dish: Dish, side: str, meal: str, *steps: list[str]) -> None:
    """Add the steps that bring a dish to the table with something that goes with it.

    Args:
        dish: the dish.
        side: the mention of what goes with it.
        meal: name of both together.
        steps: what is done right before.
    """
    last = ""
    for step in dish.join:
        for old, new in _AT_TABLE:
            step[:] = [old.sub(new, line) for line in step]
        last = _last_made(step, last)
    dish.last += [*steps, [f"[Bring/Carry] <the meal|{last}> to the table with {side}. -> {meal}"]]


def green_salad(dish: Dish, rng: Random) -> None:
    """Add a green salad that is served with the dish."""
    leaves = make_salad(dish, rng)
    toss = (
        f"[Toss/Mix] <the {leaves}|washed {leaves}> with <the [salad /]dressing|salad dressing>. -> green salad"
    )  # fmt: skip
    _serve(dish, "<the [green /]salad|green salad>", "meal", [toss])  # dressed leaves do not keep


def garlic_bread(dish: Dish, rng: Random) -> None:
    """Add toasted bread that is served with the dish."""
    make_bread(dish, rng)
    _serve(dish, "<the garlic bread>", "meal with bread")


def tomato_salad(dish: Dish, rng: Random) -> None:
    """Add a tomato salad that is served with the dish."""
    make_tomato_salad(dish, rng)
    _serve(dish, "<the tomato salad>", "meal with tomatoes")


def boiled_greens(dish: Dish, rng: Random) -> None:
    """Add a boiled green vegetable that is served with the dish."""
    lines = [line for block in (*dish.parts, dish.join) for step in block for line in step]
    if any(green in line for line in lines for green in _GREENS):
        return
    green = rng.choice(_GREENS)
    dish.late(
        [f"[Boil/Cook] {some(green, rng)} in salted water for %4-6m and drain. -> boiled {green} !"]
    )
    _serve(dish, f"<the [boiled /]{green}|boiled {green}>", "meal with greens")


SIDES = (
    (("main",), boiled_greens),
    (("main", "pasta"), green_salad),
    (("pasta", "soup"), garlic_bread),
    (("main",), tomato_salad),
)
"""Side dishes and the courses that they suit."""
