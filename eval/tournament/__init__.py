"""A tournament of Tokken in the format of Texel [R13]: a few rounds, Swiss pairing, score sheets.

The bookkeeping (`sheets`, `standings`, `pairing`, `typed`) knows no environment, so that it serves
people at real tables as well as agents (`run`).
"""
