"""Mails that say what draws are bound to, for the golden files."""

from functools import partial

from pbem.fairness import letter_digest
from pbem.matches import challenges
from pbem.matches.decide import decide
from pbem.matches.match import Match
from pbem.matches.unfolding import Chances, Unfolding
from pbem.names import PlayerId
from pbem.notices.news import MatchBegan
from pbem.notices.notice import Notice
from pbem.notices.replies import LetterUnbound
from pbem.notices.views.scene import Reader, Scene
from tests.notices.scenes import ANN, BOB, NAMES, NOW, challenge, chances, reader, scene

BOT = PlayerId("bot-1-1")


def began(other: PlayerId, letter: str = "") -> Match:
    """A match whose seats are drawn after a plain `accept`."""
    match = challenge("K7QX2", (ANN, other), seat_order="random")
    drawn: Chances = chances(match)
    accept = partial(challenges.accept, player=other, letter=letter)
    return decide(Unfolding(match=match, now=NOW, chances=drawn), accept).match


UNBOUND, WITH_BOT, BOUND = began(BOB), began(BOT), began(BOB, letter_digest("<1@x>", "Sun"))

BOUND_MAILS: dict[str, tuple[tuple[Notice, ...], Scene, Reader]] = {
    "match_began_bound": ((MatchBegan(match=BOUND.id),), scene(BOUND), reader()),
    "match_began_unbound": ((MatchBegan(match=UNBOUND.id),), scene(UNBOUND), reader()),
    "match_began_bots": (
        (MatchBegan(match=WITH_BOT.id),),
        scene(WITH_BOT, names={**NAMES, BOT: "easy bot"}),
        reader(),
    ),
    "letter_unbound_id": ((LetterUnbound(match=BOUND.id, lacks="id"),), scene(BOUND), reader()),
    "letter_unbound_date": ((LetterUnbound(match=BOUND.id, lacks="date"),), scene(BOUND), reader()),
    "letter_unbound_both": ((LetterUnbound(match=BOUND.id, lacks="both"),), scene(BOUND), reader()),
    "letter_unbound_rewritten": (
        (LetterUnbound(match=BOUND.id, lacks="rewritten"),),
        scene(BOUND),
        reader(),
    ),
}
