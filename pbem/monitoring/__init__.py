"""What those who watch over the service want to know.

`facts.py` reads it from the database, from the disk and from the signs that `pbem serve` leaves;
`checks.py` says what is wrong and what to do next. Nothing that a player or a server wrote is in
it, since it goes where operators are woken. A new check is a function in `checks.py`, and a
section of docs/runbook.md.
"""
