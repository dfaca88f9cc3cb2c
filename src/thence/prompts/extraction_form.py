"""The two replies that an extraction asks for: their JSON schemas, and the reading of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from thence.core import amounts
from thence.core.json_schema import object_of
from thence.core.reply_text import keyed, visible
from thence.errors import one_line
from thence.procedures.quotations import QuotedText, Range

NO_OBJECT = "the reply holds no JSON object of the form that was asked for"
_EACH = "give every step an entry, with empty lists where there is nothing to say"
NO_ENTRIES = f"the reply holds no entry of any step; {_EACH}"
NOT_READ = "what it uses, makes and waits for was not read"
MOST_STEPS = 500
_LONGEST = 200  # characters of a name or fact
_NUMBERED = re.compile(
    r"^[ \t]*(?:step\s*)?\d+[.):]\s+(?P<words>\S.*)$", re.IGNORECASE | re.MULTILINE
)
_LISTED = re.compile(
    r"^(?P<indent>[ \t]*)"
    r"(?P<mark>(?:[-*+\u2022\u2610\u25a1](?:[ \t]+\[[ xX]?\])?|\[[ xX]?\]))[ \t]+"
    r"(?P<words>(?=.*[^\W\d_])\S.*)$"
)
_TIMED = re.compile(
    r"\d|\b(?:hours?|minutes?|seconds?|days?|weeks?|overnight|night)\b", re.IGNORECASE
)
_IN_PARTS = re.compile(
    r"\b(?:each|per|every|both|either|sides?|half|more|another)\b", re.IGNORECASE
)
_TEXT, _NUMBER, _SURE = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
_KEYS = {  # of an entry, by its role: what names it, and of which kind that is
    "uses": {"fact": _TEXT},
    "defines": {"fact": _TEXT},
    "kills": {"fact": _TEXT},
    "after": {"step": _NUMBER},
    "when": {"choice": _TEXT, "option": _TEXT},
    "duration": {"time": _TEXT},
}


def _list(of: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": dict(of)}


_ENTRIES = {role: _list(object_of(**keys, words=_TEXT, sure=_SURE)) for role, keys in _KEYS.items()}
STEPS = object_of(goal=_TEXT, steps=_list(object_of(name=_TEXT, words=_TEXT)))
LINKS = object_of(
    start=_list(_TEXT),
    results=_list(_TEXT),
    choices=_list(object_of(name=_TEXT, options=_list(_TEXT))),
    steps=_list(object_of(number=_NUMBER, **_ENTRIES)),
)


def read_steps(reply: str, source: QuotedText) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the goal and the steps of a reply with their places, and what is wrong with it.

    Returns:
        The beginning of the form's mapping, None where the reply is none; and its faults.
    """
    text = visible(reply)
    held = keyed(text, "steps", whole=True)
    given = [] if held and held.value is None else held and held.value
    if not isinstance(given, list):
        return None, [NO_OBJECT]
    goal = keyed(text, "goal", whole=True)
    row: dict[str, Any] = {"goal": _short(goal.value if goal else ""), "steps": []}
    faults, names, end = [], set[str](), 0
    places: dict[Range, int] = {}
    if len(given) > MOST_STEPS:
        faults.append(f"{len(given)} steps are too many; tell the procedure in {MOST_STEPS}")
    for number, each in enumerate(given[:MOST_STEPS], 1):
        words = _text(each.get("words")) if isinstance(each, dict) else ""
        if not words.strip():
            faults.append(f"step {number} has no words; copy those that tell it from the text")
            continue
        place = source.find(words, end) or source.find(words)
        if place is None:
            faults.append(_not_there(f"step {number}", words))
            continue
        if (other := places.setdefault(place, number)) != number:
            same = f"its words are those of step {other}; give its own, or leave it out"
            faults.append(f"step {number}: {same}")
            continue
        for before, its in places.items():
            if its != number and _overlapping(place, [before]):
                faults.append(
                    f"step {number}: its words overlap those of step {its}; give each its own"
                )
                break
        step: dict[str, Any] = {
            "text": " ".join(source.text[slice(*place)].split()),
            "spans": {"text": list(place)},
        }
        name = _short(each.get("name"))
        if name and not name.isdigit() and name not in names:
            names.add(name)
            step = {"name": name, **step}
        row["steps"].append(step)
        end = max(end, place.end)
    return row, [*faults, *_left_out(source.text, places)]


