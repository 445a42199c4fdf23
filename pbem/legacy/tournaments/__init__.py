"""The life of a tournament, pure: the third decider, of the same shape as matches/ and players/.

Its rules are docs/tournaments.md, whose numbers (TR-n) stand beside what they rule. Nothing here
knows a match from within: how a table ended is told by whoever joins both, as plain values. A kind
of tournament is one file (`league`, `ladder`, `cup`): what follows by itself in it. A new one is
such a file, and its line in `following.py`.
"""
