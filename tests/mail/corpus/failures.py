# ruff: noqa: E501 - headers are written as systems write them
"""Reports of mails that could not be delivered, as mail servers write them."""

from __future__ import annotations

from typing import Final

from tests.mail.corpus.robot import IDENT, OURS, SUBJECT, Robot, robot_mail

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
            exim,
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
