"""The settings: a TOML file, over it the environment (PBEM_IMAP__HOST), and files for secrets.

config.example.toml is the manual of them all. A new setting is a field here and a line there; a
test compares the two. Secrets are read when they are asked for, so that most commands need none.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import stat
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

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
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from pbem.errors import ConfigError

DEFAULT_FILE: Final = Path("config.toml")
PREFIX: Final = "PBEM_"
FILE_VARIABLE: Final = "PBEM_CONFIG"
FIRST_KEY: Final = "a"
COMMAND_SECONDS: Final = 60
SECRETS: Final = ("password", "client_secret")

_ADDRESS: Final = re.compile(r"[A-Za-z0-9!#$%&'*/=?^_`{|}~.-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_LOOPBACK: Final = re.compile(r"localhost|127(\.\d{1,3}){3}|::1")


def _unset(value: object) -> object:
    """TOML has no null: the empty text means that a setting is not set."""
    return None if value == "" else value


MaybePath = Annotated[Path | None, BeforeValidator(_unset)]
MaybeSecret = Annotated[SecretStr | None, BeforeValidator(_unset)]
Security = Literal["tls", "starttls", "none"]
Port = Annotated[int, Field(ge=1, le=65535)]
AtLeastOne = Annotated[int, Field(ge=1)]
NotNegative = Annotated[int, Field(ge=0)]


class Section(BaseModel):
    """One table of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Site(Section):
    """Who we are in the world's mail."""

    title: str = "pbem"
    address: str = ""
    delimiter: str = "+"
    catch_all: bool = False
    authserv_id: str = ""
    contact: str = ""

    @model_validator(mode="after")
    def _check(self) -> Site:
        for name in ("address", "contact"):
            text = getattr(self, name)
            if text and not _ADDRESS.fullmatch(text):
                raise ValueError(f"{name} must be a mail address like games@example.org")
        if len(self.delimiter) != 1 or self.delimiter.isalnum() or self.delimiter in "@.":
            raise ValueError("delimiter must be one sign like + or -")
        return self


class Store(Section):
    """Where the events are."""

    database: Path = Path("pbem.db")


class KeyStore(Section):
    """Where the keys of the reply addresses are."""

    file: Path = Path("keys.toml")


class Templates(Section):
    """An operator's own words."""

    folder: MaybePath = None


class Login(Section):
    """What an IMAP and an SMTP server have in common; no host means that there is none."""

    host: str = ""
    security: Security = "tls"
    ca_file: MaybePath = None
    user: str = ""
    password: MaybeSecret = None
    password_file: MaybePath = None
    password_command: str = ""
    token_command: str = ""
    token_url: str = ""
    client_id: str = ""
    client_secret: MaybeSecret = None
    client_secret_file: MaybePath = None
    refresh_token_file: MaybePath = None

    @model_validator(mode="after")
    def _check(self) -> Login:
        if self.host and self.security == "none" and not _LOOPBACK.fullmatch(self.host.lower()):
            raise ValueError(
                f'security = "none" would send everything readable to {self.host}; '
                'use "tls" or "starttls" (none is for this machine only)'
            )
        ways = [
            name
            for name in ("password", "password_file", "password_command", "token_command")
            if getattr(self, name)
        ]
        ways += ["token_url"] if self.token_url else []
        if len(ways) > 1:
            raise ValueError(f"{' and '.join(ways)} are set; set one of them")
        if ways and not self.user:
            raise ValueError(f"{ways[0]} is set, but user is not")
        if self.token_url and not (self.client_id and self.refresh_token_file):
            raise ValueError("token_url needs client_id and refresh_token_file beside it")
        return self

    def read_password(self) -> str | None:
        """The password from wherever it is kept, None if there is none; ConfigError in words."""
        if self.password is not None:
            return self.password.get_secret_value()
        if self.password_file is not None:
            return read_secret(self.password_file, "password_file")
        if self.password_command:
            return _ask(shlex.split(self.password_command))
        return None

    def read_client_secret(self) -> str | None:
        """The OAuth2 client's secret, None for a public client."""
        if self.client_secret is not None:
            return self.client_secret.get_secret_value()
        if self.client_secret_file is not None:
            return read_secret(self.client_secret_file, "client_secret_file")
        return None


