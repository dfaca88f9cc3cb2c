"""FABLE's recipes: published rules, sound questions decided a second way, files and reviews."""

import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thence
from tests.families.fable.walks import answer, worlds
from thence import families
from thence.analysis.validation import validate
from thence.core import sheets
from thence.domains.recipes.form import recipe
from thence.domains.recipes.generator import generate
from thence.domains.recipes.lowering import lower
from thence.errors import ParameterError, UsageError
from thence.families.fable.recipes import from_text
from thence.families.fable.recipes import published as rules
from thence.families.fable.recipes.curation import curate
from thence.families.fable.recipes.domain import RecipesDomain
from thence.families.fable.recipes.durations import spans_of
from thence.families.fable.recipes.files import flagged
from thence.families.fable.recipes.intervals import amount, intervals, is_whole, total
from thence.families.fable.recipes.kitchen import kitchen
from thence.families.fable.shared.analyses import ANALYSES
from thence.generation import suite
from thence.generation.plan import Plan
from thence.system.disk import file_hash

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "fable"
WORD = re.compile(r"\w+")
YES_NO = ("reaching_definitions", "very_busy_expressions", "available_expressions",
          "live_variables", "type_state", "taint", "concurrency")  # fmt: skip


def samples(name, size=6, seed=0, **settings):
    plan = Plan([f"fable/recipes/{name}"], seed=seed, size=size, settings=settings)
    return list(suite.generate(plan))


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published data are not here")
def test_every_published_answer_is_reproduced_and_unsound_ones_are_shown():
    found = list(RecipesDomain().audit(PUBLISHED, "published"))
    assert len(found) >= 240
    assert [each for each in found if each.published != each.computed] == []
    sound = list(RecipesDomain().audit(PUBLISHED, "sound"))
    wrong = Counter(each.group for each in sound if each.published != each.computed)
    assert wrong["fable/recipes/live_variables"] > 0
    assert all(each.why for each in sound if each.published != each.computed)


STEPS = (
    "Sift the flour. Beat eggs for 4 to 5 minutes.",
    "Stir in floured raisins, 1 hour 5 minutes.",
    "Bake with the Flour until done, about 10 min.",
)


def test_published_rules():
    assert rules.answer("live_variables", STEPS, 0, "flour") == "Yes"
    assert rules.answer("very_busy_expressions", STEPS, 0, "flour") == "No"
    assert rules.answer("live_variables", STEPS, 2, "flour") == "No"
    assert rules.answer("taint", STEPS, 0, "eggs") == "Yes"
    assert [rules.answer("intervals", STEPS, k, "") for k in range(3)] == [
        "4 to 5 minutes", "1 hour 5 minutes", "10 min.",
    ]  # fmt: skip
    assert rules.same("intervals", "65 minutes", "1 hour 5 minutes")
    assert rules.same("type_state", "False", "No")
    assert not rules.same("intervals", "5 minutes", "1 hour 5 minutes")


NUMBERS = (("5", 5.0), ("12", 12.0), ("1/2", 0.5), ("1 1/2", 1.5), ("2½", 2.5), ("¾", 0.75))
UNITS = (("minutes", 1.0), ("min.", 1.0), ("mins", 1.0), ("minute", 1.0), ("hours", 60.0),
         ("hour", 60.0), ("hrs", 60.0), ("seconds", 1 / 60))  # fmt: skip


@st.composite
def durations(draw):
    """A duration as recipes write it, with its bounds in minutes."""
    form = draw(st.sampled_from(("single", "range", "compound")))
    (number, value), (unit, scale) = draw(st.sampled_from(NUMBERS)), draw(st.sampled_from(UNITS))
    if form == "single":
        return f"{number} {unit}", value * scale, value * scale
    if form == "range":
        low = draw(st.integers(1, 40))
        high = low + draw(st.integers(1, 20))
        joint = draw(st.sampled_from((" to ", "-", " - ", " or ")))
        return f"{low}{joint}{high} {unit}", low * scale, high * scale
    hours, minutes = draw(st.integers(1, 4)), draw(st.integers(2, 59))
    joint = draw(st.sampled_from((" and ", " ")))
    total = 60.0 * hours + minutes
    return f"{hours} hour{'s' * (hours > 1)}{joint}{minutes} minutes", total, total


