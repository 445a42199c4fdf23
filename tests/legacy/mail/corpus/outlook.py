"""Outlook: the desktop with Word's engine, the web, phones; header blocks in many languages.

No line of the quote has a prefix. Exchange makes the text part from the page: the target of a link
is glued to its words, paragraphs are a blank line apart, list items begin with `*`.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final

from tests.legacy.mail.corpus import shown
from tests.legacy.mail.corpus.understood import Sent
from tests.legacy.mail.corpus.wire import PLAYER, Encoding, answer, inner, multipart, text


@dataclass(frozen=True, slots=True)
class Block:
    """The words of a header block: four names, a date, and what stands before a subject."""

    writer: str
    sent: str
    to: str
    subject: str
    when: str
    prefix: str
    colon: str = ":"
    charset: str = "utf-8"


BLOCKS: Final = {
    "en": Block("From", "Sent", "To", "Subject", "Saturday, November 21, 2026 3:05 PM", "RE: ",
                charset="us-ascii"),
    "de": Block("Von", "Gesendet", "An", "Betreff", "Samstag, 21. November 2026 15:05", "AW: ",
                charset="iso-8859-1"),
    "fr": Block("De", "Envoyé", "À", "Objet", "samedi 21 novembre 2026 15:05", "RE: ", " :",
                charset="iso-8859-1"),
    "es": Block("De", "Enviado el", "Para", "Asunto", "sábado, 21 de noviembre de 2026 15:05",
                "RE: ", charset="iso-8859-1"),
    "it": Block("Da", "Inviato", "A", "Oggetto", "sabato 21 novembre 2026 15:05", "R: "),
    "pt": Block("De", "Enviada em", "Para", "Assunto", "sábado, 21 de novembro de 2026 15:05",
                "RES: ", charset="iso-8859-1"),
    "nl": Block("Van", "Verzonden", "Aan", "Onderwerp", "zaterdag 21 november 2026 15:05", "RE: "),
    "sv": Block("Från", "Skickat", "Till", "Ämne", "den 21 november 2026 15:05", "SV: "),
    "da": Block("Fra", "Sendt", "Til", "Emne", "21. november 2026 15:05", "SV: "),
    "fi": Block("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe",
                "lauantai 21. marraskuuta 2026 15.05", "VS: "),
    "pl": Block("Od", "Wysłano", "Do", "Temat", "sobota, 21 listopada 2026 15:05", "ODP: ",
                charset="iso-8859-2"),
    "cs": Block("Od", "Odesláno", "Komu", "Předmět", "sobota 21. listopadu 2026 15:05", "RE: ",
                charset="windows-1250"),
    "hu": Block("Feladó", "Elküldve", "Címzett", "Tárgy", "2026. november 21., szombat 15:05",
                "RE: "),
    "tr": Block("Kimden", "Gönderildi", "Kime", "Konu", "21 Kasım 2026 Cumartesi 15:05", "YNT: ",
                charset="iso-8859-9"),
    "el": Block("Από", "Στάλθηκε", "Προς", "Θέμα", "Σάββατο, 21 Νοεμβρίου 2026 3:05 μμ", "ΑΠ: "),
    "ru": Block("От", "Отправлено", "Кому", "Тема", "21 ноября 2026 г. 15:05", "RE: ",
                charset="koi8-r"),
    "zh": Block("发件人", "发送时间", "收件人", "主题", "2026年11月21日 15:05", "答复: ",
                charset="gb2312"),
    "ja": Block("差出人", "送信日時", "宛先", "件名", "2026年11月21日 15:05", "RE: ",
                charset="iso-2022-jp"),
    "ko": Block("보낸 사람", "보낸 날짜", "받는 사람", "제목", "2026년 11월 21일 토요일 오후 3:05",
                "RE: ", charset="ks_c_5601-1987"),
    "he": Block("מאת", "נשלח", "אל", "נושא", "שבת 21 נובמבר 2026 15:05", "RE: "),
}  # fmt: skip

CLASSIC: Final = {
    "en": "-----Original Message-----",
    "de": "-----Ursprüngliche Nachricht-----",
    "fr": "-----Message d'origine-----",
    "es": "-----Mensaje original-----",
    "it": "-----Messaggio originale-----",
    "nl": "-----Oorspronkelijk bericht-----",
    "sv": "-----Ursprungligt meddelande-----",
    "pl": "-----Wiadomość oryginalna-----",
    "ru": "-----Исходное сообщение-----",
    "ja": "-----Original Message-----",
}


def fields(language: str, sent: Sent, *, mailto: str = "") -> list[tuple[str, str]]:
    """The lines of a header block as names and values."""
    block = BLOCKS[language]
    writer = f"{sent.name} <{sent.address}>"
    if mailto:
        writer = f"{sent.name} {mailto.format(sent.address)}"
    return [
        (block.writer + block.colon, writer),
        (block.sent + block.colon, block.when),
        (block.to + block.colon, f"{PLAYER[0]} <{PLAYER[1]}>"),
        (block.subject + block.colon, sent.subject),
    ]


def _text_block(language: str, sent: Sent, *, mailto: str = "") -> str:
    return "\n".join(f"{name} {value}" for name, value in fields(language, sent, mailto=mailto))


def _encoding(charset: str) -> Encoding:
    match charset:
        case "us-ascii" | "iso-2022-jp":
            return "7bit"
        case "utf-8" | "gb2312" | "ks_c_5601-1987" | "koi8-r":
            return "base64"
        case _:
            return "quoted-printable"


def _mail(
    plain: str, page: str, sent: Sent, *, language: str, number: int, charset: str = ""
) -> bytes:
    charset = charset or BLOCKS[language].charset
    encoding = _encoding(charset)
    if charset == "us-ascii" and not (plain + page).isascii():
        charset, encoding = "utf-8", "base64"
    name = f'"{charset}"'
    return answer(
        sent,
        multipart(
            "alternative",
            f"_000_AM9PR01MB{number:04d}4C1F2E06EURP250PROD_",
            text(plain, charset=charset, encoding=encoding, shown_charset=name),
            text(page, "html", charset=charset, encoding=encoding, shown_charset=name),
        ),
        ident=f"AM9PR01MB{number:04d}4C1F2E06@AM9PR01MB{number:04d}.eurprd01.prod.outlook.com",
        prefix=BLOCKS[language].prefix,
        fields=(
            ("Thread-Topic", "Logger"),
            ("Thread-Index", "AQHcWx1v0000ABCDEFG"),
            ("Accept-Language", f"{language}, en-US"),
            ("Content-Language", language),
            ("X-MS-Has-Attach", ""),
            ("X-Auto-Response-Suppress", "DR, RN, NRN, OOF, AutoReply"),
        ),
    )


def _mso(typed: str) -> str:
    return "\n".join(
        f'<p class="MsoNormal"><span style="mso-fareast-language:EN-US">'
        f"{escape(line) or '&nbsp;'}<o:p></o:p></span></p>"
        for line in typed.split("\n")
    )


def _word_page(sent: Sent) -> str:
    return (
        inner(sent)
        .replace("<p class=", "<p data-c=")
        .replace("<p ", '<p class="MsoNormal" ')
        .replace("</p>", "<o:p></o:p></p>")
    )


def desktop(
    typed: str,
    sent: Sent,
    *,
    language: str = "en",
    mailto: str = "",
    signature: str = "",
    number: int = 1,
) -> bytes:
    """The desktop client with Word's engine, sent through Exchange."""
    block = "<br>\n".join(
        f"<b>{escape(name)}</b> {escape(value)}"
        for name, value in fields(language, sent, mailto=mailto)
    )
    below = f"\n\n{signature}" if signature else ""
    page = (
        '<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office'
        ':office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name="Generator" '
        'content="Microsoft Word 15 (filtered medium)"><!--[if !mso]><style>v\\:* {behavior:url('
        "#default#VML);}</style><![endif]--><style><!--\n/* Font Definitions */\n@font-face\n\t"
        "{font-family:Calibri;}\np.MsoNormal {margin:0cm; font-size:11.0pt;}\n--></style><!--[if "
        'gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026" /></xml><![endif]--></head>'
        f'<body lang="{language}" link="#0563C1"><div class="WordSection1">{_mso(typed + below)}\n'
        '<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid '
        '#E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">\n<p class="MsoNormal"><b><span></span></b>'
        f'{block}<o:p></o:p></p></div></div><p class="MsoNormal"><o:p>&nbsp;</o:p></p>'
        f"{_word_page(sent)}</div></body></html>"
    )
    quote = shown.shown(sent.html, shown.EXCHANGE)
    plain = f"{typed}{below}\n\n{_text_block(language, sent, mailto=mailto)}\n\n{quote}\n"
    return _mail(plain, page, sent, language=language, number=number)


