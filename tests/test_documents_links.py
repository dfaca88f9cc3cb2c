"""Every link and anchor within README, CONTRIBUTING, CHANGELOG and docs leads somewhere."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.documents import DOCS, PAGES, made, name_of

LINK = re.compile(r"!?\[[^\]]*\]\((?!https?:|mailto:)<?([^)>#\s]*)(?:#([^)>\s]+))?>?\)")


@cache
def text_of(path: Path) -> str:
    """The page with its made parts and included files, without blocks of code."""
    text = made.fill(path.read_text("utf-8"))
    for name in re.findall(r"^```\{include\} (\S+)$", text, re.MULTILINE):
        text += (path.parent / name).read_text("utf-8")
    return re.sub(r"^( *)(```+|~~~+).*?^\1\2 *$", "", text, flags=re.MULTILINE | re.DOTALL)


@cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a page, made of its headings as GitHub and MyST make them."""
    found: dict[str, int] = {}
    names = set()
    for heading in re.findall(r"^#{1,4} (.+)$", text_of(path), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
        names.add(slug if not found[slug] else f"{slug}-{found[slug]}")
    return frozenset(names)


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_what_a_page_points_at_is_there(path: Path) -> None:
    if path.parent == DOCS and "{include}" in path.read_text("utf-8"):
        return  # it is looked at where it lies
    for target, anchor in LINK.findall(re.sub(r"`[^`\n]*`", "", text_of(path))):
        place = (path.parent / target).resolve() if target else path
        assert place.exists(), f"{path.name}: {target}"
        if anchor:
            assert anchor in anchors(place), f"{path.name}: {target}#{anchor}"


def test_a_page_that_is_not_there_and_a_heading_that_is_not_are_seen() -> None:
    assert LINK.findall("[a](b.md#c) ![d](e.svg) [f](#g) [h](https://i)") == [
        ("b.md", "c"), ("e.svg", ""), ("", "g"),
    ]  # fmt: skip
    assert "the-form-of-a-file" in anchors(DOCS / "guides" / "analyze.md")
    assert "thence-run" in anchors(DOCS / "reference" / "commands.md")


def test_every_page_of_the_docs_is_in_the_contents_once() -> None:
    filled = {path: made.fill(path.read_text("utf-8")) for path in DOCS.rglob("*.md")}
    listed = [
        (path.parent / name).resolve()
        for path, text in filled.items()
        for block in made.TREE.findall(text)
        for name in block.split()
        if not name.startswith(":")
    ]
    titles = {"Start", "Guides", "Concepts", "Reference", "More"}
    pages = [each for each in listed if each.name not in titles]
    assert sorted(pages) == sorted(
        path.with_suffix("") for path in filled if path != DOCS / "index.md"
    )
