"""One cause, its consequences, one commit.

`transaction.py` opens matches and players, decides on them, gathers what people are to be told, and
writes all of it at once: mails, timers and views first, the events last. A consequence that follows
from every commit (a timer, a list, a bot's turn) is a module here that `close` calls. Nothing here
reads a letter or chooses what a verb does.
"""
