"""What a mail shows of moves that are held, or taken back later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.games import newest
from pbem.notices.news import (
    ChallengeOff,
    DrawProposed,
    DrawRefused,
    InvitationAnswered,
    LeaveUsed,
    MessageReceived,
    SeatFilled,
    SeatVacated,
    TakebackRefused,
    TimeOver,
)
from pbem.notices.personal import Welcome
from pbem.notices.replies import AddressShown, HelpShown
from pbem.notices.views import matches as seen
from pbem.notices.views.clean import clean_lines
from pbem.notices.views.examples import filled, first_moves
from pbem.notices.views.foreseeing import as_known
from pbem.notices.views.rulebook import rule
from pbem.notices.views.sample_boards import example

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.notices.news import MoveKept, MovesTakenBack, TakebackWanted
    from pbem.notices.notice import Notice
    from pbem.notices.replies import OrderRefused, RulesShown
    from pbem.notices.views.scene import NoticeView, Reader, Scene

_SAYS: Final = 3
"""Lines that are offered to be said at most."""

UNREAD: Final = ("unreadable", "order_empty")
"""Refusals of texts that are no move: who gets one is told what the words of moves mean."""


def kept(
    view: NoticeView, notice: MoveKept, match: Match, reader: Reader, scene: Scene
) -> NoticeView:
    """The board after the held move, as far as its player can know it."""
    match = as_known(match, notice.seat)
    move = match.game.read(notice.notation, match.position)
    after = match.game.tried(match.position, move, notice.seat)
    marks = seen.marks_of(match, move, after, scene)
    sight = seen.sight(match, after, match.ply + 1, notice.seat, reader, marks=marks)
    told = seen.imagined(match, move, after, notice.seat, scene)
    coming = replace(view.foreseen, coming=_ending(match, after, notice.seat))
    return replace(view, board=replace(view.board, sight=sight), told=told, foreseen=coming)


def offered(notice: MoveKept) -> list[str]:
    """What may be answered to the receipt of a held move, the likeliest first."""
    return ["now", "undo", *to_say(notice.unread)] if notice.unread else ["undo", "now"]


def to_say(unread: Sequence[str]) -> list[str]:
    """Orders that say to the others what nothing accounts for; no number or address is offered."""
    plain = (line for line in unread if not any(sign.isdigit() or sign in "@/" for sign in line))
    return [f"say {line}" for line in plain][:_SAYS]


def _ending(match: Match, after: object, seat: int) -> str:
    """Whether a move wins or else ends the match; empty if it goes on."""
    outcome = match.game.outcome(after)
    if outcome is None:
        return ""
    placings = outcome.placings
    return "won" if placings[seat - 1] == 1 and placings.count(1) == 1 else "over"


def taken_back(
    view: NoticeView,
    notice: TakebackWanted | MovesTakenBack,
    match: Match,
    reader: Reader,
    scene: Scene,
) -> NoticeView:
    """The moves that would be, or were, taken back, and who asked for it."""
    steps = seen.told_from(match, notice.ply, scene, match.seat_of(reader.player))
    person = seen.name_of(match.player_at(notice.seat), scene)
    return replace(view, since=steps, person=person)


def people(view: NoticeView, notice: Notice, scene: Scene) -> NoticeView:
    """Whom a notice is about, where it names nobody but by a seat or an id, and what they say."""
    match notice:
        case AddressShown(players=players):
            lines = tuple(seen.name_of(one, scene) for one in players)
            return replace(view, listed=replace(view.listed, lines=lines))
        case MessageReceived(author=author, text=digest):
            text = clean_lines(scene.sealed.get(digest, ""))
            return replace(view, person=seen.name_of(author, scene), text=text)
        case SeatFilled(player=player, left=left):
            return replace(view, person=seen.name_of(player, scene), text=seen.name_of(left, scene))
        case InvitationAnswered(player=player) | ChallengeOff(player=player):
            return replace(view, person=seen.name_of(player, scene))
        case (
            SeatVacated(match=name, seat=seat)
            | DrawProposed(match=name, seat=seat)
            | DrawRefused(match=name, seat=seat)
            | TakebackRefused(match=name, seat=seat)
            | TimeOver(match=name, seat=seat)
            | LeaveUsed(match=name, seat=seat)
        ):
            player = scene.matches[name].player_at(seat)
            return replace(view, person=seen.name_of(player, scene))
        case _:
            return view


def helped(view: NoticeView, notice: HelpShown | Welcome, scene: Scene) -> NoticeView:
    """The words that somebody can write, each with an example."""
    game = newest(notice.game) if isinstance(notice, HelpShown) and notice.game else None
    moves = map(game.notation, first_moves(game)) if game is not None else ("MOVE", "MOVE")
    move, answer = moves
    verbs = [filled(verb, move, answer) for verb in scene.verbs]
    if game is None:  # nothing to play yet: how to begin comes before what a match has
        verbs.sort(key=lambda verb: verb.needs_match)
    if isinstance(notice, Welcome):  # the game that the newcomer asked about comes first
        games = sorted(view.listed.games, key=lambda named: named[0] != notice.game)
        listed = replace(view.listed, verbs=tuple(verbs), games=tuple(games))
        return replace(view, listed=listed)
    return replace(view, listed=replace(view.listed, verbs=tuple(verbs)))


def ruled(view: NoticeView, notice: RulesShown, reader: Reader) -> NoticeView:
    """A part of a board beside the rules of a game, or the text of the one rule asked for."""
    if notice.rule:
        found = rule(notice.rule)
        lines = found.lines if found is not None else ()
        return replace(view, listed=replace(view.listed, lines=lines))
    sight = example(notice.game, reader.wishes)
    return replace(view, board=replace(view.board, sight=sight))


def candidates(notice: OrderRefused) -> tuple[str, ...]:
    """The moves between which the writer of a letter has to choose, if it was refused for that."""
    found = notice.facts.get("candidates") if notice.code == "two_moves_in_mail" else None
    return tuple(map(str, found)) if isinstance(found, list | tuple) else ()
