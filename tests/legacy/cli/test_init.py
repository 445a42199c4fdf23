"""Making a service, by flags and by questions, and upgrading it."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from pbem.legacy.config import load_keys, load_settings
from pbem.legacy.store import identity, schema
from pbem.legacy.store.engine import engine_of
from pbem.legacy.wiring.process import alone
from tests.legacy import postgres
from tests.legacy.cli.service import Service, run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_flags_are_enough(folder: Path) -> None:
    result = run("init", "--yes", "--address", "games@example.org", "--maildir", "mail")
    assert result.exit_code == 0, result.output
    settings = load_settings()
    settings.demand_mail()
    assert settings.maildir.incoming == folder / "mail/in"
    assert len(load_keys(settings.keys.file).secrets["a"]) == 32
    assert schema.current(settings.store.database) == schema.head()
    assert {mode(folder / name) for name in ("config.toml", "keys.toml", "pbem.db")} == {0o600}


def test_questions_have_suggestions(folder: Path) -> None:
    answers = ["Our club", "games@example.org", "", "", "mail.example.org", "587", "", "hunter2"]
    result = run("init", typed="\n".join(answers) + "\n")
    assert result.exit_code == 0, result.output
    assert "hunter2" not in result.output + (folder / "config.toml").read_text()
    settings = load_settings()
    assert settings.site.title == "Our club"
    assert (settings.imap.host, settings.imap.port) == ("imap.example.org", 993)
    assert settings.imap.security == "tls"
    assert (settings.smtp.host, settings.smtp.port) == ("mail.example.org", 587)
    assert settings.smtp.security == "starttls"
    assert settings.smtp.user == "games@example.org"
    assert settings.imap.read_password() == settings.smtp.read_password() == "hunter2"
    assert mode(folder / "mail-password") == 0o600


@pytest.mark.usefixtures("folder")
def test_each_answer_is_checked_where_it_is_asked_for() -> None:
    answers = ["", "games", "games@example.org", "https://x y", "mail.example.org", "99999", "no"]
    answers += ["143", "", "465", "", " ", "hunter2"]
    result = run("init", typed="\n".join(answers) + "\n")
    assert result.exit_code == 0, result.output
    assert result.output.count("Again, please: ") == 5, result.output
    assert "Again, please: address must be a mail address like games@example.org" in result.output
    assert "Again, please: that is no name of a server" in result.output
    assert result.output.count("Again, please: a port is a number from 1 to 65535") == 2
    settings = load_settings()
    assert settings.site.address == "games@example.org"
    assert (settings.imap.host, settings.imap.port) == ("mail.example.org", 143)
    assert settings.imap.read_password() == "hunter2"


def test_a_password_that_is_in_a_file_is_not_asked_for(folder: Path) -> None:
    (folder / "elsewhere").write_text("hunter2\n")
    answers = ["", "games@example.org", "", "", "", "", ""]
    words = ("init", "--password-file", str(folder / "elsewhere"))
    result = run(*words, typed="\n".join(answers) + "\n")
    assert result.exit_code == 0, result.output
    settings = load_settings()
    assert settings.imap.read_password() == settings.smtp.read_password() == "hunter2"
    assert not (folder / "mail-password").exists()


def test_whatever_is_typed_comes_back(folder: Path) -> None:
    title = 'Ann\'s "Club" \\ №1 \N{GAME DIE}\N{VIDEO GAME}'
    run("init", "--yes", "--title", title, "--address", "games@example.org")
    assert load_settings().site.title == title
    assert (folder / "config.toml").exists()


def test_an_address_that_is_none_leaves_no_file(folder: Path) -> None:
    result = run("init", "--yes", "--address", "games")
    assert result.exit_code == 1
    assert "address must be a mail address like games@example.org" in result.output
    assert list(folder.iterdir()) == []


def test_init_again_changes_nothing(folder: Path) -> None:
    words = ("init", "--yes", "--address", "games@example.org", "--maildir", "mail")
    run(*words)
    names = ("config.toml", "keys.toml", "pbem.db")
    before = {name: (folder / name).read_bytes() for name in names}
    result = run(*words)
    assert result.output.count("kept ") == 3
    assert {name: (folder / name).read_bytes() for name in names} == before


def test_no_new_keys_beside_an_old_database(folder: Path) -> None:
    run("init", "--yes", "--address", "games@example.org", "--maildir", "mail")
    (folder / "keys.toml").unlink()
    result = run("init", "--yes")
    assert result.exit_code == 1
    assert "there is a database, but no" in result.output
    assert not (folder / "keys.toml").exists()


def test_upgrade_has_nothing_to_do_on_todays_tables(service: Service) -> None:
    assert "nothing to do" in service.run("upgrade")


def test_upgrade_of_what_init_never_made_is_refused(service: Service, tmp_path: Path) -> None:
    old = Service(tmp_path / "old")
    old.folder.mkdir()
    old.write(service.config.read_text())
    with sqlite3.connect(old.database) as conn:
        conn.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
    conn.close()
    for command in ("upgrade", "status"):
        assert "has no tables of pbem: is it another file?" in old.run(command, code=1)


@pytest.mark.parametrize("command", ["matches", "serve", "web"])
def test_commands_ask_for_the_pbem_that_the_database_is_of(service: Service, command: str) -> None:
    with sqlite3.connect(service.database) as conn:
        conn.execute("UPDATE alembic_version SET version_num = '9999'")
    conn.close()
    assert "install a newer pbem" in service.run(command, code=1)


def test_commands_ask_for_an_upgrade(service: Service) -> None:
    with sqlite3.connect(service.database) as conn:
        conn.execute("UPDATE alembic_version SET version_num = '0000'")
    conn.close()
    assert "run `pbem upgrade`" in service.run("matches", code=1)
    with alone(service.database):
        for command in ("upgrade", "init"):
            assert "stop it first" in service.run(command, code=1)


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("postgresql://pbem@127.0.0.1:1/pbem", "PostgreSQL cannot be reached: Connection refused"),
        ("mysql://pbem@127.0.0.1/pbem", "postgresql://user@host/name"),
        ("other.txt", "is no database"),
        ("file/pbem.db", "cannot be made"),
        (".", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_used_leaves_no_settings(
    folder: Path, database: str, said: str
) -> None:
    (folder / "other.txt").write_text("no database, but a text that is long enough" * 30)
    (folder / "file").write_text("")
    words = ("init", "--yes", "--address", "games@example.org", "--maildir", "mail")
    result = run(*words, "--database", database)
    assert result.exit_code == 1
    assert said in result.output
    assert not (folder / "config.toml").exists()
    assert not (folder / "keys.toml").exists()


def test_a_database_that_is_somebody_elses_leaves_no_settings(
    folder: Path, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder / "new"
    folder.mkdir()
    monkeypatch.chdir(folder)
    # One without its keys here, one that was left: each is there, and not to be begun with.
    words = ("init", "--yes", "--address", "games@example.org", "--maildir", "mail", "--database")
    url, left = postgres.new_database(), postgres.new_database()
    with engine_of(left).begin() as conn:
        identity.renew(conn)
        identity.leave(conn, "another.db")
    for database in (str(service.database), url, left):
        result = run(*words, database)
        assert result.exit_code == 1, result.output
        assert list(folder.iterdir()) == []


def test_what_fails_at_last_leaves_no_settings(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    words = ("init", "--yes", "--address", "games@example.org", "--maildir", "mail")
    with monkeypatch.context() as broken:
        broken.setattr(schema, "migrate", full)
        assert (run(*words).exit_code, list(folder.iterdir())) == (1, [])
    assert run(*words).exit_code == 0
