"""Replies to a turn mail of ours as mail clients write them: who quotes how, in which language.

Each client is a function from the paragraphs that a person typed to the text part, the HTML part,
or both. They are modelled on what the clients send, shortened where nothing depends on it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from pbem.legacy.mail.lines import OwnText
from pbem.legacy.mail.reply_text import fingerprints
from tests.legacy.mail.corpus.written import broken

ADDRESS = "games+k7qx2.2.hscv3ifp64ef5laf@pbem.example"
NAME = "Logger K7QX2"
PLAYER = "Ann Müller <ann@example.org>"
SUBJECT = "[Logger K7QX2] Ann - Bob"

SENT = """\
Your turn in Logger K7QX2 against Bob: reply with your move, e.g. `c1 plant c2`.

=== write your move above this line ===

Since your last turn
  Bob moved to d4, d3>d2 grew, and planted c4.  (d4; d3>d2; plant c4)

      a   b   c   d   e
    +---+---+---+---+---+
  5 | . | 1 | . | . | . | 5
    +---+---+---+---+---+
  4 | . | . | s | B | . | 4
    +---+---+---+---+---+
  3 | . | S | M | M | . | 3
    +---+---+---+---+---+
  2 | A | . | . | s | . | 2
    +---+---+---+---+---+
  1 | . | . | . | . | 2 | 1
    +---+---+---+---+---+
      a   b   c   d   e

  Ann (A): 4 points, 1 protester      Bob (B): 3 points, 2 protesters

You can move to 9 cells, from there plant on 21, chop 2 trees or protest.
Three that are legal now: `a3 chop b3`, `b2; plant c2` and `stay; protest c3`.

Your clock: 9 days 4 hours and 36 hours a move. Bob's: 6 days 1 hour.
Please answer before Thu 15 Jan 2026 14:05 (Europe/Berlin), 13:05 UTC.

How to answer: reply to this mail with your move above everything else.
This address always works: games+k7qx2.2.hscv3ifp64ef5laf@pbem.example

Always understood: help, board, history, try MOVE, say TEXT, draw, resign,
away FROM TO, settings, stop. Fairness: chain 9f2c41d0, head 77aa01be.
[ref k7qx2.2.hscv3ifp64ef5laf]
"""

_BOARD = SENT[SENT.index("      a   b") : SENT.index("  Ann (A)")].rstrip()
_ABOVE = SENT[: SENT.index("      a   b")].strip()
_BELOW = SENT[SENT.index("  Ann (A)") :].strip()


def _paragraphs(text: str) -> str:
    return "".join(
        f"<p>{escape(part).replace(chr(10), '<br>')}</p>\n" for part in text.split("\n\n")
    )


SENT_HTML = (
    "<html><head><style>.b{color:#222}</style><title>Logger</title></head><body>"
    '<div style="display:none">Your move against Bob</div>'
    f'{_paragraphs(_ABOVE)}<table><tr><td><pre role="img" aria-label="board">{escape(_BOARD)}'
    f"</pre></td></tr></table>{_paragraphs(_BELOW)}</body></html>"
)


_TALK = """\
Bob writes to you in Logger K7QX2.

=== write your move above this line ===

{}

To answer, begin a line with "say".

To play, reply to this mail and write your move as the first line.
[ref k7qx2.2.hscv3ifp64ef5laf]
"""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail of ours that is answered."""

    text: str
    html: str

    @property
    def inner(self) -> str:
        """What a client keeps of the page."""
        if "<body" not in self.html:
            return self.html
        return self.html.partition("<body")[2].partition(">")[2].partition("</body>")[0]

    @property
    def own(self) -> OwnText:
        """What we know of it when the answer comes."""
        return OwnText(
            addresses=frozenset({ADDRESS, "games@pbem.example"}),
            display_name=NAME,
            fingerprints=fingerprints(self.text, self.html),
        )


TURN = Mail(SENT, SENT_HTML)
TALK = Mail(
    _TALK.format("| Nice forest!\n| resign yes\n| > c1 plant c2\n|\n| d1 plant d2"),
    _paragraphs(_TALK.format("Nice forest!\nresign yes\n> c1 plant c2\n\nd1 plant d2")),
)
"""A mail with the words of an opponent who would like us to take them for the player's."""

