"""first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TEXT = sa.String()
INSTANT = sa.String(27)
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """All tables, the counter row, and the triggers that make the log append-only."""
    op.create_table(
        "chance_secret",
        sa.Column("stream", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("commitment", TEXT, nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("links", sa.Integer(), nullable=False),
        sa.Column("next_index", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("stream", "kind", name="pk_chance_secret"),
    )
    op.create_table(
        "checkpoint",
        sa.Column("account", TEXT, nullable=False),
        sa.Column("mailbox", TEXT, nullable=False),
        sa.Column("uidvalidity", BIG, nullable=False),
        sa.Column("uid", BIG, nullable=False),
        sa.Column("read_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("account", "mailbox", name="pk_checkpoint"),
    )
    op.create_table(
        "fingerprint",
        sa.Column("outbox_id", BIG, autoincrement=False, nullable=False),
        sa.Column("lines", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("outbox_id", name="pk_fingerprint"),
    )
    op.create_table(
        "inbox",
        sa.Column("number", BIG, nullable=False),
        sa.Column("mail_key", TEXT, nullable=False),
        sa.Column("account", TEXT, nullable=False),
        sa.Column("mailbox", TEXT, nullable=False),
        sa.Column("uidvalidity", BIG, nullable=False),
        sa.Column("uid", BIG, nullable=False),
        sa.Column("message_id", TEXT, nullable=True),
        sa.Column("envelope_to", TEXT, nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("oversize", sa.Integer(), nullable=True),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("disposition", TEXT, nullable=True),
        sa.Column("code", TEXT, nullable=True),
        sa.Column("player", TEXT, nullable=True),
        sa.Column("stream", TEXT, nullable=True),
        sa.Column("to_version", sa.Integer(), nullable=True),
        sa.Column("lane", TEXT, nullable=True),
        sa.Column("worker", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_inbox"),
        sa.UniqueConstraint("mail_key", name="uq_inbox_mail_key"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_inbox_new",
        "inbox",
        ["number"],
        sqlite_where=sa.text("state = 'new'"),
        postgresql_where=sa.text("state = 'new'"),
    )
    op.create_index(
        "ix_inbox_waits",
        "inbox",
        ["player", "number"],
        sqlite_where=sa.text("state = 'waits'"),
        postgresql_where=sa.text("state = 'waits'"),
    )
    op.create_index(
        "ix_inbox_shunted",
        "inbox",
        ["number"],
        sqlite_where=sa.text("state = 'shunted'"),
        postgresql_where=sa.text("state = 'shunted'"),
    )
    op.create_index(
        "ix_inbox_kept",
        "inbox",
        ["received_at"],
        sqlite_where=sa.text("length(raw) > 0"),
        postgresql_where=sa.text("length(raw) > 0"),
    )
    op.create_index("ix_inbox_player", "inbox", ["player", "number"])

    op.create_table(
        "log_head",
        sa.Column(
            "id",
            BIG,
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("position", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_log_head"),
    )
    op.create_table(
        "match",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("ruleset", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("players", TEXT, nullable=False),
        sa.Column("to_act", TEXT, nullable=False),
        sa.Column("open_seats", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("waiting_since", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_match"),
    )
    op.create_index("ix_match_newest", "match", ["status", "updated_at", "id"])

    op.create_table(
        "match_player",
        sa.Column("player", TEXT, nullable=False),
        sa.Column("match", TEXT, nullable=False),
        sa.Column("finished", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("player", "match", name="pk_match_player"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_match_player_match", "match_player", ["match"])

    op.create_table(
        "seat_name",
        sa.Column("match", TEXT, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_seat_name"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "match_watcher",
        sa.Column("player", TEXT, nullable=False),
        sa.Column("match", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("player", "match", name="pk_match_watcher"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "outbox",
        sa.Column("id", BIG, nullable=False),
        sa.Column("mail_key", TEXT, nullable=False),
        sa.Column("message_id", TEXT, nullable=False),
        sa.Column("stream", TEXT, nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("recipient", TEXT, nullable=True),
        sa.Column("to_address", TEXT, nullable=True),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("notices", TEXT, nullable=False),
        sa.Column("in_reply_to", TEXT, nullable=True),
        sa.Column("root", TEXT, nullable=True),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("queued_at", INSTANT, nullable=False),
        sa.Column("next_at", INSTANT, nullable=True),
        sa.Column("data", sa.LargeBinary(), nullable=True),
        sa.Column("mail_from", TEXT, nullable=True),
        sa.Column("rcpt", TEXT, nullable=True),
        sa.Column("smtp_reply", TEXT, nullable=True),
        sa.Column("sent_at", INSTANT, nullable=True),
        sa.Column("worker", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("mail_key", name="uq_outbox_mail_key"),
        sa.UniqueConstraint("message_id", name="uq_outbox_message_id"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_outbox_due",
        "outbox",
        ["next_at"],
        sqlite_where=sa.text("next_at IS NOT NULL"),
        postgresql_where=sa.text("next_at IS NOT NULL"),
    )
    op.create_index(
        "ix_outbox_unsent",
        "outbox",
        ["stream", "recipient"],
        sqlite_where=sa.text("next_at IS NOT NULL"),
        postgresql_where=sa.text("next_at IS NOT NULL"),
    )
    op.create_index(
        "ix_outbox_to_send",
        "outbox",
        ["id"],
        sqlite_where=sa.text("next_at IS NOT NULL"),
        postgresql_where=sa.text("next_at IS NOT NULL"),
    )
    op.create_index(
        "ix_outbox_kept",
        "outbox",
        ["queued_at"],
        sqlite_where=sa.text("data IS NOT NULL"),
        postgresql_where=sa.text("data IS NOT NULL"),
    )
    op.create_index(
        "ix_outbox_dead",
        "outbox",
        ["id"],
        sqlite_where=sa.text("state = 'dead'"),
        postgresql_where=sa.text("state = 'dead'"),
    )
    op.create_index("ix_outbox_recipient", "outbox", ["recipient", "id"])
    op.create_index("ix_outbox_stream", "outbox", ["stream"])

    op.create_table(
        "player",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("name_folded", TEXT, nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("banned", sa.Boolean(), nullable=False),
        sa.Column("wishes", TEXT, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
    )
    op.create_index("ix_player_name_folded", "player", ["name_folded"])

    op.create_table(
        "projection",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("code_version", sa.Integer(), nullable=False),
        sa.Column("position", BIG, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_projection"),
    )
    op.create_table(
        "question",
        sa.Column("number", BIG, nullable=False),
        sa.Column("key", TEXT, nullable=False),
        sa.Column("player", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("facts", TEXT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("answered_at", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_question"),
        sa.UniqueConstraint("key", name="uq_question_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_question_player", "question", ["player"])

    op.create_table(
        "rate",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("empty_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_rate"),
    )
    op.create_table(
        "runner_state",
        sa.Column("runner", TEXT, nullable=False),
        sa.Column("last_at", INSTANT, nullable=False),
        sa.Column("what", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("runner", name="pk_runner_state"),
    )
    op.create_table(
        "sealed",
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_sealed"),
    )
    op.create_table(
        "stream",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("category", TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("head_hash", TEXT, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("closed_at", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_stream"),
    )
    op.create_table(
        "timer",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("stream", TEXT, nullable=True),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("facts", TEXT, nullable=False),
        sa.Column("fired_at", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("key", name="pk_timer"),
    )
    op.create_index(
        "ix_timer_due",
        "timer",
        ["due_at"],
        sqlite_where=sa.text("fired_at IS NULL"),
        postgresql_where=sa.text("fired_at IS NULL"),
    )
    op.create_index(
        "ix_timer_bot",
        "timer",
        ["due_at"],
        sqlite_where=sa.text("fired_at IS NULL AND kind = 'bot'"),
        postgresql_where=sa.text("fired_at IS NULL AND kind = 'bot'"),
    )

    op.create_table(
        "address",
        sa.Column("folded", TEXT, nullable=False),
        sa.Column("address", TEXT, nullable=False),
        sa.Column("player", TEXT, nullable=False),
        sa.Column("main", sa.Boolean(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("added_at", INSTANT, nullable=False),
        sa.Column("bounces", sa.Integer(), nullable=False),
        sa.Column("bounced_since", INSTANT, nullable=True),
        sa.Column("suspended_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="fk_address_player"),
        sa.PrimaryKeyConstraint("folded", name="pk_address"),
    )
    op.create_index("ix_address_player", "address", ["player"])
    op.create_index(
        "ix_address_unproved",
        "address",
        ["player"],
        sqlite_where=sa.text("confirmed IS 0"),
        postgresql_where=sa.text("confirmed IS false"),
    )
    op.create_index(
        "ix_address_suspended",
        "address",
        ["player"],
        sqlite_where=sa.text("suspended_at IS NOT NULL"),
        postgresql_where=sa.text("suspended_at IS NOT NULL"),
    )

    op.create_table(
        "event",
        sa.Column(
            "position",
            BIG,
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("stream", TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("event_id", TEXT, nullable=False),
        sa.Column("type", TEXT, nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("data", TEXT, nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.Column("recorded_at", INSTANT, nullable=False),
        sa.Column("hash", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["stream"], ["stream.id"], name="fk_event_stream"),
        sa.PrimaryKeyConstraint("position", name="pk_event"),
        sa.UniqueConstraint("event_id", name="uq_event_event_id"),
        sa.UniqueConstraint("stream", "version", name="uq_event_stream_version"),
    )
    op.create_index(
        "ix_event_ended",
        "event",
        ["position"],
        sqlite_where=sa.text("type = 'MatchEnded'"),
        postgresql_where=sa.text("type = 'MatchEnded'"),
    )
    op.create_index(
        "ix_event_corrected",
        "event",
        ["position"],
        sqlite_where=sa.text("type = 'MatchUnrated'"),
        postgresql_where=sa.text("type = 'MatchUnrated'"),
    )
    op.create_table(
        "reply_address",
        sa.Column("player", TEXT, nullable=False),
        sa.Column("generation", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.Column("revoked_at", INSTANT, nullable=True),
        sa.Column("match", TEXT, nullable=True),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="fk_reply_address_player"),
        sa.PrimaryKeyConstraint("player", "generation", name="pk_reply_address"),
    )
    op.create_table(
        "no_mail_to",
        sa.Column("mailbox", TEXT, nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("mailbox", name="pk_no_mail_to"),
    )
    op.create_table(
        "result",
        sa.Column("build", sa.Integer(), nullable=False),
        sa.Column("player", TEXT, nullable=False),
        sa.Column("game", TEXT, nullable=False),
        sa.Column("position", BIG, nullable=False),
        sa.Column("match", TEXT, nullable=False),
        sa.Column("ended_at", INSTANT, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("late", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Boolean(), nullable=False),
        sa.Column("unrated", TEXT, nullable=False),
        sa.Column("rating", sa.Float(), nullable=True),
        sa.Column("deviation", sa.Float(), nullable=True),
        sa.Column("volatility", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("build", "player", "game", "position", name="pk_result"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rating",
        sa.Column("build", sa.Integer(), nullable=False),
        sa.Column("game", TEXT, nullable=False),
        sa.Column("player", TEXT, nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("changed_at", INSTANT, nullable=False),
        sa.Column("listed_until", INSTANT, nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("build", "game", "player", name="pk_rating"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_rating_best", "rating", ["build", "game", "rating", "listed_until"])

    op.create_table(
        "analysis",
        sa.Column("match", TEXT, nullable=False),
        sa.Column("as_of", TEXT, nullable=False),
        sa.Column("waits", TEXT, nullable=False),
        sa.Column("asked_at", INSTANT, nullable=False),
        sa.Column("due_at", INSTANT, nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("of", sa.Integer(), nullable=False),
        sa.Column("pieces", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_analysis"),
    )
    op.create_index(
        "ix_analysis_due",
        "analysis",
        ["due_at"],
        sqlite_where=sa.text("due_at IS NOT NULL"),
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )

    op.create_table(
        "log_node",
        sa.Column("level", BIG, autoincrement=False, nullable=False),
        sa.Column("number", BIG, autoincrement=False, nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("level", "number", name="pk_log_node"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "log_note",
        sa.Column("size", BIG, autoincrement=False, nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("note", TEXT, nullable=False),
        sa.Column("key", TEXT, nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("size", name="pk_log_note"),
    )

    op.create_table(
        "match_still",
        sa.Column("match", TEXT, nullable=False),
        sa.Column("ruleset", TEXT, nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.Column("why", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_match_still"),
    )

    op.create_table(
        "tournament",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("ruleset", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("entered", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("due_at", INSTANT, nullable=True),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournament"),
    )
    op.create_table(
        "tournament_player",
        sa.Column("player", TEXT, nullable=False),
        sa.Column("tournament", TEXT, nullable=False),
        sa.Column("entered", sa.Boolean(), nullable=False),
        sa.Column("playing", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("player", "tournament", name="pk_tournament_player"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tournament_player_tournament", "tournament_player", ["tournament"])
    op.create_table(
        "came_of",
        sa.Column("ruleset", TEXT, nullable=False),
        sa.Column("starter", sa.Integer(), nullable=False),
        sa.Column("first", TEXT, nullable=False),
        sa.Column("placings", TEXT, nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("ruleset", "starter", "first", "placings", name="pk_came_of"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "lasted",
        sa.Column("ruleset", TEXT, nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("ruleset", "seats", "plies", name="pk_lasted"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "opening",
        sa.Column("ruleset", TEXT, nullable=False),
        sa.Column("position", sa.LargeBinary(), nullable=False),
        sa.Column("move", TEXT, nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("ruleset", "position", "move", name="pk_opening"),
        sqlite_with_rowid=False,
    )

    op.create_table(
        "identity",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("left_for", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_identity"),
    )
    # A checksum for each row, and which rows have none yet; `pbem.legacy.store.sums` fills them.
    op.create_table(
        "touched",
        sa.Column("tbl", TEXT, nullable=False),
        sa.Column("key", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("tbl", "key", name="pk_touched"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "row_sum",
        sa.Column("tbl", TEXT, nullable=False),
        sa.Column("key", TEXT, nullable=False),
        sa.Column("sum", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tbl", "key", name="pk_row_sum"),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO log_head (id, position) VALUES (1, 0)")
    for statement in TRIGGERS[op.get_bind().dialect.name]:
        op.execute(statement)


# "INSERT OR REPLACE" deletes without firing the delete trigger unless recursive_triggers is on; the
# store turns it on, and the gap trigger refuses a position or version that is taken in any case.
SQLITE = (
    """
    CREATE TRIGGER event_never_changes BEFORE UPDATE ON event
    BEGIN
        SELECT RAISE(ABORT, 'events are never changed');
    END
    """,
    """
    CREATE TRIGGER event_never_goes BEFORE DELETE ON event
    BEGIN
        SELECT RAISE(ABORT, 'events are never deleted');
    END
    """,
    """
    CREATE TRIGGER event_leaves_no_gap BEFORE INSERT ON event
    WHEN NEW.position <> 1 + (SELECT coalesce(max(position), 0) FROM event)
        OR NEW.version <> 1 + (
            SELECT coalesce(max(version), 0) FROM event WHERE stream = NEW.stream
        )
    BEGIN
        SELECT RAISE(ABORT, 'events leave no gap');
    END
    """,
)

POSTGRESQL = (
    """
    CREATE FUNCTION event_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'events are never changed or deleted';
    END $$
    """,
    """
    CREATE FUNCTION event_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.position <> 1 + (SELECT coalesce(max(position), 0) FROM event)
            OR NEW.version <> 1 + (
                SELECT coalesce(max(version), 0) FROM event WHERE stream = NEW.stream
            )
        THEN
            RAISE EXCEPTION 'events leave no gap';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER event_is_kept BEFORE UPDATE OR DELETE ON event
    FOR EACH ROW EXECUTE FUNCTION event_is_kept()
    """,
    """
    CREATE TRIGGER event_is_not_emptied BEFORE TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_is_kept()
    """,
    """
    CREATE TRIGGER event_leaves_no_gap BEFORE INSERT ON event
    FOR EACH ROW EXECUTE FUNCTION event_fits()
    """,
)

TRIGGERS = {"sqlite": SQLITE, "postgresql": POSTGRESQL}
