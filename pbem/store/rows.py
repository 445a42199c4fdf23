"""Convert result rows of queries to the classes of `pbem.store.tables`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from sqlalchemy.orm import class_mapper
from sqlmodel import SQLModel

R = TypeVar("R", bound=SQLModel)


def to_row(table: type[R], values: Mapping[Any, Any]) -> R:
    """Return the values of a result row as an object of a table class.

    The object belongs to no session, so changes to it do not reach the database. It is created by
    the ORM's mapper: the constructor takes ten times longer, because it would validate values that
    come from the database.
    """
    row: R = class_mapper(table).class_manager.new_instance()
    row.__dict__.update(values)
    return row


def to_optional_row(table: type[R], values: Mapping[Any, Any] | None) -> R | None:
    """Return the values of a result row as an object of a table class, or None for None."""
    return None if values is None else to_row(table, values)
