"""A folder for the Hugging Face Hub: Parquet a task, a card, a manifest, Croissant."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import thence
from thence.api.dataset import Dataset
from thence.errors import DiskError, MissingExtra, ParameterError
from thence.integrations.hub_card import RESPONSIBILITY, card, licence_of

COLUMNS = (
    "id", "family", "task", "version", "group", "cluster", "input", "answer", "target", "metadata",
    "canary",
)  # fmt: skip
"""Columns of the files, all of text; ``target`` and ``metadata`` are JSON."""
MANIFEST = "manifest.json"
_BATCH = 2048  # rows that are written at a time


def write_folder(made: Dataset, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write questions to a folder that `datasets` and `thence.read` take, whole or not at all.

    Args:
        made: the questions.
        path: of the folder.
        overwrite: replace a folder that this function wrote.

    Returns:
        The path of the folder.

    Raises:
        ParameterError: no questions, something else is there, or no folder to put it in.
        MissingExtra: pyarrow is not installed.
        DiskError: the disk would not take it.
    """
    _arrow()
    folder = Path(path)
    _check(folder, overwrite=overwrite)
    if not len(made):
        raise ParameterError("made", made, "holds no questions")
    part = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        files = sorted(
            _written(made, part), key=lambda each: Path(each["path"])
        )  # as they are read
        _describe(made, files, part, folder.name)
        if folder.exists():
            shutil.rmtree(folder)
        part.rename(folder)
    except OSError as error:
        raise DiskError.of(folder, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder


def _check(folder: Path, *, overwrite: bool) -> None:
    """Refuse a folder that cannot be written, before anything is made."""
    if not folder.parent.is_dir():
        raise ParameterError(
            "path", folder, f"folder {folder.parent} does not exist; make it first"
        )
    if not folder.exists():
        return
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / MANIFEST).is_file()):
        raise ParameterError("path", folder, "holds something else; name another folder")
    if any(folder.iterdir()) and not overwrite:
        raise ParameterError("path", folder, "exists; overwrite=True replaces it")


def _written(made: Dataset, folder: Path) -> Iterator[dict[str, Any]]:
    """Write a file a task; yield what is in each."""
    arrow, parquet = _arrow()
    schema = arrow.schema([(name, arrow.string()) for name in COLUMNS])
    for name, samples in groupby(_in_order(made), key=lambda each: each.task):
        family, _, rest = name.partition("/")
        path = folder / "data" / family / f"{rest.replace('/', '_')}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        held: dict[str, Any] = {"task": name, "family": family, "rows": 0, "licences": set()}
        with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
            for rows in _batches(samples, held):
                writer.write_table(arrow.Table.from_pylist(rows, schema))
        data = path.read_bytes()
        place = path.relative_to(folder).as_posix()
        yield held | {"path": place, "bytes": len(data), "sha256": sha256(data).hexdigest()}


def _in_order(made: Dataset) -> Iterable[thence.Sample]:
    """Return the questions task by task."""
    names = {name: place for place, name in enumerate(dict.fromkeys(each.task for each in made))}
    return sorted(made, key=lambda each: names[each.task])


def _batches(
    samples: Iterable[thence.Sample], held: dict[str, Any]
) -> Iterator[list[dict[str, str]]]:
    rows: list[dict[str, str]] = []
    for sample in samples:
        rows.append(_row(sample))
        held["rows"] += 1
        held["version"] = sample.version
        held["licences"].add(licence_of(sample))
        if len(rows) == _BATCH:
            yield rows
            rows = []
    if rows:
        yield rows


def _row(sample: thence.Sample) -> dict[str, str]:
    texts = {name: json.dumps(getattr(sample, name)) for name in ("target", "metadata")}
    flat = {
        "group": str(sample.metadata.get("group", "")),
        "cluster": sample.cluster,
        "answer": thence.answer(sample),
    }
    return {**sample.to_json(), **texts, **flat}


def _describe(made: Dataset, files: Sequence[Mapping[str, Any]], folder: Path, name: str) -> None:
    """Write the card, Croissant, the benchmark's entry and the manifest."""
    licence = max(each for file in files for each in file["licences"])  # "other" comes last
    plain = [{key: value for key, value in each.items() if key != "licences"} for each in files]
    texts = {
        "README.md": card(plain, licence, made.manifest),
        "croissant.json": json.dumps(croissant(plain, licence, name), indent=2) + "\n",
        "eval.yaml": _benchmark(plain),
        MANIFEST: json.dumps({**made.manifest, "files": plain}, indent=2) + "\n",
    }
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")


def _benchmark(files: Sequence[Mapping[str, Any]]) -> str:
    """Return ``eval.yaml``, by which the Hub knows a benchmark."""
    families = list(dict.fromkeys(each["family"] for each in files))
    tasks = "".join(
        f"  - id: {family}\n    config: {family}\n    split: test\n" for family in families
    )
    return (
        "name: Thence\ndescription: Can language models follow procedures, data flow, order and "
        f"relations?\nevaluation_framework: inspect-ai\ntasks:\n{tasks}"
    )


def croissant(files: Sequence[Mapping[str, Any]], licence: str, name: str) -> dict[str, Any]:
    """Return the Croissant description of some Parquet files."""
    urls = {"cc-by-4.0": "https://creativecommons.org/licenses/by/4.0/"}
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name or "thence",
        "description": "Questions about procedures, data flow, order and relations, with truths.",
        "url": "https://pypi.org/project/thence/",
        "version": "1.0.0",
        "datePublished": "2026-01-01",
        "license": urls.get(licence, "see README.md"),
        "citeAs": "see CITATION.cff of thence",
        "isLiveDataset": True,
        **{f"rai:{name}": text for name, text in RESPONSIBILITY.items()},
        "distribution": [_file(each) for each in files],
        "recordSet": [_records(each) for each in files],
    }


def _file(file: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file["path"],
        "name": file["path"],
        "contentUrl": file["path"],
        "contentSize": f"{file['bytes']} B",
        "encodingFormat": "application/x-parquet",  # readers know no other name of it
        "sha256": file["sha256"],
    }


def _records(file: Mapping[str, Any]) -> dict[str, Any]:
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{file['task']}/{column}",
            "name": column,
            "dataType": "sc:Text",
            "source": {"fileObject": {"@id": file["path"]}, "extract": {"column": column}},
        }
        for column in COLUMNS
    ]
    return {"@type": "cr:RecordSet", "@id": file["task"], "name": file["task"], "field": fields}


_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "equivalentProperty": "cr:equivalentProperty",
    "samplingRate": "cr:samplingRate",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("a folder of Parquet files", "parquet") from error
    return pyarrow, parquet
