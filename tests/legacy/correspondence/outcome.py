"""What became of a letter: its moves, what was said, what changed, and what its writer was told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, cast

from sqlalchemy import func, select

from pbem.legacy.matches.events import Event, MovePlayed
from pbem.legacy.matches.table import MessageSaid
from pbem.legacy.matches.window import MoveHeld, held_text
from pbem.names import MatchId
from pbem.legacy.notices import codec
from pbem.legacy.notices.notice import Notice
from pbem.legacy.store import tables
from pbem.legacy.store.log import event_log
from pbem.legacy.store.log.sealed import unseal
from pbem.legacy.transaction.installation import find_match
from tests.legacy.correspondence.places import PLACES, answer, mailbox

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from tests.legacy.clubs.club import Club

_FOOT: Final = re.compile(r"\n(?:Any time|Jederzeit):.*", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What became of a letter.

    `moves` are those that were taken, by match, and `waits` how long each is held (zero: it is
    played). `said` goes to others, at once or with a move. `events` are the types of all that
    happened, `notices` what the writer was told, `told` its words without the small print; `code`
    is why the letter was refused.
    """

    moves: Mapping[str, str]
    waits: Mapping[str, timedelta]
    said: tuple[str, ...]
    events: tuple[str, ...]
    notices: tuple[Notice, ...]
    told: str
    disposition: str
    code: str | None

    def told_of(self, *kinds: str) -> bool:
        """Whether the writer was told something of one of these kinds."""
        return any(type(one).__name__ in kinds for one in self.notices)


async def outcome(club: Club, place: str, text: str) -> Outcome:
    """Somebody answers the mail of a place, in a club that is there already."""
    writer = PLACES[place].writer
    seen = len(club.mails(mailbox(writer)))
    before = cast("int", await club.read(_position))
    await answer(club, writer, club.last(mailbox(writer)), text)
    told = "\n".join(
        _FOOT.sub("", one.text.replace("\r\n", "\n")) for one in club.mails(mailbox(writer))[seen:]
    )
    return cast("Outcome", await club.read(lambda conn: _outcome(conn, before, told)))


def _position(conn: Connection) -> int:
    found: int = conn.execute(select(func.max(tables.event.c.position))).scalar_one()
    return found


def _outcome(conn: Connection, before: int, told: str) -> Outcome:
    news: list[tuple[MatchId, Event]] = []
    table = tables.event
    wanted = select(table.c.stream, table.c.version).where(table.c.position > before)
    for stream, version in conn.execute(wanted.order_by(table.c.position)):
        [recorded, *_] = event_log.load(conn, stream, after=version - 1)
        name = MatchId(stream.partition("-")[2])
        news.append((name, cast("Event", event_log.event_of(recorded))))
    box = tables.inbox
    letter = conn.execute(select(box).order_by(box.c.number.desc()).limit(1)).one()
    mails = conn.execute(
        select(tables.outbox.c.notices).where(
            tables.outbox.c.mail_key.startswith(letter.mail_key),
            tables.outbox.c.recipient == letter.player,
        )
    )
    moves: dict[str, str] = {}
    waits: dict[str, timedelta] = {}
    said: dict[str, None] = {}
    for name, event in news:
        match event:
            case MoveHeld(asked=True, seat=seat):
                moves.pop(name, None)  # it is kept unplayed until its writer says yes
                loaded = find_match(conn, name)
                held = loaded.match.pending.held.get(seat) if loaded is not None else None
                text = held_text(loaded.match, held.move) if loaded and held else None
                said |= dict.fromkeys(unseal(conn, text.says).values()) if text else {}
            case MoveHeld(seat=seat):
                loaded = find_match(conn, name)
                held = loaded.match.pending.held.get(seat) if loaded is not None else None
                text = held_text(loaded.match, held.move) if loaded and held else None
                if text is None or held is None:
                    continue
                moves[name], waits[name] = text.notation, held.until - held.received
                said |= dict.fromkeys(unseal(conn, text.says).values())
            case MovePlayed(notation=notation):
                moves[name], waits[name] = notation, timedelta(0)
            case MessageSaid(text=digest):
                said |= dict.fromkeys(unseal(conn, [digest]).values())
            case _:
                pass
    return Outcome(
        moves=moves,
        waits=waits,
        said=tuple(said),
        events=tuple(type(event).__name__ for _, event in news),
        notices=tuple(one for row in mails for one in codec.load(row.notices)),
        told=told,
        disposition=letter.disposition or letter.state,
        code=letter.code,
    )
