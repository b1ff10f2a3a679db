"""Players that look ahead: they play a decision out many times before they make it.

`rollout` tries each action to the end of the game with a baseline on every seat. A search names no
game: it needs the verbs of `GameSpec` and a baseline, and is found by its text (see `text`).
"""
