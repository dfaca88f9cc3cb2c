"""Everything that can go wrong, in one small tree.

Each class names the boundary at which the failure happened; the text of an error names the thing,
the value and the mend in one line, because it is all that a user sees::

    ThenceError
    ├── UsageError        what the user asked for cannot be done as asked        exit 2
    │   ├── ParameterError  a parameter has a value that it does not take        exit 2
    │   │   └── ProtocolParameterError  a parameter of a protocol                exit 2
    │   ├── FileError     a file or folder that was given is not what it must be exit 2
    │   ├── NoQuestion    a user's file has no question of a kind                exit 2
    │   └── MissingExtra  an optional part is not installed                      exit 2
    ├── DiskError         the disk would not take or give what is ours           exit 3
    ├── WorkerError       a worker process ended in the middle of its work       exit 3
    └── ProviderError     the endpoint did not give a response                   data, not a crash
        ├── Unreachable   nobody answers at the address
        ├── Rejected      it will not serve this run at all: key, model, request
        └── Transient     it may well work a moment later: 429, 5xx, a time-out
"""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping
from math import log10

_SHOWN = 200  # characters of a value in an error, and bits of a number


class ThenceError(Exception):
    """Root of all errors that this library raises; its text names thing, value and mend.

    Attributes:
        exit_status: what the command ends with.

    Example:
        >>> import thence
        >>> try:
        ...     thence.generate("procbench/srot")
        ... except thence.ThenceError as error:
        ...     print(str(error).partition(" (")[0])
        unknown task 'procbench/srot'; did you mean 'procbench/sort'?
    """

    exit_status = 3

    def __str__(self) -> str:
        return one_line(self._text())

    def _text(self) -> str:
        return super().__str__()


class UsageError(ThenceError):
    """The user's request cannot be carried out as it stands.

    So it is with an endpoint whose first request shows that none can succeed: its address, key,
    model or time limit is what the user gave, or another kind of server answers there.
    """

    exit_status = 2


class ParameterError(UsageError):
    """A parameter was given a value that it does not take.

    The command line turns the name into the option that sets it.

    Attributes:
        name: of the parameter, as a keyword in Python.
        value: as given; None where the error is not about one value.
        reason: what is wrong with it and the mend, in a clause.

    Example:
        >>> import thence
        >>> try:
        ...     thence.questions("procbench", seed="1")
        ... except thence.ParameterError as error:
        ...     print(error.name, error.value)
        seed 1
    """

    def __init__(self, name: str, value: object, reason: str) -> None:
        super().__init__(name, value, reason)
        self.name = name
        self.value = value
        self.reason = reason

    def _text(self) -> str:
        given = self.name if self.value is None else f"{self.name}={self.shown}"
        return f"{given}: {self.reason}"

    @property
    def shown(self) -> str:
        """The value in one line."""
        parts = self.value if isinstance(self.value, tuple) else (self.value,)
        text = ",".join(map(_shown, parts))
        text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        return text if text.isprintable() else repr(text)


def _shown(value: object) -> str:
    """Return the text of a value; Python writes no number of thousands of digits."""
    if isinstance(value, int) and value.bit_length() > _SHOWN:
        return f"about {'-' * (value < 0)}10^{int(value.bit_length() * log10(2))}"
    return f"{value:g}" if isinstance(value, float) else str(value)


class ProtocolParameterError(ParameterError):
    """A parameter of a protocol was given a value that it does not take."""


class FileError(UsageError):
    """A file or folder that the user named is missing, malformed or of another kind."""


class NoQuestion(UsageError):
    """A user's file has no question of a kind; the others are asked all the same."""


class MissingExtra(UsageError):
    """A feature needs packages that an optional extra installs.

    Attributes:
        feature: what needs them, or several things with commas between.
        extra: name of the extra, or several with commas between.
        otherwise: another mend, in a clause; empty for none.
    """

    def __init__(self, feature: str, extra: str, otherwise: str = "") -> None:
        super().__init__(feature, extra, otherwise)
        self.feature = feature
        self.extra = extra
        self.otherwise = otherwise

    def _text(self) -> str:
        install = f"pip install 'thence[{self.extra}]', or '.[{self.extra}]' in a clone"
        otherwise = f"; {self.otherwise}" if self.otherwise else ""
        need = "need" if ", " in self.feature else "needs"
        return f"{self.feature} {need} the extra '{self.extra}': {install}{otherwise}"


class DiskError(ThenceError):
    """Writing or reading our own files failed: a full disk, a lost mount, a permission.

    What was written before it is whole: a file is replaced at once or not at all, and a run goes on
    where it stopped.

    Example:
        >>> import thence
        >>> issubclass(thence.DiskError, thence.ThenceError), thence.DiskError.exit_status
        (True, 3)
    """

    @classmethod
    def of(cls, place: object, error: OSError) -> DiskError:
        """Return what the operating system refuses at a place, with the mend where one is known."""
        reason = error.strerror or str(error)
        if error.errno == errno.ENOSPC:
            reason = "the disk is full"
        elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            reason += "; change its permissions, or choose another place"
        return cls(f"{place}: {reason}")


class WorkerError(ThenceError):
    """A worker process ended in the middle of its work."""


class ProviderError(ThenceError):
    """The endpoint gave no response; kept with the sample, never counted as a wrong answer.

    Attributes:
        kind: one word for the table of errors, such as ``timeout`` or ``rate_limit``.
        status: the HTTP status, or None where none came.
        retry_after: seconds that the endpoint asked to wait, or None.
        final: whether it is an answer that the endpoint may keep and give to a repeat, too.
        usage: ``input_tokens`` and ``output_tokens`` that it took all the same; None where unknown.

    Example:
        >>> import thence
        >>> def down(messages):
        ...     raise thence.ProviderError("overloaded", "come back tomorrow")
        >>> done = thence.run(thence.generate("catbench", size=6), down, out="down")
        >>> done.missing, done.progress.errors["overloaded"]
        (6, 6)
    """

    def __init__(
        self,
        kind: str,
        message: str,
        status: int | None = None,
        retry_after: float | None = None,
        usage: Mapping[str, int] | None = None,
        *,
        final: bool = False,
    ) -> None:
        super().__init__(kind, message, status, retry_after, usage)
        self.final = final
        self.message = message
        self.kind = kind
        self.status = status
        self.retry_after = retry_after
        self.usage = usage

    def _text(self) -> str:
        return self.message


class Unreachable(ProviderError):
    """No connection to the endpoint could be made."""


class Rejected(ProviderError):
    """The endpoint refused in a way that repeating cannot mend."""


class Transient(ProviderError):
    """The endpoint failed in a way that may pass."""


# Text that may be shown -------------------------------------------------------------------------

# Control characters but for tab and line end, soft hyphen, marks and overrides of direction,
# invisible characters, line separators, lone surrogates and tags.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    r"""Return a text in which what a terminal would obey is spelled out, such as ``\x1b``.

    Tabs and line ends stay.
    """
    if text.isprintable():
        return text
    return _UNSAFE.sub(_spelled, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return a printable text in one line."""
    return text if text.isprintable() else printable(" ".join(text.split()))


def _spelled(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
