"""What a reader may see: from notices and matches to the values that templates get.

A view holds no secret of somebody else, no sentence and no address; other people's text is made
harmless here. A new notice has its view in `view.py` or beside it.
"""
