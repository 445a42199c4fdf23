"""Header fields as text: unfolded, decoded, cleaned; and the addresses and mailboxes in them."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error, a2b_qp
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from itertools import islice
from typing import Final
from unicodedata import normalize

from pbem.legacy.mail.lines import one_line
from pbem.legacy.mail.mime import decode

# --- headers -------------------------------------------------------------------------------------
# Header fields as text: unfolded, decoded, cleaned; and the strict grammar of From.

LONGEST: Final = 2000
"""Characters of a field that are looked at where only a start is wanted."""

ADDRESSES: Final = 50
"""Recipients that are looked at."""

# RFC 2047 with bounds, so that no unclosed word makes the search long.
_WORD: Final = re.compile(
    r"=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bBqQ])\?([^?\r\n]{0,998})\?=(\s+(?==\?))?"
)
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDR_SPEC: Final = re.compile(rf"({_ATOM}(?:\.{_ATOM})*)@({_LABEL}(?:\.{_LABEL})*)\.?")
_LOCAL, _DOMAIN = 64, 253  # RFC 5321 4.5.3.1
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*+)("?)')
_OLD_STYLE: Final = re.compile(r"([^\s()<>\"]+)\s*\(([^()<>@\"]*)\)")
_FORBIDDEN: Final = re.compile(r'[<>@,:;\[\]"\\]')
_SOME_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,20}"
)
MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,250}>")
"""A Message-ID in a field, in brackets."""


@dataclass(frozen=True, slots=True)
class Headers:
    """The fields of a header by lower-case name, unfolded: the topmost value, all from the top."""

    first: Mapping[str, str]
    all: Mapping[str, Sequence[str]]


def read_headers(message: Message) -> Headers:
    """The header of a parsed mail or part."""
    fields: dict[str, list[str]] = {}
    for name, value in message.raw_items():
        text = str(value)
        if not text.isascii():  # bytes as they came, RFC 6532 or plain wrong
            text = decode(text.encode("ascii", "surrogateescape"), None)
        if "\n" in text or "\r" in text:
            text = text.replace("\r", "").replace("\n", "")
        fields.setdefault(name.lower(), []).append(text.strip())
    return Headers({name: values[0] for name, values in fields.items()}, fields)


def _word_bytes(kind: str, text: str) -> bytes:
    encoded = text.encode("ascii", "ignore")
    if kind in "qQ":
        return a2b_qp(encoded, header=True)
    cleaned = re.sub(rb"[^A-Za-z0-9+/]", b"", encoded)
    cleaned = cleaned[: len(cleaned) - (len(cleaned) % 4 == 1)]
    try:
        return b64decode(cleaned + b"=" * (-len(cleaned) % 4))
    except Error:
        return b""


def _pieces(value: str) -> Iterator[tuple[str | None, bytes | str]]:
    """Plain text with None, or the bytes of an encoded word with its charset."""
    at = 0
    for word in _WORD.finditer(value):
        if word.start() > at:
            yield None, value[at : word.start()]
        yield word[1].lower(), _word_bytes(word[2], word[3])
        at = word.end()
    yield None, value[at:]


def decoded(value: str) -> str:
    """A field's words as one clean line."""
    if "=?" not in value:
        return one_line(value)
    out: list[str] = []
    charset: str | None = None
    run = b""  # RFC 2047 6.2: words side by side are one text; some cut it inside a character
    for name, piece in _pieces(value):
        if run and (name != charset):
            out.append(decode(run, charset))
            run = b""
        charset = name
        if isinstance(piece, bytes):
            run += piece
        else:
            out.append(piece)
    return one_line("".join(out))


def addr_spec(text: str) -> str | None:
    """One address by the plain grammar, its domain in lower case, or None."""
    found = _ADDR_SPEC.fullmatch(text)
    if found is None or len(found[1]) > _LOCAL or len(found[2]) > _DOMAIN:
        return None
    return f"{found[1]}@{found[2].lower()}"


def _phrase(text: str) -> str | None:
    """A display name, or None if anything in it could be taken for another address."""
    # A quote that is never closed stays, and is doubt.
    if _FORBIDDEN.search(_QUOTED.sub(lambda quoted: "" if quoted[2] else quoted[0], text)):
        return None
    return decoded(_QUOTED.sub(lambda quoted: re.sub(r"\\(.)", r"\1", quoted[1]), text))


