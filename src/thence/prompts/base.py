"""How a sample is put to a model.

A protocol does up to three things: it shapes the first prompt, it asks on after a reply, and it
says which part of a reply holds the answer. ``a+b`` does what a does and then what b does, so that
any protocol serves any family and composes with the others. Epochs, keys and resume belong to the
engine: a protocol never sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from typing import Protocol as Interface

from thence.core.grammar import grammar
from thence.core.parameters import Parameter
from thence.core.reply_text import visible
from thence.core.sample import Sample
from thence.core.task import Task
from thence.errors import UsageError
from thence.prompts.templates import Templates


class Prompt(NamedTuple):
    """The first turn in its parts.

    Attributes:
        sample: what is asked about.
        task: its task.
        question: the question in words.
        instruction: how to reply.
        answer_form: how to write the answer where it is only a part of the reply.
        before: messages that stand before the question, such as worked examples.
    """

    sample: Sample
    task: Task
    question: str
    instruction: str
    answer_form: str
    before: tuple[dict[str, str], ...] = ()

    def with_(self, **changes: Any) -> Prompt:
        """A copy with some parts changed."""
        return self._replace(**changes)


class Render(Interface):
    """Renders a template by name: `Templates.render`."""

    def __call__(self, name: str, values: Mapping[str, Any]) -> str:
        """The text of the template."""
        ...


class Pool(Interface):
    """Where worked examples come from: samples of other seeds, class-balanced."""

    def nearest(self, prompt: Prompt, source: int | str, k: int) -> Sequence[Sample]:
        """The samples whose questions are most like that of a prompt, the most like it last.

        They are of the same task, and none of them is of the prompt's procedure.

        Args:
            prompt: what is asked.
            source: how many samples to make, or a file that holds them.
            k: how many are wanted.
        """
        ...

    def refuse(self, asked: Iterable[Sample], file: str) -> None:
        """Makes sure that a file of worked examples holds none of the samples that are asked."""
        ...


class Protocol:
    """One way to ask; kept as the constant ``PROTOCOL`` of its module.

    Attributes:
        name: as in ``--protocol``.
        summary: one line for ``thence list``.
        turns: how many further turns follow the first reply.
        parameters: what a caller may set, by ``--set-protocol``.
        templates: names of the templates that it renders.
        excludes: protocol name -> why the two cannot be composed.
        free: whether a reply begins with free text, so that ``--structured`` cannot serve it.
        explains: whether a reply holds an explanation beside the answer.
    """

    name: str
    summary: str = ""
    turns: int = 0
    parameters: Sequence[Parameter] = ()
    templates: Sequence[str] = ()
    excludes: Mapping[str, str] = {}
    free: bool = False
    explains: bool = False

    @property
    def shapes_first(self) -> bool:
        """Whether the first turn is worded otherwise than the sample's own input."""
        kind = type(self)
        return kind.shape is not Protocol.shape or kind.examples is not Protocol.examples

    def configured(self, values: Mapping[str, Any]) -> Protocol:
        """This protocol with the values of its parameters; itself where it has none."""
        return self

    def bound(self, pool: Pool) -> Protocol:
        """This protocol with a source of worked examples; itself where it needs none."""
        return self

    def check(self, samples: Callable[[], Iterable[Sample]]) -> None:
        """Raises UsageError before anything is sent where one of the samples cannot be asked."""

    def examples(self, prompt: Prompt) -> Sequence[Sample]:
        """Samples to show with their answers before the question."""
        return ()

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """The first prompt as this protocol changes it."""
        return prompt

    def follow_up(self, prompt: Prompt, replies: Sequence[str], render: Render) -> str:
        """What to say after the latest of the replies; asked ``turns`` times."""
        raise NotImplementedError

    def schema(self, schema: Mapping[str, Any] | None, task: Task) -> Mapping[str, Any] | None:
        """The JSON schema to ask for with ``--structured``, given that of the task's answer."""
        return schema

    def grammar(self, answer: str) -> str | None:
        """The whole reply, given the answer as an expression of `thence.core.grammar`.

        None where the reply is JSON, which a schema describes.
        """
        return answer

    def answer_part(self, reply: str, task: Task) -> str:
        """The part of a reply that the task's reader is to read."""
        return reply

    def ended(self, reply: str, task: Task) -> bool:
        """Whether the answer in a reply that was cut off stands in a part that is whole."""
        return False

    def explanation(self, reply: str, task: Task) -> str | None:
        """The explanation in a reply, where the protocol asks for one."""
        return None

    def write(self, answer: str, why: str, task: Task) -> str:
        """A reply in the form that this protocol asks for; `answer_part` undoes it.

        Args:
            answer: in the task's own form.
            why: an explanation, where one is known.
            task: whose answer it is.
        """
        return answer


