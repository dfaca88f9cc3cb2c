"""The pieces of a right answer, in the spellings that replies put together."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from thence import families
from thence.core.sample import Sample
from thence.core.score import Score
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response, judge

_LINES = (Path(__file__).parents[1] / "golden" / "samples.jsonl").read_bytes().splitlines()
_MARK = re.compile(r"@(\w+)@")


@cache
def samples() -> dict[str, Sample]:
    """The first sample of each task in the golden file."""
    found: dict[str, Sample] = {}
    for line in _LINES:
        sample = Sample.from_json(json.loads(line))
        found.setdefault(sample.task, sample)
    plan = Plan(["releval/consistency"], settings={"n": "10", "m": "15", "z": "5"}, size=1)
    found["releval/consistency"] = next(iter(generate(plan)))
    return found


def score(sample: Sample, reply: str, name: str = "direct") -> Score:
    """The verdict on a reply."""
    task = families.task(sample.task)
    return judge(Response(sample.id, response=reply), sample, task, protocol(name))


def curly(text: str) -> str:
    """A text with quotes as word processors set them."""
    return re.sub(r'"([^"]*)"', "\u201c\\1\u201d", text)


def _python(value: Any) -> str:
    return repr(value)


def _tuples(value: Any) -> str:
    if isinstance(value, list):
        inner = ", ".join(map(_tuples, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


def _spelled(value: Any, number: Any) -> str:
    """JSON with each integer in another spelling."""
    if isinstance(value, list):
        return f"[{', '.join(_spelled(each, number) for each in value)}]"
    return number(value) if isinstance(value, int) else json.dumps(value)


def _states(target: dict[str, Any]) -> dict[str, str]:
    states, final = target["intermediate"], target["final"]
    both = [*states, final]
    dump = json.dumps
    bare = final if isinstance(final, str) else dump(final)
    lines = [
        f"step{n}: {each if isinstance(each, str) else dump(each)}"
        for n, each in enumerate(states, 1)
    ]
    return {
        "json": dump(target),
        "pretty": dump(target, indent=2),
        "I": dump(states),
        "F": dump(final),
        "f": bare,
        "pyI": _python(states),
        "pyF": _python(final),
        "tupI": _tuples(states),
        "tupF": _tuples(final),
        "floatI": _spelled(states, lambda n: f"{n}.0"),
        "floatF": _spelled(final, lambda n: f"{n}.0"),
        "commaI": _spelled(states, lambda n: f'"{n:,}"'),
        "commaF": _spelled(final, lambda n: f"{n:,}"),
        "steps": "\n".join(lines),
        "Steps": "\n".join(
            f"- **Step {n}:** `{line.partition(': ')[2]}`" for n, line in enumerate(lines, 1)
        ),
        "inline": ", ".join(lines),
        "objects": dump([{"step": n, "state": each} for n, each in enumerate(states, 1)]),
        "stepdict": dump({f"step{n}": each for n, each in enumerate(states, 1)}),
        "bullets": "\n".join(
            f"- {each if isinstance(each, str) else dump(each)}" for each in states
        ),
        "numbered": "\n".join(
            f"{n}. `{each if isinstance(each, str) else dump(each)}`"
            for n, each in enumerate(states, 1)
        ),
        "closed": dump(states)[:-1] + ",]",
        "curly": curly(dump(target)),
        "wrongcomma": dump({"intermediate": [*both, final], "final": final})[:-1] + ",}",
        "wrong": dump({"intermediate": [*both, final], "final": states[0] if states else final}),
    }


def slots(sample: Sample) -> dict[str, str]:
    """The pieces of the right answer to a question, by name."""
    task = families.task(sample.task)
    target, right = sample.target, task.format.write(sample.target)
    found = {"right": right, "part": task.format.part(right)}
    if sample.family == "procbench":
        return found | _states(target)
    if sample.task == "releval/comparison":
        other = "False" if target == "True" else "True"
        return found | {"word": target, "lower": target.lower(), "other": other}
    if sample.task == "releval/consistency":
        closed = [[*cycle, cycle[0]] for cycle in target["cycles"]]
        commas = [", ".join(each) for each in closed]
        numbered = list(enumerate(commas, 1))
        return found | {
            "word": "No" if target["consistent"] else "Yes",
            "angles": "\n".join(f"{n}. Cycle: $\\langle {each} \\rangle$" for n, each in numbered),
            "entities": "\n".join(f"{n}. Cycle: &lt;{each}&gt;" for n, each in numbered),
            "arrows": "\n".join(f"{n}. {each.replace(', ', ' → ')}" for n, each in numbered),
            "latex": "\n".join(
                f"{n}. Cycle: ${each.replace(', ', f' {chr(92)}rightarrow ')}$"
                for n, each in numbered
            ),
            "cycles": "\n".join(f"{n}. Cycle: <{each}>" for n, each in numbered),
            "json": json.dumps({"output": "Yes", "cycles": closed}),
            "py": repr({"output": "Yes", "cycles": closed}),
            "list": json.dumps(closed),
        }
    if sample.task == "releval/plan_generation":
        listed = json.loads(found["part"])["relationships"]
        return found | {
            "list": json.dumps(listed, indent=1),
            "py": repr(listed),
            "entities": json.dumps(listed).replace("<", "&lt;").replace(">", "&gt;"),
            "closed": json.dumps(listed)[:-1] + ",]",
            "curly": curly(json.dumps(listed)),
        }
    other = {"yes": "no", "no": "yes"}.get(right.lower(), "")
    return found | {
        "word": right,
        "lower": right.lower(),
        "upper": right.upper(),
        "no": other,
        "nocap": other.capitalize(),
    }


def rendered(text: str, sample: Sample) -> str:
    """A reply with the pieces of the right answer in the place of their marks."""
    pieces = slots(sample)
    return _MARK.sub(lambda mark: pieces[mark[1]], text)
