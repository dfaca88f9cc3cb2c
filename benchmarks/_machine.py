"""Description of the machine that ran a benchmark, in one line before the figures.

An interpreter built without profile-guided optimisation takes up to twice as long for the same
work, and other load on the machine increases even CPU seconds. A figure says little without both.
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
    """Return whether the interpreter reports a build with profile-guided optimisation.

    Debian's interpreter does not report it, although it has it: there the loop time shows it.
    """
    held = " ".join(str(sysconfig.get_config_var(name) or "") for name in _FLAGS)
    return any(flag in held for flag in _OPTIMISED)


def empty_turn() -> float:
    """Return the CPU nanoseconds of one turn of an empty loop, the best of 3."""
    taken = []
    for _ in range(3):
        begun = time.process_time()
        for _ in range(_TURNS):
            pass
        taken.append(time.process_time() - begun)
    return min(taken) / _TURNS * 1e9


def tell() -> None:
    """Print one line with the interpreter, its present speed and the load of the machine."""
    how = "with profile-guided optimisation" if optimised() else "by default options"
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    print(
        f"Python {platform.python_version()} configured {how}, "
        f"{empty_turn():.0f} ns a turn of an empty loop, load {load:.1f} on {cores} core(s)",
        flush=True,
    )


if __name__ == "__main__":
    tell()
