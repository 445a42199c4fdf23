"""The life of a player, pure: the second decider, of the same shape as matches/.

Names and addresses are not here: they stand in mutable rows of the store, so that they can be
forgotten, and events name them by reference only.
"""
