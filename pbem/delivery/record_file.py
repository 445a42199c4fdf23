"""The record of a match as a file: the events that its reader may know, a JSON object a line.

Before the end it is an excerpt: what others must not know, be it only that it happened, is not in
it, and so neither are hashes, which would tell that something is missing. After the end it is what
the operator exports, but for the chains' secrets and for what stays private.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pbem.delivery.player_traces import owner_of
from pbem.mail.compose import Attachment
from pbem.matches import events
from pbem.matches.match import Match, Status, evolve, initial
from pbem.store.codec import canonical, digests, instant_text
from pbem.store.log import event_log, exchange
from pbem.transaction.installation import match_stream, secrets_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.names import Digest, PlayerId
    from pbem.store.log.recorded import RecordedEvent
    from pbem.transaction.installation import Loaded

PLAIN: Final = 300_000
"""Bytes up to which a file is sent as it is; a longer one is packed to about a tenth."""

LONGEST: Final = 1_000_000
"""Bytes of a file that every mailbox takes."""


@dataclass(frozen=True, slots=True)
class _Met:
    """An event, and whether it is the reader's own."""

    recorded: RecordedEvent
    event: events.Event
    own: bool

    def is_for(self, *, seated: bool, over: bool) -> bool:
        """Whether the reader may know that it happened."""
        return self.own or self.event.visible.event.may_see(seated=seated, over=over)


def record_file(
    conn: Connection, loaded: Loaded, reader: PlayerId, names: Mapping[PlayerId, str]
) -> Attachment | None:
    """The record as its reader may have it; None where it is too long for a mail."""
    match = loaded.match
    name = f"{match.game.key}-{match.id}.jsonl"
    text = "".join(f"{line}\n" for line in record_file_lines(conn, loaded, reader, names))
    data = text.encode()
    if len(data) <= PLAIN:
        return Attachment(name, "application/jsonl", data)
    packed = gzip.compress(data, mtime=0)
    return Attachment(f"{name}.gz", "application/gzip", packed) if len(packed) <= LONGEST else None


def record_file_lines(
    conn: Connection, loaded: Loaded, reader: PlayerId, names: Mapping[PlayerId, str]
) -> Iterator[str]:
    """The lines of the file: what it is, who plays, events, and the sealed texts of events."""
    match = loaded.match
    met = _met(conn, loaded, reader)
    seated = reader in match.entrants
    if match.status is Status.ENDED:
        yield from _whole(conn, loaded, met, seated=seated)
    else:
        met = [one for one in met if one.is_for(seated=seated, over=False)]
        yield canonical({"excerpt": match_stream(match.id), "format": exchange.FORMAT})
        yield from _excerpt(met, seated=seated)
    called = {player: names[player] for player in match.entrants if player in names}
    yield from exchange.name_lines(called)
    yield from exchange.sealed_lines(conn, list(_readable(met, match, seated=seated)))


def _met(conn: Connection, loaded: Loaded, reader: PlayerId) -> list[_Met]:
    recorded = event_log.load(conn, match_stream(loaded.match.id))[: loaded.head.version]
    happened = event_log.match_events_of(recorded)
    state = initial(loaded.match.id, secrets_of(conn, happened))
    met = []
    for one, event in zip(recorded, happened, strict=True):
        met.append(_Met(one, event, owner_of(event, state) == reader))
        state = evolve(state, event)
    return met


def _readable(met: Sequence[_Met], match: Match, *, seated: bool) -> Iterator[Digest]:
    """The sealed texts that the reader may know. What was held and not played stays with its own.

    Secret draws are opened by an event of their own.
    """
    over = match.status is Status.ENDED
    for one in met:
        if one.own or one.event.visible.texts.may_see(seated=seated, over=over):
            yield from digests(one.event)


# --- before the end ------------------------------------------------------------------------------


def _excerpt(met: Sequence[_Met], *, seated: bool) -> Iterator[str]:
    """Events without hashes and numbers; letters are told apart by numbers of their own."""
    letters: dict[str, str] = {}
    for one in met:
        cause = event_log.cause_of(one.recorded)
        data: dict[str, Any] = json.loads(one.recorded.data)
        if isinstance(one.event, events.MovePlayed) and not one.own:
            data["typed"] = ""  # it may say more than the move: a face that nobody has seen
            data["comment"] = data["comment"] if seated else None
        yield canonical(
            {
                "stream": one.recorded.stream,
                "type": one.recorded.type,
                "schema": one.recorded.schema,
                "data": data,
                "meta": {"caused_by": letters.setdefault(cause, str(len(letters) + 1))},
                "recorded_at": instant_text(one.recorded.recorded_at),
            }
        )


# --- after the end -------------------------------------------------------------------------------


def _whole(conn: Connection, loaded: Loaded, met: Sequence[_Met], *, seated: bool) -> Iterator[str]:
    """The events in their frames; of those that stay private only the hash, for the chain."""
    yield from exchange.stream_line(conn, match_stream(loaded.match.id), loaded.head)
    for one in met:
        if one.is_for(seated=seated, over=True):
            yield exchange.frame(one.recorded)
        else:
            yield exchange.withheld_line(one.recorded)