def mailbox(value: str) -> tuple[str, str] | None:
    """The one address of a From field and its display name, or None if there is any doubt.

    Groups, lists, routes, an `@` in an unquoted phrase (CVE-2023-27043) and control characters are
    doubt.
    """
    value = value.strip()
    if len(value) > LONGEST or not value.replace("\t", " ").isprintable():
        return None
    if value.endswith(">"):
        phrase, _, inner = value[:-1].rpartition("<")
        name, address = _phrase(phrase.strip()), addr_spec(inner.strip())
    elif old := _OLD_STYLE.fullmatch(value):
        name, address = decoded(old[2]), addr_spec(old[1])
    else:
        name, address = "", addr_spec(value)
    return None if name is None or address is None else (address, name)


def addresses(value: str) -> tuple[str, ...]:
    """Whatever looks like an address in a field of recipients: the first 50."""
    found = _SOME_ADDRESS.finditer(value)
    return tuple(one[0] for one, _ in zip(found, range(ADDRESSES), strict=False))


# --- mailboxes -----------------------------------------------------------------------------------
# Which mailbox an address ends in, as far as its form tells: spellings of one are one.

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


# --- recipients ----------------------------------------------------------------------------------
# Whom fields of recipients may name: read as widely as From is read strictly.
#
# What might be somebody's address counts, however it is written: quoted, in a group, in a comment,
# in an encoded word, with blanks around its signs (RFC 5322 4.4). None of it proves anything.

MOST: Final = 1_000
"""Addresses of a letter that are looked at."""

_TOKEN: Final = re.compile(
    r'"(?P<quoted>(?:[^"\\]|\\.)*+)"?|(?P<word>[^\s()<>@,:;"\[\]\\.\u3002\uff0e\uff61]++)'
    r"|(?P<dot>[.\u3002\uff0e\uff61])|(?P<at>@)|(?P<bracket>[()])|(?P<blank>\s++)|(?P<sign>.)",
    re.DOTALL,
)
_QUOTES: Final = re.compile(r'["\\]')
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)


def addresses_named(fields: Iterable[str]) -> tuple[str, ...]:
    """Every address that one of the fields may name, each once, without quotes and comments."""
    texts = (
        text for field in fields for text in ([field, decoded(field)] if "=?" in field else [field])
    )
    return tuple(dict.fromkeys(islice((one for text in texts for one in _in_text(text)), MOST)))


def _in_text(text: str) -> Iterator[str]:
    """In the text, in comments, in what is quoted, and as if nothing were a quote or comment."""
    outside: list[tuple[str, str]] = []
    inside: list[tuple[str, str]] = []
    depth = 0
    for kind, said in _tokens(text):
        if kind == "bracket":
            depth = max(depth + (1 if said == "(" else -1), 0)
            inside.append(("sign", said))
        elif depth:
            inside.append((kind, said))
        else:
            outside.append((kind, said))
    yield from _joined(outside)
    if not inside and _QUOTES.search(text) is None:
        return
    yield from _joined(inside)
    for kind, said in (*outside, *inside):
        if kind == "quoted" and "@" in said:
            yield from _joined(list(_tokens(said)))
    yield from _joined(list(_tokens(_QUOTES.sub(" ", text))))


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """The kind and the text of each; of what is quoted without its quotes and escapes."""
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or "sign"
        said = found[kind]
        if kind == "quoted":
            yield kind, _ESCAPED.sub(r"\1", said)
        elif kind != "blank":
            yield kind, said


def _joined(tokens: list[tuple[str, str]]) -> Iterator[str]:
    """What stands on both sides of every `@`: words with dots between them."""
    for at, (kind, _) in enumerate(tokens):
        if kind == "at":
            local = "".join(reversed(list(_side(tokens, range(at - 1, -1, -1)))))
            domain = "".join(_side(tokens, range(at + 1, len(tokens)))).rstrip(".")
            if local and domain:
                yield f"{local}@{domain.lower()}"


def _side(tokens: list[tuple[str, str]], places: Iterable[int]) -> Iterator[str]:
    """Words and dots in turn, from the `@` outwards."""
    wants_dot = False
    for place in places:
        kind, said = tokens[place]
        if kind == "dot":
            yield "."
            wants_dot = False
        elif kind in ("word", "quoted") and not wants_dot:
            yield said
            wants_dot = True
        else:
            return
