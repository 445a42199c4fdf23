# ruff: noqa: E501 - headers are written as systems write them
"""Mails that no person wrote, as the systems of the world write them in answer to ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.mail.corpus.wire import encoded

OURS: Final = "games+k7qx2.1.aahscv3ifp64ef5laf@pbem.example"
SUBJECT: Final = "[Logger K7QX2] Ann - Bob"
IDENT: Final = "<a2b3c4d5e6f7a2b3c4d5.klmnopqrstu@pbem.example>"


@dataclass(frozen=True, slots=True)
class Robot:
    """One automatic mail: the system, its raw bytes, and whether it reports a failed delivery."""

    system: str
    raw: bytes
    bounce: bool = False


def _mail(
    subject: str,
    body: str,
    *fields: str,
    writer: str = "Ann <ann@example.org>",
    path: str | None = "ann@example.org",
) -> bytes:
    """A mail in UTF-8 whose subject is encoded where it must be; `path` None: no Return-Path."""
    head = [] if path is None else [f"Return-Path: <{path}>"]
    head += [
        "Received: from mx.example.org by mail.pbem.example; Sat, 21 Nov 2026 15:05:09 +0100",
        f"From: {writer}",
        f"To: <{OURS}>",
        f"Subject: {encoded(subject)}",
        "Date: Sat, 21 Nov 2026 15:05:08 +0100",
        "Message-ID: <4c1f2e06@mx.example.org>",
        "MIME-Version: 1.0",
        *fields,
    ]
    if not any(field.lower().startswith("content-type") for field in fields):
        head += ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"]
    text = "\r\n".join([*head, "", body.replace("\n", "\r\n"), ""])
    return text.encode()


# --- out of office -------------------------------------------------------------------------------

EXCHANGE: Final = {
    # Exchange writes this before the subject, in the language of the mailbox.
    "en": "Automatic reply: ", "de": "Automatische Antwort: ", "fr": "Réponse automatique\u00a0: ",
    "es": "Respuesta automática: ", "it": "Risposta automatica: ", "pt": "Resposta automática: ",
    "nl": "Automatisch antwoord: ", "sv": "Autosvar: ", "da": "Automatisk svar: ",
    "nb": "Automatisk svar: ", "fi": "Automaattinen vastaus: ", "pl": "Odpowiedź automatyczna: ",
    "cs": "Automatická odpověď: ", "sk": "Automatická odpoveď: ", "hu": "Automatikus válasz: ",
    "ro": "Răspuns automat: ", "tr": "Otomatik yanıt: ", "el": "Αυτόματη απάντηση: ",
    "ru": "Автоматический ответ: ", "uk": "Автоматична відповідь: ", "bg": "Автоматичен отговор: ",
    "hr": "Automatski odgovor: ", "sl": "Samodejni odgovor: ", "sr": "Automatski odgovor: ",
    "et": "Automaatvastus: ", "lv": "Automātiskā atbilde: ", "lt": "Automatinis atsakymas: ",
    "he": "תשובה אוטומטית: ", "ar": "رد تلقائي: ", "th": "ตอบกลับอัตโนมัติ: ", "vi": "Trả lời tự động: ",
    "id": "Balasan otomatis: ", "ja": "自動応答: ", "ko": "자동 회신: ", "zh-CN": "自动答复: ",
    "zh-TW": "自動回覆: ", "ca": "Resposta automàtica: ", "eu": "Erantzun automatikoa: ",
    "gl": "Resposta automática: ",
}  # fmt: skip

OLD_EXCHANGE: Final = (
    "Out of Office: ", "Out of Office AutoReply: ", "Abwesenheitsnotiz: ", "Absence du bureau : ",
    "Fuera de la oficina: ", "Fuori sede: ", "Afwezigheidsbericht: ", "Frånvarande: ", "Nieobecność: ",
    "Вне офиса: ", "Poissa: ", "Fora do escritório: ",
)  # fmt: skip


def _offices() -> Iterator[Robot]:
    for language, prefix in EXCHANGE.items():
        yield Robot(
            f"Exchange {language}",
            _mail(
                f"{prefix}{SUBJECT}",
                "I am away until 1 December.",
                f"In-Reply-To: {IDENT}",
                "Auto-Submitted: auto-generated",
                "X-MS-Exchange-Inbox-Rules-Loop: ann@example.org",
                "X-Auto-Response-Suppress: All",
                "x-ms-exchange-generated-message-source: Mailbox Rules Agent",
            ),
        )
        # Relays that clean headers leave nothing but the subject.
        yield Robot(f"Exchange {language} stripped", _mail(f"{prefix}{SUBJECT}", "Away."))
    for prefix in OLD_EXCHANGE:
        yield Robot(f"old Exchange {prefix}", _mail(f"{prefix}{SUBJECT}", "Away.", path=""))
    yield Robot(
        "Gmail vacation",
        _mail(f"Urlaub Re: {SUBJECT}", "Bin weg.", "Auto-Submitted: auto-replied", "Precedence: bulk",
              "X-Autoreply: yes"),
    )  # fmt: skip
    yield Robot(
        "Zimbra",
        _mail(f"Re: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied (zimbra; vacation)",
              "Precedence: bulk", path=""),
    )  # fmt: skip
    yield Robot("sieve", _mail(f"Auto: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied (vacation)",
                               "X-Sieve: Pigeonhole Sieve 0.5.21", path=""))  # fmt: skip
    yield Robot(
        "sieve own subject",
        _mail("I am on holiday", "Away.", "Auto-Submitted: auto-replied (vacation)"),
    )
    yield Robot(
        "vacation(1)",
        _mail(
            "away from my mail",
            "Away.",
            "Precedence: bulk",
            "Delivered-By-The-Graces-Of: the Vacation program",
        ),
    )
    yield Robot("vacation stripped", _mail(f"away from my mail Re: {SUBJECT}", "Away."))
    yield Robot(
        "procmail", _mail(f"Re: {SUBJECT}", "Away.", "X-Loop: ann@example.org", "Precedence: junk")
    )
    yield Robot(
        "qmail-autoresponder",
        _mail("Autoreply", "Away.", "Delivered-To: Autoresponder", "Precedence: junk", path=""),
    )
    yield Robot(
        "cPanel",
        _mail(
            f"Autoreply: {SUBJECT}",
            "Away.",
            "X-Autorespond: Re",
            "Precedence: auto_reply",
            "X-Precedence: auto_reply",
        ),
    )
    yield Robot(
        "Plesk",
        _mail(f"Re: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied", "X-PPP-Message-ID: <x>"),
    )
    yield Robot(
        "iCloud",
        _mail(f"Re: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied", "X-MANTSH: 1TEIXWV4bG"),
    )
    yield Robot(
        "Yahoo",
        _mail(
            f"Yahoo! Auto Response Re: {SUBJECT}",
            "Away.",
            "X-Autoreply: yes",
            "Precedence: auto_reply",
        ),
    )
    yield Robot("Yahoo old", _mail("Yahoo! Auto Response", "Away."))
    yield Robot(
        "AOL",
        _mail(f"Away: {SUBJECT}", "Away.", "X-AOL-Autoreply: yes", "Auto-Submitted: auto-replied"),
    )
    yield Robot(
        "GMX",
        _mail(
            f"Autoreply: {SUBJECT}",
            "Bin weg.",
            "X-UI-Message-Type: autoreply",
            "Auto-Submitted: auto-replied",
        ),
    )
    yield Robot("web.de", _mail("Abwesenheitsnotiz", "Bin weg.", "Auto-Submitted: auto-replied"))
    yield Robot(
        "mail.ru", _mail(f"Автоответ: {SUBJECT}", "Нет на месте.", "Auto-Submitted: auto-replied")
    )
    yield Robot(
        "Yandex",
        _mail(
            f"Автоответ: {SUBJECT}",
            "Нет.",
            "Auto-Submitted: auto-replied",
            "X-Yandex-Autoreply: yes",
        ),
    )
    yield Robot(
        "QQ",
        _mail(
            f"自动回复: {SUBJECT}",
            "您好",
            "X-QQ-STYLE: autoreply",
            writer='"ann" <ann@example.com>',
        ),
    )
    yield Robot("163", _mail(f"自动回复: {SUBJECT}", "您好", "X-Autoreply: true"))
    yield Robot("Naver", _mail(f"[부재중] {SUBJECT}", "부재중", "Auto-Submitted: auto-replied"))
    yield Robot(
        "Fastmail",
        _mail(f"Out of office: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied (vacation)"),
    )
    yield Robot(
        "Proton",
        _mail(
            f"Auto: {SUBJECT}",
            "Away.",
            "Auto-Submitted: auto-replied",
            "X-Autoreply: yes",
            "Precedence: auto_reply",
        ),
    )
    yield Robot(
        "Zoho",
        _mail(
            f"Out of office Re: {SUBJECT}", "Away.", "Precedence: bulk", "X-Zoho-AutoReply: true"
        ),
    )
    yield Robot("Tuta", _mail("Out of office", "Away.", "Auto-Submitted: auto-replied"))
    yield Robot(
        "Notes",
        _mail(
            "Ann is out of the office (returning 01.12.2026)",
            "I am out of the office until 01.12.",
            "Auto-Submitted: auto-generated",
            "X-Mailer: Lotus Domino",
        ),
    )
    yield Robot(
        "Notes stripped",
        _mail("AUTO: Ann is out of the office (returning 01.12.2026)", "Away until 01.12."),
    )
    yield Robot(
        "GroupWise",
        _mail(
            f"Re: {SUBJECT} (Out of Office)",
            "Away.",
            "X-Mailer: Novell GroupWise Internet Agent 8.0",
            "Auto-Submitted: auto-replied",
        ),
    )
    yield Robot(
        "FirstClass",
        _mail(f"Re: {SUBJECT}", "Away.", "X-FC-MachineGenerated: true", "X-FC-Icon-ID: 2031"),
    )
    yield Robot(
        "Kerio",
        _mail(
            f"Auto-reply: {SUBJECT}",
            "Away.",
            "Auto-Submitted: auto-replied",
            "X-Mailer: Kerio Connect",
        ),
    )
    yield Robot(
        "MDaemon",
        _mail(
            f"Auto: {SUBJECT}", "Away.", "X-MDAutoResponder: ann@example.org", "Precedence: bulk"
        ),
    )
    yield Robot(
        "Communigate",
        _mail(f"Re: {SUBJECT}", "Away.", "X-Autogenerated: Reply", "Auto-Submitted: auto-replied"),
    )
    yield Robot("SmarterMail", _mail(f"Auto-Reply: {SUBJECT}", "Away.", "X-AutoReply: yes"))
    yield Robot(
        "hMailServer",
        _mail(
            f"Re: {SUBJECT}", "Away.", "X-hMailServer-LoopCount: 1", "Auto-Submitted: auto-replied"
        ),
    )
    yield Robot(
        "Roundcube sieve",
        _mail(f"Auto: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied (vacation)", path=""),
    )
    yield Robot(
        "ISPConfig",
        _mail(
            f"Out of office: {SUBJECT}",
            "Away.",
            "Auto-Submitted: auto-replied (vacation)",
            "Precedence: bulk",
        ),
    )


# --- tickets, receipts, lists ---------------------------------------------------------------------


def _services() -> Iterator[Robot]:
    ticket = "support@desk.example.com"
    tickets = {
        "OTRS": (f"[Ticket#2026112110000017] {SUBJECT}", ("X-OTRS-Loop: yes", "Precedence: bulk", "X-Loop: desk@example.com")),
        "Zammad": (f"[Ticket#31337] Thanks for your inquiry ({SUBJECT})", ("Auto-Submitted: auto-replied", "Precedence: bulk", "X-Auto-Response-Suppress: All")),
        "RT": (f"[example.com #4711] AutoReply: {SUBJECT}", ("Precedence: bulk", "X-RT-Loop-Prevention: example.com", "RT-Ticket: example.com #4711", "Managed-BY: RT 5.0")),
        "Zendesk": (f"[Request received] {SUBJECT}", ("Auto-Submitted: auto-generated", "X-Auto-Response-Suppress: All", "X-Mailer: Zendesk Mailer", "X-Zendesk-From-Account-Id: 4c1f")),
        "Freshdesk": (f"Ticket Received - {SUBJECT}", ("Auto-Submitted: auto-generated", "X-Autoreply: true", "Precedence: bulk")),
        "Jira": (f"(DESK-7) {SUBJECT}", ("Auto-Submitted: auto-generated", "Precedence: bulk", "X-JIRA-FingerPrint: 4c1f")),
        "osTicket": ("Support Ticket Opened [#000123]", ("Auto-Submitted: auto-replied", "X-Autoreply: yes", "Precedence: auto_reply")),
        "HubSpot": ("We got your message", ("Auto-Submitted: auto-generated", "List-Unsubscribe: <mailto:x@example.com>", "Precedence: bulk")),
        "Salesforce": (f"Case 00012345 {SUBJECT}", ("X-SFDC-LK: 00D", "X-SFDC-User: 005", "Auto-Submitted: auto-generated", "Precedence: bulk")),
        "ServiceNow": ("Incident INC0012345 opened", ("X-ServiceNow-Generated: true", "Precedence: bulk", "Auto-Submitted: auto-generated")),
    }  # fmt: skip
    for system, (subject, fields) in tickets.items():
        yield Robot(
            system,
            _mail(
                subject,
                "We have received your request.",
                *fields,
                writer=f"Desk <{ticket}>",
                path=ticket,
            ),
        )
    yield Robot(
        "challenge",
        _mail(
            f"Re: {SUBJECT}",
            "Click to confirm that you are a person.",
            "Auto-Submitted: auto-replied",
            "X-Spamarrest: challenge",
            writer="no-reply@spamarrest.example",
        ),
    )
    yield Robot(
        "boxbe",
        _mail(
            f"Re: {SUBJECT} (Action Required)",
            "Click here.",
            "Auto-Submitted: auto-replied",
            "Precedence: bulk",
            writer="Boxbe <noreply@boxbe.example>",
        ),
    )
    yield Robot(
        "MDN",
        _mail(
            f"Read: {SUBJECT}",
            "Your message was read.",
            'Content-Type: multipart/report; report-type=disposition-notification; boundary="b"',
        ),
    )
    yield Robot(
        "MDN deleted",
        _mail(
            f"Not read: {SUBJECT}",
            "--b\nContent-Type: message/disposition-notification\n\nDisposition: automatic-action/MDN-sent-automatically; deleted\n--b--",
            'Content-Type: multipart/report; report-type=disposition-notification; boundary="b"',
            path="",
        ),
    )
    yield Robot(
        "ARF",
        _mail(
            "FW: complaint",
            "--b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n--b--",
            'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
            writer="staff@hotmail.example",
        ),
    )
    lists = {
        "Mailman 2": ("Your message to Friends awaits moderator approval", ("Precedence: bulk", "X-BeenThere: friends@lists.example.org", "X-Mailman-Version: 2.1.39", "List-Id: <friends.lists.example.org>", "X-List-Administrivia: yes"), "friends-bounces@lists.example.org"),
        "Mailman 3": ("Your message to friends@lists.example.org awaits moderator approval", ("Auto-Submitted: auto-generated", "Precedence: bulk"), "friends-owner@lists.example.org"),
        "Sympa": ("Message rejected", ("Auto-Submitted: auto-replied", "X-Loop: sympa@lists.example.org", "X-Validation-by: sympa"), "sympa-owner@lists.example.org"),
        "LISTSERV": ("Rejected posting to FRIENDS", ("Precedence: bulk", "X-LSV-ListID: None"), "LISTSERV@lists.example.org"),
        "Majordomo": ("Majordomo results", ("Precedence: bulk",), "Majordomo@lists.example.org"),
        "ezmlm": ("confirm subscribe to friends@lists.example.org", ("Mailing-List: contact friends-help@lists.example.org; run by ezmlm", "Delivered-To: responder for friends@lists.example.org", "Precedence: bulk"), "friends-help@lists.example.org"),
        "mlmmj": ("Welcome to friends@lists.example.org", ("Auto-Submitted: auto-replied", "Precedence: bulk"), "friends+owner@lists.example.org"),
        "Google Groups": (f"[friends] {SUBJECT}", ("Precedence: list", "Mailing-list: list friends@groups.example.com", "List-ID: <friends.groups.example.com>", "X-Google-Group-Id: 4711"), "friends@groups.example.com"),
        "groups.io": (f"[friends] {SUBJECT}", ("List-Id: <friends.groups.example>", "Precedence: Bulk"), "friends@groups.example"),
        "Discourse": (f"[Forum] {SUBJECT}", ("Auto-Submitted: auto-generated", "Precedence: list", "X-Discourse-Topic-Id: 5"), "noreply@forum.example.org"),
    }  # fmt: skip
    for system, (subject, fields, writer) in lists.items():
        yield Robot(system, _mail(subject, "See the list.", *fields, writer=writer, path=writer))
    yield Robot(
        "newsletter",
        _mail(
            "Our offers",
            "Buy now.",
            "List-Unsubscribe: <https://x.example/u>",
            "List-Id: <news.example.com>",
            "Precedence: bulk",
            writer="Shop <news@shop.example.com>",
        ),
    )
    yield Robot(
        "notification",
        _mail(
            "Ann liked your post",
            "See it.",
            "Auto-Submitted: auto-generated",
            writer="Social <notify@social.example.com>",
        ),
    )
    yield Robot(
        "notification stripped",
        _mail("Your receipt", "Thanks.", writer="Shop <no-reply@shop.example.com>"),
    )
    yield Robot(
        "cron",
        _mail(
            "Cron <root@host> run-parts",
            "done",
            "Auto-Submitted: auto-generated",
            "X-Cron-Env: <SHELL=/bin/sh>",
            writer="root@host.example.org",
        ),
    )
    yield Robot(
        "calendar",
        _mail(
            f"Accepted: {SUBJECT}",
            "Accepted.",
            "Auto-Submitted: auto-generated",
            "Content-Class: urn:content-classes:calendarmessage",
        ),
    )
    yield Robot(
        "our own",
        _mail(
            SUBJECT,
            "Your move",
            "X-PBEM: match=K7QX2; version=9",
            "Auto-Submitted: auto-generated",
            writer=f"Logger K7QX2 <{OURS}>",
        ),
    )


# --- failed deliveries ----------------------------------------------------------------------------

_REPORT: Final = """\
--b
Content-Type: text/plain; charset=us-ascii

