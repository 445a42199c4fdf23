"""Why PostgreSQL does not work with us, in words: what it said, and what to do.

A refusal to let somebody in has no code (psycopg keeps none), so it is known by its text; it speaks
of roles and databases, and never of a row. Where a server speaks another language it is told as it
is.
"""

from __future__ import annotations

import re
from typing import Final

IN_THE_WAY: Final = {"40001", "40P01"}
"""Serialization failure, deadlock: nothing has happened, and the next try may be luckier."""

_OTHERS_FAULT: Final = ("22", "23", "42", "P0")
"""Classes of errors that say something about the statement, and nothing about the server."""

_MAY_NOT: Final = "42501"

_AT_CONNECT: Final = re.compile(
    r"(?:connection failed|connection is bad|connection timeout|failed to resolve)\b"
)
_ALL: Final = re.compile(
    r"^- host: '(.*?)', port: '(.*?)', hostaddr: .*?: (connection .*)$", re.MULTILINE
)
_LEADING: Final = re.compile(
    r"connection (?:failed|is bad): (?:connection to server .*? failed: )?"
)

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
        ("role .* does not exist", "`createuser --pwprompt NAME` makes a role"),
        ("not permitted to log in", "ALTER ROLE name LOGIN lets it"),
        (
            "database .* does not exist",
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
    each = [f"{host}:{port}: {_plain(words)}" for host, port, words in _ALL.findall(said)]
    words = "; ".join(dict.fromkeys(each)) or _plain(said.partition("\n")[0])
    advice = next((advice for pattern, advice in _HELP if pattern.search(words)), "")
    away = advice in (_RUNS, _SPELT, _REACH)
    what = "cannot be reached" if away else "does not let us in"
    return f"PostgreSQL {what}: {words}. {advice or 'Look at store.database'}"


def _plain(words: str) -> str:
    return _LEADING.sub("", words).replace("FATAL:  ", "").rstrip(". ")
