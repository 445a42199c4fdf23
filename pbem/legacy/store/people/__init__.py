"""What is kept of people, and how it goes.

Names and addresses (`roster.py`), what a letter or a mail needs of them at once (`lookups.py`),
questions, budgets, reply addresses. Every table that names a
player stands in `personal.py`, which empties or deletes its rows.
"""
