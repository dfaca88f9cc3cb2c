"""Names of the results of steps, where a text is read with care."""

from __future__ import annotations

from collections.abc import Sequence

from thence.domains.recipes.lexicon import KINDS, RAW, STAPLES, Kind, head
from thence.domains.recipes.nodes import Node

MIXTURE = "mixture"
_FAT = frozenset(("oil", "butter", "ghee", "lard", "water", "spray", "dripping", "margarine"))
_MINOR = frozenset(("salt", "pepper", "seasoning", "spray"))


def careful_name(node: Node, nodes: Sequence[Node], names: Sequence[str]) -> str:
    """Return the name of what a step leaves: as the text calls it, or a mixture.

    Args:
        node: of the step.
        nodes: of all steps.
        names: of the results of the steps before it.
    """
    if node.product:
        return node.product
    added = [name for name in node.brings if head(name) not in _MINOR]
    foods = [name for name in added if head(name) not in _FAT]
    inside = [
        each
        for each in node.takes
        if each.rule != "oven"
        and not (each.stays and each.rule == "tool")
        and nodes[each.source].kind == "food"
        and not nodes[each.source].medium
    ]
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
    noun = head(name)
    known = KINDS.get(noun)
    return (known is Kind.PRODUCT or known is Kind.WHOLE) and noun not in RAW
