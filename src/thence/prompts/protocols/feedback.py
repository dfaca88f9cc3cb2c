"""A second turn that tells what is wrong with the first answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from thence import families
from thence.core.sample import Sample
from thence.errors import ParameterError
from thence.prompts.protocol import Protocol
from thence.prompts.wording import Prompt, Render


class Feedback(Protocol):
    """Tells once which step or claim is wrong, or what decides; then asks for the answer again.

    What is said comes from the task's critic, or from the check of a proof: see `Conversation`.
    """

    name = "feedback"
    summary = "a second turn tells which step or claim is wrong; scored before and after"
    turns = 1
    remarks = True
    templates = ("protocols/feedback",)

    def check(self, samples: Callable[[], Iterable[Sample]]) -> None:
        """Raise an error if nothing can be said about the answers to a sample."""
        for name in dict.fromkeys(sample.task for sample in samples()):
            if families.task(name).critic is None:
                raise ParameterError(
                    "protocol",
                    self.name,
                    f"{name}: nothing tells what is wrong with an answer; ask by are_you_sure",
                )

    def follow_up(self, prompt: Prompt, replies: Sequence[str], render: Render) -> str:
        """Return the second turn, with the remark on the first reply where there is one."""
        values = {"instruction": prompt.instruction, "remark": prompt.remark}
        return render("protocols/feedback", values)


PROTOCOL = Feedback()
