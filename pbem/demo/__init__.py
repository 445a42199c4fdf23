"""The demo: a whole service in a folder, with players who are programs, and one who is a person.

`club.py` puts the service together: SQLite, and Maildir folders in place of mail servers. Every
move goes through real emails; `mail_program.py` reads them and writes the replies. `programs.py`
are the players who answer by themselves. The person answers at a terminal (`terminal.py`) or on
pages, which `background.py` serves.
"""
