# ruff: noqa: E501 - headers are written as systems write them
"""Mails that no person wrote, as the systems of the world write them in answer to ours."""

from __future__ import annotations

from typing import Final

from tests.legacy.mail.corpus.failures import COMPLAINTS, FAILURES, REPORTS
from tests.legacy.mail.corpus.robot import IDENT, OURS, SUBJECT, Robot, robot_mail

__all__ = ["Robot", "robots"]


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


OFFICES: Final[list[Robot]] = []

for language, prefix in EXCHANGE.items():
    OFFICES.append(
        Robot(
            f"Exchange {language}",
            robot_mail(
                f"{prefix}{SUBJECT}",
                "I am away until 1 December.",
                f"In-Reply-To: {IDENT}",
                "Auto-Submitted: auto-generated",
                "X-MS-Exchange-Inbox-Rules-Loop: ann@example.org",
                "X-Auto-Response-Suppress: All",
                "x-ms-exchange-generated-message-source: Mailbox Rules Agent",
            ),
        )
    )
    # Relays that clean headers leave nothing but the subject.
    OFFICES.append(
        Robot(f"Exchange {language} stripped", robot_mail(f"{prefix}{SUBJECT}", "Away."))
    )
for prefix in OLD_EXCHANGE:
    OFFICES.append(
        Robot(f"old Exchange {prefix}", robot_mail(f"{prefix}{SUBJECT}", "Away.", path=""))
    )
OFFICES.append(Robot(
    "Gmail vacation",
    robot_mail(f"Urlaub Re: {SUBJECT}", "Bin weg.", "Auto-Submitted: auto-replied", "Precedence: bulk",
          "X-Autoreply: yes"),
))  # fmt: skip
OFFICES.append(Robot(
    "Zimbra",
    robot_mail(f"Re: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied (zimbra; vacation)",
          "Precedence: bulk", path=""),
))  # fmt: skip
OFFICES.append(Robot("sieve", robot_mail(f"Auto: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied (vacation)",
                           "X-Sieve: Pigeonhole Sieve 0.5.21", path="")))  # fmt: skip
