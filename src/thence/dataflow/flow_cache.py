"""Functions of a flow whose results the flow keeps, so that each is computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Protocol

_UNKNOWN = object()


class _Caching(Protocol):  # `Flow`, which has such a function itself
    cache: dict[Hashable, Any]


def cached[Owner: _Caching, *Rest, Result](
    compute: Callable[[Owner, *Rest], Result],
) -> Callable[[Owner, *Rest], Result]:
    """Return a function that computes each result once and keeps it in ``cache`` of its flow.

    The result must not hold the flow itself: such a cycle is freed late.

    Args:
        compute: a function of a flow and of what can be hashed, all of it given by position.
    """

    @wraps(compute)
    def known(flow: Owner, *rest: *Rest) -> Result:
        key = (compute, *rest)
        result: Result = flow.cache.get(key, _UNKNOWN)
        if result is _UNKNOWN:
            result = flow.cache[key] = compute(flow, *rest)
        return result

    return known
