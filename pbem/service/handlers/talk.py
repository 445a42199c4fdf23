"""Commands for messages, muting, blocking, reports to the operator, and watching matches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.mail.addresses import remove_tags
from pbem.mail.commands import Argument
from pbem.match.state import require_running, require_seat
from pbem.names import MatchId, PlayerId
from pbem.service.handlers.looking import find_public_match
from pbem.service.registry import N_, Group, Request, command
from pbem.service.talk import MAX_SHOWN, list_messages, list_recipients, read_message, send_message
from pbem.store import messages, players
from pbem.store.messages import BLOCK, MUTE
from pbem.store.tables import MessageRow, PlayerRow

SAY: Final = "say"


@command(
    SAY,
    german=("sage", "sag"),
    group=Group.TALK,
    usage=N_("say TEXT"),
    help=N_("say something to the other players"),
    details=N_(
        "Your message ends at the next blank line. If you send a move in the same email, your "
        "message goes out with it, otherwise at once. We write back only if it can't be sent. A "
        "message can have 2000 characters. You can send 20 messages an hour, and write to each "
        "other for 30 days after the end."
    ),
    needs_match=True,
    argument=Argument.TEXT,
    form=r"(?!mal\b).*",  # not `sag mal, ...`, with which Germans begin a question
)
def say(request: Request) -> None:
    """Send a message to the other players of the match.

    Raises:
        Rejection: `player_limit`, or any rejection by `read_message`.
    """
    uow, match = request.uow, request.match()
    text = read_message(request, request.argument)
    uow.limits.reserve_player_emails(
        request.player_id, list_recipients(uow, match, request.player_id)
    )
    send_message(uow, match, request.player_id, text)
    request.reply("answer", topic="said")


@command(
    "messages",
    german=("nachrichten",),
    group=Group.TALK,
    help=N_("show what was said in the game"),
    needs_match=True,
)
def show_messages(request: Request) -> None:
    """Reply with the match's messages, except messages of players whom the sender muted or blocked.

    Raises:
        Rejection: `no_seat`.
    """
    match = request.match()
    require_seat(match, request.player_id)
    rows = list_messages(request.uow.conn, match.id, request.player_id)
    request.reply("answer", topic="messages", said=_view_messages(request, rows))


def _view_messages(request: Request, rows: list[MessageRow]) -> list[dict[str, object]]:
    names = players.list_names(request.uow.conn, {PlayerId(row.player) for row in rows})
    return [
        {"name": names[PlayerId(row.player)], "text": row.text, "at": row.sent_at} for row in rows
    ]


# --- mute and block ------------------------------------------------------------------------------


@command(
    "mute",
    german=("stumm",),
    group=Group.TALK,
    usage=N_("mute [PLAYER]"),
    help=N_("get no more messages from a player"),
    details=N_(
        'For example: "mute bob". Bob isn\'t told. Without a name, it mutes your only opponent.'
    ),
    argument=Argument.OPTIONAL,
)
def mute(request: Request) -> None:
    """Stop delivering another player's messages to the sender, without telling that player.

    Raises:
        Rejection: Any rejection by `find_named_player`.
    """
    _add_block(request, MUTE)


@command(
    "unmute",
    german=("entstumme",),
    group=Group.TALK,
    usage=N_("unmute [PLAYER]"),
    help=N_("get messages from a player again"),
    argument=Argument.OPTIONAL,
)
def unmute(request: Request) -> None:
    """Deliver another player's messages to the sender again.

    Raises:
        Rejection: `not_muted`, or any rejection by `find_named_player`.
    """
    _remove_block(request, MUTE, "not_muted")


@command(
    "block",
    german=("blockiere",),
    group=Group.TALK,
    usage=N_("block [PLAYER]"),
    help=N_("get no invitations and no messages from a player"),
    details=N_('For example: "block bob". Bob isn\'t told, and games that have started go on.'),
    argument=Argument.OPTIONAL,
)
def block(request: Request) -> None:
    """Stop another player's invitations and messages to the sender, without telling that player.

    Raises:
        Rejection: Any rejection by `find_named_player`.
    """
    _add_block(request, BLOCK)


@command(
    "unblock",
    german=("entsperre",),
    group=Group.TALK,
    usage=N_("unblock [PLAYER]"),
    help=N_("let a player invite you and write to you again"),
    argument=Argument.OPTIONAL,
)
def unblock(request: Request) -> None:
    """Allow another player to invite the sender and to send them messages again.

    Raises:
        Rejection: `not_blocked`, or any rejection by `find_named_player`.
    """
    _remove_block(request, BLOCK, "not_blocked")


def _add_block(request: Request, kind: str) -> None:
    other = find_named_player(request, request.argument)
    messages.add_block(request.uow.conn, request.player_id, PlayerId(other.id), kind)
    request.reply("answer", topic=f"{kind}_added", other=other.name)


def _remove_block(request: Request, kind: str, code: str) -> None:
    other = find_named_player(request, request.argument)
    conn = request.uow.conn
    if not messages.remove_block(conn, request.player_id, PlayerId(other.id), kind):
        raise Rejection(code, name=other.name)
    request.reply("answer", topic=f"{kind}_removed", other=other.name)


def find_opponent(request: Request, typed: str) -> Seat:
    """Return the seat of the other player whom `typed` names (`find_named_player`).

    The match must be running.

    Raises:
        Rejection: `not_in_match`, or any rejection by `require_running` or `find_named_player`.
    """
    match = request.match()
    require_running(match)
    player = find_named_player(request, typed)
    seat = match.seat_of(PlayerId(player.id))
    if seat is None:
        raise Rejection("not_in_match", typed=typed)
    return seat


def find_named_player(request: Request, typed: str) -> PlayerRow:
    """Return the other player whose name or address is `typed`.

    An empty `typed` means the sender's only opponent in the match.

    Raises:
        Rejection: `which_player`, `no_such_player` or `not_yourself`.
    """
    conn = request.uow.conn
    opponents = _list_opponents(request)
    if not typed:
        if len(opponents) != 1:
            raise Rejection("which_player", command=request.typed)
        return opponents[0]
    player = next((row for row in opponents if row.name.casefold() == typed.casefold()), None)
    if player is None and "@" in typed:
        player = players.find_by_address(conn, typed)
    elif player is None:
        player = players.find_by_name(conn, typed)
    if player is None:
        raise Rejection("no_such_player", typed=typed)
    if player.id == request.player.id:
        raise Rejection("not_yourself", typed=typed)
    return player


def _list_opponents(request: Request) -> list[PlayerRow]:
    if request.match_id is None:
        return []
    opponents = [player for player in request.match().entrants if player != request.player_id]
    rows = players.list_players(request.uow.conn, opponents)
    return [rows[player] for player in opponents]


# --- the operator --------------------------------------------------------------------------------


@command(
    "report",
    german=("meldung",),
    group=Group.TALK,
    usage=N_("report TEXT"),
    help=N_("report a player or a fault to us"),
    details=N_(
        "Your report also shows us the messages of the game that your email is about. You can send "
        "five reports a day."
    ),
    argument=Argument.TEXT,
)
def report(request: Request) -> None:
    """Forward the sender's complaint to the operator, with what the players said in the match.

    Raises:
        Rejection: `no_operator` or `too_many_reports`.
    """
    uow = request.uow
    if not uow.app.site.operator:
        raise Rejection("no_operator")
    reports = uow.limits.count_report(request.player_id)
    if reports.is_over:
        raise Rejection("too_many_reports", most=reports.max_uses)
    facts: dict[str, Any] = {"code": "", "players": [], "said": []}
    if request.match_id is not None:
        match = request.match()
        rows = players.list_players(uow.conn, match.entrants)
        chat = messages.list_messages(uow.conn, match.id, limit=MAX_SHOWN)
        facts = {
            "code": match.id,
            "players": [_describe(request, rows[player]) for player in match.entrants],
            "said": _view_messages(request, chat),
        }
    uow.emails.write_to_address(
        uow.app.site.operator,
        "operator",
        reporter=_describe(request, request.player),
        text=remove_tags(uow.app.keys, request.argument).strip(),
        **facts,
    )
    request.reply("answer", topic="reported")


def _describe(request: Request, row: PlayerRow) -> str:
    addresses = players.list_addresses(request.uow.conn, PlayerId(row.id))
    return f"{row.name} <{', '.join(addresses)}>"


# --- spectators ----------------------------------------------------------------------------------


@command(
    "watch",
    german=("beobachte",),
    group=Group.TALK,
    usage=N_("watch [CODE]"),
    help=N_("watch a game between other players"),
    details=N_(
        'For example: "watch K7QX2". New moves appear in your daily digest, if you get one ("set '
        "digest 18:00\"). Without a code, we list the games that you watch. You can't watch "
        "private games."
    ),
    argument=Argument.OPTIONAL,
)
def watch(request: Request) -> None:
    """Watch a match and reply with its board. Without a code, list the watched matches.

    Raises:
        Rejection: `no_such_match` or `own_match`.
    """
    uow = request.uow
    if request.argument:
        match_id = find_public_match(request, request.argument)
        if request.player_id in uow.load_match(match_id).entrants:
            raise Rejection("own_match", typed=request.argument)
        messages.add_watch(uow.conn, request.player_id, match_id, uow.now)
        replace(request, match_id=match_id).reply("answer", topic="board")
    else:
        _answer_watched(request)


@command(
    "unwatch",
    german=("beobachte nicht",),
    group=Group.TALK,
    usage=N_("unwatch [CODE]"),
    help=N_("stop watching a game"),
    argument=Argument.OPTIONAL,
)
def unwatch(request: Request) -> None:
    """Stop watching a match. No code is needed if the sender watches only one match.

    Raises:
        Rejection: `not_watched`.
    """
    watched = messages.list_watched_matches(request.uow.conn, request.player_id)
    typed = request.argument or (watched[0] if len(watched) == 1 else "")
    match_id = MatchId(typed.strip().upper())
    if not messages.remove_watch(request.uow.conn, request.player_id, match_id):
        raise Rejection("not_watched", typed=request.argument)
    _answer_watched(request)


def _answer_watched(request: Request) -> None:
    uow = request.uow
    watched = []
    for match_id in messages.list_watched_matches(uow.conn, request.player_id):
        match = uow.load_match(match_id)
        names = uow.app.list_names(uow.conn, match.entrants, request.player.language)
        watched.append({"code": match.id, "title": match.game.title, "names": [*names.values()]})
    replace(request, match_id=None).reply("answer", topic="watched", watched=watched)
