"""The question and the format of the answer; nothing else."""

from thence.prompts.protocol import Protocol


class Direct(Protocol):
    """Leaves the prompt in the words of the task."""

    name = "direct"
    summary = "the question and how to write the answer, nothing else"


PROTOCOL = Direct()