BETWEEN = (" Stir in 2 cups of milk and bake for ", ", then cook at 350 degrees F for about ",
           ". Cover, and let stand ", "; turn 3 times. Simmer another ")  # fmt: skip
ENDS = (".", " or until golden.", ", stirring 2 times.", " on each side of the 9x13 inch pan.")


@given(st.lists(durations(), min_size=1, max_size=3), st.data())
@settings(max_examples=300)
def test_the_published_interval_is_the_last_one_verbatim(spans, data):
    parts = [data.draw(st.sampled_from(BETWEEN)) + text for text, _, _ in spans]
    step = "Heat oven" + "".join(parts) + data.draw(st.sampled_from(ENDS))
    text, low, high = spans[-1]
    last = rules.last_time(step)
    assert last is not None and last.text.rstrip(".") == text.rstrip(".")
    assert (last.low, last.high) == pytest.approx((low, high))
    assert rules.same("intervals", text, rules.answer("intervals", [step], 0, ""))


def spelled(text):
    """The words of a text in small letters, by another way than an expression."""
    return "".join(x if x.isalnum() or x == "_" else " " for x in text.lower()).split()


def test_published_counts_of_mentions_agree_with_a_count_of_words():
    asked = Counter()
    for seed in range(8):
        texts = [step.text for step in generate(Random(seed)).procedure.steps]
        names = sorted({word for text in texts for word in spelled(text) if len(word) > 2})
        for name in [*names, "soft butter", "egg"]:
            wanted = spelled(name)
            for i in range(len(texts)):
                held = sum(
                    any(said[k : k + len(wanted)] == wanted for k in range(len(said)))
                    for said in map(spelled, texts[i + 1 :])
                )
                live, busy = (
                    rules.answer(rule, texts, i, name)
                    for rule in ("live_variables", "very_busy_expressions")
                )
                assert live == ("Yes" if held else "No"), (name, texts[i + 1 :])
                assert busy == ("Yes" if held > 1 else "No")
                asked[live, busy] += 1
    assert len(asked) == 3


def test_a_published_prompt_is_taken_apart():
    prompt = (
        "Goal: Tea\n\nSteps:\nStep 1: Boil water.\nStep 2: Pour it.\n\n"
        "Question:\nIn Step 2, is the water from Step 1 being used?"
    )
    asked = rules.asked("reaching_definitions", prompt)
    assert (asked.goal, asked.steps) == ("Tea", ("Boil water.", "Pour it."))
    assert (asked.i, asked.j, asked.entity) == (0, 1, "water")
    with pytest.raises(ValueError, match="cannot be found"):
        rules.asked("taint", "Anything")


@pytest.mark.parametrize("dialect", ["sound", "published"])
def test_truth_scores_1_and_a_perturbed_truth_does_not(dialect):
    names = [f"fable/recipes/{name}" for name in (*YES_NO, "intervals")]
    plan = Plan(names, seed=0, size=4, settings={"dialect": dialect})
    assert all(found.holds for found in validate(plan))


@pytest.mark.parametrize("name", YES_NO)
def test_sound_answers_hold_in_a_walk_through_every_execution(name):
    for sample in samples(name, 20):
        procedure, question = sample.metadata["procedure"], sample.metadata["question"]
        assert (sample.target == "Yes") is answer(name, procedure, question), sample.input


def test_a_prompt_says_during_which_steps_another_can_make_sure_that_something_is_out():
    found = 0
    for sample in samples("concurrency", 24, source="generator"):
        sure = re.search(r"(Step \d+) gets the (.+?) out only where", sample.input)
        if sure:
            found += 1
            assert (
                f"As for the {sure[2]}, {sure[1]} can be done at the same time as a step that "
                in (sample.input)
            )
    assert found


def done(world, absent, k, end):
    """When a step is done: each begins when all that come before it are done."""
    before = [a for a, b in world["order"] if b == k]
    begun = max((done(world, absent, a, end) for a in before), default=0)
    spans = spans_of([world["steps"][k]["text"]])
    return begun + (0 if k in absent or not spans[0] else spans[0][end])


