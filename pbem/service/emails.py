"""Emails of a unit of work: notifications and replies, rendered into rows of the outbox.

A unit of work queues at most one email for each reader and match. This email contains the replies
to the reader's commands, and the notifications (`drafts`). When the unit finishes, some emails are
held back: until the reader's digest, because of a rate limit, or because an open page shows the
same news. The others are rendered and queued. When an email with the board is queued, it replaces
an unsent email that only asks the same reader for a move in the match.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from pbem.mail.addresses import make_message_id
from pbem.match.events import MovePlayed, Source
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId
from pbem.notifications.rendering import RenderedReply
from pbem.notifications.views import MatchView
from pbem.service.app import App
from pbem.service.drafts import Draft
from pbem.service.due import PAGE_PATIENCE
from pbem.service.email_viewer import EmailViewer, find_shown_version
from pbem.service.limits import RateLimiter
from pbem.store import event_log, messages, outbox, players
from pbem.store.matches import MatchRecord
from pbem.store.tables import PlayerRow

TURN_KINDS: Final = frozenset({"end", "turn", "offer", "receipt", "reminder", "message", "account"})
"""Kinds of emails that show the board and the moves since the reader's own last move.

When one is queued, an unsent email that only asks the reader for a move in the match is dropped.
"""

DIGEST_KINDS: Final = frozenset({"turn", "start", "news", "message"})
"""Kinds of emails that can be held back, so that their news is in the reader's daily digest."""

LIMITED_KINDS: Final = frozenset({"news", "challenge"})
"""Kinds of emails that are held back if one player exceeds the limit on emails to another player.

The next email about the match contains the news of an email that was held back. A command that
would cause another kind of email over the limit, such as a message, is refused instead.
"""

EMAIL_ONLY_KINDS: Final = frozenset({"account", "end", "invitation", "question"})
"""The kinds of email that are sent even if they answer a command from a page."""

NEAR_DEADLINE: Final = timedelta(hours=24)  # with less time left, no news waits for a digest


