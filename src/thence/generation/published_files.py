"""Questions in files of the benchmarks' authors, which are put to models as they stand."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from thence import families
from thence.core.digest import canonical_json
from thence.core.sample import Sample
from thence.system.disk import file_hash


def published_questions(path: Path) -> Iterable[Sample] | None:
    """Return the published questions at a path; None where no family knows the format.

    Raises:
        FileError: the format is known, but the file cannot be read in it.
    """
    if not (path.is_file() or path.is_dir()):  # a pipe would keep its reader waiting
        return None
    for family in families.families().values():
        found = family.questions(path) if family.questions is not None else None
        if found is not None:
            return found
    return None


def source_hash(path: Path) -> str:
    """Return the hash of a file, or of all published questions in a folder."""
    if path.is_file():
        return file_hash(path)
    hashed = blake2b(digest_size=16)
    for sample in published_questions(path) or ():
        hashed.update(canonical_json([sample.id, sample.input]))
    return hashed.hexdigest()
