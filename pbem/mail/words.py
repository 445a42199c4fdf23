"""Word lists by language: phrases that people and mail programs write around moves and commands.

English and German are complete; French, Spanish and Dutch have the most common words. All entries
are in lower case, with plain quotes and dashes, as `normal.normalise` makes them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

# --- what programs write -------------------------------------------------------------------------

AUTOMATIC_SUBJECTS: Final[Mapping[str, tuple[str, ...]]] = {  # such as "out of office"
    # Without accents, because programs leave them out.
    "en": (
        "out of office", "out of the office", "out-of-office", "ooo:", "ooo re:", "auto:",
        "auto re:", "autoreply", "auto-reply", "auto reply", "auto response", "autoresponse",
        "auto-response", "automatic reply", "automatic response", "automated reply",
        "automated response", "vacation response", "vacation reply", "vacation message",
        "away from my mail", "away from the office", "i am out of the office",
        "i'm out of the office", "yahoo! auto response",
    ),
    "de": (
        "automatische antwort", "automatische ruckantwort", "automatisch generierte",
        "autoantwort", "abwesenheitsnotiz", "abwesenheitsmeldung", "abwesenheitsnachricht",
        "abwesenheitsassistent", "abwesend:", "abwesenheit:", "nicht im buro", "nicht im haus",
        "ausser haus", "urlaubsnachricht", "eingangsbestatigung",
    ),
    "fr": (
        "reponse automatique", "message automatique", "absence du bureau", "absent du bureau",
        "avis d'absence", "notification d'absence", "absence :", "absence:", "absent :", "absent:",
    ),
    "es": (
        "respuesta automatica", "fuera de la oficina", "fuera de oficina", "autorespuesta",
        "autorrespuesta", "mensaje automatico", "aviso de ausencia", "ausente:", "ausencia:",
    ),
    "nl": (
        "automatisch antwoord", "automatische reactie", "automatisch bericht",
        "afwezigheidsbericht", "afwezig:", "afwezigheid:", "niet op kantoor", "buiten kantoor",
    ),
}  # fmt: skip

FAILURE_SUBJECTS: Final[Mapping[str, tuple[str, ...]]] = {  # such as "undeliverable"
    "en": (
        "undeliverable", "undelivered", "returned mail", "mail delivery fail",
        "mail delivery system", "mail delivery status", "mail delivery notification",
        "delivery status notification", "delivery failure", "delivery has failed",
        "delivery report", "delivery delayed", "delivery notification: delivery", "failure notice",
        "message undeliverable", "could not be delivered", "mail could not be delivered",
        "your message could not be delivered", "sorry, your message could not be delivered",
        "message delivery has failed", "message delivery fail", "email delivery failure",
        "failed delivery", "warning: could not send", "warning: message", "mail system error",
        "postmaster notify", "message frozen",
    ),
    "de": ("unzustellbar", "nicht zustellbar"),
    "fr": ("non remis", "non distribu", "message non distribue", "echec de"),
    "es": ("no se puede entregar", "no se pudo entregar", "no entregado", "error de entrega"),
    "nl": ("onbestelbaar", "niet bezorgd", "niet afgeleverd", "bezorging mislukt"),
}  # fmt: skip

FOOTERS: Final[Mapping[str, tuple[str, ...]]] = {  # programs add these lines
    "en": (
        "sent from", "sent via", "sent with", "sent using", "sent on the go", "sent securely",
        "get outlook for", "get bluemail", "outlook for", "yahoo mail:", "typed on my",
        "download outlook", "virus-free", "disclaimer", "confidentiality notice",
        "this communication is", "this message is confidential", "this email is confidential",
        "this e-mail is confidential", "this email has been", "this e-mail has been",
        "this email and any", "this e-mail and any", "this message and any",
        "the information contained in this", "if you have received this",
        "if you are not the intended",
    ),
    "de": (
        "von meinem", "von meiner", "von unterwegs gesendet", "gesendet von", "gesendet mit",
        "gesendet über", "diese nachricht wurde von meinem", "diese nachricht wurde mit",
        "holen sie sich outlook", "hol dir outlook", "outlook für", "virenfrei",
        "haftungsausschluss", "diese e-mail enthält", "diese nachricht enthält vertrauliche",
    ),
    "fr": ("envoyé de", "envoyé depuis", "envoyé à partir", "envoyé avec", "envoyé via",
           "ce message et toutes", "ce message est confidentiel", "sans virus"),
    "es": ("enviado desde", "enviado con", "enviado vía", "este mensaje y sus",
           "este mensaje es confidencial", "libre de virus"),
    "nl": ("verzonden vanaf", "verstuurd vanaf", "verzonden via", "verzonden met",
           "dit bericht en", "virusvrij"),
}  # fmt: skip

RULES: Final[Mapping[str, tuple[str, ...]]] = {  # as in `--Original Message--`
    "en": ("original message", "forwarded message"),
    "de": ("ursprüngliche nachricht", "weitergeleitete nachricht"),
    "fr": ("message d'origine", "message original"),
    "es": ("mensaje original", "mensaje reenviado"),
    "nl": ("oorspronkelijk bericht", "origineel bericht"),
}

# --- what people write ---------------------------------------------------------------------------

GREETINGS: Final[Mapping[str, tuple[str, ...]]] = {  # one or two names may follow
    "en": ("hi", "hi there", "hi again", "hello", "hello there", "hello again", "hey", "dear",
           "good morning", "good afternoon", "good evening"),
    "de": ("hallo", "moin", "servus", "liebe", "lieber", "guten morgen", "guten tag",
           "guten abend", "grüß dich"),
    "fr": ("bonjour", "salut", "bonsoir", "coucou", "cher", "chère"),
    "es": ("hola", "buenos días", "buenas tardes", "buenas noches", "querido", "querida"),
    "nl": ("hoi", "dag", "beste", "goedemorgen", "goedemiddag", "goedenavond"),
}  # fmt: skip

# Ignored before a move or command, but not after a move, which they may be part of.
LEAD_INS: Final[Mapping[str, tuple[str, ...]]] = {
    "en": (
        "i", "i'll", "i will", "i'd like to", "i would like to", "i want to", "i choose",
        "i choose to", "i play", "i move", "i go", "let's", "let me", "my", "my move", "my move is",
        "my next move", "my turn", "my reply", "my answer", "move", "action", "play", "go", "to",
        "the", "here", "here is", "here's", "here goes", "it's", "for me", "then", "so", "and",
        "this time", "answer", "reply",
    ),
    "de": (
        "ich", "ich spiele", "ich ziehe", "ich gehe", "ich möchte", "ich nehme", "ich mache",
        "mein", "mein zug", "mein nächster zug", "mein zug ist", "zug", "aktion", "antwort", "der",
        "die", "das", "spiele", "ziehe", "gehe", "nach", "hier", "hier ist", "hier kommt", "dann",
        "also", "und", "nun",
    ),
    "fr": ("je", "je joue", "je vais", "mon", "mon coup", "voici", "le", "la", "puis", "alors",
           "et", "ici"),
    "es": ("yo", "juego", "voy", "mi", "mi jugada", "mi turno", "el", "luego", "entonces", "aquí"),
    "nl": ("ik", "ik speel", "ik ga", "mijn", "mijn zet", "het", "naar", "dan", "dus", "en",
           "hier is"),
}  # fmt: skip

# Ignored before and after a move or command; no game uses these phrases in moves.
PLEASANTRIES: Final[Mapping[str, tuple[str, ...]]] = {
    "en": (
        "please", "pls", "plz", "thanks", "thank you", "thanks a lot", "thank you very much",
        "many thanks", "thx", "ok", "okay", "yes", "well", "alright", "great", "good", "cool",
        "nice", "nice move", "nice one", "good move", "great move", "well played", "good game",
        "great game", "nice game", "good luck", "have fun", "your turn", "your move",
        "over to you", "there you go", "here you go", "sorry for the delay", "cheers", "best",
        "all the best", "best wishes", "best regards", "kind regards", "warm regards", "regards",
        "with best wishes", "yours", "yours truly", "sincerely", "love", "bye", "see you",
        "see you soon", "take care", "have a nice day", "have a good day", "have a nice weekend",
        "enjoy", "haha", "lol", "happy birthday",
    ),
    "de": (
        "bitte", "bitte schön", "danke", "danke schön", "dankeschön", "danke dir", "vielen dank",
        "besten dank", "ok", "okay", "ja", "gut", "super", "prima", "schön", "toll", "schöner zug",
        "guter zug", "gut gespielt", "gutes spiel", "schönes spiel", "viel glück", "viel spaß",
        "viel erfolg", "du bist dran", "dein zug", "gruß", "grüße", "gruss", "grüsse",
        "viele grüße", "viele grüsse", "liebe grüße", "lieben gruß", "schöne grüße",
        "schönen gruß", "beste grüße", "herzliche grüße", "freundliche grüße",
        "mit freundlichen grüßen", "mit besten grüßen", "mit lieben grüßen", "lg", "vg", "mfg",
        "bis bald", "bis dann", "tschüss", "schönen tag", "schönen tag noch", "schönen abend",
        "schönes wochenende", "haha",
    ),
    "fr": (
        "merci", "merci beaucoup", "s'il te plaît", "s'il vous plaît", "svp", "stp", "oui",
        "d'accord", "bien", "bravo", "bien joué", "bonne chance", "à toi", "à bientôt",
        "cordialement", "amicalement", "bises", "salutations", "bonne journée",
    ),
    "es": (
        "gracias", "muchas gracias", "por favor", "sí", "vale", "bien", "bueno", "suerte",
        "buena suerte", "te toca", "tu turno", "saludos", "un saludo", "un abrazo", "abrazos",
        "hasta pronto", "adiós", "buen día",
    ),
    "nl": (
        "graag", "bedankt", "dank je", "dank je wel", "dank u", "alsjeblieft", "aub", "ja", "oké",
        "goed", "mooi", "mooie zet", "succes", "jouw beurt", "jij bent", "groet", "groeten",
        "groetjes", "mvg", "met vriendelijke groet", "tot ziens", "fijne dag",
    ),
}  # fmt: skip

YES: Final[Mapping[str, tuple[str, ...]]] = {
    "en": ("yes", "y", "yep", "yeah", "yup", "sure", "ok", "okay", "of course", "gladly",
           "i'm in", "im in", "i am in", "count me in", "i accept", "agreed", "confirm",
           "confirmed", "i confirm", "with pleasure", "why not", "let's play"),
    "de": ("ja", "jawohl", "jo", "klar", "na klar", "gerne", "gern", "sicher", "einverstanden",
           "ich bin dabei", "bin dabei", "natürlich", "bestätigt", "ich bestätige"),
    "fr": ("oui", "d'accord", "volontiers", "bien sûr", "avec plaisir", "j'accepte"),
    "es": ("sí", "si", "vale", "claro", "de acuerdo", "con gusto", "acepto"),
    "nl": ("ja", "graag", "prima", "akkoord", "zeker", "ik doe mee"),
}  # fmt: skip

NO: Final[Mapping[str, tuple[str, ...]]] = {
    "en": ("no", "n", "nope", "no thanks", "no thank you", "not now", "never mind"),
    "de": ("nein", "nö", "nein danke", "lieber nicht", "leider nicht"),
    "fr": ("non", "non merci"),
    "es": ("no gracias",),
    "nl": ("nee", "nee bedankt"),
}  # fmt: skip

# Strangers, and actions that cannot be undone, need one of these words alone on the first line.
STRICT_YES: Final = frozenset({"yes", "ja", "oui", "sí"})

REFUSALS: Final = frozenset({  # a `yes` in the same paragraph is not a strict yes
    "no", "not", "don't", "dont", "doesn't", "didn't", "never", "nothing", "stop", "cancel",
    "unsubscribe", "refuse", "decline", "wrong", "nein", "nicht", "nie", "niemals", "kein", "keine",
    "keinen", "stopp", "abbrechen", "falsch", "ablehnen", "non", "pas", "jamais", "nunca", "nee",
    "niet", "nooit", "geen",
})  # fmt: skip

UNSUBSCRIBE_WORDS: Final = frozenset({"stop", "unsubscribe", "stopp"})  # in answers to invitations

AGREEMENTS: Final = re.compile(  # they agree, although they contain a word that refuses
    r"why not|no (?:problem|worries)|not bad|warum (?:denn )?nicht|wieso nicht|kein problem"
)

SUSPICIOUS: Final[Mapping[str, tuple[str, ...]]] = {  # may change a move
    "en": ("wait", "undo", "oops", "instead", "rather", "actually", "unless", "cancel", "ignore",
           "forget", "mistake", "wrong", "maybe", "perhaps", "hold", "scratch", "disregard",
           "unsure", "probably", "meant", "correction", "turned", "flipped", "rotated", "reversed",
           "swap", "upside", "side"),
    "de": ("warte", "doch", "lieber", "statt", "stattdessen", "falls", "vielleicht", "vertippt",
           "verschrieben", "falsch", "fehler", "quatsch", "vergiss", "eigentlich", "sondern",
           "meinte", "korrektur", "ignoriere", "abbrechen", "eventuell", "gedreht", "umgedreht",
           "gewendet", "tausche", "seite"),
    "fr": ("attends", "plutôt", "peut-être", "erreur", "annule"),
    "es": ("espera", "mejor", "quizás", "error", "cancela"),
    "nl": ("wacht", "liever", "misschien", "fout", "vergissing"),
}  # fmt: skip

# Words that may take back a move only in a remark of at most six words.
SUSPICIOUS_IF_SHORT: Final[Mapping[str, tuple[str, ...]]] = {
    "en": ("no", "not", "don't", "dont", "or", "if", "said", "would", "could", "might",
           "should", "tomorrow", "later", "next", "first", "mean", "but", "other", "back"),
    "de": ("moment", "nicht", "nein", "oder", "wenn", "zurück",
           "morgen", "später", "nächster", "nächsten", "zuerst", "würde", "könnte", "hätte",
           "sagte", "aber"),
    "fr": ("non", "pas", "ou", "mais", "demain"),
    "es": ("no", "pero", "mañana"),
    "nl": ("nee", "niet", "als", "maar", "morgen"),
}  # fmt: skip

# Words that may take back the move above a remark if they are among its first two words.
DENIALS: Final = frozenset({"no", "nope", "or", "nein", "nö", "nee", "oder", "non", "ou"})

FAREWELLS: Final = frozenset({  # names and addresses may follow below
    "regards", "wishes", "cheers", "sincerely", "yours", "best", "love", "gruß", "grüße", "gruss",
    "grüsse", "lg", "vg", "mfg", "cordialement", "amicalement", "bises", "salutations", "saludos",
    "abrazo", "abrazos", "groet", "groeten", "groetjes", "mvg",
})  # fmt: skip

POSTSCRIPTS: Final = frozenset({  # first words of paragraphs that add to the text above
    "p", "ps", "pps", "nb", "edit", "erratum", "correction", "korrektur",
})  # fmt: skip

CONTINUATIONS: Final = frozenset({  # a sentence whose line ends with one continues on the next line
    "a", "an", "the", "to", "of", "for", "with", "and", "or", "if", "whether", "that", "than", "my",
    "der", "die", "das", "ein", "eine", "zu", "von", "mit", "und", "oder", "ob", "dass", "wenn",
})  # fmt: skip
