"""What cannot be is refused in one line that names the rule; what can be is shown by ``list``."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.cli.command import rows, thence
from thence import families
from thence.errors import UsageError
from thence.generation import suite
from thence.generation.plan import Plan, slots

TASKS = ("plan_generation", "consistency", "comparison")


def refusal(task: str, size: int | None = None, **settings: str) -> str:
    with pytest.raises(UsageError) as caught:
        list(slots(Plan([f"releval/{task}"], 0, size, settings=settings)))
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("task", "group", "rule"),
    [
        ("consistency", (10, 46, 3), "n <= m <= n(n-1)/2 - z(z-3)/2"),
        ("consistency", (10, 9, 3), "give an m from 10 to 45"),
        ("consistency", (10, 37, 6), "give an m from 10 to 36"),
        ("consistency", (30, 184, 24), "give an m from 30 to 183"),
        ("consistency", (10, 47, 2), "give an m from 10 to 46"),
        ("consistency", (10, 20, 1), "2 <= z <= n"),
        ("consistency", (10, 20, 11), "2 <= z <= n"),
        ("consistency", (10, 46, 0), "n-1 <= m <= n(n-1)/2"),
        ("consistency", (10, 8, 0), "give an m from 9 to 45"),
        ("comparison", (10, 20, 10), "z <= n-1"),
        ("comparison", (10, 40, 4), "n-1 <= m <= n(n-1)/2 - z(z-1)/2"),
        ("comparison", (10, 8, 4), "give an m from 9 to 39"),
        ("comparison", (10, 45, 0), "give an m from 9 to 44"),
        ("comparison", (2, 1, 0), "which no m fits"),
        ("plan_generation", (10, 46), "n/2 <= m <= n(n-1)/2"),
        ("plan_generation", (10, 4), "give an m from 5 to 45"),
    ],
)
def test_impossible_groups_are_refused_with_their_rule(
    task: str, group: Sequence[int], rule: str
) -> None:
    settings = {knob: str(value) for knob, value in zip("nmz", group, strict=False)}
    message = refusal(task, **settings)
    assert rule in message
    assert all(f"{knob}={value}" in message for knob, value in settings.items())


@pytest.mark.parametrize(
    ("task", "settings", "says"),
    [
        ("consistency", {"framing": "legal"}, "symbolic, software or finance"),
        ("consistency", {"notation": "<"}, "mixed or aligned"),
        ("consistency", {"cap": "0"}, "from 1 to 1000"),
        ("consistency", {"cap": "-1"}, "from 1 to 1000"),
        ("consistency", {"cap": "many"}, "from 1 to 1000"),
        ("consistency", {"labels": "emoji"}, "letters, strings, words, names"),
        ("consistency", {"labels": "a,b,a"}, "'a' and 'a' clash"),
        ("comparison", {"labels": "ann,Bob,bob"}, "'Bob' and 'bob' clash"),
        ("comparison", {"labels": "a,b,c"}, "3 names are too few for group 10_15_0"),
        ("comparison", {"labels": "a>b,c"}, "'a>b' is no name"),
        ("comparison", {"labels": "a,,c"}, "'' is no name"),
        ("plan_generation", {"names": "x,X"}, "'x' and 'X' clash"),
        ("plan_generation", {"names": "x,y"}, "2 names are too few for group 3_3"),
        ("plan_generation", {"names": "any"}, "free, given"),
        ("plan_generation", {"framing": "finance"}, "plans are symbolic only"),
        (
            "consistency",
            {"n": "11"},
            "the paper has no such group; for one of your own give m and z",
        ),
        ("comparison", {"n": "10", "z": "5"}, "give m too"),
        ("comparison", {"n": "1"}, "from 2 to 10000"),
        ("comparison", {"m": "ten"}, "'paper' or a number"),
    ],
    ids=str,
)
def test_values_that_no_knob_takes_are_refused(
    task: str, settings: dict[str, str], says: str
) -> None:
    assert says in refusal(task, **settings)


def test_more_plans_than_there_are_prompts_are_refused() -> None:
    assert "142 in all" in refusal("plan_generation", size=143)
    assert "1 in all" in refusal("plan_generation", size=2, n="7", m="9")
    plan = Plan(["releval/plan_generation"], 0, 200, settings={"names": "given"})
    assert len({sample.id for sample in suite.generate(plan)}) == 200


def test_some_knobs_alone_pick_from_the_papers_groups() -> None:
    def groups(task: str, **settings: str) -> list[str]:
        plan = Plan([f"releval/{task}"], settings=settings)
        return list(dict.fromkeys(place.condition.group for place in slots(plan)))

    assert groups("consistency", z="24") == ["30_45_24", "30_90_24"]
    assert groups("comparison", n="10", m="30") == ["10_30_0", "10_30_2", "10_30_4"]
    assert groups("plan_generation", n="5") == ["5_5", "5_7", "5_9"]
    assert groups("comparison", n="12", m="20", z="3") == ["12_20_3"]


def test_own_names_are_used() -> None:
    names = [f"crate {each}" for each in range(12)]
    plan = Plan(["releval/comparison"], 0, 4, settings={"n": "10", "labels": ",".join(names)})
    for sample in suite.generate(plan):
        assert set(sample.metadata["names"]) <= set(names)
        assert len(sample.metadata["names"]) == 10


def test_a_framing_leaves_plans_out_and_says_so() -> None:
    thence("generate", "releval", "--size", "23", "--set", "framing=finance", "-o", "f.jsonl")
    tasks = {row["task"] for row in rows("f.jsonl")}
    assert tasks == {"releval/consistency", "releval/comparison"}


def test_every_knob_is_listed_with_its_default() -> None:
    found = {row["task"]: row for row in thence("list", "--json").json()}
    sets = {"plan_generation": (142, 142), "consistency": (400, 20), "comparison": (460, 23)}
    for task in TASKS:
        row = found[f"releval/{task}"]
        assert (row["set"], row["groups"]) == sets[task]
        for knob in families.task(f"releval/{task}").generator.parameters:
            assert row["--set"][knob.name].endswith(f"[{knob.default}]")
    assert {"n", "m", "z", "like", "cap", "framing", "notation", "labels"} == set(
        found["releval/consistency"]["--set"]
    )
    assert "cap" in thence("list", "parameters").out


@pytest.mark.parametrize("labels", ["letters", "strings", "words", "names"])
@pytest.mark.parametrize("n", [4, 26, 27, 700])
def test_names_of_any_number_differ_in_more_than_case(labels: str, n: int) -> None:
    settings = {"n": str(n), "m": str(n), "z": "2", "labels": labels}
    for framing in ("symbolic", "software", "finance"):
        plan = Plan(["releval/comparison"], 0, 1, settings={**settings, "framing": framing})
        (sample,) = suite.generate(plan)
        names = sample.metadata["names"]
        assert len({name.casefold() for name in names}) == n
