"""Rows of queries as the objects of `pbem.store.tables`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from sqlalchemy.orm import class_mapper
from sqlmodel import SQLModel

R = TypeVar("R", bound=SQLModel)


def to_row(table: type[R], values: Mapping[Any, Any]) -> R:
    """Return a row object that belongs to no session: changing it changes nothing in the database.

    It is made as an ORM session makes it: by its mapper, without a call of its constructor, which
    would take ten times longer to look at values that come from the database.
    """
    row: R = class_mapper(table).class_manager.new_instance()
    row.__dict__.update(values)
    return row


def to_optional_row(table: type[R], values: Mapping[Any, Any] | None) -> R | None:
    """Return a row object, or None if a query found nothing."""
    return None if values is None else to_row(table, values)
