"""Findings about the choices of a procedure, and what only some of their options lack."""

from __future__ import annotations

from collections.abc import Iterator

from thence.dataflow import START, Flow, Role
from thence.dataflow.choices import Options
from thence.dataflow.sentences import where
from thence.procedures.document import Document
from thence.procedures.finding import ERROR, WARNING, Finding


def option_without_steps(document: Document) -> Iterator[Finding]:
    """Find options on which no step depends."""
    flow = document.flow
    used = {taken for step in flow.steps for taken in step.when}
    for choice, options in flow.choices.options.items() if flow.choices else ():
        for option in options:
            if (choice, option) in used:
                continue
            yield Finding(
                "option-without-steps",
                WARNING,
                START,
                "",
                f"option '{option}' of choice '{choice}' has no steps",
                f"no step has {choice}: {option} under when",
                f"let a step depend on it, be it one that says that nothing is done, or take "
                f"'{option}' out",
                (),
                document.options.get((choice, option)),
            )


def never_carried_out(document: Document) -> Iterator[Finding]:
    """Find steps that depend on two options of one choice."""
    flow = document.flow
    for step, when in enumerate(flow.choices.whens if flow.choices else ()):
        taken: Options = {}
        for choice, option in when:
            if taken.setdefault(choice, option) == option:
                continue
            yield Finding(
                "never-carried-out",
                ERROR,
                step,
                "",
                f"{document.title(step)} is never carried out",
                f"it depends on two options of '{choice}', '{taken[choice]}' and '{option}'",
                f"take one of them out, or make two steps of {document.title(step)}",
                (),
                document.whens.get(step),
            )
            break


def prefix(options: Options | None) -> str:
    """Return the beginning of a cause that holds under options, such as ``where 'a' is 'b', ``."""
    return f"{where(options)}, " if options else ""


def undefined_under(flow: Flow, user: int, fact: str) -> Options | None:
    """Return options under which no step that can come before a step defines a fact."""
    definers = flow.mask(Role.DEFINE, fact) & ~(flow.descendants[user] | 1 << user)
    return flow.taken([user], definers)


def killed_at_the_end(flow: Flow, step: int, fact: str) -> Options | None:
    """Return options under which no step that must come after a kill defines the fact again."""
    if flow.choices is None:
        return {} if flow.next_with(step, Role.DEFINE, fact) is None else None
    return flow.taken([step], flow.mask(Role.DEFINE, fact) & flow.descendants[step])
