"""Storage: SQLModel tables, the event log, and queries, on SQLite or PostgreSQL.

Most modules here are sets of plain functions that take an SQLAlchemy connection and run inside the
caller's transaction, which `database.Database` opens. The event log is append-only; `tables` lists
what else must never be lost.

| module | subject |
|---|---|
| database | engines, transactions, the writer thread |
| tables | the schema |
| codec | events as canonical JSON |
| event_log | append events with the expected version; the hash chain |
| inbox, outbox | emails in and out, as bytes, each processed once |
| matches, players | the data that lists and emails show |
| messages | messages between players, mutes, blocks, spectators |
| ratings, tournaments | ratings of players, and tournaments |
| waiting | scheduled moves, questions and timers |
| worker_lock | one process works on a database, others cannot write |
| copy, backup | copying everything into another database; making and restoring backups |
"""
