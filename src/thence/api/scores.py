"""Scores of many replies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence.api.given import short
from thence.api.sources import Questioned, samples_of
from thence.api.tabular import frame_of, html_of, row_of
from thence.core.results import Results
from thence.errors import FileError, ParameterError, UsageError
from thence.models.base import Reply
from thence.scoring.imported import answered, published, replies_of
from thence.scoring.judge import REDUCTIONS

if TYPE_CHECKING:
    import pandas
    import polars

    from thence.core.table import Table

type Replies = (
    Mapping[str, str | Reply | None | Sequence[str | Reply | None]]
    | Iterable[Mapping[str, Any]]
    | str
    | Path
)
"""Replies by the id of the question, one or one an epoch; rows with ``id`` and ``response``; or the
path of such rows in JSON lines."""


def score(
    questions: Questioned | None,
    replies: Replies,
    *,
    scorer: str = "strict",
    reduce: str = "mean",
) -> Scores:
    """The scores of replies that were gathered in any way.

    Args:
        questions: those that the replies answer: samples, a `Dataset` or the path of a file; None
            where ``replies`` is a path in the form in which a benchmark's authors publish theirs.
        replies: a mapping from the id of a question to the text of its reply (or to a list of
            texts, one an epoch), rows with ``id`` and ``response``, or a path of such lines.
        scorer: ``strict``, or another one that the family has, such as FABLE's ``official``.
        reduce: how epochs become one score: ``mean`` or ``majority``.

    Returns:
        A `Scores` object; questions without a reply are counted as missing.

    Raises:
        ParameterError: replies of another form, to no question, or twice to one.
        FileError: a file that cannot be read.

    Example:
        >>> import thence
        >>> asked = thence.generate("procbench/sort", size=20)
        >>> replies = {sample.id: thence.answer(sample) for sample in asked}
        >>> scores = thence.score(asked, replies)
        >>> scores.summary()["accuracy"].to_list()
        [1.0]
    """
    if reduce not in REDUCTIONS:
        raise ParameterError("reduce", reduce, f"must be {' or '.join(REDUCTIONS)}")
    if questions is None:
        if not isinstance(replies, str | Path):
            raise ParameterError("questions", None, "give the questions that the replies answer")
        found = published(Path(replies), scorer)
        if found is None:
            raise ParameterError("questions", None, f"give those that {replies} answers")
        return Scores([each.scored(scorer, answers=True) for each in found])
    if isinstance(replies, str | Path) and isinstance(questions, str | Path):
        held = replies_of(Path(replies), Path(questions), reduce)
    elif isinstance(replies, str | Path):
        raise_from = Path(replies)
        held = replies_of_file(raise_from, questions, reduce)
    else:
        rows = enumerate(_rows(replies))
        try:
            held = answered(
                ((f"replies[{number}]", row) for number, row in rows),
                samples_of(questions),
                reduce,
                source="replies",
                questions="the questions",
            )
        except FileError as error:
            raise ParameterError("replies", None, str(error)) from error
    return Scores([held.scored(scorer, answers=True)])
