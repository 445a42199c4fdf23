"""From the events of one decision to the notices that they owe, each with its reader.

`react.py` leads each event to its case; concepts with several events have a module of their own.
No store and no template is known: a notice is a frozen fact.
"""
