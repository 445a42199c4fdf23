"""Colours that players choose before the start (LL-1.2, LR-1.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.matches.seat_events import ColourChosen
from pbem.names import PlayerId

if TYPE_CHECKING:
    from pbem.matches.match import Match


def chosen(player: PlayerId, typed: str, match: Match) -> list[ColourChosen]:
    """The choice of a colour by its name; nothing where the player has it already.

    Raises Rejection where the game has no colours or not this one, or somebody else has it.
    """
    option = match.game.colours
    if option is None:
        raise Rejection("no_colours", game=match.game.title)
    colour, free = option.colour(typed), list(free_colours(match, player))
    if colour is None:
        raise Rejection("no_such_colour", colour=typed, free=free)
    if colour not in free:
        raise Rejection("colour_taken", colour=colour, free=free)
    if match.colours.get(player) == colour:
        return []
    return [ColourChosen(player=player, colour=colour)]


def free_colours(match: Match, player: PlayerId | None = None) -> tuple[str, ...]:
    """The colours of the game that nobody, or nobody but this player, has chosen."""
    names = match.game.colours.names if match.game.colours is not None else ()
    taken = {colour for other, colour in match.colours.items() if other != player}
    return tuple(name for name in names if name not in taken)


def seated_options(match: Match, order: Sequence[PlayerId]) -> Mapping[str, str]:
    """The options of the match, with the colours as the players chose them, in seat order.

    Who has not chosen gets what is left, in the order of the rules or of the challenge.
    """
    option = match.game.colours
    if option is None or not match.colours:
        return match.options
    wanted = [match.colours.get(player) for player in order]
    return {**match.options, option.name: option.seated(match.options[option.name], wanted)}


def judged_colour(state: Match, event: object) -> Iterator[str]:
    """What is wrong with a choice, in words; nothing with other events."""
    if not isinstance(event, ColourChosen):
        return
    if event.player not in state.players:
        yield "a colour was chosen by somebody who is not in the match"
    if event.colour not in free_colours(state, event.player):
        yield f"{event.colour} was chosen, which is no colour of the game or somebody else's"
