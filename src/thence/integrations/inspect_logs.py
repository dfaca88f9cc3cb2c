"""Logs of Inspect and runs of ours, one made from the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from thence import DiskError, Model, ParameterError, ProviderError, Reply, Sample
from thence.api.dataset import Dataset
from thence.api.given import path_of
from thence.api.harness import Request, Usage, unchanged
from thence.api.runs import Run, open_run, run
from thence.errors import FileError, MissingExtra

_VOTE = "thence/vote"
_STOPPED = {"length": "max_tokens", "refusal": "content_filter"}
_STOPS = {"stop", "max_tokens", "model_length", "tool_calls", "content_filter", "unknown"}


def read_log(path: str | Path, out: str | Path, *, overwrite: bool = False) -> Run:
    """Return a run with the replies of a log of Inspect, scored by us.

    Args:
        path: of an ``.eval`` or ``.json`` log of one of our tasks.
        out: the run's directory.
        overwrite: replace another run in that directory.

    Raises:
        MissingExtra: Inspect is not installed.
        FileError: it cannot be read, or is a log of another task.
    """
    logs = _inspect("thence import").log
    file = path_of("path", path)
    if not file.is_file():
        raise FileError(f"{file}: no such file")
    try:
        log = logs.read_eval_log(str(file))
    except Exception as error:
        raise FileError(f"{file}: no log of Inspect ({type(error).__name__})") from error
    request = (log.eval.metadata or {}).get("thence")
    held = sorted(log.samples or [], key=lambda each: (each.metadata or {}).get("index", 0))
    rows = {each.id: (each.metadata or {}).get("thence") for each in held}
    if not isinstance(request, Mapping) or not held or not all(rows.values()):
        raise FileError(f"{file}: no log of a task of thence: its samples hold no rows of ours")
    replayed = _Replayed(log.eval.model)
    samples = []
    for name, row in rows.items():
        sample = _sample_of(file, row)
        if sample.id != name:
            raise FileError(f"{file}: sample {name} holds the row of {sample.id}")
        samples.append(sample)
    for each in held:
        replayed.take(each, request)
    config = log.eval.config
    return run(
        Dataset(samples), replayed, protocol=str(request["protocol"]),
        settings=dict(request.get("settings") or {}), epochs=config.epochs or 1,
        reduce="majority" if _VOTE in (config.epochs_reducer or []) else "mean",
        out=out, overwrite=overwrite,
    )  # fmt: skip


def _sample_of(file: Path, row: Any) -> Sample:
    """Return the sample of a row.

    Raises:
        FileError: the row is none, or was changed.
    """
    try:
        return unchanged(row)
    except ParameterError as error:
        raise FileError(f"{file}: {error}") from error


class _Replayed(Model):
    """Gives the replies of a log again, by chat and epoch."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._held: dict[tuple[Any, ...], Mapping[str, Any]] = {}

    def take(self, logged: Any, request: Mapping[str, Any]) -> None:
        """Keep the replies of a logged sample under what was asked."""
        import thence
        from thence.integrations.inspect_parts import REPLIES, ROW, reply_of

        said = logged.store.get(REPLIES) or [reply_of(logged.output)]
        settings = request.get("settings") or {}
        talk = thence.conversation(logged.metadata[ROW], request["protocol"], **settings)
        for reply in said:
            if logged.error is not None and reply is said[-1]:
                reply = {"error": logged.error.message}  # noqa: PLW2901 - stands for the reply
            self._held[_key(talk.messages, logged.epoch - 1)] = reply
            if not talk.hear(reply.get("response") or ""):
                return

    async def complete(self, request: Request) -> Reply:
        """Return the logged reply.

        Raises:
            ProviderError: there is none.
        """
        held = self._held.get(_key(request.messages, request.epoch))
        if held is None:
            raise ProviderError("missing", "the log holds no reply")
        if "error" in held:
            raise ProviderError("inspect", str(held["error"]))
        usage = held["usage"]
        return Reply(
            held["response"], held["reasoning"], held["finish_reason"],
            None if usage is None else Usage.from_json(usage),
        )  # fmt: skip


def _key(messages: Any, epoch: int) -> tuple[Any, ...]:
    return (epoch, *(each["content"] for each in messages))


