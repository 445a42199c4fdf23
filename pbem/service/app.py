"""A running service and its parts: settings, database, keys, templates, clock and entropy.

The clock and the source of entropy are passed in, so that tests can control them. No other
code reads either directly. `open_app` builds the service from the operator's settings.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from pbem.errors import ConfigError, Rejection
from pbem.mail.addresses import Keys, add_tag, find_tag
from pbem.mail.headers import read_sender
from pbem.mail.outbound import is_mail_address
from pbem.match.clocks import PRESETS, parse_time_control
from pbem.names import MatchId, PlayerId
from pbem.notifications.email_views import EmailView
from pbem.notifications.renderer import Renderer
from pbem.notifications.rendering import Rendering
from pbem.notifications.views import MatchView
from pbem.settings import LimitSettings, Settings, load_keys
from pbem.store import players
from pbem.store.database import Database, find_revision, list_revisions
from pbem.store.event_log import MatchCache
from pbem.store.tables import PlayerRow

CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # letters of codes, without 0/O, 1/I/L and U
CODE_LENGTH: Final = 5  # characters of the code of a match
ID_BYTES: Final = 10  # random bytes in the id of a player or a question


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """The settings of the site: title, addresses, undo window, time control and rate limits."""

    title: str
    address: str  # public address of the mailbox
    delimiter: str = "+"
    authserv_id: str = ""  # server whose Authentication-Results we trust; empty: none
    undo_window: timedelta = timedelta(minutes=5)
    operator: str = ""  # address of the operator
    web_address: str = ""  # URL of our pages, as in `https://games.example.org`; may be empty
    time_control: str = "slow"  # the default for matches
    limits: LimitSettings = field(default_factory=LimitSettings)

    def find_tag(self, address: str) -> str | None:
        """Return the tag of an address of ours: `abc` for `games+abc@example.org`.

        The result is empty for our public address, which has no tag, and None for an address that
        is not ours. This method does not check whether the tag is genuine.
        """
        return find_tag(address, self.address, delimiter=self.delimiter)

    def add_tag(self, tag: str) -> str:
        """Return our public address with `tag` inserted, or unchanged if the tag is empty."""
        return add_tag(self.address, tag, delimiter=self.delimiter)

    def write_sender_name(self, match: str | None) -> str:
        """Return the display name in the From header of an email; `match` is its match, if any."""
        return f"{self.title} {match}" if match else self.title

    def read_address(self, typed: str) -> str:
        """Return the email address in `typed`, a text that a person typed, in lower case.

        Raises:
            Rejection: `bad_address`, if there is no valid address or it is one of ours.
        """
        address = read_sender(typed.strip("' "))[0] or ""
        if self.find_tag(address) is not None or not is_mail_address(address):
            raise Rejection("bad_address", typed=typed)
        return address


@dataclass(frozen=True, kw_only=True, slots=True)
class App:
    """A running service: its site settings, database, keys, renderer, clock and entropy source.

    `now` returns the current time in UTC, and `entropy` the given number of random bytes.
    `matches` is a cache that only the writer thread may use. `draws_pictures` is true if emails
    show boards as pictures, for which the extra `pictures` must be installed.
    """

    site: Site
    database: Database
    keys: Keys
    renderer: Renderer
    now: Callable[[], datetime] = field(repr=False)
    entropy: Callable[[int], bytes] = field(repr=False)
    draws_pictures: bool = False
    matches: MatchCache = field(default_factory=MatchCache, repr=False)

    def make_public_rendering(self, match: MatchView | None, language: str) -> Rendering:
        """Return a renderer for a public page in `language`.

        `match` is the match that the page shows; None if it shows no match.
        """
        view = EmailView(site_title=self.site.title, site_address=self.site.address, match=match)
        return self.renderer.make_rendering(view, language)

    def make_player_rendering(self, match: MatchView, player: PlayerRow) -> Rendering:
        """Return a renderer, in the player's language, for a page or file that shows `match`."""
        view = EmailView(
            site_title=self.site.title,
            site_address=self.site.address,
            match=match,
            reader_name=player.name,
            timezone=ZoneInfo(player.timezone),
        )
        return self.renderer.make_rendering(view, player.language)

    def list_names(
        self, conn: Connection, player_ids: Iterable[PlayerId], language: str
    ) -> dict[PlayerId, str]:
        """Return the names of players by id; names of bots are translated into `language`."""
        translate = self.renderer.environment(language).filters["player_name"]
        names = players.list_names(conn, player_ids)
        return {player: translate(name) for player, name in names.items()}

    def new_match_id(self) -> MatchId:
        """Return a random code for a new match, such as `K7QX2`."""
        number = int.from_bytes(self.entropy(8), "big")
        letters = []
        for _ in range(CODE_LENGTH):
            number, index = divmod(number, len(CODE_LETTERS))
            letters.append(CODE_LETTERS[index])
        return MatchId("".join(letters))

    def new_id(self) -> str:
        """Return a random id for a new player or question."""
        return self.entropy(ID_BYTES).hex()


def open_app(settings: Settings) -> App:
    """Return the service that the operator's settings describe.

    The caller must close the database of the service.

    Raises:
        ConfigError: The keys cannot be read, the database is missing or has the tables of another
            version, or a setting is invalid.
    """
    current, secrets = load_keys(settings.keys.file)
    site, matches = settings.site, settings.matches
    try:
        parse_time_control(matches.time)
    except Rejection:
        names = ", ".join([*PRESETS, "none"])
        raise ConfigError(
            f"matches.time is {matches.time!r}. Write one of {names}, or hours as in 48/12/48."
        ) from None
    if not site.address:
        raise ConfigError("site.address is missing. Write the address that players write to.")
    return App(
        site=Site(
            title=site.title,
            address=site.address,
            delimiter=site.delimiter,
            authserv_id=site.authserv_id,
            undo_window=timedelta(minutes=matches.undo_minutes),
            operator=site.contact,
            web_address=settings.web.url,
            time_control=matches.time,
            limits=settings.limits,
        ),
        database=open_database(settings),
        keys=Keys(current, secrets),
        renderer=Renderer([site.templates] if site.templates is not None else []),
        now=_read_clock,
        entropy=os.urandom,
        draws_pictures=find_spec("resvg_py") is not None and find_spec("PIL") is not None,
    )


def open_database(settings: Settings) -> Database:
    """Return the database that the operator's settings name, after checking its tables.

    Raises:
        ConfigError: The database is missing or empty, or its tables belong to another version of
            pbem.
    """
    url = settings.database.url
    file = settings.database.file
    if file is not None and not file.exists():
        raise ConfigError(
            f"Cannot open {file}: it does not exist. Restore a backup, or run `pbem init` if the "
            "service is new."
        )
    database = Database(url)
    with database.snapshot() as conn:
        revision = find_revision(conn)
    newest, *_ = list_revisions()
    if revision == newest:
        return database
    database.close()
    if revision is None:
        raise ConfigError(f"The database {settings.database.shown_url} is empty. Run `pbem init`.")
    if revision < newest:
        raise ConfigError(
            f"The database has the tables of an older version ({revision}). Make a backup, "
            "then run `pbem db upgrade`."
        )
    raise ConfigError(
        f"The database has the tables of a newer version of pbem ({revision}). Install it."
    )


def _read_clock() -> datetime:
    return datetime.now(UTC)
