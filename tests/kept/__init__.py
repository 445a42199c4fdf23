"""What players see, kept: mails, pages, refusals, and how letters are read, as they are today.

`scripts/` has what happens, as data; `kept/` what came of it, as text. Nothing here is rewritten by
`--accept`: `python -m tests.kept.record` records anew, by hand, where a difference is meant. Only
adapter.py and reading.py know the service; all else knows mails, pages, and a clock.
What of a mail is masked stands in masks.py. Draws, clocks, recipients and words never are.
"""
