"""Every number from outside has a lower and an upper bound, and a line that names it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import thence
from tests.cli.command import refused
from thence.engine.run_config import RunConfig
from thence.errors import ParameterError
from thence.generation.plan import Plan
from thence.generation.sources import FromSamples, sample_source
from thence.prompts.catalog import protocol

HUGE = "99999999999999999999"
GENERATE = ("generate", "procbench/sort", "-o", "x.jsonl")
RUN = ("run", "procbench/sort", "--size", "1", "--model", "baseline/oracle")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((*GENERATE, "--size", HUGE), (f"--size {HUGE}", "at most 1,000,000")),
        ((*GENERATE, "--limit", HUGE), (f"--limit {HUGE}", "at most 1,000,000")),
        ((*GENERATE, "--seed", HUGE), (f"--seed {HUGE}", "at most 9,007,199,254,740,991")),
        ((*GENERATE, "--seed", "-1"), ("--seed -1", "at least 0")),
        ((*GENERATE, "--workers", HUGE), (f"--workers {HUGE}", "at most 1,024")),
        (("show", "procbench/sort", "-n", HUGE), ("'-n'", "from 1 to 10,000")),
        (("validate", "procbench/sort", "--size", HUGE), (f"--size {HUGE}", "at most 1,000,000")),
        ((*RUN, "--workers", HUGE), (f"--workers {HUGE}", "at most 1,024")),
        ((*RUN, "--epochs", HUGE), (f"--epochs {HUGE}", "at most 10,000")),
        ((*RUN, "--epochs", HUGE, "--dry-run"), (f"--epochs {HUGE}", "at most 10,000")),
        ((*RUN, "--max-connections", HUGE), (f"--max-connections {HUGE}", "at most 65,536")),
        ((*RUN, "--max-retries", HUGE), (f"--max-retries {HUGE}", "at most 1,000")),
        ((*RUN, "--max-tokens", HUGE), (f"--max-tokens {HUGE}", "at most 100,000,000")),
        ((*RUN, "--seed-model", HUGE), (f"--seed-model {HUGE}", "at most 9,223,372,036,854,765,")),
        ((*RUN, "--timeout", "1e9"), ("--timeout 1e+09", "over 0 seconds and at most 604,800")),
        ((*RUN, "--rpm", "1e-300"), ("--rpm 1e-300", "from 0.001 to 1e+12 a minute")),
        ((*RUN, "--max-cost", "inf"), ("--max-cost inf", "over 0 USD and at most 1e+09")),
        ((*RUN, "--temperature", "inf"), ("--temperature inf", "from 0 to 100")),
        (
            (*RUN, "--protocol", "few_shot", "--set-protocol", f"k={HUGE}"),
            (f"--set-protocol k={HUGE}", "from 1 to 100"),
        ),
        (
            (*RUN, "--protocol", "few_shot", "--set-protocol", "pool=0000000019999999"),
            ("--set-protocol pool=", "from 1 to 100000"),
        ),
    ],
    ids=" ".join,
)
def test_a_number_on_the_command_line(arguments: tuple[str, ...], says: tuple[str, ...]) -> None:
    refused(*arguments, says=says)


def test_a_number_from_the_environment_or_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THENCE_EPOCHS", HUGE)
    refused(*RUN, says=("THENCE_EPOCHS in the environment", "at most 10,000"))
    monkeypatch.delenv("THENCE_EPOCHS")
    Path("thence.toml").write_text(f"size = {HUGE}\n", encoding="utf-8")
    refused(*GENERATE, says=(f"--size {HUGE}", "at most 1,000,000"), changes=True)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"seed": 1.0}, "seed=1: must be a whole number from 0"),
        ({"seed": "1"}, "seed=1: must be a whole number .*, not text"),
        ({"seed": None}, "seed: must be a whole number .*, not None"),
        ({"seed": True}, "seed=True: must be a whole number from 0"),
        ({"seed": 10**5000}, "seed=about 10.5000: must be at most"),
        ({"size": 10**5000}, "size=about 10.5000: must be at most"),
        ({"size": "3"}, "size=3: must be a whole number .*, not text"),
        ({"limit": 2.0}, "limit=2: must be a whole number"),
        ({"workers": 2.0}, "workers=2: must be a whole number"),
        ({"steps": 10**5000}, "steps=about 10.5000: is too large"),
        ({"steps": (2, 10**5000)}, "steps=about 10.5000: is too large"),
        ({"steps": 1e300}, r"steps=1e\+300: must be N or LO-HI"),
    ],
)
def test_a_number_of_a_set_in_python(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        thence.generate("procbench/sort", **given)


def test_a_plan_takes_python_values_and_bounds_all_tasks_together() -> None:
    assert Plan(["procbench/sort"], settings={"steps": 5}).settings == {"steps": "5"}
    with pytest.raises(ParameterError, match=r"size=300000: must be at most 217,391 for each"):
        thence.generate("procbench", size=300_000)
    with pytest.raises(ParameterError, match=r"limit=.*at most 1,000,000"):
        sample_source(["none.jsonl"], limit=10**7)


@pytest.mark.parametrize(
    ("kind", "given", "says"),
    [
        (
            thence.Limits,
            {"max_connections": "5"},
            "max_connections=5: must be a whole number .*, not text",
        ),
        (thence.Limits, {"timeout": "5"}, "timeout=5: must be over 0 .*, not text"),
        (thence.Limits, {"timeout": True}, "timeout=True: must be over 0"),
        (thence.Limits, {"max_retries": 1.0}, "max_retries=1: must be a whole number"),
        (thence.Sampling, {"max_tokens": 1.5}, "max_tokens=1.5: must be a whole number"),
        (thence.Sampling, {"temperature": "hot"}, "temperature=hot: must be from 0 .*, not text"),
        (thence.Sampling, {"top_p": 0}, "top_p=0: must be over 0 and at most 1"),
        (thence.Sampling, {"seed": 1.0}, "seed=1: must be a whole number"),
    ],
)
def test_a_number_of_a_run_in_python(kind: Any, given: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        kind(**given)


def test_epochs_and_examples_in_python() -> None:
    with pytest.raises(ParameterError, match="epochs=2: must be a whole number"):
        RunConfig(FromSamples([]), "baseline/oracle", epochs=2.0)  # type: ignore[arg-type]
    assert protocol("few_shot", {"k": "100"}).parts
    with pytest.raises(ParameterError, match="k=101: must be a whole number from 1 to 100"):
        protocol("few_shot", {"k": "101"})
