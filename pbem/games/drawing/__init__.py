"""The shared parts of pictures: SVG elements, colours, letters as paths, pieces, dice, the panel.

Nothing here knows a game, and everything is pure: the same input gives the same bytes. A picture
needs no font, no style sheet and no script, so that any reader of SVG draws the same. Symbols
stand once in `<defs>`; an id means the same shape in all pictures, so that many fit into a page.
Pixels of what occurs again cost little: of symbols, of elements that a transform moves, of paths
that go on relatively from where they begin. To add a part, write a function that gives SVG text,
and look at it in a browser.
"""
