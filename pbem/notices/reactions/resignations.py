"""What is owed for resignations that are held: to who sent them, to nobody else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.matches.events import Event
from pbem.matches.match import Match, Status
from pbem.matches.undo_events import ResignationTakenBack
from pbem.notices.news import ResignationKept, ResignationOff

if TYPE_CHECKING:
    from pbem.names import PlayerId
    from pbem.notices.notice import Notice


def resignation_news(
    events: Sequence[Event], before: Match, match: Match
) -> Iterator[tuple[PlayerId, Notice]]:
    """The receipt of a resignation, and that one is off.

    One that came and went in the same letter needs no word more.
    """
    if match.status is not Status.RUNNING:
        return
    for seat, held in match.resigning.items():
        then = before.resigning.get(seat)
        if then is None or then.version != held.version:
            until = held.until.isoformat()
            yield (
                match.player_at(seat),
                ResignationKept(match=match.id, seat=seat, until=until, condition=held.condition),
            )
    back = {event.seat: event.reason for event in events if isinstance(event, ResignationTakenBack)}
    for seat in before.resigning.keys() - match.resigning.keys():
        stays = match.player_at(seat) == before.player_at(seat)
        if stays and seat in match.playing:
            off = ResignationOff(match=match.id, seat=seat, why=back.get(seat, "changed"))
            yield match.player_at(seat), off
