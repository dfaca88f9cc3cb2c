"""Ingredients with sensible amounts, and which of them belong together."""

from __future__ import annotations

from random import Random

# name as written -> (smallest, greatest, step, measure); without measure they are counted
AMOUNTS: dict[str, tuple[int, int, int, str]] = {
    "flour": (200, 350, 50, "g"), "bread flour": (400, 600, 50, "g"), "sugar": (100, 200, 25, "g"),
    "brown sugar": (100, 200, 25, "g"), "butter": (100, 200, 25, "g"), "rice": (250, 400, 50, "g"),
    "pasta": (300, 450, 50, "g"), "spaghetti": (300, 450, 50, "g"), "penne": (300, 450, 50, "g"),
    "tagliatelle": (300, 450, 50, "g"), "linguine": (300, 450, 50, "g"),
    "couscous": (200, 300, 50, "g"), "bulgur": (150, 250, 50, "g"), "quinoa": (150, 250, 50, "g"),
    "milk": (150, 400, 50, "ml"), "cream": (100, 250, 50, "ml"), "yogurt": (100, 250, 50, "g"),
    "coconut milk": (300, 400, 100, "ml"), "tomatoes": (400, 800, 400, "g tinned"),
    "red lentils": (200, 300, 50, "g"), "brown lentils": (200, 300, 50, "g"),
    "olive oil": (1, 3, 1, "tablespoon"), "sunflower oil": (1, 3, 1, "tablespoon"),
    "vegetable oil": (1, 3, 1, "tablespoon"), "ghee": (1, 3, 1, "tablespoon"),
    "soy sauce": (2, 4, 1, "tablespoon"), "fish sauce": (1, 3, 1, "tablespoon"),
    "rice vinegar": (1, 2, 1, "tablespoon"), "lemon juice": (1, 3, 1, "tablespoon"),
    "lime juice": (1, 3, 1, "tablespoon"), "honey": (1, 3, 1, "tablespoon"),
    "wine vinegar": (1, 2, 1, "tablespoon"), "mustard": (1, 2, 1, "teaspoon"),
    "tomato paste": (1, 2, 1, "tablespoon"), "cornflour": (1, 2, 1, "tablespoon"),
    "cumin": (1, 2, 1, "teaspoon"), "paprika": (1, 2, 1, "teaspoon"),
    "turmeric": (1, 2, 1, "teaspoon"), "coriander seeds": (1, 2, 1, "teaspoon"),
    "garam masala": (1, 3, 1, "teaspoon"), "cinnamon": (1, 2, 1, "teaspoon"),
    "chilli powder": (1, 2, 1, "teaspoon"), "oregano": (1, 2, 1, "teaspoon"),
    "baking powder": (2, 3, 1, "teaspoon"), "baking soda": (1, 1, 1, "teaspoon"),
    "vanilla": (1, 2, 1, "teaspoon"), "harissa": (1, 2, 1, "tablespoon"),
    "onions": (2, 3, 1, ""), "carrots": (2, 4, 1, ""), "eggs": (2, 4, 1, ""),
    "garlic": (2, 5, 1, "clove"), "celery": (1, 3, 1, "stick"), "leeks": (2, 3, 1, ""),
    "potatoes": (400, 800, 100, "g"), "sweet potatoes": (2, 3, 1, ""), "red peppers": (2, 3, 1, ""),
    "courgettes": (2, 3, 1, ""), "aubergines": (2, 2, 1, ""), "mushrooms": (200, 400, 50, "g"),
    "spinach": (200, 400, 100, "g"), "peas": (150, 250, 50, "g"), "cabbage": (200, 300, 50, "g"),
    "green beans": (150, 250, 50, "g"), "broccoli": (200, 300, 50, "g"), "pumpkin": (500, 900, 100, "g"),
    "cauliflower": (400, 600, 100, "g"), "parsnips": (3, 5, 1, ""), "beetroot": (300, 500, 100, "g"),
    "bean sprouts": (100, 200, 50, "g"), "ginger": (1, 2, 1, "tablespoon"),
    "stewing beef": (600, 1000, 100, "g"), "lamb shoulder": (600, 1000, 100, "g"),
    "pork shoulder": (600, 1000, 100, "g"), "chicken thighs": (6, 10, 1, ""),
    "chicken breasts": (2, 4, 1, ""), "minced beef": (400, 600, 50, "g"),
    "minced pork": (400, 600, 50, "g"), "minced lamb": (400, 600, 50, "g"),
    "minced turkey": (400, 600, 50, "g"), "pork fillet": (300, 500, 50, "g"),
    "beef steak": (300, 500, 50, "g"), "prawns": (250, 400, 50, "g raw"), "bacon": (100, 200, 50, "g"),
    "salmon fillets": (2, 4, 1, ""), "cod fillets": (2, 4, 1, ""), "tofu": (250, 400, 50, "g"),
    "pancetta": (100, 150, 25, "g"), "chorizo": (100, 200, 50, "g"),
    "Parmesan": (40, 80, 10, "g"), "Cheddar": (80, 150, 10, "g"), "feta": (100, 200, 50, "g"),
    "Gruyère": (80, 150, 10, "g"), "goat's cheese": (100, 150, 50, "g"), "halloumi": (200, 250, 50, "g"),
    "walnuts": (50, 100, 25, "g"), "almonds": (50, 100, 25, "g"), "hazelnuts": (50, 100, 25, "g"),
    "pine nuts": (30, 50, 10, "g"), "chocolate chips": (100, 200, 50, "g"), "raisins": (50, 100, 25, "g"),
    "apples": (3, 6, 1, ""), "pears": (3, 5, 1, ""), "plums": (500, 800, 100, "g"),
    "cherries": (400, 600, 100, "g"), "rhubarb": (400, 600, 100, "g"), "peaches": (4, 6, 1, ""),
    "blueberries": (150, 250, 50, "g"), "raspberries": (150, 250, 50, "g"), "bananas": (2, 3, 1, ""),
    "breadcrumbs": (50, 100, 25, "g"), "dried apricots": (100, 150, 50, "g"),
    "dark chocolate": (100, 200, 50, "g"), "cocoa": (2, 4, 1, "tablespoon"), "oats": (100, 200, 50, "g"),
    "chicken stock": (500, 1000, 250, "ml"), "vegetable stock": (500, 1000, 250, "ml"),
    "beef stock": (300, 500, 100, "ml"), "red wine": (150, 300, 50, "ml"),
    "white wine": (100, 200, 50, "ml"), "cider": (200, 300, 50, "ml"), "beer": (300, 300, 100, "ml"),
    "water": (200, 300, 50, "ml"), "dried chickpeas": (200, 300, 50, "g"),
    "dried white beans": (200, 300, 50, "g"), "peanut butter": (80, 120, 20, "g"),
    "olives": (50, 100, 25, "g"), "gnocchi": (400, 600, 100, "g"), "polenta": (150, 200, 50, "g"),
    "sausages": (4, 8, 1, ""), "caster sugar": (75, 150, 25, "g"), "mascarpone": (250, 250, 50, "g"),
    "soft cheese": (150, 250, 50, "g"), "strawberries": (200, 400, 50, "g"), "gelatine": (3, 4, 1, "leaf"),
}  # fmt: skip
_PLURAL = {"leaf": "leaves"}


