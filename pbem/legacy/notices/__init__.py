"""What people must be told: from events to the words of a mail.

`notice.py` says what a notice is. A family is one file: its notices as frozen facts, and which
event owes them to whom (`OWING`); `news.py` asks all of them, `seasons.py` says what tournaments
owe. `codec.py` knows all kinds, and takes them through the outbox. views/ adds what the reader may
see of the match; rendering/ alone knows templates/. A new notice is a class, its template, and a
golden mail in tests/legacy/notices/. No notice holds a sentence, an address, or a secret of somebody else.
"""
