"""Mint and read what tells us that a mail answers ours: addresses, Message-IDs, tokens, links."""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from hmac import compare_digest, digest
from typing import Final, TypeAlias
from urllib.parse import quote

from pbem.errors import ConfigError
from pbem.games.game import Seat
from pbem.names import MatchId, PlayerId

# --- addresses -----------------------------------------------------------------------------------
# Mint and read what tells us that a mail answers ours: reply addresses, Message-IDs, token lines.
#
# Each carries a truncated HMAC, its key's id (so that keys can be rotated) and, in a reply address,
# the generation of the address (so that `new address` can replace it). Everything survives a mailer
# that changes the case of letters.

DIGITS: Final = "abcdefghijklmnopqrstuvwxyz234567"
LOCAL_PART: Final = 64  # RFC 5321 4.5.3.1.1
MESSAGE_ID: Final = 64  # longer ids are folded or encoded by some composers, and threads break
_VALUES: Final = str.maketrans(DIGITS, "0123456789abcdefghijklmnopqrstuv")
SECRET: Final = 16
"""The least length of a secret, in bytes."""

_MAC: Final = 16  # base32 digits: 80 bits
_SHORT_MAC: Final = 10  # 50 bits, where a guess gains no right to play
_ID: Final = 20  # base32 digits of the hash of a mail's cause
_PLAYER: Final = "p"  # no match has a name of one letter
_BOUNCE: Final = "b"
_MAIL: Final = "m"
_TAG: Final = re.compile(r"([a-z0-9-]{1,36})\.([a-z0-9-]{1,36})\.([a-z2-7]{18,25})")
_TAG_IN_TEXT: Final = re.compile(
    r"(?<![a-z0-9-])[a-z0-9-]{1,36}\.[a-z0-9-]{1,36}\.[a-z2-7]{18,25}(?=@)", re.IGNORECASE
)
_ANY_TAG: Final = re.compile(
    r"(?:\[\s?ref:?\s{0,4}|[\w.=-]{1,64}\+)?"
    r"(?<![a-z0-9-])([a-z0-9-]{1,36}\.[a-z0-9-]{1,36}\.[a-z2-7]{18,25})"
    r"(?:\s?\]|@[\w.-]{1,255})?",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"[a-z0-9-]{1,36}")
_MESSAGE_ID: Final = re.compile(r"<?([a-z2-7]{20})\.([a-z2-7]{11})@[a-z0-9.-]{1,255}>?")
_VERP: Final = re.compile(r"b\.([a-z2-7]{20})\.([a-z2-7]{11})")
TOKEN_LINE: Final = "[ref {}]"  # noqa: S105 - the form of a line, no password
"""The line for a mail's footer that brings the tag back in a quote, as the third carrier."""

_TOKEN_LINE: Final = re.compile(
    r"\[\s?ref:?\s{0,4}([a-z0-9-]{1,36}\.[a-z0-9-]{1,36}\.[a-z2-7]{18,25})\s?\]"
)


@dataclass(frozen=True, slots=True)
class Keys:
    """The secrets by key id (one base32 digit each); new tags are made with `current`.

    Raises ConfigError where the current key is missing, an id is no base32 digit or a secret is
    short.
    """

    current: str
    secrets: Mapping[str, bytes] = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse keys that could not be read back."""
        if self.current not in self.secrets:
            raise ConfigError(f"there is no reply address key {self.current!r}")
        for key, secret in self.secrets.items():
            if len(key) != 1 or key not in DIGITS:
                raise ConfigError(f"the id of a reply address key is one of {DIGITS}, not {key!r}")
            if len(secret) < SECRET:
                raise ConfigError(f"reply address key {key!r} has fewer than {SECRET} bytes")


@dataclass(frozen=True, slots=True)
class SeatAddress:
    """The address of one seat in one match: what is sent there is that seat's."""

    match: MatchId
    seat: Seat
    generation: int = 0


@dataclass(frozen=True, slots=True)
class PlayerAddress:
    """The address of one player outside any match: invitations, settings, questions."""

    player: PlayerId
    generation: int = 0


@dataclass(frozen=True, slots=True)
class MailAddress:
    """The address of one mail that asks who wrote something: only its reader can answer there.

    `mail` is its `mail_id`; the generation is that of its reader's addresses.
    """

    mail: str
    generation: int = 0


ReplyTo: TypeAlias = SeatAddress | PlayerAddress | MailAddress


def _mac(secret: bytes, *fields: str, length: int = _MAC) -> str:
    # NUL stands in no field (all are matched by the patterns above), so no two lists read alike.
    mac = digest(secret, "\0".join(fields).encode(), "sha256")
    return b32encode(mac[:10]).decode().lower()[:length]


def base32_digits(number: int) -> str:
    """A number in the digits of our tags, which `int(text.translate(_VALUES), 32)` reads."""
    text = DIGITS[number & 31]
    while number := number >> 5:
        text = DIGITS[number & 31] + text
    return text


