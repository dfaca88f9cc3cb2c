"""Contents of ``run.json``: what a run was asked to do, and what it came to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import NoneType
from typing import Any, Self

from thence.core.bounds import MOST_EPOCHS
from thence.core.digest import digest
from thence.core.prices import Prices, are_prices
from thence.core.score import REDUCTIONS
from thence.errors import FileError
from thence.prompts.catalog import protocol
from thence.prompts.protocol import Composed
from thence.system.version import VERSION

_SHORT = 80  # characters of a value that an error shows


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """Request of a run: what it was asked to do. Runs of equal requests are the same run.

    Attributes:
        samples: which samples: tasks with their seed, sizes and parameters, or files by their
            SHA-256.
        model: ``PROVIDER/NAME``.
        protocol: how it was asked.
        set_protocol: parameters of the protocol.
        epochs: repeats of each sample.
        generation: what shapes the replies: temperature, top_p, max_tokens and so on; None: the
            endpoint's.
        templates: hash of the user's own templates; empty for none.
    """

    samples: Mapping[str, Any]
    model: str
    protocol: str
    set_protocol: Mapping[str, str]
    epochs: int
    generation: Mapping[str, Any]
    templates: str

    @property
    def fingerprint(self) -> str:
        """Hash that identifies a run; more epochs of a run are more of the same run."""
        return digest({**self.to_json(), "epochs": None}, size=8)

    @property
    def composed_protocol(self) -> Composed:
        """The protocol with its parameters.

        Raises:
            UsageError: this version has no such protocol or parameter.
        """
        return protocol(self.protocol, self.set_protocol)

    def to_json(self) -> dict[str, Any]:
        """Return the object of the file."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Return the request of an object.

        Raises:
            KeyError: a field that every request has is missing.
            TypeError: a field is of another kind.
        """
        return cls(
            samples=_kind(row["samples"], dict),
            model=_kind(row["model"], str),
            protocol=_kind(row["protocol"], str),
            set_protocol=_all(row.get("set_protocol", {}), str),
            epochs=row["epochs"],
            generation=_kind(row.get("generation", {}), dict),
            templates=_kind(row.get("templates", ""), str),
        )


@dataclass(frozen=True, kw_only=True)
class RunInformation:
    """``run.json``: what was asked, and what it came to.

    Attributes:
        thence: version that wrote the file.
        fingerprint: hash of ``request``, by which the same command knows its run.
        identity: random name of this very run, which tells it from the same one made elsewhere.
        request: what was asked.
        versions: version of each task; scores of other first numbers do not compare.
        reduce: how epochs become one score.
        accept_errors: whether provider errors are left out instead of being tried again.
        address: address of the endpoint without keys; None for models in this process.
        comparable: False where the request gave the model tools.
        samples: number of samples.
        samples_sha256: SHA-256 of ``samples.jsonl``.
        conversations: how many there are (``all``: samples times epochs), and how many came to
            their end (``done``); None until the command stops.
        responses: lines of ``responses.jsonl``; None until the command stops.
        responses_sha256: SHA-256 of ``responses.jsonl``, once all conversations came to their end.
        usage: tokens of all responses, failed attempts included: ``input_tokens`` of prompts,
            cached ones too, and ``output_tokens`` of replies, with thinking that is billed; None
            until the command stops.
        usd_per_million_tokens: prices that ``--price`` gave: ``input``, ``output``, ``cached``.
        cost_usd: cost by these prices; None where there are none.
    """

    thence: str = VERSION
    fingerprint: str
    identity: str = ""
    request: RunRequest
    versions: Mapping[str, str]
    reduce: str = "mean"
    accept_errors: bool = False
    address: str | None = None
    comparable: bool = True
    samples: int
    samples_sha256: str | None = None
    conversations: Mapping[str, int] | None = None
    responses: int | None = None
    responses_sha256: str | None = None
    usage: Mapping[str, Any] | None = None
    usd_per_million_tokens: Mapping[str, float] | None = None
    cost_usd: float | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all conversations came to their end."""
        had = self.conversations or {}
        return 0 < self.samples * self.request.epochs == had.get("all") == had.get("done")

    @property
    def prices(self) -> Prices | None:
        """Prices of tokens; None where nothing is known."""
        told = self.usd_per_million_tokens
        return None if told is None else Prices(*_values(told))

    @classmethod
    def read(cls, text: bytes, file: Path) -> Self:
        """Return the contents of a file.

        Args:
            text: the bytes of the file.
            file: its name, for errors.

        Raises:
            FileError: it was not written by us, or was damaged since.
        """
        try:
            found = cls._from_json(json.loads(text))
            told = found.usd_per_million_tokens
            prices = None if told is None else _values(told)
        except (ValueError, AttributeError, LookupError, TypeError, RecursionError) as error:
            raise FileError(
                f"{file}: damaged or not written by thence; take it from a copy, or run again "
                "with overwrite=True"
            ) from error
        if prices is not None and not are_prices(prices):
            raise FileError(
                f"{file}: usd_per_million_tokens: must hold two prices, input and output, or be "
                "null; take it from a copy, or run again"
            )
        _check_epochs(found.request.epochs, file)
        return found

    @classmethod
    def _from_json(cls, row: Mapping[str, Any]) -> Self:
        """Return the contents of an object, in which what a stopped run has not told may lack."""
        get = row.get
        if (reduce := get("reduce", REDUCTIONS[0])) not in REDUCTIONS:
            raise ValueError(reduce)
        return cls(
            thence=_kind(get("thence", ""), str),
            fingerprint=_kind(row["fingerprint"], str),
            identity=_kind(get("identity", ""), str),
            request=RunRequest.from_json(row["request"]),
            versions=_all(row["versions"], str),
            reduce=reduce,
            accept_errors=_kind(get("accept_errors", False), bool),
            address=_kind(get("address"), str, NoneType),
            comparable=_kind(get("comparable", True), bool),
            samples=_count(row["samples"]),
            samples_sha256=_kind(get("samples_sha256"), str, NoneType),
            conversations=_counts(get("conversations")),
            responses=_count(get("responses") or 0) if get("responses") is not None else None,
            responses_sha256=_kind(get("responses_sha256"), str, NoneType),
            usage=_kind(get("usage") or None, dict, NoneType),
            usd_per_million_tokens=get("usd_per_million_tokens"),
            cost_usd=_kind(get("cost_usd"), int, float, NoneType),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the object of the file."""
        held = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**held, "request": self.request.to_json()}


def _kind(value: Any, *kinds: type) -> Any:
    """Return a value of one of some types.

    Raises:
        TypeError: it is of another one; a bool is no number.
    """
    if type(value) not in kinds:
        raise TypeError(type(value))
    return value


def _all(held: Any, kind: type) -> dict[str, Any]:
    """Return a mapping whose values are all of one type.

    Raises:
        TypeError: it is none.
    """
    return {name: _kind(value, kind) for name, value in _kind(held, dict).items()}


def _count(value: Any) -> int:
    """Return a count.

    Raises:
        TypeError: it is no whole number.
        ValueError: it is below 0.
    """
    if (count := _kind(value, int)) < 0:
        raise ValueError(count)
    return int(count)


def _counts(held: Any) -> dict[str, int] | None:
    """Return counts by name; None where there is none."""
    return {name: _count(value) for name, value in _all(held, int).items()} if held else None


def _values(told: Mapping[str, float]) -> tuple[float, ...]:
    """Return the prices of an object of prices, unchecked."""
    known = ("input", "output", "cached") if "cached" in told else ("input", "output")
    return tuple(told[name] for name in known)


def _check_epochs(epochs: object, file: Path) -> None:
    """Refuse a number of epochs that no run has.

    Raises:
        FileError: naming the number.
    """
    if type(epochs) is not int or not 1 <= epochs <= MOST_EPOCHS:
        shown = repr(epochs)[:_SHORT] if isinstance(epochs, int | float | str) else "an object"
        raise FileError(
            f"{file}: request.epochs = {shown}: must be a number from 1 to {MOST_EPOCHS:,}"
        )
