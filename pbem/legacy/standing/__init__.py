"""How good and how reliable players are, as the ends of their matches say.

Pure: what is known of earlier matches is handed in, and the same matches in the same order give the
same ratings. Nothing here knows a game, a name or a mail.
"""
