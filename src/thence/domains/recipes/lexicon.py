"""The closed classes of words that recipes are written in; every other word may be an ingredient."""

from __future__ import annotations

from enum import IntEnum


class Kind(IntEnum):
    """What a word is, as far as the rules of the parser care."""

    NOUN = 0
    VERB = 1
    DETERMINER = 2
    PREPOSITION = 3
    CONJUNCTION = 4
    ADVERB = 5
    MEASURE = 6
    TOOL = 7
    PRODUCT = 8
    WHOLE = 9
    PRONOUN = 10
    UNTIL = 11
    TIME = 12
    ADJECTIVE = 13
    PART = 14
    REST = 15


_WORDS: dict[Kind, str] = {
    Kind.VERB: (
        "add adjust allow arrange assemble bake baste beat bind blanch blend boil braise break bring "
        "broil brush bubble caramelise caramelize carve check chill chop clean coat combine continue cook "
        "cool core cover crack cream crimp crumble crush cube cut deglaze dice dip discard dissolve divide "
        "drain dredge dress drizzle drop dry dust empty enjoy fill finish fish flake flatten flip fluff "
        "fold freeze fry garnish glaze grate grease grill grind halve heat immerse infuse insert invert "
        "keep knead ladle lay layer leave let lift line loosen lower make mark marinate mash massage "
        "measure melt microwave mince mix moisten move open pack pat peel pierce pile pinch pipe place "
        "poach pop pound pour preheat prepare press prick process pull pulse puree push put quarter raise "
        "reduce refrigerate reheat remove repeat replace reserve rest return rinse roast roll rotate rub "
        "saute sautee sauté scatter scoop scramble scrape sear season secure separate serve set shake shape "
        "shred shell sieve sift simmer skewer skim slice slide smooth soak soften spoon spray spread "
        "sprinkle squeeze stack stand start steam steep stick stir stir-fry strain stretch stuff "
        "submerge sweeten swirl take taste tear thicken thin thread throw tie tip toast top toss transfer "
        "trickle trim try turn twist unfold unmold unroll use wait warm wash weigh wet whip whisk whizz "
        "wipe work wrap zest decorate ice frost preserve cure char brown form portion scrub warm wilt "
        "begin lightly-beat pit stone deseed hull sizzle rub slash light unmould lace pulverise pulverize "
        "stamp pleat knock punch prove rise proof purée fork tuck plunge thread crisp steep slit score defrost thaw switch feel sieve baste dissolve mound sweat butter flour oil salt"
    ),
    Kind.DETERMINER: "the a an this that these those its their your each every any some all both his her my one's",
    Kind.PREPOSITION: (
        "in into on onto over under with without from to of at by between among through around inside "
        "across along against off out up down for about near per upon within toward towards beside atop"
    ),
    Kind.CONJUNCTION: "and or then but while when once so as if because before after plus whilst",
    Kind.UNTIL: "until till",
    Kind.ADVERB: (
        "well gently just very too again also together aside away back not still first next last finally "
        "meanwhile meantime immediately overnight slightly almost about once twice more longer further "
        "only even alternately thoroughly evenly lightly quickly slowly carefully gradually occasionally "
        "frequently constantly now straight directly apart halfway approximately often always never "
        "instead otherwise least uncovered covered completely roughly finely thinly coarsely you do is "
        "are be been being was were has have had will can should may might would could must does did "
        "it's that's left there which who what how where enough quite rather tender done open closed sure"
    ),
    Kind.MEASURE: (
        "g kg ml l oz lb lbs cup cups tablespoon tablespoons teaspoon teaspoons tbsp tsp tbsps tsps pound "
        "pounds ounce ounces gram grams litre litres liter liters quart quarts pint pints pinch pinches "
        "dash handful handfuls bunch sprig sprigs clove cloves slice slices stick sticks knob splash "
        "drizzle squeeze spoonful spoonfuls tablespoonful teaspoonful tablespoonfuls cm mm inch inches "
        "can cans tin-of packet packets package packages jar jars bottle bag bags piece pieces strip "
        "strips chunk chunks cube cubes wedge wedges leaf leaves stalk stalks head heads batch batches "
        "degree degrees gas c f fahrenheit celsius lot lots bit bits couple amount quantity layer layers "
        "ladle ladles ladleful ladlefuls portion portions serving servings ring rings round rounds "
        "ball balls number size thickness piece teaspoonfuls"
    ),
    Kind.TIME: (
        "minute minutes min mins hour hours hr hrs second seconds sec secs day days night week weeks time "
        "times moment"
    ),
    Kind.TOOL: (
        "oven pan pans skillet saucepan pot bowl bowls dish tin tins tray trays sheet sheets rack board "
        "plate plates platter blender processor mixer whisk spoon fork knife grill broiler griddle wok "
        "casserole foil paper parchment towel towels fridge refrigerator freezer microwave colander sieve "
        "strainer jug jar glass glasses cooker crockpot cup-cake mould mold ramekins ramekin skewer "
        "skewers hob stove stovetop barbecue bbq lid bag cloth surface counter worktop container frypan "
        "machine sheet-pan toothpick stone springform muffin-tin cutter pin kettle thermometer film clingfilm "
        "wrap plastic cling steamer fryer rolling electric nonstick non-stick baking cooling wire frying roasting "
        "heatproof oven-proof ovenproof food hand heat flame burner temperature room table tins cases cups liners"
    ),
    Kind.PRODUCT: (
        "batter dough sauce filling topping marinade dressing soup stew cake cakes pie crust pastry base "
        "icing frosting glaze syrup custard broth gravy curry salad pasta noodles rice loaf bread cookies "
        "biscuits muffins buns rolls meatballs patties burgers pancakes pancake pizza omelette tart casserole-dish "
        "crumble crumbs roux paste puree purée pesto salsa dip spread mash stuffing caramel jelly jam "
        "risotto chili chilli-con-carne lasagne lasagna ravioli dumplings cupcakes scones brownies meatloaf "
        "sandwich sandwiches wraps rounds parcels kebabs vinaigrette stock slurry sponge sponges meringue ganache juices"
    ),
    Kind.WHOLE: (
        "mixture mix ingredients ingredient contents everything all combination concoction stuff wet"
    ),
    Kind.PRONOUN: "it them they this these those itself themselves",
    Kind.PART: (
        "top tops side sides edge edges bottom bottoms centre center middle surface half halves inside "
        "outside end ends corner corners seam way peaks hole holes consistency rest-of skin color colour "
        "boil simmer bubbles shape place rim crease"
    ),
    Kind.REST: "remaining rest remainder other reserved leftover",
    Kind.ADJECTIVE: (
        "hot cold warm cool large small medium big deep shallow heavy high low fresh dry wet thick thin "
        "fine coarse light dark golden brown soft hard firm crisp crispy tender smooth creamy fluffy stiff "
        "raw ripe whole extra virgin plain self-raising boneless skinless lean more enough additional "
        "another same separate clean greased lined prepared preheated buttered oiled floured ungreased "
        "lightly-greased hot non sticky shiny pale foamy frothy airtight good nice favourite optional "
        "two three four five six seven eight nine ten twelve one half double single few several little "
        "little great long short salted unsalted boiling simmering lukewarm tepid"
    ),
}  # fmt: skip

