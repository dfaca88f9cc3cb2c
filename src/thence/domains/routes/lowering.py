"""A route as a procedure: the place that a step ends at, and the roads that the driver is on.

Facts are ``place K``, where step K (from 1) ends, and ``on ROAD``. A step uses the place that the
step before it ends at. It uses a road that it makes the driver go on along, defines one that it
leads onto and kills one that it leaves. A name is taken without a direction at its end, so that
``I 93`` and ``I 93 South`` are one road; names between slashes all hold.

Where a sentence leaves open what becomes of a road (an unnamed turn; ``stay on A`` for a driver who
was on A and B), the road is *unclear* there, and sound questions keep off it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thence.core.procedure import Procedure, Step
from thence.domains.routes.reading import Sentence, plain, read

_LEAVES = ("Take exit", "Take the exit")


@dataclass(frozen=True, slots=True)
class LoweredRoute:
    """Procedure of a route, with the facts that its text leaves open.

    Attributes:
        procedure: steps in a total order.
        sentences: its steps, read.
        unclear: for each step the facts that its text leaves open.
        held: for each step the facts about roads that hold after it.
    """

    procedure: Procedure
    sentences: tuple[Sentence, ...]
    unclear: tuple[frozenset[str], ...]
    held: tuple[frozenset[str], ...]

    def clear(self, fact: str, after: int, before: int) -> bool:
        """Return whether the steps between two settle a fact, until the road is left for good."""
        for number in range(after + 1, before):
            if fact in self.unclear[number]:
                return False
            if fact not in self.held[number]:
                return True
        return True


def lower(
    goal: str,
    texts: Sequence[str],
    roads: Sequence[Sequence[str]] | None = None,
) -> LoweredRoute:
    """Return the procedure of a route.

    Args:
        goal: its goal.
        texts: its steps.
        roads: for each step the names that the road bears all along the stretch after it, where
            the router is there to ask; a name of the text that is not among them lapses somewhere
            on the way, which makes it unclear.
    """
    steps, unclear, held = [], [], []
    here: dict[str, None] = {}
    sentences = tuple(read(text) for text in texts)
    for number, sentence in enumerate(sentences):
        place = (f"place {number}",) if number else ()
        goes_on = sentence.text.startswith("Continue for")
        uses, kills, defines, open_ = _effects(sentence, here, goes_on=goes_on)
        steps.append(
            Step(
                sentence.text,
                (*place, *uses),
                (f"place {number + 1}", *defines),
                (*place, *kills),
                sentence.seconds,
            )
        )
        if roads is not None and sentence.roads:
            open_ += [fact for fact in facts(sentence.roads) if fact not in facts(roads[number])]
        for fact in kills:
            here.pop(fact, None)
        here.update(dict.fromkeys(defines))
        unclear.append(frozenset(open_))
        held.append(frozenset(here))
    return LoweredRoute(Procedure.total(goal, steps), sentences, tuple(unclear), tuple(held))


def _effects(
    sentence: Sentence, here: dict[str, None], *, goes_on: bool
) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return the facts that a step uses, kills, defines and leaves open."""
    if sentence.roads is None:
        return (list(here) if goes_on else []), [], [], []
    named = facts(sentence.roads)
    passed = [fact for fact in facts(sentence.passed) if fact not in named]
    kept = [fact for fact in named if fact in here]
    gone = [fact for fact in here if fact not in named]
    new = [fact for fact in named if fact not in here]
    unnamed = not named and not sentence.text.startswith(_LEAVES)
    open_ = [*passed, *(gone if kept or unnamed else ())]
    return kept, gone, new, open_


def facts(names: Sequence[str]) -> list[str]:
    """Return the facts of being on a road, one for each of its names."""
    return list(dict.fromkeys(f"on {plain(name)}" for name in names))