OFFICES.append(
    Robot(
        "sieve own subject",
        robot_mail("I am on holiday", "Away.", "Auto-Submitted: auto-replied (vacation)"),
    )
)
OFFICES.append(
    Robot(
        "vacation(1)",
        robot_mail(
            "away from my mail",
            "Away.",
            "Precedence: bulk",
            "Delivered-By-The-Graces-Of: the Vacation program",
        ),
    )
)
OFFICES.append(Robot("vacation stripped", robot_mail(f"away from my mail Re: {SUBJECT}", "Away.")))
OFFICES.append(
    Robot(
        "procmail",
        robot_mail(f"Re: {SUBJECT}", "Away.", "X-Loop: ann@example.org", "Precedence: junk"),
    )
)
OFFICES.append(
    Robot(
        "qmail-autoresponder",
        robot_mail(
            "Autoreply", "Away.", "Delivered-To: Autoresponder", "Precedence: junk", path=""
        ),
    )
)
OFFICES.append(
    Robot(
        "cPanel",
        robot_mail(
            f"Autoreply: {SUBJECT}",
            "Away.",
            "X-Autorespond: Re",
            "Precedence: auto_reply",
            "X-Precedence: auto_reply",
        ),
    )
)
OFFICES.append(
    Robot(
        "Plesk",
        robot_mail(
            f"Re: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied", "X-PPP-Message-ID: <x>"
        ),
    )
)
OFFICES.append(
    Robot(
        "iCloud",
        robot_mail(
            f"Re: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied", "X-MANTSH: 1TEIXWV4bG"
        ),
    )
)
OFFICES.append(
    Robot(
        "Yahoo",
        robot_mail(
            f"Yahoo! Auto Response Re: {SUBJECT}",
            "Away.",
            "X-Autoreply: yes",
            "Precedence: auto_reply",
        ),
    )
)
OFFICES.append(Robot("Yahoo old", robot_mail("Yahoo! Auto Response", "Away.")))
OFFICES.append(
    Robot(
        "AOL",
        robot_mail(
            f"Away: {SUBJECT}", "Away.", "X-AOL-Autoreply: yes", "Auto-Submitted: auto-replied"
        ),
    )
)
OFFICES.append(
    Robot(
        "GMX",
        robot_mail(
            f"Autoreply: {SUBJECT}",
            "Bin weg.",
            "X-UI-Message-Type: autoreply",
            "Auto-Submitted: auto-replied",
        ),
    )
)
OFFICES.append(
    Robot("web.de", robot_mail("Abwesenheitsnotiz", "Bin weg.", "Auto-Submitted: auto-replied"))
)
OFFICES.append(
    Robot(
        "mail.ru",
        robot_mail(f"Автоответ: {SUBJECT}", "Нет на месте.", "Auto-Submitted: auto-replied"),
    )
)
OFFICES.append(
    Robot(
        "Yandex",
        robot_mail(
            f"Автоответ: {SUBJECT}",
            "Нет.",
            "Auto-Submitted: auto-replied",
            "X-Yandex-Autoreply: yes",
        ),
    )
)
OFFICES.append(
    Robot(
        "QQ",
        robot_mail(
            f"自动回复: {SUBJECT}",
            "您好",
            "X-QQ-STYLE: autoreply",
            writer='"ann" <ann@example.com>',
        ),
    )
)
OFFICES.append(Robot("163", robot_mail(f"自动回复: {SUBJECT}", "您好", "X-Autoreply: true")))
OFFICES.append(
    Robot("Naver", robot_mail(f"[부재중] {SUBJECT}", "부재중", "Auto-Submitted: auto-replied"))
)
OFFICES.append(
    Robot(
        "Fastmail",
        robot_mail(f"Out of office: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied (vacation)"),
    )
)
OFFICES.append(
    Robot(
        "Proton",
        robot_mail(
            f"Auto: {SUBJECT}",
            "Away.",
            "Auto-Submitted: auto-replied",
            "X-Autoreply: yes",
            "Precedence: auto_reply",
        ),
    )
)
OFFICES.append(
    Robot(
        "Zoho",
        robot_mail(
            f"Out of office Re: {SUBJECT}", "Away.", "Precedence: bulk", "X-Zoho-AutoReply: true"
        ),
    )
)
OFFICES.append(Robot("Tuta", robot_mail("Out of office", "Away.", "Auto-Submitted: auto-replied")))
OFFICES.append(
    Robot(
        "Notes",
        robot_mail(
            "Ann is out of the office (returning 01.12.2026)",
            "I am out of the office until 01.12.",
            "Auto-Submitted: auto-generated",
            "X-Mailer: Lotus Domino",
        ),
    )
)
OFFICES.append(
    Robot(
        "Notes stripped",
        robot_mail("AUTO: Ann is out of the office (returning 01.12.2026)", "Away until 01.12."),
    )
)
OFFICES.append(
    Robot(
        "GroupWise",
        robot_mail(
            f"Re: {SUBJECT} (Out of Office)",
            "Away.",
            "X-Mailer: Novell GroupWise Internet Agent 8.0",
            "Auto-Submitted: auto-replied",
        ),
    )
)
OFFICES.append(
    Robot(
        "FirstClass",
        robot_mail(f"Re: {SUBJECT}", "Away.", "X-FC-MachineGenerated: true", "X-FC-Icon-ID: 2031"),
    )
)
OFFICES.append(
    Robot(
        "Kerio",
        robot_mail(
            f"Auto-reply: {SUBJECT}",
            "Away.",
            "Auto-Submitted: auto-replied",
            "X-Mailer: Kerio Connect",
        ),
    )
)
OFFICES.append(
    Robot(
        "MDaemon",
        robot_mail(
            f"Auto: {SUBJECT}", "Away.", "X-MDAutoResponder: ann@example.org", "Precedence: bulk"
        ),
    )
)
OFFICES.append(
    Robot(
        "Communigate",
        robot_mail(
            f"Re: {SUBJECT}", "Away.", "X-Autogenerated: Reply", "Auto-Submitted: auto-replied"
        ),
    )
)
OFFICES.append(
    Robot("SmarterMail", robot_mail(f"Auto-Reply: {SUBJECT}", "Away.", "X-AutoReply: yes"))
)
OFFICES.append(
    Robot(
        "hMailServer",
        robot_mail(
            f"Re: {SUBJECT}", "Away.", "X-hMailServer-LoopCount: 1", "Auto-Submitted: auto-replied"
        ),
    )
)
OFFICES.append(
    Robot(
        "Roundcube sieve",
        robot_mail(f"Auto: {SUBJECT}", "Away.", "Auto-Submitted: auto-replied (vacation)", path=""),
    )
)
OFFICES.append(
    Robot(
        "ISPConfig",
        robot_mail(
            f"Out of office: {SUBJECT}",
            "Away.",
            "Auto-Submitted: auto-replied (vacation)",
            "Precedence: bulk",
        ),
    )
)


