"""Errors of the engine."""


class EngineDeadError(Exception):
    """As vLLM raises it."""
