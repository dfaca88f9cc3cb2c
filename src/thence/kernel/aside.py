"""Work in a process of its own that shares what is in memory already."""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def aside[Found](work: Callable[[], Found], *, worth: bool = True) -> Callable[[], Found]:
    """Begins some work beside this process; what is returned waits for its result.

    The work must change nothing that others see and draw nothing at random, so that where it is
    done makes no difference. Where no process can be had, or its result does not arrive, it is done
    here when it is asked for; so it is if it fails, for the error to be met here.

    Args:
        work: takes nothing and returns what can be pickled.
        worth: whether it takes longer than a process of its own does.
    """
    if not (worth and sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1):
        return work
    try:
        reader, writer = os.pipe()
        with warnings.catch_warnings():  # threads of libraries are none of the child's concern
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
    except OSError:
        return work
    if not child:
        os.close(reader)
        _send(work, writer)
    os.close(writer)

    def found() -> Found:
        with os.fdopen(reader, "rb") as file:
            sent = file.read()
        _, status = os.waitpid(child, 0)
        if status or not sent:
            return work()
        result: Found = pickle.loads(sent)
        return result

    return found


def _send(work: Callable[[], Any], writer: int) -> None:
    """Does the work in the child, which ends here: nothing of the parent's is flushed or closed."""
    status = 1
    with suppress(BaseException):
        made = pickle.dumps(work(), pickle.HIGHEST_PROTOCOL)
        with os.fdopen(writer, "wb") as file:
            file.write(made)
        status = 0
    os._exit(status)
