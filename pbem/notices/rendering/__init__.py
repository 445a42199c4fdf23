"""From a view to words: the only code that knows templates/, Jinja2 and gettext.

`render.py` renders subject, text and HTML, `markup.py` is the one form in which templates write,
`catalogue.py` the languages. A template gets one value, the notice's view.
"""
