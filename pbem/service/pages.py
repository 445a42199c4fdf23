"""Commands that players send from the page of a seat.

A page command is executed like an email: by the same handlers, in one unit of work. It is stored as
a row of the inbox, whose key is derived from the seat and from an id in the form. So a button that
is pressed twice executes its command once, and both times the page shows the stored reply. Replies
are shown on the page instead of being emailed. Questions and the end of a match still go by email,
because the visitor may be a person who has merely found the link.

A person who has the link can play the match for its player. Commands about the player's account are
refused on the page. Random draws depend on the id of the form and on random bits that the browser
makes when the form is sent. So the server cannot know the draws in advance.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection

from pbem.errors import Rejection
from pbem.fairness import hash_message
from pbem.mail.commands import ParsedEmail
from pbem.match.events import Source
from pbem.names import MatchId, PlayerId
from pbem.notifications.layout import Line, Offer
from pbem.notifications.rendering import RenderedReply
from pbem.service.app import App
from pbem.service.execution import execute_parsed, parse_text, refuse
from pbem.service.identity import IdentifiedSender, Level
from pbem.service.registry import COMMANDS, Submission
from pbem.service.strangers import answer_invitation
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import inbox, outbox, players
from pbem.store.inbox import ReceivedMessage
from pbem.store.tables import PlayerRow

ACCOUNT: Final = "page"  # the account of inbox rows that are page commands
MAX_COMMAND_LENGTH: Final = 4_000  # characters of a command; a message has 2000 at most


@dataclass(frozen=True, kw_only=True, slots=True)
class PageCommand:
    """A command that a player sends from the page of a seat.

    `id` is the id of the form. `bits` are random bits that the browser makes when the form is sent;
    without scripts they are empty. `ply` and `version` describe the match when the form was shown:
    the number of its next move, and its version. `is_new_browser` is set if the player
    has never used this browser before. The player then gets an email.
    """

    id: str
    match_id: MatchId
    player_id: PlayerId
    text: str
    ply: int
    version: int
    bits: str = ""
    is_new_browser: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class PageReply:
    """The reply to a page command, as JSON values that the page shows.

    `text` is the command, and `outcome` a short description of what was done. Each of `replies` has
    a `kind`, a `headline`, and `blocks` of lines. A line is a text, or an object with a `label` and
    the `reply` that it offers. `is_asked` is set if a question was sent to the player by email.
    Random draws depend on `id` and `bits`.
    """

    id: str
    bits: str
    text: str
    outcome: str
    is_asked: bool = False
    replies: Sequence[Mapping[str, Any]] = ()


def make_key(match_id: MatchId, player_id: PlayerId, command_id: str) -> str:
    """Return the key under which a page command is stored in the inbox."""
    return sha256(f"page {match_id} {player_id} {command_id}".encode()).hexdigest()


def find_page_reply(
    conn: Connection, match_id: MatchId, player_id: PlayerId, command_id: str
) -> PageReply | None:
    """Return the stored reply to a page command, or None if the command was never executed."""
    raw = inbox.find_raw(conn, make_key(match_id, player_id, command_id))
    if raw is None:
        return None
    if not raw:  # it is so old that its words were deleted
        return PageReply(id=command_id, bits="", text="", outcome="done before")
    return PageReply(**json.loads(raw))


def execute_page_command(conn: Connection, app: App, command: PageCommand) -> None:
    """Execute a page command and store the reply, unless this was done before."""
    key = make_key(command.match_id, command.player_id, command.id)
    if inbox.find_raw(conn, key) is not None:
        return
    uow = UnitOfWork(app, conn, f"page:{key}")
    uow.emails.answer_on_page(command.player_id)
    player = players.get_player(conn, command.player_id)
    submission = Submission(
        uow=uow,
        sender=IdentifiedSender(
            level=Level.VERIFIED,
            address="",
            player=player,
            match_id=command.match_id,
            seen_version=command.version,
        ),
        text=command.text[:MAX_COMMAND_LENGTH],
        received=uow.now,
        message_id="",
        message_hash=hash_message(command.id, command.bits),
        source=Source.PAGE,
    )
    outcome = _execute(submission, player, command)
    if not outcome.startswith("refused"):
        # An email that only asks for the move may still be waiting to be sent.
        outbox.drop_prompts(conn, player=command.player_id, match=command.match_id)
    if command.is_new_browser and not uow.limits.count_page_notice(command.player_id).is_over:
        match = uow.load_match(command.match_id)
        uow.emails.reply(
            player, "account", change="page_used", title=match.game.title, code=match.id
        )
    uow.finish()
    reply = PageReply(
        id=command.id,
        bits=command.bits,
        text=submission.text,
        outcome=outcome,
        is_asked=uow.emails.has_question_by_email,
        replies=[_show_reply(submission, player, reply) for reply in uow.emails.page_replies],
    )
    message = ReceivedMessage(key, ACCOUNT, json.dumps(asdict(reply)).encode())
    inbox.store_messages(conn, [message], checkpoint=None, received_at=uow.now)
    inbox.finish(conn, key, outcome)


def _execute(submission: Submission, player: PlayerRow, command: PageCommand) -> str:
    match = submission.uow.load_match(command.match_id)
    request = submission.request(player, submission.text)
    if player.banned_at is not None or player.deleted_at is not None:
        return refuse(request, Rejection("no_seat"))
    count = submission.uow.limits.count_page_command(command.player_id)
    if count.is_over:
        until = count.until.isoformat()
        return refuse(request, Rejection("too_many_commands", most=count.max_uses, until=until))
    parsed = parse_text(submission, player, submission.text)
    if parsed.moves and command.ply != match.ply + 1:
        # The board of the form is out of date, because a player has moved.
        return refuse(request, Rejection("stale_reply", match=match.id), is_move=True)
    parsed, refused = _drop_disallowed_commands(parsed)
    if refused:
        refuse(request, Rejection("not_on_pages", commands=refused))
        if not (parsed.commands or parsed.moves or parsed.attempts):
            return "refused: not_on_pages"
    if command.player_id in match.waiting_for:
        return answer_invitation(submission, player, parsed)
    return execute_parsed(submission, player, parsed)


def _show_reply(submission: Submission, player: PlayerRow, reply: RenderedReply) -> dict[str, Any]:
    """Return a reply as JSON values, without offers that a button of the page cannot send.

    These are commands that pages do not allow, and commands that the player has to complete.
    """

    def is_shown(line: Line) -> bool:
        if not isinstance(line, Offer):
            return True
        refused = _drop_disallowed_commands(parse_text(submission, player, line.reply))[1]
        return not (refused or line.reply.endswith(" "))

    blocks = [replace(block, lines=tuple(filter(is_shown, block.lines))) for block in reply.blocks]
    return asdict(replace(reply, blocks=tuple(block for block in blocks if block.lines)))


def _drop_disallowed_commands(parsed: ParsedEmail) -> tuple[ParsedEmail, list[str]]:
    """Remove the commands that pages do not allow from a parsed text.

    Returns:
        The parsed text without these commands, and the names of these commands.
    """
    allowed = [
        command
        for command in parsed.commands
        if COMMANDS[command.name].is_allowed_on_pages(command.argument)
    ]
    refused = [command.name for command in parsed.commands if command not in allowed]
    return replace(parsed, commands=tuple(allowed)), refused
