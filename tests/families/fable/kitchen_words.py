"""Words of the kitchen by which `kitchen_reader` reads recipes."""

from __future__ import annotations

import re

_KINDS = """
batter: flour egg
dough: flour
pastry: flour
crust: flour
crumb: breadcrumb biscuit bread flour
topping: crumb oat flour almond hazelnut
marinade: oil soy yogurt lime lemon miso paste paprika cumin chilli
ingredient: baking flour
cold: yogurt sour cream
case: flour
chip: tortilla
bean: chickpea bean
crouton: bread
salad: rocket lettuce watercress spinach tomato cucumber
dip: yogurt cheese cream mayonnaise
dressing: oil vinegar lemon mustard
vinaigrette: oil vinegar
custard: egg yolk cream milk
icing: icing
broth: stock
stock: stock
water: water
cheese: cheese
egg: egg
meat: beef pork lamb mince chicken turkey duck sausage veal
base: biscuit onion
fish: cod salmon haddock trout tuna fish
leaf: rocket lettuce watercress spinach
fruit: apple pear plum cherry rhubarb peach raspberry strawberry blueberry berry mango
grain: couscous bulgur rice quinoa
pulse: bean lentil chickpea
yolk: yolk
patty: beef lamb turkey pork
ball: beef lamb turkey pork flour
cake: flour
pasta: spaghetti penne tagliatelle linguine pasta macaroni rigatoni fusilli
noodle: noodle
syrup: sugar
caramel: sugar
glaze: honey sugar soy
mash: potato
filling:
top:
sauce: tomato stock cream milk wine yogurt mayonnaise soy vinegar mustard sour coconut
mixture:
stew:
soup:
fat: oil butter lard fat
oil: oil
roux: flour
vegetable: onion carrot celery tomato cucumber pepper aubergine courgette potato broccoli bean
  leek cauliflower pumpkin cabbage spinach mushroom radish parsnip beetroot
meatball: beef lamb turkey pork mince
slice: bread baguette
cube:
juice:
pan:
pot:
bowl:
dish:
tin:
wok:
tray:
"""

KINDS = {
    head.strip(): held.strip()
    for head, _, held in (
        line.partition(":") for line in re.sub(r"\n  ", " ", _KINDS).strip().splitlines()
    )
}
"""Head of a phrase -> words of the ingredients of which what it means holds one; "": of any."""

VESSELS = frozenset(
    """
    bowl casserole dish glass mould pan pot ramekin sheet tin tray wok
    """.split()  # noqa: SIM905
)

NOTHING = frozenset(
    """
    air board boil bone bottom centre dark edge end first flesh fork fridge grater grill heat
    hob inside knife length lid middle next night pip plate powder rack refridgerator
    refrigerator same seed shell side skin spoon start stone surface table tap time vein way
    worktop
    """.split()  # noqa: SIM905
)
"""Words that name no thing in the kitchen."""

STOP = frozenset(
    """
    a about add after again, along among an and are as at away back bakes before beside
    between boils bubble but by chills coarsely comes cook cooks cool down each fall falls
    finely for from gently has have if in into is it just leave lengthways lightly look looks
    of off on once onto or out over rests roasts roughly runs separately serve simmer simmers
    so soaks sounds stand stir that the them then thickly through to together too under until
    up very well when which while with without
    """.split()  # noqa: SIM905
)
"""Words that end the name of a thing."""

CUTS = frozenset(["breast", "fillet", "leg", "piece", "shoulder", "steak", "thigh"])
MADE = frozenset(
    """
    aromatic chowder parcel paste piece puree purée rub sheet slurry sofrito strip
    """.split()  # noqa: SIM905
)
"""What only a step can have made."""

STAPLES = frozenset(["oil", "salt", "water"])
