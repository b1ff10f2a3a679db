"""Pig, tied into one `GameSpec`."""

from spelkast.envs.engine.spec import GameSpec

from . import board, draw, notation, observe, rules

SPEC = GameSpec.of(board, rules, observe, notation, draw, title="Pig", home=__name__, seats=2)
