"""Secret draws: sealed, kept out of every event until the end, and then opened for all."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from pbem.fairness import Proof, sealed_digest, sealed_text
from pbem.legacy.matches import resigning
from pbem.legacy.matches.agreements import answer_draw, offer_draw
from pbem.legacy.matches.events import ChanceDrawn, ChanceRevealed, ChanceSealed, MatchEnded
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.replay import replay
from pbem.legacy.matches.verify import opened, verify
from pbem.legacy.store.codec import encode
from tests.legacy.matches.story import ANN, BOB, MATCH, Story, begun, challenge, names


def stones() -> Story:
    return begun(Story(), challenge(ANN, BOB, ruleset="logan_stones-1", draw_cap="40"))


def resign(story: Story) -> None:
    story.when(partial(resigning.resign, player=ANN))


def agree(story: Story) -> None:
    story.when(partial(offer_draw, player=ANN))
    story.when(partial(answer_draw, player=BOB, accept=True))


def play_out(story: Story) -> None:
    while story.match.to_act:
        legal = story.match.game.legal(story.match.course.position)
        story.play(story.match.game.notation(legal[7 * story.match.course.ply % len(legal)]))


ENDS = [resign, agree, play_out]


def deal(story: Story) -> ChanceSealed:
    (sealed,) = (event for event in story.events if isinstance(event, ChanceSealed))
    return sealed


def text_of(story: Story) -> str:
    return story.match.secrets[deal(story).sealed]


def test_the_deal_is_sealed_and_the_seats_are_drawn_in_the_open() -> None:
    story = stones()
    assert names(story.events) == [
        "ChallengeIssued", "SeatTaken", "ChanceDrawn", "MatchStarted", "ChanceSealed",
    ]  # fmt: skip
    drawn = story.events[2]
    assert isinstance(drawn, ChanceDrawn)
    assert (drawn.index, deal(story).index) == (1, 1)  # each chain counts its own links
    assert drawn.digest == deal(story).digest  # both are bound to the words of the acceptances


def test_no_event_before_the_end_tells_the_deal() -> None:
    story = stones()
    secret = json.loads(text_of(story))
    for _ in range(6):
        legal = story.match.game.legal(story.match.course.position)
        story.play(story.match.game.notation(legal[0]))
    told = "\n".join(encode(event).data for event in story.events)
    assert secret["link"] not in told
    for length in (4, len(secret["values"])):
        part = json.dumps(secret["values"][:length], separators=(",", ":"))
        assert part.strip("[]") not in told
    assert "salt" not in told


@pytest.mark.parametrize("end", ENDS)
def test_every_end_opens_the_deal(end: Callable[[Story], None]) -> None:
    story = stones()
    secret = json.loads(text_of(story))
    end(story)
    assert names(story.events)[-2:] == ["MatchEnded", "ChanceRevealed"]
    revealed = story.events[-1]
    assert isinstance(revealed, ChanceRevealed)
    assert revealed == ChanceRevealed(index=1, link=secret["link"], values=tuple(secret["values"]))
    assert story.match.status is Status.ENDED
    found = verify(MATCH, story.stream)
    assert (found.findings, found.draws, found.sealed) == ((), 2, 0)


def test_the_ends_are_of_three_kinds() -> None:
    causes = set()
    for end in ENDS:
        story = stones()
        end(story)
        causes |= {e.termination for e in story.events if isinstance(e, MatchEnded)}
    assert len(causes) == len(ENDS)


def test_replay_needs_the_sealed_text_until_it_is_opened() -> None:
    story = stones()
    with pytest.raises(LookupError):
        replay(MATCH, story.events)
    assert replay(MATCH, story.events, story.match.secrets) == story.match
    resign(story)
    assert replay(MATCH, story.events, opened(story.events)) == story.match


def test_verification_without_the_text_says_what_it_could_not_check() -> None:
    story = stones()
    found = verify(MATCH, story.stream)
    assert (found.findings, found.draws, found.sealed) == ((), 1, 1)
    assert verify(MATCH, story.stream, story.match.secrets).findings == ()


def test_another_text_is_found_before_and_after_the_end() -> None:
    story = stones()
    seal = deal(story).sealed
    values = json.loads(story.match.secrets[seal])["values"]
    values[0], values[1] = values[1], values[0]
    other = json.loads(story.match.secrets[seal]) | {"values": values}
    text = json.dumps(other, separators=(",", ":"))
    assert verify(MATCH, story.stream, {seal: text}).findings
    resign(story)
    *before, last = story.stream
    assert isinstance(last.event, ChanceRevealed)
    forged = replace(last, event=replace(last.event, values=tuple(values)))
    assert any("is not what was sealed" in f for f in verify(MATCH, [*before, forged]).findings)


def test_a_deal_that_is_not_opened_is_found() -> None:
    story = stones()
    resign(story)
    *before, last = story.stream
    assert isinstance(last.event, ChanceRevealed)
    findings = verify(MATCH, before, story.match.secrets).findings
    words = "the match has ended and not every secret draw was opened"
    assert findings == (f"event {len(before)}: {words}",)


def test_a_seal_tells_nothing_even_to_who_tries_all_deals() -> None:
    """The salt comes from the link: the same deal from another link has another seal."""
    one = Proof(1, "00" * 32, "d", "deal: 1d2", (1,))
    assert sealed_digest(one) != sealed_digest(replace(one, link="01" * 32))
    assert json.loads(sealed_text(one)) == {"index": 1, "link": "00" * 32, "values": [1]}


def test_what_a_match_keeps_secret_is_not_shown_where_it_is_printed() -> None:
    story = stones()
    assert text_of(story) not in repr(story.match)
    assert "secrets" not in repr(story.match)
    assert isinstance(story.match, Match)
