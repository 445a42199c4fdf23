"""The commands of `pbem`: one file for each group, registered in `app.py`.

A command reads its arguments, calls one thing below, and prints; it decides nothing about games or
mail. It may import everything, but what is heavy it imports inside the command, so that
`pbem --help` is quick. Commands are plain functions: Typer does not await. What goes wrong on
purpose is a PbemError: `app.py` prints it as one line and leaves with exit code 1.
"""
