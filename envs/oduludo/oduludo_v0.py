"""Oduludo as a PettingZoo module: `oduludo_v0.env()`; `raw_env` makes the same checks."""

from ..engine.aec import environment
from .game import SPEC

env = raw_env = environment(SPEC, __name__)
