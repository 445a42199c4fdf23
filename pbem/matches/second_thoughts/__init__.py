"""What may still be regretted, pure.

The correction window, takebacks, and resignations that are held: each with its decisions and with
what its events (`undo_events.py`) change in a match.
"""
