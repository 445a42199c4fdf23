"""The kinds of columns that the tables are made of, and what both engines spell alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypeVar, cast, get_args

from sqlalchemy import BigInteger, Dialect, Index, Integer, MetaData, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.types import LargeBinary, String, TypeDecorator
from sqlmodel import Field, SQLModel

from pbem.legacy.store.codec import instant_of, instant_text
from pbem.legacy.store.damage import Damaged
from pbem.legacy.store.packing import DamagedBytes, pack, pack_text, unpack, unpack_text

T = TypeVar("T")

# --- columns -------------------------------------------------------------------------------------
# The kinds of columns that the tables are made of.


class Kept(TypeDecorator[T]):
    """What is kept in another form than it is used in.

    `prepared.py` calls `into` and `out_of` by itself, for all rows in one pass. What is damaged and
    has a `nothing` is read as that: it must neither be used nor keep others from being read.
    """

    into: Callable[[Any], Any]
    out_of: Callable[[Any], Any]
    nothing: Any = None

    def process_bind_param(self, value: T | None, dialect: Dialect) -> Any:
        """The value as it is kept."""
        del dialect
        return None if value is None else self.into(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> T | None:
        """The value as it was."""
        del dialect
        try:
            return None if value is None else cast("T", self.out_of(value))
        except DamagedBytes:
            return cast("T", self.nothing)
        except (TypeError, ValueError):
            raise Damaged(DAMAGED_TIME) from None


DAMAGED_TIME: Final = "a time in the database is damaged: see `pbem check --deep`"
"""Without what stands there in place of a time."""


class Instant(Kept[datetime]):
    """A time with its zone, stored as text of fixed length, so that text order is time order.

    The same on every database: SQLite forgets zones, and hashed values must be the same text.
    """

    impl = String(27)
    cache_ok = True
    into = staticmethod(instant_text)
    out_of = staticmethod(instant_of)


class Packed(Kept[bytes]):
    """A mail or letter, compressed on disk; nothing of one that is damaged."""

    impl = LargeBinary
    cache_ok = True
    into = staticmethod(pack)
    out_of = staticmethod(unpack)


class PackedText(Kept[str]):
    """A text of letters and digits, compressed where that is shorter; empty where damaged."""

    impl = String
    cache_ok = True
    into = staticmethod(pack_text)
    out_of = staticmethod(unpack_text)
    nothing = ""


BIG = BigInteger().with_variant(Integer, "sqlite")
"""On SQLite only INTEGER is the row's own number; it has 64 bits there."""

NEVER_AGAIN: dict[str, Any] = {"sqlite_autoincrement": True}
"""Numbers of deleted rows are not given again."""


def counted() -> Any:
    """A number that we give ourselves."""
    return Field(primary_key=True, sa_type=BIG, sa_column_kwargs={"autoincrement": False})


def numbered() -> Any:
    """A number that the database gives."""
    return Field(default=None, primary_key=True, sa_type=BIG)


def big() -> Any:
    """A number of 64 bits."""
    return Field(sa_type=BIG)


def at() -> Any:
    """A time."""
    return Field(sa_type=Instant)


def at_or_never() -> Any:
    """A time, or none."""
    return Field(default=None, sa_type=Instant, nullable=True)


def ahead() -> Any:
    """A time that may lie ahead; all others have been."""
    return Field(sa_type=Instant, sa_column_kwargs=_says(ahead=True))


def ahead_or_never() -> Any:
    """A time that may lie ahead, or none."""
    return Field(default=None, sa_type=Instant, nullable=True, sa_column_kwargs=_says(ahead=True))


def one_of(values: Collection[str]) -> Any:
    """One of these words."""
    return Field(sa_column_kwargs=_says(one_of=frozenset(values)))


def kind_of_work() -> Any:
    """A word whose values are known to those who do the work, not to the store."""
    return Field(sa_column_kwargs=_says(kinds=True))


def names(where: str, *, key: bool = False, optional: bool = False) -> Any:
    """The name of what has a row (`match.id`), or `people`: of whoever plays or has played here."""
    default: dict[str, Any] = {"default": None, "nullable": True} if optional else {}
    return Field(primary_key=key, sa_column_kwargs=_says(names=where), **default)


def json_of(shape: type, default: str | None = None, *, key: bool = False) -> Any:
    """JSON: a list, or an object."""
    given: dict[str, Any] = {} if default is None else {"default": default}
    given |= {"primary_key": True} if key else {}
    return Field(sa_column_kwargs=_says(json=shape), **given)


def _says(**what: object) -> dict[str, Any]:
    """What a column holds besides its kind; the deep check holds each row to it."""
    return {"info": what}


def packed() -> Any:
    """A mail or letter."""
    return Field(sa_type=Packed)


def packed_or_none() -> Any:
    """A mail that is written when it is sent."""
    return Field(default=None, sa_type=Packed, nullable=True)


def packed_text() -> Any:
    """A text of letters and digits."""
    return Field(sa_type=PackedText)


