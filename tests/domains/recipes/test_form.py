"""The structured form: what its marks mean, and what it refuses."""

from random import Random

import pytest

from thence.core.procedure import Step
from thence.domains.recipes.book import cookbook
from thence.domains.recipes.form import FormError, Made, bare, move, read, recipe
from thence.domains.recipes.generator import generate
from thence.domains.recipes.lowering import lower, order, raw, reachable

PANCAKES = [
    ["In a bowl, whisk {2 cups of flour}, {milk} and {2 eggs|eggs} until smooth. -> batter"],
    ["~ Leave it to rest for 20 minutes."],
    ["Heat {half the butter|butter/} in a pan. -> hot pan"],
    ["Pour <some of the batter|batter/> into <the hot pan> and fry. -> pancake !"],
    ["Serve <it|pancake> with <the rest of the butter|rest of the butter>. -> plate"],
]


def test_marks_leave_the_text_that_a_cook_reads():
    assert lower(recipe("Pancakes", "", "", PANCAKES)).traces[2].text == (
        "Heat half the butter in a pan."
    )
    done = move(
        "Fold <the whites|whisked whites> into <*the bowl|bowl><=base>."
        " -> mousse & scraps(egg) ! ^2"
    )
    assert done.text == "Fold the whites into the bowl."
    assert done.takes == ("whisked whites", "base")
    assert done.keeps == ("bowl",)
    assert done.makes == (Made("mousse"), Made("scraps", ("egg",)))
    assert done.heats
    assert done.after == (2,)


@pytest.mark.parametrize(
    ("words", "name"),
    [("2 cups of warm milk", "milk"), ("250g flour", "flour"), ("1 1/2 teaspoons of salt", "salt"),
     ("a pinch of nutmeg", "nutmeg"), ("3 eggs", "eggs"), ("brown sugar", "brown sugar")],
)  # fmt: skip
def test_an_ingredient_is_named_without_its_amount(words, name):
    assert bare(words) == name


def test_facts_follow_from_the_marks():
    made = lower(recipe("Pancakes", "", "", PANCAKES))
    steps = made.procedure.steps
    assert steps[0].defines == (
        "batter", "flour, in any form", "milk, in any form", "eggs, in any form",
    )  # fmt: skip
    assert steps[1].uses[0] == "batter"
    assert steps[1].defines == ("batter",)
    assert steps[2].defines == ("hot pan", "rest of the butter")
    assert "batter" not in steps[3].kills
    assert "hot pan" in steps[3].kills
    assert "eggs, in any form" in steps[4].uses
    assert made.procedure.order == ((0, 1), (1, 3), (2, 3), (3, 4))
    assert steps[1].seconds == (1200, 1200)
    assert [sorted(after.get("pancake", ())) for after in raw(made.traces)][3] == []
    assert sorted(raw(made.traces)[0]["batter"]) == ["eggs", "flour", "milk"]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([["Bake <the cake>. -> cake"]], "does not exist"),
        ([["Whisk {eggs}. -> x"], ["Whisk {milk}. -> x"]], "exists already"),
        ([["~ Stir."]], "nothing made before"),
        ([["Boil {water}. -> stock - bay leaf"]], "not here to be thrown away"),
        ([["Mix {flour. -> x"]], "not closed"),
        ([["Boil {water}. -> a(milk)"]], "never came into it"),
    ],
)
def test_what_cannot_be_cooked_is_refused(lines, says):
    with pytest.raises(FormError, match=says):
        lower(recipe("", "", "", lines))


def test_a_file_needs_headings_and_steps():
    with pytest.raises(FormError, match="cuisine"):
        read("== Only a title\n- Boil {water}.")
    with pytest.raises(FormError, match="no step"):
        read("== A | B | C\n  Boil {water}.")
    (found,) = read("# note\n\n== A | B | C\n- Boil {water}. -> tea\n  ~ Wait.\n")
    assert (found.title, len(found.steps), len(found.steps[0])) == ("A", 1, 2)


def test_the_order_is_that_of_conflicts_and_is_reduced():
    steps = [Step("", defines=("a",)), Step("", uses=("a",)), Step("", uses=("a",), kills=("a",))]
    assert order(steps) == ((0, 1), (1, 2))
    free = [Step("", defines=("a",)), Step("", defines=("b",))]
    assert order(free) == ()
    assert order(free, [(0, 1)]) == ((0, 1),)


def test_reachability_by_bits_is_that_by_walking():
    procedure = lower(recipe("Pancakes", "", "", PANCAKES)).procedure
    before = reachable(procedure)
    for j in range(len(procedure.steps)):
        queue, seen = [j], set()
        while queue:
            here = queue.pop()
            for a, b in procedure.order:
                if b == here and a not in seen:
                    seen.add(a)
                    queue.append(a)
        assert {i for i in range(j) if before[j] >> i & 1} == seen


def test_the_order_is_that_of_all_facts_whatever_is_thrown_away():
    rng = Random(9)
    thrown = 0
    for made in [*cookbook(), *(generate(rng) for _ in range(200))]:
        after = [(i, j) for j, each in enumerate(made.traces) for i in each.after]
        assert order(made.procedure.steps, after) == made.procedure.order
        thrown += any(each.drops for each in made.traces)
    assert thrown
