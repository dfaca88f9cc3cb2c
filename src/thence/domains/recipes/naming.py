"""Names of the results of steps, where a text is read with care."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thence.domains.recipes.lexicon import (
    KINDS,
    KINDS_OF_FOOD,
    RAW,
    RAW_WITH_CARE,
    STAPLES,
    Kind,
    head,
    kind_of,
)
from thence.domains.recipes.nodes import Link, Node

MIXTURE = "mixture"
_FAT = frozenset(("oil", "butter", "ghee", "lard", "water", "spray", "dripping", "margarine"))
_MINOR = frozenset(("salt", "pepper", "seasoning", "spray"))


def careful_names(nodes: Sequence[Node]) -> list[str]:
    """Return a name for the result of every step; see `_name`.

    A thing that is only altered keeps its name, also where the text calls it by a better one later:
    that is its name from the beginning. What several things go into is a new one.
    """
    names: list[str] = []
    before: dict[int, int] = {}  # step -> the step whose result it only altered
    for place, node in enumerate(nodes):
        if node.kind == "oven":
            names.append("oven")  # there is one, which is heated again
            continue
        inside = _inside(node, nodes)
        name = _name(node, nodes, names, inside)
        whole = [each.source for each in inside if not each.stays]
        if len(inside) == len(whole) == 1 and not node.product:
            old = names[whole[0]]
            better = name if name != old and node.called == name else _better_name(node, old)
            if name in (old, node.called):
                before[place] = whole[0]
                name = _renamed(names, before, place, old, better, nodes)
        taken = {names[each.source] for each in node.takes if not each.stays}
        if name in names and (name not in taken or len(inside) > 1):
            name = f"{name} of step {place + 1}"
        fresh = name.startswith(MIXTURE) and place not in before
        if fresh and node.called_later and node.called_later not in names:
            name = node.called_later
        names.append(name)
    return names


def _better_name(node: Node, old: str) -> str:
    """Return what a later step calls a mixture; empty for nothing better."""
    return node.called_later if old.startswith(MIXTURE) else ""


def _renamed(
    names: list[str],
    before: Mapping[int, int],
    place: int,
    old: str,
    new: str,
    nodes: Sequence[Node],
) -> str:
    """Give a thing its better name in all steps so far; return the name that it has then."""
    if not new or new == old or new in names:
        return old
    if _made(old) and not old.startswith(MIXTURE):
        return new  # a batter that was baked is a cake
    if head(new) in KINDS_OF_FOOD:
        return old  # "the meat", of beef
    made = kind_of(new.rpartition(" ")[2]) in (Kind.PRODUCT, Kind.WHOLE)
    if not (made or head(new) in RAW_WITH_CARE):
        return new  # "serve your guests" tells nothing of the steps before
    steps = [place]
    while steps[-1] in before:
        steps.append(before[steps[-1]])
    if any(head(each) == head(new) for step in steps[:-1] for each in nodes[step].brings):
        return new  # the chicken, taken out of what it was added to
    for step in steps[1:]:
        names[step] = new
    return new


def _inside(node: Node, nodes: Sequence[Node]) -> list[Link]:
    """Return the links of a step to food that is in its result."""
    return [
        each
        for each in node.takes
        if each.rule != "oven"
        and not (each.stays and each.rule == "tool")
        and nodes[each.source].kind == "food"
        and not nodes[each.source].medium
    ]


def _name(node: Node, nodes: Sequence[Node], names: Sequence[str], inside: Sequence[Link]) -> str:
    """Return the name of what a step leaves: as the text calls it, or a mixture.

    Args:
        node: of the step.
        nodes: of all steps.
        names: of the results of the steps before it.
        inside: its links to food that is in its result.
    """
    if node.product:
        return node.product
    added = [name for name in node.brings if head(name) not in _MINOR]
    foods = [name for name in added if head(name) not in _FAT]
    if len(inside) > 1:
        return MIXTURE  # also where only a part of one goes into the other
    whole = [names[each.source] for each in inside if not each.stays]
    into_fat = any(nodes[each.source].medium for each in node.takes)
    if node.called and not added:
        name = node.called
    elif len(whole) == 1 and (not foods or _made(whole[0])):
        name = whole[0]
    elif whole or len(foods) > 1 or ((into_fat or len(added) > 1) and _of_staples(foods)):
        name = MIXTURE
    elif node.brings:
        name = (foods or node.brings)[0]
    elif inside and inside[0].spare:
        name = inside[0].spare  # the fat that food left in its pan
    elif inside:
        name = names[inside[0].source]  # some of it, as a ladle of batter
    else:
        taken = [names[each.source] for each in node.takes if each.rule != "oven"]
        name = taken[0] if len(taken) == 1 else next(iter(sorted(node.tools)), "step")
    return name


def _of_staples(foods: Sequence[str]) -> bool:
    """Return whether there are only such foods as sugar, which are mixed with fat or water."""
    return bool(foods) and all(head(name) in STAPLES for name in foods)


def _made(name: str) -> bool:
    """Return whether a name is that of something made, which stays when more is added."""
    noun = head(name.partition(" of step ")[0])
    known = KINDS.get(noun)
    return (known is Kind.PRODUCT or known is Kind.WHOLE) and noun not in RAW
