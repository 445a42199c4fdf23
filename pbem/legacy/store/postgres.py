"""PostgreSQL: how it is reached, and how units of work run on it.

Whatever its driver raises but a broken constraint or a wrong statement may mean that the connection
is gone: it is closed, and the next unit begins with a new one. A unit whose COMMIT got no answer
may have happened or not; whoever asked for it finds out by the row that it would have written.
"""

from __future__ import annotations

import os
import random
import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.pool import NullPool

from pbem.errors import ConfigError
from pbem.legacy.store import scopes

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from pbem.legacy.store.scopes import Scope

T = TypeVar("T")

SCHEMES: Final = ("postgresql://", "postgres://")

AGAIN: Final = 5
"""A unit that others were in the way of is run again so often."""

_PASSWORD: Final = re.compile(r"(?<=password=)[^&]*")
"""A password among the parameters of a URL."""

_SETTINGS: Final = {
    # What hangs or was cut off from us must not hold its locks for ever.
    "idle_in_transaction_session_timeout": "30s",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    # Hot statements are short: compiling them for the processor takes longer than they do.
    "jit": "off",
}

_DRIVER: Final = {
    "connect_timeout": 10,
    "application_name": "pbem",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    # Milliseconds until what was sent and never acknowledged ends the connection.
    "tcp_user_timeout": 20_000,
}


def is_url(text: str) -> bool:
    """Whether a database is named that PostgreSQL has."""
    return text.startswith(SCHEMES)


def shown(url: str) -> str:
    """A URL without the password in it."""
    url = _PASSWORD.sub("***", url)
    with suppress(ArgumentError, ValueError):
        return make_url(url).render_as_string(hide_password=True)
    # Several hosts, which only PostgreSQL's own library reads.
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


def engine_of(url: str, *, read_only: bool = False) -> Engine:
    """An engine without a pool; the URL is read by PostgreSQL's own library, libpq.

    So it may have all that libpq knows: several hosts with `target_session_attrs=read-write`, a
    `sslmode`, a password in ~/.pgpass. A reader's transaction is a snapshot and cannot write; any
    other is READ COMMITTED. Raises ConfigError where the driver is not installed.
    """
    try:
        import psycopg
    except ImportError:
        how = "pip install 'pbem[postgres]'"
        raise ConfigError(f"the driver for PostgreSQL is not installed: {how}") from None
    options = " ".join(f"-c {name}={value}" for name, value in _SETTINGS.items())

    from psycopg.types.string import StrDumper

    class WithoutNul(StrDumper):
        """PostgreSQL's texts cannot have the sign NUL, which letters and servers can send."""

        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))

    try:
        given = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error as error:
        why = str(error).partition(":")[0].strip()  # behind it may stand a part of the password
        raise ConfigError(
            f"{shown(url)} is no URL that PostgreSQL's library reads: {why}"
        ) from None

    def connect() -> Any:
        more = f"{given['options']} {options}" if given.get("options") else options
        # Whoever asks for another encoding, or a server of none, would give us bytes for texts.
        whole: dict[str, Any] = {**_DRIVER, **given, "options": more, "client_encoding": "UTF8"}
        connection = psycopg.connect(**whole)
        connection.adapters.register_dumper(str, WithoutNul)
        if read_only:
            # Not by `options`: libpq would take the primary for a server that cannot write.
            connection.read_only = True
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        return connection

    # Without their values: errors go into the log, and rows hold addresses and raw mails.
    return create_engine(
        "postgresql+psycopg://", creator=connect, poolclass=NullPool, hide_parameters=True
    )


def unfit_for_us(conn: Connection) -> str:
    """Why a database is none that we can use; nothing if it will do, or is not PostgreSQL's."""
    if conn.dialect.name != "postgresql":
        return ""
    how = "make it anew: createdb --template template0 --encoding UTF8 --lc-collate C"
    encoding = conn.exec_driver_sql("SHOW server_encoding").scalar_one()
    if encoding != "UTF8":
        return f"has texts as {encoding} and not as UTF-8: {how}"
    # Keys are looked up by where they stand among others, as in "all that begin so".
    if not conn.exec_driver_sql("SELECT 'B' < 'a' AND 'a.b' < 'a/' AND 'a:b' < 'a;'").scalar_one():
        return f"sorts texts as a language does and not by their signs: {how}"
    return ""


_FOLDERS: Final = ("/var/lib/postgresql", "/var/lib/pgsql", "/var/lib/postgres")
"""Where systems have the data of their server; only some roles are told of another place."""


