"""Common parts of the sound questions about recipes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from thence.core.procedure import Step
from thence.core.sentence_parts import listed
from thence.dataflow import Verdict
from thence.dataflow.flow import Role
from thence.dataflow.graphs import conflicts
from thence.dataflow.questions import Witness
from thence.domains.recipes.additions.equipment import EQUIPMENT
from thence.domains.recipes.additions.lines import OVEN, TOOLS
from thence.domains.recipes.grammar import plural as _plural
from thence.domains.recipes.lowering import IN_ANY_FORM
from thence.families.fable.recipes.kitchen import thing
from thence.families.fable.shared.domain import Case, Instance
from thence.families.fable.shared.plain import Verb, plain


def plural(fact: str) -> bool:
    """Return whether a fact is plural, so that its pronoun is "them"."""
    return _plural(fact.removesuffix(IN_ANY_FORM))


def form(fact: str) -> str:
    """Return ``within`` (or inside things), ``heat`` (oven), ``out`` (equipment), ``itself``."""
    if fact == OVEN:
        return "heat"
    if fact in EQUIPMENT:
        return "out"
    return "within" if fact.endswith(IN_ANY_FORM) else "itself"


def instance(
    kind: str,
    verdict: Verdict,
    i: int,
    j: int | None,
    fact: str | None,
    cues: tuple[str | int, ...],
    case: Case | None = None,
    told: Mapping[str, str] | None = None,
    again: Callable[[], Verdict] | None = None,
    steps: Sequence[Step] = (),
    **more: Any,
) -> Instance:
    """Return a question with its answer; the explanation is computed on demand.

    Args:
        kind: name of the analysis.
        verdict: its answer.
        i: the first step.
        j: the second step, if there is one.
        fact: the fact, if there is one.
        cues: what a glance at the question shows.
        case: the case that is shown, where it is another.
        told: a choice and an option, parted by a line break -> the condition in words.
        again: decides it once more, where the verdict is not to be kept for its explanation.
        steps: of the recipe, by which an explanation says what they do with the fact.
        more: further values of the question.
    """
    question = {"kind": kind, "i": i, "j": j, "fact": fact, "rule": "sound", **more}
    if fact is not None:
        shown = "the oven" if fact == OVEN else thing(fact)
        question |= {"thing": shown, "form": form(fact), "many": plural(fact)}

    asked = kind, fact, i, j
    reasons = partial(_reasons, asked, again or (lambda: verdict), told or {}, steps)
    answer = "Yes" if verdict.answer else "No"
    return Instance(question, answer, "", cues=cues, case=case, reasons=reasons)


def _reasons(
    asked: tuple[str, str | None, int, int | None],
    decided: Callable[[], Verdict],
    told: Mapping[str, str],
    steps: Sequence[Step],
) -> tuple[str, Witness]:
    """Return explanation and witness of a question: its analysis, its fact and its two steps."""
    kind, fact, i, j = asked
    followed = fact is not None and form(fact) == "within"
    use = _USES.get(kind, "work with") if followed else "work with"
    found = decided()
    why = found.why
    if kind == "concurrency" and j is not None and steps:
        why = _both(_in_words(_in_turn(why, steps, i, j), use, steps), steps[i], steps[j])
    else:
        why = _in_words(why, use, steps)
    if kind == "reaching_definitions":
        why = why.replace(_MADE_ANEW, _ALTERED)
    return _with_articles(_in_number(_under(why, told)), steps), found.witness


def _with_articles(why: str, steps: Sequence[Step]) -> str:
    """Return an explanation that calls the things of a recipe "the oven", not "'oven'"."""
    every = (fact for step in steps for fact in (*step.uses, *step.defines, *step.kills))
    for name in sorted({fact.removesuffix(IN_ANY_FORM) for fact in every}, key=len, reverse=True):
        why = why.replace(f"'{name}'", thing(name))
    return why


_MADE_ANEW = "that uses it up or makes it anew"
_ALTERED = "that alters it, uses it up or throws it away"
"""What ends that a thing is as a step left it, in the words of the prompt."""
_IN_TURN = re.compile(r"^(Step \d+ must come before (step \d+))\.$")
_FREE = re.compile(r"(?<=o order is required between )(step \d+ and step \d+), and neither")


def _in_turn(why: str, steps: Sequence[Step], i: int, j: int) -> str:
    """Return an explanation that says what lets a step come right before another."""
    told = _IN_TURN.match(why)
    first, second = sorted((i, j))
    found = conflicts(steps[first], steps[second])
    if told is None or not found:
        return why
    # what the first step makes for the second tells more than what either takes away
    one = min(found, key=lambda each: (each.first is not Role.DEFINE, each.second is not Role.USE))
    alters = one.second is Role.DEFINE and one.fact in steps[second].uses
    then = "changes" if alters else one.second.value
    return f"{told[1]}, as step {first + 1} {one.first.value} '{one.fact}', which {told[2]} {then}."


def _both(why: str, one: Step, other: Step) -> str:
    """Return an explanation that says what two steps both make, which lets them be done at once."""
    alike = [fact for fact in one.defines if fact in other.defines]
    if not alike:
        return why
    does = "get out" if alike[0] in EQUIPMENT else "heat" if alike[0] == OVEN else "make"
    named = listed([f"'{fact}'" for fact in alike])
    return _FREE.sub(rf"\1, which both {does} {named}; otherwise neither", why)


_THINGS = re.compile(r"(?<=\w )it\b(?! (?:is|can|need|still|always|\w+s)\b)|\bof it\b")
"""Where "it" stands for a thing, as it is worked with; a step does something itself."""


_SINGULAR = re.compile(
    r"('([^']*)'(?: \(alone or inside something\))?, which )(is there|(?:always )?reaches)\b"
)


def _in_number(why: str) -> str:
    """Return an explanation with plural verbs for plural things, and "them" where it is of one."""
    names = set(re.findall(r"'([^']*)'", why))
    why = _SINGULAR.sub(
        lambda found: found[1] + _PLURALS[found[3]] if plural(found[2]) else found[0], why
    )
    if len(names) != 1 or not plural(*names):
        return why
    why = why.replace("before it is ", "before they are ")
    return _THINGS.sub(lambda found: found[0].replace("it", "them"), why)


_PLURALS = {"is there": "are there", "reaches": "reach", "always reaches": "always reach"}
_USES = {"live_variables": "need", "very_busy_expressions": "use"}
"""The prompt's verb for what works with an ingredient in any form."""


