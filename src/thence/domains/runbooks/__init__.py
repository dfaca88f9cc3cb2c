"""Runbooks: thirty written laboratory protocols, operations, checklists, assemblies and repairs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random

from thence.core.procedure import Pair, Procedure
from thence.procedures.collection import ProcedureCollection

COLLECTION = ProcedureCollection(Path(__file__).parent)


def procedures(rng: Random) -> Iterator[Procedure]:
    """Yield variants of the runbooks, in which all choices are made, without end."""
    return COLLECTION.procedures(rng)


def firm_links(procedure: Procedure) -> list[Pair]:
    """Return the links between steps of which one needs, provides or ends what the other touches.

    An order that only a step gave which an option leaves out has no such ground.
    """
    from thence.dataflow.graphs import conflicts

    numbered = combinations(enumerate(procedure.steps), 2)
    return [(i, j) for (i, one), (j, other) in numbered if conflicts(one, other)]


def cluster(procedure: Procedure) -> str:
    """Return what all variants of one runbook have in common."""
    return procedure.goal
