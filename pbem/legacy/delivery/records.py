"""What is told in full: the record of a match, all that is held on a player, their matches."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, cast

from pbem.games.game import Seat
from pbem.legacy.mail.compose import Attachment
from pbem.legacy.matches import events
from pbem.legacy.matches.events import Event
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.replay import evolve, initial
from pbem.legacy.matches.steps import OPEN
from pbem.legacy.matches.window import MoveHeld, held_text
from pbem.names import Digest, MatchId, PlayerId
from pbem.legacy.notices.replies import GamesListed
from pbem.legacy.notices.views.clean import clean
from pbem.legacy.notices.views.scene import Holding
from pbem.legacy.store import still, views
from pbem.legacy.store.codec import canonical, digests, encode, instant_text
from pbem.legacy.store.log import event_log, exchange, sealed
from pbem.legacy.store.people import personal
from pbem.legacy.transaction.installation import match_stream, player_stream, secrets_of
from pbem.legacy.transaction.transaction import Transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.names import Digest
    from pbem.legacy.store.log.event_log import RecordedEvent
    from pbem.legacy.transaction.installation import Loaded


# --- player traces -------------------------------------------------------------------------------
# What a player has left in the streams of matches: events of their own, and texts that they name.
#
# Texts that a replay needs (secret draws, orders given in advance) are no traces: without them the
# match could neither go on nor be checked.


@dataclass(frozen=True, slots=True)
class Trace:
    """An event that is a player's own; `texts` are the sealed texts that can be told and go."""

    match: MatchId
    at: datetime
    event: Event
    texts: tuple[Digest, ...]


def traces(conn: Connection, player: PlayerId) -> Iterator[Trace]:
    """Every event of a player in every match, match by match in their order."""
    for stream in personal.streams_touched(conn, player):
        yield from _in_stream(conn, stream, player)


def _in_stream(conn: Connection, stream: str, player: PlayerId) -> Iterator[Trace]:
    name = MatchId(stream.partition("-")[2])
    recorded = event_log.load(conn, stream)
    events = [cast("Event", event_log.event_of(one)) for one in recorded]
    secrets = secrets_of(conn, events)
    state = initial(name, secrets)
    for one, event in zip(recorded, events, strict=True):
        if owner_of(event, state) == player:
            texts = [text for text in digests(event) if text not in secrets]
            if isinstance(event, MoveHeld) and (held := held_text(state, event.move)) is not None:
                texts += held.says  # what went out with it, or never did
            yield Trace(name, one.recorded_at, event, tuple(texts))
        state = evolve(state, event)


def owner_of(event: Event, state: Match) -> PlayerId | None:
    """Whose event it is, by the state that it met: seats may change hands."""
    for field in ("author", "left", "player"):
        named = getattr(event, field, None)
        if isinstance(named, str):
            return PlayerId(named)
    seat = getattr(event, "seat", None)
    if isinstance(seat, int) and state.status in (Status.RUNNING, Status.ENDED):
        return state.player_at(Seat(seat))
    return None


def own_names(conn: Connection, player: PlayerId) -> list[Digest]:
    """The sealed texts of the player's own stream: what they were called."""
    recorded = event_log.load(conn, player_stream(player))
    return [text for one in recorded for text in digests(event_log.event_of(one))]


# --- record file ---------------------------------------------------------------------------------
# The record of a match as a file: the events that its reader may know, a JSON object a line.
#
# Before the end it is an excerpt: what others must not know, be it only that it happened, is not
# in it, and so neither are hashes, which would tell that something is missing. After the end it
# is what the operator exports, but for the chains' secrets and for what stays private.

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
    seated = reader in match.table.entrants
    if match.status is Status.ENDED:
        yield from _whole(conn, loaded, met, seated=seated)
    else:
        met = [one for one in met if one.is_for(seated=seated, over=False)]
        yield canonical({"excerpt": match_stream(match.id), "format": exchange.FORMAT})
        yield from _excerpt(met, seated=seated)
    called = {player: names[player] for player in match.table.entrants if player in names}
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


# --- personal data -------------------------------------------------------------------------------
# All that is held on one player, for the mail that tells it: rows, own events, kept mails.

LONGEST_DATA: Final = 60_000
"""Characters of all of it: more than that no mail program likes. The rest is told by its number."""

_ROWS: Final = ("question", "rate", "timer", "inbox", "outbox", "fingerprint", "match_watcher",
         "seat_name")  # fmt: skip


