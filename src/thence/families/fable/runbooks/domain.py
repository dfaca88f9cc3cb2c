"""FABLE over written procedures: our collection of runbooks, or files of a user's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.digest import digest
from thence.core.parameters import Parameter, one_of
from thence.core.procedure import Procedure
from thence.core.seeds import random_of
from thence.families.fable.runbooks import sound
from thence.families.fable.runbooks.glances import glances
from thence.families.fable.runbooks.shown_procedures import ShownProcedure
from thence.families.fable.runbooks.surface import IN_COMMON, LISTS, PEOPLE, SUMS, surface_answer
from thence.families.fable.runbooks.words import Mistakes
from thence.families.fable.shared.analyses import ANALYSES, INTERVALS
from thence.families.fable.shared.answers import QuantityFormat
from thence.families.fable.shared.blocks import flow_question
from thence.families.fable.shared.domain import Case, Checked, Domain, Instance, Unaskable
from thence.families.fable.shared.generator import DEPTH, PUBLISHED
from thence.families.fable.shared.shortcuts import CHECKED, NEAR, NEAREST
from thence.families.fable.shared.task import tasks
from thence.families.fable.shared.traits import Traits

if TYPE_CHECKING:
    from thence.core.shortcuts import Shortcut
    from thence.procedures.collection import ProcedureCollection, WrittenProcedure

OURS = "runbooks"  # source=runbooks is our collection, as in CaT-Bench
_KEPT = 8  # blocks whose procedures are kept, as each serves eight cells
_SHOWN = 180  # procedures of a block at least, each with mistakes of each kind and without any
_LOOKED = 4000  # questions that are looked at to see whether a cell has both answers
_SETTLED = 0.15  # of the choices of a list with mistakes
_NEAR = (1, 1, 1, 1, 2, 3, 3, 4, 5, 6)
_MIXTURES: Mapping[str, Sequence[int]] = {
    "concurrency": _NEAR,  # the depth of every conflict is 1
    # where the proof of a No is longer, hardly any other step surely makes what step j lacks
    "type_state": _NEAR,
}
UNREVIEWED = "What stands under the steps was extracted from a text, and nobody has reviewed it."


def _place(text: str) -> str:
    return "" if text == OURS else text


class WrittenDomain(Domain):
    """Written procedures: those of a collection, or a user's own files.

    Args:
        name: of the domain.
        module: the module of their package whose constant ``COLLECTION`` holds its procedures.
        templates: the domain whose templates word the questions.
    """

    intervals = QuantityFormat()
    has_depth = True
    served = 100
    kept = 200
    settable = (
        Parameter(
            "source",
            "",
            "procedures of your own, YAML as analyze reads it: a folder or a file; none: the "
            "collection",
            _place,
        ),
        Parameter(
            "unreviewed",
            "no",
            "whether those may be asked about that were extracted and nobody reviewed: yes, no",
            one_of("yes", "no"),
        ),
    )

    def __init__(self, name: str, module: str, templates: str = "runbooks") -> None:
        self.name = name
        self.templates = templates
        self._module = module
        self._written: dict[str, Case] = {}
        self._blocks: dict[str, list[ShownProcedure]] = {}
        self._own: dict[str, list[ShownProcedure]] = {}

    @cached_property
    def _collection(self) -> ProcedureCollection:
        found: ProcedureCollection = import_module(self._module).COLLECTION  # it loads pydantic
        return found

    def offered(self, values: Mapping[str, Any]) -> Mapping[str, str | None]:
        """Return all cells; of a user's own procedures those that have questions."""
        if values["dialect"] == PUBLISHED:
            return dict.fromkeys(ANALYSES, "the paper does not ask about such procedures")
        if not values["source"]:
            return dict.fromkeys(ANALYSES)
        sheets, span = self._read(values), values[DEPTH.name]
        return {name: _lacking(name, sheets, span) for name in ANALYSES}

    def parameters(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return nothing for the collection; of a user's own procedures their hash."""
        if not values["source"]:
            return {}
        self._read(values)
        return {"files": _key(values)}

    def context(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the place of a user's own procedures."""
        own = ("source", "unreviewed")
        return {name: values[name] for name in own} if values["source"] else {}

    def case(self, values: Mapping[str, Any], rng: Random) -> Case:
        """Return a variant of one of the procedures."""
        written = rng.choice(self._collection.written)
        return self._variant(written, rng, Mistakes.NONE).shown

    def in_blocks(self, parameters: Mapping[str, Any]) -> bool:
        """Return True: sound questions are chosen among those about the procedures of a block."""
        return True

    def is_few(self, parameters: Mapping[str, Any]) -> bool:
        """Return whether the procedures are a user's own."""
        return "files" in parameters

    def candidates(
        self, analysis: str, values: Mapping[str, Any], rng: Random
    ) -> Iterable[tuple[Case, Instance]]:
        """Yield the questions about the procedures of a block; see `runbooks.sound`."""
        return sound.ask(analysis, self._sheets(values), rng)

    def mixture(self, analysis: str) -> Sequence[int]:
        """Return the depths of as many pairs of a Yes and a No; two cells have their own."""
        return _MIXTURES.get(analysis) or super().mixture(analysis)

    def unaskable(self, analysis: str, parameters: Mapping[str, Any], error: Unaskable) -> str:
        """Return why there is no question, with the remedy."""
        return f"these procedures have {error}; give others, or other depths"

    def sound(self, analysis: str, case: Case, rng: Random) -> Sequence[Instance]:
        """Return nothing: all questions are chosen in blocks."""
        return ()

    def published(self, analysis: str, case: Case, rng: Random) -> Instance | None:
        """Return None: there are no published questions about such procedures."""
        return None

    def audit(self, root: Path, dialect: str) -> Iterable[Checked]:
        """Return nothing: there are no published answers about such procedures."""
        return ()

    def truth(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """Return the answer from procedure and question alone."""
        return sound.truth(
            analysis, Procedure.from_json(metadata["procedure"]), metadata["question"]
        )

    def surface_answer(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """Return the shortcut's answer; see `runbooks.surface`."""
        return surface_answer(analysis, metadata)

    def shortcuts(self, analysis: str) -> Sequence[Shortcut]:
        """Return shortcuts that look at the facts under a few steps; for times with guesses."""
        if analysis == INTERVALS:
            return [*NEAR, *SUMS]
        own = {"taint": CHECKED, "concurrency": [*PEOPLE, IN_COMMON]}.get(analysis, PEOPLE)
        return [*NEAR, *NEAREST, *LISTS, *own, *glances(analysis)]

    def notes(self, analysis: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return how many procedures of a user's own are asked about."""
        return {"procedures": len(self._read(values))} if values["source"] else {}

    def _sheets(self, values: Mapping[str, Any]) -> list[ShownProcedure]:
        """Return the procedures of a block: variants of the whole collection, or a user's own.

        The collection stands in for files of which a sample has no more than the hash.
        """
        if "source" in values:
            return self._read(values)
        if values.get("files") in self._own:
            return self._own[values["files"]]
        name = values["block"]
        if name not in self._blocks:
            if len(self._blocks) >= _KEPT:
                self._blocks = {}
            rng = random_of(self.name, name)
            written = self._collection.written
            self._blocks[name] = [
                self._variant(each, rng, mistakes)
                for _ in range(max(1, _SHOWN // len(written)))
                for each in written
                for mistakes in Mistakes
            ]
        return self._blocks[name]

    def _variant(
        self, written: WrittenProcedure, rng: Random, mistakes: Mistakes
    ) -> ShownProcedure:
        from thence.procedures.collection import SETTLED
        from thence.procedures.variation import divided, mistaken

        source = {"kind": written.kind, "name": written.name}
        share = SETTLED if mistakes is Mistakes.NONE else _SETTLED
        whole = self._collection.unnamed(written, rng, share)
        change = {Mistakes.STEPS: mistaken, Mistakes.WAITS: divided}.get(mistakes)
        marked = change(whole, rng) if change else whole
        shown = Case(self._collection.with_names(marked, rng), source)
        held = mistakes if marked.steps != whole.steps else Mistakes.NONE
        return ShownProcedure(self._base(written), shown, marked, "", held)

    def _base(self, written: WrittenProcedure) -> Case:
        """Return the procedure as it is written, which all questions about it share."""
        if written.name not in self._written:
            self._written[written.name] = Case(written.procedure)
        return self._written[written.name]

    def _read(self, values: Mapping[str, Any]) -> list[ShownProcedure]:
        """Return a user's own procedures; they are read once."""
        from thence.procedures.own_files import documents

        key = _key(values)
        if key not in self._own:
            found = []
            unreviewed = values["unreviewed"] == "yes"
            for each in documents(values["source"], unreviewed=unreviewed):
                name = each.path.name if each.path else ""
                case = Case(each.flow.procedure, {"kind": "file", "name": name})
                found.append(
                    ShownProcedure(
                        case, case, case.procedure, UNREVIEWED if each.unreviewed else ""
                    )
                )
            self._own[key] = found
        return self._own[key]


def _key(values: Mapping[str, Any]) -> str:
    """Return the hash of a user's own files, wherever they lie."""
    from thence.procedures.own_files import contents

    names = [(Path(path).name, held) for path, held in contents(values["source"])]
    return digest(names, values["unreviewed"])


def _lacking(name: str, sheets: Sequence[ShownProcedure], span: Sequence[int] | None) -> str | None:
    """Return why some procedures have no questions of an analysis; None where they have."""
    answers = set()
    flows = {id(each.shown): each.flow for each in sheets}
    for case, found in islice(sound.ask(name, sheets, Random(0)), _LOOKED):
        if span:
            flow = flows[id(found.case or case)]
            traits = found.traits or Traits(flow, name, flow_question(found.question))
            if not span[0] <= traits.depth <= span[1]:
                continue
        answers.add("interval" if name == INTERVALS else found.answer)
        if name == INTERVALS or len(answers) > 1:
            return None
    of_depth = " of such a depth" if span else ""
    if answers:
        return f"all questions about these procedures{of_depth} are answered {answers.pop()}"
    if name == INTERVALS and not span:
        return "no step that waits for another tells how long it takes"
    return f"these procedures have no such question{of_depth}"


TASKS = tasks(WrittenDomain(OURS, "thence.domains.runbooks"))
