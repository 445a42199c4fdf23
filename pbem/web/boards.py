"""Boards on pages: SVG pictures within the HTML, with places that a player can tap.

A place is an area of the picture, such as a square. It is a link, so it works without scripts and
by keyboard. The URL of the link contains the move so far and the place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

import structlog
from markupsafe import Markup, escape

from pbem.games.game import Hotspot, Translate
from pbem.notifications.rendering import Rendering
from pbem.web.composing import Composition, Target

MIN_RADIUS: Final = 15.0  # least radius of an area to tap, in a picture that is 360 units wide
RING: Final = 0.85  # radius of the visible ring, as a fraction of the radius of the place
MAX_RING: Final = 24.0  # greatest radius of the visible ring
MIN_FRAME: Final = 60.0  # least radius of a square that has a frame instead of a ring
GAP: Final = 2.0  # distance of the frame from its square, whose edge stays visible
_BEGIN: Final = re.compile(r'<svg xmlns="[^"]*" viewBox="0 0 ([\d.]+) ([\d.]+)"')

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """The picture of a board for a page, with its width and height in SVG units."""

    svg: Markup
    width: float
    height: float


def draw_board(
    draw: Callable[[Translate], str] | None, words: Rendering, label: str, links: Markup | str = ""
) -> BoardPicture | None:
    """Return the picture of a board, or None if the game has no picture or fails to draw it.

    Args:
        draw: Function that draws the SVG, such as `MatchView.draw_board`; None for no picture.
        words: The rendering that translates the words on the board.
        label: A description of the picture for readers who cannot see it.
        links: SVG links for the places that can be tapped (`link_targets`); empty for no links.
    """
    try:
        svg = draw(words.environment.filters["word"]) if draw is not None else ""
    except Exception:
        # Games of packages may raise anything; the board is there as text, too.
        log.exception("picture_failed")
        return None
    tag = _BEGIN.match(svg)
    if tag is None:
        return None
    role = "group" if links else "img"
    begin = Markup('{} role="{}" aria-label="{}"').format(Markup(tag[0]), role, label)  # noqa: S704 - of our games
    body = svg[tag.end() :].replace("</svg>", f"{escape(links)}</svg>")
    return BoardPicture(begin + Markup(body), float(tag[1]), float(tag[2]))  # noqa: S704 - the same


def link_targets(composition: Composition, say: Callable[[Target], str]) -> Markup:
    """Return SVG links for the places that can be tapped, and a ring at the chosen place, if any.

    Links that continue the move are drawn above links that replace the chosen place. `say` returns
    the label of a link, for readers who hear it.
    """
    chosen = composition.chosen
    # A keyboard has the button `Back` instead.
    attributes = Markup('class="other" tabindex="-1"')
    parts = [_link_target(target, attributes, say(target)) for target in composition.others]
    if chosen is not None:
        parts.append(_outline(chosen, chosen.radius, "chosen"))
    attributes = Markup('class="next"')
    parts += [_link_target(target, attributes, say(target)) for target in composition.targets]
    return Markup("").join(parts)


def _link_target(target: Target, attributes: Markup, label: str) -> Markup:
    place = target.place
    if len(target.texts) == 1:
        query = {"m": target.texts[0]}
    else:
        query = {"m": target.prefix, "at": place.name}
    reach = max(place.radius, MIN_RADIUS)
    # A square of the board is tapped up to its corners, which a circle would leave out.
    corner = 0 if place.is_square else reach
    ring = place.ring or min(RING * place.radius, MAX_RING)
    return Markup(
        '<a {attributes} href="?{query}" aria-label="{label}"><rect class="target" x="{left}"'
        ' y="{top}" width="{wide}" height="{wide}" rx="{corner}"/>{ring}</a>'
    ).format(
        attributes=attributes,
        query=urlencode(query),
        label=label,
        left=round(place.x - reach, 1),
        top=round(place.y - reach, 1),
        wide=round(2 * reach, 1),
        corner=round(corner, 1),
        ring=_outline(place, ring, "ring"),
    )


def _outline(place: Hotspot, radius: float, name: str) -> Markup:
    """Return the SVG of a ring of the CSS class `name` around a place, on a pale halo.

    A square so large that a ring would seem to mark only what lies in it has a frame instead.
    """
    if place.is_square and place.radius >= MIN_FRAME:
        left, top, side = place.x - place.radius, place.y - place.radius, 2 * place.radius
        frame = '<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="12"/>'
        return Markup(frame).format(name, left - GAP, top - GAP, side + 2 * GAP, side + 2 * GAP)  # noqa: S704 - a constant
    circle = '<circle class="{0}" {2}/><circle class="{1}" {2}/>'
    attributes = Markup('cx="{:.1f}" cy="{:.1f}" r="{:.1f}"').format(place.x, place.y, radius)
    return Markup(circle).format("halo", name, attributes)  # noqa: S704 - a constant
