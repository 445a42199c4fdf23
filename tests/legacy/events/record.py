"""Record a match: random play by the rules, through the decider, into a log, and out as lines.

`python -m tests.legacy.events.record logger-1` prints the sample of a ruleset in
events/legacy/samples; the same arguments make the same lines.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection

from pbem.fairness import LINKS, commitment, letter_digest
from pbem.games import GAMES
from pbem.legacy.bots.levels import random_move
from pbem.legacy.matches import decide as playing
from pbem.legacy.matches.agreements import answer_draw, offer_draw
from pbem.legacy.matches.challenges import issue
from pbem.legacy.matches.chance import bound_to_moves
from pbem.legacy.matches.conditions import give_standing_order
from pbem.legacy.matches.decide import decide, go_on, goes_on
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.replay import initial
from pbem.legacy.matches.resigning import resign
from pbem.legacy.matches.seats import accept
from pbem.legacy.matches.table import say
from pbem.legacy.matches.unfolding import Act, Unfolding
from pbem.legacy.store.database import Database
from pbem.legacy.store.log import event_log, sealed
from pbem.legacy.store.log.exchange import export
from pbem.legacy.store.schema import migrate
from pbem.legacy.transaction.working_copy import chances_of, keep_chances
from pbem.names import Digest, MatchId, PlayerId

MATCH = MatchId("K7QX2")
STREAM = f"match-{MATCH}"
PLAYERS = tuple(
    PlayerId(name)
    for name in (
        "4m8xq2vrtz", "9hj3wdk7np", "c6tbg5zs8y", "h2pv7mkqx3", "r5nw8jd4fb", "z7kc3gqt6m",
    )
)  # fmt: skip
STANDING = "doubles reroll 2"
"""A standing order, where the game knows it."""
BEGIN = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
PAUSE = timedelta(hours=5, minutes=7, seconds=11)


@dataclass
class Recording:
    """A match being played, each command a letter of its own, some hours apart."""

    conn: Connection
    dice: random.Random
    links: int = LINKS
    match: Match = field(default_factory=lambda: initial(MATCH))
    letters: int = 0

    def letter(self, actor: PlayerId | None, command: Act) -> None:
        """Carry out a command and append what happened."""
        before, digest = self.match, bound_to_moves(self.match)
        chances = chances_of(self.conn, MATCH, digest, self.dice.randbytes)
        now = BEGIN + (self.letters + 1) * PAUSE
        decision = decide(Unfolding(match=before, now=now, chances=chances), command)
        if chances is not None and before.status is not Status.NEW:
            keep_chances(self.conn, MATCH, decision.events, chances)
        self.letters += 1
        self.match = decision.match
        event_log.append(
            self.conn,
            STREAM,
            category="match",
            expected=before.version,
            events=decision.events,
            cause=f"letter-{self.letters}" if actor else f"timer-{self.letters}",
            actor=actor or "",
            ruleset=self.match.terms.ruleset,
            now=now,
        )

    def know(self, texts: Mapping[str, str]) -> None:
        """Replay needs sealed texts, as the runners give it."""
        self.match = replace(self.match, secrets={**self.match.secrets, **texts})

    def bond(self) -> str:
        """The digest of the next letter, which a mail program has given a Message-ID and a date."""
        number = self.letters + 1
        sent = format_datetime(BEGIN + number * PAUSE)
        return letter_digest(f"<{number}.{self.dice.random()}@example.org>", sent)

    def seal(self, text: str) -> Digest:
        """Keep a text beside the log."""
        return sealed.seal(self.conn, text, salt=self.dice.randbytes(16))

    def challenge(self, ruleset: str, players: tuple[PlayerId, ...]) -> None:
        """A challenge that all accept, and a word of the first."""
        public = self._chain("public", self.links)
        secret = self._chain("secret", LINKS) if GAMES[ruleset].secrets else ""
        issued = partial(
            issue,
            ruleset=ruleset,
            options={},
            challenger=players[0],
            players=players,
            commitment=public,
            links=self.links,
            secret_commitment=secret,
            time="slow",
        )
        self.letter(players[0], issued)
        for player in players[1:]:
            self.letter(player, partial(accept, player=player, letter=self.bond()))
        said = self.seal("Good luck to all of you!")
        self.letter(players[0], partial(say, player=players[0], text=said))

    def _chain(self, kind: sealed.Kind, links: int) -> str:
        secret = self.dice.randbytes(32)
        sealed.open_chain(self.conn, STREAM, secret, links, kind=kind)
        return commitment(secret, links).hex()

    def talk(self) -> None:
        """What the game has besides moves: an offer that is declined, a decision in advance."""
        game, match = self.match.game, self.match
        one, other = (
            match.player_at(match.table.playing[0]),
            match.player_at(match.table.playing[-1]),
        )
        if game.draw_offers(match.terms.options) and match.pending.offer is None:
            self.letter(one, partial(offer_draw, player=one))
            self.letter(other, partial(answer_draw, player=other, accept=False))
        order = game.standing(STANDING)
        if order is not None:
            digest = self.seal(order)
            self.know({digest: order})
            self.letter(other, partial(give_standing_order, player=other, sealed=digest))


def record(
    conn: Connection,
    ruleset: str,
    *,
    seats: int,
    seed: int,
    longest: int = 400,
    links: int = LINKS,
) -> list[str]:
    """The lines of a whole match; after `longest` letters all agree on a draw, or they resign."""
    dice = random.Random(f"{ruleset} {seed}")
    game, recording = GAMES[ruleset], Recording(conn, dice, links)
    recording.challenge(ruleset, PLAYERS[:seats])
    recording.talk()
    while recording.match.status is Status.RUNNING:
        match = recording.match
        if goes_on(match):
            recording.letter(None, partial(go_on))
            continue
        player = match.player_at(match.to_act[0])
        if recording.letters >= longest:
            _end(recording, player)
            continue
        move = random_move(game, match.course.position, dice.randrange)
        bond, text = recording.bond(), game.notation(move)
        play = partial(playing.play, player=player, text=text, letter=bond)
        recording.letter(player, play)
    event_log.close(conn, STREAM, BEGIN + timedelta(days=400))
    return list(export(conn, STREAM))


def _end(recording: Recording, player: PlayerId) -> None:
    """Those who can agree on a draw do, the others resign."""
    match = recording.match
    if not match.game.draw_offers(match.terms.options):
        recording.letter(player, partial(resign, player=player))
        return
    if match.pending.offer is None:
        recording.letter(player, partial(offer_draw, player=player))
    offer = recording.match.pending.offer
    for seat in recording.match.table.playing:
        if offer is not None and seat != offer.seat:
            answering = match.player_at(seat)
            recording.letter(answering, partial(answer_draw, player=answering, accept=True))


def main() -> None:
    """Print a match of the ruleset that is named."""
    ruleset = sys.argv[1]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pbem.db"
        migrate(path)
        with closing(Database.open(path)) as db:
            seats = min(GAMES[ruleset].seats)
            lines = db.write(
                lambda conn: record(conn, ruleset, seats=seats, seed=1, longest=40)
            ).result()
    sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main()