OWN = TURN.own


@dataclass(frozen=True, slots=True)
class Reply:
    """The parts of a reply as a letter holds them."""

    text: str | None
    html: str | None


Writer = Callable[[str, Mail], Reply]


def prefixed(text: str, mark: str = "> ") -> str:
    """Each line behind a `>`, blank ones without a blank after it."""
    return "".join(f"{mark}{line}".rstrip() + "\n" for line in text.splitlines())


def tight(text: str) -> str:
    """A quote whose lines are broken at 72 columns, the ends without a `>`, as some gateways do."""
    return "".join(
        "\n".join(textwrap.wrap(line, 72, drop_whitespace=False)) + "\n"
        for line in prefixed(text).splitlines()
    )


def divs(typed: str) -> str:
    """Typed lines as most web clients write them."""
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in typed.split("\n"))


def msos(typed: str) -> str:
    """Typed lines as Word writes them."""
    return "".join(
        f'<p class="MsoNormal"><span lang="DE">{escape(line) or "&nbsp;"}<o:p></o:p></span></p>\n'
        for line in typed.split("\n")
    )


# --- with a prefix -------------------------------------------------------------------------------


def gmail(wrote: str, *, wrapped: bool = False) -> Writer:
    """Gmail's web page: attribution, `> ` and a blockquote; long attributions are broken."""

    def write(typed: str, sent: Mail) -> Reply:
        line = wrote.format(who=f"{NAME} <{ADDRESS}>")
        broken = line.replace(f"<{ADDRESS}", f"<\n{ADDRESS}") if wrapped else line
        shown = wrote.format(who=f'{NAME} &lt;<a href="mailto:{ADDRESS}">{ADDRESS}</a>&gt;')
        html = (
            f'<div dir="ltr">{divs(typed)}</div><br>'
            f'<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
            f'{shown}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">'
            f"{sent.inner}</blockquote></div>"
        )
        return Reply(f"{typed}\n\n{broken}\n\n{prefixed(sent.text)}", html)

    return write


def apple(wrote: str, signature: str = "") -> Writer:
    """Apple Mail: `> ` and blockquote type=cite, the phone's signature above the quote."""

    def write(typed: str, sent: Mail) -> Reply:
        end = f"\n\n{signature}" if signature else ""
        line = wrote.format(who=f"{NAME} <{ADDRESS}>")
        html = (
            f'<html><body dir="auto">{divs(typed)}<br id="lineBreakAtBeginningOfSignature">'
            f'<div dir="ltr">{signature}</div><div dir="ltr"><br><blockquote type="cite">'
            f"{escape(line)}<br><br></blockquote></div>"
            f'<blockquote type="cite"><div dir="ltr">\ufeff{sent.inner}</div></blockquote>'
            "</body></html>"
        )
        return Reply(f"{typed}{end}\n\n{prefixed(line + chr(10) + chr(10) + sent.text)}", html)

    return write


def apple_mac(typed: str, sent: Mail) -> Reply:
    line = f"On 5. Jan 2026, at 10:00, {NAME} <{ADDRESS}> wrote:"
    html = (
        f'<html><head></head><body style="word-wrap: break-word;">{divs(typed)}'
        f'<div><br><blockquote type="cite"><div>{escape(line)}</div><br><div>{sent.inner}</div>'
        "</blockquote></div><br></body></html>"
    )
    return Reply(f"{typed}\n\n\n{prefixed(line + chr(10) + chr(10) + sent.text)}", html)


def plain_top(wrote: str, signature: str = "") -> Writer:
    """A client of text: typed lines, attribution, `> `."""

    def write(typed: str, sent: Mail) -> Reply:
        end = f"\n\n{signature}" if signature else ""
        return Reply(
            f"{typed}{end}\n\n{wrote.format(who=NAME, address=ADDRESS)}\n{prefixed(sent.text)}",
            None,
        )

    return write


