"""Letters that came and mails that are owed.

`inbox.py` receives each letter once, says who takes which, and settles it; `outbox.py` queues mails
with their events and keeps their bytes, `leases.py` says which may be sent next. What a mail says
is not known.
"""
