"""Runbooks: thirty written laboratory protocols, operations, checklists, assemblies and repairs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from thence.core.procedure import Procedure
from thence.procedures.collection import ProcedureCollection

COLLECTION = ProcedureCollection(Path(__file__).parent)


def procedures(rng: Random) -> Iterator[Procedure]:
    """Yield variants of the runbooks, in which all choices are made, without end."""
    return COLLECTION.procedures(rng)


def cluster(procedure: Procedure) -> str:
    """Return what all variants of one runbook have in common."""
    return procedure.goal
