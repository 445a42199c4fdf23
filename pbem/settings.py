"""The operator's settings, read from a TOML file and from the environment.

`load_settings` reads `config.toml`. An environment variable such as `PBEM_IMAP__HOST` overrides
`imap.host`. Wrong settings are reported together, by one `ConfigError`. It has a line for each of
them, which names the key and says what to do. Relative paths are relative to the folder of the
file.

Reply addresses are signed with keys that must survive a restart, and must not be in the database or
a log. The keys are in a separate file; see `create_keys` and `load_keys`.
"""

from __future__ import annotations

import codecs
import difflib
import os
import re
import secrets
import shlex
import stat
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from pbem.errors import ConfigError
from pbem.files import write_private

PREFIX: Final = "PBEM_"  # prefix of environment variables with settings
CONFIG_VARIABLE: Final = "PBEM_CONFIG"  # variable with the path of the TOML file
COMMAND_SECONDS: Final = 30.0  # time limit of `password_command`, which may ask a password manager
KEY_BYTES: Final = 32  # bytes of a key of reply addresses, as many as in its HMAC (SHA-256)

_ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*/=?^_`{|}~.-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|::1")
_SQLITE = "sqlite:///"
MAX_PORT: Final = 65535

Port = Annotated[int, Field(ge=1, le=MAX_PORT)]
PositiveInt = Annotated[int, Field(ge=1)]
NonNegativeInt = Annotated[int, Field(ge=0)]

# An empty string means None.
OptionalPath = Annotated[Path | None, BeforeValidator(lambda value: value or None)]


# --- sections ------------------------------------------------------------------------------------


class Section(BaseModel):
    """Base class of the sections of the settings. An unknown key in a section is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SiteSettings(Section):
    """The name and the public address of the service.

    `title` is the name, and `address` the address of its mailbox. `delimiter` is the sign before
    the tag in reply addresses, as in `games+tag@example.org`. If `delimiter` is empty, reply
    addresses have the form `tag@example.org`. `authserv_id` is the name of the server whose
    Authentication-Results headers we trust (RFC 8601); if it is empty, we trust none. `contact` is
    the operator's address, which gets alarms and reports. `templates` is the folder of the
    operator's own templates.
    """

    title: str = "pbem"
    address: str = ""
    delimiter: str = "+"
    authserv_id: str = ""
    contact: str = ""
    templates: OptionalPath = None

    @model_validator(mode="after")
    def _check(self) -> SiteSettings:
        for name in ("address", "contact"):
            value = getattr(self, name)
            if value and not _ADDRESS.fullmatch(value):
                raise ValueError(f"{name} is {value!r}. Write an address like games@example.org")
        if self.contact and self.contact.lower() == self.address.lower():
            raise ValueError("contact is the address of the service. Write an address of yours")
        if len(self.delimiter) > 1 or self.delimiter.isalnum() or self.delimiter in {"@", "."}:
            raise ValueError(
                f"delimiter is {self.delimiter!r}. Write one sign like + or -, or nothing if the "
                "mailbox gets the emails to all addresses of its domain"
            )
        return self


class DatabaseSettings(Section):
    """How to connect to the database, which has the matches and players."""

    url: str = "sqlite:///pbem.db"

    @model_validator(mode="after")
    def _check(self) -> DatabaseSettings:
        if not self.url.startswith((_SQLITE, "postgresql://")):
            raise ValueError(
                f"url is {self.url!r}. Write sqlite:///FILE or postgresql://USER@HOST/NAME"
            )
        return self

    @property
    def file(self) -> Path | None:
        """The path of the database file; None on PostgreSQL."""
        return Path(self.url.removeprefix(_SQLITE)) if self.url.startswith(_SQLITE) else None

    @property
    def shown_url(self) -> str:
        """The URL for messages, in which `***` replaces a password."""
        return re.sub(r"(://[^:/@]*):[^@/]*@", r"\1:***@", self.url)


class KeySettings(Section):
    """The location of the file with the keys of reply addresses."""

    file: Path = Path("keys.toml")


class ServerSettings(Section):
    """A mail server and our login there. If `host` is empty, no such server is used.

    We log in as `user` with a password or an OAuth2 access token. At most one of these is set:

    - `password`: the password.
    - `password_file`: a file whose first line is the password.
    - `password_command`: a command that prints the password.
    - `token_command`: a command that prints an access token.
    - `token_url`: the URL at which we request access tokens with `client_id`, `client_secret` and
      the refresh token in `refresh_token_file`.

    `ca_file` has the certificates to trust instead of those of the system.
    """

    host: str = ""
    port: Port
    security: Literal["tls", "starttls", "none"] = "tls"
    ca_file: OptionalPath = None
    user: str = ""
    password: SecretStr = SecretStr("")
    password_file: OptionalPath = None
    password_command: str = ""
    token_command: str = ""
    token_url: str = ""
    client_id: str = ""
    client_secret: SecretStr = SecretStr("")
    refresh_token_file: OptionalPath = None

    @model_validator(mode="after")
    def _check(self) -> ServerSettings:
        if self.host and self.security == "none" and not _LOOPBACK.fullmatch(self.host.lower()):
            raise ValueError(
                f"security is 'none', which sends the password readable to {self.host}. "
                "Write 'tls' or 'starttls'"
            )
        names = ("password", "password_file", "password_command", "token_command", "token_url")
        logins = [name for name in names if getattr(self, name)]
        if len(logins) > 1:
            raise ValueError(f"{' and '.join(logins)} are set. Keep one of them")
        if logins and not self.user:
            raise ValueError(f"{logins[0]} is set without user. Set user")
        if self.token_url and not self.token_url.startswith("https://"):
            raise ValueError(f"token_url is {self.token_url!r}. It must begin with https://")
        if self.token_url and not (self.client_id and self.refresh_token_file):
            raise ValueError("token_url needs client_id and refresh_token_file. Set both")
        for name in ("password_command", "token_command"):
            try:
                shlex.split(getattr(self, name))
            except ValueError as error:
                raise ValueError(f"{name} is no shell command: {error}") from None
        return self

    def read_password(self) -> str:
        """Return the password, or an empty string if none is set.

        Raises:
            ConfigError: `password_file` cannot be read, `password_command` fails, or the password
                is empty.
        """
        if self.password_file is not None:
            source = str(self.password_file)
            try:
                text = read_text(self.password_file)
            except FileNotFoundError:
                raise ConfigError(
                    f"Cannot read the password file {source}: it does not exist. Write the "
                    "password into its first line; backups do not have it."
                ) from None
            except (OSError, UnicodeDecodeError) as error:
                raise ConfigError(f"Cannot read the password file: {error}.") from None
        elif self.password_command:
            source = f"the output of {self.password_command!r}"
            text = _run_command(self.password_command)
        else:
            return self.password.get_secret_value()
        password = text.partition("\n")[0].strip()
        if not password:
            raise ConfigError(f"Cannot read the password in {source}: the first line is empty.")
        return password


def _run_command(command: str) -> str:
    """Return the standard output of a command. Its standard error goes to ours.

    Raises:
        ConfigError: The command cannot be started, fails, or takes more than COMMAND_SECONDS.
    """
    try:
        process = subprocess.run(  # noqa: S603 - the operator's own command, without a shell
            shlex.split(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            timeout=COMMAND_SECONDS,
            check=True,
        )
        return process.stdout.decode("utf-8")
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError) as error:
        raise ConfigError(f"Cannot get the password: {error}.") from None


class ImapSettings(ServerSettings):
    """The IMAP server from which we read received emails, and the mailbox on it."""

    port: Port = 993
    mailbox: str = "INBOX"


class SmtpSettings(ServerSettings):
    """The server that sends our emails.

    `per_hour` and `per_day` are the numbers of emails that the provider allows; 0 means no limit.
    """

    port: Port = 465
    per_hour: NonNegativeInt = 0
    per_day: NonNegativeInt = 0


class MaildirSettings(Section):
    """Maildir folders, used in place of mail servers: one to read from, and one to write to."""

    incoming: OptionalPath = None
    outgoing: OptionalPath = None


class MatchSettings(Section):
    """Defaults for matches.

    `undo_minutes` is the number of minutes in which a player can undo a move made by email. `time`
    is the time control of matches whose challenger names none.
    """

    undo_minutes: Annotated[int, Field(ge=0, le=24 * 60)] = 5
    time: str = "slow"


class LimitSettings(Section):
    """Limits on the emails that we process, answer and send.

    | setting | maximum number of |
    |---|---|
    | verified_emails | emails per hour from a player (enough to answer a board every 30 s) |
    | other_emails | emails per hour without proof of the sender, per player or mailbox |
    | refusals | refusals sent to a player per day |
    | board_answers | boards per hour that answer a player's emails without a command or a move |
    | player_emails | emails per hour that one player causes for another, not counting turns |
    | stranger_emails | emails per day, such as invitations, to people who never said yes |
    | stranger_emails_domain | such emails per day to addresses of one domain |
    | stranger_emails_mailbox | such emails per day to one mailbox |
    | stranger_emails_player | such emails per day that one player causes |
    """

    verified_emails: PositiveInt = 120
    other_emails: PositiveInt = 20
    refusals: PositiveInt = 20
    board_answers: PositiveInt = 3
    player_emails: PositiveInt = 20
    stranger_emails: PositiveInt = 60
    stranger_emails_domain: PositiveInt = 20
    stranger_emails_mailbox: PositiveInt = 1
    stranger_emails_player: PositiveInt = 10


class WebSettings(Section):
    """Settings of the HTTP server for pages, health and metrics.

    `listen` is the address on which `serve` listens, as in `127.0.0.1:8080`. If `listen` is empty,
    there is no HTTP server. `url` is the public URL for browsers, as in
    `https://games.example.org`. `trusted_proxies` are addresses and networks of proxies, separated
    by commas. If a request comes from one of these proxies, we believe the address of the browser
    that the proxy writes into the headers.
    """

    listen: str = ""
    url: str = ""
    trusted_proxies: str = "127.0.0.1, ::1"

    @model_validator(mode="after")
    def _check(self) -> WebSettings:
        if self.listen:
            host, _, port = self.listen.rpartition(":")
            if not host or not port.isdecimal() or not 0 < int(port) <= MAX_PORT:
                raise ValueError(
                    f"listen is {self.listen!r}. Write HOST:PORT, as in 127.0.0.1:8080"
                )
        if self.url and not re.fullmatch(r"https?://[^/?#\s]+", self.url):
            raise ValueError(
                f"url is {self.url!r}. Write it like https://games.example.org, without a path"
            )
        return self

    @property
    def host_and_port(self) -> tuple[str, int]:
        """The host and port to listen on; valid only if `listen` is set."""
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]"), int(port)


class LogSettings(Section):
    """The log that `serve` writes to stderr, as `text` for people or `json` for programs."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["text", "json"] = "text"


