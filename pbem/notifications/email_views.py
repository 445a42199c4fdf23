"""Views of emails: the values from which templates render an email.

Besides a view of the match, the templates of an email get `facts`. These depend on its kind:

| kind | facts |
|---|---|
| invitation, challenge, start, turn, offer, news | none: the view of the match has the events |
| end | `rating_change` of the reader, if the result counts for ratings |
| reminder | `others`: more matches in which the reader is to move |
| tournament | `topic` (entered, withdrawn, too_few or over), `tournament` (its name) |
| tournament, entered | `game`, `entries` (their number), `has_started`, `starts_at`, `group_size` |
| tournament, over | `standings`, `place` of the reader, the reader's `group` and its `number` |
| welcome | none, and no view of a match |
| receipt | if the move waits: `window` and `sends_at` (length and end of the undo window) |
| refusal | `typed`, `is_move`; `code` and `facts` of the rejection |
| question | `question` (its kind), `expires`, `commands` that a yes executes, each with its help |
| message | `messages`: pairs of name and text |
| digest | `waiting`: the number of matches in which the reader is to move |
| | `watched`: matches, each with `title`, `code`, `names`, `moves` and `result` |
| digest_board | (one match of a digest) `has_moves`, `has_started`: whether these are news |
| | `is_one_of_many`: whether the digest has more matches, so a reply could be about any |
| account | `change`: one of the next rows; without it, the email only reports `shown_to` |
| account, address_added | `address`, `main` (the address that gets emails) |
| account, address_removed | `address` |
| account, reply_addresses_replaced | `dropped_moves`: codes of matches |
| account, page_used | `title` and `code` of the match |
| account, deleted | none |
| alarm | `faults`: pairs of the name of a check and what is wrong |
| operator | (a player's report) `reporter`, `text`; about a match: `code`, `players`, `said` |
| answer | `topic`, and what its branch of `email/answer.txt.j2` uses |

An email of any kind can also have these facts:

| fact | meaning |
|---|---|
| `reason` | the operator's explanation |
| `remarks` | text of the reader's email that was not used |
| `unsent` | messages of the reader that were not sent because the move was refused |
| `messages` | messages of other players: pairs of name and text |
| `shown_to` | names of players who have seen the reader's reply address, which was replaced |
| `silent_until` | time until which we send no other refusal or answer like this one |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any

from pbem.notifications.views import MatchView


@dataclass(frozen=True, slots=True)
class Section:
    """An addition to an email because of another command or event.

    `kind` names its template, and `facts` are the values for that template.
    """

    kind: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class EmailView:
    """The values that the templates need for one email.

    Attributes:
        match: The match of the email as its reader may see it, or None if the email is not about a
            match.
        facts: The values that only this kind of email has, by the names in its template.
        sections: Additions to the email, from other commands or events.
        tap_address: The recipient address in links that prepare a reply; it contains the version of
            the match. If it is empty, these links use `reply_address`.
        timezone: The time zone for times in the email.
        now: The time of the email; moments about a year away are shown with the year. If it is
            None, all are shown without.
        site_address: The public email address of the service.
        boards: The matches of a digest, each with its own texts and links.
        page_address: The URL of the page on which the reader plays or watches the match.
        join_address: The URL with which the challenger can invite friends to open seats.
        has_pictures: Whether the HTML shows boards as pictures.
        is_spoken: Whether boards are described in words.
    """

    site_title: str
    match: MatchView | None
    reader_name: str = ""
    reply_address: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    timezone: tzinfo = UTC
    now: datetime | None = None
    sections: tuple[Section, ...] = ()
    tap_address: str = ""
    site_address: str = ""
    boards: tuple[EmailView, ...] = ()
    page_address: str = ""
    join_address: str = ""
    has_pictures: bool = False
    is_spoken: bool = False
