# ruff: noqa: E501 - pages are written as clients write them
"""Programs on desks and phones that quote with `>`: Apple, Thunderbird, mutt, Gnus, K-9 and others."""

from __future__ import annotations

from html import escape
from typing import Final, Literal

from tests.legacy.mail.corpus import shown
from tests.legacy.mail.corpus.understood import Sent
from tests.legacy.mail.corpus.wire import Encoding, answer, divs, flowed, inner, multipart, text

IPHONE: Final = {
    "en": ("On 21 Nov 2026, at 15:05, {who} wrote:", "Sent from my iPhone"),
    "de": ("Am 21.11.2026 um 15:05 schrieb {who}:", "Von meinem iPhone gesendet"),
    "fr": ("Le 21 nov. 2026 à 15:05, {who} a écrit\u00a0:", "Envoyé de mon iPhone"),
    "es": ("El 21 nov 2026, a las 15:05, {who} escribió:", "Enviado desde mi iPhone"),
    "it": ("Il giorno 21 nov 2026, alle ore 15:05, {who} ha scritto:", "Inviato da iPhone"),
    "nl": ("Op 21 nov 2026 om 15:05 heeft {who} het volgende geschreven:",
           "Verstuurd vanaf mijn iPhone"),
    "sv": ("21 nov. 2026 kl. 15:05 skrev {who}:", "Skickat från min iPhone"),
    "ja": ("2026/11/21 15:05、{who}のメール:", "iPhoneから送信"),
    "zh": ("在 2026年11月21日，15:05，{who} 写道：", "发自我的 iPhone"),
    "ru": ("21 нояб. 2026\u202fг., в 15:05, {who} написал(а):", "Отправлено с iPhone"),
    "ko": ("2026. 11. 21. 15:05, {who} 작성:", "나의 iPhone에서 보냄"),
    "tr": ("{who} şunları yazdı (21 Kas 2026 15:05):", "iPhone'umdan gönderildi"),
}  # fmt: skip


def iphone(typed: str, sent: Sent, *, language: str = "en", number: int = 1) -> bytes:
    """Mail on iOS: the phone's words above the quote, the attribution inside it behind a `>`."""
    wrote, signature = IPHONE[language]
    line = wrote.format(who=f"{sent.name} <{sent.address}>")
    quote = shown.shown(sent.html, shown.APPLE)
    whole = f"{line}\n\n\ufeff{quote}"
    plain = f"{typed}\n\n{signature}\n\n{shown.quoted(whole)}\n"
    page = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        f'<body dir="auto">{divs(typed)}<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">'
        f'{signature}</div><div dir="ltr"><br><blockquote type="cite">{escape(line)}<br><br>'
        '</blockquote></div><blockquote type="cite"><div dir="ltr">\ufeff'
        f"{inner(sent)}</div></blockquote></body></html>"
    )
    encoding: Encoding = "quoted-printable" if language in {"en", "de", "fr", "nl"} else "base64"
    boundary = f"Apple-Mail-4C1F2E06-7BF1-4D3A-9C55-{number:012d}"
    return answer(
        sent,
        multipart(
            "alternative",
            boundary,
            text(plain, encoding=encoding),
            text(page, "html", encoding=encoding),
        ),
        ident=f"4C1F2E06-7BF1-4D3A-9C55-{number:012d}@example.org",
        fields=(("X-Mailer", "iPhone Mail (23B82)"),),
    )


