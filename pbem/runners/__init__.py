"""The runners: where mail, matches and the store meet, one unit of work per file.

`intake.py` receives letters and takes them, `delivery.py` sends what is owed, `deadlines.py` fires
timers, `supervise.py` keeps them running. A unit of work is a synchronous function of a database
connection; the runners around it are async and do nothing else. A unit either commits wholly or
leaves nothing, so that a runner may be killed anywhere and begin again.
"""
