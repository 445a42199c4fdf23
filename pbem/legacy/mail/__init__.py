"""Mail as bytes and as meaning, sans-IO: letters and orders in, finished mails out.

`letter.py` reads raw bytes, `reply_text.py` finds what the person typed, free_text/ reads it as
orders of verbs/, `addresses.py` mints and reads reply addresses, `compose.py` writes the mail.
Nothing here opens a socket or a file, reads a clock, or knows of matches; everything is linear in
the size of its input, since the input is anybody's.
"""