def mint(keys: Keys, to: ReplyTo) -> str:
    """The tag of a reply address, as in `k7qx2.2.aahscv3ifp64ef5laf`.

    Its last part is the key's id, the generation (at least one digit) and 80 bits of HMAC.
    Raises ValueError for a match or player whose name cannot stand in an address.
    """
    sound = True
    if isinstance(to, SeatAddress):
        first, second = to.match.lower(), str(to.seat)
        sound = first not in {_PLAYER, _BOUNCE, _MAIL} and second.isdigit()
    elif isinstance(to, PlayerAddress):
        first, second = _PLAYER, to.player
    else:
        first, second = _MAIL, to.mail
    if not sound or _NAME.fullmatch(first) is None or _NAME.fullmatch(second) is None:
        raise ValueError(f"no address can carry {to}")
    generation = base32_digits(to.generation)
    mac = _mac(keys.secrets[keys.current], "reply", first, second, generation)
    return f"{first}.{second}.{keys.current}{generation}{mac}"


def read(keys: Keys, tag: str) -> ReplyTo | None:
    """Whom a tag speaks for, or None if it is not ours.

    Whether its generation still lives, the caller knows. `read(keys, mint(keys, to)) == to`, with
    the match's name in capitals.
    """
    found = _TAG.fullmatch(tag.casefold())
    if found is None:
        return None
    first, second, last = found.groups()
    key, generation, mac = last[0], last[1:-_MAC], last[-_MAC:]
    secret = keys.secrets.get(key)
    if secret is None or not compare_digest(mac, _mac(secret, "reply", first, second, generation)):
        return None
    number = int(generation.translate(_VALUES), 32)
    if first == _PLAYER:
        return PlayerAddress(PlayerId(second), number)
    if first == _MAIL:
        return MailAddress(second, number)
    return SeatAddress(MatchId(first.upper()), Seat(int(second)), number)


def reply_address(
    base_address: str, tag: str, *, delimiter: str = "+", catch_all: bool = False
) -> str:
    """The full address of a tag: `games+TAG@host`, or `TAG@host` where the whole domain is ours.

    Raises ConfigError where the mailbox's name leaves too little room.
    """
    base, _, domain = base_address.rpartition("@")
    local = tag if catch_all else f"{base}{delimiter}{tag}"
    if len(local.encode()) > LOCAL_PART:
        raise ConfigError(
            f"{local!r} is longer than {LOCAL_PART} octets: use a shorter mailbox name"
        )
    return f"{local}@{domain}"


def find_tags(text: str) -> Iterator[str]:
    """All that may be the tag of a reply address in a text, lower-cased."""
    return (found.group().casefold() for found in _TAG_IN_TEXT.finditer(text))


def tag_of(
    address: str, base_address: str, *, delimiter: str = "+", catch_all: bool = False
) -> str | None:
    """The tag in an address of ours, lower-cased: whether it is one of ours as well, is not asked.

    Empty for the public address, which has none; None for an address that is not ours.
    """
    local, _, domain = address.strip().casefold().rpartition("@")
    base, _, base_domain = base_address.casefold().rpartition("@")
    if domain != base_domain:
        return None
    if local == base:
        return ""
    if local.startswith(base + delimiter):
        return local[len(base + delimiter) :] or None
    return (local or None) if catch_all else None


def message_id(keys: Keys, *, cause: str, domain: str) -> str:
    """Our Message-ID for the mail of one cause (the outbox key), in brackets, at most 64 long.

    The same cause, key and domain give the same id.
    """
    ident = b32encode(sha256(cause.encode()).digest()).decode().lower()[:_ID]
    mac = _mac(keys.secrets[keys.current], "message", ident, length=_SHORT_MAC)
    left = f"<{ident}.{keys.current}{mac}@"
    # As many of the last labels of the domain as fit: the id before it is unique by itself.
    domain, room = domain.lower(), MESSAGE_ID - len(left) - 1
    while len(domain) > room and "." in domain:
        domain = domain.partition(".")[2]
    return f"{left}{domain[-room:].lstrip('-')}>"


def _proved(keys: Keys, purpose: str, found: re.Match[str] | None) -> str | None:
    """The id of a match (id, key and mac) if the mac is right."""
    if found is None:
        return None
    ident, last = found.groups()
    secret = keys.secrets.get(last[0])
    if secret is None:
        return None
    mac = _mac(secret, purpose, ident, length=_SHORT_MAC)
    return ident if compare_digest(last[1:], mac) else None


def read_message_id(keys: Keys, text: str) -> str | None:
    """The id inside a Message-ID of ours (brackets or not), or None if it is not ours."""
    return _proved(keys, "message", _MESSAGE_ID.fullmatch(text.strip().casefold()))


def mail_id(message_id: str) -> str:
    """The id inside a Message-ID that we made, for the bounce address of the same mail."""
    return message_id.lstrip("<")[:_ID]


def verp(keys: Keys, base_address: str, message_id: str, *, delimiter: str = "+") -> str:
    """The envelope sender of the mail with a Message-ID of ours: a bounce then names the mail."""
    ident = mail_id(message_id)
    mac = _mac(keys.secrets[keys.current], "bounce", ident, length=_SHORT_MAC)
    return reply_address(
        base_address, f"{_BOUNCE}.{ident}.{keys.current}{mac}", delimiter=delimiter
    )


