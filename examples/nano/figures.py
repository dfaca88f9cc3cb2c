"""Writer of the figures and the table of the guide, from a training's log and from runs.

    python figures.py LOG FOLDER RUN...      # runs of the same questions by nano and baselines

Writes nano-training.svg, nano-exact.svg, nano-lengths.svg and nano.md into the folder.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl

import thence
from thence.core.statistics import Estimate, wilson
from thence.core.table import Chart, Table
from thence.reporting.exports import scalable
from thence.reporting.palette import Styles

SHORT = pl.col("steps") <= 6  # the lengths of the training


def estimate(frame: pl.DataFrame) -> Estimate:
    """Return the share of right replies with its interval."""
    right, count = int(frame["correct"].sum()), len(frame)
    return Estimate(right / count, *wilson(right, count), count) if count else Estimate(*[0.0] * 4)


def curves(log: Path) -> list[Table]:
    """Return the loss and the share of right replies over the training."""
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    lost = [(each["tokens"] / 1e6, each["loss"]) for each in rows]
    right = [(each["tokens"] / 1e6, each["exact"]["all"]) for each in rows if "exact" in each]
    across = "million tokens"
    return [
        Table(
            "nano-training", "Loss of the replies while nano learns, for a token of the reply",
            ("tokens", "loss"), lost,
            chart=Chart("line", "tokens", "loss", x_title=across, y_title="loss"),
        ),
        Table(
            "nano-exact", "Share of right replies of 2 to 6 steps to questions that it never saw",
            ("tokens", "right"), right,
            chart=Chart("line", "tokens", "right", x_title=across, y_title="accuracy"),
        ),
    ]  # fmt: skip


def by_length(frame: pl.DataFrame) -> Table:
    """Return the accuracy over the number of steps, of the tasks that nano can do."""
    shares = {steps: held for (steps,), held in sorted(frame.group_by("steps"))}
    return Table(
        "nano-lengths", "Accuracy of nano over the number of steps",
        ("steps", "accuracy"), [(steps, estimate(held)) for steps, held in shares.items()],
        chart=Chart("line", "steps", "accuracy", x_title="steps", y_title="accuracy"),
    )  # fmt: skip


def told(share: Estimate) -> str:
    """Return a share with its interval, in percent."""
    return f"{share.value:.0%} ({share.low:.0%} to {share.high:.0%})"


def table(frames: dict[str, pl.DataFrame]) -> str:
    """Return the accuracies of nano by task, beside those of the best baseline, as Markdown."""
    lines = [
        "| task | 2 to 6 steps | best baseline | prefix | 7 steps and more |",
        "|---|---|---|---|---|",
    ]
    own = frames.pop("nano")
    above = 0
    for (task,), held in sorted(own.group_by("task")):
        short, long = held.filter(SHORT), held.filter(~SHORT)
        same = (frame.filter(SHORT, pl.col("task") == task) for frame in frames.values())
        best = max((estimate(each) for each in same), key=lambda each: each.value)
        reached = estimate(short)
        above += reached.low > best.high
        mark = "**" if reached.low > best.high else ""
        lines.append(
            f"| {str(task).partition('/')[2]} | {mark}{told(reached)}{mark} | {told(best)} | "
            f"{short['pa'].mean():.2f} | {told(estimate(long)) if len(long) else ''} |"
        )
    lines.append(
        f"\nAbove the best baseline by the intervals in {above} of {len(lines) - 2} tasks."
    )
    return "\n".join(lines)


def main(log: str, folder: str, *runs: str) -> None:
    """Write the figures and the table."""
    opened = [thence.open_run(run) for run in runs]
    number = pl.col("steps").cast(pl.String).cast(pl.Int64)
    frames = {run.model: run.scores().frame.with_columns(number) for run in opened}
    oracle = {name for name in frames if name.endswith("oracle")}
    out = Path(folder)
    long = frames["nano"].filter(~SHORT)["task"].unique()  # asked of the tasks that it can do
    able = frames["nano"].filter(pl.col("task").is_in(long.implode()))
    for made in [*curves(Path(log)), by_length(able)]:
        (out / f"{made.name}.svg").write_text(scalable(made, Styles(("nano",))))
    kept = {name: frame for name, frame in frames.items() if name not in oracle}
    (out / "nano.md").write_text(table(kept) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
