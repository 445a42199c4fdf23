# ruff: noqa: E501 - pages are written as clients write them
"""What mails go through, or are sent as, besides plain replies: footers, signatures, ciphers, faults."""

from __future__ import annotations

from base64 import b64encode
from html import escape

from tests.legacy.mail.corpus import outlook, shown
from tests.legacy.mail.corpus.understood import Sent
from tests.legacy.mail.corpus.wire import (
    Part,
    answer,
    attachment,
    crlf,
    divs,
    flowed,
    inner,
    multipart,
    text,
)

WROTE = "On Sat, Nov 21, 2026 at 3:05 PM {name} <{address}> wrote:"
CONFIDENTIAL = (
    "This e-mail and any files transmitted with it are confidential and intended solely for\n"
    "the use of the individual to whom they are addressed. If you are not the named\n"
    "addressee you should not disseminate, distribute or copy this e-mail."
)


def _plain(typed: str, sent: Sent) -> str:
    line = WROTE.format(name=sent.name, address=sent.address)
    return f"{typed}\n\n{line}\n\n{shown.quoted(sent.text)}\n"


def _page(typed: str, sent: Sent) -> str:
    line = escape(WROTE.format(name=sent.name, address=sent.address))
    return (
        f'<html><body>{divs(typed)}<br><div class="gmail_quote"><div class="gmail_attr">{line}'
        f'</div><blockquote class="gmail_quote">{inner(sent)}</blockquote></div></body></html>'
    )


def _send(sent: Sent, part: Part, number: int, **more: object) -> bytes:
    return answer(sent, part, ident=f"odd{number}.4c1f2e06@example.org", **more)  # type: ignore[arg-type] # names of answer


