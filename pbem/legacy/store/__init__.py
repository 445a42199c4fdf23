"""What is kept: the event log (log/), mails, people, and the database as a whole (upkeep/).

A unit of work is one synchronous function of a Core `Connection`; `database.py` runs it on the one
writing thread and commits. Each module here owns the statements of its tables (`tables.py`) and
hands out frozen values, never rows of SQLModel. Nothing here decides anything: what an event or a
notice means is not known. Events are only ever inserted. `codec` is pure. A new
table is a class in `tables.py` and a migration beside the others; a released one never changes.
"""
