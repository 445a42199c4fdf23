"""The event log: streams of events, their hash chain, their texts, their way in and out.

Events are inserted and never changed. `event_log.py` appends and loads, `sealed.py` has the texts
and secrets that they name by a digest, `verify.py` finds what was done behind its back,
`exchange.py` and `exported.py` carry whole streams; `tree.py` has the whole log as one hash.
"""
