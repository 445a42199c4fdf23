"""All reading of prose: which orders, moves and answers stand in the lines that a person typed.

Lines, a game and a position come in; orders, a question or nothing come out. This is the door:
nobody imports what stands behind it (a contract). No mail header, sender or store is known here.
`read_orders` takes a letter's lines apart, `move_said` makes one move of what may be several, or a
question, `Rest` is what is left over. All of it is linear in the length of the text, since the text
is anybody's, and nothing that is doubtful is ever carried out. The words that people put around
their orders stand in `phrases/`: a new way of saying something is a word there and a phrase in the
tests.
"""

from pbem.legacy.mail.free_text.consent import Answer, answer_of, without_language
from pbem.legacy.mail.free_text.courtesies import game_named
from pbem.legacy.mail.free_text.friendly import agreement, confirmation, friendly_answer
from pbem.legacy.mail.free_text.half_moves import alike, without_courtesy
from pbem.legacy.mail.free_text.labels import Labelled, typed_subject
from pbem.legacy.mail.free_text.near_moves import with_misreading, without_slips
from pbem.legacy.mail.free_text.one_move import MoveSaid, move_said
from pbem.legacy.mail.free_text.order_lines import is_order, read_orders
from pbem.legacy.mail.free_text.plain_answers import agreed_to, agrees_in, plain_answer, says_no
from pbem.legacy.mail.free_text.readings import Readings
from pbem.legacy.mail.free_text.rest import Rest, rest_of, shown_for
from pbem.legacy.mail.free_text.retractions import has_second_thoughts
from pbem.legacy.mail.free_text.said_moves import only_move, said_move, whole_moves
from pbem.legacy.mail.free_text.sentences import lines_of
from pbem.legacy.mail.free_text.typed_orders import Piece, Reading, TypedOrder

__all__ = [
    "Answer",
    "Labelled",
    "MoveSaid",
    "Piece",
    "Reading",
    "Readings",
    "Rest",
    "TypedOrder",
    "agreed_to",
    "agreement",
    "agrees_in",
    "alike",
    "answer_of",
    "confirmation",
    "friendly_answer",
    "game_named",
    "has_second_thoughts",
    "is_order",
    "lines_of",
    "move_said",
    "only_move",
    "plain_answer",
    "read_orders",
    "rest_of",
    "said_move",
    "says_no",
    "shown_for",
    "typed_subject",
    "whole_moves",
    "with_misreading",
    "without_courtesy",
    "without_language",
    "without_slips",
]
