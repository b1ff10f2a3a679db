"""Hand-written players, one file per game, found by the game's name."""
