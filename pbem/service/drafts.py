"""Drafts of emails: the facts that a unit of work has for one reader about one match.

Several commands and events of a unit of work can concern the same reader and match. Their drafts
are joined, so that the reader gets one email. Its kind is the first one in `RANKS` among the kinds
of the drafts. Each other draft that has something of its own to say becomes a section of the email.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pbem.match.events import MatchEvent
from pbem.names import MatchId, PlayerId
from pbem.notifications.email_views import Section
from pbem.notifications.rules import KINDS as NOTIFIED

RANKS: Final = (  # kinds of emails, most important first; joined drafts get the more important kind
    "end",
    "refusal",
    "question",
    "invitation",
    "offer",
    "turn",
    "receipt",
    "reminder",
    "start",
    "message",
    "challenge",
    "news",
    "account",
    "tournament",
    "answer",
    "welcome",
    "operator",
    "alarm",
    "digest",
)


@dataclass(kw_only=True)
class Draft:
    """An email before it is rendered; until then, other drafts can be joined to it.

    Attributes:
        kind: One of `RANKS`.
        player: The reader; None if the reader is not a player.
        address: The address to which the email goes; empty for the player's main address.
        match_id: The match that the email is about; None for no match.
        facts: The values for the template of this kind.
        sections: The sections that joined drafts have added to the email.
        events: The events of the match that the reader is notified of.
        question: The id of the question that the email asks; empty for no question.
        in_reply_to: The Message-ID of the email that is answered; empty for none.
        attachments: The texts of the attached files, by file name.
        messages: Messages of other players to the reader, as pairs of name and text.
        shown_to: Names of players who know the reader's old reply address, because a copy of an
            email showed it to them.
        language: The language of a reader who is not, or is no longer, a player.
        causer: The player who caused the events that the reader is notified of. This may be the
            reader.
        boards: The matches of a digest, each as a draft.
    """

    kind: str
    player: PlayerId | None = None
    address: str = ""
    match_id: MatchId | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    events: tuple[MatchEvent, ...] = ()
    messages: list[tuple[str, str]] = field(default_factory=list)
    shown_to: tuple[str, ...] = ()
    question: str = ""
    language: str = "en"
    in_reply_to: str = ""
    attachments: Mapping[str, str] = field(default_factory=dict)
    causer: PlayerId | None = None
    boards: list[Draft] = field(default_factory=list)
    is_reply: bool = False  # whether it answers its reader; players who wrote `stop` get only these

    def join(self, draft: Draft) -> None:
        """Add the contents of `draft`, which has the same reader and match, to this draft."""
        if self.kind == draft.kind == "receipt":
            # A move and `now` in one email: the joined receipt shows the match after both.
            self.facts, draft.facts = {**self.facts, **draft.facts}, {}
        first, second = sorted((self, draft), key=lambda part: RANKS.index(part.kind))
        # Drafts of these kinds need a section only for their facts. All emails show the events, the
        # messages and the note about a replaced address.
        kinds = {*NOTIFIED, "message", "account", first.kind}
        is_said = second.kind in kinds and not second.facts
        sections = [] if is_said else [Section(second.kind, second.facts)]
        self.kind, self.facts = first.kind, first.facts
        self.sections = [*first.sections, *sections, *second.sections]
        self.messages += draft.messages
        self.shown_to = self.shown_to or draft.shown_to
        self.is_reply = self.is_reply or draft.is_reply
        self.causer = self.causer or draft.causer
        self.events = self.events or draft.events
        self.in_reply_to = self.in_reply_to or draft.in_reply_to
        self.attachments = {**self.attachments, **draft.attachments}
