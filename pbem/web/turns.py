"""A player's turn on a page: the board, the move so far, and the possible next parts.

The query of the URL contains:

?m=b1; plant     the move so far
?at=b2           the place that was tapped, if a tap there can mean several moves
?step=7          the number of an earlier board to show instead
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import structlog
from markupsafe import Markup

from pbem.games.game import Outcome, Seat, Style
from pbem.match.state import Match
from pbem.names import PlayerId
from pbem.notifications.rendering import Rendering
from pbem.notifications.views import MatchView, StepView, draw_composed_move, view_step
from pbem.web.boards import BoardPicture, draw_board, link_targets
from pbem.web.composing import MARKS, Choice, Composition, Target, compose
from pbem.web.loading import parse_number

SMALL_RADIUS: Final = 20.0  # smaller places are hard to tap, if the picture is 360 units wide
MAX_SMALL: Final = 6  # small places that get buttons; more would hide the board

log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownTurn:
    """A board on a page, with the actions that its reader can take next.

    Attributes:
        step: The earlier board that the query asks for, or None.
        composition: The move so far; None if the reader cannot compose a move on this board.
        choices: The words that may come next, except words that can be chosen by a tap on a large
            area of the board.
        prompt: The sentence that asks for the next part of the move, or an empty string.
        description: The move in words if it is complete, or an empty string.
        is_winning: Whether the complete move wins the match for its player alone.
        was_played: Whether the move in the URL is no longer possible because it was played.
        board: The picture of the board, or None without a picture.
        lines: The board as text.
    """

    step: StepView | None = None
    composition: Composition | None = None
    choices: tuple[Choice, ...] = ()
    prompt: str = ""
    description: str = ""
    is_winning: bool = False
    was_played: bool = False
    board: BoardPicture | None = None
    lines: tuple[str, ...] = ()


def show_turn(
    match: Match,
    view: MatchView,
    reader: PlayerId | None,
    *,
    names: Mapping[PlayerId, str],
    words: Rendering,
    query: Mapping[str, str],
) -> ShownTurn:
    """Return the board to show on a page, and the part of a move that the reader has chosen so far.

    Before the match starts, the result is empty.

    Args:
        match: The match.
        view: The reader's view of the match.
        reader: The player; None for a spectator.
        names: The names of the players by id.
        words: The rendering for the texts of the page.
        query: The query parameters of the URL.
    """
    if not view.names:
        return ShownTurn()
    number = parse_number(query.get("step", ""), match.ply)
    step = None if number is None else view_step(match, reader, names, number, Style.UNICODE)
    composition = None if step is not None else _compose(match, view, query)
    facts, lines = (step or view).board_facts, (step or view).board
    label = " ".join(
        words.game_words("spoken", facts=facts, names=view.names, lines="\n".join(lines)).split()
    )

    links: Markup | str = ""
    if composition is not None:
        links = link_targets(composition, partial(_label, match, view, composition, words))
    board = draw_board((step or view).draw_board, words, label, links)
    # Before the first tap the board shows what has happened, even if the move so far has words
    # that were added because nothing else was possible.
    is_begun = bool(query.get("m") or query.get("at"))
    if composition is not None and composition.text and is_begun and reader is not None:
        draw = draw_composed_move(match, reader, names, composition.partial_move)
        composed = draw_board(draw, words, label, links)
        # It keeps the size of the board that it replaces, so that nothing below it jumps.
        board = board and composed and replace(board, svg=composed.svg)
    description, is_winning = _describe(match, view, composition, words)
    is_useless = composition is None or composition.rejection is not None
    return ShownTurn(
        step=step,
        composition=composition,
        choices=_list_choices(composition),
        prompt=_write_prompt(composition, words),
        description=description,
        is_winning=is_winning,
        was_played=is_useless and _was_played(match, view, query.get("m", "")),
        board=board,
        lines=lines,
    )


def _compose(match: Match, view: MatchView, query: Mapping[str, str]) -> Composition | None:
    """Return the move so far, or None if the reader is not to move or the game raises an error."""
    if view.seat is None or not view.is_reader_to_move or match.game.is_missing:
        return None
    try:
        position = match.visible_position(view.seat)
        typed, tapped = query.get("m", ""), query.get("at", "")
        composition = compose(match.game, position, view.seat, typed, tapped)
    except Exception:
        # Games of packages may raise anything; moves can be typed all the same.
        log.exception("composition_failed", match=match.id)
        return None
    if view.lesson is None:
        return composition
    return _keep_topic_moves(composition, view.lesson.topic_moves)


def _was_played(match: Match, view: MatchView, text: str) -> bool:
    """Return whether the newest move that the reader has chosen begins with this part of a move."""
    own = [ply for ply in match.plies if ply.is_chosen and ply.seat == view.seat]
    return bool(text and own) and match.game.notation(own[-1].move).startswith(text)


def _keep_topic_moves(composition: Composition, moves: Sequence[str]) -> Composition:
    """Return the composition with only those choices that lead to moves that a lesson asks for.

    `moves` are the notations of the moves that the lesson asks for. If there are none, no choice is
    left out. After the first tap, no place on the board is left out, so that the player can make
    the move longer.
    """

    def is_asked(text: str) -> bool:
        return any(move.startswith(text) for move in moves)

    if not moves:
        return composition
    choices = tuple(choice for choice in composition.choices if is_asked(choice.text))
    targets = tuple(target for target in composition.targets if any(map(is_asked, target.texts)))
    return replace(
        composition,
        choices=choices if choices or composition.is_complete else composition.choices,
        targets=targets if composition.back is None else composition.targets,
    )


def _describe(
    match: Match, view: MatchView, composition: Composition | None, words: Rendering
) -> tuple[str, bool]:
    """Return the composed move in words, and whether it wins the match for its player alone.

    If the move is incomplete, or the game raises an error, the result is an empty text and False.
    """
    if composition is None or not composition.is_complete or view.seat is None:
        return "", False
    try:
        description, outcome = _describe_move(match, view.seat, composition.text, words)
    except Exception:
        # Games of packages may raise anything; moves can be played all the same.
        log.exception("description_failed", match=match.id)
        return "", False
    placings = () if outcome is None else outcome.placings
    winners = [seat for seat, place in enumerate(placings, 1) if place == 1]
    return description, winners == [view.seat]


def _describe_move(
    match: Match, seat: Seat, text: str, words: Rendering
) -> tuple[str, Outcome | None]:
    """Return a complete move in words, and the outcome of the match if the move ends it.

    Raises:
        Rejection: `text` is not a complete legal move.
    """
    game, known = match.game, match.visible_position(seat)
    move = game.read_notation(text, known)
    after = game.play(known, move)
    facts = game.move_facts(move, known, after)
    return words.game_words("choice", notation=text, facts=facts), game.outcome(after)


def _label(
    match: Match, view: MatchView, composition: Composition, words: Rendering, target: Target
) -> str:
    """Return what a tap on a place does, in words: the whole move, or else its next word."""
    if len(target.texts) > 1 or view.seat is None:
        return target.place.name
    [text] = target.texts
    try:
        return _describe_move(match, view.seat, text, words)[0]
    except Exception:  # noqa: BLE001 - not complete, or a game of a package that may raise anything
        word, facts = text[len(target.prefix) :].strip(MARKS), composition.partial_move.facts
    return words.game_words("word", word=word, facts=facts) or words.say_move(text)


def _list_choices(composition: Composition | None) -> tuple[Choice, ...]:
    """Return the next words for which the page needs a button, the shortest word first.

    A word needs no button if a tap on a large, visible place on the board chooses it.
    """
    if composition is None:
        return ()
    topmost = {replace(target.place, name=""): target for target in composition.targets}
    small = [
        target
        for target in composition.targets
        if target.place.radius < SMALL_RADIUS or target not in topmost.values()
    ]
    if len(small) > MAX_SMALL:  # a player's own pieces have the shortest names
        shortest = min(len(target.place.name) for target in small)
        small = [target for target in small if len(target.place.name) == shortest]
    large = [target for target in composition.targets if target not in small]
    tapped = {text for target in large for text in target.texts}
    choices = [choice for choice in composition.choices if choice.text not in tapped]
    return tuple(sorted(choices, key=lambda choice: len(choice.word)))


def _write_prompt(composition: Composition | None, words: Rendering) -> str:
    if composition is None:
        return ""
    facts, is_complete = composition.partial_move.facts, composition.is_complete
    choices = [choice.word for choice in composition.choices]
    for target in composition.targets:  # a lesson has fewer choices than places after a tap
        rests = [text[len(target.prefix) :].strip(MARKS).split() for text in target.texts]
        choices += [rest[0] for rest in rests if rest]
    return words.game_words("next", facts=facts, is_complete=is_complete, choices=choices)