def web(
    typed: str, sent: Sent, *, language: str = "en", signature: str = "", number: int = 1
) -> bytes:
    """Outlook on the web and the phones: a line, `divRplyFwdMsg`, classes that begin with `x_`."""
    below = f"\n\n{signature}" if signature else ""
    shown_below = (
        f'<div id="ms-outlook-mobile-signature"><div></div>{escape(signature)}</div>'
        if signature
        else ""
    )
    body = "".join(
        f'<div class="elementToProof" style="font-family: Aptos">{escape(line) or "<br>"}</div>'
        for line in typed.split("\n")
    )
    block = "<br>\n".join(
        f"<b>{escape(name)}</b> {escape(value)}" for name, value in fields(language, sent)
    )
    page = (
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><style '
        'type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style></head>'
        f'<body dir="ltr">{body}{shown_below}<div id="appendonsend"></div><hr style="display:inline'
        '-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, '
        f'sans-serif" style="font-size:11pt" color="#000000">{block}</font><div>&nbsp;</div></div>'
        f'<div class="BodyFragment"><div>{inner(sent).replace(chr(34) + "board", chr(34) + "x_b")}'
        "</div></div></body></html>"
    )
    quote = shown.shown(sent.html, shown.EXCHANGE)
    plain = f"{typed}{below}\n{'_' * 32}\n{_text_block(language, sent)}\n\n{quote}\n"
    return _mail(plain, page, sent, language=language, number=number, charset="utf-8")


