"""Where a response belongs, and where a conversation goes on."""

from __future__ import annotations

import pytest

from thence.core.sample import Sample
from thence.engine.conversations import Conversations
from thence.engine.response_index import Turns
from thence.engine.response_slot import ResponseSlot
from thence.errors import Transient
from thence.generation.few_shot_pool import Examples
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.models.base import Reply, Sampling, Usage
from thence.models.select import Connection, open_model
from thence.prompts import template_loader
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response

SLOT = ResponseSlot("a", 2, 1, "k")
BUSY = Transient("server", "busy", 503)


@pytest.fixture
def talks() -> Conversations:
    templates, shaping = template_loader.templates(None), Sampling()
    asked = protocol("are_you_sure").bound(Examples(templates))
    return Conversations(
        open_model("baseline/oracle", shaping, Connection()), asked, templates, shaping
    )


@pytest.fixture
def sample() -> Sample:
    return next(iter(generate(Plan(["procbench/sort"], size=1, settings={"steps": "4"}), 0)))


def held(*responses: Response) -> Turns:
    return {(each.epoch, each.turn): each for each in responses}


def whole(talks: Conversations, sample: Sample) -> list[Response]:
    """The responses of a conversation that came to its end."""
    talk, found = talks.resume(sample, 0, {}), list[Response]()
    while talk.slot is not None:
        found.append(talk.slot.answered(Reply(f"reply {len(found)}")))
        talk.hear(found[-1])
    return found


def test_a_slot_makes_the_response_of_a_reply_and_of_a_failure() -> None:
    reply = Reply("yes", "hm", "length", Usage(3, 4))
    usage = {"input_tokens": 3, "output_tokens": 4}
    place = ("a", 2, 1)
    assert SLOT.answered(reply, 0.5) == Response(*place, "yes", "hm", "length", usage, 0.5, key="k")
    error = {"kind": "server", "message": "busy", "status": 503, "repeat": 2}
    assert SLOT.failed(BUSY, Usage(3, 4), 2) == Response(*place, usage=usage, error=error, key="k")


def test_a_slot_finds_the_response_to_its_own_request_alone() -> None:
    good, bad = SLOT.answered(Reply("yes")), SLOT.failed(BUSY)
    other = ResponseSlot("a", 2, 1, "other").answered(Reply("yes"))
    assert SLOT.response_in(held(good)) is good
    assert SLOT.response_in(held(bad)) is bad
    assert SLOT.response_in(held(other)) is SLOT.response_in({}) is None
    answered = [SLOT.is_answered_in(held(each)) for each in (good, bad, other)]
    assert answered == [True, False, False]


def test_a_conversation_goes_on_where_the_replies_on_disk_end(
    talks: Conversations, sample: Sample
) -> None:
    first, last = whole(talks, sample)
    talk = talks.resume(sample, 0, held(first))
    assert talk.slot is not None
    assert (talk.slot.turn, talk.slot.key) == (last.turn, last.key)
    assert talk.request.messages == talk.chat.messages
    assert not talk.ended_on_disk
    over = talks.resume(sample, 0, held(first, last))
    assert over.slot is None
    assert over.ended_on_disk
    assert over.is_settled(accept_errors=False)
    again = talks.resume(sample, 1, held(first, last))  # another epoch
    assert again.slot is not None
    assert again.slot.turn == 0


def test_a_failure_is_asked_again_unless_it_is_accepted(
    talks: Conversations, sample: Sample
) -> None:
    begun = talks.resume(sample, 0, {}).slot
    assert begun is not None
    failed = begun.failed(BUSY)
    talk = talks.resume(sample, 0, held(failed))
    assert talk.slot == begun
    assert talk.failure is failed
    assert [talk.is_settled(accept_errors=each) for each in (False, True)] == [False, True]


def test_a_reply_behind_one_that_was_lost_counts_where_the_same_is_said_again(
    talks: Conversations, sample: Sample
) -> None:
    first, last = whole(talks, sample)
    same, other = talks.resume(sample, 0, held(last)), talks.resume(sample, 0, held(last))
    assert same.slot is not None
    assert same.slot.turn == 0
    same.hear(first)
    assert same.slot is None
    other.hear(ResponseSlot(sample.id, 0, 0, first.key).answered(Reply("something else")))
    assert other.slot is not None
    assert other.slot.turn == 1
