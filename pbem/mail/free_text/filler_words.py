"""The words that people put around a move, in the languages that they write: lists, no grammar.

A word that is in no list makes a move doubtful, and then the player is asked; so the lists need not
be complete, and hold nothing that could deny a move or speak of another one.
"""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_CLAUSE: Final = re.compile(r"[,;:()\[\]\"\n]|\s-+\s|^-+\s|\s-+$")
_WISH: Final = re.compile(r"\bi(?:'d| would)\s+(?:like|love)(?:\s+to)?\b", re.IGNORECASE)
_GREETED: Final = 3
"""Words of a greeting with a name: `Hi Bob`, `Hello dear Bob`."""

_SIGNED: Final = 2
"""Words of a name below or after a move."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FILLERS: Final = _set(
    "and then to i'll will ill i'm go goes going move moves the a an one on at my und dann ich auf"
    " nach ein eine einen einer der die das den dem geht et puis ensuite"
    " je luego después entonces poi och sedan sen og så dan daarna en potem potom zatem затем потом"
    " depois então"
)
"""Small words that may stand between the words of a move."""

_CARRIERS: Final = _FILLERS | _set(
    # English
    "i am shall play playing moving is be here here's heres this next turn with for it it's its"
    " let let's lets me us think guess ok okay k so well now hmm hm alright right fine yes yeah yep"
    " please take taking do choose pick make making gonna want wanna try answer reply attached"
    " mine follows below as"
    # German
    " ziehe spiele gehe setze mein meine zug antwort ist hier nehme also mache wähle lautet jetzt"
    " nun mal mit von ja gut so denke möchte würde werde bitte"
    # French
    " joue vais jouer mon coup est voici c'est alors donc prends choisis ma réponse maintenant oui"
    # Spanish, Portuguese, Italian
    " juego mi jugada movimiento es voy a jugar con muevo pues aquí está ahora sí jogo minha jogada"
    " vou jogar com meu lance é aqui agora sim gioco la mia mossa mossa è vado gioca faccio muovo"
    " allora ecco adesso"
    # Dutch and the Nordic languages
    " ik speel zet mijn ga doe met hier jag jeg spelar spiller mitt mit min drag træk trekk är er"
    " tar tager går flytt pelaan siirtoni siirrän tässä"
    # Slavic languages, Hungarian, Turkish, Greek
    " gram mój ruch zagram idę hraju hraji můj môj tah mój мой ход хожу играю иду я вот мій граю"
    " lépek lépésem játszom hamlem oynuyorum παίζω κίνησή μου"
    # Chinese, Japanese, Korean
    " 我走 我下 我的 走 下 我的棋 私は 私の手は 次の手は 指し手 제 수는 내 수는"
)
"""Words that announce a move of one's own, or say nothing."""

_ASKING: Final = [[word] for word in _set("is shall will ist soll est es è é är er jest")]
"""Words that begin a question, as in `is c1 plant c2 good`, though later they announce."""

_GREETINGS: Final = _set(
    "hi hello hey dear morning good greetings thanks thank hiya howdy moin servus hallo guten liebe"
    " lieber tag grüß bonjour salut cher chère bonsoir coucou hola buenas buenos querido querida"
    " olá oi bom boa caro cara ciao buongiorno salve hoi goedemorgen dag beste hej hei kære käre"
    " terve moi cześć witaj dzień ahoj dobrý привет здравствуй здравствуйте добрый вітаю szia"
    " kedves merhaba selam γεια"
)

_COURTESIES: Final = _set(
    "please thanks thank you thx ty cheers good luck have fun your turn now then this time today"
    " bye best regards greetings wishes kind see soon ya nice game great day weekend enjoy for the"
    " me it that's thats is my move i think guess hope and so too ok okay sorry delay waiting wait"
    " everyone all again smile lol haha ha hehe grin wink yours sincerely love from"
    " bitte danke viel glück spaß spass grüße grüsse gruß gruss lg vg liebe viele schöne schönen"
    " mit freundlichen freundliche herzlichen herzliche lieben grüßen grüssen"
    " tag abend du bist dran dir und mfg bis bald"
    " merci bonne chance à toi amicalement cordialement bises bientôt journée"
    " gracias suerte saludos buena saludo abrazo un"
    " grazie ciao buona fortuna saluti"
    " dank groeten groetjes succes bedankt je"
    " obrigado obrigada sorte abraço abraços boa"
    " tack lycka till hälsningar mvh hilsen tak takk held og lykke kiitos onnea terveisin"
    " dzięki pozdrawiam powodzenia pozdrowienia díky hodně štěstí zdravím"
    " спасибо удачи привет пожалуйста дякую köszönöm teşekkürler ευχαριστώ"
    " 谢谢 谢谢你 ありがとう よろしく です 감사합니다"
) - _set("wait")

