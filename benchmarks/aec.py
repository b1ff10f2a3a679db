"""The PettingZoo environment, beside PettingZoo's own `connect_four_v3` in the same run.

Both `env()` with all their checks, in turns (A B A B ...), the same loop over `last()` and the same
cheap legal picker: `np.flatnonzero` and random numbers drawn beforehand. Time is CPU time.
"""

import importlib
import os
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from spelkast.cli.speed import play_along, rate
from spelkast.envs import games, make

from .sampling import SPREAD, Json, Rate, in_turns, markdown_table, ratio, spread, turns

SECONDS = 10.0
"""CPU time per environment."""
PAIRS = 9
PEER = "connect_four_v3"
PICKS = np.random.default_rng(0).random(1 << 10).tolist()
VERSIONS = ("pettingzoo",)


class NotInstalledError(Exception):
    """A peer cannot be measured here; the message says what to install."""


def measure(*, seconds: float = SECONDS, pairs: int = PAIRS) -> Json:
    """Plies per second of every game and of the peer, and the ratio of each pair of turns."""
    figures = {game: _measure_game(game, seconds, pairs) for game in games()}
    return {"peer": f"PettingZoo {PEER}", "games": figures}


def _measure_game(game: str, seconds: float, pairs: int) -> Json:
    ours: Rate = environment(make, game)
    try:
        peer = environment(classic, PEER)
    except NotInstalledError as missing:
        return {**in_turns({"plies_per_second": ours}, seconds, pairs), "skipped": str(missing)}
    rates = turns({"plies_per_second": ours, "peer_plies_per_second": peer}, seconds, pairs)
    return {name: spread(each) for name, each in rates.items()} | {"ratio": ratio(*rates.values())}


def table(figures: Json) -> str:
    """The figures as Markdown."""
    peer, rows = figures["peer"], []
    for game, facts in figures["games"].items():
        rows.append([f"{game}, plies/s", facts["plies_per_second"]])
        if "skipped" in facts:
            rows.append([f"{peer}: {facts['skipped']}"])
        else:
            rows.append([f"{peer}, plies/s", facts["peer_plies_per_second"]])
            rows.append([f"**{game} / {peer}**", facts["ratio"]])
    return markdown_table(("environment", *SPREAD), rows)


def classic(name: str) -> Any:
    """`env()` of a module of `pettingzoo.classic`, which needs more than PettingZoo itself."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PettingZoo deprecates importing its own modules
            return importlib.import_module(f"pettingzoo.classic.{name}").env()
    except ImportError as error:
        if error.name is None:
            raise NotInstalledError(f"skipped: {error}") from None
        hint = " (pip install 'spelkast[bench]')" if error.name == "pygame" else ""
        raise NotInstalledError(f"skipped, {error.name} is not installed{hint}") from None


def environment(build: Callable[[str], Any], name: str) -> Rate:
    """How to measure an environment, all compiled: random legal games, resets included."""
    env = build(name)
    env.reset(seed=0)
    play_along(env, PICKS)
    return partial(rate, partial(play_along, env, PICKS))
