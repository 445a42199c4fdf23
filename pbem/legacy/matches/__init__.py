"""The life of a match, pure: challenge, seats, turns, endings.

A match is its parts (`match.py`). A concept is one file: its events, what they make of the parts (a
table by kind of event, which `replay.py` looks up and which never refuses), the functions that
decide and give events or raise Rejection, and what of it may stand in the log (`verify.py`). In
`events.py` are only those of which all speak. `decide.py` lets each event happen once, with what
follows by itself. Nothing here reads a clock, draws, stores or writes a sentence, and no game is
known by name.
"""
