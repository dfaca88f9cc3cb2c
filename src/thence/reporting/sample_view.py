"""Samples and replies of the page's view of single samples, as compressed JSON of bounded size.

The page sets the strings of that JSON as text, so nothing of a model is taken for markup.
"""

from __future__ import annotations

import base64
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from thence import families
from thence.core.digest import as_text, compact_json
from thence.core.sample import Sample
from thence.core.witness import in_words
from thence.scoring.judge import Response, Scored

LONGEST = 20_000  # most characters of a text
LABEL = 160  # most characters of a step beside a drawn graph
MOST_NODES, MOST_EDGES = 120, 600  # of a drawn graph
BUDGET = 4_600_000  # compressed bytes of all samples in one page; base64 adds a third
_BLOCK = 50_000  # bytes after which the compressed size is measured
_PLAIN = 24  # replies that can be read without script
_STATES = 400  # most steps of a table
_LEVEL = 5  # of compression; higher levels take twice the time for 5% fewer bytes


type Sent = Callable[[Scored, Sample], Sequence[Mapping[str, str]] | None]


def prompt_alone(row: Scored, sample: Sample) -> Sequence[Mapping[str, str]]:
    """Return the prompt of a sample as the one message that was sent."""
    return ({"role": "user", "content": sample.input},)


class ScoredReply(NamedTuple):
    """Score of a reply, with a way to the reply itself.

    Attributes:
        run: number of its run.
        scored: the score.
        find: returns the whole sample, and the response or None; called for packed replies only.
        sent: returns the messages that were sent for a reply, turn by turn; likewise. None where
            that is not known.
    """

    run: int
    scored: Scored
    find: Callable[[Scored], tuple[Sample, Response | None]]
    sent: Sent = prompt_alone


@dataclass(frozen=True, slots=True)
class PackedReplies:
    """Compressed replies with their samples.

    Attributes:
        text: JSON lines as gzip in base64, which the browser unpacks: the names of the runs, then
            samples and replies, each reply after its sample; empty without any reply.
        shown: number of replies in it.
        left_out: number of replies for which there was no room.
        first: the first of them with their samples, for readers without script.
    """

    text: str
    shown: int
    left_out: int
    first: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]] = ()


def pack_replies(
    runs: Sequence[str], replies: Iterable[ScoredReply], budget: int = BUDGET
) -> PackedReplies:
    """Return as many replies as the budget allows, evenly over runs, tasks and outcomes.

    Args:
        runs: names of the runs.
        replies: all replies.
        budget: most compressed bytes, exceeded by at most one block.
    """
    packer, parts, size = zlib.compressobj(_LEVEL, zlib.DEFLATED, 31), list[bytes](), 0
    places: dict[str, int] = {}
    samples: dict[str, dict[str, Any]] = {}
    first: list[tuple[dict[str, Any], dict[str, Any]]] = []
    shown = left_out = waiting = 0

    def put(value: Any) -> None:
        nonlocal size, waiting
        text = (compact_json(value) + "\n").encode("utf-8", "surrogatepass")
        parts.append(packer.compress(text))
        waiting += len(text)
        if waiting > _BLOCK:  # so that the size is known
            parts.append(packer.flush(zlib.Z_SYNC_FLUSH))
            size += sum(map(len, parts[-2:]))
            waiting = 0
        else:
            size += len(parts[-1])

    put(list(runs))
    for number, reply in _evenly(replies):
        if size > budget:
            left_out += 1
            continue
        sample, response = reply.find(reply.scored)
        if sample.id not in places:
            places[sample.id] = len(places)
            made = sample_row(sample)
            put(made)
            if len(samples) < _PLAIN:
                samples[sample.id] = made
        row = {"s": places[sample.id], "n": number, **reply_row(reply, sample, response)}
        put(row)
        if sample.id in samples and len(first) < _PLAIN:
            first.append((samples[sample.id], row))
        shown += 1
    data = b"".join([*parts, packer.flush()])
    text = base64.b64encode(data).decode() if shown else ""
    return PackedReplies(text, shown, left_out, first)


def _evenly(replies: Iterable[ScoredReply]) -> list[tuple[int, ScoredReply]]:
    """Return numbered replies: the first of every run, task and outcome, then the second of each.

    All replies to a question come together, so that a reader can compare the runs on it.
    """
    seen: dict[tuple[Any, ...], int] = defaultdict(int)
    ranks: dict[str, int] = {}
    ranked = []
    for number, reply in enumerate(replies):
        sample = reply.scored.sample
        key = (reply.run, sample.task, reply.scored.score.outcome)
        rank = ranks.setdefault(sample.id, seen[key])
        seen[key] += 1
        ranked.append((rank, number, reply))
    ranked.sort(key=lambda each: each[:2])
    return [(number, reply) for _, number, reply in ranked]


def _cut(text: str | None) -> str | None:
    """Return a text, without its middle where it is too long."""
    if text is None or len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]}\n[... {len(text) - LONGEST:,} characters left out ...]\n{text[-half:]}"


def reply_row(reply: ScoredReply, sample: Sample, response: Response | None) -> dict[str, Any]:
    """Return a scored reply as the page shows it; what it lacks has no key."""
    score = reply.scored.score
    matched = score.values.get("pml")
    held: dict[str, Any] = {
        "r": reply.run,
        "e": reply.scored.epoch,
        "t": reply.scored.turn,
        "o": score.outcome.value,
        "rule": score.rule,
        "read": None if score.rule is None else _cut(as_text(score.answer)),
        "why": _cut(score.explanation),
        "states": _states(score.answer) if score.rule is not None else None,
        "first": int(matched) if matched is not None and not score.correct else None,
        "sent": _sent(reply, sample),
    }
    if response is not None:
        held |= {
            "at": _place(response.response, score.span),
            "reply": _cut(response.response),
            "thought": _cut(response.reasoning),
            "end": response.finish_reason,
            "took": response.latency,
            "used": dict(response.usage) if response.usage else None,
            "error": None if response.error is None else str(response.error.get("message", "")),
        }
    return {name: value for name, value in held.items() if value is not None}


