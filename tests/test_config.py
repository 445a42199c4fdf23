"""The settings: what is read from where, and what a wrong one is told."""

from __future__ import annotations

import os
import re
import stat
import sys
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from pydantic import ValidationError

from pbem.config import (
    AddressKeys,
    Settings,
    load_keys,
    load_settings,
    setting_names,
    write_keys,
)
from pbem.config.settings import Matches
from pbem.errors import ConfigError

EXAMPLE = Path(__file__).parents[1] / "config.example.toml"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PBEM_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def load(file: Path, text: str) -> Settings:
    file.write_text(text)
    return load_settings(file)


def test_the_example_names_every_setting_and_no_other() -> None:
    table = tomllib.loads(EXAMPLE.read_text())
    named = [f"{section}.{name}" for section, settings in table.items() for name in settings]
    assert sorted(named) == sorted(setting_names())


def test_the_values_of_the_example_are_the_defaults() -> None:
    assert Settings(**tomllib.loads(EXAMPLE.read_text())) == Settings()


def test_every_setting_of_the_example_has_a_comment_line_above_it() -> None:
    lines = EXAMPLE.read_text().splitlines()
    settings = [at for at, line in enumerate(lines) if re.match(r"[a-z_]+ = ", line)]
    assert len(settings) == len(list(setting_names()))
    assert [lines[at] for at in settings if not re.match(r"# .+[.;]", lines[at - 1])] == []


def test_an_empty_file_gives_the_defaults(file: Path) -> None:
    settings = load(file, "")
    assert settings.imap == Settings().imap
    assert settings.limits.invitations_per_day == 10


def test_paths_are_relative_to_the_file(file: Path, tmp_path: Path) -> None:
    settings = load(
        file, 'store.database = "var/games.db"\nmaildir.incoming = "/srv/in"\nimap.host = ""'
    )
    assert settings.store.database == tmp_path / "var/games.db"
    assert settings.keys.file == tmp_path / "keys.toml"
    assert settings.maildir.incoming == Path("/srv/in")
    assert settings.maildir.outgoing is None


def test_the_environment_wins_over_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP__PORT", "1143")
    monkeypatch.setenv("PBEM_SITE__CATCH_ALL", "true")
    settings = load(file, 'imap.port = 993\nimap.host = "imap.example.org"')
    assert (settings.imap.host, settings.imap.port) == ("imap.example.org", 1143)
    assert settings.site.catch_all


def test_the_environment_alone_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_SITE__TITLE", "Club")
    assert load_settings().site.title == "Club"


