"""Checks that no board, move, refusal or random draw reveals hidden information to other seats.

`redact(position, seat)` returns the position as a seat knows it. `determinize` returns a possible
position that the seat cannot distinguish from the real one. The checks require that the seat sees
the same in all these positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from pbem.bots.luck import seeded
from pbem.errors import Rejection
from pbem.games.game import Chance, GameOver, Marks, Seat, Style, Viewpoint
from pbem.testing.checks import Check, Findings
from pbem.testing.random_games import RandomGames, Step, answer_draw

GUESS_COUNT: Final = 3  # possible positions that each real one is compared with
DRAW_COUNT: Final = 12  # results of a draw that are compared
TEXTS: Final = ("", "1", "pass", "nonsense")


def check_views(games: RandomGames) -> Findings:
    """Check that boards and pictures for a seat contain only what the seat knows."""
    game, choose = games.game, seeded("views")
    for step, seat in ((step, seat) for step in games.samples for seat in games.all_seats):
        position = step.after
        known = game.redact(position, seat)
        if known == position or isinstance(game.turn(position), GameOver):
            continue  # all is open after the end
        if game.redact(known, seat) != known:
            yield "redact(): gives another position for what a seat already knows."
        if game.redact(game.determinize(position, seat, choose), seat) != known:
            yield "determinize(): gives a position that the seat knows to be wrong."
        for viewpoint, reader in ((seat, f"seat {seat}"), (None, "a spectator")):
            for name, show in _list_views(games, viewpoint).items():
                if show(position) != show(known):
                    yield f"{name}(): shows {reader} what seat {seat} cannot know, by redact()."


def _list_views(games: RandomGames, viewpoint: Viewpoint) -> dict[str, Callable[[Any], object]]:
    game = games.game
    marks: Marks[Any, Any] = Marks(names=games.names, letters=games.signs)
    return {
        "board": lambda position: game.board(position, viewpoint, Style.ASCII, games.signs),
        "picture": lambda position: game.picture(position, viewpoint, marks),
        "hotspots": lambda position: game.hotspots(position, viewpoint),
    }


def check_sealed_draws(games: RandomGames) -> Findings:
    """Check that a draw is sealed if and only if `redact` hides its result from a seat.

    `move_facts` must not reveal the result of a sealed draw.
    """
    game, choose = games.game, seeded("draws")
    hides: dict[str, bool] = {}
    for step in games.steps:
        turn = game.turn(step.before)
        if not isinstance(turn, Chance):
            continue
        draw, is_hidden = turn.draw, bool([*_list_unknown(games, step.after)])
        if not draw.is_sealed:
            if is_hidden and not [*_list_unknown(games, step.before)]:
                yield (
                    f"turn(): redact() hides the draw {draw.name!r}. Use Draw(..., is_sealed=True)."
                )
            continue
        if not isinstance(game.turn(step.after), GameOver):
            hides[draw.name] = hides.get(draw.name, False) or is_hidden
        pairs: list[tuple[object, object]] = []
        for result in (step.move, *(answer_draw(draw, choose) for _ in range(DRAW_COUNT))):
            after = game.play(step.before, result)
            board = game.board(after, None, Style.ASCII, games.signs)
            facts = game.move_facts(result, step.before, after)
            if any(board == other and facts != other_facts for other, other_facts in pairs):
                yield f"move_facts(): they tell what the sealed draw {draw.name!r} hides: {facts}."
                break
            pairs.append((board, facts))
    for name in (name for name, is_hidden in hides.items() if not is_hidden):
        yield f"redact(): the draw {name!r} is sealed, but every seat knows all of it."


def check_secret_moves(games: RandomGames) -> Findings:
    """Check that legal moves and refusals depend only on what the seat to act knows."""
    game, choose = games.game, seeded("moves")
    texts = [*TEXTS, *(game.notation(step.move) for step, _ in games.turns)]
    for number, (step, seat) in enumerate(_list_turns_with_secrets(games)):
        questions: dict[str, Callable[[Any], object]] = {
            "turn": game.turn,
            "legal_moves": lambda position: [*game.legal_moves(position)],
            "forced_move": game.forced_move,
            "parse": partial(_parse, games, texts[number % len(texts)], seat),
        }
        worlds = [game.determinize(step.before, seat, choose) for _ in range(GUESS_COUNT)]
        known = game.redact(step.before, seat)
        for position in (step.before, *worlds):
            for name, ask in questions.items():
                if ask(known) != ask(position):
                    yield (
                        f"{name}(): depends on what seat {seat} cannot know at"
                        f" {game.dump(position)!r}."
                    )


def check_revealing_moves(games: RandomGames) -> Findings:
    """Check that a move shows a seat something hidden only if `reveals` is true for that seat."""
    game, choose = games.game, seeded("reveals")
    for step, _ in _list_turns_with_secrets(games):
        text = game.notation(step.move)
        facts = game.move_facts(step.move, step.before, step.after)
        seats = [seat for seat in games.all_seats if game.reveals(step.before, step.after, seat)]
        if seats and not game.reveals(step.before, step.after, None):
            yield f"reveals(): {text!r} shows something to seat {seats[0]}, but nothing to None."
        for seat, known in _list_unknown(games, step.before):
            if seat in seats:
                continue
            after = game.redact(step.after, seat)
            if game.move_facts(step.move, known, after) != facts:
                yield f"move_facts(): of {text!r} they tell what seat {seat} cannot know: {facts}."
            worlds = [game.determinize(step.before, seat, choose) for _ in range(GUESS_COUNT)]
            # What the moving seat sees must also follow from the position as it knows it.
            worlds += [known] if seat == step.seat else []
            if any(_play_known(games, world, step, seat) not in (after, None) for world in worlds):
                yield f"reveals(): {text!r} shows seat {seat} something, but reveals() denies it."


def _parse(games: RandomGames, text: str, seat: Seat, position: Any) -> object:
    try:
        return games.game.parse(text, position, seat)
    except Rejection as refused:
        return refused.code, dict(refused.facts)


def _play_known(games: RandomGames, position: Any, step: Step, seat: Seat) -> Any:
    """Return what a seat knows after the move of `step` is played in `position`.

    The result is None if the move is illegal there.
    """
    try:
        return games.game.redact(games.game.play(position, step.move), seat)
    except Rejection:
        return None


def _list_unknown(games: RandomGames, position: Any) -> Iterator[tuple[Seat, Any]]:
    """Yield each seat that does not know all of a position, with the position as it knows it."""
    for seat in games.all_seats:
        known = games.game.redact(position, seat)
        if known != position:
            yield seat, known


def _list_turns_with_secrets(games: RandomGames) -> Iterator[tuple[Step, Seat]]:
    for step, seat in games.turns:
        if next(_list_unknown(games, step.before), None) is not None:
            yield step, seat


SECRET_CHECKS: Final[dict[str, Check]] = {
    "views": check_views,
    "sealed_draws": check_sealed_draws,
    "secret_moves": check_secret_moves,
    "revealing_moves": check_revealing_moves,
}
