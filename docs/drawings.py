"""The drawings of these pages, made by the product: ``python docs/drawings.py [NAME...]``.

``page`` takes a picture by Chromium of a real page about two simulated models: they know the truth
and lose a step with a fixed probability. ``trip`` needs the extra `routes`.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import thence
from thence.core.procedure import Procedure
from thence.core.sample import Sample
from thence.dataflow.flow import Flow
from thence.reporting.procedure_drawing import draw_executions, draw_facts

FOLDER = Path(__file__).parent / "drawings"
TEA = Path(__file__).parent / "guides" / "own_procedures.md"


def tea() -> str:
    """Return the facts of the procedure of the guide."""
    return draw_facts(_tea())


def order() -> str:
    """Return its executions."""
    return draw_executions(_tea())


def _tea() -> Flow:
    (text,) = re.findall(r"```yaml\n(.*?)```", TEA.read_text("utf-8"), re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tea.yaml")
        path.write_text(text, encoding="utf-8")
        return thence.analyze(path).document.flow


def trip() -> str:
    """Return the facts of a trip of `fable/routes`."""
    found = thence.generate("fable/routes/taint", seed=3, size=30)
    shortest = min(found, key=lambda sample: len(sample.metadata["procedure"]["steps"]))
    return draw_facts(Flow(Procedure.from_json(shortest.metadata["procedure"])))


def page() -> bytes:
    """Return a picture of the first screen of a page."""
    set_ = thence.generate(["procbench/sort", "procbench/rotate", "catbench"], total=600, seed=41)
    with tempfile.TemporaryDirectory() as folder:
        runs = [
            thence.run(set_, _simulated(set_, keeps), out=Path(folder, name), name=name)
            for name, keeps in (("simulated/careful", 0.97), ("simulated/hasty", 0.9))
        ]
        html, picture = Path(folder, "page.html"), Path(folder, "page.png")
        thence.report(runs, html)
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--window-size=1120,960", f"--screenshot={picture}", html.as_uri()],
            check=True, capture_output=True,
        )  # fmt: skip
        return picture.read_bytes()


def _simulated(samples: Sequence[Sample], keeps: float) -> Callable[[list[dict[str, str]]], str]:
    """Return a model that follows a step with a probability, and else answers another question."""
    by_prompt = {sample.input: sample for sample in samples}

    def answer(messages: list[dict[str, str]]) -> str:
        sample = by_prompt[messages[-1]["content"]]
        chance = Random(f"{sample.id}{keeps}")
        steps = int(sample.metadata.get("steps") or 6)
        if chance.random() < keeps**steps:
            return thence.answer(sample)
        others = [each for each in samples if each.task == sample.task]
        return thence.answer(chance.choice(others))

    return answer


DRAWINGS: dict[str, Callable[[], str | bytes]] = {
    "tea.svg": tea, "order.svg": order, "trip.svg": trip, "page.png": page,
}  # fmt: skip


def main(names: Sequence[str]) -> None:
    """Write the drawings, or those of some names."""
    FOLDER.mkdir(exist_ok=True)
    for name, draw in DRAWINGS.items():
        if not names or Path(name).stem in names:
            made = draw()
            (FOLDER / name).write_bytes(made if isinstance(made, bytes) else made.encode())


if __name__ == "__main__":
    main(sys.argv[1:])
