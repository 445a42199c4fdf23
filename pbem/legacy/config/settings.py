"""Every setting by its section, with its default and its limits."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretStr,
    field_validator,
    model_validator,
)

from pbem.legacy.config.secrets import ask, read_secret
from pbem.legacy.config.sections import Checkpoints, Dataset, Log, Section
from pbem.errors import ConfigError, Rejection
from pbem.legacy.matches.clocks import time_control

PREFIX: Final = "PBEM_"

Origins: TypeAlias = Mapping[str, str]
"""Where settings stand, by their names as in `imap.host`: a line of a file, or a variable."""

DATABASES: Final = ("sqlite:///", "postgresql://", "postgres://")
"""How URLs of databases begin."""

_ADDRESS: Final = re.compile(r"[A-Za-z0-9!#$%&'*/=?^_`{|}~.-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_LISTEN: Final = re.compile(r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:]{2,45}\]):[0-9]{1,5}")
_PUBLIC_URL: Final = re.compile(r"https?://[A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?/?")
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


class Site(Section):
    """Who we are in the world's mail."""

    title: str = "pbem"
    address: str = ""
    delimiter: str = "+"
    catch_all: bool = False
    plain_sender: bool = False
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


def _path_or_url(given: object) -> object:
    """A URL stays what it is; all else is the path of a file."""
    if not isinstance(given, str) or "://" not in given:
        return given if isinstance(given, Path) else Path(str(given))
    if not given.startswith(DATABASES):
        raise ValueError("it is the path of a file, or postgresql://user@host/name")
    return given


_Database = Annotated[Path | str, BeforeValidator(_path_or_url)]
"""The path of an SQLite file, or the URL of a PostgreSQL database."""


class Store(Section):
    """Where the events are."""

    database: _Database = Path("pbem.db")


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
        for name in ("password_command", "token_command"):
            try:
                shlex.split(getattr(self, name))
            except ValueError as error:
                raise ValueError(f"{name} is no command: {error}") from None
        names = ("password", "password_file", "password_command", "token_command", "token_url")
        ways = [name for name in names if getattr(self, name)]
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
            return ask(shlex.split(self.password_command))
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
    connections: Annotated[int, Field(ge=1, le=10_000)] = 100
    idle_seconds: Annotated[int, Field(ge=10, le=3600)] = 300


class Maildir(Section):
    """Folders in place of servers."""

    incoming: MaybePath = None
    outgoing: MaybePath = None


class Limits(Section):
    """What one sender may ask of us."""

    letter_bytes: Annotated[int, Field(ge=10_000, le=50_000_000)] = 1_000_000
    letters_per_hour: AtLeastOne = 60
    invitations_per_day: AtLeastOne = 10
    pending_invitations: AtLeastOne = 5
    challenge_days: AtLeastOne = 30
    matches_at_first: AtLeastOne = 5
    matches_at_most: AtLeastOne = 50
    welcomes_per_day: NotNegative = 1
    refusals_per_day: NotNegative = 20
    no_orders_per_hour: NotNegative = 3
    keep_mail_days: AtLeastOne = 90
    reading_processes: Annotated[int, Field(ge=1, le=8)] = 2


class Strangers(Section):
    """What people who have never answered are sent in a day, and may leave here."""

    mails_per_day: NotNegative = 60
    mails_per_domain: NotNegative = 20
    mails_per_mailbox: NotNegative = 1
    mails_per_inviter: NotNegative = 10
    forms_per_day: NotNegative = 30
    forms_per_domain: NotNegative = 5
    letters_megabytes: AtLeastOne = 200


class Matches(Section):
    """How matches are played, unless players say otherwise; resignations wait an hour at least."""

    time: str = "slow"
    window_minutes: Annotated[int, Field(ge=0, le=24 * 60)] = 5
    doubt_minutes: Annotated[int, Field(ge=0, le=24 * 60)] = 5
    resign_hours: Annotated[int, Field(ge=1, le=24 * 14)] = 24
    opening_book: bool = False

    @classmethod
    def at_a_keyboard(cls) -> Matches:
        """For play where nobody else can write: nothing is held."""
        return cls(window_minutes=0).model_copy(update={"resign_hours": 0})

    @model_validator(mode="after")
    def _check(self) -> Matches:
        try:
            time_control(self.time)
        except Rejection as error:
            raise ValueError("time must be slow, medium, fast, none or like 240/36/240") from error
        return self


