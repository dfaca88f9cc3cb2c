"""A recipe parsed with care, and how much of its text that accounted for.

Where a step begins something new, as by "meanwhile", nothing but the oven is linked to it; a noun
is an ingredient where the lexicon, a measure or the text's own list vouches for it. The rules were
chosen on the flow-graph corpus: steps that lead nowhere tell of lost links, and some kinds of links
are wrong more often than others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thence.core.procedure import executable
from thence.domains.recipes.goods import as_bought, told, whole
from thence.domains.recipes.lexicon import (
    BOTTLED,
    COOKING,
    EDIBLE,
    KINDS,
    KINDS_OF_FOOD,
    MADE_OF,
    RAW_WITH_CARE,
    STAPLES,
    VERBS,
    Kind,
    head,
    stem,
)
from thence.domains.recipes.linking import Link, Node, link
from thence.domains.recipes.lowering import reachable
from thence.domains.recipes.other_names import DONE_TO
from thence.domains.recipes.parser import Parsed, Phrases, parsed
from thence.domains.recipes.phrases import Clause
from thence.domains.recipes.plainly import plainly
from thence.domains.recipes.poured_off import COOKING_FAT
from thence.domains.recipes.shopping import ShoppingList

LEAST = 0.85  # share of verbs, nouns and passives that must be accounted for
MOST_WRONG = 0.8  # links of a recipe that may be expected to be wrong
MOST_WRONG_SHARE = 0.1  # of its links
FEW_WRONG = 0.3  # links that may be wrong where there are few
_NO_FOOD = frozenset(("foil", "paper", "parchment", "spray", "taste"))
_FOODS = (
    frozenset().union(
        RAW_WITH_CARE, STAPLES, EDIBLE, BOTTLED, MADE_OF, *MADE_OF.values(), KINDS_OF_FOOD,
        *KINDS_OF_FOOD.values(),
    )
    - _NO_FOOD
)  # fmt: skip
_PASSIVE = re.compile(
    r"\b(?:is|are|be|been|being|get|gets)\s+(?:[a-z]+ly\s+|now\s+|then\s+|all\s+)?([a-z]+ed|cut|put|"
    r"beaten|ground|left|made|set|shaken)\b"
)
_ASIDE = re.compile(
    r"\b(?:until|till|when|once|if|while|as|so|that|which|where|unless|because|after|before)\b"
)
_CLAUSE = re.compile(r"[^.;:!?,()]+")
_RESTING = re.compile(r"\b(?:aside|reserve|keep warm|plate|leave to cool|refrigerat|chill|fridge)")
_VESSEL = re.compile(
    r"\b(?:in|into|using|with) (?:a|an|another) (?:[a-z-]+ ){0,3}(?:bowl|pan|saucepan|frypan|"
    r"skillet|wok|pot|jug|blender|processor|dish|casserole|bag)\b"
)
_REST = re.compile(r"\b(?:remaining|remainder|rest of|other half|reserved|another|more)\b")
_DEEDS = COOKING | (DONE_TO - {"store"}) | {
    "spoon", "cut", "slice", "top", "sprinkle", "garnish", "divide", "scatter", "pour", "arrange"
}  # fmt: skip
"""What is done to a dish at the end; "store the rest" and "enjoy the cake" are remarks."""
_WITH_LIST = 0.5  # how often what is doubtful is wrong where a list of ingredients tells more
_WRONG = 0.03  # how often a link of no doubtful kind is wrong; the shares were found on the texts


class Gap(NamedTuple):
    """A place of a recipe that the parser did not account for.

    Attributes:
        step: 0-based.
        reason: what was not accounted for.
        thing: the name of what it is about, if it has one.
    """

    step: int
    reason: str
    thing: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a recipe the parser accounted for.

    Attributes:
        share: of its verbs, nouns and passives.
        wrong: how many of its links may be expected to be wrong.
        links: how many there are.
        gaps: what was not accounted for, or is doubtful, by step.
        doubtful: the links that are of a kind that is often wrong.
    """

    share: float
    wrong: float
    links: int
    gaps: tuple[Gap, ...]
    doubtful: frozenset[Link]

    @property
    def passes(self) -> bool:
        """Whether enough was accounted for, so that the recipe can be used unreviewed."""
        return not self.refusal

    @property
    def refusal(self) -> str:
        """Why a recipe is refused, with the steps; empty where it is not."""
        told = _told([gap for gap in self.gaps if gap.reason != _DOUBTFUL])
        if any(gap.reason in (_LOST, _USED_UP) for gap in self.gaps):
            return told
        if self.share < LEAST:
            return f"{self.share:.0%} of its words are accounted for; {told}"
        if self.wrong > min(MOST_WRONG, max(FEW_WRONG, MOST_WRONG_SHARE * self.links)):
            return _told([gap for gap in self.gaps if gap.reason == _DOUBTFUL])
        return ""


