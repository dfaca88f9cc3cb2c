"""Identity of a caller's function: its code, and the values that it holds."""

from __future__ import annotations

import dis
import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from logging import Logger
from pathlib import PurePath
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

from thence.core.digest import digest

_PLAIN = (type(None), bool, int, float, complex, str, bytes, range, type(...), type(NotImplemented))
_MOST = 100_000  # values that are looked at
_WRAPPED = (property, staticmethod, classmethod)
_SLOTS = (MemberDescriptorType, GetSetDescriptorType)  # their values are an object's


class _Unknown(Exception):
    """A value has no form that is the same in every process, such as a connection."""


def identity(function: Callable[..., Any]) -> str | None:
    """Return the hash of a function's code and of all values that it holds; None if one has none.

    Values are those of closures, defaults, arguments of a ``partial``, the object of a method and
    the global names that the code reads. What other packages define goes in by its name alone.
    """
    try:
        called = function.func if isinstance(function, partial) else function
        home = _package(called if hasattr(called, "__qualname__") else type(called))
        return digest(_Reader(home).told(function), size=4)
    except (_Unknown, RecursionError):
        return None


class _Reader:
    """Reader of a function and all that it holds, as JSON; ``home`` is the package of its code."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._count = 0
        self._seen = dict[int, tuple[int, object]]()  # the objects are kept: an id is used again

    def told(self, value: Any) -> Any:
        """Return the JSON form of a value.

        Raises:
            _Unknown: it has none.
        """
        kind = type(value)
        self._count += 1
        if self._count > _MOST:
            raise _Unknown
        if kind in _PLAIN:
            return [kind.__name__, repr(value)]
        if kind is tuple:  # equal ones may be one object or not, as the compiler has it
            return ["tuple", *map(self.told, value)]
        if kind in (set, frozenset):  # whose order differs between processes
            return [kind.__name__, *sorted((_Reader(self._home).told(v) for v in value), key=repr)]
        if id(value) in self._seen:
            return ["again", self._seen[id(value)][0]]
        self._seen[id(value)] = len(self._seen), value
        return self._made(value)

    def _made(self, value: Any) -> Any:
        """Return the JSON form of an object that is looked at for the first time."""
        kind = type(value)
        if kind is list:
            return ["list", *map(self.told, value)]
        if kind is dict:
            return ["dict", *([self.told(key), self.told(each)] for key, each in value.items())]
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, type):
            return self._class(value)
        return [self.told(kind), *map(self.told, _parts(value))]

    def _function(self, function: FunctionType) -> Any:
        cells = function.__closure__ or ()
        if not cells and _package(function) != self._home:
            return ["function", function.__module__, function.__qualname__]
        code, known = function.__code__, function.__globals__
        names = [name for name in sorted(set(_global_names(code))) if name in known]
        return [
            "function",
            self._code(code),
            [self.told(each) for each in map(_content, cells)],
            self.told(function.__defaults__),
            self.told(function.__kwdefaults__),
            self.told({name: known[name] for name in names}),
            self.told(function.__dict__),
        ]

    def _code(self, code: CodeType) -> Any:
        """Return the instructions of a piece of code, with the functions within it."""
        constants = [
            self._code(each) if isinstance(each, CodeType) else self.told(each)
            for each in code.co_consts
        ]
        names = [list(code.co_names), list(code.co_freevars), list(code.co_varnames)]
        return [code.co_code.hex(), code.co_exceptiontable.hex(), code.co_flags, names, constants]

    def _class(self, kind: type) -> Any:
        name = ["class", kind.__module__, kind.__qualname__]
        if _package(kind) != self._home and "<locals>" not in kind.__qualname__:
            return name
        held = {key: each for key, each in vars(kind).items() if _is_told(key, each)}
        return [*name, self.told(kind.__bases__), self.told(held)]


def _parts(value: Any) -> Iterator[Any]:
    """Yield the values that an object is made of.

    Raises:
        _Unknown: no more is known of it than that it is there.
    """
    kind: Any = type(value)
    if isinstance(value, ModuleType | Logger):
        yield value.__name__ if isinstance(value, ModuleType) else value.name
    elif isinstance(value, PurePath | Enum):
        yield str(value)
    elif isinstance(value, re.Pattern):
        yield from (value.pattern, value.flags)
    elif isinstance(value, MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, BuiltinFunctionType):
        yield from (value.__qualname__, value.__self__)
    elif kind is partial:
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, _WRAPPED):
        yield from (getattr(value, name, None) for name in ("__func__", "fget", "fset"))
    elif kind.__reduce_ex__ is object.__reduce_ex__ and kind.__reduce__ is object.__reduce__:
        try:
            _, arguments, *state = value.__reduce_ex__(2)
        except Exception as error:
            raise _Unknown from error
        yield from (arguments[1:], *(list(each) if _is_iterator(each) else each for each in state))
    elif kind.__module__ == "functools" and hasattr(value, "__wrapped__"):  # has a cache
        yield value.__wrapped__
    else:
        raise _Unknown


def _is_iterator(value: object) -> bool:
    return isinstance(value, Iterator)


def _is_told(name: str, value: object) -> bool:
    """Return whether a member of a class is its author's: code, or a value with a plain name."""
    if isinstance(value, (FunctionType, *_WRAPPED)):
        return True
    return not (name.startswith(("__", "_abc_")) or isinstance(value, _SLOTS))


def _content(cell: Any) -> Any:
    """Return what a cell of a closure holds; NotImplemented where it holds nothing yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return NotImplemented


def _global_names(code: CodeType) -> Iterator[str]:
    """Yield the global names that a piece of code reads, with the functions within it."""
    for each in dis.get_instructions(code):
        if each.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield each.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_names(constant)


def _package(named: Any) -> str:
    """Return the package that defines a function or class."""
    return str(getattr(named, "__module__", "")).partition(".")[0]


def plain_name(function: Any) -> str:
    """Return the name of a function as its author wrote it; of an object, that of its class."""
    while isinstance(function, partial):
        function = function.func
    named = function if hasattr(function, "__qualname__") else type(function)
    return str(named.__qualname__).rpartition(".")[2].strip("<>")