{words}

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; ann@example.org
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {code}

--b
Content-Type: text/rfc822-headers

From: Logger K7QX2 <{ours}>
To: ann@example.org
Subject: {subject}
Message-ID: {ident}

--b--
"""


def _report(
    words: str, action: str = "failed", status: str = "5.1.1", code: str = "550 no such user"
) -> str:
    return _REPORT.format(
        words=words,
        action=action,
        status=status,
        code=code,
        ours=OURS,
        subject=SUBJECT,
        ident=IDENT,
    )


def _failures() -> Iterator[Robot]:
    dsn = 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"'
    daemon = "MAILER-DAEMON@mx.example.org (Mail Delivery System)"
    reports = {
        "Postfix": ("Undelivered Mail Returned to Sender", daemon, "Auto-Submitted: auto-replied"),
        "sendmail": ("Returned mail: see transcript for details", "Mail Delivery Subsystem <MAILER-DAEMON@mx.example.org>", "Auto-Submitted: auto-generated (failure)"),
        "Gmail": ("Delivery Status Notification (Failure)", "Mail Delivery Subsystem <mailer-daemon@googlemail.example>", "X-Failed-Recipients: ann@example.org"),
        "Exchange": (f"Undeliverable: {SUBJECT}", "postmaster@example.org", "X-MS-Exchange-Message-Is-Ndr:"),
        "Exchange de": (f"Unzustellbar: {SUBJECT}", "postmaster@example.org", "X-MS-Exchange-Message-Is-Ndr:"),
        "Exchange fr": (f"Non remis\u00a0: {SUBJECT}", "postmaster@example.org", "Content-Language: fr"),
        "Exchange es": (f"No se puede entregar: {SUBJECT}", "postmaster@example.org", "Content-Language: es"),
        "Exchange it": (f"Non recapitabile: {SUBJECT}", "postmaster@example.org", "Content-Language: it"),
        "Exchange nl": (f"Onbestelbaar: {SUBJECT}", "postmaster@example.org", "Content-Language: nl"),
        "Exchange ja": (f"配信不能: {SUBJECT}", "postmaster@example.org", "Content-Language: ja"),
        "Exim dsn": ("Mail delivery failed: returning message to sender", "Mail Delivery System <Mailer-Daemon@mx.example.org>", "X-Failed-Recipients: ann@example.org"),
        "Domino": ("DELIVERY FAILURE: User ann not listed", "Postmaster@example.org", "Auto-Submitted: auto-generated"),
        "Zimbra": ("Undelivered Mail Returned to Sender", daemon, "Auto-Submitted: auto-replied"),
        "Yahoo": ("Failure Notice", "MAILER-DAEMON@yahoo.example", "X-Mailer: yahoo"),
        "Proton": ("Undelivered Mail Returned to Sender", "Mail Delivery System <MAILER-DAEMON@mailout.proton.example>", "Auto-Submitted: auto-replied"),
    }  # fmt: skip
    for system, (subject, writer, field) in reports.items():
        yield Robot(
            f"DSN {system}",
            _mail(subject, _report("It failed."), field, dsn, writer=writer, path=""),
            bounce=True,
        )
    yield Robot(
        "DSN delayed",
        _mail(
            "Delayed Mail (still being retried)",
            _report("Later.", "delayed", "4.4.1", "timed out"),
            "Auto-Submitted: auto-replied",
            dsn,
            writer=daemon,
            path="",
        ),
        bounce=True,
    )
    yield Robot(
        "DSN full",
        _mail(
            "Undelivered Mail Returned to Sender",
            _report("Full.", status="5.2.2", code="552 mailbox full"),
            dsn,
            writer=daemon,
            path="",
        ),
        bounce=True,
    )
    yield Robot(
        "DSN no path",
        _mail(
            "Undelivered Mail Returned to Sender", _report("Gone."), dsn, writer=daemon, path=None
        ),
        bounce=True,
    )
    qmail = "Hi. This is the qmail-send program at mx.example.org.\nI'm afraid I wasn't able to deliver your message to the following addresses.\n\n<ann@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n"
    yield Robot(
        "qmail",
        _mail("failure notice", qmail, writer="MAILER-DAEMON@mx.example.org", path=""),
        bounce=True,
    )
    exim = "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ann@example.org\n    Unrouteable address\n"
    yield Robot(
        "Exim",
        _mail(
            "Mail delivery failed: returning message to sender",
            exim,
            "X-Failed-Recipients: ann@example.org",
            "Auto-Submitted: auto-replied",
            writer="Mail Delivery System <Mailer-Daemon@mx.example.org>",
            path="",
        ),
        bounce=True,
    )
    yield Robot(
        "Exim delayed",
        _mail(
            "Warning: message 1abc-0001-2C delayed 24 hours",
            exim,
            "Auto-Submitted: auto-replied",
            writer="Mail Delivery System <Mailer-Daemon@mx.example.org>",
            path="",
        ),
        bounce=True,
    )
    yield Robot(
        "courier",
        _mail(
            "NOTICE: mail delivery status.",
            _report("It failed."),
            dsn,
            writer='"Courier mail server at mx" <@mx.example.org>',
            path="",
        ),
        bounce=True,
    )
    yield Robot(
        "James",
        _mail(
            f"Re:{SUBJECT}",
            "Hi. This is the James mail server at mx.example.org.",
            'Content-Type: multipart/report; report-type="delivery-status"; boundary="b"',
            writer="postmaster@mx.example.org",
            path="",
        ),
        bounce=True,
    )
    yield Robot(
        "Barracuda",
        _mail(
            "**Message you sent blocked by our bulk email filter**",
            "Blocked.",
            writer="Mail Delivery System <MAILER-DAEMON@barracuda.example>",
            path="",
        ),
        bounce=True,
    )
    yield Robot(
        "Mimecast",
        _mail(
            "[Postmaster] Email Delivery Failure",
            "Held.",
            "Auto-Submitted: auto-generated",
            writer="postmaster@example.org",
            path="",
        ),
        bounce=True,
    )
    yield Robot(
        "double",
        _mail(
            "Postmaster notify: see transcript for details",
            _report("It failed."),
            dsn,
            "Auto-Submitted: auto-generated (postmaster-notification)",
            writer="double-bounce@mx.example.org",
        ),
        bounce=True,
    )


def robots() -> tuple[Robot, ...]:
    """Every automatic mail."""
    return (*_offices(), *_services(), *_failures())
