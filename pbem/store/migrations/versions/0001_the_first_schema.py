"""The first schema.

Revision: 0001
Follows:
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables of the first schema."""
    op.create_table(
        "account_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("change", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("account_change", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_account_change_player"), ["player"], unique=False)

    op.create_table(
        "chance_secret",
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match"),
    )
    op.create_table(
        "conditional_move",
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("expected", sa.String(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("message_hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", "expected"),
    )
    op.create_table(
        "do_not_mail",
        sa.Column("mailbox_hash", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("mailbox_hash"),
    )
    op.create_table(
        "event",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("stream", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("data", sa.String(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("salt", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("position"),
        sa.UniqueConstraint("event_id"),
        sa.UniqueConstraint("stream", "version"),
    )
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_event_cause"), ["cause"], unique=False)
        batch_op.create_index(batch_op.f("ix_event_stream"), ["stream"], unique=False)

    op.create_table(
        "fault",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "inbox",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("received_at", sa.DateTime(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("is_cut", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(), nullable=True),
        sa.Column("sent_as", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
        sa.UniqueConstraint("number"),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_inbox_sent_as"), ["sent_as"], unique=False)
        batch_op.create_index(batch_op.f("ix_inbox_state"), ["state"], unique=False)

    op.create_table(
        "mailbox_state",
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("mailbox", sa.String(), nullable=False),
        sa.Column("uidvalidity", sa.Integer(), nullable=False),
        sa.Column("uid", sa.Integer(), nullable=False),
        sa.Column("fetched_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("account", "mailbox"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("player", sa.String(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("match", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("turn_since", sa.DateTime(), nullable=True),
        sa.Column("is_prompt", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("html", sa.String(), nullable=False),
        sa.Column("attachments", sa.JSON(), nullable=False),
        sa.Column("pictures", sa.JSON(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("in_reply_to", sa.String(), nullable=False),
        sa.Column("references", sa.String(), nullable=False),
        sa.Column("reply_tag", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("queued_at", sa.DateTime(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(), nullable=True),
        sa.Column("sent_at", sa.DateTime(), nullable=True),
        sa.Column("data", sa.LargeBinary(), nullable=True),
        sa.Column("smtp_reply", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
        sa.UniqueConstraint("message_id"),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("ix_outbox_due", ["state", "next_attempt_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_match"), ["match"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_sent_at"), ["sent_at"], unique=False)
        batch_op.create_index("ix_outbox_unsent", ["player", "state"], unique=False)

    op.create_table(
        "player",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("digest_hour", sa.Integer(), nullable=True),
        sa.Column("digest_due", sa.DateTime(), nullable=True),
        sa.Column("digest_attempts", sa.Integer(), nullable=False),
        sa.Column("has_pictures", sa.Boolean(), nullable=False),
        sa.Column("is_spoken", sa.Boolean(), nullable=False),
        sa.Column("has_reminders", sa.Boolean(), nullable=False),
        sa.Column("undo_minutes", sa.Integer(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(), nullable=True),
        sa.Column("stopped_at", sa.DateTime(), nullable=True),
        sa.Column("away_until", sa.DateTime(), nullable=True),
        sa.Column("bounces", sa.Integer(), nullable=False),
        sa.Column("suspended_at", sa.DateTime(), nullable=True),
        sa.Column("banned_at", sa.DateTime(), nullable=True),
        sa.Column("deleted_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_player_digest_due"), ["digest_due"], unique=False)
        batch_op.create_index(batch_op.f("ix_player_name"), ["name"], unique=False)

    op.create_table(
        "question",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("player", sa.String(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("match", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=True),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("is_strict", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
        sa.Column("closed_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("question", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_question_player"), ["player"], unique=False)

    op.create_table(
        "rate_limit",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("ends_at", sa.DateTime(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", "subject"),
    )
    with op.batch_alter_table("rate_limit", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_rate_limit_ends_at"), ["ends_at"], unique=False)

    op.create_table(
        "scheduled_move",
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("notation", sa.String(), nullable=False),
        sa.Column("received_at", sa.DateTime(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("message_hash", sa.String(), nullable=False),
        sa.Column("offers_draw", sa.Boolean(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("match", "seat"),
    )
    with op.batch_alter_table("scheduled_move", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_scheduled_move_due_at"), ["due_at"], unique=False)

    op.create_table(
        "timer",
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("match"),
    )
    with op.batch_alter_table("timer", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_timer_due_at"), ["due_at"], unique=False)

    op.create_table(
        "tournament",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("group_size", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("time_control", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("starts_at", sa.DateTime(), nullable=True),
        sa.Column("started_at", sa.DateTime(), nullable=True),
        sa.Column("ended_at", sa.DateTime(), nullable=True),
        sa.Column("due_at", sa.DateTime(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    with op.batch_alter_table("tournament", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tournament_due_at"), ["due_at"], unique=False)

    op.create_table(
        "address",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("is_main", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("address"),
    )
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_address_player"), ["player"], unique=False)

    op.create_table(
        "block",
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("other", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["other"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player", "other", "kind"),
    )
    with op.batch_alter_table("block", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_block_other"), ["other"], unique=False)

    op.create_table(
        "match",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("open_seats", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("ended_at", sa.DateTime(), nullable=True),
        sa.Column("outcome", sa.JSON(), nullable=True),
        sa.Column("tournament", sa.String(), nullable=True),
        sa.Column("rated_position", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament"],
            ["tournament.name"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_match_open_seats"), ["open_seats"], unique=False)
        batch_op.create_index(batch_op.f("ix_match_status"), ["status"], unique=False)
        batch_op.create_index(batch_op.f("ix_match_tournament"), ["tournament"], unique=False)

    op.create_table(
        "rating",
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player", "game"),
    )
    with op.batch_alter_table("rating", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_rating_game"), ["game"], unique=False)

    op.create_table(
        "tournament_entry",
        sa.Column("tournament", sa.String(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("message_hash", sa.String(), nullable=False),
        sa.Column("group_number", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["tournament"],
            ["tournament.name"],
        ),
        sa.PrimaryKeyConstraint("tournament", "player"),
    )
    with op.batch_alter_table("tournament_entry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tournament_entry_player"), ["player"], unique=False)

    op.create_table(
        "message",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("sent_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("message", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_message_match"), ["match"], unique=False)
        batch_op.create_index(batch_op.f("ix_message_player"), ["player"], unique=False)

    op.create_table(
        "seat",
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("is_to_move", sa.Boolean(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("emailed_version", sa.Integer(), nullable=False),
        sa.Column("news_since", sa.DateTime(), nullable=True),
        sa.Column("last_move_version", sa.Integer(), nullable=False),
        sa.Column("reminded_of", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("match", "entrant"),
        sa.UniqueConstraint("match", "player"),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_player"), ["player"], unique=False)
        batch_op.create_index("ix_seat_to_move", ["is_to_move", "player"], unique=False)

    op.create_table(
        "watch",
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("notified_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player", "match"),
    )


def downgrade() -> None:
    """Drop all tables of the first schema."""
    op.drop_table("watch")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index("ix_seat_to_move")
        batch_op.drop_index(batch_op.f("ix_seat_player"))

    op.drop_table("seat")
    with op.batch_alter_table("message", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_message_player"))
        batch_op.drop_index(batch_op.f("ix_message_match"))

    op.drop_table("message")
    with op.batch_alter_table("tournament_entry", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tournament_entry_player"))

    op.drop_table("tournament_entry")
    with op.batch_alter_table("rating", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_rating_game"))

    op.drop_table("rating")
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_match_tournament"))
        batch_op.drop_index(batch_op.f("ix_match_status"))
        batch_op.drop_index(batch_op.f("ix_match_open_seats"))

    op.drop_table("match")
    with op.batch_alter_table("block", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_block_other"))

    op.drop_table("block")
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_address_player"))

    op.drop_table("address")
    with op.batch_alter_table("tournament", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tournament_due_at"))

    op.drop_table("tournament")
    with op.batch_alter_table("timer", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_timer_due_at"))

    op.drop_table("timer")
    with op.batch_alter_table("scheduled_move", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_scheduled_move_due_at"))

    op.drop_table("scheduled_move")
    with op.batch_alter_table("rate_limit", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_rate_limit_ends_at"))

    op.drop_table("rate_limit")
    with op.batch_alter_table("question", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_question_player"))

    op.drop_table("question")
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_player_name"))
        batch_op.drop_index(batch_op.f("ix_player_digest_due"))

    op.drop_table("player")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index("ix_outbox_unsent")
        batch_op.drop_index(batch_op.f("ix_outbox_sent_at"))
        batch_op.drop_index(batch_op.f("ix_outbox_match"))
        batch_op.drop_index("ix_outbox_due")

    op.drop_table("outbox")
    op.drop_table("mailbox_state")
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_inbox_state"))
        batch_op.drop_index(batch_op.f("ix_inbox_sent_as"))

    op.drop_table("inbox")
    op.drop_table("heartbeat")
    op.drop_table("fault")
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_event_stream"))
        batch_op.drop_index(batch_op.f("ix_event_cause"))

    op.drop_table("event")
    op.drop_table("do_not_mail")
    op.drop_table("conditional_move")
    op.drop_table("chance_secret")
    with op.batch_alter_table("account_change", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_account_change_player"))

    op.drop_table("account_change")
