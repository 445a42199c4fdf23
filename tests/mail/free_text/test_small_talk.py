"""What is small talk beside a move, and what may take it back in words that no list has."""

from __future__ import annotations

from itertools import count

import pytest

from pbem.mail.free_text.courtesies import is_small_talk
from pbem.mail.free_text.plain_answers import agreed_to, plain_answer
from pbem.mail.verbs.agreeing import Accept
from pbem.wiring.words import words_of
from tests.effort import LINEAR, growth

WORDS = words_of()

_MAY_MATTER = """
That was my son.
I pressed the key too soon.
Scratch the whole thing.
My cat did it.
I am sleeping on it.
I was drunk when writing.
Give me a day.
My move is on Sunday.
I answer on Sunday.
I go with the old one.
You pick for me.
He goes there too.
My granny is playing for me today.
Drop it please.
Let it go please.
My wife vetoes this.
Bob talked me out of it.
Hold the horses for a week.
My granddaughter clicked the button.
I would love the other corner.
Please do nothing until my wife has looked at it.
Treat this as a sketch.
Pretend you did not see this.
Consider it unsaid.
It is only a bluff.
This is a bluff.
Let us see what my brother says.
I forgot what my plan was.
My finger slipped.
I need another day with this.
Your cousin has a better idea.
Toss a coin for me.
The dog ate my real answer.
Not today, my dear.
Das war mein Sohn.
Das war der Hund.
Ich schlafe eine Nacht darüber.
Ich ziehe am Sonntag.
Mein Zug kommt heute Abend.
Noch einen Tag bitte.
Lieber den alten Zug.
Wähle du.
Das macht meine Frau.
Das ist mein Sohn.
Meine Katze war auf der Tastatur.
Ich war betrunken beim Schreiben.
Meine Frau sagt etwas anderes.
Ich frage noch meinen Bruder.
Die Enkelin hat geklickt.
Wirf eine Münze für mich.
Das ist nur ein Bluff.
Gib mir einen Tag.
Behalte es für dich.
Tu so als hättest du nichts gesehen.
Mein Finger ist verrutscht.
Ich brauche noch Zeit dafür.
My granny was at the laptop.
The baby was on my phone.
Back on Friday.
Friday, please.
Oh dear, my elbow.
I am too tired for this today.
Too tired today.
Meine Tochter hatte das Handy.
Die Katze lief über das Handy.
Ich bin zu müde für heute.
Am Freitag bitte.
Non, attends demain.
C'était mon fils.
Espera a mañana por favor.
Fue mi hijo.
Wacht even tot morgen.
Dat was mijn zoon.
My wife and my daughter both find this corner far too daring.
My whole family laughs about my corner from this morning.
On reflection my grandmother liked the other corner much more.
The little one pressed the key while I was in the kitchen.
My daughter was too quick with the mouse this morning.
Please give me until Sunday evening for my head to clear.
My neighbour and my brother would both go for the middle.
After dinner with my wife I see the whole garden differently.
I sent the wrong one to the wrong friend this morning.
The old one from Sunday morning was much nicer after all.
You may have the corner and I shall have the middle instead.
The kids were fighting over the laptop when the mail went.
My grandson typed while I was making coffee in the kitchen.
I need the weekend for a cool head and a long walk.
Bob should first hear what my sister and my brother think.
Not before Sunday evening, when my wife is back from church.
Only after my brother has looked at the whole board.
It would be lovely to have the corner from this morning back.
Have a good laugh and then throw the whole letter away.
Burn the letter after reading, dear friends of the garden club.
The dog sat on the keyboard for the whole of breakfast.
Let the other corner have it, my dear friend from Cardiff.
Yesterday evening the middle looked so much nicer to my wife.
I was half asleep and the baby was crying when I wrote.
My evening glass of wine and my tired eyes wrote this one.
Meine Frau und meine Tochter finden die Ecke am Fenster besser.
Nach dem Kaffee gefällt mir die Mitte vom Sonntag viel besser.
Bitte gebt mir bis Sonntag Abend Zeit für einen klaren Kopf.
Erst nach dem Urlaub mit meiner Frau und den Kindern bitte.
Die Kinder haben an der Tastatur gespielt, als ich Kaffee holte.
Mein Bruder und meine Schwester würden beide die Mitte nehmen.
Mein Enkel hat das am Handy meiner Tochter geschrieben.
Werft den Brief bitte gleich in den Kamin, liebe Freunde.
Am liebsten hätte ich die Ecke von heute Morgen wieder.
Lieber erst am Sonntag nach dem Kaffee mit meiner Mutter.
Ich brauche das ganze Wochenende für einen klaren Kopf.
Ma femme et ma fille préfèrent toutes les deux le coin du jardin.
Mon petit-fils a appuyé sur la touche pendant le café du matin.
Donne-moi le week-end pour y réfléchir avec ma femme.
Mi mujer y mi hija prefieren las dos la esquina del jardín.
Mi nieto tocó el teclado mientras yo hacía café en la cocina.
Dame el fin de semana para pensarlo con mi mujer.
Mijn vrouw en mijn dochter vinden de hoek van vanmorgen beter.
Mijn kleinzoon zat aan het toetsenbord tijdens het ontbijt.
Geef me het weekend om met mijn vrouw te overleggen.
"""

