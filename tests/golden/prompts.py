"""Messages as they are sent under every protocol, and the schemas sent with them."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.golden import sets
from tests.golden.store import Case, digest

SHOTS = ["--set-protocol", "k=2", "--set-protocol", "pool=12"]
TEXT = ["--set-protocol", "form=text"]
PROTOCOLS: dict[str, list[str]] = {
    "direct": [],
    "answer_then_explain": [],
    "answer_then_explain text": TEXT,
    "explain_then_answer": [],
    "explain_then_answer text": TEXT,
    "chain_of_thought": [],
    "are_you_sure": [],
    "few_shot": SHOTS,
    "few_shot+chain_of_thought+are_you_sure": SHOTS,
    "few_shot+explain_then_answer": SHOTS,
    "answer_then_explain+are_you_sure": [],
    "answer_then_explain structured": ["--structured"],
    "explain_then_answer structured": ["--structured"],
}
# Examples cost more to make than the rest, and are put together with other protocols in one way.
FEW = ("procbench", "releval", "catbench", "fable/recipes sound")
# Of these, the messages are kept as text, with the question left out.
READ = ("procbench/sort", "releval/comparison", "catbench/order", "fable/plans/live_variables",
        "fable/routes/intervals", "fable/recipes/intervals")  # fmt: skip


def collect(name: str, protocol: str, options: list[str]) -> dict[str, Any]:
    """For each task, the ids asked and a hash of each request's parts."""
    path = sets.samples(name)
    sent = sets.requests(path, "--protocol", protocol.split(maxsplit=1)[0], *options)
    entry: dict[str, Any] = {}
    for task, held in sets.by_task(path).items():
        ids = {sample["id"] for sample in held}
        bodies = [sent[key] for key in sorted(sent, key=lambda key: key[1]) if key[0] in ids]
        shapes = {digest(body.get("response_format")) for body in bodies}
        entry[task] = {
            "messages": " ".join(sorted(digest(body["messages"]) for body in bodies)),
            "response_format": " ".join(sorted(shapes)) if shapes else "",
            "fields": " ".join(sorted({field for body in bodies for field in body})),
        }
        if task in READ:
            entry[task]["text"] = _shown(held[0], sent)
            if "response_format" in bodies[0]:
                entry[task]["schema"] = bodies[0]["response_format"]
    return entry


def _shown(sample: dict[str, Any], sent: dict[tuple[str, int], dict[str, Any]]) -> list[str]:
    """The messages of a sample's last request; what its question shares with them is left out."""
    _, body = max((turn, body) for (asked, turn), body in sent.items() if asked == sample["id"])
    question = sample["input"].split("\n\n")
    lines = []
    for message in body["messages"]:
        text = message["content"]
        for paragraph in question:
            text = text.replace(paragraph, "{}", 1)
        lines.append(f"{message['role']}: {text.replace('{}\n\n' * 2, '{}\n\n')}")
    return lines


def _cases() -> dict[str, Case]:
    found = {
        f"{name} {protocol}": Case(
            partial(collect, name, protocol, options),
            sets.needs(name),
            long=sets.published(name) and protocol not in {"direct", "few_shot"},
        )
        for name in sets.SETS
        for protocol, options in PROTOCOLS.items()
        if "few_shot+" not in protocol or name in FEW
    }
    found["procbench direct structured"] = Case(
        partial(collect, "procbench", "direct", ["--structured"])
    )
    return found


CASES = _cases()
