"""Answer first, then explain (A+E of Lal et al. 2024); their NL A+E with ``form=text``."""

from thence.prompts.protocols._explained import Explained


class AnswerThenExplain(Explained):
    """Answer first: the explanation comes too late to help the answer."""

    name = "answer_then_explain"
    summary = "the answer, then its explanation, as JSON or as labelled text"
    first = True
    answer_label = "Answer 1"
    why_label = "Answer 2"
    excludes = {  # noqa: RUF012 - constant
        "explain_then_answer": "one asks for the answer first and the other for the explanation",
        "chain_of_thought": "the answer cannot come first and after the reasoning",
    }


PROTOCOL = AnswerThenExplain()
