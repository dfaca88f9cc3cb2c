"""Jobs of an order sheet: what a step needs, makes true and ends, and its sentence.

A *thing* (a crate, a key, a trailer) is in a vehicle or at a place. A *hold* of a vehicle (a tank,
a job list, a ticket) or of a place (a cistern, a board) is full or not. A gate at a place is open
or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

CRATES: Sequence[str] = ("the red crate", "the blue crate", "the green crate")
KEY, TRAILER = "the key", "the trailer"
FRONT, REAR, LIST, TICKET = "front tank", "rear tank", "job list", "day ticket"
CISTERN, BOARD, GATE = "cistern", "board", "gate"
TANKS = (FRONT, REAR)


@dataclass(frozen=True, slots=True)
class Job:
    """Task that a vehicle does at a stop.

    Attributes:
        kind: such as ``load``.
        text: the sentence.
        uses: facts that it needs.
        defines: facts that it makes true.
        kills: facts that it ends.
        cleans: whether it lets nothing bad through.
    """

    kind: str
    text: str
    uses: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    kills: tuple[str, ...] = ()
    cleans: bool = False


def repeats(last: Job, job: Job) -> bool:
    """Return whether a job takes the last one back, or does the same work once more.

    It passes back what that passed on, opens the gate that it closed, or washes another sign.
    Whether anything has needed it since, and where that was, is not looked at.
    """
    if last.uses and last.uses == job.defines and last.defines == job.uses:
        return True
    if any(GATE in fact for fact in {*last.kills}.intersection(job.defines)):
        return True
    return job.text.startswith("Wash") and last.text.startswith("Wash")


def aboard(thing: str, vehicle: str) -> str:
    """Return the fact that a thing is with a vehicle."""
    return f"{thing} is {'behind' if thing == TRAILER else 'in'} the {vehicle}"


def lies(thing: str, place: str) -> str:
    """Return the fact that a thing is at a place."""
    return f"{thing} is at {place}"


def held(hold: str, vehicle: str) -> str:
    """Return the fact that a vehicle's tank is filled, or that it has a list or a ticket."""
    if hold in TANKS:
        return f"the {hold} of the {vehicle} holds water"
    return f"the {vehicle} has a {hold}"


def kept(hold: str, place: str) -> str:
    """Return the fact that a place's cistern, board or gate is in use."""
    state = {CISTERN: "holds water", BOARD: "shows a job list", GATE: "is open"}[hold]
    return f"the {hold} at {place} {state}"


def on(road: str, vehicle: str) -> str:
    """Return the fact that a vehicle is on a road."""
    return f"the {vehicle} is on {road}"


def of_thing(thing: str, vehicle: str, place: str) -> Iterator[Job]:
    """Yield the jobs with a thing at a place."""
    here, inside = lies(thing, place), aboard(thing, vehicle)
    if thing == TRAILER:
        yield Job("load", "Hitch the trailer.", (here,), (inside,), (here,))
        yield Job("unload", "Leave the trailer here.", (inside,), (here,), (inside,))
        yield Job("use", "Put sand on the trailer.", (inside,))
    elif thing == KEY:
        yield Job("load", "Pick up the key.", (here,), (inside,), (here,))
        yield Job("unload", "Leave the key here.", (inside,), (here,), (inside,))
        yield Job("use", "Unlock the tool chest with the key.", (inside,))
    else:
        yield Job("load", f"Load {thing}.", (here,), (inside,), (here,))
        yield Job("unload", f"Unload {thing}.", (inside,), (here,), (inside,))
        yield Job("use", f"Weigh {thing}.", (inside,))


def of_tank(tank: str, other: str | None, vehicle: str, place: str | None) -> Iterator[Job]:
    """Yield the jobs with a tank: anywhere, with another tank, and with the cistern of a place."""
    own = held(tank, vehicle)
    yield Job("fresh", f"Fill the {tank} at the hydrant.", (), (own,))
    yield Job("use", f"Wash a road sign with water from the {tank}.", (own,))
    text = f"Pour all the water from the {tank} onto the trees."
    yield Job("spend", text, (own,), (), (own,))
    yield Job("drop", f"Open the drain of the {tank}.", (), (), (own,))
    if other is not None:
        there = held(other, vehicle)
        yield Job("pass", f"Pump water from the {tank} into the {other}.", (own,), (there,))
        text = f"Filter water from the {tank} into the {other}."
        yield Job("clean", text, (own,), (there,), cleans=True)
    if place is not None:
        kept_ = kept(CISTERN, place)
        yield Job("take", f"Fill the {tank} from the cistern.", (kept_,), (own,))
        yield Job("give", f"Pump water from the {tank} into the cistern.", (own,), (kept_,))
        text = f"Filter water from the {tank} into the cistern."
        yield Job("clean", text, (own,), (kept_,), cleans=True)


def of_list(vehicle: str, place: str | None) -> Iterator[Job]:
    """Yield the jobs with a job list: anywhere, and with the board of a place."""
    own = held(LIST, vehicle)
    yield Job("fresh", "Take down a new job list by phone.", (), (own,))
    yield Job("use", "Read the job list out by radio.", (own,))
    yield Job("drop", "Throw the job list away, if there is one.", (), (), (own,))
    text = "Check the job list by phone and correct it."
    yield Job("clean", text, (own,), (own,), cleans=True)
    if place is not None:
        shown = kept(BOARD, place)
        yield Job("take", "Copy the job list from the board.", (shown,), (own,))
        yield Job("give", "Copy the job list onto the board.", (own,), (shown,))


def of_ticket(vehicle: str) -> Iterator[Job]:
    """Yield the jobs with a day ticket."""
    own = held(TICKET, vehicle)
    yield Job("fresh", "Buy a day ticket.", (), (own,))
    yield Job("use", "Show the day ticket.", (own,))
    yield Job("spend", "Hand in the day ticket.", (own,), (), (own,))


def of_place(hold: str, place: str) -> Iterator[Job]:
    """Yield the jobs with the gate, the cistern or the board of a place alone."""
    fact = kept(hold, place)
    if hold == GATE:
        yield Job("open", "Open the gate.", (), (fact,))
        yield Job("use", "Deliver a letter behind the gate.", (fact,))
        yield Job("drop", "Close the gate.", (), (), (fact,))
    elif hold == CISTERN:
        yield Job("use", "Measure the water in the cistern.", (fact,))
        yield Job("drop", "Open the drain of the cistern.", (), (), (fact,))
    else:
        yield Job("use", "Take a photo of the job list on the board.", (fact,))
        yield Job("drop", "Wipe the board.", (), (), (fact,))


def of_road(road: str, vehicle: str) -> Job:
    """Return the job that needs a vehicle to be on a road."""
    return Job("use", f"Empty the bins on {road}.", (on(road, vehicle),))
