"""What binds the whole log: a Merkle tree of its events, and signed notes of it.

Pure: hashes and texts, no database, no clock. `merkle.py` is RFC 6962's tree, whose leaf n (from
0) is the hash of the event at position n + 1 of the log; `notes.py` is how such a tree's size and
root are said, signed and signed again, as C2SP has it (signed-note, tlog-checkpoint,
tlog-cosignature, tlog-proof); `watched.py` is what a witness remembers and refuses.
Nothing here knows a match.
"""
