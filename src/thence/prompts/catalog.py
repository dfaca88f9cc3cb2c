"""The protocols by name; they are found by listing packages, and any of them fits any family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module

from thence.core.parameters import configure
from thence.core.registry import added, modules, nearest
from thence.errors import ParameterError, ProtocolParameterError, UsageError
from thence.prompts.protocol import Composed, Protocol

ENTRY_POINTS = "thence.protocols"
_BUILT_IN = "thence.prompts.protocols"


@cache
def protocols() -> Mapping[str, Protocol]:
    """Return every protocol by name."""
    found: dict[str, Protocol] = {}
    for package in packages():
        for module in modules(import_module(package)):
            if not hasattr(module, "PROTOCOL"):
                continue
            name = module.PROTOCOL.name
            if name in found:
                raise UsageError(
                    f"protocol '{name}' is defined twice: rename that of {module.__name__}"
                )
            found[name] = module.PROTOCOL
    return found


@cache
def packages() -> tuple[str, ...]:
    """Return the names of the packages that hold protocols and their templates."""
    return (_BUILT_IN, *(module.__name__ for module in added(ENTRY_POINTS)))


def protocol(name: str, settings: Mapping[str, str] | None = None) -> Composed:
    """Return the protocol of a name such as ``direct`` or ``are_you_sure+direct``.

    Raises:
        UsageError: an unknown protocol or setting, or a value that a setting does not take.
    """
    settings = settings or {}
    known = protocols()
    parts, used = [], set()
    for part in name.split("+"):
        if part not in known:
            hint = f"{nearest(part, list(known))} (known: {', '.join(known)})"
            raise ParameterError("protocol", name, f"unknown protocol '{part}'{hint}")
        own = known[part].parameters
        used |= {each.name for each in own}
        try:
            values = configure(own, settings)
        except ParameterError as error:
            raise ProtocolParameterError(error.name, error.value, error.reason) from error
        parts.append(known[part].configured(values))
    for key in settings:
        if key not in used:
            offered = ", ".join(sorted(used)) or "none"
            raise ProtocolParameterError(
                key, None, f"protocol {name} has no such setting (it has: {offered})"
            )
    _compatible(name, parts)
    return Composed(parts)


def _compatible(name: str, parts: Sequence[Protocol]) -> None:
    names = [part.name for part in parts]
    for index, part in enumerate(parts):
        if part.shapes_first and not part.turns and part.name in names[:index]:
            raise ParameterError("protocol", name, f"{part.name} stands twice; leave one out")
        for other in names:
            if other in part.excludes:
                raise ParameterError(
                    "protocol",
                    name,
                    f"{part.name} and {other} do not go together, as {part.excludes[other]}; "
                    "leave one out",
                )
