"""Published replies and answers, read strictly: the tables of docs/findings.md.

Run: python benchmarks/findings.py [DATA], a folder of ``fable``, ``catbench`` and ``procbench``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

import thence
from _machine import tell
from thence.api.scores import Scores
from thence.core.audit import Audit
from thence.core.results import Results
from thence.core.score_frame import ScoreFrame, joined
from thence.families.fable.shared.analyses import ANALYSES, DOMAINS
from thence.families.fable.shared.extra_metrics import extra_metrics

DATA = Path("../shared/data")
REPLIES = "catbench/responses_gpt-4-0613_answer_only.csv"

type Rows = list[Sequence[object]]


def markdown(columns: Sequence[str], rows: Rows) -> str:
    """Return a table in Markdown, its first column to the left, the others to the right."""
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def percent(share: float) -> str:
    """Return a share in per cent; a hyphen for NaN."""
    return "-" if np.isnan(share) else f"{100 * share:.1f}"


def domain_rows(held: Results, domain: str) -> ScoreFrame:
    """Return a model's replies about a domain."""
    prefix = f"fable/{domain}/"
    return joined([frame for name, frame in held.frames.items() if name.startswith(prefix)])


def replies_by_domain(models: Sequence[Results]) -> str:
    """Return the accuracy by both scorers, beside chance and the commonest answers."""
    rows: Rows = []
    for held in models:
        for domain in DOMAINS:
            frame = domain_rows(held, domain)
            right, official = frame.correct(), frame.numbers("official")
            read = frame.data["rule"].is_not_null().to_numpy()
            counts = (official > right) & read, (official > right) & ~read, official < right
            beside = extra_metrics(frame)
            rows.append(
                [
                    held.model,
                    domain,
                    len(frame),
                    *map(percent, (official.mean(), right.mean())),
                    *(percent(beside[name].value) for name in ("constant", "random")),
                    *(int(each.sum()) for each in counts),
                ]
            )
    columns = ["model", "domain", "n", "official", "strict", "commonest answer", "chance"]
    return markdown(
        [*columns, "wrong, scored right", "no answer, scored right", "right, scored wrong"], rows
    )


def replies_by_cell(models: Sequence[Results]) -> str:
    """Return the strict accuracy in each cell, the official one in brackets."""
    rows: Rows = []
    for domain in DOMAINS:
        for analysis in ANALYSES:
            frames = [held.frames[f"fable/{domain}/{analysis}"] for held in models]
            shown = [
                f"{percent(each.correct().mean())} ({percent(each.numbers('official').mean())})"
                for each in frames
            ]
            beside = extra_metrics(frames[0])
            figures = [percent(beside[name].value) for name in ("constant", "random")]
            rows.append([f"{domain}/{analysis}", len(frames[0]), *figures, *shown])
    names = [held.model for held in models]
    return markdown(["cell", "n", "commonest answer", "chance", *names], rows)


def published_answers(audited: Audit) -> Iterator[tuple[str, str]]:
    """Yield the table of answers that are not sound, and that of cells with one answer."""
    unsound, cells, _ = audited.tables
    rows: Rows = []
    for cell, kind, count, witness in unsound.rows:
        of = audited.checked[f"fable/{cell}"]
        why = str(kind).removesuffix(", or th...")
        rows.append([cell, why, count, of, f"`{str(witness).partition(': ')[0]}`"])
    columns = ["cell", "why", "answers", "of", "for example"]
    yield "fable-unsound", markdown(columns, rows)
    constant: Rows = [
        [row[0], row[1], audited.checked[f"fable/{row[0]}"]] for row in cells.rows if row[1]
    ]
    yield "fable-constant", markdown(["cell", "every answer", "of"], constant)


def order_replies(held: Scores) -> str:
    """Return the accuracy and consistency of GPT-4 on CaT-Bench by split and direction."""
    (result,) = held.results
    (frame,) = result.frames.values()
    rows: Rows = []
    for dimension, groups in held.to_json()["groups"]["catbench/order"]["by"].items():
        for group, each in groups.items():
            low, high = each["accuracy_ci"]
            rows.append(
                [f"{dimension} {group}", each["n"], percent(each["accuracy"]),
                 f"{percent(low)} to {percent(high)}"]
            )  # fmt: skip
    whole = held.to_json()["groups"]["catbench/order"]
    for name, title in (("accuracy", "all"), ("macro_f1", "macro F1"), ("tc", "TC")):
        low, high = whole[f"{name}_ci"]
        rows.append([title, len(frame), percent(whole[name]), f"{percent(low)} to {percent(high)}"])
    return markdown(["questions", "n", "right, %", "95%"], rows)


def dependence(order: Scores, models: Sequence[Results]) -> str:
    """Return the correlations that docs/guides/planning.md assumes."""
    (held,) = order.results
    (frame,) = held.frames.values()
    rows: Rows = [["GPT-4 within a recipe (CaT-Bench)", len(frame), f"{icc(frame):.2f}"]]
    for one, other in combinations(models, 2):
        first, second = (joined(list(each.frames.values())).data for each in (one, other))
        both = first.select("id", "correct").join(second.select("id", "correct"), "id")
        right = [both[name].cast(float).to_numpy() for name in ("correct", "correct_right")]
        rows.append(
            [
                f"{one.model} and {other.model} (FABLE)",
                len(both),
                f"{np.corrcoef(*right)[0, 1]:.2f}",
            ]
        )
    return markdown(["right answers of", "n", "correlation"], rows)


def icc(frame: ScoreFrame) -> float:
    """Return the intraclass correlation of right answers, by analysis of variance."""
    right = frame.correct()
    _, member, sizes = np.unique(frame.clusters(), return_inverse=True, return_counts=True)
    n, count = len(right), len(sizes)
    means = np.bincount(member, weights=right) / sizes
    between = float((sizes * (means - right.mean()) ** 2).sum()) / (count - 1)
    within = float(((right - means[member]) ** 2).sum()) / (n - count)
    mean = (n - float((sizes**2).sum()) / n) / (count - 1)
    return (between - within) / (between + (mean - 1) * within)


def audits(data: Path) -> Iterator[tuple[str, str]]:
    """Yield the agreement of the published answers with their own rules, then FABLE's tables."""
    fable = thence.audit("fable", data / "fable")
    corpus = data / "catbench"
    held = {
        "FABLE, by its own rules": fable,
        "CaT-Bench": thence.audit(
            "catbench",
            corpus / "official_questions.csv",
            flow_graphs=corpus / "flow_graph_corpus",
            titles=corpus / "title_map.json",
        ),
        "ProcBench": thence.audit("procbench", data / "procbench/official_sample.jsonl"),
    }
    rows: Rows = [
        [name, f"{sum(each.checked.values()):,}", f"{sum(each.agreed.values()):,}"]
        for name, each in held.items()
    ]
    yield "agreement", markdown(["benchmark", "answers checked", "agree"], rows)
    yield from published_answers(fable)


def findings(data: Path) -> Iterator[tuple[str, str]]:
    """Yield each table by its name."""
    models = thence.score(None, data / "fable/results").results
    order = thence.score(None, data / REPLIES)
    yield from audits(data)
    yield "fable-domains", replies_by_domain(models)
    yield "fable-cells", replies_by_cell(models)
    yield "catbench-replies", order_replies(order)
    yield "dependence", dependence(order, models)


def main() -> None:
    """Print the tables, each below a comment with its name."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if not data.is_dir():
        print(f"{data}: no published data here; name its folder")
        return
    tell()
    for name, table in findings(data):
        print(f"<!-- {name} -->\n\n{table}\n")


if __name__ == "__main__":
    main()
