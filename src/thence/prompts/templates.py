"""Prompts are data: Jinja files of the package that a user's folder may override.

``procbench/sort.jinja`` lies beside the module of the task; ``protocols/direct.jinja`` beside the
protocol's. A folder given with ``--templates`` may hold files of the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from string import Formatter
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
    nodes,
    pass_environment,
)
from jinja2.defaults import DEFAULT_NAMESPACE
from jinja2.filters import make_attrgetter
from jinja2.meta import find_referenced_templates
from jinja2.nodes import EvalContext
from jinja2.utils import missing

from thence.core.digest import digest
from thence.core.registry import nearest
from thence.errors import FileError

SUFFIX = ".jinja"
FOLDER = "templates"  # of a package, in which its templates lie
_RECENT = 1000  # texts that `render_again` keeps
_FAULTS = (TemplateError, ArithmeticError, LookupError, RecursionError, TypeError, ValueError)


_TAKING = ("include", "extends", "import")  # the tags by which a template takes in another


class _TooLittleError(Exception):
    """A template asks for more of its context than `_Scope` holds."""


class _Scope(dict[str, Any]):
    """What most templates ask of their context: making Jinja's own costs more than they do.

    It holds the values by name; a name without one is Jinja's own, or `missing`.
    """

    __slots__ = ("eval_ctx",)

    def __init__(self, values: Mapping[str, Any], settings: EvalContext) -> None:
        super().__init__(values)
        self.eval_ctx = settings

    @property
    def resolve_or_missing(self) -> Callable[[str], Any]:
        """What compiled templates look each name up with."""
        return self.__getitem__

    def __missing__(self, name: str) -> Any:
        return DEFAULT_NAMESPACE.get(name, missing)

    def __getattr__(self, name: str) -> Any:
        raise _TooLittleError


@pass_environment
def _join(
    environment: Environment,
    values: Iterable[Any],
    between: str = "",
    attribute: str | int | None = None,
) -> str:
    """Jinja's filter of this name for plain text, without what it does for HTML."""
    if attribute is not None:
        values = map(make_attrgetter(environment, attribute), values)
    every = list(values)
    try:
        return str(between).join(every)
    except TypeError:  # not texts
        return str(between).join(map(str, every))


def _rows(rows: Iterable[Sequence[Any]], form: str, between: str = ", ") -> str:
    """Each row in the same form, such as ``"({}, {})"``, and what stands between two of them."""
    every = list(rows)
    pattern, places = _pattern(form)
    if not {places}.issuperset(map(len, every)):
        raise ValueError(f"rows: every row must have as many values as '{form}' has {{}}")
    whole = between.replace("%", "%%").join([pattern] * len(every))
    return whole % tuple(chain.from_iterable(every))  # quicker than one row after the other


@cache
def _pattern(form: str) -> tuple[str, int]:
    """A form for the operator ``%``, and how many values it takes."""
    parts = list(Formatter().parse(form))
    if any(field or spec or conversion for _, field, spec, conversion in parts):
        raise ValueError(f"rows: '{form}' must take its values in their order, by {{}}")
    texts = [text.replace("%", "%%") + "%s" * (field is not None) for text, field, _, _ in parts]
    return "".join(texts), sum(field is not None for _, field, _, _ in parts)


def _form(parsed: nodes.Template) -> str | None:
    """The same template for the operator ``%``; None for one that does more than insert values."""
    parts = []
    for block in parsed.body:
        for part in block.nodes if isinstance(block, nodes.Output) else [block]:
            if isinstance(part, nodes.TemplateData):
                parts.append(part.data.replace("%", "%%"))
            elif isinstance(part, nodes.Name):
                parts.append(f"%({part.name})s")
            else:
                return None
    return "".join(parts)


