"""What all tables are made from, and the tables in which the store keeps its own books."""

from typing import Any, ClassVar

from sqlalchemy import MetaData
from sqlmodel import Field, SQLModel

from pbem.store.columns import big


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
