"""English words that take a move back or put it off; other languages have theirs in a catalogue."""

from __future__ import annotations

from typing import Final

ALONE: Final = (
    "no wait|wait|oh wait|oops wait|wait no|wait a moment|wait a minute|wait a second|one moment|"
    "not yet|not now|not this|not that|not this one|not that one|no not that|no not this|"
    "hold on|hang on|stop|cancel|undo|never mind|nevermind|scratch that|"
    "actually no|no sorry|sorry no|on second thought|on second thoughts|kidding|just kidding|"
    "joking|just joking|just a joke|only joking|or not|or maybe not|maybe not|better not|"
    "rather not|"
    "don't|do not|not really|draft|just a test|only a test|this is a test|still thinking|"
    "i am still thinking|i'm still thinking|let me think|i need to think|hmm no"
)
"""Clauses that take back what stands beside them, between strokes; a catalogue has its own."""


INSIDE: Final = (
    "ignore this|ignore that|ignore it|ignore the above|ignore my move|ignore my last|"
    "ignore what i wrote|ignore the move|please ignore|ignore all of|ignore everything|"
    "ignore my mail|ignore my message|ignore what i said|disregard|scrap that|scrap this|scrap it|"
    "scratch this|scratch my|forget that move|forget this move|forget my move|forget the above|"
    "forget what i wrote|forget what i said|take that back|take it back|take this back|"
    "take my move back|changed my mind|change my mind|sent by mistake|sent this by mistake|"
    "sent it by mistake|sent that by mistake|sent by accident|sent this by accident|sent too early|"
    "sent too soon|by accident i sent|accidentally sent|accidentally hit send|hit send too|"
    "don't play it|don't play that|don't play this|do not play it|do not play that|"
    "do not play this|don't send it|don't send this|don't send that|do not send|don't count|"
    "doesn't count|does not count|not what i meant|not what i wanted|not my move|not my real move|"
    "isn't my move|is not final|isn't final|not final yet|have to think about it|"
    "want to think about it|need to think about it|let me think about it|think it over|"
    "cancel that|cancel this|cancel it|cancel my move|cancel the move|undo that|undo this|"
    "was a typo|was a mistake|was an error|was wrong sorry|only an example|just an example|"
    "not decided yet|haven't decided|have not decided|before i decide|wait with this|"
    "wait with that|wait with it|hold this move|hold that move|hold off"
)
"""Words that do so wherever they stand in a sentence."""


LATER: Final = (
    "next turn|the turn after|next round|next time|turn after next|later|tomorrow|then next"
)
"""Words beside a move that is meant for later."""
