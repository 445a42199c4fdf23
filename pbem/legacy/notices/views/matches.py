"""What a reader may see of a match: its table, a position, what happened, who came where.

A position is seen through `game.board` with the reader's own viewpoint, and in no other way. Of a
game's board facts only this is asked: `can` is None unless the viewpoint is to act, and else has
`samples`, legal moves in canonical notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from itertools import islice
from typing import Any, Final, cast
from urllib.parse import quote

from pbem.errors import Fact, Facts
from pbem.games import GAMES, AnyGame
from pbem.games.cells import Cells
from pbem.games.game import Marks, Played, Ply, Seat, Signs, Word
from pbem.games.signs import signs_of
from pbem.legacy.matches.events import SeatReassigned, SeatTakenOver
from pbem.legacy.matches.match import Match, Status, Step, StepKind
from pbem.legacy.matches.steps import Remark
from pbem.names import PlayerId
from pbem.legacy.notices.views.clean import clean_lines
from pbem.legacy.notices.views.lessons import lesson_part
from pbem.legacy.notices.views.match_parts import Drawing, Line, Sight, Told
from pbem.legacy.notices.views.scene import (
    Choice,
    Link,
    ListedPart,
    NoticeView,
    Reader,
    Scene,
    Wishes,
)
from pbem.legacy.notices.views.situation import as_it_became, gathered, news_of

REMARKS: Final = 100
"""Messages or notes that one mail lists, the newest."""

LINKS: Final = 10
"""Ready-made answers that a mail offers at most."""


def name_of(player: PlayerId | None, scene: Scene) -> str:
    """A player's name; a forgotten player is a question mark. Those of a scene are clean."""
    return scene.names.get(player, "?") if player is not None else "?"


# --- positions ----------------------------------------------------------------------------------


def sight(
    match: Match,
    position: Any,
    ply: int,
    viewpoint: Seat | None,
    reader: Reader,
    *,
    marks: Marks[Any, Any],
) -> Sight:
    """A position as the reader may see it; no picture for who wants it told."""
    wishes = reader.wishes
    board = match.game.board(position, viewpoint, wishes.style, marks.signs)
    idle = ply == match.course.ply and not match.to_act
    facts = with_nobody_to_move(board.facts) if idle else board.facts
    if wishes.spoken:
        return Sight(ply, (), facts)
    marks = replace(marks, idle=idle)
    cells, picture = shown_in_html(match.game, position, viewpoint, marks, wishes)
    return Sight(ply, board.lines, facts, cells, picture)


def unpictured(reader: Reader) -> Reader:
    """Who gets cells for a board: of a list of boards the first alone is a picture."""
    return replace(reader, wishes=replace(reader.wishes, pictures="off"))


def shown_in_html(
    game: AnyGame, position: Any, viewpoint: Seat | None, marks: Marks[Any, Any], wishes: Wishes
) -> tuple[Cells | None, Drawing | None]:
    """What HTML shows of a position: a picture, or for who wants none cells, if they can say it."""
    if not wishes.html:
        return None, None
    if wishes.pictures == "off":
        return game.cells(position, viewpoint, marks, wishes.style), None

    def drawn(word: Word) -> str:
        return game.picture(position, viewpoint, replace(marks, word=word))

    return None, drawn


def sight_after(
    match: Match, ply: Ply, viewpoint: Seat | None, reader: Reader, scene: Scene
) -> Sight:
    """The position after so many plies, with what has happened since the reader's last turn."""
    position = match.course.position if ply == match.course.ply else match.position_after(ply)
    steps = since_own_turn(match, ply, viewpoint)
    since = tuple(Played(step.move, step.before, step.after) for step in steps)
    marks = _marks(match, since, scene)
    return sight(match, position, ply, viewpoint, reader, marks=marks)


def since_own_turn(match: Match, ply: int, you: Seat | None) -> list[Step]:
    """The moves and draws since somebody's last turn, as of a ply.

    Where there are none, or nobody's turn is meant, it is the last turn.
    """
    steps = [step for step in match.course.steps if step.ply <= ply and step.move is not None]
    moves = [at for at, step in enumerate(steps) if step.kind is StepKind.MOVE]
    own = [at for at in moves if steps[at].seat == you and not steps[at].forced]
    first = own[-1] + 1 if own else 0
    if moves and (you is None or first > moves[-1]):
        first = moves[-1]
    return steps[first:]


def marks_between(match: Match, first: int, last: int, scene: Scene) -> Marks[Any, Any]:
    """What a board marks that is compared with one before it."""
    steps = [
        step for step in match.course.steps if first < step.ply <= last and step.move is not None
    ]
    since = tuple(Played(step.move, step.before, step.after) for step in steps)
    return _marks(match, since, scene)


def sight_of_tried(
    match: Match, tried: tuple[Any, Any], seat: Seat, reader: Reader, scene: Scene
) -> Sight:
    """The position after a move that is tried or held: that move, and it, as its player sees it."""
    marks = marks_of(match, *tried, scene)
    return sight(match, tried[1], match.course.ply + 1, seat, reader, marks=marks)


