"""The verbs: what may be ordered by mail, and in which words.

A file has a family: its orders as frozen values, how the rest of their lines is read, and a row
for each verb, with the examples that mails show. `verb_table.py` has them all, `vocabulary.py` what
they are called in other languages. Only words are known here, no match and no player.
"""
