"""Reading the answers to both questions about statements from a free reply.

The rules apply in this order, and the name of the successful rule is kept with the score:

1. ``output``: the last line that begins with ``OUTPUT:`` and is followed, on it or on the next line
   that is not blank, by a word of the answer. An ``OUTPUT:`` with anything else after it, such as a
   quotation of the format, is skipped; of two answers the later one counts.
2. ``output_inline``: the last ``OUTPUT:`` within a line, by the same rule.
3. ``json``: an object ``{"output": ...}``, in the form of the JSON schema.
4. ``last_line``: no ``OUTPUT:`` has an answer, but the reply ends in a line with such a word alone,
   not counting cycles after it.

The model's thinking before its reply is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thence.core.reply_text import last_object, unquoted, visible

MOST_LINES = 20_000  # lines read at the end of a reply; the longest answer has fewer
_LABEL = "output"
_NEAR = 200  # longest beginning of a line that is searched for a label or a verdict
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
    """A verdict and the lines after it.

    Attributes:
        word: the verdict in the task's spelling.
        rest: the lines after it.
        rule: the rule that found it.
        delimited: whether it stood where the prompt asked for it.
    """

    word: str
    rest: Sequence[str]
    rule: str
    delimited: bool = True


_FORM = "Yes\n1. Cycle: <A, B, C, A>\n2. Cycle: <D, E, F, G, D>\n\n"
_PROMPT = (f"OUTPUT:\n{_FORM}The line after OUTPUT: is Yes", f"{_FORM}Its first line is Yes")


def verdict(reply: str, words: Sequence[str]) -> Read | None:
    """Return the verdict in a reply, one of ``words``, and the lines after it, or None."""
    text = unquoted(visible(reply), _PROMPT)
    lines = text.rsplit("\n", MOST_LINES)
    if len(lines) > MOST_LINES:
        lines = lines[1:]  # the first part holds several lines
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
    """Return the text after a label at the beginning of a line; None where there is none."""
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
    """Return the word at the beginning of a line, if the line holds no other of the words."""
    near = line[:_NEAR].lstrip(_AROUND).removeprefix("boxed{").removeprefix("text{").lower()
    found = _WORD.findall(near)
    known = {word.lower(): word for word in words}
    said = {known[each] for each in found if each in known}
    return known[found[0]] if found and found[0] in known and len(said) == 1 else None


def _alone(line: str, words: Sequence[str]) -> str | None:
    """Return the word that makes up a whole line."""
    if len(line) > _NEAR:
        return None
    bare = line.strip(_AROUND + "}").lower()
    return next((word for word in words if word.lower() == bare), None)


def alone(lines: Sequence[str], words: Sequence[str]) -> str | None:
    """Return the word that makes up the first non-blank line; None for another line."""
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
    """Return the cycles listed in some lines as written, without the repeated first object."""
    return [cycle for line in lines for cycle in cycles_of(line) or ()]


def cycles_of(line: str) -> list[list[str]] | None:
    """Return the cycles in a line such as ``1. Cycle: <A, B, C, A>``; None for another line.

    Arrows or signs may replace the commas; a line that goes from small to large by ``<`` signs is
    reversed.
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
    """Return the key for comparing names: no two objects of a question differ in case alone."""
    return name.casefold()


def canonical(cycle: Sequence[str]) -> tuple[str, ...]:
    """Return the same tuple for two cycles if and only if they are equal up to rotation.

    A list that names an object twice is not a simple cycle and equals only itself.
    """
    return rotated(tuple(map(key, cycle)))


def rotated(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return a cycle of name keys, rotated to begin with the smallest; see `canonical`."""
    if not keys or len(set(keys)) < len(keys):
        return keys
    place = keys.index(min(keys))
    return keys[place:] + keys[:place]


def distinct(cycles: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield each cycle once, in canonical rotation."""
    yield from dict.fromkeys(map(canonical, cycles))