def marks_of(match: Match, move: Any, after: Any, scene: Scene) -> Marks[Any, Any]:
    """What a board marks after a move that is tried or held."""
    return _marks(match, (Played(move, match.course.position, after),), scene)


def _marks(match: Match, since: tuple[Played[Any, Any], ...], scene: Scene) -> Marks[Any, Any]:
    names = names_at(match, scene)
    return Marks(
        since=since,
        names=names,
        signs=signs_at(match.game, names, scene.seated.get(match.id)),
    )


def names_at(match: Match, scene: Scene) -> tuple[str, ...]:
    """The names at the table, by seat."""
    return tuple(scene.names.get(player, "?") for player in match.table.players)


def signs_at(game: AnyGame, names: Sequence[str], seated: Mapping[int, str] | None) -> Signs:
    """The letters of the seats: by the names with which they were taken, where these are kept."""
    if game.reserved is None:
        return ()
    if seated:
        names = [seated.get(seat, "") for seat, _ in enumerate(names, 1)]
    return signs_of(names, game.reserved)


def with_nobody_to_move(facts: Facts) -> Facts:
    """The facts of a board on which nobody may move, whatever the game would have next.

    The match is over by agreement, by the operator, or it waits for somebody to take a seat.
    """
    seats = cast("Sequence[Mapping[str, Fact]]", facts.get("seats", ()))
    # Whose board it is stays with the seats; nothing speaks of what `you` could do.
    idle: list[Fact] = [{**seat, "to_move": False} for seat in seats]
    return {**facts, "can": None, "you": None, "seats": idle}


def guard_of(match: Match) -> str:
    """The number of the next move; behind a point, how often moves were taken back before it."""
    back = len(match.course.taken_back)
    return f"{match.course.ply + 1}.{back}" if back else f"{match.course.ply + 1}"


def links(match: Match, moves: Iterable[str], scene: Scene) -> tuple[Link, ...]:
    """Ready-made answers with the ply that they are for, so that an old mail plays nothing."""
    guard = f"#{guard_of(match)} "
    begins = mailto(scene.reply_address, f"{match.game.title} {match.id}")
    offered = islice(moves, LINKS)
    return tuple(Link(move, begins + quote(guard + move, safe="")) for move in offered)


@cache
def all_games() -> ListedPart:
    """What a notice lists, unless it says more: all games."""
    return ListedPart(games=tuple({one.key: one.title for one in GAMES.values()}.items()))


SOME: Final = 3
"""Moves that are offered where a game offers none."""


