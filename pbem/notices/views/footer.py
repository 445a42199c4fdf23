"""What a mail offers: the verbs that work in an answer, and how its reader wished mails to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, cycle
from typing import Any, Final

from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Style
from pbem.matches.match import Status
from pbem.notices.news import MatchOver
from pbem.notices.notice import Notice, asked_about
from pbem.notices.personal import Reminder
from pbem.notices.replies import DailyDigest
from pbem.notices.traits import Ask
from pbem.notices.views.match_parts import MatchView, Proof
from pbem.notices.views.scene import NoticeView, Reader, VerbHelp, Wishes, WishView
from pbem.players.wishes import WISHES, wished

# --- footer --------------------------------------------------------------------------------------
# What a mail offers: the verbs that work in an answer, and what it wants to be answered with.

_BEGUN: Final = (Status.RUNNING, Status.ENDED)
_ONLY: Final[Mapping[str, tuple[str, ...]]] = {
    "accept": (Status.CHALLENGE,),
    "decline": (Status.CHALLENGE,),
    "why": (Status.RUNNING,),
    "rematch": (Status.ENDED,),
    "yes": (),  # works where something was asked, and that mail says so
}
"""Verbs that work at some times of a match only; other verbs of a match work once it has begun."""

_FOOTER: Final = frozenset(
    [
        "try",
        "undo",
        "now",
        "board",
        "history",
        "say",
        "resign",
        "accept",
        "decline",
        "rematch",
        "new",
        "games",
        "rules",
        "help",
        "settings",
        "stop",
    ]
) | {"offer draw"}
"""What a footer names; a phone shows few lines, and `help` names the others."""

_WATCHING: Final = ("board", "history", "unwatch", "new", "games", "rules", "help", "stop")
"""What works for who watches."""

OFFERED: Final = _FOOTER.union(_WATCHING)
"""What any footer names."""

_PLAYING: Final = ("try", "resign", "offer draw")
"""Verbs that work while the reader's seat plays."""

_HELD: Final = ("undo", "now")
"""Verbs that work while a move of the reader's has not gone out."""

_BEFORE_A_MOVE: Final[tuple[Ask, ...]] = ("yes", "resigned")
_AFTER_A_MOVE: Final[tuple[Ask, ...]] = ("invitation", "confirmation", "claim", "start", "nothing")
"""What a mail with several notices asks for: the first of these, and a move between them."""


def works(verb: VerbHelp, match: MatchView | None) -> bool:
    """Whether the footer offers a verb: a mail offers only what works."""
    if match is not None and match.company.watching:
        return verb.name in _WATCHING or (verb.name == "say" and match.status == Status.ENDED)
    if verb.name not in _FOOTER:
        return False
    if match is not None and match.you is None and match.status in _BEGUN and verb.needs_match:
        return False  # somebody who is asked to a table, and does not sit there yet
    if verb.name == "say" and match is not None and match.company.alone:
        return False  # bots do not read
    if verb.name in _HELD:
        undoes = match is not None and verb.name == "undo" and bool(match.pending.resigns)
        return undoes or (match is not None and match.pending.held is not None)
    if verb.name in _PLAYING:
        return match is not None and match.playing and _plays(verb, match)
    if verb.name == "rules" and match is None:
        return False  # of which game?
    if verb.name == "accept" and match is not None:
        return match.status == Status.CHALLENGE and any(
            player.you and player.to_act for player in match.players
        )
    times = _ONLY.get(verb.name, _BEGUN if verb.needs_match else None)
    return times is None or (match is not None and match.status in times)


def unfinished(verbs: Sequence[VerbHelp]) -> frozenset[str]:
    """The names of verbs that say nothing without more words."""
    return frozenset(
        name for verb in verbs if verb.name not in verb.examples for name in (verb.name, *verb.also)
    )


def _plays(verb: VerbHelp, match: MatchView) -> bool:
    """Whether somebody whose seat still plays can write the verb now."""
    match verb.name:
        case "try":
            return match.your_turn or match.pending.held is not None
        case "offer draw":
            return match.status == Status.RUNNING and match.pending.draw_offers
        case _:
            return match.status == Status.RUNNING


def ask_of(notices: Sequence[Notice], views: Sequence[NoticeView]) -> Ask:
    """What the mail wants to be answered with, by its most urgent notice."""
    asked = {notice.traits.asks for notice in notices}
    if urgent := [ask for ask in _BEFORE_A_MOVE if ask in asked]:
        return urgent[0]
    if isinstance(notices[0], DailyDigest) and len(about := asked_about(notices)) != 1:
        return "anything"
    if isinstance(notices[0], DailyDigest) and about[0] in notices[0].matches:
        return "move"
    if any(view.match is not None and view.match.your_turn for view in views[:1]):
        return "move"
    if any(view.match is not None and view.match.pending.held for view in views[:1]):
        return "held"
    begun = {"start"} if views[0].match is not None else set()
    return next((ask for ask in _AFTER_A_MOVE if ask in asked - begun), "anything")


def proofs_of(views: Sequence[NoticeView]) -> tuple[tuple[str, tuple[Proof, ...]], ...]:
    """PLAY 4: every draw that the mail shows, each once; it gives the link of the last of them."""
    shown: dict[str, dict[int, Proof]] = {}
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
    form = wished(chosen, "mail")
    return Wishes(
        style=Style(wished(chosen, "glyphs")),
        spoken=form == "spoken",
        width=int(wished(chosen, "width")),
        html=form != "text",
        pictures=wished(chosen, "pictures"),
        replays=wished(chosen, "replays") == "on",
        lang=wished(chosen, "lang"),
        tz=wished(chosen, "tz"),
        thread=wished(chosen, "thread") == "on",
        chosen=tuple((wish.name, wished(chosen, wish.name)) for wish in WISHES),
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
    shapes = {*_EVERYWHERE, *_shaped(views)}
    return tuple(
        wish.written(chosen[wish.name])
        for wish in WISHES
        if wish.name in shapes and chosen.get(wish.name, wish.default) != wish.default
    )


def _shaped(views: Sequence[NoticeView]) -> Iterator[str]:
    everything = [*chain(views, *(view.matches for view in views))]
    if any(view.board.sight is not None and view.board.sight.lines for view in everything):
        yield "glyphs"
        yield "pictures"
    if any(isinstance(view.notice, MatchOver) for view in views):
        yield "replays"
    if views[0].match is not None:
        yield "thread"
    if any(view.match is not None and view.match.time is not None for view in everything):
        yield "tz"
    if isinstance(views[0].notice, DailyDigest):
        yield "digest"
    if isinstance(views[0].notice, Reminder):
        yield "remind"


# --- examples ------------------------------------------------------------------------------------
# Examples that can be typed as they stand: of moves, and in the help of the orders.


def first_moves(game: Any) -> tuple[Any, Any]:
    """Two moves that can be typed in a fresh match, after draws of no consequence."""
    position = game.initial(game.seats[0], game.normal_options({}))
    while isinstance(turn := game.turn(position), Chance):
        position = game.play(position, Drawn(answer(turn.draw, cycle(range(256)))))
    first, second, *_ = [*game.legal(position)] * 2
    return first, second


def filled(verb: VerbHelp, move: str, answer: str) -> VerbHelp:
    """The help of an order with moves of the game in its examples."""
    said = (text.format(move=move, answer=answer) for text in verb.examples)
    return replace(verb, examples=tuple(said))
