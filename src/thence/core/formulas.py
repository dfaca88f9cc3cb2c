"""Cells of a spreadsheet that hold text, kept from being run as formulas when the file is opened.

A CSV file has no types: a program takes a cell that begins with = + - @ or a control character for
a formula, also behind blanks and quotes (OWASP, CSV injection). An apostrophe before it makes it
text; that can be undone without loss, so that a sheet which comes back holds what was written.
"""

from __future__ import annotations

import re

_FORMULA = re.compile("[\\s\"'\\x00-\\x20\\ufeff\\u200b]*[=+\\-@＝＋－＠]|[\"' ]*[\\t\\r\\n]")  # noqa: RUF001 - they count
_NUMBER = re.compile(r"[+-]?([0-9]+([.,][0-9]+)*|[.,][0-9]+)([eE][+-]?[0-9]+)?%?")
_MARK = "'"


def is_formula(text: str) -> bool:
    """Whether a program may take a text for a formula; a number is none."""
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None


def disarmed(text: str) -> str:
    """Return a text with an apostrophe before it where it may be taken for a formula."""
    return _MARK + text if is_formula(text) else text


def restored(text: str) -> str:
    """Return the text of a cell as it was before `disarmed`."""
    return text[1:] if text.startswith(_MARK) and is_formula(text[1:]) else text
