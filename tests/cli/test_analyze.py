# ruff: noqa: E501 - findings stand as they are printed
"""``thence analyze``: what it finds, alone and at its place, and what it refuses."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Never

import pytest
import yaml
from jsonschema import Draft202012Validator

from tests.cli.command import refused, thence
from thence import cli
from thence.core.procedure import Procedure, Step
from thence.errors import UsageError
from thence.procedures import ERROR, WARNING, analyze
from thence.procedures.lints import _Hints


def write(text: str, name: str = "procedure.yaml") -> Path:
    path = Path(name)
    path.write_text(text, encoding="utf-8")
    return path


def finding(text: str) -> list[str]:
    """The lines of the only finding of a file."""
    out = thence("analyze", write(text), status=1).out
    lines = out[out.index("procedure.yaml:", out.index("critical path")) :].splitlines()
    assert lines[-1] in {"1 error", "1 warning"}
    return lines[:-2]


ALONE = {
    "used-never-defined": (
        """
goal: Make tea
start: [water]
results: [tea]
steps:
  - name: boil
    uses: [water]
    defines: [hot water]
  - name: brew
    uses: [hot water, tea leaves]
    defines: [tea]
""",
        """
procedure.yaml:10:23: error[used-never-defined]: step 2 (brew) uses 'tea leaves', which is never defined
 10 |     uses: [hot water, tea leaves]
    |                       ^^^^^^^^^^
    = cause: no step defines 'tea leaves', and start does not list it
    = help: let an earlier step define 'tea leaves', or list it under start
""",
    ),
    "used-never-defined, misspelt": (
        """
goal: Make tea
start: [water]
results: [hot water, tea]
steps:
  - name: boil
    uses: [water]
    defines: [hot water]
  - name: brew
    uses: [hot waters]
    defines: [tea]
""",
        """
procedure.yaml:10:12: error[used-never-defined]: step 2 (brew) uses 'hot waters', which is never defined
 10 |     uses: [hot waters]
    |            ^^^^^^^^^^
    = cause: no step defines 'hot waters', and start does not list it
    = help: did you mean 'hot water'? Otherwise let an earlier step define 'hot waters', or list it under start
""",
    ),
    "used-before-defined": (
        """
goal: Send a parcel
start: [parcel]
results: [receipt, label]
steps:
  - name: post
    uses: [parcel, label]
    defines: [receipt]
  - name: print
    defines: [label]
""",
        """
procedure.yaml:7:20: error[used-before-defined]: step 1 (post) uses 'label' before it is defined
 7 |     uses: [parcel, label]
   |                    ^^^^^
   = cause: step 2 (print) defines it later, and start does not list it
   = help: list 'label' under start, or let a step before step 1 (post) define it
""",
    ),
    "used-after-kill": (
        """
goal: Move out
start: [keys, flat]
results: [clean flat]
steps:
  - name: hand over
    uses: [keys]
    kills: [keys]
  - name: clean
    uses: [keys, flat]
    defines: [clean flat]
""",
        """
procedure.yaml:10:12: error[used-after-kill]: step 2 (clean) uses 'keys' after it was killed
 10 |     uses: [keys, flat]
    |            ^^^^
    = cause: step 1 (hand over) kills 'keys', and no step in between defines it again
    = help: move step 2 (clean) before step 1 (hand over), or define 'keys' again in between
""",
    ),
    "overwritten-before-use": (
        """
goal: Build
results: [package]
steps:
  - name: debug build
    defines: [binary]
  - name: release build
    defines: [binary]
  - name: pack
    uses: [binary]
    defines: [package]
order: text
""",
        """
procedure.yaml:6:15: warning[overwritten-before-use]: step 1 (debug build) defines 'binary', which is overwritten before anything uses it
 6 |     defines: [binary]
   |               ^^^^^^
   = cause: step 2 (release build) defines 'binary' again, and no step in between uses it
   = help: take 'binary' out of what step 1 (debug build) defines, or let a step use it before step 2 (release build)
""",
    ),
    "defined-never-used": (
        """
goal: Bake
start: [flour]
results: [bread]
steps:
  - name: bake
    uses: [flour]
    defines: [bread, crumbs]
""",
        """
procedure.yaml:8:22: warning[defined-never-used]: step 1 (bake) defines 'crumbs', which is never used
 8 |     defines: [bread, crumbs]
   |                      ^^^^^^
   = cause: no step that comes after it uses it
   = help: let a later step use 'crumbs', list it under results, or take it out
