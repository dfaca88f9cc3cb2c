"""The cookbook and the generator: every recipe can be cooked as it stands."""

import re
from collections import Counter
from random import Random

import pytest

from thence.domains.recipes import procedures
from thence.domains.recipes.book import cookbook, recipes
from thence.domains.recipes.generator import generate
from thence.domains.recipes.grammar import FEWEST, MOST, expand, plural
from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lexicon import stem
from thence.domains.recipes.lowering import IN_ANY_FORM, raw, reachable
from thence.domains.recipes.techniques._pantry import one, some

RAW_ON_PURPOSE = {"Spaghetti Carbonara", "Tiramisu", "Ceviche"}
WORD = re.compile(r"[^\W\d_]+")
LEFT = re.compile(r"oven|grill|griddle|hot oil|boiling water|cooking (?:water|liquid)")


def made(count=150):
    rng = Random(11)
    return [generate(rng) for _ in range(count)]


def test_the_cookbook_is_as_large_and_varied_as_promised():
    assert len(cookbook()) >= 60
    assert len({each.title for each in recipes()}) == len(recipes())
    assert len({each.cuisine for each in recipes()}) >= 20
    assert len({each.course for each in recipes()}) >= 8
    assert all(FEWEST <= len(each.steps) <= MOST for each in recipes())


@pytest.mark.parametrize("source", ["book", "made"])
def test_a_recipe_ends_with_its_dish_alone_and_leaves_nothing_behind(source):
    for each in cookbook() if source == "book" else made():
        left = [name for name in each.traces[-1].holds if not LEFT.search(name)]
        assert len(left) == 1, (each.recipe.title, left)


@pytest.mark.parametrize("source", ["book", "made"])
def test_nothing_dangerous_is_served_raw(source):
    for each in cookbook() if source == "book" else made():
        title = each.recipe.title
        if title in RAW_ON_PURPOSE or title.startswith("Chocolate Mousse"):
            continue
        served = frozenset().union(*raw(each.traces)[-1].values())
        assert not [name for name in sorted(served) if hazard(name)], title


@pytest.mark.parametrize("source", ["book", "made"])
def test_the_text_is_clean(source):
    for each in cookbook() if source == "book" else made():
        for step in each.procedure.steps:
            assert re.fullmatch(r"[A-Z0-9].*[.!]", step.text), step.text
            assert not re.search(r"  | [,.]|[{}<>|~%\[\]]|\.\.", step.text), step.text
            assert not re.search(r"\b(the the|a the|of of|the a)\b", step.text), step.text


@pytest.mark.parametrize("source", ["book", "made"])
def test_every_use_is_of_something_made_before_and_not_used_up(source):
    """The facts of the steps alone, replayed without the form."""
    for each in cookbook() if source == "book" else made():
        there: set[str] = set()
        for step in each.procedure.steps:
            assert there.issuperset(step.uses), (each.recipe.title, step)
            there -= set(step.kills)
            there |= set(step.defines)


def test_the_text_order_is_permitted_and_no_ingredient_is_defined_twice():
    for each in (*cookbook(), *made(60)):
        assert all(i < j for i, j in each.procedure.order)
        defined = [
            fact for step in each.procedure.steps for fact in step.defines
            if fact.endswith(IN_ANY_FORM)
        ]  # fmt: skip
        assert len(defined) == len(set(defined))


def test_recipes_of_the_generator_are_short_and_long():
    counts = Counter(len(each.procedure.steps) for each in made(600))
    assert min(counts) <= 4
    assert all(counts[size] for size in (15, 16))
    assert max(counts) <= MOST


def test_what_a_title_names_is_in_the_recipe():
    for each in made(400):
        said = {stem(word) for word in WORD.findall(" ".join(x.text.lower() for x in each.traces))}
        named = WORD.findall(each.recipe.title.lower().partition(" with ")[2])
        wanted = {stem(word) for word in named} - {"and", "dip", "salsa"}
        assert wanted <= said, (each.recipe.title, wanted - said)


def test_names_before_another_noun_and_amounts_are_those_of_english():
    assert [one(name) for name in ("peaches", "radishes", "cherries", "tomatoes", "plums")] == [
        "peach", "radish", "cherry", "tomato", "plum",
    ]  # fmt: skip
    shown = {some("stewing beef", Random(seed)) for seed in range(80)}
    assert "{1kg stewing beef|stewing beef}" in shown
    assert not any("litre" in each for each in shown)


def test_recipes_of_the_generator_differ_and_follow_the_seed():
    texts = {tuple(step.text for step in each.procedure.steps) for each in made()}
    assert len(texts) == 150
    assert all(FEWEST <= len(steps) <= MOST for steps in texts)
    assert texts.isdisjoint(tuple(x.text for x in each.procedure.steps) for each in cookbook())
    assert generate(Random(5)).procedure == generate(Random(5)).procedure


def test_pronouns_and_ellipsis_stand_for_what_was_made_last():
    lines = {expand("Add {salt} to <@soup;pot>.", Random(seed), "soup") for seed in range(40)}
    assert "Add {salt} to <it|soup>." in lines
    assert "Add {salt} to <the pot|soup>." in lines
    assert all("|soup>" in line for line in lines)
    never = {expand("Add {salt} to <@soup>.", Random(seed), "stew") for seed in range(40)}
    assert never == {"Add {salt} to <the soup|soup>."}
    assert plural("onions")
    assert not plural("couscous")


def test_fifty_seven_procedures_have_enough_pairs_of_either_kind():
    for seed in range(3):
        found = list(procedures(Random(seed), 57))
        pairs = sum(len(each.steps) * (len(each.steps) - 1) // 2 for each in found)
        dependent = sum(bits.bit_count() for each in found for bits in reachable(each))
        assert len(found) == 57
        assert dependent >= 710
        assert pairs - dependent >= 710


def test_the_cookbook_told_anew_cuts_what_is_fried_and_cooks_its_rice():
    whole = re.compile(r"\b\d (?:onions?|carrots?|cloves? of garlic)\b")
    cut = re.compile(r"\b(?i:slice|grate|blend|grind|pound|rub)\b")
    texts = [step.text for each in cookbook(anew=True) for step in each.procedure.steps]
    found = [text for text in texts if whole.search(text) and not cut.search(text)]
    assert not found
    assert any("Serve with cooked rice" in text for text in texts)
    assert cookbook() != cookbook(anew=True)
    assert [each.title for each in recipes()] == [each.title for each in recipes(anew=True)]
