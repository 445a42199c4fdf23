"""URLs of databases: libpq reads those of PostgreSQL, which can name several servers."""

from __future__ import annotations

from contextlib import closing
from urllib.parse import quote

import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import text

from pbem.errors import ConfigError
from pbem.store.database import Database


def test_of_several_servers_the_one_that_can_write_is_used(postgresql_database: Database) -> None:
    values = conninfo_to_dict(postgresql_database.url)
    hosts = quote(f"/nowhere,{values['host']}", safe=",")
    url = (
        f"postgresql://{values['user']}@/{values['dbname']}?host={hosts}"
        "&target_session_attrs=read-write"
    )
    with closing(Database(url)) as database:
        assert database.run(lambda conn: conn.execute(text("SELECT 1")).scalar()) == 1


def test_a_url_that_libpq_cannot_read_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"Cannot read the URL of the database: .*hots"):
        Database("postgresql://pbem@127.0.0.1/pbem?hots=db1")


def test_a_server_that_is_gone_is_noticed_in_seconds(postgresql_database: Database) -> None:
    import psycopg

    connection = postgresql_database.engine.raw_connection()
    raw = connection.driver_connection
    assert isinstance(raw, psycopg.Connection)
    assert raw.info.get_parameters()["tcp_user_timeout"] == "10000"
    connection.close()
