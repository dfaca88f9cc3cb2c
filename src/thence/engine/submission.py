"""Rules for a run that is to stand in a table beside others, and the checks of them.

What can be made again is made again: the questions, the messages, the scores. A reply itself cannot
be; a changed one shows in the hash of the file, its counts and its tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any

from thence import families
from thence.core.digest import compact_json
from thence.core.failures import plural
from thence.core.versions import major
from thence.engine.directory import RESPONSES, SAMPLES, SCORES, RunDirectory
from thence.engine.person_run import PROVIDER
from thence.engine.run_scores import RunScores, scored_by
from thence.engine.sent_messages import SentMessages
from thence.errors import ThenceError
from thence.generation.frozen_sets import frozen_set, names
from thence.generation.plan import Plan
from thence.generation.suite import generate_lines
from thence.models.base import Usage
from thence.system.disk import file_hash, lines_of

_PROTOCOL = "direct"
_PARTS = ("limit", "total", "exclude", "shard", "skipped")
_DENSEST = 64  # characters a token that a reply of some length never reaches
_SLACK = 256  # characters beyond that
_DAMAGED = (ThenceError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


@dataclass(frozen=True)
class SubmissionRule:
    """A rule, in a sentence, and what breaks it.

    Attributes:
        name: in one word.
        sentence: for people.
        faults: yields what breaks the rule, a sentence each.
    """

    name: str
    sentence: str
    faults: Callable[[Submitted], Iterator[str]]


class Submitted:
    """A run that is checked.

    Attributes:
        directory: the run.
        protocol: by which it must have asked.
    """

    def __init__(self, directory: RunDirectory, protocol: str = _PROTOCOL) -> None:
        """Read ``run.json``.

        Raises:
            FileError: there is none, or it is damaged.
        """
        self.directory = directory
        self.protocol = protocol
        self.information = directory.information()
        self.request = self.information.request

    @cached_property
    def rows(self) -> RunScores:
        """The scored responses, made anew."""
        return scored_by(self.directory)

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield the rule and the sentence of everything that breaks one."""
        for rule in RULES:
            try:
                for fault in rule.faults(self):
                    yield rule.name, fault
            except _DAMAGED as error:
                yield rule.name, f"cannot be checked: {error}"


def _whole(run: Submitted) -> Iterator[str]:
    counts: Counter[str] = Counter()
    rows = run.rows
    for row in rows:
        counts[row.sample.task] += 1
    if rows.missing:
        yield f"{plural(rows.missing, 'conversation')} without a reply; the same thence run goes on"
    if lost := rows.replies["provider_error"]:
        yield f"{plural(lost, 'provider error')} in place of replies"
    if not counts:
        yield "there is no reply"


def _versions(run: Submitted) -> Iterator[str]:
    for name, version in run.information.versions.items():
        task = families.task(name)
        if major(version) not in task.majors:
            yield (
                f"{name} was asked in version {version}; scores of version {task.version} do not "
                "compare"
            )


def _set(run: Submitted) -> Iterator[str]:
    asked = run.request.samples
    if _plans(asked) is None:
        yield (
            "the questions came from a file of no frozen set; run the tasks by their names, with a "
            "seed, or a frozen set"
        )
    for name in _PARTS:
        if asked.get(name):
            yield f"a part of the set was asked ({name}); run it without"
    if run.request.templates:
        yield "the prompts are by templates of one's own"


def _plans(asked: Mapping[str, Any]) -> list[Plan] | None:
    """Return the plans that make a run's questions again; None where run.json lacks them."""
    if "tasks" in asked:
        return [
            Plan(
                asked["tasks"], asked["seed"], asked["size"], asked["limit"], asked["set"],
                total=asked.get("total"), shard=asked.get("shard"),
            )
        ]  # fmt: skip
    frozen = {
        held.sha256: held.plan(each.seed)
        for each in map(frozen_set, names())
        for held in each.files.values()
    }
    files = asked.get("files", ())
    return [frozen[each] for each in files] if files and set(files) <= set(frozen) else None


def _questions(run: Submitted) -> Iterator[str]:
    asked = run.request.samples
    plans = _plans(asked)
    if plans is None or ("tasks" not in asked and any(asked.get(name) for name in _PARTS)):
        return  # which the rule of the set says
    path = run.directory.path / SAMPLES
    held = (line.rstrip(b"\n") for line in lines_of(lambda: path))
    made = (line.rstrip("\n").encode() for plan in plans for line in generate_lines(plan, 1))
    pairs = enumerate(zip_longest(held, made), 1)
    wrong = [number for number, (one, other) in pairs if one != other]
    if wrong:
        yield (
            f"{SAMPLES}: {plural(len(wrong), 'line')} not what seed {plans[0].seed} gives, the "
            f"first is line {wrong[0]}"
        )
    if run.information.samples_sha256 != file_hash(path):
        yield f"{SAMPLES}: its SHA-256 is not that in run.json"


