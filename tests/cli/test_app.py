"""The application as a whole: help, versions, and what becomes of errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pbem import __version__
from pbem.errors import ConfigError
from tests.cli.service import Service, run

RUNNING = (
    "init",
    "tournament",
    "upgrade",
    "migrate",
    "check",
    "serve",
    "web",
    "status",
    "dataset",
    "demo",
    "play",
    "backup",
    "bots",
    "restore",
)
LOOKING = (
    "matches",
    "show",
    "replay",
    "verify",
    "export",
    "import",
    "mails",
    "retry",
    "resend",
)
OPERATING = (
    "keys",
    "forget",
    "games",
    "history",
    "new-game",
    "match",
    "ban",
    "pardon",
    "rename",
    "reach",
    "welcome",
    "witness",
    "checkpoint",
    "reports",
    "ratings",
)
COMMANDS = sorted(RUNNING + LOOKING + OPERATING)


def test_help_lists_every_command() -> None:
    shown = run("--help").output
    listed = shown.partition("Commands:")[2].splitlines()
    assert sorted(line.split()[0] for line in listed if line.strip()) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_it_does(command: str) -> None:
    assert run(command, "--help").output.startswith("Usage: ")


def test_help_loads_nothing_heavy() -> None:
    heavy = {
        "sqlalchemy",
        "sqlmodel",
        "pydantic",
        "jinja2",
        "rich",
        "alembic",
        "aiosmtplib",
        "pbem.games",
    }
    assert loaded(heavy, "--help") == set()


def test_the_status_of_a_service_waits_for_no_rules_and_no_words(service: Service) -> None:
    heavy = {"pbem.games.logger", "pbem.notices", "pbem.matches.decide", "jinja2"}
    assert loaded(heavy, "--config", str(service.config), "status") == set()


def loaded(heavy: set[str], *words: str) -> set[str]:
    """Which of some modules a command loads."""
    code = (
        f"import sys; from pbem.cli.app import app; app({[*words]!r}, standalone_mode=False); "
        f"print('LOADED', *sorted({heavy!r} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=240
    )
    return set(done.stdout.splitlines()[-1].split()[1:])


def test_the_version_is_said() -> None:
    assert run("--version").output == f"pbem {__version__}\n"


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"pbem {__version__}\n"


@pytest.mark.parametrize(
    "command", ["check", "serve", "status", "matches", "mails", "upgrade", "backup x"]
)
def test_without_settings_every_command_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*command.split())
    assert result.exit_code == 1
    assert result.output == f"pbem: there is no {tmp_path}/config.toml; `pbem init` writes one\n"


def test_an_error_is_one_line_and_a_traceback_only_on_demand(service: Service) -> None:
    service.write("imap.port = 0")
    said = service.run("status", code=1)
    assert said.startswith("pbem: ")
    assert "imap.port is 0" in said
    assert len(said.splitlines()) == 1
    with pytest.raises(ConfigError):
        run("--config", str(service.config), "--debug", "status")


def test_the_settings_are_found_by_the_environment(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_CONFIG", str(service.config))
    assert "K7QX2" in run("matches", "--all").output


def test_serve_needs_an_address_and_ways_for_mail(service: Service) -> None:
    service.write("")
    assert "site.address is not set" in service.run("serve", code=1)


BIG = "9" * 25


@pytest.mark.parametrize(
    "command",
    [f"resend {BIG}", f"mails --outbox {BIG}", f"mails --limit {BIG}", f"matches --limit {BIG}"],
)
def test_a_number_that_is_too_great_is_told(service: Service, command: str) -> None:
    assert "give a smaller one" in service.run(*command.split(), code=1)


@pytest.mark.parametrize("name", ["password_command", "token_command"])
def test_a_command_whose_quotes_do_not_match_is_told(service: Service, name: str) -> None:
    service.write(f'[imap]\nhost = "mail.example.org"\nuser = "x"\n{name} = "pass \'show"\n')
    assert f"imap: {name} is no command: No closing quotation" in service.run("status", code=1)


def test_who_reads_only_the_beginning_is_told_nothing() -> None:
    long = "\n".join(["a1", "e5", *["stay; pass"] * 2_000])
    with subprocess.Popen(
        [sys.executable, "-m", "pbem", "play", "logger", "--transcript", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as play:
        assert play.stdin is not None
        assert play.stdout is not None
        assert play.stderr is not None
        play.stdout.close()
        play.stdin.write(long.encode())
        play.stdin.close()
        assert play.stderr.read() == b""
        assert play.wait() == 1
