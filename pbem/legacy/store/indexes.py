"""The indexes of the tables that grow for ever: what is looked for again and again is found by one.

An index of some rows only has those that still wait for something, or are kept, whatever else has
been. A query uses it if it has the same condition: on SQLite word by word, and not as a value.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Index, text


def some(name: str, *columns: str, rows: str, postgresql: str = "") -> Index:
    """An index of these rows only; `postgresql` is the condition there, where it is another."""
    return Index(name, *columns, sqlite_where=text(rows), postgresql_where=text(postgresql or rows))


INBOX: Final = (
    some("ix_inbox_new", "number", rows="state = 'new'"),
    some("ix_inbox_waits", "player", "number", rows="state = 'waits'"),
    some("ix_inbox_shunted", "number", rows="state = 'shunted'"),
    some("ix_inbox_kept", "received_at", rows="length(raw) > 0"),
    Index("ix_inbox_player", "player", "number"),
)

OUTBOX: Final = (
    some("ix_outbox_due", "next_at", rows="next_at IS NOT NULL"),
    some("ix_outbox_to_send", "id", rows="next_at IS NOT NULL"),
    some("ix_outbox_unsent", "stream", "recipient", rows="next_at IS NOT NULL"),
    some("ix_outbox_dead", "id", rows="state = 'dead'"),
    some("ix_outbox_kept", "queued_at", rows="data IS NOT NULL"),
    Index("ix_outbox_recipient", "recipient", "id"),
    Index("ix_outbox_stream", "stream"),
)

TIMER: Final = (
    some("ix_timer_due", "due_at", rows="fired_at IS NULL"),
    some("ix_timer_bot", "due_at", rows="fired_at IS NULL AND kind = 'bot'"),
)

QUESTION: Final = (Index("ix_question_player", "player"),)

ADDRESS: Final = (
    some("ix_address_unproved", "player", rows="confirmed IS 0", postgresql="confirmed IS false"),
    some("ix_address_suspended", "player", rows="suspended_at IS NOT NULL"),
)

MATCH: Final = (Index("ix_match_newest", "status", "updated_at", "id"),)

EVENT: Final = (
    some("ix_event_ended", "position", rows="type = 'MatchEnded'"),
    some("ix_event_corrected", "position", rows="type = 'MatchUnrated'"),
)

MATCH_PLAYER: Final = (Index("ix_match_player_match", "match"),)

ANALYSIS: Final = (some("ix_analysis_due", "due_at", rows="due_at IS NOT NULL"),)
