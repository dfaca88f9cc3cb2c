"""Comparison of published recipe answers with the sound definitions, with counterexamples.

The parser reads the recipe's text; entities are followed through mixtures. A verdict depends on the
parser's links, so it is only as good as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lexicon import stem
from thence.domains.recipes.linking import Node, link
from thence.domains.recipes.parser import cooks
from thence.families.fable.recipes import published as rules
from thence.families.fable.shared.domain import Checked

_TOOLS = frozenset(
    ["oven", "grill", "broiler", "skillet", "saucepan", "pan", "pot", "mixer", "bowl", "dish"]
)


class _Read:
    """A recipe as the parser reads it, for one question."""

    def __init__(self, asked: rules.Asked) -> None:
        self.asked = asked
        self.nodes: Sequence[Node] = link(asked.steps, asked.goal)
        self.head = stem(asked.entity.lower().split()[-1]) if asked.entity else ""
        self.next: list[list[int]] = [[] for _ in self.nodes]
        for place, node in enumerate(self.nodes):
            for each in node.takes:
                self.next[each.source].append(place)

    def chain(self, i: int, j: int) -> list[int] | None:
        """Return steps from i to j, each a user of the previous one's result; None for none."""
        came: dict[int, int] = {i: i}
        queue = [i]
        for place in queue:
            for after in self.next[place]:
                if after not in came:
                    came[after] = place
                    queue.append(after)
        if j not in came or i == j:
            return None
        path = [j]
        while path[-1] != i:
            path.append(came[path[-1]])
        return path[::-1]

    def users(self, i: int) -> list[list[int]]:
        """Return the chains from the state after step i to each later step that uses it."""
        start = self.holder(i)
        chains = (
            [] if start is None else [self.chain(start, j) for j in range(i + 1, len(self.nodes))]
        )
        return [each for each in chains if each is not None]

    def holder(self, i: int) -> int | None:
        """Return the latest step up to i whose result holds the entity or is it."""
        for place in range(i, -1, -1):
            node = self.nodes[place]
            if self.head in node.own or self.head in node.tools:
                return place
            if node.kind == "oven" and self.head == "oven":
                return place
        for place in range(i, -1, -1):
            if self.head in self.nodes[place].holds:
                return place
        return None

    def named_later(self, i: int) -> bool:
        """Return whether a later step names a tool, which is a use even without a link."""
        asked = self.asked
        return self.head in _TOOLS and rules.mentions(asked.entity, asked.steps[i + 1 :]) > 0


def _shown(chain: Sequence[int]) -> str:
    return ", ".join(f"step {step + 1}" for step in chain)


def _reaching(read: _Read, published: str | None) -> tuple[str, str, str]:
    i, j = read.asked.i, read.asked.j or 0
    if read.head in _TOOLS and rules.mentions(read.asked.entity, [read.asked.steps[j]]):
        return "Yes", "", ""
    chain = read.chain(i, j)
    if chain is not None:
        return "Yes", "", ""
    return "No", f"nothing that step {i + 1} leaves goes into step {j + 1}", "does not flow there"


def _available(read: _Read, published: str | None) -> tuple[str, str, str]:
    i, j = read.asked.i, read.asked.j or 0
    if j <= i or (read.chain(i, j) is None and not _waits(read, i, j)):
        return (
            "No",
            (f"no step makes step {j + 1} wait for step {i + 1}, so it may come before"),
            "not in every order",
        )
    return "Yes", "", ""


def _waits(read: _Read, i: int, j: int) -> bool:
    """Return whether the question involves tools, whose end no text states."""
    return read.head in _TOOLS and read.head != "oven"


def _live(read: _Read, published: str | None) -> tuple[str, str, str]:
    i, entity = read.asked.i, read.asked.entity
    chains = read.users(i)
    if chains or read.named_later(i):
        named = rules.mentions(entity, read.asked.steps[i + 1 :]) > 0
        if not chains:
            return "Yes", f"a later step names the {entity}", "used once"
        what = f"the {entity}" if named else f"what holds the {entity}"
        kind = "used once" if named else "needed inside a mixture"
        return "Yes", f"step {chains[0][-1] + 1} works with {what} (from {_shown(chains[0])})", kind
    return "No", f"no later step works with the {entity} or with what holds it", "only its word"


def _type_state(read: _Read, published: str | None) -> tuple[str, str, str]:
    i, j = read.asked.i, read.asked.j or 0
    if read.chain(i, j) is not None:
        return "No", "", ""
    return "Yes", f"step {j + 1} works with nothing that step {i + 1} leaves", "independent"


def _concurrency(read: _Read, published: str | None) -> tuple[str, str, str]:
    i, j = read.asked.i, read.asked.j or 0
    if read.chain(i, j) is not None or read.chain(j, i) is not None or i == j:
        return "No", "", ""
    return (
        "Yes",
        f"neither step {i + 1} nor step {j + 1} works with what the other leaves",
        ("independent"),
    )


def _taint(read: _Read, published: str | None) -> tuple[str, str, str]:
    asked = read.asked
    if hazard(asked.entity.lower()) is None:
        return "No", f"{asked.entity} is safe as it is", "harmless"
    for k in range(asked.i, len(asked.steps)):
        follows = k == asked.i or read.chain(asked.i, k) is not None
        if follows and cooks(asked.steps[k]):
            return "No", f"step {k + 1} cooks what holds the {asked.entity} through", "cooked later"
    return "Yes", "", ""


def _as_published(read: _Read, published: str | None) -> tuple[str, str, str]:
    return published or "", "", ""


_JUDGES: dict[str, Callable[[_Read, str | None], tuple[str, str, str]]] = {
    "reaching_definitions": _reaching,
    "available_expressions": _available,
    "live_variables": _live,
    "very_busy_expressions": _live,
    "type_state": _type_state,
    "concurrency": _concurrency,
    "taint": _taint,
    "intervals": _as_published,
}


def judge(
    name: str,
    group: str,
    analysis: str,
    asked: rules.Asked,
    published: str,
    computed: str | None,
    prompt: str,
) -> Checked:
    """Return the comparison of a published answer with the sound one."""
    read = _Read(asked)
    lacks = ""
    if read.head and analysis not in ("concurrency", "intervals"):
        here = [asked.steps[asked.i]] if analysis != "live_variables" else asked.steps
        lacks = "" if rules.mentions(asked.entity, here) else asked.entity
    if analysis == "intervals":
        agrees = rules.same(analysis, published, computed) or not published
        shown = published if agrees else computed
        return Checked(name, group, published, shown, question=prompt)
    answer, why, kind = _JUDGES[analysis](read, computed)
    if answer == published:
        return Checked(name, group, published, answer, question=prompt, not_in_text=lacks)
    return Checked(name, group, published, answer, why, kind, prompt, lacks)
