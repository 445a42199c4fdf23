"""`pbem init`, and the help of all commands."""

from __future__ import annotations

import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from pbem.cli.main import app
from pbem.settings import load_keys, load_settings
from pbem.store.database import Database
from pbem.store.worker_lock import hold_worker_lock
from tests.cli.conftest import Commands

ROOT = Path(__file__).parents[2]


def list_commands(command: Any, *names: str) -> list[tuple[str, ...]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        return [names]
    return [names, *(path for name in inner for path in list_commands(inner[name], *names, name))]


def test_help_says_what_commands_do() -> None:
    for path in list_commands(typer.main.get_command(app)):
        result = CliRunner().invoke(app, [*path, "--help"], terminal_width=80)
        assert result.exit_code == 0, path
        summaries = result.output.partition("Commands:")[2]
        assert "..." not in summaries, f"a summary is cut: make the first sentence shorter: {path}"
        assert all(line.endswith(".") for line in summaries.splitlines() if line), path


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from pbem.cli.main import app; "
        "print(*{'sqlalchemy', 'pydantic', 'jinja2', 'asyncio', 'rich'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_a_trial_needs_no_answers(pbem: Commands) -> None:
    folder = pbem.folder
    shown = pbem("init", "--yes", "--maildir", str(folder / "mail"))
    assert f"`pbem --config {folder / 'config.toml'} serve`" in shown
    settings = load_settings(folder / "config.toml")
    assert settings.maildir.incoming == folder / "mail/in"
    load_keys(folder / "keys.toml")
    for name in ("config.toml", "keys.toml", "pbem.db"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    checked = pbem("check")
    assert "WRONG" not in checked
    assert "loop" not in checked  # no email is sent


def test_a_second_init_changes_nothing(pbem: Commands) -> None:
    pbem("init", "--yes", "--address", "games@example.org")
    files = {path: path.read_bytes() for path in pbem.folder.iterdir()}
    assert "stays as it is" in pbem("init", "--yes", "--address", "other@example.org")
    assert {path: path.read_bytes() for path in pbem.folder.iterdir()} == files


def test_keys_of_a_database_are_not_replaced(pbem: Commands) -> None:
    trial = ("init", "--yes", "--maildir", str(pbem.folder / "mail"))
    keys = pbem.folder / "keys.toml"
    pbem(*trial)
    old = keys.read_text()
    keys.unlink()
    assert "Restore it from a backup" in pbem("status", fails=1)
    assert "--new-keys" in pbem(*trial, fails=1)
    assert not keys.exists()
    pbem(*trial, "--new-keys")
    new = keys.read_text()
    assert new != old
    assert f"{keys} is there already" in pbem(*trial, "--new-keys", fails=1)
    assert keys.read_text() == new


def test_servers_come_from_the_address_or_from_options(pbem: Commands) -> None:
    pbem(
        *("init", "--yes", "--address", "games@example.org", "--smtp", "mail.example.org:587"),
        *("--contact", "me@example.org", "--password-file", "secret", "--title", 'Die "Runde"'),
    )
    settings = load_settings(pbem.folder / "config.toml")
    imap, smtp = settings.imap, settings.smtp
    assert (imap.host, imap.port, imap.security) == ("imap.example.org", 993, "tls")
    assert (smtp.host, smtp.port, smtp.security) == ("mail.example.org", 587, "starttls")
    assert (imap.user, smtp.user) == ("games@example.org", "games@example.org")
    assert imap.password_file == pbem.folder / "secret"
    assert (settings.site.title, settings.site.contact) == ('Die "Runde"', "me@example.org")


def test_answers_are_asked_for(pbem: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.cli.init.has_terminal", lambda: True)
    answers = ["games", "games@example.org", "Club", "", "", "smtp.example.net", "", "s3cret"]
    assert "mail-password" in pbem("init", answers="\n".join([*answers, ""]))
    settings = load_settings(pbem.folder / "config.toml")
    assert settings.site.title == "Club"
    assert (settings.imap.host, settings.smtp.host) == ("imap.example.org", "smtp.example.net")
    assert settings.imap.read_password() == "s3cret"
    assert stat.S_IMODE((pbem.folder / "mail-password").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["init", "--yes"], "--address is missing"),
        (["init"], "no terminal to ask at"),
        (["init", "--yes", "--address", "games"], "'games' is no address"),
        (["init", "--yes", "--address", "g@x.org", "--imap", "a b"], "'a b' is no server"),
        (["init", "--yes", "--address", "g@x.org", "--contact", "g@x.org"], "site.contact"),
        (["serve"], "does not exist. Run `pbem init`"),
        (["status"], "does not exist. Run `pbem init`"),
        (["match", "list"], "does not exist. Run `pbem init`"),
    ],
)
def test_what_is_missing_is_said_in_one_line(
    words: list[str], message: str, pbem: Commands
) -> None:
    output = pbem(*words, fails=1)
    assert message in output
    assert len(output.splitlines()) == 1
    assert [*pbem.folder.iterdir()] == []


def test_a_variable_names_the_settings(pbem: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    pbem("init", "--yes", "--maildir", "mail")
    monkeypatch.setenv("PBEM_CONFIG", str(pbem.folder / "config.toml"))
    result = CliRunner().invoke(app, ["match", "list"])
    assert (result.exit_code, result.output) == (0, "There are no such matches.\n")


@pytest.mark.parametrize("words", [["lst"], ["match", "show"], ["status", "--nix"], ["mail", "x"]])
def test_wrong_usage_has_its_own_exit_code(words: list[str], pbem: Commands) -> None:
    pbem(*words, fails=2)


def test_a_database_of_another_version_is_not_opened(pbem: Commands) -> None:
    pbem("init", "--yes", "--maildir", "mail")
    (pbem.folder / "pbem.db").unlink()
    assert "pbem.db: it does not exist. Restore a backup" in pbem("status", fails=1)
    (pbem.folder / "pbem.db").touch()
    assert "is empty. Run `pbem init`" in pbem("status", fails=1)
    url = load_settings(pbem.folder / "config.toml").database.url
    with closing(Database(url)) as database, hold_worker_lock(database, "serve"):
        assert "serves it" in pbem("db", "upgrade", fails=1)
    assert "were at nothing" in pbem("db", "upgrade")
    assert "already" in pbem("db", "upgrade")
    assert "never started" in pbem("status", fails=1)


def test_a_database_that_cannot_be_used_comes_with_advice(pbem: Commands) -> None:
    pbem("init", "--yes", "--maildir", "mail")
    (pbem.folder / "pbem.db").unlink()
    (pbem.folder / "pbem.db").mkdir()
    assert "as the user of the service" in pbem("status", fails=1)
    config = pbem.folder / "config.toml"
    config.write_text(f'{config.read_text()}\n[database]\nurl = "postgresql://x@127.0.0.1:1/x"\n')
    assert "Does the server run?" in pbem("status", fails=1)
    assert "Connection refused. Does it run," in pbem("check", fails=1)


def test_a_file_that_is_no_database_is_said_so(pbem: Commands) -> None:
    pbem("init", "--yes", "--maildir", "mail")
    (pbem.folder / "pbem.db").write_bytes(b"no database" * 1000)
    output = pbem("status", fails=1)
    assert "Cannot use the database: file is not a database" in output
