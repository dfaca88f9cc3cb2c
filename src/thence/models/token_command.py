"""Bearer tokens that a command prints, such as ``gcloud auth print-access-token``."""

from __future__ import annotations

import asyncio
import re
import shlex

from thence.errors import ParameterError

_PATIENCE = 120.0  # seconds


class TokenCommand:
    """Source of tokens: the last line that a command prints; it is run again for a new one.

    Raises:
        ParameterError: a command that no shell could split, or none.
    """

    def __init__(self, command: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise ParameterError("auth_command", command, f"{error}; mend its quotes") from error
        if not self._words:
            raise ParameterError("auth_command", command, "must be a command that prints a token")
        self._command = command
        self._token: str | None = None
        self._turn = asyncio.Lock()

    async def token(self, refused: str | None = None) -> str:
        """Return a token, another one than that which was refused.

        Raises:
            ParameterError: the command failed, or printed no token.
        """
        async with self._turn:
            if self._token is None or self._token == refused:
                self._token = await self._run()
            return self._token

    async def _run(self) -> str:
        """Return what the command prints now."""
        try:
            started = await asyncio.create_subprocess_exec(
                *self._words,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            raise self._failed(f"cannot be started: {error.strerror or error}") from error
        try:
            async with asyncio.timeout(_PATIENCE):
                out, err = await started.communicate()
        except TimeoutError as error:
            raise self._failed(f"printed no token within {_PATIENCE:g} s") from error
        finally:
            if started.returncode is None:
                started.kill()
        said = err.decode(errors="replace").split("\n")[0].strip()[:200]
        if started.returncode:
            raise self._failed(f"ended with status {started.returncode}{said and f': {said}'}")
        lines = out.decode(errors="replace").split("\n")
        token = next((line.strip() for line in reversed(lines) if line.strip()), "")
        if not re.fullmatch("[!-~]+", token):
            raise self._failed("must print a token, without blanks, as its last line")
        return token

    def _failed(self, reason: str) -> ParameterError:
        return ParameterError("auth_command", self._command, reason)
