"""Gmail: the web page in many languages, Android and iOS.

Its text part is made from its page: bold words stand between stars, links are followed by their
targets, lines end after at most 78 columns. The attribution breaks behind its `<`.
"""

from __future__ import annotations

from html import escape
from typing import Final

from tests.legacy.mail.corpus import shown
from tests.legacy.mail.corpus.understood import Sent
from tests.legacy.mail.corpus.wire import Encoding, answer, divs, inner, multipart, text

NB = "\u202f"

ATTRIBUTIONS: Final = {
    "en": f"On Sat, Nov 21, 2026 at 3:05{NB}PM {{who}} wrote:",
    "en-GB": "On Sat, 21 Nov 2026 at 15:05, {who} wrote:",
    "de": "Am Sa., 21. Nov. 2026 um 15:05 Uhr schrieb {who}:",
    "fr": "Le sam. 21 nov. 2026 à 15:05, {who} a écrit\u00a0:",
    "es": "El sáb, 21 nov 2026 a las 15:05, {who} escribió:",
    "it": "Il giorno sab 21 nov 2026 alle ore 15:05 {who} ha scritto:",
    "pt-BR": "Em sáb., 21 de nov. de 2026 às 15:05, {who} escreveu:",
    "pt-PT": "{who} escreveu (sábado, 21/11/2026 à(s) 15:05):",
    "nl": "Op za 21 nov 2026 om 15:05 schreef {who}:",
    "sv": "Den lör 21 nov. 2026 kl 15:05 skrev {who}:",
    "da": "Den lør. 21. nov. 2026 kl. 15.05 skrev {who}:",
    "nb": "lør. 21. nov. 2026 kl. 15:05 skrev {who}:",
    "fi": "la 21. marrask. 2026 klo 15.05 {who} kirjoitti:",
    "pl": "sob., 21 lis 2026 o 15:05 {who} napisał(a):",
    "cs": "so 21. 11. 2026 v 15:05 odesílatel {who} napsal:",
    "sk": "so 21. 11. 2026 o 15:05 {who} napísal(a):",
    "hu": "{who} ezt írta (időpont: 2026. nov. 21., Szo, 15:05):",
    "ro": "În sâm., 21 nov. 2026 la 15:05, {who} a scris:",
    "tr": "{who}, 21 Kas 2026 Cmt, 15:05 tarihinde şunu yazdı:",
    "el": "Στις Σάβ 21 Νοε 2026 στις 3:05 μ.μ., ο χρήστης {who} έγραψε:",
    "ru": "сб, 21 нояб. 2026\u202fг. в 15:05, {who}:",
    "uk": "сб, 21 лист. 2026\u202fр. о 15:05 {who} пише:",
    "bg": "На сб, 21.11.2026\u202fг. в 15:05 {who} написа:",
    "hr": "sub, 21. stu 2026. u 15:05 {who} napisao je:",
    "sr": "суб, 21. нов 2026. у 15:05 {who} је написао/ла:",
    "sl": "V V sob., 21. nov. 2026 ob 15:05 je oseba {who} napisala:",
    "et": "Kuupäev L, 21. november 2026 kell 15:05 kirjutas {who}:",
    "lv": "sestd., 2026. g. 21. nov., plkst. 15:05 — lietotājs {who} rakstīja:",
    "lt": "2026-11-21, št, 15:05 {who} rašė:",
    "ca": "Missatge de {who} del dia ds., 21 de nov. 2026 a les 15:05:",
    "he": "\u202bבתאריך שבת, 21 בנוב׳ 2026 ב-15:05 מאת \u202a{who}\u202c\u200f:\u202c\u200f",
    "ar": "في السبت، 21 نوفمبر 2026 في 3:05 م تمت كتابة ما يلي بواسطة \u202a{who}\u202c\u200f:",
    "fa": "در تاریخ شنبه ۲۱ نوامبر ۲۰۲۶،\u200f ۱۵:۰۵ \u202a{who}\u202c نوشت:",
    "th": "ในวันที่ ส. 21 พ.ย. 2026 เวลา 15:05 {who} เขียนว่า:",
    "vi": "Vào Th 7, 21 thg 11, 2026 vào lúc 15:05 {who} đã viết:",
    "id": "Pada tanggal Sab, 21 Nov 2026 pukul 15.05 {who} menulis:",
    "ja": "2026年11月21日(土) 15:05 {who}:",
    "ko": "2026년 11월 21일 (토) 오후 3:05, {who}님이 작성:",
    "zh-CN": "{who} 于2026年11月21日周六 15:05写道：",
    "zh-TW": "{who} 於 2026年11月21日 週六 下午3:05寫道：",
    "hi": "शनि, 21 नव॰ 2026 को 3:05 pm बजे को {who} ने लिखा:",
}


def _attribution(language: str, sent: Sent) -> tuple[str, str]:
    """As text, broken where Gmail breaks it, and as a page."""
    template = ATTRIBUTIONS[language]
    line = template.format(who=f"{sent.name} <{sent.address}>")
    if len(line) > 70:
        line = line.replace(f"<{sent.address}", f"<\n{sent.address}")
    linked = f'&lt;<a href="mailto:{sent.address}">{sent.address}</a>&gt;'
    return line, template.format(who=f"{escape(sent.name)} {linked}")


