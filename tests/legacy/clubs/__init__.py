"""Whole services without servers, for the tests of every room through which a letter goes.

A test opens a club (club.py), writes letters to it and reads the mails that it sends. What many
tests begin from is prepared once (kept.py); what hostile letters are made of stands in hostile.py.
A test stands in the folder of the room that it asks about: intake, orders, delivery, transaction.
"""