def test_computed_times_are_those_of_steps_that_begin_as_soon_as_they_can():
    met = 0
    for sample in samples("intervals", 30):
        question, what = sample.metadata["question"], sample.metadata["question"]["what"]
        if what in ("until", "least", "most"):
            left = [w for w in worlds(sample.metadata["procedure"]) if question["i"] not in w[1]]
            low = min(done(*world, question["i"], 0) for world in left)
            high = max(done(*world, question["i"], 1) for world in left)
            wanted = {"until": (low, high), "least": (low, low), "most": (high, high)}[what]
            assert (sample.target["low"], sample.target["high"]) == pytest.approx(wanted)
            met += 1
    assert met > 5


@pytest.mark.parametrize("analysis", sorted({*ANALYSES} - {"intervals"}))
def test_each_depth_from_one_to_five_has_a_tenth_and_half_have_three_links_or_more(analysis):
    for side in ("Yes", "No"):
        held = [s.metadata["depth"] for s in samples(analysis, 200) if s.target == side]
        assert all(held.count(deep) >= 9 for deep in range(1, 6))
        assert sum(deep >= 3 for deep in held) >= 48


def test_questions_tell_depth_and_reason_and_at_most_a_third_of_the_steps_are_added():
    for sample in samples("reaching_definitions", 24, depth="2-3"):
        held = sample.metadata
        assert held["depth"] in (2, 3)
        assert held["reason"]
        assert 3 * len(held["origin"]["added"]) <= len(held["procedure"]["steps"])
    with pytest.raises(ParameterError, match="only questions of the sound dialect"):
        samples("taint", 1, depth="2", dialect="published")


FOLLOWED = [
    ["Slice {3 onions|onions}. -> sliced onions"],
    ["Fry <the sliced onions> in {oil} for 8 to 10 minutes. -> soft onions"],
    ["Boil {rice} for 12 minutes. -> cooked rice"],
    ["Add {stock} to <the soft onions> and simmer for 1/2 hour. -> soup !"],
    ["Serve <the soup> with <the cooked rice>. -> meal"],
]


def test_time_is_summed_over_the_steps_that_something_goes_through():
    case = kitchen(lower(recipe("Soup", "French", "soup", FOLLOWED)), {})
    found = {
        (each.question["i"], each.question["fact"]): each.answer
        for each in intervals(case)
        if each.question["what"] == "through"
    }
    wanted = {"text": "38 to 40 minutes", "low": 38.0, "high": 40.0, "unit": "minutes"}
    assert found == {(0, "onions, in any form"): wanted}  # the oil is in one such step only


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Fry the patties for 6 minutes on each side.", False),
        ("Warm the tortillas, about 1 minute each, and wrap them.", False),
        ("Bake in two batches, 10 minutes per batch.", False),
        ("Simmer, stirring every 5 minutes.", False),
        ("Take off the lid for the last 10 minutes.", False),
        ("Fry for 6 minutes and turn out on a rack.", True),
        ("Chill each bowl for 6 minutes.", True),
    ],
)
def test_half_of_a_time_is_not_summed(text, whole):
    """Six minutes on each side are twelve: whoever adds up would take them so."""
    assert is_whole(text) is whole
    assert (total([text, "Leave for 5 minutes."]) is not None) is whole


def test_one_minute_is_no_minutes():
    assert [amount(low, 1.0)["text"] for low in (0.5, 1.0)] == ["0.5 to 1 minute", "1 minute"]


def test_both_answers_are_equally_common_and_intervals_vary():
    for name in YES_NO[:3]:
        assert Counter(each.target for each in samples(name)) == {"Yes": 3, "No": 3}
    assert len({each.target["text"] for each in samples("intervals", 20)}) > 12


GOOD = {"title": "Eggs", "steps": ["Beat the eggs with milk.", "Melt butter in a pan.",
        "Pour the eggs into the pan and cook for 3 minutes.", "Serve with salt."]}  # fmt: skip


def test_a_quantity_is_that_of_which_nothing_is_kept_back():
    steps = [["Melt {half of 80g butter|butter/} with {200ml milk|milk}. -> hot milk"],
             ["Stir <the rest of the butter|rest of the butter> into <the hot milk>. -> sauce"],
             ["Serve <the sauce>. -> served sauce"]]  # fmt: skip
    case = kitchen(lower(recipe("Sauce", "French", "side", steps)), {})
    asked = [each.question for each in intervals(case) if each.question["what"] == "quantity"]
    assert [each["of"] for each in asked] == ["milk"]


