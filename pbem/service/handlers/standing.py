"""Commands about ratings and tournaments."""

from __future__ import annotations

from typing import Final

from pbem.errors import Rejection
from pbem.games import GAMES, find_newest, list_games
from pbem.games.naming import find_game
from pbem.mail.commands import Argument
from pbem.match.endings import resign
from pbem.names import PlayerId, TournamentId
from pbem.service import questions
from pbem.service.registry import N_, Group, Request, command
from pbem.service.tournaments import (
    cancel_entry,
    enter_player,
    find_tournament,
    list_open_matches,
    view_standings,
    view_tournaments,
)
from pbem.store import players, ratings, tournaments
from pbem.store.tables import QuestionRow

MAX_RANKED: Final = 20  # players that `ratings` lists for a game


@command(
    "ratings",
    german=("wertungen", "rangliste"),
    group=Group.STANDING,
    usage=N_("ratings [GAME]"),
    help=N_("list the best players of a game"),
    argument=Argument.OPTIONAL,
)
def show_ratings(request: Request) -> None:
    """Reply with the highest ratings and the sender's own, in the named game or in all games.

    Raises:
        Rejection: `no_such_game`.
    """
    conn = request.uow.conn
    games = [find_game(request.argument)] if request.argument else list_games()
    tables = []
    for game in games:
        own = ratings.load_ratings(conn, game, [request.player_id]).get(request.player_id)
        ranked = ratings.list_ranked_players(conn, game, MAX_RANKED)
        if own is not None or ranked or request.argument:
            tables.append({"game": game.title, "ranked": ranked, "own": own})
    request.reply("answer", topic="ratings", tables=tables)


@command(
    "profile",
    german=("profil",),
    group=Group.STANDING,
    usage=N_("profile [PLAYER]"),
    help=N_("show the ratings of a player, or your own"),
    argument=Argument.OPTIONAL,
)
def show_profile(request: Request) -> None:
    """Reply with the profile of a player, or of the sender: name, date of joining, ratings.

    Raises:
        Rejection: `no_such_player`.
    """
    conn = request.uow.conn
    player = request.player
    if request.argument:
        named_player = players.find_by_name(conn, request.argument)
        if named_player is None:
            raise Rejection("no_such_player", typed=request.argument)
        player = named_player
    player_ratings = ratings.list_player_ratings(conn, PlayerId(player.id))
    games = [(find_newest(key), rating) for key, rating in player_ratings]
    request.reply(
        "answer",
        topic="profile",
        player_name=player.name,
        since=player.confirmed_at,
        ratings=[(game.title, rating) for game, rating in games if game is not None],
    )


@command(
    "tournaments",
    german=("turniere",),
    group=Group.STANDING,
    help=N_("list the tournaments"),
)
def list_tournaments(request: Request) -> None:
    """Reply with the newest tournaments."""
    views = view_tournaments(request.uow.conn, request.player_id)
    request.reply("answer", topic="tournaments", tournaments=views)


@command(
    "enter",
    german=("anmelden",),
    group=Group.STANDING,
    usage=N_("enter TOURNAMENT"),
    help=N_("enter a tournament"),
    details=N_("You can enter only before the tournament starts."),
    argument=Argument.REQUIRED,
    is_binding=True,
)
def enter_tournament(request: Request) -> None:
    """Enter the sender in a tournament.

    Raises:
        Rejection: `no_such_tournament`, `tournament_started` or `already_entered`.
    """
    uow = request.uow
    tournament = find_tournament(uow, request.argument)
    has_started = enter_player(
        uow, tournament, request.player_id, message_hash=request.submission.message_hash
    )
    request.reply(
        "tournament",
        topic="entered",
        tournament=tournament.name,
        game=GAMES[tournament.ruleset].title,
        entries=len(tournaments.list_entries(uow.conn, TournamentId(tournament.name))),
        has_started=has_started,
        starts_at=tournament.starts_at,
        group_size=tournament.group_size,
    )


@command(
    "withdraw",
    german=("abmelden",),
    group=Group.STANDING,
    usage=N_("withdraw TOURNAMENT"),
    help=N_("leave a tournament"),
    details=N_(
        "If the tournament has started, you resign your games in it. We ask you to confirm first."
    ),
    argument=Argument.REQUIRED,
    is_binding=True,
)
def withdraw(request: Request) -> None:
    """Withdraw the sender from a tournament. If it has started, ask for confirmation first.

    Raises:
        Rejection: `no_such_tournament` or `not_entered`.
    """
    uow = request.uow
    tournament = find_tournament(uow, request.argument)
    if tournament.started_at is None:
        cancel_entry(uow, tournament, request.player_id)
        request.reply("tournament", topic="withdrawn", tournament=tournament.name)
        return
    list_open_matches(uow, tournament, request.player_id)
    questions.ask_at_main_address(request, questions.WITHDRAW, tournament=tournament.name)


def carry_out_withdrawal(request: Request, question: QuestionRow) -> None:
    """Resign all running matches of the sender in a tournament, after their yes to our question."""
    uow = request.uow
    tournament = find_tournament(uow, str(question.payload["tournament"]))
    for match in list_open_matches(uow, tournament, request.player_id):
        uow.append(match.id, resign(uow.load_match(match.id), request.player_id, uow.now))


@command(
    "standings",
    german=("tabelle",),
    group=Group.STANDING,
    usage=N_("standings [TOURNAMENT]"),
    help=N_("show the tables of a tournament"),
    details=N_("Without a name, you get the tables of all tournaments that you have entered."),
    argument=Argument.OPTIONAL,
)
def show_standings(request: Request) -> None:
    """Reply with the tables of a tournament, or of all tournaments that the sender has entered.

    If the sender has entered no tournament, the reply lists the newest tournaments.

    Raises:
        Rejection: `no_such_tournament`.
    """
    uow = request.uow
    if request.argument:
        names = [TournamentId(find_tournament(uow, request.argument).name)]
    else:
        names = tournaments.list_entered(uow.conn, request.player_id)
    if not names:
        list_tournaments(request)
        return
    views = [view_standings(uow.conn, name) for name in names]
    request.reply("answer", topic="standings", standings=views)
