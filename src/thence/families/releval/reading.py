r"""Reading the answers to both questions about statements from a free reply.

The last attempt at an answer counts, in any of these forms; the name of its rule is kept with the
score:

- ``output``: a line that begins with ``OUTPUT:`` and is followed, on it or on the next line that is
  not blank, by a word of the answer. An ``OUTPUT:`` with other words after it on its line, such as
  a quotation of the format, is skipped;
- ``labelled``: likewise after ``Final answer:``, ``Answer:`` or ``WORD:``;
- ``output_inline``: an ``OUTPUT:`` within a line, by the same rule;
- ``boxed``: ``\boxed{...}`` with a word;
- ``json``: an object with the key ``output`` or ``answer``, as `relaxed_json` reads it;
- ``concluded``: "the answer is ...";
- ``last_line``: the reply ends in a line with such a word alone, not counting cycles after it.

An ``OUTPUT:`` alone on its line, or an object, in which no word can be read leaves no answer: the
model replaced what it had said before. The model's thinking before its reply is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import accumulate
from typing import Any, NamedTuple

from thence.core.relaxed_json import BROKEN, groups
from thence.core.reply_text import unquoted, visible

MOST_LINES = 20_000  # lines read at the end of a reply; the longest answer has fewer
_LABEL = "output"
_LABELS = re.compile(
    r"(output|word|(?:the |my )?(?:final )?answer|final verdict|verdict)[ \t*_`]{0,5}([:=]|\Z)"
)
_HEADINGS = frozenset(("output", "word", "final answer", "the final answer", "my final answer"))
_NEAR = 200  # longest beginning of a line that is searched for a label or a verdict
_DECORATION = " \t\r\xa0#*_>`-•|$"
_AROUND = _DECORATION + ".,;:!\"'“”\u2018\u2019()[]{}<\\"
_WORD = re.compile(r"[a-z]+")
_TEXT = re.compile(r"\A\\text[a-z]{0,4}\{")
_BOXED = re.compile(r"\\boxed\s?\{(?:\\text[a-z]{0,6}\s?\{)?\s{0,3}([A-Za-z]{1,12})\s{0,3}\.?\}")
_CONCLUDED = re.compile(r"\banswer is:?[\s*_`\"'“$\\]{0,6}([A-Za-z]{1,12})\b", re.IGNORECASE)
_KEYS = frozenset(("output", "answer", "final_answer", "verdict", "word"))
_MENTION = re.compile(
    r"[{,]\s{0,20}[\"'`“”\u2018\u2019]?(?:output|answer|final_answer|verdict|word)[\"'`“”\u2018\u2019]?\s{0,5}:",
    re.IGNORECASE,
)
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
        start: where the label or the word begins in the reply.
        end: where the line with the word ends.
        delimited: whether it stood where the prompt asked for it.
        cycles: those of an object; None where the lines after the word hold them.
    """

    word: str
    rest: Sequence[str]
    rule: str
    start: int
    end: int
    delimited: bool = True
    cycles: Sequence[Any] | None = None


class _Lines:
    """The last lines of a text, with their places in the reply."""

    def __init__(self, text: str, before: int) -> None:
        lines = text.rsplit("\n", MOST_LINES)
        if len(lines) > MOST_LINES:  # the first part holds several lines
            before += len(lines[0]) + 1
            lines = lines[1:]
        self.lines = lines
        self.starts = list(accumulate((len(line) + 1 for line in lines), initial=before))

    def read(self, word: str, first: int, last: int, rule: str, *, delimited: bool = True) -> Read:
        """Return the verdict that stands from one line to another."""
        end = self.starts[last] + len(self.lines[last])
        rest = self.lines[last + 1 :]
        return Read(word, rest, rule, self.starts[first], end, delimited)


class _Unreadable(NamedTuple):
    """An attempt at an answer that cannot be read, and where it begins."""

    start: int


_FORM = "Yes\n1. Cycle: <A, B, C, A>\n2. Cycle: <D, E, F, G, D>\n\n"
_PROMPT = (f"OUTPUT:\n{_FORM}The line after OUTPUT: is Yes", f"{_FORM}Its first line is Yes")


def verdict(reply: str, words: Sequence[str]) -> Read | None:
    """Return the verdict in a reply, one of ``words``, and the lines after it, or None."""
    shown = visible(reply)
    before = len(reply) - len(shown)
    text = unquoted(shown, _PROMPT)
    lines = _Lines(text, before)
    found = [
        _labelled(lines, words),
        _inline(lines, words),
        _patterned(_BOXED, "boxed", text, before, words),
        _patterned(_CONCLUDED, "concluded", text, before, words),
        _structured(text, before, words),
    ]
    attempts = [each for each in found if each is not None]
    last = max(attempts, key=lambda each: each.start) if attempts else None
    end = _last_line(lines, words)
    if end is not None and (last is None or end.start > _reach(last)):
        if isinstance(last, Read) and alone(last.rest, words) not in {None, last.word}:
            return last
        return end
    return last if isinstance(last, Read) else None


