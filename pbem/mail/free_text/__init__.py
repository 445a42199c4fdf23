"""Prose read: which orders, moves and wishes stand in the lines that a person typed.

Lines come in, orders or a question come out; no mail header, match or store is known here. All of
it is linear in the length of the text, since the text is anybody's, and nothing that is doubtful is
ever carried out. A new way of saying something is a line in a list and a phrase in the tests.
"""