class Listening(Section):
    """An address and a port at which something listens, empty where nothing does."""

    listen: str = ""

    @field_validator("listen")
    @classmethod
    def _is_one(cls, text: str) -> str:
        if text != cls.model_fields["listen"].default and _LISTEN.fullmatch(text) is None:
            raise ValueError("it must be an address and a port like 127.0.0.1:8080")
        return text

    @property
    def host_and_port(self) -> tuple[str, int]:
        """Where to listen."""
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]"), int(port)


class Web(Listening):
    """Pages for browsers, made by `pbem web`."""

    listen: str = "127.0.0.1:8080"
    public_url: str = ""
    trusted_proxies: str = "127.0.0.0/8, ::1"
    try_out: bool = True

    @model_validator(mode="after")
    def _check(self) -> Web:
        if self.public_url and _PUBLIC_URL.fullmatch(self.public_url) is None:
            raise ValueError(
                "public_url must be what browsers call the service, without a path, "
                "as in https://games.example.org"
            )
        try:
            self.trusted  # noqa: B018 - it reads them
        except ValueError as error:
            raise ValueError(f"trusted_proxies are addresses and networks: {error}") from None
        return self

    @property
    def trusted(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """Who says truly whose a request is."""
        named = (one.strip() for one in self.trusted_proxies.split(","))
        return tuple(ip_network(one) for one in named if one)


class Metrics(Listening):
    """What Prometheus may see of `pbem serve`; nothing of it is on the port of the pages."""

    textfile: MaybePath = None


class Watch(Section):
    """How the operator hears of what is wrong, by another way than our own mail."""

    alert_command: str = ""
    alert_again_hours: AtLeastOne = 24

    @model_validator(mode="after")
    def _check(self) -> Watch:
        try:
            shlex.split(self.alert_command)
        except ValueError as error:
            raise ValueError(f"alert_command is no command: {error}") from None
        return self


class Settings(BaseModel):
    """All settings, frozen; `load_settings` makes them, with absolute paths."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    site: Site = Site()
    store: Store = Store()
    keys: KeyStore = KeyStore()
    templates: Templates = Templates()
    imap: Imap = Imap()
    smtp: Smtp = Smtp()
    lmtp: Lmtp = Lmtp()
    maildir: Maildir = Maildir()
    matches: Matches = Matches()
    limits: Limits = Limits()
    strangers: Strangers = Strangers()
    web: Web = Web()
    metrics: Metrics = Metrics()
    watch: Watch = Watch()
    dataset: Dataset = Dataset()
    checkpoints: Checkpoints = Checkpoints()
    log: Log = Log()

    _origins: Origins = PrivateAttr(default_factory=dict)

    def with_origins(self, origins: Origins) -> Settings:
        """The same, knowing where each setting stands."""
        self._origins = origins
        return self

    def named(self, *names: str) -> str:
        """Settings by their names, as in `imap.host`, and where each stands."""
        return " and ".join(f"{name} ({self._origins.get(name, 'its default')})" for name in names)

    def secret_files(self) -> Iterator[tuple[str, Path]]:
        """The files that hold secrets, by the settings that name them."""
        for section in ("imap", "smtp"):
            for name in ("password_file", "client_secret_file", "refresh_token_file"):
                if (file := getattr(getattr(self, section), name)) is not None:
                    yield f"{section}.{name}", file

    @property
    def mailbox(self) -> str | None:
        """The account whose mailbox is to be read; None where mail comes in by LMTP alone."""
        if self.maildir.incoming is not None:
            return "maildir"
        return f"{self.imap.user}@{self.imap.host}" if self.imap.host else None

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
