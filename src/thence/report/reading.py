"""The single samples of some runs, as the page's reading view takes them: compressed, bounded.

Nothing of a model goes into the page as markup: the view is compressed JSON whose strings the page
sets as text.
"""

from __future__ import annotations

import base64
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from thence import families
from thence.kernel.digest import compact_json
from thence.kernel.sample import Sample
from thence.scoring import Response, Scored

LONGEST = 20_000  # characters of a text that are shown
MOST_NODES, MOST_EDGES = 80, 400  # of a drawn graph
BUDGET = 9_000_000  # compressed bytes of all samples in one page


@dataclass(frozen=True, slots=True)
class Reply:
    """A scored response with what came back.

    Attributes:
        run: place of its run.
        scored: the verdict.
        find: fetches the response; None where it is not at hand. Only those that are shown are
            fetched.
    """

    run: int
    scored: Scored
    find: Callable[[], Response | None]


@dataclass
class Reading:
    """What the view holds.

    Attributes:
        runs: their names.
        samples: what was asked, one object a sample.
        replies: what came back, one object a response.
        left_out: responses for which there was no room.
    """

    runs: Sequence[str]
    samples: list[dict[str, Any]] = field(default_factory=list)
    replies: list[dict[str, Any]] = field(default_factory=list)
    left_out: int = 0

    def packed(self) -> str:
        """Gzip in base64, which the browser unpacks."""
        held = {"runs": list(self.runs), "samples": self.samples, "replies": self.replies}
        packer = zlib.compressobj(6, zlib.DEFLATED, 31)
        text = compact_json(held).encode("utf-8", "surrogatepass")
        return base64.b64encode(packer.compress(text) + packer.flush()).decode()


def reading(runs: Sequence[str], replies: Iterable[Reply], budget: int = BUDGET) -> Reading:
    """As many replies as there is room for, evenly over runs, tasks and outcomes.

    Args:
        runs: names of the runs.
        replies: all there are.
        budget: compressed bytes; the true size is estimated from what was packed so far.
    """
    held = Reading(runs)
    places: dict[str, int] = {}
    room, rough = budget, zlib.compressobj(1)
    waiting = _evenly(replies)
    taken: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
    for order, reply in waiting:
        sample = reply.scored.sample
        said = _reply(reply)
        if sample.id not in places:
            asked = _sample(sample)
            room -= len(rough.compress(compact_json(asked).encode("utf-8", "surrogatepass")))
            places[sample.id] = len(held.samples)
            held.samples.append(asked)
        room -= len(rough.compress(compact_json(said).encode("utf-8", "surrogatepass")))
        if room < 0:
            held.left_out += 1 + sum(1 for _ in waiting)
            break
        said["s"] = places[sample.id]
        taken.append((order, said))
    held.replies = [said for _, said in sorted(taken, key=lambda pair: pair[0])]
    return held


def _evenly(replies: Iterable[Reply]) -> Any:
    """The first of every run, task and outcome, then the second of each, and so on."""
    seen: dict[tuple[Any, ...], int] = defaultdict(int)
    ranked = []
    for number, reply in enumerate(replies):
        key = (reply.run, reply.scored.sample.task, reply.scored.score.outcome)
        ranked.append((seen[key], number, reply))
        seen[key] += 1
    ranked.sort(key=lambda each: each[:2])
    return (((number,), reply) for _, number, reply in ranked)


def _cut(text: str | None) -> str | None:
    if text is None or len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]}\n[... {len(text) - LONGEST:,} characters left out ...]\n{text[-half:]}"


def _reply(reply: Reply) -> dict[str, Any]:
    score, response = reply.scored.score, reply.find()
    held = {
        "r": reply.run,
        "e": reply.scored.epoch,
        "t": reply.scored.turn,
        "o": score.outcome.value,
        "rule": score.rule,
        "read": None if score.rule is None else _cut(compact_json(score.answer)),
        "why": _cut(score.explanation),
    }
    if response is not None:
        held |= {
            "reply": _cut(response.response),
            "thought": _cut(response.reasoning),
            "end": response.finish_reason,
            "error": None if response.error is None else str(response.error.get("message", "")),
        }
    return {name: value for name, value in held.items() if value is not None}


def _sample(sample: Sample) -> dict[str, Any]:
    task = families.task(sample.task)
    breakdown = task.breakdown(sample)
    dimension = families.families()[task.family].dimensions[0]
    witness = sample.metadata.get("witness")
    return {
        "id": sample.id,
        "task": sample.task,
        "group": breakdown.get(dimension, ""),
        "prompt": _cut(sample.input),
        "truth": _cut(task.write(sample.target)),
        "because": _cut(task.explain(sample)),
        "witness": None if witness is None else _cut(compact_json(witness)),
        "graph": graph(sample.metadata),
    }


def graph(metadata: Mapping[str, Any]) -> dict[str, Any] | None:
    """The procedure or relations asked about, as nodes and edges; None where there are none.

    Returns:
        ``nodes``: labels; ``edges``: pairs of places; ``marked``: places that the question is
        about; ``path``: places that the witness runs through.
    """
    try:
        drawn = _procedure(metadata) if "procedure" in metadata else _relations(metadata)
    except (KeyError, TypeError, ValueError, IndexError):
        return None  # metadata of a file may be anything
    if drawn is None or len(drawn["nodes"]) > MOST_NODES or len(drawn["edges"]) > MOST_EDGES:
        return None
    return drawn


def _procedure(metadata: Mapping[str, Any]) -> dict[str, Any] | None:
    procedure = metadata["procedure"]
    steps = [f"{place}. {step['text']}"[:120] for place, step in enumerate(procedure["steps"], 1)]
    question = metadata.get("question") or {}
    asked = metadata.get("step_pair") or [question.get("i"), question.get("j")]
    inside = range(len(steps))
    return {
        "nodes": steps,
        "edges": [[int(i), int(j)] for i, j in procedure.get("order", [])],
        "marked": [place for place in asked if isinstance(place, int) and place in inside],
        "path": _path(metadata.get("witness"), len(steps)),
    }


def _relations(metadata: Mapping[str, Any]) -> dict[str, Any] | None:
    edges = metadata.get("edges")
    if not isinstance(edges, list) or not edges:
        return None
    names = list(dict.fromkeys(str(end) for edge in edges for end in edge))
    place = {name: number for number, name in enumerate(names)}
    witness = metadata.get("witness")
    asked = [place[str(name)] for name in metadata.get("comparison", []) if str(name) in place]
    known = isinstance(witness, list) and all(str(name) in place for name in witness)
    return {
        "nodes": names,
        "edges": [[place[str(i)], place[str(j)]] for i, j in edges],
        "marked": asked,
        "path": [place[str(name)] for name in witness] if known and witness else [],
    }


def _path(witness: Any, steps: int) -> list[int]:
    """The steps of a witness that is a chain of them, or names one as ``step`` or ``chain``."""
    if isinstance(witness, dict):
        found = witness.get("chain") or witness.get("steps") or witness.get("path")
        witness = found if found is not None else [witness.get("step")]
    if not isinstance(witness, list):
        return []
    if witness and all(isinstance(link, dict) for link in witness):  # links of a chain
        witness = [witness[0].get("from"), *(link.get("to") for link in witness)]
    return [place for place in witness if isinstance(place, int) and 0 <= place < steps]
