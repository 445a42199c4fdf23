"""From a view to words: the only code that knows templates/, Jinja2 and gettext.

`render.py` renders subject, text and HTML; `environment.py` finds the templates, `families.py`
renders their blocks, `filters.py` has what they may call; `markup.py` is the one form in which they
write, `languages.py` the languages. A template gets one value, the notice's view.
"""
