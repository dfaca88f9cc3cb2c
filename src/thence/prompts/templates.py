"""Prompts are data: Jinja templates of a package, which a user's folder may override.

``procbench/sort.jinja`` is in the family's package; ``protocols/direct.jinja`` in that of the
protocols. The user's folder may hold files of the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from collections.abc import Set as AbstractSet
from importlib import import_module
from itertools import starmap
from pathlib import Path
from string import Formatter
from typing import Any

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    FileSystemLoader,
    FunctionLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
)
from jinja2.meta import find_referenced_templates
from jinja2.sandbox import ImmutableSandboxedEnvironment

from thence.core.digest import digest
from thence.core.registry import nearest
from thence.errors import FileError, ParameterError

SUFFIX = ".jinja"
FOLDER = "templates"  # the folder of a package that holds its templates
_FAULTS = (
    TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
_REFERRING = ("include", "extends", "import")  # the tags that name another template


class _Environment(ImmutableSandboxedEnvironment):
    """Sandbox for plain text, in which a name without a value is an error.

    A user's template may come from elsewhere, so it must not be able to run code.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return Jinja's own names as a dictionary.

        Every rendering copies them, and copying the chain of mappings that Jinja makes of them
        takes most of the time of a rendering.
        """
        return {**self.globals, **(d or {})}


def _rows(rows: Iterable[Sequence[Any]], form: str, between: str = ", ") -> str:
    """Return the rows, each written in a form such as ``"({}, {})"``, joined to one text."""
    fields = [field for _, *field in Formatter().parse(form) if field[0] is not None]
    if any(any(field) for field in fields):
        raise ValueError(f"rows: {form!r} must take its values in their order, by {{}}")
    every = list(rows)
    if any(len(row) != len(fields) for row in every):
        raise ValueError(f"rows: every row must have as many values as {form!r} has {{}}")
    return between.join(starmap(form.format, every))


class Templates:
    """Renders the templates of tasks and protocols.

    Args:
        packages: the packages that hold the files of each first part of a name, such as
            ``{"procbench": ["thence.families.procbench"]}``.
        folder: the user's templates, which take precedence; None for the built-in ones alone.
        others: names of templates that only this folder has.

    Raises:
        ParameterError: the folder does not exist, or holds a file without a template to replace.
    """

    def __init__(
        self,
        packages: Mapping[str, Sequence[str]],
        folder: Path | None = None,
        others: Iterable[str] = (),
    ) -> None:
        if folder is not None and not folder.is_dir():
            raise ParameterError(
                "templates", folder, "no such folder; give one that holds FAMILY/TASK.jinja"
            )
        others = tuple(others)
        self._given = packages, folder, others
        self._packages = packages
        self.folder = folder
        loaders: list[BaseLoader] = [FunctionLoader(self._packaged)]
        if folder is not None:
            loaders.insert(0, FileSystemLoader(folder))
        self._environment = _Environment(
            loader=ChoiceLoader(loaders),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
        )
        self._environment.filters |= {"rows": _rows, "enumerate": enumerate}
        self._hashes: dict[tuple[str, ...], str] = {}
        if folder is not None:
            self._check(folder, {name + SUFFIX for name in others})

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._given

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        """Return the text of a template, such as ``procbench/sort``, without outer blank lines.

        Raises:
            FileError: the template does not exist, has an error, breaks the sandbox's rules, or
                uses a missing value.
        """
        try:
            return self._environment.get_template(name + SUFFIX).render(values).strip()
        except TemplateNotFound as error:
            raise FileError(f"template {error.name} does not exist") from error
        except _FAULTS as error:
            place = self.folder / f"{name}{SUFFIX}" if self.folder else f"{name}{SUFFIX}"
            raise FileError(f"template {place}: {str(error) or type(error).__name__}") from error

    def hash(self, *names: str) -> str:
        """Return one hash over the sources of some templates, 16 hexadecimal characters.

        Included, extended and imported templates count as well.
        """
        found = self._hashes.get(names)
        if found is None:
            sources = [self._source(name) for name in names]
            sources += [self._source(name) for name in self._referenced(names)]
            found = self._hashes[names] = digest(sources, size=8)
        return found

    def _referenced(self, names: Iterable[str]) -> Iterator[str]:
        """Yield the templates that others use, directly or not, once each and in order."""
        seen, waiting = set(names), list(names)
        while waiting:
            name = waiting.pop(0)
            for other in self._references(self._source(name)):
                # A name that is computed while rendering is unknown: it may be any template.
                every = self._own() if other is None else [other.removesuffix(SUFFIX)]
                for each in every:
                    if each not in seen and self._exists(each):
                        seen.add(each)
                        waiting.append(each)
                        yield each

    def _references(self, source: str) -> list[str | None]:
        """Return the names of used templates; None for a name computed while rendering."""
        if not any(word in source for word in _REFERRING):
            return []
        try:
            return list(find_referenced_templates(self._environment.parse(source)))
        except TemplateError:
            return []  # rendering raises the error

    def _own(self) -> list[str]:
        """Return the sorted names of the templates in the user's folder."""
        if self.folder is None:
            return []
        held = sorted(self.folder.rglob(f"*{SUFFIX}"))
        return [path.relative_to(self.folder).as_posix().removesuffix(SUFFIX) for path in held]

    def _exists(self, name: str) -> bool:
        own = self.folder is not None and (self.folder / f"{name}{SUFFIX}").is_file()
        return own or self._packaged(name + SUFFIX) is not None

    def _check(self, folder: Path, others: AbstractSet[str]) -> None:
        """Raise unless each file replaces a template or is used by another file."""
        held = {path for place in self._packages for path in (folder / place).rglob("[!.]*")}
        held |= {*folder.glob(f"*{SUFFIX}"), *folder.glob(f"*/*{SUFFIX}")}
        names = [path.relative_to(folder).as_posix() for path in sorted(held) if path.is_file()]
        if not names:
            raise ParameterError(
                "templates", folder, f"holds no template; give a folder with FAMILY/TASK{SUFFIX}"
            )
        taken: set[str | None] = set(others)
        for name in names:
            text = (folder / name).read_text(encoding="utf-8", errors="replace")
            taken.update(self._references(text))
        for name in names:
            if self._packaged(name) is None and not taken & {name, None}:
                raise ParameterError(
                    "templates",
                    folder,
                    f"{name} takes no template's place{nearest(name, self._packaged_names())}; "
                    "rename or remove it",
                )

    def _packaged_names(self) -> list[str]:
        """Return the sorted names of all built-in templates, as files in a user's folder."""
        return sorted(
            f"{prefix}/{path.relative_to(folder).as_posix()}"
            for prefix, packages in self._packages.items()
            for package in packages
            for place in import_module(package).__path__
            for folder in (Path(place) / FOLDER,)
            for path in folder.rglob(f"*{SUFFIX}")
        )

    def _source(self, name: str) -> str:
        """Return the text of a template's file."""
        loader = self._environment.loader
        assert loader is not None
        try:
            return loader.get_source(self._environment, name + SUFFIX)[0]
        except TemplateNotFound as error:
            raise FileError(f"template {name}{SUFFIX} does not exist") from error
        except UnicodeDecodeError as error:
            raise FileError(f"template {name}{SUFFIX}: not UTF-8 text") from error

    def _packaged(self, name: str) -> tuple[str, str | None, Callable[[], bool] | None] | None:
        prefix, _, rest = name.partition("/")
        for package in self._packages.get(prefix, ()):
            for place in import_module(package).__path__:
                path = Path(place) / FOLDER / rest
                if path.is_file():
                    return path.read_text(encoding="utf-8"), str(path), None
        return None
