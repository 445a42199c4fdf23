"""Reply addresses, Message-IDs and envelope senders that only this service can make.

A reply address such as `games+k7qx2.2.aahscv3ifp64ef5laf@example.org` contains a tag: the match and
player that it belongs to, the id of its key (so that keys can be rotated), a generation (so that
the command `new address` can replace it) and a truncated HMAC. The HTML of an email has mailto
links that prepare a reply. The tags in these links end with the version of the match that the email
shows, as in `....aahscv3ifp64ef5laf.12`, because mail programs send such replies without
In-Reply-To.

Links to our web pages contain such tags, too. Each tag has one purpose: the tag of a reply address
does not open a page, and the tag of a page does not work as a reply address.

All comparisons ignore case, because some mail servers change it. The caller checks whether the
generation is the current one, and whether a question is still open.
"""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from hmac import compare_digest, digest
from typing import Final, TypeAlias

from pbem.errors import ConfigError
from pbem.names import MatchId, PlayerId

DIGITS: Final = "abcdefghijklmnopqrstuvwxyz234567"  # of base32, for keys and MACs in tags

MIN_SECRET_BYTES: Final = 16  # bytes of a secret
_MAX_LOCAL_PART: Final = 64  # octets, RFC 5321 section 4.5.3.1.1
_MAX_MESSAGE_ID: Final = 64  # characters; programs fold or encode longer ids, and threads break
_MAC_DIGITS: Final = 16  # base32 digits of a MAC: 80 bits
_SHORT_MAC_DIGITS: Final = 10  # 50 bits suffice for Message-IDs: they also have to be in the outbox
_HASH_DIGITS: Final = 20  # base32 digits of the hash of an email's cause
_PLAYER, _QUESTION, _BOUNCE = "p", "q", "b"  # first part of a tag; the code of a match is longer
_VALUES: Final = str.maketrans(DIGITS, "0123456789abcdefghijklmnopqrstuv")

_NAME: Final = re.compile(r"[a-z0-9-]{1,36}")
_TAG: Final = re.compile(r"([a-z0-9-]{1,36})\.([a-z0-9-]{1,36})\.([a-z2-7]{18,25})(?:\.(\d{1,7}))?")
_TAG_IN_TEXT: Final = re.compile(
    r"(?:[\w.=-]{0,64}(?:\+|%2B)|(?<![a-z0-9-]))"  # taps have %2B
    r"([a-z0-9-]{1,36}\.[a-z0-9-]{1,36}\.[a-z2-7]{18,25}(?:\.\d{1,7})?)"
    r"(?:@[\w.-]{1,255})?",
    re.IGNORECASE,
)
_MESSAGE_ID: Final = re.compile(r"<?([a-z2-7]{20})\.([a-z2-7]{11})@[a-z0-9.-]{1,255}>?")
_MESSAGE_ID_IN_TEXT: Final = re.compile(
    r"<?(?<![a-z2-7])([a-z2-7]{20}\.[a-z2-7]{11}@)[a-z0-9.-]{1,255}>?", re.IGNORECASE
)
_BOUNCE_TAG: Final = re.compile(r"b\.([a-z2-7]{20})\.([a-z2-7]{11})")


class Purpose(StrEnum):
    """The use for which a tag (signed text) is valid: a reply address, a kind of page, or a cookie.

    The value is part of the signed data. For pages it is also the first part of the URL path.
    """

    REPLY = "reply"  # an address for emails
    SEAT = "act"  # the page of a seat, on which its player plays
    PLAYER = "player"  # the page with all boards of a player
    JOIN = "join"  # the page on which a visitor accepts the invitation of an entrant
    UNSUBSCRIBE = "unsubscribe"
    BROWSER = "browser"  # the cookie of a browser that a player has used


@dataclass(frozen=True, slots=True)
class Keys:
    """The secrets that sign tags, by key id, and the id of the key that signs new tags (`current`).

    A key id is one base32 digit.

    Raises:
        ConfigError: An id is not a base32 digit, or a secret is too short.
    """

    current: str
    secrets: Mapping[str, bytes] = field(repr=False)

    def __post_init__(self) -> None:
        for key, secret in self.secrets.items():
            if len(key) != 1 or key not in DIGITS:
                raise ConfigError(
                    f"The id of a reply address key must be one of {DIGITS}, not {key!r}."
                )
            if len(secret) < MIN_SECRET_BYTES:
                raise ConfigError(
                    f"Reply address key {key!r} has fewer than {MIN_SECRET_BYTES} bytes."
                )


@dataclass(frozen=True, slots=True)
class EntrantAddress:
    """The data in the reply address of one player in one match.

    `entrant` is the player's number in the match's challenge; the challenger has number 1. If the
    address is in a link of an email, `version` is the version of the match that the email shows;
    otherwise it is 0.
    """

    match: MatchId
    entrant: int
    generation: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class PlayerAddress:
    """The data in a reply address that names a player but not a match."""

    player: PlayerId
    generation: int = 0


