"""Finer reasons for plans in queues agree with a look at every permitted order."""

from __future__ import annotations

from itertools import pairwise, permutations
from random import Random

from thence.core.graph import Graph
from thence.core.procedure import Procedure, Step
from thence.dataflow import ANALYSES, Flow
from thence.dataflow.questions import FlowQuestion
from thence.dataflow.reasons import reason
from thence.families.fable.plans.finer_reasons import FINER, finer_reason, links

STEPS, FACTS, DRAWN = 7, "pq", 60


def drawn(rng):
    """Return random steps in queues as a procedure, and its queues and waits."""
    steps = []
    for k in range(STEPS):
        roles = {
            fact: rng.choice(("uses", "uses kills", "kills", "defines", "", "")) for fact in FACTS
        }
        named = {
            role: tuple(fact for fact in FACTS if role in roles[fact])
            for role in ("uses", "kills", "defines")
        }
        steps.append(Step(f"Step {k}", **named))
    where = [0, 1, *(rng.randrange(rng.choice((2, 3))) for _ in range(STEPS - 2))]
    queues = [[k for k in range(STEPS) if where[k] == each] for each in sorted(set(where))]
    within = [pair for queue in queues for pair in pairwise(queue)]
    apart = [(a, b) for a in range(STEPS) for b in range(a + 1, STEPS) if where[a] != where[b]]
    order = Graph(STEPS, [*within, *rng.sample(apart, min(len(apart), 3))]).transitive_reduction()
    waits = sorted({*order} - {*within})
    procedure = Procedure("all", tuple(steps), tuple(sorted(order)), ())
    return procedure, {"queues": queues, "waits": waits}


def executions(procedure, done=()):
    """Return every permitted order."""
    if len(done) == STEPS:
        return [done]
    waiting = {b for a, b in procedure.order if a not in done}
    ready = [k for k in range(STEPS) if k not in done and k not in waiting]
    return [run for k in ready for run in executions(procedure, (*done, k))]


def questions(name, steps):
    made = [(i, fact) for i, step in enumerate(steps) for fact in step.defines]
    if name == "intervals":
        return [FlowQuestion(i) for i in range(STEPS)]
    if name in ("live_variables", "very_busy_expressions"):
        return [FlowQuestion(i, None, fact) for i, fact in made]
    if name == "taint":
        triples = permutations(range(STEPS), 3)
        return [FlowQuestion(i, j, None, frozenset({k})) for i, k, j in triples if (i + k) % 3]
    if name in ("type_state", "concurrency"):
        return [FlowQuestion(i, j) for i, j in permutations(range(STEPS), 2)]
    return [FlowQuestion(i, j, fact) for i, fact in made for j in range(STEPS) if j != i]


def moved(steps, runs, asked, shown):
    users = (
        [k for k in range(STEPS) if asked.fact in steps[k].uses] if asked.j is None else [asked.j]
    )
    later = [user for user in users if user > asked.i]
    if later:
        between = steps[asked.i + 1 : later[0]]
        enders = [
            asked.i + 1 + k
            for k, step in enumerate(between)
            if asked.fact in (*step.kills, *step.defines)
        ]
        first = [any(run.index(k) < run.index(asked.i) for run in runs) for k in enders]
        return "ender_before" if all(first) else "ender_after"
    if asked.j is not None:
        return "listed_after"
    free = {user for run in runs for user in run[run.index(asked.i) + 1 :] if user in users}
    return "several_later" if len(free) > 1 else "one_later"


def unused(steps, runs, asked, shown):
    users = {k for k in range(STEPS) if asked.fact in steps[k].uses and k != asked.i}
    assert all(run.index(user) < run.index(asked.i) for run in runs for user in users)
    if not users:
        return "never_used"
    held = any(users < {*queue} for queue in shown["queues"] if asked.i in queue)
    return "before_in_queue" if held else "before_by_waits"


def checked(steps, runs, asked, shown):
    """Look for what is tainted along links each of which some permitted order shows."""
    found, waiting = set(), [asked.i]
    while waiting:
        a = waiting.pop()
        linked = {
            b for run in runs for fact in steps[a].defines for b in fresh(steps, run, a, fact)
        }
        waiting += [b for b in linked - found if b not in asked.sanitizers]
        found |= linked
    return "past_checked" if found & asked.sanitizers else "checked_aside"