class Settings(BaseSettings):
    """All settings, by section; `load_settings` returns them with absolute paths."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True
    )

    site: SiteSettings = SiteSettings()
    database: DatabaseSettings = DatabaseSettings()
    keys: KeySettings = KeySettings()
    imap: ImapSettings = ImapSettings()
    smtp: SmtpSettings = SmtpSettings()
    maildir: MaildirSettings = MaildirSettings()
    matches: MatchSettings = MatchSettings()
    limits: LimitSettings = LimitSettings()
    web: WebSettings = WebSettings()
    log: LogSettings = LogSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources of settings by priority: first the environment, then the file.

        `load_settings` passes the contents of the file as arguments, so `init_settings` has them.
        Other sources are not used.
        """
        del settings_cls, dotenv_settings, file_secret_settings
        return env_settings, init_settings


# --- loading -------------------------------------------------------------------------------------


def load_settings(file: Path) -> Settings:
    """Return the settings from a TOML file and the environment, with absolute paths.

    Raises:
        ConfigError: The file cannot be read, or any setting is wrong.
    """
    try:
        table = tomllib.loads(read_text(file))
    except FileNotFoundError:
        raise ConfigError(
            f"Cannot read {file}: it does not exist. Run `pbem init`, or name the file with "
            "`pbem --config FILE`."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"Cannot read {file}: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"Cannot read {file}: it is not TOML: {error}.") from None
    _check_variables()
    try:
        settings = Settings(**table)
    except ValidationError as error:
        lines = [f"Cannot read {_find_origin(e, file)}: {_describe(e)}" for e in error.errors()]
        raise ConfigError("\n".join(lines)) from None
    except SettingsError as error:
        raise ConfigError(f"Cannot read the environment: {error}.") from None
    return _make_absolute(settings, file.absolute().parent)


def read_text(file: Path) -> str:
    """Return the text of a file, decoded from UTF-8, or from UTF-16 if a byte order mark says so.

    Editors on Windows write such marks. Lines end with LF in the result.

    Raises:
        OSError: The file cannot be read.
        UnicodeDecodeError: The file is not text in this encoding.
    """
    data = file.read_bytes()
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = data.decode("utf-16" if is_utf16 else "utf-8-sig")
    return text.replace("\r\n", "\n")


def list_keys() -> Iterator[str]:
    """Yield the full key of each setting, such as `imap.host`."""
    for name, field in Settings.model_fields.items():
        section = field.annotation
        if isinstance(section, type) and issubclass(section, Section):
            yield from (f"{name}.{key}" for key in section.model_fields)


def _variable(key: str) -> str:
    return PREFIX + key.upper().replace(".", "__")


def _check_variables() -> None:
    """Raise ConfigError if an environment variable looks like a setting that does not exist.

    An example is `PBEM_IMAP__HOTS`. pydantic-settings silently ignores most such variables.

    Raises:
        ConfigError: There is such a variable. If there are several, the message names one of them.
    """
    known = [CONFIG_VARIABLE, *map(_variable, list_keys())]
    mistyped = {variable.replace("__", "_") for variable in known} - {*known}
    for name in os.environ:
        # Other variables without "__", such as PBEM_HOME, may belong to another program.
        is_ours = name.upper().startswith(PREFIX) and "__" in name
        if name.upper() in mistyped or (is_ours and name.upper() not in known):
            hint = _suggest(name.upper(), known)
            raise ConfigError(f"Cannot read the environment: unknown variable {name}.{hint}")


def _suggest(name: str, known: list[str]) -> str:
    matches = difflib.get_close_matches(name, known, 1)
    return f" Did you mean {matches[0]}?" if matches else ""


def _find_origin(error: ErrorDetails, file: Path) -> str:
    """Return the source of a wrong setting: the name of its environment variable, or the file."""
    variable = _variable(".".join(map(str, error["loc"])))
    names = {name.upper(): name for name in os.environ}
    return names.get(variable, str(file))


def _describe(error: ErrorDetails) -> str:
    """Return a sentence or two that say which setting is wrong and what to do."""
    key = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        return f"unknown key {key}.{_suggest(key, [*Settings.model_fields, *list_keys()])}"
    if error["type"] == "value_error":  # raised by a section, which names the key itself
        return f"{key}.{error['ctx']['error']}."
    if error["type"] in ("model_type", "model_attributes_type", "dict_type"):
        return f"{key} is a table. Write [{key}] and its keys below."
    value = "" if key.endswith(("password", "client_secret")) else f" is {error['input']!r}"
    return f"{key}{value}. {error['msg'].replace('Input should', 'It should')}."


def _make_absolute(settings: Settings, folder: Path) -> Settings:
    sections: dict[str, Any] = {}
    for name, section in settings:
        paths = {
            key: folder / value.expanduser() for key, value in section if isinstance(value, Path)
        }
        sections[name] = section.model_copy(update=paths)
    if settings.database.file is not None:
        url = f"{_SQLITE}{folder / settings.database.file}"
        sections["database"] = settings.database.model_copy(update={"url": url})
    return settings.model_copy(update=sections)


# --- keys ----------------------------------------------------------------------------------------


def load_keys(file: Path) -> tuple[str, dict[str, bytes]]:
    """Return the id of the key that signs new reply addresses, and all keys by id.

    Raises:
        ConfigError: The file is missing, cannot be read, is not a key file, or other users can read
            it.
    """
    try:
        mode = file.stat().st_mode
        table = tomllib.loads(read_text(file))
        keys = {str(key): bytes.fromhex(value) for key, value in table["keys"].items()}
        current = str(table["current"])
    except FileNotFoundError:
        raise ConfigError(
            f"Cannot read {file}: it does not exist. Restore it from a backup, or run `pbem init` "
            "if the service is new."
        ) from None
    except PermissionError:
        raise ConfigError(
            f"Cannot read {file}: it belongs to another user. Run this as the user of the service, "
            "or give it to them by `chown`."
        ) from None
    except OSError as error:
        raise ConfigError(f"Cannot read {file}: {error}.") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(
            f"Cannot read {file}: it is not a key file ({error!r}). Restore it from a backup."
        ) from None
    if current not in keys:
        raise ConfigError(f"Cannot read {file}: no key {current!r}. Restore it from a backup.")
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(f"Other users can read {file}. Run `chmod 600 {file}`.")
    return current, keys


def create_keys(file: Path) -> None:
    """Write one random key of reply addresses to a new file that only its owner can read.

    Raises:
        FileExistsError: The file exists. It is not overwritten, because without its keys all
            earlier reply addresses would be invalid.
        OSError: The file cannot be written.
    """
    text = (
        "# The keys of reply addresses. Without them players are asked about replies to older\n"
        "# emails; with them anyone can forge a reply. Keep them secret, and in the backup.\n"
        f'current = "a"\n\n[keys]\na = "{secrets.token_bytes(KEY_BYTES).hex()}"\n'
    )
    write_private(file, text.encode())
