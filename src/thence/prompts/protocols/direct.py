"""The question, then how to write the answer; nothing else."""

from thence.prompts.protocol import Protocol


class Direct(Protocol):
    """Leaves the prompt as the task words it."""

    name = "direct"
    summary = "the question and how to write the answer, nothing else"


PROTOCOL = Direct()
