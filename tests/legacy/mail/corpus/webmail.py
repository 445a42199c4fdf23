# ruff: noqa: E501 - pages are written as clients write them
"""Mail in the browser, and apps that speak for a provider: each quotes in a way of its own."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from tests.legacy.mail.corpus import shown
from tests.legacy.mail.corpus.understood import Sent
from tests.legacy.mail.corpus.wire import (
    PLAYER,
    Encoding,
    Part,
    answer,
    divs,
    inner,
    multipart,
    text,
)


def _both(
    plain: str,
    page: str,
    boundary: str,
    *,
    charset: str = "utf-8",
    encoding: Encoding = "quoted-printable",
) -> Part:
    return multipart(
        "alternative",
        boundary,
        text(plain, charset=charset, encoding=encoding),
        text(page, "html", charset=charset, encoding=encoding),
    )


def _br(lines: str) -> str:
    return escape(lines).replace("\n", "<br>")


def yahoo(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    line = (
        f"On Saturday, November 21, 2026 at 03:05:00 PM GMT+1, {sent.name} <{sent.address}> wrote:"
    )
    quote = "\n".join(f" {one}  " for one in shown.shown(sent.html, shown.BARE).split("\n"))
    plain = f" {typed}\n\n    {line}  \n \n{quote}\n  "
    page = (
        '<html><head></head><body><div class="ydp4c1f2eyahoo-style-wrap" style="font-family:Helv'
        f'etica"><div dir="ltr">{divs(typed)}</div><div><br></div></div><div id="ydp7bf1yahoo_'
        f'quoted_{number}" class="yahoo_quoted"><div style="font-family:Helvetica"><div>'
        f'{escape(line)}</div><div><br></div><div><br></div><div><div id="ydpa1"><div>'
        f"{inner(sent)}</div></div></div></div></div></body></html>"
    )
    return answer(
        sent,
        _both(plain, page, f"----=_Part_{number}_4c1f2e06.1763734811", encoding="base64"),
        ident=f"{number}.4c1f2e06.1763734811@mail.yahoo.com",
        fields=(("X-Mailer", "WebService/1.1.24652 YMailNovation"),),
    )


def yahoo_app(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    line = f"On Saturday, November 21, 2026, 3:05 PM, {sent.name} <{sent.address}> wrote:"
    mark = "Sent from Yahoo Mail for iPhone"
    plain = f"{typed}\n\n\n{mark}\n\n\n{line}\n\n{shown.shown(sent.html, shown.BARE)}\n"
    page = (
        f'{divs(typed)}<br><br><a href="https://mail.example.com">{mark}</a><br><p class="yahoo-'
        'quoted-begin" style="font-size: 15px; color: #715FFA; padding-top: 15px; margin-top: 0">'
        f'{escape(line)}</p><blockquote class="iosymail">{inner(sent)}</blockquote>'
    )
    return answer(
        sent,
        _both(plain, page, f"Part_{number}_iosymail"),
        ident=f"{number}.9d21@mail.yahoo.com",
    )


def aol(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    block = (
        f"-----Original Message-----\nFrom: {sent.name} <{sent.address}>\nTo: {PLAYER[0]} <"
        f"{PLAYER[1]}>\nSent: Sat, Nov 21, 2026 3:05 pm\nSubject: {sent.subject}\n"
    )
    plain = f"{typed}\n\n\n{block}\n{shown.shown(sent.html, shown.BARE)}\n"
    page = (
        f"<div style='color:black;font: 10pt Arial'>{divs(typed)}<br><br><div style='font-family:"
        f"arial;color:black'>{_br(block)}<br><div id='yiv4c1f'>{inner(sent)}</div></div></div>"
    )
    return answer(
        sent,
        _both(plain, page, f"--------MB_8DE{number}_1A2B"),
        ident=f"8DE{number}-webmail@aol.com",
        fields=(("X-Mailer", "AOL Webmail"),),
    )


def gmx(typed: str, sent: Sent, *, number: int = 1, site: str = "gmx") -> bytes:
    """GMX and web.de write a page only; newer ones both parts, the attribution behind `>`."""
    block = (
        f'Gesendet: Samstag, 21. November 2026 um 15:05 Uhr\nVon: "{sent.name}" <{sent.address}>\n'
        f"An: {PLAYER[1]}\nBetreff: {sent.subject}"
    )
    page = (
        '<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;"><div>'
        f'{divs(typed)}<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px '
        '0 10px 10px; border-left:2px solid #C3D9E5; word-wrap: break-word;"><div style="margin:0 '
        f'0 10px 0;">{_br(block)}</div><div name="quoted-content">{inner(sent)}</div></div></div>'
        "</div></div></body></html>"
    )
    return answer(
        sent,
        text(page, "html", charset="UTF-8", encoding="quoted-printable"),
        ident=f"trinity-4c1f2e06-{number}@3c-app-{site}-bap05.server.lan",
        prefix="Aw: ",
        fields=(("X-UI-Message-Type", "mail"),),
    )


def gmx_new(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    block = (
        f'Gesendet: Samstag, 21. November 2026 um 15:05\nVon: "{sent.name}" <{sent.address}>\n'
        f"An: {PLAYER[1]}\nBetreff: {sent.subject}"
    )
    plain = (
        f"{typed}\n \n\n{shown.quoted(block)}\n>\n"
        f"{shown.quoted(shown.shown(sent.html, shown.BARE))}\n"
    )
    page = (
        f'<div style="font-family: Verdana;">{divs(typed)}<div class="signature">&nbsp;</div><div>'
        f'&nbsp;</div><div name="quote" style="margin: 10px 5px;"><div style="margin: 0 0 10px;">'
        f'{_br(block)}</div><div name="quoted-content">{inner(sent)}</div></div></div>'
    )
    return answer(
        sent,
        _both(plain, page, f"tplus-{number}-4c1f2e06"),
        ident=f"tplus-4c1f2e06-{number}@msvc-mesg-web.de",
        prefix="Aw: ",
    )


def proton(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    line = f"On Saturday, November 21st, 2026 at 3:05 PM, {sent.name} <{sent.address}> wrote:"
    mark = "Sent with [Proton Mail](https://proton.example/mail/home) secure email."
    quote = shown.quoted(shown.shown(sent.html, shown.BARE))
    plain = f"{typed}\n\n{mark}\n\n{line}\n\n{quote}\n"
    page = (
        f'<div style="font-family: Arial, sans-serif; font-size: 14px;">{divs(typed)}</div><div '
        'style="font-family: Arial"><br></div><div class="protonmail_signature_block" style="font-'
        'family: Arial"><div class="protonmail_signature_block-user protonmail_signature_block-'
        'empty"></div><div class="protonmail_signature_block-proton">Sent with <a target="_blank" '
        'href="https://proton.example/mail/home">Proton Mail</a> secure email.</div></div><div '
        f'class="protonmail_quote">\n        {escape(line)}<br>\n        <blockquote class='
        f'"protonmail_quote" type="cite">\n{inner(sent)}</blockquote><br>\n    </div>'
    )
    return answer(
        sent,
        _both(plain, page, f"b1_{number}_4c1f2e06", encoding="base64"),
        ident=f"4c1f2e06-{number}_kXz1mTq0=@proton.me",
        fields=(("Feedback-ID", "4c1f2e06:user:proton"), ("X-Pm-Message-ID", "4c1f2e06")),
    )


def tuta(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    line = f"21 Nov 2026, 15:05 by {sent.address}:"
    mark = "-- \nSecured with Tuta Mail:\nhttps://tuta.example/free-email"
    quote = shown.quoted(shown.shown(sent.html, shown.BARE))
    plain = f"{typed}\n\n{mark}\n\n\n{line}\n\n{quote}\n"
    page = (
        f"<html><body><div>{divs(typed)}</div><div><br></div><div>--<br>Secured with Tuta Mail:"
        f"<br>https://tuta.example/free-email</div><div><br></div><div>{line}<br></div><blockquote "
        'class="tutanota_quote" style="border-left: 1px solid #93A3B8; padding-left: 10px; margin-'
        f'left: 5px;">{inner(sent)}</blockquote></body></html>'
    )
    return answer(
        sent,
        _both(plain, page, f"------------79Bu5A16qPEYcVIZL@tutanota-{number}", encoding="base64"),
        ident=f"O{number}4c1f--B-9@tuta.com",
    )


def fastmail(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    line = f"On Sat, 21 Nov 2026, at 3:05 PM, {sent.name} wrote:"
    plain = f"{typed}\n\n{line}\n{shown.quoted(sent.text)}\n"
    page = (
        '<!DOCTYPE html><html><head><title></title><style type="text/css">p.MsoNormal{margin:0}'
        f"</style></head><body>{divs(typed)}<div><br></div><div>{escape(line)}</div><blockquote "
        f'type="cite" id="qt" style="">{inner(sent)}</blockquote><div><br></div></body></html>'
    )
    return answer(
        sent,
        _both(plain, page, f"4c1f2e06{number}7bf14d3a"),
        ident=f"4c1f2e06-{number}@app.fastmail.com",
        fields=(("User-Agent", "Cyrus-JMAP/3.13.0"), ("X-ThreadId", "T4c1f2e067bf1")),
    )


def zoho(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    line = f"---- On Sat, 21 Nov 2026 15:05:00 +0100 {sent.name} <{sent.address}> wrote ---"
    plain = (
        f"{typed}\n\n\n\nSent using https://www.zoho.example/mail/\n\n\n\n\n\n{line}\n\n\n\n"
        f"{shown.shown(sent.html, shown.BARE)}\n"
    )
    page = (
        '<!DOCTYPE html><html><head><meta content="text/html;charset=UTF-8" http-equiv="Content-'
        f'Type"></head><body ><div style="font-family: Verdana; font-size: 10pt;">{divs(typed)}'
        '<br><div id="Zm-_Id_-Sgn" data-zbluepencil-ignore="true" data-sigid="1">Sent using <a '
        'href="https://www.zoho.example/mail/">Zoho Mail</a><br></div><br><div class="zmail_extra_'
        'hr" style="border-top: 1px solid rgb(204, 204, 204);"><br></div><div class="zmail_extra" '
        f'data-zbluepencil-ignore="true"><div><br></div><div id="Zm-_Id_-Sgn1">{escape(line)}<br>'
        f'</div><div><br></div><blockquote id="blockquote_zmail" style="margin: 0px;"><div><div>'
        f"{inner(sent)}</div></div></blockquote></div></div><br></body></html>"
    )
    return answer(
        sent,
        _both(plain, page, f"----=_Part_{number}_194c1f2e.1763734811"),
        ident=f"19a4c1f2e06.{number}@zohomail.com",
        fields=(("Importance", "Medium"), ("User-Agent", "Zoho Mail"), ("X-Mailer", "Zoho Mail")),
    )


def mail_ru(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    line = f"Суббота, 21 ноября 2026, 15:05 +03:00 от {sent.name} <{sent.address}>:"
    quote = shown.quoted(shown.shown(sent.html, shown.BARE), ">")
    plain = f"{typed}\n\n--\nАнна\n\n  {line}\n \n{quote}\n"
    page = (
        f'\n<HTML><BODY>{divs(typed)}<div>&nbsp;</div><div data-signature-widget="container"><div '
        'data-signature-widget="content"><div>--<br>Анна</div></div></div><div>&nbsp;</div><div>'
        '&nbsp;</div><blockquote style="border-left:1px solid #0857A6;margin:10px;padding:0 0 0 '
        f'10px;">{escape(line)}<br>&nbsp;<div id=""><div class="js-helper js-readmsg-msg"><div><div '
        f'id="style_1763_BODY"><div class="cl_1">{inner(sent)}</div></div></div></div></div>'
        "</blockquote></BODY></HTML>\n"
    )
    boundary = f"--ALT--4c1f2e06{number}1763734811"
    return answer(
        sent,
        _both(plain, page, boundary, encoding="base64"),
        ident=f"1763734811.{number}@f4c1.i.mail.ru",
        player=("Анна Мюллер", "ann@example.org"),
        fields=(("X-Mailer", "Mail.Ru Mailer 1.0"), ("X-Priority", "3 (Normal)")),
    )


def yandex(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    line = f'21.11.2026, 15:05, "{sent.name}" <{sent.address}>:'
    page = (
        f"{divs(typed)}<div>\xa0</div><div>\xa0</div><div>{escape(line)}</div><blockquote><div>"
        f"{inner(sent)}</div></blockquote><div>\xa0</div><div>\xa0</div><div>--\xa0</div><div>Анна"
        "</div>"
    )
    return answer(
        sent,
        text(page, "html", encoding="base64"),
        ident=f"{number}1763734811@mail.yandex.ru",
        player=("Анна", "ann@example.org"),
        fields=(("X-Mailer", "Yamail [ http://yandex.example ] 5.0"),),
    )


def qq(typed: str, sent: Sent, *, number: int = 1, language: str = "zh") -> bytes:
    names = {
        "zh": ("原始邮件", "发件人", "发送时间", "收件人", "主题"),
        "en": ("Original", "From", "Date", "To", "Subject"),
    }[language]
    block = (
        f"------------------&nbsp;{names[0]}&nbsp;------------------\n{names[1]}:&nbsp;"
        f'"{sent.name}" <{sent.address}>;\n{names[2]}:&nbsp;2026年11月21日(星期六) 晚上10:05\n'
        f'{names[3]}:&nbsp;"Ann"<{PLAYER[1]}>;\n{names[4]}:&nbsp;{sent.subject}\n'
    )
    plain = (
        f"{typed}\n\n\n\n\n{block.replace('&nbsp;', chr(160))}\n\n\n"
        f"{shown.shown(sent.html, shown.BARE)}\n"
    )
    shown_block = escape(block).replace("&amp;nbsp;", "&nbsp;").replace("\n", "</div><div>")
    page = (
        f'{divs(typed)}<div><br></div><div><br></div><div style="font-size: 12px;font-family: Arial'
        f' Narrow;padding:2px 0 2px 0;">{shown_block}</div><div><br></div>{inner(sent)}'
    )
    return answer(
        sent,
        _both(
            plain,
            page,
            f"----=_NextPart_{number}_4C1F2E06_7BF1",
            charset="gb18030",
            encoding="base64",
        ),
        ident=f"tencent_4C1F2E067BF14D3A{number:04d}@qq.com",
        prefix="回复：" if language == "zh" else "Re: ",
        fields=(("X-QQ-mid", "webmail512t176"), ("X-QQ-SENDSIZE", "520")),
    )


def netease(typed: str, sent: Sent, *, number: int = 1, language: str = "zh") -> bytes:
    line = {
        "zh": f'在 2026-11-21 22:05:00，"{sent.name}" <{sent.address}> 写道：',
        "en": f'At 2026-11-21 22:05:00, "{sent.name}" <{sent.address}> wrote:',
    }[language]
    quote = shown.quoted(shown.shown(sent.html, shown.BARE), ">")
    plain = f"{typed}\n\n\n\n\n\n\n\n\n{line}\n{quote}\n"
    page = (
        '<div style="line-height:1.7;color:#000000;font-size:14px;font-family:Arial">'
        f'{divs(typed)}</div><p><br></p><div style="position:relative;zoom:1"></div><div id="divNet'
        f'easeMailCard"></div><p>{escape(line)}</p><blockquote id="isReplyContent" style="PADDING-'
        f'LEFT: 1ex; MARGIN: 0px 0px 0px 0.8ex; BORDER-LEFT: #ccc 1px solid">{inner(sent)}'
        "</blockquote>"
    )
    return answer(
        sent,
        _both(
            plain, page, f"----=_Part_{number}_1763734811.4c1f", charset="GBK", encoding="base64"
        ),
        ident=f"4c1f2e06.{number}.19a.Coremail.ann@163.com",
        fields=(("X-Mailer", "Coremail Webmail Server Version 2023.4-cmXT5"),),
    )


def samsung(typed: str, sent: Sent, *, number: int = 1, language: str = "en") -> bytes:
    words = {
        "en": ("Sent from my Galaxy", "-------- Original message --------", "From", "Date", "To",
               "Subject"),
        "de": ("Von meinem Galaxy gesendet", "-------- Ursprüngliche Nachricht --------", "Von",
               "Datum", "An", "Betreff"),
    }[language]  # fmt: skip
    block = (
        f"{words[1]}\n{words[2]}: {sent.name} <{sent.address}> \n{words[3]}: 21.11.26  15:05  "
        f"(GMT+01:00) \n{words[4]}: {PLAYER[0]} <{PLAYER[1]}> \n{words[5]}: {sent.subject} \n"
    )
    plain = f"{typed}\n\n\n\n{words[0]}\n\n\n{block}\n{shown.shown(sent.html, shown.BARE)}\n"
    page = (
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body'
        f' dir="auto">{divs(typed)}<div dir="auto"><br></div><div dir="auto"><br></div><div dir='
        '"auto"><br></div><div id="composer_signature" dir="auto"><div style="font-size:85%;color:'
        f'#575757">{words[0]}</div></div><div dir="auto"><br></div><div><br></div><div align="left" '
        f'dir="auto" style="font-size:100%;color:#000000"><div>{_br(block)}</div><div><br></div>'
        f"</div>{inner(sent)}</body></html>"
    )
    return answer(
        sent,
        _both(plain, page, f"--_com.samsung.android.email_{number}76350", encoding="base64"),
        ident=f"4c1f2e06.{number}.samsung@email.android.com",
    )


def spark(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    line = f"On 21 Nov 2026 at 15:05 +0100, {sent.name} <{sent.address}>, wrote:"
    quote = shown.quoted(shown.shown(sent.html, shown.BARE))
    plain = f"{typed}\n\nSent with Spark\n{line}\n{quote}\n"
    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title></title></head><body><div name='
        f'"messageBodySection"><div dir="auto">{divs(typed)}</div></div><div name="messageSignature'
        'Section"><br><div class="matchFont">Sent with Spark</div></div><div name="messageReplySection">'
        f'{escape(line)}<br><blockquote type="cite" style="border-left-color: grey;">{inner(sent)}'
        "</blockquote></div></body></html>"
    )
    return answer(
        sent,
        _both(plain, page, f"6740{number}_4c1f2e06_1763", encoding="8bit"),
        ident=f"4c1f2e06-{number}@Spark",
        fields=(("X-Readdle-Message-ID", "4c1f2e06@Spark"),),
    )


def zimbra(typed: str, sent: Sent, *, number: int = 1, mark: bool = False) -> bytes:
    """Zimbra quotes with a header block; with `mark` in text, each line behind a `>`."""
    block = (
        f'----- Original Message -----\nFrom: "{sent.name}" <{sent.address}>\nTo: "{PLAYER[0]}" '
        f"<{PLAYER[1]}>\nSent: Saturday, November 21, 2026 3:05:00 PM\nSubject: {sent.subject}\n"
    )
    plain = f"{typed}\n\n{block}\n{shown.quoted(sent.text) if mark else sent.text}\n"
    fields = (("X-Mailer", "Zimbra 10.1.0_GA_4655 (ZimbraWebClient - FF128 (Linux))"),)
    ident = f"{number}.4c1f2e06.1763734811.JavaMail.zimbra@example.org"
    if mark:
        return answer(sent, text(plain), ident=ident, fields=fields)
    page = (
        f'<html><body><div style="font-family: arial"><div>{divs(typed)}</div><div><br></div><hr id='
        f'"zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__">{_br(block)}</div><div><br>'
        f'</div><div data-marker="__QUOTED_TEXT__">{inner(sent)}</div></div></body></html>'
    )
    return answer(
        sent,
        _both(plain, page, f"=_4c1f2e06-{number}"),
        ident=ident,
        fields=fields,
    )


def icloud(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    line = f"On Nov 21, 2026, at 3:05 PM, {sent.name} <{sent.address}> wrote:"
    quote = shown.quoted(shown.shown(sent.html, shown.BARE))
    plain = f"{typed}\n\n> {line}\n>\n{quote}\n"
    page = (
        f'<html><body><div>{divs(typed)}</div><div><br></div><div><br><div><blockquote type="cite">'
        f"<div>On Nov 21, 2026, at 3:05 PM, {escape(sent.name)} &lt;{sent.address}&gt; wrote:<br>"
        f'</div></blockquote><blockquote type="cite"><div>{inner(sent)}</div></blockquote></div>'
        "</div></body></html>"
    )
    return answer(
        sent,
        _both(plain, page, f"Boundary_(ID_{number}4c1f2e06)", encoding="8bit"),
        ident=f"4c1f2e06-{number}@me.com",
        fields=(("X-Mailer", "iCloud MailClient24JHotfix MailServer24H"),),
    )


def notes(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    """HCL Notes: names of fields in a column, our mail below without any mark."""
    block = (
        f"From:\t{sent.name} <{sent.address}>\nTo:\t{PLAYER[0]} <{PLAYER[1]}>\nDate:\t21.11.2026 "
        f"15:05\nSubject:\t{sent.subject}\n"
    )
    page = (
        f'<font size=2 face="sans-serif">{divs(typed)}</font><br><br><br><font size=1 color=#5f5f5f '
        f'face="sans-serif">From: &nbsp; &nbsp; &nbsp; &nbsp;</font><font size=1>{escape(sent.name)}'
        f" &lt;{sent.address}&gt;</font><br><font size=1>To: {PLAYER[0]}</font><br><font size=1>Date:"
        f" &nbsp; 21.11.2026 15:05</font><br><font size=1>Subject: {escape(sent.subject)}</font><br>"
        f"<hr noshade><br><br>{inner(sent)}"
    )
    plain = f"{typed}\n\n\n\n{block}\n\n\n{shown.shown(sent.html, shown.BARE)}\n"
    return answer(
        sent,
        _both(plain, page, f"=_alternative {number:08d}C1258DAF"),
        ident=f"OF4C1F2E06.{number}-ONC1258DAF@example.org",
        fields=(("X-Mailer", "HCL Notes Release 12.0"), ("X-MIMETrack", "Serialize by Router")),
    )


def naver(typed: str, sent: Sent, *, number: int = 1) -> bytes:
    block = (
        f'-----Original Message-----\nFrom: "{sent.name}"<{sent.address}>\nTo: <{PLAYER[1]}>;\nCc:\n'
        f"Sent: 2026-11-21 (토) 23:05:00 (GMT+09:00)\nSubject: {sent.subject}\n"
    )
    plain = f"{typed}\n\n \n{block}\n \n{shown.shown(sent.html, shown.BARE)}\n"
    page = (
        f'<html><head><style>p{{margin-top:0px;margin-bottom:0px;}}</style></head><body><div style="'
        f'font-size:10pt; font-family:Gulim;">{divs(typed)}<p>&nbsp;</p><p style="margin-top:0px">'
        f"{_br(block)}</p><p>&nbsp;</p><div>{inner(sent)}</div></div></body></html>"
    )
    return answer(
        sent,
        _both(plain, page, f"----Boundary-WM=_{number}4c1f", charset="utf-8", encoding="base64"),
        ident=f"4c1f2e06{number}@cweb04.nm.nhnsystem.com",
        fields=(("X-Works-Security", "none"),),
    )


Writer = Callable[..., bytes]
