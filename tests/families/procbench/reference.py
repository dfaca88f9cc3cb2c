"""ProcBench's procedures a second time, worked out from the prompt as a reader sees it.

Nothing here knows the package. Each solver reads the parameters out of the text of the prompt and
goes another way than one step after another wherever there is one: prefixes of the result, sorted
cuts, prefix sums, positions that survive.
"""

from __future__ import annotations

import itertools
import re
from bisect import insort
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from string import ascii_lowercase
from typing import Any

Answer = dict[str, Any]

# --- what the prompt says -----------------------------------------------------------------------


def field(prompt: str, label: str) -> str:
    """What stands behind ``label:`` on the one line of the prompt that begins so."""
    lines = [line for line in prompt.splitlines() if line.startswith(f"{label}:")]
    assert len(lines) == 1, f"{len(lines)} lines begin with {label}:"
    return lines[0].removeprefix(f"{label}:").strip()


def items(prompt: str, label: str) -> list[str]:
    """The parts of a list written with commas; none where it says so."""
    text = field(prompt, label)
    return [] if text == "(none)" else text.split(", ")


def numbers(prompt: str, label: str) -> list[int]:
    """The integers of such a list."""
    return [int(text) for text in items(prompt, label)]


def tuples(prompt: str, label: str) -> list[tuple[str, ...]]:
    """The groups of a list such as ``(a, b), (c, d)``, with nothing between them left over."""
    text = field(prompt, label)
    assert re.fullmatch(r"\([^()]+\)(, \([^()]+\))*", text), text
    return [tuple(group.split(", ")) for group in re.findall(r"\(([^()]+)\)", text)]


def integer_tuples(prompt: str, label: str) -> list[tuple[int, ...]]:
    """The same, of integers."""
    return [tuple(int(text) for text in group) for group in tuples(prompt, label)]


def block(prompt: str, label: str) -> list[str]:
    """The lines below the line ``label:``, up to an empty line or the next label."""
    _, _, below = prompt.partition(f"\n{label}:\n")
    assert below, f"no line {label}:"
    lines = itertools.takewhile(
        lambda line: line and not re.match(r"[A-Z][a-z ]*:", line), below.splitlines()
    )
    return list(lines)


def rules(prompt: str) -> list[tuple[str, str]]:
    """The two sides of each line ``left -> right`` below ``Rules:``."""
    sides = [line.split(" -> ") for line in block(prompt, "Rules")]
    return [(left, right) for left, right in sides]


# --- the shapes of answers ----------------------------------------------------------------------


def answer(states: Iterable[Any]) -> Answer:
    """All states but the last, and the last."""
    *before, last = states
    return {"intermediate": before, "final": last}


def prefixes(pieces: Sequence[Any]) -> list[Any]:
    """Every non-empty beginning of a list, the shortest first."""
    return [list(pieces[:end]) for end in range(1, len(pieces) + 1)]


def growing(pieces: Sequence[str]) -> list[str]:
    """The beginnings of a joined text that end where one of its pieces ends."""
    whole = "".join(pieces)
    return [whole[:end] for end in itertools.accumulate(map(len, pieces))]


def pieces(text: str, cuts: Iterable[int]) -> list[str]:
    """A text cut at some places, given in ascending order."""
    places = [0, *cuts, len(text)]
    return [text[start:end] for start, end in itertools.pairwise(places)]


# --- the procedures -----------------------------------------------------------------------------


def sort(prompt: str) -> Answer:
    """The smallest of what is left, at each place, is known beforehand: the sorted string."""
    letters = list(field(prompt, "String"))
    states = []
    for place, wanted in enumerate(sorted(letters)):
        if letters[place] != wanted:
            other = letters.index(wanted, place)
            letters[place], letters[other] = wanted, letters[place]
            states.append("".join(letters))
    return answer(states)


