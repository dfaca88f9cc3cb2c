"""Memory of the results of earlier steps, and the search for them by a later step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from thence.domains.recipes.lexicon import (
    KINDS_OF_FOOD,
    MADE_OF,
    RAW,
    RAW_WITH_CARE,
    STAPLES,
    Kind,
    stem,
)
from thence.domains.recipes.nodes import (
    IN_OR_ONTO,
    Node,
    cooks_on,
    is_extra,
    is_more,
    is_other_sort,
    leaves_water,
    mixes,
    sets_apart,
    vessel,
    waits_aside,
    was_done,
)
from thence.domains.recipes.phrases import Chunk
from thence.domains.recipes.shopping import SAUCES_BY_NAME, ShoppingList

_SEASONING = frozenset(("salt", "seasoning", "black pepper", "white pepper"))
LINING = frozenset(("grease", "line", "butter", "oil", "flour", "spray", "prepare"))
INNER = frozenset(("flesh", "pulp", "stone", "bone", "core", "pit"))  # of the food in hand
STOCKS = frozenset(("stock", "broth", "bouillon"))
_CUTTING = frozenset(
    ("chop", "cut", "deseed", "dice", "halve", "quarter", "shred", "slice", "trim")
)
_OTHER_GOODS = frozenset(
    ["oil", "milk", "sauce", "stock", "broth", "butter", "wine", "syrup", "salt", "ketchup",
     "bouillon", "liqueur", "extract", "essence"]
)  # fmt: skip
"""What is bought, of whatever it is made, and is not called by that alone: olive oil."""
_POURED_OVER = frozenset(
    ["sauce", "dressing", "vinaigrette", "gravy", "glaze", "icing", "frosting", "dip", "salsa"]
)
_BOILS = frozenset(("boil", "simmer", "poach", "stew", "cook", "bring"))
BOILING = frozenset(("boiling", "simmering", "hot", "bubbling"))


class Memory:
    """Nodes of the steps read so far, with searches that return the place of a node."""

    def __init__(self, *, careful: bool = False, goods: ShoppingList | None = None) -> None:
        self.careful = careful  # whether the text is read with care
        self.goods = goods or ShoppingList()
        self.listed = self.goods.heads
        self.come_in: set[int] = set()  # lines of the list that steps have named
        self.nodes: list[Node] = []
        self._there: list[tuple[int, Node]] = []  # nodes that no step has consumed
        self._things: list[tuple[int, Node]] = []  # those nodes without ovens
        self._food: list[tuple[int, Node]] = []
        self._lit: int | None = None
        self._pots: list[int] = []  # steps that boil water and, apart from it, do something else

    def add(self, node: Node) -> None:
        """Add the result of a step, and forget what it consumed."""
        if node.takes:
            self._there = [each for each in self._there if each[1].alive]
            self._things = [each for each in self._things if each[1].alive]
            self._food = [each for each in self._food if each[1].alive]
        each = (len(self.nodes), node)
        self.nodes.append(node)
        self._there.append(each)
        if node.kind != "oven":
            self._things.append(each)
        if node.kind == "food":
            self._food.append(each)
        if node.lit:
            self._lit = each[0]
        if leaves_water(node):
            self._pots.append(each[0])

    def backwards(self, *, food: bool = False) -> Iterable[tuple[int, Node]]:
        """Yield the nodes that no step has consumed, the latest first, without ovens."""
        return reversed(self._food if food else self._things)

    def named(self, chunk: Chunk) -> int | None:
        """Return the place of a thing with a noun phrase's name, or of a mixture that holds it."""
        seasoning = not _SEASONING.isdisjoint((chunk.head, chunk.name))
        if self.careful and seasoning and not chunk.rest:
            return None  # "add the salt"
        if self.careful and is_extra(chunk):
            return None
        if self.careful and chunk.rest and (chunk.head in RAW_WITH_CARE or self.goods.named(chunk)):
            return self._put_by(chunk.head)
        return self._named(chunk)

    def _named(self, chunk: Chunk) -> int | None:
        head = chunk.head
        place = self.rest(head) if chunk.rest else None
        if place is not None:
            return place
        if self._names_boiled(chunk):
            return self.medium(head)
        if not chunk.rest and not chunk.definite:
            if head in STAPLES or (chunk.counted and not chunk.part):
                return None
        elif chunk.counted and head in RAW and not chunk.rest:  # "a little of the milk"
            return next((k for k, x in self.backwards() if head in x.own and len(x.own) <= 3), None)
        place = self._called(chunk)
        if place is None and head not in STAPLES:
            by_name = self._is_ingredient(chunk) or self._is_sort_alone(chunk)
            place = self.mixed(frozenset((head,)), by_name=by_name)
        more = self.careful and place is not None and is_more(chunk, self.nodes[place])
        return None if more else place

    def _names_boiled(self, chunk: Chunk) -> bool:
        """Return whether a noun phrase names what a step boiled: "the hot water", "hot stock"."""
        if chunk.rest or BOILING.isdisjoint(chunk.words):
            return False
        stock = self.careful and not chunk.definite and chunk.head in STOCKS
        return stock or (chunk.definite and chunk.head == "water")

    def _called(self, chunk: Chunk) -> int | None:
        """Return the latest thing of that name, preferably with the same adjective."""
        found = self._latest_called(chunk, by_name=True) if self.careful else None
        if found is not None or self._is_ingredient(chunk) or self._is_sort_alone(chunk):
            return found
        return self._latest_called(chunk)

    def _is_ingredient(self, chunk: Chunk) -> bool:
        """Return whether a noun is no word for what has it as a modifier: "lemon", "lemon salt"."""
        onto = chunk.prep in IN_OR_ONTO  # "stir into chili"
        return self.careful and chunk.head in RAW and not (chunk.definite or onto)

    def _is_sort_alone(self, chunk: Chunk) -> bool:
        """Return whether a noun is the sort of an oil, a milk and the like that came in.

        So "the olives" are not what has olive oil in it. Olives that came in, too, have their name.
        """
        plain = (
            len(chunk.stems) == 1 and chunk.prep not in IN_OR_ONTO and chunk.head in RAW_WITH_CARE
        )
        if not (self.careful and plain) or chunk.head in SAUCES_BY_NAME:
            return False
        names = [name.split() for node in self.nodes for name in node.brings]
        sorts = [each for each in names if chunk.head in map(stem, each[:-1])]
        return bool(sorts) and all(stem(each[-1]) in _OTHER_GOODS for each in sorts)

    def _latest_called(self, chunk: Chunk, *, by_name: bool = False) -> int | None:
        """Return the same, or with ``by_name`` no thing whose name only begins with that noun."""
        head = chunk.head
        names = chunk.stems[:-1]
        best = None
        for place, node in reversed(self._things):
            if self.careful and is_other_sort(chunk, node, by_name=by_name):
                continue
            if head in node.own or head == node.product:
                if head in STAPLES and not chunk.definite and not node.kept:
                    continue
                if not names or not node.own.isdisjoint(names):
                    return place
                if self.careful and was_done(node, names):  # "the melted butter"
                    return place
                if best is None:
                    best = place
        if best is not None and chunk.kind is Kind.PRODUCT and chunk.definite:
            other = self._of(names)  # "the meat sauce" is no white sauce
            if other is not None and self.nodes[best].holds.isdisjoint(names):
                return other
        return best

    def _of(self, names: Sequence[str]) -> int | None:
        """Return the latest mixture that holds one of some ingredients."""
        foods = frozenset(names).union(*[KINDS_OF_FOOD.get(name, ()) for name in names])
        found = self.holding(foods & RAW)
        return found if found is not None and self.nodes[found].takes else None

    def cut_pepper(self) -> int | None:
        """Return the latest step that cut a pepper or names several: these are vegetables."""
        for place, node in self.backwards():
            cut = (x for part in node.said.parts if part.verb in _CUTTING for x in part.objects)
            peppers = (x for part in node.said.parts for x in part.objects)
            several = any(x.definite and x.words[-1] == "peppers" for x in peppers)
            if "pepper" in node.own and (several or any(x.head == "pepper" for x in cut)):
                return place
        return None

    def rest(self, head: str) -> int | None:
        """Return the latest step that left some of a thing."""
        for place, node in self.backwards():
            if node.kept and head in node.own:
                return place
        backwards = range(len(self.nodes) - 1, -1, -1)
        found = next((k for k in backwards if head in self.nodes[k].left), None)
        if found is None:
            found = next((k for k in backwards if head in self.nodes[k].own), None)
        return found

    def _put_by(self, head: str) -> int | None:
        """Return the step that put some of an ingredient by, or of whose result some was taken.

        The rest of an ingredient of which only a part came in is still in its packet.
        """
        for place, node in self.backwards():
            whole = head in node.own - node.shared
            if whole and (
                node.kept or len(node.own) <= 2 or (node.moved and not mixes(node, head))
            ):
                return place
        return self.left(head)

    def left(self, head: str) -> int | None:
        """Return the latest step that set some of a thing apart, which it had as a whole."""
        nodes = self.nodes
        backwards = reversed(range(len(nodes)))
        return next((k for k in backwards if head in nodes[k].left - nodes[k].shared), None)

    def set_apart(self) -> int | None:
        """Return the latest step that set a part of its result aside, of which the rest is gone.

        As in "set aside half a cup", without a name for it.
        """
        places = range(len(self.nodes) - 1, -1, -1)
        return next(
            (k for k in places if not self.nodes[k].alive and sets_apart(self.nodes[k])), None
        )

    def owning(self, names: frozenset[str]) -> int | None:
        """Return the latest food with one of some names."""
        for place, node in reversed(self._food):
            if not names.isdisjoint(node.own):
                return place
        return None

    def kept(self, names: frozenset[str] = frozenset()) -> int | None:
        """Return the latest thing of which only a part was taken, with one of some names."""
        kept = ((k, node) for k, node in self.backwards(food=True) if node.kept)
        return next((k for k, node in kept if not names or not names.isdisjoint(node.holds)), None)

    def holding(self, names: frozenset[str]) -> int | None:
        """Return the latest food with one of some names, or else that holds one of them."""
        found = self.owning(names)
        return self.mixed(names) if found is None else found

    def mixed(self, names: frozenset[str], *, by_name: bool = False) -> int | None:
        """Return the latest food with one of some names among all that it holds.

        With ``by_name`` a name that only stands before another noun does not count.
        """
        if self.careful:  # coconut is rather in a cake than in coconut milk
            for place, node in reversed(self._food):
                if not names.isdisjoint(node.names):
                    return place
        if by_name:
            return None
        for place, node in reversed(self._food):
            if not names.isdisjoint(node.holds):
                return place
        return None

    def called(self, head: str) -> int | None:
        """Return the latest food that a noun names: by its own name, or by the list."""
        lines = [k for k, line in enumerate(self.goods.lines) if line.head == head]
        found = self.of_lines(self.come_in.intersection(lines))
        return self.product(head) if found is None else found

    def of_lines(self, lines: Collection[int]) -> int | None:
        """Return the latest food that has something of some lines of the list."""
        return next(
            (k for k, node in reversed(self._food) if not node.lines.keys().isdisjoint(lines)), None
        )

    def made_as(self, name: str, taken: Sequence[int], *, surely: bool) -> int | None:
        """Return the latest thing that a product name may refer to.

        Args:
            name: the product name.
            taken: places to skip.
            surely: accept only a thing that holds the product's typical ingredients.
        """
        likely = MADE_OF.get(name, frozenset())
        for own in (True, False):
            for place, node in self.backwards(food=True):
                if self.careful and node.medium:
                    continue
                if place not in taken and not likely.isdisjoint(node.own if own else node.holds):
                    return place
        return None if surely or name in RAW else self.latest(taken)

    def vessel(self, name: str) -> int | None:
        """Return the latest step whose result is in a vessel of that name or kind."""
        same = vessel(name)
        exactly = [k for k, node in self._there if name in node.tools] if self.careful else []
        if exactly:
            return exactly[-1]
        return next(
            (k for k, node in reversed(self._there) if same in map(vessel, node.tools)), None
        )

    def empty(self, name: str) -> None:
        """Forget that food lies in a vessel of that name or kind: it was wiped out."""
        same = vessel(name)
        for _, node in self._there:
            node.tools -= {each for each in node.tools if vessel(each) == same}

    def prepared(self) -> int | None:
        """Return the latest step that prepares a vessel, as "line a tin"."""
        return next(
            (
                k
                for k, node in reversed(self._there)
                if node.tools and any(part.verb in LINING for part in node.said.parts)
            ),
            None,
        )

    def latest(self, taken: Sequence[int] | None = None) -> int | None:
        """Return the latest food that still exists.

        Args:
            taken: places to skip; plain fat or water is skipped, too, if there is other food.
        """
        found = None
        for place, node in reversed(self._food):
            if taken is None or (not node.medium and place not in taken):
                return place
            found = place if found is None else found
        return found

    def at_work(self, place: int, taken: Sequence[int]) -> int | None:
        """Return the latest food; where that was set aside, what cooks, or None for what is taken.

        What is set aside is not what the next step goes on with, if there is anything else.
        """
        if not waits_aside(self.nodes[place]):
            return place
        others = (k for k, x in reversed(self._food) if k not in taken and cooks_on(x))
        by_name = any(part.apart and part.objects for part in self.nodes[place].said.parts[-1:])
        return next(others, None if taken and by_name else place)

    def beneath(self, taken: Sequence[int]) -> int | None:
        """Return the latest food that something comes on top of: no sauce that waits."""
        foods = ((k, x) for k, x in reversed(self._food) if k not in taken and not x.medium)
        return next((k for k, x in foods if x.product not in _POURED_OVER), None)

    def only(self, taken: Sequence[int], *, waiting: bool = False) -> int | None:
        """Return the one food in hand besides those taken; None for none or several.

        What was taken out of its vessel waits, and is in hand only where its name says so, or
        where ``waiting`` asks for it.
        """
        found = [
            k for k, x in self._food if k not in taken and not (x.medium or (x.moved > waiting))
        ]
        return found[0] if len(found) == 1 else None

    def waiting(self, taken: Sequence[int]) -> int | None:
        """Return the latest food besides those taken, or where none is, the main one."""
        main = None if taken else self.main()
        there = [k for k, x in self._food if k not in taken and k != main and not x.medium]
        return there[-1] if there else None

    def product(self, name: str) -> int | None:
        """Return the latest thing with that product name."""
        for place, node in reversed(self._food):
            if name == node.product or name in node.own:
                return place
        return None

    def medium(self, name: str) -> int | None:
        """Return the step of boiling water, or stock, in which nothing has been cooked yet."""
        return next(
            (k for k, node in self.backwards(food=True) if node.medium and name in node.own), None
        )

    def boiled(self) -> int | None:
        """Return the latest food that was boiled in water, by the steps that led to it."""
        there = (k for k, x in self.backwards(food=True) if "water" in x.holds and not x.medium)
        return next(filter(self._was_boiled, there), None)

    def _was_boiled(self, place: int) -> bool:
        node = self.nodes[place]
        boils = any(part.verb in _BOILS for part in node.said.parts)
        return boils or any(self._was_boiled(each.source) for each in node.takes)

    def pot(self) -> int | None:
        """Return the latest step that boils water and, apart from it, does something else."""
        return self._pots[-1] if self._pots else None

    def main(self, taken: Collection[int] = ()) -> int | None:
        """Return the food with the most ingredients besides those taken, the latest of equals."""
        there = [(len(node.holds), k) for k, node in self._food if k not in taken]
        return max(there)[1] if there else None

    def lit(self) -> int | None:
        """Return the latest step that heats an oven."""
        return self._lit