VERBS = frozenset(_WORDS[Kind.VERB].split())
KINDS: dict[str, Kind] = {
    word: kind for kind, words in _WORDS.items() if kind is not Kind.VERB for word in words.split()
}
for _verb in VERBS:
    KINDS.setdefault(_verb, Kind.VERB)
KINDS.update(dict.fromkeys(("this", "these", "those"), Kind.DETERMINER))

# Verbs that name something to eat as well: a verb only where a determiner or pronoun follows.
EDIBLE = frozenset(
    [
        "cream",
        "butter",
        "oil",
        "flour",
        "salt",
        "sauce",
        "stock",
        "sugar",
        "ice",
        "bread",
        "fish",
        "batter",
        "dressing",
        "stew",
        "mash",
        "zest",
        "juice",
        "crumble",
        "dip",
        "spread",
        "glaze",
        "core",
        "stone",
        "pit",
        "fillet",
        "peel",
        "shell",
        "toast",
        "roast",
        "steam",
        "pepper",
        "char",
        "boil",
        "simmer",
        "rise",
        "ring",
        "line",
        "mix",
        "cut",
        "chop",
        "slice",
        "cube",
        "dice",
        "wedge",
        "clove",
    ]
)
EITHER = (
    EDIBLE
    | frozenset(word for word in VERBS if KINDS[word] is not Kind.VERB)
    | frozenset(
        [
            "grill",
            "grease",
            "brown",
            "roll",
            "cover",
            "season",
            "dust",
            "coat",
            "dress",
            "wrap",
            "dry",
            "wet",
            "warm",
            "cool",
            "cook",
            "shape",
            "place",
            "finish",
            "form",
            "rest",
            "set",
            "fish",
            "frost",
            "work",
        ]
    )
)
INTRODUCES = frozenset(("into", "to", "over", "on", "onto", "with", "in", "among", "between"))