def read_verp(keys: Keys, address: str, base_address: str, *, delimiter: str = "+") -> str | None:
    """The `mail_id` of the mail that bounced, or None if this is no bounce address of ours."""
    tag = tag_of(address, base_address, delimiter=delimiter)
    return _proved(keys, "bounce", _VERP.fullmatch(tag)) if tag else None


def find_token_line(text: str) -> str | None:
    """The tag of the first token line in a text, however quoted; it still has to be `read`."""
    found = _TOKEN_LINE.search(text.casefold())
    return found[1] if found else None


def without_tags(keys: Keys, text: str) -> str:
    """A player's text for others, without tags of ours: a quote may have slipped into it."""
    if "." not in text:
        return text
    return _ANY_TAG.sub(lambda found: found[0] if read(keys, found[1]) is None else "", text)


# --- page links ----------------------------------------------------------------------------------
# Mint and read the tokens of pages: what their bearer may see, or do, and for how long.
#
# Each has a purpose of its own, so that none does what another is for: who was shown a board cannot
# move on it. A token carries its key's id, the generation of the player's addresses (so that
# `new address` replaces it) and 128 bits of HMAC.

_BYTES: Final = 16
_PAGE_MAC: Final = 26  # base32 digits
_PAGE_NAME: Final = r"[a-z0-9-]{1,36}"
_TOKEN: Final = re.compile(
    rf"({_PAGE_NAME})\.([0-9]{{1,3}})\.([a-z2-7])([a-z2-7]{{1,8}})\.([a-z2-7]{{{_PAGE_MAC}}})"
)


class Purpose(StrEnum):
    """What a page's token is for.

    view: a match as everybody may see it. seat: as one seat sees it. act: also to write from that
    seat. join: to ask for the seat that an invitation keeps for whoever has its link.
    player: a player's own list of matches. stop: to want no more mail of a kind.
    calendar: a player's deadlines, for a program that asks for them again and again.
    feed: the boards that wait for a player, for such a program.
    profile: how a player plays, as everybody may see it.
    """

    VIEW = "view"
    SEAT = "seat"
    ACT = "act"
    JOIN = "join"
    PLAYER = "player"
    STOP = "stop"
    CALENDAR = "calendar"
    FEED = "feed"
    PROFILE = "profile"


@dataclass(frozen=True, slots=True)
class PageLink:
    """What a token says: `name` is a match's or a player's, as it stands in reply addresses.

    `number` is that of the seat in reply addresses, or of the kind of mail; 0 where there is none.
    """

    purpose: Purpose
    name: str
    number: int = 0
    generation: int = 0


def browser_mark(keys: Keys, link: PageLink) -> str:
    """What a browser is given that has played a seat, and gives back; whose it is it does not say.

    It follows from the seat, so that nothing is kept of browsers.
    """
    generation = base32_digits(link.generation)
    secret = keys.secrets[keys.current]
    return _page_mac(secret, "browser", link.name.lower(), str(link.number), generation)


def page_token(keys: Keys, link: PageLink) -> str:
    """The token, as in `k7qx2.1.aa.` and 26 digits.

    Raises ValueError for what cannot stand in one.
    """
    name, number = link.name.lower(), str(link.number)
    generation = base32_digits(link.generation)
    token = f"{name}.{number}.{keys.current}{generation}."
    mac = _page_mac(keys.secrets[keys.current], link.purpose, name, number, generation)
    if _TOKEN.fullmatch(token + mac) is None:
        raise ValueError(f"no page can be linked by {link}")
    return token + mac


def read_page_token(keys: Keys, purpose: Purpose, token: str) -> PageLink | None:
    """What a token for this purpose says, None if it is none of ours.

    Whether its generation still lives, the caller knows; names of matches come in small letters.
    """
    found = _TOKEN.fullmatch(token)
    if found is None:
        return None
    name, number, key, generation, mac = found.groups()
    secret = keys.secrets.get(key)
    if secret is None or not compare_digest(
        mac, _page_mac(secret, purpose, name, number, generation)
    ):
        return None
    return PageLink(purpose, name, int(number), int(generation.translate(_VALUES), 32))


def page_path(keys: Keys, link: PageLink) -> str:
    """The path of a page, as in `/act/TOKEN`."""
    return f"/{link.purpose}/{page_token(keys, link)}"


def tournament_path(name: str, season: int = 0) -> str:
    """The path of the page of a tournament, or of one of its seasons."""
    path = f"/tournament/{quote(name, safe='')}"
    return f"{path}/{season}" if season else path


def _page_mac(secret: bytes, purpose: str, *fields: str) -> str:
    # NUL stands in no field (all are matched by the pattern above), so no two lists read alike.
    mac = digest(secret, "\0".join(("page", purpose, *fields)).encode(), "sha256")
    return b32encode(mac[:_BYTES]).decode().lower()[:_PAGE_MAC]