def gather(prompt: str) -> Answer:
    """Slices of numbered strings, joined."""
    strings = dict(line.split(": ") for line in block(prompt, "Strings"))
    triples = integer_tuples(prompt, "Triples")
    return answer(growing([strings[str(s)][i:][:n] for s, i, n in triples]))


def count(prompt: str) -> Answer:
    """Rows of strings, and the sum of their last column."""
    rows = []
    for string in items(prompt, "Strings"):
        letters = len(re.sub(r"[0-9]", "", string))
        number = int("0" + re.sub(r"[^0-9]", "", string))
        rows.append([string, str(letters), str(number), str(letters * number)])
    return {"intermediate": rows, "final": sum(int(row[3]) for row in rows)}


def search(prompt: str) -> Answer:
    """Running totals of each string on its own, turned from columns into rows."""
    wanted = [re.compile(re.escape(part)) for part in items(prompt, "Substrings")]
    columns = [
        itertools.accumulate([len(part.findall(string)) for part in wanted])
        for string in items(prompt, "Strings")
    ]
    return answer([list(row) for row in zip(*columns, strict=True)])


def copy(prompt: str) -> Answer:
    """The named strings, joined."""
    strings = items(prompt, "Strings")
    return answer(growing([strings[index] for index in numbers(prompt, "Indices")]))


def substitute(prompt: str) -> Answer:
    """Everything translated at once; a state is the beginning of that and the rest as it was."""
    string = field(prompt, "String")
    table = str.maketrans(dict(tuples(prompt, "Pairs")))
    whole = string.translate(table)
    return answer(whole[:end] + string[end:] for end in range(1, len(string) + 1))


def encode(prompt: str) -> Answer:
    """The groups of equal characters."""
    runs = itertools.groupby(field(prompt, "String"))
    return answer(prefixes([f"{character}_{len(list(run))}" for character, run in runs]))


def split1(prompt: str) -> Answer:
    """The string cut at the first few positions, sorted."""
    string = field(prompt, "String")
    return answer(pieces(string, sorted(some)) for some in prefixes(numbers(prompt, "Positions")))


def split2(prompt: str) -> Answer:
    """Each pair as a place in the whole string: where its piece begins, and so many further."""
    string = field(prompt, "String")
    begins = [0]
    states = []
    for piece, place in integer_tuples(prompt, "Pairs"):
        insort(begins, begins[piece] + place)
        states.append(pieces(string, begins[1:]))
    return answer(states)


def compose(prompt: str) -> Answer:
    """The rightmost of all places where the left side of any rule stands, until there is none."""
    made = {left.replace(", ", ""): right for left, right in rules(prompt)}
    text = "".join(items(prompt, "Letters"))
    states = []
    while (place := max(text.rfind(pair) for pair in made)) >= 0:
        text = text[:place] + made[text[place : place + 2]] + text[place + 2 :]
        states.append(list(text))
    return answer(states)


def decompose(prompt: str) -> Answer:
    """What lies left of the place of a replacement is done with; the two new letters are not."""
    made = dict(rules(prompt))
    done, left = [], deque(field(prompt, "String"))
    states = []
    while left:
        letter = left.popleft()
        if letter in made:
            left.extendleft(reversed(made[letter]))
            states.append("".join(done) + "".join(left))
        else:
            done.append(letter)
    return answer(states)


def rhythm(prompt: str) -> Answer:
    """Element k of each sequence is the one whose number is k modulo its length."""
    digits, letters = items(prompt, "Numbers"), items(prompt, "Letters")
    times = int(field(prompt, "Number of steps"))
    return answer(
        growing([digits[k % len(digits)] + letters[k % len(letters)] for k in range(times)])
    )


def compare(prompt: str) -> Answer:
    """The common beginnings with all candidates before the first that is the target."""
    target, candidates = field(prompt, "Target"), items(prompt, "Candidates")
    before = candidates[: candidates.index(target)]
    longest_first = [target[:end] for end in range(len(target), -1, -1)]
    common = [next(filter(each.startswith, longest_first)) for each in before]
    return {"intermediate": common, "final": [*common, target]}