def _left_out(text: str, places: Collection[Range]) -> Iterator[str]:
    """Yield the faults of lines that stand in no step: numbered ones, and those of a list of steps.

    A list has steps where one of its lines does; in that of the ingredients none does.
    """
    if not places:
        return
    for line in _NUMBERED.finditer(text):
        if not _overlapping(Range(*line.span("words")), places):
            words = one_line(line["words"])
            yield f"'{words[:_LONGEST]}' is numbered in the text, but stands in no step"
    for lines in _lists(text):
        left = [each for each in lines if not _overlapping(each, places)]
        for each in left if len(left) < len(lines) else ():
            words = one_line(text[slice(*each)])
            yield f"'{words[:_LONGEST]}' is listed with steps, but stands in no step"


def _lists(text: str) -> Iterator[list[Range]]:
    """Yield the places of the lines of each list with bullets or boxes, but for lists within them.

    A blank line parts two lists where the marks before and after it are of two kinds.
    """
    found: list[Range] = []
    start, blank, before = 0, False, ("", "")
    for line in text.splitlines(keepends=True):
        item = _LISTED.match(line.rstrip("\r\n"))
        if item:
            mark = item["indent"], re.sub(r"[xX ]", "", item["mark"])
            if not found or (blank and mark != before) or len(mark[0]) < len(before[0]):
                yield found
                found, before = [], mark
            if len(mark[0]) == len(before[0]):
                found.append(Range(start + item.start("words"), start + item.end("words")))
        elif line.strip() and not line[0].isspace():
            yield found
            found = []
        blank = not line.strip()
        start += len(line)
    yield found


def _overlapping(place: Range, others: Iterable[Range]) -> bool:
    return any(each.start < place.end and place.start < each.end for each in others)


def read_links(
    reply: str, steps: Sequence[Mapping[str, Any]], source: QuotedText
) -> tuple[dict[str, Any] | None, list[str]]:
    """Return what a reply says of the steps and their facts, and what is wrong with it.

    Args:
        reply: of the model.
        steps: as `read_steps` returns them.
        source: the text.

    Returns:
        The mapping of the form but for its goal, None where the reply is none; and its faults.
    """
    text = visible(reply)
    held = keyed(text, "steps", whole=True)
    given = _members(held.value if held else None, "number")
    if given is None:
        return None, [NO_OBJECT]
    made: list[dict[str, Any]] = [{**step, "spans": dict(step["spans"])} for step in steps]
    known, unknown = _by_step(given, len(steps))
    if not known:
        return None, [*unknown, NO_ENTRIES]
    faults: list[str] = []
    for number, each in known:
        faults += _read_step(made[number - 1], each, number, source)
    missing = sorted({*range(1, len(steps) + 1)} - {number for number, _ in known})
    for number in missing:
        made[number - 1]["unsure"] = [NOT_READ]
    if missing:
        faults.append(f"no entry has the number {', '.join(map(str, missing))}; {_EACH}")
    row: dict[str, Any] = {}
    for key in ("start", "results"):
        facts = keyed(text, key, whole=True)
        if found := list(dict.fromkeys(_texts(facts.value if facts else None))):
            row[key] = found
    choices = keyed(text, "choices", whole=True)
    row["choices"], without = _choices(choices.value if choices else None)
    whole = [*unknown, *without]
    return {**row, "unsure": whole, "steps": made}, [*faults, *whole]


def _by_step(
    given: Iterable[Mapping[str, Any]], count: int
) -> tuple[list[tuple[int, Mapping[str, Any]]], list[str]]:
    """Return the entries with the steps that they are of, and the faults of those of no step."""
    known: list[tuple[int, Mapping[str, Any]]] = []
    unknown = dict[str, None]()
    for each in given:
        number = each["number"]
        if type(number) is int and 1 <= number <= count:
            known.append((number, each))
        else:
            shown = one_line(str(number))[:_LONGEST]
            unknown[f"there is no step {shown}; steps are 1 to {count}"] = None
    return known, list(unknown)


