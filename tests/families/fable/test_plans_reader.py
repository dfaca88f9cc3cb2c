"""Whether the prompt says all that its answer needs: a reader who has nothing else agrees."""

from __future__ import annotations

import pytest

from tests.families.fable.plans_reader import answer, read
from thence import families
from thence.families.fable.shared.analyses import ANALYSES
from thence.generation import suite
from thence.generation.plan import Plan

solved = pytest.mark.skipif(
    bool(families.task("fable/plans/taint").generator.unavailable({"dialect": "sound"})),
    reason="the extra 'plans' is not installed",
)


def disagreeing(analysis, text, size, seed):
    plan = Plan([f"fable/plans/{analysis}"], seed, size, settings={"text": text})
    held = list(suite.generate(plan))
    assert len(held) == size
    return [(each.input, each.target) for each in held if answer(each.input) != each.target]


@solved
@pytest.mark.parametrize("text", ["grounded", "english"])
@pytest.mark.parametrize("analysis", ANALYSES)
def test_a_reader_of_the_prompt_alone_finds_the_truth(analysis, text):
    assert disagreeing(analysis, text, 20, seed=1) == []


@solved
@pytest.mark.long
@pytest.mark.parametrize("text", ["grounded", "english"])
@pytest.mark.parametrize("analysis", ANALYSES)
def test_a_reader_of_the_prompt_alone_finds_the_truth_200_times(analysis, text):
    assert disagreeing(analysis, text, 200, seed=31) == []


PROMPT = """You are an expert.

Live variables: a fact is live after a step if a later step needs it.

What each kind of action needs and does:
- "Load C onto the ferry at L." Before it: C is ashore at L; the ferry is at L; \
the ferry is empty. Made true: C is on the ferry. Made false: C is ashore at L; the ferry is empty.
- "Sail the ferry from A to B." Before it: the ferry is at A. Made true: the ferry is at B. \
Made false: the ferry is at A.

Steps of the plan:
1. Sail the ferry from shore 1 to shore 2.
2. Sail the ferry from shore 2 to shore 1.
3. Load car 1 onto the ferry at shore 2.

Step 1 makes this true: "the ferry is at shore 2". Is it live after Step 1, so that it is needed?

Answer with "Yes" or "No" only."""


def test_the_reader_goes_by_what_the_prompt_says():
    """Loading needs the ferry where it no longer is; with the last two steps exchanged, it is."""
    assert read(PROMPT).deeds[0].makes == {"the ferry is at shore 2"}
    assert answer(PROMPT) == "Yes"  # sailing back needs it
    unread = PROMPT.replace("Before it: the ferry is at A.", "Before it: the ferry is ready.")
    assert answer(unread) == "No"
    lines = unread.replace("2. Sail", "3. Sail", 1).replace("3. Load", "2. Load").split("\n")
    sail, load = (next(k for k, x in enumerate(lines) if x.startswith(n)) for n in ("3. ", "2. "))
    lines[sail], lines[load] = lines[load], lines[sail]
    assert answer("\n".join(lines)) == "Yes"
    with pytest.raises(ValueError, match="0 rules fit: Swim"):
        answer(PROMPT.replace("3. Load car 1", "3. Swim"))
