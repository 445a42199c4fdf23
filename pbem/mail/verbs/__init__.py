"""The verbs: what may be ordered by mail, and in which words.

`orders.py` and its neighbours hold each order as a frozen value, `verb_table.py` the verbs that
stand for them, `vocabulary.py` what they are called in other languages. Only words are known here,
no match and no player. A new verb is an order, a row in the table, and its words in the catalogues.
"""
