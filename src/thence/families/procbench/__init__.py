"""ProcBench (Fujisawa et al. 2024): 23 explicit procedures whose every state counts."""

from thence.kernel.task import Family

FAMILY = Family(
    name="procbench",
    title="ProcBench",
    paper="Fujisawa et al. 2024, ProcBench: Benchmark for Multi-Step Reasoning and Following Procedure",
    summary="23 explicit procedures on strings, lists and numbers; every intermediate state counts",
    dimensions=("length", "steps"),
)
