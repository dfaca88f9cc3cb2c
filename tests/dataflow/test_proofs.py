"""Proofs: ours is accepted, and none is of a wrong answer, whoever makes it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given as drawn_from
from hypothesis import strategies as st

from tests.dataflow import drawn
from tests.dataflow.choice_oracle import ChoiceOracle
from tests.dataflow.test_choices import asked_of
from thence.core.procedure import Choice, Procedure, Step
from thence.dataflow import ANALYSES, Flow
from thence.dataflow.proof_making import prove
from thence.dataflow.proof_parts import LISTS, InvalidProof, Proof
from thence.dataflow.proofs import check
from thence.dataflow.questions import FlowQuestion

KINDS = {(name, answer) for name in ANALYSES if name != "intervals" for answer in (True, False)}


def question(given: dict[str, Any]) -> FlowQuestion:
    return FlowQuestion(**{**given, "sanitizers": frozenset(given.get("sanitizers", ()))})


def is_accepted(flow: Flow, name: str, asked: FlowQuestion, answer: Any, row: object) -> bool:
    try:
        check(flow, name, asked, answer, Proof.from_json(row, flow))
    except InvalidProof as error:
        assert str(error)[0].isupper() and str(error).endswith("."), error
        return False
    return True


def other(rng: Random, flow: Flow, answer: Any) -> Any:
    """A wrong answer."""
    if isinstance(answer, bool):
        return not answer
    steps = [None, *range(len(flow))]
    return rng.choice([pair for a in steps for b in steps if (pair := (a, b)) != answer])


def random_proof(rng: Random, flow: Flow) -> dict[str, Any]:
    """A well-formed proof of anything, with few or many parts."""
    steps = range(1, len(flow) + 1)
    row: dict[str, Any] = {}
    for name in LISTS:
        if rng.random() < 0.6:
            row[name] = rng.sample(steps, rng.randint(0, len(flow)))
    if rng.random() < 0.7:
        row["step"] = rng.choice((None, *steps))
    for choice in flow.procedure.choices:
        if rng.random() < 0.4:
            row.setdefault("options", {})[choice.name] = rng.choice(choice.options)
    if flow.procedure.choices and rng.random() < 0.1:
        row["choice"] = rng.choice(flow.procedure.choices).name
    return row | ({"not_made": True} if rng.random() < 0.05 else {})


def mutated(rng: Random, flow: Flow, row: dict[str, Any]) -> dict[str, Any]:
    """A proof of which a part is changed, left out or taken from another one."""
    row = {name: list(held) if isinstance(held, list) else held for name, held in row.items()}
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice(list(row) or ["steps"])
        held = row.get(name, [])
        match rng.randrange(4):
            case 0:
                row.pop(name, None)
            case 1 if isinstance(held, list) and held:
                held.remove(rng.choice(held))
            case 2 if isinstance(held, list):
                rng.shuffle(held)
            case _:
                row |= random_proof(rng, flow)
    return row


def compare(number: int, seen: Counter[Any], most: int = 12, tries: int = 6) -> None:
    rng = Random(f"proofs {number}")
    flow = Flow(drawn.with_choices(rng) if number % 2 else drawn.procedure(rng))
    oracle = ChoiceOracle(flow.procedure.to_json())
    if len(oracle.executions) > 300:
        return
    every = asked_of(flow, rng)
    for name, given in rng.sample(every, min(most, len(every))):
        asked, where = question(given), f"{number}: {name} {given} of {flow.procedure}"
        answer = getattr(oracle, name)(**given)
        ours = prove(flow, name, asked)
        assert is_accepted(flow, name, asked, answer, ours.to_json()), f"{ours} {where}"
        seen[name, answer] += 1
        for _ in range(tries):
            row = mutated(rng, flow, ours.to_json()) if rng.random() < 0.7 else {}
            row = row or random_proof(rng, flow)
            wrong = other(rng, flow, answer)
            assert not is_accepted(flow, name, asked, wrong, row), f"{wrong} by {row}: {where}"
            if is_accepted(flow, name, asked, answer, row):
                seen[name, answer, "another"] += 1


def test_proofs_agree_with_the_oracle() -> None:
    seen: Counter[Any] = Counter()
    for number in range(130):
        compare(number, seen)
    assert seen.keys() >= KINDS
    assert {(*kind, "another") for kind in KINDS} <= seen.keys()


@pytest.mark.long
def test_many_proofs_agree_with_the_oracle() -> None:
    seen: Counter[Any] = Counter()
    for number in range(1_000, 13_000):
        compare(number, seen, tries=12)


FERRY = Procedure.total(
    "cross",
    (
        Step("Board", uses=("shore",), defines=("aboard",), kills=("shore",)),
        Step("Ring the bell"),
        Step("Land", uses=("aboard",), defines=("shore",), kills=("aboard",)),
        Step("Board again", uses=("shore",), defines=("aboard",)),
    ),
)
BRIDGE = Procedure(
    "cross",
    (
        Step("Fill", defines=("water",)),
        Step("Spill", kills=("water",), when=(("bridge", "closed"),)),
        Step("Drink", uses=("water",)),
    ),
    ((0, 1), (1, 2)),
    choices=(Choice("bridge", ("open", "closed")),),
)


@pytest.mark.parametrize(
    ("procedure", "name", "given", "answer", "row", "fault"),
    [
        (FERRY, "live_variables", {"i": 0, "fact": "aboard"}, True, {"step": 3}, ""),
        (FERRY, "live_variables", {"i": 0, "fact": "aboard"}, True, {"step": "Step 3"}, ""),
        (FERRY, "live_variables", {"i": 0, "fact": "aboard"}, True, {"step": 4},
         "Step 4 does not need it."),
        (FERRY, "live_variables", {"i": 0, "fact": "aboard"}, True, {"step": None},
         "The proof names no step that needs it."),
        (FERRY, "live_variables", {"i": 0, "fact": "aboard"}, True, {}, "The proof lacks 'step'."),
        (FERRY, "reaching_definitions", {"i": 0, "j": 2, "fact": "aboard"}, True,
         {"before": [], "after": []}, "Step 4 ends it, too, and the proof does not say when."),
        (FERRY, "reaching_definitions", {"i": 0, "j": 1, "fact": "aboard"}, True,
         {"before": [], "after": [3]}, ""),
        (FERRY, "reaching_definitions", {"i": 0, "j": 1, "fact": "aboard"}, True,
         {"before": [], "after": [4]}, "Step 3 ends it, too, and the proof does not say when."),
        (FERRY, "reaching_definitions", {"i": 0, "j": 3, "fact": "aboard"}, False,
         {"steps": [3]}, ""),
        (FERRY, "reaching_definitions", {"i": 0, "j": 3, "fact": "aboard"}, False,
         {"steps": [2, 3]}, "Step 2 does not end it."),
        (FERRY, "reaching_definitions", {"i": 0, "j": 3, "fact": "aboard"}, False,
         {"steps": [5]}, "There is no Step 5."),
        (FERRY, "reaching_definitions", {"i": 0, "j": 3, "fact": "aboard"}, False,
         {"step": True}, "A step must be given by its number."),
        (FERRY, "reaching_definitions", {"i": 0, "j": 3, "fact": "aboard"}, False,
         {"steps": 3}, "The part 'steps' is not a list of steps."),
        (FERRY, "reaching_definitions", {"i": 0, "j": 3, "fact": "aboard"}, False,
         {"steps": [3, 3]}, "The part 'steps' names a step twice."),
        (FERRY, "reaching_definitions", {"i": 0, "j": 3, "fact": "aboard"}, False,
         {"why": 3}, "A proof has no part 'why'."),
        (FERRY, "reaching_definitions", {"i": 0, "j": 3, "fact": "aboard"}, False,
         [3], "The proof is not a JSON object."),
        (BRIDGE, "very_busy_expressions", {"i": 0, "fact": "water"}, False,
         {"step": 2, "options": {"bridge": "closed"}}, ""),
        (BRIDGE, "very_busy_expressions", {"i": 0, "fact": "water"}, False,
         {"step": 2, "options": {"bridge": "open"}},
         "No permitted order carries out the steps in this order, with these options."),
        (BRIDGE, "live_variables", {"i": 0, "fact": "water"}, True,
         {"step": 3, "options": {"bridge": "burnt"}}, "There is no option 'burnt' of 'bridge'."),
        (BRIDGE, "live_variables", {"i": 0, "fact": "water"}, True,
         {"step": 3, "options": {"bridge": "closed"}},
         "In this order Step 2 can end it before Step 3."),
    ],
)  # fmt: skip
def test_a_proof_is_accepted_or_told_what_is_wrong_with_it(
    procedure: Procedure, name: str, given: dict[str, Any], answer: bool, row: Any, fault: str
) -> None:
    flow = Flow(procedure)
    if not fault:
        check(flow, name, question(given), answer, Proof.from_json(row, flow))
        return
    with pytest.raises(InvalidProof) as error:
        check(flow, name, question(given), answer, Proof.from_json(row, flow))
    assert str(error.value) == fault


_SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 9), st.floats(), st.text(max_size=4),
    st.just(10**30), st.sampled_from(["Step 2", "bridge", "open"]),
)  # fmt: skip
_VALUES = st.recursive(
    _SCALARS, lambda held: st.lists(held) | st.dictionaries(st.text(max_size=3), held)
)
_ROWS = st.one_of(
    _VALUES,
    st.dictionaries(st.sampled_from([*LISTS, "step", "options", "choice", "not_made"]), _VALUES),
    st.dictionaries(st.sampled_from(LISTS), st.lists(st.integers(1, 3), max_size=4)),
)


@drawn_from(st.sampled_from(sorted(KINDS)), _ROWS)
def test_what_is_no_proof_is_refused_whatever_it_holds(kind: tuple[str, bool], row: Any) -> None:
    name, answer = kind
    flow = Flow(BRIDGE)
    parts = {"i": 0, "j": 2, "fact": "water"}
    analysis = ANALYSES[name]
    kept = {key: parts[key] for key in parts if key in (*analysis.asks, *analysis.may_ask)}
    accepted = is_accepted(flow, name, question(kept), answer, row)
    assert not accepted or analysis.decide(flow, **kept).answer is answer
