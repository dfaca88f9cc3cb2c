"""The answer with a formal description of the procedure, from which our solver answers, too."""

from __future__ import annotations

from thence.prompts.protocols.with_proof import WithProof


class Formalize(WithProof):
    """Asks for an answer and the form of the procedure, of any task that can answer by it."""

    name = "formalize"
    summary = "the answer with the procedure's form, by which our solver answers: read or reason"
    templates = ("protocols/formalize",)
    evidence = "forms"
    evidence_key = "procedure"
    missing = "asks about no procedure whose form could be solved"
    excludes = {  # noqa: RUF012 - constant
        **WithProof.excludes,
        "with_proof": "each asks for a reply in a form of its own",
    }


PROTOCOL = Formalize()
