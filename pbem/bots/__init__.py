"""Players that are programs: each picks a move by the Game record, or knows one game well.

Nothing here draws chance by itself: the caller of a bot gives it the numbers, so that a bot's match
can be replayed.
"""