class Imap(Login):
    """The mailbox that we read."""

    port: Port = 993
    mailbox: str = "INBOX"
    after_reading: Literal["keep", "seen", "move", "delete"] = "seen"
    archive: str = "Archive"
    after_days: NotNegative = 0
    idle_seconds: Annotated[int, Field(ge=10, le=29 * 60)] = 300
    poll_seconds: AtLeastOne = 30


class Smtp(Login):
    """The server that takes our mail."""

    port: Port = 465
    connections: Annotated[int, Field(ge=1, le=20)] = 3
    max_mails_per_hour: NotNegative = 0
    max_mails_per_day: NotNegative = 0


class Lmtp(Section):
    """A way in without polling, for those who run their own mail server."""

    enabled: bool = False
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 2424


class Maildir(Section):
    """Folders in place of servers."""

    incoming: MaybePath = None
    outgoing: MaybePath = None


class Limits(Section):
    """What one sender may ask of us."""

    letter_bytes: Annotated[int, Field(ge=10_000, le=50_000_000)] = 1_000_000
    invitations_per_day: AtLeastOne = 10
    pending_invitations: AtLeastOne = 5
    welcomes_per_day: NotNegative = 1
    refusals_per_day: NotNegative = 20
    keep_mail_days: AtLeastOne = 90


class Log(Section):
    """What the process says of itself."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["text", "json"] = "text"


class Settings(BaseSettings):
    """All settings, frozen; `load_settings` makes them, with absolute paths."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix=PREFIX, env_nested_delimiter="__"
    )

    site: Site = Site()
    store: Store = Store()
    keys: KeyStore = KeyStore()
    templates: Templates = Templates()
    imap: Imap = Imap()
    smtp: Smtp = Smtp()
    lmtp: Lmtp = Lmtp()
    maildir: Maildir = Maildir()
    limits: Limits = Limits()
    log: Log = Log()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over what `load_settings` read from the file."""
        del settings_cls, dotenv_settings, file_secret_settings
        return env_settings, init_settings

    def demand_mail(self) -> None:
        """ConfigError unless there is a public address, one way in and one way out."""
        if not self.site.address:
            raise ConfigError(
                "site.address is not set: the mail address that players write to, "
                "as in games@example.org"
            )
        if not (self.imap.host or self.lmtp.enabled or self.maildir.incoming):
            raise ConfigError("no mail can come in: set imap.host (or lmtp, or maildir.incoming)")
        if not (self.smtp.host or self.maildir.outgoing):
            raise ConfigError("no mail can go out: set smtp.host (or maildir.outgoing)")


def setting_names() -> Iterator[str]:
    """Every setting there is, as in `imap.host`."""
    for section, described in Settings.model_fields.items():
        model = described.annotation
        if isinstance(model, type) and issubclass(model, Section):
            yield from (f"{section}.{name}" for name in model.model_fields)


# --- loading -------------------------------------------------------------------------------------


def find_file(given: Path | None) -> Path:
    """The file of the settings: the one given, else $PBEM_CONFIG, else ./config.toml; absolute."""
    return (given or Path(os.environ.get(FILE_VARIABLE) or DEFAULT_FILE)).expanduser().absolute()


def load_settings(given: Path | None = None) -> Settings:
    """Read the file and the environment.

    Relative paths are relative to the file's folder. Without a file the environment alone will do,
    but only where nobody named a file. Raises ConfigError, which names each wrong setting.
    """
    file = find_file(given)
    table = _read_toml(file, needed=given is not None or not _from_environment())
    _refuse_unknown_sections()
    try:
        settings = Settings(**table)  # type: ignore[arg-type] # pydantic checks it, that is the point
    except ValidationError as error:
        lines = [_in_words(one) for one in error.errors()]
        raise ConfigError(f"{file}: " + "; ".join(lines)) from None
    return _anchored(settings, file.parent)


def _read_toml(file: Path, *, needed: bool) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if needed:
            raise ConfigError(f"there is no {file}; `pbem init` writes one") from None
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is no TOML: {error}") from None


def _from_environment() -> list[str]:
    return [name for name in os.environ if name.upper().startswith(PREFIX) and "__" in name]


def _refuse_unknown_sections() -> None:
    """Pydantic sees only variables of sections that it knows; a slip in the section is silent."""
    for variable in _from_environment():
        section = variable[len(PREFIX) :].partition("__")[0].lower()
        if section not in Settings.model_fields:
            near = difflib.get_close_matches(section, Settings.model_fields, 1)
            hint = f"; did you mean {PREFIX}{near[0].upper()}__?" if near else ""
            raise ConfigError(f"the environment variable {variable} names no setting{hint}")


def _in_words(error: ErrorDetails) -> str:
    """Which setting, what is wrong, what to do."""
    name = ".".join(str(part) for part in error["loc"])
    match error["type"]:
        case "extra_forbidden":
            known = [*Settings.model_fields, *setting_names()]
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]}?" if near else "; see config.example.toml"
            return f"{name} is no setting{hint}"
        case "value_error":
            return f"{name}: {error['ctx']['error']}"
        case "model_type" | "model_attributes_type" | "dict_type":
            return f"{name} is a table: write [{name}] and its settings below"
        case _:
            said = error["msg"].replace("Input should", "it should")
            shown = "wrong" if name.endswith(SECRETS) else repr(error["input"])
            return f"{name} is {shown}: {said}"


def _anchored(settings: Settings, folder: Path) -> Settings:
    """The same with every path absolute."""
    sections: dict[str, Section] = {}
    for name in Settings.model_fields:
        section: Section = getattr(settings, name)
        paths = {
            key: folder / value.expanduser() for key, value in section if isinstance(value, Path)
        }
        sections[name] = section.model_copy(update=paths)
    return settings.model_copy(update=sections)


# --- secrets -------------------------------------------------------------------------------------


def read_secret(file: Path, setting: str) -> str:
    """The first line of a file that holds a secret; ConfigError if there is none."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{setting} cannot be read: {error}") from None
    if not lines or not lines[0].strip():
        raise ConfigError(f"{setting}: the first line of {file} is empty")
    return lines[0].strip()


