"""Inspect's run of our questions beside Inspect's own plain task of the same questions.

Both sides have the same prompts, truths, replies and size, and a model that answers at once. Ours
makes the questions, asks by our protocol, reads by our rules and has intervals; the plain task has
Inspect's `generate` and `match`.

Run: python benchmarks/inspect_overhead.py
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from _machine import tell

SIZE, ROUNDS = 200, 3
WANTED = 1.1


def main() -> None:
    """Print both sides, the best of some rounds each."""
    tell()
    try:
        import inspect_ai
        from inspect_ai.dataset import MemoryDataset, Sample
        from inspect_ai.model import ModelOutput, ModelUsage, get_model
        from inspect_ai.scorer import accuracy, match, stderr
        from inspect_ai.solver import generate
    except ImportError:
        sys.exit("needs Inspect: pip install 'thence[inspect]'")
    import thence
    from thence.integrations import for_inspect

    asked = list(thence.generate("procbench/sort", size=SIZE))
    right = {each.input: thence.answer(each) for each in asked}

    def answer(messages: Any, *others: Any) -> ModelOutput:
        found = ModelOutput.from_content("mockllm/model", right[messages[0].text])
        found.usage = ModelUsage()  # else Inspect downloads a tokenizer to count
        return found

    def ours() -> Any:
        return for_inspect.procbench(tasks="sort", size=SIZE)

    def plain() -> Any:
        rows = [Sample(each.input, target=right[each.input], id=each.id) for each in asked]
        return inspect_ai.Task(
            dataset=MemoryDataset(rows), solver=generate(),
            scorer=match("exact"), metrics=[accuracy(), stderr()],
        )  # fmt: skip

    def seconds(make: Callable[[], Any]) -> tuple[float, float]:
        model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
        with tempfile.TemporaryDirectory() as folder:
            begun, spent = time.perf_counter(), time.process_time()
            (log,) = inspect_ai.eval(make(), model=model, display="none", log_dir=folder)
            took = time.perf_counter() - begun, time.process_time() - spent
        if log.status != "success" or log.results.scores[0].metrics["accuracy"].value != 1:
            sys.exit(f"the run is not what it should be: {log.status}")
        return took

    sides = {"Inspect's own plain task": plain, "ours in Inspect": ours}
    for make in sides.values():  # imports and caches
        seconds(make)
    rounds = [{name: seconds(make) for name, make in sides.items()} for _ in range(ROUNDS)]
    best = {name: min(each[name][1] for each in rounds) for name in sides}
    for name, cpu in best.items():
        wall = min(each[name][0] for each in rounds)
        print(
            f"{name:26} {wall:6.2f} s, {cpu:6.2f} s of CPU, {cpu / SIZE * 1e3:6.2f} ms a question"
        )
    ratio = best["ours in Inspect"] / best["Inspect's own plain task"]
    print(f"ours is {ratio:.2f} times Inspect's own (wanted: {WANTED})")


if __name__ == "__main__":
    main()
