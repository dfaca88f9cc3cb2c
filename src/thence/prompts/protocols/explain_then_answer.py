"""Explain first, then answer (E+A of Lal et al. 2024)."""

from thence.prompts.protocols._explained import Explained


class ExplainThenAnswer(Explained):
    """Explanation first, step by step; the answer concludes it."""

    name = "explain_then_answer"
    summary = "an explanation step by step, then the answer, as JSON or as labelled text"
    first = False
    answer_label = "Answer"
    why_label = "Explanation"
    excludes = {  # noqa: RUF012 - constant
        "chain_of_thought": "both ask for reasoning before the answer",
    }


PROTOCOL = ExplainThenAnswer()