SOUP = """Tomato Soup

1 onion, chopped
2 tablespoons olive oil
400g tinned tomatoes
500ml stock
salt

1. Heat the oil in a pan and fry the onion for 5 minutes.
2. Add the tomatoes and the stock and simmer for 20 minutes.
3. Blend the soup until smooth.
4. Season the soup with salt and serve.
"""


def test_a_file_of_recipes_is_asked_about_and_told_of(tmp_path, caplog):
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join([json.dumps(GOOD), "nonsense"]), encoding="utf-8")
    (found,) = samples("intervals", 1, recipes=str(path))
    assert found.target == {"text": "3 minutes", "low": 3.0, "high": 3.0, "unit": "minutes"}
    assert found.metadata["origin"]["kind"] == "file"
    assert "mine.jsonl:2: not a JSON object" in caplog.text


@pytest.fixture
def soup(tmp_path):
    path = tmp_path / "soup.txt"
    path.write_text(SOUP)
    return str(path)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_cell_that_a_file_has_no_questions_of_does_not_stop_the_others(soup, workers, caplog):
    made = thence.generate("fable/recipes/*", size=6, seed=1, recipes=soup, workers=workers)
    cells, notes = Counter(sample.task for sample in made), made.manifest["notes"]
    for cell, why in (
        ("taint", "no question about the one procedure given"),
        ("concurrency", "6 questions about the one procedure given, all with one answer"),
    ):
        name = f"fable/recipes/{cell}"
        assert name not in cells
        assert notes[name]["missing"] == 6
        assert notes[name]["missing_because"] == f"{why}; give it other parameters"
        assert f"{name}: 6 of 6 questions are missing: {why}; give it" in caplog.text
    assert cells["fable/recipes/reaching_definitions"] == 6
    few = "fable/recipes/intervals"
    assert 0 < cells[few] == 6 - notes[few]["missing"] < 6
    assert f"{few}: 3 of 6 questions are missing: no more different ones were found" in caplog.text


def test_all_questions_of_a_small_file_that_look_like_one_with_the_other_answer_are_asked(soup):
    analysis = "available_expressions"
    made = samples(analysis, 40, recipes=soup)
    values = {"recipes": file_hash(Path(soup))[:32], "file": soup, "curate": "none"}
    (case,) = RecipesDomain().corpus(values)
    there = Counter()
    for kept in (3, 2, 1, 0):  # cues, as many as tell some Yes and some No the same
        by_cues = defaultdict(Counter)
        for each in from_text.sound(analysis, case, Random(0)):
            by_cues[each.cues[:kept]][each.answer] += 1
        there = there or sum((held for held in by_cues.values() if len(held) == 2), Counter())
    assert Counter(sample.target for sample in made) == there == {"Yes": 1, "No": 2}


def test_more_questions_are_asked_of_each_recipe_where_there_are_few(tmp_path):
    path = tmp_path / "many.txt"
    title, _, text = SOUP.partition("\n")
    each = (f"{title} {k}\n{text.replace('20 minutes', f'{20 + k} minutes')}" for k in range(60))
    path.write_text("\n\n".join(each))
    made = samples("intervals", 100, recipes=str(path))
    assert len(made) == 100
    assert len({sample.metadata["cluster"] for sample in made}) == 60


def test_a_part_of_few_questions_tells_what_it_lacks_itself(soup):
    name = "fable/recipes/intervals"
    first, last = (
        thence.generate(name, size=6, seed=1, recipes=soup, shard=f"{part}/2", workers=1)
        for part in (1, 2)
    )
    assert [len(list(each)) for each in (first, last)] == [3, 0]
    assert "missing" not in first.manifest["notes"][name]
    assert last.manifest["notes"][name]["missing"] == 3


def test_a_file_without_any_such_question_is_refused(soup):
    with pytest.raises(UsageError, match=r"^fable/recipes/taint: no question about the one"):
        samples("taint", 2, recipes=soup)
    with pytest.raises(UsageError, match=r"^fable/recipes/taint: no question about the one"):
        samples("taint", 2, recipes=soup, dialect="published")


class Chunker:
    """Stands in for a trained pipeline: every noun phrase of eggs is of free-range ones."""

    def has_pipe(self, name):
        return True

    def __call__(self, text):
        found = ["the free range eggs"] if "eggs" in text else []
        return SimpleNamespace(noun_chunks=[SimpleNamespace(text=each) for each in found])


