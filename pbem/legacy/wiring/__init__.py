"""The composition root: from settings to a running house, and the demonstration of one.

The only place that reads the clock and the source of entropy, and that knows which transports there
are. Everything below gets what it needs as arguments. `service.py` serves an installation;
`demo.py` makes one for an hour, with people who answer its mails. Nothing is imported here: whoever
asks only for the time needs no service.
"""
