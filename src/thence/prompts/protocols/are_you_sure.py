"""A second turn that asks the model to think again (RELEVAL, self-correction)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thence.core.parameters import Parameter, one_of
from thence.prompts.protocol import Protocol
from thence.prompts.wording import Prompt, Render

CAREFUL, PLAIN = "careful", "plain"

WORDS = Parameter(
    "words",
    CAREFUL,
    "careful: asks to go through it once more; plain: 'Are you sure?' alone, as the paper does",
    one_of(CAREFUL, PLAIN),
)


class AreYouSure(Protocol):
    """Asks "Are you sure?" once, with the answer's format repeated in full."""

    name = "are_you_sure"
    summary = "a second turn asks 'Are you sure?'; scored before and after"
    turns = 1
    parameters = (WORDS,)

    def __init__(self, words: str = CAREFUL) -> None:
        self._template = "protocols/are_you_sure" + ("_plain" if words == PLAIN else "")

    @property
    def templates(self) -> tuple[str, ...]:  # type: ignore[override]
        """The template of these words."""
        return (self._template,)

    def configured(self, values: Mapping[str, Any]) -> AreYouSure:
        """Return the protocol with these words."""
        return AreYouSure(values["words"])

    def follow_up(self, prompt: Prompt, replies: Sequence[str], render: Render) -> str:
        """Return the second turn; it is the same for every first reply."""
        return render(self._template, {"instruction": prompt.instruction})


PROTOCOL = AreYouSure()
