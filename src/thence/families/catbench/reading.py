"""Reading yes or no in a reply to "Must Step i happen before Step j?".

The rules apply in this order, and the name of the successful rule is kept with the score:

1. ``word``: the reply is the word, with any punctuation around it;
2. ``json``: the last JSON object with a key such as ``answer`` or ``binary_answer`` whose value
   is yes or no; where it is neither, ``json_swapped``: another value is the word, or
   ``json_explanation``: another value begins with the word or concludes with it;
   ``json_broken``: no object is complete (a comma too many, cut off), but the key is there;
3. ``labelled``: the last line that begins with ``Answer:``, ``Answer 1:`` or ``Final answer:``;
4. ``concluded``: the last "the answer is ...";
5. ``opening``: the reply begins with the word, and no later sentence is the other word;
6. ``statement``: the last sentence which says that one of the two steps must, or need not, happen
   before or after the other;
7. ``mentioned``: the word stands as a sentence of its own, or in quotes or bold, always the same.

A mark in place of a reply (``[ERROR] ...``) has no answer, nor has a reply that gives both. Work is
linear in the reply: every pattern has bounded gaps, and only the first and last ``_PROSE``
characters are searched for prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from thence.core.relaxed_json import BROKEN, Meter, groups
from thence.core.reply_text import keyed, last_match, visible
from thence.core.score import Answer

ERROR_MARK = "[ERROR]"
"""The mark that the authors' scripts wrote in place of a missing reply."""

_PROSE = 20_000
_KEYS = ("binary_answer", "answer", "final_answer", "answer_1")
_WHY = "why_answer"
_MENTION = re.compile(
    r"[{,](?=[\s\"'`“”„\u2018\u2019\\abf])\s{0,20}[\"'`“”\u2018\u2019\\]{0,2}(binary_answer|answer|final_answer|answer_1)"
    r"[\"'`“”\u2018\u2019\\]{0,2}\s{0,5}:",
    re.IGNORECASE,
)
_LATEX = re.compile(r"\\(?:boxed|text[a-z]{0,6}|math[a-z]{0,6})(?=\s?\{)")
_MARKS = re.compile("[*_`\u200b\ufeff]+")
_STRAIGHT = tuple(zip("\u2018\u2019\u201c\u201d\u2013\u2014", "''\"\"--", strict=True))
_SURROUNDINGS = " \t\r\n\"'.,;:!()[]{}<>#-"
_WORDS = {"yes": "yes", "no": "no", "true": "yes", "false": "no"}

# "No" is a verdict if punctuation, the end, or the beginning of a reason follows it; in "no other
# step", "no longer" or "no doubt" it is not.
_REASON = (
    r"(?:steps?\s\d|it\b|this\b|that\b|there\b|because\b|since\b|as\b|the\b|they\b|these\b|you\b"
    r"|we\b|both\b|neither\b|although\b|though\b|while\b|but\b)"
)
_NO = rf"no(?=\s{{0,3}}(?:[^\w\s/]|\Z|\n)|\s{{1,3}}{_REASON})"
_YES = r"yes\b"
_EITHER = re.compile(
    r"\W{0,10}(?:yes\W{1,6}(?:(?:or|and)\W{1,3})?no|no\W{1,6}(?:(?:or|and)\W{1,3})?yes)\b"
)
_OPENING = re.compile(rf"\W{{0,20}}({_YES}|{_NO})")
_SENTENCE = re.compile(
    r"(?:(?<=[.!?:\n])|\A)[\s\"'(]{0,5}(yes|no)\b(?=[\"')]{0,2}(?:[.,;!\n]|\Z|\s-))"
)
_SET_OFF = re.compile(r"(?:\*\*|[\"'(])\s?(yes|no)\b[.,:]?\s?(?:\*\*|[\"')])")
_LABEL = re.compile(r"[\s>#*_\-]{0,10}(?:the |my |final )?answer(?: 1)?[\s*_]{0,4}:")
_CONCLUSION = re.compile(
    r"(?:\banswer(?: to (?:the|this) question)?(?: is| would be| must be| should be|:)\W{1,6}"
    r"|\b(?:so|therefore|thus|hence)\b,? )"
    rf"({_YES}|{_NO})"
)


def read_verdict(reply: str, earlier: int, later: int, meter: Meter | None = None) -> Answer | None:
    """Return ``yes`` or ``no``, or None where the reply has no answer.

    Args:
        reply: the raw reply.
        earlier: number, from 1, of the step that the question puts first.
        later: number of the other step.
        meter: counts the work.
    """
    shown = visible(reply).rstrip()
    before = len(reply.rstrip()) - len(shown)
    text = shown.lstrip()
    before += len(shown) - len(text)
    if text.startswith(ERROR_MARK):
        return None
    word = _word(text[:_PROSE]) if len(text) <= _PROSE else None
    if word is not None:
        return Answer(word, "word", span=(before, before + len(text)))
    found = _json(text, meter)
    if isinstance(found, Answer):
        return found.shifted(before)
    text, before = text[found:], before + found
    span = (before, before + len(text))
    if len(text) > 2 * _PROSE:
        text = f"{text[:_PROSE]}\n{text[-_PROSE:]}"
    if meter is not None:
        meter.work += len(text)
    said = _prose(_normalised(text), earlier, later)
    return said and _placed(said, text, before, span)


