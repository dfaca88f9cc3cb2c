"""Where a bar is shown, and where lines are."""

from __future__ import annotations

import builtins
import sys

import pytest

from thence.reporting import progress_display


class ZMQInteractiveShell:
    """Stands for the shell of a notebook, which rich knows by this name."""


@pytest.mark.parametrize(("notebook", "widgets"), [(True, True), (True, False), (False, True)])
def test_a_notebook_with_widgets_shows_a_bar(
    notebook: bool, widgets: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []
    monkeypatch.setattr(progress_display, "find_spec", lambda name: widgets or None)
    for name in ("_show_bar", "_print_lines"):
        monkeypatch.setattr(progress_display, name, lambda *given, name=name: shown.append(name))
    if notebook:
        monkeypatch.setitem(sys.modules, "IPython", sys)
        monkeypatch.setattr(builtins, "get_ipython", ZMQInteractiveShell, raising=False)
    with progress_display.show_work("work"):
        pass
    assert shown == ["_show_bar" if notebook and widgets else "_print_lines"]
