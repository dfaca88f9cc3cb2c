"""Reads the English of a recipe prompt: what each step works with, makes, alters and uses up.

It knows cooking words and nothing of the product: a phrase of the ingredient list comes in where it
is said, and "the sauce" or "them" is the thing in the kitchen that fits the words best. Things that
are mixed with others go into what comes of it, and a thing to which something is done alone stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.families.fable.kitchen_words import (
    CUTS,
    KINDS,
    MADE,
    NOTHING,
    STAPLES,
    STOP,
    VESSELS,
)

_GOES_ON = re.compile(
    r"(?:(?:Quickly |Gently |Gradually |Carefully |Slowly |Then )?"
    r"(?:stir|fold|pour|beat|mix|whisk|tip|sprinkle|scatter|top|dust|brush|season|finish|garnish|"
    r"decorate|drizzle|tuck|grate|throw|serve|work|knead|rub|crumble|toss|spread|cover)"
    r"(?: [a-z]+ly| hot| warm| cold| it| them)? (?:in|over|with|on)\b|(?:then )?add\b|season\b|"
    r"return\b|loosen\b|sprinkle\b|scatter\b)",
    re.IGNORECASE,
)
_PARTIAL = re.compile(
    r"(?:half|some|most|a third|a little|a ladle|a few tablespoons|a spoonful|a cup|two thirds|"
    r"three quarters|a few spoonfuls|part|ladlefuls) of $",
    re.IGNORECASE,
)
_NEW = re.compile(r"\b(?:for|to make|to|make|have|let|into) (?:a|the|an) ((?:[a-z]+ ){0,2}[a-z]+)")
_SMALL = re.compile(r"[a-zéèûîç'-]+")


def stem(word: str) -> str:
    """A word without its plural."""
    word = word.lower().removesuffix("'s")
    if word in ("leaves", "halves", "loaves"):
        return word[:-3] + "f"
    for end, new in (("ies", "y"), ("toes", "to"), ("shes", "sh"), ("ches", "ch"), ("sses", "ss")):
        if word.endswith(end):
            return word[: -len(end)] + new
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) else word


def stems(text: str) -> list[str]:
    """The stems of the words of a text."""
    return [stem(word) for word in _SMALL.findall(text.lower())]


@dataclass(eq=False)
class Thing:
    """Something in the kitchen."""

    name: str
    holds: tuple[str, ...]
    words: set[str] = field(default_factory=set)
    age: int = 0
    step: int = 0
    called: str = ""


@dataclass
class Deed:
    """What a step does: names of things, and ingredients as ``*name``."""

    text: str
    uses: set[str] = field(default_factory=set)
    makes: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)
    brings: dict[str, str] = field(default_factory=dict)
    named: dict[str, set[str]] = field(default_factory=dict)
    when: dict[str, str] = field(default_factory=dict)
    cleans: bool = False
    doubtful: bool = False


def _head(phrase: str) -> str:
    """The last word before a preposition."""
    words = stems(re.split(r" (?:in|with|for|from|on) ", phrase)[0])
    return words[-1] if words else ""


def _core(phrase: str) -> list[str]:
    """The words by which a phrase is called: its head, and what it is a cut of."""
    head, words = _head(phrase), stems(phrase)
    return [*words[:-1], head] if head in CUTS else [head]


class Kitchen:
    """The things that are there while the steps are read in their order."""

    def __init__(self, title: str, listed: Sequence[str]) -> None:
        self.title = stems(title)
        self.listed = sorted(listed, key=len, reverse=True)
        self.things: list[Thing] = []
        self.deeds: list[Deed] = []
        self.last: Thing | None = None
        self.came: set[str] = set()
        self.clock = 0
        self.repeated: int | None = None
        self.parted = ""
        self.parts: set[str] = set()
        self.rests: dict[str, Thing] = {}
        self.fresh: set[str] = set()
        self.ages: dict[str, int] = {}

    # mentions

    def mentions(self, text: str) -> list[tuple[int, str, str]]:
        """Places in a sentence: (where, ``in``, phrase), (where, ``the`` or ``part``, phrase)."""
        found: list[tuple[int, str, str]] = []
        left, skip = text, 0
        for phrase in self.listed:
            for match in re.finditer(
                rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", left, re.IGNORECASE
            ):
                at = match.start()
                the = re.search(r"\b(?:the|other|remaining) (?:[a-z]+ed )?$", left[:at])
                if phrase in self.came and (the or " " not in phrase) and self._is_there(phrase):
                    continue
                if self._is_of(left[:at], phrase):
                    continue
                if re.search(r"\bhalf (?:of )?(?:the )?$", left[:at]):
                    self.parted = _head(phrase)
                found.append((at, "in", phrase))
                left = left[:at] + "#" * len(phrase) + left[match.end() :]
                break
        if other := re.search(r"\bthe other \d+\w* of ([a-z]+)", left):
            name = stem(other[1])
            if name in self.rests:
                found.append((other.start(), "rest", name))
        for match in re.finditer(
            r"\b(?:the|this|these|those|both|remaining|other)\b", left, re.IGNORECASE
        ):
            if left[: match.start()].endswith(("for ", " make ")):
                continue  # it names what comes of it
            if left[match.end() :].startswith(" top") and not left[: match.start()].endswith(
                "over "
            ):
                continue
            words = []
            for word in left[match.end() :].split():
                bare = word.strip(",.;:")
                if bare in STOP or "#" in bare or re.match(r"\d", bare):
                    break
                if words and bare in ("warm", "hot", "cold", "well", "gently"):
                    break
                words.append(bare)
                if bare != word:
                    break
            if rests := re.match(
                r" (?:rest|remainder) of the ([a-z ]+)", left[match.end() :].lower()
            ):
                name = next((x for x in self.rests if x in stems(rests[1])), None)
                if name is not None:
                    found.append((match.start(), "rest", name))
                    skip = match.end() + len(rests[0].split(name)[0])
                    continue
            if match.start() < skip:
                continue
            kind = "part" if _PARTIAL.search(left[: match.start()]) else "the"
            kind = "left" if left[: match.start()].endswith("rest of ") else kind
            earlier = stems(left[: match.start()])
            if words and stem(words[-1]) in {"slice", "cube", "piece"}.intersection(earlier):
                continue  # "slice the bread and spread the slices"
            if words:
                found.append((match.start(), kind, " ".join(words)))
        for match in re.finditer(r"\b(?:it|them|everything|both|these)\b", left, re.IGNORECASE):
            kind = "part" if _PARTIAL.search(left[: match.start()]) else "it"
            found.append((match.start(), kind, match[0].lower()))
        return sorted(found)

    def _is_of(self, before: str, phrase: str) -> bool:
        """Whether a phrase is the end of another, as in "the garlic butter": a thing of both."""
        first = re.search(r"\bthe ([a-z]+) $", before)
        wanted = {stem(first[1]), _head(phrase)} if first else set()
        return len(wanted) == 2 and any(
            wanted <= {_head(name) for name in each.holds} for each in self.things
        )

    def _is_there(self, phrase: str) -> bool:
        """Whether a phrase that came in before means what is there, and no more of it."""
        fits = self._fits(phrase)
        return fits is not None and _head(phrase) not in STAPLES

    def _fits(self, phrase: str) -> Thing | None:
        """The thing that a phrase names, if its words say so."""
        words = [w for w in stems(phrase) if w not in ("rest", "half")]
        if not words:
            return None
        head, rest = words[-1], words[:-1]
        if rest and (KINDS.get(head) == "" or head not in {*KINDS, *self._known()}):
            best = max(
                self.things, key=lambda each: self._score(rest[-1], rest[:-1], each, head),
                default=None,
            )  # fmt: skip
            if best is not None and self._score(rest[-1], rest[:-1], best, head) >= 2:
                return best
        best = max(self.things, key=lambda each: self._score(head, rest, each), default=None)
        return best if best is not None and self._score(head, rest, best) >= 1 else None

    def _known(self) -> set[str]:
        return {w for each in self.things for w in each.words}

    def _score(self, head: str, rest: Sequence[str], thing: Thing, also: str = "") -> float:
        """How well a thing fits words."""
        if thing.name in ("oven", "small bowl", "plates"):
            return 0.0
        inside = [word for name in thing.holds for word in _core(name)]
        kinds = (KINDS.get(head) or "").split()
        score = 0.0
        if head in VESSELS:
            there = head in thing.words and "water" not in thing.words
            score = 2 + 2 * thing.age / (self.clock + 1) if there else 0.0
            score = score or (1.0 if head == "pan" and "wok" in thing.words else 0.0)
        elif head in thing.words:
            sure = thing.called == head != "sauce"  # of which there may be two
            score = (5 if sure else 3.5 if thing.called else 4) - 0.05 * len(inside)
        elif head in inside:
            score = 3.5 - 0.1 * len(inside)
        else:
            words = {w for name in thing.holds for w in stems(name)}
            if matched := [n for n, kind in enumerate(kinds) if kind in words]:
                away = thing.called and thing.called != head
                fit = 1 if away else 2 + 0.6 * len(matched)
                score = fit - 0.3 * matched[0] - 0.05 * len(inside)
        if not score:
            return 0.0
        held = {w for name in thing.holds for w in stems(name)}
        for word in (*rest, also) if also in thing.words else rest:
            known = word in thing.words or word in held
            if not known and word in self.title:
                continue
            known = known or not held.isdisjoint((KINDS.get(word) or "").split())
            score += 1.5 if known else -1.0
        return score + 0.8 * thing.age / (self.clock + 1)

    def find(self, phrase: str, others: Sequence[Thing | None] = ()) -> Thing | None:
        """The thing that a definite phrase means; None for what is no thing."""
        words = stems(phrase)
        if words[:1] == ["other"]:
            held = [each for each in self.things if "other" in each.words]
            return held[-1] if held else None
        if words == ["small", "bowl"]:
            return next((each for each in self.things if each.name == "small bowl"), None)
        if words and words[-1] == "plate" and "warm" in words:
            return next((each for each in self.things if each.name == "plates"), None)
        if not words or words[-1] in NOTHING:
            return None
        if "oven" in words:
            return next((each for each in self.things if each.name == "oven"), None)
        if words == ["rest"] or words[0] == "half":
            words = words[1:] or words
        found = self._fits(" ".join(words))
        if found is not None:
            return found
        if words[-1] in self.title or words[-1] in ("soup", "stew", "curry", "stir-fry", "filling"):
            held = [each for each in self.things if each.name != "oven" and each not in others]
            if words[-1] == "filling":
                meat = set(KINDS["meat"].split())
                meaty = [x for x in held if any(meat & set(stems(n)) for n in x.holds)]
                plain = [x for x in held if not any("flour" in n for n in x.holds)]
                held = meaty or plain or held
            return max(
                held, key=lambda each: (len(each.holds), each.name not in self.fresh, each.age),
                default=None,
            )  # fmt: skip
        if words[-1] in KINDS or words[-1] in VESSELS or words[-1] in MADE:
            return self.latest(others)
        return None

    def _begun(self, phrase: str) -> Thing | None:
        """The thing of which some was taken, and the rest is meant."""
        held, self.things = self.things, [x for x in self.things if x.name in self.parts]
        found = self._fits(phrase)
        self.things = held
        return found or self.find(phrase)

    def latest(self, others: Sequence[Thing | None] = ()) -> Thing | None:
        """The thing that was made or altered last, but for some."""
        held = [
            each
            for each in self.things
            if each.name not in ("oven", "plates", "small bowl") and each.name[0] != "="
        ]
        held = [each for each in held if each not in others]
        return max(held, key=lambda each: each.age, default=None)

    # steps

    def read(self, text: str, when: Mapping[str, str]) -> Deed:
        """Read a step, and carry it out."""
        deed = Deed(text, when=dict(when))
        number = len(self.deeds)
        self.repeated = None
        self.deeds.append(deed)
        before = {each.name: each for each in self.things}
        if text.startswith("Turn the oven off. "):
            self._added(text[:19], deed, number)
            text = text[19:]
        if not self._added(text, deed, number):
            for sentence in re.split(r"(?<=[.]) (?=[A-Z~])", text):
                self._sentence(sentence, deed, number)
        now = {each.name for each in self.things}
        deed.makes = {name for name in deed.makes if name.startswith("*") or name in now}
        deed.ends |= {name for name in before if name not in now}
        deed.uses &= {*before, *(name for name in deed.uses if name.startswith("*"))}
        return deed

    def use(self, thing: Thing, deed: Deed) -> None:
        """Let a step work with a thing, and with all that is in it."""
        deed.uses.add(thing.name)
        if thing.name not in getattr(self, "fresh", ()):
            deed.uses |= {f"*{name}" for name in thing.holds if f"*{name}" not in deed.makes}

    def make(
        self, deed: Deed, number: int, holds: Iterable[str], text: str, tag: str = ""
    ) -> Thing:
        """A new thing."""
        self.clock += 1
        plain = re.sub(r"^Butter (?=an? )", "", text)
        for phrase in deed.brings:
            kept = [w for w in phrase.split() if w.endswith("ed")]
            plain = plain.replace(phrase, " ".join((*kept, *_core(phrase))))
        words = {stem(w) for w in _SMALL.findall(plain.lower()) if w not in STOP}
        named = {w for m in _NEW.finditer(text) for w in stems(m[1])}
        thing = Thing(
            tag or f"{number}.{self.clock}", tuple(dict.fromkeys(holds)),
            (words | named) - NOTHING, self.clock, number,
            next((head for m in _NEW.finditer(text) if (head := stems(m[1])[-1]) in KINDS), ""),
        )  # fmt: skip
        self.things.append(thing)
        self.ages[thing.name] = thing.age
        deed.makes.add(thing.name)
        deed.named[thing.name] = thing.words
        self.fresh.add(thing.name)
        self.last = thing
        return thing

    def alter(self, thing: Thing, deed: Deed, text: str) -> None:
        """Let a step do something to a thing, which stays."""
        self.clock += 1
        thing.age = self.ages[thing.name] = self.clock
        thing.words |= {stem(w) for w in _SMALL.findall(text.lower()) if w not in STOP} - NOTHING
        deed.makes.add(thing.name)
        deed.named[thing.name] = thing.words
        self.last = thing

    def bring(self, phrase: str, deed: Deed) -> str:
        """An ingredient that comes in."""
        name = f"{phrase} again" if phrase in self.came else phrase
        self.came.add(phrase)
        deed.brings[name] = phrase
        deed.makes.add(f"*{name}")
        return name

    def _sentence(self, text: str, deed: Deed, number: int) -> None:
        text = re.sub(r" until (?:it is|they are) needed", "", text)
        text = re.sub(
            r"^(?:Meanwhile|In the meantime|While [^,]*|Once cold|As a side dish|To go with it"
            r"|Off the heat|Shortly before the end),? ", "", text,
        )  # fmt: skip
        heats = re.match(
            r"(?:pre)?heat the (?:oven|grill)|(?:set|turn on) the oven", text, re.IGNORECASE
        )
        if heats:
            self._oven(deed, number)
            return
        taken: list[Thing] = []
        kept: list[Thing] = []
        brought: list[str] = []
        found = self.mentions(text)
        makes_none = re.match(
            r"(?:grease|butter|line|bring (?:an?|salted water)|heat an?|fill) ", text, re.IGNORECASE
        )
        if re.search(r"patties|balls", text):
            text = re.sub(r"the (?:meat )?mixture", "the meat", text)
            found = self.mentions(text)
        sure = [self._fits(phrase) for _, kind, phrase in found if kind in ("the", "part")]
        for at, kind, phrase in found:
            if kind == "in":
                brought.append(phrase)
                continue
            if kind == "rest":
                taken.append(self.rests.pop(phrase))
                continue
            pronoun = phrase in ("it", "them", "everything", "both", "these")
            if pronoun:
                earlier = any(place < at for place, *_ in found)
                aim = re.search(r"\b(?:into|onto|over|to|on|beside|in) (?:\w+ of )?$", text[:at])
                if aim and re.match(r"(?:heat|melt|warm|bring)\b", text, re.IGNORECASE):
                    aim = None
                thing = None if (earlier and not aim) or makes_none else self.last
            else:
                thing = self._begun(phrase) if kind == "left" else self.find(phrase, sure)
            if thing is None or thing in taken or thing in kept:
                continue
            stays = thing.name == "oven" or kind == "part"
            stays = stays or ("water" in stems(phrase) and re.search(r"lift (?:\w+ )?out", text))
            (kept if stays else taken).append(thing)
            if kind == "part":
                self.parts.add(thing.name)
        brings = [self.bring(phrase, deed) for phrase in brought]
        implied = _GOES_ON.match(text) or not brings
        things = [each for each in (*taken, *kept) if each.name != "oven"]
        aimed = re.search(
            r"\b(?:into|onto|over|to|on|beside|between|among) (?:the|it|them)\b", text
        )
        goes_on = _GOES_ON.match(text) and not (things and aimed)
        implicit = goes_on or (not things and implied and not makes_none)
        if implicit and self.last in self.things and self.last not in taken:
            assert self.last is not None
            taken.append(self.last)
        for thing in (*taken, *kept):
            self.use(thing, deed)
        self._result(text, deed, number, taken, kept, brings)
        self._rest(deed, number)

    def _rest(self, deed: Deed, number: int) -> None:
        """The other half of what came in in part."""
        if self.parted:
            last = self.last
            self.rests[self.parted] = self.make(deed, number, (), f"rest of the {self.parted}")
            self.rests[self.parted].words.clear()
            self.parted, self.last = "", last

    def _result(self, text: str, deed: Deed, number: int, taken: list[Thing], kept: list[Thing],
                brings: list[str]) -> None:  # fmt: skip
        holds = [name for each in (*taken, *kept) for name in each.holds] + brings
        gone = re.search(
            r"(?:discard|throw|remove|take|fish|lift)\b.*?\bthe ([a-z ]+?)"
            r"(?: from| out| and|,|\.|$)",
            text, re.IGNORECASE,
        )  # fmt: skip
        if (
            gone
            and len(taken) == 1
            and re.search(r"discard|throw|remove|fish", text, re.IGNORECASE)
        ):
            lost = [
                name for name in taken[0].holds
                if _head(name) in stems(gone[1]) or _head(name) in stems(text)
            ]  # fmt: skip
            if lost and len(lost) < len(taken[0].holds):
                taken[0].holds = tuple(name for name in taken[0].holds if name not in lost)
                deed.ends |= {f"*{name}" for name in lost}
                self.alter(taken[0], deed, text)
                return
        if brings and re.match(r"separate\b", text, re.IGNORECASE):
            for part in ("yolk egg", "white egg"):
                self.make(deed, number, holds, part)
            return
        last_of = re.search(r"\bthe rest of the\b", text) and taken and taken[0].name in self.parts
        if (
            len(taken) == 1
            and not brings
            and not last_of
            and not [k for k in kept if k.name != "oven"]
        ):
            self._divide(text, deed, number, taken[0])
            return
        for thing in taken:
            if thing in self.things:
                self.things.remove(thing)
        words = text + " " + " ".join(" ".join(each.words & set(KINDS)) for each in taken)
        made = self.make(deed, number, holds, words)
        if any("water" in each.words for each in kept):
            made.words.discard("water")  # it is lifted out
        if re.search(r"\bcup of the (?:cooking )?water|leav\w+ the (?:oil|fat) behind", text):
            self.make(deed, number, [], "cooking water")

    def _divide(self, text: str, deed: Deed, number: int, thing: Thing) -> None:
        """One thing alone: it is altered, or parted."""
        parts = ()
        if re.match(r"separate\b", text, re.IGNORECASE):
            parts = ("yolk egg", "white egg")
        elif "in half to make two" in text:
            parts = ("lower half layer", "upper half layer")
        elif re.search(r"leav\w+ the (?:fat|oil) behind", text):
            parts = (text, "fat oil left in the pan wok pot")
        elif re.search(
            r"(?:save|set aside|keep|reserve) a? ?(?:cup|mug|ladle)\w* of", text, re.IGNORECASE
        ):
            parts = (text, "cooking water")
        if not parts:
            self.alter(thing, deed, text)
            return
        self.things.remove(thing)
        first = None
        for each in parts:
            made = self.make(deed, number, thing.holds if "water" not in each else (), each)
            first = first or made
        self.last = first

    def _oven(self, deed: Deed, number: int) -> None:
        if not any(each.name == "oven" for each in self.things):
            self.clock += 1
            self.things.append(Thing("oven", (), {"oven"}, 0, number))
        deed.makes.add("oven")

    # what is added to a recipe

    def buy(self, text: str, name: str, option: str, last: bool) -> Deed:
        """A step that makes ready an ingredient, which is bought in one of two forms."""
        self.repeated = None
        made, held = f"={name}", f"={option} {name}"
        deed = Deed(text)
        self.deeds.append(deed)
        begun = next((each for each in self.things if each.name == held), None)
        if begun is None:
            deed.brings[name] = name
            deed.makes.add(f"*{name}")
        else:
            self.things.remove(begun)
            deed.uses |= {held, f"*{name}"}
            deed.ends.add(held)
        self.came |= {name, f"{option} {name}"}
        key = made if last else held
        deed.makes.add(key)
        deed.named[key] = set(stems(f"{option} {name}"))
        there = next((each for each in self.things if each.name == key), None)
        self.clock += 1
        if there is None:
            self.things.append(Thing(key, (name,), {stems(name)[-1]}, self.clock))
        return deed

    def _added(self, text: str, deed: Deed, number: int) -> bool:
        """Read a step whose manner of speaking is one of those that recipes of prompts share."""
        self.fresh = set()
        lower = text.lower()
        if re.fullmatch(r"turn the oven off\.?", lower):
            deed.ends.add("oven")
            self.things = [each for each in self.things if each.name != "oven"]
            return True
        if re.search(r"heat the oven (?:again|once more)|^set the oven \d+ degrees lower", lower):
            if lower.startswith("set the oven"):
                deed.uses.add("oven")
            self._oven(deed, number)
            return True
        if out := re.match(r"take the (.+) out of the .+ and throw (?:it|them) away\.", lower):
            thing = self._fits(out[1])
            if thing is not None:
                self.use(thing, deed)
                lost = [n for n in thing.holds if stems(out[1])[-1] in stems(n)][-1:]
                thing.holds = tuple(n for n in thing.holds if n not in lost)
                deed.ends |= {f"*{n}" for n in lost}
                self.alter(thing, deed, "")
            return True
        if half := re.match(r"put half of the (.+) into a small bowl for the table", lower):
            thing = self.find(half[1])
            if thing is not None:
                self.use(thing, deed)
                self.things.append(Thing("small bowl", thing.holds, set(), 0, number))
                deed.makes.add("small bowl")
                deed.named["small bowl"] = {"half", "table", *stems(half[1])}
            return True
        if "put four plates into" in lower:
            deed.uses.add("oven")
            self.things.append(Thing("plates", (), {"warm", "plates"}, 0, number))
            deed.makes.add("plates")
            deed.named["plates"] = {"warm", "plate"}
            return True
        if again := re.search(
            r"(?:make (?:it|them) again.*|prepare some more .*), as in step (\d+)", lower
        ):
            self._anew(deed, int(again[1]) - 1)
            return True
        if re.match(r"(?:once more|for the table), ", lower):
            said = _plain(text.partition(", ")[2])
            makers = [k for k, each in enumerate(self.deeds[:-1]) if _plain(each.text) == said]
            if makers:
                self._anew(deed, makers[0])
                return True
        if away := re.match(r"throw (?:it|them) away\.", lower):
            (name,) = deed.when
            named = re.match(r"the (.+?) (?:is|are|has|have)\b", name)
            thing = self.find(named[1] if named else name) or self.last
            if thing is not None and away:
                deed.ends |= {thing.name, *(f"*{n}" for n in thing.holds)}
                self.things.remove(thing)
            return True
        return False

    def _anew(self, deed: Deed, maker: int) -> None:
        """A step that does an earlier one again: the same things, of the same ingredients.

        They are no newer than the first ones were: the recipe's own words go on from its own steps.
        """
        first, self.repeated = self.deeds[maker], maker
        deed.makes |= first.makes
        deed.brings |= first.brings
        deed.named |= first.named
        deed.uses |= {name for name in first.uses if name == "oven"}
        deed.cleans = first.cleans
        for name in first.makes & {"oven", *first.named}:  # no tools, which are not lost
            if not any(each.name == name for each in self.things):
                held = tuple(n[1:] for n in first.makes if n.startswith("*"))
                words = first.named.get(name, set()) | {"other"}
                self.things.append(Thing(name, held, words, self.ages.get(name, 0), maker))


def _plain(text: str) -> str:
    """The words of a step without how it is tied to others."""
    text = re.sub(r"^(?:meanwhile|in the meantime|while [^,]*), ", "", text.lower())
    return text.replace(" a clean ", " the ").strip()