def folder_here(conn: Connection) -> Path | None:
    """A folder of this machine on whose disk the database is; None if it is on another machine."""
    if conn.dialect.name != "postgresql":
        return None
    address, folder = conn.exec_driver_sql(
        "SELECT host(inet_server_addr()),"
        " (SELECT setting FROM pg_settings WHERE name = 'data_directory')"
    ).one()
    if address is not None and not _is_ours(address):
        return None
    places = (folder,) if folder else _FOLDERS
    return next((Path(one) for one in places if os.access(one, os.F_OK)), None)


def _is_ours(address: str) -> bool:
    """Whether this machine has an address: nobody else could listen there."""
    kind = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(kind, socket.SOCK_STREAM) as tried:
        try:
            tried.bind((address, 0))
        except OSError:
            return False
    return True


class Session:
    """One connection to PostgreSQL, for one thread; a lost one is made anew for the next unit."""

    def __init__(
        self,
        engine: Engine,
        greet: Callable[[Connection], None] | None = None,
        lock: Callable[[Connection, Scope], object] = scopes.lock,
    ) -> None:
        """Connect. Raises what the driver raises if nobody answers.

        `greet` is called with each new connection, `lock` in each transaction before its unit; if
        they raise, there is none.
        """
        self._engine, self._greet, self._lock = engine, greet, lock
        self._conn: Connection | None = self._connected()
        self._ends = False

    def run(self, unit: Callable[[Connection], T], scope: Scope = scopes.OWN_ROWS) -> T:
        """Run a unit in a transaction of its own, once more where others were in its way.

        Also once more if the connection, made for another unit, was lost before the commit: the
        server may have been started anew while nobody asked for anything.
        """
        for tries in range(AGAIN):
            kept = self._conn is not None
            try:
                return self._once(unit, scope)
            except DBAPIError as error:
                if kept and error.connection_invalidated and not self._ends:
                    continue
                if state_of(error) not in IN_THE_WAY:
                    raise
                time.sleep(random.uniform(0, 0.02) * 2**tries)
        return self._once(unit, scope)

    def _once(self, unit: Callable[[Connection], T], scope: Scope) -> T:
        if self._conn is None:
            self._conn = self._connected()
        self._ends = False
        try:
            with self._conn.begin():
                self._lock(self._conn, scope)
                result = unit(self._conn)
                self._ends = True
            return result  # noqa: TRY300 - after the commit
        except BaseException as error:
            if fault_of(error) or self._conn.invalidated or self._conn.in_transaction():
                self.close()
            raise

    def _connected(self) -> Connection:
        conn = self._engine.connect()
        if self._greet is not None:
            try:
                with conn.begin():
                    self._greet(conn)
            except BaseException:
                conn.close()
                raise
        return conn

    def close(self) -> None:
        """Let the connection go, whatever state it is in."""
        conn, self._conn = self._conn, None
        if conn is not None:
            with suppress(Exception):
                conn.invalidate()
            with suppress(Exception):
                conn.close()


# --- errors --------------------------------------------------------------------------------------


def constraint_of(error: IntegrityError) -> str:
    """The name of the constraint that was broken; empty on other databases."""
    diagnosis = getattr(error.orig, "diag", None)
    return getattr(diagnosis, "constraint_name", None) or ""


# --- why it does not work with us ----------------------------------------------------------------
#
# A refusal to let somebody in has no code (psycopg keeps none), so it is known by its text, which
# speaks of roles and databases and never of a row. A server of another language is told as it is.

IN_THE_WAY: Final = {"40001", "40P01"}
"""Serialization failure, deadlock: nothing has happened, and the next try may be luckier."""

_OTHERS_FAULT: Final = ("22", "23", "42", "P0")
"""Classes of errors that say something about the statement, and nothing about the server."""

_MAY_NOT: Final = "42501"

_AT_CONNECT: Final = re.compile(
    r"(?:connection failed|connection is bad|connection timeout|failed to resolve)\b"
)
_OF_ONE: Final = "- host: '"

_EITHER: Final = (
    "Either is wrong. The password stands in ~/.pgpass of the user that pbem runs as, or in "
    "store.database; `createuser --pwprompt NAME` makes a role, psql's \\password sets another "
    "password"
)
_LET_IN: Final = (
    "Let its pg_hba.conf have a line for this user, database and address, and reload it; where it "
    'has one that begins with "hostssl", write ?sslmode=require behind store.database'
)
_FULL: Final = (
    "More processes than it takes are connected: end some, or raise its max_connections (or the "
    "CONNECTION LIMIT of the role)"
)
_GOES_ON: Final = "That passes: try again in a moment; what runs does so by itself"
_RUNS: Final = "Does it run there, at this port, and does its listen_addresses name this address?"
_SPELT: Final = "Is the host in store.database spelt so?"
_REACH: Final = "Is its machine up, and does no firewall stand between? Look at the host and port"

