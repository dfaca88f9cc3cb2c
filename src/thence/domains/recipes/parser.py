"""From the free text of a recipe to facts, each with how sure the rules are of it.

The rules need no trained model: closed classes of words, the clauses that they bound, and a memory
of what every step left. `link` finds what works with what; here it becomes facts and an order.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from thence.core.procedure import executable
from thence.domains.recipes.clauses import tokens
from thence.domains.recipes.form import Recipe
from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lexicon import MOST_WORDS, stem
from thence.domains.recipes.linking import Link, Node, link
from thence.domains.recipes.lowering import Act, Lowered, Trace, assemble
from thence.domains.recipes.saying import DISCARDING, DROPPING, said
from thence.errors import MissingExtra, UsageError

MAKING = 0.85  # how often a thing that a step seems to make is one, measured on the cookbook
BRINGING = 0.8  # the same for an ingredient that seems to come in
UNPLACED = 0.5  # where something definite has no antecedent
_SPLIT = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"[^\W\d_]+")


class Fact(NamedTuple):
    """Something that the parser found.

    Attributes:
        step: 0-based.
        what: ``uses``, ``defines`` or ``brings``.
        name: of the thing or ingredient.
        sure: between 0 and 1.
        rule: why, in a word.
    """

    step: int
    what: str
    name: str
    sure: float
    rule: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A recipe read from free text.

    Attributes:
        lowered: its facts and order.
        unplaced: step and words of definite things that nothing before explains.
        links: what step works with what earlier step left.
    """

    lowered: Lowered
    unplaced: tuple[tuple[int, str], ...]
    links: tuple[Link, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What was found, one by one, with how sure each is."""
        facts: list[Fact] = []
        links = iter(self.links)
        for place, trace in enumerate(self.lowered.traces):
            for name in trace.uses:
                link = next(links)
                facts.append(Fact(place, "uses", name, link.sure, link.rule))
            facts += [Fact(place, "defines", name, MAKING, "made") for name in trace.defines]
            facts += [Fact(place, "brings", name, BRINGING, "new") for name in trace.brings]
        return tuple(facts)

    @property
    def sure(self) -> float:
        """How sure the least sure link is; a thing that cannot be placed counts as one half."""
        least = min((each.sure for each in self.links), default=1.0)
        return min(least, UNPLACED) if self.unplaced else least

    def to_json(self) -> dict[str, Any]:
        """What was found, step by step, with how sure each is of it; step numbers from 1."""
        steps, facts = [], self.facts
        for place, trace in enumerate(self.lowered.traces):
            found = [fact for fact in facts if fact.step == place]
            uses = [fact for fact in found if fact.what == "uses"]
            links = [each for each in self.links if each.to == place]
            steps.append({
                "text": trace.text,
                "uses": [
                    {"name": fact.name, "of_step": link.source + 1, "sure": fact.sure,
                     "rule": fact.rule}
                    for fact, link in zip(uses, links, strict=True)
                ],
                **{
                    what: [{"name": x.name, "sure": x.sure} for x in found if x.what == what]
                    for what in ("brings", "defines")
                },
                "unplaced": [words for step, words in self.unplaced if step == place],
            })  # fmt: skip
        order = [[i + 1, j + 1] for i, j in self.lowered.procedure.order]
        return {"title": self.lowered.recipe.title, "sure": self.sure, "steps": steps,
                "order": order}  # fmt: skip


Phrases = Callable[[str], Sequence[str]]


def parse(title: str, steps: Sequence[str], phrases: Phrases | None = None) -> Parsed:
    """Reads the steps of a recipe.

    Args:
        title: what it makes.
        steps: their texts.
        phrases: a function that gives the noun phrases of a text, such as `spacy_phrases` makes
            from a trained pipeline; by it ingredients are named. None for the rules alone.
    """
    nodes, traces = _read(title, steps, phrases)
    recipe = Recipe(title, "", "", ())
    return Parsed(
        assemble(recipe, traces),
        _unplaced(nodes),
        tuple([each for node in nodes for each in node.takes]),
    )


def sureness(title: str, steps: Sequence[str], phrases: Phrases | None = None) -> float:
    """How sure the parser is of a recipe whose steps can be carried out: `Parsed.sure`.

    A recipe whose steps cannot be carried out by what was found is no surer than `UNPLACED`.
    """
    nodes, traces = _read(title, steps, phrases)
    least = min((each.sure for node in nodes for each in node.takes), default=1.0)
    if any(node.unplaced for node in nodes) or not executable(traces):
        return min(least, UNPLACED)
    return least


def _read(
    title: str, steps: Sequence[str], phrases: Phrases | None
) -> tuple[list[Node], tuple[Trace, ...]]:
    nodes = link(steps, title)
    if phrases is not None:
        _rename(nodes, [phrases(text) for text in steps])
    return nodes, _traces(steps, nodes, _names(nodes))


def _unplaced(nodes: Sequence[Node]) -> tuple[tuple[int, str], ...]:
    return tuple([(place, words) for place, node in enumerate(nodes) for words in node.unplaced])


def steps_of(text: str) -> list[str]:
    """The sentences of a running text, where nobody has numbered its steps."""
    return [part.strip() for part in _SPLIT.split(text) if part.strip()]


def load_phrases(name: str) -> Phrases:
    """Noun phrases by a spaCy pipeline that the user has installed, such as ``en_core_web_sm``.

    Raises:
        MissingExtra: spaCy is not installed.
        UsageError: that pipeline is not installed, or it finds no noun phrases.
    """
    try:
        spacy = importlib.import_module("spacy")
    except ImportError as error:
        raise MissingExtra(f"naming noun phrases by {name}", "spacy") from error
    try:
        pipeline = spacy.load(name)
    except OSError as error:
        raise UsageError(
            f"spaCy has no pipeline '{name}': python -m spacy download {name}"
        ) from error
    if not pipeline.has_pipe("parser"):
        raise UsageError(f"spaCy's pipeline '{name}' has no parser, which noun phrases need")
    return spacy_phrases(pipeline)


def spacy_phrases(pipeline: object) -> Phrases:
    """Noun phrases by a trained spaCy pipeline that the user has loaded.

    Args:
        pipeline: what ``spacy.load`` gives, with a parser for ``noun_chunks``.
    """

    def phrases(text: str) -> Sequence[str]:
        return [chunk.text.lower() for chunk in pipeline(text).noun_chunks]  # type: ignore[operator]

    return phrases


def _rename(nodes: Sequence[Node], found: Sequence[Sequence[str]]) -> None:
    """Ingredients as a trained pipeline bounds them, where it has a phrase for one of ours."""
    for node, phrases in zip(nodes, found, strict=True):
        for place, name in enumerate(node.brings):
            head = name.split()[-1]
            longer = [phrase for phrase in phrases if head in phrase.split()]
            if longer:
                words = [word for word in _WORD.findall(longer[0]) if len(word) > 2]
                node.brings[place] = " ".join(words) or name


def _names(nodes: Sequence[Node]) -> list[str]:
    """A name for what every step leaves; altered things keep theirs."""
    names: list[str] = []
    alive: set[str] = set()
    for place, node in enumerate(nodes):
        taken = [names[each.source] for each in node.takes if not each.stays]
        alive.difference_update(taken)
        whole = [each for each in node.takes if nodes[each.source].kind != "oven"]
        if node.kind == "oven":
            name = "oven"
        elif node.product:
            name = node.product
        elif len(whole) == 1 and not whole[0].stays:
            name = names[whole[0].source]
        elif len(whole) > 1:
            name = "mixture"
        elif node.brings:
            name = node.brings[0]
        else:
            name = next(iter(sorted(node.tools)), "step")
        if name in alive or (name in names and name not in taken):
            name = f"{name} of step {place + 1}"
        alive.add(name)
        names.append(name)
    return names


def _traces(steps: Sequence[str], nodes: Sequence[Node], names: Sequence[str]) -> tuple[Trace, ...]:
    holds: dict[str, tuple[str, ...]] = {}
    traces: list[Trace] = []
    for text, node, made in zip(steps, nodes, names, strict=True):
        uses: list[str] = []
        gone: list[str] = []
        inside: list[tuple[str, ...]] = []
        for each in node.takes:
            name = names[each.source]
            uses.append(name)
            if name in holds:
                inside.append(holds[name])
            if not each.stays:
                gone.append(name)
        carried = inside[0] if len(inside) == 1 else tuple(dict.fromkeys(chain(*inside)))
        brings = list(dict.fromkeys(node.brings)) if node.brings else []
        if brings and carried:
            heads = set(map(head, carried))
            brings = [x for x in brings if head(x) not in heads]
        drops = _dropped(text, carried) if node.said.drops and carried else []
        for name in gone:
            holds.pop(name, None)
        held = () if node.kind == "oven" else (*carried, *brings) if brings else carried
        if drops:
            held = tuple([x for x in held if x not in drops])
        holds[made] = held
        kills = gone if made not in gone else [name for name in gone if name != made]
        heats = node.said.cooks
        act = Act(uses, gone, tuple(brings), {made: held}, (), heats)
        traces.append(
            Trace(text, uses, [made], kills, carried, brings, drops, holds.copy(), {}, heats, [],
                  [act])
        )  # fmt: skip
    return tuple(traces)


@lru_cache(MOST_WORDS)
def head(name: str) -> str:
    """The noun of an ingredient's name, without its plural."""
    return stem(name.rpartition(" ")[2])


def _dropped(text: str, carried: Collection[str]) -> list[str]:
    """Ingredients that a step with a word for it throws away, such as a bay leaf."""
    words = tokens(text)
    verb = next(k for k, word in enumerate(words) if word in DROPPING)
    near = {stem(word) for word in words[verb + 1 : verb + 6]}
    if DISCARDING.isdisjoint(words) and "leaf" not in near and "leave" not in near:
        return []
    return [x for x in carried if head(x) in near and hazard(x) is None]


def cooks(text: str) -> bool:
    """Whether a step seems to cook its food through."""
    return said(text).cooks