def plain_bottom(wrote: str, signature: str = "") -> Writer:
    """The same with the typed lines below the quote."""

    def write(typed: str, sent: Mail) -> Reply:
        end = f"\n\n{signature}" if signature else ""
        return Reply(
            f"{wrote.format(who=NAME, address=ADDRESS)}\n{prefixed(sent.text)}\n{typed}{end}\n",
            None,
        )

    return write


def plain_inline(wrote: str) -> Writer:
    """The same between the quoted lines, after the examples."""

    def write(typed: str, sent: Mail) -> Reply:
        head, _, tail = prefixed(sent.text).partition("> Your clock")
        return Reply(
            f"{wrote.format(who=NAME, address=ADDRESS)}\n{head}\n{typed}\n\n> Your clock{tail}",
            None,
        )

    return write


def claws(wrote: str, *, above: bool = False) -> Writer:
    """Claws Mail: its name in quotes, all broken at 72 columns; one types below, as it begins."""

    def write(typed: str, sent: Mail) -> Reply:
        line = wrote.format(who=f'"{NAME} (pbem)" <{ADDRESS}>')
        lines = [*broken(line.split("\n")), "", *broken(sent.text.split("\n"), "> "), ""]
        quote = "\n".join(lines)
        return Reply(f"{typed}\n\n{quote}\n" if above else f"{quote}\n{typed}\n", None)

    return write


def thunderbird_html(typed: str, sent: Mail) -> Reply:
    line = f"Am 05.01.26 um 10:00 schrieb {NAME}:"
    html = (
        f"<html><head></head><body><p>{escape(typed).replace(chr(10), '<br>')}</p>"
        f'<div class="moz-cite-prefix">{line}<br></div><blockquote type="cite" '
        f'cite="mid:x@pbem.example">{sent.inner}</blockquote>'
        '<div class="moz-signature">-- <br>Ann</div></body></html>'
    )
    return Reply(f"{typed}\n\n{line}\n{prefixed(sent.text)}\n-- \nAnn\n", html)


def proton(typed: str, sent: Mail) -> Reply:
    line = f"On Monday, January 5th, 2026 at 10:00 AM, {NAME} <{ADDRESS}> wrote:"
    html = (
        f'<div style="font-family: Arial">{divs(typed)}</div>'
        '<div class="protonmail_signature_block"><div class="protonmail_signature_block-proton">'
        'Sent with <a href="https://proton.me">Proton Mail</a> secure email.</div></div>'
        f'<div class="protonmail_quote">{escape(line)}<br><blockquote class="protonmail_quote" '
        f'type="cite">{sent.inner}</blockquote><br></div>'
    )
    return Reply(
        f"{typed}\n\nSent with Proton Mail secure email.\n\n{line}\n\n{prefixed(sent.text)}\n", html
    )


def fastmail(typed: str, sent: Mail) -> Reply:
    line = f"On Mon, 5 Jan 2026, at 10:00 AM, {NAME} wrote:"
    html = (
        f"<!DOCTYPE html><html><head><title></title></head><body>{divs(typed)}<div><br></div>"
        f'<div>{line}</div><blockquote type="cite" id="qt">{sent.inner}</blockquote></body></html>'
    )
    return Reply(f"{typed}\n\n{line}\n{prefixed(sent.text)}", html)


def mail_ru(typed: str, sent: Mail) -> Reply:
    line = f"Понедельник, 5 января 2026, 10:00 +03:00 от {NAME} <{ADDRESS}>:"
    html = (
        f'<HTML><BODY>{divs(typed)}<div data-signature-widget="container"><div>--<br>Анна</div>'
        f'</div><blockquote style="border-left:1px solid #0857A6;">{escape(line)}<br>&nbsp;'
        f"<div>{sent.inner}</div></blockquote></BODY></HTML>"
    )
    return Reply(f"{typed}\n\n--\nАнна\n\n{line}\n \n{prefixed(sent.text)}", html)


def yandex(typed: str, sent: Mail) -> Reply:
    line = f'05.01.2026, 13:00, "{NAME}" <{ADDRESS}>:'
    return Reply(None, f"{divs(typed)}<div>&nbsp;</div><div>{escape(line)}</div>"
                 f"<blockquote><div>{sent.inner}</div></blockquote>")  # fmt: skip