@dataclass(frozen=True, slots=True)
class QuestionAddress:
    """The data in the reply address of one question. Only the person whom we ask gets it."""

    question: str  # lower-case letters, digits and hyphens


ReplyAddress: TypeAlias = EntrantAddress | PlayerAddress | QuestionAddress


def make_tag(keys: Keys, address: ReplyAddress, purpose: Purpose = Purpose.REPLY) -> str:
    """Return the signed part of a reply address or page URL, as in `k7qx2.2.aahscv3ifp64ef5laf`.

    Raises:
        ValueError: The id of the match, player or question cannot be part of an address.
    """
    generation, version, is_sound = 0, "", True
    if isinstance(address, EntrantAddress):
        first, second = address.match.lower(), str(address.entrant)
        generation = address.generation
        version = str(address.version) if address.version else ""
        is_sound = len(first) > 1 and second.isdigit()
    elif isinstance(address, PlayerAddress):
        first, second = _PLAYER, address.player
        generation = address.generation
    else:
        first, second = _QUESTION, address.question
    if not is_sound or _NAME.fullmatch(first) is None or _NAME.fullmatch(second) is None:
        raise ValueError(f"no address can carry {address}")
    digits = _write_number(generation)
    mac = _make_mac(keys.secrets[keys.current], purpose, first, second, digits, version)
    return f"{first}.{second}.{keys.current}{digits}{mac}" + (f".{version}" if version else "")


def read_tag(keys: Keys, tag: str, purpose: Purpose = Purpose.REPLY) -> ReplyAddress | None:
    """Return the data in a tag, or None if the tag was not signed by one of `keys` for `purpose`.

    A tag is the signed part of a reply address or page URL.
    """
    parsed = _TAG.fullmatch(tag.casefold())
    if parsed is None:
        return None
    first, second, last, version = parsed.groups(default="")
    key, digits, mac = last[0], last[1:-_MAC_DIGITS], last[-_MAC_DIGITS:]
    secret = keys.secrets.get(key)
    if secret is None:
        return None
    if not compare_digest(mac, _make_mac(secret, purpose, first, second, digits, version)):
        return None
    generation = int(digits.translate(_VALUES), 32)
    if first == _PLAYER:
        return PlayerAddress(PlayerId(second), generation)
    if first == _QUESTION:
        return QuestionAddress(second)
    return EntrantAddress(MatchId(first.upper()), int(second), generation, int(version or 0))


def add_tag(own_address: str, tag: str, *, delimiter: str = "+") -> str:
    """Return our address with a tag, as in `games+TAG@example.org`; unchanged for an empty tag.

    If `delimiter` is empty, all addresses of the domain are ours, and the result is
    `TAG@example.org`.

    Raises:
        ConfigError: The name of the mailbox is too long for an address with a tag.
    """
    if not tag:
        return own_address
    name, _, domain = own_address.rpartition("@")
    local_part = f"{name}{delimiter}{tag}" if delimiter else tag
    if len(local_part.encode()) > _MAX_LOCAL_PART:
        raise ConfigError(
            f"The address {local_part!r} is longer than {_MAX_LOCAL_PART} octets. "
            "Use a shorter mailbox name."
        )
    return f"{local_part}@{domain}"


def find_tag(address: str, own_address: str, *, delimiter: str = "+") -> str | None:
    """Return the tag in `address`, without checking its signature.

    `own_address` is our public address. If `delimiter` is empty, every address in the domain of
    `own_address` is ours, and its whole local part is the tag.

    Returns:
        The tag in lower case; empty if `address` is our public address; None if it is not ours.
    """
    local_part, _, domain = address.strip().casefold().rpartition("@")
    name, _, own_domain = own_address.casefold().rpartition("@")
    if domain != own_domain:
        return None
    if local_part == name:
        return ""
    prefix = name + delimiter if delimiter else ""
    return local_part.removeprefix(prefix) or None if local_part.startswith(prefix) else None


def make_message_id(keys: Keys, *, cause: str, domain: str) -> str:
    """Return the Message-ID of the email with this cause, with brackets, in at most 64 characters.

    `cause` is a text that identifies the recipient and the reason. The same cause, key and domain
    give the same id, so that mail programs recognise an email that is sent again after a crash.
    """
    name = b32encode(sha256(cause.encode()).digest()).decode().lower()[:_HASH_DIGITS]
    mac = _make_mac(keys.secrets[keys.current], "message", name, length=_SHORT_MAC_DIGITS)
    beginning = f"<{name}.{keys.current}{mac}@"
    # Keep as many of the last labels of the domain as fit: the part before it is unique by itself.
    domain, room = domain.lower(), _MAX_MESSAGE_ID - len(beginning) - 1
    while len(domain) > room and "." in domain:
        domain = domain.partition(".")[2]
    return f"{beginning}{domain[-room:].lstrip('-')}>"


