"""Players that look ahead: they play a decision out many times before they make it.

`rollout` tries each action in games of a baseline on all seats; `ismcts` grows a tree of what the
seats see, and has the baseline play on where it ends. A search names no game: it needs the verbs of
`GameSpec`, and is found by its text (see `text`).
"""
