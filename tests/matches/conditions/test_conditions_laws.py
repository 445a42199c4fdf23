"""Laws of conditional moves in every game: what was foreseen is played, and nothing else is."""

from __future__ import annotations

import hashlib
import random
from contextlib import suppress
from functools import partial

import pytest

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.matches.branches import ANY, Branch, dump
from pbem.matches.conditions import give_conditions, standing, void_because
from pbem.matches.decide import play
from pbem.matches.events import MovePlayed
from pbem.matches.supposing import lines, supposed, with_another
from pbem.matches.verify import verify
from pbem.names import Digest
from tests.matches.story import ANN, BOB, CLEO, MATCH, Story, begun, challenge

PUBLIC = [ruleset for ruleset, game in GAMES.items() if not game.secrets]


def give(story: Story, seat: Seat, branch: Branch) -> None:
    sealed = dump(with_another(story.match, seat, branch))
    digest = Digest(hashlib.sha256(sealed.encode()).hexdigest())
    story.know(digest, sealed)
    story.when(partial(give_conditions, player=story.match.player_at(seat), sealed=digest))


def any_move(story: Story, chance: random.Random) -> str:
    match = story.match
    return match.game.notation(chance.choice(match.game.legal(match.course.position)))


def waiting(story: Story) -> Seat | None:
    """A seat that is not to act, and will be some time."""
    return next(
        (seat for seat in story.match.table.playing if seat not in story.match.to_act), None
    )


@pytest.mark.parametrize("ruleset", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_any_answer_holds_and_the_match_verifies(ruleset: str, seed: int) -> None:
    chance = random.Random(f"{ruleset}{seed}")
    players = (ANN, BOB, CLEO) if seed % 2 and 3 in GAMES[ruleset].seats else (ANN, BOB)
    story = begun(Story(), challenge(*players, ruleset=ruleset))
    for _ in range(25):
        if not story.match.to_act:
            break
        seat = waiting(story)
        if seat is not None and chance.random() < 0.5:
            answer = chance.choice([any_move(story, chance), "pass", "a1"])
            with suppress(Rejection):  # what is no turn of the game at all is refused at once
                give(story, seat, Branch((ANY,), answer))
                given = lines(standing(story.match, seat))
                assert any(line.startswith("if any then") for line in given)
        player = story.match.player_at(story.match.to_act[0])
        story.when(partial(play, player=player, text=any_move(story, chance)))
        for seat in story.match.to_act:
            assert standing(story.match, seat) == ()  # it was played, or is void
    assert verify(MATCH, story.stream, story.match.secrets).findings == ()


@pytest.mark.parametrize("ruleset", PUBLIC)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_checked_is_played_if_it_comes_so(ruleset: str, seed: int) -> None:
    chance = random.Random(f"{ruleset}-{seed}")
    story = begun(Story(), challenge(ANN, BOB, ruleset=ruleset))
    checked = 0
    for _ in range(30):
        if not story.match.to_act:
            break
        mover, seat = story.match.to_act[0], waiting(story)
        expected = any_move(story, chance)
        given = seat is not None and _given(story, seat, expected, chance)
        happened = story.when(partial(play, player=story.match.player_at(mover), text=expected))
        if given and seat is not None:
            checked += 1
            assert void_because(story.match, seat) is None
            assert any(isinstance(one, MovePlayed) and one.condition for one in happened)
    assert verify(MATCH, story.stream, story.match.secrets).findings == ()
    assert checked or GAMES[ruleset].key in ("looney_ludo", "landrush")  # there dice and coins come


def _given(story: Story, seat: Seat, expected: str, chance: random.Random) -> bool:
    """Whether a seat has decided a legal answer to a move that is about to come."""
    match = story.match
    after = match.game.play(match.course.position, match.game.read(expected, match.course.position))
    try:
        turns = match.game.legal(after)
        answer = match.game.notation(chance.choice(turns))
        give(story, seat, Branch((expected,), answer))
    except (Rejection, IndexError):
        return False
    (one,) = supposed(story.match, seat)
    assert one.branch.checked
    assert one.branch.answer == answer
    return True
