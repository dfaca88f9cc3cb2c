"""Names of towns, streets and landmarks on the made-up map."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def _listed(*lines: str, by: str = " ") -> tuple[str, ...]:
    return tuple(name for line in lines for name in line.split(by) if name)


STATES: Sequence[tuple[str, str, str]] = (  # name, postal code, how its routes are numbered
    ("Ohio", "OH", "SR"),
    ("Iowa", "IA", "IA"),
    ("Pennsylvania", "PA", "PA"),
    ("Michigan", "MI", "M"),
    ("Illinois", "IL", "IL"),
    ("Wisconsin", "WI", "WI"),
    ("Missouri", "MO", "MO"),
    ("Indiana", "IN", "IN"),
    ("Kentucky", "KY", "KY"),
    ("Virginia", "VA", "VA"),
    ("Tennessee", "TN", "TN"),
    ("Kansas", "KS", "K"),
)
TOWNS: Sequence[str] = _listed(
    "Ashford Belmont Brookfield Carlton Clayton Concord Dayton Easton Fairmont Farmington Franklin",
    "Georgetown Glenwood Greenfield Hamilton Harrison Hillsboro Jefferson Kingston Lancaster ",
    "Lexington Linden Marion Milford Millbrook Monroe Newport Norwood Oakdale Oxford Pembroke ",
    "Plainview Portland Princeton Redfield Richmond Riverton Rockford Salem Shelby Springfield ",
    "Sterling Sumner Troy Vernon Walton Warren Waverly Westfield Wilton Winchester Windsor ",
    "Woodbury Weston Hanover Mansfield Avondale Bradford Cambridge Chester",
)
TREES: Sequence[str] = _listed(
    "Oak Maple Elm Cedar Pine Walnut Chestnut Spruce Birch Hickory Poplar Sycamore Locust Willow ",
    "Beech Ash Linden Cherry Mulberry Magnolia Juniper Laurel",
)
PEOPLE: Sequence[str] = _listed(
    "Washington Adams Jefferson Madison Monroe Jackson Harrison Tyler Taylor Pierce Buchanan ",
    "Lincoln Johnson Grant Hayes Garfield Arthur Cleveland McKinley Roosevelt Taft Wilson Harding ",
    "Coolidge Hoover Truman Kennedy Franklin Lafayette Sherman Sheridan Hamilton Webster Clay ",
    "Douglas Fremont Marshall Warren Greene Perry Decatur Stockton Whitman Emerson Edison ",
    "Fulton Carver Douglass Barton Addams Anthony Mitchell Howard Russell Spencer Preston ",
    "Sullivan Bennett Crawford Dawson Elliott Fletcher Gibson Holmes Jensen Keller Lambert ",
    "Morgan Norton Osborne Parker Quincy Ramsey Sawyer Thornton Underwood Vaughn Wallace",
)
CIVIC: Sequence[str] = _listed(
    "Market Church Court High Front Water Mill School College Park Union Liberty Commerce State ",
    "Spring Bridge Canal Depot Center Prospect Pleasant Summit Highland Grove Lake River Hill ",
    "Mechanic Academy Exchange Vine Race Orchard Meadow Garden Railroad Foundry",
)
FIRSTS: Sequence[str] = _listed(
    "Maple Cedar Fox Stone Brook Deer Timber Willow Hunters Quail Eagle Raven Silver Golden Autumn",
    "Spring Summer Clover Meadow Prairie Orchard Valley Forest Shady Sunny Misty Rolling Country ",
    "Heritage Colonial Pheasant Partridge Wild Turtle Otter Beaver Heron Briar Heather Laurel ",
    "Chapel Mill Ferry Apple Peach Berry Hazel Amber Copper Granite Cobble Sugar Winding ",
    "Oak Elm Pine Spruce Birch Hickory Walnut Falcon Hawk Swan Crane Bear Pebble Bell Bridle",
)
SECONDS: Sequence[str] = _listed(
    "Ridge Hollow Creek Run Glen View Hill Grove Crest Bend Field Point Trace Knoll Landing ",
    "Crossing Brook Springs Chase Meadow",
)
BEFORE = ("Old", "New", "North", "South", "East", "West", "Upper", "Lower", "Little", "Big")
PATIENCE = 60  # names taken already in a row, after which no more are to be expected
ONE_WORD = ("Brook", "View", "Crest", "Field")  # of SECONDS, after a short first word
LOCAL_KINDS: Sequence[str] = (
    "Drive",
    "Lane",
    "Court",
    "Road",
    "Circle",
    "Way",
    "Trail",
    "Place",
    "Terrace",
)
RURAL: Sequence[str] = _listed(
    "Old Mill,Stage Coach,Ferry,Quarry,Cemetery,Creamery,Grange,Schoolhouse,Covered Bridge,",
    "Plank,Tannery,Sawmill,Stony Creek,Pigeon Creek,Sugar Creek,Bear Creek,Turkey Run,Sand Hill,",
    "Chapel Hill,Church Hill,Pleasant Valley,Pleasant Grove,Union Grove,Hickory Grove,Oak Hill,",
    "Cedar Bluff,Pine Bluff,Rocky Ford,Hidden Valley,Indian Creek,Salt Lick,Spring Valley,",
    "Blue Ridge,Locust Grove,Walnut Bottom,Flat Rock,Lost Creek,Crooked Creek,Wolf Creek,",
    "Eagle Point,Miller,Baker,Schneider,Kessler,Hoffman,Weber,Schultz,Becker,Keller,Wagner",
    by=",",
)
CIRCLES: Sequence[str] = _listed(
    "Liberty Circle,Courthouse Square,Veterans Circle,Memorial Circle,Founders Circle,",
    "Monument Circle,Union Square,Heritage Circle,Pioneer Circle,Founders Square",
    by=",",
)
SAINTS: Sequence[str] = _listed(
    "St. Mary's,St. Luke's,St. Joseph's,Mercy,Good Samaritan,Providence,Trinity,Sacred Heart,",
    "Holy Cross,St. Francis,Methodist,Grace",
    by=",",
)
GIVEN: Sequence[str] = _listed(
    "John,William,Mary,James,Sarah,Thomas,Henry,Elizabeth,Charles,Samuel,Hannah,George,Edward,",
    "Joseph,Clara,Frederick,Martha,Daniel,Benjamin,Alice",
    by=",",
)
MOTORWAY_NAMES: Sequence[str] = (
    "Veterans Memorial Highway",
    "Pioneer Expressway",
    "Governors Parkway",
    "Heartland Expressway",
)
HIGHWAY_NAMES: Sequence[str] = _listed(
    "Lincoln Highway,National Road,Blue Star Highway,Old Post Road,Military Road,Territorial Road,",
    "Telegraph Road,Stagecoach Road,Canal Road,Great River Road,Ridge Pike,Valley Pike",
    by=",",
)


def ordinal(number: int) -> str:
    """Return a number as in 1st, 2nd, 3rd, 4th ..."""
    if number % 100 in {11, 12, 13}:
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


class NamePool:
    """Supply of distinct names: given ones in random order, then names made up from parts.

    Args:
        rng: all chance.
        names: to begin with.
        share: how many of the names are taken from these while some are left; the others are made
            up from parts.
        kinds: last words of the made-up ones.
    """

    def __init__(
        self,
        rng: Random,
        names: Sequence[str],
        share: float = 1.0,
        kinds: Sequence[str] = LOCAL_KINDS,
    ) -> None:
        self._rng, self._share, self._kinds = rng, share, kinds
        self._names = rng.sample(list(names), len(names))
        self._taken: set[str] = set()

    def take(self) -> str:
        """Return a new name; where names run out, one with a word before it."""
        rng, failed = self._rng, 0
        while True:
            if self._names and (self._share == 1 or rng.random() < self._share):
                name = self._names.pop()
            else:
                name = self._made_up()
            if name and failed > PATIENCE:
                name = f"{rng.choice(BEFORE)} {name}"
            if name and (name not in self._taken or failed > 2 * PATIENCE):
                self._taken.add(name)
                return name
            failed += 1

    def _made_up(self) -> str:
        first, second = self._rng.choice(FIRSTS), self._rng.choice(SECONDS)
        if first == second:
            return ""
        one_word = second in ONE_WORD and len(first) < 6
        name = f"{first}{second.lower()}" if one_word else f"{first} {second}"
        return f"{name} {self._rng.choice(self._kinds)}"


def arterials(rng: Random, neighbours: Sequence[str]) -> NamePool:
    """Return names of a town's main roads, some after the towns that they lead to."""
    names = [f"{name} {rng.choice(('Street', 'Avenue', 'Boulevard'))}" for name in PEOPLE[:36]]
    names += [f"{name} {rng.choice(('Street', 'Avenue'))}" for name in CIVIC[:20]]
    names += [f"{name} {rng.choice(('Road', 'Pike'))}" for name in neighbours]
    names += ["Grand Avenue", "University Avenue", "Broadway", "Lake Shore Road", "Ridge Road"]
    return NamePool(rng, names)


def downtown(rng: Random) -> NamePool:
    """Return names of the streets in a town's middle."""
    names = [f"{name} {rng.choice(('Street', 'Street', 'Avenue'))}" for name in (*TREES, *CIVIC)]
    return NamePool(rng, names)


def suburbs(rng: Random) -> NamePool:
    """Return names of residential streets."""
    names = [f"{name} {rng.choice(('Avenue', 'Street', 'Drive', 'Road'))}" for name in PEOPLE[36:]]
    return NamePool(rng, names, 0.3)


def rural(rng: Random) -> NamePool:
    """Return names of country roads that have no number."""
    names = [f"{name} Road" for name in (*RURAL, *PEOPLE[20:])]
    return NamePool(rng, names, 0.7, ("Road",))
