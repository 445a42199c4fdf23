"""Who is notified of what in a match, what each reader may see, and the emails that say it.

| module | subject |
|---|---|
| rules | which players are notified of which events, as a table |
| views | what one reader may see of a match, as values for templates |
| lessons | what a player learns in a match that is a lesson |
| render | views as emails: subject, text and HTML, in the reader's language |

The words are templates: `templates/email` has a pair of files for each kind of email,
`templates/games` the words of each game, and `templates/locale` the translations.
"""
