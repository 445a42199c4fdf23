"""Games of others, whose rules run in processes of their own, which may be slow, wrong or end.

`record` is what the rest of pbem sees: a Game like any other, whose positions and moves are texts.
It asks `child`, which keeps a process a ruleset and ends it where it takes too long; that runs
`process`, in which alone a package is imported; `answers` says what may come out of it. Nothing
here knows of matches or mail. A fault makes a position `STILL`, and stands in `FAULTS`.
"""