""",
    ),
    "defined-never-used, of the start": (
        """
goal: Bake
start: [flour, salt]
results: [bread]
steps:
  - name: bake
    uses: [flour]
    defines: [bread]
""",
        """
procedure.yaml:3:16: warning[defined-never-used]: start lists 'salt', which is never used
 3 | start: [flour, salt]
   |                ^^^^
   = cause: no step uses or kills it
   = help: let a step use 'salt', or take it out
""",
    ),
    "kills-nothing": (
        """
goal: Bake
start: [flour]
results: [bread]
steps:
  - name: bake
    uses: [flour]
    defines: [bread]
    kills: [flower, flour]
""",
        """
procedure.yaml:9:13: warning[kills-nothing]: step 1 (bake) kills 'flower', which never holds
 9 |     kills: [flower, flour]
   |             ^^^^^^
   = cause: no step defines 'flower', and start does not list it
   = help: did you mean 'flour'? Otherwise list 'flower' under start, or take it out
""",
    ),
    "result-missing": (
        """
goal: Bake
start: [oven off]
results: [oven off]
steps:
  - name: heat
    uses: [oven off]
    kills: [oven off]
""",
        """
procedure.yaml:4:11: error[result-missing]: 'oven off' is a result, but does not hold at the end
 4 | results: [oven off]
   |           ^^^^^^^^
   = cause: step 1 (heat) kills 'oven off', and no later step defines it again
   = help: let a last step define 'oven off', or take it out of results
""",
    ),
    "racing": (
        """
goal: Ship
results: [image]
steps:
  - name: sign
    uses: [image]
  - name: build
    defines: [image]
  - name: scan
    uses: [image]
    after: build
order: []
start: [image]
""",
        """
procedure.yaml:6:12: error[racing]: step 1 (sign) and step 2 (build) race for 'image'
 6 |     uses: [image]
   |            ^^^^^
   = cause: one uses it, the other defines it, and nothing says which comes first
   = help: put them in order, such as sign -> build
""",
    ),
    "option-without-steps": (
        """
goal: Make tea
start: [water]
choices: {milk: [with, without]}
steps:
  - {text: Boil the water, uses: water, defines: tea}
  - {text: Add milk, uses: tea, when: {milk: with}}
""",
        """
procedure.yaml:4:24: warning[option-without-steps]: option 'without' of choice 'milk' has no steps
 4 | choices: {milk: [with, without]}
   |                        ^^^^^^^
   = cause: no step has milk: without under when
   = help: let a step depend on it, be it one that says that nothing is done, or take 'without' out
""",
    ),
    "never-carried-out": (
        """
goal: Make tea
start: [water]
choices: {milk: [with, without]}
steps:
  - {text: Boil the water, uses: water, defines: tea}
  - {text: Wonder, when: [[milk, with], [milk, without]]}
""",
        """
procedure.yaml:7:42: error[never-carried-out]: step 2 is never carried out
 7 |   - {text: Wonder, when: [[milk, with], [milk, without]]}
   |                                          ^^^^
   = cause: it depends on two options of 'milk', 'with' and 'without'
   = help: take one of them out, or make two steps of step 2
""",
    ),
    "used-before-defined, under an option": (
        """
goal: Make tea
start: [water]
choices: {stove: [gas, none]}
steps:
  - {name: boil, uses: water, defines: hot water, when: {stove: gas}}
  - {name: wait, when: {stove: none}}
  - {name: brew, uses: hot water, defines: tea}
""",
        """
procedure.yaml:8:24: error[used-before-defined]: step 3 (brew) uses 'hot water' before it is defined
 8 |   - {name: brew, uses: hot water, defines: tea}
   |                        ^^^^^^^^^
   = cause: where 'stove' is 'none', no step that can come before it defines 'hot water', and start does not list it
   = help: list 'hot water' under start, or let a step before step 3 (brew) define it
""",
    ),
    "result-missing, under an option": (
        """
goal: Make tea
start: [water]
results: [tea]
choices: {kettle: [works, leaks]}
steps:
  - {name: brew, uses: water, defines: tea}
  - {name: enjoy, uses: tea, when: {kettle: works}}
  - {name: spill, kills: tea, when: {kettle: leaks}}
""",
        """
procedure.yaml:4:11: error[result-missing]: 'tea' is a result, but does not hold at the end
 4 | results: [tea]
   |           ^^^
   = cause: where 'kettle' is 'leaks', step 3 (spill) kills 'tea', and no later step defines it again
   = help: let a last step define 'tea', or take it out of results
