"""The contents of an email: the view of its match, the address for replies, and page links.

The contents are made after all events of the unit of work have been applied. They have all values
that templates need, so templates do not use the database.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from pbem.mail.addresses import (
    EntrantAddress,
    PlayerAddress,
    QuestionAddress,
    ReplyAddress,
    make_tag,
)
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId
from pbem.notifications.email_views import EmailView
from pbem.notifications.views import MatchView, build_match_view
from pbem.service.app import App
from pbem.service.drafts import Draft
from pbem.service.links import link_invitation, link_match, link_seat, make_page_link
from pbem.store import waiting
from pbem.store.matches import MatchRecord
from pbem.store.tables import PlayerRow, SeatRow


@dataclass(frozen=True, kw_only=True, slots=True)
class EmailViewer:
    """A factory for the views from which the emails of a unit of work are rendered.

    Attributes:
        loaded: The matches that the unit of work has loaded, with their rows.
        players: The readers, and the players of these matches, by id.
        former_names: The former names of players who are deleted in this unit of work, by id.
    """

    app: App
    conn: Connection
    now: datetime
    loaded: Mapping[MatchId, tuple[Match, MatchRecord]]
    players: Mapping[PlayerId, PlayerRow]
    former_names: Mapping[PlayerId, str]

    def find_reader(self, draft: Draft) -> PlayerRow | None:
        """Return the player who gets the email, or None if its reader is not a player."""
        return None if draft.player is None else self.players[draft.player]

    def find_match(self, draft: Draft) -> Match | None:
        """Return the match of the draft, or None if it has none or its reader is not a player."""
        if draft.match_id is None or draft.player is None:
            return None
        return self.loaded[draft.match_id][0]

    def find_seat(self, draft: Draft) -> SeatRow | None:
        """Return the reader's seat row in the draft's match, or None if there is none."""
        if draft.match_id is None or draft.player is None:
            return None
        return self.loaded[draft.match_id][1].find_seat(draft.player)

    def view_email(self, draft: Draft) -> EmailView:
        """Return the values from which the email and, for a digest, its boards are rendered."""
        match_view, player = self.view_match(draft), self.find_reader(draft)
        site = self.app.site
        facts = {**draft.facts, "messages": draft.messages, "shown_to": draft.shown_to}
        boards = tuple(self.view_email(board) for board in draft.boards)
        if boards:
            facts["waiting"] = sum(_is_readers_turn(view) for view in boards)
            boards = tuple(sorted(boards, key=_is_readers_turn, reverse=True))
        return EmailView(
            reader_name=player.name if player is not None else "",
            reply_address=site.add_tag(self.make_tag(draft)),
            match=match_view,
            facts=facts,
            sections=tuple(draft.sections),
            tap_address=self._tap_address(draft, match_view),
            site_title=site.title,
            site_address=site.address,
            timezone=ZoneInfo(player.timezone if player is not None else "UTC"),
            now=self.now,
            boards=boards,
            page_address=self._page_address(draft, match_view),
            join_address=self._join_address(match_view),
            has_pictures=self.app.draws_pictures and player is not None and player.has_pictures,
            is_spoken=player is not None and player.is_spoken,
        )

    def make_tag(self, draft: Draft) -> str:
        """Return the tag of the email's reply address, or "" if replies go to the public address.

        A tag is a signed text that names the player, the player's seat in the match, or a question.
        """
        seat, player = self.find_seat(draft), self.find_reader(draft)
        address: ReplyAddress
        if draft.question:
            address = QuestionAddress(draft.question)
        elif player is None:
            return ""
        elif seat is not None:
            address = EntrantAddress(MatchId(seat.match), seat.entrant, seat.generation)
        else:
            address = PlayerAddress(PlayerId(player.id), player.generation)
        return make_tag(self.app.keys, address)

    def _tap_address(self, draft: Draft, view: MatchView | None) -> str:
        """Return the address for taps: links in the email that open a reply with a move.

        This is a reply address that also contains the version of the match that the email shows.
        `view` is the reader's view of this match. For a question, or a reader without a seat, the
        result is empty, and taps use the email's own reply address.
        """
        seat = self.find_seat(draft)
        if seat is None or draft.question:
            return ""
        version = find_shown_version(view)
        address = EntrantAddress(MatchId(seat.match), seat.entrant, seat.generation, version)
        return self.app.site.add_tag(make_tag(self.app.keys, address))

    def _page_address(self, draft: Draft, view: MatchView | None) -> str:
        """Return the URL of the page on which the reader plays or watches the match of `view`.

        Before the start, the result is the URL of the game's rules. It is empty for a question, for
        an email without a match, for a private match of other players, and if the service has no
        web pages.
        """
        if view is None or draft.question:
            return ""
        if not view.names:
            return make_page_link(self.app, f"/rules/{view.game}")
        seat = self.find_seat(draft)
        if seat is not None and seat.seat is not None:
            return link_seat(self.app, seat)
        return "" if view.is_private else link_match(self.app, MatchId(view.code))

    def _join_address(self, view: MatchView | None) -> str:
        """Return the URL of the page on which a person can take an open seat.

        The challenger can pass this URL on. The URL is empty if the reader is not the challenger,
        no seat is open, or the service has no web pages.
        """
        if view is None or not (view.is_challenger and view.open_seats):
            return ""
        return link_invitation(self.app, MatchId(view.code))

    def view_match(self, draft: Draft) -> MatchView | None:
        """Return the reader's view of the draft's match, or None without a match or a player."""
        if draft.match_id is None or draft.player is None:
            return None
        match, record = self.loaded[draft.match_id]
        seat = record.find_seat(draft.player)
        environment = self.app.renderer.environment(self.players[draft.player].language)
        translate: Callable[[str], str] = environment.filters["player_name"]
        return build_match_view(
            match,
            draft.player,
            {
                player: translate(self.former_names.get(player, self.players[player].name))
                for player in match.entrants
            },
            head=record.row.head,
            now=self.now,
            tournament=record.row.tournament,
            scheduled=find_shown_move(self.conn, match, draft.player, draft.facts.get("tried")),
            typed=draft.facts["typed"] if draft.facts.get("is_move") else "",
            meant=draft.facts.get("meant", ()),
            events=draft.events,
            is_first_email=seat is not None and not seat.emailed_version,
        )


def _is_readers_turn(view: EmailView) -> bool:
    return view.match is not None and view.match.is_reader_to_move


def find_shown_version(view: MatchView | None) -> int:
    """Return the version of the match that an email with this view shows, or 0 for no view.

    The reader's own scheduled move counts as one version more. A reader who answers the receipt of
    that move has seen the board after it, even if the move has been executed since.
    """
    if view is None:
        return 0
    return view.version + 1 if view.scheduled is not None else view.version


def find_shown_move(
    conn: Connection, match: Match, reader: PlayerId, tried: str | None = None
) -> str | None:
    """Return the notation of a move that is not made yet, but shown to `reader` as if it were.

    It is the move `tried` (of the command `try`) if given, otherwise the reader's scheduled move.
    The result is None if there is neither, or if it is not the reader's turn.
    """
    seat = match.seat_of(reader)
    if seat is None or seat not in match.to_move:
        return None
    if tried is not None:
        return tried
    row = waiting.find_scheduled_move(conn, match.id, seat)
    return row.notation if row is not None and row.ply == match.ply + 1 else None
