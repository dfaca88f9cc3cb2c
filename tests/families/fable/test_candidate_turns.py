from __future__ import annotations

from random import Random

from thence.families.fable.shared.candidate_turns import in_turns


def test_each_kind_comes_in_turn_and_about_each_procedure():
    many = [("soup", ("usual",), k) for k in range(5)] + [("cake", ("usual",), k) for k in "ab"]
    found = list(in_turns([*many, ("cake", ("rare",), "c")], Random(1)))
    assert {kind for _, kind in found[:2]} == {("usual",), ("rare",)}
    assert sorted(str(each) for each, _ in found) == list("01234abc")
    usual = [str(each) for each, kind in found if kind == ("usual",)]
    assert [each.isdigit() for each in usual[:4]] in ([True, False] * 2, [False, True] * 2)