def count2(prompt: str) -> Answer:
    """Each letter counted anew in the sentence up to each of its words."""
    words = field(prompt, "Sentence").lower().split(" ")
    counted = (Counter("".join(some)) for some in prefixes(words))
    return answer([found[letter] for letter in ascii_lowercase] for found in counted)


def decode(prompt: str) -> Answer:
    """Characters times numbers, joined."""
    codes = [code.split("x") for code in items(prompt, "Pieces")]
    return answer(growing([character * int(times) for character, times in codes]))


def push_pop(prompt: str) -> Answer:
    """A deque and what it holds after each action."""
    held = deque(field(prompt, "Initial string"))
    carry_out = {
        "push_left": held.appendleft,
        "push_right": held.append,
        "pop_left": held.popleft,
        "pop_right": held.pop,
    }
    states = []
    for action in items(prompt, "Actions"):
        name, character = re.fullmatch(r"(\w+)(?:\((.)\))?", action).groups(default="")
        carry_out[name](*character)
        states.append("".join(held))
    return answer(states)


def rotate(prompt: str) -> Answer:
    """The last character of the part, taken out and put in where the part begins."""
    characters = list(field(prompt, "String"))
    states = []
    for start, end in integer_tuples(prompt, "Pairs"):
        characters.insert(start, characters.pop(end - 1))
        states.append("".join(characters))
    return answer(states)


def fill_word(prompt: str) -> Answer:
    """The sentence taken apart at its gaps; a gap is filled if its turn has come."""
    parts = re.split(r"(\[\d+\])", field(prompt, "Sentence"))
    entries = [entry.split(" = ") for entry in items(prompt, "Words")]
    turn = {f"[{number}]": (time, word) for time, (number, word) in enumerate(entries)}
    filled = [(part, *turn.get(part, (0, part))) for part in parts]
    return answer(
        "".join(word if time <= now else part for part, time, word in filled)
        for now in range(len(entries))
    )


def _surviving(tokens: Sequence[str], deleted: Sequence[str]) -> Iterable[list[str]]:
    """The n-th deletion of a token takes the n-th place where it stood at the start."""
    places = defaultdict(list)
    for place, token in enumerate(tokens):
        places[token].append(place)
    earlier = [deleted[:number].count(token) for number, token in enumerate(deleted)]
    gone = [places[token][before] for token, before in zip(deleted, earlier, strict=True)]
    for some in map(set, prefixes(gone)):
        yield [token for place, token in enumerate(tokens) if place not in some]


def delete_char(prompt: str) -> Answer:
    """The letters whose places survive."""
    states = _surviving(field(prompt, "String"), items(prompt, "Letters to delete"))
    return answer("".join(left) for left in states)


def delete_word(prompt: str) -> Answer:
    """The words whose places survive."""
    words = field(prompt, "Sentence").split(" ")
    return answer(" ".join(left) for left in _surviving(words, items(prompt, "Words to delete")))


def cumulate(prompt: str) -> Answer:
    """Every state is a multiple of the initial number and a rest; both are kept apart."""
    number = int(field(prompt, "Initial number"))
    factors, rests = [1], [0]
    for operation in items(prompt, "Operations"):
        name, value = re.fullmatch(r"(add|multiply by) (\d+)", operation).groups()
        factor, term = (1, int(value)) if name == "add" else (int(value), 0)
        factors.append(factors[-1] * factor)
        rests.append(rests[-1] * factor + term)
    pairs = zip(factors[1:], rests[1:], strict=True)
    return answer(factor * number + rest for factor, rest in pairs)


