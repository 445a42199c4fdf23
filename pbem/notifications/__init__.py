"""Notifications: who gets an email, what each reader may see, and how emails are rendered.

| module | subject |
|---|---|
| rules | which players are notified of which events, as a table |
| views | what one reader may see of a match, as values for templates |
| happenings | events that emails report, other than moves |
| move_views | views of single moves and random draws |
| lessons | what a player learns in a match that is a lesson |
| pictures | boards as PNG pictures in emails |
| email_views | the values that templates get for an email, by its kind |
| rendering | one email from its view: subject, text and HTML, in the reader's language |
| layout | lines of text, and the blocks of the HTML that are made of them |
| environment | folders, languages and filters of templates |
| renderer | the renderer of a service, with an environment for each language |

All texts are templates: `templates/email` has a template for each kind of email,
`templates/games` the texts of each game, and `templates/locale` the translations.
"""
