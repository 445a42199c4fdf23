"""What a mail offers: the verbs that work in an answer, and how its reader wished mails to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, cycle
from typing import Any, Final

from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Style
from pbem.legacy.matches.events import ChanceDrawn
from pbem.legacy.matches.match import Status
from pbem.legacy.notices.codec import asked_about
from pbem.legacy.notices.news import MatchOver
from pbem.legacy.notices.notice import Ask, Notice
from pbem.legacy.notices.personal import Reminder
from pbem.legacy.notices.replies import DailyDigest
from pbem.legacy.notices.views.match_parts import MatchView
from pbem.legacy.notices.views.scene import NoticeView, Reader, VerbHelp, Wishes, WishView
from pbem.legacy.players.wishes import WISHES, wished

# --- footer --------------------------------------------------------------------------------------
# What a mail offers: the verbs that work in an answer, and what it wants to be answered with.

_FOOTER: Final = frozenset(
    [
        "undo",
        "now",
        "board",
        "hint",
        "time",
        "say",
        "resign",
        "accept",
        "decline",
        "rematch",
        "new",
        "games",
        "help",
        "settings",
        "stop",
    ]
)
"""What a footer names; a phone shows few lines, and `help` names the others."""

_WATCHING: Final = ("board", "history", "unwatch", "games", "help", "stop")
"""What works for who watches."""

_BEFORE_A_MOVE: Final[tuple[Ask, ...]] = ("yes", "resigned")
_AFTER_A_MOVE: Final[tuple[Ask, ...]] = ("invitation", "confirmation", "claim", "start", "nothing")
"""What a mail with several notices asks for: the first of these, and a move between them."""


def offered(verbs: Sequence[VerbHelp], match: MatchView | None) -> tuple[str, ...]:
    """The verbs that a footer names: a mail offers only what works."""
    if match is None:  # the rules of which game?
        return tuple(one.name for one in verbs if one.name in _FOOTER and not one.needs_match)
    running, ended = match.status == Status.RUNNING, match.status == Status.ENDED
    if match.company.watching:
        works = {*_WATCHING, *(["say"] if ended else [])}
        return tuple(one.name for one in verbs if one.name in works)
    held, challenged = match.pending.held is not None, match.status == Status.CHALLENGE
    begun, goes = running or ended, running and not match.stands
    in_match = {
        "board": begun,
        "hint": match.company.hints > 0,
        "new": not running,
        "time": goes and not held and match.time is not None,
        "settings": not running,
        "games": not held,
        "say": (ended or goes) and not match.company.alone,  # bots do not read
        "resign": match.playing and goes,
        "undo": held or bool(match.pending.resigns),
        "now": held,
        "accept": challenged and any(one.you and one.to_act for one in match.players),
        "decline": challenged,
        "rematch": ended,
    }
    if match.you is None and begun:  # somebody who is asked to a table, and does not sit there yet
        in_match = dict.fromkeys(in_match, False)
    return tuple(one.name for one in verbs if one.name in _FOOTER and in_match.get(one.name, True))


def ask_of(notices: Sequence[Notice], views: Sequence[NoticeView]) -> Ask:
    """What the mail wants to be answered with, by its most urgent notice."""
    asked = {notice.traits.asks for notice in notices}
    if urgent := [ask for ask in _BEFORE_A_MOVE if ask in asked]:
        return urgent[0]
    if isinstance(notices[0], DailyDigest) and len(about := asked_about(notices)) != 1:
        return "anything"
    if isinstance(notices[0], DailyDigest) and about[0] in notices[0].matches:
        return "move"
    match = views[0].match
    if match is not None and match.your_turn:
        return "move"
    if match is not None and match.pending.held:
        return "held"
    begun = {"start"} if match is not None else set()
    return next((ask for ask in _AFTER_A_MOVE if ask in asked - begun), "anything")


def proofs_of(views: Sequence[NoticeView]) -> tuple[tuple[str, tuple[ChanceDrawn, ...]], ...]:
    """PLAY 4: every draw that the mail shows, each once; it gives the link of the last of them."""
    shown: dict[str, dict[int, ChanceDrawn]] = {}
    theirs = (one.foreseen.theirs for one in views if one.foreseen.theirs is not None)
    for view in chain(views, *(one.matches for one in views), theirs):
        steps = (*view.since, view.told) if view.told is not None else view.since
        proofs = [*view.board.draws, *(step.proof for step in steps if step.proof is not None)]
        if view.match is not None and proofs:
            shown.setdefault(view.match.label, {}).update((draw.index, draw) for draw in proofs)
    return tuple((label, tuple(of[n] for n in sorted(of))) for label, of in shown.items())


# --- settings ------------------------------------------------------------------------------------
# What a reader has wished for: how mails are made of it, and how they tell of it.

_EVERYWHERE: Final = frozenset({"mail", "width", "lang", "everything"})
"""Wishes that shape every mail; others shape those that show what they are about."""


def wishes_of(chosen: Mapping[str, str]) -> Wishes:
    """The wishes of a player for the making of mails."""
    values = {wish.name: chosen.get(wish.name, wish.default) for wish in WISHES}
    return Wishes(
        style=Style(values["glyphs"]),
        spoken=values["mail"] == "spoken",
        width=int(values["width"]),
        html=values["mail"] != "text",
        pictures=values["pictures"],
        replays=values["replays"] == "on",
        lang=values["lang"],
        tz=values["tz"],
        thread=values["thread"] == "on",
        chosen=tuple(values.items()),
    )


def wish_views(chosen: Mapping[str, str]) -> tuple[WishView, ...]:
    """Every wish with its value, as it is typed, and what else could be."""
    return tuple(
        WishView(
            name=wish.name,
            typed=wish.written(value),
            others=tuple(text for text in wish.choices if text != wish.written(value)),
        )
        for wish, value in ((wish, wished(chosen, wish.name)) for wish in WISHES)
    )


def shaping(views: Sequence[NoticeView], reader: Reader) -> tuple[str, ...]:
    """The wishes that shape this mail and are not the usual ones, as they are typed."""
    chosen = dict(reader.wishes.chosen)
    unusual = [one for one in WISHES if chosen.get(one.name, one.default) != one.default]
    if not unusual:
        return ()
    everything = [*chain(views, *(view.matches for view in views))]
    pictured = any(view.board.sight is not None and view.board.sight.lines for view in everything)
    shapes = {
        "glyphs": pictured,
        "pictures": pictured,
        "replays": any(isinstance(view.notice, MatchOver) for view in views),
        "thread": views[0].match is not None,
        "tz": any(view.match is not None and view.match.time is not None for view in everything),
        "digest": isinstance(views[0].notice, DailyDigest),
        "remind": isinstance(views[0].notice, Reminder),
    }
    shapes |= dict.fromkeys(_EVERYWHERE, True)
    return tuple(one.written(chosen[one.name]) for one in unusual if shapes.get(one.name))


# --- examples ------------------------------------------------------------------------------------
# Examples that can be typed as they stand: of moves, and in the help of the orders.


_MOVE: Final = "MOVE"
"""What stands for a move where nobody knows one."""


def first_moves(game: Any) -> tuple[Any, Any]:
    """Two moves that can be typed in a fresh match, after draws of no consequence."""
    if game.away:
        return _MOVE, _MOVE
    position = game.initial(game.seats[0], game.normal_options({}))
    while isinstance(turn := game.turn(position), Chance):
        position = game.play(position, Drawn(answer(turn.draw, cycle(range(256)))))
    first, second, *_ = [*game.legal(position)] * 2
    return first, second


def filled(verb: VerbHelp, move: str, answer: str) -> VerbHelp:
    """The help of an order with moves of the game in its examples."""
    said = (text.format(move=move, answer=answer) for text in verb.examples)
    return replace(verb, examples=tuple(said))
