"""Runs as records of Every Eval Ever: one of the figures, and one of the replies."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import thence
from thence.api.runs import Run
from thence.api.scores import Scores
from thence.errors import DiskError, ParameterError
from thence.integrations.run_figures import by_owner, figures, finished

SCHEMA = "0.3.0"
RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")
"""What those who ran the evaluation are to those who made the model."""
_UNSAFE = re.compile(r'[<>:"\\|?*\x00-\x1f]')


def write_records(
    runs: Sequence[str | Path],
    folder: str | Path,
    *,
    organization: str = "unknown",
    relationship: str = "other",
    overwrite: bool = False,
) -> list[Path]:
    """Write finished runs as records of Every Eval Ever, schema 0.3.0.

    Args:
        runs: directories of runs.
        folder: the records lie in ``data/thence/DEVELOPER/MODEL`` below it. The same run has the
            same names each time.
        organization: name of those who ran the evaluation.
        relationship: what they are to those who made the model, one of `RELATIONSHIPS`.
        overwrite: replace records that are there.

    Returns:
        The paths of the files with figures; replies lie beside them.

    Raises:
        ParameterError: a value that is not taken, or a record that is there.
        FileError: no run, or an unfinished one.
        DiskError: the disk would not take it.
    """
    if relationship not in RELATIONSHIPS:
        known = ", ".join(RELATIONSHIPS)
        raise ParameterError("relationship", relationship, f"must be one of {known}")
    whose = {"source_organization_name": organization, "evaluator_relationship": relationship}
    base = Path(folder)
    if base.exists() and not base.is_dir():
        raise ParameterError("path", base, "is a file; name a folder")
    found = [(held, scores, _place(held)) for held, scores in map(finished, runs)]
    for *_, place in found:
        if (base / place).exists() and not overwrite:
            raise ParameterError("path", base / place, "exists; overwrite=True replaces it")
    try:
        for held, scores, place in found:
            (base / place).parent.mkdir(parents=True, exist_ok=True)
            _write(held, scores, base / place, place, whose)
    except OSError as error:
        raise DiskError.of(error.filename or base, error) from error
    return [base / place for *_, place in found]


def _place(held: Run) -> Path:
    """Return the place of a run's record, which the schema fixes."""
    developer, *rest = model_id(held.model).split("/")
    number = uuid.UUID(bytes=bytes.fromhex(held.information["identity"]), version=4)
    return Path("data", "thence", developer, "_".join(rest), f"{number}.json")


def model_id(name: str) -> str:
    """Return a model's name as ``DEVELOPER/MODEL``, without the provider where it has both.

    Args:
        name: ``PROVIDER/NAME``, where the name may have a developer, as in ``vllm/Qwen/Qwen3-8B``.
            Of the path of a file, its name alone stays.
    """
    parts = [_UNSAFE.sub("_", part).rstrip(". ") for part in name.split("/")]
    if parts[0] == "gguf":  # a file on this machine, whose folders are nobody's business
        return f"gguf/{parts[-1]}"
    if parts == ["nano"]:
        return "thence/nano"
    return "/".join(parts[1:] if len(parts) > 2 else [*parts, "model"][:2])


def _write(held: Run, scores: Scores, path: Path, place: Path, whose: Mapping[str, str]) -> None:
    """Write the replies, then the figures, which tell how many replies there are."""
    changed = (held.path / "responses.jsonl").stat().st_mtime
    name = model_id(held.model)
    record = f"thence/{name}/{held.information['identity']}"
    rows = place.with_name(f"{place.stem}_samples.jsonl")
    beside = path.with_name(rows.name)
    digest, count = sha256(), 0
    with beside.open("wb") as file:
        for row in _replies(held, scores, {"evaluation_id": record, "model_id": name}):
            line = json.dumps(row, allow_nan=False).encode() + b"\n"
            digest.update(line)
            file.write(line)
            count += 1
    information = held.information
    whole = {
        "schema_version": SCHEMA,
        "evaluation_id": record,
        "evaluation_timestamp": datetime.fromtimestamp(changed, UTC).isoformat(),
        "retrieved_timestamp": str(changed),
        "source_metadata": {"source_name": "thence", "source_type": "evaluation_run", **whose},
        "eval_library": {"name": "thence", "version": information["thence"]},
        "model_info": {
            "name": name,
            "id": name,
            "inference_platform": held.model.partition("/")[0],
            "additional_details": {
                "deployment_type": "unknown", "model_availability": "unknown",
            },
        },
        "evaluation_results": list(_figures(held, scores)),
    }  # fmt: skip
    if count:
        whole["detailed_evaluation_results"] = {
            "format": "jsonl", "file_path": rows.as_posix(), "hash_algorithm": "sha256",
            "checksum": digest.hexdigest(), "total_rows": count,
        }  # fmt: skip
    else:
        beside.unlink()
    text = json.dumps(whole, indent=2, allow_nan=False) + "\n"
    path.write_text(text, encoding="utf-8")