def some_legal(match: Match) -> tuple[str, ...]:
    """A few legal moves, spread over all, where the game does not say what to offer."""
    legal = match.game.legal(match.course.position)
    return tuple(map(match.game.notation, legal[:: max(1, len(legal) // SOME)][:SOME]))


def choices(match: Match, seat: Seat, moves: Iterable[str]) -> tuple[Choice, ...]:
    """Moves in canonical notation, each with what its player can know that it would bring about."""
    game = match.game
    position = game.known(match.course.position, seat)
    found = ((text, game.read(text, position)) for text in moves)
    return tuple(
        Choice(text, game.facts(move, position, game.play(position, move))) for text, move in found
    )


def mailto(address: str, title: str) -> str:
    """What opens a ready-made mail when it is tapped, but for its text, which comes behind.

    RFC 6068: `+` stands for itself there, but clients read it as a blank.
    """
    return f"mailto:{quote(address, safe='@')}?subject={quote(f'Re: [{title}]', safe='')}&body="


# --- what happened --------------------------------------------------------------------------------


def after_own_ply(match: Match, you: Seat | None) -> int:
    """The number of the first step that came after the reader's last ply; 0 if there is none."""
    for number in range(len(match.course.steps), 0, -1):
        step = match.course.steps[number - 1]
        # What the server played for somebody is news to that player.
        if step.kind is StepKind.MOVE and step.seat == you and not step.forced:
            return number
    return 0


def told(match: Match, steps: Iterable[Step], scene: Scene, you: Seat | None) -> tuple[Told, ...]:
    """Some steps, each with what the game says of it and its proof."""
    found = []
    for step in steps:
        shown: Step | None = step
        if step.event is not None:
            shown = as_it_became(match, step) if _is_for(match, step, you) else None
        if shown is not None:
            found.append(_told(match, shown, scene, you))
    return gathered(found) if any(one.event == "leave_begun" for one in found) else tuple(found)


def history(match: Match, scene: Scene, you: Seat | None) -> tuple[Told, ...]:
    """Every step there was; what was taken back stands where it stood."""
    found: list[Told] = []
    for kept in range(len(match.course.steps) + 1):
        for group in match.course.taken_back:
            if group.kept == kept:
                undone = told(match, group.steps, scene, you)
                found.extend(replace(step, undone=True) for step in undone)
        found.extend(told(match, match.course.steps[kept : kept + 1], scene, you))
    return gathered(found)


def told_from(match: Match, ply: Ply, scene: Scene, you: Seat | None) -> tuple[Told, ...]:
    """The steps after a ply, or where they are taken back those that were taken back last."""
    if match.course.ply > ply:
        return between(match, ply, match.course.ply, scene, you)
    return taken_back_to(match, ply, scene, you)


def taken_back_to(match: Match, ply: Ply, scene: Scene, you: Seat | None) -> tuple[Told, ...]:
    """The steps after a ply that were taken back last."""
    groups = [group for group in match.course.taken_back if group.ply == ply]
    steps = groups[-1].steps if groups else ()
    return told(match, steps, scene, you)


def _is_for(match: Match, step: Step, you: Seat | None) -> bool:
    """Whether the reader may know of a step: some news of the table are for no spectator."""
    if step.kind is not StepKind.NEWS or step.event is None:
        return True
    over = match.status is Status.ENDED
    return step.event.visible.event.may_see(seated=you is not None, over=over)


def _told(match: Match, step: Step, scene: Scene, you: Seat | None) -> Told:
    # Of a secret draw the game tells what all may know: no text, and no proof before the end.
    speaks = step.kind in (StepKind.MOVE, StepKind.DRAW)
    event, facts = news_of(step.event) if step.event is not None else ("", {})
    players = step.players or match.table.players
    seated = {seat: scene.names.get(player, "?") for seat, player in enumerate(players, 1)}
    sat = players[step.seat - 1] if step.seat else None
    if isinstance(step.event, SeatTakenOver | SeatReassigned):
        facts["player"] = name_of(step.event.player, scene)
    return Told(
        kind=step.kind.value,
        ply=step.ply,
        seat=step.seat or 0,
        name=seated[step.seat] if step.seat else "",
        you=you is not None and step.seat == you and sat == match.player_at(you),
        notation=step.text,
        facts=match.game.facts(step.move, step.before, step.after) if speaks else facts,
        forced=step.forced,
        standing=step.standing,
        proof=step.drawn,
        condition=step.condition,
        event=event,
        names=seated,
    )


def between(
    match: Match, first: int, last: int, scene: Scene, you: Seat | None
) -> tuple[Told, ...]:
    """The steps that led from the position after ply `first` to that after ply `last`."""
    steps = (step for step in match.course.steps if first < step.ply <= last)
    return told(match, steps, scene, you)


def notes_of(match: Match, player: PlayerId) -> tuple[Remark, ...]:
    """The newest notes of one player: nobody else's are ever shown."""
    return tuple(note for note in match.table.notes if note.author == player)[-REMARKS:]


def remarks(said: Sequence[Remark], scene: Scene) -> tuple[Line, ...]:
    """What was said or noted, with the names of today."""
    return tuple(
        Line(one.ply, name_of(one.author, scene), clean_lines(scene.sealed.get(one.text, "")))
        for one in said
    )


LEARNING: Final = 3
"""Turns of a game in which its aim and its signs are explained."""

REMEMBERED: Final = timedelta(days=365)
"""So long somebody knows a game that they do not play."""


def taught(view: NoticeView, match: Match, reader: Reader, scene: Scene) -> NoticeView:
    """The view with what is explained to somebody at the table who has had few turns of the game.

    Turns in this match are counted in its log, those in others have been counted in the list of
    matches: nothing is replayed for it.
    """
    player = reader.player
    if player not in match.table.players:
        return view
    if match.terms.lesson and player == match.table.challenger:
        names = dict(enumerate(names_at(match, scene), 1))
        taught_of = lesson_part(match, names)
        begins = taught_of is not None and not taught_of.stage.turns
        board = replace(
            view.board, explains=view.board.explains or begins, first=begins, lesson=taught_of
        )
        return replace(view, board=board)
    had = reader.turns_elsewhere.get(match.id, 0)
    for step in match.course.steps:
        if had >= LEARNING:
            break
        if step.kind is StepKind.MOVE and step.seat is not None and not step.forced:
            had += (step.players or match.table.players)[step.seat - 1] == player
    learns = had < LEARNING
    board = replace(view.board, explains=learns, defines=learns, first=learns and had == 0)
    return replace(view, board=board)


def last_move(match: Match, ply: Ply, scene: Scene, you: Seat | None) -> Told | None:
    """The move that led to the position after a ply."""
    steps = [step for step in match.course.steps if step.kind is StepKind.MOVE and step.ply == ply]
    told_of = told(match, steps[-1:], scene, you)
    return told_of[0] if told_of else None


def imagined(match: Match, move: Any, after: Any, seat: Seat, scene: Scene) -> Told:
    """A move that nobody has played, told as if somebody had."""
    return Told(
        kind=StepKind.MOVE.value,
        ply=match.course.ply + 1,
        seat=seat,
        name=name_of(match.player_at(seat), scene),
        you=True,
        notation=match.game.notation(move),
        facts=match.game.facts(move, match.course.position, after),
        forced=False,
        standing=False,
        proof=None,
    )
