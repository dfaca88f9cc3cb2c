"""Parser of typed STRIPS in PDDL, with the checks that the planner leaves out.

The planner takes objects of a wrong type without a word and answers other mistakes with a
traceback; here each is one clause that names the line, the thing and the mend.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from thence.domains.plans.sexpr import Group, PddlError, read

Atom = tuple[str, ...]
"""A predicate and its arguments; those that begin with ``?`` are variables."""

OBJECT = "object"
_TAKEN = {
    ":strips",
    ":typing",
    ":equality",
    ":negative-preconditions",
    ":action-costs",
}


@dataclass(frozen=True, slots=True)
class Action:
    """Parsed schema of an action.

    Attributes:
        name: in lower case.
        parameters: variable and the types it may have, in order.
        needs: atoms that must hold before.
        forbids: atoms that must not hold before.
        adds: atoms that hold after.
        deletes: atoms that no longer hold after.
    """

    name: str
    parameters: tuple[tuple[str, tuple[str, ...]], ...]
    needs: tuple[Atom, ...] = ()
    forbids: tuple[Atom, ...] = ()
    adds: tuple[Atom, ...] = ()
    deletes: tuple[Atom, ...] = ()


@dataclass(frozen=True, eq=False)  # one a text: it is its own key
class PddlDomain:
    """Parsed form of a PDDL domain.

    Attributes:
        name: as its text says.
        text: as read.
        types: type -> the types that it is also of, itself included.
        constants: name -> types.
        predicates: name -> the types of each argument.
        actions: by name.
        functions: names of numbers, such as ``total-cost``; nothing is computed with them here.
    """

    name: str
    text: str
    types: Mapping[str, frozenset[str]]
    constants: Mapping[str, tuple[str, ...]]
    predicates: Mapping[str, tuple[tuple[str, ...], ...]]
    actions: Mapping[str, Action]
    functions: frozenset[str] = frozenset()
    fluent: frozenset[str] = field(init=False, default=frozenset())
    """Predicates that some action adds or deletes; the others never matter to a plan's flow."""

    def __post_init__(self) -> None:
        changed = {
            atom[0] for action in self.actions.values() for atom in (*action.adds, *action.deletes)
        }
        object.__setattr__(self, "fluent", frozenset(changed))

    def is_a(self, types: Iterable[str], wanted: Sequence[str]) -> bool:
        """Return whether anything of one of ``types`` is also of a ``wanted`` type."""
        return all(any(each in self.types[kind] for each in wanted) for kind in types)


@dataclass(frozen=True, slots=True)
class PddlProblem:
    """Parsed form of a PDDL problem.

    Attributes:
        name: as its text says.
        text: as read.
        objects: name -> types, the domain's constants included.
        init: what holds at the start.
        goal: what must hold at the end.
        avoid: what must not hold at the end.
    """

    name: str
    text: str
    objects: Mapping[str, tuple[str, ...]]
    init: tuple[Atom, ...]
    goal: tuple[Atom, ...]
    avoid: tuple[Atom, ...] = ()


def parse_domain(text: str) -> PddlDomain:
    """Parse a domain and check its names and types.

    Raises:
        PddlError: what is wrong, in one clause.
    """
    root = read(text)
    name = _name_of(root, "domain")
    sections = _sections(
        root, {":requirements", ":types", ":constants", ":predicates", ":functions"}, {":action"}
    )
    for group in sections.get(":requirements", []):
        for word in group.words(":requirements"):
            if word not in _TAKEN:
                raise PddlError(
                    f"line {group.line}: requirement '{word}' is not taken; plans are of "
                    f"{' '.join(sorted(_TAKEN))}"
                )
    types = _types(sections.get(":types", []))
    constants: dict[str, tuple[str, ...]] = {}
    for group in sections.get(":constants", []):
        constants.update(_typed(group.line, group.items[1:], types, "constant"))
    predicates: dict[str, tuple[tuple[str, ...], ...]] = {}
    for group in sections.get(":predicates", []):
        for each in group.groups(":predicates"):
            arguments = _typed(each.line, each.items[1:], types, "variable")
            if not each.head or each.head in predicates:
                raise PddlError(
                    f"line {each.line}: predicate '{each.head}' is given twice or empty"
                )
            predicates[each.head] = tuple(arguments.values())
    functions = frozenset(
        each.head
        for group in sections.get(":functions", [])
        for each in group.items[1:]
        if isinstance(each, Group)
    )
    draft = PddlDomain(name, text, types, constants, predicates, {}, functions)
    actions: dict[str, Action] = {}
    for group in sections.get(":action", []):
        action = _action(group, draft)
        if action.name in actions:
            raise PddlError(f"line {group.line}: action '{action.name}' is given twice")
        actions[action.name] = action
    if not actions:
        raise PddlError("has no :action")
    return PddlDomain(name, text, types, constants, predicates, actions, functions)


