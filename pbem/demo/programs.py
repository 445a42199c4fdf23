"""Programs, the automatic players of the demo, which read the service's emails and reply to them.

A program knows only what its seat may know, and searches for moves as a bot does. It accepts
invitations and takebacks, and answers draw offers by evaluating the position. One of the programs
also answers messages that players send each other by `say`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import cycle
from typing import Final

from sqlalchemy import Connection

from pbem.bots.levels import choose_notation
from pbem.demo.mail_program import ReceivedEmail
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId
from pbem.store import event_log, messages, players

MAX_MESSAGES: Final = 1_000  # chat messages of a match that are counted; a demo has fewer
ANSWERS: Final = (  # sentences with which a program answers chat messages, in turn
    "Good to hear from you! I'm only a program, so I can't chat much.",
    "I'll think about it while you move.",
)


@dataclass(frozen=True, slots=True)
class ProgramView:
    """The match that an email is about, as it is when a program reads the email.

    `player` is the id of the program's player.
    """

    match: Match
    player: PlayerId
    chat_count: int  # number of chat messages that the other players have sent so far


@dataclass(slots=True)
class ProgramPlayer:
    """A program that plays matches by email.

    If `can_chat` is True, the program also answers chat messages of other players.
    `answered_counts` maps each match to the number of such messages when the program last answered
    one.
    """

    name: str
    address: str
    level: str
    can_chat: bool = False
    answered_counts: dict[MatchId, int] = field(default_factory=dict)
    _answers: cycle[str] = field(default_factory=lambda: cycle(ANSWERS))

    def find_view(self, conn: Connection, email: ReceivedEmail) -> ProgramView | None:
        """Return the program's view of the match that an email is about.

        The result is None if the email is not about a match, or if the program has no seat in the
        match.
        """
        row = players.find_by_address(conn, self.address)
        if not email.match or row is None:
            return None
        match_id, player = MatchId(email.match), PlayerId(row.id)
        match, _ = event_log.load_match(conn, match_id)
        if match.seat_of(player) is None:
            return None
        talk = messages.list_messages(conn, match_id, limit=MAX_MESSAGES)
        return ProgramView(match, player, sum(message.player != player for message in talk))

    def reply(self, email: ReceivedEmail, view: ProgramView | None) -> str:
        """Return the program's reply to an email, or an empty string for no reply.

        `view` is the result of `find_view`.
        """
        if email.kind in ("question", "invitation"):
            return "yes"
        if view is None:
            return ""
        lines = [self._play(view)]
        match = view.match
        if self.can_chat and view.chat_count > self.answered_counts.get(match.id, 0):
            self.answered_counts[match.id] = view.chat_count
            lines.append(f"say {next(self._answers)}")
        return "\n\n".join(filter(None, lines))

    def _play(self, view: ProgramView) -> str:
        """Return the program's move, or its answer to an offer; empty if it has nothing to do."""
        match, player = view.match, view.player
        seat = match.seat_of(player)
        if seat is None or seat not in match.playing:
            return ""
        offers, position = match.offers, match.visible_position(seat)
        if offers.takeback is not None and offers.takeback.seat != seat:
            return "yes"
        is_asked = offers.draw is not None and seat not in offers.agreed
        if is_asked:
            values = match.game.evaluate(position)
            if values and values[seat - 1] <= max(
                value for other, value in enumerate(values, 1) if other != seat
            ):
                return "yes"
        if seat in match.to_move:  # a move declines a draw
            seed = f"{match.id} {match.version}"
            return choose_notation(self.level, match.terms.ruleset, position, seat, seed)
        return "no" if is_asked else ""
