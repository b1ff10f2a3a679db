"""A table to play at."""
