"""Audits of what the papers' authors published, and the figures of their replies."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from tests.golden.command import thence
from tests.golden.samples import CORPUS
from tests.golden.scores import summary, tables
from tests.golden.store import Case, digest, rounded

DOMAINS = ("plans", "new_travel_routes", "recipe")
CORPUS_OPTIONS = ["--flow-graphs", f"shared/{CORPUS[0]}", "--titles", f"shared/{CORPUS[1]}"]


def audit(family: str, path: str, *options: object) -> dict[str, Any]:
    """The counts of an audit, and a hash of everything that it says."""
    text = thence("audit", family, f"shared/{path}", *options, "--json")
    found = json.loads(text)
    counts = {key: value for key, value in found.items() if isinstance(value, int | str)}
    groups = {
        name: " ".join(f"{key}={value}" for key, value in group.items())
        for name, group in found["groups"].items()
    }
    return {**counts, "groups": groups, "all": digest(found)}


def replies(path: str, scorer: str, *options: object) -> dict[str, Any]:
    """The figures of published replies, and a hash of all tables that are printed."""
    given = (f"shared/{path}", "--scorer", scorer, *options)
    found = json.loads(thence("score", *given, "--json"))
    figures = {
        name: f"n={group['n']} correct={group['correct']} {rounded(group['accuracy'])}"
        for name, group in found["groups"].items()
    }
    words = tables(thence("score", *given, "--full"))
    return {"figures": figures, "summary": summary(json.dumps(found)), "tables": digest(words)}


def _cases() -> dict[str, Case]:
    def case(what: Any, path: str, *more: Any, data: tuple[str, ...] = (), **how: Any) -> Case:
        return Case(partial(what, path, *more, **how), data=data)

    procbench, questions = "procbench/official_sample.jsonl", "catbench/official_questions.csv"
    found = {
        "procbench": case(audit, "procbench", procbench, data=(procbench,)),
        "catbench": case(audit, "catbench", questions, *CORPUS_OPTIONS, data=(questions, *CORPUS)),
        "fable published": case(audit, "fable", "fable", "--dialect", "published", data=("fable",)),
        "fable sound": case(audit, "fable", "fable", "--dialect", "sound", data=("fable",)),
    }
    for domain in DOMAINS:
        for scorer in ("strict", "official"):
            path = f"fable/results/{domain}"
            found[f"fable replies {domain} {scorer}"] = case(replies, path, scorer, data=(path,))
    return found


CASES = _cases()
