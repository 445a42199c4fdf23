"""Whatever a mail offers is understood: words, examples and buttons are sent back by its reader.

Some correspondences go through the kinds of mail in each language. What a mail offers is sent back
as soon as it has come, and undone again, so that the next is offered in the same state.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from pbem.notices import codec
from pbem.notices.replies import MovePreviewed
from pbem.store.mails import outbox
from pbem.wiring.correspondent import ReceivedMail
from tests.clubs.club import ANN, BOB, CLEO, WORDS, Club, open_club
from tests.offers import Offer, Outcome, offers_of, outcome_of
from tests.sampling import sampled

LATER: Final = "later"
"""In place of somebody who writes: so many hours go by."""

DEE: Final = "dee@example.com"
SPEAK: Final = {"en": "lang en", "de": "Sprache Deutsch"}
MATCH: Final = re.compile(r"\b(?=[A-Z]*\d)[A-Z0-9]{5}\b")
NAMES: Final = re.compile(r"\b(?=[A-Z]*\d)[A-Z0-9]{5}\b|#\d+")

Story = tuple[tuple[str, str], ...]

ALONE: Final[Story] = (
    (ANN, "What is this?"),
    (ANN, "help"),
    (ANN, "help all"),
    (ANN, "games"),
    (ANN, "settings"),
    (ANN, "test"),
    (ANN, "bad glyphs"),
    (ANN, "rules logger"),
    (ANN, "rules landrush"),
    (ANN, "rules logan stones"),
    (ANN, "rules looney ludo"),
    (ANN, "open"),
    (ANN, "bord"),
    (ANN, "width 999"),
    (ANN, "lang klingon"),
    (ANN, "new chess with bob@example.net"),
    (ANN, "new logger with bob@example.net trees=3"),
    (ANN, "new landrush with bot godlike"),
    (ANN, "help nothing"),
    (ANN, "away"),
    (ANN, "block"),
    (ANN, "address list"),
    (ANN, "address add ann@work.example"),
    (ANN, "my data"),
    (ANN, "new address"),
    (ANN, "delete me"),
    (ANN, "stop"),
    (ANN, "start"),
    (ANN, "away 5 days"),
    (ANN, "back"),
    (ANN, "quiet 22-7"),
    (ANN, "new logan stones with bot"),
    (ANN, "new landrush with bot"),
)

TWO: Final[Story] = (
    (ANN, f"new logger with {BOB} seat_order=given time=medium"),
    (BOB, "What is this, and who are you?"),
    (BOB, "accept"),
    (ANN, "Whose turn is it?"),
    (ANN, "help"),
    (ANN, "help move"),
    (ANN, "e9"),
    (ANN, "e1"),
    (ANN, "undo"),
    (ANN, "e1"),
    (ANN, "now"),
    (BOB, "say Good luck!"),
    (BOB, "try a5"),
    (BOB, "why e1"),
    (BOB, "if"),
    (BOB, "a5"),
    (BOB, "now"),
    (ANN, "e3 plant d3 and I hope that you are well"),
    (ANN, "no"),
    (ANN, "e3 plant d3"),
    (ANN, "now"),
    (ANN, "board"),
    (ANN, "diff 1 3"),
    (ANN, "history"),
    (ANN, "record"),
    (ANN, "verify"),
    (ANN, "queue"),
    (ANN, "if a4 plant b4 then e2 plant e1"),
    (ANN, "queue"),
    (ANN, "if then"),
    (ANN, "messages"),
    (ANN, "note He is quick."),
    (ANN, "note"),
    (ANN, "undo"),
    (BOB, "no"),
    (BOB, "games"),
    (BOB, "games next"),
    (BOB, "claim"),
    (BOB, "offer draw"),
    (BOB, "resign"),
    (BOB, "undo"),
    (BOB, "away 2 days"),
    (BOB, "back"),
    (LATER, "80"),
    (LATER, "60"),
    (ANN, "claim"),
    (ANN, "rematch"),
    (BOB, "decline"),
    (ANN, "board"),
    (ANN, "Thanks, that was quite a game, was it not?"),
)

OTHERS: Final[Story] = (
    (ANN, f"new looney ludo with {BOB} open 1"),
    (BOB, "accept"),
    (CLEO, "open"),
    (CLEO, "join K7QX2"),
    (ANN, "rules"),
    (ANN, "help move"),
    (ANN, "help all"),
    (BOB, "hop"),
    (ANN, "hop"),
    (ANN, "M n plase"),
    (ANN, "offer draw"),
    (BOB, "decline"),
    (BOB, "if any then pass"),
    (ANN, "if pass then pass"),
    (DEE, "watch K7QX2"),
    (DEE, "board"),
    (DEE, "help"),
    (DEE, "unwatch"),
    (CLEO, "resign"),
    (CLEO, "yes"),
    (LATER, "26"),
    (LATER, "60"),
    (ANN, "digest 18:00"),
    (LATER, "24"),
    (BOB, "resign"),
    (BOB, "yes"),
    (LATER, "30"),
)

STORIES: Final = {"alone": ALONE, "two": TWO, "others": OTHERS}

LEAST: Final = 80
"""Things that are offered in every story."""

UNDERSTOOD: Final = frozenset(
    re.findall(
        r"\w+",
        """
        already_accepted already_placed analysis_too_early comment_too_early condition_on_turn
        covered game_over
        log_unsigned match_has_started match_not_over name_taken never no_conditions no_draw_offer
        no_draw_offers no_flag
        no_held_move no_open_seat no_pages no_such_address no_such_match no_such_player no_such_ply
        no_profile no_such_tournament not_paused gift_refused
        not_seated not_watching not_your_turn nothing_to_confirm nothing_to_undo
        nothing_to_watch only_watching own_match takeback_among_many which_match
        """,
    )
)
"""Codes of what is understood, and cannot be done now."""

HOW: Final = frozenset(
    (
        "order_incomplete",
        "text_missing",
        "bad_name",
        "no_such_game",
        "learn_what",
        "name_missing",
        "enter_what",
        "withdraw_what",
    )
)
"""What is said of a verb that is named alone in the help: how it goes on."""


@dataclass
class Reader:
    """Sends back what every new mail offers, each once a kind of mail."""

    club: Club
    sent: int = 0
    seen: set[tuple[object, ...]] = field(default_factory=set)
    missed: list[tuple[str, str, object]] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    async def read(self) -> None:
        mails = self.club.postbox.mails[self.sent :]
        self.sent += len(mails)
        for reader, mail in mails:
            others = await self.previews(mail)
            for offer in offers_of(mail):
                known = (reader, NAMES.sub("", offer.text), offer.tapped)
                if known in self.seen or self.repeats(offer):
                    continue
                self.seen.add(known)
                became = await outcome_of(self.club, reader, mail, offer)
                if not others and not is_understood(offer, became):
                    self.missed.append((mail.text.partition("\n")[0], offer.text, became))

    async def previews(self, mail: ReceivedMail) -> bool:
        """Whether the mail shows what somebody else would read."""
        row = await self.club.read(lambda conn: outbox.find_by_message_id(conn, mail.message_id))
        assert isinstance(row, outbox.OutboxRow)
        return any(isinstance(one, MovePreviewed) for one in codec.load(row.notices))

    def repeats(self, offer: Offer) -> bool:
        """Whether a mail only says what somebody wrote before."""
        words = " ".join(re.findall(r"\w+", offer.text.casefold()))
        return not offer.tapped and any(words in line for line in self.written)


def is_understood(offer: Offer, became: Outcome) -> bool:
    """Whether nothing was refused, or only for what the state of things is."""
    codes = {code for code, _ in became.refused}
    if became.asked and codes == {"no_consent"}:
        return True  # asked again, in the language that they want
    verb = offer.text.casefold() in WORDS.verbs
    return became.disposition != "unanswered" and codes <= (
        UNDERSTOOD | HOW if verb else UNDERSTOOD
    )


@pytest.mark.parametrize(
    ("lang", "story"), sampled([(lang, story) for lang in SPEAK for story in STORIES], 2)
)
async def test_whatever_is_offered_is_understood(tmp_path: Path, lang: str, story: str) -> None:
    club = open_club(tmp_path, window=5, resign=24, refusals_per_day=1000)
    reader = Reader(club)
    for who in (ANN, BOB, CLEO, DEE):
        await club.write(who, SPEAK[lang])
        await reader.read()
        await club.answer(who, "yes")
    name = ""
    for who, text in STORIES[story]:
        if who == LATER:
            await club.wait(hours=int(text))
        else:
            said = text.replace("K7QX2", name)
            reader.written.append(" ".join(re.findall(r"\w+", said.casefold())))
            await club.answer(who, said)
        if (found := MATCH.search(club.last(ANN).subject)) is not None:
            name = found[0]
        await reader.read()
    club.house.db.close()
    assert not reader.missed, "\n".join(map(str, reader.missed))
    assert len(reader.seen) > LEAST