def samsung(typed: str, sent: Mail) -> Reply:
    block = (
        f"-------- Original message --------\nFrom: {NAME} <{ADDRESS}> \n"
        f"Date: 05/01/2026  10:00  (GMT+01:00) \nTo: {PLAYER} \nSubject: {SUBJECT} \n"
    )
    html = (
        f"<html><body>{divs(typed)}<div><br></div><div><br></div><div><br></div>"
        '<div id="composer_signature"><div style="font-size:85%">Sent from my Galaxy</div></div>'
        f"<div><br></div><div>{escape(block).replace(chr(10), '<br>')}</div><div><br></div>"
        f"{sent.inner}</body></html>"
    )
    return Reply(f"{typed}\n\n\nSent from my Galaxy\n\n\n{block}\n{sent.text}", html)


def k9(typed: str, sent: Mail) -> Reply:
    signature = "-- \nThis message was sent from my Android device with K-9 Mail."
    line = f"On January 5, 2026 10:00:00 AM GMT+01:00, {NAME} <{ADDRESS}> wrote:"
    return Reply(f"{typed}\n{signature}\n\n{line}\n{prefixed(sent.text, mark='>')}", None)


# --- without a prefix ----------------------------------------------------------------------------

_FIELDS = {
    "en": ("From", "Sent", "To", "Subject", "Monday, January 5, 2026 10:00 AM"),
    "de": ("Von", "Gesendet", "An", "Betreff", "Montag, 5. Januar 2026 10:00"),
    "fr": ("De ", "Envoyé ", "À ", "Objet ", "lundi 5 janvier 2026 10:00"),
    "es": ("De", "Enviado el", "Para", "Asunto", "lunes, 5 de enero de 2026 10:00"),
    "pl": ("Od", "Wysłano", "Do", "Temat", "poniedziałek, 5 stycznia 2026 10:00"),
    "ru": ("От", "Отправлено", "Кому", "Тема", "5 января 2026 г. 10:00"),
    "zh": ("发件人", "发送时间", "收件人", "主题", "2026年1月5日 10:00"),
}


def _block(language: str) -> str:
    writer, sent, to, subject, when = _FIELDS[language]
    return f"{writer}: {NAME} <{ADDRESS}>\n{sent}: {when}\n{to}: {PLAYER}\n{subject}: {SUBJECT}\n"


def outlook_desktop(language: str) -> Writer:
    """Outlook with Word's engine: a header block, our mail as it is, no prefix anywhere."""

    def write(typed: str, sent: Mail) -> Reply:
        block = "".join(
            f"<b>{escape(line.partition(':')[0])}:</b>{escape(line.partition(':')[2])}<br>\n"
            for line in _block(language).splitlines()
        )
        inner = sent.inner.replace("<p>", '<p class="MsoNormal">').replace(
            "</p>", "<o:p></o:p></p>"
        )
        html = (
            '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><!--[if !mso]><style>'
            "v\\:* {behavior:url(#default#VML);}</style><![endif]--><style><!-- @font-face "
            '{font-family:Calibri;} --></style></head><body lang="DE"><div class="WordSection1">'
            f'{msos(typed)}<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;'
            f'border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
            f'<p class="MsoNormal">{block}<o:p></o:p></p></div></div>{inner}</div></body></html>'
        )
        return Reply(f"{typed}\n\n{_block(language)}\n{sent.text}", html)

    return write


def outlook_web(language: str, signature: str = "") -> Writer:
    """Outlook on the web and on phones: a line of underscores, and #divRplyFwdMsg."""

    def write(typed: str, sent: Mail) -> Reply:
        end = f"\n\n{signature}" if signature else ""
        shown = f'<div id="ms-outlook-mobile-signature">{signature}</div>' if signature else ""
        html = (
            f"<html><head></head><body>{divs(typed)}{shown}"
            '<div id="appendonsend"></div><hr style="display:inline-block;width:98%">'
            f'<div id="divRplyFwdMsg" dir="ltr"><font>{escape(_block(language))}</font><div>&nbsp;'
            f"</div></div>{sent.inner}</body></html>"
        )
        return Reply(f"{typed}{end}\n{'_' * 32}\n{_block(language)}\n{sent.text}", html)

    return write


