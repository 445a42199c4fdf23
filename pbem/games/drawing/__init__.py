"""Parts of SVG pictures that all games share: elements, colours, letters, pieces, dice, seats.

Nothing here knows a game. The same input gives the same bytes. A picture needs no font, style sheet
or script, so every SVG renderer draws the same. Repeated shapes are symbols in `<defs>`; an id has
the same shape in all pictures, so a page can show several. Symbols, transformed elements and
relative paths keep repeated parts short. To add a part, write a function that returns SVG text, and
look at the result in a browser.
"""
