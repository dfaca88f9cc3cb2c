"""The conversation in which a model reads a text into the form of a procedure.

It has two passes: the steps, then what each of them does to facts. What does not hold together goes
back to the model, at most twice in each pass: a reply that is no such object, words that do not
stand in the text, steps without an entry, references to what no step made, and other findings of
the analysis. What stays so is told as unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from thence.core.reply_text import visible
from thence.procedures import SourceError, parse_document
from thence.procedures.lints import findings
from thence.procedures.quotations import QuotedText
from thence.procedures.yaml_writer import yaml_text
from thence.prompts.extraction_form import LINKS, STEPS, read_links, read_steps
from thence.prompts.wording import Render

MOST_CORRECTIONS = 2  # in each pass
MOST_TURNS = 2 * (1 + MOST_CORRECTIONS)
NO_STEPS = "the model gave no steps with words of the text{cause}; {mend}"
NO_REPLY = "the model gave no valid reply in {attempts} attempts{cause}; {mend}"
_ANOTHER = "try another model, or ask anew by overwrite=True"
_ENDS = {  # of a reply that the model did not end itself: what happened, and the mend
    "length": (
        "the reply was cut off at the limit of tokens",
        "ask anew by overwrite=True with a greater max_tokens=N, or give a shorter text",
    ),
    "refusal": ("the reply was refused by the model or by the endpoint's filter", _ANOTHER),
}
_GIVE_STEPS = "no steps were given; list the steps of the text, in its words"
_ONLY_STEPS = "what its steps use, make and wait for was not read{}"
_MOST_FAULTS = 20  # that are told at a time
_ANYWHERE = Path("text")


class ExtractionConversation:
    """The messages to a model about one text, and what came of them.

    Attributes:
        messages: the chat so far, ending in the user's turn.
        schema: the JSON schema of the next reply.
        row: the mapping of the form as far as it was read; None where no steps were.
        problem: why it is not whole; empty where it is.
        over: whether no further turn follows.
    """

    grammar: str | None = None

    def __init__(self, text: str, title: str, render: Render) -> None:
        self._source = QuotedText(text)
        self._title = title
        self._render = render
        self._tried = 0
        self._finish = ""
        self._listed = False  # whether the last reply lists steps, be they of other words
        self._faults: list[str] = []
        self._hear: Callable[[str], Sequence[str] | None] = self._hear_steps
        self.row: dict[str, Any] | None = None
        self.problem = ""
        self.over = False
        self._ask("protocols/extract_steps", {"text": text}, STEPS)

    def hear(self, reply: str, finish_reason: str | None = None) -> bool:
        """Take a reply in, with why the model stopped; return whether another turn follows."""
        self._tried += 1
        self._finish = finish_reason or ""
        faults = self._hear(reply)
        if faults is None or self.over:
            return not self.over
        if faults and self._tried <= MOST_CORRECTIONS:
            again = self._render("protocols/extract_again", {"faults": faults[:_MOST_FAULTS]})
            self.messages += (
                {"role": "assistant", "content": visible(reply).strip() or reply},
                {"role": "user", "content": again},
            )
            return True
        self._faults = list(faults)
        return self._next_pass()

    def _ask(self, template: str, values: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
        """Begin a pass with a chat of its own."""
        text = self._render(template, values)
        self.messages: tuple[dict[str, str], ...] = ({"role": "user", "content": text},)
        self.schema: Mapping[str, Any] | None = schema
        self._tried = 0

    def _hear_steps(self, reply: str) -> Sequence[str] | None:
        row, faults = read_steps(reply, self._source)
        self._listed = row is not None
        if row is None:
            return faults
        if not row["steps"] and not faults:
            if self._tried > 1 and self.row is None:
                self._end(self._told(NO_STEPS))
                return None
            return [_GIVE_STEPS]
        if row["steps"]:
            goal = row["goal"] or self._title
            self.row = {**row, "goal": goal, "unsure": list(faults)}
        return faults

    def _next_pass(self) -> bool:
        if self._hear == self._hear_links:
            return self._end_links()
        if self.row is None:
            return self._end(self._told(NO_STEPS if self._listed else NO_REPLY))
        self._steps = self.row
        self._hear = self._hear_links
        told = [step["text"] for step in self.row["steps"]]
        values = {"text": self._source.text, "goal": self.row["goal"], "steps": told}
        self._ask("protocols/extract_links", values, LINKS)
        return True

    def _hear_links(self, reply: str) -> Sequence[str] | None:
        steps = self._steps
        row, faults = read_links(reply, steps["steps"], self._source)
        if row is None:
            return faults
        whole = {**row, "goal": steps["goal"], "unsure": [*steps["unsure"], *row["unsure"]]}
        wrong, broken = check(whole)
        if not broken:
            self.row = whole
        return [*faults, *wrong]

    def _end_links(self) -> bool:
        if self.row is self._steps:
            self.row["unsure"] = [*self.row["unsure"], _ONLY_STEPS.format(self._last_fault)]
            return self._end(f"only its steps were read: {self._told(NO_REPLY)}")
        assert self.row is not None
        self.row["unsure"] = [*self.row["unsure"], *check(self.row)[0]]
        return self._end("")

    @property
    def _last_fault(self) -> str:
        """In brackets how the last reply ended or the first of its faults, or nothing."""
        ends = _ENDS.get(self._finish)
        cause = ends[0] if ends else next(iter(self._faults), "")
        return f" ({cause})" if cause else ""

    def _told(self, complaint: str) -> str:
        """Return a complaint about the last reply, with its cause and the mend."""
        mend = _ENDS.get(self._finish, ("", _ANOTHER))[1]
        return complaint.format(attempts=self._tried, cause=self._last_fault, mend=mend)

    def _end(self, problem: str) -> bool:
        self.problem, self.over = problem, True
        return False


def check(row: Mapping[str, Any]) -> tuple[list[str], bool]:
    """Return what is wrong with an extracted procedure, and whether it is no procedure at all."""
    try:
        document = parse_document(yaml_text(row), _ANYWHERE)
    except SourceError as error:
        return [str(error).split(": ", 1)[1]], True
    return [
        f"{each.message} ({each.cause}); {each.suggestion}" for each in findings(document)
    ], False
