"""What `pbem new-game` writes: a whole small game, and the files of a distribution around it.

`nine/` is a game like any other, in real code that the house's checks run over; `project/` is what
stands around it; `package.py` gives both the name that an author chose. Words that the name stands
for are spelt so that nothing else is meant: `nine`, `Nine`, `NI-`. Nobody imports `nine` but tests.
"""
