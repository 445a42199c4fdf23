"""Commands about bots: their levels, lessons against them, hints."""

from __future__ import annotations

from pbem.bots.levels import find_hint, list_levels
from pbem.bots.luck import seeded
from pbem.errors import Rejection
from pbem.games import list_games
from pbem.games.naming import find_game
from pbem.mail.commands import Argument
from pbem.match.clocks import NO_TIME_CONTROL
from pbem.match.play import require_turn
from pbem.match.setup import STARTER, Proposal
from pbem.names import bot_id
from pbem.service.bots import add_bot
from pbem.service.handlers.challenges import begin_match
from pbem.service.registry import N_, Group, Request, command


@command(
    "bots",
    group=Group.LOOK,
    help=N_("list the bots that you can play against"),
)
def list_bots(request: Request) -> None:
    """Reply with the levels of bots for each game that has bots."""
    games = [{"title": game.title, "levels": list_levels(game)} for game in list_games()]
    request.reply("answer", topic="bots", games=[game for game in games if game["levels"]])


@command(
    "learn",
    german=("lerne",),
    group=Group.START,
    usage=N_("learn GAME"),
    help=N_("learn a game by playing a bot"),
    details=N_(
        'For example: "learn logger". Each of your turns comes with a short lesson. '
        "There is no time limit, and the game is not rated."
    ),
    argument=Argument.REQUIRED,
)
def begin_lesson(request: Request) -> None:
    """Begin a lesson: a match against the easiest bot, with emails that explain the game.

    Raises:
        Rejection: `no_such_game` or `no_bots`.
    """
    game = find_game(request.argument)
    levels = list_levels(game)
    if not levels:
        raise Rejection("no_bots", game=game.title)
    bot = bot_id(levels[0], 1)
    add_bot(request.uow.conn, bot, request.uow.now)
    options = {"time": NO_TIME_CONTROL}
    if any(option.is_starter for option in game.options):
        options[STARTER] = "given"
    begin_match(request, Proposal(game=game, opponents=[bot], options=options, is_lesson=True))


@command(
    "hint",
    german=("hinweis",),
    group=Group.PLAY,
    help=N_("get a suggested move (bot games only)"),
    details=N_("This works only when it's your turn, and only if all your opponents are bots."),
    needs_match=True,
)
def show_hint(request: Request) -> None:
    """Reply with a good move, found by a brief search, if all opponents are bots.

    Raises:
        Rejection: `no_hints` if an opponent is not a bot, or any rejection by `require_turn`.
    """
    match = request.match()
    seat = require_turn(match, request.player_id)
    if not match.has_only_bots_against(request.player_id):
        raise Rejection("no_hints", match=match.id)
    game, known = match.game, match.visible_position(seat)
    luck = seeded(f"hint {match.id} {match.version}")  # not secret: only its player can use a hint
    move = find_hint(game, known, seat, luck)
    facts = game.move_facts(move, known, game.play(known, move))
    hint = {"notation": game.notation(move), "facts": facts}
    request.reply("answer", topic="hint", hint=hint)
