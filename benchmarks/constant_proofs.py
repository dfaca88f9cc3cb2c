"""Share of the right answers that a proof made without reading the procedure shows.

    python benchmarks/constant_proofs.py [SIZE] [SEED] [DOMAIN...]

Such a proof knows the two steps that the question names, and that the order is as listed. For each
cell and answer the best of all is printed: what `proof` and `wrong_proof` of `with_proof` are to be
held against.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import thence
from thence import families
from thence.core.sample import Sample

SIZE, SEED, DOMAINS = 200, 17, ("plans", "routes", "recipes", "runbooks")
CELLS = ("reaching_definitions", "very_busy_expressions", "available_expressions",
         "live_variables", "type_state", "taint", "concurrency")  # fmt: skip


def constant_proofs(i: int | None, j: int | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield proofs that need nothing but the numbers of the steps asked about, with a name each.

    Args:
        i: the first step, 0-based; None where the question names none.
        j: the second one.
    """
    named = {"i": i, "j": j}
    ones = {name: place + 1 for name, place in named.items() if place is not None}
    yield "an empty proof", {}
    yield "no step", {"step": None}
    yield "no steps", {"steps": []}
    yield "no enders", {"before": [], "after": []}
    yield "no enders, no steps", {"steps": [], "before": [], "after": []}
    yield "the listed order", {"order": []}
    for name, number in ones.items():
        yield f"step {name}", {"step": number}
        yield f"steps: {name}", {"steps": [number]}
        yield f"steps: {name}, no enders", {"steps": [number], "before": [], "after": []}
        yield f"order: {name}", {"order": [number]}
        yield f"step after {name}", {"step": number + 1}
        yield f"steps: after {name}", {"steps": [number + 1]}
        yield f"step before {name}", {"step": number - 1}
        yield f"steps: before {name}", {"steps": [number - 1]}
    if len(ones) == 2:
        both = [ones["i"], ones["j"]]
        for told, chain in (("i, j", both), ("j, i", both[::-1])):
            yield f"chain: {told}", {"chain": chain}
            yield f"chain: {told}, no enders", {"chain": chain, "before": [], "after": []}
            yield f"order: {told}", {"order": chain}
            yield f"no step, order: {told}", {"step": None, "order": chain}


def best(name: str, size: int, seed: int) -> list[str]:
    """Return for each answer of a cell the best constant proof, and how often it shows it."""
    checker = families.task(name).proofs
    assert checker is not None
    shown: Counter[tuple[str, str]] = Counter()
    answers: Counter[str] = Counter()
    for sample in thence.generate(name, seed=seed, size=size):
        answers[sample.target] += 1
        shown.update((sample.target, each) for each in _showing(checker, sample))
    found = []
    for answer in ("Yes", "No"):
        own = [(count, each) for (to, each), count in shown.items() if to == answer]
        count, proof = max(own, key=lambda each: (each[0], -len(each[1])), default=(0, "none"))
        found.append(f"{answer} {count / answers[answer]:.2f} ({proof})")
    return found


def _showing(checker: Any, sample: Sample) -> Iterator[str]:
    question = sample.metadata["question"]
    for told, proof in constant_proofs(question.get("i"), question.get("j")):
        if not checker.fault(proof, sample.target, sample):
            yield told


def main(given: Sequence[str]) -> None:
    """Print a line for each cell."""
    size, seed = (int(each) for each in (*given[:2], *(SIZE, SEED)[len(given[:2]) :]))
    for domain in given[2:] or DOMAINS:
        for cell in CELLS:
            print(
                f"{domain} {cell}:",
                "; ".join(best(f"fable/{domain}/{cell}", size, seed)),
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