def fresh(steps, run, a, fact):
    """Yield the steps that meet a fact as a step made it."""
    for k in run[run.index(a) + 1 :]:
        if fact in steps[k].uses:
            yield k
        if fact in (*steps[k].kills, *steps[k].defines):
            return


def killers(steps, asked):
    return [k for k in range(STEPS) if asked.fact in steps[k].kills and k not in asked[:2]]


def outside(steps, runs, asked, shown):
    before = {all(run.index(k) < run.index(asked.i) for run in runs) for k in killers(steps, asked)}
    return {(True,): "killer_before", (False,): "killer_after"}.get((*before,), "killers_around")


def killed(steps, runs, asked, shown):
    i, j = asked.i, asked.j
    found = [
        k
        for k in killers(steps, asked)
        if any(run.index(i) < run.index(k) < run.index(j) for run in runs)
    ]
    if any(i < k < j for k in found):
        return "killed_between"
    return "killed_later" if any(k < i for k in found) else "killed_earlier"


def ended(steps, runs, asked, shown):
    enders = set()
    for run in runs:
        for k in run[run.index(asked.i) + 1 :]:
            if asked.fact in steps[k].uses:
                break
            if asked.fact in (*steps[k].kills, *steps[k].defines):
                enders.add(k)
                break
    return "ended_earlier" if any(k > asked.i for k in enders) else "ended_later"


def missing(steps, runs, asked, shown):
    for fact in steps[asked.j].uses:
        ways = set()
        for run in runs:
            held, made = False, False
            for k in run[: run.index(asked.j)]:
                held = fact in steps[k].defines or (held and fact not in steps[k].kills)
                made |= fact in steps[k].defines
            if not held:
                ways.add(made)
        if ways:
            late = "ended_anyway" if False not in ways else "made_late"
            return "not_kept" if fact in steps[asked.i].defines else late
    raise AssertionError("nothing is missing")


def waited(steps, runs, asked, shown):
    first, last = sorted(asked[:2])
    edges = {pair: 0 for queue in shown["queues"] for pair in pairwise(queue)}
    edges |= dict.fromkeys(shown["waits"], 1)
    fewest = {first: 0}
    for _ in range(STEPS):
        for (a, b), wait in edges.items():
            if a in fewest:
                fewest[b] = min(fewest.get(b, STEPS), fewest[a] + wait)
    return "one_wait" if fewest[last] == 1 else "several_waits"


def bounds(steps, runs, asked, shown):
    k = asked.i
    first = [a for a in range(k) if all(run.index(a) < run.index(k) for run in runs)]
    then = [b for b in range(k + 1, STEPS) if all(run.index(k) < run.index(b) for run in runs)]
    if k - max(first) == 1:
        return "further_after"
    return "further_before" if min(then) - k == 1 else "both_further"


EXPECTED = {
    ("reaching_definitions", "other_order"): moved,
    ("live_variables", "other_order"): moved,
    ("live_variables", "never_used"): unused,
    ("taint", "listed"): checked,
    ("available_expressions", "killer_outside"): outside,
    ("available_expressions", "killed"): killed,
    ("very_busy_expressions", "ended_first"): ended,
    ("type_state", "already_missing"): missing,
    ("concurrency", "chain"): waited,
    ("intervals", "both"): bounds,
}


def compare(number, seen):
    procedure, shown = drawn(Random(f"finer {number}"))
    flow, runs = Flow(procedure), None
    for name in ANALYSES:
        for asked in questions(name, procedure.steps):
            coarse = reason(flow, name, asked).name
            found = finer_reason(flow, name, asked, shown)
            if (name, coarse) not in FINER:
                assert found == coarse
                continue
            if name == "concurrency" and any(set(asked[:2]) <= {*q} for q in shown["queues"]):
                continue  # not asked about
            runs = runs or executions(procedure)
            expected = EXPECTED[name, coarse](procedure.steps, runs, asked, shown)
            assert found == expected, (number, name, asked, procedure)
            seen.add((name, coarse, found))
            if found in ("before_in_queue", "before_by_waits"):
                reduced = Graph(STEPS, procedure.order)
                users = [k for k in range(STEPS) if asked.fact in procedure.steps[k].uses]
                far = [reduced.distances(user)[asked.i] for user in users if user != asked.i]
                assert links(flow, name, asked, shown) == max(far)


def test_finer_reasons_agree_with_every_permitted_order():
    seen = set()
    for number in range(DRAWN):
        compare(number, seen)
    assert seen == {(*key, each.name) for key, listed in FINER.items() for each in listed}