def write_log(given: str | Path, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write a run as a log of Inspect, scored by our scorer within Inspect.

    Args:
        given: the run's directory.
        path: of the log; ends in ``.eval`` or ``.json``.
        overwrite: replace a file that is there.

    Returns:
        The path of the log.

    Raises:
        MissingExtra: Inspect is not installed.
        ParameterError: another ending, or a file that is there.
        FileError: the run is of several families, as a log is of one task.
    """
    inspect = _inspect("thence export inspect")
    file = path_of("path", path)
    if file.suffix not in {".eval", ".json"}:
        raise ParameterError("path", file, "must end in .eval or .json")
    if file.exists() and not overwrite:
        raise ParameterError("path", file, "exists; overwrite=True replaces it")
    held = open_run(given)
    asked = held.information["request"]
    samples = list(held.samples())
    families = sorted({each.family for each in samples})
    if len(families) != 1:
        raise FileError(f"{held.path}: holds {', '.join(families)}; a log is of one family")
    log = _log(inspect, held, samples, families[0])
    from thence.integrations.inspect_parts import read

    log = inspect.score(
        log, read(asked["protocol"]), model="none/none", action="overwrite", display="none",
        copy=False,
    )  # fmt: skip
    try:
        inspect.log.write_eval_log(log, str(file))
    except OSError as error:
        raise DiskError.of(file, error) from error
    return file


def _log(inspect: Any, held: Run, samples: list[Any], family: str) -> Any:
    """Return the log of a run, not scored yet."""
    from inspect_ai.log import EvalConfig, EvalDataset, EvalSpec, EvalStats

    from thence.integrations.for_inspect import of_samples

    information = held.information
    asked = information["request"]
    protocol, settings = asked["protocol"], dict(asked.get("set_protocol") or {})
    request = {"family": family, "protocol": protocol, "settings": settings}
    task = of_samples(samples, None, request)
    epochs, now = int(asked["epochs"]), datetime.now(UTC).isoformat(timespec="seconds")
    reducer = _VOTE if information.get("reduce") == "majority" else "mean"
    logged = [
        _sample(inspect, place, epoch, rows, request, held.model)
        for place, epoch, rows in _replies(held, samples)
    ]
    given: Any = task.metrics  # a mapping, as we made it
    metrics: Any = {
        name: [_definition(each) for each in several] for name, several in given.items()
    }
    spec = EvalSpec(
        created=now, task=f"thence/{family}", task_id=information["fingerprint"],
        run_id=information["fingerprint"], task_version=task.version, model=held.model,
        dataset=EvalDataset(
            name="thence", samples=len(samples), sample_ids=[each.id for each in samples],
        ),
        config=EvalConfig(epochs=epochs, epochs_reducer=[reducer] if epochs > 1 else None),
        metadata=task.metadata, metrics=metrics, viewer=task.viewer,
        headline_metric=task.headline_metric,
    )  # fmt: skip
    return inspect.log.EvalLog(
        version=2,
        status="success" if held.missing == 0 else "error",
        eval=spec,
        stats=EvalStats(started_at=now, completed_at=now),
        samples=logged,
    )


def _definition(metric: Any) -> dict[str, Any]:
    """Return a metric as the head of a log has it, so that the log can be scored again."""
    from inspect_ai._util.registry import registry_info, registry_params

    return {"name": registry_info(metric).name, "options": dict(registry_params(metric))}


def _replies(
    held: Run, samples: list[Any]
) -> Iterator[tuple[tuple[int, Any], int, list[dict[str, Any]]]]:
    """Yield each question and its place with an epoch and its replies, turn after turn."""
    found: dict[str, dict[int, list[dict[str, Any]]]] = {}
    for row in held.responses():
        found.setdefault(row["id"], {}).setdefault(row["epoch"], []).append(row)
    for index, each in enumerate(samples):
        for epoch, rows in sorted(found.get(each.id, {}).items()):
            yield (index, each), epoch, rows


def _sample(
    inspect: Any,
    place: tuple[int, Any],
    epoch: int,
    rows: Sequence[Mapping[str, Any]],
    request: Mapping[str, Any],
    model: str,
) -> Any:
    """Return one conversation as a sample of a log."""
    import thence
    from thence.integrations import for_inspect, inspect_parts

    made = for_inspect.sample_of(*place)
    talk = thence.conversation(place[1], request["protocol"], **request["settings"])
    keys = ("response", "reasoning", "finish_reason", "usage")
    said = [{key: row[key] for key in keys} for row in rows if row["error"] is None]
    for reply in said:
        messages = talk.messages
        talk.hear(reply["response"] or "")
    failed = next((row["error"] for row in rows if row["error"] is not None), None)
    chat = inspect_parts.messages_of(messages if said else talk.messages)
    output = _output(inspect, said[-1], model) if said else inspect.model.ModelOutput(model=model)
    error = None
    if failed is not None:
        text = str(failed.get("message"))
        error = inspect.log.EvalError(message=text, traceback=text, traceback_ansi=text)
    return inspect.log.EvalSample(
        id=made.id, epoch=epoch + 1, input=made.input, target=made.target, metadata=made.metadata,
        messages=[*chat, *([output.message] if said else [])], output=output,
        store={inspect_parts.REPLIES: said, inspect_parts.FAILED: failed is not None},
        scores={}, error=error,
    )  # fmt: skip


def _output(inspect: Any, reply: Mapping[str, Any], model: str) -> Any:
    finish = str(reply["finish_reason"] or "stop")
    stop = _STOPPED.get(finish, finish if finish in _STOPS else "unknown")
    content: Any = reply["response"] or ""
    if reply["reasoning"]:
        parts = inspect.model
        content = [
            parts.ContentReasoning(reasoning=reply["reasoning"]), parts.ContentText(text=content),
        ]  # fmt: skip
    output = inspect.model.ModelOutput.from_content(model, content, stop_reason=stop)
    if reply["usage"]:
        tokens = [int(reply["usage"].get(f"{name}_tokens") or 0) for name in ("input", "output")]
        output.usage = inspect.model.ModelUsage(
            input_tokens=tokens[0], output_tokens=tokens[1], total_tokens=sum(tokens)
        )
    return output


def _inspect(feature: str) -> Any:
    """Return Inspect.

    Raises:
        MissingExtra: it is not installed, or too old.
    """
    try:
        import inspect_ai
        import inspect_ai.log
        import inspect_ai.model
        from inspect_ai.log import HeadlineMetric  # noqa: F401 - the youngest name that is used
    except ImportError as error:
        raise MissingExtra(feature, "inspect") from error
    return inspect_ai