_IS = re.compile(r"(?:'([^']*)'|\bit) is '([^']*)'")


def _under(why: str, told: Mapping[str, str]) -> str:
    """Return an explanation with options in the words of the recipe."""
    last = ""

    def said(found: re.Match[str]) -> str:
        nonlocal last
        last = found[1] or last
        return told.get(f"{last}\n{found[2]}", found[0])

    return _IS.sub(said, why) if told else why


_USE_UP = Verb("use", "up", is_close=True)
_TOOLS = frozenset(TOOLS)
_CHANGES = (
    (
        frozenset(EQUIPMENT),
        Verb("put", "away", is_close=True),
        Verb("get", "out", is_close=True),
    ),
    (frozenset({OVEN}), Verb("turn", "off", is_close=True), Verb("heat")),
    (_TOOLS, _USE_UP, Verb("change")),
)
"""The words of the prompt for what steps do with other things than food."""


_UNTOUCHED = re.compile(r"uses up (what the other (.+?)) or makes, nor makes what the other \2")
_CHANGES_NOTHING = r"makes, changes, uses up or throws away \1"
_DEED = re.compile(
    r"(?P<head>\b[Ss]tep (?P<step>\d+) (?:always )?|, and it )(?P<does>kills|(?:re)?defines)"
    r" '(?P<fact>[^']*)'"
    r"|\bwhich step (?P<ends>\d+) kills\b|\b[Ss]tep (?P<can>\d+) (?P<may>can kill|kills) it\b"
)


def _deeds(why: str, steps: Sequence[Step]) -> str:
    """Return an explanation that tells what is thrown away and what is only changed.

    A step throws away what it ends and does not use; it changes what it uses and makes.
    """

    def said(found: re.Match[str]) -> str:
        before = why[: found.start()]
        fact = found["fact"] or (re.findall(r"'([^']*)'", before) or [""])[-1]
        number = found["step"] or found["ends"] or found["can"]
        if number is None:  # "it" is the first step of its sentence
            number = re.findall(r"\b[Ss]tep (\d+)", before.rpartition(". ")[2])[0]
        step = steps[int(number) - 1]
        ended, used = fact in step.kills and fact not in step.defines, fact in step.uses
        if found["does"] in ("defines", "redefines"):
            return f"{found['head']}changes '{fact}'" if used and not ended else found[0]
        if used or not ended:
            return found[0]
        if found["ends"]:
            return f"which step {number} throws away"
        if found["can"]:
            throws = "can throw" if found["may"] == "can kill" else "throws"
            return f"step {number} {throws} it away"
        return f"{found['head']}throws away '{fact}'"

    return _DEED.sub(said, why) if steps else why


def _in_words(why: str, use: str, steps: Sequence[Step]) -> str:
    """Return an explanation in the words of the questions."""
    why = why.replace("Contamination ", "What is unsafe ")
    why = why.replace("contamination ", "what is unsafe ")
    why = re.sub(r"\bsanitise(s?) it\b", r"make\1 it safe", why)
    told = why.replace(IN_ANY_FORM + "'", "' (alone or inside something)")
    names = set(re.findall(r"'([^']*)'", why))
    for facts, kill, define in _CHANGES:
        if names & facts:
            found = plain(told, kill, define, use)
            return found.replace(" anew", "") if facts is _TOOLS else found
    if told != why:
        return plain(
            told, Verb("throw", "away", is_close=True), Verb("bring", "in", is_close=True), use
        )
    return _UNTOUCHED.sub(_CHANGES_NOTHING, plain(_deeds(told, steps), _USE_UP, Verb("make"), use))


def undone(steps: Sequence[Step], skipped: int, start: Collection[str] | None = None) -> set[int]:
    """Return the steps that fail without a skipped step, since each step needs all its uses.

    Args:
        steps: those that are carried out, in their order.
        skipped: the place of the one that is not.
        start: what is there at first; None for what no step makes.
    """
    there = set(start or ())
    if start is None:
        there = {fact for step in steps for fact in step.uses} - {
            fact for step in steps for fact in step.defines
        }
    lost: set[int] = set()
    for k, step in enumerate(steps):
        if k == skipped:
            continue
        if not there.issuperset(step.uses):
            lost.add(k)
            continue
        there -= set(step.kills)
        there |= set(step.defines)
    return lost
