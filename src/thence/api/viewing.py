"""The view of runs in the browser.

>>> from thence.api.viewing import view
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from thence.api.given import path_of
from thence.core.bounds import check_whole


def view(runs: Sequence[str | Path], ready: Callable[[str], None], *, port: int = 0) -> None:
    """Serve a view of some runs to a browser on this machine, until it is interrupted.

    Nothing is changed but an index of each run, which is kept in its folder. A run that is being
    written is shown as far as it is.

    Args:
        runs: run directories, and folders that hold some.
        ready: called with the address, which holds a token, once the page can be opened.
        port: of this machine; 0 for any that is free.

    Raises:
        ParameterError: a path is no run and holds none, a run is of a newer version, or the port
            is taken.
        FileError: a run is damaged.
    """
    from thence.reporting.local_server import serve_here
    from thence.reporting.view_page import Viewer
    from thence.reporting.view_session import Session

    check_whole("port", port, 0, 65_535)
    session = Session([path_of("runs", each) for each in runs])
    try:
        serve_here(Viewer(session), ready, port)
    finally:
        session.close()
