"""Tiny games that only the tests play: proof that the engine knows no game."""
