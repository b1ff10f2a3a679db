"""Slag as a PettingZoo module: `slag_v0.env()`; `raw_env` makes the same checks."""

from spelkast.envs.engine.aec import environment

from .game import SPEC

env = raw_env = environment(SPEC, __name__)