def disclaimer_below(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """A gateway writes its disclaimer below everything, in both parts."""
    plain = f"{_plain(typed, sent)}\n{'_' * 40}\n{CONFIDENTIAL}\n"
    page = _page(typed, sent).replace("</body>", f"<hr><p>{CONFIDENTIAL}</p></body>")
    return _send(
        sent, multipart("alternative", f"=_d{number}", text(plain), text(page, "html")), number
    )


def disclaimer_above(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """The same between the typed lines and the quote, behind a mark."""
    plain = _plain(f"{typed}\n\n-- \nAnn Müller\nExample GmbH\n\n{CONFIDENTIAL}", sent)
    return _send(sent, text(plain), number)


def external(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Exchange's warning, which is quoted with our mail."""
    warning = "[EXTERNAL EMAIL] Do not click links unless you know the sender."
    plain = _plain(typed, sent).replace("\n\n> ", f"\n\n> {warning}\n>\n> ", 1)
    return _send(sent, text(plain), number, subject=f"RE: [EXTERNAL] {sent.subject}")


def list_footer(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """A list added its footer as a part of its own."""
    footer = f"{'_' * 47}\nfriends mailing list\nfriends@lists.example.org\n"
    return _send(
        sent,
        multipart(
            "mixed",
            f"===============4c1f{number}==",
            text(_plain(typed, sent)),
            text(footer, charset="us-ascii", encoding="7bit"),
        ),
        number,
    )


def list_footer_bottom(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """The same in the text itself, below a reply that stands under the quote."""
    line = WROTE.format(name=sent.name, address=sent.address)
    plain = (
        f"{line}\n{shown.quoted(sent.text)}\n\n{typed}\n\n{'_' * 47}\nfriends mailing list\n"
        "friends@lists.example.org\n"
    )
    return _send(sent, text(plain), number)


def antivirus(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """A scanner's advertisement behind a signature's mark."""
    plain = _plain(
        f"{typed}\n\n-- \nThis email has been checked for viruses by antivirus software.\n"
        "www.example.com",
        sent,
    )
    return _send(sent, text(plain), number)


def forwarded(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Forwarded to us instead of answered, with Gmail's header block."""
    block = (
        f"---------- Forwarded message ---------\nFrom: {sent.name} <{sent.address}>\nDate: Sat, Nov"
        f" 21, 2026 at 3:05 PM\nSubject: {sent.subject}\nTo: Ann <ann@example.org>\n"
    )
    plain = f"{typed}\n\n{block}\n\n{shown.shown(sent.html, shown.GMAIL)}\n"
    page = (
        f'<div dir="ltr">{divs(typed)}<br><br><div class="gmail_quote"><div dir="ltr" class="gmail_'
        f'attr">{escape(block).replace(chr(10), "<br>")}</div>{inner(sent)}</div></div>'
    )
    return _send(
        sent,
        multipart("alternative", f"=_f{number}", text(plain), text(page, "html")),
        number,
        subject=f"Fwd: {sent.subject}",
    )


def forwarded_attached(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Our mail, and another one with a move, as attachments."""
    letter = (
        f"From: Bob <bob@example.org>\nTo: Ann <ann@example.org>\nSubject: try this\n\n"
        f"{sent.moves[2]}\n"
    )
    message = Part((("Content-Type", "message/rfc822"),), crlf(letter).encode())
    ours = Part((("Content-Type", "message/rfc822"),), sent.raw)
    return _send(
        sent, multipart("mixed", f"=_a{number}", text(f"{typed}\n"), ours, message), number
    )


def smime(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Signed by S/MIME, the signature beside the text."""
    signature = attachment("smime.p7s", "application/pkcs7-signature", b"\x30\x80\x06\x09" * 300)
    signed = text(_plain(typed, sent), charset="utf-8")
    return _send(
        sent,
        multipart(
            "signed",
            f"----4C1F{number}",
            signed,
            signature,
            parameters='; protocol="application/pkcs7-signature"; micalg=sha-256',
        ),
        number,
    )


def smime_closed(_typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Encrypted by S/MIME: nothing can be read."""
    part = Part(
        (
            ("Content-Type", 'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"'),
            ("Content-Transfer-Encoding", "base64"),
            ("Content-Disposition", 'attachment; filename="smime.p7m"'),
        ),
        b64encode(b"\x30\x80\x06\x09" * 100) + b"\r\n",
    )
    return _send(sent, part, number)


def pgp_mime(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Signed by PGP/MIME, with the public key beside it."""
    key = b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ\n-----END PGP PUBLIC KEY BLOCK-----\n"
    signature = Part(
        (
            ("Content-Type", 'application/pgp-signature; name="signature.asc"'),
            ("Content-Description", "OpenPGP digital signature"),
            ("Content-Disposition", 'attachment; filename="signature.asc"'),
        ),
        b"-----BEGIN PGP SIGNATURE-----\r\n\r\niQEz\r\n-----END PGP SIGNATURE-----\r\n",
    )
    body = multipart(
        "mixed",
        f"----mixed{number}",
        text(_plain(typed, sent)),
        attachment("OpenPGP_0x4C1F.asc", "application/pgp-keys", key),
        parameters='; protected-headers="v1"',
    )
    return _send(
        sent,
        multipart(
            "signed",
            f"----signed{number}",
            body,
            signature,
            parameters='; micalg=pgp-sha512; protocol="application/pgp-signature"',
        ),
        number,
    )


def pgp_closed(_typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Encrypted by PGP/MIME."""
    return _send(
        sent,
        multipart(
            "encrypted",
            f"----enc{number}",
            Part((("Content-Type", "application/pgp-encrypted"),), b"Version: 1\r\n"),
            Part(
                (("Content-Type", 'application/octet-stream; name="encrypted.asc"'),),
                b"-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM\r\n-----END PGP MESSAGE-----\r\n",
            ),
            parameters='; protocol="application/pgp-encrypted"',
        ),
        number,
    )


def pgp_inline(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Signed in the text: dashes are escaped, armour stands around."""
    inside = "\n".join(
        f"- {line}" if line.startswith("-") else line
        for line in _plain(f"{typed}\n\n-- \nAnn", sent).split("\n")
    )
    plain = (
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{inside}\n-----BEGIN PGP SIGNATURE"
        "-----\n\niQIzBAEBCgAdFiEE4C1F2E06\n=kXz1\n-----END PGP SIGNATURE-----\n"
    )
    return _send(sent, text(plain), number)


def winmail(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Outlook's rich text: the page stands in winmail.dat, the text beside it."""
    content = b"\x78\x9f\x3e\x22" + sent.moves[-1].encode() * 20
    plain = outlook._text_block("en", sent)
    return _send(
        sent,
        multipart(
            "mixed",
            f"----=_NextPart_000_{number:04X}",
            text(f"{typed}\n\n{plain}\n\n{sent.text}\n", charset="iso-8859-1"),
            attachment("winmail.dat", "application/ms-tnef", content),
        ),
        number,
        prefix="RE: ",
    )


def broken_base64(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Base64 whose last digits a relay lost, below it a footer in the clear."""
    whole = text(_plain(typed, sent), encoding="base64")
    body = whole.body.rstrip().rstrip(b"=")[:-1] + b"\r\n\r\n-- \r\nScanned by mx.example.org\r\n"
    return _send(sent, Part(whole.fields, body), number)


def page_only(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """A page and no text."""
    return _send(sent, text(_page(typed, sent), "html"), number)


def blank_text(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """A text part of blanks beside the page."""
    page = text(_page(typed, sent), "html")
    return _send(sent, multipart("alternative", f"=_b{number}", text(" \n\n"), page), number)


def conflicting(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """The parts hold different moves."""
    page = text(_page(sent.moves[2], sent), "html")
    plain = text(_plain(typed, sent))
    return _send(sent, multipart("alternative", f"=_c{number}", plain, page), number)


def with_picture(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """A page with a picture in the signature: related inside alternative inside mixed."""
    picture = attachment("logo.png", "image/png", b"\x89PNG" * 30, disposition="inline")
    page = _page(typed, sent).replace("<br><div class", '<img src="cid:logo"><br><div class', 1)
    body = multipart(
        "alternative",
        f"=_p{number}a",
        text(_plain(f"{typed}\n\n[image: logo.png]", sent)),
        multipart("related", f"=_p{number}r", text(page, "html"), picture),
    )
    return _send(sent, multipart("mixed", f"=_p{number}m", body), number)


def no_quote(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """A client that quotes nothing."""
    return _send(sent, text(f"{typed}\n", charset="us-ascii", encoding="8bit"), number)


def tapped(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """A link of ours was tapped on a phone: a new mail, no thread, the phone's words below."""
    tag = sent.subject.partition("]")[0]
    return _send(
        sent,
        text(f"{typed}\n\nSent from my iPhone"),
        number,
        subject=f"Re: {tag}]",
        threaded=False,
    )


def in_subject(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """The move stands in the subject, the body is the quote."""
    return _send(sent, text(_plain("", sent)), number, subject=f"Re: {typed}")


def after_subject(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """The move stands behind our subject."""
    return _send(sent, text(_plain("", sent)), number, subject=f"Re: {sent.subject} {typed}")


def subject_unchanged(_typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Nothing typed at all."""
    return _send(sent, text(_plain("", sent)), number)


def gateway(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """A relay broke long lines; their ends stand without a `>`."""
    broken: list[str] = []
    for line in _plain(typed, sent).split("\n"):
        rest = line
        while len(rest) > 60 and " " in rest[10:60]:
            at = rest.rindex(" ", 10, 60)
            broken.append(rest[:at])
            rest = rest[at + 1 :]
        broken.append(rest)
    return _send(sent, text("\n".join(broken)), number)


def flowed_delsp(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Format=flowed with DelSp, long lines broken at 40 columns."""
    part = text(
        flowed(_plain(typed, sent), width=40, delsp=True),
        parameters="; format=flowed; delsp=yes",
    )
    return _send(sent, part, number)


def marker_only(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """A client that changes every line, so that only the marker is left to know."""
    marker = "=== write your move above this line ==="
    below = " ".join(sent.text.partition(marker)[2].split())[:300]
    return _send(sent, text(f"{typed}\n\n{marker}\n\n{below[::-1]}\n"), number)


def nested(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Three rounds, each behind one `>` more, the player's own old moves among them."""
    line = WROTE.format(name=sent.name, address=sent.address)
    mine = "On Fri, Nov 20, 2026 at 8:12 AM Ann <ann@example.org> wrote:"
    deep = f"{line}\n\n{shown.quoted(sent.text)}"
    for move in sent.moves[1:3]:
        deep = _round(line, sent.text, mine, move, deep)
    return _send(sent, text(f"{typed}\n\n{deep}\n"), number)


def _round(line: str, ours: str, mine: str, move: str, deeper: str) -> str:
    older = shown.quoted(f"{move}\n\n{deeper}")
    whole = f"{ours}\n\n{mine}\n\n{older}"
    return f"{line}\n\n{shown.quoted(whole)}"
