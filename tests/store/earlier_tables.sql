-- What 0001 has made on SQLite in each of the thirteen forms that it had before it was frozen.
-- Above each statement stand the forms that had it; the last is today's.

-- 1
CREATE TABLE address (
 folded VARCHAR NOT NULL,
 address VARCHAR NOT NULL,
 player VARCHAR NOT NULL,
 main BOOLEAN NOT NULL,
 added_at VARCHAR(27) NOT NULL,
 confirmed_at VARCHAR(27),
 CONSTRAINT pk_address PRIMARY KEY (folded),
 CONSTRAINT fk_address_player FOREIGN KEY(player) REFERENCES player (id)
);

-- 2-3
CREATE TABLE address (
 folded VARCHAR NOT NULL,
 address VARCHAR NOT NULL,
 player VARCHAR NOT NULL,
 main BOOLEAN NOT NULL,
 confirmed BOOLEAN NOT NULL,
 added_at VARCHAR(27) NOT NULL,
 CONSTRAINT pk_address PRIMARY KEY (folded),
 CONSTRAINT fk_address_player FOREIGN KEY(player) REFERENCES player (id)
);

-- 4-11
CREATE TABLE address (
 folded VARCHAR NOT NULL,
 address VARCHAR NOT NULL,
 player VARCHAR NOT NULL,
 main BOOLEAN NOT NULL,
 confirmed BOOLEAN NOT NULL,
 added_at VARCHAR(27) NOT NULL,
 bounces INTEGER NOT NULL,
 suspended_at VARCHAR(27),
 CONSTRAINT pk_address PRIMARY KEY (folded),
 CONSTRAINT fk_address_player FOREIGN KEY(player) REFERENCES player (id)
);

-- 12-13
CREATE TABLE address (
 folded VARCHAR NOT NULL,
 address VARCHAR NOT NULL,
 player VARCHAR NOT NULL,
 main BOOLEAN NOT NULL,
 confirmed BOOLEAN NOT NULL,
 added_at VARCHAR(27) NOT NULL,
 bounces INTEGER NOT NULL,
 bounced_since VARCHAR(27),
 suspended_at VARCHAR(27),
 CONSTRAINT pk_address PRIMARY KEY (folded),
 CONSTRAINT fk_address_player FOREIGN KEY(player) REFERENCES player (id)
);

-- 1-13
CREATE TABLE chance_secret (
 stream VARCHAR NOT NULL,
 kind VARCHAR NOT NULL,
 commitment VARCHAR NOT NULL,
 secret BLOB NOT NULL,
 links INTEGER NOT NULL,
 next_index INTEGER NOT NULL,
 CONSTRAINT pk_chance_secret PRIMARY KEY (stream, kind)
);

-- 1
CREATE TABLE checkpoint (
 account VARCHAR NOT NULL,
 mailbox VARCHAR NOT NULL,
 uidvalidity INTEGER NOT NULL,
 uid INTEGER NOT NULL,
 CONSTRAINT pk_checkpoint PRIMARY KEY (account, mailbox)
);

-- 2-13
CREATE TABLE checkpoint (
 account VARCHAR NOT NULL,
 mailbox VARCHAR NOT NULL,
 uidvalidity INTEGER NOT NULL,
 uid INTEGER NOT NULL,
 read_at VARCHAR(27) NOT NULL,
 CONSTRAINT pk_checkpoint PRIMARY KEY (account, mailbox)
);

-- 1-13
CREATE TABLE event (
 position INTEGER NOT NULL,
 stream VARCHAR NOT NULL,
 version INTEGER NOT NULL,
 event_id VARCHAR NOT NULL,
 type VARCHAR NOT NULL,
 schema INTEGER NOT NULL,
 data VARCHAR NOT NULL,
 meta VARCHAR NOT NULL,
 recorded_at VARCHAR(27) NOT NULL,
 hash VARCHAR NOT NULL,
 CONSTRAINT pk_event PRIMARY KEY (position),
 CONSTRAINT fk_event_stream FOREIGN KEY(stream) REFERENCES stream (id),
 CONSTRAINT uq_event_event_id UNIQUE (event_id),
 CONSTRAINT uq_event_stream_version UNIQUE (stream, version)
);

-- 1-2
CREATE TABLE fingerprint (
 outbox_id INTEGER NOT NULL,
 line VARCHAR NOT NULL,
 CONSTRAINT pk_fingerprint PRIMARY KEY (outbox_id, line)
)
 WITHOUT ROWID;

-- 3-13
CREATE TABLE fingerprint (
 outbox_id INTEGER NOT NULL,
 lines VARCHAR NOT NULL,
 CONSTRAINT pk_fingerprint PRIMARY KEY (outbox_id)
);