def _placed(answer: Answer, text: str, before: int, span: tuple[int, int]) -> Answer:
    """Return an answer with the sentence around the last place of its word as its span."""
    if len(text) < span[1] - span[0]:
        return replace(answer, span=span)
    place = max((each.start() for each in re.finditer(rf"\b{answer.value}\b", text, re.IGNORECASE)),
                default=-1)  # fmt: skip
    if place < 0:
        return replace(answer, span=span)
    start = max(text.rfind(mark, 0, place) for mark in ".!?\n") + 1
    ends = [end for mark in ".!?\n" if (end := text.find(mark, place)) >= 0]
    return replace(answer, span=(before + start, before + min(ends, default=len(text))))


def _normalised(text: str) -> str:
    """Return a text in lower case, with straight quotes and hyphens."""
    text = _LATEX.sub("", text)
    for curly, straight in _STRAIGHT:
        text = text.replace(curly, straight)
    return text.lower()


def _word(text: str) -> str | None:
    """Return the verdict that makes up a text, without the marks around it."""
    plain = _MARKS.sub("", _LATEX.sub("", text))
    return _WORDS.get(plain.strip(_SURROUNDINGS).lower())


def _json(text: str, meter: Meter | None) -> Answer | int:
    """Apply rule 2; return where prose may begin if no object answers.

    Prose before an object that cannot be read is what the model replaced.
    """
    if "{" not in text and "answer" not in text:
        return 0
    whole: Answer | None = None
    end = 0
    for group in reversed(groups(text, meter)):
        for named in () if group.value is BROKEN else _named(group.value):
            key = next((key for key in _KEYS if key in named), None)
            if key is None and _WHY not in named:
                continue
            end = group.end
            said = None if key is None else _value(named[key])
            if said is not None:
                whole = Answer(said, "json")
            else:
                whole = _misplaced([each for name, each in named.items() if name != key])
            whole = whole and replace(whole, span=(group.start, group.end))
            break
        if end:
            break
    mention = last_match(_MENTION, text, end)
    if mention is not None:
        held = keyed(text[end:], mention[1].lower(), meter)
        said = None if held is None else _value(held.value)
        if held is None or said is None:
            line = text.find("\n", mention.end())
            return len(text) if line < 0 else line
        found = Answer(said, "json_broken", delimited=False, span=held.span)
        return found.shifted(end)
    return end if whole is None or _answered(text[end:]) else whole


def _answered(text: str) -> bool:
    """Return whether a text after an object answers, under a label or in a sentence."""
    if "answer" not in text[-_PROSE:].lower():
        return False
    plain = _MARKS.sub("", _normalised(text[-_PROSE:]))
    return any(map(_opening, _labels(plain))) or _CONCLUSION.search(plain) is not None


