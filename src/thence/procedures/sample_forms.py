"""The form of a procedure that a reply writes for a sample's own text, and the answer that follows.

A question about a procedure is decided by what the reply says the steps do, not by the sample's own
facts: so what a model read wrong and what it reasoned wrong can be told apart.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence.core.evidence import Forms
from thence.core.sentence_parts import listed
from thence.errors import UsageError

if TYPE_CHECKING:
    from thence.core.sample import Sample

_ROLES = ("uses", "defines", "kills")
_NO_FORM = "There is no procedure in the form that was asked for."


class ProcedureForms(Forms):
    """Reads the form of a procedure, and answers a sample's question by it."""

    template = "protocols/procedure_form"

    @abstractmethod
    def recompute(self, sample: Sample) -> Any:
        """Return the answer of a sample from its procedure and question alone."""

    def values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what the prompt tells of: whether a fact is asked about, and choices."""
        return {
            "fact": _fact(metadata) is not None,
            "choices": bool(metadata["procedure"].get("choices")),
        }

    def write(self, sample: Sample) -> Any:
        """Return the sample's own procedure in the form."""
        procedure = sample.metadata["procedure"]
        steps = []
        for number, step in enumerate(procedure["steps"], 1):
            row = {"step": number, **{role: list(step.get(role, ())) for role in _ROLES}}
            steps.append(row | ({"when": dict(step["when"])} if step.get("when") else {}))
        form = {
            "start": procedure.get("start"),
            "choices": procedure.get("choices"),
            "order": [[i + 1, j + 1] for i, j in procedure["order"]],
            "steps": steps,
            "fact": _fact(sample.metadata),
        }
        return {key: value for key, value in form.items() if value is not None}

    def solve(self, form: Any, sample: Sample) -> Any:
        """Return the answer that follows from a form.

        Raises:
            ValueError: it is no procedure, or the question cannot be asked of it; says why.
        """
        from thence.procedures.document import parse_document
        from thence.procedures.yaml_source import SourceError
        from thence.procedures.yaml_writer import yaml_text

        if not isinstance(form, dict) or not isinstance(form.get("steps"), list):
            raise ValueError(_NO_FORM)  # noqa: TRY004 - of a reply
        try:
            text = yaml_text(_row(form, sample.metadata["procedure"]["steps"]))
            made = parse_document(text, Path("form")).flow.procedure.to_json()
        except SourceError as error:
            raise ValueError(str(error).split(": ", 1)[1]) from error
        question = sample.metadata.get("question")
        if _fact(sample.metadata) is not None:
            fact = form.get("fact")
            if not isinstance(fact, str) or not fact.strip():
                raise ValueError("The form does not tell the fact that the question is about.")
            question = {**(question or {}), "fact": " ".join(fact.split())}
        metadata = {**sample.metadata, "procedure": made, "question": question}
        try:
            return self.recompute(replace(sample, metadata=metadata))
        except UsageError as error:
            raise ValueError(str(error)) from error


def _fact(metadata: Mapping[str, Any]) -> Any:
    question = metadata.get("question")
    return question.get("fact") if isinstance(question, dict) else None


def _row(form: Mapping[str, Any], steps: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the mapping of the form for the steps of a sample.

    Raises:
        ValueError: it does not describe each step once.
    """
    told = _told(form["steps"], len(steps))
    rows = []
    for number, step in enumerate(steps, 1):
        said = told[number]
        rows.append(
            {
                "name": f"step {number}",
                "text": step["text"],
                **{role: _texts(said.get(role)) for role in _ROLES},
                "after": [f"step {each}" for each in _texts(said.get("after"))],
                "when": said.get("when") if isinstance(said.get("when"), dict) else None,
            }
        )
    order = form.get("order")
    if isinstance(order, list):
        order = [[f"step {each}" for each in _texts(chain)] for chain in order]
    choices = form.get("choices")
    return {
        "goal": "form",
        "start": _texts(form.get("start")) if "start" in form else None,
        "choices": choices if isinstance(choices, dict) else None,
        "order": order,
        "steps": rows,
    }


def _told(given: list[Any], count: int) -> dict[int, Mapping[str, Any]]:
    """Return what a form says of each step, by number.

    Raises:
        ValueError: of one it says nothing or says it twice, or it names what is no step.
    """
    told: dict[int, Mapping[str, Any]] = {}
    for each in given:
        if not isinstance(each, dict):
            raise ValueError(f"'steps' of the form holds {each!r}, which describes no step.")  # noqa: TRY004 - of a reply
        number = each.get("step")
        if type(number) is not int or not 1 <= number <= count:
            raise ValueError(f"The form names a step {number!r}; steps are 1 to {count}.")
        if number in told:
            raise ValueError(f"The form describes step {number} twice.")
        told[number] = each
    lost = [str(number) for number in range(1, count + 1) if number not in told]
    if lost:
        raise ValueError(f"The form says nothing of step{'s' * (len(lost) > 1)} {listed(lost)}.")
    return told


def _texts(value: Any) -> list[str]:
    """Return the texts and numbers of a list, each once."""
    held = value if isinstance(value, list) else [] if value is None else [value]
    plain = (" ".join(str(each).split()) for each in held if isinstance(each, str | int))
    return list(dict.fromkeys(filter(None, plain)))
