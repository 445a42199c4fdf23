"""Template files for a new game; they implement Nim until the author changes them."""
