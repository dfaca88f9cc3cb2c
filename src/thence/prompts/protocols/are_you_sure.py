"""A second turn that asks the model to think again (RELEVAL, self-correction)."""

from collections.abc import Sequence

from thence.prompts.protocol import Protocol
from thence.prompts.wording import Prompt, Render


class AreYouSure(Protocol):
    """Asks "Are you sure?" once, with the answer's format repeated in full."""

    name = "are_you_sure"
    summary = "a second turn asks 'Are you sure?'; scored before and after"
    turns = 1
    templates = ("protocols/are_you_sure",)

    def follow_up(self, prompt: Prompt, replies: Sequence[str], render: Render) -> str:
        """Return the second turn; it is the same for every first reply."""
        return render("protocols/are_you_sure", {"instruction": prompt.instruction})


PROTOCOL = AreYouSure()
