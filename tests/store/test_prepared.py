"""Statements that are compiled once: each for both databases, and what changes in them."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import pytest
from sqlalchemy import Dialect, bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite

import pbem.store
from pbem.store import ratings, tables
from pbem.store.prepared import Prepared


def prepared() -> Iterator[tuple[str, Prepared]]:
    """Every such statement of the store, by its name."""
    for module in pkgutil.walk_packages(pbem.store.__path__, "pbem.store."):
        if ".migrations" not in module.name:
            for name, found in vars(import_module(module.name)).items():
                several = found if isinstance(found, dict) else {"": found}
                for key, one in several.items():
                    if isinstance(one, Prepared):
                        yield f"{module.name}.{name}{key}", one


ALL = dict(prepared())
DIALECTS: tuple[Dialect, ...] = (sqlite.dialect(), postgresql.dialect())  # type: ignore[no-untyped-call]


def compiled(one: Prepared, dialect: Dialect) -> Any:
    """A statement as it is run, with two values in each of its lists."""
    statement: Any = one._statement
    if isinstance(statement, Mapping):
        statement = statement[dialect.name]
    binds = statement.compile(dialect=dialect, column_keys=one._insert).binds
    lists = {name: 2 for name, bind in binds.items() if bind.expanding}
    return one._compile(dialect, lists)


def test_each_statement_compiles_for_both_databases() -> None:
    assert len(ALL) > 40
    for name, one in ALL.items():
        for dialect in DIALECTS:
            assert "POSTCOMPILE" not in compiled(one, dialect).text, name


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_what_is_added_in_order_has_the_order_of_the_statement(dialect: Dialect) -> None:
    assert compiled(ratings._ADD, dialect).names == tuple(ratings._ADD._insert or ())


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_what_never_changes_is_part_of_the_text(dialect: Dialect) -> None:
    # SQLite compiles anew, each time, what may use an index of some rows only for some values.
    state, ident = tables.outbox.c.state, tables.outbox.c.id
    listed = ident.in_(bindparam("some", expanding=True))
    read = compiled(Prepared(select(ident).where(state == "new", listed)), dialect)
    assert "state = 'new'" in read.text
    assert read.names == ("some_1", "some_2")
    changed = compiled(Prepared(update(tables.outbox).where(listed).values(state="held")), dialect)
    assert "SET state='held'" in changed.text
    assert changed.names == ("some_1", "some_2")
