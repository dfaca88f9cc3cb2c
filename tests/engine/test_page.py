"""Names and replies are hostile: neither a page nor a terminal takes them for anything but text."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.command import samples, thence
from tests.fake_endpoint import Answer, FakeEndpoint
from thence.core.results import Results
from thence.engine.directory import RunDirectory
from thence.engine.session import results
from thence.reporting.overview import print_models
from thence.reporting.page import Contents, ShownRun, write_page

EVIL = "</title></style><script>alert('x')</script><img src=x onerror=alert(1)>&amp;\"' {{ 7 * 7 }}"


def evil_run() -> Results:
    """A run whose model's name and replies are full of markup."""
    samples()
    with FakeEndpoint.in_thread(lambda body, count: Answer(EVIL)) as fake:
        thence("run", "samples.jsonl", "--model", f"x/{EVIL}", "--base-url", fake.url, "-o", "run")
    return results(RunDirectory(Path("run")))


class Reader(HTMLParser):
    """The elements, attributes and text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_page_escapes_what_it_did_not_write() -> None:
    found = evil_run()
    found.notes.append(f"A note: {EVIL}")
    plain = Results("x/plain", frames=found.frames)
    plain.notes.append("A note.")
    write_page(Path("page.html"), Contents(f"Of {EVIL}", f"From {EVIL}", [ShownRun(found)]))
    write_page(Path("plain.html"), Contents("Of", "From", [ShownRun(plain)]))
    pages = []
    for name in ("page.html", "plain.html"):
        reader = Reader()
        reader.feed(Path(name).read_text())
        pages.append(reader)
    page, harmless = pages
    assert page.tags == harmless.tags
    assert page.attributes == harmless.attributes
    assert page.text.count(EVIL) >= 5  # twice the title, the lead, the model, the note
    assert "49" not in page.text.replace(EVIL, "").split()


def test_a_terminal_shows_names_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    model = "x/[bold red]m[/bold red][/]"
    with FakeEndpoint.in_thread() as fake:
        samples()
        done = thence("run", "samples.jsonl", "--model", model, "--base-url", fake.url, "-o", "run")
    assert done.out.startswith(f"{model}\n")
    assert "\x1b" not in done.out
    found = results(RunDirectory(Path("run")))
    print_models([found, Results("baseline/x", frames=found.frames)])
    assert model in capsys.readouterr().out