def outlook_text(typed: str, sent: Mail) -> Reply:
    return Reply(f"{typed}\n\n-----Original Message-----\n{_block('en')}\n{sent.text}", None)


def yahoo(typed: str, sent: Mail) -> Reply:
    line = f"On Monday, January 5, 2026 at 10:00:00 AM GMT+1, {NAME} <{ADDRESS}> wrote:"
    html = (
        f'<html><head></head><body><div class="ydp1"><div>{divs(typed)}</div><br></div>'
        f'<div id="yahoo_quoted_1" class="yahoo_quoted"><div><div>{escape(line)}</div><div><br>'
        f"</div>{sent.inner}</div></div></body></html>"
    )
    body = "".join(f" {line}  \n" for line in sent.text.splitlines())
    return Reply(f" {typed}\n\n    {line}  \n \n{body}", html)


def aol(typed: str, sent: Mail) -> Reply:
    block = (
        f"-----Original Message-----\nFrom: {NAME} <{ADDRESS}>\nTo: ann@example.org\n"
        f"Sent: Mon, Jan 5, 2026 10:00 am\nSubject: {SUBJECT}\n"
    )
    shown = escape(block).replace("\n", "<br>")
    html = f"<div>{divs(typed)}<br><br><div>{shown}</div><br>{sent.inner}</div>"
    return Reply(f"{typed}\n\n\n{block}\n{sent.text}", html)


def gmx(typed: str, sent: Mail) -> Reply:
    block = (
        f'Gesendet: Montag, 05. Januar 2026 um 10:00 Uhr\nVon: "{NAME}" <{ADDRESS}>\n'
        f"An: ann@example.org\nBetreff: {SUBJECT}\n"
    )
    html = (
        f'<html><head></head><body><div style="font-family: Verdana">{divs(typed)}'
        '<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px;"><div>'
        f"{escape(block).replace(chr(10), '<br>')}</div>"
        f'<div name="quoted-content">{sent.inner}</div>'
        "</div></div></div></body></html>"
    )
    return Reply(None, html)


def tuta(typed: str, sent: Mail) -> Reply:
    line = f"5 Jan 2026, 10:00 by {ADDRESS}:"
    html = (
        f'<html><body>{divs(typed)}<br><div>{line}</div><blockquote class="tutanota_quote" '
        f'style="border-left:1px solid #93A3B8;">{sent.inner}</blockquote></body></html>'
    )
    return Reply(f"{typed}\n\n{line}\n\n{prefixed(sent.text)}", html)


def zoho(typed: str, sent: Mail) -> Reply:
    line = f"---- On Mon, 05 Jan 2026 10:00:00 +0100 {NAME} <{ADDRESS}> wrote ----"
    html = (
        f'<div style="font-family: Verdana">{divs(typed)}<div id="Zm-_Id_-Sgn">Sent using Zoho'
        f' Mail</div><div class="zmail_extra"><div id="Zm-_Id_-Sgn1">{escape(line)}</div>'
        f'<blockquote style="border-left:1px solid">{sent.inner}</blockquote></div></div>'
    )
    return Reply(f"{typed}\n\n\n\nSent using Zoho Mail\n\n\n\n{line}\n\n{sent.text}", html)


def qq(typed: str, sent: Mail) -> Reply:
    block = (
        f'------------------ Original ------------------\nFrom: "{NAME}" <{ADDRESS}>;\n'
        f'Date: Mon, Jan 5, 2026 05:00 PM\nTo: "ann"<ann@example.org>;\nSubject: {SUBJECT}\n'
    )
    html = (
        f"<div>{divs(typed)}</div><div><br></div><div>{escape(block).replace(chr(10), '<br>')}"
        f"</div><div><br></div>{sent.inner}"
    )
    return Reply(f"{typed}\n\n\n\n{block}\n\n\n{sent.text}", html)


def netease(typed: str, sent: Mail) -> Reply:
    line = f'At 2026-01-05 17:00:00, "{NAME}" <{ADDRESS}> wrote:'
    html = (
        f'<div style="line-height:1.7">{divs(typed)}</div><p>{escape(line)}</p>'
        f'<blockquote id="isReplyContent">{sent.inner}</blockquote>'
    )
    return Reply(f"{typed}\n\n\n\n\n\n{line}\n{prefixed(sent.text, mark='>')}", html)


