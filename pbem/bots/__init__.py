"""Players that are programs: each picks a move by the Game record alone and knows no game by name.

Nothing here draws chance by itself: whoever calls a bot gives it the numbers, so that a bot's match
can be replayed.
"""