_LOST = "no later step needs what it does"
_USED_UP = "an earlier step seems to have used up what it works with"
_DOUBTFUL = "what it works with is doubtful"
_MOST_TOLD = 6


def _told(gaps: Sequence[Gap]) -> str:
    steps: dict[str, list[str]] = {}
    for gap in gaps[:_MOST_TOLD]:
        named = f" ({gap.thing})" if gap.thing else ""
        steps.setdefault(gap.reason, []).append(f"{gap.step + 1}{named}")
    more = f"; and {len(gaps) - _MOST_TOLD} more" if len(gaps) > _MOST_TOLD else ""
    told = (
        f"step{'s' if len(at) > 1 else ''} {', '.join(dict.fromkeys(at))}: {why}"
        for why, at in steps.items()
    )
    return "; ".join(told) + more


def parse_with_care(
    title: str,
    steps: Sequence[str],
    phrases: Phrases | None = None,
    goods: Collection[str] = (),
) -> tuple[Parsed, Coverage]:
    """Return a recipe parsed with care, and how much of it was accounted for.

    Args:
        title: of the recipe.
        steps: their texts.
        phrases: as for `parse`.
        goods: lines of the text's own list of ingredients.
    """
    plain = [plainly(text) for text in steps]
    words = frozenset[str]().union(*map(told, goods))
    nodes = link(plain, title, careful=True, goods=ShoppingList(goods))
    gaps: list[Gap] = []
    nouns = verbs = passives = 0
    for place, (text, node) in enumerate(zip(plain, nodes, strict=True)):
        node.brings = [name for each in node.brings if (name := whole(each, text, words))]
        told_of = [name for name in node.brings if head(name) != "ingredient"]
        node.brings = told_of or node.brings  # "the dry ingredients, flour and sugar"
        strange = [name for name in node.brings if not _is_food(name, text, words)]
        nouns += len(node.brings) + len(node.takes) + len(node.unplaced)
        node.brings = [as_bought(name, goods) for name in node.brings if name not in strange]
        gaps += [Gap(place, f"'{name}' seems to be no food") for name in strange]
        gaps += [Gap(place, f"nothing before it is '{words}'") for words in node.unplaced]
        unknown = sum(not (part.verb or _is_place(part)) for part in node.said.parts)
        verbs += len(node.said.parts)
        gaps += [Gap(place, "a clause has no verb that is known")] * unknown
        passive = _passives(text)
        passives += len(passive)
        gaps += [Gap(place, f"'{words}' is in the passive") for words in passive]
        if not (node.takes or node.brings or node.lit or node.tools):
            verbs += 1
            gaps.append(Gap(place, "nothing was found in it"))
    found = parsed(title, steps, nodes, phrases, careful=True)
    units = nouns + verbs + passives
    share = 1 - len(gaps) / units if units else 0.0
    gaps += _lost(found, nodes)
    often = _WITH_LIST if goods else 1.0
    doubts = {each: often * _doubt(each, node, plain) for node in nodes for each in node.takes}
    doubtful = frozenset(each for each, doubt in doubts.items() if doubt)
    wrong = sum(doubts[each] or _WRONG for node in nodes for each in node.takes)
    names = (name for trace in found.lowered.traces for name in trace.uses)
    named = dict(zip(found.links, names, strict=True))
    gaps += [Gap(each.to, _DOUBTFUL, named[each]) for each in doubtful]
    links = sum(len(node.takes) for node in nodes)
    gaps = sorted(dict.fromkeys(gaps))
    return found, Coverage(max(0.0, share), wrong, links, tuple(gaps), doubtful)


