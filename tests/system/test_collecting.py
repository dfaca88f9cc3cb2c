"""The search for cycles is put off while work goes on that makes many objects."""

from __future__ import annotations

import gc

import pytest

from thence.system.collecting import put_off


def test_the_search_goes_on_after_the_last_piece_of_work():
    assert gc.isenabled()
    with put_off():
        with put_off():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_search_goes_on_after_an_error():
    with pytest.raises(ValueError, match="work"), put_off():
        raise ValueError("work")
    assert gc.isenabled()


def test_what_the_caller_has_stopped_stays_so():
    gc.disable()
    try:
        with put_off():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
