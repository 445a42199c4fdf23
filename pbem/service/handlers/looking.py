"""Commands that show information and change nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from pbem.errors import Rejection
from pbem.games import AnyGame, find_newest, list_games
from pbem.games.naming import find_game
from pbem.mail.commands import Argument
from pbem.match.events import Source
from pbem.match.state import Match, Status, require_running
from pbem.match.verify import verify_match
from pbem.names import MatchId, PlayerId
from pbem.notifications.happenings import HappeningView, list_happenings
from pbem.notifications.move_views import list_moves
from pbem.notifications.views import MatchView, build_match_view, view_step
from pbem.service.app import CODE_LENGTH, CODE_LETTERS
from pbem.service.email_viewer import find_shown_move
from pbem.service.exports import export_match
from pbem.service.registry import (
    COMMANDS,
    N_,
    Group,
    Request,
    command,
    command_table,
    list_by_group,
)
from pbem.service.rulebook import NUMBER, find_rule, summarise
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import event_log, matches
from pbem.store.tables import PlayerRow

MAX_LISTED: Final = 50  # matches that an email lists

_CODE: Final = rf"[{CODE_LETTERS}]{{{CODE_LENGTH}}}"  # pattern of the code of a match


@command(
    "board",
    german=("brett",),
    group=Group.LOOK,
    usage=N_("board [NUMBER or CODE]"),
    help=N_("show the board, or an earlier one"),
    details=N_(
        'For example: "board 6" shows the board after six moves and random draws, "board 0" '
        'the start, and "board K7QX2" the board of that game.'
    ),
    argument=Argument.OPTIONAL,
    form=rf"\d{{1,4}}|{_CODE}",
)
def show_board(request: Request) -> None:
    """Reply with the current board, or the board after a number of moves and random draws.

    Raises:
        Rejection: `which_match`, `no_such_match` or `no_such_ply`.
    """
    typed = request.argument.strip().rstrip(".")
    if len(typed) == CODE_LENGTH:
        request, typed = replace(request, match_id=find_public_match(request, typed)), ""
    match = request.match()
    if not typed or match.status in (Status.CHALLENGE, Status.CLOSED):
        request.reply("answer", topic="board")
        return
    if not typed.isdecimal() or int(typed) > match.ply:
        raise Rejection("no_such_ply", match=match.id, ply=typed, newest=match.ply)
    names = _list_names(request, match)
    step = view_step(match, request.player_id, names, int(typed))
    request.reply("answer", topic="step", step=step)


@command(
    "replay",
    german=("nachspielen",),
    group=Group.LOOK,
    help=N_("get a page with all boards of the game"),
    details=N_("The page is a file that you open in a browser."),
    needs_match=True,
)
def send_replay(request: Request) -> None:
    """Reply with an HTML file that shows every board of the match and the moves between them.

    Raises:
        Rejection: The match has not started.
    """
    uow, match, player = request.uow, request.match(), request.player
    if match.status in (Status.CHALLENGE, Status.CLOSED):
        require_running(match)
    names = _list_names(request, match)
    steps = [view_step(match, request.player_id, names, number) for number in range(match.ply + 1)]
    view = _view_match(uow, match.id, player)
    page = uow.app.make_player_rendering(view, player).render_replay(steps)
    name = f"{match.game.key}-{match.id}.html"
    request.reply("answer", topic="replay", attachments={name: page})


@command(
    "history",
    "moves",
    german=("verlauf", "züge"),
    group=Group.LOOK,
    usage=N_("history [CODE]"),
    help=N_("list all moves"),
    details=N_('To see a game that you watch, add its code: "history K7QX2".'),
    argument=Argument.OPTIONAL,
    form=_CODE,
)
def show_history(request: Request) -> None:
    """Reply with all moves and random draws; players of the match also get its other events.

    Raises:
        Rejection: `which_match` or `no_such_match`.
    """
    if request.argument:
        request = replace(request, match_id=find_public_match(request, request.argument))
    match = request.match()
    names = _list_names(request, match)
    happened: tuple[HappeningView, ...] = ()
    if match.seat_of(request.player_id) is not None:
        events = [row.event for row in event_log.load_events(request.uow.conn, match.id)]
        happened = tuple(list_happenings(match, events, names, request.player_id))
    moves = list_moves(match, request.player_id, names)
    request.reply("answer", topic="history", happened=happened, moves=moves)


def _list_names(request: Request, match: Match) -> dict[PlayerId, str]:
    return request.uow.app.list_names(request.uow.conn, match.entrants, request.player.language)


def find_public_match(request: Request, typed: str) -> MatchId:
    """Return the id of the match with the code `typed`, if the sender may see the match.

    Raises:
        Rejection: `no_such_match`, also for a private match of other players.
    """
    match_id = MatchId(typed.strip().upper())
    if matches.has_match(request.uow.conn, match_id):
        match = request.uow.load_match(match_id)
        if not match.terms.is_private or request.player_id in match.entrants:
            return match_id
    raise Rejection("no_such_match", typed=typed)


@command(
    "record",
    german=("protokoll",),
    group=Group.LOOK,
    help=N_("get the game as a file, to keep or to check"),
    details=N_(
        "The file has every move and every random draw. Until the game ends, anything still secret "
        "is left out."
    ),
    needs_match=True,
)
def send_record(request: Request) -> None:
    """Reply with all moves and, as a file, the events as far as the sender may know them."""
    match = request.match()
    lines = export_match(request.uow.conn, match.id, request.player_id)
    name, text = f"{match.game.key}-{match.id}.jsonl", "".join(f"{line}\n" for line in lines)
    request.reply("answer", topic="record", attachments={name: text})


@command(
    "verify",
    german=("prüfen",),
    group=Group.LOOK,
    help=N_("check the moves, the random draws and the log"),
    details=N_(
        "We check all moves, all random draws and the log of the game, and tell you what we find."
    ),
    needs_match=True,
)
def verify(request: Request) -> None:
    """Check the moves, draws and log of the match, and reply with the faults found, if any."""
    match, conn = request.match(), request.uow.conn
    faults = event_log.verify_chain(conn, match.id)
    faults += verify_match(match.id, event_log.load_events(conn, match.id))
    request.reply("answer", topic="verify", faults=faults)


@command(
    "time",
    german=("zeit",),
    group=Group.LOOK,
    help=N_("show the clocks"),
    needs_match=True,
)
def show_clocks(request: Request) -> None:
    """Reply with the clocks of the match.

    Raises:
        Rejection: The match is not running.
    """
    require_running(request.match())
    request.reply("answer", topic="time")


@command(
    "games",
    german=("partien",),
    group=Group.LOOK,
    help=N_("list your games"),
    details=N_("The list shows where it's your turn, and until when."),
)
def show_matches(request: Request) -> None:
    """Reply with the sender's open matches, whose turn it is in each, and the deadlines."""
    views = view_open_matches(request.uow, request.player)
    replace(request, match_id=None).reply("answer", topic="games", matches=views)


