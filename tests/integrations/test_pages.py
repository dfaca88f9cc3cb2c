"""The commands of the pages about other tools, run as they stand, each in a process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fake_endpoint import FakeEndpoint

DOCS = Path(__file__).parents[2] / "docs" / "guides"
PAGES = {  # the package that a page needs, and what its commands print
    "inspect": ("inspect_ai", ["accuracy", "1.000", "sample", "page.html", "log: run.eval"]),
    "lm_eval": ("lm_eval", ["thence_procbench", "no_answer"]),
    "every_eval_ever": ("every_eval_ever", ["record: records/data", "2 passed, 0 warning-only"]),
    "trackers": ("tensorboardX", ["tensorboard: thence/run"]),
    "verifiers": ("verifiers", ["correct 0.00", "no_answer 1.00", "8/8"]),
}


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    package, wanted = PAGES[page]
    pytest.importorskip(package)
    text = (DOCS / f"{page}.md").read_text("utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    script = "\n".join(line for line in lines if not line.startswith("pip install"))
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    given = {"PATH": programs, "HOME": str(tmp_path), "API_KEY": "none", "COLUMNS": "200"}
    with FakeEndpoint.in_thread() as endpoint:
        done = subprocess.run(
            ["bash", "-e", "-c", script.replace("http://127.0.0.1:8000/v1", endpoint.url)],
            cwd=tmp_path, text=True, check=False, capture_output=True,
            env={**os.environ, **given, "HF_HUB_OFFLINE": "1"},
        )  # fmt: skip
    shown = done.stdout + done.stderr
    assert done.returncode == 0, shown
    for each in wanted:
        assert each in shown, f"{each!r} is not in: {shown}"
    assert "Traceback" not in shown
