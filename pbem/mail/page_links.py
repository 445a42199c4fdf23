"""Mint and read the tokens of pages: what their bearer may see, or do, and for how long.

Each has a purpose of its own, so that none does what another is for: who was shown a board cannot
move on it. A token carries its key's id, the generation of the player's addresses (so that
`new address` replaces it) and 128 bits of HMAC.
"""

from __future__ import annotations

import re
from base64 import b32encode
from dataclasses import dataclass
from enum import StrEnum
from hmac import compare_digest, digest
from typing import TYPE_CHECKING, Final

from pbem.mail.addresses import base32_digits, base32_number

if TYPE_CHECKING:
    from pbem.mail.addresses import Keys

_BYTES: Final = 16
_MAC: Final = 26  # base32 digits
_NAME: Final = r"[a-z0-9-]{1,36}"
_TOKEN: Final = re.compile(
    rf"({_NAME})\.([0-9]{{1,3}})\.([a-z2-7])([a-z2-7]{{1,8}})\.([a-z2-7]{{{_MAC}}})"
)


class Purpose(StrEnum):
    """What a page's token is for.

    view: a match as everybody may see it. seat: as one seat sees it. act: also to write from that
    seat. player: a player's own list of matches. stop: to want no more mail of a kind.
    calendar: a player's deadlines, for a program that asks for them again and again.
    """

    VIEW = "view"
    SEAT = "seat"
    ACT = "act"
    PLAYER = "player"
    STOP = "stop"
    CALENDAR = "calendar"


@dataclass(frozen=True, slots=True)
class PageLink:
    """What a token says: `name` is a match's or a player's, as it stands in reply addresses.

    `number` is that of the seat in reply addresses, or of the kind of mail; 0 where there is none.
    """

    purpose: Purpose
    name: str
    number: int = 0
    generation: int = 0


def page_token(keys: Keys, link: PageLink) -> str:
    """The token, as in `k7qx2.1.aa.` and 26 digits.

    Raises ValueError for what cannot stand in one.
    """
    name, number = link.name.lower(), str(link.number)
    generation = base32_digits(link.generation)
    token = f"{name}.{number}.{keys.current}{generation}."
    mac = _mac(keys.secrets[keys.current], link.purpose, name, number, generation)
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
    if secret is None or not compare_digest(mac, _mac(secret, purpose, name, number, generation)):
        return None
    return PageLink(purpose, name, int(number), base32_number(generation))


def page_path(keys: Keys, link: PageLink) -> str:
    """The path of a page, as in `/act/TOKEN`."""
    return f"/{link.purpose}/{page_token(keys, link)}"


def _mac(secret: bytes, purpose: Purpose, *fields: str) -> str:
    # NUL stands in no field (all are matched by the pattern above), so no two lists read alike.
    mac = digest(secret, "\0".join(("page", purpose, *fields)).encode(), "sha256")
    return b32encode(mac[:_BYTES]).decode().lower()[:_MAC]
