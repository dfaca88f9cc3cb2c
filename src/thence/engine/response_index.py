"""An index of a file of responses, of some thirty bytes each.

A file of responses may be larger than any memory. The index holds where each of them stands; it is
read from there when its sample's turn comes, so that going on and scoring take the memory of one
sample at a time.
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from thence.engine.json_lines import parse
from thence.errors import FileError
from thence.scoring.judge import Response
from thence.system.disk import FileSlices, disk
from thence.system.progress import followed

type Turns = dict[tuple[int, int], Response]
"""The responses to a sample that count, by epoch and turn."""


class ResponseIndex:
    """The responses of a file when the index is made; those appended later are not in it.

    Attributes:
        count: how many responses the file holds, replaced ones too; 0 where there is no file.
        proved: whether any of them is no error.
    """

    def __init__(
        self,
        path: Path,
        last_turn: int = 0,
        watch: Callable[[Response], None] = lambda _: None,
        first: int = 0,
    ) -> None:
        """Read the file once.

        Args:
            path: the file.
            last_turn: 0-based; a response of that turn that is no error ends a conversation.
            watch: called with every response, in order.
            first: a place where a line begins; what stands before it is not in the index.

        Raises:
            FileError: a line that is not a response. A last line without an end is passed over: it
                was being written when the run was stopped.
        """
        self.count = 0
        self.proved = False
        self._last_turn = last_turn
        ids, starts, lengths = array("q"), array("Q"), array("Q")
        ends = array("q")  # the epoch that a response ends, or -1
        for start, length, response in followed(whole_responses(path, first), "responses"):
            ids.append(hash(response.id))
            starts.append(start)
            lengths.append(length)
            good = response.error is None
            ends.append(response.epoch if good and response.turn == last_turn else -1)
            self.count += 1
            self.proved = self.proved or good
            watch(response)
        order = sorted(range(self.count), key=ids.__getitem__)
        self._ids = array("q", (ids[place] for place in order))
        self._starts = array("Q", (starts[place] for place in order))
        self._lengths = array("Q", (lengths[place] for place in order))
        self._ends = array("q", (ends[place] for place in order))
        if self.count:
            self._slices = FileSlices(path)

    def finished(self, epochs: int | None = None) -> int:
        """Return how many conversations came to their end, within so many epochs."""
        found, before, seen = 0, None, set[int]()
        for name, epoch in zip(self._ids, self._ends, strict=True):
            if name != before:
                before, seen = name, set()
            if epoch >= 0 and epoch not in seen and (epochs is None or epoch < epochs):
                seen.add(epoch)
                found += 1
        return found

    def of(self, sample: str) -> Turns:
        """Return the responses to a sample: of each turn the last one that is no error."""
        return latest(self._read(sample))

    def _read(self, sample: str) -> Iterator[Response]:
        """Yield all responses to a sample, in the order in which they came."""
        return responses_to(sample, self.lines(sample))

    def lines(self, sample: str) -> Iterator[bytes]:
        """Yield the lines of all responses to a sample in order, and perhaps of another one."""
        if not self.count:
            return
        name = hash(sample)
        start = end = bisect_left(self._ids, name)
        while end < self.count and self._ids[end] == name:
            end += 1
        for place in range(start, end):
            yield self._slices.read(self._starts[place], self._lengths[place])


def responses_to(sample: str, lines: Iterable[bytes]) -> Iterator[Response]:
    """Yield the responses to a sample that some lines of a checked file hold."""
    for line in lines:
        response = Response.checked(parse(line))
        if response.id == sample:  # another may have the same hash
            yield response


def latest(responses: Iterable[Response]) -> Turns:
    """Return the responses to one sample that count, of all in the order in which they came."""
    turns: Turns = {}
    for response in responses:
        place = response.epoch, response.turn
        before = turns.get(place)
        if before is not None and before.key != response.key:
            # What was asked has changed, so what followed the old reply stands no longer.
            for epoch, turn in list(turns):
                if epoch == response.epoch and turn >= response.turn:
                    del turns[epoch, turn]
            before = None
        if before is None or before.error is not None or response.error is None:
            turns[place] = response
    return turns


def whole_length(path: Path) -> int:
    """Return the number of bytes of a file up to and with the last line end."""
    with disk(path), path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end > 0:
            start = max(0, end - 65536)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
    return 0


def whole_responses(
    path: Path, start: int = 0, end: int | None = None
) -> Iterator[tuple[int, int, Response]]:
    """Yield every response with the place where its line begins, and the line's length.

    Args:
        path: a file of responses; where there is none, none comes.
        start: a place where a line begins.
        end: where to stop; None for the last line end.

    Raises:
        FileError: a line that is not a response.
    """
    if not path.is_file():
        return
    end = whole_length(path) if end is None else end
    with disk(path), path.open("rb") as file:
        file.seek(start)
        for line in file:
            if start >= end:
                return
            if line.strip():
                try:
                    response = Response.from_json(parse(line))
                except (ValueError, RecursionError) as error:
                    raise FileError(
                        f"{path}:{_line_number(path, start)}: not a response: {error}; delete this "
                        "line, and the run's command asks again for what it held"
                    ) from error
                yield start, len(line), response
            start += len(line)


def _line_number(path: Path, place: int) -> int:
    """Return the number of the line that begins at a place of a file, from 1."""
    number = 1
    with path.open("rb") as file:
        for line in file:
            place -= len(line)
            if place < 0:
                break
            number += 1
    return number
