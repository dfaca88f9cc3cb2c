"""Common parts of the sound questions about recipes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from thence.core.procedure import Step
from thence.dataflow import Verdict
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
    """Return ``within`` (in any form), ``heat`` (an oven), ``out`` (equipment) or ``itself``."""
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

    reasons = partial(_reasons, kind, fact, again or (lambda: verdict), told or {}, steps)
    answer = "Yes" if verdict.answer else "No"
    return Instance(question, answer, "", cues=cues, case=case, reasons=reasons)


def _reasons(
    kind: str,
    fact: str | None,
    decided: Callable[[], Verdict],
    told: Mapping[str, str],
    steps: Sequence[Step],
) -> tuple[str, Any]:
    """Return explanation and witness of a question."""
    followed = fact is not None and form(fact) == "within"
    use = _USES.get(kind, "work with") if followed else "work with"
    found = decided()
    return _in_number(_under(_in_words(found.why, use, steps), told)), found.witness


_THINGS = re.compile(r"(?<=\w )it\b(?! (?:is|can|need|still|always|\w+s)\b)|\bof it\b")
"""Where "it" stands for a thing, as it is worked with; a step does something itself."""


def _in_number(why: str) -> str:
    """Return an explanation with "them" for the thing that it is about where that is plural."""
    names = set(re.findall(r"'([^']*)'", why))
    if len(names) != 1 or not plural(*names):
        return why
    why = why.replace("before it is ", "before they are ")
    return _THINGS.sub(lambda found: found[0].replace("it", "them"), why)


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
    r"|\bwhich step (?P<ends>\d+) kills\b|\bstep (?P<can>\d+) can kill it\b"
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
        return f"step {number} can throw it away" if found["can"] else (
            f"{found['head']}throws away '{fact}'"
        )  # fmt: skip

    return _DEED.sub(said, why) if steps else why


def _in_words(why: str, use: str, steps: Sequence[Step]) -> str:
    """Return an explanation in the words of the questions."""
    why = why.replace("Contamination ", "What is unsafe ")
    why = why.replace("contamination ", "what is unsafe ")
    why = re.sub(r"\bsanitise(s?) it\b", r"make\1 it safe", why)
    told = why.replace(IN_ANY_FORM + "'", "' (in any form)")
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