def _named(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects in a value by their usual keys, the last first; none with a key twice."""
    waiting, found = [value], []
    while waiting:
        held = waiting.pop()
        if type(held) is dict:
            found.append(held)
            waiting.extend(reversed(held.values()))
        elif type(held) is list and held and type(held[0]) in (dict, list):
            waiting.extend(reversed(held))
    for held in reversed(found):
        named = {str(key).strip().lower().replace(" ", "_"): each for key, each in held.items()}
        if len(named) == len(held):
            yield named


def _value(value: Any) -> str | None:
    """Return the verdict of an answer's value: the word, or a sentence that begins with it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return None
    return _word(value[:_PROSE]) or _opening(_normalised(value[:_PROSE]))


def _misplaced(values: list[Any]) -> Answer | None:
    """Return the answer in the explanation's place: the word alone, or the text's conclusion."""
    texts = [value[:_PROSE] for value in values if isinstance(value, str)]
    words = [word for word in map(_word, texts) if word is not None]
    if words:
        return Answer(words[0], "json_swapped") if len(set(words)) == 1 else None
    for text in texts:
        plain = _MARKS.sub("", _normalised(text))
        concluded = _concluded(plain)
        said = concluded[-1] if concluded else _opening(plain)
        if said is not None:
            return Answer(said, "json_explanation", delimited=False)
    return None


def _prose(text: str, earlier: int, later: int) -> Answer | None:
    """Apply rules 3 to 7 to text in lower case."""
    plain = _MARKS.sub("", text)
    for label in reversed(_labels(plain)):
        said = _opening(label) or _statement(label, earlier, later)
        if said is not None:
            return Answer(said, "labelled")
    concluded = _concluded(plain)
    if concluded:
        return Answer(concluded[-1], "concluded", delimited=False)
    if either := _EITHER.match(plain):  # "yes or no" repeats the question
        plain = plain[either.end() :]
    alone = {found[1] for found in _SENTENCE.finditer(plain)}
    said = _opening(plain)
    if said is not None:
        return Answer(said, "opening") if alone <= {said} else None
    said = _statement(plain, earlier, later)
    if said is not None:
        return Answer(said, "statement", delimited=False)
    alone |= {found[1] for found in _SET_OFF.finditer(text)}
    return Answer(alone.pop(), "mentioned", delimited=False) if len(alone) == 1 else None


def _concluded(text: str) -> list[str]:
    """Return the verdicts that a text in lower case concludes; "answer: yes/no" is none."""
    found = _CONCLUSION.finditer(text)
    return [each[1] for each in found if not _EITHER.match(text, each.start(1))]


def _labels(text: str) -> list[str]:
    """Return the text after each label of an answer, to the end of its line, or the next line."""
    lines = text.split("\n")
    found = []
    for place, line in enumerate(lines):
        label = _LABEL.match(line)
        if label is None:
            continue
        rest = line[label.end() :].strip()
        found.append(rest or next((each for each in lines[place + 1 :][:3] if each.strip()), ""))
    return found


def _opening(text: str) -> str | None:
    """Return the verdict that a text in lower case begins with."""
    if _EITHER.match(text):
        return None
    found = _OPENING.match(text)
    return None if found is None else found[1]


# Sentences about the two steps -------------------------------------------------------------------

_STEP = r"step\s{0,2}#?(\d{1,4})"
_PAIR = re.compile(
    rf"\b{_STEP}\b([^.!?\n]{{1,120}}?)\b(before or after|before|after|prior to|until)"
    rf"\s{{1,3}}{_STEP}\b"
)
_END = re.compile(r"[.!?\n]")
_CANNOT = re.compile(r"\bcannot\b|\bcan't\b|\bcan not\b|\bcan only\b|\bmust not\b|\bshould not\b")
_NOT = re.compile(r"\bnot\b|n't\b|\bno need\b|\bunnecessary\b|\bindependent|\beither\b|\bcannot\b")
_NOT_AHEAD = re.compile(
    r"(?:\b(?:not (?:necessary|needed|required|essential|true|the case)|unnecessary|untrue|false"
    r"|no (?:need|reason|requirement|rule))|(?:\bnot|n't) (?:think|believe|see|say|agree))\b"
    r"(?:(?!\bbut\b)[^.!?;\n]){0,40}\Z"
)
_MUST = re.compile(
    r"\bmust\b|\bneeds?\b|\bha(?:s|ve) to\b|\brequired?\b|\bnecessar|\bshould\b|\bhappens?\b"
    r"|\boccurs?\b|\bcomes?\b|\bis (?:done|performed|completed|carried out)\b|\bgoes\b"
)


def _statement(text: str, earlier: int, later: int) -> str | None:
    """Return the verdict of the last sentence about the order of the two steps."""
    said: str | None = None
    for each in _statements(text, earlier, later):
        said = each
    return said


def _asks(text: str, place: int) -> bool:
    """Return whether the sentence that continues at an index is a question."""
    end = _END.search(text, place, place + 200)
    return end is not None and end[0] == "?"


def _statements(text: str, earlier: int, later: int) -> Iterator[str]:
    for found in _PAIR.finditer(text):
        between = found[2]
        if "step" in between or _asks(text, found.end()):
            continue
        ahead = text[max(0, found.start() - 80) : found.start()]
        pair = (int(found[1]), int(found[4]))
        said = None
        if found[3] == "before or after":
            said = "no" if sorted(pair) == sorted((earlier, later)) else None
        elif found[3] == "until":  # "cannot happen until"
            said = "yes" if pair == (later, earlier) and _NOT.search(between) else None
        else:
            pair = pair[::-1] if found[3] == "after" else pair
            said = _ordered(pair, (earlier, later), between, ahead)
        if said is not None:
            yield said


def _ordered(pair: tuple[int, int], asked: tuple[int, int], between: str, ahead: str) -> str | None:
    """Return the verdict of a sentence that puts the first of a pair first, or denies it."""
    denied = _CANNOT.search(between)
    if pair == asked[::-1]:  # "the later cannot happen before the earlier"
        return "yes" if denied and "only" not in between else None
    if pair != asked:
        return None
    if denied and "only" in between:  # "can only happen after"
        return "yes"
    if _NOT.search(between) or _NOT_AHEAD.search(ahead):
        return "no"
    return "yes" if _MUST.search(between) else None