def test_a_file_read_by_several_processes_gives_the_same(tmp_path, monkeypatch):
    from thence.families.fable.recipes import files
    from thence.system import workers

    rng, rows = Random(12), []
    for _ in range(12):
        made = generate(rng)
        steps = [step.text for step in made.procedure.steps]
        rows.append(json.dumps({"title": made.recipe.title, "steps": steps}))
    path = tmp_path / "many.jsonl"
    path.write_text("\n".join([*rows, json.dumps({"title": "Eggs", "steps": ["Fry it.", "Eat."]})]))
    monkeypatch.setattr(files, "_AT_A_TIME", 5)
    file, found = files.RecipeFile.at(str(path)), []
    for curation in ("none", "paper"):
        for count in (1, 2):
            files._collection.cache_clear()
            with workers.allowing(count):
                cases = files.cases(file, curation)
            found.append((dict(files.notes(file, curation)), [each.procedure for each in cases]))
    assert found[0] == found[1]
    assert found[2] == found[3]
    assert found[0][0]["recipes read"] == 13
    assert found[0][0]["recipes asked about"] < 13


def test_what_is_found_in_a_file_goes_to_the_workers_of_its_own_plan_alone(tmp_path, monkeypatch):
    from thence.families.fable.recipes import files

    path = tmp_path / "mine.jsonl"
    steps = ["Chop an onion.", "Fry the onion in butter.", "Serve the fried onion."]
    path.write_text(json.dumps({"title": "Onions", "steps": steps}))
    mine = Plan(["fable/recipes/taint"], 0, settings={"recipes": str(path)})
    [(name, found)] = suite._findings(mine).items()
    assert suite._findings(Plan(["fable/recipes/taint", "procbench/sort"], 0)) == {}
    files._collection.cache_clear()
    monkeypatch.setattr(files, "read", None)
    monkeypatch.setattr(files, "spread", None)
    suite._prepare(mine, {name: found})  # as a worker does
    assert len(files.cases(files.RecipeFile.at(str(path)), "none")) == 1
    assert not files._received


def test_a_file_that_changes_is_read_again_or_refused(tmp_path):
    from thence.families.fable.recipes import files

    path = tmp_path / "mine.jsonl"
    held = []
    for what in ("onion", "leek"):
        steps = [f"Chop one {what}.", f"Fry the {what} in butter.", f"Serve the fried {what}."]
        path.write_text(json.dumps({"title": what, "steps": steps}))
        held.append(files.RecipeFile.at(str(path)))
    with pytest.raises(ParameterError, match="was changed meanwhile; start again"):
        files.cases(held[0], "none")
    assert "leek" in files.cases(held[1], "none")[0].procedure.steps[0].text


def test_a_spacy_pipeline_of_the_users_names_the_ingredients_of_a_file(tmp_path, monkeypatch):
    def load(name):
        if name != "mine":
            raise OSError(name)
        return Chunker()

    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(GOOD), encoding="utf-8")
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=load))
    (plain,) = samples("intervals", 1, recipes=str(path))
    (named,) = samples("intervals", 1, recipes=str(path), spacy="mine")
    facts = [str(each.metadata["procedure"]["steps"][0]["defines"]) for each in (plain, named)]
    assert ["free range" in each for each in facts] == [False, True]
    notes = RecipesDomain().notes(
        "intervals", {"recipes": str(path), "curate": "none", "review": "", "spacy": "mine"}
    )
    assert notes["noun phrases by"] == "mine"
    with pytest.raises(UsageError, match="python -m spacy download other"):
        samples("intervals", 1, recipes=str(path), spacy="other")
    with pytest.raises(UsageError, match="recipes=FILE"):
        samples("intervals", 1, spacy="mine")
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UsageError, match="needs the extra 'spacy'"):
        samples("intervals", 1, recipes=str(path), spacy="absent")


