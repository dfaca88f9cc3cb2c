"""Writer of the curve of a training by GRPO.

python curve.py OUT/log.jsonl grpo-reward.svg      # means of ten steps
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from thence.core.table import Chart, Table
from thence.reporting.exports import scalable
from thence.reporting.palette import Styles

MEAN = 10  # steps


def main(log: str, figure: str) -> None:
    """Draw the share of right replies over the steps of the training."""
    rows = [json.loads(line) for line in Path(log).read_text().splitlines()]
    right = [row["rewards/correct/mean"] for row in rows]
    starts = range(0, len(right) - MEAN + 1, MEAN)
    points = [(start + MEAN, sum(right[start : start + MEAN]) / MEAN) for start in starts]
    table = Table(
        "grpo-reward", "Share of right replies among those drawn, while GRPO trains nano",
        ("step", "right"), points,
        chart=Chart("line", "step", "right", x_title="steps", y_title="right replies"),
    )  # fmt: skip
    Path(figure).write_text(scalable(table, Styles(("nano",))))


if __name__ == "__main__":
    main(*sys.argv[1:])
