"""Our own mails that the samples answer: turn mails as our templates and `compose` write them."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from random import Random

from pbem.errors import Rejection
from pbem.fairness import LINKS, Draws, commitment, sealed_text
from pbem.games import GAMES
from pbem.games.chance import parse_draw
from pbem.games.game import Seat, Style
from pbem.legacy.mail.addresses import TOKEN_LINE
from pbem.legacy.mail.compose import Headers, compose
from pbem.legacy.matches import challenges
from pbem.legacy.matches.chance import bound_to_moves
from pbem.legacy.matches.decide import decide, play
from pbem.legacy.matches.events import ChanceDrawn, ChanceSealed
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.replay import evolve, initial
from pbem.legacy.matches.seats import accept
from pbem.legacy.matches.unfolding import Act, Chances, Unfolding
from pbem.names import MatchId, PlayerId
from pbem.legacy.notices.courtesies import MessageReceived
from pbem.legacy.notices.news import TurnPrompt
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.rendering.render import Renderer
from pbem.legacy.notices.views.scene import Reader, Site, Wishes
from pbem.legacy.notices.views.view import build
from tests.legacy.mail.corpus.understood import Sent
from tests.legacy.notices.scenes import HELLO, SECRET, scene

ANN, BOB = PlayerId("p1"), PlayerId("p2")
NAMES = {ANN: "Ann", BOB: "Bob"}
SITE = Site(title="pbem", address="games@pbem.example")
HIDDEN = sha256(b"hidden").digest()
NOW = datetime(2026, 11, 21, 14, 5, tzinfo=UTC)
TAGS = {
    "logger": "k7qx2.1.aahscv3ifp64ef5laf",
    "looney_ludo": "lq4d7.1.aa3vkq7wz2mfx5tnbe",
    "logan_stones": "s9tn4.1.aaw6yr4jd7hpk2qvcu",
    "landrush": "r2sh8.1.aakz5mtx3g6bwn7dhq",
}


PLAIN = Wishes()


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One mail to make: the ruleset, how many plies are played first, what the mail tells."""

    key: str
    ruleset: str
    plies: int
    tells: str = "turn"
    wishes: Wishes = PLAIN


ASKED = (
    Asked(key="logger", ruleset="logger-1", plies=4),
    Asked(key="logger-late", ruleset="logger-1", plies=14),
    Asked(key="logger-unicode", ruleset="logger-1", plies=6, wishes=Wishes(style=Style.UNICODE)),
    Asked(key="logger-spoken", ruleset="logger-1", plies=8, wishes=Wishes(spoken=True)),
    Asked(key="logger-narrow", ruleset="logger-1", plies=8, wishes=Wishes(width=40)),
    Asked(key="logger-said", ruleset="logger-1", plies=4, tells="said"),
    Asked(key="ludo", ruleset="looney_ludo-1", plies=6),
    Asked(key="ludo-late", ruleset="looney_ludo-1", plies=24),
    Asked(key="stones", ruleset="logan_stones-1", plies=4),
    Asked(key="stones-late", ruleset="logan_stones-1", plies=12),
    Asked(key="landrush", ruleset="landrush-1", plies=3),
    Asked(key="landrush-late", ruleset="landrush-1", plies=9),
)


def sent_mails() -> dict[str, Sent]:
    """Every mail by its key, of the games that there are."""
    return {asked.key: _sent(asked) for asked in ASKED if asked.ruleset in GAMES}


def _match(asked: Asked) -> Match:
    """A match after some plies, Ann to move."""
    name = TAGS[GAMES[asked.ruleset].key].partition(".")[0].upper()
    options = {"seat_order": "given"} if asked.ruleset.startswith("logger") else {}
    story = _Story(initial(MatchId(name)))
    issue = partial(
        challenges.issue,
        ruleset=asked.ruleset,
        options=options,
        challenger=ANN,
        players=(ANN, BOB),
        commitment=commitment(SECRET, LINKS).hex(),
        links=LINKS,
        secret_commitment=commitment(HIDDEN, LINKS).hex(),
    )
    story.decide(issue)
    story.decide(partial(accept, player=BOB, words="trees"))
    chooser = Random(asked.key)
    while story.match.course.ply < asked.plies or story.player != ANN:
        match = story.match
        text = match.game.notation(chooser.choice(list(match.game.legal(match.course.position))))
        story.decide(partial(play, player=story.player, text=text))
    return story.match


