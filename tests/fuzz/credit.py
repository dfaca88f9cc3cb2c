"""``python -m tests.fuzz.credit --replies N [--seed N]``: no reply without the answer is right.

Right replies in many forms are changed at random, and in half of them a part of the truth is
replaced first. No reader may fail, and what it takes for right has to state the truth by a judge
that knows nothing of the readers: it looks for the truth's words and numbers in the text. The span
that a reader gives has to lie in the reply.
"""

from __future__ import annotations

import argparse
import html
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from tests.fuzz.mutations import ODD_PIECES
from tests.reading.slots import rendered, samples
from tests.reading.test_replies import CASES
from thence import families
from thence.core.reply_text import visible
from thence.core.sample import Sample
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response, judge

PROTOCOLS = ("direct", "direct", "chain_of_thought", "answer_then_explain", "explain_then_answer")
_PIECES = tuple(each for each in ODD_PIECES if len(each) < 500)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_MARKS = str.maketrans(dict.fromkeys("*`{}$#\\\u200b\ufeff"))
_WORDS = {"yes": ("yes", "true"), "no": ("no", "not", "false", "n't"), "true": ("true", "yes"),
          "false": ("false", "no"), "unknown": ("unknown",)}  # fmt: skip


@cache
def bases() -> list[tuple[Sample, list[str]]]:
    """Samples with right replies in all known forms."""
    forms: dict[str, list[str]] = {}
    for case in CASES:
        forms.setdefault(case.task, []).append(rendered(case.text, samples()[case.task]))
    found = []
    for name, sample in samples().items():
        task = families.task(name)
        right = task.format.write(sample.target)
        plain = [right, f"<think>hm</think>\n{right}", f"**Answer:** {right}"]
        found.append((sample, [*plain, *forms.get(name, [])]))
    return found


def _atoms(value: Any) -> list[str]:
    """The words and numbers of a truth, in order."""
    if isinstance(value, dict):
        return [atom for each in value.values() for atom in _atoms(each)]
    if isinstance(value, list):
        return [atom for each in value for atom in _atoms(each)]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return [] if value is None or isinstance(value, bool) else [str(value)]


def truth_of(sample: Sample) -> list[str]:
    """What a right reply has to hold: the atoms of the truth."""
    target = sample.target
    if sample.task == "releval/consistency":
        return ["Yes", *dict.fromkeys(_atoms(target["cycles"]))]
    if isinstance(target, dict) and "unit" in target:
        return _atoms([target["low"], target["high"]])
    if isinstance(target, dict) and "relations" in target:
        return []
    return _atoms(target)


def _plain(reply: str) -> str:
    text = html.unescape(visible(reply)).replace("\u2212", "-")
    return _THOUSANDS.sub("", text).translate(_MARKS)


def stated(reply: str, sample: Sample, answer: Any) -> bool:
    """Whether a reply states the truth; of a plan, the relations that were read."""
    text = _plain(reply)
    lower = text.lower()
    if sample.task == "releval/plan_generation":
        text = html.unescape(visible(reply))
        return all(
            str(name) in text
            for item in answer["relationships"]
            for name in re.findall(r"[^<>\s]+", item)
        )
    if isinstance(sample.target, str):
        words = _WORDS[sample.target.lower()]
        said = any(word in lower for word in words)
        return said or (sample.family == "catbench" and "step" in lower)
    if sample.family == "procbench":
        place = 0
        for atom in _atoms([sample.target["intermediate"], sample.target["final"]]):
            place = text.find(atom, place) + len(atom)
            if place < len(atom):  # or, in an object whose keys come the other way round
                return all(each in text for each in truth_of(sample))
        return True
    return all(atom.lower() in lower for atom in truth_of(sample))


def _without(text: str, atom: str, rng: Random) -> str:
    """A reply that holds another text in all places of an atom of the truth."""
    other = str(rng.randrange(10**6)) if atom.lstrip("-").isdigit() else "".join(
        rng.choice("qxz") for _ in atom
    )  # fmt: skip
    word = re.escape(atom)
    return re.sub(rf"(?<![A-Za-z0-9]){word}(?![A-Za-z0-9])", other, text, flags=re.IGNORECASE)


def mutant(texts: Sequence[str], sample: Sample, rng: Random) -> str:
    """A changed reply, half of the time without a part of the truth."""
    text = rng.choice(texts)
    atoms = truth_of(sample)
    if atoms and rng.random() < 0.5:
        text = _without(text, rng.choice(atoms), rng)
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        at = rng.randrange(len(text) + 1)
        length = rng.choice((0, 1, 1, 2, 5, 20))
        match rng.randrange(7):
            case 0:
                text = text[:at] + rng.choice(_PIECES) + text[at + length :]
            case 1:
                text = text[:at] + rng.choice(_PIECES) + text[at:]
            case 2:
                text = text[:at] + text[at + length :]
            case 3:
                text = text[: at + length] + text[at:]
            case 4:
                text = text[:at]
            case 5:
                other = rng.choice(texts)
                text = f"{text}\n\nNo, wait.\n\n{other[: rng.randrange(len(other) + 1)]}"
            case _:
                text = text[:at] + rng.choice("'\"{}[](),:\n*`\\#/") + text[at + length :]
    return text


def check(number: int, seed: int) -> Counter[str]:
    """Judge so many mutants; return how many had each outcome.

    Raises:
        AssertionError: a reply is right without the answer, or has a span outside itself.
    """
    rng, counts = Random(seed), Counter[str]()
    asked = {name: protocol(name) for name in PROTOCOLS}
    held = bases()
    for _ in range(number):
        sample, texts = rng.choice(held)
        text = mutant(texts, sample, rng)
        task = families.task(sample.task)
        how = rng.choice(PROTOCOLS)
        finish = "length" if rng.random() < 0.1 else "stop"
        response = Response(sample.id, response=text, finish_reason=finish)
        score = judge(response, sample, task, asked[how])
        counts[score.outcome.value] += 1
        if score.rule is not None:
            assert score.span is not None, (sample.task, how, score.rule, text)
            start, end = score.span
            assert 0 <= start < end <= len(text), (sample.task, how, score, text)
        if score.correct:
            assert stated(text, sample, score.answer), (sample.task, how, score, text)
            if how == "direct" and score.span is not None:
                shown = text[slice(*score.span)]
                assert stated(shown, sample, score.answer), (sample.task, shown, score, text)
    return counts


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.credit")
    parser.add_argument("--replies", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begun, counts = time.process_time(), Counter[str]()
    for part in range(0, given.replies, 10_000):
        counts += check(min(10_000, given.replies - part), given.seed * 1_000_003 + part)
    shown = ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items()))
    seconds = time.process_time() - begun
    print(f"{counts.total():,} replies ({shown}) in {seconds:,.0f} s of processor time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
