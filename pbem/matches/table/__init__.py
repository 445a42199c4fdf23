"""Who sits at a match and who watches it, pure.

Challenges, seats, colours, spectators, and seats whose players go (`leaving.py`). `seating.py` has
their state, the part `Table` of a match, and how events change it. What is played there is not
known here.
"""