class _Story:
    """A match that is played, and the chains that it draws from."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.shown = 1
        self.hidden = 1

    @property
    def player(self) -> PlayerId:
        """Whose turn it is."""
        found = self.match.player_at(self.match.to_act[0])
        assert found is not None
        return found

    def decide(self, command: Act) -> None:
        """Carry out a command."""
        chances = Chances(
            Draws(self.match.id, SECRET, LINKS, next_index=self.shown),
            bound_to_moves(self.match),
            Draws(self.match.id, HIDDEN, LINKS, next_index=self.hidden),
        )
        for event in decide(Unfolding(match=self.match, now=NOW, chances=chances), command).events:
            self.shown += isinstance(event, ChanceDrawn)
            if isinstance(event, ChanceSealed):
                self.hidden += 1
                self._open(event)
            self.match = evolve(self.match, event)

    def _open(self, event: ChanceSealed) -> None:
        """Put the text of a secret draw beside the match, where the store would."""
        chain = Draws(self.match.id, HIDDEN, LINKS, next_index=event.index)
        proof, _ = chain.draw(parse_draw(event.asked), event.digest)
        secrets = {**self.match.secrets, event.sealed: sealed_text(proof)}
        self.match = replace(self.match, secrets=secrets)


def _notices(asked: Asked, match: Match) -> tuple[Notice, ...]:
    seat = Seat(match.to_act[0])
    prompt = TurnPrompt(match=match.id, seat=seat, ply=match.course.ply)
    if asked.tells == "said":
        return (MessageReceived(match=match.id, author=BOB, text=HELLO), prompt)
    return (prompt,)


def _sent(asked: Asked) -> Sent:
    match = _match(asked)
    game = match.game
    tag = TAGS[game.key]
    local, _, domain = SITE.address.partition("@")
    address = f"{local}+{tag}@{domain}"
    about = replace(
        scene(match, names=NAMES),
        site=SITE,
        reply_address=address,
        now=NOW,
        token_line=TOKEN_LINE.format(tag),
    )
    wishes = replace(asked.wishes, html=asked.wishes.width > 60)
    view = build(_notices(asked, match), Reader(player=ANN, name="Ann", wishes=wishes), about)
    rendered = Renderer().render(view)
    headers = Headers(
        message_id=f"<{_ident(asked.key)}.klmnopqrstu@pbem.example>",
        from_name=view.sender,
        from_address=address,
        to_name="Ann",
        to_address="ann@example.org",
        reply_to=address,
        subject=rendered.subject,
        date=NOW,
        list_id="pbem.example",
        unsubscribe=address,
        marks={"match": match.id, "version": "9"},
    )
    seat = Seat(match.to_act[0])
    chooser = Random(asked.key)
    moves = [game.notation(move) for move in game.legal(match.course.position)]
    chosen = chooser.sample(moves, min(6, len(moves)))
    samples = [chooser.sample(moves, min(40, len(moves))) for _ in range(9)]
    chosen[0] = max((_extended(one, match) for one in samples), key=len)
    return Sent(
        key=asked.key,
        raw=compose(headers, rendered),
        name=view.sender,
        ruleset=asked.ruleset,
        position=game.dump(match.course.position),
        seat=seat,
        moves=tuple(chosen),
    )


def _ident(key: str) -> str:
    """Twenty digits as ours are."""
    return b32encode(sha256(key.encode()).digest()).decode().lower()[:20]


def _extended(steps: Sequence[str], match: Match) -> str:
    """The first step, and all others that can follow: a whole turn, where turns have steps."""
    game, turn = match.game, steps[0]
    for step in steps[1:]:
        try:
            move = game.parse(f"{turn}; {step}", match.course.position, Seat(match.to_act[0]))
        except Rejection:
            continue
        turn = game.notation(move)
    return turn
