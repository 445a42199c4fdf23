"""The database as a whole: looked through, listed, copied.

`deep.py` reads every row, `rows.py` knows what may stand in one, `backup.py` copies a database that
is in use. Nothing here knows a game or a mail.
"""
