"""Page template with its functions that return markup: figures of tables, bars and outcomes."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from thence.analysis.summary import metric_title
from thence.core.score import Outcome
from thence.core.statistics import Estimate
from thence.core.table import Entry
from thence.reporting import charts, palette, svg
from thence.reporting.cell_text import columns, counts, parts
from thence.reporting.page_failures import ORDER
from thence.reporting.palette import Styles, shade
from thence.system.disk import replacing

_DIGITS = 3
_JOINT = re.compile(r"(?<=\w[/_])(?=\w)")
_BRIEF = 1500  # characters of a text that is shown without script
_SCRIPTS = ("page.js", "samples.js", "packed.js")


def write(path: Path, styles: Styles, **values: Any) -> None:
    """Write the page, with a policy that lets its own style sheet and script run and nothing else.

    Args:
        path: where to; an older page is replaced once this one is complete.
        styles: colours and shapes of the models.
        values: variables of the template.
    """
    written, _ = rendered("page.jinja", styles, _SCRIPTS, **values)
    with replacing(path) as part:
        part.write_text(written, encoding="utf-8", errors="replace")


def rendered(
    name: str, styles: Styles, scripts: Sequence[str], more: str = "", **values: Any
) -> tuple[str, str]:
    """Return a page and its policy.

    Args:
        name: of the template.
        styles: colours and shapes of the models.
        scripts: files of its script.
        more: further parts of the policy.
        values: variables of the template.
    """
    style = Markup(_style())
    script = Markup("(() => {\n" + "\n".join(map(resource, scripts)) + "})();\n")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; {more}"
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    template = environment(styles).get_template(name)
    return template.render(style=style, script=script, policy=policy, **values), policy


def macros(styles: Styles) -> Any:
    """Return the macros of the pages as functions."""
    return environment(styles).get_template("macros.jinja").module


def _style() -> str:
    light, dark = (palette.variables(dark=dark) for dark in (False, True))
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        "@media screen and (prefers-color-scheme: dark) { :root:not([data-theme=light]) "
        f"{{ color-scheme: dark; {dark} }} }}\n"
        f"@media screen {{ :root[data-theme=dark] {{ color-scheme: dark; {dark} }} }}\n"
        f"{palette.figure_style()}{resource('page.css')}"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def environment(styles: Styles) -> Environment:
    """Return the templates with their functions; other values are escaped."""
    made = Environment(
        loader=PackageLoader("thence.reporting", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    names = list(styles.names)
    made.globals.update(
        figure=_figure,
        share=lambda value: _figure(Estimate(value, math.nan, math.nan, 0)),
        percent=_percent,
        known=lambda value: not math.isnan(value),
        mix=_mix,
        bar=_bar,
        cell=_cell,
        joints=_joints,
        raw=_raw,
        columns=columns,
        counts=counts,
        brief=_brief,
        heading=metric_title,
        shade=_shade,
        draw=lambda table: charts.drawn(table, styles),
        key=lambda name: svg.small_mark(*styles.of(name)),
        place=lambda name: names.index(name) if name in names else "",
        run_of=lambda row: next((names.index(each) for each in row[:2] if each in names), None),
        is_printed=lambda row: any(
            isinstance(each, str) and each.endswith(palette.PAPER) for each in row[:2]
        ),
    )
    return made


def resource(name: str) -> str:
    """Return a file of this package."""
    return files("thence.reporting").joinpath(name).read_text(encoding="utf-8")


def _cell(entry: Entry, digits: int) -> Markup:
    """Return an entry with its interval in small print."""
    value, interval = parts(entry, digits)
    if not isinstance(entry, str):
        value = value.replace("-", "\N{MINUS SIGN}")
    if not interval:
        return escape(value)
    interval = interval.replace("-", "\N{MINUS SIGN}")
    return Markup('{} <span class="ci">{}</span>').format(value, interval)


def _joints(name: str) -> Markup:
    """Return a name that may be broken behind each ``/`` and ``_`` between letters."""
    return Markup(_JOINT.sub("<wbr>", escape(name)))


def _raw(entry: Entry) -> str:
    """Return an entry for sorting and CSV: a number, or value and interval; empty for words."""
    if isinstance(entry, Estimate):
        held = (entry.value, entry.low, entry.high)
        return " ".join("" if math.isnan(each) else f"{each:.6g}" for each in held)
    if isinstance(entry, float):
        return "" if math.isnan(entry) else f"{entry:.6g}"
    return str(entry) if isinstance(entry, int) else ""


def _shade(entry: Entry) -> str:
    """Return the class of a cell's colour, framed where it rests on few answers."""
    if isinstance(entry, Estimate) and not math.isnan(entry.value):
        return f"heat {shade(entry.value)}{' few' if entry.n < palette.FEW else ''}"
    if isinstance(entry, float) and 0 <= entry <= 1:
        return f"heat {shade(entry)}"
    return ""


def _brief(text: str | None) -> str:
    """Return a text, cut where it is long, for readers without script."""
    text = text or ""
    return text if len(text) <= _BRIEF else f"{text[:_BRIEF]}\n[... {len(text) - _BRIEF:,} more]"


def _percent(estimate: Estimate) -> Markup:
    """Return a share with its interval as percentages."""
    if math.isnan(estimate.value):
        return Markup("&ndash;")
    if math.isnan(estimate.low):
        return Markup("{:.1f}").format(100 * estimate.value)
    return Markup('{:.1f} <span class="ci">{:.0f}&ndash;{:.0f}</span>').format(
        100 * estimate.value, 100 * estimate.low, 100 * estimate.high
    )


def _figure(estimate: Estimate) -> Markup:
    return _cell(estimate, _DIGITS) or Markup("&ndash;")


def _bar(estimate: Estimate, chance: float) -> Markup:
    """Return a bar of a share from 0 to 1 with its interval, and a mark at chance."""
    if math.isnan(estimate.low):
        return Markup("")
    value, low, high = (
        100 * max(0.0, min(1.0, x)) for x in (estimate.value, estimate.low, estimate.high)
    )
    made = Markup(
        '<svg class="small" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" '
        'aria-label="{:.3f}"><rect class="s-band" y="1" width="100" height="8"/>'
        '<rect class="s-bar" y="1" width="{:.2f}" height="8"/>'
        '<rect class="s-range" x="{:.2f}" y="4" width="{:.2f}" height="2"/>{}</svg>'
    )
    mark = Markup("")
    if not math.isnan(chance):
        mark = Markup('<rect class="s-chance" x="{:.2f}" width=".8" height="10"/>').format(
            min(99.2, 100 * chance)
        )
    return made.format(estimate.value, value, low, max(0.6, high - low), mark)


def _mix(outcomes: Mapping[str, int]) -> Markup:
    """Return a bar whose parts are the outcomes."""
    total = sum(outcomes.values()) or 1
    held = [(name, outcomes.get(Outcome(name), 0)) for name in ORDER]
    label = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in held if count)
    x, slabs = 0.0, []
    for name, count in held:
        slabs.append(
            Markup('<rect class="o-{}" x="{:.2f}" width="{:.2f}" height="10"/>').format(
                name, x, 100 * count / total
            )
        )
        x += 100 * count / total
    drawn = Markup("").join(slab for slab, (_, count) in zip(slabs, held, strict=True) if count)
    return Markup(
        '<svg class="small mix" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" '
        'aria-label="{0}"><title>{0}</title>{1}</svg>'
    ).format(label, drawn)
