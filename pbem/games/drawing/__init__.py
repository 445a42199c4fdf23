"""Parts of SVG pictures that all games share: elements, colours, letters, marks and seat lists.

No module here depends on a game. The same input gives the same bytes. A picture needs no
font, style sheet or script, so every SVG renderer draws it alike.

A shape that occurs several times is a symbol in `<defs>`. An id refers to the same shape in all
pictures, so one page can contain several pictures. Symbols, elements that a `transform` moves,
and paths with relative coordinates keep the pictures small.

To add a part, write a function that returns SVG text, and look at the result in a browser.
"""
