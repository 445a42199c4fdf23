"""The contract of a game, as checks that anybody's rules can be put to.

A check (`check.py`) takes a `Table`, a game with a number of seats, plays on it and says in
sentences what is to be mended; it knows no game by name and asks only what the Game record has.
`contract.py` makes pytest tests of them, for a test file or, with `plugin.py`, for a ruleset that
is installed; nothing else here needs pytest. To add a check, write it beside its kin, and a faulty
game in tests/testing that it finds.
"""
