from __future__ import annotations

import stat
import tomllib
from pathlib import Path

import pytest

from pbem.errors import ConfigError
from pbem.settings import create_keys, list_keys, load_keys, load_settings

EXAMPLE = Path(__file__).parents[1] / "config.example.toml"

CONFIG = """
[site]
title = "Club"
address = "games@example.org"

[imap]
host = "imap.example.org"
user = "games"
password_file = "secrets/imap"

[maildir]
outgoing = "/var/mail/out"

[matches]
undo_minutes = 0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_settings_come_from_the_file_with_absolute_paths(file: Path) -> None:
    file.write_text(CONFIG)
    settings = load_settings(file)
    assert settings.site.title == "Club"
    assert settings.imap.port == 993
    assert settings.imap.password_file == file.parent / "secrets/imap"
    assert settings.maildir.outgoing == Path("/var/mail/out")
    assert settings.maildir.incoming is None
    assert settings.keys.file == file.parent / "keys.toml"
    assert settings.database.url == f"sqlite:///{file.parent}/pbem.db"
    assert settings.matches.undo_minutes == 0


@pytest.mark.parametrize(
    "url", ["sqlite:////var/lib/pbem/pbem.db", "postgresql://pbem@db.example.org/pbem"]
)
def test_an_absolute_database_url_stays(url: str, file: Path) -> None:
    file.write_text(f'database.url = "{url}"')
    assert load_settings(file).database.url == url


def test_the_environment_replaces_single_settings(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(CONFIG.replace("password_file", "# password_file"))
    monkeypatch.setenv("PBEM_IMAP__PORT", "143")
    monkeypatch.setenv("PBEM_IMAP__PASSWORD", "123456")
    monkeypatch.setenv("PBEM_MATCHES__TIME", "fast")
    monkeypatch.setenv("PBEM_CONFIG", str(file))
    monkeypatch.setenv("PBEM_HOME", "another program's")
    settings = load_settings(file)
    assert (settings.imap.host, settings.imap.port) == ("imap.example.org", 143)
    assert settings.imap.read_password() == "123456"
    assert "123456" not in repr(settings)
    assert settings.matches.time == "fast"


LOGIN = 'imap = { host = "h.example", user = "u", '

WRONG = [
    ('imap.hots = "x"', "unknown key imap.hots. Did you mean imap.host?"),
    ('[impa]\nhost = "x"', "unknown key impa. Did you mean imap?"),
    ("limits.letters = 3", "unknown key limits."),
    ('imap.port = "imap"', "imap.port is 'imap'. It should be a valid integer, unable to parse"),
    ("imap.port = 0", "imap.port is 0. It should be greater than or equal to 1."),
    ('imap = "x"', "imap is a table. Write [imap] and its keys below."),
    ("site.address = 'games'", "site.address is 'games'. Write an address like games@"),
    ("site.delimiter = 'ab'", "site.delimiter is 'ab'. Write one sign like + or -, or nothing if"),
    ("site.delimiter = '@'", "site.delimiter is '@'. Write one sign"),
    (
        'site = { address = "games@example.org", contact = "Games@Example.org" }',
        "site.contact is the address of the service. Write an address of yours.",
    ),
    ("smtp.per_hour = -1", "smtp.per_hour is -1. It should be greater than or equal to 0."),
    ("web.listen = '8080'", "web.listen is '8080'. Write HOST:PORT, as in 127.0.0.1:8080."),
    ("web.listen = '[::1]:0'", "web.listen is '[::1]:0'. Write HOST:PORT"),
    ("web.url = 'games.example.org'", "web.url is 'games.example.org'. Write it like https://"),
    ("log.format = 'xml'", "log.format is 'xml'. It should be 'text' or 'json'."),
    (LOGIN + 'password_command = "pass \'x" }', "imap.password_command is no shell command"),
    ("database.url = 'pbem.db'", "database.url is 'pbem.db'. Write sqlite:///FILE or"),
    ('imap.security = "ssl"', "imap.security is 'ssl'. It should be 'tls', 'starttls' or 'none'."),
    (
        LOGIN + 'security = "none" }',
        "imap.security is 'none', which sends the password readable to h.example. Write 'tls'",
    ),
    (
        LOGIN + 'password = "hush", token_command = "t" }',
        "imap.password and token_command are set. Keep one of them.",
    ),
    ('smtp.password = "hush"', "smtp.password is set without user. Set user."),
    ('smtp.password = ["hush"]', "smtp.password. It should be a valid string."),
    (LOGIN + 'token_url = "http://x" }', "imap.token_url is 'http://x'. It must begin with https"),
    (LOGIN + 'token_url = "https://x" }', "imap.token_url needs client_id and refresh_token_file."),
    (LOGIN + 'token_command = "t \'x" }', "imap.token_command is no shell command: No closing"),
    ("matches.undo_minutes = -1", "matches.undo_minutes is -1. It should be greater than or"),
    ("imap = {", "it is not TOML: "),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_wrong_file_is_explained(text: str, message: str, file: Path) -> None:
    file.write_text(text)
    with pytest.raises(ConfigError) as raised:
        load_settings(file)
    assert str(raised.value).startswith(f"Cannot read {file}: {message}")
    assert "hush" not in str(raised.value)


def test_each_fault_has_a_line(file: Path) -> None:
    file.write_text('imap.hots = "x"\nsmtp.port = 0')
    with pytest.raises(ConfigError) as raised:
        load_settings(file)
    assert len(str(raised.value).splitlines()) == 2


UNKNOWN = "the environment: unknown variable"


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("PBEM_IMPA__HOST", "x", f"{UNKNOWN} PBEM_IMPA__HOST. Did you mean PBEM_IMAP__HOST?"),
        ("PBEM_WEB_LISTEN", "x", f"{UNKNOWN} PBEM_WEB_LISTEN. Did you mean PBEM_WEB__LISTEN?"),
        ("PBEM_SITE", "Club", 'the environment: error parsing value for field "site"'),
        ("PBEM_SMTP__PORT", "x", "PBEM_SMTP__PORT: smtp.port is 'x'."),
    ],
)
def test_a_wrong_variable_is_named(
    variable: str, value: str, message: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("")
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError) as raised:
        load_settings(file)
    assert str(raised.value).startswith(f"Cannot read {message}")


def test_a_missing_file_says_how_to_make_one(file: Path) -> None:
    with pytest.raises(ConfigError, match=r"does not exist\. Run `pbem init`"):
        load_settings(file)


def test_the_example_has_each_setting_with_its_default(file: Path) -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    written = [f"{name}.{key}" for name, section in tomllib.loads(text).items() for key in section]
    assert written == [*list_keys()]
    file.write_text("")
    defaults = load_settings(file)
    file.write_text(text)
    assert load_settings(file) == defaults


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_editors_may_write_a_byte_order_mark(encoding: str, file: Path) -> None:
    file.write_bytes('[site]\r\ntitle = "Spiele für alle"\r\n'.encode(encoding))
    assert load_settings(file).site.title == "Spiele für alle"


@pytest.mark.parametrize(
    ("text", "password"),
    [
        (b" s3cret \nnote", "s3cret"),
        ("\ufeffgeheim-ä\r\n".encode(), "geheim-ä"),
        ("geheim-ä".encode("utf-16"), "geheim-ä"),
    ],
)
def test_a_password_is_the_first_line_of_its_file(text: bytes, password: str, file: Path) -> None:
    file.write_text(CONFIG)
    (file.parent / "secrets").mkdir()
    imap = load_settings(file).imap
    with pytest.raises(ConfigError, match="Write the password into its first line"):
        imap.read_password()
    (file.parent / "secrets/imap").write_bytes(b"\nx")
    with pytest.raises(ConfigError, match="first line is empty"):
        imap.read_password()
    (file.parent / "secrets/imap").write_bytes(text)
    assert imap.read_password() == password


def test_a_password_is_the_first_line_of_a_commands_output(file: Path) -> None:
    command = "printf 'geheim-ä\\nnote'"
    file.write_text(f'imap = {{ user = "u", password_command = """{command}""" }}')
    assert load_settings(file).imap.read_password() == "geheim-ä"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("true", "Cannot read the password in the output of 'true': the first line is empty"),
        ("false", "Cannot get the password: Command '['false']' returned non-zero exit"),
        ("no-such-command", "Cannot get the password: [Errno 2] No such file or directory"),
    ],
)
def test_a_command_without_a_password_is_explained(command: str, message: str, file: Path) -> None:
    file.write_text(f'imap = {{ user = "u", password_command = "{command}" }}')
    with pytest.raises(ConfigError) as raised:
        load_settings(file).imap.read_password()
    assert str(raised.value).startswith(message)


# --- keys ----------------------------------------------------------------------------------------


def test_keys_are_made_once_and_only_for_their_owner(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    create_keys(file)
    current, keys = load_keys(file)
    assert [*keys] == [current]
    assert len(keys[current]) == 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        create_keys(file)
    assert load_keys(file) == (current, keys)


@pytest.mark.parametrize(
    ("text", "mode", "message"),
    [
        (None, 0o600, "does not exist. Restore it from a backup"),
        ("", 0o600, "is not a key file"),
        ("current = ", 0o600, "is not a key file"),
        ('current = "a"\n[keys]\na = "xyz"', 0o600, "is not a key file"),
        ('current = "b"\n[keys]\na = "00"', 0o600, "no key 'b'"),
        ('current = "a"\n[keys]\na = "00"', 0o640, "Other users can read"),
    ],
)
def test_a_wrong_key_file_is_explained(
    text: str | None, mode: int, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "keys.toml"
    if text is not None:
        file.write_text(text)
        file.chmod(mode)
    with pytest.raises(ConfigError) as raised:
        load_keys(file)
    assert message in str(raised.value)


def test_keys_of_another_user_are_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    file = tmp_path / "keys.toml"
    create_keys(file)
    monkeypatch.setattr("pbem.settings.read_text", refuse)  # root can read everything
    with pytest.raises(ConfigError, match="as the user of the service"):
        load_keys(file)