-- 1
CREATE TABLE inbox (
 number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
 mail_key VARCHAR NOT NULL,
 account VARCHAR NOT NULL,
 mailbox VARCHAR NOT NULL,
 uidvalidity INTEGER NOT NULL,
 uid INTEGER NOT NULL,
 message_id VARCHAR,
 envelope_to VARCHAR,
 raw BLOB NOT NULL,
 oversize BOOLEAN NOT NULL,
 received_at VARCHAR(27) NOT NULL,
 attempts INTEGER NOT NULL,
 state VARCHAR NOT NULL,
 disposition VARCHAR,
 code VARCHAR,
 stream VARCHAR,
 from_version INTEGER,
 to_version INTEGER,
 CONSTRAINT uq_inbox_mail_key UNIQUE (mail_key)
);

-- 2-7
CREATE TABLE inbox (
 number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
 mail_key VARCHAR NOT NULL,
 account VARCHAR NOT NULL,
 mailbox VARCHAR NOT NULL,
 uidvalidity INTEGER NOT NULL,
 uid INTEGER NOT NULL,
 message_id VARCHAR,
 envelope_to VARCHAR,
 raw BLOB NOT NULL,
 oversize INTEGER,
 received_at VARCHAR(27) NOT NULL,
 attempts INTEGER NOT NULL,
 state VARCHAR NOT NULL,
 disposition VARCHAR,
 code VARCHAR,
 stream VARCHAR,
 from_version INTEGER,
 to_version INTEGER,
 CONSTRAINT uq_inbox_mail_key UNIQUE (mail_key)
);

-- 8-10
CREATE TABLE inbox (
 number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
 mail_key VARCHAR NOT NULL,
 account VARCHAR NOT NULL,
 mailbox VARCHAR NOT NULL,
 uidvalidity INTEGER NOT NULL,
 uid INTEGER NOT NULL,
 message_id VARCHAR,
 envelope_to VARCHAR,
 raw BLOB NOT NULL,
 oversize INTEGER,
 received_at VARCHAR(27) NOT NULL,
 attempts INTEGER NOT NULL,
 state VARCHAR NOT NULL,
 disposition VARCHAR,
 code VARCHAR,
 player VARCHAR,
 stream VARCHAR,
 from_version INTEGER,
 to_version INTEGER,
 CONSTRAINT uq_inbox_mail_key UNIQUE (mail_key)
);

-- 11-13
CREATE TABLE inbox (
 number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
 mail_key VARCHAR NOT NULL,
 account VARCHAR NOT NULL,
 mailbox VARCHAR NOT NULL,
 uidvalidity INTEGER NOT NULL,
 uid INTEGER NOT NULL,
 message_id VARCHAR,
 envelope_to VARCHAR,
 raw BLOB NOT NULL,
 oversize INTEGER,
 received_at VARCHAR(27) NOT NULL,
 attempts INTEGER NOT NULL,
 state VARCHAR NOT NULL,
 disposition VARCHAR,
 code VARCHAR,
 player VARCHAR,
 stream VARCHAR,
 to_version INTEGER,
 CONSTRAINT uq_inbox_mail_key UNIQUE (mail_key)
);

-- 1-13
CREATE TABLE log_head (
 id INTEGER NOT NULL,
 position INTEGER NOT NULL,
 CONSTRAINT pk_log_head PRIMARY KEY (id)
);

-- 1
CREATE TABLE "match" (
 id VARCHAR NOT NULL,
 ruleset VARCHAR NOT NULL,
 status VARCHAR NOT NULL,
 challenger VARCHAR,
 players VARCHAR NOT NULL,
 to_act VARCHAR NOT NULL,
 ply INTEGER NOT NULL,
 version INTEGER NOT NULL,
 created_at VARCHAR(27) NOT NULL,
 updated_at VARCHAR(27) NOT NULL,
 waiting_since VARCHAR(27),
 CONSTRAINT pk_match PRIMARY KEY (id)
);

-- 2-6
CREATE TABLE "match" (
 id VARCHAR NOT NULL,
 ruleset VARCHAR NOT NULL,
 status VARCHAR NOT NULL,
 players VARCHAR NOT NULL,
 to_act VARCHAR NOT NULL,
 ply INTEGER NOT NULL,
 version INTEGER NOT NULL,
 created_at VARCHAR(27) NOT NULL,
 updated_at VARCHAR(27) NOT NULL,
 waiting_since VARCHAR(27),
 CONSTRAINT pk_match PRIMARY KEY (id)
);

-- 7-13
CREATE TABLE "match" (
 id VARCHAR NOT NULL,
 ruleset VARCHAR NOT NULL,
 status VARCHAR NOT NULL,
 players VARCHAR NOT NULL,
 to_act VARCHAR NOT NULL,
 open_seats INTEGER NOT NULL,
 ply INTEGER NOT NULL,
 version INTEGER NOT NULL,
 created_at VARCHAR(27) NOT NULL,
 updated_at VARCHAR(27) NOT NULL,
 waiting_since VARCHAR(27),
 CONSTRAINT pk_match PRIMARY KEY (id)
);

