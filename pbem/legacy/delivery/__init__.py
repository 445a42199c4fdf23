"""From mails that are owed to bytes, and what becomes of them.

`material.py` reads what a mail speaks of as of the noted version, `mail_writing.py` renders and
keeps its bytes, `relay.py` notes what the relay said. Digests, reminders, quotas, bounces
and the files that mails carry live here as well. What a bounce changes in a match is decided by the
transaction; nothing here knows a letter's orders.
"""