# Verbs that work on what is there already unless they are told on what.
ADDING = frozenset(
    [
        "add",
        "stir",
        "fold",
        "pour",
        "whisk",
        "beat",
        "mix",
        "sprinkle",
        "scatter",
        "drizzle",
        "top",
        "season",
        "garnish",
        "spread",
        "dust",
        "brush",
        "toss",
        "blend",
        "finish",
        "return",
        "decorate",
        "crumble",
        "spoon",
        "arrange",
        "drop",
        "sift",
        "squeeze",
        "grate",
        "glaze",
        "layer",
        "ladle",
        "dot",
        "strew",
        "throw",
        "tuck",
        "work",
        "knead",
        "cover",
    ]
)
HEATING = frozenset(["bake", "roast", "broil", "oven", "grill", "braise"])
STAPLES = frozenset(
    [
        "salt",
        "pepper",
        "oil",
        "water",
        "sugar",
        "butter",
        "flour",
        "seasoning",
        "spray",
        "ice",
        "foil",
        "paper",
        "parchment",
        "olive",
        "vegetable",
        "sunflower",
        "taste",
        "margarine",
        "milk",
        "stock",
    ]
)
COOKING = frozenset(
    [
        "bake",
        "boil",
        "braise",
        "simmer",
        "fry",
        "deep-fry",
        "roast",
        "grill",
        "broil",
        "cook",
        "steam",
        "poach",
        "scramble",
        "stew",
        "microwave",
        "saute",
        "stir-fry",
    ]
)
MADE_OF: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "dough": "flour yeast", "pastry": "flour", "batter": "flour egg", "crust": "flour biscuit cracker crumb",
        "base": "biscuit cracker crumb flour onion", "custard": "egg milk cream yolk", "dressing": "oil vinegar juice mayonnaise",
        "vinaigrette": "oil vinegar mustard", "marinade": "oil soy yogurt yoghurt juice vinegar", "roux": "flour butter",
        "mash": "potato", "icing": "sugar", "frosting": "sugar cheese butter", "caramel": "sugar", "syrup": "sugar water honey",
        "meringue": "white egg", "gravy": "stock flour juice", "broth": "stock water bone", "stock": "stock water",
        "soup": "stock water broth", "sauce": "tomato cream milk soy stock wine passata ketchup roux",
        "patty": "mince beef pork turkey lamb", "burger": "mince beef turkey lamb", "meatball": "mince beef pork turkey lamb",
        "ganache": "chocolate cream", "pesto": "basil", "salsa": "tomato mango", "slurry": "cornflour cornstarch",
        "stuffing": "breadcrumb bread", "crumble": "flour butter oat", "topping": "flour sugar cheese butter cream",
        "filling": "apple cheese beef cream mince onion mushroom", "curry": "curry coconut", "noodle": "noodle",
        "pancake": "flour milk egg", "omelette": "egg", "risotto": "rice", "paste": "garlic chilli ginger flour",
        "coating": "breadcrumb flour", "stew": "beef lamb stock", "loaf": "flour mince", "cake": "flour", "sponge": "flour",
        "cookie": "flour oat", "biscuit": "flour", "muffin": "flour", "roll": "flour", "bun": "flour", "bread": "flour yeast",
        "scone": "flour", "juice": "beef lamb pork", "sheet": "flour", "glaze": "sugar honey jam ketchup", "tart": "flour",
    }.items()
}  # fmt: skip
"""What something that is made is likely to hold."""