-- 1-6
CREATE TABLE match_player (
 player VARCHAR NOT NULL,
 "match" VARCHAR NOT NULL,
 CONSTRAINT pk_match_player PRIMARY KEY (player, "match")
)
 WITHOUT ROWID;

-- 7-13
CREATE TABLE match_player (
 player VARCHAR NOT NULL,
 "match" VARCHAR NOT NULL,
 finished BOOLEAN NOT NULL,
 CONSTRAINT pk_match_player PRIMARY KEY (player, "match")
)
 WITHOUT ROWID;

-- 9-13
CREATE TABLE match_watcher (
 player VARCHAR NOT NULL,
 "match" VARCHAR NOT NULL,
 CONSTRAINT pk_match_watcher PRIMARY KEY (player, "match")
)
 WITHOUT ROWID;

-- 1
CREATE TABLE outbox (
 id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
 mail_key VARCHAR NOT NULL,
 message_id VARCHAR NOT NULL,
 stream VARCHAR,
 version INTEGER,
 recipient VARCHAR,
 to_address VARCHAR,
 kind VARCHAR NOT NULL,
 notices VARCHAR NOT NULL,
 in_reply_to VARCHAR,
 references_root VARCHAR,
 state VARCHAR NOT NULL,
 attempts INTEGER NOT NULL,
 queued_at VARCHAR(27) NOT NULL,
 next_at VARCHAR(27),
 data BLOB,
 mail_from VARCHAR,
 rcpt VARCHAR,
 smtp_reply VARCHAR,
 sent_at VARCHAR(27),
 CONSTRAINT uq_outbox_mail_key UNIQUE (mail_key),
 CONSTRAINT uq_outbox_message_id UNIQUE (message_id)
);

-- 2-13
CREATE TABLE outbox (
 id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
 mail_key VARCHAR NOT NULL,
 message_id VARCHAR NOT NULL,
 stream VARCHAR,
 version INTEGER NOT NULL,
 recipient VARCHAR,
 to_address VARCHAR,
 kind VARCHAR NOT NULL,
 notices VARCHAR NOT NULL,
 in_reply_to VARCHAR,
 root VARCHAR,
 state VARCHAR NOT NULL,
 attempts INTEGER NOT NULL,
 queued_at VARCHAR(27) NOT NULL,
 next_at VARCHAR(27),
 data BLOB,
 mail_from VARCHAR,
 rcpt VARCHAR,
 smtp_reply VARCHAR,
 sent_at VARCHAR(27),
 CONSTRAINT uq_outbox_mail_key UNIQUE (mail_key),
 CONSTRAINT uq_outbox_message_id UNIQUE (message_id)
);

-- 1-4
CREATE TABLE player (
 id VARCHAR NOT NULL,
 name VARCHAR NOT NULL,
 name_folded VARCHAR NOT NULL,
 generation INTEGER NOT NULL,
 created_at VARCHAR(27) NOT NULL,
 CONSTRAINT pk_player PRIMARY KEY (id)
);

-- 5
CREATE TABLE player (
 id VARCHAR NOT NULL,
 name VARCHAR NOT NULL,
 name_folded VARCHAR NOT NULL,
 generation INTEGER NOT NULL,
 private_comments BOOLEAN NOT NULL,
 created_at VARCHAR(27) NOT NULL,
 CONSTRAINT pk_player PRIMARY KEY (id)
);

-- 6-9
CREATE TABLE player (
 id VARCHAR NOT NULL,
 name VARCHAR NOT NULL,
 name_folded VARCHAR NOT NULL,
 generation INTEGER NOT NULL,
 private_comments BOOLEAN NOT NULL,
 wishes VARCHAR NOT NULL,
 created_at VARCHAR(27) NOT NULL,
 CONSTRAINT pk_player PRIMARY KEY (id)
);

-- 10-13
CREATE TABLE player (
 id VARCHAR NOT NULL,
 name VARCHAR NOT NULL,
 name_folded VARCHAR NOT NULL,
 generation INTEGER NOT NULL,
 private_comments BOOLEAN NOT NULL,
 banned BOOLEAN NOT NULL,
 wishes VARCHAR NOT NULL,
 created_at VARCHAR(27) NOT NULL,
 CONSTRAINT pk_player PRIMARY KEY (id)
);

-- 1-13
CREATE TABLE projection (
 name VARCHAR NOT NULL,
 code_version INTEGER NOT NULL,
 position INTEGER NOT NULL,
 CONSTRAINT pk_projection PRIMARY KEY (name)
);