def _figures(held: Run, scores: Scores) -> Iterator[dict[str, Any]]:
    """Yield each figure as a result of the record."""
    counts = {name for info in thence.tasks() for name in info.counts}
    told = by_owner(scores)
    for each in figures(scores):
        outcomes = {name: str(count) for name, count in told[each.owner]["outcomes"].items()}
        uncertainty: dict[str, Any] = {"num_samples": each.number}
        if each.ends is not None:
            uncertainty["confidence_interval"] = {
                "lower": each.ends[0], "upper": each.ends[1], "confidence_level": 0.95,
                "method": "Wilson, or bootstrap over clusters where questions share a procedure",
            }  # fmt: skip
        yield {
            "evaluation_result_id": f"{each.owner}:{each.name}",
            "evaluation_name": f"thence/{each.owner}",
            "source_data": _source(held, each.owner),
            "metric_config": {
                "metric_id": each.name if each.name == "accuracy" else f"thence.{each.name}",
                "metric_name": each.name,
                "lower_is_better": False,
                "score_type": "continuous",
                "min_score": 0,
                "max_score": "Infinity" if each.name in counts else 1,
            },
            "score_details": {
                "score": each.value, "details": outcomes, "uncertainty": uncertainty,
            },
            "generation_config": _generation(held.information["request"]),
        }  # fmt: skip


def _source(held: Run, name: str) -> dict[str, Any]:
    request = held.information["request"]
    versions = held.information["versions"]
    own = {task: each for task, each in versions.items() if f"{task}/".startswith(f"{name}/")}
    told = {
        "versions": json.dumps(own),
        "request": json.dumps(request["samples"]),
        "samples_sha256": held.information["samples_sha256"],
    }
    details = {key: str(value) for key, value in told.items()}
    return {
        "dataset_name": f"thence/{name}", "source_type": "other", "additional_details": details,
    }  # fmt: skip


def _generation(request: Mapping[str, Any]) -> dict[str, Any]:
    sampling = request["generation"]
    known = {name: sampling[name] for name in ("temperature", "top_p", "max_tokens")}
    others = {
        "protocol": request["protocol"],
        "set_protocol": json.dumps(request.get("set_protocol") or {}),
        "epochs": str(request["epochs"]),
        "seed": str(sampling["seed"]),
        "structured": str(sampling["structured"]),
    }
    given = {name: value for name, value in known.items() if value is not None}
    return {"generation_args": given, "additional_details": others}


# Replies ------------------------------------------------------------------------------------------


def _replies(held: Run, scores: Scores, begin: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield a row for each conversation that was scored."""
    request = held.information["request"]
    samples = {each.id: each for each in held.samples()}
    rows = scores.details()
    for (name, epoch), turns in groupby(rows, key=lambda row: (row["id"], row["epoch"])):
        said = list(turns)
        if said[-1]["outcome"] != "provider_error":
            row = _conversation(samples[name], said, request)
            row["metadata"]["epoch"] = str(epoch)
            yield {**begin, **row}


def _conversation(
    sample: thence.Sample, said: Sequence[Mapping[str, Any]], request: Mapping[str, Any]
) -> dict[str, Any]:
    """Return one conversation, in one turn or in several."""
    talk = thence.conversation(sample, request["protocol"], **(request.get("set_protocol") or {}))
    for turn in said:
        asked = list(talk.messages)
        talk.hear(turn["reply"] or "")
    last, reference = said[-1], thence.answer(sample)
    many = len(said) > 1
    place = len(asked) if many else 0
    answers = [] if last["rule"] is None else [_answer(last, place, many=many)]
    text = sample.input + reference
    row: dict[str, Any] = {
        "schema_version": SCHEMA,
        "evaluation_name": f"thence/{sample.task}",
        "evaluation_result_id": f"{sample.task}:accuracy",
        "sample_id": sample.id,
        "sample_hash": sha256(text.encode()).hexdigest(),
        "interaction_type": "multi_turn" if many else "single_turn",
        "input": {"raw": sample.input, "reference": [reference]},
        "answer_attribution": answers,
        "evaluation": {
            "score": float(last["correct"]), "is_correct": bool(last["correct"]),
            "num_turns": len(said),
        },
        "metadata": {
            "outcome": last["outcome"], "cluster": sample.cluster, "canary": sample.canary,
        },
    }  # fmt: skip
    if many:
        chat = [*asked, {"role": "assistant", "content": last["reply"]}]
        row["messages"] = [{"turn_idx": at, **each} for at, each in enumerate(chat)]
    else:
        thought = [last["reasoning"]] if last["reasoning"] else None
        row["output"] = {"raw": [last["reply"] or ""], "reasoning_trace": thought}
        if len(asked) > 1:
            row["input"]["formatted"] = json.dumps(asked)
    if last["input_tokens"] is not None and last["output_tokens"] is not None:
        spent = {name: int(last[name]) for name in ("input_tokens", "output_tokens")}
        row["token_usage"] = {**spent, "total_tokens": sum(spent.values())}
    return row


def _answer(row: Mapping[str, Any], place: int, *, many: bool) -> dict[str, Any]:
    return {
        "turn_idx": place,
        "source": f"messages[{place}].content" if many else "output.raw",
        "extracted_value": str(row["answer"]),
        "extraction_method": row["rule"],
        "is_terminal": True,
    }
