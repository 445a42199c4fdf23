"""Parts of SVG pictures that all games share: elements, colours, letters, marks and seat lists.

No module here depends on a game. The same input gives the same bytes. A picture needs no
font, style sheet or script, so every SVG renderer draws it alike. Repeated shapes are
symbols in `<defs>`. An id refers to the same shape in all pictures, so one page can contain
several pictures. Symbols, transformed elements and relative paths keep repeated parts
short. To add a part, write a function that returns SVG text, and look at the result in a
browser.
"""
