"""What `pbem check` and `pbem history` find out: each part looked at, told in words.

`doctor.py` asks the configuration, the servers and the database in turn; `contradictions.py` and
`explanations.py` read the log. Nothing is mended here. A new check is a
function that `doctor` calls.
"""
