"""A run whose replies a person gives: an ordinary run directory of the model ``human/NAME``.

An answer is on the disk when `PersonRun.judge` returns. A question that is answered anew keeps both
replies; the later one counts, as in any run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

from thence import families
from thence.core.sample import Sample
from thence.engine.directory import RESPONSES, RunDirectory
from thence.engine.rating_study import AnswerChoice, measured, own_order, rater_name
from thence.engine.response_log import ResponseLog
from thence.engine.run_config import RunConfig
from thence.engine.run_progress import Progress
from thence.engine.run_scores import results
from thence.engine.session import prepare, record
from thence.errors import Rejected, UsageError
from thence.generation.sources import SampleSource
from thence.models.base import Model, Reply, Request
from thence.scoring.judge import Response
from thence.system.disk import read_lines

PROVIDER = "human"
_YES_NO = ("Yes", "No")
_UNREAD = (
    "No answer can be read in this. Write it as the question asks, or give it once more as it is."
)


class Person(Model):
    """A person, who answers in the browser and not when asked by a run.

    Args:
        name: of the person.
    """

    speaks = "people"

    def __init__(self, name: str) -> None:
        self.name = f"{PROVIDER}/{name}"

    async def complete(self, request: Request) -> Reply:
        """Refuse: people are asked by `PersonRun`.

        Raises:
            Rejected: always.
        """
        raise Rejected("bad_request", f"{self.name} answers in the browser alone")


class PersonRun:
    """The answers of one person to some questions.

    Attributes:
        directory: the run.
    """

    def __init__(self, name: str, source: SampleSource, folder: Path | None) -> None:
        """Begin the run, or go on with it.

        Args:
            name: of the person.
            source: the questions, asked in their own words by the protocol ``direct``.
            folder: that holds the runs of all people; None for the default of any run.

        Raises:
            ParameterError: the folder holds another run.
            FileError: a question that cannot be asked.
        """
        self._name = name
        place = None if folder is None else folder / name
        self._prepared = prepare(RunConfig(source=source, model=Person(name), folder=place))
        self.directory: RunDirectory = self._prepared.directory
        with self.directory.locked():
            self.directory.recover()
            self._begun = self.directory.begin(self._prepared.request, source.samples())
            path = self.directory.path / RESPONSES
            with ResponseLog(path):  # takes a torn last line off
                pass
        self._talks = self._prepared.conversations
        self._samples = own_order(list(self.directory.samples()), 0, name)
        stored = self.directory.responses()
        self._held: dict[str, Response] = {}
        for sample in self._samples:
            found = stored.of(sample.id).get((0, 0))
            if found is not None and found.error is None:
                self._held[sample.id] = found
        self._lines = stored.count
        self._latest = [str(row["id"]) for _, row in read_lines(path)]
        self._doubted: tuple[int, str] | None = None
        self._record()

    @property
    def done(self) -> int:
        """How many questions are answered."""
        return len(self._held)

    @property
    def count(self) -> int:
        """How many questions there are."""
        return len(self._samples)

    def show(self, place: int | None = None) -> dict[str, Any]:
        """Return a question as the page takes it; None for the first one without an answer."""
        if place is None:
            open_ = (k for k, each in enumerate(self._samples) if each.id not in self._held)
            place = next(open_, self.count - 1)
        if not 0 <= place < self.count:
            raise LookupError(place)
        sample = self._samples[place]
        held, choices = self._held.get(sample.id), choices_of(sample)
        said = held.response if held else None
        return {
            "rater": self._name,
            "place": place,
            "count": self.count,
            "done": self.done,
            "parts": [{"label": "question", "text": sample.input}],
            "choices": [
                asdict(AnswerChoice(str(number), reply, word))
                for number, (word, reply) in enumerate(choices.items(), 1)
            ],
            "value": said,
        }

    def judge(self, place: int, reply: str, seconds: float | None) -> dict[str, Any]:
        """Append an answer to the run, and return the next question.

        A reply without a readable answer comes back once, so that a slip of the hand is no error.

        Args:
            place: of the question.
            reply: what the person wrote or chose.
            seconds: for which the question was on the screen now.
        """
        self.show(place)  # there is such a place
        sample = self._samples[place]
        if not reply.strip():
            raise UsageError("write an answer, or go on to the next question")
        task = families.task(sample.task)
        unread = task.format.read(reply, task.question(sample)) is None
        if unread and self._doubted != (place, reply):
            self._doubted = place, reply
            return {**self.show(place), "value": reply, "told": _UNREAD}
        before = self._held.get(sample.id)
        spent = (measured(seconds) or 0.0) + ((before.latency or 0.0) if before else 0.0)
        slot = self._talks.slot(sample, 0, 0, self._talks.begin(sample))
        said = slot.answered(Reply(reply), round(spent, 3))
        with self.directory.locked(), ResponseLog(self.directory.path / RESPONSES) as log:
            log.append(said)
        self._held[sample.id] = said
        self._lines += 1
        self._latest.append(sample.id)
        self._record()
        return self.show(None if place + 1 == self.count else place + 1)

    def undo(self) -> dict[str, Any]:
        """Return the question that was answered last, to be answered anew.

        Raises:
            UsageError: there is none.
        """
        if not self._latest:
            raise UsageError("there is no answer to take back")
        places = {sample.id: place for place, sample in enumerate(self._samples)}
        return self.show(places[self._latest.pop()])

    def score(self) -> Any:
        """Return the scores of the run, which are written into it too."""
        with self.directory.locked():
            return results(self.directory, keep=self.directory.keeping_scores)

    def _record(self) -> None:
        progress = Progress(total=self.count, done=self.done)
        record(self._prepared, self.directory, progress, self._begun, self.done, self._lines)


class People:
    """The runs of all people who answer some questions; safe to use from several threads.

    Attributes:
        runs: by name.
    """

    def __init__(self, source: SampleSource, folder: Path | None) -> None:
        self.runs: dict[str, PersonRun] = {}
        self._source = source
        self._folder = folder
        self._lock = Lock()

    def rater(self, given: object) -> str:
        """Return the name of a person as models are called; the person has a run from now on.

        Raises:
            UsageError: it is no name.
        """
        name = re.sub(r"[^\w.]+", "-", rater_name(given).casefold()).strip("-.")
        if not name:
            raise UsageError("a name needs a letter or a digit")
        with self._lock:
            if name not in self.runs:
                self.runs[name] = PersonRun(name, self._source, self._folder)
        return name

    def show(self, rater: str, place: int | None = None) -> dict[str, Any]:
        """Return a question, as `PersonRun.show` does."""
        with self._run(rater) as run:
            return run.show(place)

    def judge(
        self, rater: str, place: int, value: str, note: str = "", seconds: float | None = None
    ) -> dict[str, Any]:
        """Append an answer to the person's run, as `PersonRun.judge` does."""
        with self._run(rater) as run:
            return run.judge(place, value, seconds)

    def undo(self, rater: str) -> dict[str, Any]:
        """Go back to the latest answer, as `PersonRun.undo` does."""
        with self._run(rater) as run:
            return run.undo()

    @contextmanager
    def _run(self, rater: str) -> Iterator[PersonRun]:
        with self._lock:
            yield self.runs[rater]


def choices_of(sample: Sample) -> Mapping[str, str]:
    """Return the reply for each answer of a question that has few; none for any other."""
    form = families.task(sample.task).format
    schema: Any = form.schema(families.task(sample.task).question(sample)) or {}
    several = schema.get("properties", {})
    if len(several) == 1:
        (schema,) = several.values()
    words = schema.get("enum") or ()
    if form.answer_values().get("form") == "yes_no":
        words = _YES_NO
    return {str(word): form.write(word) for word in words}
