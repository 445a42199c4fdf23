# ruff: noqa: E501 - blocks are written as clients write them
"""Providers of single countries and smaller programs, by the block that each writes above a quote."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final, Literal

from tests.legacy.mail.corpus import shown
from tests.legacy.mail.corpus.understood import Sent
from tests.legacy.mail.corpus.wire import Encoding, answer, divs, inner, multipart, text

How = Literal["prefixed", "block prefixed", "bare"]


@dataclass(frozen=True, slots=True)
class Manner:
    """The block, how our mail stands below it in text, and the words of a signature above it."""

    block: str
    how: How = "prefixed"
    signature: str = ""
    blockquote: bool = True
    prefix: str = "Re: "
    encoding: Encoding = "quoted-printable"


PROVIDERS: Final = {
    "IONOS": Manner("{name} <{address}> hat am 21.11.2026 15:05 CET geschrieben:\n\n", prefix="Re: "),
    "T-Online": Manner(
        "-----Original-Nachricht-----\nBetreff: {subject}\nDatum: 2026-11-21T15:05:00+0100\n"
        'Von: "{name}" <{address}>\nAn: "ann@example.org" <ann@example.org>\n\n',
        "bare", blockquote=False, prefix="AW: ",
    ),
    "Orange": Manner(
        '> Message du 21/11/26 15:05\n> De : "{name}" <{address}>\n> A : ann@example.org\n> Copie à :\n'
        "> Objet : {subject}\n>\n", prefix="re: ",
    ),
    "Libero": Manner("Il 21/11/2026 15:05 {name} <{address}> ha scritto:\n\n \n"),
    "Seznam": Manner(
        "---------- Původní e-mail ----------\nOd: {name} <{address}>\nKomu: ann@example.org\n"
        "Datum: 21. 11. 2026 15:05:00\nPředmět: {subject}\n", "bare",
    ),
    "WP": Manner("W dniu 2026-11-21 15:05:00 użytkownik {name} <{address}> napisał:\n", prefix="Odp: "),
    "ukr.net": Manner('21 листопада 2026, 15:05:00, від "{name}" <{address}>:\n\n', encoding="base64"),
    "Daum": Manner(
        "--------- 원본 메일 ---------\n보낸사람: {name} <{address}>\n받는사람: <ann@example.org>\n"
        "날짜: 2026년 11월 21일 토요일, 23시 05분 00초 +0900\n제목: {subject}\n\n",
        "bare", blockquote=False, encoding="base64",
    ),
    "Aliyun": Manner(
        "------------------------------------------------------------------\n发件人：{name} <{address}>\n"
        "日　期：2026年11月21日 22:05:00\n收件人：<ann@example.org>\n主　题：{subject}\n\n",
        "bare", blockquote=False, prefix="回复：", encoding="base64",
    ),
    "Foxmail": Manner(
        "发件人： {name}\n发送时间： 2026-11-21 22:05\n收件人： ann\n主题： {subject}\n",
        "bare", encoding="base64", prefix="回复: ",
    ),
    "eM Client": Manner(
        '------ Original Message ------\nFrom "{name}" <{address}>\nTo "Ann Müller" <ann@example.org>\n'
        "Date 21.11.2026 15:05:00\nSubject {subject}\n\n", "prefixed",
    ),
    "eM Client bare": Manner(
        '------ Original Message ------\nFrom: "{name}" <{address}>\nTo: "Ann Müller" <ann@example.org>\n'
        "Sent: 21.11.2026 15:05:00\nSubject: {subject}\n\n", "bare", blockquote=False,
    ),
    "GroupWise": Manner('>>> "{name}" <{address}> 21.11.2026 15:05 >>>\n\n', "bare", blockquote=False, prefix="Antw: "),
    "BlackBerry": Manner(
        "  Original Message  \nFrom: {name}\nSent: Saturday, November 21, 2026 3:05 PM\nTo: ann@example.org\n"
        "Reply To: {address}\nSubject: {subject}\n\n", "bare", "Sent from my BlackBerry 10 smartphone.", blockquote=False,
    ),
    "HEY": Manner("On November 21, 2026, {name} <{address}> wrote:\n\n"),
    "Superhuman": Manner("On Sat, Nov 21, 2026 at 3:05 PM, {name} < {address} > wrote:\n\n", signature="Sent via Superhuman"),
    "Mailbird": Manner("On 21/11/2026 15:05:00, {name} <{address}> wrote:\n", "bare"),
    "Opera": Manner("On Sat, 21 Nov 2026 15:05:00 +0100, {name} <{address}>  \nwrote:\n\n"),
    "Airmail": Manner("On 21 November 2026 at 15:05:00, {name} ({address}) wrote:\n\n"),
    "Windows Mail": Manner(
        "From: {name}<mailto:{address}>\nSent: Saturday, 21 November 2026 15:05\nTo: Ann<mailto:ann@example.org>\n"
        "Subject: {subject}\n\n", "bare", "Sent from Mail for Windows", blockquote=False, prefix="RE: ",
    ),
    "Newton": Manner("On Sat, Nov 21, 2026 at 3:05 PM {name} <{address}> wrote:\n\n", signature="Sent from Newton Mail [https://newton.example]"),
    "BlueMail": Manner("On Nov 21, 2026, 15:05, at 15:05, {name} <{address}> wrote:\n", prefix="Re: ", signature="Get BlueMail for Android"),
    "Blacknight": Manner("Quoting {name} <{address}>:\n\n"),
    "unknown name": Manner("Op 21-11-2026 om 15:05 schreef Spelletjes:\n"),
    "no attribution": Manner(""),
}  # fmt: skip


def provider(typed: str, sent: Sent, *, name: str, number: int = 1) -> bytes:
    """A reply with both parts, by the manner of one provider."""
    manner = PROVIDERS[name]
    block = manner.block.format(name=sent.name, address=sent.address, subject=sent.subject)
    body = shown.shown(sent.html, shown.BARE)
    quote = body if manner.how == "bare" else shown.quoted(body)
    below = f"\n\n{manner.signature}" if manner.signature else ""
    shown_block = escape(block).replace("\n", "<br>")
    around = f"<blockquote>{inner(sent)}</blockquote>" if manner.blockquote else inner(sent)
    page = f"<html><body>{divs(typed + below)}<div><br></div><div>{shown_block}</div>{around}</body></html>"
    return answer(
        sent,
        multipart(
            "alternative",
            f"=_prov{number}",
            text(f"{typed}{below}\n\n{block}{quote}\n", encoding=manner.encoding),
            text(page, "html", encoding=manner.encoding),
        ),
        ident=f"prov{number}.4c1f2e06@mail.example.org",
        prefix=manner.prefix,
    )