def _reach(attempt: Read | _Unreadable) -> int:
    """Return where an attempt ends."""
    return attempt.end if isinstance(attempt, Read) else attempt.start


def _labelled(lines: _Lines, words: Sequence[str]) -> Read | _Unreadable | None:
    """Return the last attempt below a label at the beginning of a line."""
    for place in range(len(lines.lines) - 1, -1, -1):
        line = lines.lines[place]
        start = _TEXT.sub("", line[:_NEAR].lstrip(_DECORATION), count=1)
        label = _LABELS.match(start.lower()) if start[:1].lower() in "oawtmfv" else None
        if label is None:
            continue
        rest = line[line.lower().find(label[2]) + 1 :] if label[2] else ""
        rule = "output" if label[1] == _LABEL else "labelled"
        if label[2] == "" and rule == "output":
            continue
        found = _following(rest, lines, place, words, rule)
        if isinstance(found, Read) or (found and label[1] in _HEADINGS):
            return found
    return None


def _inline(lines: _Lines, words: Sequence[str]) -> Read | None:
    """Return the verdict after the last ``OUTPUT:`` within a line."""
    for place in range(len(lines.lines) - 1, -1, -1):
        start = lines.lines[place].lower().rfind(_LABEL + ":")
        if start >= 0:
            rest = lines.lines[place][start + len(_LABEL) + 1 :]
            found = _following(rest, lines, place, words, "output_inline")
            if isinstance(found, Read):
                return found
    return None


def _following(
    rest: str, lines: _Lines, place: int, words: Sequence[str], rule: str
) -> Read | _Unreadable | None:
    """Return the verdict after a label; None for a quotation of the format."""
    if rest.strip(_DECORATION):
        word = _word(rest, words)
        return lines.read(word, place, place, rule) if word else None
    for after in range(place + 1, len(lines.lines)):
        line = lines.lines[after]
        if line.strip(_DECORATION):
            again = _LABELS.match(line[:_NEAR].lstrip(_DECORATION).lower())
            word = _word(line[:_NEAR][again.end() :] if again else line, words)
            if word:
                return lines.read(word, place, after, rule)
            return None if len(_said(line[:_NEAR].lower(), words)) > 1 else _unread(lines, place)
    return _unread(lines, place)


def _unread(lines: _Lines, place: int) -> _Unreadable:
    return _Unreadable(lines.starts[place])


def _said(text: str, words: Sequence[str]) -> set[str]:
    """Return the words of the answer in a text in lower case."""
    found = set(_WORD.findall(text))
    return {word for word in words if word.lower() in found}


def _word(line: str, words: Sequence[str]) -> str | None:
    """Return the word at the beginning of a line, if the line holds no other of the words."""
    near = line[:_NEAR].lstrip(_AROUND).removeprefix("boxed{").removeprefix("text{").lower()
    first = _WORD.match(near)
    said = _said(near, words)
    return said.pop() if first and len(said) == 1 and first[0] == min(said).lower() else None


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


def _patterned(
    pattern: re.Pattern[str], rule: str, text: str, before: int, words: Sequence[str]
) -> Read | None:
    """Return the verdict at the last match of a pattern that holds a word of the answer."""
    known = {word.lower(): word for word in words}
    last = None
    for found in pattern.finditer(text):
        if found[1].lower() in known:
            last = found
    if last is None:
        return None
    rest = text[last.end() :].split("\n", MOST_LINES)[1:]
    start, end = before + last.start(), before + last.end()
    return Read(known[last[1].lower()], rest, rule, start, end, rule == "boxed")


def _structured(text: str, before: int, words: Sequence[str]) -> Read | _Unreadable | None:
    """Return the verdict of the last object with a key of the answer."""
    if "{" not in text:
        return None
    last: Read | _Unreadable | None = None
    end = 0
    known = {word.lower(): word for word in words}
    known |= dict(zip(("true", "false"), words, strict=False)) if "yes" in known else {}
    whole = [group for group in groups(text) if group.value is not BROKEN]
    for group in reversed(whole):
        value = group.value
        if type(value) is not dict:
            continue
        named = {str(key).strip().lower().replace(" ", "_"): each for key, each in value.items()}
        keys = named.keys() & _KEYS
        if not keys:
            continue
        end = group.end
        said = known.get(str(named[min(keys)]).strip(" .").lower())
        start = before + group.start
        if said is None or len(keys) > 1 or len(named) < len(value):
            last = _Unreadable(start)
        else:
            cycles = named.get("cycles")
            listed = cycles if isinstance(cycles, list) else None
            rest = text[end:].split("\n", MOST_LINES)[1:]
            last = Read(said, rest, "json", start, before + end, cycles=listed)
        break
    for found in _MENTION.finditer(text, end):
        last = _Unreadable(before + found.start())
    return last


