"""Extraction of procedures from texts: by a model, or by the rules for recipes.

>>> from thence.api.extract import extract
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from thence.api.given import folder_of, path_of, paths_of
from thence.api.run_arguments import AnyModel, model_of
from thence.api.runs import Watch
from thence.core.bounds import check_whole
from thence.domains.texts.reading import read_source
from thence.domains.texts.recipe_rules import read_recipe
from thence.engine.directory_lock import locked
from thence.engine.run_config import Limits
from thence.engine.text_extraction import read_texts, text_sample
from thence.errors import FileError, ParameterError
from thence.models import baselines
from thence.models.base import Model, Sampling
from thence.models.select import NANO, open_model
from thence.procedures import read_document
from thence.procedures.yaml_writer import yaml_text
from thence.prompts import template_loader
from thence.prompts.extracting import check
from thence.system.disk import disk, replacing

RULES = "rules"
RESPONSES = "responses.jsonl"
_STRUCTURED = Sampling(structured=True)
_LIMITS = Limits()


@dataclass(frozen=True)
class Extracted:
    """Result of the extraction of one text.

    Attributes:
        source: the file of the text.
        path: the YAML file; None where nothing was got.
        problem: why the text was not read, or not in whole; empty where it was.
        unsure: what is not sure about the procedure, a line each.
        kept: whether the YAML file was there already, and was left as it is.
    """

    source: Path
    path: Path | None = None
    problem: str = ""
    unsure: tuple[str, ...] = ()
    kept: bool = False


@dataclass(frozen=True)
class Reviewed:
    """Result of a review of extracted procedures.

    Attributes:
        confirmed: how many procedures are confirmed.
        count: how many there are.
        refused: why some are not, though each of their steps is: their errors, a line each.
    """

    confirmed: int
    count: int
    refused: tuple[str, ...]


@dataclass(frozen=True)
class _Text:
    """A text to read, and the files for what comes of it."""

    source: Path
    text: str
    folder: Path

    @property
    def yaml(self) -> Path:
        return self.folder / f"{self.source.stem}.yaml"

    @property
    def plain(self) -> Path:
        return self.folder / f"{self.source.stem}.txt"

    @property
    def hides_another(self) -> bool:
        """Whether writing the text would replace a file with another one."""
        if not self.plain.exists() or self.plain.resolve() == self.source.resolve():
            return False
        with disk(self.plain):
            return self.plain.read_bytes() != self.text.encode()

    @property
    def sha256(self) -> str:
        return sha256(self.text.encode()).hexdigest()

    def stamp(self, model: str) -> dict[str, str]:
        """Return the stamp of the procedure."""
        return {
            "model": model,
            "source": self.source.name,
            "text": self.plain.name,
            "sha256": self.sha256,
            "at": datetime.now(UTC).date().isoformat(),
        }


def extract(
    texts: str | Path | Iterable[str | Path],
    model: AnyModel,
    *,
    out: str | Path,
    sampling: Sampling = _STRUCTURED,
    limits: Limits = _LIMITS,
    base_url: str | None = None,
    templates: str | Path | None = None,
    overwrite: bool = False,
    progress: Watch | None = None,
) -> list[Extracted]:
    r"""Read texts with steps into YAML files of procedures; return what came of each text.

    Args:
        texts: files of plain text, Markdown or HTML; each holds one procedure, and counts once.
        model: ``PROVIDER/NAME``, a model or a function; ``rules`` for the built-in parser of
            recipes, which needs no model.
        out: the folder of the YAML files. The texts lie beside them, and the model's responses, so
            that the same call goes on and asks for nothing twice.
        sampling: what shapes the replies.
        limits: how fast to ask.
        base_url: address of an endpoint in place of the provider's own.
        templates: your own templates, over the packaged ones.
        overwrite: replace YAML files that are there, and ask anew for what was asked already.
        progress: called with the progress after every text.

    Raises:
        ParameterError: an argument that cannot be, or a file that is there from another text.
        UsageError: the model cannot be reached.

    Example:
        >>> from pathlib import Path
        >>> from thence.api.extract import extract
        >>> _ = Path("tea.txt").write_text("Tea\n\nBoil the water.\nPour it over the leaves.")
        >>> extract("tea.txt", "rules", out="procedures")[0].path.name
        'tea.yaml'
    """
    folder = path_of("out", out)
    given = _each_once(paths_of("texts", texts))
    if not given:
        raise ParameterError("texts", None, "there are none; name files of texts")
    asked = None if model == RULES else opened_model(model, sampling, limits, base_url)
    name = asked.name if asked else RULES
    found: dict[Path, Extracted] = {}
    held: list[_Text] = []
    for source in given:
        try:
            text = _Text(source, read_source(source), folder)
        except FileError as error:
            found[source] = Extracted(source, problem=str(error))
            continue
        _check_target(text, name, overwrite=overwrite)
        held.append(text)
    if held:
        with output_folder(folder):
            if asked is None:
                made = [_by_rules(text) for text in held]
            else:
                prompts = template_loader.templates(folder_of(templates))
                samples = [text_sample(text.source.stem, text.text) for text in held]
                watch = progress or (lambda _: None)
                done = read_texts(
                    asked, samples, folder / RESPONSES, prompts, sampling, limits, watch,
                    anew=overwrite,
                )  # fmt: skip
                made = [(each.row, each.problem) for each in done]
            for text, (row, problem) in zip(held, made, strict=True):
                found[text.source] = _write(text, name, row, problem, overwrite=overwrite)
    return [found[source] for source in given]


def _each_once(paths: Iterable[Path]) -> list[Path]:
    """Return files without those that are named again.

    Raises:
        ParameterError: two have the same name, so that one would replace what comes of the other.
    """
    held: dict[str, Path] = {}
    for each in paths:
        first = held.setdefault(each.stem, each)
        if first.resolve() != each.resolve():
            raise ParameterError("texts", each, f"{first} has the same name; give each its own")
    return list(held.values())


def review(folder: str | Path, ready: Callable[[str], None], *, port: int = 0) -> Reviewed:
    """Serve the review of extracted procedures to a browser on this machine, until it is ended.

    Each step is shown in its text, to be confirmed or mended; a procedure of which all steps are
    confirmed, and that has no error for `analyze`, is stamped as reviewed. Every change is written
    at once.

    Args:
        folder: that `extract` wrote.
        ready: called with the address, which holds a token, once the page can be opened.
        port: of this machine; 0 for any that is free.

    Raises:
        ParameterError: the folder holds no extracted procedure, or the port is taken.
    """
    from thence.procedures.review import Review
    from thence.reporting.local_server import serve_here
    from thence.reporting.review_page import handler_of

    check_whole("port", port, 0, 65_535)
    held = Review.of(path_of("review", folder))
    serve_here(handler_of(held), ready, port)
    return Reviewed(held.confirmed, len(held.paths), tuple(held.refused))


def opened_model(
    model: AnyModel, sampling: Sampling, limits: Limits, base_url: str | None
) -> Model:
    """Return the model that reads texts.

    Raises:
        ParameterError: it is none, or a baseline.
    """
    given = model_of(model, None)
    if isinstance(given, Model):
        return given
    if given.partition("/")[0] == baselines.PROVIDER:
        raise ParameterError("model", given, "a baseline cannot read texts; name a model")
    if "/" not in given and given != NANO:
        raise ParameterError(
            "model", given, "must be rules (a parser of recipes), nano or PROVIDER/NAME"
        )
    return open_model(given, sampling, replace(limits.connection, base_url=base_url))


def _check_target(text: _Text, model: str, *, overwrite: bool) -> None:
    """Refuse to replace a file that does not come from the same text and model."""
    if text.yaml.resolve() == text.source.resolve():
        raise ParameterError(
            "out", text.yaml.parent, f"{text.yaml.name} is the text itself; name another folder"
        )
    if overwrite:
        return
    if not text.yaml.exists():
        if text.hides_another:
            raise ParameterError(
                "out",
                text.plain,
                "is there already, and is another text; name another folder, or replace it by "
                "overwrite=True",
            )
        return
    form = read_document(text.yaml).form
    stamp = form.extracted if form else None
    if stamp is None or (stamp.model, stamp.sha256) != (model, text.sha256):
        raise ParameterError(
            "out",
            text.yaml,
            "is there already, and comes from another text or model; name another folder, or "
            "replace it by overwrite=True",
        )


@contextmanager
def output_folder(folder: Path) -> Iterator[None]:
    """Keep other processes from writing a folder; one in which nothing was written is deleted."""
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise ParameterError("out", folder, f"{place} is a file; name a folder")
    try:
        with locked(folder / ".lock", folder, "wait for it, or choose another folder by out=DIR"):
            yield
    finally:
        with suppress(OSError):  # it is not empty
            folder.rmdir()


def _by_rules(text: _Text) -> tuple[dict[str, Any] | None, str]:
    try:
        row = read_recipe(text.text, str(text.source))
    except FileError as error:
        return None, str(error)
    faults, broken = check(row)
    if broken:
        return None, f"{text.source}: {faults[0]}"
    return {**row, "unsure": [*row["unsure"], *faults]}, ""


def _write(
    text: _Text, model: str, row: dict[str, Any] | None, problem: str, *, overwrite: bool
) -> Extracted:
    """Write the procedure of a text, and the text beside it."""
    source = text.source
    if problem and not problem.startswith(str(source)):
        problem = f"{source}: {problem}"
    if row is None:
        return Extracted(source, problem=problem)
    steps = enumerate(row["steps"], 1)
    unsure = (
        *row["unsure"],
        *(f"step {k}: {entry}" for k, step in steps for entry in step.get("unsure", ())),
    )
    if text.yaml.exists() and not overwrite:
        return Extracted(source, text.yaml, problem, unsure, kept=True)
    whole = {**row, "extracted": text.stamp(model), "reviewed": False}
    for path, content in ((text.plain, text.text), (text.yaml, yaml_text(whole))):
        if path.resolve() != source.resolve():
            with replacing(path) as part, disk(path):
                part.write_text(content, encoding="utf-8", newline="\n")
    return Extracted(source, text.yaml, problem, unsure)


__all__ = ["RULES", "Extracted", "Reviewed", "extract", "review"]
