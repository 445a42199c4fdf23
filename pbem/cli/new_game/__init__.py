"""Template files for a new game, which implement Nim until the author changes them."""
