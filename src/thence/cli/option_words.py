"""Errors of the library in the words of the command line."""

from __future__ import annotations

import re

from thence.errors import ParameterError, ProtocolParameterError

_OPTIONS = frozenset(
    (
        "accept_errors", "accuracy", "api", "api_key", "auth_command", "base_url", "batch",
        "batch_poll", "batch_submit", "cluster_size", "connect_timeout", "corrections",
        "correlation", "dataset", "details", "dialect", "difference", "discordance", "epochs",
        "exclude", "extra_body", "extract",
        "extractor", "figures", "first_byte_timeout", "frozen", "icc", "items", "level", "limit",
        "max_connections", "max_cost", "max_retries", "max_tokens", "model", "on", "organization",
        "overwrite", "port", "power", "price", "protocol", "questions", "reasoning", "reduce",
        "relationship", "replica_cores", "requests", "review", "rpm", "samples", "scorer", "seed",
        "seed_model", "shard", "shortcuts", "site", "size", "skip_unavailable", "structured",
        "system", "temperature", "templates", "timeout", "top_p", "total", "tpm", "what",
        "workers",
    )
)  # fmt: skip
"""Parameters that have an option of their own; those of tasks are set by ``--set``."""

_OTHERS = {
    "headers": "--header",
    "path": "-o",
    "out": "-o",
    "tasks": "TASK",
    "texts": "TEXT",
    "parameters": "--set",
    "runs": "DIR...",
    "dir": "DIR",
}
_ANY = "|".join(sorted((*_OPTIONS, "out"), key=len, reverse=True))
_NAMED = re.compile(rf"(?<![\w?&./-])({_ANY})=((?:[^\s;:)]*[^\s;:),.])?)")


def in_options(error: Exception) -> str:
    """Return the text of an error with the options that set parameters in place of their names."""
    if not isinstance(error, ParameterError):
        return worded(str(error))
    name, value, reason, shown = error.name, error.value, worded(error.reason), error.shown
    if name in _OTHERS or name in _OPTIONS:
        option = _OTHERS.get(name) or _dashed(name)
        return f"{option if value is None or value is True else f'{option} {shown}'}: {reason}"
    option = "--set-protocol" if isinstance(error, ProtocolParameterError) else "--set"
    return f"{option} {name if value is None else f'{name}={shown}'}: {reason}"


def worded(text: str) -> str:
    """Return a sentence of the library with options in place of the parameters that it names."""
    return _NAMED.sub(_option, text)


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _option(found: re.Match[str]) -> str:
    """Return an option, with its value where a sentence has ``name=value``."""
    name, value = found.groups()
    option = _OTHERS.get(name) or _dashed(name)
    return option if value in ("", "True") else f"{option} {value}"
