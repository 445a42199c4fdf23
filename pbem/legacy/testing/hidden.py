"""Checks of what is hidden: nobody learns it by a board, a move, a refusal, a draw or a bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from pbem.bots.luck import Choose, seeded
from pbem.errors import Facts, Rejection
from pbem.games import AnyGame
from pbem.games.chance import Draw
from pbem.games.game import Board, Chance, Marks, Over, Seat, Style, Viewpoint
from pbem.legacy.testing.check import Findings, check
from pbem.legacy.testing.tables import NAMES, Step, Table, drawn

_DRAWS: Final = 12
"""Answers of chance that are compared: of what is hidden two are hardly ever alike."""

_WORLDS: Final = 4
"""Positions that may be real, for each that is."""

_TEXTS: Final = ("", "1", "pass", "nonsense")


# --- what is seen --------------------------------------------------------------------------------


@check
def nobody_sees_what_they_cannot_know(table: Table) -> Findings:
    """What a seat sees follows from what it knows (`known`), in text, facts, cells and picture."""
    game = table.game
    for step in table.sampled(2):
        position = step.after
        for seat in _seats(table):
            known = game.known(position, seat)
            if game.known(known, seat) != known:
                yield "known(): of what a seat knows it has to give the same again"
            for viewpoint, who in ((seat, f"seat {seat}"), (None, "a spectator")):
                for name, seen in _seen(table, viewpoint):
                    if seen(position) != seen(known):
                        yield f"{name}(): {who} sees what seat {seat} cannot know, by known()"
            world = game.worlds(position, seat, seeded(f"world {seat}"))
            if game.known(world, seat) != known:
                yield "worlds(): gives a position that the seat knows not to be so"


def _seen(table: Table, viewpoint: Viewpoint) -> Iterator[tuple[str, Callable[[Any], object]]]:
    game = table.game
    marks: Marks[Any, Any] = Marks(names=NAMES[: table.seats], signs=table.signs)
    yield "board", lambda position: game.board(position, viewpoint, Style.ASCII, table.signs)
    yield "cells", lambda position: game.cells(position, viewpoint, marks, Style.ASCII)
    yield "picture", lambda position: game.picture(position, viewpoint, marks)
    yield "places", lambda position: game.places(position, viewpoint)


# --- what is drawn -------------------------------------------------------------------------------


@check
def secret_draws_are_hidden(table: Table) -> Findings:
    """After `Draw(..., secret=True)` some seat does not know all, by `known`; else all do."""
    game, hides = table.game, dict[str, bool]()
    for step, draw in _draws(table):
        hidden = bool([*_unknown(table, step.after)])
        if draw.secret and not isinstance(game.turn(step.after), Over):
            hides[draw.name] = hides.get(draw.name, False) or hidden
        if not draw.secret and hidden and not [*_unknown(table, step.before)]:
            yield (
                f"turn(): the draw {draw.name!r} is told to all, and known() hides what comes of"
                " it: it has to be Draw(..., secret=True)"
            )
    for name in (name for name, hidden in hides.items() if not hidden):
        yield f"known(): the draw {name!r} is secret, and every seat knows all that it gave"


@check
def secret_draws_are_not_told(table: Table) -> Findings:
    """`facts` of a secret draw are public: they are alike where spectators see the same."""
    game, choose = table.game, seeded("told")
    for step, draw in [*_draws(table)][:_DRAWS]:
        told: list[tuple[Board, Facts]] = []
        for played in (step.played, *(drawn(draw, choose) for _ in range(_DRAWS))):
            if not draw.secret:
                break
            after = game.play(step.before, played)
            board = game.board(after, None, Style.ASCII, table.signs)
            facts = game.facts(played, step.before, after)
            if any(board == other and facts != said for other, said in told):
                yield f"facts(): of the secret draw {draw.name!r} they tell what is hidden: {facts}"
                return
            told.append((board, facts))


def _draws(table: Table) -> Iterator[tuple[Step, Draw]]:
    for step in table.steps(1):
        turn = table.game.turn(step.before)
        if isinstance(turn, Chance):
            yield step, turn.draw


# --- what is played ------------------------------------------------------------------------------


@check
def moves_hang_on_nothing_hidden(table: Table) -> Findings:
    """What is legal, and why something is refused, follows from what the seat to act knows."""
    game, choose = table.game, seeded("hang")
    typed = [*_TEXTS, *(game.notation(one.played) for one, _ in table.turns(2))]
    for number, step in enumerate(_moves(table)):
        seat, text = step.seat or Seat(1), typed[number % len(typed)]
        known = game.known(step.before, seat)
        asked: tuple[tuple[str, Callable[[Any], object]], ...] = (
            ("turn", game.turn),
            ("legal", lambda position: [*game.legal(position)]),
            ("forced", game.forced),
            ("parse", partial(_parsed, game, text, seat)),
        )
        for position in (step.before, *_worlds(game, step.before, seat, choose)):
            for name, ask in asked:
                if ask(known) != ask(position):
                    at = game.dump(position)
                    yield f"{name}(): hangs on what seat {seat} cannot know at {at!r}, by known()"


def _parsed(game: AnyGame, text: str, seat: Seat, position: Any) -> object:
    try:
        return game.parse(text, position, seat)
    except Rejection as refused:
        return refused.code, dict(refused.facts)


@check
def moves_tell_nothing_hidden(table: Table) -> Findings:
    """`facts` of a move are public; only one that `reveals` may tell what was hidden."""
    game = table.game
    for step in _moves(table):
        facts = game.facts(step.played, step.before, step.after)
        for seat, _ in _unknown(table, step.before):
            if game.reveals(step.before, step.after, seat):
                continue
            before, after = (game.known(one, seat) for one in (step.before, step.after))
            if game.facts(step.played, before, after) != facts:
                text = game.notation(step.played)
                yield f"facts(): of {text!r} they tell what seat {seat} cannot know: {facts}"


@check
def what_a_move_shows_is_said(table: Table) -> Findings:
    """`reveals` is true where what a seat knows after a move hangs on what it did not know."""
    game, choose = table.game, seeded("shown")
    for step in _moves(table):
        text = game.notation(step.played)
        shown = [seat for seat in _seats(table) if game.reveals(step.before, step.after, seat)]
        if shown and not game.reveals(step.before, step.after, None):
            yield f"reveals(): {text!r} shows something to seat {shown[0]}, and to None nothing"
        for seat, known in _unknown(table, step.before):
            if seat == step.seat:
                tried = game.play(known, step.played)
                if game.reveals(known, tried, seat) != (seat in shown):
                    yield f"reveals(): of {text!r} in what is known it does not say the same"
            if seat in shown:
                continue
            after = game.known(step.after, seat)
            # Whoever moves has tried it in what is known; who does not may not know that it can be.
            real = [known] if seat == step.seat else []
            real += _worlds(game, step.before, seat, choose)
            if any(_known_after(game, one, step.played, seat) != after for one in real):
                yield f"reveals(): {text!r} shows seat {seat} what it did not know; it says no"


def _known_after(game: AnyGame, position: Any, move: Any, seat: Seat) -> Any:
    try:
        return game.known(game.play(position, move), seat)
    except Rejection as refused:
        return refused.code


def _moves(table: Table) -> Iterator[Step]:
    """All moves of a game in which something is hidden."""
    return (one for one in table.steps(1) if one.seat is not None and _hides(table, one.before))


# --- what bots look at ---------------------------------------------------------------------------


@check
def worlds_are_not_what_is_real(table: Table) -> Findings:
    """Bots look at `worlds`: where a seat does not know all, these are not always the real one."""
    game, choose, met = table.game, seeded("worlds"), 0
    if not game.is_valued:
        return
    for step in _moves(table):
        for seat, _ in _unknown(table, step.before):
            met += 1
            if any(one != step.before for one in _worlds(game, step.before, seat, choose)):
                return
    if met:
        yield "worlds(): is always the real position, so that bots see what they cannot know"


# --- who does not know ---------------------------------------------------------------------------


def _seats(table: Table) -> Sequence[Seat]:
    return [*map(Seat, range(1, table.seats + 1))]


def _unknown(table: Table, position: Any) -> Iterator[tuple[Seat, Any]]:
    """The seats that do not know all of a position, with what they know."""
    for seat in _seats(table):
        known = table.game.known(position, seat)
        if known != position:
            yield seat, known


def _worlds(game: AnyGame, position: Any, seat: Seat, choose: Choose) -> list[Any]:
    return [game.worlds(position, seat, choose) for _ in range(_WORLDS)]


def _hides(table: Table, position: Any) -> bool:
    return next(_unknown(table, position), None) is not None
