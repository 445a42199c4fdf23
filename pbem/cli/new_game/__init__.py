"""The files of a new game, which plays Nim until its author changes it."""
