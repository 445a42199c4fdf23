"""A letter understood: who wrote it, what it answers, what it says.

`read_letter.py` turns bytes into an `Intent` without changing anything, in any process; `sender.py`
finds the writer, `move_reading.py` the match in which `mail/free_text` reads each move.
`take_letter.py` is the unit of work that acts on an intent: it hands each order to orders/. Nothing
here waits, sends or knows a loop. A new way to recognise a writer is a case in `sender.py`.
"""
