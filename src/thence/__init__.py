"""Thence measures whether language models can follow.

The names of `__all__` are the public interface. Each is imported when it is first used, so that
``import thence`` takes next to no time.
"""

from __future__ import annotations

from thence.system.version import VERSION

TYPE_CHECKING = False  # of `typing`, whose import is most of the time before Ctrl-C is handled
if TYPE_CHECKING:
    from typing import Any

    from thence.api.dataset import generate, read
    from thence.api.listing import protocols, tasks
    from thence.api.looking import audit, compare, report
    from thence.api.one_question import answer, conversation, score_reply
    from thence.api.planning import power
    from thence.api.questions import questions
    from thence.api.runs import open_run, run, run_async
    from thence.api.scores import score
    from thence.core.sample import Sample
    from thence.core.score import Outcome, Score
    from thence.engine.run_config import Limits
    from thence.errors import DiskError, ParameterError, ProviderError, ThenceError
    from thence.models.base import Model, Reply, Sampling
    from thence.procedures import analyze

__version__ = VERSION

_PLACES = {
    "thence.api.listing": ("tasks", "protocols"),
    "thence.api.dataset": ("generate", "read"),
    "thence.api.looking": ("compare", "report", "audit"),
    "thence.api.planning": ("power",),
    "thence.api.questions": ("questions",),
    "thence.api.one_question": ("conversation", "score_reply", "answer"),
    "thence.api.runs": ("run", "run_async", "open_run"),
    "thence.api.scores": ("score",),
    "thence.core.sample": ("Sample",),
    "thence.core.score": ("Score", "Outcome"),
    "thence.engine.run_config": ("Limits",),
    "thence.models.base": ("Model", "Reply", "Sampling"),
    "thence.procedures": ("analyze",),
    "thence.errors": ("ThenceError", "ParameterError", "ProviderError", "DiskError"),
}
_PLACE = {name: module for module, names in _PLACES.items() for name in names}

__all__ = [
    "DiskError",
    "Limits",
    "Model",
    "Outcome",
    "ParameterError",
    "ProviderError",
    "Reply",
    "Sample",
    "Sampling",
    "Score",
    "ThenceError",
    "analyze",
    "answer",
    "audit",
    "compare",
    "conversation",
    "generate",
    "open_run",
    "power",
    "protocols",
    "questions",
    "read",
    "report",
    "run",
    "run_async",
    "score",
    "score_reply",
    "tasks",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACE:
        raise AttributeError(f"module 'thence' has no attribute '{name}'")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(_PLACE[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
