"""Who sits at a match and who watches it, pure.

Challenges, seats, colours, spectators, and seats that are vacated and taken over. What is played
there is not known here.
"""
