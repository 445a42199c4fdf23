"""Pages for browsers: a match to look at, a seat to play from, the club.

A page reads the database and changes nothing. What somebody wants done goes into the inbox as a
letter from their seat (letters.py), so that a form is read, refused, held and answered by the same
code as a mail. A token in the address says whose eyes see a page (access.py); there is no login.
application.py has the routes, answers.py what every answer has in common.
"""
