"""Reading the answers to both questions about statements out of a free reply.

In this order, and the rule that fired is kept with the score:

1. ``output``: the last line that begins with ``OUTPUT:`` and is followed, on it or on the next line
   that is not blank, by a word of the answer. An ``OUTPUT:`` with anything else after it, such as a
   quotation of the format, is passed over; of two answers the later stands.
2. ``output_inline``: the last ``OUTPUT:`` within a line, likewise.
3. ``json``: an object ``{"output": ...}``, as the JSON schema has it.
4. ``last_line``: no ``OUTPUT:`` is answered, but the reply ends in a line of such a word alone,
   cycles after it not counted.

What a model thinks before its reply is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thence.core.reply_text import last_object, visible

MOST_LINES = 20_000  # at the end of a reply that are looked at; the longest answer has fewer
_LABEL = "output"
_NEAR = 200  # characters within which a label or a verdict stands
_DECORATION = " \t\r#*_>`-•|$"
_AROUND = _DECORATION + ".,;:!\"'()[]{}<\\"
_WORD = re.compile(r"[a-z]+")
_NUMBER = re.compile(r"\s*(?:[-*•>]\s+|[#*_`]+\s*)?(?:\(?\d{1,6}[.):]\s*)?[*_`]*\s*")
_CYCLE = re.compile(
    r"cycles?\s*(?:no\.?\s*|#\s*)?\d{0,6}\s*[*_`]*\s*[:=-]?\s*[*_`]*\s*", re.IGNORECASE
)
_BRACKETED = re.compile(r"<([^<>]*)>")
_QUOTES = " \t\r*_`\"'"
_NONE = {"", "none", "n/a", "nothing", "no cycles", "empty"}


class Read(NamedTuple):
    """A verdict and what follows it.

    Attributes:
        word: the verdict, as the task spells it.
        rest: the lines after it.
        rule: which rule found it.
        delimited: whether it stood where the prompt asked for it.
    """

    word: str
    rest: Sequence[str]
    rule: str
    delimited: bool = True


def verdict(reply: str, words: Sequence[str]) -> Read | None:
    """The answer's word in a reply, one of ``words``, and the lines after it; None without one."""
    text = visible(reply)
    lines = text.rsplit("\n", MOST_LINES)
    if len(lines) > MOST_LINES:
        lines = lines[1:]  # what came before is no line of its own
    for place in range(len(lines) - 1, -1, -1):
        rest = _labelled(lines[place])
        if rest is not None and (found := _following(rest, lines, place, words, "output")):
            return found
    for place in range(len(lines) - 1, -1, -1):
        start = lines[place].lower().rfind(_LABEL + ":")
        if start >= 0:
            rest = lines[place][start + len(_LABEL) + 1 :]
            if found := _following(rest, lines, place, words, "output_inline"):
                return found
    return _structured(text, words) or _last_line(lines, words)


def _labelled(line: str) -> str | None:
    """What follows a label at the beginning of a line; None where there is none."""
    start = line[:_NEAR].lstrip(_DECORATION)
    if start[: len(_LABEL)].lower() != _LABEL:
        return None
    rest = start[len(_LABEL) :].lstrip(" \t*_`")
    if not rest.startswith(":"):
        return None
    return line[line.index(":") + 1 :]


def _following(
    rest: str, lines: Sequence[str], place: int, words: Sequence[str], rule: str
) -> Read | None:
    if rest.strip(_DECORATION):
        word = _word(rest, words)
        return Read(word, lines[place + 1 :], rule) if word else None
    for after in range(place + 1, len(lines)):
        if lines[after].strip(_DECORATION):
            word = _word(lines[after], words)
            return Read(word, lines[after + 1 :], rule) if word else None
    return None


def _word(line: str, words: Sequence[str]) -> str | None:
    """The word that a line begins with, where it holds no other of the words."""
    near = line[:_NEAR].lstrip(_AROUND).removeprefix("boxed{").removeprefix("text{").lower()
    found = _WORD.findall(near)
    known = {word.lower(): word for word in words}
    said = {known[each] for each in found if each in known}
    return known[found[0]] if found and found[0] in known and len(said) == 1 else None


def _alone(line: str, words: Sequence[str]) -> str | None:
    """The word that a line consists of."""
    if len(line) > _NEAR:
        return None
    bare = line.strip(_AROUND + "}").lower()
    return next((word for word in words if word.lower() == bare), None)


def alone(lines: Sequence[str], words: Sequence[str]) -> str | None:
    """The word that the first line that is not blank consists of; None where it is another."""
    first = next((line for line in lines if line.strip()), "")
    return _alone(first, words)


def _structured(text: str, words: Sequence[str]) -> Read | None:
    found = last_object(text)
    said = found.get("output") if found else None
    return Read(said, (), "json") if isinstance(said, str) and said in words else None


def _last_line(lines: Sequence[str], words: Sequence[str]) -> Read | None:
    place = len(lines) - 1
    while place >= 0 and (
        not lines[place].strip(_DECORATION) or cycles_of(lines[place]) is not None
    ):
        place -= 1
    word = _alone(lines[place], words) if place >= 0 else None
    return Read(word, lines[place + 1 :], "last_line", delimited=False) if word else None


# Cycles -----------------------------------------------------------------------------------------


def cycles(lines: Sequence[str]) -> list[list[str]]:
    """The cycles that some lines list, as written, the repeated first object left out."""
    return [cycle for line in lines for cycle in cycles_of(line) or ()]


def cycles_of(line: str) -> list[list[str]] | None:
    """The cycles of a line such as ``1. Cycle: <A, B, C, A>``; None where it is no such line.

    Arrows or signs may stand for the commas; a line that goes from small to large by ``<`` signs is
    turned around.
    """
    number = _NUMBER.match(line)
    begin = number.end() if number else 0
    label = _CYCLE.match(line, begin)
    rest = line[label.end() if label else begin :].strip(_QUOTES + ".;")
    if rest.startswith("<"):
        inside = rest[1 : rest.rfind(">")] if rest.endswith(">") else rest[1:]
        if "," in inside and "<" in inside:
            return [_names(each) for each in _BRACKETED.findall(rest)]
        return [_names(inside)]
    if not label or rest.lower() in _NONE:
        return None
    return [_names(rest.strip("[]()"))] if any(sign in rest for sign in ",><→") else None


def _names(text: str) -> list[str]:
    if "," in text:
        names = text.split(",")
    else:
        signs = text.replace("-->", ">").replace("->", ">").replace("=>", ">").replace("→", ">")
        names = signs.split("<")[::-1] if "<" in signs else signs.split(">")
    listed = [name.strip(_QUOTES) for name in names]
    if len(listed) > 1 and key(listed[0]) == key(listed[-1]):
        listed.pop()
    return listed


def key(name: str) -> str:
    """What a name is compared by: no two objects of a question differ in case alone."""
    return name.casefold()


def canonical(cycle: Sequence[str]) -> tuple[str, ...]:
    """The same for two cycles exactly where they are equal up to rotation.

    A list that names an object twice is no simple cycle and equals only itself.
    """
    return turned(tuple(map(key, cycle)))


def turned(keys: tuple[str, ...]) -> tuple[str, ...]:
    """A cycle of what names are compared by, begun with the least of them; see `canonical`."""
    if not keys or len(set(keys)) < len(keys):
        return keys
    place = keys.index(min(keys))
    return keys[place:] + keys[:place]


def distinct(cycles: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Each cycle once, whatever rotations it is listed in."""
    yield from dict.fromkeys(map(canonical, cycles))
