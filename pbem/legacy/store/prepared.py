"""Statements of the hot path: built and compiled once, then run with values.

SQLAlchemy Core writes them, for every database alike. On SQLite they go straight to the driver:
the way through Core costs several times what the statement itself does. Who listens to the engine
hears of them as of all others.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.visitors import cloned_traverse

from pbem.legacy.store.codec import instant_text
from pbem.legacy.store.columns import DAMAGED_TIME, Instant, Kept, PerDialect
from pbem.legacy.store.damage import Damaged
from pbem.legacy.store.packing import DamagedBytes

if TYPE_CHECKING:
    from sqlalchemy import BindParameter, Connection, Dialect
    from sqlalchemy.sql import CompoundSelect, Delete, Insert, Select, Update
    from sqlalchemy.types import TypeEngine

Values: TypeAlias = Mapping[str, Any]
Row: TypeAlias = tuple[Any, ...]
_Process: TypeAlias = Callable[[Any], Any]
_Key: TypeAlias = tuple[str | int, ...]


MANY: Final = 100
"""So many rows are worth a COPY."""

LENGTHS: Final = 64
"""Lengths of lists that a statement is kept for, of all lists together."""


class _Compiled(NamedTuple):
    """A statement for one database: its text, its values in order, and how rows are read.

    `times` are the places of times among the values; `into` and `out` have the places of what is
    kept in another form, with what makes it of a value and reads it, and what is damaged reads as.
    `copies` is how PostgreSQL is told of many rows at once, where it is an INSERT.
    """

    text: str
    names: tuple[str, ...]
    given: Values
    times: tuple[int, ...]
    into: tuple[tuple[int, _Process], ...]
    out: tuple[tuple[int, _Process, object], ...]
    copies: str


class Prepared:
    """A statement that is compiled when it is first run.

    `insert` names the columns of an INSERT; of other statements every value has a bindparam. A
    list is the value of an expanding bindparam, of what stands in a set: it is compiled anew for
    each length, of which there are few, since longer ones end with their last value repeated.
    """

    def __init__(
        self,
        statement: Select[Any] | CompoundSelect[Any] | Update | Delete | Insert | PerDialect,
        insert: Sequence[str] = (),
    ) -> None:
        """Compile nothing yet: many a command needs few of all statements."""
        self._statement = statement
        self._insert: Final = list(insert) or None
        self._compiled: dict[_Key, _Compiled] = {}

    def rows(self, conn: Connection, values: Values) -> list[Row]:
        """All rows that it finds, as values in the order of its columns."""
        compiled, cursor = self._run(conn, (values,))
        try:
            found = cursor.fetchall()
        except sqlite3.Error as error:
            raise _told(conn, compiled, error) from error
        finally:
            # A statement that stopped halfway would hold its view of the database for all others.
            cursor.close()
        read = []
        for row in found:
            one = list(row)
            for place, process, nothing in compiled.out:
                if (kept := one[place]) is not None:
                    try:
                        one[place] = process(kept)
                    except DamagedBytes:
                        one[place] = nothing
                    except (TypeError, ValueError):
                        raise Damaged(DAMAGED_TIME) from None
            read.append(tuple(one))
        return read

    def first(self, conn: Connection, values: Values) -> Row | None:
        """The first row that it finds, or None."""
        return next(iter(self.rows(conn, values)), None)

    def write(self, conn: Connection, *rows: Values) -> int:
        """Run it once for each row of values; how many rows of the table it changed."""
        _, cursor = self._run(conn, rows)
        return int(cursor.rowcount)

    def add(self, conn: Connection, rows: Sequence[Row]) -> None:
        """Insert rows that have the values of the columns named by `insert`, in the table's order.

        Nothing is looked up by its name: where very many are written, that is half of the time.
        """
        if rows:
            self._run(conn, rows)

    def _run(self, conn: Connection, rows: Sequence[Values | Row]) -> tuple[_Compiled, Any]:
        """The statement for this database, and a cursor of it, which has been run."""
        lengths: dict[str, int] = {}
        first = rows[0]
        if not isinstance(first, tuple) and any(type(value) is list for value in first.values()):
            rows = (_flat(first, lengths),)
        key: _Key = (conn.dialect.name, *lengths.values())
        compiled = self._compiled.get(key) or self._compile(conn.dialect, lengths)
        given, bound = compiled.given, []
        for row in rows:
            one = (
                [*row]
                if isinstance(row, tuple)
                else [row[name] if name in row else given[name] for name in compiled.names]
            )
            for place in compiled.times:
                if (at := one[place]) is not None:
                    # Nearly all are in UTC, and need not be brought there.
                    text = at.isoformat(timespec="microseconds") if at.tzinfo is UTC else ""
                    one[place] = f"{text[:-6]}Z" if text else instant_text(at)
            for place, process in compiled.into:
                if (value := one[place]) is not None:
                    one[place] = process(value)
            bound.append(one)
        listened = conn.engine.dispatch.before_cursor_execute or not conn.in_transaction()
        if listened or conn.dialect.name != "sqlite":
            # Also where no transaction has begun yet: Core begins it.
            if isinstance(first, tuple) and len(rows) >= MANY and conn.dialect.name == "postgresql":
                return compiled, _copied(conn, compiled, bound)
            return compiled, _by_core(conn, compiled, bound)
        driver = cast("sqlite3.Connection", conn.connection.driver_connection)
        run: Callable[..., Any] = driver.execute if len(bound) == 1 else driver.executemany
        try:
            return compiled, run(compiled.text, bound[0] if len(bound) == 1 else bound)
        except sqlite3.Error as error:
            raise _told(conn, compiled, error) from error

    def _compile(self, dialect: Dialect, lengths: Mapping[str, int]) -> _Compiled:
        statement: Any = self._statement
        if isinstance(statement, Mapping):
            statement = statement[dialect.name]
        known = statement.compile(dialect=dialect, column_keys=self._insert).binds
        types = {name: bind.type for name, bind in known.items()}
        # What stands in the text of a list hangs on its length only; no value does.
        lists = {name: [None] * count for name, count in lengths.items()}
        single = {name: None for name, bind in known.items() if bind.required}
        made = _with_values(statement, {**single, **lists}).compile(
            dialect=dialect,
            column_keys=self._insert,
            compile_kwargs={"render_postcompile": True},
        )
        for name, count in lengths.items():
            types |= {f"{name}_{n}": types[name] for n in range(1, count + 1)}
        names = tuple(made.positiontup if made.positional else made.params)
        kinds = [types[name] for name in names]
        columns = [column.type for column in made._result_columns]  # noqa: SLF001
        compiled = _Compiled(
            text=made.string,
            names=names,
            given={n: bind.effective_value for n, bind in known.items() if not bind.required},
            times=tuple(n for n, kind in enumerate(kinds) if isinstance(kind, Instant)),
            into=tuple(
                (n, process)
                for n, kind in enumerate(kinds)
                if not isinstance(kind, Instant)
                and (process := _binding(kind, dialect)) is not None
            ),
            out=tuple(
                (n, process, getattr(kind, "nothing", None))
                for n, kind in enumerate(columns)
                if (process := _reading(kind, dialect)) is not None
            ),
            copies=f"COPY {statement.table.name} ({', '.join(names)}) FROM STDIN"
            if self._insert
            else "",
        )
        if len(self._compiled) >= LENGTHS:
            self._compiled.clear()
        self._compiled[dialect.name, *lengths.values()] = compiled
        return compiled


def _with_values(statement: Any, values: Values) -> Any:
    """As `params` does, which no UPDATE has; what never changes becomes part of the text.

    SQLite compiles a statement anew, each time it runs, where a value decides whether an index of
    some rows will do: `state = ?`.
    """

    def fill(bind: BindParameter[Any]) -> None:
        if bind.key in values:
            bind.value, bind.required = values[bind.key], False
        elif bind.value is not None:
            bind.literal_execute = True

    return cloned_traverse(statement, {"maintain_key": True}, {"bindparam": fill})


def _binding(kind: TypeEngine[Any], dialect: Dialect) -> _Process | None:
    made = kind.dialect_impl(dialect).bind_processor(dialect)
    return kind.into if isinstance(kind, Kept) else made


def _reading(kind: TypeEngine[Any], dialect: Dialect) -> _Process | None:
    made = kind.dialect_impl(dialect).result_processor(dialect, None)
    return kind.out_of if isinstance(kind, Kept) else made


def _flat(values: Values, lengths: dict[str, int]) -> Values:
    """Values with those of lists one by one, and how long these are: a power of two.

    What is added is the last once more; as a set it is the same.
    """
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if type(value) is list:
            more = (1 << (len(value) - 1).bit_length()) - len(value) if value else 0
            padded = value + value[-1:] * more
            lengths[name] = len(padded)
            flat.update((f"{name}_{n}", one) for n, one in enumerate(padded, 1))
        else:
            flat[name] = value
    return flat


def _by_core(conn: Connection, compiled: _Compiled, rows: list[list[Any]]) -> Any:
    given: Any = [tuple(row) for row in rows]
    if not conn.dialect.positional:
        given = [dict(zip(compiled.names, row, strict=True)) for row in rows]
    return conn.exec_driver_sql(compiled.text, given if len(rows) > 1 else given[0])


def _copied(conn: Connection, compiled: _Compiled, rows: list[list[Any]]) -> Any:
    """Rows that PostgreSQL takes in one go. Raises what its driver does."""
    cursor = conn.connection.cursor()
    with cursor.copy(compiled.copies) as copy:
        for row in rows:
            copy.write_row(row)
    return cursor


def _told(conn: Connection, compiled: _Compiled, error: sqlite3.Error) -> Exception:
    """As Core tells it, and without the values: they hold addresses and raw mails."""
    told = DBAPIError.instance(
        compiled.text, None, error, sqlite3.Error, hide_parameters=True, dialect=conn.dialect
    )
    return cast("Exception", told)
