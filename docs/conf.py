"""How `make docs` builds the site of these pages."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import made  # noqa: E402 - beside this file

project = "Thence"
author = "the Thence authors"
release = metadata.version("thence")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["examples"]

html_theme = "furo"
html_search_scorer = str(HERE / "scorer.js")
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_title = f"Thence {release}"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True
suppress_warnings = ["misc.highlighting_failure"]  # what a program prints is in no language


def setup(app: Any) -> None:
    """Fill in the parts of pages that are made of the product."""
    app.connect("source-read", _fill)


def _fill(_app: Any, _name: str, source: list[str]) -> None:
    source[0] = made.fill(source[0])