_DOUBTS: Final = _set(
    "not no never don't dont won't wont can't cant isn't cannot or but if unless maybe perhaps"
    " instead rather wait kidding joking mistake oops wrong illegal undo cancel forget ignore"
    " scratch actually should would could might you'd did didn't were already earlier"
    " hm hmm hmmm yesterday previous last undecided unsure tomorrow later considering"
    " nicht kein keine oder aber wenn vielleicht falls doch statt halt stopp quatsch nein warte"
    " pas ou mais si peut-être non plutôt attends"
    " o pero quizás quizas tal vez si sino espera"
    " ma forse se invece aspetta oppure"
    " niet geen of maar misschien als wacht"
    " não nao mas talvez ou"
    " inte eller men kanske om vänta ikke måske kanskje ei tai mutta ehkä jos"
    " nie albo lub ale może jeśli ne nebo možná"
    " не или но если может нет подожди ні або"
    " 不 不是 没 没有 或者 可是 如果 ではない"
)
"""Words that take a move back, or make it one of several; they count in the other sentences."""


_REFUSALS: Final = re.compile(
    r"\s*(?:no|nope|nein|nee|nö|non|nej|nei|não|nie|не|нет|ні)\s*(?:[,.!:;…]+|\s-+\s)\s*(?=\w)",
    re.IGNORECASE,
)


def after_no(text: str) -> str | None:
    """What stands behind a `no` that answers a question (`no, e4 L`); None where there is none."""
    found = _REFUSALS.match(text)
    return text[found.end() :] if found is not None else None


def _words(text: str) -> list[str]:
    return [found[0].replace("’", "'") for found in _WORD.finditer(text.casefold())]


def is_usual(word: str) -> bool:
    """Whether people put a word around their moves; it is no mistyped word of a game."""
    return any(word in words for words in (_CARRIERS, _COURTESIES, _GREETINGS, _DOUBTS))


def is_filler(token: str) -> bool:
    """Whether a word, or a dash of its own, may be left out between the words of a move."""
    return token.strip("-") == "" or token.casefold().strip(",.;:") in _FILLERS


def leads_in(text: str) -> bool:
    """Whether what stands before a move in its sentence announces it, greets, or is nothing."""
    clauses = [_words(clause) for clause in _CLAUSE.split(_WISH.sub("i'll", text))]
    return all(_announces(words) or _greets(words) for words in clauses)


def _announces(words: list[str]) -> bool:
    return _CARRIERS.issuperset(words) and words[:1] not in _ASKING


def _greets(words: list[str]) -> bool:
    return (
        words[0] in _GREETINGS
        and len(words) <= _GREETED
        and not any(_doubts(word) for word in words)
    )


def is_courtesy(text: str) -> bool:
    """Whether what stands after a move in its sentence is thanks, wishes, a name, or nothing."""
    clauses = [clause for clause in _CLAUSE.split(text) if _words(clause)]
    if not clauses:
        return True
    *others, last = clauses
    return all(_COURTESIES.issuperset(_words(clause)) for clause in others) and (
        _COURTESIES.issuperset(_words(last)) or _signs(last, glued=last is text)
    )


def _signs(clause: str, *, glued: bool) -> bool:
    """Whether a clause of its own is a name: `..., Ann`."""
    found = clause.split()
    return (
        not glued
        and len(found) <= _SIGNED
        and all(word[0].isupper() and word.isalpha() and not _doubts(word) for word in found)
    )


def _doubts(word: str) -> bool:
    return word.casefold() in _DOUBTS


def is_doubtful(text: str) -> bool:
    """Whether other sentences take a move back or speak of another one."""
    return any(_doubts(word) or word.endswith("n't") for word in _words(text))