def classic(typed: str, sent: Sent, *, language: str = "en", number: int = 1) -> bytes:
    """A reply in text only, with the line that Outlook writes above it in each language."""
    block = _text_block(language, sent, mailto="[mailto:{}]")
    plain = f"{typed}\n\n{CLASSIC[language]}\n{block}\n\n{sent.text}\n"
    charset = BLOCKS[language].charset
    charset = "iso-8859-15" if charset == "us-ascii" and not plain.isascii() else charset
    return answer(
        sent,
        text(plain, charset=charset, encoding=_encoding(charset), shown_charset=f'"{charset}"'),
        ident=f"000501dc5b{number:04d}$4c1f2e06$e45d8a12$@example.org",
        prefix=BLOCKS[language].prefix,
        fields=(
            ("X-Mailer", "Microsoft Outlook 16.0"),
            ("Thread-Index", "AQHcWx1v0000ABCDEFG="),
            ("Content-Language", language),
        ),
    )


def rounds(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """Top-posted for the third time, the older rounds below, without any prefix."""
    quote = shown.shown(sent.html, shown.EXCHANGE)
    mine = (
        f"From: {PLAYER[0]} <{PLAYER[1]}>\nSent: Friday, November 20, 2026 8:12 AM\n"
        f"To: {sent.name} <{sent.address}>\nSubject: RE: {sent.subject}"
    )
    older = f"{mine}\n\n{sent.moves[1]}\n\nAnn\n\n{_text_block('en', sent)}\n\n{quote}"
    plain = f"{typed}\n\n{_text_block('en', sent)}\n\n{quote}\n\n{older}\n"
    page = (
        f'<html><body><div class="WordSection1">{_mso(typed)}<div><div style="border-top:solid '
        f'#E1E1E1 1.0pt"><p class="MsoNormal">{_page_lines(_text_block("en", sent))}</p></div>'
        f'</div>{_word_page(sent)}<div><div style="border-top:solid #E1E1E1 1.0pt"><p class="Mso'
        f'Normal">{_page_lines(mine)}</p></div></div>{_mso(sent.moves[1])}{_mso("Ann")}<div><div '
        f'style="border-top:solid"><p class="MsoNormal">{_page_lines(_text_block("en", sent))}</p>'
        f"</div></div>{_word_page(sent)}</div></body></html>"
    )
    return _mail(plain, page, sent, language="en", number=number)


def _page_lines(lines: str) -> str:
    return escape(lines).replace("\n", "<br>\n")
