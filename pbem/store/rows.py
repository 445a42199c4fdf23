"""Rows of queries as the objects of `pbem.store.tables`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from sqlmodel import SQLModel

R = TypeVar("R", bound=SQLModel)


def to_row(table: type[R], values: Mapping[Any, Any]) -> R:
    """Return a row object that belongs to no session: changing it changes nothing in the database.

    The values come from the database, so they are not validated again.
    """
    return table(**values)


def to_optional_row(table: type[R], values: Mapping[Any, Any] | None) -> R | None:
    """Return a row object, or None if a query found nothing."""
    return None if values is None else to_row(table, values)
