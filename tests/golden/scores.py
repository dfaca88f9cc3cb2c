"""Outcome, rule, answer and values of replies of many kinds, and the summaries over them."""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.fake_endpoint import Answer
from tests.golden import sets
from tests.golden.command import HERE, thence
from tests.golden.replies import KINDS, Base
from tests.golden.store import Case, brief, digest, rounded, rows

STORED = HERE / "replies.jsonl"
EXPLAINED: dict[str, list[str]] = {
    "explain_then_answer": [],
    "answer_then_explain text": ["--set-protocol", "form=text"],
    "chain_of_thought": [],
}
WAYS = {"direct": [], **EXPLAINED}


def asked(name: str, way: str) -> Path:
    """The samples of a set that replies are given to: two a task, one if it is to explain."""
    return sets.samples(name, 1 if way in EXPLAINED else 2)


def make(name: str, way: str) -> list[dict[str, Any]]:
    """Rows of replies for a set, out of what the baselines answer."""
    options = ["--protocol", way.split(maxsplit=1)[0], *WAYS[way]]
    path = sets.samples(name)
    chosen = {sample["id"] for sample in rows(asked(name, way))}
    right, guess = (
        {
            row["id"]: row["response"]
            for row in rows(sets.run(path, f"baseline/{model}", *options) / "responses.jsonl")
        }
        for model in ("oracle", "random")
    )
    found = []
    for task, held in sets.by_task(path).items():
        for place, sample in enumerate(held):
            if sample["id"] not in chosen:
                continue
            others = [right[each["id"]] for each in held[place + 1 :] + held[:place]]
            own = right[sample["id"]]
            wrong = next((text for text in others if text != own), guess[sample["id"]])
            texts = {"right": own, "wrong": wrong, "guess": guess[sample["id"]]}
            found.append({"set": name, "way": way, "task": task, "id": sample["id"], **texts})
    return found


def record() -> str:
    """Stores the replies anew; says how many there are."""
    found = []
    for name in sets.SETS:
        case = Case(lambda name=name: [row for way in WAYS for row in make(name, way)])
        found += case.found()
    STORED.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found), "utf-8")
    return f"replies to {len(found)} prompts: {STORED.name}"


@cache
def _stored() -> list[dict[str, Any]]:
    return rows(STORED)


def bases(name: str, way: str) -> dict[str, Base]:
    """The stored replies to the samples of a set, by id."""
    found = {
        row["id"]: Base(row["right"], row["wrong"], row["guess"])
        for row in _stored()
        if (row["set"], row["way"]) == (name, way)
    }
    ids = [each["id"] for each in rows(asked(name, way))]
    strange = [each for each in ids if each not in found]
    assert not strange, (
        f"the ids of {name} have changed ({len(strange)} of {len(ids)} have no reply in "
        f"{STORED.name}); if that is meant: python -m tests.golden.record replies"
    )
    return found


def collect(name: str, way: str) -> dict[str, Any]:
    """For each task and sample, how the reply of each kind was read and scored."""
    protocol = ["--protocol", way.split(maxsplit=1)[0], *WAYS[way]]
    given, path = bases(name, way), asked(name, way)
    prompts = {
        digest(body["messages"]): asked_of
        for (asked_of, _), body in sets.requests(path, *protocol).items()
    }
    kinds = list(KINDS)

    def answer(body: dict[str, Any]) -> Answer:
        return KINDS[kinds[body["seed"]]](given[prompts[digest(body["messages"])]])

    epochs = ["--epochs", len(kinds), "--seed-model", 0]
    folder = sets.ask(path, answer, *protocol, *epochs)
    scored = {(row["id"], row["epoch"]): row for row in rows(folder / "scores.jsonl")}
    entry: dict[str, Any] = {}
    for sample in rows(path):
        told: dict[str, str] = {}  # by result the kinds that have it
        for epoch, kind in enumerate(kinds):
            result = _told(scored[sample["id"], epoch])
            told[result] = f"{told[result]}, {kind}" if result in told else kind
        entry.setdefault(sample["task"], {})[sample["id"][:10]] = told
    return entry | {"summary": summary(thence("score", folder, "--json"))}


def summarize(name: str, scorer: str) -> dict[str, Any]:
    """The figures of ``thence score FILE --samples FILE``, over right and wrong replies in turn."""
    lines = []
    for place, (sample, base) in enumerate(bases(name, "direct").items()):
        text = (base.right, base.wrong, base.right, base.guess, "")[place % 5]
        lines.append(json.dumps({"id": sample, "response": text}) + "\n")
    Path("replies.jsonl").write_text("".join(lines), "utf-8")
    given = ("replies.jsonl", "--samples", asked(name, "direct"), "--scorer", scorer)
    return {
        "summary": summary(thence("score", *given, "--json"), full=True),
        "tables": tables(thence("score", *given, "--full")),
    }


def tables(text: str) -> list[str]:
    """Lines of printed tables without the widths of columns, and without the summary."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return [line for line in lines if not line.startswith("summary: ")]


def summary(text: str, *, full: bool = False) -> dict[str, Any]:
    """The figures of each task, those of its parts as one hash; all as one hash if not full."""
    found = rounded(json.loads(text))
    groups = {}
    for name, group in found.pop("groups").items():
        parts = group.pop("by", None)
        groups[name] = group | {"by": digest(parts)} if full else digest([group, parts])
    rest = {key: value if full else brief(value) for key, value in found.items()}
    return {"groups": groups, **rest}


def _told(row: dict[str, Any]) -> str:
    """Outcome, rule, answer and values of a scored reply in one line."""
    values, answer = (
        json.dumps(brief(rounded(row[key])), sort_keys=True, ensure_ascii=False)
        for key in ("values", "answer")
    )
    return f"{row['outcome']} by {row['rule']}: {answer}, values {values}"


def _cases() -> dict[str, Case]:
    found = {
        f"{name} {way}": Case(
            partial(collect, name, way),
            sets.needs(name),
            long=sets.published(name) and way in EXPLAINED,
        )
        for name in sets.SETS
        for way in WAYS
    }
    for name in sets.SETS:
        for scorer in ("strict", "official") if name in sets.FABLE else ("strict",):
            found[f"{name} score {scorer}"] = Case(
                partial(summarize, name, scorer), sets.needs(name)
            )
    return found


CASES = _cases()