def parse_problem(text: str, domain: PddlDomain) -> PddlProblem:
    """Parse a problem and check its objects and atoms against its domain.

    Raises:
        PddlError: what is wrong, in one clause.
    """
    root = read(text)
    name = _name_of(root, "problem")
    sections = _sections(
        root, {":domain", ":requirements", ":objects", ":init", ":goal", ":metric"}, set()
    )
    for group in sections.get(":domain", []):
        said = " ".join(group.words(":domain"))
        if said != domain.name:
            raise PddlError(
                f"line {group.line}: is a problem of domain '{said}', but the domain's file "
                f"defines '{domain.name}'"
            )
    objects = dict(domain.constants)
    for group in sections.get(":objects", []):
        given = _typed(group.line, group.items[1:], domain.types, "object")
        for thing, types in given.items():
            if thing in objects:
                raise PddlError(f"line {group.line}: object '{thing}' is given twice")
            objects[thing] = types
    init: dict[Atom, None] = {}
    for group in sections.get(":init", []):
        for each in group.groups(":init"):
            if each.head == "=":  # a number, such as (= (total-cost) 0)
                continue
            init[_checked_atom(each, domain, objects)] = None
    goals = sections.get(":goal", [])
    if not goals:
        raise PddlError("has no :goal")
    goal: list[Atom] = []
    avoid: list[Atom] = []
    for positive, literal in _literals(goals[0].groups(":goal"), "a goal"):
        (goal if positive else avoid).append(_checked_atom(literal, domain, objects))
    return PddlProblem(name, text, objects, tuple(init), tuple(goal), tuple(avoid))


def _name_of(root: Group, kind: str) -> str:
    second = root.items[1] if len(root.items) > 1 else None
    if root.head != "define" or not isinstance(second, Group) or second.head != kind:
        raise PddlError(f"line {root.line}: must begin with (define ({kind} NAME)")
    return " ".join(second.words(f"({kind} NAME)"))


def _sections(root: Group, once: set[str], often: set[str]) -> dict[str, list[Group]]:
    found: dict[str, list[Group]] = {}
    for item in root.items[2:]:
        if isinstance(item, str):
            raise PddlError(f"line {root.line}: '{item}' stands where a section must")
        if item.head not in once | often:
            known = " ".join(sorted(once | often))
            raise PddlError(
                f"line {item.line}: section '{item.head}' is not taken; there are {known}"
            )
        held = found.setdefault(item.head, [])
        if held and item.head in once:
            raise PddlError(f"line {item.line}: a second {item.head}")
        held.append(item)
    return found


def _types(groups: Sequence[Group]) -> dict[str, frozenset[str]]:
    parents: dict[str, tuple[str, ...]] = {OBJECT: ()}
    for group in groups:
        for name, above in _split(group.line, group.items[1:], "type"):
            if name != OBJECT:
                parents[name] = above or (OBJECT,)
    for above in list(parents.values()):
        for each in above:
            parents.setdefault(each, (OBJECT,))
    closed: dict[str, frozenset[str]] = {}
    for name in parents:
        seen: dict[str, None] = {}
        waiting = [name]
        while waiting:
            each = waiting.pop()
            if each not in seen:
                seen[each] = None
                waiting += parents[each]
        if any(name in parents[each] for each in seen):
            raise PddlError(f"type '{name}' is a subtype of itself")
        closed[name] = frozenset(seen)
    return closed


