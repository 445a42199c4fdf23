"""A service on which people play board games by email.

Emails become commands, commands become events of a match, and events cause emails to its players.
docs/architecture.md follows one email through the packages.
"""
