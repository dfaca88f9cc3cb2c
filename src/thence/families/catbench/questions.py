"""The selection of pairs of steps for questions, and the metadata of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from thence.core.parts import Draft
from thence.core.procedure import Procedure
from thence.families.catbench.matching import matched
from thence.families.catbench.pair_surface import Pair
from thence.families.catbench.sources import Subject
from thence.families.catbench.switching import reordered
from thence.procedures.sample_forms import ProcedureForms

if TYPE_CHECKING:
    from thence.core.sample import Sample

DEP, NONDEP, SWITCHED = "DEP", "NONDEP", "NONDEP-S"
SPLITS = (DEP, NONDEP, SWITCHED)
BEFORE, AFTER = "before", "after"
RELATIONS = (BEFORE, AFTER)
CLOSE = 3  # maximal distance of a close pair
YES, NO = "yes", "no"
MOST_OF_ONE = 10_000  # pairs of each class in the default set of one large procedure
_MANY = 250_000  # pairs of one procedure; of more, some are drawn without making all


class PairCounts(NamedTuple):
    """Numbers of pairs: of both classes before balancing, and of each one after it."""

    dependent: int
    independent: int
    chosen: int

    @property
    def sampled(self) -> str:
        """The class that was cut down to the size of the other."""
        if self.dependent == self.independent == self.chosen:
            return "neither"
        if min(self.dependent, self.independent) > self.chosen:
            return "both"
        return "dependent" if self.dependent > self.independent else "independent"


@dataclass(frozen=True, slots=True)
class Balance:
    """Pairs of both classes in equal numbers.

    Attributes:
        dependent: dependent pairs in the order in which they were matched.
        independent: independent pairs, likewise.
        counts: how many there are, and were before balancing.
    """

    dependent: Sequence[Pair]
    independent: Sequence[Pair]
    counts: PairCounts


def counted(subjects: Sequence[Subject], most: int | None = None) -> PairCounts:
    """Return how many pairs `balanced` chooses of how many, without choosing them."""
    have = [sum(each.counts[kind] for each in subjects) for kind in (True, False)]
    if most is None and _is_large(subjects):
        most = MOST_OF_ONE
    return PairCounts(have[0], have[1], min(have) if most is None else min(*have, most))


def _is_large(subjects: Sequence[Subject]) -> bool:
    return len(subjects) == 1 and sum(subjects[0].counts.values()) > _MANY


def balanced(
    subjects: Sequence[Subject], rng: Random, most: int | None = None, room: int | None = None
) -> Balance:
    """Return as many pairs of each class, matched where all steps can be switched, else by chance.

    Args:
        subjects: the procedures whose steps are paired.
        rng: the source of all randomness.
        most: maximal number of pairs per class; of one procedure of hundreds of steps only so many
            are drawn.
        room: number of pairs of each class to choose among; None for all.
    """
    counts = counted(subjects, most)
    if _is_large(subjects):
        (subject,) = subjects
        some = [
            [Pair(subject, i, j) for i, j in subject.some_pairs(kind, counts.chosen, rng)]
            for kind in (True, False)
        ]
        return Balance(some[0], some[1], counts)
    pairs = {
        kind: [Pair(subject, i, j) for subject in subjects for i, j in subject.pairs[kind]]
        for kind in (True, False)
    }
    for each in pairs.values():
        rng.shuffle(each)
    pairs = {kind: each[:room] for kind, each in pairs.items()}
    if any(each.switches is None for each in subjects):
        chosen = pairs[True][: counts.chosen], pairs[False][: counts.chosen]
    else:
        chosen = matched(pairs[True], pairs[False], counts.chosen, rng)
    return Balance(*chosen, counts)


def wording(i: int, j: int, relation: str) -> str:
    """Return the question about steps i < j, 0-based, in the words of the paper."""
    if relation == BEFORE:
        return f"Must Step {i + 1} happen before Step {j + 1}?"
    return f"Must Step {j + 1} happen after Step {i + 1}?"


def truth(split: str) -> str:
    """Return the answer of a split."""
    return YES if split == DEP else NO


def pair_name(cluster: str, i: int, j: int) -> str:
    """Return the name shared by all questions about a pair: before, after, switched."""
    return f"{cluster}#{i}-{j}"


def question_metadata(cluster: str, i: int, j: int, relation: str, split: str) -> dict[str, Any]:
    """Return the metadata that every question has, from any source."""
    return {
        "step_pair": [i, j],
        "relation": relation,
        "split": split,
        "close": j - i <= CLOSE,
        "cluster": cluster,
        "pair": pair_name(cluster, i, j),
    }


def draft(pair: Pair, relation: str, split: str, origin: Mapping[str, Any]) -> Draft:
    """Return the question about a pair, with its truth and witness.

    The witness is a chain of steps, or a permitted order with the later step first. The chain of a
    dependent pair follows edges of the step graph, even those that the transitively reduced order
    of the procedure leaves out.
    """
    subject, i, j = pair
    order = None if split == DEP or subject.switches is None else subject.switches.order(i, j)
    procedure, content, origin = subject.procedure, subject.content, {**origin, **subject.remarks}
    name = pair_name(subject.name, i, j)
    if split == SWITCHED:
        content = f"{content}~{i}~{j}"
        if order is None:
            procedure = _switched(pair)
        else:
            procedure, (i, j) = reordered(procedure, order), (order.index(j), order.index(i))
            order = tuple(order.index(k) for k in range(len(order)))
    metadata = question_metadata(subject.cluster or subject.name, i, j, relation, split) | {
        "pair": name
    }
    if split == DEP:
        metadata["witness"] = {"chain": subject.chain(i, j)}
    elif order is not None:
        metadata |= {"witness": {"execution": list(order)}}
    question = {"kind": relation, "i": i, "j": j, "fact": None}
    return Draft(
        question, truth(split), {"procedure": procedure, **metadata, "origin": origin}, content
    )


@lru_cache(maxsize=2)  # both directions of a pair are drawn in sequence
def _switched(pair: Pair) -> dict[str, Any]:
    return switched(pair.subject.procedure, pair.i, pair.j)


def switched(procedure: Mapping[str, Any], i: int, j: int) -> dict[str, Any]:
    """Return a procedure with the texts of two steps exchanged, and the order to match."""
    steps = list(procedure["steps"])
    steps[i], steps[j] = steps[j], steps[i]
    place = list(range(len(steps)))
    place[i], place[j] = j, i
    order = sorted([place[a], place[b]] for a, b in procedure["order"])
    return {**procedure, "steps": steps, "order": order}


def recomputed_answer(metadata: Mapping[str, Any]) -> str:
    """Return the truth computed from the metadata: whether a path leads from i to j in the order.

    Where the texts of a switched pair are exchanged, their original positions count; where the
    whole procedure stands in another order, that order must be permitted.

    Raises:
        LookupError, TypeError, ValueError: the metadata is not that of a question.
    """
    i, j = metadata["step_pair"]
    procedure = metadata["procedure"]
    order = dict(metadata.get("witness") or {}).get("execution")
    if metadata["split"] == SWITCHED and order is None:
        procedure = switched(procedure, i, j)
    elif order is not None:
        _check_order(procedure, i, j, order)
    held = Subject.of(Procedure.from_json(procedure))
    if not 0 <= i < j < len(held.steps):
        raise ValueError(f"steps {i} and {j} are no pair of this procedure")
    return YES if held.depends(i, j) else NO


class OrderForms(ProcedureForms):
    """Answers by what a reply says of the steps as the prompt shows them, switched or not."""

    def recompute(self, sample: Sample) -> str:
        """Return whether the one step must come before the other."""
        return recomputed_answer({**sample.metadata, "split": DEP, "witness": None})


def _check_order(procedure: Mapping[str, Any], i: int, j: int, order: Sequence[int]) -> None:
    """Raise ValueError unless a witness is a permitted order with step j before step i."""
    place = {step: at for at, step in enumerate(order)}
    if sorted(place) != list(range(len(procedure["steps"]))) or place[j] > place[i]:
        raise ValueError("the witness is no order of the steps with the later one first")
    if any(place[a] > place[b] or a > b for a, b in procedure["order"]):
        raise ValueError("the steps, or the witness, stand in an order that is not permitted")
