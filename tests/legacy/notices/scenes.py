"""Real matches of Logger, and the scene around them, for the tests of mails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256

from pbem.fairness import LINKS, Draws, commitment
from pbem.legacy.mail.addresses import TOKEN_LINE
from pbem.legacy.mail.verbs.if_lines import branch_of
from pbem.legacy.mail.verbs.verb_table import VERBS
from pbem.legacy.matches import challenges, seats
from pbem.legacy.matches import decide as playing
from pbem.legacy.matches.branches import dump
from pbem.legacy.matches.chance import bound_to_moves
from pbem.legacy.matches.conditions import give_conditions
from pbem.legacy.matches.course import understood
from pbem.legacy.matches.decide import decide
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.replay import initial
from pbem.legacy.matches.resigning import resign
from pbem.legacy.matches.seats import decline
from pbem.legacy.matches.supposing import with_another
from pbem.legacy.matches.table import keep_note, say, watch
from pbem.legacy.matches.takebacks import answer
from pbem.legacy.matches.unfolding import Act, Chances, Unfolding
from pbem.legacy.matches.window import HeldText, hold, undo
from pbem.names import Digest, MatchId, PlayerId
from pbem.legacy.notices.views.scene import Reader, Scene, Site, VerbHelp, Wishes

ANN, BOB, CLEO = PlayerId("p1"), PlayerId("p2"), PlayerId("p3")
NAMES = {ANN: "Ann", BOB: "Bob", CLEO: "Cleo"}
SECRET = sha256(b"golden").digest()
HELLO, NOTE, FORGOTTEN = (Digest(digit * 64) for digit in "012")
TAG = "k7qx2.1.aahscv3ifp64ef5laf"

NOW = datetime(2026, 11, 21, 14, 5, tzinfo=UTC)
OPENING = ("e1", "a5", "e3 plant d3", "a3 plant b3")  # LG-10.1


def challenge(
    name: str,
    players: Sequence[PlayerId],
    *,
    seat_order: str = "given",
    open_seats: int = 0,
    linked: bool = False,
    time: str = "none",
    ruleset: str = "logger-1",
    **options: str,
) -> Match:
    """A challenge of the first player to the others, with nobody's answer."""
    match = initial(MatchId(name))
    given = {"seat_order": seat_order} if ruleset == "logger-1" else {}
    issue = partial(
        challenges.issue,
        ruleset=ruleset,
        options={**given, **options},
        challenger=players[0],
        players=tuple(players),
        commitment=commitment(SECRET, LINKS).hex(),
        links=LINKS,
        open_seats=open_seats,
        linked=linked,
        time=time,
    )
    return decide(Unfolding(match=match, now=NOW), issue).match


def accepted(match: Match, *players: PlayerId) -> Match:
    """The match after these players have accepted."""
    for player in players:
        accept = partial(seats.accept, player=player, words="trees")
        match = decide(Unfolding(match=match, now=NOW, chances=chances(match)), accept).match
    return match


def joined(match: Match, player: PlayerId) -> Match:
    """The match after a player has taken an open seat."""
    return decide(Unfolding(match=match, now=NOW), seats.join, player=player).match


def declined(match: Match, player: PlayerId) -> Match:
    """The match after a player has declined it."""
    return decide(Unfolding(match=match, now=NOW), decline, player=player).match


def chances(match: Match) -> Chances:
    """What draws are made from."""
    draws = Draws(match.id, SECRET, LINKS, next_index=len(match.chance.draws) + 1)
    return Chances(draws, bound_to_moves(match))


def played(match: Match, *moves: str) -> Match:
    """The match after these turns of whoever is to move."""
    for text in moves:
        player = match.player_at(match.to_act[0])
        match = decide(
            Unfolding(match=match, now=NOW), playing.play, player=player, text=text
        ).match
    return match


def played_out(match: Match) -> Match:
    """The match played to its end, a chop where there is one."""
    while match.to_act:
        match = played(match, _likely(match))
    return match


def nearly_over(match: Match) -> tuple[Match, str]:
    """The same match before its last move, and that move."""
    before, move = match, ""
    while match.to_act:
        before, move = match, _likely(match)
        match = played(match, move)
    return before, move


def _likely(match: Match) -> str:
    turns = [match.game.notation(move) for move in match.game.legal(match.course.position)]
    chops = [turn for turn in turns if "chop" in turn]
    return (chops or turns)[7 * match.course.ply % len(chops or turns)]


