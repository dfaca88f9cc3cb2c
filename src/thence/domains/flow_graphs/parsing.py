"""Parsers of the two file formats of the corpus, line by line.

Only line feeds end a line: tokens and comments hold other characters that Python takes for line
ends. An unreadable line is omitted and reported; all other lines are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

Sentence = tuple[int, int]
"""Paragraph and sentence, both from 1; each paragraph counts its sentences from 1."""

Node = tuple[int, int, int]
"""Paragraph, sentence and offset, which identify a word; the offset is no index into a text."""

_CLOSING = frozenset(".,;:!?)")
_OPENING = "("
_LIST_FIELDS = 5  # paragraph, sentence, offset, token, tag; four rows of the corpus lack the POS


def decoded(data: bytes) -> tuple[str, bool]:
    """Return the text of a file, and whether it is all UTF-8; other bytes become U+FFFD."""
    try:
        return data.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        return data.decode("utf-8-sig", errors="replace"), False


def sentences(
    text: str, report: Callable[[int, str], None]
) -> tuple[dict[Sentence, list[str]], set[Node]]:
    """Return the words of every sentence, in the order of the file, and all nodes.

    Args:
        text: content of a ``.list`` file.
        report: called with the line number, from 1, and its problem.
    """
    found: dict[Sentence, list[str]] = {}
    nodes: set[Node] = set()
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.split()
        if not fields:
            continue
        try:
            paragraph, sentence, offset = int(fields[0]), int(fields[1]), int(fields[2])
        except (ValueError, IndexError):
            report(number, "does not begin with paragraph, sentence and offset; left out")
            continue
        words = found.setdefault((paragraph, sentence), [])
        if len(fields) < _LIST_FIELDS:
            report(number, "has no token or no tag; left out")
            continue
        words.append(fields[3])
        nodes.add((paragraph, sentence, offset))
    for paragraph, sentence in [key for key, words in found.items() if not words]:
        report(0, f"sentence {paragraph} {sentence} holds no word; left out")
        del found[paragraph, sentence]
    return found, nodes


def edges(
    text: str, nodes: Collection[Node], report: Callable[[int, str], None]
) -> list[tuple[Node, Node]]:
    """Return the edges of a flow graph in the order of the file, with any label.

    Args:
        text: content of a ``.flow`` file.
        nodes: the nodes of the ``.list`` file beside it.
        report: as for `sentences`.
    """
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        try:
            a, b, c, _, d, e, f = fields
            first, second = (int(a), int(b), int(c)), (int(d), int(e), int(f))
        except ValueError:
            report(number, "is no edge (node, label, node); left out")
            continue
        if first in nodes and second in nodes:
            found.append((first, second))
        else:
            name = " ".join(map(str, second if first in nodes else first))
            report(number, f"an edge to or from node {name}, which does not exist; left out")
    return found


def joined(words: Sequence[str]) -> str:
    """Return the text of a sentence, with no space before closing punctuation.

    There is no space after an opening parenthesis either, unless it begins the sentence.
    """
    text = ""
    for place, word in enumerate(words):
        after_parenthesis = place > 1 and words[place - 1] == _OPENING
        text += word if not text or word in _CLOSING or after_parenthesis else f" {word}"
    return text