def _sent(reply: ScoredReply, sample: Sample) -> list[list[str]] | None:
    """Return the messages of a reply by role; None for the prompt alone, none if not known."""
    messages = reply.sent(reply.scored, sample)
    if messages is None:
        return []
    held = [[each.get("role", ""), _cut(each.get("content", "")) or ""] for each in messages]
    return None if held == [["user", _cut(sample.input)]] else held


def _states(answer: Any) -> list[str] | None:
    """Return the states of a procedure in order, as text; None for another answer."""
    if not isinstance(answer, Mapping) or not isinstance(answer.get("intermediate"), list):
        return None
    states = [*answer["intermediate"], answer.get("final")]
    return [_cut(as_text(each)) or "" for each in states[:_STATES]]


def _place(text: str | None, span: tuple[int, int] | None) -> list[int] | None:
    """Return a span of a text in the text that `_cut` makes of it, in the browser's characters."""
    if text is None or span is None:
        return None
    start, end = span
    shown = _cut(text) or ""
    if len(shown) != len(text):
        half = LONGEST // 2
        if start >= len(text) - half:
            start, end = start - len(text) + len(shown), end - len(text) + len(shown)
        elif end > half:
            return None
    return [_utf16(shown[:start]), _utf16(shown[:end])]


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def sample_row(sample: Sample) -> dict[str, Any]:
    """Return a sample as the page shows it; what it lacks has no key."""
    task = families.task(sample.task)
    breakdown = task.grader.breakdown(sample)
    dimension = families.families()[task.family].dimensions[0]
    witness = sample.metadata.get("witness")
    held = {
        "id": sample.id,
        "task": sample.task,
        "group": breakdown.get(dimension, ""),
        "long": _number(sample, "steps", "depth"),
        "states": _states(sample.target),
        "reason": _word(sample.metadata.get("reason")),
        "depth": _number(sample, "depth"),
        "prompt": _cut(sample.input),
        "truth": _cut(task.format.write(sample.target)),
        "because": _cut(task.explainer.explain(sample)),
        "witness": _cut(in_words(witness)) or None,
        "graph": graph(sample.metadata),
    }
    return {name: value for name, value in held.items() if value is not None}


def _number(sample: Sample, *names: str) -> int | None:
    """Return the first of some numbers that a sample's metadata has."""
    found = (sample.metadata.get(name) for name in names)
    return next((each for each in found if type(each) is int), None)


def _word(value: Any) -> str | None:
    return _cut(value.replace("_", " ")) if isinstance(value, str) else None


def graph(metadata: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the graph of a question's procedure or relations, or None without one.

    Returns:
        ``nodes``: labels; ``edges``: pairs of node numbers; ``marked``: the nodes in the question;
        ``path``: the nodes on the witness.
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
    texts = (str(step["text"]) for step in procedure["steps"])
    steps = [f"{place}. {_shortened(text)}" for place, text in enumerate(texts, 1)]
    question = metadata.get("question") or {}
    asked = metadata.get("step_pair") or [question.get("i"), question.get("j")]
    inside = range(len(steps))
    return {
        "nodes": steps,
        "edges": [[int(i), int(j)] for i, j in procedure.get("order", [])],
        "steps": True,
        "marked": [place for place in asked if isinstance(place, int) and place in inside],
        "path": _path(metadata.get("witness"), len(steps)),
    }


def _shortened(text: str) -> str:
    """Return a label with an ellipsis where it is cut."""
    return text if len(text) <= LABEL else text[: LABEL - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"


def _relations(metadata: Mapping[str, Any]) -> dict[str, Any] | None:
    edges = metadata.get("edges")
    if not isinstance(edges, list) or not edges:
        return None
    names = _topological_order([(str(i), str(j)) for i, j in edges])
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


def _topological_order(edges: Sequence[tuple[str, str]]) -> list[str]:
    """Return the nodes of some edges in topological order, broken where edges form a cycle."""
    left = dict.fromkeys(end for edge in edges for end in edge)
    if len(left) > MOST_NODES:
        return list(left)  # too many to draw
    below: dict[str, list[str]] = {name: [] for name in left}
    above = dict.fromkeys(left, 0)  # edges from nodes that are not ordered yet
    for i, j in edges:
        if i != j:
            below[i].append(j)
            above[j] += 1
    ordered: list[str] = []
    while left:
        top = next((name for name in left if not above[name]), next(iter(left)))
        ordered.append(top)
        del left[top]
        for name in below[top]:
            above[name] -= 1
    return ordered


def _path(witness: Any, steps: int) -> list[int]:
    """Return the steps of a witness: a list of steps or links, or an object with one."""
    if isinstance(witness, dict):
        found = witness.get("chain") or witness.get("steps") or witness.get("path")
        witness = found if found is not None else [witness.get("step")]
    if not isinstance(witness, list):
        return []
    if witness and all(isinstance(link, dict) for link in witness):  # links of a chain
        witness = [witness[0].get("from"), *(link.get("to") for link in witness)]
    return [place for place in witness if isinstance(place, int) and 0 <= place < steps]