class Composed(Protocol):
    """Several protocols, one after the other, under the name ``a+b``."""

    def __init__(self, parts: Sequence[Protocol]) -> None:
        self.parts = tuple(parts)
        self.name = "+".join(part.name for part in parts)
        self.turns = sum(part.turns for part in parts)
        self.shapes = any(part.shapes_first for part in parts)
        self.free = any(part.free for part in parts)
        self.explains = any(part.explains for part in parts)
        unwrap = Protocol.answer_part
        self._unwrapping = [p for p in reversed(parts) if type(p).answer_part is not unwrap]
        self.templates = ("protocols/direct", *(name for part in parts for name in part.templates))

    def bound(self, pool: Pool) -> Composed:
        """The same of bound parts."""
        return Composed([part.bound(pool) for part in self.parts])

    def check(self, samples: Callable[[], Iterable[Sample]]) -> None:
        """Each part's."""
        for part in self.parts:
            part.check(samples)

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """Each part's shape in turn; worked examples are put and answered in the same way."""
        examples = [each for part in self.parts for each in part.examples(prompt)]
        shaped = self._shaped(prompt, render)
        if not examples:
            return shaped
        before = list(shaped.before)
        for sample in examples:
            asked = self._shaped(worded(sample, prompt.task, render), render)
            answer = prompt.task.format.write(sample.target)
            why = prompt.task.explainer.explain(sample)
            before += [
                {"role": "user", "content": _opening(asked, render)},
                {"role": "assistant", "content": self.write(answer, why, prompt.task)},
            ]
        return shaped.with_(before=tuple(before))

    def _shaped(self, prompt: Prompt, render: Render) -> Prompt:
        for part in self.parts:
            prompt = part.shape(prompt, render)
        return prompt

    def follow_up(self, prompt: Prompt, replies: Sequence[str], render: Render) -> str:
        """The next turn of the part whose turn it is; it sees the replies from its first on."""
        before = 0
        for part in self.parts:
            if len(replies) - 1 < before + part.turns:
                return part.follow_up(prompt, replies[before:], render)
            before += part.turns
        raise IndexError(f"protocol {self.name} has {self.turns} further turns")

    def schema(self, schema: Mapping[str, Any] | None, task: Task) -> Mapping[str, Any] | None:
        """Each part's in turn."""
        for part in self.parts:
            schema = part.schema(schema, task)
        return schema

    def grammar(self, answer: str) -> str | None:
        """Each part's in turn; None where one of them has none."""
        whole: str | None = answer
        for part in self.parts:
            whole = None if whole is None else part.grammar(whole)
        return whole

    def answer_part(self, reply: str, task: Task) -> str:
        """Each part's, the last wrapper unwrapped first."""
        for part in self._unwrapping:
            reply = part.answer_part(reply, task)
        return reply

    def ended(self, reply: str, task: Task) -> bool:
        """Whether one part's is."""
        return any(part.ended(reply, task) for part in self.parts)

    def explanation(self, reply: str, task: Task) -> str | None:
        """That of the part which asks for one."""
        found = (part.explanation(reply, task) for part in self.parts)
        return next((each for each in found if each is not None), None)

    def write(self, answer: str, why: str, task: Task) -> str:
        """Each part's form around that of the one before."""
        for part in self.parts:
            answer = part.write(answer, why, task)
        return answer


