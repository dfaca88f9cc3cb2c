"""Choices of a procedure: which steps can be carried out in one execution, and which left out.

Every question about a procedure with choices comes down to one: are there options under which these
steps are carried out, and those are not? Which of its steps matter is known beforehand, as the
order is static: an ending step counts where it is forced between two others, whatever is chosen.

Steps that must be carried out fix options, in time linear in their ``when``. A step that must be
left out asks that one of the options that it depends on is not taken. Where only one such option is
open, it is struck out at once; so that everything is polynomial where steps depend on one choice
each, or on none that is still open. Otherwise the question is satisfiability, which no known
algorithm decides in polynomial time: options are then tried one by one, of the choices concerned
only, and given up with an error after a fixed amount of work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from math import prod

from thence.core.graph import bitset, members, union
from thence.core.procedure import Procedure, Taken
from thence.core.registry import nearest
from thence.core.sentence_parts import listed
from thence.errors import UsageError

Options = dict[str, str]  # choice -> the option taken; choices that do not matter may be missing
MOST_WORK = 1_000_000  # options looked at for one question, half a second

_FEW = 64  # combinations of options that are looked at one by one

_Clause = list[Taken]  # one of these must not be taken
_Open = dict[str, tuple[str, ...]]  # choice -> the options that are still open


class TooManyOptions(UsageError):
    """So many combinations of options that a question is not decided in reasonable time."""

    def __init__(self, choices: int) -> None:
        super().__init__(
            f"choices: {choices} of them have too many combinations of options to look at; let "
            "fewer steps depend on choices, or on several at once"
        )


class Choices:
    """The choices of a procedure, and the options on which its steps depend.

    Attributes:
        options: the options of each choice.
        whens: for each step the options on which it depends, each once.
        always: the bitset of the steps that are carried out in every execution.
        never: the bitset of the steps that depend on two options of one choice.

    Raises:
        UsageError: a choice has no options, has one twice or stands twice, or a step depends on an
            option that does not exist.
    """

    def __init__(self, procedure: Procedure) -> None:
        self.options: dict[str, tuple[str, ...]] = {}
        for choice in procedure.choices:
            if choice.name in self.options:
                raise UsageError(f"choice '{choice.name}' stands twice; give each its own name")
            if not choice.options:
                raise UsageError(f"choice '{choice.name}' has no options; name two or more")
            for place, option in enumerate(choice.options):
                if option in choice.options[:place]:
                    raise UsageError(
                        f"choice '{choice.name}' has the option '{option}' twice; leave one out"
                    )
            self.options[choice.name] = choice.options
        self.whens = [tuple(dict.fromkeys(step.when)) for step in procedure.steps]
        self.always = self.never = 0
        users: dict[str, dict[str, int]] = {}  # choice -> option -> the steps that depend on it
        for step, when in enumerate(self.whens):
            if not when:
                self.always |= 1 << step
            elif len({choice for choice, _ in when}) < len(when):
                self.never |= 1 << step
            for name, option in when:
                self.check(name, option, f"step {step + 1} depends on the")
                held = users.setdefault(name, {})
                held[option] = held.get(option, 0) | 1 << step
        every = {name: union(held.values()) for name, held in users.items()}
        self._dependent = every
        self._others = {
            (name, option): every[name] & ~steps
            for name, held in users.items()
            for option, steps in held.items()
        }
        self._tied = [union(every[name] for name, _ in when) for when in self.whens]
        self._excluded = [self._excluded_by(step) for step in range(len(self.whens))]

    def check(self, choice: str, option: str, whose: str = "") -> None:
        """Raise an error where there is no such choice or option.

        Args:
            choice: the name of the choice.
            option: the name of the option.
            whose: who names them, such as ``step 2 depends on the``.

        Raises:
            UsageError: there is no such choice, or it has no such option.
        """
        kinds = (
            (choice, [*self.options], "choices", f"choice '{choice}'"),
            (option, self.options.get(choice, ()), "options", f"option '{option}' of '{choice}'"),
        )
        for name, known, kind, unknown in kinds:
            if name not in known:
                mend = f"add it to the {kind}" if whose else f"the {kind} are {listed(known)}"
                hint = nearest(name, known) or f"; {mend}"
                raise UsageError(f"{whose} unknown {unknown}{hint}".lstrip())

    def _excluded_by(self, step: int) -> int:
        if self.never >> step & 1:
            return -1
        excluded = self.never
        for taken in self.whens[step]:
            excluded |= self._others[taken]
        return excluded

    def idle(self, steps: int) -> int:
        """Return those of some steps that can all be left out, whatever is done with the others.

        They depend on a choice that has an option on which none of the steps depends.
        """
        used: dict[str, set[str]] = {}
        for step in members(steps):
            for choice, option in self.whens[step]:
                used.setdefault(choice, set()).add(option)
        idle = {name for name, held in used.items() if len(held) < len(self.options[name])}
        return bitset(s for s in members(steps) if any(name in idle for name, _ in self.whens[s]))

    def tied(self, step: int) -> int:
        """Return the bitset of the steps that depend on a choice on which a step depends, too."""
        return self._tied[step]

    def excluded(self, step: int) -> int:
        """Return the bitset of the steps that no execution carries out along with a step."""
        return self._excluded[step]

    def clash(self, i: int, j: int) -> tuple[str, str, str] | None:
        """Return a choice, and the two options of it on which two steps depend, if there is one."""
        wanted = dict(self.whens[i])
        for choice, option in self.whens[j]:
            if wanted.get(choice, option) != option:
                return choice, wanted[choice], option
        return None

    def taken(
        self, carried_out: Iterable[int], left_out: int = 0, given: Mapping[str, str] | None = None
    ) -> Options | None:
        """Return options under which some steps are carried out and others are left out.

        Args:
            carried_out: steps that must be carried out.
            left_out: the bitset of the steps that must not be.
            given: options that are taken already.

        Returns:
            The options that matter; None where there are no such options.

        Raises:
            TooManyOptions: the steps left out depend on too many choices in too many ways.
        """
        found, excluded = dict(given or {}), 0
        for step in carried_out:
            for choice, option in self.whens[step]:
                if found.setdefault(choice, option) != option:
                    return None
            excluded |= self._excluded[step]
        left_out &= ~excluded
        if not left_out:
            return found
        if left_out & self.always:
            return None
        clauses = []
        for step in members(left_out):
            when = self.whens[step]
            if all(found.get(choice, option) == option for choice, option in when):
                clauses.append([taken for taken in when if taken[0] not in found])
        left = self._avoid(clauses)
        return None if left is None else found | {choice: held[0] for choice, held in left.items()}

    def fits(self, carried_out: Iterable[int], left_out: int = 0) -> bool:
        """Return whether there are options under which some steps are done and others are not.

        Raises:
            TooManyOptions: as `taken` does.
        """
        if self._combined is None:
            return self.taken(carried_out, left_out) is not None
        wanted = union(1 << step for step in carried_out)
        return any(not (wanted & ~done or left_out & done) for done in self._combined)

    @cached_property
    def deciding(self) -> frozenset[str]:
        """The choices on which some step depends."""
        return frozenset(choice for when in self.whens for choice, _ in when)

    @property
    def is_few(self) -> bool:
        """Whether there are so few combinations of options that each is looked at."""
        return self._combined is not None

    @cached_property
    def _combined(self) -> tuple[int, ...] | None:
        """The bitsets of the steps done under each combination; None where these are many."""
        names = self.deciding
        if prod(len(self.options[name]) for name in names) > _FEW:
            return None
        every = (self.carried_out(self.completed(each)) for each in self.combinations(names))
        return tuple(dict.fromkeys(every))

    def _avoid(self, clauses: list[_Clause]) -> _Open | None:
        """Return the options that stay open when of each clause one option is not taken."""
        everything = {choice: self.options[choice] for clause in clauses for choice, _ in clause}
        waiting, work = [(everything, clauses)], 0
        while waiting:
            left, clauses = waiting.pop()
            work += sum(map(len, clauses)) + len(left)
            if work > MOST_WORK:
                raise TooManyOptions(len(everything))
            clauses = _open_clauses(left, clauses)
            if not clauses:
                return left
            shortest = min(clauses, key=len)
            if len(shortest) == 1:
                struck = _strike(left, [clause[0] for clause in clauses if len(clause) == 1])
                waiting += [(struck, clauses)] if struck else []
            elif shortest:
                choice, option = shortest[0]
                waiting.append((left | {choice: (option,)}, clauses))
                waiting.append((_strike(left, [(choice, option)]), clauses))
        return None

    def covering(self, carried_out: Iterable[int], steps: Iterable[int]) -> list[int]:
        """Return a minimal subset of which at least one step is carried out under every option.

        Args:
            carried_out: steps; executions that leave one of them out do not count.
            steps: the steps to choose from; those that stand last are kept where possible.

        Returns:
            The steps, in the order given; none where all of them can be left out together.
        """
        kept, fixed = list(steps), list(carried_out)
        if self.taken(fixed, bitset(kept)) is not None:
            return []
        for step in list(kept):
            rest = [each for each in kept if each != step]
            if self.taken(fixed, bitset(rest)) is None:
                kept = rest
        return kept

    def apart[Row](
        self, rows: Iterable[tuple[int, Row]], given: Iterable[int] = ()
    ) -> list[tuple[list[Options], list[tuple[int, Row]]]]:
        """Return rows about steps in groups that share no open choice, with all options of each.

        Args:
            rows: pairs of a step and what is told of it.
            given: steps that are carried out together.

        Raises:
            TooManyOptions: a group has too many combinations of options.
        """
        fixed = self.taken(given) or {}
        groups: list[tuple[set[str], list[tuple[int, Row]]]] = []
        for row in rows:
            open_choices = {choice for choice, _ in self.whens[row[0]] if choice not in fixed}
            tied = [group for group in groups if group[0] & open_choices]
            groups = [group for group in groups if not group[0] & open_choices]
            members_of = [each for _, held in tied for each in held]
            groups.append((open_choices.union(*(held for held, _ in tied)), [*members_of, row]))
        found = []
        for choices, held in groups:
            combinations = self.combinations(choices, len(held))
            found.append(([fixed | each for each in combinations], held))
        return found

    def combinations(self, names: Collection[str], work: int = 1) -> Iterator[Options]:
        """Return every combination of the options of some choices.

        Args:
            names: the choices.
            work: the steps that are looked at under each.

        Raises:
            TooManyOptions: there are too many.
        """
        chosen = [name for name in self.options if name in names]
        if prod(len(self.options[name]) for name in chosen) * work > MOST_WORK:
            raise TooManyOptions(len(chosen))
        every = product(*(self.options[name] for name in chosen))
        return (dict(zip(chosen, each, strict=True)) for each in every)

    def completed(self, options: Mapping[str, str]) -> Options:
        """Return an option for each choice: the one taken, or else the first."""
        return {name: options.get(name, known[0]) for name, known in self.options.items()}

    def carried_out(self, options: Mapping[str, str]) -> int:
        """Return the bitset of the steps that are carried out; an option for each choice."""
        left_out = self.never
        for name, steps in self._dependent.items():
            left_out |= self._others.get((name, options[name]), steps)
        return (1 << len(self.whens)) - 1 & ~left_out


def _strike(left: _Open, options: list[Taken]) -> _Open:
    """Return the options left open when some are struck; nothing where a choice has none."""
    found = dict(left)
    for choice, option in options:
        found[choice] = tuple(each for each in found[choice] if each != option)
        if not found[choice]:
            return {}
    return found


def _open_clauses(left: _Open, clauses: list[_Clause]) -> list[_Clause]:
    """Return the clauses that the open options do not yet fulfil, without their decided parts."""
    found = []
    for clause in clauses:
        rest = []
        for choice, option in clause:
            held = left[choice]
            if option not in held:
                break
            if len(held) > 1:
                rest.append((choice, option))
        else:
            found.append(rest)
    return found