def test_the_file_is_named_by_the_environment(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('site.title = "Club"')
    monkeypatch.setenv("PBEM_CONFIG", str(file))
    assert load_settings().site.title == "Club"


def test_no_file_at_all_is_told_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"there is no .*config\.toml; `pbem init` writes one"):
        load_settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("imap.hots = 'x'", "imap.hots is no setting; did you mean imap.host?"),
        ("[impa]\nhost = 'x'", "impa is no setting; did you mean imap?"),
        ("zzz = 1", "zzz is no setting; see config.example.toml"),
        ("imap = 'x'", "imap is a table: write [imap] and its settings below"),
        ("imap.port = 'many'", "imap.port is 'many': it should be a valid integer"),
        (
            "imap.port = 70000",
            "imap.port is 70000: it should be less than or equal to 65535",
        ),
        ("imap.password = 12345", "imap.password is wrong: it should be a valid string"),
        ("smtp.security = 'ssl'", "smtp.security is 'ssl': it should be 'tls', 'starttls'"),
        ("limits.letter_bytes = 3", "limits.letter_bytes is 3: it should be greater"),
        ("site.address = 'games'", "site: address must be a mail address like games@example.org"),
        ("site.address = 'a b@c'", "site: address must be a mail address"),
        ("site.delimiter = 'x'", "site: delimiter must be one sign like + or -"),
        (
            "[imap]\nhost = 'imap.example.org'\nsecurity = 'none'",
            'security = "none" would send everything readable to imap.example.org',
        ),
        (
            "[imap]\nuser = 'a'\npassword = 'b'\npassword_file = 'c'",
            "imap: password and password_file are set; set one of them",
        ),
        ("[smtp]\npassword = 'b'", "smtp: password is set, but user is not"),
        ("[imap]\nuser='a'\ntoken_url = 'https://x'", "token_url needs client_id and"),
        ("imap = [", "is no TOML"),
    ],
)
def test_a_wrong_setting_is_told_in_words(file: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(file, text)
    assert said in str(caught.value)


def test_all_wrong_settings_are_told_at_once(file: Path) -> None:
    with pytest.raises(ConfigError, match=r"imap\.hots is no.*; log\.level is 'loud'"):
        load(file, "imap.hots = 1\nlog.level = 'loud'")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.0.0.53", "::1"])
def test_plain_text_is_allowed_on_this_machine(file: Path, host: str) -> None:
    assert load(file, f"[imap]\nhost = '{host}'\nsecurity = 'none'").imap.security == "none"


@pytest.mark.parametrize(
    ("variable", "meant"),
    [
        ("PBEM_IMPA__HOST", "PBEM_IMAP__HOST"),
        ("PBEM_IMAP__HOTS", "PBEM_IMAP__HOST"),
        ("pbem_imap__hots", "PBEM_IMAP__HOST"),
        ("PBEM_IMAP_PASSWORD_FILE", "PBEM_IMAP__PASSWORD_FILE"),
        ("PBEM_CONFG", "PBEM_CONFIG"),
    ],
)
def test_a_slip_in_the_environment_is_told(
    file: Path, monkeypatch: pytest.MonkeyPatch, variable: str, meant: str
) -> None:
    monkeypatch.setenv(variable, "x")
    said = f"the environment variable {variable} names no setting; did you mean {meant}"
    with pytest.raises(ConfigError, match=said):
        load(file, "")


def test_what_other_programs_call_alike_is_no_slip(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the alarm command gets, and what a cluster tells of a service of this name."""
    for variable in ("CHECK", "STATE", "WORDS", "SINCE", "TITLE", "PORT", "SERVICE_HOST"):
        monkeypatch.setenv(f"PBEM_{variable}", "x")
    assert load(file, "").site.title == Settings().site.title


@pytest.mark.parametrize("name", list(setting_names()))
def test_each_setting_is_told_with_where_it_stands(
    file: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    section, _, key = name.partition(".")
    slip = f"{key[:-1]}{key[-1]}s"
    for lines, number in ([f"[{section}]", f"{slip} = 1"], 2), ([f"{section}.{slip} = 1"], 1):
        with pytest.raises(ConfigError) as caught:
            load(file, "# settings\n\n" + "\n".join(lines))
        assert str(caught.value).startswith(f"{section}.{slip} is no setting; did you mean ")
        assert str(caught.value).endswith(f" ({file}, line {number + 2})")
    variable = f"PBEM_{section}__{key}".upper()
    monkeypatch.setenv(variable, "")
    file.write_text("")
    with suppress(ConfigError):  # not every setting may be empty; then that is told below
        settings = load_settings(file)
        if settings.named(name).endswith("default)"):
            assert section in ("imap", "smtp")  # of a login that there is not
        else:
            assert settings.named(name) == f"{name} (environment variable {variable})"
    monkeypatch.delenv(variable)
    assert load_settings(file).named(name) == f"{name} (its default)"


def test_what_is_wrong_is_told_with_where_it_stands(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_IMAP__PORT", "many")
    monkeypatch.setenv("PBEM_IMAP__PASSWORD", "itself")
    monkeypatch.setenv("PBEM_SITE__ADDRESS", "games")
    with pytest.raises(ConfigError) as caught:
        load(file, '[imap]\nuser = "a"\n\n[ smtp ]\nport = "few"')
    integer = "it should be a valid integer, unable to parse string as an integer"
    assert str(caught.value) == (
        "site: address must be a mail address like games@example.org "
        "(address: environment variable PBEM_SITE__ADDRESS); "
        f"imap.port is 'many': {integer} (environment variable PBEM_IMAP__PORT); "
        f"smtp.port is 'few': {integer} ({file}, line 5)"
    )


CREDENTIAL = {f"PBEM_{server}__PASSWORD_FILE": "/run/credentials/x" for server in ("IMAP", "SMTP")}
"""What the units bring."""


def brought_by_documents() -> dict[str, set[str]]:
    """The variables that each unit, script and container of the documents brings."""
    root = EXAMPLE.parent
    files = [*(root / "contrib").rglob("*.service"), root / "docs/installing.md"]
    files.append(root / "docs/operators.md")
    ours = re.compile(r"^(?:Environment=|export |    -e )(PBEM_\w+__\w+)=", re.MULTILINE)
    return {file.name: set(ours.findall(file.read_text())) for file in files}


def test_the_documents_bring_a_password_and_nothing_else() -> None:
    brought = brought_by_documents()
    assert {*brought["pbem.service"]} == CREDENTIAL.keys()
    assert {frozenset(names) for names in brought.values()} == {frozenset(), frozenset(CREDENTIAL)}


@pytest.mark.parametrize(
    ("text", "login"),
    [
        ("", None),
        ("[smtp]\nhost = 'localhost'\nport = 25\nsecurity = 'none'", None),
        ("[imap]\nuser = 'a'", "PBEM_IMAP__PASSWORD_FILE"),
        ("[imap]\nuser = 'a'\npassword_file = 'mail-password'", "PBEM_IMAP__PASSWORD_FILE"),
        ("[imap]\nuser = 'a'\ntoken_command = 'token'", None),
        ("[imap]\nuser = 'a'\ntoken_url = 'x'\nclient_id = 'b'\nrefresh_token_file = 'c'", None),
    ],
)
def test_a_password_of_the_unit_that_nothing_uses_is_ignored(
    file: Path, monkeypatch: pytest.MonkeyPatch, text: str, login: str | None
) -> None:
    for name, value in CREDENTIAL.items():
        monkeypatch.setenv(name, value)
    settings = load(file, text)
    assert settings.smtp.password_file is None
    assert settings.imap.password_file == (Path("/run/credentials/x") if login else None)
    where = f"environment variable {login}" if login else "its default"
    assert settings.named("imap.password_file") == f"imap.password_file ({where})"


def test_two_passwords_are_told_with_where_each_stands(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_IMAP__PASSWORD_FILE", "/run/credentials/x")
    with pytest.raises(ConfigError) as caught:
        load(file, "[imap]\nuser = 'a'\n# of the keyring\npassword_command = 'pass show'")
    assert str(caught.value) == (
        "imap: password_file and password_command are set; set one of them (password_file: "
        f"environment variable PBEM_IMAP__PASSWORD_FILE; password_command: {file}, line 4)"
    )


def test_settings_are_frozen_and_hide_passwords(file: Path) -> None:
    settings = load(file, "[imap]\nuser = 'a'\npassword = 'hunter2'")
    assert "hunter2" not in repr(settings)
    with pytest.raises(ValueError, match="frozen"):
        settings.imap.user = "b"


def test_a_password_comes_from_any_of_three_places(file: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("from a file\nsecond line\n")
    command = f'{sys.executable} -c \\"print(12345)\\"'
    ways = {
        "": None,
        'user = "a"\npassword = "itself"': "itself",
        'user = "a"\npassword_file = "secret"': "from a file",
        f'user = "a"\npassword_command = "{command}"': "12345",
    }
    read = [load(file, f"[imap]\n{way}").imap.read_password() for way in ways]
    assert read == list(ways.values())


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ('password_file = "gone"', "password_file cannot be read: .*gone"),
        ('password_file = "config.toml"', "first line of .* is empty"),
        ('password_command = "false"', r"password_command failed \(1\)"),
        ('password_command = "true"', "password_command printed nothing"),
        ('password_command = "no-such-program-here"', "password_command cannot be run"),
    ],
)
def test_a_password_that_cannot_be_had_is_told_in_words(file: Path, way: str, said: str) -> None:
    settings = load(file, f"\n[imap]\nuser = 'a'\n{way}")
    with pytest.raises(ConfigError, match=said):
        settings.imap.read_password()


def test_the_client_secret_may_stand_in_a_file(file: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3\n")
    assert load(file, "smtp.client_secret = 's1'").smtp.read_client_secret() == "s1"
    assert load(file, "smtp.client_secret_file = 'secret'").smtp.read_client_secret() == "s3"
    assert load(file, "").smtp.read_client_secret() is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "site.address is not set"),
        ("site.address = 'games@example.org'", "no mail can come in"),
        ("site.address = 'games@example.org'\nlmtp.enabled = true", "no mail can go out"),
    ],
)
def test_what_serving_needs_is_told(file: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load(file, text).demand_mail()


def test_folders_are_enough_to_serve(file: Path) -> None:
    load(
        file,
        "site.address = 'games@example.org'\nmaildir.incoming = 'in'\nmaildir.outgoing = 'out'",
    ).demand_mail()


def test_keys_are_written_once_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    keys = AddressKeys("b", {"a": bytes(range(32)), "b": b"\xff" * 32})
    write_keys(file, keys)
    assert load_keys(file) == keys
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "ff" not in repr(keys)
    with pytest.raises(FileExistsError):
        write_keys(file, AddressKeys("a", {"a": b"other"}))
    assert load_keys(file) == keys


def test_keys_that_others_can_read_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    write_keys(file, AddressKeys("a", {"a": bytes(32)}))
    file.chmod(0o640)
    with pytest.raises(ConfigError, match=r"other users can read .*: run `chmod 600"):
        load_keys(file)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no file of keys"),
        ("current = 'b'\nkeys.a = '00'", "has no key 'b'"),
        ("current = 'a'\nkeys.a = 'xy'", "is no file of keys"),
        ("current = 'a'\nkeys = 3", "is no file of keys"),
        ("current = ", "cannot be read"),
    ],
)
def test_a_broken_file_of_keys_is_told(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "keys.toml"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(ConfigError, match=said):
        load_keys(file)


def test_missing_keys_are_told_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="`pbem init` makes one, `pbem restore` brings back"):
        load_keys(tmp_path / "keys.toml")


def test_a_resignation_is_always_held() -> None:
    # Else whoever knows a reply address and types "resign yes" ends the match.
    assert Matches(resign_hours=1).resign_hours == 1
    with pytest.raises(ValidationError):
        Matches(resign_hours=0)
