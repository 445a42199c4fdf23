"""Players that are programs. `levels` chooses a move of a bot, by a `search` that fits all games.

Nothing here draws random numbers by itself: the caller gives a seed, so that the moves of a bot can
be computed again.
"""
