# ruff: noqa: E501 - headers are written as systems write them
"""Reports of mails that could not be delivered, as mail servers write them."""

from __future__ import annotations

from typing import Final

from tests.legacy.mail.corpus.robot import IDENT, OURS, SUBJECT, Robot, robot_mail

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


def report(
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


FAILURES: Final[list[Robot]] = []

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
    FAILURES.append(
        Robot(
            f"DSN {system}",
            robot_mail(subject, report("It failed."), field, dsn, writer=writer, path=""),
            bounce=True,
        )
    )
FAILURES.append(
    Robot(
        "DSN delayed",
        robot_mail(
            "Delayed Mail (still being retried)",
            report("Later.", "delayed", "4.4.1", "timed out"),
            "Auto-Submitted: auto-replied",
            dsn,
            writer=daemon,
            path="",
        ),
        bounce=True,
    )
)
FAILURES.append(
    Robot(
        "DSN full",
        robot_mail(
            "Undelivered Mail Returned to Sender",
            report("Full.", status="5.2.2", code="552 mailbox full"),
            dsn,
            writer=daemon,
            path="",
        ),
        bounce=True,
    )
)
FAILURES.append(
    Robot(
        "DSN no path",
        robot_mail(
            "Undelivered Mail Returned to Sender", report("Gone."), dsn, writer=daemon, path=None
        ),
        bounce=True,
    )
)
qmail = "Hi. This is the qmail-send program at mx.example.org.\nI'm afraid I wasn't able to deliver your message to the following addresses.\n\n<ann@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n"
FAILURES.append(
    Robot(
        "qmail",
        robot_mail("failure notice", qmail, writer="MAILER-DAEMON@mx.example.org", path=""),
        bounce=True,
    )
)
exim = "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ann@example.org\n    Unrouteable address\n"
FAILURES.append(
    Robot(
        "Exim",
        robot_mail(
            "Mail delivery failed: returning message to sender",
            exim,
            "X-Failed-Recipients: ann@example.org",
            "Auto-Submitted: auto-replied",
            writer="Mail Delivery System <Mailer-Daemon@mx.example.org>",
            path="",
        ),
        bounce=True,
    )
)
FAILURES.append(
    Robot(
        "Exim delayed",
        robot_mail(
            "Warning: message 1abc-0001-2C delayed 24 hours",
            "A message that you sent has not yet been delivered to ann@example.org\n"
            "after more than 24 hours on the queue. You do not need to resend it.\n",
            "Auto-Submitted: auto-replied",
            writer="Mail Delivery System <Mailer-Daemon@mx.example.org>",
            path="",
        ),
        bounce=True,
    )
)
FAILURES.append(
    Robot(
        "courier",
        robot_mail(
            "NOTICE: mail delivery status.",
            report("It failed."),
            dsn,
            writer='"Courier mail server at mx" <@mx.example.org>',
            path="",
        ),
        bounce=True,
    )
)
FAILURES.append(
    Robot(
        "James",
        robot_mail(
            f"Re:{SUBJECT}",
            "Hi. This is the James mail server at mx.example.org.",
            'Content-Type: multipart/report; report-type="delivery-status"; boundary="b"',
            writer="postmaster@mx.example.org",
            path="",
        ),
        bounce=True,
    )
)
FAILURES.append(
    Robot(
        "Barracuda",
        robot_mail(
            "**Message you sent blocked by our bulk email filter**",
            "Blocked.",
            writer="Mail Delivery System <MAILER-DAEMON@barracuda.example>",
            path="",
        ),
        bounce=True,
    )
)
FAILURES.append(
    Robot(
        "Mimecast",
        robot_mail(
            "[Postmaster] Email Delivery Failure",
            "Held.",
            "Auto-Submitted: auto-generated",
            writer="postmaster@example.org",
            path="",
        ),
        bounce=True,
    )
)
FAILURES.append(
    Robot(
        "double",
        robot_mail(
            "Postmaster notify: see transcript for details",
            report("It failed."),
            dsn,
            "Auto-Submitted: auto-generated (postmaster-notification)",
            writer="double-bounce@mx.example.org",
        ),
        bounce=True,
    )
)

# --- without a report: old gateways, mobile carriers, filters ---------------------------------------

_GONE: Final = "550 5.1.1 <ann@example.org>: no mailbox of that name"


def _old(
    system: str,
    subject: str,
    body: str,
    *fields: str,
    writer: str = "postmaster@example.org",
    path: str | None = None,
) -> None:
    """A gateway's own form, from a mailbox that a person could write from, too."""
    raw = robot_mail(subject, body, *fields, writer=writer, path=path)
    FAILURES.append(Robot(system, raw, bounce=True))


_MIXED: Final = 'Content-Type: multipart/mixed; boundary="b"'


def _beside(words: str, charset: str = "utf-8") -> str:
    """What a gateway says, and the mail that it did not take beside it."""
    return (
        f"--b\nContent-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n"
        f"{words}\n\n--b\nContent-Type: message/rfc822\n\nFrom: Logger K7QX2 <{OURS}>\n"
        f"To: ann@example.org\nSubject: {SUBJECT}\nMessage-ID: {IDENT}\n\nYour move.\n\n--b--\n"
    )


_old(
    "EZweb filter", "Mail System Error - Returned Mail",
    "<ann@example.org>\n\nThis recipient was rejected by the filter of the domain.\n"
    f"{'-' * 51}\nReceived: from x\nFrom: {OURS}",
    "X-SPASIGN: NG", writer="<Postmaster@keitai.example>", path="MAILER-DAEMON",
)  # fmt: skip
_old(
    "EZweb disabled", "Mail System Error - Returned Mail",
    "The user(s) account is disabled.\n\n<ann@example.org>: 550 user unknown (in reply to RCPT TO)",
    writer="<Postmaster@keitai.example>",
)  # fmt: skip
_old(
    "au one net", "メールエラー通知",
    _beside("あて先のメールボックスが一杯のため、お送りできませんでした。\n\n"
            "Your mail sent on: Sat, 21 Nov 2026 23:45:22 +0900\n"
            "     Could not be delivered to: <ann@example.org>\n     As their mailbox is full."),
    _MIXED, "Reply-To: no-reply@portal.example", writer="info@n000.keitai.example",
)  # fmt: skip
_old(
    "dion", "Mail",
    _beside("Your mail sent on: Sat, 21 Nov 2026 23:45:22 +0900\n"
            "     Could not be delivered to: <ann@example.org>\n     As their mailbox is full."),
    _MIXED, writer="ann@n000.keitai.example", path="",
)  # fmt: skip
_old(
    "report without a type", "Delivery status notification",
    _beside("Delivery to ann@example.org was aborted: 550 no such user."),
    'Content-Type: multipart/report; boundary="b"',
    writer="Mail Delivery System <Mail.Delivery.System@mx.example.org>",
)  # fmt: skip
_old(
    "docomo", "Mail Delivery Notification",
    "宛先不明のためメールをお届けできませんでした。\n\nann@example.org\n550 Unknown user ann",
    writer="post.master@keitai.example",
)  # fmt: skip
_old(
    "SoftBank", "配信エラーのお知らせ", f"メールを配信できませんでした。\n<ann@example.org>\n{_GONE}",
    writer="info@keitai.example",
)  # fmt: skip
_old(
    "Biglobe", "Returned mail: Service unavailable",
    _beside("   ----- These addresses had delivery problems -----\nann@example.org\n\n"
            "   ----- Information -----\nThe messages in the mailbox exceeded the local limit."),
    _MIXED,
)  # fmt: skip
_old(
    "InterScan ja", "メッセージを配信できません。",
    _beside("...\nSent <<< RCPT TO:<ann@example.org>\nReceived >>> 550 5.1.1 user unknown\n..."),
    _MIXED, writer='"InterScan MSS" <postmaster@example.org>',
)  # fmt: skip
_old(
    "InterScan", "Mail could not be delivered",
    _beside(f"Sent <<< RCPT TO:<ann@example.org>\nReceived >>> {_GONE}"),
    _MIXED, writer='"InterScan Notification" <gateway@example.org>',
)  # fmt: skip
_old(
    "m-FILTER", "failure notice",
    "このメールは自動的に生成されています。\n送信に失敗しました。\nann@example.org\n\n"
    "-------server message\n550 unknown user <ann@example.org>\n\n-------original message\nFrom: x",
    "X-Mailer: m-FILTER", path="postmaster@example.org",
)  # fmt: skip
_old(
    "Verizon", f"Re:{SUBJECT}",
    _beside("Error: Invalid user address\n\nError message below:\n"
            "550 - Requested action not taken: no such user here\n\nMessage details:\n"
            "  RCPT TO: ann@example.org"),
    _MIXED, writer="post_master@texts.example",
)  # fmt: skip
_old(
    "James plain", f"Re:{SUBJECT}",
    "Hi. This is the James mail server.\nI could not deliver your message to the following "
    "addresses.\nThis is a permanent error; I have given up.\n\nann@example.org\n\n"
    "Error message below:\n550 - Requested action not taken: no such user here",
)  # fmt: skip
_old(
    "Exchange 2003", f"Undeliverable: {SUBJECT}",
    _beside("Your message\n\n  To:      ann@example.org\n  Subject: x\n\ndid not reach the "
            "following recipient(s):\n\nann@example.org on Sat, 21 Nov 2026 16:51:51 -0500\n"
            "    The recipient name is not recognized\n"
            "    MSEXCH:IMS:CLUB:MAIL:EXCH 0 (000C05A6) Unknown Recipient"),
    _MIXED, "X-Mailer: Internet Mail Service (5.5.2657.72)", "X-MS-Embedded-Report: ",
)  # fmt: skip
_old(
    "Exchange 2003 renamed", f"Systemmeldung: {SUBJECT}",
    _beside("Your message did not reach the following recipient(s):\n\nann@example.org on "
            "11/21/26 9:19:59 AM\n    MSEXCH:IMS:CLUB (000C05A6) Unknown Recipient"),
    _MIXED, "X-Mailer: Internet Mail Service (5.5.1960.3)",
)  # fmt: skip
_old(
    "Exchange 2007 sv", f"Olevererbart: {SUBJECT}",
    "Leveransen misslyckades till:\n\nann@example.org\n#550 5.1.1 RESOLVER.ADR.RecipNotFound ##",
    "Content-Language: sv-SE",
)  # fmt: skip
_old(
    "Exchange pt", f"Não Entregue: {SUBJECT}",
    "ann@example.org\n#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##",
    "Content-Language: pt-BR",
)  # fmt: skip
_old(
    "Lotus Notes", "Undeliverable message",
    "------- Failure Reasons  --------\n\nUser  not listed in public Name & Address Book\n"
    "ann@example.org\n\n------- Returned Message --------\nReceived: from x",
    writer="POSTMASTER@example.org",
)  # fmt: skip
_old(
    "MailMarshal", f'Undeliverable Mail: "{SUBJECT}"',
    "Your message:\n   Subject: x\n\nCould not be delivered because of\n\n550 5.1.1 User unknown\n\n"
    "The following recipients were affected:\n    ann@example.org",
)  # fmt: skip
_old(
    "IMail", "Undeliverable Mail",
    "Invalid final delivery userid: ann@example.org\n\n\nOriginal message follows.\n\nFrom: x",
    "X-Mailer: <SMTP32 v8.12>", writer='"Postmaster" <postmaster@example.org>',
)  # fmt: skip
_old(
    "MailFoundry", "Message delivery has failed",
    _beside(f"Unable to deliver message to: <ann@example.org>\nServer mx failed with: {_GONE}"),
    _MIXED, writer="mail@filter.example",
)  # fmt: skip
_old(
    "McAfee", "Delivery Status",
    _beside("   --- These addresses had delivery problems ---\n\n<ann@example.org>   "
            "(Unknown user ann@example.org)").replace(
        "--b--", "--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; "
        "ann@example.org\nAction: failed\nStatus: 5.1.1\n\n--b--"),
    'Content-Type: Multipart/Mixed; boundary="b"', writer="gateway@example.org",
)  # fmt: skip
_old(
    "Communigate", "Delivery status notification",
    "Delivery to these was aborted after 5.0 hour(s):\n\n  * ann@example.org\n\nRouting: no such "
    "user",
    writer="Mail Delivery System <Mail.Delivery.System@mx.example.org>",
)  # fmt: skip
_old(
    "X.400 gateway", "Delivery Report (failure) for ann@example.org",
    "This report relates to your message.\nYour message was not delivered to ann@example.org\n"
    "for the following reason: Recipient unknown (Unknown Recipient, no such user)",
    writer="X400-Gateway <gw@example.org>",
)  # fmt: skip
_old(
    "Sun Messaging", "Delivery Notification: Delivery has failed",
    "Your message cannot be delivered to:\n\n  Recipient address: ann@example.org\n"
    "  Reason: 550 no such user",
)  # fmt: skip
_old(
    "mail.ru", "Ваше сообщение не доставлено. Mail failure.",
    "Это письмо создано автоматически.\n\n  ann@example.org\n    SMTP error after RCPT TO:\n"
    f"    {_GONE}\n\n------ This is a copy of the message. ------",
    writer="robot@corp.mail.example",
)  # fmt: skip
_old(
    "1&1", "Mail delivery failed: returning message to sender",
    "A message that you sent could not be delivered.\nThe following address failed:\n\n"
    "ann@example.org\n\nFor the following reason:\n\n550 no such user\n\n"
    "--- The header of the original message is following. ---\n\nReceived: x",
    writer="mail@kundenserver.example",
)  # fmt: skip
_old(
    "Facebook", "Sorry, your message could not be delivered", report("It cannot be delivered."),
    dsn, writer="Facebook <mail@book.example>",
)  # fmt: skip
_old(
    "Google Groups", "Delivery Status Notification (Failure)",
    "The group that you wrote to may not exist, or you may not post there.\n\n"
    "----- Original message -----\n\nFrom: x",
    "X-Failed-Recipients: ann@example.org", writer="Mail Delivery Subsystem <mail@groups.example>",
)  # fmt: skip
_old(
    "Amavis", "Undeliverable mail, MTA-BLOCKED", report("It WAS NOT relayed."), dsn,
    writer='"Content-filter at mx.example.org" <postmaster@mx.example.org>',
)  # fmt: skip
_old(
    "unknown gateway", "There was an error sending your mail",
    "We had trouble delivering it.\n\nSMTP Server <mx.example.org> rejected recipient "
    "<ann@example.org>\n  It responded as follows: [550 5.1.1 User unknown]",
    writer="mail@gateway.example",
)  # fmt: skip
_old(
    "fml list server", "NOT MEMBER article from games",
    "You are not a member of this mailing list <club@example.org>.\n\nOriginal mail as follows:",
    "X-MLServer: fml 4.0", writer="club-admin@example.org",
)  # fmt: skip
FAILURES[-1] = Robot(FAILURES[-1].system, FAILURES[-1].raw)  # it refuses, but no address is dead

# --- complaints: what RFC 5965 calls abuse reports ------------------------------------------------

_ARF: Final = """\
--b
Content-Type: text/plain; charset=us-ascii

{words}

--b
Content-Type: message/feedback-report

Feedback-Type: {kind}
User-Agent: Reporter/1.0
Version: 1
Source-IP: 192.0.2.25

--b
Content-Type: {part}

Return-Path: <bounces@pbem.example>
From: Logger K7QX2 <{ours}>
To: <redacted@example.org>
Subject: {subject}
Message-ID: {ident}

Your move.

--b--
"""


def complaint(kind: str = "abuse", part: str = "message/rfc822", ident: str = IDENT) -> str:
    """The body of a report of spam about a mail of ours."""
    words = "This is an abuse report for a message received from 192.0.2.25."
    return _ARF.format(words=words, kind=kind, part=part, ours=OURS, subject=SUBJECT, ident=ident)


ARF: Final = 'Content-Type: multipart/report; report-type=feedback-report; boundary="b"'
_HOTMAIL: Final = (
    "--b\nContent-Type: message/rfc822\nContent-Disposition: inline\n\n"
    f"X-HmXmrOriginalRecipient: ann@example.org\nFrom: Logger K7QX2 <{OURS}>\n"
    f"Subject: {SUBJECT}\nMessage-ID: {IDENT}\n\nYour move.\n\n--b--\n"
)
COMPLAINTS: Final[list[Robot]] = [
    Robot(system, robot_mail(subject, body, field, writer=writer, path=path))
    for system, subject, body, field, writer, path in (
        ("ARF AOL", "Email Feedback Report for IP 192.0.2.25", complaint(), ARF,
         "scomp@isp.example", "scomp@isp.example"),
        ("ARF Yahoo", f"FW: {SUBJECT}", complaint(), ARF.replace("=feedback", '="feedback'
         ).replace("report; b", 'report"; b'), "ann@example.org", None),
        ("ARF headers", "Abuse Report", complaint(part="text/rfc822-headers"), ARF,
         "feedback@isp.example", None),
        ("ARF mixed", "Spam report", complaint(), _MIXED, "abuse@isp.example", None),
        ("ARF fraud", "A report", complaint("fraud"), ARF, "abuse@isp.example", None),
        ("ARF opt-out", "A report", complaint("opt-out"), ARF, "abuse@isp.example", None),
        ("Hotmail", "complaint about message from 192.0.2.25", _HOTMAIL, _MIXED,
         "staff@hotmail.example", "staff@hotmail.example"),
        ("SES", "complaint about message from 192.0.2.25", complaint(), ARF,
         "complaints@email-abuse.ses.example", ""),
    )
]  # fmt: skip
REPORTS: Final[list[Robot]] = [
    Robot("DMARC failure", robot_mail(SUBJECT, complaint("auth-failure"), ARF,
                                      writer="<abuse@isp.example>", path="abuse@isp.example")),
    Robot("not spam", robot_mail(SUBJECT, complaint("not-spam"), ARF, writer="fbl@isp.example")),
]  # fmt: skip
