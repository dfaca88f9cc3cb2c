"""Review of extracted procedures: a person confirms or mends each step, which is then stamped.

The files of a folder are read anew each time and written at once, so that nothing is lost; a file
that was changed elsewhere meanwhile is not written over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from thence.errors import FileError, ParameterError, UsageError
from thence.procedures.analysis import Analysis
from thence.procedures.document import Document, parse_document
from thence.procedures.lints import findings
from thence.procedures.yaml_source import YamlMapping, parse_yaml, read_text
from thence.procedures.yaml_writer import yaml_text
from thence.system.disk import disk, replacing

LISTS = ("uses", "defines", "kills", "after")  # of texts; what a person may mend, with others
_TIMES = ("duration", "seconds")  # two ways to say the same


@dataclass(frozen=True)
class Review:
    """The extracted procedures of a folder.

    Attributes:
        paths: the files, by name.
    """

    paths: tuple[Path, ...]

    @classmethod
    def of(cls, folder: Path) -> Review:
        """Return the review of a folder.

        Raises:
            ParameterError: it is no folder, or holds no extracted procedure.
            FileError: a file in it is no procedure.
        """
        if not folder.is_dir():
            raise ParameterError("review", folder, "no such folder; name one that extract wrote")
        files = sorted((*folder.glob("*.yaml"), *folder.glob("*.yml")))
        held = [path for path in files if _document(path)[1].form.extracted]  # type: ignore[union-attr]
        if not held:
            raise ParameterError("review", folder, "holds no procedure that extract wrote")
        return cls(tuple(held))

    @property
    def confirmed(self) -> int:
        """How many procedures are confirmed as a whole, and have no error."""
        held = [document for _, document in self._readable()]
        return sum(not (each.unreviewed or error_of(each)) for each in held)

    @property
    def refused(self) -> list[str]:
        """Why procedures of which a person confirmed every step are not confirmed, a line each."""
        return [
            f"{path}: is not confirmed, for it has an error: {error}"
            for path, document in self._readable()
            if _all_confirmed(document) and (error := error_of(document))
        ]

    def _readable(self) -> Iterator[tuple[Path, Document]]:
        """Yield the files with their procedures, but for those that are gone or none any more."""
        for path in self.paths:
            with suppress(FileError):
                yield path, _document(path)[1]

    def show(self, number: int) -> dict[str, Any]:
        """Return a procedure with its text, links and findings, ready for JSON; steps from 0.

        Of one that cannot be shown, as its file or its text is gone or was changed, only its
        ``number``, ``count`` and ``file`` with a ``problem``, in one line.
        """
        path = self._path(number)
        try:
            return self._shown(number, path)
        except FileError as error:
            place = {"number": number, "count": len(self.paths), "file": path.name}
            return {**place, "problem": str(error)}

    def _shown(self, number: int, path: Path) -> dict[str, Any]:
        content, document = _document(path)
        row = _row(content, path)
        analysis = Analysis(document)
        error = error_of(document) if _all_confirmed(document) else ""
        return {
            "number": number,
            "count": len(self.paths),
            "file": path.name,
            "version": _version(content),
            "text": _text(path, document),
            "procedure": row,
            "links": [
                {"from": edge.source, "to": edge.target, "facts": list(edge.needs)}
                for edge in analysis.dependencies.edges
                if edge.needs
            ],
            "findings": [each.to_json() for each in analysis.findings],
            "reviewed": not (document.unreviewed or error),
            "error": error,
        }

    def mend(self, number: int, change: Mapping[str, Any]) -> dict[str, Any]:
        """Write a change of a step, and return the procedure as `show` does.

        Args:
            number: of the procedure.
            change: ``version`` of the file that was shown, ``step`` from 0, and what changes:
                ``reviewed``; a list of texts as ``uses``, ``defines``, ``kills`` or ``after``;
                ``duration``, one text or none; ``when``, such as "bridge: open"; or of the
                procedure ``choices``, such as "bridge: open, closed", ``start`` and ``results``.

        Raises:
            UsageError: the file was changed meanwhile, or would be no procedure.
        """
        path = self._path(number)
        content, shown = _document(path)
        _text(path, shown)  # what cannot be seen is not confirmed
        if change.get("version") != _version(content):
            raise FileError(f"{path.name}: was changed elsewhere; it is shown anew")
        row = _row(content, path)
        step = _step(row, change.get("step"))
        _change(row, step, change)
        if isinstance(change.get("reviewed"), bool):
            step["reviewed"] = change["reviewed"]
            if change["reviewed"]:
                step.pop("unsure", None)  # a person was sure
        row["reviewed"] = False
        document = parse_document(yaml_text(row), Path(path.name))  # says what is wrong
        if _all_confirmed(document) and not error_of(document):
            row["reviewed"] = True
            row.pop("unsure", None)
        made = yaml_text(row)
        with replacing(path) as part, disk(path):
            part.write_text(made, encoding="utf-8", newline="\n")
        return self.show(number)

    def _path(self, number: int) -> Path:
        if not 0 <= number < len(self.paths):
            raise UsageError(f"there is no procedure {number}; they are 0 to {len(self.paths) - 1}")
        return self.paths[number]


def error_of(document: Document) -> str:
    """Return the first error of a procedure, its cause and the mend; empty where there is none."""
    wrong = next((each for each in findings(document) if each.is_error), None)
    return f"{wrong.message} ({wrong.cause}); {wrong.suggestion}" if wrong else ""


def _all_confirmed(document: Document) -> bool:
    form = document.form
    steps = form.steps if form else ()
    return not document.unreviewed or all(step.reviewed for step in steps)


def _document(path: Path) -> tuple[str, Document]:
    content = read_text(path)
    return content, parse_document(content, path)


def _version(content: str) -> str:
    return sha256(content.encode()).hexdigest()


def _text(path: Path, document: Document) -> str:
    """Return the text in which spans count.

    Raises:
        FileError: it is gone, or another.
    """
    stamp = document.form.extracted if document.form else None
    if stamp is not None and stamp.text:
        place = path.parent / Path(stamp.text).name
        if place.is_file():
            with disk(place):
                text = place.read_bytes().decode("utf-8", errors="replace")
            if stamp.sha256 in (None, _version(text)):
                return text
    raise FileError(
        f"{path.name}: the text that it was extracted from is not beside it, or was changed; "
        "extract it anew"
    )


def _row(content: str, path: Path) -> dict[str, Any]:
    """Return the mapping of a file as plain values; a step that is its text alone is a mapping."""
    held = parse_yaml(content, path)
    row: dict[str, Any] = _plain(held)
    row["reviewed"] = row.get("reviewed") == "true"
    row["steps"] = [each if isinstance(each, dict) else {"text": each} for each in row["steps"]]
    for step in row["steps"]:
        if "reviewed" in step:
            step["reviewed"] = step["reviewed"] == "true"
        spans = step.get("spans", {})
        for role, held_spans in spans.items():
            if isinstance(held_spans, list):
                spans[role] = [int(end) for end in held_spans]
            else:
                spans[role] = {k: [int(end) for end in ends] for k, ends in held_spans.items()}
        if isinstance(step.get("when"), list):
            pairs = step["when"]  # as samples hold them
            step["when"] = dict(pairs) if len(dict(pairs)) == len(pairs) else pairs
        for role in (*LISTS, "unsure"):
            if isinstance(step.get(role), str):
                step[role] = [step[role]] if step[role] else []
    return row


def _plain(value: Any) -> Any:
    if isinstance(value, YamlMapping):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else str(value)


def _step(row: Mapping[str, Any], number: Any) -> dict[str, Any]:
    steps: list[dict[str, Any]] = row["steps"]
    if type(number) is not int or not 0 <= number < len(steps):
        raise UsageError(f"there is no step {number}; steps are 0 to {len(steps) - 1}")
    return steps[number]


def _change(row: dict[str, Any], step: dict[str, Any], change: Mapping[str, Any]) -> None:
    """Take over what a person said of a step, and of its procedure."""
    for role in LISTS:
        if role in change:
            step[role] = _texts(change[role])
            _forget(step, role)
    if "when" in change:
        step["when"] = _pairs(change["when"])
        _forget(step, "when")
    if "duration" in change:
        said = _texts(change["duration"])
        if len(said) > 1:
            raise UsageError("a step has one duration, such as 5 min or 8-10 min")
        step.pop("seconds", None)
        step["duration"] = said[0] if said else ""
        for role in _TIMES:
            _forget(step, role)
    for key in ("start", "results"):
        if key in change:
            row[key] = _texts(change[key])
    if "choices" in change:
        row["choices"] = _choices(change["choices"], row.get("choices") or {})


def _choices(value: Any, known: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return choices with their options, which commas part; those that stay may have commas."""
    told = _pairs(value).items()
    as_shown = {", ".join(options): options for options in known.values()}
    return {
        name: as_shown.get(options) or [each.strip() for each in options.split(",")]
        for name, options in told
    }


def _pairs(value: Any) -> dict[str, str]:
    """Return choices with what stands behind their colons, each choice once."""
    found: dict[str, str] = {}
    for text in _texts(value):
        name, colon, told = (each.strip() for each in text.partition(":"))
        if not (name and colon and told):
            raise UsageError(f"'{text}' is no choice with its option; write one as bridge: open")
        if name in found:
            raise UsageError(f"choice '{name}' stands on two lines; give it one")
        found[name] = told
    return found


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UsageError("entries are a list of texts")
    return list(dict.fromkeys(" ".join(each.split()) for each in value if each.strip()))


def _forget(step: dict[str, Any], role: str) -> None:
    """Drop the places and doubts of entries that a step no longer has, or that were looked at."""
    spans = step.get("spans", {})
    if role in _TIMES:
        spans.pop(role, None)
    elif role in spans:
        kept = {key: span for key, span in spans[role].items() if key in step[role]}
        spans[role] = kept
        if not kept:
            del spans[role]
    doubts = [each for each in step.get("unsure", []) if not each.startswith(f"{role} ")]
    step["unsure"] = doubts