""",
    ),
}


@pytest.mark.parametrize("name", ALONE)
def test_each_finding_alone_says_step_fact_cause_and_mend(name: str) -> None:
    text, expected = ALONE[name]
    assert finding(text) == expected.strip("\n").splitlines()


def test_a_right_procedure_is_found_right_and_ends_with_0() -> None:
    path = write(
        "goal: Bake\nstart: [flour]\nsteps: [{name: bake, uses: [flour], defines: [bread]}]"
    )
    assert thence("analyze", path).last == "nothing found"


def test_every_rule_is_told_of_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "guides" / "analyze.md").read_text(
        encoding="utf-8"
    )
    told = set(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE))
    assert told == {name.split(",")[0] for name in ALONE}


# What is refused ---------------------------------------------------------------------------------

STEPS = "steps: [{name: a}, {name: b}, {name: c}]\n"
CYCLE = "goal: g\nchoices: {c: [x, y]}\nsteps:\n  - {name: a, when: {c: x}, after: b}\n"
REFUSED = {
    "a cycle": (
        f"goal: g\norder: [[a, b], b -> c -> a]\n{STEPS}",
        "2:17: the order is cyclic: step 1 (a) -> 2 (b) -> 3 (c) -> 1 (a); take one of these out",
    ),
    "a step after itself": (
        "goal: g\nsteps: [{name: a, after: a}]",
        "2:26: the order is cyclic: step 1 (a) -> 1 (a)",
    ),
    "an unknown step": (
        "goal: g\nsteps: [{name: whisk}, {name: fry, after: wisk}]",
        "2:43: unknown step 'wisk'; did you mean 'whisk'?",
    ),
    "a number that is no step": (
        f"goal: g\n{STEPS}order: [[1, 4]]",
        "3:13: there is no step 4; steps are 1 to 3",
    ),
    "a huge number": (f"goal: g\n{STEPS}order: [[1, {'9' * 5000}]]", "3:13: unknown step '999"),
    "a huge duration": (
        "goal: g\nsteps: [{name: a, duration: 99999999999 h}]",
        "2:29: '99999999999 h' is longer than a hundred years",
    ),
    "an endless duration": (
        f"goal: g\nsteps: [{{name: a, duration: {'9' * 400}}}]",
        "2:29: an amount is a number",
    ),
    "an infinite duration": (
        f"goal: g\nsteps: [{{name: a, seconds: [1, {'9' * 199}]}}]",
        "2:28: longer than a hundred years",
    ),
    "a duration that shrinks": (
        "goal: g\nsteps: [{name: a, duration: [10 min, 5 min]}]",
        "2:29: the longest duration is less than the shortest; exchange them",
    ),
    "three durations": (
        "goal: g\nsteps: [{name: a, duration: [1 s, 2 s, 3 s]}]",
        "2:29: 3 durations; give one, or the least and the most",
    ),
    "a duration without a unit": (
        "goal: g\nsteps: [{name: a, duration: 5}]",
        "2:29: '5' has no unit; write 5 min (or s, h, d)",
    ),
    "a range without a unit": (
        "goal: g\nsteps: [{name: a, duration: 5-10}]",
        "2:29: '5-10' has no unit; write 5-10 min (or s, h, d)",
    ),
    "seconds with a unit": (
        "goal: g\nsteps: [{name: a, seconds: 5 min}]",
        "2:28: seconds takes a number of 0 or more, not '5 min'",
    ),
    "a quantity without a number": (
        "goal: g\nsteps: [{name: a, quantities: {salt: some}}]",
        "2:38: 'some' has no number where one is due",
    ),
    "words for a duration": (
        "goal: g\nsteps: [{name: a, duration: a while}]",
        "2:29: 'a while' has no number where one is due",
    ),
    "an unknown fact": (
        "goal: g\nfacts: [egg]\nsteps: [{name: a, uses: [eggs]}]",
        "3:26: unknown fact 'eggs'; did you mean 'egg'?",
    ),
    "an unknown result": (
        "goal: g\nresults: [cake]\nsteps: [{name: a, defines: [bread]}]",
        "2:11: unknown fact 'cake'; neither a step nor start names it",
    ),
    "a fact that stands twice": (
        "goal: g\nsteps: [{name: a, uses: [x, x]}]",
        "2:29: fact 'x' stands twice in uses; take one out",
    ),
    "a name that stands twice": (
        "goal: g\nsteps:\n  - name: a\n  - name: a",
        "4:11: step name 'a' stands on line 3 already; names tell steps apart",
    ),
    "an unknown choice": (
        "goal: g\nchoices: {bridge: [open]}\nsteps: [{name: a, when: {bride: open}}]",
        "3:26: unknown choice 'bride'; did you mean 'bridge'?",
    ),
    "a choice that is not listed": (
        "goal: g\nsteps: [{name: a, when: {bridge: open}}]",
        "2:26: unknown choice 'bridge'; add it to choices",
    ),
    "an unknown option": (
        "goal: g\nchoices: {bridge: [open, closed]}\nsteps: [{name: a, when: {bridge: close}}]",
        "3:34: unknown option 'close' of choice 'bridge'; did you mean 'closed'?",
    ),
    "choices as a list": (
        "goal: g\nchoices: [bridge]\nsteps: [a]",
        "2:10: choices is a mapping of names to lists of options, not a list",
    ),
    "a choice without options": (
        "goal: g\nchoices: {bridge: []}\nsteps: [a]",
        "2:11: choice 'bridge' has no options; list them, such as [yes, no]",
    ),
    "an option that stands twice": (
        "goal: g\nchoices: {bridge: [open, open]}\nsteps: [a]",
        "2:26: option 'open' stands twice in 'bridge'; take one out",
    ),
    "two options at once": (
        "goal: g\nchoices: {bridge: [a, b]}\nsteps: [{name: a, when: {bridge: [a, b]}}]",
        "3:34: when takes text, not a list",
    ),
    "a when of text": (
        "goal: g\nchoices: {bridge: [a, b]}\nsteps: [{name: a, when: bridge}]",
        "3:25: when is a mapping of choices to options, such as {bridge: open}",
    ),
    "a cycle within an option": (
        f"{CYCLE}  - {{name: b, when: {{c: x}}, after: a}}",
        "4:36: the order is cyclic: step 1 (a) -> 2 (b) -> 1 (a); take one of these out",
    ),
    "a cycle through two options": (
        f"{CYCLE}  - {{name: b, when: {{c: y}}, after: a}}",
        "4:36: the order is cyclic: step 1 (a) -> 2 (b) -> 1 (a); take one of these out, as the or",
    ),
    "a text that is ambiguous": (
        "goal: g\nsteps:\n  - Stir\n  - Stir\n  - text: Rest\n    after: Stir",
        "6:12: 'Stir' is the text of steps 1 and 2; give each a name",
    ),
    "a key that stands twice": ("goal: g\ngoal: h", "2:1: key 'goal' stands on line 1 already"),
    "an unknown key": (
        "goal: g\nsteps: [{text: a, use: x}]",
        "2:19: unknown key 'use' of a step; did you mean 'uses'?",
    ),
    "no steps": ("goal: g\nsteps: []", "2:8: no steps; a procedure has at least one"),
    "no key for steps": ("goal: g", "1:1: no steps; a procedure has a goal and steps"),
    "no goal": (STEPS, "1:1: no goal; a procedure has a goal and steps"),
    "a goal that is a list": (f"goal: [g]\n{STEPS}", "1:7: goal takes text, not a list"),
    "steps that are text": ("goal: g\nsteps: bake", "2:8: steps is a list, not text"),
    "a step that is a list": (
        "goal: g\nsteps: [[a]]",
        "2:9: a step is a mapping of keys to values, not a list",
    ),
    "a step of nothing": (
        "goal: g\nsteps: [{}]",
        "2:9: a step has neither text nor name; give one",
    ),
    "facts that are a mapping": (
        "goal: g\nsteps: [{text: a, uses: {x: 1}}]",
        "2:25: uses takes text, not a mapping",
    ),
    "an unknown order": (f"goal: g\norder: random\n{STEPS}", "2:8: order 'random' is not known"),
    "a chain of one": (f"goal: g\norder: [[a]]\n{STEPS}", "2:9: a chain of one step"),
    "nothing": ("", "1:1: the file is empty; write a goal and steps"),
    "a list": ("- a", "1:1: a procedure is a mapping of keys to values, not a list"),
    "a tag": (
        "goal: g\nsteps: [!!python/object/apply:os.system [x]]",
        "2:9: tag 'tag:yaml.org,2002:python/object/apply:os.system' is not used here; take it out",
    ),
    "an alias": ("goal: &g g\nsteps: [*g]", "1:7: anchors (&) and aliases (*) are not used here"),
    "a bomb of aliases": (
        "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n",
        "1:4: anchors (&) and aliases (*) are not used here; write it out",
    ),
    "two documents": (f"goal: g\n{STEPS}---\ngoal: h", "3:1: a second document"),
    "a tab": ("goal: g\nsteps:\n\t- a", "3:1: not YAML: a tab where the line is indented"),
    "a bracket that stays open": ("goal: [g\nsteps: x", "not YAML: "),
    "lists in lists": (f"goal: {'[' * 50_000}", "1:14: nested more than 8 levels deep"),
    "mappings in mappings": (
        "".join(f"{' ' * depth}a:\n" for depth in range(500)),
        "8:8: nested more than 8 levels deep",
    ),
    "a character that YAML forbids": ("goal: g\0", "1:8: a character that YAML forbids"),
    "such a character behind others": ("goal: éé\nx: éé \0", "2:7: a character that YAML forbids"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_a_procedure_is_refused_at_its_place(name: str) -> None:
    text, says = REFUSED[name]
    line = refused("analyze", write(text), says=[f"procedure.yaml:{says}" if says[0].isdigit()
                                                 else says])  # fmt: skip
    assert re.match(r"thence: procedure\.yaml:\d+:\d+: ", line)
    assert len(line) < 400


def test_files_that_cannot_be_read_are_refused_by_name() -> None:
    refused("analyze", "missing.yaml", says=["missing.yaml", "No such file"])
    refused("analyze", ".", says=["Is a directory"])
    Path("latin.yaml").write_bytes(b"goal: caf\xe9\n")
    refused("analyze", "latin.yaml", says=["latin.yaml:1:10: this byte is not UTF-8"])
    Path("large.yaml").write_bytes(b"#" * (16 * 2**20 + 1))
    refused("analyze", "large.yaml", says=["large.yaml", "at most 16,777,216 bytes"])
    refused("analyze", says=["FILE is missing"])
    refused("analyze", write(f"goal: g\n{STEPS}"), "--json", "--dot", says=["each is an output"])


# The page, the object, the drawings --------------------------------------------------------------

BRANCHES = """
goal: Leave the house
results: [ready]
steps:
  - {name: wake, defines: [awake], duration: 1 min}
  - {name: shower, uses: [awake], defines: [clean], duration: 10-20 min}
  - {name: coffee, uses: [awake], defines: [coffee], duration: 5 min}
  - {name: dress, uses: [clean], defines: [dressed], duration: 5 min}
  - {name: drink, uses: [coffee, dressed], defines: [ready], duration: 2-4 min}
  - {name: hum}