def some(name: str, rng: Random, how: str = "") -> str:
    """An ingredient that comes in, with or without its amount.

    Args:
        name: as in `AMOUNTS`, or anything else, which then comes without an amount.
        rng: where chance comes from.
        how: a word before the name, such as ``sliced``.
    """
    shown = f"{how} {name}" if how else name
    known = AMOUNTS.get(name)
    draw = rng.random()
    if known is None or draw < 0.35:
        return f"{{the {shown}|{name}}}"
    low, high, step, measure = known
    number = rng.randrange(low, high + 1, step)
    if not measure:
        return f"{{{number} {shown}|{name}}}"
    if measure[0] in "gm" and measure.split()[0] in {"g", "ml"}:
        unit, _, word = measure.partition(" ")
        return f"{{{number}{unit} {word + ' ' if word else ''}{shown}|{name}}}"
    if number > 1:
        measure = _PLURAL.get(measure, measure + "s")
    if draw > 0.8 and measure.endswith("s") and number < high:
        return f"{{{number} to {number + 1} {measure} of {shown}|{name}}}"
    return f"{{{number} {measure} of {shown}|{name}}}"


_FRYING = {"butter": "a knob of butter", "ghee": "a spoonful of ghee"}
_SMALL = frozenset({"with", "and", "in", "of"})


def fat(name: str, rng: Random) -> str:
    """What something is fried in, in an amount that is meant for frying."""
    if name in _FRYING and rng.random() < 0.6:
        return f"{{{_FRYING[name]}|{name}}}"
    return f"{{the {name}|{name}}}" if name in _FRYING else some(name, rng)


