"""Tacocat as a PettingZoo module: `tacocat_v0.env()`; `raw_env` makes the same checks."""

from ..engine.aec import environment
from .game import SPEC

env = raw_env = environment(SPEC, __name__)