def view_open_matches(uow: UnitOfWork, player: PlayerRow) -> list[MatchView]:
    """Return views of a player's oldest open matches, at most `MAX_LISTED`, oldest first."""
    ids = matches.list_open_matches(uow.conn, PlayerId(player.id))[:MAX_LISTED]
    return [_view_match(uow, match_id, player) for match_id in ids]


def _view_match(uow: UnitOfWork, match_id: MatchId, player: PlayerRow) -> MatchView:
    match, row = uow.load_match(match_id), uow.load_record(match_id).row
    return build_match_view(
        match,
        PlayerId(player.id),
        uow.app.list_names(uow.conn, match.entrants, player.language),
        head=row.head,
        now=uow.now,
        tournament=row.tournament,
        scheduled=find_shown_move(uow.conn, match, PlayerId(player.id)),
    )


@command(
    "rules",
    german=("regeln",),
    group=Group.LOOK,
    usage=N_("rules [GAME or NUMBER]"),
    help=N_("show the rules of a game in short, or one rule"),
    details=N_(
        'For example: "rules logger", or "rules LG-2.1". Without either, you get the rules of the '
        "game that your email is about."
    ),
    argument=Argument.OPTIONAL,
)
def show_rules(request: Request) -> None:
    """Reply with a summary of a game's rules, or with the one rule of the given number.

    Raises:
        Rejection: `no_such_rule`, `no_such_game` or `which_game`.
    """
    typed = request.argument
    if NUMBER.fullmatch(typed) is None:
        game = _find_game(request)
        opening, chapters = summarise(game.key)
        request.reply(
            "answer",
            topic="rules",
            game=game.title,
            key=game.key,
            opening=opening,
            chapters=chapters,
        )
        return
    rule = find_rule(typed)
    if rule is None:
        raise Rejection("no_such_rule", typed=typed)
    request.reply("answer", topic="rule", rule=rule)


def _find_game(request: Request) -> AnyGame:
    """Return the game that the argument names; without an argument, the game of the match.

    Raises:
        Rejection: `no_such_game` or `which_game`.
    """
    if request.argument:
        return find_game(request.argument)
    if request.match_id is None:
        titles = [game.title for game in list_games()]
        raise Rejection("which_game", command=request.typed, games=titles)
    game = request.match().game
    return find_newest(game.key) or game


@command(
    "help",
    german=("hilfe",),
    group=Group.LOOK,
    usage=N_("help [COMMAND]"),
    help=N_("list the commands, or explain one"),
    details=N_('For example: "help draw".'),
    argument=Argument.OPTIONAL,
)
def show_help(request: Request) -> None:
    """Reply with the list of commands, or with the details of one command."""
    entry = command_table().find(request.argument)
    if entry is None:
        groups = list_help(request.player.language, request.submission.source)
        request.reply("answer", topic="help", groups=groups)
        return
    [spec, _] = entry
    registered, language = COMMANDS[spec.name], request.player.language
    request.reply(
        "answer",
        topic="help_command",
        command=registered.find_name(language),
        usage=registered.find_usage(language),
        help=registered.help,
        details=registered.details,
        words=spec.words,
    )


def list_help(language: str, source: Source) -> list[dict[str, Any]]:
    """Return all commands by group, with usage and help, as facts for templates in `language`.

    For a page of a seat (`source`), these are only the commands that pages allow.
    """
    groups = [
        {
            "title": group,
            "commands": [
                {"usage": registered.find_usage(language), "help": registered.help}
                for registered in commands
                if source is not Source.PAGE or registered.is_allowed_on_pages()
            ],
        }
        for group, commands in list_by_group()
    ]
    return [group for group in groups if group["commands"]]