class Templates:
    """Renders the templates of tasks and protocols.

    Args:
        packages: the packages that hold the files of each first part of a name, such as
            ``{"procbench": ["thence.families.procbench"]}``.
        folder: the user's own templates, which come first; None for ours alone.

    Raises:
        FileError: the folder does not exist, or holds a file that takes no template's place.
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
        self._environment.filters |= {"rows": _rows, "enumerate": enumerate, "join": _join}
        self._settings = EvalContext(self._environment)
        self._whole: set[str] = set()  # templates that need all that Jinja offers
        self._sources: dict[str, str] = {}
        self._kept: dict[tuple[Any, ...], str] = {}
        self._latest: dict[str, tuple[dict[str, Any], str]] = {}  # of those, of each template
        self._recent: dict[tuple[Any, ...], str] = {}
        self._hashes: dict[tuple[str, ...], str] = {}
        self._compiled: dict[str, Template] = {}
        self._forms: dict[str, str] = {}  # for ``%``, of templates that only insert values
        if folder is not None:
            self._check(folder)

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        """The text of a template, such as ``procbench/sort``, without outer blank lines.

        Raises:
            FileError: it does not exist, has an error, or names a value that is not given.
        """
        try:
            template = self._compiled.get(name) or self._template(name)
            if name in self._forms:
                try:
                    return (self._forms[name] % values).strip()
                except KeyError:  # not given, or Jinja's own
                    del self._forms[name]
            if name not in self._whole:
                try:
                    scope: Any = _Scope(values, self._settings)
                    return "".join(template.root_render_func(scope)).strip()
                except _TooLittleError:
                    self._whole.add(name)
            context = template.new_context(dict(values))
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
        latest = self._latest.get(name)
        if latest is not None and latest[0] == values:  # quicker than to make a key
            return latest[1]
        key = (name, *values, *values.values())
        text = self._kept.get(key)
        if text is None:
            text = self._kept[key] = self.render(name, values)
        self._latest[name] = dict(values), text
        return text

    def render_again(self, name: str, values: Mapping[str, Any]) -> str:
        """Like `render`; what was rendered of late from the same values is not rendered again."""
        key = (name, *values, *values.values())
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
        """One hash over the sources of some templates, 16 hexadecimal characters.

        What a template includes, extends or imports counts as well.
        """
        found = self._hashes.get(names)
        if found is None:
            sources = [self._source(name) for name in names]
            sources += [self._source(name) for name in self._referenced(names)]
            found = self._hashes[names] = digest(sources, size=8)
        return found

    def _referenced(self, names: Iterable[str]) -> Iterator[str]:
        """The templates that some others take in, directly or not, each once and in order."""
        seen, waiting = set(names), list(names)
        while waiting:
            name = waiting.pop(0)
            for other in self._references(self._source(name)):
                # Only a name that is worked out at rendering is not known: any may be meant.
                every = self._own() if other is None else [other.removesuffix(SUFFIX)]
                for each in every:
                    if each not in seen and self._exists(each):
                        seen.add(each)
                        waiting.append(each)
                        yield each

    def _references(self, source: str) -> list[str | None]:
        """Names of the templates that a source takes in; None for one worked out at rendering."""
        if not any(word in source for word in _TAKING):
            return []
        try:
            return list(find_referenced_templates(self._environment.parse(source)))
        except TemplateError:
            return []  # said where it is rendered

    def _own(self) -> list[str]:
        """Names of the templates in the user's folder, sorted."""
        if self.folder is None:
            return []
        held = sorted(self.folder.rglob(f"*{SUFFIX}"))
        return [path.relative_to(self.folder).as_posix().removesuffix(SUFFIX) for path in held]

    def _exists(self, name: str) -> bool:
        own = self.folder is not None and (self.folder / f"{name}{SUFFIX}").is_file()
        return own or self._packaged(name + SUFFIX) is not None

    def _check(self, folder: Path) -> None:
        """Makes sure that each file takes a template's place, or is taken in by another."""
        held = {path for place in self._packages for path in (folder / place).rglob("[!.]*")}
        held |= {*folder.glob(f"*{SUFFIX}"), *folder.glob(f"*/*{SUFFIX}")}
        names = [path.relative_to(folder).as_posix() for path in sorted(held) if path.is_file()]
        if not names:
            raise FileError(
                f"--templates {folder}: holds no template; give a folder with FAMILY/TASK{SUFFIX}"
            )
        taken: set[str | None] = set()
        for name in names:
            text = (folder / name).read_text(encoding="utf-8", errors="replace")
            taken.update(self._references(text))
        for name in names:
            if self._packaged(name) is None and not taken & {name, None}:
                raise FileError(
                    f"--templates {folder}: {name} takes no template's place"
                    f"{nearest(name, self._packaged_names())}; rename or remove it"
                )

    def _packaged_names(self) -> list[str]:
        """Every template of ours, as its file lies in a user's folder."""
        return sorted(
            f"{prefix}/{path.relative_to(folder).as_posix()}"
            for prefix, packages in self._packages.items()
            for package in packages
            for place in import_module(package).__path__
            for folder in (Path(place) / FOLDER,)
            for path in folder.rglob(f"*{SUFFIX}")
        )

    def _template(self, name: str) -> Template:
        template = self._environment.get_template(name + SUFFIX)
        form = _form(self._environment.parse(self._source(name)))
        if form is not None:
            self._forms[name] = form
        self._compiled[name] = template
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
                path = Path(place) / FOLDER / rest
                if path.is_file():
                    return path.read_text(encoding="utf-8"), str(path), None
        return None
