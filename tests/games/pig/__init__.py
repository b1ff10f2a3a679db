"""Pig: two players, one die; the smallest complete game, and the one to copy."""