def is_own_message_id(keys: Keys, message_id: str) -> bool:
    """Return whether we made this Message-ID, which may be with or without brackets."""
    parsed = _MESSAGE_ID.fullmatch(message_id.strip().casefold())
    return _read_name(keys, "message", parsed) is not None


def list_own_message_ids(keys: Keys, text: str) -> list[str]:
    """Return the Message-IDs in a text that are ours, in the order and spelling of the text."""
    message_ids = (parsed[0] for parsed in _MESSAGE_ID_IN_TEXT.finditer(text))
    return [message_id for message_id in message_ids if is_own_message_id(keys, message_id)]


def make_envelope_sender(
    keys: Keys, own_address: str, message_id: str, *, delimiter: str = "+"
) -> str:
    """Return the envelope sender (VERP) of the email with this Message-ID. Bounces go to it.

    `own_address` is our public address, and `delimiter` is as in `add_tag`.
    """
    name = message_id.lstrip("<")[:_HASH_DIGITS]
    mac = _make_mac(keys.secrets[keys.current], "bounce", name, length=_SHORT_MAC_DIGITS)
    tag = f"{_BOUNCE}.{name}.{keys.current}{mac}"
    return add_tag(own_address, tag, delimiter=delimiter)


def read_envelope_sender(
    keys: Keys, address: str, own_address: str, *, delimiter: str = "+"
) -> str | None:
    """Return the beginning of the Message-ID of a bounced email, as in `<NAME.`.

    The caller finds the email in the outbox by it. The result is None if `address` was not made by
    `make_envelope_sender`.

    Args:
        keys: The keys of the service.
        address: The envelope sender of the bounced email, to which the bounce report was sent.
        own_address: Our public address.
        delimiter: As in `find_tag`.
    """
    tag = find_tag(address, own_address, delimiter=delimiter)
    name = _read_name(keys, "bounce", _BOUNCE_TAG.fullmatch(tag)) if tag else None
    return f"<{name}." if name is not None else None


def remove_tags(keys: Keys, text: str) -> str:
    """Return a player's text without anything that would let readers act as that player.

    The text may quote an email of ours. The tags of the player's reply addresses and pages are
    removed from it. Our Message-IDs are removed, too: a reply whose headers contain one is accepted
    as if it had been sent to the reply address of that email.
    """
    text = _TAG_IN_TEXT.sub(lambda tag: "" if _is_private(keys, tag[1]) else tag[0], text)
    return _MESSAGE_ID_IN_TEXT.sub(
        lambda parsed: "" if is_own_message_id(keys, f"{parsed[1]}x") else parsed[0], text
    )


def _is_private(keys: Keys, tag: str) -> bool:
    """Return whether knowing a tag is enough to act as the tag's player.

    The result is False for the tags of invitation links, because invitations may be passed on.
    """
    purposes = (Purpose.REPLY, Purpose.SEAT, Purpose.PLAYER, Purpose.UNSUBSCRIBE)
    return any(read_tag(keys, tag, purpose) is not None for purpose in purposes)


def _read_name(keys: Keys, purpose: str, parsed: re.Match[str] | None) -> str | None:
    if parsed is None:
        return None
    name, last = parsed.groups()
    secret = keys.secrets.get(last[0])
    if secret is None:
        return None
    is_ours = compare_digest(last[1:], _make_mac(secret, purpose, name, length=_SHORT_MAC_DIGITS))
    return name if is_ours else None


def _make_mac(secret: bytes, *fields: str, length: int = _MAC_DIGITS) -> str:
    # NUL is in no field (the patterns above exclude it), so no two lists have the same text.
    mac = digest(secret, "\0".join(fields).encode(), "sha256")
    return b32encode(mac[:10]).decode().lower()[:length]


def _write_number(number: int) -> str:
    text = DIGITS[number & 31]
    while number := number >> 5:
        text = DIGITS[number & 31] + text
    return text


def canonical_address(address: str) -> str:
    """Return one address for all addresses of the same mailbox.

    It is `address` in lower case without the plus suffix. For Gmail, dots before the `@` are
    removed, too: `annlee@gmail.com` is the result for `Ann.Lee+games@googlemail.com`.
    """
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in ("gmail.com", "googlemail.com"):
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}@{domain}"


def hash_mailbox(address: str) -> str:
    """Return the hash that identifies the mailbox of an address where no address is stored."""
    return sha256(canonical_address(address).encode()).hexdigest()
