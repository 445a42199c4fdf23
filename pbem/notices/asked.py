"""Which matches a digest wants answers about: with several, every line begins with a name."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.names import MatchId
from pbem.notices.news import Invitation
from pbem.notices.notice import Notice
from pbem.notices.replies import DailyDigest


def asked_about(notices: Sequence[Notice]) -> tuple[MatchId, ...]:
    """The matches that wait for the reader or invite, in order; none if it is no digest."""
    if not notices or not isinstance(notices[0], DailyDigest):
        return ()
    invited = (notice.match for notice in notices if isinstance(notice, Invitation))
    return tuple(dict.fromkeys([*notices[0].matches, *invited]))
