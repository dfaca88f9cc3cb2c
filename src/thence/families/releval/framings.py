"""The words of a relation: signs, or sentences about software packages or banks.

In every framing an edge leads from the larger object to the smaller one, from the earlier to the
later, from the debtor to the creditor. A sentence may name either of them first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thence.core.parameters import Parameter, one_of


@dataclass(frozen=True, slots=True)
class Framing:
    """The sentences of a framing; ``{a}`` stands for the start of an edge, ``{b}`` for its end.

    Attributes:
        name: the value of ``framing``.
        says: statements that name a first.
        says_back: statements that name b first.
        asks: claims or questions of a comparison that name a first.
        asks_back: claims or questions of a comparison that name b first.
    """

    name: str
    says: Sequence[str]
    says_back: Sequence[str]
    asks: Sequence[str]
    asks_back: Sequence[str]

    def sentence(self, a: str, b: str, number: int) -> str:
        """Return the statement of an edge; ``number`` counts ``says``, then ``says_back``.

        Raises:
            IndexError: there is no such sentence.
        """
        return _filled([*self.says, *self.says_back], a, b, number)

    def question(self, a: str, b: str, number: int) -> str:
        """Return the claim of a comparison; ``number`` counts ``asks``, then ``asks_back``."""
        return _filled([*self.asks, *self.asks_back], a, b, number)


def _filled(patterns: Sequence[str], a: str, b: str, number: int) -> str:
    if not 0 <= number < len(patterns):
        raise IndexError(f"there is no sentence {number}")
    return patterns[number].format(a=a, b=b)


SYMBOLIC = Framing("symbolic", ["{a} > {b}"], ["{b} < {a}"], ["{a} > {b}"], ["{b} < {a}"])

SOFTWARE = Framing(
    "software",
    says=[
        "{a} executes before {b}.",
        "{a} must be loaded before {b}.",
        "{a} is a prerequisite for {b}.",
        "{a} is needed by {b}.",
        "{a} comes earlier in the build than {b}.",
        "{a} has to be installed ahead of {b}.",
        "{a} is initialised before {b}.",
        "{a} must be ready before {b} can start.",
        "{a} is required by {b}.",
        "{a} has to be compiled before {b}.",
        "{a} is a package that {b} depends on.",
        "{a} has to be in place by the time {b} is built.",
        "{a} must be set up first so that {b} can run.",
    ],
    says_back=[
        "{b} depends on {a}.",
        "{b} initialises after {a}.",
        "{b} requires {a} to be available first.",
        "{b} must be loaded after {a}.",
        "{b} starts only after {a}.",
        "{b} needs {a} ready first.",
        "{b} cannot be built until {a} is in place.",
        "{b} comes later in the build than {a}.",
        "{b} can be installed only once {a} is there.",
        "{b} has to wait for {a}.",
        "{b} is built on top of {a}.",
        "{b} will not compile without {a} already built.",
        "{b} relies on {a} having been set up.",
    ],
    asks=[
        "Do we need to load {a} before {b}?",
        "Does {a} have to come before {b} in the build?",
        "Must {a} be in place before we can build {b}?",
        "Is {a} something that has to be ready ahead of {b}?",
    ],
    asks_back=[
        "Does {b} have to wait until {a} is loaded?",
        "Does {b} have to come after {a} in the build?",
        "Is {b} something that we can build only after {a}?",
        "Do we need to hold {b} back until {a} is ready?",
    ],
)

FINANCE = Framing(
    "finance",
    says=[
        "{a} owes money to {b}.",
        "{a} has borrowed money from {b} and still owes it.",
        "{a} has yet to repay a loan from {b}.",
        "{a} is a debtor of {b}.",
        "{a} has obligations to {b}.",
        "{a} has issued bonds that {b} holds.",
        "{a} has yet to pay back what it drew on a credit line from {b}.",
        "{a} is due to make payments to {b}.",
        "{a} counts {b} among its creditors.",
        "{a} is the borrower of a loan that {b} gave.",
        "{a} has to pay interest on money that it owes {b}.",
        "{a} is behind with a debt to {b}.",
        "{a} has an unpaid debt to {b}.",
    ],
    says_back=[
        "{b} is directly exposed to {a}, its debtor.",
        "{b} has lent money to {a} and is still owed it.",
        "{b} is a creditor of {a}.",
        "{b} holds bonds issued by {a}.",
        "{b} is waiting for repayment from {a}.",
        "{b} is entitled to repayment by {a}.",
        "{b} carries the risk of its own loan to {a}.",
        "{b} is owed money by {a}.",
        "{b} has a debt to collect from {a}.",
        "{b} has yet to receive what is owed to it by {a}.",
        "{b} has {a} among its debtors.",
        "{b} has an open loan to {a} on its books.",
        "{b} is the lender of a loan that is to be repaid by {a}.",
    ],
    asks=[
        "Is {a} a debtor of {b}, directly or through others?",
        "Does {a} owe money to {b}, directly or through others?",
        "Is {a} indebted to {b}, directly or through others?",
        "If {a} does not pay, is {b} exposed to that, directly or through others?",
    ],
    asks_back=[
        "Is {b} exposed to {a}, directly or through others?",
        "Does {b} depend on payments by {a}, directly or through others?",
        "Would a loss reach {b}, directly or through others, from a default of {a}?",
        "Is {b} a creditor of {a}, directly or through others?",
    ],
)

FRAMINGS = {each.name: each for each in (SYMBOLIC, SOFTWARE, FINANCE)}


FRAMING = Parameter(
    "framing",
    SYMBOLIC.name,
    "how relations are said: symbolic (A > B), software (packages) or finance (obligations)",
    one_of(*FRAMINGS),
)
NOTATION = Parameter(
    "notation",
    "mixed",
    "mixed, or aligned: every statement names the larger object first",
    one_of("mixed", "aligned"),
)
