"""Pages: the club, matches, and seats on which players play without writing an email.

`app.py` has the routes and what all answers have in common, `rendering.py` fills in the templates,
`assets.py` has the style sheet, the script and the icons. Each other module is one subject, with
its own list of routes. Nothing changes by GET, and every page works without scripts.
"""
