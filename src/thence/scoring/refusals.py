"""Refusals in words: replies that hold no answer and say that none will come."""

from __future__ import annotations

import re

from thence.core.reply_text import visible

_MOST = 200  # characters in which a refusal begins
_SORRY = (
    r"(?:(?:i['\u2019]m|i am) (?:\w+ )?sorry|(?:i )?apologi[sz]e|sorry|unfortunately"
    r"|as an ai[^.,]{0,60})[,.]? (?:but )?"
)
_CANNOT = (
    r"(?:i (?:can['\u2019]t|cannot|can not|won['\u2019]t|will not)"
    r"|(?:i am|i['\u2019]m) (?:not able|unable) to|i must decline to)"
)
_DO = "(?:help|assist|comply|answer|provide|fulfil|complete|continue|respond|engage|do)"
_REFUSAL = re.compile(
    rf"\W*(?:{_SORRY})?(?:{_CANNOT} (?:\w+ly )?{_DO}\b|i (?:refuse|decline)\b)", re.IGNORECASE
)


def is_refusal(text: str) -> bool:
    """Tell whether a reply without a readable answer begins by refusing in words."""
    return _REFUSAL.match(visible(text).lstrip()[:_MOST]) is not None
