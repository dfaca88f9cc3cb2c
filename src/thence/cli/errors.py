"""Errors of the library in the words of the command line."""

from __future__ import annotations

import re

from thence.errors import ParameterError, ProtocolParameterError

_OPTIONS = frozenset(
    (
        "accept_errors", "api_key", "base_url", "connect_timeout", "dialect", "epochs",
        "extra_body", "extractor", "first_byte_timeout", "limit", "max_connections", "max_cost",
        "max_retries", "max_tokens", "model", "overwrite", "price", "protocol", "reduce", "rpm",
        "samples", "scorer", "seed", "seed_model", "size", "structured", "temperature",
        "templates", "timeout", "top_p", "tpm", "workers",
    )
)  # fmt: skip
"""Parameters that have an option of their own; those of tasks are set by ``--set``."""

_OTHERS = {"path": "-o", "out": "-o", "parameters": "--set"}
_ASSIGNED = re.compile(rf"(?<![\w?&./-])({'|'.join(sorted(_OPTIONS))})=([^\s,;:)]*)")


def in_options(error: Exception) -> str:
    """The text of an error with the options that set parameters in place of their names."""
    if not isinstance(error, ParameterError):
        return _ASSIGNED.sub(_option, str(error))
    name, value = error.name, error.value
    reason = _ASSIGNED.sub(_option, error.reason)
    if name in _OTHERS or name in _OPTIONS:
        option = _OTHERS.get(name) or _dashed(name)
        return f"{option if value in (None, True) else f'{option} {_text(value)}'}: {reason}"
    option = "--set-protocol" if isinstance(error, ProtocolParameterError) else "--set"
    return f"{option} {name if value is None else f'{name}={_text(value)}'}: {reason}"


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _option(found: re.Match[str]) -> str:
    """An option with its value, from ``name=value`` within a sentence."""
    name, value = found.groups()
    return _dashed(name) if value == "True" else f"{_dashed(name)} {value}"
