"""Notifications: who gets an email, what each reader may see, and how emails are rendered.

| module | subject |
|---|---|
| rules | which players are notified of which events, as a table |
| views | what one reader may see of a match, as values for templates |
| lessons | what a player learns in a match that is a lesson |
| pictures | boards as PNG pictures in emails |
| render | views rendered as emails: subject, text and HTML, in the reader's language |

All texts are templates: `templates/email` has a template for each kind of email,
`templates/games` the texts of each game, and `templates/locale` the translations.
"""