"""


def test_the_critical_path_is_the_longest_chain_and_times_are_its_sum() -> None:
    path = write(BRANCHES)
    out = thence("analyze", path).out
    assert (
        "critical path: 1 -> 2 -> 4 -> 5, 18 min to 30 min; "
        "one step after the other takes 23 min to 35 min\n"
        "without a duration, counted as none: 6\n"
    ) in out
    found = thence("analyze", path, "--json").json()
    assert found["critical_path"] == {
        "steps": [0, 1, 3, 4],
        "seconds": [1080.0, 1800.0],
        "one_after_the_other": [1380.0, 2100.0],
        "begins": [[0, 0], [60, 60], [60, 60], [660, 1260], [960, 1560], [0, 0]],
        "untimed": [5],
    }
    assert found["parallel"] == [[0, 5], [1, 2], [1, 5], [2, 3], [2, 5], [3, 5], [4, 5]]
    untimed = write(re.sub(r", duration: [^}]*", "", BRANCHES))
    assert "critical path: 1 -> 2 -> 4 -> 5, 4 of 6 steps (no durations)" in thence(
        "analyze", untimed
    ).out  # fmt: skip


def test_steps_say_what_they_wait_for_and_what_goes_on_beside_them() -> None:
    lines = thence("analyze", write(BRANCHES)).out.splitlines()
    assert lines[lines.index("   5  drink") + 1 :][:2] == [
        "        waits for     3 (coffee), 4 (dressed)",
        "        together with 6",
    ]


def test_json_holds_a_procedure_that_is_read_again_as_a_sample_is() -> None:
    found = thence("analyze", write(BRANCHES), "--json").json()
    sample = write(json.dumps(found["procedure"]), "sample.json")
    again = thence("analyze", sample, "--json", status=1).json()  # it has no results
    for key in ("procedure", "step_dependency_graph", "parallel", "analyses", "critical_path"):
        assert again[key] == found[key]


def test_the_order_that_a_file_states_adds_to_conflicts_or_stands_alone() -> None:
    def order(text: str) -> Any:
        return thence("analyze", write(text), "--json").json()["procedure"]["order"]

    steps = (
        "steps: [{name: a, defines: [x]}, {name: b, uses: [x]}, {name: c, after: a}]\nstart: [x]"
    )
    assert order(f"goal: g\n{steps}") == [[0, 1], [0, 2]]
    assert order(f"goal: g\norder: text\n{steps}") == [[0, 1], [1, 2]]
    backwards = "steps: [{name: a, defines: [x], after: b}, {name: b, uses: [x]}]\nstart: [x]"
    assert order(f"goal: g\n{backwards}\nresults: [x]") == [[1, 0]]


def test_drawings_are_whole_and_their_text_cannot_break_out() -> None:
    text = 'goal: \'a "quoted" [goal] # & <b>\'\nsteps: [{text: \'1 "x"] --> y; \\ |z|\', defines: ["f|g"]}, '
    path = write(text + '{text: "}", uses: ["f|g"]}]')
    dot = thence("analyze", path, "--dot").out
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', dot)
    assert bare.count("{") == bare.count("}") == 3
    assert bare.count('"') % 2 == 0
    for line in bare.splitlines():
        assert re.fullmatch(
            r"digraph procedure \{|  subgraph cluster_\w+ \{|  \}|\}|  (rankdir=TB|node \[.*\]);"
            r'|    (label=""|\w+( -> \w+)? \[(shape=point, )?label=""(, style=dashed)?\]);',
            line,
        ), line
    mermaid = thence("analyze", path, "--mermaid").out
    for line in mermaid.splitlines():
        assert re.fullmatch(
            r'flowchart TD|  subgraph \w+\["[^"]*"\]|  end|    \w+(\["[^"]*"\]|\(\( \)\))'
            r'|    \w+ -(-|\.-)>\|"[^"]*"\| \w+',
            line,
        ), line
    steps = thence("analyze", path, "--mermaid", "--graph", "steps").out
    assert "subgraph entities" not in steps


def test_the_schema_names_every_key_that_is_read_and_no_other() -> None:
    schema = thence("analyze", "--schema").json()
    step = schema["$defs"]["StepForm"]
    for held, keys in (
        (schema, "goal facts start results choices order steps extracted reviewed unsure"),
        (
            step,
            "name text uses defines kills after when duration seconds quantities spans unsure reviewed",
        ),
        (schema["$defs"]["QuantityForm"], "of low high unit"),
        (schema["$defs"]["ExtractedForm"], "model source text sha256 at"),
    ):
        assert set(held["properties"]) == set(keys.split())
        assert not held["additionalProperties"]


def test_the_schema_takes_the_examples_and_refuses_what_the_command_refuses() -> None:
    schema = thence("analyze", "--schema").json()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    docs = Path(__file__).parents[2] / "docs"
    (page,) = re.findall(
        r"```yaml\n(.*?)```", (docs / "guides" / "analyze.md").read_text(), re.DOTALL
    )
    texts = [path.read_text(encoding="utf-8") for path in (docs / "examples").glob("*.yaml")]
    assert len(texts) == 4
    for text in (*texts, page, *(text for text, _ in ALONE.values())):
        validator.validate(yaml.safe_load(text))
    for name in ("an unknown key", "no steps", "no goal", "a duration without a unit",
                 "a chain of one", "three durations", "a step of nothing",
                 "choices as a list", "a choice without options", "two options at once"):  # fmt: skip
        assert not validator.is_valid(yaml.safe_load(REFUSED[name][0])), name


def test_suggestions_tell_numbers_apart_and_are_bounded() -> None:
    hints = _Hints(["schema 41", "chopped tomatoes", "egg", "oven"])
    assert hints.of("choped tomatoes") == "did you mean 'chopped tomatoes'? Otherwise "
    assert hints.of("eggs") == "did you mean 'egg'? Otherwise "
    for other in ("schema 42", "owen and wife", "egg"):
        assert hints.of(other) == ""
    many = _Hints([f"fact {letter * 9}" for letter in "abcdefghij"] * 1000)
    assert many.of("fact aaaaaaaa")
    for number in range(10_000):
        many.of(f"fakt {number}")
    assert many.of("fact aaaaaaaa") == ""  # no more comparisons are made


UPGRADE = """
goal: Upgrade
start: [release 1.29]
results: [release 1.31]
steps:
  - {name: first, kills: [release 1.29], defines: [release 1.30]}
  - {name: second, kills: [release 1.30], defines: [release 1.31], after: first}
