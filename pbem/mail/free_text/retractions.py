"""Words that take a move back in the letter that has it, or put it off: then it is asked about.

Unlike a second move these can be known by words alone: those of the catalogues, and here those of
more languages that are common. Most count only as a clause of their own (`No, wait`): the same
words stand in sentences that take nothing back (`I had to wait`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.mail.verbs.vocabulary import Vocabulary

_WORD: Final = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


_ALONE: Final = (
    # French
    "non attends|attends|attendez|attends non|pas encore|pas ça|pas maintenant|finalement non|"
    "en fait non|une seconde|un instant|annule|annulez|je plaisante|laisse tomber|stop non|"
    "brouillon|ou pas|plutôt pas|"
    # Spanish
    "no espera|espera|espere|espera no|todavía no|aún no|aun no|todavia no|mejor no|un momento|"
    "cancela|cancelar|olvídalo|olvidalo|es broma|era broma|borrador|ahora no|ese no|"
    # Portuguese
    "não espera|espera|espere|ainda não|melhor não|um momento|cancela|esquece|é brincadeira|"
    "brincadeira|rascunho|agora não|nao espera|ainda nao|"
    # Italian
    "aspetta|no aspetta|non ancora|meglio di no|anzi no|un momento|un attimo|annulla|lascia stare|"
    "lascia perdere|scherzo|sto scherzando|bozza|ripensandoci|"
    # Dutch
    "nee wacht|wacht|wacht even|nog niet|toch niet|liever niet|even wachten|stop|grapje|"
    "laat maar|annuleer|"
    # Swedish, Danish, Norwegian
    "nej vänta|vänta|vänta lite|inte än|inte ännu|hellre inte|ångra|glöm det|skojar|skämt|"
    "nej vent|vent|vent lidt|ikke endnu|alligevel ikke|glem det|bare for sjov|nei vent|"
    "vent litt|ikke ennå|ikke enda|likevel ikke|bare tull|"
    # Finnish, Estonian
    "ei odota|odota|odota hetki|ei vielä|ei sittenkään|sittenkään ei|unohda|vitsi|"
    "oota|ära veel|mitte veel|"
    # Polish, Czech, Slovak
    "nie czekaj|czekaj|poczekaj|jeszcze nie|jednak nie|chwila|chwileczkę|anuluj|żart|żartuję|"
    "ne počkej|počkej|počkejte|ještě ne|radši ne|raději ne|zruš to|moment|"
    "nie počkaj|počkaj|ešte nie|radšej nie|zruš|"
    # Russian, Ukrainian, Bulgarian, Serbian
    "нет подожди|подожди|подождите|погоди|стой|стоп|ещё нет|еще нет|пока нет|не сейчас|отмена|"
    "отмени|шутка|шучу|лучше нет|черновик|ой нет|"
    "ні зачекай|зачекай|стривай|ще ні|поки ні|скасуй|жарт|"
    "чакай|не чакай|още не|изчакай|чекај|не чекај|још не|čekaj|ne čekaj|još ne|"
    # Hungarian, Romanian, Turkish, Greek
    "nem várj|várj|várjunk|még ne|még nem|mégsem|inkább ne|vicc|csak vicc|"
    "nu așteaptă|așteaptă|asteapta|nu asteapta|încă nu|inca nu|mai bine nu|anulează|glumesc|"
    "hayır bekle|bekle|daha değil|henüz değil|vazgeçtim|iptal|şaka|şaka yaptım|"
    "όχι περίμενε|περίμενε|όχι ακόμα|όχι ακόμη|άκυρο|ακύρωσε|πλάκα κάνω|"
    # Catalan, Baltic languages, Slovene
    "espera't|encara no|millor no|nē pagaidi|pagaidi|vēl nē|ne palauk|palauk|dar ne|počakaj|"
    "ne počakaj|še ne|raje ne|"
    # Vietnamese, Indonesian, Hindi, Arabic, Hebrew, Persian
    "khoan|khoan đã|chưa|chờ đã|đợi đã|không phải|huỷ|hủy|tunggu|tunggu dulu|belum|jangan|"
    "batal|tidak jadi|रुको|अभी नहीं|नहीं रुको|लَا|انتظر|لا انتظر|ليس بعد|ليس الآن|إلغاء|"
    "רגע|לא רגע|חכה|עדיין לא|עוד לא|לא חכה|ביטול|صبر کن|نه صبر کن|هنوز نه|"
    # Chinese, Japanese, Korean
    "不对|不對|不是|等等|等一下|等下|等一等|先别|先別|还没|還沒|算了|取消|撤回|作废|作廢|"
    "待って|待った|ちょっと待って|違う|やっぱり|やっぱりやめる|まだ|まだです|取り消し|"
    "잠깐|잠깐만|잠시만|아직|아직|취소|농담"
)

_NO: Final = frozenset(
    _words(
        "no nope nah nein non não nao nee nej nei ei nie ne нет ні не nem nu hayır όχι nē không"
        " لا לא نه नहीं 不 いや いいえ 아니 아니요 oops whoops ups oups oeps hoppla"
    )
)
"""Words that do so only as a sentence of their own: `No, I live in Ghent` answers the other."""

_WAIT: Final = frozenset(
    _words(
        "wait attends attendez espera espere esperen aspetta aspetti wacht vänta vent venta odota"
        " oota czekaj poczekaj počkej počkejte počkaj počakaj подожди подождите погоди зачекай"
        " чакай изчакай чекај čekaj várj așteaptă asteapta bekle περίμενε pagaidi palauk tunggu"
        " انتظر חכה warte"
    )
)
"""What somebody is told who shall wait: a short clause that begins with it takes a move back."""

_WAITED_FOR: Final = frozenset(_words("and for till until bis auf og och und et y e i a на sur"))
"""Words behind it that say what is waited for."""

_WAITING: Final = 3
"""Words of such a clause."""

_INSIDE: Final = (
    # French
    "ignore ça|ignorez|ignore ce|oublie ça|oublie ce coup|oubliez ça|oubliez ce|annule ça|"
    "annule ce|"
    "envoyé par erreur|envoyé trop tôt|parti par erreur|parti trop tôt|changé d'avis|"
    "pas mon coup|ne joue pas ça|ne le joue pas|ne pas jouer|ne jouez pas|ne compte pas|"
    "je retire|encore réfléchir|pas encore décidé|c'était une erreur|juste un exemple|"
    # Spanish
    "ignora esto|ignora eso|ignora lo|ignora mi|ignóralo|olvida eso|olvida esto|olvida lo|"
    "olvida mi|enviado por error|enviado sin querer|lo envié por error|mandé por error|"
    "cambié de idea|cambio de idea|cambié de opinión|no juegues eso|no lo juegues|"
    "no es mi jugada|no cuenta|no vale|retiro eso|retiro mi|pensarlo|no he decidido|fue un error|"
    "solo un ejemplo|sólo un ejemplo|anula eso|"
    # Portuguese
    "ignora isso|ignore isso|ignore isto|ignora isto|esquece isso|esqueça isso|enviado por engano|"
    "enviei por engano|mandei por engano|enviado sem querer|mudei de ideia|mudei de ideias|"
    "não jogue isso|não joga isso|não é a minha jogada|não conta|não vale|foi um erro|foi engano|"
    "ainda não decidi|pensar melhor|só um exemplo|cancele isso|cancela isso|"
    # Italian
    "ignora questo|ignora quello|ignoralo|ignora la mossa|dimentica questo|dimentica quello|"
    "dimentica la|inviato per errore|mandato per errore|spedito per errore|inviata per errore|"
    "ho cambiato idea|cambio idea|non giocare questa|non è la mia mossa|non conta|non vale|"
    "ritiro la|ci devo pensare|devo pensarci|devo ancora pensarci|non ho deciso|è stato un errore|"
    "solo un esempio|annulla questo|annulla la|"
    # Dutch
    "negeer dit|negeer dat|negeer mijn|negeer de zet|vergeet dit|vergeet dat|vergeet die zet|"
    "per ongeluk verstuurd|per ongeluk verzonden|per abuis verzonden|te vroeg verstuurd|"
    "van gedachten veranderd|me bedacht|niet mijn zet|telt niet|niet spelen|nog even nadenken|"
    "nog nadenken|was een vergissing|was een foutje|alleen een voorbeeld|neem dat terug|"
    # Swedish, Danish, Norwegian
    "ignorera detta|ignorera det|bortse från|glöm det draget|glöm draget|skickat av misstag|"
    "skickade av misstag|skickades av misstag|ångrat mig|ångrade mig|ändrat mig|räknas inte|"
    "inte mitt drag|måste tänka|tänka mer|tar tillbaka|spela inte|"
    "ignorer dette|ignorer det|se bort fra|glem det træk|glem trækket|sendt ved en fejl|"
    "sendte ved en fejl|fortrudt|ombestemt mig|skiftet mening|tæller ikke|ikke mit træk|"
    "tænke mere|spil det ikke|sendt ved en feil|sendt ved et uhell|ombestemt meg|teller ikke|"
    "ikke mitt trekk|glem trekket|må tenke|spill det ikke|tar det tilbake|"
    # Finnish, Estonian
    "unohda tuo|unohda se|älä välitä|jätä huomiotta|lähetin vahingossa|lähetetty vahingossa|"
    "vahingossa lähetetty|muutin mieltäni|muutin mieleni|peru tuo|peru se|älä pelaa|"
    "ei ole siirtoni|mietin vielä|täytyy miettiä|ignoreeri seda|unusta see|saatsin kogemata|"
    "kogemata saadetud|mõtlesin ümber|"
    # Polish, Czech, Slovak
    "zignoruj to|zignoruj ten|ignoruj to|zapomnij o tym|zapomnij o|wysłane przez pomyłkę|"
    "wysłałem przez pomyłkę|wysłałam przez pomyłkę|przez pomyłkę wysłane|zmieniłem zdanie|"
    "zmieniłam zdanie|to nie mój ruch|nie liczy się|nie graj tego|cofam to|cofam ruch|"
    "muszę pomyśleć|muszę się zastanowić|to była pomyłka|tylko przykład|"
    "ignoruj to|ignorujte|zapomeň na to|zapomeň na|odesláno omylem|posláno omylem|"
    "poslal jsem omylem|omylem odesláno|rozmyslel jsem|rozmyslela jsem|nepočítá se|to neplatí|"
    "nehraj to|ještě přemýšlím|musím přemýšlet|byl to omyl|jen příklad|beru zpět|"
    "zabudni na to|odoslané omylom|poslané omylom|rozmyslel som|rozmyslela som|neplatí to|"
    # Russian, Ukrainian, Bulgarian, Serbian
    "игнорируй|игнорируйте|проигнорируй|не обращай внимания|не обращайте внимания|забудь это|"
    "забудь об этом|забудь про|забудьте|отправил по ошибке|отправила по ошибке|"
    "отправлено по ошибке|случайно отправил|случайно отправила|случайно отправлено|передумал|"
    "передумала|это не мой ход|не считается|не считай|беру назад|отмени это|отмени ход|"
    "надо подумать|ещё подумаю|еще подумаю|мне нужно подумать|это была ошибка|не играй это|"
    "просто пример|"
    "ігноруй|ігноруйте|проігноруй|забудь це|забудь про це|надіслано помилково|"
    "надіслав помилково|надіслала помилково|випадково надіслав|випадково надіслала|передумав|"
    "це не мій хід|не рахується|беру назад|ще подумаю|"
    "игнорирай|забрави това|забрави за|изпратих по погрешка|изпратено по погрешка|размислих|"
    "промених решението|не се брои|заборави|ignoriši|zaboravi to|poslao greškom|poslala greškom|"
    "poslano greškom|predomislio|predomislila|ne računa se|ne važi|zanemari|"
    # Hungarian, Romanian, Turkish, Greek
    "hagyd figyelmen kívül|felejtsd el|véletlenül küldtem|véletlenül ment|tévedésből küldtem|"
    "tévedésből|meggondoltam magam|nem számít ez|visszavonom|nem az én lépésem|még gondolkodom|"
    "ignoră|ignora asta|uită asta|uită de|trimis din greșeală|trimis din greseala|"
    "am trimis din greșeală|m-am răzgândit|m am razgandit|răzgândit|nu e mutarea mea|"
    "nu se pune|retrag mutarea|"
    "bunu dikkate alma|dikkate almayın|bunu yok say|yok sayın|bunu unut|boşver|boş ver|"
    "yanlışlıkla gönderdim|yanlışlıkla gönderildi|yanlışlıkla yolladım|fikrimi değiştirdim|"
    "hamlem değil|sayılmaz|geri alıyorum|iptal et|düşünmem lazım|"
    "αγνόησε|αγνόησέ|αγνοήστε|ξέχνα το|ξέχασέ το|κατά λάθος|άλλαξα γνώμη|δεν μετράει|"
    "δεν είναι η κίνησή|"
    "το παίρνω πίσω|θα το σκεφτώ|"
    # Catalan, Baltic languages, Slovene
    "ignora això|oblida això|enviat per error|he canviat d'idea|he canviat d'opinió|"
    "ignorē|aizmirsti|nosūtīju kļūdas|kļūdas pēc|pārdomāju|ignoruok|pamiršk|išsiunčiau per klaidą|"
    "per klaidą|persigalvojau|ignoriraj|pozabi to|poslano pomotoma|pomotoma|premislil|premislila|"
    # Vietnamese, Indonesian, Hindi, Arabic, Hebrew, Persian
    "bỏ qua|quên nước|gửi nhầm|đổi ý|không tính|abaikan|lupakan|salah kirim|terkirim tidak sengaja|"
    "berubah pikiran|tidak dihitung|अनदेखा|ग़लती से भेज|गलती से भेज|मन बदल|भूल जाओ|"
    "تجاهل|انسَ|انس هذا|بالخطأ|بطريق الخطأ|غيرت رأيي|لا تلعب|"
    "התעלם|תתעלם|התעלמו|תשכח מזה|נשלח בטעות|שלחתי בטעות|שיניתי את דעתי|לא נחשב|"
    "نادیده بگیر|اشتباهی فرستادم|اشتباهی ارسال|نظرم عوض شد|فراموشش کن"
)

_LATER: Final = (
    "prochain tour|tour suivant|tour prochain|prochaine fois|plus tard|demain|próximo turno|"
    "siguiente turno|próxima vez|proximo turno|más tarde|mañana|próxima jogada|mais tarde|"
    "amanhã|prossimo turno|turno prossimo|prossima volta|più tardi|domani|volgende beurt|"
    "volgende ronde|volgende keer|later|nästa omgång|nästa tur|nästa gång|nästa drag|senare|"
    "imorgon|næste tur|næste runde|næste gang|senere|i morgen|neste tur|neste runde|"
    "neste gang|ensi vuorolla|seuraavalla vuorolla|ensi kerralla|myöhemmin|huomenna|"
    "następnej turze|następna tura|następnym razem|później|jutro|příští tah|příští kolo|"
    "příště|dalším tahu|později|zítra|ďalšie kolo|nabudúce|neskôr|zajtra|следующем ходу|"
    "следующий раз|следующем раунде|позже|завтра|наступного ходу|наступного разу|пізніше|"
    "следващия ход|следващия път|по-късно|sljedeći put|sledeći put|kasnije|sutra|"
    "következő körben|következő kör|legközelebb|később|holnap|tura viitoare|data viitoare|"
    "mai târziu|mâine|sonraki tur|sonraki turda|gelecek tur|gelecek sefer|yarın|επόμενο γύρο|"
    "επόμενη φορά|αργότερα|αύριο|pròxim torn|proper torn|demà|lượt sau|lần sau|"
    "giliran berikutnya|nanti|besok|अगली बारी|अगली बार|बाद में|الدور القادم|الدور التالي|"
    "لاحقا|غدا|בתור הבא|התור הבא|מחר|אחר כך|نوبت بعد|بعدا|فردا"
)

_SCRIPTS: Final = (
    "下一回合|下回合|下一轮|下一輪|下一手再|下次|之后|之後|以后|明天|次のターン|次の番|次回|後で|あとで|明日|"
    "다음 턴|다음 차례|다음번|나중에|내일"
)
"""The same of languages that put no blanks between words, wherever they stand."""

_TAKEN_BACK: Final = (
    "发错|發錯|寄错|寄錯|误发|誤發|忽略|无视|無視|撤回|作废|作廢|取消这|取消這|不要走这|不要走這|改变主意|改變主意|"
    "不算|还没想好|還沒想好|再想想|等一下|等等|先不要|先别|先別|"
    "間違えて送|間違って送|誤って送|無視して|"
    "取り消|取消し|忘れてください|気が変わ|やっぱりや|まだ考え|待ってください|"
    "ちょっと待|なしで|撤回|실수로|잘못 보냈|무시해|무시하|취소해|취소할|"
    "마음이 바뀌|생각이 바뀌|아직 아니|잠깐만|"
    "더 생각"
)

_SENTENCE: Final = re.compile(r"[.!?…;\n。！？]+")
_CLAUSE: Final = re.compile(r"[.!?…;\n。！？,:、，：()\[\]{}\"]+|(?<!\S)[-*~>]+(?!\S)")
_LEAD: Final = frozenset(
    _words("oh ah ach hm hmm oops sorry please bitte ok okay well but and und ay ups actually")
)
"""Words before such a clause that say nothing."""


@lru_cache(maxsize=8)
def _listed(*texts: str) -> frozenset[tuple[str, ...]]:
    """The phrases of lists between strokes, in words."""
    return frozenset(phrase for text in texts for one in text.split("|") if (phrase := _words(one)))


def takes_back(lines: Iterable[str], words: Vocabulary) -> bool:
    """Whether lines take back what a letter says: as a clause of their own, or in plain words."""
    alone = _listed(_ALONE, *words.retractions.alone)
    inside = _listed(_INSIDE, *words.retractions.inside)
    scripts = _TAKEN_BACK.split("|")
    return any(
        any(_is_alone(_words(part), alone) for part in _parts(line))
        or any(_denies(_words(sentence), inside) for sentence in _SENTENCE.split(line))
        or (not line.isascii() and any(one in line for one in scripts))
        for line in lines
    )


def _parts(line: str) -> list[str]:
    """The sentences of a line and their clauses."""
    return [*_SENTENCE.split(line), *_CLAUSE.split(line)]


def is_for_later(text: str, words: Vocabulary) -> bool:
    """Whether what stands around a move in its sentence puts it off."""
    later = _listed(_LATER, *words.retractions.later)
    scripts = () if text.isascii() else _SCRIPTS.split("|")
    return _has(_words(text), later) or any(one in text for one in scripts)


def _denies(said: tuple[str, ...], phrases: frozenset[tuple[str, ...]]) -> bool:
    start = said[1:] if said[:1] == ("please",) else said
    not_yet = (start[:1] == ("don't",) or start[:2] == ("do", "not")) and "yet" in start
    return not_yet or (len(said) == 1 and said[0] in _NO) or _has(said, phrases)


def _is_alone(clause: tuple[str, ...], phrases: frozenset[tuple[str, ...]]) -> bool:
    while clause and clause not in phrases and (clause[0] in _LEAD or clause[-1] in _LEAD):
        clause = clause[1:] if clause[0] in _LEAD else clause[:-1]
    waits = bool(clause) and clause[0] in _WAIT and len(clause) <= _WAITING
    return clause in phrases or (waits and _WAITED_FOR.isdisjoint(clause))


def _has(said: tuple[str, ...], phrases: frozenset[tuple[str, ...]]) -> bool:
    """Whether one of the phrases stands somewhere in the words."""
    most = _most(phrases)
    return any(
        said[first : first + length] in phrases
        for first in range(len(said))
        for length in range(1, min(most, len(said) - first) + 1)
    )


@lru_cache(maxsize=8)
def _most(phrases: frozenset[tuple[str, ...]]) -> int:
    return max(map(len, phrases))
