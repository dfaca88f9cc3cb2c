"""Questions and rewards a second through the public API, beside the parts that they are made of.

Both sides of each line are of one run, in one process: `thence.questions` beside drawing the same
questions without words, `thence.score_reply` beside reading and grading alone, and `thence.score`
of a whole set.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import thence
from _machine import tell
from thence import families
from thence.core.seeds import stream

COUNT, ROUNDS = 4_000, 3


def rate(work: Callable[[], int]) -> float:
    """Return things a second of CPU time, of the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        begun = time.process_time()
        done = work()
        best = max(best, done / (time.process_time() - begun))
    return best


def main() -> None:
    """Print both sides of both rates."""
    tell()
    questions = thence.questions("procbench", seed=1)
    samples = [questions[place] for place in range(COUNT)]
    replies = [thence.answer(each) for each in samples]

    def asked() -> int:
        return len([questions[place] for place in range(COUNT, 2 * COUNT)])

    def drawn() -> int:
        for place, sample in enumerate(samples):
            task = families.task(sample.task)
            condition = task.generator.condition(sample)
            rng = stream(sample.task, task.version, condition.parameters, 2, place)
            task.generator.draw(condition, rng)
        return COUNT

    def scored() -> int:
        pairs = zip(samples, replies, strict=True)
        return sum(thence.score_reply(sample, reply).correct for sample, reply in pairs)

    def graded() -> int:
        right = 0
        for sample, reply in zip(samples, replies, strict=True):
            task = families.task(sample.task)
            answer = task.format.read(reply, task.question(sample))
            right += answer is not None and task.grader.grade(answer.value, sample).correct
        return right

    made = thence.generate("procbench", limit=COUNT // 23)
    said = {each.id: thence.answer(each) for each in made}

    def whole() -> int:
        return len(thence.score(made, said).results[0].frames) and len(said)

    print(f"questions: {rate(asked):,.0f}/s; drawn alone, without words: {rate(drawn):,.0f}/s")
    print(f"rewards: {rate(scored):,.0f}/s; reading and grading alone: {rate(graded):,.0f}/s")
    print(f"thence.score of a set: {rate(whole):,.0f}/s; {len(said):,} replies")


if __name__ == "__main__":
    main()
