"""Thence measures whether language models can follow.

The names of `__all__` are the public interface. Each is imported when it is first used, so that
``import thence`` takes next to no time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from thence.system.version import VERSION

if TYPE_CHECKING:
    from thence.api.catalog import protocols, tasks
    from thence.api.dataset import generate, read
    from thence.api.questions import questions
    from thence.api.replies import answer, conversation, score_reply
    from thence.core.sample import Sample
    from thence.core.score import Outcome, Score
    from thence.errors import DiskError, ParameterError, ProviderError, ThenceError
    from thence.models.base import Model, Reply

__version__ = VERSION

_PLACES = {
    "thence.api.catalog": ("tasks", "protocols"),
    "thence.api.dataset": ("generate", "read"),
    "thence.api.questions": ("questions",),
    "thence.api.replies": ("conversation", "score_reply", "answer"),
    "thence.core.sample": ("Sample",),
    "thence.core.score": ("Score", "Outcome"),
    "thence.models.base": ("Model", "Reply"),
    "thence.errors": ("ThenceError", "ParameterError", "ProviderError", "DiskError"),
}
_PLACE = {name: module for module, names in _PLACES.items() for name in names}

__all__ = [
    "DiskError",
    "Model",
    "Outcome",
    "ParameterError",
    "ProviderError",
    "Reply",
    "Sample",
    "Score",
    "ThenceError",
    "answer",
    "conversation",
    "generate",
    "protocols",
    "questions",
    "read",
    "score_reply",
    "tasks",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACE:
        raise AttributeError(f"module 'thence' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(_PLACE[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
