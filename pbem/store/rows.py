"""Convert result rows of queries to the classes of `pbem.store.tables`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from sqlalchemy.orm import class_mapper
from sqlmodel import SQLModel

R = TypeVar("R", bound=SQLModel)


def to_row(table: type[R], values: Mapping[Any, Any]) -> R:
    """Return an object of the class `table` with the values of a result row, by column name.

    The object does not belong to a session, so changes to it do not reach the database. The ORM's
    mapper creates it, because the constructor validates the values and takes ten times longer.
    """
    row: R = class_mapper(table).class_manager.new_instance()
    row.__dict__.update(values)
    return row


def to_optional_row(table: type[R], values: Mapping[Any, Any] | None) -> R | None:
    """Return an object of the class `table` with the values of a result row; None for no row."""
    return None if values is None else to_row(table, values)
