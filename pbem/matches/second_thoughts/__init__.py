"""What may still be regretted, pure.

The correction window, takebacks, and resignations that are held: a file each, with what its events
(`undo_events.py`) leave open, what is decided, and whether it may stand in the log.
"""
