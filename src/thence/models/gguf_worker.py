"""Process of llama.cpp's server, started by ``thence.models.gguf``.

Usage: ``python -m thence.models.gguf_worker PATH SLOTS CONTEXT THREADS``, with CONTEXT in tokens,
divided evenly among the slots. Prints one line, ``{"url": "http://127.0.0.1:PORT/v1"}``, once
the model answers; then serves until its standard input closes.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
from pathlib import Path
from typing import Any

SMALL = 64 << 20  # bytes of a file that one thread serves as fast as several
_ERRORS_ONLY = 1
_F32 = 0  # ggml's type
_OFF = 0


def exit_at_end_of(descriptor: int) -> None:
    """End this process at once when the other end of a pipe closes, for any reason.

    The other end must not write: on Linux, that ends this process too.
    """

    def watch() -> None:
        while os.read(descriptor, 1):
            pass
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    # Loading a model holds the interpreter's lock, for minutes if the model is large, and no thread
    # runs meanwhile. There the kernel's SIGIO, whose default is to end the process, does the work.
    if sys.platform == "linux":
        import fcntl  # other systems lack it

        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(descriptor, fcntl.F_SETOWN, os.getpid())
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_ASYNC)
        if select.select([descriptor], [], [], 0)[0]:  # it closed before the signal was armed
            os._exit(0)


def _parameters(path: Path, slots: int, context: int, threads: int) -> Any:
    """Return llama.cpp's parameters; those that are not named here keep their defaults."""
    from xllamacpp import CommonParams

    parameters = CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {path.stem}
    parameters.n_parallel = slots
    parameters.n_ctx = context
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams_batch.n_threads = threads
    parameters.verbosity = _ERRORS_ONLY
    parameters.port = 0  # the system chooses a free one
    parameters.cors_origins = "localhost"  # pages of other sites may not send requests
    parameters.endpoint_slots = False
    # By default prompts that were answered stay in up to 8 GiB of memory; here few come twice.
    parameters.cache_ram_mib = 0
    parameters.cache_idle_slots = False
    if path.stat().st_size < SMALL:
        # By default keys and values are kept in f16: of 200 replies of nano, ten became others.
        parameters.cache_type_k = parameters.cache_type_v = _F32
        parameters.flash_attn_type = _OFF
    return parameters


def main() -> None:
    """Serve the model that the arguments name."""
    path, *numbers = sys.argv[1:]
    slots, context, threads = map(int, numbers)
    exit_at_end_of(sys.stdin.fileno())
    # Only the one line may reach our reader, whatever native code prints.
    report = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    from xllamacpp import Server

    try:
        server = Server(_parameters(Path(path), slots, context, threads))
    except RuntimeError as error:
        sys.exit(str(error))  # llama.cpp has already written the cause to standard error
    line = json.dumps({"url": f"{server.listening_address}/v1"})
    os.write(report, line.encode() + b"\n")
    threading.Event().wait()  # for ever; Windows has no signal.pause


if __name__ == "__main__":
    main()