def zimbra(typed: str, sent: Mail) -> Reply:
    block = (
        f'----- Original Message -----\nFrom: "{NAME}" <{ADDRESS}>\nTo: "Ann" <ann@example.org>\n'
        f"Sent: Monday, January 5, 2026 10:00:00 AM\nSubject: {SUBJECT}\n"
    )
    return Reply(f"{typed}\n\n{block}\n{sent.text}", None)


def spark(typed: str, sent: Mail) -> Reply:
    line = f"On 5 Jan 2026 at 10:00 +0100, {NAME} <{ADDRESS}>, wrote:"
    html = (
        f'<html><body><div name="messageBodySection">{divs(typed)}</div>'
        f'<div name="messageReplySection">{escape(line)}<br><blockquote type="cite">{sent.inner}'
        "</blockquote></div></body></html>"
    )
    return Reply(f"{typed}\n{line}\n{prefixed(sent.text)}", html)


def unnamed(typed: str, sent: Mail) -> Reply:
    """A client that shows the name in the player's own address book, in a language of its own."""
    return Reply(
        f"{typed}\n\nMa 5.1.2026 klo 10.00 Lautapelit kirjoitti:\n\n{prefixed(sent.text)}", None
    )


def rounds(typed: str, sent: Mail) -> Reply:
    """Top-posted in Outlook for the third time: old moves and mails below."""
    older = sent.text.replace("Bob moved to d4", "Bob moved to d5").replace("c4.  (d4", "c4.  (d5")
    answer = f"From: {PLAYER}\nSent: Sunday, January 4, 2026 9:00 AM\nTo: {NAME} <{ADDRESS}>\n"
    return Reply(
        f"{typed}\n\n{_block('en')}\n{sent.text}\n{answer}Subject: RE: {SUBJECT}\n\n"
        f"b1 plant b2\n\nAnn\n\n{_block('en')}\n{older}",
        None,
    )


def gmail_rounds(typed: str, sent: Mail) -> Reply:
    wrote = f"On Mon, Jan 5, 2026 at 10:00 AM {NAME} <{ADDRESS}> wrote:"
    before = "> On Sun, Jan 4, 2026 at 9:00 AM Ann <ann@example.org> wrote:\n>\n>> b1 plant b2\n"
    return Reply(
        f"{typed}\n\n{wrote}\n\n{prefixed(sent.text)}{before}{prefixed(sent.text, mark='>>> ')}",
        None,
    )


def disclaimer(typed: str, sent: Mail) -> Reply:
    text = gmail("On Mon, Jan 5, 2026 at 10:00 AM {who} wrote:")(typed, sent).text
    return Reply(f"{text}\n{'_' * 40}\nThis e-mail and any files with it are confidential.\n", None)


def list_footer(typed: str, sent: Mail) -> Reply:
    text = plain_bottom("{who} wrote:")(typed, sent).text
    return Reply(f"{text}\n{'_' * 47}\nfriends mailing list\nfriends@lists.example.org\n", None)


def gateway(typed: str, sent: Mail) -> Reply:
    """A relay broke the quote's long lines; their ends stand without a `>`."""
    return Reply(
        f"{typed}\n\nOn Mon, Jan 5, 2026 at 10:00 AM {NAME} wrote:\n\n{tight(sent.text)}", None
    )


