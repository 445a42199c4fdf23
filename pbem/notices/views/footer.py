"""What a mail offers: the verbs that work in an answer, and what it wants to be answered with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from pbem.matches.match import Status
from pbem.notices.asked import asked_about
from pbem.notices.notice import Notice
from pbem.notices.replies import DailyDigest
from pbem.notices.traits import Ask
from pbem.notices.views.accounts import Proof
from pbem.notices.views.match_parts import MatchView
from pbem.notices.views.scene import NoticeView, VerbHelp

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
