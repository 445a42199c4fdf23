"""A match step by step: frames, and what shows them: a terminal, a page, pictures.

A replay is made of a match or of a record, and knows neither the database nor a mail. What a reader
may see is decided before: frames hold positions, and their viewpoint says whose eyes look at them.
To add a way to show replays, take a `Replay` and give text or bytes.
"""