def test_a_review_replaces_what_it_flags(tmp_path):
    path = tmp_path / "flagged.csv"
    first = samples("intervals", 3)
    path.write_text(f"id,flag\n{first[0].id},yes\n{first[1].id},no\n", encoding="utf-8")
    second = samples("intervals", 3, review=str(path))
    assert len(second) == 3
    assert first[0].id not in {each.id for each in second}
    assert first[1].id == second[1].id
    path.write_text(f"flag;id\nyes;{first[0].id}\nno;{first[1].id}\n", encoding="utf-16")
    book = tmp_path / "flagged.xlsx"
    sheets.write(book, ["id", "flag"], [[first[0].id, "yes"], [first[1].id, "no"]])
    assert flagged(str(book)) == {first[0].id}
    flagged.cache_clear()
    assert flagged(str(path)) == {first[0].id}


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "holds no ids"), ("Boil the water.\n", "'Boil the water.' is no id"),
     ("id,flag\n,yes\n", "a line has no id"), ('{"flag": 1}\n', "a line has no id"),
     ("{\n", "line 1 is not a JSON object")],
)  # fmt: skip
def test_a_file_that_is_no_review_is_refused(tmp_path, text, said):
    path = tmp_path / "review.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ParameterError, match=re.escape(said)):
        samples("intervals", 1, review=str(path))


def test_a_review_of_many_is_replaced_until_the_quota_holds_in_either_dialect(tmp_path):
    for dialect in ("sound", "published"):
        first = samples("taint", 12, dialect=dialect)
        bad = {first[0].id, first[2].id}
        path = tmp_path / f"{dialect}.jsonl"
        path.write_text(
            "".join(json.dumps({"id": each, "flag": "odd"}) + "\n" for each in sorted(bad)),
            encoding="utf-8",
        )
        second = samples("taint", 12, dialect=dialect, review=str(path))
        assert len({each.id for each in second}) == 12
        assert bad.isdisjoint(each.id for each in second)
        kept = sum(one.id == other.id for one, other in zip(first, second, strict=True))
        assert kept >= 9  # what replaces one may be of a recipe that a later one was about
        assert [each.target for each in first] == [each.target for each in second]


def test_a_curated_file_yields_its_quota_and_the_notes_say_what_was_dropped(tmp_path, caplog):
    path = tmp_path / "mine.jsonl"
    rng = Random(4)
    made = [generate(rng).procedure for _ in range(60)]
    rows = [{"title": x.goal, "steps": [step.text for step in x.steps]} for x in made]
    rows.append({"title": "Tea", "steps": ["Boil water.", "Pour it on 2 teaspoons of tea."]})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    settings = {"recipes": str(path), "curate": "paper"}
    assert len(samples("live_variables", 8, dialect="published", **settings)) == 8
    notes = RecipesDomain().notes("live_variables", {**settings, "review": ""})
    counts = notes["curation"]
    assert "curation: dropped: units: " in caplog.text
    with pytest.raises(UsageError, match="recipes=FILE"):
        samples("live_variables", 1, curate="paper")
    assert counts["recipes"] == 61
    assert counts["recipes under three steps"] == 1
    for name in ("units", "numbers and dimensions", "containers and tools", "generic words"):
        assert counts[f"dropped: {name}"] > 10
    assert counts["recipes kept"] + counts["recipes with other entities"] == 60


def test_curation_counts_what_every_filter_drops():
    steps = [["Beat the eggs in a bowl.", "Add 2 cups flour.", "Bake the mixture."]] * 3
    steps.append(["Boil the dragonfruit.", "Peel it."])
    askable = [{"live_variables": ["egg"]}] * 4
    found = curate(steps, askable)
    assert found.kept == (0, 1, 2)
    assert found.counts["recipes under three steps"] == 1
    assert found.counts["dropped: containers and tools"] == 3
    assert found.counts["dropped: units"] == 3
    assert found.counts["dropped: numbers and dimensions"] == 3
    assert found.counts["dropped: generic words"] == 3
    assert found.counts["recipes kept"] == 3
    assert found.vocabulary == {"egg", "flour"}


@pytest.mark.parametrize("dialect", ["sound", "published"])
def test_every_question_has_a_shortcut_and_a_guess_of_its_form(dialect):
    for name in (*YES_NO, "intervals"):
        task = families.task(f"fable/recipes/{name}")
        for sample in samples(name, 4, dialect=dialect):
            shortcut = task.baselines.surface_answer(sample)
            assert shortcut is not None and task.format.form.check(shortcut)
            guess = task.baselines.random_answer(task.generator, sample, Random(1))
            assert task.format.form.check(guess)
            if name == "intervals" and sample.target["unit"] == "minutes":
                assert guess["unit"] == "minutes"