# --- tickets, receipts, lists ---------------------------------------------------------------------


SERVICES: Final[list[Robot]] = []

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
    SERVICES.append(
        Robot(
            system,
            robot_mail(
                subject,
                "We have received your request.",
                *fields,
                writer=f"Desk <{ticket}>",
                path=ticket,
            ),
        )
    )
SERVICES.append(
    Robot(
        "challenge",
        robot_mail(
            f"Re: {SUBJECT}",
            "Click to confirm that you are a person.",
            "Auto-Submitted: auto-replied",
            "X-Spamarrest: challenge",
            writer="no-reply@spamarrest.example",
        ),
    )
)
SERVICES.append(
    Robot(
        "boxbe",
        robot_mail(
            f"Re: {SUBJECT} (Action Required)",
            "Click here.",
            "Auto-Submitted: auto-replied",
            "Precedence: bulk",
            writer="Boxbe <noreply@boxbe.example>",
        ),
    )
)
SERVICES.append(
    Robot(
        "MDN",
        robot_mail(
            f"Read: {SUBJECT}",
            "Your message was read.",
            'Content-Type: multipart/report; report-type=disposition-notification; boundary="b"',
        ),
    )
)
SERVICES.append(
    Robot(
        "MDN deleted",
        robot_mail(
            f"Not read: {SUBJECT}",
            "--b\nContent-Type: message/disposition-notification\n\nDisposition: automatic-action/MDN-sent-automatically; deleted\n--b--",
            'Content-Type: multipart/report; report-type=disposition-notification; boundary="b"',
            path="",
        ),
    )
)
SERVICES.append(
    Robot(
        "ARF",
        robot_mail(
            "FW: complaint",
            "--b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n--b--",
            'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
            writer="staff@hotmail.example",
        ),
    )
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
    SERVICES.append(
        Robot(system, robot_mail(subject, "See the list.", *fields, writer=writer, path=writer))
    )
SERVICES.append(
    Robot(
        "newsletter",
        robot_mail(
            "Our offers",
            "Buy now.",
            "List-Unsubscribe: <https://x.example/u>",
            "List-Id: <news.example.com>",
            "Precedence: bulk",
            writer="Shop <news@shop.example.com>",
        ),
    )
)
SERVICES.append(
    Robot(
        "notification",
        robot_mail(
            "Ann liked your post",
            "See it.",
            "Auto-Submitted: auto-generated",
            writer="Social <notify@social.example.com>",
        ),
    )
)
SERVICES.append(
    Robot(
        "notification stripped",
        robot_mail("Your receipt", "Thanks.", writer="Shop <no-reply@shop.example.com>"),
    )
)
SERVICES.append(
    Robot(
        "cron",
        robot_mail(
            "Cron <root@host> run-parts",
            "done",
            "Auto-Submitted: auto-generated",
            "X-Cron-Env: <SHELL=/bin/sh>",
            writer="root@host.example.org",
        ),
    )
)
SERVICES.append(
    Robot(
        "calendar",
        robot_mail(
            f"Accepted: {SUBJECT}",
            "Accepted.",
            "Auto-Submitted: auto-generated",
            "Content-Class: urn:content-classes:calendarmessage",
        ),
    )
)
SERVICES.append(
    Robot(
        "our own",
        robot_mail(
            SUBJECT,
            "Your move",
            "X-PBEM: match=K7QX2; version=9",
            "Auto-Submitted: auto-generated",
            writer=f"Logger K7QX2 <{OURS}>",
        ),
    )
)


def robots() -> tuple[Robot, ...]:
    """Every automatic mail."""
    return (*OFFICES, *SERVICES, *FAILURES, *COMPLAINTS, *REPORTS)
