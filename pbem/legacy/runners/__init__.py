"""The loops, and nothing else.

`receive.py` takes mail in and takes letters one by one, `timers.py` fires what is due and forgets
what was kept long enough, `deliver.py` sends what is owed, `bots.py` lets bots act, `supervise.py`
keeps them running. Each unit of work is a synchronous function of a connection that
commits wholly or leaves nothing, so that a runner may be killed anywhere and begin again.
"""
