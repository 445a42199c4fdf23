"""The kinds of columns that the tables are made of."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Dialect, Integer
from sqlalchemy.types import LargeBinary, String, TypeDecorator
from sqlmodel import Field

from pbem.store.codec import instant_of, instant_text
from pbem.store.damage import Damaged
from pbem.store.packing import DamagedBytes, pack, pack_text, unpack, unpack_text


class Instant(TypeDecorator[datetime]):
    """A time with its zone, stored as text of fixed length, so that text order is time order.

    The same on every database: SQLite forgets zones, and hashed values must be the same text.
    """

    impl = String(27)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        """A time as text."""
        del dialect
        return None if value is None else instant_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        """The text as a time in UTC."""
        del dialect
        try:
            return None if value is None else instant_of(value)
        except (TypeError, ValueError):
            # Without what stands there in place of a time.
            raise Damaged("a time in the database is damaged: see `pbem check --deep`") from None


class Packed(TypeDecorator[bytes]):
    """A mail or letter, compressed on disk.

    What is damaged is read as nothing, as if it had been kept no longer: it must neither be sent
    nor keep others from being read. `packing.unpack` tells it.
    """

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """The bytes as they are kept."""
        del dialect
        return None if value is None else pack(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """The bytes as they were."""
        del dialect
        if value is None:
            return None
        try:
            return unpack(value)
        except DamagedBytes:
            return None


class PackedText(TypeDecorator[str]):
    """A text of letters and digits, compressed on disk where that is shorter."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The text as it is kept."""
        del dialect
        return None if value is None else pack_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """The text as it was; nothing of one that is damaged."""
        del dialect
        try:
            return None if value is None else unpack_text(value)
        except DamagedBytes:
            return ""


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


def json_of(shape: type, default: str | None = None) -> Any:
    """JSON: a list, or an object."""
    given: dict[str, Any] = {} if default is None else {"default": default}
    return Field(sa_column_kwargs=_says(json=shape), **given)


def _says(**what: object) -> dict[str, Any]:
    """What a column holds besides its kind; `rows` holds each row to it."""
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
