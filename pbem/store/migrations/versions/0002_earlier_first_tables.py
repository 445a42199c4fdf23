"""earlier first tables.

The first migration was changed in place before there was a release, so that databases of thirteen
forms say `0001`. This one brings each of them to the last form; one that has it already stays as it
is. Every row is kept, and so is all that a column held, unless nothing has read it since.
"""

from __future__ import annotations

from importlib import import_module

import sqlalchemy as sa
from alembic import op
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy.pool import StaticPool

from pbem.errors import ConfigError

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

UNREAD = {
    ("match", "challenger"),
    ("question", "asked_at"),
    ("question", "answer"),
    ("inbox", "from_version"),
}
"""What earlier forms had and nothing reads any more."""

RENAMED = {
    ("outbox", "references_root"): "root",
    ("address", "confirmed_at"): "confirmed",
    ("fingerprint", "line"): "lines",
}
"""Columns that hold under another name what they held."""

FILLED = {
    ("outbox", "root"): "references_root",
    ("address", "confirmed"): "confirmed_at IS NOT NULL",
    ("address", "bounces"): "0",
    ("checkpoint", "read_at"): "strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')",
    ("match", "open_seats"): "0",
    ("match_player", "finished"): "0",
    ("player", "private_comments"): "0",
    ("player", "banned"): "0",
    ("player", "wishes"): "'{}'",
    ("question", "number"): "rowid",
}
"""What stands in a column that was not there; nothing, if it is not named here."""

SEATED = """
    INSERT INTO seat_name ("match", seat, player, name)
    SELECT "match".id, seat.key + 1, player.id, player.name
    FROM "match", json_each("match".players) AS seat JOIN player ON player.id = seat.value
    WHERE "match".status <> 'challenge'
"""
"""The names in the subjects of matches that have begun: those that the players have now."""


def upgrade() -> None:
    """Make each table, index and trigger anew that is not as the first migration makes it."""
    conn = op.get_bind()
    if conn.dialect.name != "sqlite":
        return  # nobody has had an earlier form there
    wanted = _wanted()
    have = _schema(conn)
    for name, sql in wanted.items():
        if _plain(have.get(name, "")) == _plain(sql) or not sql.startswith("CREATE TABLE"):
            continue
        if name in have:
            _remake(conn, name, have[name], sql)
        else:
            conn.exec_driver_sql(sql)
            if name == "seat_name":
                conn.exec_driver_sql(SEATED)
    have = _schema(conn)
    for name, sql in wanted.items():
        if sql.startswith("CREATE TABLE") or _plain(have.get(name, "")) == _plain(sql):
            continue
        if name in have:
            kind = "TRIGGER" if "TRIGGER" in sql.split("\n")[0] else "INDEX"
            conn.exec_driver_sql(f'DROP {kind} "{name}"')
        conn.exec_driver_sql(sql)


def _wanted() -> dict[str, str]:
    """What the last form of the first migration makes: statements by the name of what they make."""
    first = import_module("pbem.store.migrations.versions.0001_first_tables")
    engine = sa.create_engine("sqlite://", poolclass=StaticPool)
    with engine.connect() as memory:
        # A module of our own, beside Alembic's: it writes there, and leaves this migration alone.
        first.__dict__["op"] = Operations(MigrationContext.configure(memory))
        first.upgrade()
        made = _schema(memory)
    engine.dispose()
    return made


def _schema(conn: sa.Connection) -> dict[str, str]:
    found = conn.exec_driver_sql(
        "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
        " AND name <> 'alembic_version' ORDER BY type = 'table' DESC, rowid"
    )
    return {name: sql.strip() for name, sql in found}


def _plain(sql: str) -> str:
    return " ".join(sql.replace("\t", " ").split())


def _remake(conn: sa.Connection, name: str, old_sql: str, sql: str) -> None:
    """The table in its new form with all rows of the old one; its old indexes go with that."""
    conn.exec_driver_sql("PRAGMA legacy_alter_table = ON")  # what refers to it goes on doing so
    earlier = f"{name}_of_earlier"
    conn.exec_driver_sql(f'ALTER TABLE "{name}" RENAME TO "{earlier}"')
    indexes = conn.exec_driver_sql(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
        " AND tbl_name = ?",
        (earlier,),
    )
    for (index,) in indexes.fetchall():
        conn.exec_driver_sql(f'DROP INDEX "{index}"')
    conn.exec_driver_sql(sql)
    old, new = _columns(conn, earlier), _columns(conn, name)
    _require_known(name, set(old) - set(new))
    values = {column: _value(name, column, old) for column in new}
    listed = ", ".join(f'"{column}"' for column in values)
    grouped = " GROUP BY outbox_id" if name == "fingerprint" and "line" in old else ""
    conn.exec_driver_sql(
        f'INSERT INTO "{name}" ({listed}) '
        f'SELECT {", ".join(values.values())} FROM "{earlier}"{grouped}'
    )
    if "AUTOINCREMENT" in sql and "AUTOINCREMENT" in old_sql:
        # The numbers of deleted rows are not given again.
        conn.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
        conn.exec_driver_sql(
            "UPDATE sqlite_sequence SET name = ? WHERE name = ?", (name, earlier)
        )
    conn.exec_driver_sql(f'DROP TABLE "{earlier}"')
    conn.exec_driver_sql("PRAGMA legacy_alter_table = OFF")


def _columns(conn: sa.Connection, table: str) -> dict[str, str]:
    return {row[1]: row[2] for row in conn.exec_driver_sql(f'PRAGMA table_info("{table}")')}


def _require_known(table: str, gone: set[str]) -> None:
    own = sorted(c for c in gone if (table, c) not in UNREAD and (table, c) not in RENAMED)
    if own:
        raise ConfigError(
            f"the table {table} has columns that pbem never made ({', '.join(own)}): copy what "
            "they hold somewhere else, drop them, and run `pbem upgrade` again"
        )


def _value(table: str, column: str, old: dict[str, str]) -> str:
    """Where the value of a column comes from, as SQL."""
    match (table, column):
        case ("inbox", "oversize") if old.get("oversize") == "BOOLEAN":
            return "CASE WHEN oversize THEN length(raw) END"
        case ("outbox", "version"):
            return "coalesce(version, 0)"
        case ("fingerprint", "lines") if "line" in old:
            return "group_concat(line, char(10))"
    return f'"{column}"' if column in old else FILLED.get((table, column), "NULL")
