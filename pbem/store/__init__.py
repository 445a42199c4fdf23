"""Storage: SQLModel tables, the event log, and queries, on SQLite or PostgreSQL.

Every module here is a set of plain functions that take an SQLAlchemy connection and run inside of
the caller's transaction. `database.Database` opens that transaction. The event log is append-only;
`tables` says what else must never be lost.

| module | subject |
|---|---|
| database | engines, transactions, the writer thread |
| tables | the schema |
| codec | events as canonical JSON |
| event_log | append events with the expected version; the hash chain |
| inbox, outbox | emails in and out, as bytes, each processed once |
| matches, players | what lists and emails show |
| messages | what players say, who hears whom, and limits |
| ratings, tournaments | the standing of players |
| waiting | scheduled moves, questions and timers |
| worker_lock | one process works on a database, others cannot write |
| copy, backup | everything into another database; backups and how to begin again from them |
"""
