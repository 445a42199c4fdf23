"""What PostgreSQL says where it does not let us in or work, and what is told of it."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from pbem.errors import ConfigError
from pbem.store import schema
from pbem.store.database import Database
from pbem.store.postgres import fault_of, shown
from tests import postgres

NOBODY = "port=1&connect_timeout=2"


@pytest.fixture
def url() -> str:
    return postgres.new_database()


def told(url: str) -> str:
    """What is said to somebody who opens a database; never a password."""
    with pytest.raises(ConfigError) as caught:
        Database.open(url)
    assert "hunter2" not in str(caught.value)
    return str(caught.value).replace(shown(url), "URL")


def as_user(url: str, user: str) -> str:
    parts = urlsplit(url)
    return parts._replace(netloc=f"{user}@{parts.netloc.rpartition('@')[2]}").geturl()


@pytest.mark.parametrize(
    ("change", "said", "advice"),
    [
        ("user=nobody-here", 'let us in: role "nobody-here" does not exist. ', "createuser"),
        ("dbname=nowhere", 'let us in: database "nowhere" does not exist. ', "createdb --owner"),
        (
            "host=/nowhere/to/be/found",
            "cannot be reached: No such file or directory. ",
            "run there",
        ),
        (f"host=127.0.0.1&{NOBODY}", "cannot be reached: Connection refused. ", "listen_addresses"),
        ("host=nowhere.invalid", "cannot be reached: failed to resolve host ", "spelt so"),
        ("colour=blue", "no URL that PostgreSQL's library reads: invalid URI query parameter", ""),
        (
            f"host=127.0.0.1,localhost&{NOBODY}&password=hunter2",
            "cannot be reached: 127.0.0.1:1: Connection refused; localhost:1: Connection refused. ",
            "listen_addresses",
        ),
    ],
)
def test_who_is_not_let_in_is_told_why(url: str, change: str, said: str, advice: str) -> None:
    words = told(f"{url}&{change}" if "?" in url else f"{url}?{change}")
    assert said in words
    assert advice in words


def test_a_role_that_may_not_log_in_or_has_no_connection_left_is_told(url: str) -> None:
    postgres.make_role("shut", "NOLOGIN")
    postgres.make_role("busy", "LOGIN CONNECTION LIMIT 0")
    assert 'role "shut" is not permitted to log in. ALTER ROLE' in told(as_user(url, "shut"))
    assert 'too many connections for role "busy". More proc' in told(as_user(url, "busy"))


def test_a_role_that_may_not_make_tables_or_read_them_is_told_what_it_needs(url: str) -> None:
    postgres.make_role("guest", "LOGIN")
    empty = postgres.new_database(options="ENCODING 'UTF8' LC_COLLATE 'C'")
    with pytest.raises(ConfigError, match=r"denied for schema public\. Let the role own the "):
        schema.migrate(as_user(empty, "guest"))
    assert "permission denied for table alembic_version. Let the role own" in told(
        as_user(url, "guest")
    )


SAID = [
    ('FATAL:  password authentication failed for user "pbem"', "createuser --pwprompt"),
    ("fe_sendauth: no password supplied", "~/.pgpass"),
    ('FATAL:  Peer authentication failed for user "pbem"', "name a host"),
    ('FATAL:  no pg_hba.conf entry for host "10.0.0.1", no encryption', "sslmode=require"),
    ("server does not support SSL, but SSL was required", "ssl = on"),
    ('root certificate file "/root.crt" does not exist', "sslrootcert=FILE"),
    ('server certificate for "a" does not match host name "b"', "made out to"),
    ("FATAL:  sorry, too many clients already", "max_connections"),
    ("FATAL:  remaining connection slots are reserved for roles", "max_connections"),
    ("FATAL:  the database system is starting up", "try again in a moment"),
    ("FATAL:  the database system is shutting down", "try again in a moment"),
    ("FATAL:  the database system is not yet accepting connections", "try again in a moment"),
    ('FATAL:  permission denied for database "pbem"', "GRANT CONNECT"),
    ("session is read-only", "No server can write now"),
    ("No route to host", "firewall"),
    ("SCHWERWIEGEND:  Passwort-Authentifizierung fehlgeschlagen", "Look at store.database"),
]
"""As Debian's PostgreSQL 15 says it; what the tests' server cannot be brought to say."""


@pytest.mark.parametrize(("said", "advice"), SAID)
def test_each_refusal_is_told_in_its_words_with_what_helps(said: str, advice: str) -> None:
    import psycopg

    at = 'connection failed: connection to server at "10.0.0.2", port 5432 failed: '
    words = fault_of(psycopg.OperationalError(at + said))
    assert said.removeprefix("FATAL:  ") in words
    assert advice in words
    # Of a connection that was lost nothing is repeated: it may be what stands in a row.
    assert said not in fault_of(psycopg.OperationalError(f"consuming input failed: {said}"))


def test_a_time_out_is_told() -> None:
    import psycopg

    words = fault_of(psycopg.errors.ConnectionTimeout("connection timeout expired"))
    assert words.startswith("PostgreSQL cannot be reached: connection timeout expired. Is its mach")