-- 1
CREATE TABLE question (
 "key" VARCHAR NOT NULL,
 player VARCHAR NOT NULL,
 kind VARCHAR NOT NULL,
 facts VARCHAR NOT NULL,
 asked_at VARCHAR(27) NOT NULL,
 expires_at VARCHAR(27) NOT NULL,
 answered_at VARCHAR(27),
 answer VARCHAR,
 CONSTRAINT pk_question PRIMARY KEY ("key")
);

-- 2-13
CREATE TABLE question (
 number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
 "key" VARCHAR NOT NULL,
 player VARCHAR NOT NULL,
 kind VARCHAR NOT NULL,
 facts VARCHAR NOT NULL,
 expires_at VARCHAR(27) NOT NULL,
 answered_at VARCHAR(27),
 CONSTRAINT uq_question_key UNIQUE ("key")
);

-- 1-13
CREATE TABLE rate (
 "key" VARCHAR NOT NULL,
 empty_at VARCHAR(27) NOT NULL,
 CONSTRAINT pk_rate PRIMARY KEY ("key")
);

-- 1-13
CREATE TABLE reply_address (
 player VARCHAR NOT NULL,
 generation INTEGER NOT NULL,
 since VARCHAR(27) NOT NULL,
 revoked_at VARCHAR(27),
 CONSTRAINT pk_reply_address PRIMARY KEY (player, generation),
 CONSTRAINT fk_reply_address_player FOREIGN KEY(player) REFERENCES player (id)
);

-- 1-13
CREATE TABLE runner_state (
 runner VARCHAR NOT NULL,
 last_at VARCHAR(27) NOT NULL,
 what VARCHAR NOT NULL,
 CONSTRAINT pk_runner_state PRIMARY KEY (runner)
);

-- 1-13
CREATE TABLE sealed (
 digest VARCHAR NOT NULL,
 salt BLOB NOT NULL,
 text VARCHAR NOT NULL,
 CONSTRAINT pk_sealed PRIMARY KEY (digest)
);

-- 13
CREATE TABLE seat_name (
 "match" VARCHAR NOT NULL,
 seat INTEGER NOT NULL,
 player VARCHAR NOT NULL,
 name VARCHAR NOT NULL,
 CONSTRAINT pk_seat_name PRIMARY KEY ("match", seat)
)
 WITHOUT ROWID;

-- 1-13
CREATE TABLE stream (
 id VARCHAR NOT NULL,
 category VARCHAR NOT NULL,
 version INTEGER NOT NULL,
 head_hash VARCHAR NOT NULL,
 created_at VARCHAR(27) NOT NULL,
 closed_at VARCHAR(27),
 CONSTRAINT pk_stream PRIMARY KEY (id)
);

-- 1-13
CREATE TABLE timer (
 "key" VARCHAR NOT NULL,
 due_at VARCHAR(27) NOT NULL,
 stream VARCHAR,
 kind VARCHAR NOT NULL,
 facts VARCHAR NOT NULL,
 fired_at VARCHAR(27),
 CONSTRAINT pk_timer PRIMARY KEY ("key")
);

-- 1-13
CREATE INDEX ix_address_player ON address (player);

-- 1-13
CREATE INDEX ix_inbox_new ON inbox (number) WHERE state = 'new';

-- 1-13
CREATE INDEX ix_match_status ON "match" (status);

-- 1-13
CREATE INDEX ix_outbox_due ON outbox (next_at) WHERE next_at IS NOT NULL;

-- 1
CREATE INDEX ix_outbox_reader ON outbox (stream, recipient, kind);

-- 2-13
CREATE INDEX ix_outbox_recipient ON outbox (recipient);

-- 2-13
CREATE INDEX ix_outbox_unsent ON outbox (stream, recipient) WHERE next_at IS NOT NULL;

-- 1-13
CREATE INDEX ix_player_name_folded ON player (name_folded);

-- 1-13
CREATE INDEX ix_question_player ON question (player);

-- 1-13
CREATE INDEX ix_timer_due ON timer (due_at) WHERE fired_at IS NULL;

-- 1-13
CREATE TRIGGER event_leaves_no_gap BEFORE INSERT ON event
 WHEN NEW.position <> 1 + (SELECT coalesce(max(position), 0) FROM event)
 OR NEW.version <> 1 + (
 SELECT coalesce(max(version), 0) FROM event WHERE stream = NEW.stream
 )
 BEGIN
 SELECT RAISE(ABORT, 'events leave no gap');
 END;

-- 1-13
CREATE TRIGGER event_never_changes BEFORE UPDATE ON event
 BEGIN
 SELECT RAISE(ABORT, 'events are never changed');
 END;

-- 1-13
CREATE TRIGGER event_never_goes BEFORE DELETE ON event
 BEGIN
 SELECT RAISE(ABORT, 'events are never deleted');
 END;
