"""Collections of written procedures that come with the package, and variants of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from thence.core.procedure import Procedure
from thence.procedures.document import read_document
from thence.procedures.variation import named, relisted, retimed, settled, shuffled
from thence.procedures.yaml_source import Items, YamlMapping, parse_yaml, read_text

SETTLED = 0.4  # of the choices of a variant


@dataclass(frozen=True, slots=True)
class WrittenProcedure:
    """A procedure of a collection.

    Attributes:
        name: of its file.
        kind: of its folder, such as ``laboratory``.
        procedure: as it is written, with marks such as ``<host>`` for names.
    """

    name: str
    kind: str
    procedure: Procedure


class ProcedureCollection:
    """The procedures in the folders of ``files``, and the names for their marks in ``names.yaml``.

    Their texts make sense in every permitted order, and tell no times.

    Args:
        folder: the folder of both.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def written(self) -> Sequence[WrittenProcedure]:
        """The procedures, in the order of kinds and names."""
        return [
            WrittenProcedure(path.stem, path.parent.name, read_document(path).flow.procedure)
            for path in sorted((self._folder / "files").glob("*/*.yaml"))
        ]

    @cached_property
    def names(self) -> Mapping[str, Sequence[str]]:
        """The names of each kind."""
        path = self._folder / "names.yaml"
        held = parse_yaml(read_text(path), path) if path.exists() else None
        if not isinstance(held, YamlMapping):
            return {}
        return {
            kind: [str(each) for each in given]
            for kind, given in held.items()
            if isinstance(given, Items)
        }

    def variant(self, written: WrittenProcedure, rng: Random, share: float = SETTLED) -> Procedure:
        """Return a variant: other names, times and order of steps and options, some choices made.

        Args:
            written: the procedure.
            rng: all chance.
            share: of its choices about so many are made.
        """
        return self.with_names(self.unnamed(written, rng, share), rng)

    def unnamed(self, written: WrittenProcedure, rng: Random, share: float) -> Procedure:
        """Return a variant that still has its marks; see `variant`."""
        choices = written.procedure.choices
        options = {each.name: rng.choice(each.options) for each in choices if rng.random() < share}
        return shuffled(relisted(retimed(settled(written.procedure, options), rng), rng), rng)

    def with_names(self, procedure: Procedure, rng: Random) -> Procedure:
        """Return a procedure with names for its marks, drawn by chance."""
        return named(procedure, self.names, rng)

    def procedures(self, rng: Random) -> Iterator[Procedure]:
        """Yield procedures without open choices and without end: variants of all, in turns."""
        while True:
            for each in rng.sample(self.written, len(self.written)):
                yield self.variant(each, rng, 1.0)
