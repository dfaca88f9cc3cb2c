"""What differs between the requests of two runs, or of two sets, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thence.core.digest import canonical_json

_SHORT = 80  # characters of two values that an error shows


def differences(one: Mapping[str, Any], other: Mapping[str, Any], within: str = "") -> list[str]:
    """Return where two requests differ, with both values where they are short.

    Args:
        one: the request whose values come first.
        other: the request whose values come after "not".
        within: names of the mappings that hold these two, in words.
    """
    found: list[str] = []
    for name in {**one, **other}:
        held, wanted = one.get(name), other.get(name)
        texts = [_text(each, name) for each in (one, other)]
        if texts[0] == texts[1]:
            continue
        path = f"{within} {name}".lstrip()
        if isinstance(held, dict) and isinstance(wanted, dict):
            found += differences(held, wanted, path)
        else:
            said = ", not ".join(texts)
            found.append(f"{path}: {said}" if len(said) <= _SHORT else path)
    return found


def _text(request: Mapping[str, Any], name: str) -> str:
    return canonical_json(request[name]).decode() if name in request else "nothing"
