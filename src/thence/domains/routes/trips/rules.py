"""Rules of a trip: sentences on what its kinds of steps need and do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

RULES: Mapping[str, str] = {  # a pattern of the sentences of a kind of step -> its rule
    "Load ": (
        "Loading a thing needs it to be at the place where the vehicle is. It is then in the "
        "vehicle and no longer at the place."
    ),
    "Unload ": (
        "Unloading a thing needs it to be in the vehicle. It is then at the place where the "
        "vehicle is and no longer in the vehicle."
    ),
    "Hitch the trailer": (
        "Hitching the trailer needs it to be at the place where the vehicle is. It is then "
        "behind the vehicle and no longer at the place."
    ),
    "Leave the trailer": (
        "Leaving the trailer needs it to be behind the vehicle. It is then at the place where "
        "the vehicle is and no longer behind the vehicle."
    ),
    "Pick up the key": (
        "Picking up the key needs it to be at the place where the vehicle is. It is then in the "
        "vehicle and no longer at the place."
    ),
    "Leave the key": (
        "Leaving the key needs it to be in the vehicle. It is then at the place where the vehicle "
        "is and no longer in the vehicle."
    ),
    "Load |Unload |Hitch the trailer|Pick up the key|Leave the (?:trailer|key)": (
        "A step that moves a thing changes nothing else about where that thing is: what else was "
        "true of it stays true. If it already was where the step puts it, this counts as making "
        "it true anew."
    ),
    "Weigh ": ("Weighing a thing needs it to be in the vehicle."),
    "Unlock ": ("Unlocking the tool chest needs the key to be in the vehicle."),
    "Put sand": ("Putting sand on the trailer needs the trailer to be behind the vehicle."),
    r"\btank\b": "Each vehicle has a front tank and a rear tank of its own.",
    "at the hydrant": (
        "Filling a tank at a hydrant needs nothing. The tank then holds water; if it already did, "
        "this counts as making it true anew."
    ),
    "from the cistern": (
        "Filling a tank from a cistern needs the cistern of the place to hold water and does not "
        "change that. The tank then holds water; if it already did, this counts as making it true "
        "anew."
    ),
    "into the cistern": (
        "Pumping water from a tank into a cistern needs the tank to hold water and does not "
        "change that. The cistern of the place then holds water; if it already did, this counts "
        "as making it true anew."
    ),
    " tank into the (?!cistern)": (
        "Pumping water from one tank into the other needs the first to hold water and does not "
        "change that. The other then holds water; if it already did, this counts as making it "
        "true anew."
    ),
    "Filter water": (
        "Filtering water into a tank or a cistern needs the same as pumping it, and makes the same "
        "true."
    ),
    "Wash a road sign": (
        "Washing a road sign needs the tank to hold water and does not change that."
    ),
    "Pour all the water": (
        "Pouring out all the water of a tank needs it to hold water; it then holds water no longer."
    ),
    "Open the drain": (
        "Opening the drain of a tank or a cistern needs nothing, and it then holds water no longer."
    ),
    "Measure the water": (
        "Measuring the water in a cistern needs the cistern of the place to hold water."
    ),
    "Take down a new job list": (
        "Taking down a new job list by phone needs nothing. The vehicle then has a job list; if "
        "it already had one, this counts as making it true anew."
    ),
    "Read the job list": ("Reading a job list out by radio needs the vehicle to have one."),
    "from the board": (
        "Copying a job list from a board needs the board of the place to show one and does not "
        "change that. The vehicle then has a job list; if it already had one, this counts as "
        "making it true anew."
    ),
    "onto the board": (
        "Copying a job list onto a board needs the vehicle to have one and does not change that. "
        "The board of the place then shows a job list; if it already did, this counts as making it "
        "true anew."
    ),
    "Check the job list": (
        "Checking and correcting a job list needs the vehicle to have one, and makes it true anew "
        "that the vehicle has a job list."
    ),
    "Throw the job list": (
        "Throwing a job list away needs nothing, and the vehicle then has none."
    ),
    "Take a photo": (
        "Taking a photo of a job list on a board needs the board of the place to show one."
    ),
    "Wipe the board": (
        "Wiping a board needs nothing, and the board of the place then shows no job list."
    ),
    "Buy a day ticket": (
        "Buying a day ticket needs nothing. The vehicle then has a day ticket; if it already had "
        "one, this counts as making it true anew."
    ),
    "Show the day ticket": ("Showing a day ticket needs the vehicle to have one."),
    "Hand in the day ticket": (
        "Handing in a day ticket needs the vehicle to have one, and it then has none."
    ),
    "Open the gate": (
        "Opening a gate needs nothing. The gate of the place is then open; if it already was, this "
        "counts as making it true anew."
    ),
    "Deliver a letter": (
        "Delivering a letter behind a gate needs the gate of the place to be open."
    ),
    "Close the gate": ("Closing a gate needs nothing, and the gate of the place is then not open."),
    "Empty the bins": ("Emptying the bins on a road needs the vehicle to be on that road."),
}

ROADS: Mapping[str, str] = {  # likewise, where facts tell which road a vehicle is on
    "": (
        'A driving step that leads onto a named road (its name follows "on" or "onto") makes '
        "it true that the vehicle is on that road; if it already was, this counts as making it "
        "true anew. Such a step ends its being on any other road, and a driving step that names "
        "no road ends its being on any road."
    ),
    "roundabout": "The exit of a roundabout counts like a turn.",
    "/": (
        "Names joined by a slash are names of one stretch of road: a vehicle there is on the road "
        "of each of these names, and on no other."
    ),
    r" (?:North|South|East|West)(?=[./]| toward)": (
        "A compass direction at the end of a name does not make it another road."
    ),
}
NOTHING = (
    "Other steps need nothing and change nothing: starting, arriving, waiting, and "
    "telling which steps to take."
)
DISPATCH = (
    "Other steps need nothing and change nothing: starting, arriving, waiting, telling which steps "
    "to take, and all that the dispatcher does."
)


def rules(texts: Sequence[str], *, roads: bool) -> list[str]:
    """Return the rules of the kinds of steps that occur, and of the others together.

    Args:
        texts: the sentences of the steps.
        roads: whether facts tell which road a vehicle is on.
    """
    every = "\n".join(texts)
    found = [rule for part, rule in RULES.items() if re.search(part, every)]
    nothing = DISPATCH if "Dispatcher: " in every else NOTHING
    if roads:
        told = [rule for part, rule in ROADS.items() if re.search(part, every)]
        return [*found, " ".join(told), nothing]
    return [*found, nothing.replace("starting,", "driving, starting,")]
