"""The demo: a whole service in a folder, for one person who plays against programs.

`club.py` creates the service, with SQLite, and Maildir folders in place of mail servers. Every
move goes through real emails; `mail_program.py` reads them and writes the replies. `programs.py`
are the players who answer by themselves. The person answers at a terminal (`terminal.py`) or on
pages, which `background.py` serves.
"""
