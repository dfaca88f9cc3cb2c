"""Arguments of a run as a caller gives them, checked."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thence.api.asked import Asked, source_of
from thence.api.dataset import Dataset
from thence.api.given import folder_of, path_of, protocol_of, settings_of, short, text_of
from thence.engine import session
from thence.engine.run_config import Limits, RunConfig
from thence.engine.session import PreparedRun
from thence.errors import ParameterError
from thence.models.base import Model, Sampling
from thence.models.function import Function, FunctionModel

type AnyModel = str | Model | Function
"""``PROVIDER/NAME``, a model, or a function from messages to text or a `Reply`."""


@dataclass(frozen=True, kw_only=True)
class RunArguments:
    """The arguments of `thence.run` and `thence.run_async`, which describe them."""

    questions: Asked
    model: AnyModel
    protocol: str
    settings: Mapping[str, Any] | None
    epochs: int
    reduce: str
    sampling: Sampling
    limits: Limits
    base_url: str | None
    name: str | None
    templates: str | Path | None
    out: str | Path | None
    overwrite: bool

    def prepared(self) -> PreparedRun:
        """Return the run that they ask for.

        Raises:
            ParameterError: a value that is not taken, or a directory that holds another run.
        """
        for kind, value in ((Sampling, self.sampling), (Limits, self.limits)):
            if not isinstance(value, kind):
                what = f"must be thence.{kind.__name__}(...)"
                raise ParameterError(kind.__name__.lower(), short(value), what)
        if self.base_url is not None:
            text_of("base_url", self.base_url, "the address of an endpoint")
        asked = model_of(self.model, self.name)
        folder = folder_of(self.templates)
        if folder is None and isinstance(self.questions, Dataset):
            folder = self.questions.templates
        settings = {} if self.settings is None else self.settings
        config = RunConfig(
            source=source_of(self.questions),
            model=asked,
            protocol=self.protocol,
            protocol_settings=settings_of(protocol_of(self.protocol), settings),
            epochs=self.epochs,
            reduce=self.reduce,
            sampling=self.sampling,
            limits=self.limits,
            base_url=self.base_url,
            templates=folder,
            folder=None if self.out is None else path_of("out", self.out),
            overwrite=self.overwrite,
        )
        try:
            return session.prepare(config)
        except ParameterError as error:
            unnamed = isinstance(asked, FunctionModel) and self.name is None
            if error.name != "out" or not unnamed or config.model_name not in error.reason:
                raise
            reason = f"{error.reason}; name=NAME tells functions apart by that name alone"
            raise ParameterError(error.name, error.value, reason) from error


def model_of(model: AnyModel, name: Any) -> str | Model:
    """Return the model that a caller gives, checked.

    Raises:
        ParameterError: it is none, or one that cannot be asked.
    """
    given: Any = model
    if name is not None and (isinstance(given, str | Model) or not callable(given)):
        raise ParameterError("name", short(name), "is for a model that is a function; leave it out")
    if name is not None and (not isinstance(name, str) or not name.strip()):
        raise ParameterError("name", short(name), "must be text that is not empty")
    if isinstance(given, str):
        return given
    if isinstance(given, Model):
        called = getattr(given, "name", None)
        if not isinstance(called, str) or not called:
            raise ParameterError("model", short(given), "has no name; set name = 'PROVIDER/NAME'")
        if not inspect.iscoroutinefunction(given.complete):
            raise ParameterError("model", called, "has no coroutine: write async def complete")
        return given
    if not callable(given):
        reason = "must be PROVIDER/NAME, a Model or a function"
        raise ParameterError("model", short(given), reason)
    return FunctionModel(given, name)
