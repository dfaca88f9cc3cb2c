"""Parser of a recipe's free text to facts, each with a confidence.

The rules need no trained model: closed word classes, clauses bounded by them, and a memory of the
results of all steps. `link` finds the sources of each step; here they become facts and an order.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from thence.domains.recipes.clauses import tokens
from thence.domains.recipes.form import Recipe
from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lexicon import head, stem
from thence.domains.recipes.linking import Link, Node, link
from thence.domains.recipes.lowering import Act, LoweredRecipe, Trace, assemble
from thence.domains.recipes.naming import MIXTURE, careful_names
from thence.domains.recipes.saying import DISCARDING, DROPPING, cooks_by_verbs, said
from thence.errors import MissingExtra, UsageError

MAKING = 0.85  # how often a thing that a step seems to make is one, measured on the cookbook
BRINGING = 0.8  # the same for an ingredient that seems to come in
UNPLACED = 0.5  # where something definite has no antecedent
_SPLIT = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"[^\W\d_]+")


class Fact(NamedTuple):
    """A fact found by the parser.

    Attributes:
        step: 0-based.
        what: ``uses``, ``defines`` or ``brings``.
        name: name of the thing or ingredient.
        sure: confidence between 0 and 1.
        rule: the reason, in a word.
    """

    step: int
    what: str
    name: str
    sure: float
    rule: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A recipe parsed from free text.

    Attributes:
        lowered: its facts and order.
        unplaced: step and words of definite things without an antecedent.
        links: the links from steps to their sources.
    """

    lowered: LoweredRecipe
    unplaced: tuple[tuple[int, str], ...]
    links: tuple[Link, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Facts found by the parser, each with its confidence."""
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
        """Confidence of the least sure link; a thing without an antecedent counts as one half."""
        least = min((each.sure for each in self.links), default=1.0)
        return min(least, UNPLACED) if self.unplaced else least

    def to_json(self) -> dict[str, Any]:
        """Return the facts of each step with their confidence; step numbers from 1."""
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
    """Parse the steps of a recipe.

    Args:
        title: title of the recipe.
        steps: their texts.
        phrases: a function that returns the noun phrases of a text, such as `spacy_phrases` makes
            from a trained pipeline, for the names of ingredients. None for the rules alone.
    """
    return parsed(title, steps, link(steps, title), phrases)


def parsed(
    title: str,
    steps: Sequence[str],
    nodes: Sequence[Node],
    phrases: Phrases | None = None,
    *,
    careful: bool = False,
) -> Parsed:
    """Return a recipe of the nodes that `link` made, with care or without.

    The other arguments are as for `parse`.
    """
    return Parsed(
        assemble(Recipe(title, "", "", ()), _named(steps, nodes, phrases, careful)),
        _unplaced(nodes),
        tuple([each for node in nodes for each in node.takes]),
    )


def _named(
    steps: Sequence[str], nodes: Sequence[Node], phrases: Phrases | None, careful: bool
) -> tuple[Trace, ...]:
    if phrases is not None:
        _rename(nodes, [phrases(text) for text in steps])
    return _traces(steps, nodes, careful_names(nodes) if careful else _names(nodes), careful)


def _unplaced(nodes: Sequence[Node]) -> tuple[tuple[int, str], ...]:
    return tuple([(place, words) for place, node in enumerate(nodes) for words in node.unplaced])


def steps_of(text: str) -> list[str]:
    """Split running text without step numbers into sentences."""
    return [part.strip() for part in _SPLIT.split(text) if part.strip()]


def load_phrases(name: str) -> Phrases:
    """Return a noun-phrase function from an installed spaCy pipeline, such as ``en_core_web_sm``.

    Raises:
        MissingExtra: spaCy is not installed.
        UsageError: the pipeline is not installed, or it finds no noun phrases.
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
    """Return a noun-phrase function from a loaded spaCy pipeline.

    Args:
        pipeline: the result of ``spacy.load``, with a parser for ``noun_chunks``.
    """

    def phrases(text: str) -> Sequence[str]:
        return [chunk.text.lower() for chunk in pipeline(text).noun_chunks]  # type: ignore[operator]

    return phrases


def _rename(nodes: Sequence[Node], found: Sequence[Sequence[str]]) -> None:
    """Replace ingredient names by the matching noun phrases of a trained pipeline."""
    for node, phrases in zip(nodes, found, strict=True):
        for place, name in enumerate(node.brings):
            head = name.split()[-1]
            longer = [phrase for phrase in phrases if head in phrase.split()]
            if longer:
                words = [word for word in _WORD.findall(longer[0]) if len(word) > 2]
                node.brings[place] = " ".join(words) or name


def _names(nodes: Sequence[Node]) -> list[str]:
    """Return a name for the result of every step; an altered thing keeps its name."""
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
            name = MIXTURE
        elif node.brings:
            name = node.brings[0]
        else:
            name = next(iter(sorted(node.tools)), "step")
        if name in alive or (name in names and name not in taken):
            name = f"{name} of step {place + 1}"
        alive.add(name)
        names.append(name)
    return names


def _spares(nodes: Sequence[Node]) -> dict[tuple[int, str], str]:
    """Return names for the things that steps leave beside their results; see `Link`."""
    names: dict[tuple[int, str], str] = {}
    for each in chain.from_iterable(node.takes for node in nodes):
        if each.spare and (each.source, each.spare) not in names:
            name = f"kept {each.spare}"
            again = name in names.values()
            names[each.source, each.spare] = f"{name} of step {each.source + 1}" if again else name
    return names


def _traces(
    steps: Sequence[str], nodes: Sequence[Node], names: Sequence[str], careful: bool
) -> tuple[Trace, ...]:
    holds: dict[str, tuple[str, ...]] = {}
    traces: list[Trace] = []
    ovens = {place: "oven" for place, node in enumerate(nodes) if node.both}
    spares = _spares(nodes)
    for place, (text, node, made) in enumerate(zip(steps, nodes, names, strict=True)):
        uses: list[str] = []
        gone: list[str] = []
        inside: list[tuple[str, ...]] = []
        for each in node.takes:
            name = names[each.source]
            if each.rule == "oven":
                name = ovens.get(each.source, name)
            elif each.spare:
                name = spares[each.source, each.spare]
            uses.append(name)
            if name in holds:
                inside.append(holds[name])
            if not each.stays:
                gone.append(name)
        carried = inside[0] if len(inside) == 1 else tuple(dict.fromkeys(chain(*inside)))
        brings = list(dict.fromkeys(node.brings)) if node.brings else []
        if brings and carried:
            heads = set(map(head, carried))
            brings = (
                [f"{x} of step {place + 1}" if x in carried else x for x in brings]
                if careful  # "loosen with a splash of milk": more of it comes in
                else [x for x in brings if head(x) not in heads]
            )
        drops = _dropped(text, carried) if node.said.drops and carried else []
        for name in gone:
            holds.pop(name, None)
        held = () if node.kind == "oven" else (*carried, *brings) if brings else carried
        if drops:
            held = tuple([x for x in held if x not in drops])
        holds[made] = held
        kills = gone if made not in gone else [name for name in gone if name != made]
        heats = cooks_by_verbs(text, node.said.parts) if careful else node.said.cooks
        results = {made: held} | ({ovens[place]: ()} if place in ovens else {})
        for (source, thing), name in spares.items():
            if source == place:
                results[name] = holds[name] = tuple(x for x in held if head(x) == thing)
        act = Act(uses, gone, tuple(brings), results, (), heats)
        traces.append(
            Trace(text, uses, [*results], kills, carried, brings, drops, holds.copy(), {}, heats,
                  [], [act])
        )  # fmt: skip
    return tuple(traces)


def _dropped(text: str, carried: Collection[str]) -> list[str]:
    """Return the ingredients that a step throws away by an explicit word, such as a bay leaf."""
    words = tokens(text)
    verb = next((k for k, word in enumerate(words) if word in DROPPING), len(words))
    near = {stem(word) for word in words[verb + 1 : verb + 6]}
    if DISCARDING.isdisjoint(words) and "leaf" not in near and "leave" not in near:
        return []
    return [x for x in carried if head(x) in near and hazard(x) is None]


def cooks(text: str) -> bool:
    """Return whether a step seems to cook its food through."""
    return said(text).cooks