class EmailWriter:
    """A collector of the emails of a unit of work, which are queued when the unit finishes."""

    def __init__(
        self, app: App, conn: Connection, cause: str, now: datetime, limits: RateLimiter
    ) -> None:
        """Create a writer without emails; Message-IDs are derived from the unit's `cause`."""
        self.app, self.conn, self.cause, self.now = app, conn, cause, now
        self._limits = limits
        self.page_replies: list[RenderedReply] = []  # the replies that the page shows
        self.former_names: dict[PlayerId, str] = {}  # of players who are deleted in this unit
        self.has_question_by_email = False  # whether `_page_reader` gets a question
        self._page_reader: PlayerId | None = None  # the player who sent a command from a page
        self._drafts: dict[tuple[str, str], Draft] = {}

    def answer_on_page(self, player: PlayerId) -> None:
        """Collect the emails to `player` in `page_replies`, so that a page shows them instead.

        Emails of the kinds in `EMAIL_ONLY_KINDS` are still sent.
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
        """Add the reply to a player's command.

        Args:
            player: The sender of the command, who gets the reply.
            kind: The kind of email, such as `answer`.
            match_id: The match that the reply is about; None for no match.
            in_reply_to: The Message-ID of the email with the command; empty for a page.
            attachments: The texts of the attached files, by file name.
            facts: The values for the template.
        """
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

    def write_to_address(
        self, address: str, kind: str, *, language: str = "en", **facts: Any
    ) -> None:
        """Add an email to an address that is not a player's, such as the operator's address.

        Replies to the email go to our public address. `facts` are the values for the template.
        """
        self.add(Draft(address=address, kind=kind, facts=facts, language=language, is_reply=True))

    def add(self, draft: Draft) -> None:
        """Add an email, or join it to an email that has the same reader and match, if there is one.

        A digest is joined only with another digest, and a question only with the same question.
        """
        subject = "digest" if draft.kind == "digest" else draft.question or draft.match_id or ""
        key = (draft.player or draft.address, subject)
        if key in self._drafts:
            self._drafts[key].join(draft)
        else:
            self._drafts[key] = draft

    def queue_all(self, loaded: Mapping[MatchId, tuple[Match, MatchRecord]]) -> set[MatchId]:
        """Queue the emails that are not held back.

        Args:
            loaded: The matches that the unit of work has loaded, in their final state, with their
                rows. This method records in the rows what the emails show; the caller writes the
                rows to the database.

        Returns:
            The ids of all matches that the emails are about, including emails that are held back.
        """
        drafts = [*self._drafts.values()]
        drafts += [board for draft in drafts for board in draft.boards]
        about = {draft.match_id for draft in drafts if draft.match_id is not None}
        needed = {draft.player for draft in self._drafts.values() if draft.player is not None}
        for match_id in about:
            needed |= {*loaded[match_id][0].entrants}
        viewer = EmailViewer(
            app=self.app,
            conn=self.conn,
            now=self.now,
            loaded=loaded,
            players=players.list_players(self.conn, needed) if needed else {},
            former_names=self.former_names,
        )
        for (reader, subject), draft in self._drafts.items():
            player = viewer.find_reader(draft)
            if player is not None and draft.player == self._page_reader:
                self.has_question_by_email |= bool(draft.question)
                if draft.kind not in EMAIL_ONLY_KINDS:
                    self._show_on_page(viewer, player, draft)
                    continue
            if player is not None and (
                not _is_wanted(player, draft)
                or _is_message_receipt(draft)
                or self._hold_for_page(viewer, player, draft)
                or self._hold_for_digest(viewer, player, draft)
                or self._hold_for_limit(viewer, player, draft)
            ):
                continue
            self._queue(viewer, f"{self.cause}:{subject}:{reader}", draft)
        return about

    def _show_on_page(self, viewer: EmailViewer, player: PlayerRow, draft: Draft) -> None:
        """Render the reply `draft` for the page, and record that `player` has seen all news.

        The page itself shows the board and all messages, so no news is left for an email.
        """
        words = self.app.renderer.make_rendering(viewer.view_email(draft), player.language)
        self.page_replies.append(words.render_reply(draft.kind))
        match, seat = viewer.find_match(draft), viewer.find_seat(draft)
        if match is not None and seat is not None:
            seat.emailed_version, seat.news_since = match.version, None
            outbox.drop_prompts(self.conn, player=player.id, match=match.id)

    def _hold_for_page(self, viewer: EmailViewer, player: PlayerRow, draft: Draft) -> bool:
        """Hold the email back if `player` sees the bot's move on a page. Return whether it is held.

        An open page shows the move by itself. If the player does not move within `PAGE_PATIENCE`,
        they get the email after all: the time of their last move is noted in their seat row.
        Reminders are always emailed.
        """
        match, row = viewer.find_match(draft), viewer.find_seat(draft)
        is_plain = draft.kind in ("turn", "receipt") and not (draft.messages or draft.sections)
        if not is_plain or match is None or row is None:
            return False
        player_id = PlayerId(player.id)
        seat = match.seat_of(player_id)
        own_moves = [
            ply.event
            for ply in match.plies
            if ply.seat == seat and isinstance(ply.event, MovePlayed)
        ]
        is_on_page = bool(own_moves) and own_moves[-1].source is Source.PAGE
        if not is_on_page or not match.has_only_bots_against(player_id):
            return False
        row.news_since = own_moves[-1].at  # earlier news is known: bots send no messages
        return self.now < row.news_since + PAGE_PATIENCE

    def _queue(self, viewer: EmailViewer, key: str, draft: Draft) -> None:
        domain = self.app.site.address.rpartition("@")[2]
        message_id = make_message_id(self.app.keys, cause=key, domain=domain)
        for part in (draft, *draft.boards):
            self._add_waiting_news(viewer, part)
        # A reply to a digest with one match is about that match.
        subject = draft.boards[0] if len(draft.boards) == 1 else draft
        view, tag = viewer.view_email(draft), viewer.make_tag(subject)
        match_view, match, player = view.match, viewer.find_match(draft), viewer.find_reader(draft)
        language = player.language if player is not None else draft.language
        rendered = self.app.renderer.render(draft.kind, view, language)
        root, turn_since, is_prompt = "", None, False
        if match is not None and player is not None:
            # All players see the Message-ID at the root of the thread. So it is not the one of an
            # email, because the Message-ID of an email proves who answers it.
            root = make_message_id(self.app.keys, cause=f"thread:{match.id}", domain=domain)
            turn_since = self._find_turn(match, PlayerId(player.id), draft.kind)
            if draft.kind in TURN_KINDS:
                since = outbox.drop_prompts(self.conn, player=player.id, match=match.id)
                if match_view is not None and match_view.is_reader_to_move:
                    turn_since = since or turn_since
            if (seat := viewer.find_seat(draft)) is not None:
                is_prompt = bool(seat.emailed_version) and _is_plain_prompt(draft, match_view)
        for part in (draft, *draft.boards):
            shown_match, seat = viewer.find_match(part), viewer.find_seat(part)
            if shown_match is not None and seat is not None:
                seat.emailed_version = shown_match.version
        shown_view = view.boards[0].match if len(view.boards) == 1 else match_view
        references = " ".join(filter(None, dict.fromkeys((root, draft.in_reply_to))))
        outbox.queue_email(
            self.conn,
            self.now,
            key=key,
            player=draft.player,
            address=draft.address,
            match=subject.match_id,
            version=find_shown_version(shown_view),
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
        )

    def _hold_for_digest(self, viewer: EmailViewer, player: PlayerRow, draft: Draft) -> bool:
        """Hold the email back if it waits for its reader's digest, and return whether it does.

        If it waits, the time of the news is recorded in the reader's seat row. Some emails do not
        wait: replies, effects of the reader's own commands, operators' explanations, and news of a
        match in which the reader's deadline is less than `NEAR_DEADLINE` away.
        """
        match, seat = viewer.find_match(draft), viewer.find_seat(draft)
        if player.digest_hour is None or draft.kind not in DIGEST_KINDS or match is None:
            return False
        number = match.seat_of(PlayerId(player.id))
        deadline = match.clocks.deadline(number) if match.clocks is not None and number else None
        is_near = deadline is not None and deadline - self.now < NEAR_DEADLINE
        is_reply = draft.is_reply or draft.causer == draft.player
        if is_reply or is_near or seat is None or draft.facts.get("reason"):
            return False
        seat.news_since = seat.news_since or self.now
        return True

    def _hold_for_limit(self, viewer: EmailViewer, player: PlayerRow, draft: Draft) -> bool:
        """Count the email towards the limit of the player who caused it; hold it back if exceeded.

        The limit is on the emails that another player gets because of what this player does. Only
        news counts. The next email about the match includes the news of one that was held back.

        Returns:
            Whether the email is held back.
        """
        is_news = draft.kind in LIMITED_KINDS and not (draft.is_reply or draft.sections)
        if not is_news or draft.causer is None or draft.causer == draft.player:
            return False
        count = self._limits.count_player_email(draft.causer, PlayerId(player.id))
        seat = viewer.find_seat(draft)
        if count.is_over and seat is not None:
            seat.news_since = seat.news_since or self.now
        return count.is_over

    def _add_waiting_news(self, viewer: EmailViewer, draft: Draft) -> None:
        """Add to a draft the news of its match that was held back until now.

        Nothing is added if emails of this kind do not show the match.
        """
        seat = viewer.find_seat(draft)
        is_shown = draft.kind in TURN_KINDS or draft.kind == "digest_board"
        if seat is None or seat.news_since is None or not is_shown:
            return
        match_id, reader, since = MatchId(seat.match), PlayerId(seat.player), seat.news_since
        rows = messages.list_recent_messages(self.conn, match_id, reader, since)
        draft.messages = [(viewer.players[PlayerId(row.player)].name, row.text) for row in rows]
        before = event_log.list_recent_events(self.conn, match_id, since)
        draft.events = (*before, *draft.events)
        seat.news_since = None

    def _find_turn(self, match: Match, reader: PlayerId, kind: str) -> datetime | None:
        """Return the current time if the email tells its reader that it is their turn, else None.

        That is an email of the kind `turn`, or any email after an event that starts their clock.
        The time is stored with the email. If the email is sent late, the reader gets back the clock
        time since then.
        """
        seat = match.seat_of(reader)
        since = match.clocks.running.get(seat) if match.clocks is not None and seat else None
        is_new = since is not None and (kind == "turn" or since >= self.now)
        return self.now if is_new else None


def _is_plain_prompt(draft: Draft, view: MatchView | None) -> bool:
    """Return whether the email only asks for a move, so that a later email can replace it.

    `view` is the reader's view of the email's match.
    """
    is_plain = not (draft.sections or draft.messages or any(draft.facts.values()))
    return draft.kind in ("turn", "reminder") and is_plain and not (view and view.happened)


def _is_message_receipt(draft: Draft) -> bool:
    """Return whether the email would only confirm that the reader's message was sent.

    Such an email is left out, because only a message that fails is worth an answer.
    """
    is_plain = not (draft.sections or draft.messages or draft.shown_to or draft.events)
    return is_plain and draft.kind == "answer" and draft.facts.get("topic") == "said"


def _is_wanted(player: PlayerRow, draft: Draft) -> bool:
    """Return whether the player wants and may get the email.

    Players who wrote `stop` get only replies. Players whose emails bounce get only our questions,
    to which a yes proves that the address works. Deleted players get nothing.
    """
    if player.deleted_at is not None or (player.suspended_at is not None and not draft.question):
        return False
    return player.stopped_at is None or draft.is_reply
