"""The database as a whole: looked through, listed, copied.

`deep.py` reads every row and knows what may stand in one, `condition.py` says what waits and brings
back what is ahead, `copies.py` copies a database that is in use. Nothing here knows a game or a
mail.
"""
