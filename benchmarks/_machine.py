"""What the figures of these programs were taken on, in one line that stands before them.

An interpreter built without profile-guided optimisation takes up to twice as long for the same
work, and other work on the machine lengthens even the processor's own seconds. A figure says
little without both.
"""

from __future__ import annotations

import os
import platform
import sysconfig
import time

_TURNS = 1_000_000
_FLAGS = ("CONFIG_ARGS", "PY_CORE_CFLAGS")
_OPTIMISED = ("--enable-optimizations", "-fprofile-use", "-fprofile-instr-use")


def optimised() -> bool:
    """Whether the interpreter says that it was built with profile-guided optimisation.

    Debian's does not, although it is: there the time of an empty turn tells.
    """
    held = " ".join(str(sysconfig.get_config_var(name) or "") for name in _FLAGS)
    return any(flag in held for flag in _OPTIMISED)


def empty_turn() -> float:
    """Nanoseconds of the processor that a turn of an empty loop takes just now, the best of 3."""
    taken = []
    for _ in range(3):
        begun = time.process_time()
        for _ in range(_TURNS):
            pass
        taken.append(time.process_time() - begun)
    return min(taken) / _TURNS * 1e9


def tell() -> None:
    """Prints the line: the interpreter, its speed here and now, how busy the machine is."""
    how = "with profile-guided optimisation" if optimised() else "by default options"
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    print(
        f"Python {platform.python_version()} configured {how}, "
        f"{empty_turn():.0f} ns a turn of an empty loop, load {load:.1f} on {cores} core(s)",
        flush=True,
    )


if __name__ == "__main__":
    tell()