class Conversation:
    """What is said to a model about one sample, turn by turn.

    The sample's own ``input`` is used wherever the protocol leaves the first turn as it is, so that
    a file is asked in the words that stand in it.

    Raises:
        UsageError: the protocol words the first turn anew, but not by the sample's templates.
    """

    def __init__(
        self, sample: Sample, task: Task, protocol: Composed, templates: Templates
    ) -> None:
        self._sample = sample
        self._task = task
        self._question = task.question(sample)
        self._protocol = protocol
        self._templates = templates
        self._replies: list[str] = []
        self._messages: list[dict[str, str]] = [{"role": "user", "content": sample.input}]
        if protocol.shapes or protocol.turns:
            self._check_words()
        if protocol.shapes:
            text = opening(self._prompt, templates)
            self._messages = [*self._prompt.before, {"role": "user", "content": text}]

    @cached_property
    def _prompt(self) -> Prompt:
        plain = first_prompt(self._sample, self._task, self._templates)
        return self._protocol.shape(plain, self._templates.render_again)

    def _check_words(self) -> None:
        ours = template_hash(self._task, self._templates)
        if self._sample.metadata.get("template", ours) != ours:
            raise UsageError(
                f"--protocol {self._protocol.name}: sample {self._sample.id} of "
                f"{self._sample.task} was worded by other templates; give their folder with "
                "--templates, or generate it anew"
            )

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema of the next reply; None where it is no JSON."""
        if self._protocol.free:
            return None
        return self._protocol.schema(self._task.format.schema(self._question), self._task)

    @property
    def grammar(self) -> str | None:
        """The next reply in GBNF, where no schema can describe it; None where nothing can."""
        if self.schema is not None:
            return None
        form = self._task.format
        answer = (form.part_grammar if self._protocol.explains else form.grammar)(self._question)
        whole = None if answer is None else self._protocol.grammar(answer)
        return None if whole is None else grammar(whole)

    def write(self, answer: str) -> str:
        """An answer in the form that the protocol asks for; what baselines say."""
        return self._protocol.write(answer, self._task.explainer.explain(self._sample), self._task)

    @property
    def messages(self) -> tuple[dict[str, str], ...]:
        """The chat so far, ending in the user's turn."""
        return tuple(self._messages)

    def hear(self, reply: str) -> bool:
        """Takes in a reply; says whether another turn follows."""
        self._replies.append(reply)
        if len(self._replies) > self._protocol.turns:
            return False
        text = self._protocol.follow_up(self._prompt, self._replies, self._templates.render_again)
        self._messages += [
            {"role": "assistant", "content": visible(reply).strip() or reply},
            {"role": "user", "content": text},
        ]
        return True


def plain_input(task: Task, metadata: Mapping[str, Any], templates: Templates) -> str:
    """A sample's ``input``: how the default protocol puts what stands in its metadata."""
    values = {
        "question": templates.render(
            task.question_template, task.generator.question_values(metadata)
        ),
        "instruction": how_to_answer(task, metadata, templates.render_once),
    }
    return templates.render("protocols/direct", values)


def how_to_answer(
    task: Task, metadata: Mapping[str, Any], render: Render, *, part: bool = False
) -> str:
    """How to write the answer to a sample.

    Args:
        task: whose sample it is.
        metadata: of the sample.
        render: renders the template of the answer.
        part: whether the answer is a part of the reply, beside an explanation, and not all of it.
    """
    return render(task.answer_template, {**task.format.answer_values(metadata), "part": part})


def first_prompt(sample: Sample, task: Task, templates: Templates) -> Prompt:
    """A sample in words, before any protocol shapes it."""
    render = templates.render_once
    instruction = how_to_answer(task, sample.metadata, render)
    question = _asked(sample, instruction, templates)
    if question is None:
        question = templates.render(
            task.question_template, task.generator.question_values(sample.metadata)
        )
    form = how_to_answer(task, sample.metadata, render, part=True)
    return Prompt(sample, task, question, instruction, form)


def _asked(sample: Sample, instruction: str, templates: Templates) -> str | None:
    """The question cut out of the sample's own input, which costs less than wording it anew.

    None where what is cut out does not give the same input again.
    """
    question = sample.input.removesuffix(instruction).rstrip("\n")
    values = {"question": question, "instruction": instruction}
    same = instruction and templates.render("protocols/direct", values) == sample.input
    return question if same else None


def worded(sample: Sample, task: Task, render: Render) -> Prompt:
    """Like `first_prompt`, for whoever has no more than a way to render templates."""
    return Prompt(
        sample,
        task,
        render(task.question_template, task.generator.question_values(sample.metadata)),
        how_to_answer(task, sample.metadata, render),
        how_to_answer(task, sample.metadata, render, part=True),
    )


def opening(prompt: Prompt, templates: Templates) -> str:
    """The text of the first turn."""
    return _opening(prompt, templates.render)


def _opening(prompt: Prompt, render: Render) -> str:
    values = {"question": prompt.question, "instruction": prompt.instruction}
    return render("protocols/direct", values)


def template_hash(task: Task, templates: Templates) -> str:
    """The hash of all that words a sample's ``input``; stored in its metadata."""
    return templates.hash(task.question_template, task.answer_template, "protocols/direct")