_HELP: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), advice)
    for pattern, advice in (
        ("password authentication failed", _EITHER),
        (
            "no password supplied",
            (
                "Write it into ~/.pgpass of the user that pbem runs as (HOST:PORT:DATABASE:USER:"
                "PASSWORD; chmod 600), or into store.database"
            ),
        ),
        (
            "(?:peer|ident) authentication failed",
            (
                "By its socket it lets a user in only under their own name: name a host, as in "
                "postgresql://user@127.0.0.1/name"
            ),
        ),
        ('role "[^"]*" does not exist', "`createuser --pwprompt NAME` makes a role"),
        ("not permitted to log in", "ALTER ROLE name LOGIN lets it"),
        (
            'database "[^"]*" does not exist',
            (
                "`createdb --owner USER --encoding UTF8 --lc-collate C --template template0 NAME` "
                "makes one"
            ),
        ),
        ("not currently accepting connections", "ALTER DATABASE name ALLOW_CONNECTIONS true"),
        ("permission denied for database", "GRANT CONNECT ON DATABASE name TO user"),
        (r"pg_hba\.conf", _LET_IN),
        (
            "does not support SSL",
            'Let it have `ssl = on`, or take "sslmode" out of store.database',
        ),
        (
            "certificate",
            (
                "sslrootcert=FILE in store.database names the certificate to trust, and the host "
                "has to be the one that it is made out to"
            ),
        ),
        ("too many|connection slots", _FULL),
        ("starting up|shutting down|recovery mode|not yet accepting", _GOES_ON),
        ("resolve|translate host name", _SPELT),
        ("session is read-only|is not in hot standby|hot standby", "No server can write now"),
        ("refused|No such file", _RUNS),
        ("time(?:d )?out|unreachable|no route", _REACH),
    )
)


def state_of(error: BaseException) -> str:
    """PostgreSQL's code of an error (its appendix A); empty for what has none."""
    return getattr(getattr(error, "orig", error), "sqlstate", None) or ""


def fault_of(error: BaseException) -> str:
    """What is wrong if the server could not be reached or could not work; else nothing.

    But for what is said before anybody is let in, in words of ours: those of the server may hold
    what stands in a row.
    """
    original = getattr(error, "orig", error)
    if not type(original).__module__.startswith("psycopg"):
        return ""
    state, said = state_of(error), str(original)
    if state == _MAY_NOT:
        return (
            f"PostgreSQL says: {said.partition(chr(10))[0]}. Let the role own the database and all "
            "that is in it: ALTER DATABASE name OWNER TO user, in it ALTER SCHEMA public OWNER TO "
            "user, and the same of tables that another role has made"
        )
    if state.startswith(_OTHERS_FAULT) or state in IN_THE_WAY:
        return ""
    if state.startswith("53"):
        return f"PostgreSQL is short of what it needs (its code {state}): look at its disk and log"
    if state == "25006":
        return "this PostgreSQL is a standby and cannot write: another one is the primary now"
    if not state and _AT_CONNECT.match(said):
        return _not_let_in(said)
    code = f" (its code {state})" if state else ""
    return f"PostgreSQL cannot be reached, or ended the connection{code}: is it running there?"


def _not_let_in(said: str) -> str:
    """What each server said that was asked, and what helps."""
    first, *more = said.split("\n")
    each = [_of_one(line) for line in more if line.startswith(_OF_ONE)]
    words = "; ".join(dict.fromkeys(each)) or _plain(first)
    advice = next((advice for pattern, advice in _HELP if pattern.search(words)), "")
    away = advice in (_RUNS, _SPELT, _REACH)
    what = "cannot be reached" if away else "does not let us in"
    return f"PostgreSQL {what}: {words}. {advice or 'Look at store.database'}"


def _of_one(line: str) -> str:
    """One of several servers: - host: 'NAME', port: 'NUMBER', hostaddr: 'ADDRESS': WHAT IT SAID."""
    _, host, _, port, *rest = line.split("'", 6)
    return f"{host}:{port}: {_plain(rest[-1].removeprefix(': ') if rest else line)}"


def _plain(words: str) -> str:
    """What was said, without what the libraries write before it."""
    words = words.removeprefix("connection failed: ").removeprefix("connection is bad: ")
    if words.startswith("connection to server "):
        words = words.partition(" failed: ")[2]
    return words.replace("FATAL:  ", "").rstrip(". ")
