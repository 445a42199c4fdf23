"""What is kept of people, and how it goes.

Names and addresses (`roster.py`), questions, budgets, reply addresses. Every table that names a
player stands in `personal.py`, which empties or deletes its rows.
"""
