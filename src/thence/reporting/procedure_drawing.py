"""Drawings of a procedure as SVG: its facts from step to step, and its executions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from markupsafe import Markup

from thence.core.graph import members
from thence.dataflow.flow import Flow, Role
from thence.dataflow.worlds import worlds
from thence.reporting import svg

_ROW, _COLUMN, _MARGIN = 26.0, 24.0, 12.0
_WIDEST, _LONGEST = 430.0, 250.0  # pixels of the text of a step, and of the name of a fact
_MOST = 30  # executions that are drawn
_HUES = 12


def draw_facts(flow: Flow) -> str:
    """Return a figure of the steps, with a line for each fact from where it is made to its end.

    A dot makes the fact, a ring uses it, a bar ends it. Facts that hold at the start come from
    above. Steps stand in the canonical order.
    """
    facts = _facts(flow)
    texts = [_label(flow, step) for step in flow.canonical]
    left = min(_WIDEST, max(map(svg.width_of, texts))) + 2 * _MARGIN
    top = min(_LONGEST, max((svg.width_of(fact) for fact in facts), default=0.0)) + 2 * _MARGIN
    bottom = top + _ROW * len(texts)
    width = left + _COLUMN * len(facts) + _MARGIN
    parts = []
    for place, text in enumerate(texts):
        y = top + _ROW * (place + 0.5)
        parts.append(svg.line(_MARGIN, y + _ROW / 2, width - _MARGIN, y + _ROW / 2, "grid"))
        parts.append(svg.text(_MARGIN, y, svg.cut(text, _WIDEST), told=text))
    for place, fact in enumerate(facts):
        x = left + _COLUMN * (place + 0.5)
        name = svg.cut(fact, _LONGEST)
        parts.append(svg.text(x, top - _MARGIN, name, told=fact, turned=True))
        parts.append(svg.element("g", *_line(flow, fact, x, top), cls=f"m{place % _HUES}"))
    title = f"{flow.procedure.goal}: steps, and the facts between them"
    return svg.alone(svg.figure(width, bottom + _MARGIN, title, *parts))


def draw_executions(flow: Flow) -> str:
    """Return a figure of the executions of a procedure, a row each, the first of them if many."""
    found = list(islice(_executions(flow), _MOST + 1))
    rows = found[:_MOST]
    texts = [_label(flow, step) for step in flow.canonical]
    longest = max(map(len, rows))
    left = min(_WIDEST, max(map(svg.width_of, texts))) + 4 * _MARGIN
    parts = [
        svg.text(_MARGIN, _MARGIN + _ROW * (place + 0.5), svg.cut(text, _WIDEST), told=text)
        for place, text in enumerate(texts)
    ]
    for row, execution in enumerate(rows):
        y = _MARGIN + _ROW * (row + 0.5)
        ends = left + _COLUMN * (len(execution) - 0.5)
        parts.append(svg.line(left + _COLUMN / 2, y, ends, y, "grid"))
        for place, step in enumerate(execution):
            x = left + _COLUMN * (place + 0.5)
            told = flow.steps[step].text
            circle = svg.element("circle", cx=x, cy=y, r=9, cls="dot", told=told)
            number = svg.text(x, y, str(step + 1), "middle", "on")
            parts.append(svg.element("g", circle, number, cls=f"m{step % _HUES}"))
    height = 2 * _MARGIN + _ROW * max(len(rows) + (len(found) > _MOST), len(texts))
    if len(found) > _MOST:
        parts.append(svg.text(left, _MARGIN + _ROW * (_MOST + 0.5), "and others", cls="soft"))
    title = f"{flow.procedure.goal}: steps, and the orders in which they may be done"
    return svg.alone(svg.figure(left + _COLUMN * longest + _MARGIN, height, title, *parts))


def _label(flow: Flow, step: int) -> str:
    when = ", ".join(f"{choice}: {option}" for choice, option in flow.steps[step].when)
    return f"{step + 1}. {f'[{when}] ' if when else ''}{flow.steps[step].text}"


def _facts(flow: Flow) -> list[str]:
    """Return the facts in the order in which steps name them; those at the start come first."""
    named = [
        fact
        for step in flow.canonical
        for role in (Role.USE, Role.KILL, Role.DEFINE)
        for fact in flow.facts_by_step(role)[step]
    ]
    return list(dict.fromkeys([*(fact for fact in named if fact in flow.start), *named]))


def _line(flow: Flow, fact: str, x: float, top: float) -> Iterator[Markup]:
    """Yield the line of a fact with its marks."""
    begin = top - _MARGIN / 2 if fact in flow.start else None
    marks = []
    for place, step in enumerate(flow.canonical):
        y = top + _ROW * (place + 0.5)
        used, killed, made = (
            fact in flow.facts_by_step(role)[step] for role in (Role.USE, Role.KILL, Role.DEFINE)
        )
        if used:
            marks.append(svg.mark("hollow", x, y, told=f"uses {fact}"))
        if (killed or made) and begin is not None:
            yield svg.line(x, begin, x, y, "path")
            begin = None
        if killed and not made:
            bar = svg.line(x - 6, y + 7, x + 6, y + 7, "path")
            yield svg.line(x, y, x, y + 7, "path")
            yield svg.element("g", bar, told=f"ends {fact}")
        if made:
            marks.append(svg.mark("circle", x, y, told=f"makes {fact}"))
            begin = y
    if begin is not None:
        yield svg.line(x, begin, x, top + _ROW * len(flow), "path")
    yield from marks


def _executions(flow: Flow) -> Iterator[list[int]]:
    """Yield the executions, those of the first options first."""
    for world in worlds(flow):
        left = flow.all_steps & ~world.absent
        yield from _orders(world, left, [])


def _orders(flow: Flow, left: int, done: list[int]) -> Iterator[list[int]]:
    if not left:
        yield done
    for step in flow.in_order(members(left)):
        if not flow.ancestors[step] & left:
            yield from _orders(flow, left & ~(1 << step), [*done, step])
