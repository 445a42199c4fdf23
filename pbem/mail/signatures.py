"""Where a person's words end: signature marks, what phones add, and SIGNOFF."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from pbem.mail.lines import Line

_MARKS: Final = frozenset({"--", "signoff"})
_DASHES: Final = frozenset({"\u2013", "\u2014"})  # what phones make of `--`
_RULE: Final = re.compile(r"_{3,}")
# "Sent from my phone", by its first words; case is folded.
_SENT: Final = tuple(
    sent.casefold()
    for sent in (
        "Sent from", "Sent via", "Sent with", "Sent using", "Sent by", "Get Outlook for",
        "Get BlueMail", "Get TypeApp", "Get the all-new", "Yahoo Mail:", "Sent securely",
        "Download Outlook", "Von meiner", "Von unterwegs gesendet", "Enviado via", "Enviado vía",
        "Envoyé via", "Inviato tramite", "Verzonden via", "Skickat via", "Sendt via", "Skickat med",
        "Sendt med", "Wysłano za", "Wysłane za", "Virus-free", "Virenfrei", "Libre de virus",
        "Sans virus", "This email has been checked", "This e-mail has been checked",
        "Confidentiality notice", "This e-mail and any", "This email and any",
        "This message and any", "The information contained in this", "Diese E-Mail enthält",
        "Diese Nachricht enthält vertrauliche", "Ce message et toutes", "Ce courriel et",
        "Este mensaje y sus", "Este correo electrónico y", "Esta mensagem e seus",
        "Questo messaggio e i", "Dit bericht en",
        "Sent on the go", "Typed on my", "Von meinem", "Gesendet von", "Gesendet mit",
        "Gesendet über", "Diese Nachricht wurde von meinem", "Diese Nachricht wurde mit",
        "Holen Sie sich Outlook", "Outlook für", "Hol dir Outlook", "Envoyé de", "Envoyé depuis",
        "Envoyé à partir", "Envoyé avec", "Télécharger Outlook", "Obtenez Outlook",
        "Provenance : ", "Enviado desde", "Enviado de", "Enviado do", "Enviado a partir",
        "Enviado con", "Enviado com", "Obtener Outlook", "Obter o Outlook", "Obtenha o Outlook",
        "Inviato da", "Inviato con", "Ottieni Outlook", "Scarica Outlook", "Verzonden vanaf",
        "Verzonden met", "Verstuurd vanaf", "Outlook voor", "Skickat från", "Hämta Outlook",
        "Sendt fra", "Hent Outlook", "Skaff deg Outlook", "Lähetetty", "Hanki Outlook",
        "Wysłano z", "Wysłane z", "Wysłane ze", "Pobierz Outlook", "Odesláno z", "Získat Outlook",
        "Odoslané z", "Odoslané zo", "Elküldve", "Küldve", "Az én", "Trimis de pe", "Trimis din",
        "Poslano z", "Poslano s", "Изпратено от", "Отправлено из", "Отправлено с", "Отправлено от",
        "Отправлено через", "Послано с", "Надіслано з", "Надіслано від", "Στάλθηκε από",
        "Απεσταλμένο από", "iPhone'umdan", "Android cihazımdan", "iPhone'dan gönderildi",
        "Outlook'u edinin", "נשלח מ", "أرسلت من", "أُرسلت من", "مرسل من", "ส่งจาก", "Gửi từ",
        "Dikirim dari", "Dihantar dari", "iPhoneから送信", "iPadから送信", "私のiPhone", "发自我的",
        "發自我的", "从我的", "從我的", "来自我的", "发送自", "寄自", "나의 iPhone", "내 iPhone",
        "iPhone에서 보냄", "Galaxy에서 보냄", "Outlook for",
    )
)  # fmt: skip


def _listed(words: str) -> list[str]:
    return words.split()


_SIGN_OFFS: Final = frozenset(
    _listed(
        "regards best wishes cheers sincerely yours truly faithfully kind warm warmest br kr"
        " cordially love xoxo"
        " gruß gruss grüße grüsse grüßen grüssen lg vg mfg bg viele liebe lieben schöne beste"
        " besten herzliche herzlichen freundliche freundlichen mit schönen vielen lieber"
        " cordialement amicalement bises bisous salutations amitiés bien sincères"
        " saludos saludo abrazo abrazos atentamente cordialmente un cordial cordiales"
        " abraço abraços atenciosamente cumprimentos um melhores"
        " saluti saluto cordiali distinti cari abbraccio"
        " groet groeten groetjes mvg met vriendelijke hartelijke"
        " hälsningar hälsning mvh vänliga vänlig med hilsen hilsner venlig vennlig kh vh beste"
        " terveisin terveiset ystävällisin"
        " pozdrawiam pozdrowienia pozdrowieniami poważaniem z pozdravem pozdravy přeje"
        " уважением наилучшими пожеланиями с повагою з поздрави уважение pozdrav pozdravi"
        " üdvözlettel üdv tisztelettel stimă cu drag saygılarımla saygılar sevgiler selamlar"
        " χαιρετισμούς χαιρετίσματα εκτίμηση με"
        " 此致 敬礼 敬禮 敬具 草々 드림 올림"
    )
)
"""Words of the line with which people end a letter; `thanks` and `good luck` are for the other."""

_WEAK: Final = frozenset(
    _listed(
        "love kind warm best wishes bien un um met med mit z s с з cu me με viele liebe lieben"
        " lieber schöne schönen vielen beste besten yours true bg drag"
    )
)
"""Those that do not end a letter without a stronger one beside them."""

_NO_PROGRAM: Final = ("sent by mistake", "sent by accident", "sent by error")
"""Lines that begin as a phone's do and are a person's."""

_ALONE: Final = ("best", "best wishes", "yours", "love", "all the best")
_SIGN_WORDS: Final = 7
_NAMED: Final = 3


def is_sign_off(line: str) -> bool:
    """Whether a line is nothing but the end of a letter (`Best regards, Ann`)."""
    found = line.split()
    words = [word.strip(" .,;!-").casefold() for word in found]
    if not 0 < len(words) <= _SIGN_WORDS:
        return False
    if " ".join(words) in _ALONE:
        return True
    first = 0
    while first < len(words) and words[first] in _SIGN_OFFS:
        first += 1
    names = found[first:]
    strong = any(word not in _WEAK for word in words[:first])
    return strong and len(names) <= _NAMED and all(word[:1].isupper() for word in names)


def begins_notice(line: str) -> bool:
    """Whether a line begins what programs and companies add to letters."""
    folded = line.casefold()
    return folded.startswith(_SENT) and not folded.startswith(_NO_PROGRAM)


def _ends(line: Line) -> bool:
    return (
        line.text.casefold() in _MARKS
        or line.raw.strip() in _DASHES
        or _RULE.fullmatch(line.text) is not None
    )


def without_signature(lines: Iterable[Line]) -> list[Line]:
    """The lines up to the first mark of a signature.

    A phone's "Sent from" also ends them, unless nothing stands above it: then the text is below.
    """
    return split_signature(lines)[0]


def split_signature(lines: Iterable[Line]) -> tuple[list[Line], list[Line]]:
    """The lines above the mark of a signature, and those from it on."""
    kept: list[Line] = []
    rest = iter(lines)
    typed = False
    for line in rest:
        sent = begins_notice(line.text)
        if _ends(line) or (sent and typed):
            return kept, [line, *rest]
        if not sent:
            typed = typed or bool(line.text)
            kept.append(line)
    return kept, []
