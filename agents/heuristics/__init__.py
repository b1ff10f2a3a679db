"""Hand-written players: one folder per game, found by the game's name.

A folder defines `BASELINES`: names, the weakest player first, and for each the loop that chooses an
action per row. A loop sees observations and masks only, or, marked by `FromRecords`, records in
which all that its seat cannot know has been re-drawn.
"""