def _split(
    line: int, items: Sequence[str | Group], what: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield names with the types after their dash; no types where there is no dash."""
    names: list[str] = []
    place = 0
    while place < len(items):
        item = items[place]
        if isinstance(item, Group):
            raise PddlError(f"line {item.line}: brackets where a {what} must stand")
        if item == "-":
            after = items[place + 1] if place + 1 < len(items) else None
            if not names or after is None:
                raise PddlError(f"line {line}: '-' must stand between names and a type")
            if isinstance(after, Group):
                if after.head != "either":
                    raise PddlError(f"line {after.line}: only (either ...) may stand for a type")
                kinds = tuple(after.words("(either ...)"))
            else:
                kinds = (after,)
            yield from ((name, kinds) for name in names)
            names, place = [], place + 2
        else:
            names.append(item)
            place += 1
    yield from ((name, ()) for name in names)


def _typed(
    line: int, items: Sequence[str | Group], types: Mapping[str, frozenset[str]], what: str
) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, kinds in _split(line, items, what):
        for kind in kinds:
            if kind not in types:
                known = ", ".join(sorted(types))
                raise PddlError(
                    f"line {line}: {what} '{name}' is of unknown type '{kind}'; there are {known}"
                )
        if name.startswith("?") != (what == "variable"):
            raise PddlError(f"line {line}: '{name}' cannot be a {what}")
        if name in found:
            raise PddlError(f"line {line}: {what} '{name}' is given twice")
        found[name] = kinds or (OBJECT,)
    return found


def _action(group: Group, domain: PddlDomain) -> Action:
    words = group.items[1:]
    if not words or not isinstance(words[0], str) or words[0].startswith(":"):
        raise PddlError(f"line {group.line}: an :action needs a name")
    name, parts = words[0], dict[str, Group]()
    rest = words[1:]
    if len(rest) % 2:
        raise PddlError(f"line {group.line}: action '{name}' has a part without brackets")
    for key, value in zip(rest[::2], rest[1::2], strict=True):
        if key not in (":parameters", ":precondition", ":effect") or not isinstance(value, Group):
            raise PddlError(
                f"line {group.line}: action '{name}' must hold :parameters, :precondition and "
                ":effect, each with brackets"
            )
        parts[str(key)] = value
    if ":effect" not in parts:
        raise PddlError(f"line {group.line}: action '{name}' has no :effect")
    given = parts.get(":parameters", Group(group.line))
    variables = _typed(given.line, given.items, domain.types, "variable")
    scope = {**domain.constants, **variables}
    needs: list[Atom] = []
    forbids: list[Atom] = []
    adds: list[Atom] = []
    deletes: list[Atom] = []
    for positive, each in _literals(
        [parts.get(":precondition", Group(group.line))], "a precondition"
    ):
        if each.head == "=":
            _equal(each, scope)
        else:
            (needs if positive else forbids).append(_checked_atom(each, domain, scope, loose=True))
    for positive, each in _literals([parts[":effect"]], "an effect", costs=True):
        (adds if positive else deletes).append(_checked_atom(each, domain, scope, loose=True))
    return Action(
        name, tuple(variables.items()), tuple(needs), tuple(forbids), tuple(adds), tuple(deletes)
    )


def _equal(group: Group, scope: Mapping[str, tuple[str, ...]]) -> None:
    """Check the terms of an (in)equality, which limits actions and has no effect."""
    for word in group.words("an equality"):
        if word not in scope:
            raise PddlError(f"line {group.line}: '{word}' is not declared")


def _literals(
    groups: Sequence[Group], what: str, *, costs: bool = False
) -> Iterator[tuple[bool, Group]]:
    """Yield the atoms of a conjunction, each with whether it is asserted."""
    waiting = list(reversed(groups))
    while waiting:
        group = waiting.pop()
        if group.head == "and":
            waiting += reversed(group.groups("(and ...)"))
        elif group.head == "not":
            inner = group.groups("(not ...)")
            if len(inner) != 1 or inner[0].head in ("and", "or", "not", "forall", "exists"):
                raise PddlError(f"line {group.line}: (not ...) must hold one atom")
            yield False, inner[0]
        elif costs and group.head == "increase":
            continue  # what an action costs is the planner's business
        elif group.head in ("or", "imply", "forall", "exists", "when", "assign", "decrease"):
            raise PddlError(
                f"line {group.line}: {what} with '{group.head}' is not taken; "
                "it must be a conjunction of atoms and their negations"
            )
        elif group.items:
            yield True, group


def _checked_atom(
    group: Group, domain: PddlDomain, scope: Mapping[str, tuple[str, ...]], *, loose: bool = False
) -> Atom:
    """Return an atom whose predicate and terms are declared and of fitting types."""
    name, terms = group.head, group.words("an atom")
    if name not in domain.predicates:
        known = ", ".join(sorted(domain.predicates)) or "none"
        raise PddlError(f"line {group.line}: unknown predicate '{name}'; there are {known}")
    wanted = domain.predicates[name]
    if len(terms) != len(wanted):
        raise PddlError(
            f"line {group.line}: predicate '{name}' takes {len(wanted)} terms, not {len(terms)}"
        )
    for term, kinds in zip(terms, wanted, strict=True):
        if term not in scope:
            what = "variable" if term.startswith("?") else "object"
            raise PddlError(f"line {group.line}: {what} '{term}' is not declared")
        # What a variable stands for may be narrower than its own type.
        fits = domain.is_a(scope[term], kinds) or (loose and _may_be(domain, scope[term], kinds))
        if not fits:
            said = " or ".join(scope[term])
            raise PddlError(
                f"line {group.line}: '{term}' is of type '{said}', but '{name}' takes "
                f"'{' or '.join(kinds)}' there"
            )
    return (name, *terms)


def _may_be(domain: PddlDomain, types: Sequence[str], wanted: Sequence[str]) -> bool:
    return any(
        each in domain.types[kind] or kind in domain.types[each]
        for kind in types
        for each in wanted
    )