PARTIAL = frozenset(["half", "some", "third", "quarter", "little", "most", "part", "two-thirds"])
PARTICLES = frozenset(("up", "out", "off", "down", "away", "back", "together", "aside", "apart"))
STATES = frozenset(
    [
        "boil",
        "simmer",
        "bubble",
        "peak",
        "hole",
        "way",
        "consistency",
        "colour",
        "color",
        "shape",
        "place",
        "crease",
        "rim",
    ]
)
BOTTLED = frozenset(
    [
        "sauce",
        "paste",
        "stock",
        "syrup",
        "juice",
        "jam",
        "bread",
        "dressing",
        "broth",
        "noodle",
        "sugar",
    ]
)
SORTS = frozenset(
    [
        "soy",
        "fish",
        "oyster",
        "hoisin",
        "worcestershire",
        "hot",
        "tabasco",
        "bbq",
        "barbecue",
        "sweet",
        "brown",
        "maple",
        "golden",
        "chilli",
        "chili",
        "chipotle",
        "tamarind",
        "teriyaki",
        "puff",
        "shortcrust",
        "filo",
        "beef",
        "chicken",
        "vegetable",
        "lemon",
        "lime",
        "orange",
    ]
)
DROPPED = frozenset(["discard", "remove", "throw"])
MEANWHILE = frozenset(("meanwhile", "meantime"))