def holdings(conn: Connection, player: PlayerId) -> tuple[Holding, ...]:
    """What is held, most personal first; what is beyond the longest mail is only counted."""
    room = LONGEST_DATA
    found = []
    for name, items in _sections(conn, player):
        lines = [clean(json.dumps(item, ensure_ascii=False, default=_plain)) for item in items]
        fit = _fitting(lines, room)
        room -= sum(len(line) for line in lines[:fit])
        found.append(Holding(name, len(lines), tuple(lines[:fit])))
    return tuple(found)


def _fitting(lines: list[str], room: int) -> int:
    for number, line in enumerate(lines):
        room -= len(line)
        if room < 0:
            return number
    return len(lines)


def _sections(
    conn: Connection, player: PlayerId
) -> Iterator[tuple[str, Iterable[Mapping[str, Any]]]]:
    for table in ("player", "address", "reply_address"):
        yield table, personal.rows_of(conn, table, player)
    yield "stream", _own_stream(conn, player)
    yield "matches", _own_events(conn, player)
    for table in _ROWS:
        yield table, personal.rows_of(conn, table, player)


def _own_stream(conn: Connection, player: PlayerId) -> Iterator[Mapping[str, Any]]:
    for one in event_log.load(conn, player_stream(player)):
        event = event_log.event_of(one)
        texts = sealed.unseal(conn, list(digests(event)))
        yield {"at": one.recorded_at, "event": one.type, **_opened(one.data, texts)}


def _own_events(conn: Connection, player: PlayerId) -> Iterator[Mapping[str, Any]]:
    """Moves, messages, notes, and whatever else the player did in matches, with its texts."""
    for trace in traces(conn, player):
        form = encode(trace.event)
        texts = sealed.unseal(conn, list(digests(trace.event)))
        head = {"match": trace.match, "at": trace.at, "event": form.type}
        yield {**head, **_opened(form.data, texts)}
    for stream in personal.tournaments_touched(conn, player):
        for one in event_log.load(conn, stream):
            # What names somebody beside others (groups, tables, results) is no event of theirs.
            if json.loads(one.data).get("player") == player:
                head = {"tournament": stream.partition("-")[2], "at": one.recorded_at}
                yield {**head, "event": one.type, **_opened(one.data, {})}


def _opened(data: str, texts: Mapping[Any, str]) -> dict[str, Any]:
    """The fields of an event that say something, with texts in place of their digests."""
    fields = json.loads(data)
    return {
        name: texts.get(value, value) if isinstance(value, str) else value
        for name, value in fields.items()
        if value not in (None, "", False, [], {})
    }


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    raise TypeError(f"{value!r} has no place in a mail")


# --- games listed --------------------------------------------------------------------------------
# The matches of a player, as a mail lists them.


def list_games(txn: Transaction, *, boards: bool, resumed: bool = False) -> None:
    """Owe the sender the list of their matches; with boards, those that wait for them."""
    txn.answer(games_of(txn, txn.sender, boards=boards, resumed=resumed))


def games_of(txn: Transaction, player: PlayerId, *, boards: bool, resumed: bool) -> GamesListed:
    """The list of a player's matches; with boards, those that wait for the player.

    First come those that wait for the player, then those that wait for others, each the longest
    first.
    """
    rows = views.matches_of(txn.conn, player, OPEN)
    stand = {one.match for one in still.standing(txn.conn)}
    waiting = (row for row in rows if player in row.to_act and row.id not in stand)
    mine = [row for row in waiting if not _holds(txn, row.id, player)]
    others = [row for row in rows if row not in mine]
    shown = (mine if boards else [*mine, *others])[:LISTED]
    return GamesListed(
        matches=tuple(row.id for row in shown),
        boards=boards,
        resumed=resumed,
        since={row.id: row.waiting_since.isoformat() for row in shown if row.waiting_since},
        watched=() if boards else tuple(views.watched(txn.conn, player)),
    )


def _holds(txn: Transaction, match: MatchId, player: PlayerId) -> bool:
    """Whether the player has moved there already, and nobody knows it yet."""
    loaded = txn.found(match)
    seat = loaded.match.seat_of(player) if loaded is not None else None
    return loaded is not None and seat in loaded.match.pending.held


LISTED: Final = 50
"""Matches that are named at most where one of them must be."""