def acted(match: Match, command: Act) -> Match:
    """The match after an act of the operator."""
    return decide(Unfolding(match=match, now=NOW), command).match


def resigning(match: Match, player: PlayerId) -> Match:
    """The match while a player's resignation is held, until ten past two of the next day."""
    until = datetime(2026, 11, 22, 14, 10, tzinfo=UTC)
    return decide(Unfolding(match=match, now=NOW), resign, player=player, until=until).match


def resigned(match: Match, player: PlayerId) -> Match:
    """The match after a player has resigned."""
    return decide(Unfolding(match=match, now=NOW), resign, player=player).match


def planned(match: Match, player: PlayerId, *texts: str) -> Match:
    """The match after a player has decided something in advance, a conditional order a text."""
    for text in texts:
        branch, seat = branch_of(text), match.seat_of(player)
        assert branch is not None
        assert seat is not None
        sealed = dump(with_another(match, seat, branch))
        digest = Digest(sha256(sealed.encode()).hexdigest())
        match = replace(match, secrets={**match.secrets, digest: sealed})
        match = decide(
            Unfolding(match=match, now=NOW), give_conditions, player=player, sealed=digest
        ).match
    return match


def talked(match: Match) -> Match:
    """The match after Bob has said something, and after Ann and Bob have each noted something."""
    for command in (
        partial(say, player=BOB, text=HELLO),
        partial(keep_note, player=ANN, text=NOTE),
        partial(keep_note, player=BOB, text=HELLO),
        partial(say, player=ANN, text=FORGOTTEN),
    ):
        match = decide(Unfolding(match=match, now=NOW), command).match
    return match


def at(match: Match, when: datetime, command: Act) -> Match:
    """The match after something about its clocks."""
    return decide(Unfolding(match=match, now=when), command).match


def watched(match: Match, *spectators: PlayerId) -> Match:
    """The match with these people watching."""
    for player in spectators:
        match = decide(Unfolding(match=match, now=NOW), watch, player=player).match
    return match


def begun(
    name: str = "K7QX2", *, players: Sequence[PlayerId] = (ANN, BOB), time: str = "none"
) -> Match:
    """A match in which nobody has moved, Ann in seat 1."""
    return accepted(challenge(name, players, time=time), *players[1:])


def scene(*matches: Match, names: dict[PlayerId, str] | None = None, now: datetime = NOW) -> Scene:
    """The scene of a mail about these matches."""
    return Scene(
        matches={match.id: match for match in matches},
        names=names or NAMES,
        site=Site(title="pbem", address="games@example.org"),
        reply_address=f"games+{TAG}@example.org",
        now=now,
        heads={match.id: sha256(match.id.encode()).hexdigest() for match in matches},
        files={match.id: f"logger-{match.id}.jsonl" for match in matches},
        sealed={
            HELLO: "Nice forest!\nresign yes\n> From here on\n",
            NOTE: "He plants beside me.\nNext time: go south first.",
        },
        verbs=tuple(
            VerbHelp(
                name=verb.name, also=verb.also, examples=verb.examples, needs_match=verb.needs_match
            )
            for verb in VERBS
        ),
        token_line=TOKEN_LINE.format(TAG),
    )


def reader(player: PlayerId = ANN, wishes: Wishes | None = None) -> Reader:
    """One of the players, with these wishes."""
    return Reader(player=player, name=NAMES[player], wishes=wishes or Wishes())


def undone(match: Match, player: PlayerId, *agreeing: PlayerId) -> Match:
    """The match after a player has asked for a takeback, and these have agreed."""
    agreed = (partial(answer, player=other, accept=True) for other in agreeing)
    for command in [partial(undo, player=player), *agreed]:
        match = decide(Unfolding(match=match, now=NOW), command).match
    return match


def held(match: Match, text: str) -> Match:
    """The match while whoever is to move may still undo this turn, until ten past two."""
    player = match.player_at(match.to_act[0])
    sealed = HeldText(understood(match, player, text, held=True).notation, text).sealed()
    digest = Digest(sha256(sealed.encode()).hexdigest())
    match = replace(match, secrets={**match.secrets, digest: sealed})
    until = datetime(2026, 11, 21, 14, 10, tzinfo=UTC)
    return decide(
        Unfolding(match=match, now=NOW), hold, player, text, sealed=digest, until=until
    ).match