def move_cyclic(prompt: str) -> Answer:
    """Prefix sums of the moves, modulo the length."""
    array = field(prompt, "Initial array")
    assert sorted(array) == sorted("x".ljust(len(array), "-")), array
    moves = [move.split(" ") for move in items(prompt, "Moves")]
    signed = [{"right": 1, "left": -1}[where] * int(places) for where, places in moves]
    reached = itertools.accumulate(signed, initial=array.index("x"))
    states = ["-" * (place % len(array)) + "x" for place in reached]
    return answer(state.ljust(len(array), "-") for state in states[1:])


def find_cyclic(prompt: str) -> Answer:
    """The character k places further on is known by arithmetic."""
    string, number = field(prompt, "String"), int(field(prompt, "Number"))
    start = string.index(field(prompt, "Character"))
    further = [string[(start + k) % len(string)] for k in range(1, number + 1)]
    pairs = [[further[k - 1], str(number - k)] for k in range(1, number)]
    return {"intermediate": pairs, "final": further[-1]}


SOLVERS: dict[str, Callable[[str], Answer]] = {
    solver.__name__: solver
    for solver in (
        sort,
        gather,
        count,
        search,
        copy,
        substitute,
        encode,
        split1,
        split2,
        compose,
        decompose,
        rhythm,
        compare,
        count2,
        decode,
        push_pop,
        rotate,
        fill_word,
        delete_char,
        delete_word,
        cumulate,
        move_cyclic,
        find_cyclic,
    )
}
"""Task name without its family -> the answer to a prompt of that task, in the official order."""

# --- the published prompts ----------------------------------------------------------------------

_LABELS = {
    "gather": {"Sets of Numbers": "Triples"},
    "split2": {"Indices": "Pairs"},
    "compose": {"Initial state": "Letters"},
    "decompose": {"rules": "Rules", "characters": "String"},
    "rhythm": {"Sequence 1": "Numbers", "Sequence 2": "Letters", "N": "Number of steps"},
    "compare": {"Candidate": "Candidates"},
    "decode": {"Sentence": "Pieces"},
    "rotate": {"Indices": "Pairs"},
    "fill_word": {"List": "Words"},
    "delete_char": {"Steps": "Letters to delete"},
    "delete_word": {"Words": "Words to delete"},
    "cumulate": {"N": "Initial number"},
    "move_cyclic": {"Operations": "Moves"},
    "find_cyclic": {"Command": "Character"},
}
_NOTATION = {
    "decode": {r"(?<=\d) (?=\d)": ", "},
    "fill_word": {r"\((\d+), (\w+)\)": r"\1 = \2"},
    "delete_char": {r"\d+\. (\w)": r"\1"},
    "cumulate": {"Add": "add", "Multiply": "multiply by"},
    "move_cyclic": {r"\((\w+), (\d+)\)": r"\1 \2"},
    "find_cyclic": {r", (\d+)$": r"\nNumber: \1"},
}


def published(name: str, prompt: str) -> str:
    """The question of a published prompt with the labels and the notation of our own prompts."""
    held: dict[str, list[str]] = {}
    for line in prompt.partition("[Question]")[2].splitlines():
        labelled = re.fullmatch(r"([\w ]+?) ?[:=](.*)", line.strip())
        if labelled:
            label = _LABELS.get(name, {}).get(labelled[1], labelled[1])
            held[label] = []
        value = labelled[2] if labelled else line
        if value.strip(" [],"):
            held[label].append(value.strip(" ,"))
    return "\n" + "\n".join(_written(name, label, values) for label, values in held.items())


def _written(name: str, label: str, values: list[str]) -> str:
    if label == "Rules":
        return "\n".join([f"{label}:", *values])
    text = ", ".join(values)
    if (name, label) != ("fill_word", "Sentence"):
        text = re.sub(r"[\[\]']", "", text)
    for pattern, ours in _NOTATION.get(name, {}).items():
        text = re.sub(pattern, ours, text)
    if (name, label) == ("gather", "Strings"):
        numbered = [f"{place}: {each}" for place, each in enumerate(text.split(", "))]
        return "\n".join([f"{label}:", *numbered])
    return f"{label}: {text}"
