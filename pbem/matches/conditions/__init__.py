"""Decisions in advance, pure: conditional moves.

`conditions.py` keeps and triggers them, `supposing.py` reads them against positions that have not
come yet. Their texts are sealed: only their own player's mails tell them.
"""
