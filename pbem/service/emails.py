"""Emails of a unit of work: notifications and replies, rendered into rows of the outbox.

A unit of work queues at most one email for each reader and match, which joins the replies
to the reader's commands with the notifications. Text and HTML are rendered here, from
values that are already loaded, so templates need no database. A reader gets the newest
state only once: when a newer email about a match is queued, an unsent one that only asks
for a move is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from pbem.games.game import Style
from pbem.mail.addresses import (
    EntrantAddress,
    PlayerAddress,
    QuestionAddress,
    make_message_id,
    make_tag,
)
from pbem.match.events import MatchEvent, MovePlayed, Source
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId
from pbem.notifications.email_views import EmailView, Section
from pbem.notifications.rendering import RenderedReply
from pbem.notifications.rules import KINDS as NOTIFIED
from pbem.notifications.views import MatchView, build_match_view
from pbem.service.app import App
from pbem.service.due import PAGE_PATIENCE
from pbem.service.limits import RateLimiter
from pbem.service.links import link_invitation, link_match, link_seat, make_page_link
from pbem.store import event_log, messages, outbox, players, waiting
from pbem.store.matches import MatchRecord
from pbem.store.tables import OutboxRow, PlayerRow

RANKS: Final = (
    "end",
    "refusal",
    "question",
    "invitation",
    "offer",
    "turn",
    "receipt",
    "reminder",
    "start",
    "message",
    "challenge",
    "news",
    "account",
    "tournament",
    "answer",
    "welcome",
    "operator",
    "alarm",
    "digest",
)
"""Which kind an email has that says several things: the one that stands first."""

TURN_KINDS: Final = frozenset({"end", "turn", "offer", "receipt", "reminder", "message", "account"})
"""Kinds that show the board, the turn and the moves since the reader's own.

An unsent email before them that only asked for a move is dropped.
"""


DIGEST_KINDS: Final = frozenset({"turn", "start", "news", "message"})
"""Kinds that wait for the daily digest of a player who wants one."""

LIMITED_KINDS: Final = frozenset({"news", "challenge"})
"""Kinds that wait for the next email about the match if one player causes another too many.

