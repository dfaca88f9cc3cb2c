"""Worked examples for a question: the most similar samples of another seed, by BM25.

Retrieval uses the library bm25s with its defaults (Lucene's variant, k1 1.5, b 0.75). Words that
occur in every question of a pool, such as those of the task's template, are left out: they do not
distinguish the questions. The pool of a task is made once, holds the same number of samples for
each answer where there are few different answers, and never returns a sample about the procedure
of the question itself.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence import families
from thence.core.digest import digest
from thence.core.sample import Sample
from thence.core.task import Task
from thence.errors import ProtocolParameterError
from thence.generation.making import make
from thence.generation.plan import SampleSlot
from thence.generation.sources import checked_samples
from thence.prompts.templates import Templates

if TYPE_CHECKING:
    from thence.prompts.wording import Prompt

SEED_OFFSET = 2_000_003  # added to a sample's seed, so that no example is a question of the set
_MOST_CLASSES = 10  # distinct answers; pools with more are not balanced
_WORD = re.compile(r"""[^\s.,;:!?()\[\]{}"'`<>|/\\]+""")


@dataclass(frozen=True)
class _Pool:
    """A pool with its index; ``distinguishing`` holds the words that not every question has."""

    samples: Sequence[Sample]
    ids: frozenset[str]
    index: Any
    distinguishing: frozenset[str]


class Examples:
    """Pools by task, made when they are first needed.

    Args:
        templates: the templates that word the compared questions.
    """

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._pools: dict[str, _Pool] = {}

    def nearest(self, prompt: Prompt, source: int | str, k: int) -> list[Sample]:
        """Return the samples whose questions are most similar to a prompt's, most similar last.

        Raises:
            ProtocolParameterError: too few samples, or a file that holds the question.
            FileError: the pool's file cannot be read.
        """
        sample = prompt.sample
        pool = self._pool(sample, source)
        if isinstance(source, str):
            _refuse(sample, pool.ids, source)
        chosen: list[Sample] = []
        for index in _ranked(pool, prompt.question):
            example = pool.samples[index]
            if example.cluster != sample.cluster and example.id != sample.id:
                chosen.append(example)
            if len(chosen) == k:
                return chosen[::-1]
        raise ProtocolParameterError(
            "k",
            k,
            f"the pool holds {len(chosen)} samples of {sample.task} from other procedures than "
            f"{sample.id}'s; give a larger pool=N, or a smaller k",
        )

    def refuse(self, asked: Iterable[Sample], file: str) -> None:
        """Raise an error if a file of worked examples holds one of the samples of a run.

        Raises:
            ProtocolParameterError: the file holds one.
            FileError: the file cannot be read.
        """
        held = frozenset(sample.id for sample in checked_samples(Path(file)))
        for sample in asked:
            _refuse(sample, held, file)

    def _pool(self, sample: Sample, source: int | str) -> _Pool:
        seed = int(sample.metadata.get("seed") or 0) + SEED_OFFSET
        key = digest(sample.task, sample.metadata.get("options", {}), source, seed)
        if key not in self._pools:
            task = families.task(sample.task)
            found = (
                self._made(task, sample, source, seed)
                if isinstance(source, int)
                else (each for each in checked_samples(Path(source)) if each.task == sample.task)
            )
            self._pools[key] = self._indexed(task, _balanced(list(found), task))
        return self._pools[key]

    def _made(self, task: Task, sample: Sample, size: int, seed: int) -> Iterator[Sample]:
        """Yield distinct samples of another seed, spread over the conditions."""
        conditions = task.generator.examples(sample)
        seen: set[str] = set()
        for index in range(size):
            many = len(conditions)
            condition = conditions[index * many // size if many > size else index % many]
            made = make(SampleSlot(task.full_name, condition, index), seed, self._templates)
            if made.id not in seen:
                seen.add(made.id)
                yield made

    def _indexed(self, task: Task, samples: Sequence[Sample]) -> _Pool:
        import bm25s

        ids = frozenset(sample.id for sample in samples)
        if not samples:
            return _Pool((), ids, None, frozenset())
        texts = (
            self._templates.render(
                task.question_template, task.generator.question_values(each.metadata)
            )
            for each in samples
        )
        documents = [_words(text) for text in texts]
        holding = Counter(word for words in documents for word in set(words))
        distinguishing = frozenset(
            word for word, count in holding.items() if count < len(documents)
        )
        index = bm25s.BM25()
        index.index(documents, show_progress=False)
        return _Pool(samples, ids, index, distinguishing)


def _refuse(sample: Sample, held: frozenset[str], file: str) -> None:
    if sample.id in held:
        raise ProtocolParameterError(
            "pool", file, f"holds {sample.id}, which is asked about; give samples of another seed"
        )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _ranked(pool: _Pool, question: str) -> Iterator[int]:
    """Return indices into the pool, most similar first; ties keep the pool's order."""
    import numpy as np

    if pool.index is None:
        return
    known = [word for word in _words(question) if word in pool.distinguishing]
    scores = pool.index.get_scores(known) if known else np.zeros(len(pool.samples))
    yield from np.argsort(-scores, kind="stable").tolist()


def _balanced(samples: list[Sample], task: Task) -> list[Sample]:
    """Return the same number of samples for each answer, where there are few distinct answers."""
    classes: dict[Any, list[Sample]] = defaultdict(list)
    for sample in samples:
        classes[task.format.vote(sample.target)].append(sample)
    if len(classes) > _MOST_CLASSES:
        return samples
    least = min(map(len, classes.values()), default=0)
    kept = {sample.id for each in classes.values() for sample in each[:least]}
    return [sample for sample in samples if sample.id in kept]