def _is_place(part: Clause) -> bool:
    """Return whether a clause only tells in what something is done, as "in a large bowl, "."""
    return bool(part.chunks) and all(x.prep and x.kind is Kind.TOOL for x in part.chunks)


def _is_food(name: str, text: str, goods: Collection[str]) -> bool:
    """Return whether something vouches for an ingredient."""
    noun = head(name)
    if noun in _FOODS or noun in goods:
        return True
    words = [word for word in text.lower().partition(name)[0].split()[-2:] if word != "of"]
    measured = words and KINDS.get(words[-1].lstrip("0123456789.½¼¾")) is Kind.MEASURE
    return bool(measured) and stem(noun) not in VERBS


def _passives(text: str) -> list[str]:
    """Return what is told in the passive and is no aside, as in "the eggs are added"."""
    return [
        passive[0]
        for clause in _CLAUSE.finditer(text.lower())
        for passive in _PASSIVE.finditer(clause[0])
        if not _ASIDE.search(clause[0], 0, passive.start())
    ]


def _works(node: Node) -> bool:
    """Return whether a step does something to a thing that it names, and so is no remark."""
    done_to = (x for part in node.said.parts if part.verb in _DEEDS for x in part.objects)
    return any(x.kind in (Kind.NOUN, Kind.PRODUCT) and x.head != "leftover" for x in done_to)


def _lost(found: Parsed, nodes: Sequence[Node]) -> list[Gap]:
    """Return the last of the steps that the dish does not need, of which links were lost.

    Those that only such a step needs are not told: it is its link that was lost. Nor are those that
    only get rid of the fat in a pan. The dish is the result of the last step that has something to
    do with others; remarks behind it, in which nothing was found, do not count.
    """
    traces = found.lowered.traces
    if not executable(traces):
        first = next(k for k in range(len(traces)) if not executable(traces[: k + 1]))
        return [Gap(first, _USED_UP)]
    before = reachable(found.lowered.procedure)
    last = len(traces) - 1
    while last > 0 and not (before[last] or traces[last].brings or _works(nodes[last])):
        last -= 1
    idle = {place for place, node in enumerate(nodes) if _only_takes_fat(node)}
    lost = [place for place in range(last) if not before[last] >> place & 1 and place not in idle]
    needed = {each.source for each in found.links if each.to not in idle}
    return [Gap(place, _LOST) for place in lost if place not in needed]


def _only_takes_fat(node: Node) -> bool:
    """Return whether a step works with nothing but the fat that food left in its pan."""
    spares = {each.spare for each in node.takes}
    return spares == {COOKING_FAT} and not node.brings


def _doubt(each: Link, node: Node, steps: Sequence[str]) -> float:
    """Return how often a link of this kind is wrong; 0 where there is no reason to doubt it."""
    if each.rule == "oven":
        return 0.0
    text, before = steps[each.to].lower(), steps[each.source].lower()
    near, fresh, rule = each.source == each.to - 1, bool(node.brings), each.rule
    kinds = (
        (0.5, node.said.meanwhile),
        (0.2, rule == "guess"),
        (0.12, rule == "pronoun" and fresh),
        (0.32, fresh and _VESSEL.search(text)),
        (0.16, near and (fresh or rule == "tool") and _RESTING.search(before)),
        (0.14, rule == "tool" and fresh),
        (0.27, rule == "unsaid" and not near),
        (0.09, rule == "named" and _REST.search(text)),
        (0.1, rule == "product" and (fresh or near)),
    )
    return next((share for share, held in kinds if held), 0.0)
