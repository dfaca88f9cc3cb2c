"""Times, temperatures and quantities as recipes write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thence.core.amounts import (
    duration,
    number,
    quantities,
    quantity,
    seconds,
    temperatures,
    times,
)

WRITTEN = {
    "Bake 8 to 10 minutes in the oven": ("8 to 10 minutes", 8, 10),
    "for 1 hour and 45 minutes, or": ("1 hour and 45 minutes", 105, 105),
    "about 1 hour 40 minutes.": ("1 hour 40 minutes", 100, 100),
    "until golden, 10-15 minutes longer": ("10-15 minutes", 10, 15),
    "approximately 1/2 hour. When": ("1/2 hour", 30, 30),
    "tender, about 1 1/2 hours.": ("1 1/2 hours", 90, 90),
    "tender, about 1½ hours.": ("1½ hours", 90, 90),
    "simmer ½ hour": ("½ hour", 30, 30),
    "on medium heat 10 min. or until": ("10 min.", 10, 10),
    "heat 15 to 20 min. or": ("15 to 20 min.", 15, 20),
    "comes out clean, 45 minutes to 1 hour.": ("45 minutes to 1 hour", 45, 60),
    "1 hour to 1 hour and 15 minutes": ("1 hour to 1 hour and 15 minutes", 60, 75),
    "2 or 3 minutes": ("2 or 3 minutes", 2, 3),
    "for 1-1/2 hours": ("1-1/2 hours", 90, 90),
    "1 to 1 1/2 hrs": ("1 to 1 1/2 hrs", 60, 90),
    "Cook 90 seconds": ("90 seconds", 1.5, 1.5),
    "keeps for up to 2 weeks": ("2 weeks", 20160, 20160),
    "at 350 degrees F for 10-15 minutes": ("10-15 minutes", 10, 15),
    "between 8 and 10 minutes": ("8 and 10 minutes", 8, 10),
    "rest 12 and 2 minutes": ("2 minutes", 2, 2),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_forms_of_time(text):
    for wide in (False, True):
        (found,) = times(text, wide=wide)
        assert (found.text, found.low, found.high) == WRITTEN[text]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("half an hour", 30, 30), ("an hour and a half", 90, 90), ("5 more minutes", 5, 5),
     ("one to two minutes", 1, 2), ("twenty-five minutes", 25, 25), ("a minute", 1, 1)],
)  # fmt: skip
def test_forms_in_words_count_only_where_asked_for(text, low, high):
    assert times(text, wide=False) == []
    (found,) = times(text)
    assert (found.low, found.high) == (low, high)


def test_equal_units_side_by_side_are_two_times():
    found = times("70 minutes and 10 minutes")
    assert [(each.low, each.high) for each in found] == [(70, 70), (10, 10)]


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("5 min", 300, 300), ("1 h 30 min", 5400, 5400), ("1 h, 5-10 min", 3900, 4200),
     ("1/2 h", 1800, 1800), ("1\u00bd hours", 5400, 5400), ("2 d and 3 h", 183600, 183600),
     ("90 s", 90, 90), ("1 to 2 weeks", 604800, 1209600)],
)  # fmt: skip
def test_a_duration_alone(text, least, most):
    assert duration(text) == (least, most)


@pytest.mark.parametrize(
    ("text", "says"),
    [("5", "'5' has no unit; write 5 min"), ("1 h 30", "write 1 h 30 min"),
     ("5 apples", "is not a duration"), ("soon", "has no number where one is due"),
     ("10-5 min", "ends before it begins"), ("9" * 300, "an amount is a number"),
     ("99999999 d", "longer than a hundred years"), ("", "has no number")],
)  # fmt: skip
def test_what_is_no_duration(text, says):
    with pytest.raises(ValueError, match=says):
        duration(text)


def test_a_quantity_alone():
    assert quantity("200-250 g") == (200, 250, "g")
    assert quantity("1/2 tsp") == (0.5, 0.5, "tsp")
    assert quantity("180 \u2013 200 \u00b0C") == (180, 200, "\u00b0C")
    assert quantity("3") == (3, 3, "")


def test_what_is_no_time():
    for text in ("a 9x13 inch pan", "cumin and mint", "1 second-hand pan in 2 sections", "step 12"):
        assert times(text, wide=False) == []


def test_temperatures_and_quantities():
    both = temperatures("to 350 degrees F (175 degrees C)")
    assert [(each.low, each.unit) for each in both] == [(350, "F"), (175, "C")]
    assert [each.high for each in temperatures("at 160-170°C")] == [170]
    found = quantities("1½ cups sugar, 3 to 4 tablespoons of oil and 200g flour")
    assert [(each.low, each.high, each.unit) for each in found] == [
        (1.5, 1.5, "cups"), (3, 4, "tablespoons"), (200, 200, "g"),
    ]  # fmt: skip


def test_a_steps_time_is_the_sum_of_its_times():
    assert seconds("Fry for 2 to 3 minutes, then simmer for 1 hour.") == (3720, 3780)
    assert seconds("Serve.") is None


@given(
    st.integers(1, 59), st.integers(0, 40),
    st.sampled_from(["minutes", "hours", "min.", "seconds"]),
    st.sampled_from([" to ", "-", " - ", "\u2013"]),
)  # fmt: skip
def test_any_range_is_read_back(low, more, unit, joint):
    scale = {"minutes": 1, "min.": 1, "hours": 60, "seconds": 1 / 60}[unit]
    (found,) = times(f"Cook it {low}{joint}{low + more} {unit} or so", wide=False)
    assert found.low == pytest.approx(low * scale)
    assert found.high == pytest.approx((low + more) * scale)


@given(st.text(max_size=60))
def test_no_text_is_a_fault(text):
    for found in (*times(text), *temperatures(text), *quantities(text)):
        assert found.low <= found.high
        assert text[found.start : found.start + len(found.text)] == found.text


@pytest.mark.parametrize(("text", "value"), [("1 1/2", 1.5), ("2½", 2.5), ("¾", 0.75), ("10", 10)])
def test_numbers(text, value):
    assert number(text) == value


def test_hostile_text_is_read_in_one_pass():
    for text in ("1" * 200_000, "half " * 50_000, "1 minute and " * 20_000, "/" * 200_000):
        times(text + " minutes")
        quantities(text)
        temperatures(text)


def test_an_hour_may_be_one_letter_after_one_digit():
    found = times("Bake for 2h, then rest 1h 20 min.")
    assert [(each.text, each.low) for each in found] == [("2h", 120.0), ("1h 20 min.", 80.0)]


_PIECES = st.sampled_from(
    [
        *[
            "10",
            "1/2",
            "½",
            "an",
            "a",
            "half",
            "hour",
            "hours",
            "and",
            "to",
            "or",
            "-",
            "minutes",
            "minutes.",
            "min.",
            "mins",
            "hr.",
            "hrs",
            "25-30",
            "2h",
        ],
        *[
            "20-minute",
            "30min",
            "seconds,",
            "until",
            "soft",
            "bake",
            "for",
            "mint",
            "days",
            "forty-five",
            "(10",
            "minutes)",
            "İ",
            "wand",
        ],
        *["more", "3.5", "one-third", "Hour", "MINUTES", "1 1/2", "\n", " ", "to 1 hour"],
    ]
)


@given(st.lists(_PIECES, max_size=12))
def test_the_seconds_of_a_step_are_the_sum_of_the_times_in_it(pieces):
    text = " ".join(pieces)
    found = times(text)
    if not found:
        assert seconds(text) is None
    else:
        assert seconds(text) == (
            round(sum(each.low for each in found) * 60, 3),
            round(sum(each.high for each in found) * 60, 3),
        )


@pytest.mark.parametrize("text", ["", " ", "-", "1-2", "1 2", "1/2 1", "1 1/2 3", "some"])
def test_what_is_no_number(text):
    with pytest.raises(ValueError, match=r"\w"):
        number(text)
