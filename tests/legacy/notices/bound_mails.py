"""Mails that say what draws are bound to, and what proves a match, for the golden files."""

from base64 import b64encode
from dataclasses import replace
from functools import partial

from pbem.fairness import letter_digest
from pbem.legacy.matches import seats
from pbem.legacy.matches.decide import decide
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.unfolding import Chances, Unfolding
from pbem.names import PlayerId
from pbem.legacy.notices.checks import HeadTold, ProofShown, Signed, VerificationShown
from pbem.legacy.notices.news import MatchBegan
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.replies import DailyDigest, LetterUnbound, RecordShown
from pbem.legacy.notices.views.scene import Reader, Scene
from pbem.legacy.witnessing import mailed, notes
from tests.legacy.notices.scenes import ANN, BOB, NAMES, NOW, challenge, chances, reader, scene

BOT = PlayerId("bot-1-1")


def began(other: PlayerId, letter: str = "") -> Match:
    """A match whose seats are drawn after a plain `accept`."""
    match = challenge("K7QX2", (ANN, other), seat_order="random")
    drawn: Chances = chances(match)
    accept = partial(seats.accept, player=other, letter=letter)
    return decide(Unfolding(match=match, now=NOW, chances=drawn), accept).match


UNBOUND, WITH_BOT, BOUND = began(BOB), began(BOT), began(BOB, letter_digest("<1@x>", "Sun"))

ROOT, EVENT = bytes(range(32)), bytes(range(32, 64))
_POINT = notes.Checkpoint("pbem.example/games", 4711, ROOT)
_NOTE = notes.signed(str(_POINT), notes.SecretKey("pbem.example/games", bytes(32)))
SIGNED = Signed(size=4711, root=b64encode(ROOT).decode(), at="2026-11-20T06:00:00+00:00")
PROOF = ProofShown(
    match=BOUND.id,
    checkpoint=(SIGNED,),
    events=30,
    covered=30,
    due="",
    head=EVENT.hex(),
    lines=mailed.block(
        BOUND.id,
        [
            *mailed.leaf_lines("first", 4600, ROOT, [EVENT, ROOT]),
            *mailed.leaf_lines("last", 4710, EVENT, [ROOT]),
        ],
        _NOTE,
    ),
)

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
    "proof_shown": ((PROOF,), scene(BOUND), reader()),
    "proof_shown_later": (
        (replace(PROOF, covered=28, due="2026-11-21T08:00:00+00:00"),),
        scene(BOUND),
        reader(),
    ),
    "proof_shown_last": ((replace(PROOF, covered=29),), scene(BOUND), reader()),
    "proof_failed": ((replace(PROOF, sound=False),), scene(BOUND), reader()),
    "daily_digest_signed": (
        (
            DailyDigest(
                matches=(), checkpoint=(replace(SIGNED, witnesses=2, known=3, witnessed=4711),)
            ),
        ),
        scene(),
        reader(),
    ),
    "daily_digest_unwitnessed": (
        (DailyDigest(matches=(), checkpoint=(SIGNED,)),),
        scene(),
        reader(),
    ),
    "record_signed": (
        (
            RecordShown(
                match=BOUND.id,
                checkpoint=(replace(SIGNED, witnesses=2, known=3, witnessed=4600),),
            ),
        ),
        scene(BOUND),
        reader(),
    ),
    "verification_heads": (
        (
            VerificationShown(
                match=BOUND.id,
                events=14,
                draws=1,
                head="3f" * 32,
                findings=(),
                plies=4,
                heads=(
                    HeadTold(count=9, head="a4" * 32, seats=(1,)),
                    HeadTold(count=12, head="07" * 32),
                    HeadTold(count=14, head="3f" * 32, seats=(1, 2)),
                ),
            ),
        ),
        scene(BOUND),
        reader(),
    ),
}