def one(name: str) -> str:
    """The name before another noun: ``cherries`` is ``cherry``."""
    if name.endswith("ies"):
        return name[:-3] + "y"
    if name.endswith("toes"):
        return name[:-2]
    return name.removesuffix("s") if not name.endswith("ss") else name


def named(words: str) -> str:
    """A title: capitals but for the small words."""
    return " ".join(
        word if word in _SMALL and place else word[:1].upper() + word[1:]
        for place, word in enumerate(words.split())
    )


class Style:
    """What goes together in one cuisine; every list is worth drawing from."""

    def __init__(
        self, name: str, fat: str, aromatics: str, spices: str, herbs: str, liquids: str,
        vegetables: str, stew_meat: str, sides: str, finish: str,
    ) -> None:  # fmt: skip
        self.name, self.fat = name, fat
        self.aromatics, self.spices = aromatics.split(", "), spices.split(", ")
        self.herbs, self.liquids = herbs.split(", "), liquids.split(", ")
        self.vegetables, self.stew_meat = vegetables.split(", "), stew_meat.split(", ")
        self.sides, self.finish = sides.split(", "), finish.split(", ")


STYLES = (
    Style("Italian", "olive oil", "onions, garlic, celery, carrots", "oregano, fennel seeds",
          "basil, rosemary, parsley", "tomatoes, red wine, white wine, chicken stock",
          "courgettes, red peppers, mushrooms, aubergines, spinach", "stewing beef, pork shoulder, chicken thighs",
          "polenta, pasta, gnocchi", "Parmesan, olives"),
    Style("French", "butter", "onions, leeks, carrots, garlic", "black pepper, nutmeg",
          "thyme, tarragon, parsley, chives", "red wine, white wine, cider, chicken stock",
          "mushrooms, carrots, leeks, potatoes", "stewing beef, chicken thighs, lamb shoulder",
          "mash, potatoes", "cream, mustard"),
    Style("Moroccan", "olive oil", "onions, garlic, ginger", "cumin, cinnamon, paprika, turmeric",
          "coriander, mint", "chicken stock, tomatoes, vegetable stock",
          "carrots, courgettes, sweet potatoes, pumpkin", "lamb shoulder, chicken thighs, stewing beef",
          "couscous, bulgur", "almonds, raisins, dried apricots, lemon juice"),
    Style("Indian", "ghee", "onions, garlic, ginger", "cumin, turmeric, garam masala, coriander seeds",
          "coriander, mint", "tomatoes, coconut milk, vegetable stock",
          "cauliflower, potatoes, spinach, peas, carrots", "lamb shoulder, chicken thighs",
          "rice", "yogurt, cream, lemon juice"),
    Style("Mexican", "vegetable oil", "onions, garlic, red peppers", "cumin, chilli powder, oregano",
          "coriander", "tomatoes, chicken stock, beer",
          "sweet potatoes, red peppers, courgettes, pumpkin", "pork shoulder, stewing beef, chicken thighs",
          "rice", "lime juice, feta"),
    Style("Greek", "olive oil", "onions, garlic", "oregano, cinnamon, paprika",
          "dill, parsley, mint", "tomatoes, red wine, chicken stock",
          "aubergines, courgettes, potatoes, spinach", "lamb shoulder, stewing beef, chicken thighs",
          "rice, potatoes, bulgur", "feta, olives, lemon juice"),
    Style("Spanish", "olive oil", "onions, garlic, red peppers", "paprika, saffron",
          "parsley, thyme", "tomatoes, white wine, chicken stock",
          "potatoes, red peppers, peas, green beans", "pork shoulder, chicken thighs, stewing beef",
          "rice, potatoes", "olives, almonds"),
    Style("British", "butter", "onions, leeks, celery, carrots", "black pepper, nutmeg",
          "thyme, parsley, chives, sage", "beef stock, cider, beer, vegetable stock",
          "parsnips, carrots, potatoes, peas, cabbage", "stewing beef, lamb shoulder, chicken thighs",
          "mash", "cream, mustard, Cheddar"),
    Style("Turkish", "olive oil", "onions, garlic", "cumin, paprika, cinnamon",
          "mint, parsley, dill", "tomatoes, vegetable stock, chicken stock",
          "aubergines, courgettes, carrots, potatoes", "lamb shoulder, chicken thighs, stewing beef",
          "bulgur, rice", "yogurt, lemon juice"),
)  # fmt: skip