def _ask(argv: list[str]) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - the operator's own command, without a shell
            argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_SECONDS, check=True
        )
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip()
        raise ConfigError(f"password_command failed ({error.returncode}): {said}") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigError(f"password_command cannot be run: {error}") from None
    lines = done.stdout.decode(errors="replace").splitlines()
    if not lines or not lines[0]:
        raise ConfigError("password_command printed nothing")
    return lines[0]


@dataclass(frozen=True, slots=True)
class AddressKeys:
    """The keys of the reply addresses by their ids; new addresses are made with `current`."""

    current: str
    secrets: Mapping[str, bytes] = field(repr=False)


def load_keys(file: Path) -> AddressKeys:
    """Read the keys; ConfigError if they are missing, broken, or open to other users."""
    try:
        with file.open("rb") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            table = tomllib.load(opened)
        secrets = {str(key): bytes.fromhex(value) for key, value in table["keys"].items()}
        current = str(table["current"])
    except FileNotFoundError:
        raise ConfigError(
            f"there is no {file}; `pbem init` makes one, `pbem restore` brings back the old one"
        ) from None
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(f"{file} is no file of keys: {error}; restore it from a backup") from None
    if current not in secrets:
        raise ConfigError(f"{file} has no key {current!r}; restore it from a backup")
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(f"other users can read {file}: run `chmod 600 {file}`")
    return AddressKeys(current, secrets)


def write_keys(file: Path, keys: AddressKeys) -> None:
    """Write a new file that only its owner reads; FileExistsError rather than lose old keys."""
    lines = [
        "# The keys of the reply addresses. Without them every mail that was sent is a dead end,",
        "# and with them anybody can forge an address: keep them secret, and in the backup.",
        f'current = "{keys.current}"',
        "",
        "[keys]",
        *(f'{key} = "{secret.hex()}"' for key, secret in sorted(keys.secrets.items())),
    ]
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as opened:  # noqa: PTH123 - a descriptor, no path
        opened.write("\n".join(lines) + "\n")
        opened.flush()
        os.fsync(opened.fileno())