def _part_encoding(content: str) -> Encoding:
    """Gmail writes base64 where most of a part is no ASCII, else quoted-printable."""
    foreign = sum(not char.isascii() for char in content)
    return "base64" if foreign * 6 > len(content) else "quoted-printable"


def web(
    typed: str, sent: Sent, *, language: str = "en", signature: str = "", number: int = 1
) -> bytes:
    """The web page: text made from the page, both parts."""
    line, shown_line = _attribution(language, sent)
    below = f"\n\n-- \n{signature}" if signature else ""
    quote = shown.quoted(shown.shown(sent.html, shown.GMAIL))
    plain = f"{_broken(typed)}{below}\n\n{line}\n\n{quote}\n"
    shown_signature = (
        '<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br>'
        f'<div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature">{signature}</div>'
        if signature
        else ""
    )
    page = (
        f'<div dir="ltr">{divs(typed)}{shown_signature}</div><br><div class="gmail_quote '
        f'gmail_quote_container"><div dir="ltr" class="gmail_attr">{shown_line}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid '
        f'rgb(204,204,204);padding-left:1ex">{inner(sent)}</blockquote></div>\n'
    )
    return _mail(plain, page, sent, number)


def _broken(typed: str) -> str:
    return "\n".join(
        part for line in typed.split("\n") for part in (shown._wrapped(line, 78) if line else [""])
    )


def _mail(plain: str, page: str, sent: Sent, number: int) -> bytes:
    return answer(
        sent,
        multipart(
            "alternative",
            f"0000000000004c1f2e0624{number:06x}",
            text(plain, charset="UTF-8", encoding=_part_encoding(plain)),
            text(page, "html", charset="UTF-8"),
        ),
        ident=f"CAKx3b7Tq{number:04d}=r5Wd+Zt9v@mail.gmail.com",
        trace=(
            (
                "DKIM-Signature",
                "v=1; a=rsa-sha256; d=example.org; s=20230601;\r\n h=to:subject; b=AuUoFEfDxT",
            ),
            ("X-Received", "by 2002:a05:6402:1a with SMTP id x1; Sat, 21 Nov 2026 09:20:11 -0800"),
        ),
    )


def android(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Gmail for Android: a comma behind the address, `dir="auto"`, no container."""
    who = f"{sent.name} <{sent.address}>"
    line = f"On Sat, 21 Nov 2026, 15:05 {who}, wrote:".replace("<games", "<\ngames")
    quote = shown.quoted(shown.shown(sent.html, shown.GMAIL))
    page = (
        f'<div dir="auto">{divs(typed)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">On Sat, 21 Nov 2026, 15:05 {escape(sent.name)} &lt;'
        f'<a href="mailto:{sent.address}">{sent.address}</a>&gt;, wrote:<br></div><blockquote '
        'class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">'
        f"{inner(sent)}</blockquote></div>\n"
    )
    return _mail(f"{_broken(typed)}\n\n{line}\n\n{quote}\n", page, sent, number)


def below(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """A reply written under the quote."""
    line, shown_line = _attribution("en", sent)
    quote = shown.quoted(shown.shown(sent.html, shown.GMAIL))
    page = (
        '<div dir="ltr"><div class="gmail_quote gmail_quote_container"><div dir="ltr" '
        f'class="gmail_attr">{shown_line}<br></div><blockquote class="gmail_quote">{inner(sent)}'
        f"</blockquote></div><div><br></div>{divs(typed)}</div>\n"
    )
    return _mail(f"{line}\n\n{quote}\n\n{_broken(typed)}\n", page, sent, number)


def rounds(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Answered for the third time: the player's own old move stands between two quotes."""
    line, shown_line = _attribution("en", sent)
    now = shown.shown(sent.html, shown.GMAIL)
    mine = "On Fri, Nov 20, 2026 at 8:12 AM Ann Müller <ann@example.org> wrote:"
    old = f"{sent.moves[1]}\n\nGreat game!"
    whole = f"{now}\n\n{mine}\n\n" + shown.quoted(
        f"{old}\n\n{line.replace('21', '19')}\n\n{shown.quoted(now)}"
    )
    page = (
        f'<div dir="ltr">{divs(typed)}</div><br><div class="gmail_quote"><div class="gmail_attr">'
        f'{shown_line}</div><blockquote class="gmail_quote">{inner(sent)}<br><div class="gmail_'
        f'quote"><div class="gmail_attr">{escape(mine)}</div><blockquote class="gmail_quote">'
        f'{divs(old)}<br><div class="gmail_quote"><div class="gmail_attr">{shown_line}</div>'
        f'<blockquote class="gmail_quote">{inner(sent)}</blockquote></div></blockquote></div>'
        "</blockquote></div>\n"
    )
    return _mail(f"{typed}\n\n{line}\n\n{shown.quoted(whole)}\n", page, sent, number)
