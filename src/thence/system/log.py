"""The logger of the library; it is silent unless its user adds a handler."""

from __future__ import annotations

import logging

NAME = "thence"

logging.getLogger(NAME).addHandler(logging.NullHandler())


def logger(part: str) -> logging.Logger:
    """Return the logger of a part of the library, such as ``plans``."""
    return logging.getLogger(f"{NAME}.{part}")