"""


def test_a_state_that_the_next_one_replaces_is_no_finding() -> None:
    assert thence("analyze", write(UPGRADE)).last == "nothing found"
    left = UPGRADE.replace("kills: [release 1.29], ", "")
    assert "start lists 'release 1.29', which is never used" in "".join(finding(left))
    dropped = UPGRADE.replace("defines: [release 1.31]", "uses: []").replace("1.31", "1.29")
    out = thence("analyze", write(dropped), status=1).out
    assert "warning[defined-never-used]: step 1 (first) defines 'release 1.30'" in out


# In Python ---------------------------------------------------------------------------------------


def test_an_analysis_is_an_object_that_tells_what_the_command_prints() -> None:
    path = write(ALONE["racing"][0])
    found = analyze(path)
    assert [each.rule for each in found.findings] == ["racing"]
    assert str(found).splitlines() == thence("analyze", path, status=1).out.rstrip().splitlines()
    assert found.to_json() == thence("analyze", path, "--json", status=1).json()
    assert found.dot("steps") == thence("analyze", path, "--dot", "--graph", "steps", status=1).out
    assert found.critical_path == (1, 2)
    assert [(edge.source, edge.target) for edge in found.dependencies.edges] == [(1, 2)]
    assert repr(found) == (
        "<Analysis of 'Ship': 3 steps, 1 fact; order: as the file states it; 1 error>"
    )
    assert pickle.loads(pickle.dumps(found)).to_json() == found.to_json()


def test_a_procedure_of_python_is_analysed_without_a_file() -> None:
    steps = [Step("Whisk", uses=("eggs",), defines=("batter",)), Step("Rest", kills=("batter",))]
    found = analyze(
        Procedure.total(
            "Crepes",
            steps,
        )
    )
    (only,) = found.findings
    assert (only.rule, only.mark, only.step) == ("defined-never-used", None, 0)
    assert found.to_json()["file"] is None
    assert found.to_json()["findings"][0]["line"] is None
    assert str(found).startswith("Crepes\n2 steps, 2 facts; order: as given\n")
    assert "warning[defined-never-used]: step 1 defines 'batter'" in str(found)


def test_a_notebook_shows_text_that_cannot_break_out() -> None:
    found = analyze(Procedure("<script>", (Step("<b>&", uses=("<i>",)),), start=()))
    html = found._repr_html_()
    assert "<script>" not in html
    assert "<b>&lt;b&gt;&amp;</b>" in html
    assert "uses &#x27;&lt;i&gt;&#x27;, which is never defined" in html


def test_the_command_loads_the_models_of_the_form_only_where_they_are_needed() -> None:
    program = "import sys, thence, thence.cli; thence.cli.run(['--help']); print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.split()[-1] == b"False"


def test_a_device_without_end_is_not_read_to_its_end() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("no /dev/zero here")
    refused("analyze", "/dev/zero", says=["/dev/zero", "too large"])


def test_it_answers_through_a_pipe_as_a_build_would_run_it() -> None:
    text = ALONE["racing"][0]
    program = "import sys; from thence.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, "analyze", "/dev/stdin"],
        input=text.encode(), capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert b"error[racing]" in done.stdout


@pytest.mark.parametrize(
    ("code", "status", "said"), [(4, 4, ""), (None, 0, ""), ("gave up", 3, "gave up")]
)
def test_a_library_that_ends_the_process_does_not_look_like_success(
    code: object, status: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*given: object, **named: object) -> Never:
        raise SystemExit(code)

    monkeypatch.setattr(cli.cli, "main", ended)
    assert said in thence("analyze", "x.yaml", status=status).err


def test_findings_stand_in_the_order_of_the_file_and_in_json_too() -> None:
    text = (
        "goal: g\nsteps:\n  - {name: a, uses: [x], defines: [p]}\n"
        "  - {name: b, uses: [y], kills: [q]}\nresults: [p]\nstart: [z]\n"
    )
    found = thence("analyze", write(text), "--json", status=1).json()["findings"]
    assert [(row["rule"], row["line"], row["step"], row["fact"]) for row in found] == [
        ("used-never-defined", 3, 0, "x"),
        ("used-never-defined", 4, 1, "y"),
        ("kills-nothing", 4, 1, "q"),
        ("defined-never-used", 6, None, "z"),
    ]
    assert {row["severity"] for row in found} == {ERROR, WARNING}
    assert all(row["cause"] and row["suggestion"] and row["message"] for row in found)


BRIDGE = """goal: Get across
choices: {bridge: [open, closed], boat: ["1", "2"]}
steps:
  - {name: look, defines: sight, seconds: 1}
  - {name: cross, when: {bridge: open}, uses: sight, defines: side, seconds: 5}
  - {name: row, when: {bridge: closed, boat: "1"}, uses: sight, defines: side, seconds: [20, 30]}
  - {name: swim, when: {bridge: closed, boat: "2"}, uses: sight, defines: side, seconds: 9}
  - {name: rest, uses: side, seconds: 2}
