"""Speed of rendering prompts and of retrieving worked examples, by protocol.

Run: python benchmarks/protocols.py

Retrieval is compared with a plain BM25 in Python over the same pool, and prompts with the bare
rendering of the question's template, the minimum of any prompt. Seconds are CPU seconds.
"""

from __future__ import annotations

import math
import time
from collections import Counter

from _machine import tell
from thence import families
from thence.generation.few_shot_pool import Examples, _words
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts import template_loader
from thence.prompts.catalog import protocol
from thence.prompts.conversation import Conversation
from thence.prompts.wording import first_prompt

POOL, QUERIES, PLAIN = 10_000, 1_000, 2
TASKS = ("procbench/search", "procbench/delete_word")  # of rare words, of common ones
ASKED = ("direct", "answer_then_explain", "explain_then_answer", "chain_of_thought", "are_you_sure")


def retrieval(name: str) -> None:
    """Print queries per second over a pool of 10,000 examples."""
    templates = template_loader.templates()
    task = families.task(name)
    samples = list(generate(Plan([name], seed=0, size=QUERIES), 1))
    prompts = [first_prompt(sample, task, templates.render) for sample in samples]
    examples = Examples(templates)
    begun = time.process_time()
    examples.nearest(prompts[0], POOL, 5)
    print(f"{name}: pool of {POOL:,} made and indexed in {time.process_time() - begun:.1f} s")
    begun = time.process_time()
    for prompt in prompts:
        examples.nearest(prompt, POOL, 5)
    ours = QUERIES / (time.process_time() - begun)
    texts = [
        first_prompt(each, task, templates.render).question
        for each in generate(Plan([name], seed=1, size=POOL), 1)
    ]
    documents = [Counter(_words(text)) for text in texts]
    mean = sum(each.total() for each in documents) / len(documents)
    holding = Counter(word for each in documents for word in each)
    begun = time.process_time()
    for prompt in prompts[:PLAIN]:
        words = [(w, math.log(1 + POOL / (holding[w] + 0.5))) for w in _words(prompt.question)]
        scores = [
            sum(
                weight * each[w] / (each[w] + 0.375 + 1.125 * each.total() / mean)
                for w, weight in words
                if w in each
            )
            for each in documents
        ]
        sorted(range(POOL), key=scores.__getitem__)[-5:]
    plain = PLAIN / (time.process_time() - begun)
    print(f"nearest 5 of {POOL:,}      {ours:10,.0f} queries/s   (wanted 1,000)")
    print(f"the same in plain Python {plain:10,.1f} queries/s")


def prompts() -> None:
    """Print prompts per second, by protocol."""
    templates = template_loader.templates()
    names = [task.full_name for task in families.select(["procbench"])]
    samples = list(generate(Plan(names, seed=0, size=100), 1))
    tasks = families.tasks()
    begun = time.process_time()
    for sample in samples:
        task = tasks[sample.task]
        templates.render(task.question_template, task.generator.question_values(sample.metadata))
    print(f"bare question            {len(samples) / (time.process_time() - begun):10,.0f} /s")
    for name in ASKED:
        asked = protocol(name)
        begun = time.process_time()
        count = 0
        for sample in samples:
            conversation = Conversation(sample, tasks[sample.task], asked, templates)
            count += 1
            if asked.turns:
                conversation.hear("a reply")
                count += 1
            assert conversation.messages
        print(f"{name:24} {count / (time.process_time() - begun):10,.0f} prompts/s (wanted 20,000)")


if __name__ == "__main__":
    tell()
    for each in TASKS:
        retrieval(each)
    prompts()