_CHAT = """
It rains here and the dog is sad.
We had a lovely dinner with my sister on Sunday.
Greetings from a very wet Cardiff.
My grandchildren are here until Friday.
The garden is full of snow.
Our new kitchen is beautiful.
I am back from Portugal, three weeks of sunshine.
The kids are ill, the washing machine is broken.
We painted the shed.
Football was terrible on Saturday.
Happy birthday to your mother!
Work has been crazy all week.
The train was late again because of the storm.
Es regnet hier seit drei Tagen.
Wir waren am Wochenende bei meiner Schwester in Bremen.
Die Kinder sind krank, und die Heizung ist kaputt.
Viele Grüße aus dem verregneten Allgäu.
Der Hund liegt unter dem Tisch.
Am Samstag gab es Kuchen bei Oma.
Hier liegt endlich Schnee.
Ich finde meine Handschuhe nicht.
Il pleut à Nantes, bon dimanche à tous.
Hoy hace mucho calor en Sevilla.
Het regent hier al de hele week.
The boiler man finally came on Tuesday, eleven days of cold showers already.
We had the whole choir over last night and the tenor fell asleep on the sofa.
I was at my sister's with no signal but many sheep.
Nachtschicht fängt gleich an, draußen liegt schon wieder Schnee.
Unsere Fähre ist heute ausgefallen, also sitzen wir mit Tee am Ofen.
Ik zit in de wachtkamer bij de dierenarts met een boze papegaai.
Je rentre de la boulangerie, il est six heures du matin.
Saludos desde el taller, aquí todo huele a barniz.
"""


def _lines(text: str) -> list[str]:
    return text.strip().split("\n")


@pytest.mark.parametrize("sentence", _lines(_MAY_MATTER))
def test_what_may_matter_is_no_small_talk(sentence: str) -> None:
    assert not is_small_talk(sentence)


@pytest.mark.parametrize("sentence", _lines(_CHAT))
def test_small_talk_of_everyday(sentence: str) -> None:
    assert is_small_talk(sentence)


def test_a_word_of_the_game_is_none() -> None:
    assert is_small_talk("The gardener has skirdled our old garden hedge")
    assert not is_small_talk("The gardener has skirdled our old garden hedge", known={"skirdled"})


def test_a_friendly_yes_may_have_small_talk_beside_it() -> None:
    said = ["Yes please! We have rain here since Sunday.", "Bob"]
    assert plain_answer(said, WORDS, {"bob"}) == Accept("")
    assert plain_answer(["Yes please! If my wife agrees."], WORDS, set()) is None


def test_an_answer_without_any_stop_takes_linear_time() -> None:
    new = count()

    def read(size: int) -> object:
        # A text that was read before might be remembered.
        return plain_answer([f"{next(new)} " + "sure why not we do this " * size], WORDS, set())

    assert growth(read, 150) <= LINEAR


@pytest.mark.parametrize(
    ("said", "draw"),
    [
        ("Yes, a draw. My wife says I am winning this one easily though.", True),
        ("Yes, a draw. That was what my uncle always offered before losing.", True),
        ("Ja. Morgen frage ich meinen Sohn nach seiner Meinung zu dem Zug.", False),
        ("Sure. After the holidays my brother decides about all the games here.", False),
    ],
)
def test_what_cannot_be_undone_is_not_agreed_to_beside_what_nothing_accounts_for(
    said: str,
    draw: bool,  # noqa: FBT001 - a row
) -> None:
    assert agreed_to([said], WORDS, {"bob"}, draw=draw) is None
    first, *_ = said.partition(".")
    assert agreed_to([f"{first}. Thank you!"], WORDS, {"bob"}, draw=draw) == Accept("")
