"""Statements of the hot path: built and compiled once, then run with values.

SQLAlchemy Core writes them, for every database alike. On SQLite they go straight to the driver:
the way through Core costs several times what the statement itself does. Who listens to the engine
hears of them as of all others.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.visitors import cloned_traverse

from pbem.store.columns import PerDialect

if TYPE_CHECKING:
    from sqlalchemy import BindParameter, Connection, Dialect
    from sqlalchemy.sql import CompoundSelect, Delete, Insert, Select, Update
    from sqlalchemy.types import TypeEngine

Values: TypeAlias = Mapping[str, Any]
Row: TypeAlias = tuple[Any, ...]
_Process: TypeAlias = Callable[[Any], Any] | None


LENGTHS: Final = 64
"""Lengths of lists that a statement is kept for, of all lists together."""


class _Compiled(NamedTuple):
    """A statement for one database: its text, its values in order, and how rows are read."""

    text: str
    names: tuple[str, ...]
    given: Values
    into: tuple[tuple[int, Callable[[Any], Any]], ...]
    out: tuple[_Process, ...]
    processes: bool


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
        self._compiled: dict[tuple[str | int, ...], _Compiled] = {}

    def rows(self, conn: Connection, values: Values) -> list[Row]:
        """All rows that it finds, as values in the order of its columns."""
        lists = {name: _padded(value) for name, value in values.items() if type(value) is list}
        values = {**values, **lists}
        lengths = {name: len(value) for name, value in lists.items()}
        compiled = self._for(conn.dialect, lengths)
        found = _run(conn, compiled, [_bound(compiled, values)])
        try:
            return _read(compiled, found.fetchall())
        except sqlite3.Error as error:
            raise _told(conn, compiled, error) from error
        finally:
            # A statement that stopped halfway would hold its view of the database for all others.
            found.close()

    def first(self, conn: Connection, values: Values) -> Row | None:
        """The first row that it finds, or None."""
        return next(iter(self.rows(conn, values)), None)

    def write(self, conn: Connection, *rows: Values) -> int:
        """Run it once for each row of values; how many rows of the table it changed."""
        compiled = self._for(conn.dialect, {})
        return int(_run(conn, compiled, [_bound(compiled, row) for row in rows]).rowcount)

    def _for(self, dialect: Dialect, lengths: Mapping[str, int]) -> _Compiled:
        key: tuple[str | int, ...] = (dialect.name, *lengths.values())
        if key not in self._compiled:
            if len(self._compiled) >= LENGTHS:
                self._compiled.clear()
            self._compiled[key] = self._compile(dialect, lengths)
        return self._compiled[key]

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
        given = {n: bind.effective_value for n, bind in known.items() if not bind.required}
        for name, count in lengths.items():
            types |= {f"{name}_{n}": types[name] for n in range(1, count + 1)}
        names = tuple(made.positiontup if made.positional else made.params)
        into = ((n, _binding(types[name], dialect)) for n, name in enumerate(names))
        out = tuple(_reading(column.type, dialect) for column in made._result_columns)  # noqa: SLF001
        return _Compiled(
            text=made.string,
            names=names,
            given=given,
            into=tuple((n, process) for n, process in into if process is not None),
            out=out,
            processes=any(process is not None for process in out),
        )


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


def _binding(kind: TypeEngine[Any], dialect: Dialect) -> _Process:
    return kind.dialect_impl(dialect).bind_processor(dialect)


def _reading(kind: TypeEngine[Any], dialect: Dialect) -> _Process:
    return kind.dialect_impl(dialect).result_processor(dialect, None)


def _padded(values: list[Any]) -> list[Any]:
    """A list with a length that is a power of two; as a set it is the same."""
    more = (1 << (len(values) - 1).bit_length()) - len(values) if values else 0
    return values + values[-1:] * more


def _bound(compiled: _Compiled, values: Values) -> list[Any]:
    """The values in order, as the driver takes them."""
    flat: dict[str, Any] = {**compiled.given}
    for name, value in values.items():
        if type(value) is list:
            flat.update((f"{name}_{n}", one) for n, one in enumerate(value, 1))
        else:
            flat[name] = value
    bound = [flat[name] for name in compiled.names]
    for place, process in compiled.into:
        bound[place] = process(bound[place])
    return bound


def _read(compiled: _Compiled, rows: Sequence[Any]) -> list[Row]:
    if not compiled.processes:
        return [tuple(row) for row in rows]
    out = compiled.out
    return [
        tuple(value if p is None else p(value) for p, value in zip(out, row, strict=True))
        for row in rows
    ]


def _run(conn: Connection, compiled: _Compiled, rows: list[list[Any]]) -> Any:
    """A cursor, or what stands for one, of the statement that has been run."""
    listened = conn.engine.dispatch.before_cursor_execute or not conn.in_transaction()
    if listened or conn.dialect.name != "sqlite":
        # Also where no transaction has begun yet: Core begins it.
        given: Any = [tuple(row) for row in rows]
        if not conn.dialect.positional:
            given = [dict(zip(compiled.names, row, strict=True)) for row in rows]
        return conn.exec_driver_sql(compiled.text, given if len(rows) > 1 else given[0])
    driver = cast("sqlite3.Connection", conn.connection.driver_connection)
    try:
        if len(rows) == 1:
            return driver.execute(compiled.text, rows[0])
        return driver.executemany(compiled.text, rows)
    except sqlite3.Error as error:
        raise _told(conn, compiled, error) from error


def _told(conn: Connection, compiled: _Compiled, error: sqlite3.Error) -> Exception:
    """As Core tells it, and without the values: they hold addresses and raw mails."""
    told = DBAPIError.instance(
        compiled.text, None, error, sqlite3.Error, hide_parameters=True, dialect=conn.dialect
    )
    return cast("Exception", told)