def _choices(value: Any) -> tuple[dict[str, list[str]], list[str]]:
    """Return the choices with their options, and the faults of those without any."""
    found: dict[str, list[str]] = {}
    faults = []
    for each in _members(value, "name") or []:
        name, options = _short(each["name"]), _texts(each.get("options"))
        if name and options:
            found[name] = list(dict.fromkeys(options))
        elif name:
            faults.append(f"choice '{name}' has no options; give them, or leave it out")
    return found, faults


def _read_step(
    step: dict[str, Any], given: Mapping[str, Any], number: int, source: QuotedText
) -> Iterator[str]:
    """Add the entries of a step; yield what is wrong with them, such as words of no text."""
    within = step["spans"]["text"]
    unsure: list[str] = step.setdefault("unsure", [])
    for role, keys in _KEYS.items():
        for each in _members(given.get(role), *keys) or []:
            values = [_short(each[key]) for key in keys]
            if not all(values):
                continue
            entry, words = values[0], _text(each.get("words"))
            if role == "duration" and (wrong := _wrong_time(entry, words)):
                yield f"step {number}: {wrong}"
                unsure.append(role)
                continue
            if other := _replaced(step.get(role), role, values):
                yield f"step {number}: {role} is {other} and {values[-1]}; give one of them"
                unsure.append(f"{role} {values[-1]}, where {other} was given too")
            step[role] = _with(step.get(role), role, values)
            place = source.find(words, *within) or source.find(words)
            if place is None:
                yield _not_there(f"step {number}, {role} {entry}", words)
            else:
                _put_span(step["spans"], role, entry, place)
            untold = role == "duration" and not _TIMED.search(words)
            if place is None or untold or each.get("sure") is False:
                unsure.append(f"{role} {entry}")


def _wrong_time(time: str, words: str) -> str:
    """Return why a duration is none, or not the one of its words; empty where it is."""
    try:
        given = amounts.duration(time)
    except ValueError as error:
        return str(error)
    said = None if _IN_PARTS.search(words) else amounts.seconds(words)
    return f"the duration {time} is not what '{words}' says" if said not in (None, given) else ""


def _replaced(held: Any, role: str, values: Sequence[str]) -> str:
    """Return the duration or option that another one replaces; empty where none does."""
    if role == "duration" and held and amounts.duration(held) != amounts.duration(values[0]):
        return str(held)
    if role == "when":
        other = str((held or {}).get(values[0], ""))
        return other if other != values[1] else ""
    return ""


def _with(held: Any, role: str, values: Sequence[str]) -> Any:
    """Return the entries of a role with one more."""
    if role == "duration":
        return values[0]
    if role == "when":
        return {**(held or {}), values[0]: values[1]}
    return list(dict.fromkeys([*(held or []), values[0]]))


def _put_span(spans: dict[str, Any], role: str, entry: str, place: Range) -> None:
    if role == "duration":
        spans[role] = list(place)
    else:
        spans.setdefault(role, {}).setdefault(entry, list(place))


def _members(value: Any, *keys: str) -> list[dict[str, Any]] | None:
    """Return the objects of a list that have some keys; None where it is no list."""
    if not isinstance(value, list):
        return None
    return [each for each in value if isinstance(each, dict) and set(keys) <= set(each)]


def _texts(value: Any) -> list[str]:
    return [text for each in value if (text := _short(each))] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _short(value: Any) -> str:
    """Return a name or fact: printable text with single blanks; a number is text, too."""
    if type(value) is int and abs(value) < 10**9:
        value = str(value)
    plain = "".join(filter(str.isprintable, " ".join(_text(value).split())))
    return plain[:_LONGEST].strip()


def _not_there(what: str, words: str) -> str:
    shown = one_line(words if len(words) <= _LONGEST else f"{words[:_LONGEST]}...")
    return f"{what}: the words '{shown}' do not stand in the text; copy words exactly"
