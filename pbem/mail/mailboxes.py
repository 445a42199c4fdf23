"""Which mailbox an address ends in, as far as its form tells: spellings of one are one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from unicodedata import normalize

_LIKE_GMAIL: Final = ("gmail.com", ".")
_LIKE_PROTON: Final = ("proton.me", ".-_")
_LIKE_YANDEX: Final = ("yandex.ru", ".-")

_ALIASES: Final[Mapping[str, tuple[str, str]]] = {
    "gmail.com": _LIKE_GMAIL,
    "googlemail.com": _LIKE_GMAIL,
    "proton.me": _LIKE_PROTON,
    "protonmail.com": _LIKE_PROTON,
    "pm.me": _LIKE_PROTON,
    "ya.ru": _LIKE_YANDEX,
    "yandex.ru": _LIKE_YANDEX,
    "yandex.com": _LIKE_YANDEX,
    "icloud.com": ("icloud.com", ""),
    "me.com": ("icloud.com", ""),
    "mac.com": ("icloud.com", ""),
}
"""Providers' domains by the one that they are, and the signs that do not count before the `@`."""

_SECONDS: Final = "ac co com edu gob gouv gov go mil ne net nom or org plc ltd"
_SECOND: Final = frozenset(_SECONDS.split())
"""Labels below a country under which names are given out, as in `example.co.uk`."""

_COUNTRY: Final = 2


def mailbox_of(address: str) -> str:
    """The mailbox that this and other spellings of an address end in.

    Case does not count, nor quotes, nor what stands behind a plus; at some providers other signs do
    not, either. Subdomains count as their domain: whoever has one has as many as they like, and two
    people of one name below one domain only share what they are sent before they first answer.
    """
    return _mailbox(*_parts(address))


def stem_of(address: str) -> str:
    """The mailbox, without what stands behind a hyphen, where some servers let a tag begin (qmail).

    It is no mailbox: `anna-lena` and `anna-maria` are two people. So it may bound how many such
    addresses are written to, but not decide for one of them what another has asked for.
    """
    local, _, domain = mailbox_of(address).rpartition("@")
    return f"{local.lstrip('-').partition('-')[0]}@{domain}"


def mailboxes_of(address: str) -> frozenset[str]:
    """The same, of an address that somebody else wrote: its letters may mean one of two domains.

    A domain with letters beyond ASCII is one name by RFC 3490, and may be another by RFC 5891.
    """
    local, domain = _parts(address)
    return frozenset({_mailbox(local, domain), _mailbox(local, _as_written(address))})


def _parts(address: str) -> tuple[str, str]:
    local, _, domain = _plain(address).rpartition("@")
    if local.startswith('"') and local.endswith('"'):
        local = local[1:-1].replace("\\", "")
    return local.partition("+")[0], domain


def _mailbox(local: str, domain: str) -> str:
    domain, silent = _ALIASES.get(organisation_of(domain), (organisation_of(domain), ""))
    return f"{''.join(char for char in local if char not in silent)}@{domain}"


def _as_written(address: str) -> str:
    """The domain in the DNS without a letter taken for another, as `\u00df` is for `ss`."""
    labels = normalize("NFC", address.rpartition("@")[2].lower().strip()).split(".")
    return ".".join(one if one.isascii() else _punycode(one) for one in labels)


def _punycode(label: str) -> str:
    return f"xn--{label.encode('punycode').decode('ascii')}"


def domain_of(address: str) -> str:
    """The domain that somebody registered, without what stands before it: of one provider, one."""
    domain = organisation_of(_plain(address).rpartition("@")[2])
    return _ALIASES.get(domain, (domain, ""))[0]


def organisation_of(domain: str) -> str:
    """`example.org` of `mail.example.org`, `example.co.uk` of `a.b.example.co.uk`."""
    labels = _ascii(domain).strip(".").split(".")
    below = len(labels) > _COUNTRY and len(labels[-1]) == _COUNTRY and labels[-2] in _SECOND
    return ".".join(labels[-3 if below else -2 :])


def _plain(address: str) -> str:
    return normalize("NFKC", address).casefold().strip()


def _ascii(domain: str) -> str:
    """As it is in the DNS: `xn--...` and the letters that it stands for are one domain."""
    if domain.isascii():
        return domain
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        return domain
