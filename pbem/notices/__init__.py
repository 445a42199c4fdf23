"""What people must be told: from events to the words of a mail.

`notice.py` has the facts, one frozen class a kind of news; `codec.py` carries them through the
outbox; reactions/ derives them from events; views/ adds what the reader may see of the match;
rendering/ alone knows templates/. A new notice is a class, its template, and a golden
mail in tests/notices/. No notice holds a sentence, an address, or a secret of somebody else.
"""
