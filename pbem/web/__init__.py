"""Web pages: the site, its matches, and seat pages on which players play without email.

`app.py` collects the routes and what all responses have in common, `rendering.py` fills in
templates, and `assets.py` serves the style sheet, the script and the icons. Each other
module has one subject and its own list of routes. GET requests change nothing, and every
page works without scripts.
"""