def mac(typed: str, sent: Sent, *, rich: bool = True, number: int = 1) -> bytes:
    """Mail on macOS; in its plain form as format=flowed with DelSp."""
    line = f"On 21. Nov 2026, at 15:05, {sent.name} <{sent.address}> wrote:"
    quote = shown.shown(sent.html, shown.APPLE) if rich else sent.text
    plain = f"{typed}\n\n\n{shown.quoted(f'{line}{chr(10)}{chr(10)}{quote}')}\n"
    fields = (("X-Mailer", "Apple Mail (2.3864.200.81.1.6)"),)
    ident = f"9D21B7C0-11AA-4F20-8E11-{number:012d}@example.org"
    if not rich:
        part = text(
            flowed(plain, delsp=True),
            charset="us-ascii" if plain.isascii() else "utf-8",
            encoding="7bit" if plain.isascii() else "quoted-printable",
            parameters="; format=flowed; delsp=yes",
        )
        return answer(sent, part, ident=ident, fields=fields)
    page = (
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head>'
        '<body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white'
        f'-space;">{divs(typed)}<div><br><blockquote type="cite"><div>{escape(line)}</div><br '
        f'class="Apple-interchange-newline"><div>{inner(sent)}</div></blockquote></div><br></body>'
        "</html>"
    )
    boundary = f"Apple-Mail=_9D21B7C0-11AA-4F20-8E11-{number:012d}"
    return answer(
        sent,
        multipart("alternative", boundary, text(plain), text(page, "html")),
        ident=ident,
        fields=fields,
    )


Where = Literal["top", "bottom", "inline"]


def _around(typed: str, line: str, quote: str, where: Where, end: str) -> str:
    """Typed lines above, below or between quoted ones."""
    match where:
        case "top":
            return f"{typed}{end}\n\n{line}\n{quote}\n"
        case "bottom":
            return f"{line}\n{quote}\n\n{typed}{end}\n"
        case "inline":
            lines = quote.split("\n")
            # After the quoted line that holds the last of our examples.
            at = next(
                (
                    at
                    for at in reversed(range(len(lines)))
                    if lines[at].startswith(">") and "or:" in lines[at]
                ),
                len(lines) // 2,
            )
            head, tail = "\n".join(lines[: at + 1]), "\n".join(lines[at + 1 :])
            return f"{line}\n{head}\n\n{typed}\n\n{tail}\n{end}\n"


THUNDERBIRD: Final = {
    "en": "On 11/21/26 15:05, {name} wrote:",
    "de": "Am 21.11.26 um 15:05 schrieb {name}:",
    "fr": "Le 21/11/2026 à 15:05, {name} a écrit\u00a0:",
    "it": "Il 21/11/2026 15:05, {name} ha scritto:",
    "pl": "W dniu 21.11.2026 o\u00a015:05, {name} pisze:",
    "ru": "21.11.2026 15:05, {name} пишет:",
    "ja": "On 2026/11/21 15:05, {name} wrote:",
}


def thunderbird(
    typed: str,
    sent: Sent,
    *,
    where: Where = "top",
    language: str = "en",
    signature: str = "",
    number: int = 1,
) -> bytes:
    """Text only, format=flowed; our text part is quoted as it is."""
    line = THUNDERBIRD[language].format(name=sent.name)
    end = f"\n\n-- \n{signature}" if signature else ""
    plain = _around(typed, line, shown.quoted(sent.text), where, end)
    return answer(
        sent,
        text(
            flowed(plain),
            charset="UTF-8",
            encoding="7bit" if plain.isascii() else "8bit",
            parameters="; format=flowed",
        ),
        ident=f"4c1f2e06-{number:04d}-4d3a-9c55-0a1b2c3d4e5f@example.org",
        fields=(
            ("User-Agent", "Mozilla Thunderbird"),
            ("Content-Language", "en-US"),
        ),
    )


def thunderbird_page(
    typed: str, sent: Sent, *, where: Where = "top", language: str = "en", number: int = 1
) -> bytes:
    """Composed as a page, sent with a text part made from it."""
    line = THUNDERBIRD[language].format(name=sent.name)
    quote = shown.quoted(shown.shown(sent.html, shown.MOZILLA))
    plain = _around(typed, line, quote, where, "")
    cite = (
        f'<div class="moz-cite-prefix">{escape(line)}<br></div><blockquote type="cite" cite="mid:'
        f'{str(sent.letter.message_id).strip("<>")}">{inner(sent)}</blockquote>'
    )
    body = f"<p>{escape(typed).replace(chr(10), '<br>')}<br></p>"
    page = (
        '<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset='
        f'UTF-8"></head><body>{body if where == "top" else ""}{cite}'
        f"{body if where == 'bottom' else ''}<br></body></html>"
    )
    boundary = f"------------v{number:04d}kXz1mTq0cJd8eYwU2Bn"
    return answer(
        sent,
        multipart(
            "alternative",
            boundary,
            text(flowed(plain), charset="UTF-8", encoding="8bit", parameters="; format=flowed"),
            text(page, "html", charset="UTF-8", encoding="8bit"),
        ),
        ident=f"7e1f2e06-{number:04d}-4d3a-9c55-0a1b2c3d4e5f@example.org",
        fields=(("User-Agent", "Mozilla Thunderbird"),),
    )


