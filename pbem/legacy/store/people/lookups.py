"""What is looked up of people at once: of those who read mails, and of who wrote a letter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import BindParameter, and_, bindparam, func, literal, or_, select, union

from pbem.names import MatchId, PlayerId
from pbem.legacy.store import tables
from pbem.legacy.store.log.event_log import Head
from pbem.legacy.store.people import personal, roster
from pbem.legacy.store.prepared import Prepared

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.store.people.personal import Generation, Generations
    from pbem.legacy.store.people.roster import PlayerRow


# --- mail readers --------------------------------------------------------------------------------
# What mails that are written together need of people, in one statement.


@dataclass(frozen=True, slots=True)
class MailReaders:
    """Readers of mails, and everybody who sat down in the matches that these speak of.

    `generations` are those of their reply addresses in these matches and in all others; `seated`
    has the names by which they sat down, by seat, for each of the matches; `versions` are those of
    the people's own streams.
    """

    people: dict[PlayerId, PlayerRow]
    generations: dict[PlayerId, list[Generation]]
    seated: dict[MatchId, dict[int, str]]
    versions: dict[PlayerId, int]


_P, _R, _N = tables.player.c, tables.reply_address.c, tables.seat_name.c
_S = tables.stream.c

_MATCHES: BindParameter[list[str]] = bindparam("matches", expanding=True)
_SAT = tables.seat_name.alias("sat").c
_READING = tables.player.alias("reading").c

_READERS = Prepared(
    roster.SELECTED.add_columns(
        _S.version,
        _R.generation.label("alive"),
        _R.since,
        _R.match,
        _N.match.label("here"),
        _N.seat,
        _N.name,
    )
    .outerjoin(tables.stream, _S.id == literal("player-") + _P.id)
    .outerjoin(
        tables.reply_address,
        and_(
            _R.player == _P.id,
            _R.revoked_at.is_(None),
            or_(_R.match.is_(None), _R.match.in_(_MATCHES)),
        ),
    )
    .outerjoin(tables.seat_name, and_(_N.player == _P.id, _N.match.in_(_MATCHES)))
    # Not by OR, for which PostgreSQL goes through all players.
    .where(
        _P.id.in_(
            union(
                select(_READING.id).where(_READING.id.in_(bindparam("readers", expanding=True))),
                select(_SAT.player).where(_SAT.match.in_(_MATCHES)),
            )
        )
    )
    .order_by(_R.generation)
)
_OF_PLAYER = len(roster.SELECTED.selected_columns)


def of_readers(
    conn: Connection, readers: Collection[PlayerId], matches: Collection[MatchId]
) -> MailReaders:
    """Who reads mails about these matches, and who sat down in them; whoever is gone is missing."""
    people: dict[PlayerId, PlayerRow] = {}
    versions: dict[PlayerId, int] = {}
    alive: defaultdict[PlayerId, dict[int, Generation]] = defaultdict(dict)
    seated: dict[MatchId, dict[int, str]] = {match: {} for match in matches}
    wanted = {
        "readers": sorted(readers),
        "matches": sorted({*matches, personal.ACCOUNT}),
    }
    for row in _READERS.rows(conn, wanted):
        player, (version, number, since, match, here, seat, name) = (
            PlayerId(row[0]),
            row[_OF_PLAYER:],
        )
        if player not in people:
            people[player] = roster.player_row(row[:_OF_PLAYER])
            versions[player] = version or 0
        if number is not None:
            alive[player][number] = personal.Generation(number, since, match)
        if here is not None:
            seated[MatchId(here)][seat] = name
    generations = {player: list(found.values()) for player, found in alive.items()}
    return MailReaders(people, generations, seated, versions)


# --- writers -------------------------------------------------------------------------------------
# A letter is read and then taken, and each time the same is asked: how far the match has come, who
# sits in it, which of the writer's addresses are alive, and how much of theirs waits.


@dataclass(frozen=True, slots=True)
class WriterFacts:
    """A match and a writer of letters, as they are in this unit of work.

    `head` is that of the stream that was asked for, `people` are the rows of the writer and of
    those who were asked for beside them, `generations` the writer's in the match. `waiting` letters
    of theirs wait for room, which `bucket_empty_at` tells of, and `questions` for their answer.
    """

    head: Head | None
    people: Mapping[PlayerId, PlayerRow]
    generations: Generations
    waiting: int
    questions: int
    bucket_empty_at: datetime | None


_I, _Q = tables.inbox.c, tables.question.c

_WRITER: BindParameter[str] = bindparam("writer")

_WAITING = select(func.count(_I.number)).where(_I.player == _WRITER, _I.state == "waits")
_QUESTIONS = select(func.count(_Q.number)).where(
    _Q.player == _WRITER, _Q.answered_at.is_(None), _Q.expires_at > bindparam("now")
)
_EMPTY_AT = select(tables.rate.c.empty_at).where(tables.rate.c.key == bindparam("bucket"))

_FACTS = Prepared(
    roster.SELECTED.add_columns(
        _S.version,
        _S.head_hash,
        _R.generation.label("alive"),
        _R.since,
        _R.match,
        _WAITING.scalar_subquery(),
        _QUESTIONS.scalar_subquery(),
        _EMPTY_AT.scalar_subquery(),
    )
    .outerjoin(tables.stream, _S.id == bindparam("of_stream"))
    .outerjoin(
        tables.reply_address,
        and_(
            _R.player == _P.id,
            _R.player == _WRITER,
            _R.revoked_at.is_(None),
            or_(_R.match.is_(None), _R.match == bindparam("of_match")),
        ),
    )
    .where(_P.id.in_(bindparam("wanted", expanding=True)))
    .order_by(_R.generation)
)


def of_writer(
    conn: Connection,
    writer: PlayerId,
    *,
    bucket: str,
    now: datetime,
    match: MatchId | None = None,
    stream: str | None = None,
    besides: Collection[PlayerId] = (),
) -> WriterFacts:
    """What there is to know of a writer, of a match and its stream, and of others in it.

    `bucket` is the one in which their letters are counted.
    """
    rows = _FACTS.rows(
        conn,
        {
            "writer": writer,
            "of_stream": stream,
            "of_match": match,
            "bucket": bucket,
            "now": now,
            "wanted": [writer, *(one for one in besides if one != writer)],
        },
    )
    people: dict[PlayerId, PlayerRow] = {}
    generations = []
    head, waiting, questions, empty_at = None, 0, 0, None
    for row in rows:
        version, head_hash, *generation, waiting, questions, empty_at = row[_OF_PLAYER:]
        if row[0] not in people:
            people[PlayerId(row[0])] = roster.player_row(row[:_OF_PLAYER])
        if version is not None:
            head = Head(version, head_hash)
        if generation[0] is not None:
            generations.append(personal.Generation(*generation))
    return WriterFacts(head, people, generations, waiting, questions, empty_at)