Commands that cause other kinds, such as a message or an invitation, are refused instead.
"""

NOT_ON_PAGES: Final = frozenset({"account", "end", "invitation", "question"})
"""Kinds that go by email even if their reader plays on a page."""

NEAR_DEADLINE: Final = timedelta(hours=24)  # what is said of such a match waits for no digest


@dataclass(kw_only=True)
class Draft:
    """An email before it is rendered, to which a unit of work can still add.

    Attributes:
        messages: What other players say to the reader, as pairs of name and text.
        shown_to: Names of players who know the reader's old reply address, because a copy of an
            email showed it to them.
        language: The language for a reader who is not, or is no longer, a player.
        causer: The player who caused the events that the reader is notified of, perhaps the
            reader.
        boards: The matches of a digest, each as a draft.
    """

    kind: str
    player: PlayerId | None = None
    address: str = ""
    match_id: MatchId | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    also: list[Section] = field(default_factory=list)
    events: tuple[MatchEvent, ...] = ()
    messages: list[tuple[str, str]] = field(default_factory=list)
    shown_to: tuple[str, ...] = ()
    question: str = ""
    language: str = "en"
    in_reply_to: str = ""
    attachments: Mapping[str, str] = field(default_factory=dict)
    causer: PlayerId | None = None
    boards: list[Draft] = field(default_factory=list)
    is_reply: bool = False  # whether it answers its reader; a player who has stopped gets no other


class EmailWriter:
    """Collector of the emails of a unit of work. It queues them when the unit finishes."""

    def __init__(
        self, app: App, conn: Connection, cause: str, now: datetime, limits: RateLimiter
    ) -> None:
        """Create a writer without emails. Outbox keys and Message-IDs are derived from `cause`."""
        self.app, self.conn, self.cause, self.now = app, conn, cause, now
        self._limits = limits
        self.page_replies: list[RenderedReply] = []  # what a page shows to its player
        self.former_names: dict[PlayerId, str] = {}  # of players who are deleted in this unit
        self.has_asked_on_page = False  # whether a question to that player goes by email
        self._page_reader: PlayerId | None = None
        self._drafts: dict[tuple[str, str], Draft] = {}
        self._loaded: Mapping[MatchId, tuple[Match, MatchRecord]] = {}
        self._players: Mapping[PlayerId, PlayerRow] = {}

    def answer_on_page(self, player: PlayerId) -> None:
        """Show a player's replies on a page (in `page_replies`) instead of emailing them.

        The kinds in `NOT_ON_PAGES` still go by email.
        """
        self._page_reader = player

    def reply(
        self,
        player: PlayerRow,
        kind: str,
        *,
        match_id: MatchId | None = None,
        in_reply_to: str = "",
        attachments: Mapping[str, str] | None = None,
        **facts: Any,
    ) -> None:
        """Add the reply to a command, addressed to its sender."""
        self.add(
            Draft(
                player=PlayerId(player.id),
                match_id=match_id,
                kind=kind,
                facts=facts,
                in_reply_to=in_reply_to,
                attachments=attachments or {},
                is_reply=True,
            )
        )

    def write_address(self, address: str, kind: str, *, language: str = "en", **facts: Any) -> None:
        """Add an email to an address that belongs to no player, such as the operator's.

        Replies to it go to our public address.
        """
        self.add(Draft(address=address, kind=kind, facts=facts, language=language, is_reply=True))

    def add(self, draft: Draft) -> None:
        """Add an email, or join it with the one to the same reader about the same match."""
        subject = "digest" if draft.kind == "digest" else draft.question or draft.match_id or ""
        key = (draft.player or draft.address, subject)
        known = self._drafts.get(key)
        if known is None:
            self._drafts[key] = draft
            return
        if known.kind == draft.kind == "receipt":
            # A move and `now`: one receipt says how the match is when the unit of work finishes.
            known.facts, draft.facts = {**known.facts, **draft.facts}, {}
        first, second = sorted((known, draft), key=lambda one: RANKS.index(one.kind))
        # What has no facts is in the parts of any email: events, messages, a replaced address.
        kinds = {*NOTIFIED, "message", "account", first.kind}
        is_said = second.kind in kinds and not second.facts
        sections = [] if is_said else [Section(second.kind, second.facts)]
        known.kind, known.facts = first.kind, first.facts
        known.also = [*first.also, *sections, *second.also]
        known.messages += draft.messages
        known.shown_to = known.shown_to or draft.shown_to
        known.is_reply = known.is_reply or draft.is_reply
        known.causer = known.causer or draft.causer
        known.events = known.events or draft.events
        known.in_reply_to = known.in_reply_to or draft.in_reply_to
        known.attachments = {**known.attachments, **draft.attachments}

    def queue_all(self, loaded: Mapping[MatchId, tuple[Match, MatchRecord]]) -> set[MatchId]:
        """Render every email and put it into the outbox. Return the ids of the matches concerned.

        Args:
            loaded: The matches that the unit of work has loaded, in their final state, with their
                rows. This method records in the rows what the emails show; the caller writes the
                rows.
        """
        self._loaded = loaded
        drafts = [*self._drafts.values()]
        drafts += [board for draft in drafts for board in draft.boards]
        about = {draft.match_id for draft in drafts if draft.match_id is not None}
        needed = {draft.player for draft in self._drafts.values() if draft.player is not None}
        for match_id in about:
            needed |= {*loaded[match_id][0].entrants}
        self._players = players.list_players(self.conn, needed) if needed else {}
        for (reader, subject), draft in self._drafts.items():
            player = None if draft.player is None else self._players[draft.player]
            if player is not None and self._is_for_page(draft):
                self._show_on_page(player, draft)
                continue
            if player is not None and (
                not _wants(player, draft)
                or _only_confirms_message(draft)
                or self._plays_on_page(draft)
                or self._waits_for_digest(player, draft)
                or self._waits_for_limit(player, draft)
            ):
                continue
            self._queue(f"{self.cause}:{subject}:{reader}", draft)
        return about

    def _is_for_page(self, draft: Draft) -> bool:
        is_reader = draft.player is not None and draft.player == self._page_reader
        self.has_asked_on_page |= is_reader and bool(draft.question)
        return is_reader and draft.kind not in NOT_ON_PAGES

    def _show_on_page(self, player: PlayerRow, draft: Draft) -> None:
        """Render a reply for the page instead of an email, and mark the player as up to date.

        The page itself shows the board and all messages, so nothing is left to be told by email.
        """
        words = self.app.renderer.open_words(self._email_view(draft), player.language)
        self.page_replies.append(words.render_reply(draft.kind))
        if draft.match_id is None:
            return
        match, record = self._loaded[draft.match_id]
        if (seat := record.find_seat(PlayerId(player.id))) is not None:
            seat.told_version, seat.untold_since = match.version, None
            outbox.drop_prompts(self.conn, player=player.id, match=match.id)

    def _plays_on_page(self, draft: Draft) -> bool:
        """Return whether an email would only report a bot's move that its reader sees on a page.

        An open page shows the move by itself. If the player does not answer it there within
        `PAGE_PATIENCE`, they get the email after all. Reminders always go by email.
        """
        is_plain = draft.kind in ("turn", "receipt") and not (draft.messages or draft.also)
        if not is_plain or draft.match_id is None or draft.player is None:
            return False
        match, record = self._loaded[draft.match_id]
        seat, row = match.seat_of(draft.player), record.find_seat(draft.player)
        own_moves = [
            ply.event
            for ply in match.plies
            if ply.seat == seat and isinstance(ply.event, MovePlayed)
        ]
        is_on_page = bool(own_moves) and own_moves[-1].source is Source.PAGE
        if row is None or not is_on_page or not match.has_only_bots_against(draft.player):
            return False
        row.untold_since = own_moves[-1].at  # bots say nothing, so what was before is known
        return self.now < row.untold_since + PAGE_PATIENCE

    def _queue(self, key: str, draft: Draft) -> None:
        domain = self.app.site.address.rpartition("@")[2]
        message_id = make_message_id(self.app.keys, cause=key, domain=domain)
        for part in (draft, *draft.boards):
            self._add_untold(part)
        # A reply to a digest with one match is about that match.
        subject = draft.boards[0] if len(draft.boards) == 1 else draft
        view, tag = self._email_view(draft), self._tag(subject)
        match_view = view.match
        player = None if draft.player is None else self._players[draft.player]
        language = player.language if player is not None else draft.language
        rendered = self.app.renderer.render(draft.kind, view, language)
        root, turn_since, is_prompt = "", None, False
        if draft.match_id is not None and draft.player is not None:
            match, record = self._loaded[draft.match_id]
            # Every player sees the root, so it is no email's: their ids prove who answers them.
            root = make_message_id(self.app.keys, cause=f"thread:{match.id}", domain=domain)
            turn_since = self._find_turn(draft)
            if draft.kind in TURN_KINDS:
                since = outbox.drop_prompts(self.conn, player=draft.player, match=draft.match_id)
                if match_view is not None and match_view.is_reader_to_move:
                    turn_since = since or turn_since
            if (seat := record.find_seat(draft.player)) is not None:
                is_prompt = bool(seat.told_version) and _only_asks_for_move(draft, match_view)
                seat.told_version = match.version
        for board in draft.boards:
            match, record = self._loaded[board.match_id or MatchId("")]
            if (seat := record.find_seat(board.player or PlayerId(""))) is not None:
                seat.told_version = match.version
        references = " ".join(filter(None, dict.fromkeys((root, draft.in_reply_to))))
        outbox.queue_email(
            self.conn,
            OutboxRow(
                key=key,
                player=draft.player,
                address=draft.address,
                match=subject.match_id,
                version=_shown_version(self._match_view(subject) if draft.boards else match_view),
                turn_since=turn_since,
                is_prompt=is_prompt,
                kind=draft.kind,
                subject=rendered.subject,
                text=rendered.text,
                html=rendered.html,
                message_id=message_id,
                in_reply_to=draft.in_reply_to,
                references=references,
                reply_tag=tag,
                attachments=dict(draft.attachments),
                pictures={picture.svg: picture.words for picture in rendered.pictures},
            ),
            self.now,
        )

    def _email_view(self, draft: Draft) -> EmailView:
        match_view = self._match_view(draft)
        player = None if draft.player is None else self._players[draft.player]
        site = self.app.site
        facts = {**draft.facts, "messages": draft.messages, "shown_to": draft.shown_to}
        boards = tuple(self._email_view(board) for board in draft.boards)
        if boards:
            facts["waiting"] = sum(_is_readers_turn(view) for view in boards)
            boards = tuple(sorted(boards, key=_is_readers_turn, reverse=True))
        return EmailView(
            reader_name=player.name if player is not None else "",
            reply_address=site.add_tag(self._tag(draft)),
            match=match_view,
            facts=facts,
            also=tuple(draft.also),
            tap_address=self._tap_address(draft, match_view),
            site_title=site.title,
            site_address=site.address,
            timezone=ZoneInfo(player.timezone if player is not None else "UTC"),
            boards=boards,
            page_address=self._page_address(draft, match_view),
            join_address=self._join_address(match_view),
            has_pictures=self.app.draws_pictures and player is not None and player.has_pictures,
            is_spoken=player is not None and player.is_spoken,
        )

    def _waits_for_digest(self, player: PlayerRow, draft: Draft) -> bool:
        """Return whether an email waits for its reader's digest, and note this in their seat row.

        Replies, effects of the reader's own commands, operators' explanations, and news of a match
        whose deadline is near do not wait.
        """
        if player.digest_hour is None or draft.kind not in DIGEST_KINDS or draft.match_id is None:
            return False
        match, record = self._loaded[draft.match_id]
        number, seat = match.seat_of(PlayerId(player.id)), record.find_seat(PlayerId(player.id))
        deadline = match.clocks.deadline(number) if match.clocks is not None and number else None
        is_near = deadline is not None and deadline - self.now < NEAR_DEADLINE
        is_reply = draft.is_reply or draft.causer == draft.player
        if is_reply or is_near or seat is None or draft.facts.get("reason"):
            return False
        seat.untold_since = seat.untold_since or self.now
        return True

    def _waits_for_limit(self, player: PlayerRow, draft: Draft) -> bool:
        """Return whether news must wait because another player has caused too many emails.

        The news is counted for the rate limit. If it waits, the next email about the match includes
        it.
        """
        is_news = draft.kind in LIMITED_KINDS and not (draft.is_reply or draft.also)
        if not is_news or draft.match_id is None or draft.causer in (None, draft.player):
            return False
        count = self._limits.count_player_email(PlayerId(draft.causer or ""), PlayerId(player.id))
        seat = self._loaded[draft.match_id][1].find_seat(PlayerId(player.id))
        if count.is_over and seat is not None:
            seat.untold_since = seat.untold_since or self.now
        return count.is_over

    def _add_untold(self, draft: Draft) -> None:
        """If an email shows the match, add the news that was held back before."""
        if draft.player is None or draft.match_id is None:
            return
        match, record = self._loaded[draft.match_id]
        seat = record.find_seat(draft.player)
        is_shown = draft.kind in TURN_KINDS or draft.kind == "digest_board"
        if seat is None or seat.untold_since is None or not is_shown:
            return
        rows = messages.list_untold_messages(self.conn, match.id, draft.player, seat.untold_since)
        draft.messages = [(self._players[PlayerId(row.player)].name, row.text) for row in rows]
        before = event_log.list_recent_events(self.conn, match.id, seat.untold_since)
        draft.events = (*before, *draft.events)
        seat.untold_since = None

    def _find_turn(self, draft: Draft) -> datetime | None:
        """Return the current time if an email announces that the reader's clock runs, or None.

        If the email is sent late, the reader gets back the time since then.
        """
        if draft.match_id is None or draft.player is None:
            return None
        match, _ = self._loaded[draft.match_id]
        seat = match.seat_of(draft.player)
        since = match.clocks.running.get(seat) if match.clocks is not None and seat else None
        is_new = since is not None and (draft.kind == "turn" or since >= self.now)
        return self.now if is_new else None

    def _tag(self, draft: Draft) -> str:
        keys = self.app.keys
        if draft.question:
            return make_tag(keys, QuestionAddress(draft.question))
        if draft.player is None:
            return ""
        if draft.match_id is not None:
            seat = self._loaded[draft.match_id][1].find_seat(draft.player)
            if seat is not None:
                address = EntrantAddress(draft.match_id, seat.entrant, seat.generation)
                return make_tag(keys, address)
        generation = self._players[draft.player].generation
        return make_tag(keys, PlayerAddress(draft.player, generation))

    def _tap_address(self, draft: Draft, view: MatchView | None) -> str:
        """Return the address to which the reply links of an email write, or an empty string.

        The address names the version of the match that the email shows.
        """
        if draft.match_id is None or draft.player is None or draft.question:
            return ""
        match, record = self._loaded[draft.match_id]
        seat = record.find_seat(draft.player)
        if seat is None:
            return ""
        version = _shown_version(view)
        address = EntrantAddress(match.id, seat.entrant, seat.generation, version)
        return self.app.site.add_tag(make_tag(self.app.keys, address))

    def _page_address(self, draft: Draft, view: MatchView | None) -> str:
        """Return the URL of the page on which the reader plays or watches the match.

        Before the start, it is the URL of the game's rules. It is empty if the reader has no page.
        """
        if view is None or draft.player is None or draft.question:
            return ""
        if not view.names:
            return make_page_link(self.app, f"/rules/{view.game}")
        match, record = self._loaded[MatchId(view.code)]
        seat = record.find_seat(draft.player)
        if seat is not None and seat.seat is not None:
            return link_seat(self.app, seat)
        return "" if view.is_private else link_match(self.app, match.id)

    def _join_address(self, view: MatchView | None) -> str:
        """Return the URL on which friends of the challenger can take an open seat.

        The string is empty if the reader is not the challenger, or no seat is open.
        """
        if view is None or not (view.is_challenger and view.open_seats):
            return ""
        return link_invitation(self.app, MatchId(view.code))

    def _match_view(self, draft: Draft) -> MatchView | None:
        if draft.match_id is None or draft.player is None:
            return None
        match, record = self._loaded[draft.match_id]
        seat = record.find_seat(draft.player)
        return view_match(
            self.conn,
            match,
            record,
            draft.player,
            {
                player: self.former_names.get(player, self._players[player].name)
                for player in match.entrants
            },
            now=self.now,
            typed=draft.facts["typed"] if draft.facts.get("is_move") else "",
            meant=draft.facts.get("meant", ()),
            tried=draft.facts.get("tried"),
            events=draft.events,
            is_first_email=seat is not None and not seat.told_version,
        )


def _is_readers_turn(view: EmailView) -> bool:
    return view.match is not None and view.match.is_reader_to_move


def _only_asks_for_move(draft: Draft, view: MatchView | None) -> bool:
    """Return whether an email only asks for a move, so that the next one can replace it."""
    is_plain = not (draft.also or draft.messages or any(draft.facts.values()))
    return draft.kind in ("turn", "reminder") and is_plain and not (view and view.happened)


def _only_confirms_message(draft: Draft) -> bool:
    """Return whether an email would only confirm that a message was sent.

    Such an email is left out, because only a message that fails is worth an answer.
    """
    is_plain = not (draft.also or draft.messages or draft.shown_to or draft.events)
    return is_plain and draft.kind == "answer" and draft.facts.get("topic") == "said"


def _shown_version(view: MatchView | None) -> int:
    """Return the version of the match that an email shows, or 0 without a match.

    The reader's own scheduled move counts as one version more. A reader who answers its receipt
    has seen the board after that move, even if the move has been executed since.
    """
    if view is None:
        return 0
    return view.version + 1 if view.scheduled is not None else view.version


def view_match(
    conn: Connection,
    match: Match,
    record: MatchRecord,
    reader: PlayerId,
    names: Mapping[PlayerId, str],
    *,
    now: datetime,
    typed: str = "",
    meant: Sequence[str] = (),
    tried: str | None = None,
    events: tuple[MatchEvent, ...] = (),
    is_first_email: bool = False,
    style: Style = Style.ASCII,
    marks_moves: bool = True,
) -> MatchView:
    """Return a player's view of a match, with their scheduled move shown as if it were made.

    If `tried` is a move, that move is shown in the same way instead.
    """
    seat = match.seat_of(reader)
    scheduled = tried if seat is not None and seat in match.to_move else None
    if tried is None and seat is not None and seat in match.to_move:
        row = waiting.find_scheduled_move(conn, match.id, seat)
        scheduled = row.notation if row is not None and row.ply == match.ply + 1 else None
    return build_match_view(
        match,
        reader,
        names,
        head=record.row.head,
        now=now,
        tournament=record.row.tournament,
        scheduled=scheduled,
        typed=typed,
        meant=meant,
        events=events,
        is_first_email=is_first_email,
        style=style,
        marks_moves=marks_moves,
    )


def _wants(player: PlayerRow, draft: Draft) -> bool:
    """Return whether a player is to get an email.

    Players who wrote `stop` get replies only. Players whose emails bounce get questions only.
    Deleted players get nothing.
    """
    if player.deleted_at is not None or (player.suspended_at is not None and not draft.question):
        return False
    return player.stopped_at is None or draft.is_reply