def stem(word: str) -> str:
    """A noun without its plural."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("oes", "ches", "shes", "sses", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 3:
        return word[:-1]
    return word


KINDS_OF_FOOD: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "meat": "beef lamb pork chicken turkey mince duck veal steak bacon sausage ham shoulder joint "
        "chuck brisket rib chop goat venison thigh breast cube loin fillet shank oxtail rabbit",
        "fish": "cod salmon tuna trout haddock fillet bass halibut mackerel tilapia snapper",
        "seafood": "prawn shrimp mussel clam squid crab scallop lobster",
        "vegetable": "onion carrot celery leek pepper courgette aubergine potato mushroom cabbage broccoli "
        "zucchini eggplant pea bean spinach tomato cauliflower parsnip turnip garlic fennel swede",
        "veg": "onion carrot celery leek pepper courgette aubergine potato mushroom cabbage broccoli pea",
        "fruit": "apple pear plum cherry rhubarb peach berry strawberry raspberry blueberry banana mango "
        "orange apricot raisin currant blackberry cranberry pineapple date",
        "nut": "almond walnut hazelnut pecan cashew peanut pistachio",
        "herb": "parsley basil thyme coriander cilantro mint dill oregano rosemary sage chive tarragon",
        "berry": "strawberry raspberry blueberry blackberry cranberry",
        "bird": "chicken turkey duck goose",
        "yolk": "egg",
        "white": "egg",
        "pod": "vanilla",
        "leave": "bay",
        "leaf": "bay",
        "liquid": "stock water milk broth wine",
        "fat": "bacon oil butter lard duck",
        "cheese": "cheddar parmesan mozzarella feta ricotta gruyère paneer mascarpone",
        "mince": "beef lamb pork turkey",
        "chip": "chocolate",
        "noodle": "spaghetti linguine vermicelli",
        "pasta": "spaghetti penne macaroni linguine tagliatelle "
        "fusilli lasagne lasagna noodle fettuccine rigatoni farfalle orzo",
        "shell": "mussel clam pasta",
        "chili": "chilli",
        "chilli": "chili",
    }.items()
}
"""A general word and the ingredients that it may stand for."""

RAW = frozenset(
    [
        "egg",
        "flour",
        "sugar",
        "salt",
        "pepper",
        "butter",
        "oil",
        "milk",
        "cream",
        "cheese",
        "water",
        "onion",
        "garlic",
        "tomato",
        "potato",
        "carrot",
        "celery",
        "beef",
        "lamb",
        "pork",
        "chicken",
        "turkey",
        "bacon",
        "ham",
        "sausage",
        "mince",
        "steak",
        "fish",
        "salmon",
        "cod",
        "tuna",
        "prawn",
        "shrimp",
        "rice",
        "bean",
        "lentil",
        "chickpea",
        "pea",
        "corn",
        "sweetcorn",
        "spinach",
        "lettuce",
        "cabbage",
        "broccoli",
        "cauliflower",
        "mushroom",
        "courgette",
        "zucchini",
        "aubergine",
        "eggplant",
        "cucumber",
        "avocado",
        "pumpkin",
        "squash",
        "leek",
        "shallot",
        "ginger",
        "chilli",
        "chili",
        "lemon",
        "lime",
        "orange",
        "apple",
        "pear",
        "banana",
        "strawberry",
        "raspberry",
        "blueberry",
        "cherry",
        "peach",
        "plum",
        "mango",
        "pineapple",
        "raisin",
        "sultana",
        "currant",
        "date",
        "apricot",
        "cranberry",
        "almond",
        "walnut",
        "pecan",
        "hazelnut",
        "peanut",
        "cashew",
        "nut",
        "seed",
        "oat",
        "breadcrumb",
        "yeast",
        "powder",
        "soda",
        "vanilla",
        "cinnamon",
        "nutmeg",
        "cumin",
        "paprika",
        "turmeric",
        "curry",
        "oregano",
        "basil",
        "thyme",
        "parsley",
        "coriander",
        "cilantro",
        "mint",
        "dill",
        "sage",
        "rosemary",
        "bay",
        "leaf",
        "chive",
        "tarragon",
        "saffron",
        "cardamom",
        "clove",
        "allspice",
        "honey",
        "syrup",
        "treacle",
        "molasses",
        "vinegar",
        "mustard",
        "ketchup",
        "mayonnaise",
        "yoghurt",
        "yogurt",
        "stock",
        "broth",
        "wine",
        "beer",
        "cider",
        "brandy",
        "rum",
        "sherry",
        "soy",
        "worcestershire",
        "tabasco",
        "gelatine",
        "gelatin",
        "cornflour",
        "cornstarch",
        "cocoa",
        "chocolate",
        "coffee",
        "tea",
        "juice",
        "zest",
        "rind",
        "coconut",
        "tofu",
        "feta",
        "parmesan",
        "mozzarella",
        "cheddar",
        "ricotta",
        "mascarpone",
        "margarine",
        "shortening",
        "lard",
        "suet",
        "ghee",
        "tortilla",
        "biscuit",
        "cracker",
        "crumb",
        "marshmallow",
        "custard",
        "jam",
        "spice",
        "herb",
        "seasoning",
        "extract",
        "essence",
        "puree",
        "passata",
        "beetroot",
        "radish",
        "turnip",
        "parsnip",
        "swede",
        "fennel",
        "asparagus",
        "artichoke",
        "olive",
        "caper",
        "anchovy",
        "kale",
        "chard",
        "rocket",
        "sprout",
        "okra",
        "plantain",
        "yam",
        "pancetta",
        "chorizo",
        "salami",
        "pepperoni",
        "crab",
        "mussel",
        "clam",
        "squid",
        "scallop",
        "lobster",
        "duck",
        "goose",
        "veal",
        "liver",
        "kidney",
        "heart",
        "brisket",
        "rib",
        "shoulder",
        "leg",
        "breast",
        "thigh",
        "drumstick",
        "wing",
        "fillet",
        "loin",
        "chop",
        "cutlet",
        "spaghetti",
        "macaroni",
        "penne",
        "lasagne",
        "noodle",
        "couscous",
        "quinoa",
        "bulgur",
        "barley",
        "polenta",
        "semolina",
        "cornmeal",
        "buttermilk",
        "quark",
        "spring-onion",
        "scallion",
        "pesto",
        "tahini",
        "harissa",
        "miso",
        "sake",
        "mirin",
        "sesame",
        "wasabi",
        "tamarind",
        "lemongrass",
        "galangal",
        "fig",
        "grape",
        "kiwi",
        "melon",
        "watermelon",
        "pomegranate",
        "rhubarb",
        "gooseberry",
        "blackberry",
        "blackcurrant",
        "redcurrant",
        "pepper",
        "peppercorn",
        "chipotle",
        "jalapeno",
        "tapioca",
        "agave",
        "pasta",
        "cheesecloth",
        "sprinkle",
        "baking-powder",
        "bread",
        "bun",
        "roll",
        "pitta",
        "bagel",
        "croissant",
        "brioche",
    ]
)
"""Nouns that most often are an ingredient that comes in, even with "the" before them."""
