"""A text that travels with its reader, who can neither read nor change it, and only for a while.

The tag is an HMAC of all that is sealed, and what the rest is encrypted with follows from it: the
same text gives the same seal, and no number has to be drawn for it (as in RFC 5297).
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from hmac import compare_digest, digest
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.legacy.mail.addresses import Keys

_TAG: Final = 16
_TIME: Final = 5
_BLOCK: Final = 32


def seal(keys: Keys, purpose: str, text: bytes, now: int) -> str:
    """A text with the second of the epoch at which it was sealed, for one purpose."""
    secret = keys.secrets[keys.current]
    plain = now.to_bytes(_TIME, "big") + text
    tag = _tag(secret, purpose, plain)
    return keys.current + _digits(tag + _masked(secret, purpose, tag, plain))


def unseal(keys: Keys, purpose: str, sealed: str) -> tuple[bytes, int] | None:
    """What was sealed, and when; None for what is none of ours, or was made for another purpose."""
    secret = keys.secrets.get(sealed[:1])
    if secret is None or not sealed.isascii():
        return None
    try:
        raw = urlsafe_b64decode(sealed[1:] + "=" * (-len(sealed[1:]) % 4))
    except (Error, ValueError):
        return None
    if _digits(raw) != sealed[1:]:
        return None  # several texts are read alike, and one of them is written
    tag, masked = raw[:_TAG], raw[_TAG:]
    plain = _masked(secret, purpose, tag, masked)
    if len(plain) < _TIME or not compare_digest(tag, _tag(secret, purpose, plain)):
        return None
    return plain[_TIME:], int.from_bytes(plain[:_TIME], "big")


def _digits(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _tag(secret: bytes, purpose: str, plain: bytes) -> bytes:
    return digest(_key(secret, "tag", purpose), plain, "sha256")[:_TAG]


def _masked(secret: bytes, purpose: str, tag: bytes, text: bytes) -> bytes:
    """The text under a stream of bytes that follows from the tag: the same once more undoes it."""
    key = _key(secret, "mask", purpose)
    numbers = range(-(-len(text) // _BLOCK))
    mask = b"".join(digest(key, tag + number.to_bytes(4, "big"), "sha256") for number in numbers)
    return bytes(one ^ other for one, other in zip(text, mask, strict=False))


def _key(secret: bytes, what: str, purpose: str) -> bytes:
    return digest(secret, f"seal\0{what}\0{purpose}".encode(), "sha256")
