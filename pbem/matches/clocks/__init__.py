"""The clocks of a match, pure: what is left to whom.

`clock.py` has their state and how events change it, `timing.py` what decisions mean for them, and
`audit_clocks.py` recomputes both for verification.
"""