def _same_protocol(run: Submitted) -> Iterator[str]:
    asked = run.request.protocol
    if asked != run.protocol:
        yield f"asked by protocol {asked}, not {run.protocol}"
    if settings := run.request.set_protocol:
        yield f"protocol {asked} was given {', '.join(sorted(settings))}"
    if not run.information.comparable:
        yield "the model was given tools"
    if run.request.generation.get("system"):
        yield "the model was given a system message"


def _messages(run: Submitted) -> Iterator[str]:
    if run.information.fingerprint != run.request.fingerprint:
        yield "run.json: what was asked for was changed after the run"
    sent, wrong = SentMessages(run.request), 0
    for sample in run.directory.samples():
        held = run.rows.responses.of(sample.id)
        wrong += sum(sent.of(sample, epoch, turn, held) is None for epoch, turn in held)
    if wrong:
        are = "reply was" if wrong == 1 else "replies were"
        yield f"{wrong:,} {are} given to other messages, settings or models than run.json says"


def _replies(run: Submitted) -> Iterator[str]:
    told, path = run.information, run.directory.path / RESPONSES
    held = told.conversations or {}
    finished = held.get("done") == held.get("all")  # another one has no hash yet
    if finished and told.responses_sha256 != file_hash(path):
        yield f"{RESPONSES}: its SHA-256 is not that in run.json; it was changed after the run"
    count, usage, again, long = 0, Usage(), 0, 0
    seen: Counter[tuple[str, int, int]] = Counter()

    def watch(response: Any) -> None:
        nonlocal count, usage, long
        count += 1
        if response.usage:
            usage += Usage.from_json(response.usage)
        if response.error is None:
            seen[response.id, response.epoch, response.turn] += 1
            tokens = (response.usage or {}).get("output_tokens")
            said = len(response.response or "")
            long += tokens is not None and said > _DENSEST * tokens + _SLACK

    run.directory.responses(watch=watch)
    again = sum(times > 1 for times in seen.values())
    if count != told.responses:
        yield f"{RESPONSES}: holds {count:,} responses, and run.json counts {told.responses}"
    if usage.to_json() != Usage.from_json(told.usage or {}).to_json():
        yield f"{RESPONSES}: its tokens do not add up to those in run.json"
    if again and not run.request.model.startswith(f"{PROVIDER}/"):
        yield f"{plural(again, 'question')} answered more than once, of which the last reply counts"
    if long:
        yield f"{plural(long, 'reply')} longer than the tokens that were counted can say"


def _scores(run: Submitted) -> Iterator[str]:
    path = run.directory.path / SCORES
    if not path.is_file():
        return
    held = (line.rstrip(b"\n") for line in lines_of(lambda: path))
    made = (compact_json(row.to_json()).encode() for row in run.rows)
    wrong = sum(one != other for one, other in zip_longest(held, made))
    if wrong:
        yield f"{SCORES}: {plural(wrong, 'line')} not what scoring the replies again gives"


RULES = (
    SubmissionRule(
        "whole", "Every question has a reply; none is left out as a provider error.", _whole
    ),
    SubmissionRule(
        "versions", "The tasks are of the present versions: N of N-X is the same.", _versions
    ),
    SubmissionRule(
        "set",
        "The whole set of a seed, or a frozen set, was asked, by our templates, and no part of it.",
        _set,
    ),
    SubmissionRule(
        "questions",
        "The questions are those that the seed gives: made again, they are the same by every byte.",
        _questions,
    ),
    SubmissionRule(
        "protocol",
        "All runs are asked by the same protocol, without settings, tools and system messages.",
        _same_protocol,
    ),
    SubmissionRule(
        "messages",
        "Each reply's key is the hash of question, model, settings and messages that run.json "
        "tells.",
        _messages,
    ),
    SubmissionRule(
        "replies",
        "The replies are as they came: hash, counts and tokens are those of the run, and nothing "
        "was asked twice.",
        _replies,
    ),
    SubmissionRule(
        "scores", "Scoring the replies again gives the scores that lie beside them.", _scores
    ),
)
"""What a run has to keep to."""
