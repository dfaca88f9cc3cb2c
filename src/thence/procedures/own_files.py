"""Folders of a user's own procedures, of which questions are asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from thence.core.digest import digest
from thence.errors import ParameterError
from thence.procedures.document import Document, read_document
from thence.procedures.lints import findings
from thence.system.disk import disk

MOST_FILES = 2_000

type Contents = tuple[tuple[str, str], ...]  # the path of each file, and the hash of its bytes


def contents(source: str) -> Contents:
    """Return the files of a source with the hashes of what they hold.

    Raises:
        DiskError: one cannot be read.
        ParameterError: there are none, or too many.
    """
    place = Path(source)
    if place.is_dir():
        paths = sorted(each for each in place.iterdir() if each.suffix in {".yaml", ".yml"})
    else:
        paths = [place] if place.is_file() else []
    if not paths:
        what = "holds no .yaml file" if place.is_dir() else "no such file or folder"
        raise ParameterError("source", source, f"{what}; give procedures as thence analyze reads")
    if len(paths) > MOST_FILES:
        reason = f"has {len(paths):,} files; split it into folders of at most {MOST_FILES:,}"
        raise ParameterError("source", source, reason)
    return tuple((str(each), _hash(each)) for each in paths)


def _hash(path: Path) -> str:
    with disk(path):
        return digest(path.read_bytes().hex())


def documents(source: str, *, unreviewed: bool = False) -> Sequence[Document]:
    """Return the procedures of a file or of the files of a folder, in the order of their names.

    Args:
        source: the file or folder.
        unreviewed: whether procedures that were extracted from a text, and that no person
            confirmed as they are, may be among them.

    Raises:
        FileError: a file cannot be read or is not a procedure.
        ParameterError: there is no file, or a procedure contradicts itself or is not reviewed.
    """
    found = _read(contents(source))
    for each in found:
        if not unreviewed and (why := each.unreviewed_because):
            raise ParameterError("source", each.path, f"{why}, or set unreviewed=yes")
    return found


@lru_cache(maxsize=8)
def _read(held: Contents) -> tuple[Document, ...]:
    return tuple(_checked(Path(path)) for path, _ in held)


def _checked(path: Path) -> Document:
    """Return the procedure of a file whose text does not contradict its order."""
    document = read_document(path)
    wrong = next((each for each in findings(document) if each.is_error), None)
    if wrong is not None:
        raise ParameterError(
            "source",
            path,
            f"{wrong.message}, as {wrong.cause}; mend it before questions are asked about it "
            "(thence analyze shows all findings)",
        )
    if document.unreviewed and not document.flow.known and not document.flow.procedure.order:
        raise ParameterError(
            "source",
            path,
            "only its steps were extracted, and nothing of what they use, make or wait for; "
            "extract it again or review it",
        )
    for i, j in document.flow.procedure.order:
        if i > j:
            raise ParameterError(
                "source",
                path,
                f"step {i + 1} comes before step {j + 1}, but stands after it; put the steps in an "
                "order in which they can be done",
            )
    return document
