"""Bots are automatic players. `levels` chooses their moves by `search`, which fits any game.

All random numbers come from a seed that the caller gives. So the moves of a bot can be computed
again.
"""
