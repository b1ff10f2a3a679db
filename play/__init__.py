"""A table to play at: one person against agents, in a terminal."""