CLIENTS: dict[str, Writer] = {
    "Gmail en": gmail("On Mon, Jan 5, 2026 at 10:00\u202fAM {who} wrote:", wrapped=True),
    "Gmail de": gmail("Am Mo., 5. Jan. 2026 um 10:00 Uhr schrieb {who}:", wrapped=True),
    "Gmail fr": gmail("Le lun. 5 janv. 2026 à 10:00, {who} a écrit :", wrapped=True),
    "Gmail es": gmail("El lun, 5 ene 2026 a las 10:00, {who} escribió:", wrapped=True),
    "Gmail ja": gmail("2026年1月5日(月) 10:00 {who}:"),
    "Gmail ru": gmail("пн, 5 янв. 2026 г. в 10:00, {who}:"),
    "Gmail pl": gmail("pon., 5 sty 2026 o 10:00 {who} napisał(a):", wrapped=True),
    "Gmail zh": gmail("{who} 于2026年1月5日周一 10:00写道：", wrapped=True),
    "Gmail fi": gmail("ma 5. tammik. 2026 klo 10.00 {who} kirjoitti:"),
    "Gmail Android": gmail("On Mon, 5 Jan 2026, 10:00 {who}, wrote:", wrapped=True),
    "Apple iOS en": apple("On 5 Jan 2026, at 10:00, {who} wrote:", "Sent from my iPhone"),
    "Apple iOS de": apple("Am 05.01.2026 um 10:00 schrieb {who}:", "Von meinem iPhone gesendet"),
    "Apple iOS fr": apple("Le 5 janv. 2026 à 10:00, {who} a écrit :", "Envoyé de mon iPhone"),
    "Apple iOS ja": apple("2026/01/05 10:00、{who}のメール:", "iPhoneから送信"),
    "Apple macOS": apple_mac,
    "Thunderbird top": plain_top("On 1/5/26 10:00, {who} wrote:", "-- \nAnn"),
    "Thunderbird bottom": plain_bottom("On 1/5/26 10:00, {who} wrote:", "-- \nAnn"),
    "Thunderbird inline": plain_inline("On 1/5/26 10:00, {who} wrote:"),
    "Thunderbird HTML": thunderbird_html,
    "Outlook desktop en": outlook_desktop("en"),
    "Outlook desktop de": outlook_desktop("de"),
    "Outlook desktop fr": outlook_desktop("fr"),
    "Outlook desktop pl": outlook_desktop("pl"),
    "Outlook desktop zh": outlook_desktop("zh"),
    "Outlook plain": outlook_text,
    "Outlook web en": outlook_web("en"),
    "Outlook web es": outlook_web("es"),
    "Outlook web ru": outlook_web("ru"),
    "Outlook iOS": outlook_web("en", "Get Outlook for iOS"),
    "Outlook Android de": outlook_web("de", "Outlook für Android herunterladen"),
    "Yahoo": yahoo,
    "AOL": aol,
    "GMX": gmx,
    "Proton": proton,
    "Tuta": tuta,
    "Fastmail": fastmail,
    "Zoho": zoho,
    "mail.ru": mail_ru,
    "Yandex": yandex,
    "QQ": qq,
    "163": netease,
    "Samsung": samsung,
    "Spark": spark,
    "K-9": k9,
    "FairEmail": plain_top("On January 5, 2026 10:00:00 AM GMT+01:00, {who} <{address}> wrote:"),
    "mutt": plain_top("On Mon, Jan 05, 2026 at 10:00:00AM +0100, {who} wrote:", "-- \nAnn"),
    "mutt bottom": plain_bottom("On Mon, Jan 05, 2026 at 10:00:00AM +0100, {who} wrote:"),
    "mutt inline": plain_inline("On Mon, Jan 05, 2026 at 10:00:00AM +0100, {who} wrote:"),
    "Gnus": plain_bottom("{who} <{address}> writes:\n"),
    "Gnus inline": plain_inline("{who} <{address}> writes:\n"),
    "Claws en": claws("On Mon, 5 Jan 2026 10:00:00 +0100\n{who} wrote:"),
    "Claws de": claws("Am Mon, 5 Jan 2026 10:00:00 +0100\nschrieb {who}:"),
    "Claws top": claws("On Mon, 5 Jan 2026 10:00:00 +0100\n{who} wrote:", above=True),
    "Roundcube": plain_top("On 2026-01-05 10:00, {who} wrote:"),
    "Roundcube bottom": plain_bottom("On 2026-01-05 10:00, {who} wrote:"),
    "Zimbra": zimbra,
    "unnamed": unnamed,
    "Outlook rounds": rounds,
    "Gmail rounds": gmail_rounds,
    "disclaimer": disclaimer,
    "list footer": list_footer,
    "gateway": gateway,
    "no quote": lambda typed, _sent: Reply(f"{typed}\n", None),
}
