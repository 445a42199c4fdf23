"""Commands that show something and change nothing."""

from __future__ import annotations

from typing import Final
from zoneinfo import ZoneInfo

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame, newest
from pbem.mail.commands import Argument
from pbem.mail.outbound import Attachment
from pbem.match.state import Status, require_running
from pbem.match.verify import verify_match
from pbem.names import PlayerId
from pbem.notifications.render import EmailView
from pbem.notifications.views import MatchView, list_steps
from pbem.service.emails import view_match
from pbem.service.exports import export_match
from pbem.service.handlers.challenges import find_game
from pbem.service.registry import COMMANDS, N_, Needs, Request, command
from pbem.service.rulebook import NUMBER, find_rule, summarise
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import event_log, matches, players

MAX_LISTED: Final = 50  # matches in an email


@command(
    "board",
    "brett",
    help=N_("show the board, or an earlier one: board 6"),
    argument=Argument.OPTIONAL,
    form=r"\d{1,4}",
)
def show_board(request: Request) -> None:
    """Answer with the board as it is now, or as it was after a number of moves.

    Raises:
        Rejection: `no_such_ply`.
    """
    match, typed = request.match(), request.argument.strip().rstrip(".")
    if not typed or match.status in (Status.CHALLENGE, Status.CLOSED):
        request.reply("answer", topic="board")
        return
    if not typed.isdecimal() or int(typed) > match.ply:
        raise Rejection("no_such_ply", match=match.id, ply=typed, newest=match.ply)
    step = list_steps(
        match, request.player_id, players.list_names(request.uow.conn, match.entrants)
    )[int(typed)]
    request.reply("answer", topic="step", step=step)


@command("replay", "nachspielen", help=N_("send a page with all boards of the match"))
def send_replay(request: Request) -> None:
    """Answer with a page as a file that has every board, and the moves between them.

    Raises:
        Rejection: The match has not started.
    """
    uow, match, player = request.uow, request.match(), request.player
    if match.status in (Status.CHALLENGE, Status.CLOSED):
        require_running(match)
    names = players.list_names(request.uow.conn, match.entrants)
    view = EmailView(
        reader_name=player.name,
        reply_address="",
        match=view_match(
            uow.conn, match, uow.load_record(match.id), request.player_id, names, now=uow.now
        ),
        facts={},
        site_title=uow.app.site.title,
        site_address=uow.app.site.address,
        timezone=ZoneInfo(player.timezone),
    )
    steps = list_steps(match, request.player_id, names)
    page = uow.app.renderer.render_replay(view, steps, player.language)
    file = Attachment(f"{match.game.key}-{match.id}.html", page)
    request.reply("answer", topic="replay", attachment=file)


@command("history", "moves", "verlauf", "züge", help=N_("show all moves"))
def show_history(request: Request) -> None:
    """Answer with all moves and draws."""
    request.match()
    request.reply("answer", topic="history")


@command("record", "protokoll", help=N_("send the record of the match, to check or replay it"))
def send_record(request: Request) -> None:
    """Answer with all moves, and with all events as a file, as far as the sender may know them."""
    match = request.match()
    lines = export_match(request.uow.conn, match.id, request.player_id)
    name, text = f"{match.game.key}-{match.id}.jsonl", "".join(f"{line}\n" for line in lines)
    request.reply("answer", topic="record", attachment=Attachment(name, text))


@command("verify", "prüfen", help=N_("check draws, moves and the log of the match"))
def verify(request: Request) -> None:
    """Answer with what is wrong in the log of the match; nothing, if it is right."""
    match, conn = request.match(), request.uow.conn
    faults = event_log.verify_chain(conn, match.id)
    faults += verify_match(match.id, event_log.load_events(conn, match.id))
    request.reply("answer", topic="verify", faults=faults)


@command("time", "zeit", help=N_("show the clocks"))
def show_clocks(request: Request) -> None:
    """Answer with the clocks of the match.

    Raises:
        Rejection: The match is not running.
    """
    require_running(request.match())
    request.reply("answer", topic="time")


@command("games", "partien", help=N_("list your matches"), needs=Needs.PLAYER)
def show_matches(request: Request) -> None:
    """Answer with the sender's open matches: whose turn it is, and until when."""
    request.uow.emails.reply(
        request.player,
        "answer",
        in_reply_to=request.message_id,
        topic="games",
        matches=view_open_matches(request.uow, request.player_id),
    )


def view_open_matches(uow: UnitOfWork, player: PlayerId) -> list[MatchView]:
    """Return what a player may see of their open matches, oldest first."""
    views = []
    for match_id in matches.list_open_matches(uow.conn, player)[:MAX_LISTED]:
        match = uow.load_match(match_id)
        names = players.list_names(uow.conn, match.entrants)
        record = uow.load_record(match_id)
        views.append(view_match(uow.conn, match, record, player, names, now=uow.now))
    return views


@command(
    "rules",
    "regeln",
    help=N_("show the rules of a game, or one of them: rules LG-2.1"),
    needs=Needs.PLAYER,
    argument=Argument.OPTIONAL,
)
def show_rules(request: Request) -> None:
    """Answer with a summary of the rules of a game, or with the rule that has a number.

    Raises:
        Rejection: `no_such_rule`, `no_such_game` or `which_game`.
    """
    typed = request.argument
    if NUMBER.fullmatch(typed) is None:
        game = _find_game(request)
        summary, chapters = summarise(game.key)
        request.reply("answer", topic="rules", game=game.title, summary=summary, chapters=chapters)
        return
    rule = find_rule(typed)
    if rule is None:
        raise Rejection("no_such_rule", typed=typed)
    request.reply("answer", topic="rule", rule=rule)


def _find_game(request: Request) -> AnyGame:
    """Return the game that the argument names; without one that of the match."""
    if request.argument:
        return find_game(request.argument)
    if request.match_id is None:
        titles = [game.title for game in GAMES.values()]
        raise Rejection("which_game", command=request.typed, games=titles)
    game = request.match().game
    return newest(game.key) or game


@command(
    "help", "hilfe", help=N_("list the commands"), needs=Needs.PLAYER, argument=Argument.OPTIONAL
)
def show_help(request: Request) -> None:
    """Answer with the commands and what each of them does."""
    request.reply("answer", topic="help", commands=list_help())


def list_help() -> list[dict[str, str]]:
    """Return every command with what it does, as templates list them."""
    return [
        {"usage": registered.spec.name, "help": registered.help} for registered in COMMANDS.values()
    ]
