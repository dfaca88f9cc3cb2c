"""Errors of the library in the words of the command line."""

from __future__ import annotations

from thence.errors import ParameterError, ProtocolParameterError

_OPTIONS = frozenset(
    (
        "api_key", "base_url", "dialect", "epochs", "extra_body", "extractor", "limit",
        "max_connections", "max_cost", "max_retries", "max_tokens", "model", "price", "protocol",
        "reduce", "rpm", "samples", "scorer", "seed", "seed_model", "size", "structured",
        "temperature", "templates", "timeout", "top_p", "tpm", "workers",
    )
)  # fmt: skip
"""Parameters that have an option of their own; those of tasks are set by ``--set``."""


def in_options(error: ParameterError) -> str:
    """The text of an error with the option that sets the parameter in place of its name."""
    name, value = error.name, error.value
    if name in _OPTIONS:
        option = f"--{name.replace('_', '-')}"
        return f"{option if value is None else f'{option} {value}'}: {error.reason}"
    option = "--set-protocol" if isinstance(error, ProtocolParameterError) else "--set"
    return f"{option} {name if value is None else f'{name}={value}'}: {error.reason}"