"""


def test_without_durations_nothing_is_said_of_times() -> None:
    page = thence("analyze", write(re.sub(r", seconds: [^}]*", "", BRIDGE))).out
    assert "3 of 5 steps (no durations)\nthat is where 'bridge' is 'open'\n" in page


def test_choices_stand_in_the_page_the_drawings_and_json() -> None:
    path = write(BRIDGE)
    page = thence("analyze", path).out
    assert "5 steps, 2 facts, 2 choices; order" in page
    assert "choice boat: 1, 2\n" in page
    assert "        only where    bridge: closed and boat: 1\n" in page
    assert "waits for     2 (side), 3 (side), 4 (side)" in page
    assert "critical path: 1 -> 3 -> 5, 8 s to 33 s;" in page
    assert "that is where 'bridge' is 'closed' and 'boat' is '1'; times are those of all" in page
    assert '3. row (bridge: closed, boat: 1)"' in thence("analyze", path, "--dot").out
    found = thence("analyze", path, "--json").json()
    assert found["parallel"] == []
    assert found["critical_path"]["options"] == {"bridge": "closed", "boat": "1"}
    assert found["critical_path"]["begins"][4] == [6, 31]
    assert found["procedure"]["choices"] == {"bridge": ["open", "closed"], "boat": ["1", "2"]}
    assert found["entity_flow_graph"]["when"][2] == [["bridge", "closed"], ["boat", "1"]]
    assert found["analyses"]["type_state"] == [
        {"i": 0, "j": 1, "fact": None}, {"i": 0, "j": 2, "fact": None},
        {"i": 0, "j": 3, "fact": None}, {"i": 1, "j": 4, "fact": None},
        {"i": 2, "j": 4, "fact": None}, {"i": 3, "j": 4, "fact": None},
    ]  # fmt: skip
    again = write(json.dumps(found["procedure"]), "again.json")
    assert thence("analyze", again, "--json").json()["procedure"] == found["procedure"]
    assert "row (bridge: closed, boat: 1)" in analyze(path)._repr_html_()


def test_steps_of_excluding_options_neither_conflict_nor_race_nor_hold_each_other_up() -> None:
    def order(more: str) -> list[list[int]]:
        text = f"goal: g\nchoices: {{c: [x, y]}}\nstart: [f]\nresults: [f]\n{more}"
        row: list[list[int]] = thence("analyze", write(text), "--json").json()["procedure"]["order"]
        return row

    steps = (
        "steps: [{name: a, when: {c: x}, defines: f}, {name: b, when: {c: y}, kills: f, defines: "
        "f}, {name: d, when: {c: x}, uses: f}, {name: e, when: {c: y}, uses: f}]"
    )
    assert order(steps) == [[0, 2], [1, 3]]
    assert order(f"order: [a -> d, b -> e]\n{steps}") == [[0, 2], [1, 3]]
    assert order(steps.replace("name: e,", "name: e, after: d,")) == [[0, 2], [1, 3], [2, 3]]
    assert order(steps.replace("name: a,", "name: a, after: d,")) == [[1, 3], [2, 0]]


def test_so_many_options_that_no_time_is_found_are_said_in_the_page() -> None:
    names = [f"c{number}" for number in range(30)]
    steps = [f"  - {{text: {name} {option}, when: {{{name}: {option}}}}}\n"
             for name in names for option in "xy"]  # fmt: skip
    choices = "".join(f"  {name}: [x, y]\n" for name in names)
    path = write(f"goal: g\nchoices:\n{choices}steps:\n{''.join(steps)}")
    out = thence("analyze", path).out
    assert "critical path: not looked for (choices: 30 of them have too many combinations" in out
    assert out.endswith("nothing found\n")
    assert thence("analyze", path, "--json").json()["critical_path"] is None
    with pytest.raises(UsageError, match="choices: 30 of them"):
        analyze(path).critical_path  # noqa: B018
