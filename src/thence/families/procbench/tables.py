"""The tables and figures of the ProcBench paper, from our scores, with its own Table 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl

from thence.core.failures import plural
from thence.core.results import Results
from thence.core.table import Entry, Table
from thence.families.procbench import paper_figures as paper
from thence.families.procbench.procedure import LENGTHS, length_bin
from thence.families.procbench.responses import (
    Models,
    all_lengths,
    by_model,
    figures,
    groups,
    of_length,
    ranked,
    short,
)
from thence.families.procbench.tables_figures import (
    by_length,
    correct_to,
    lengths_of_replies,
    matched_by_task,
    over_models,
    shares_by_length,
    shares_by_size,
)

_BASELINES = "baseline/"
_LISTED = 20  # maximal number of suspect ids that are listed


def tables(results: Sequence[Results]) -> list[Table]:
    """Return Table 2 and every figure that the responses allow."""
    models = by_model(results)
    if not models:
        return []
    places = groups(models)
    return [
        _table_2(models),
        *by_length(models, places),
        shares_by_size(models),
        correct_to(models),
        *matched_by_task(models, places),
        over_models(models, ("pa",), 6),
        over_models(models, ("sm", "pa", "fm"), 9),
        shares_by_length(models, places),
        *lengths_of_replies(models),
        _always_zero(models, results),
    ]


def _table_2(models: Models) -> Table:
    """Return Table 2."""
    bins = {name: range(first, last + 1) for name, first, last in LENGTHS}
    bins["Overall"] = range(LENGTHS[0][1], LENGTHS[-1][2] + 1)
    other = {steps for steps in all_lengths(models) if length_bin(steps) == "Other"}
    rows: list[list[Entry]] = []
    for model, held in models.items():
        row: list[Entry] = [model]
        for lengths in [*bins.values(), *([other] if other else [])]:
            asked = of_length(held, lengths)
            found = figures(asked, ("pa", "sm")) if len(asked) else {}
            row += [found.get("pa"), found.get("sm")]
        rows.append(row)
    for model, pairs in paper.TABLE_2.items():
        printed = [figure for pair in pairs for figure in pair]
        rows.append([f"{model} (paper)", *printed, *([None, None] if other else [])])
    names = [*bins, *(["Other"] if other else [])]
    bins_named = ", ".join(f"{name} N {first}-{last}" for name, first, last in LENGTHS)
    return Table(
        "procbench-table-2",
        "PA and SM by problem length (Table 2)",
        ["model", *(f"{metric} {name}" for name in names for metric in ("PA", "SM"))],
        rows,
        f"{bins_named}; Overall: all of these. (paper): {paper.SOURCE}, Table 2, of "
        f"{paper.QUESTIONS:,} questions in the authors' wording.",
    )


def _always_zero(models: Models, results: Sequence[Results]) -> Table:
    """Return the suspect questions: those on which every model has a PA of 0.

    Baselines count only where there are no models: the oracle would hide every flawed question.
    """
    real = [name for name in models if not name.startswith(_BASELINES)] or list(models)
    best = [models[name].group_by("question").agg(pl.col("pa").max()) for name in real]
    shared = best[0].select("question", zero=pl.col("pa") == 0)
    for each in best[1:]:
        both = shared.join(each, "question")
        shared = both.select("question", zero=pl.col("zero") & (pl.col("pa") == 0))
    asked, suspects = len(shared), shared.filter("zero")
    first = models[real[0]].join(suspects, "question", "semi")
    first = first.select("task", "question").unique("question", keep="first", maintain_order=True)
    counts = Counter(first["task"])
    rows: list[list[Entry]] = [
        [short(task), counts[task], None] for task in ranked(models) if counts[task]
    ]
    rows.append(["all", len(first), asked])
    rows.append([f"all, {len(paper.TABLE_2)} models (paper)", paper.ALWAYS_ZERO, paper.QUESTIONS])
    named = _ids(results, first["question"].head(_LISTED).to_list())
    listed = ", ".join(named)
    if len(first) > _LISTED:
        listed += f" and {len(first) - _LISTED} more"
    kind = "baseline" if real[0].startswith(_BASELINES) else "model"
    remark = f"They may be flawed, so look at them: {listed}."
    if kind == "baseline":
        remark = "Baselines tell nothing of flaws."
    elif not named:
        remark = "There are none."
    elif len(real) == 1:
        remark = f"They are hard or flawed, which one model alone does not tell: {listed}."
    return Table(
        "procbench-zero",
        f"Questions with PA = 0 for every {kind}, of {plural(len(real), kind)}",
        ["task", "PA = 0", "asked of all"],
        rows,
        f"{remark} Baselines are left out where models were asked. (paper): {paper.SOURCE}.",
    )


def _ids(results: Sequence[Results], questions: Sequence[int]) -> list[str]:
    """Return the ids of some questions, which are given as hashes."""
    hashed = pl.col("id").hash()
    found = {
        key: name
        for held in results
        for frame in held.frames.values()
        for key, name in frame.data.select(hashed.alias("key"), "id")
        .filter(pl.col("key").is_in(questions))
        .iter_rows()
    }
    return [found[key] for key in questions]