PLAIN: Final = {
    # The attribution of each program of text, the mark of its quotes, and how it names itself.
    "mutt": ("On Sat, Nov 21, 2026 at 03:05:00PM +0100, {name} wrote:", "> ",
             ("User-Agent", "Mutt/2.2.13 (2024-03-09)")),
    "neomutt": ("* {name} <{address}> [2026-11-21 15:05]:", "> ", ("User-Agent", "NeoMutt/2026")),
    "Gnus": ("{name} <{address}> writes:\n", "> ",
             ("User-Agent", "Gnus/5.13 (Gnus v5.13) Emacs/29.4")),
    "Alpine": ("On Sat, 21 Nov 2026, {name} wrote:\n", "> ", ("User-Agent", "Alpine 2.26")),
    "Claws": ("On Sat, 21 Nov 2026 15:05:00 +0100\n{name} <{address}> wrote:\n", "> ",
              ("X-Mailer", "Claws Mail 4.3.0 (GTK 3.24)")),
    "KMail": ("On Saturday, 21 November 2026 15:05:00 CET {name} wrote:", "> ",
              ("User-Agent", "KMail/6.2")),
    "Evolution": ("On Sat, 2026-11-21 at 15:05 +0100, {name} wrote:", "> ",
                  ("User-Agent", "Evolution 3.54.0")),
    "Roundcube": ("On 2026-11-21 15:05, {name} wrote:", "> ",
                  ("User-Agent", "Roundcube Webmail/1.6.9")),
    "SquirrelMail": ("> On Sat, November 21, 2026 3:05 pm, {name} wrote:", "> ",
                     ("User-Agent", "SquirrelMail/1.4.23")),
    "Horde": ('Zitat von "{name}" <{address}>:\n', "> ",
              ("User-Agent", "Horde Application Framework 5")),
    "K-9": ('On November 21, 2026 3:05:00 PM GMT+01:00, "{name}" <{address}> wrote:', ">",
            ("User-Agent", "K-9 Mail for Android")),
    "FairEmail": ("On November 21, 2026 3:05:00 PM GMT+01:00, {name} <{address}> wrote:", "> ",
                  ("X-Mailer", "FairEmail 1.2240")),
    "The Bat": ("Saturday, November 21, 2026, 3:05:00 PM, you wrote:\n", "L> ",
                ("X-Mailer", "The Bat! (v11.1) Professional")),
    "Becky": ('On Sat, 21 Nov 2026 15:05:00 +0000\n"{name}" <{address}> wrote:\n', "> ",
              ("X-Mailer", "Becky! ver. 2.82")),
}  # fmt: skip


def plain(
    typed: str,
    sent: Sent,
    *,
    program: str = "mutt",
    where: Where = "top",
    signature: str = "",
    charset: str = "utf-8",
    encoding: Encoding = "8bit",
    number: int = 1,
) -> bytes:
    """A program of text: our text part behind its mark."""
    wrote, mark, field = PLAIN[program]
    line = wrote.format(name=sent.name, address=sent.address)
    end = f"\n\n-- \n{signature}" if signature else ""
    whole = _around(typed, line, shown.quoted(sent.text, mark), where, end)
    return answer(
        sent,
        text(whole, charset=charset, encoding="7bit" if whole.isascii() else encoding),
        ident=f"{number:06d}.4c1f2e06@host.example.org",
        fields=(field,),
    )
