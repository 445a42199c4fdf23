"""The life of a match, pure: challenge, seats, turns, endings.

`decide` turns a command and the state into events or a Rejection; `evolve` turns a state and an
event into the next state and never refuses; `replay` is their fold. Nothing here reads a clock,
draws, stores or writes a sentence, and no game is known by name. A match is its parts (`parts.py`),
each with its own table of events. A decision is an `Unfolding`: it evolves every event once. A new
fact is a new event in `events.py`, with its schema in events/match/, an entry in the table of its
part, one in `audit.py` and one in notices/reactions.
"""