def _last_line(lines: _Lines, words: Sequence[str]) -> Read | None:
    place = len(lines.lines) - 1
    while place >= 0 and (
        not lines.lines[place].strip(_DECORATION) or cycles_of(lines.lines[place]) is not None
    ):
        place -= 1
    word = _alone(lines.lines[place], words) if place >= 0 else None
    return lines.read(word, place, place, "last_line", delimited=False) if word else None


# Cycles -----------------------------------------------------------------------------------------


_LATEX = {
    "\\langle": "<", "\\rangle": ">", "⟨": "<", "⟩": ">", "〈": "<", "〉": ">", "$": "",
    "\\rightarrow": "→", "\\to": "→", "\\,": "", "\\;": "",
}  # fmt: skip
_WRAPPED = re.compile(r"\\(?:text[a-z]{0,6}|math[a-z]{0,6}|operatorname)\s?\{([^{}]{0,80})\}")
_ARROWS = re.compile(r"→|-->?|=>|>")
_LONGEST_NAME = 60
_MOST_WORDS = 8  # of a name that may be left out of it


def cycles(found: Read) -> tuple[list[list[str]], int]:
    """Return the cycles after a verdict as written, without the repeated first object.

    Returns:
        The cycles, and where in the reply they end.
    """
    if found.cycles is not None:
        written = [cycle if isinstance(cycle, list) else [str(cycle)] for cycle in found.cycles]
        texts = [", ".join(map(str, cycle)).strip("<>") for cycle in written]
        return list(map(_names, texts)), found.end
    listed: list[list[str]] = []
    place = end = found.end
    for line in found.rest:
        place += len(line) + 1
        read = cycles_of(line)
        if read:
            listed += read
            end = place
    return listed, end


def cycles_of(line: str) -> list[list[str]] | None:
    """Return the cycles in a line such as ``1. Cycle: <A, B, C, A>``; None for another line.

    Arrows or signs may replace the commas; a line that goes from small to large by ``<`` signs is
    reversed. LaTeX and HTML entities are read as what they show.
    """
    if "&" in line:
        line = unescape(line)
    if "\\" in line or "$" in line or not line.isascii():
        line = _WRAPPED.sub(r"\1", line)
        for mark, plain in _LATEX.items():
            line = line.replace(mark, plain)
    number = _NUMBER.match(line)
    begin = number.end() if number else 0
    label = _CYCLE.match(line, begin)
    rest = line[label.end() if label else begin :].strip(_QUOTES + ".;")
    if rest.startswith("<"):
        inside = rest[1 : rest.rfind(">")] if rest.endswith(">") else rest[1:]
        if "," in inside and "<" in inside:
            return [_names(each) for each in _BRACKETED.findall(rest)]
        return [_names(inside)]
    if not label and number and number[0].strip():
        parts = _ARROWS.split(rest, maxsplit=len(rest))
        closed = len(parts) > 2 and key(parts[0].strip()) == key(parts[-1].strip())
        return [_names(rest)] if closed and max(map(len, parts)) < _LONGEST_NAME else None
    if not label or rest.lower() in _NONE:
        return None
    return [_names(rest.strip("[]()"))] if any(sign in rest for sign in ",><→") else None


def _names(text: str) -> list[str]:
    if "," in text:
        names = text.split(",")
    else:
        signs = text.replace("-->", ">").replace("->", ">").replace("=>", ">").replace("→", ">")
        names = signs.split("<")[::-1] if "<" in signs else signs.split(">")
    listed = [name.strip(_QUOTES + "“”\u2018\u2019\xa0") for name in names]
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


def in_full(cycles: Sequence[Sequence[str]], names: Sequence[str]) -> list[list[str]]:
    """Return cycles with the full names of objects that are called by a part of their name.

    The part has to be whole words, and of no other object's name.
    """
    known = {key(name) for name in names}
    if all(key(name) in known for cycle in cycles for name in cycle):
        return [list(cycle) for cycle in cycles]
    full: dict[str, set[str]] = {}
    for name in names:
        words = key(name).split()[:_MOST_WORDS]
        for start in range(len(words)):
            for end in range(start + 1, len(words) + 1):
                full.setdefault(" ".join(words[start:end]), set()).add(name)

    def one(name: str) -> str:
        found = full.get(" ".join(key(name).split()), set())
        return min(found) if len(found) == 1 and key(name) not in known else name

    return [[one(name) for name in cycle] for cycle in cycles]
