"""Views of emails: the values from which the templates of a kind of email are rendered.

Each kind needs these facts, besides a view of the match:

| kind | facts |
|---|---|
| invitation, challenge, start, turn, news | none: the events are in the view of the match |
| end | `rating_change` of the reader, if the result counts for ratings |
| tournament | `topic`: entered, withdrawn, too_few or over; `tournament`, its name; if it is over |
| | its `standings`, and `group`, `number` and `place` of the reader |
| welcome | none, and no match |
| receipt | `sends_at`, if the view has a scheduled move |
| refusal | `typed`, `is_move`; `code` and `facts` of the rejection |
| question | `question` (a kind of `service.questions`), `commands` that `yes` executes, `expires` |
| message | `messages`: pairs of name and text |
| digest | `waiting`, how many matches wait for the reader; `watched`, each with `title`, `code`, |
| | `names`, `moves` and `result` |
| digest_board | a match of a digest: `has_moves` and `has_started`, if these are news; |
| | `is_one_of_many`, if there are several, so that a reply to the digest names none |
| account | `change` (address_added, address_removed, reply_addresses_replaced or deleted) with |
| | `address` (and `main`, the first address, if one was added) or `dropped_moves`; or |
| | `shown_to` |
| alarm | `faults`: pairs of a name and what is wrong |
| operator | `reporter`, `text`, `code`, `players`, `said` (each with `name`, `text` and `at`) |
| answer | `topic`; for help `commands` (each with `usage` and `help`), for verify `faults`, |
| | for games, started and lost `matches` (views); for settings `settings`, for messages `said`, |
| | for mutes and blocks `other`, for rules and rule what `rulebook` returns, for open |
| | `challenges` (each with `code`, `title`, `seats` and `names`), for bots `games` (each with |
| | `title` and `levels`), for hint `hint`, for other_address `player_name`; see the template |

Some facts are optional. A refusal or an answer can have `silent_until`, the time until
which we send no other email like it. Any kind can have `reason` (the operator's
explanation), `remarks` (text of the reader that was not used, quoted with a link that sends
it), `unsent` (messages that were not sent because the move was refused), `messages` (what other
players say) and `shown_to` (players who have seen the reply address).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
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
        also: Additions to the email, from other commands or events.
        tap_address: The recipient address in links that prepare a reply; it contains the version of
            the match. If it is empty, these links use `reply_address`.
        timezone: The time zone for times in the email.
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
    also: tuple[Section, ...] = ()
    tap_address: str = ""
    site_address: str = ""
    boards: tuple[EmailView, ...] = ()
    page_address: str = ""
    join_address: str = ""
    has_pictures: bool = False
    is_spoken: bool = False