# --- own tables ----------------------------------------------------------------------------------
# What all tables are made from, and the tables in which the store keeps its own books.


class Base(SQLModel):
    """A table; constraints and indexes have the same names on every database."""

    metadata: ClassVar[MetaData] = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class Projection(Base, table=True):
    """How far a view has been built, and by which version of its code."""

    __tablename__ = "projection"
    name: str = Field(primary_key=True)
    code_version: int
    position: int = big()


class Result(Base, table=True):
    """What a match that ended was for one of the people in it, at the place of its end in the log.

    `won`: of who comes first alone or with some; `turns`, of which so many came `late`; `lost` on
    time. `rating`, `deviation` and `volatility` are those after it, empty where it changed none,
    and `unrated` says why. Made of the log, in the build of its name, like `rating`.
    """

    __tablename__ = "result"
    __table_args__: ClassVar[dict[str, Any]] = {"sqlite_with_rowid": False}
    build: int = Field(primary_key=True)
    player: str = names("people", key=True)
    game: str = Field(primary_key=True)
    position: int = Field(primary_key=True, sa_type=BIG)
    match: str = names("match.id")
    ended_at: datetime = at()
    place: int
    won: bool
    turns: int
    late: int
    lost: bool
    unrated: str
    rating: float | None = None
    deviation: float | None = None
    volatility: float | None = None


class Rating(Base, table=True):
    """How good somebody is in a game: what the last rated match has come to, and how many."""

    __tablename__ = "rating"
    __table_args__ = (
        Index("ix_rating_best", "build", "game", "rating", "listed_until"),
        {"sqlite_with_rowid": False},
    )
    build: int = Field(primary_key=True)
    game: str = Field(primary_key=True)
    player: str = names("people", key=True)
    rating: float
    deviation: float
    volatility: float
    changed_at: datetime = at()
    listed_until: datetime = ahead()
    played: int
    won: int


class Identity(Base, table=True):
    """One row: the key of this database, and for which other one it was left, if it was."""

    __tablename__ = "identity"
    key: str = Field(primary_key=True)
    left_for: str


class Touched(Base, table=True):
    """A row that was written in this transaction: `tbl` is its table, `key` its key as one text."""

    __tablename__ = "touched"
    __table_args__: ClassVar[dict[str, Any]] = {"sqlite_with_rowid": False}
    tbl: str = Field(primary_key=True)
    key: str = Field(primary_key=True)


class RowSum(Base, table=True):
    """The checksum of a row as it was written last."""

    __tablename__ = "row_sum"
    __table_args__: ClassVar[dict[str, Any]] = {"sqlite_with_rowid": False}
    tbl: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    sum: bytes


# --- dialects ------------------------------------------------------------------------------------
# The two statements that SQLite and PostgreSQL spell alike and SQLAlchemy does not.
#
# Never for events: what is appended there either fits or fails.

PerDialect: TypeAlias = Mapping[str, sqlite.Insert | postgresql.Insert]
"""A statement by the name of its dialect: `conn.execute(STATEMENT[conn.dialect.name], ...)`."""


def insert_absent(table: Table, *key: str) -> PerDialect:
    """Insert rows; those whose key is there already change nothing."""
    return {
        "sqlite": sqlite.insert(table).on_conflict_do_nothing(index_elements=key),
        "postgresql": postgresql.insert(table).on_conflict_do_nothing(index_elements=key),
    }


def insert_or_update(table: Table, *key: str, keep: tuple[str, ...] = ()) -> PerDialect:
    """Insert rows; those whose key is there already get the new values, but for `keep`."""
    return {
        "sqlite": _updating(sqlite.insert(table), table, key, keep),
        "postgresql": _updating(postgresql.insert(table), table, key, keep),
    }


def adding(table: Table, *counts: str) -> PerDialect:
    """Insert a row; to the one with its key that is there already, its counts are added."""
    made = {}
    for name, insert in (
        ("sqlite", sqlite.insert(table)),
        ("postgresql", postgresql.insert(table)),
    ):
        new = {one: table.c[one] + insert.excluded[one] for one in counts}
        made[name] = insert.on_conflict_do_update(index_elements=table.primary_key, set_=new)
    return made


def _updating(
    insert: sqlite.Insert | postgresql.Insert,
    table: Table,
    key: tuple[str, ...],
    keep: tuple[str, ...],
) -> sqlite.Insert | postgresql.Insert:
    new = {
        column.name: insert.excluded[column.name]
        for column in table.columns
        if column.name not in {*key, *keep}
    }
    return insert.on_conflict_do_update(index_elements=key, set_=new)


# --- states --------------------------------------------------------------------------------------
# The words for how far a letter or a mail has come.

LetterState = Literal["new", "waits", "done", "refused", "shunted"]

MailState = Literal["new", "held", "leased", "failed", "sent", "bounced", "superseded", "dead"]

LETTERS: Final = get_args(LetterState)
MAILS: Final = get_args(MailState)
