"""Prompts are data: Jinja files of the package that a user's folder may override.

``procbench/sort.jinja`` lies beside the module of the task; ``protocols/direct.jinja`` beside the
protocol's. A folder given with ``--templates`` may hold files of the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    FunctionLoader,
    StrictUndefined,
    Template,
    TemplateError,
    TemplateNotFound,
)

from thence.errors import FileError
from thence.kernel.digest import digest

SUFFIX = ".jinja"
_RECENT = 1000  # texts that `render_again` keeps
_FAULTS = (TemplateError, ArithmeticError, LookupError, RecursionError, TypeError, ValueError)


class Templates:
    """Renders the templates of tasks and protocols.

    Args:
        packages: the packages that hold the files of each first part of a name, such as
            ``{"procbench": ["thence.families.procbench"]}``.
        folder: the user's own templates, which come first; None for ours alone.

    Raises:
        FileError: the folder does not exist.
    """

    def __init__(self, packages: Mapping[str, Sequence[str]], folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise FileError(
                f"--templates {folder}: no such folder; give one that holds FAMILY/TASK.jinja"
            )
        self._packages = packages
        self.folder = folder
        loaders: list[BaseLoader] = [FunctionLoader(self._packaged)]
        if folder is not None:
            loaders.insert(0, FileSystemLoader(folder))
        # Prompts are plain text, not HTML; pages have an environment of their own that escapes.
        self._environment = Environment(
            loader=ChoiceLoader(loaders),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
        )
        self._globals = dict(self._environment.globals)
        self._sources: dict[str, str] = {}
        self._kept: dict[tuple[Any, ...], str] = {}
        self._recent: dict[tuple[Any, ...], str] = {}
        self._hashes: dict[tuple[str, ...], str] = {}
        self._compiled: dict[str, Template] = {}

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        """The text of a template, such as ``procbench/sort``, without outer blank lines.

        Raises:
            FileError: it does not exist, has an error, or names a value that is not given.
        """
        try:
            template = self._template(name)
            # What Template.render does, but for a merge of globals that costs more than the rest.
            context = template.new_context({**self._globals, **values}, shared=True)
            return "".join(template.root_render_func(context)).strip()
        except TemplateNotFound as error:
            raise FileError(f"template {error.name} does not exist") from error
        except _FAULTS as error:
            place = self.folder / f"{name}{SUFFIX}" if self.folder else f"{name}{SUFFIX}"
            raise FileError(f"template {place}: {error}") from error

    def render_once(self, name: str, values: Mapping[str, Any]) -> str:
        """Like `render`, for values that come again and again: text that is made once and kept.

        The values must be hashable.
        """
        key = (name, *values.items())
        text = self._kept.get(key)
        if text is None:
            text = self._kept[key] = self.render(name, values)
        return text

    def render_again(self, name: str, values: Mapping[str, Any]) -> str:
        """Like `render`; what was rendered of late from the same values is not rendered again."""
        key = (name, *values.items())
        try:
            text = self._recent.get(key)
        except TypeError:  # lists among the values
            return self.render(name, values)
        if text is None:
            if len(self._recent) >= _RECENT:
                self._recent.clear()
            text = self._recent[key] = self.render(name, values)
        return text

    def hash(self, *names: str) -> str:
        """One hash over the sources of some templates, 16 hexadecimal characters."""
        if names not in self._hashes:
            self._hashes[names] = digest([self._source(name) for name in names], size=8)
        return self._hashes[names]

    def _template(self, name: str) -> Template:
        template = self._compiled.get(name)
        if template is None:
            template = self._compiled[name] = self._environment.get_template(name + SUFFIX)
        return template

    def _source(self, name: str) -> str:
        if name not in self._sources:
            loader = self._environment.loader
            assert loader is not None
            try:
                self._sources[name] = loader.get_source(self._environment, name + SUFFIX)[0]
            except TemplateNotFound as error:
                raise FileError(f"template {name}{SUFFIX} does not exist") from error
            except UnicodeDecodeError as error:
                raise FileError(f"template {name}{SUFFIX}: not UTF-8 text") from error
        return self._sources[name]

    def _packaged(self, name: str) -> tuple[str, str | None, Callable[[], bool] | None] | None:
        prefix, _, rest = name.partition("/")
        for package in self._packages.get(prefix, ()):
            for place in import_module(package).__path__:
                path = Path(place) / rest
                if path.is_file():
                    return path.read_text(encoding="utf-8"), str(path), None
        return None
