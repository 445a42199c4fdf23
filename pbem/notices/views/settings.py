"""What a reader has wished for: how mails are made of it, and how they tell of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from pbem.games.game import Style
from pbem.notices.news import MatchOver
from pbem.notices.personal import Reminder
from pbem.notices.replies import DailyDigest
from pbem.notices.views.scene import NoticeView, Reader, Wishes, WishView
from pbem.players.wishes import WISHES, wished

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
